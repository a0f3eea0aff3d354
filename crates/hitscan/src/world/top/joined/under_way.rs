//! Rays of a batch through meshes at one place, each beside others.

use super::alone::Ask;
use super::{Joined, Standing};
use crate::bvh::layout::Layout;
use crate::bvh::node::{LeafRef, Node};
use crate::bvh::slab::Frame;
use crate::bvh::stream::{Entered, Way};
use crate::entry::{Arrival, surely_near};
use crate::filter::Filter;
use crate::mesh::MeshData;
use crate::query::{Collector, Probe};
use crate::ray::Ray;
use crate::simd::Flow;
use crate::simd::lanes::Lanes;
use crate::simd::row::Row;
use crate::transform::Transform;
use crate::world::slots::Slots;
use crate::world::top::Top;

/// From the tree above parts into the meshes and back.
pub(crate) struct Within<'a> {
    joined: &'a Joined,
    slots: &'a Slots,
    place: &'a Transform,
    /// The only one, whose own tree rays begin in.
    alone: Option<Standing<'a>>,
}

impl<'a> Within<'a> {
    /// `None` where they have no tree, or where there is one alone, which is not wanted.
    pub fn new(top: &'a Top, filter: &Filter<'_>) -> Option<Within<'a>> {
        let (joined, slots) = (top.joined()?, top.slots());
        let alone = if joined.is_one { Some(joined.part(slots, 0)?) } else { None };
        if alone
            .as_ref()
            .is_some_and(|Standing { id, instance, .. }| !filter.admits_instance(*id, instance.mask))
        {
            return None;
        }
        Some(Within { joined, slots, place: joined.place(slots)?, alone })
    }

    /// Whether a ray may be under way: not from so far away that each mesh moves it to another place.
    #[inline(always)]
    pub fn is_near(&self, ray: &Ray) -> bool {
        if self.alone.is_some() {
            return true;
        }
        let [x, y, z] = self.place.inverse_point(ray.origin().to_array()).map(|c| (c as f32).abs());
        x.max(y).max(z) < surely_near(f64::from(self.joined.reach))
    }
}

/// The tree above parts, or that of a mesh.
#[derive(Clone, Copy)]
pub(crate) struct Tree<'a> {
    nodes: &'a [Node],
    rows: &'a [Row],
    mesh: Option<&'a MeshData>,
    is_outermost: bool,
}

impl<'a> Tree<'a> {
    #[inline(always)]
    fn of(mesh: &'a MeshData, is_outermost: bool) -> Tree<'a> {
        Tree { nodes: &mesh.tree.nodes, rows: &mesh.tree.rows, mesh: Some(mesh), is_outermost }
    }
}

impl<'a> Way for Within<'a> {
    type In = Tree<'a>;
    const LEADS_ON: bool = true;

    #[inline(always)]
    fn outermost(&self) -> Tree<'a> {
        match &self.alone {
            Some(alone) => Tree::of(alone.mesh, true),
            None => {
                Tree { nodes: self.joined.nodes(), rows: self.joined.rows(), mesh: None, is_outermost: true }
            }
        }
    }

    #[inline(always)]
    fn is_outermost(&self, within: Tree<'a>) -> bool {
        within.is_outermost
    }

    #[inline(always)]
    fn begin<C: Collector>(&self, probe: &mut Probe<'_, C>) {
        if let Some(Standing { id, instance, .. }) = &self.alone {
            probe.enter(*id, instance.transform.mirrored());
        }
    }

    #[inline(always)]
    fn arrival(&self, ray: &Ray) -> Arrival {
        Arrival::placed(ray, self.place, f64::from(self.joined.reach))
    }

    #[inline(always)]
    fn frame(&self) -> &Frame {
        &self.joined.frame
    }

    #[inline(always)]
    fn nodes(&self, within: Tree<'a>) -> &[Node] {
        within.nodes
    }

    #[inline(always)]
    fn rows(&self, within: Tree<'a>) -> &[Row] {
        within.rows
    }

    #[inline(always)]
    fn mesh(&self, within: Tree<'a>) -> Option<&MeshData> {
        within.mesh
    }

    #[inline(always)]
    fn fetch_named<L: Lanes>(&self, lanes: L, leaves: impl Iterator<Item = (Tree<'a>, LeafRef)> + Clone) {
        for (within, leaf) in leaves {
            if let Some(held) = within.mesh.map(MeshData::leaves)
                && held.layout == Layout::Compact
            {
                held.fetch(lanes, core::iter::once(leaf));
            }
        }
    }

    #[inline(always)]
    fn enter<L: Lanes, C: Collector>(
        &self,
        lanes: L,
        payload: u32,
        farthest: f32,
        probe: &mut Probe<'_, C>,
    ) -> Entered<Tree<'a>> {
        let Some(standing) = self.joined.part(self.slots, payload) else {
            return Entered::Done(Flow::Continue(()));
        };
        let Standing { id, instance, mesh, part } = standing;
        if !probe.filter.admits_instance(id, instance.mask) {
            return Entered::Done(Flow::Continue(()));
        }
        if part.is_near(farthest) {
            probe.enter(id, instance.transform.mirrored());
            return Entered::Tree(Tree::of(mesh, false), part.child);
        }
        Entered::Done(lanes.apart(Ask { standing: &standing, probe, meter: &mut () }))
    }
}
