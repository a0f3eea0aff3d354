//! Following a ray through wide nodes: written once, for every query, tree and instruction set.
//!
//! A child is visited when its box starts no farther away than the best that is still wanted, so a hit at
//! exactly that distance but of a lower number is not lost.

use super::leaf::{LaneRay, block, stored};
use super::node::{Child, LeafRef, Node};
use super::slab::{LaneSlab, Slab};
use crate::entry::LocalRay;
use crate::mesh::MeshData;
use crate::query::{Collector, Probe};
use crate::simd::Flow;
use crate::simd::lanes::Lanes;
use crate::simd::stack::Stack;

/// What a walk did: the work behind one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// Instances whose meshes were walked; 0 where a mesh was asked directly.
    pub instances: u32,
    /// Inner nodes whose eight boxes were tested, of scene and meshes.
    pub nodes: u32,
    /// Leaves whose triangles were tested, up to eight at once.
    pub leaves: u32,
    /// Triangles that went through the exact test.
    pub tests: u32,
}

/// Counts the work of a walk, or does nothing at no cost.
pub(crate) trait Meter {
    fn instance(&mut self) {}
    fn node(&mut self) {}
    fn leaf(&mut self) {}
    fn test(&mut self) {}
}

impl Meter for () {}

impl Meter for Cost {
    fn instance(&mut self) {
        self.instances += 1;
    }
    fn node(&mut self) {
        self.nodes += 1;
    }
    fn leaf(&mut self) {
        self.leaves += 1;
    }
    fn test(&mut self) {
        self.tests += 1;
    }
}

/// How far a walk still looks: what its leaves may change.
pub(crate) struct Reach<L: Lanes> {
    /// Slab `t` up to which boxes are wanted.
    pub far: f32,
    lanes_far: L::F,
}

impl<L: Lanes> Reach<L> {
    #[inline(always)]
    pub fn new(lanes: L, far: f32) -> Self {
        Reach { far, lanes_far: lanes.splat(far) }
    }
}

/// What a walk does at leaves. A trait rather than a closure: only a method can be told to be inlined into the
/// kernel, and what stays outside is compiled without its instruction set.
pub(crate) trait Leaves<L: Lanes, M: Meter> {
    /// Whether the nearest leaf should come first; else they come in any order.
    const ORDERED: bool;
    /// Looks at the leaf of this payload; may shorten the reach.
    fn visit(&mut self, payload: u32, reach: &mut Reach<L>, meter: &mut M) -> Flow;
}

/// Visits the leaves whose boxes the ray meets.
#[inline(always)]
pub(crate) fn walk<L: Lanes, M: Meter, V: Leaves<L, M>>(
    lanes: L,
    nodes: &[Node],
    slab: &LaneSlab<L>,
    reach: &mut Reach<L>,
    meter: &mut M,
    leaves: &mut V,
) -> Flow {
    if nodes.is_empty() {
        return Flow::Continue(());
    }
    let mut stack = Stack::new();
    let mut current = Child::inner(0);
    loop {
        let next = match current.split() {
            Err(index) => {
                meter.node();
                let node = &nodes[index];
                let (mut hits, near) = slab.test(lanes, node, reach.lanes_far);
                let near = lanes.store(near);
                let count = hits.count_ones() as usize;
                if count == 1 {
                    // Half of all nodes: straight on, without a way over the stack.
                    Some(node.children[place(hits)])
                } else if V::ORDERED && count == 2 {
                    let (a, b) = (place(hits), place(hits & (hits - 1)));
                    let (first, second) = if near[b] < near[a] { (b, a) } else { (a, b) };
                    stack.push(node.children[second].word(), near[second]);
                    Some(node.children[first])
                } else {
                    while hits != 0 {
                        stack.push(node.children[place(hits)].word(), near[place(hits)]);
                        hits &= hits - 1;
                    }
                    if V::ORDERED {
                        stack.sort_top(count);
                    }
                    None
                }
            }
            Ok(payload) => {
                leaves.visit(payload, reach, meter)?;
                None
            }
        };
        current = match next {
            Some(child) => child,
            None => loop {
                let Some((child, near)) = stack.pop() else { return Flow::Continue(()) };
                if !V::ORDERED || near <= reach.far {
                    break Child::from_word(child);
                }
            },
        };
    }
}

/// The lowest place in a mask.
#[inline(always)]
fn place(mask: u32) -> usize {
    mask.trailing_zeros() as usize & 7
}

/// The leaves of a mesh: triangles, offered to the probe.
pub(crate) struct Triangles<'a, 'b, L: Lanes, C> {
    lanes: L,
    mesh: &'a MeshData,
    local: &'a LocalRay<'a>,
    pub slab: Slab,
    lane_ray: LaneRay<L>,
    probe: &'a mut Probe<'b, C>,
}

impl<'a, 'b, L: Lanes, C: Collector> Triangles<'a, 'b, L, C> {
    #[inline(always)]
    pub fn new(lanes: L, mesh: &'a MeshData, local: &'a LocalRay<'a>, probe: &'a mut Probe<'b, C>) -> Self {
        let slab = Slab::new(local.origin, &local.heading.slope, &mesh.tree.bounds, 0.0);
        Triangles { lanes, mesh, local, slab, lane_ray: LaneRay::new(lanes, local), probe }
    }

    /// Slab `t` from which boxes are wanted.
    #[inline(always)]
    pub fn begin(&self) -> f32 {
        self.slab.lower(self.probe.ray.t_min(), self.local.t0, self.local.heading.unscale)
    }

    #[inline(always)]
    pub fn reach(&self) -> Reach<L> {
        let far = self.slab.upper(self.probe.collector.limit(), self.local.t0, self.local.heading.unscale);
        Reach::new(self.lanes, far)
    }
}

impl<L: Lanes, M: Meter, C: Collector> Leaves<L, M> for Triangles<'_, '_, L, C> {
    const ORDERED: bool = C::ORDERED;

    #[inline(always)]
    fn visit(&mut self, payload: u32, reach: &mut Reach<L>, meter: &mut M) -> Flow {
        meter.leaf();
        let leaf = LeafRef::from_payload(payload);
        let block = block(&self.mesh.tree.rows, leaf);
        let mut candidates = self.lane_ray.candidates(self.lanes, block, leaf);
        while candidates != 0 {
            let lane = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            meter.test();
            if self.probe.triangle(self.mesh, self.local, &stored(block, leaf, lane))? {
                *reach = self.reach();
            }
        }
        Flow::Continue(())
    }
}

/// Offers the collector every triangle of the mesh that the ray hits within what it still wants.
#[inline(always)]
pub(crate) fn walk_mesh<L: Lanes, M: Meter, C: Collector>(
    lanes: L,
    mesh: &MeshData,
    local: &LocalRay<'_>,
    probe: &mut Probe<'_, C>,
    meter: &mut M,
) -> Flow {
    let mut leaves = Triangles::new(lanes, mesh, local, probe);
    let lane_slab = LaneSlab::new(lanes, &leaves.slab, leaves.begin());
    let mut reach = leaves.reach();
    walk(lanes, &mesh.tree.nodes, &lane_slab, &mut reach, meter, &mut leaves)
}
