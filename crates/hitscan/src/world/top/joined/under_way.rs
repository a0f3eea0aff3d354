//! Rays of a batch through meshes at one place, each beside others.

use super::alone::Ask;
use super::{Joined, Standing};
use crate::bvh::layout::Layout;
use crate::bvh::node::{LeafRef, Node};
use crate::bvh::slab::Frame;
use crate::bvh::stream::{Entered, Way};
use crate::entry::{Arrival, surely_near};
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
}

impl<'a> Within<'a> {
    /// `None` where they have no tree.
    pub fn new(top: &'a Top) -> Option<Within<'a>> {
        let (joined, slots) = (top.joined()?, top.slots());
        Some(Within { joined, slots, place: joined.place(slots)? })
    }

    /// Whether a ray may be under way: not from so far away that each mesh moves it to another place.
    #[inline(always)]
    pub fn is_near(&self, ray: &Ray) -> bool {
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
}

impl<'a> Way for Within<'a> {
    type In = Tree<'a>;
    const LEADS_ON: bool = true;

    #[inline(always)]
    fn outermost(&self) -> Tree<'a> {
        Tree { nodes: self.joined.nodes(), rows: self.joined.rows(), mesh: None }
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
            let tree = Tree { nodes: &mesh.tree.nodes, rows: &mesh.tree.rows, mesh: Some(mesh) };
            return Entered::Tree(tree, part.child);
        }
        Entered::Done(lanes.apart(Ask { standing: &standing, probe, meter: &mut () }))
    }
}
