//! The way of rays under way: into one mesh, or from part to part of those of a scene that stand at one place.

use crate::bvh::layout::Layout;
use crate::bvh::node::{Child, LeafRef, Node};
use crate::bvh::slab::Frame;
use crate::entry::Arrival;
use crate::mesh::MeshData;
use crate::query::{Collector, Probe};
use crate::ray::Ray;
use crate::simd::Flow;
use crate::simd::lanes::Lanes;
use crate::simd::row::Row;

/// Where rays under way go.
pub(crate) trait Way {
    /// Which tree a ray is in.
    type In: Copy;
    /// Whether the tree that all begin in may lead into others, and not to triangles.
    const LEADS_ON: bool;
    /// The tree that all of them begin in, at its root.
    fn outermost(&self) -> Self::In;
    /// Whether a ray is in the tree that all of them begin in.
    fn is_outermost(&self, within: Self::In) -> bool;
    /// Begins with a ray that has been turned to.
    fn begin<C: Collector>(&self, probe: &mut Probe<'_, C>);
    /// A ray in the frame of all trees.
    fn arrival(&self, ray: &Ray) -> Arrival;
    fn frame(&self) -> &Frame;
    fn nodes(&self, within: Self::In) -> &[Node];
    /// What the leaves of a tree hold.
    fn rows(&self, within: Self::In) -> &[Row];
    /// The mesh that a ray is in, if that is the tree of one.
    fn mesh(&self, within: Self::In) -> Option<&MeshData>;
    /// Asks for what leaves of meshes name in lists of these, where those hold their corners.
    fn fetch_named<L: Lanes>(&self, lanes: L, leaves: impl Iterator<Item = (Self::In, LeafRef)> + Clone);
    /// What a leaf of the outermost tree leads to, for a ray whose origin has no coordinate beyond `farthest`.
    fn enter<L: Lanes, C: Collector>(
        &self,
        lanes: L,
        payload: u32,
        farthest: f32,
        probe: &mut Probe<'_, C>,
    ) -> Entered<Self::In>;
}

/// What a leaf led to.
pub(crate) enum Entered<In> {
    /// A tree, from this child on.
    Tree(In, Child),
    /// Something that has been asked, or has not to be.
    Done(Flow),
}

/// Into one mesh, in whose own frame the rays are.
pub(crate) struct Direct<'m>(pub &'m MeshData);

impl Way for Direct<'_> {
    type In = ();
    const LEADS_ON: bool = false;

    #[inline(always)]
    fn outermost(&self) {}

    #[inline(always)]
    fn is_outermost(&self, (): ()) -> bool {
        true
    }

    #[inline(always)]
    fn begin<C: Collector>(&self, _: &mut Probe<'_, C>) {}

    #[inline(always)]
    fn arrival(&self, ray: &Ray) -> Arrival {
        Arrival::of(ray, f64::from(self.0.reach))
    }

    #[inline(always)]
    fn frame(&self) -> &Frame {
        &self.0.frame
    }

    #[inline(always)]
    fn nodes(&self, (): ()) -> &[Node] {
        &self.0.tree.nodes
    }

    #[inline(always)]
    fn rows(&self, (): ()) -> &[Row] {
        &self.0.tree.rows
    }

    #[inline(always)]
    fn mesh(&self, (): ()) -> Option<&MeshData> {
        Some(self.0)
    }

    #[inline(always)]
    fn fetch_named<L: Lanes>(&self, lanes: L, leaves: impl Iterator<Item = ((), LeafRef)> + Clone) {
        let held = self.0.leaves();
        if held.layout == Layout::Compact {
            held.fetch(lanes, leaves.map(|(_, leaf)| leaf));
        }
    }

    #[inline(always)]
    fn enter<L: Lanes, C: Collector>(&self, _: L, _: u32, _: f32, _: &mut Probe<'_, C>) -> Entered<()> {
        Entered::Done(Flow::Continue(()))
    }
}
