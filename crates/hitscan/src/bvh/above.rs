//! What lies over points, along an axis of the mesh: the triangles whose boxes endless lines from there meet, eight boxes at a
//! time.

use super::layout::{Leaves, Place, Room};
use super::leaf::extent;
use super::node::{Child, LeafRef, Node};
use crate::mesh::MeshData;
use crate::simd::block::Axis;
use crate::simd::lanes::{Lanes, lowest};
use crate::simd::stack::{AnyOrder, Stack};
use crate::simd::{Kernel, Task};

/// Who looks at the triangles that a walk finds.
pub(crate) trait Visit {
    /// The lowest coordinates of a box that is wanted are at most these.
    fn low(&self) -> [f32; 3];
    /// The highest coordinates of a box that is wanted are at least these.
    fn high(&self) -> [f32; 3];
    fn visit<L: Lanes>(&mut self, lanes: L, found: Place);
}

impl MeshData {
    /// Visits every triangle whose box is wanted.
    pub fn triangles_between<V: Visit>(&self, kernel: Kernel, visitor: &mut V) {
        if !self.tree.nodes.is_empty() {
            kernel.run(Between { mesh: self, low: visitor.low(), high: visitor.high(), visitor });
        }
    }
}

struct Between<'a, V> {
    mesh: &'a MeshData,
    low: [f32; 3],
    high: [f32; 3],
    visitor: &'a mut V,
}

impl<V: Visit> Task for Between<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Between { mesh, low, high, visitor } = self;
        let mut stack = Stack::<AnyOrder>::new(Child::EMPTY.word());
        let mut current = Child::inner(0);
        while current != Child::EMPTY {
            match current.split() {
                Err(index) => {
                    let node = &mesh.tree.nodes[index];
                    let hits = boxes(lanes, node, low, high);
                    let children = Child::words(&node.children);
                    let near = lanes.splat(0.0);
                    current = Child::from_word(stack.exchange(lanes, children, near, hits, 0.0));
                }
                Ok(payload) => {
                    let mut found =
                        triangles(lanes, &mesh.leaves(), LeafRef::from_payload(payload), low, high);
                    while found != 0 {
                        visitor.visit(lanes, Place { payload, lane: lowest(found) as u32 });
                        found &= found - 1;
                    }
                    current = Child::from_word(stack.pop(0.0));
                }
            }
        }
    }
}

/// Bits of a node's boxes that are wanted; empty places never are.
#[inline(always)]
fn boxes<L: Lanes>(lanes: L, node: &Node, low: [f32; 3], high: [f32; 3]) -> u32 {
    let mut wanted = u32::MAX;
    for axis in 0..3 {
        wanted &= lanes.le(lanes.load(&node.planes[axis]), lanes.splat(low[axis]));
        wanted &= lanes.le(lanes.splat(high[axis]), lanes.load(&node.planes[3 + axis]));
    }
    wanted
}

/// Bits of a leaf's triangles whose boxes are wanted.
#[inline(always)]
fn triangles<L: Lanes>(lanes: L, leaves: &Leaves<'_>, leaf: LeafRef, low: [f32; 3], high: [f32; 3]) -> u32 {
    let mut room = Room::uninit();
    let block = leaves.block(leaf, &mut room);
    let mut wanted = leaf.lanes();
    for axis in Axis::ALL {
        let [lowest, highest] = extent(lanes, block, axis, leaf.stride());
        wanted &= lanes.le(lowest, lanes.splat(low[axis.number()]));
        wanted &= lanes.le(lanes.splat(high[axis.number()]), highest);
    }
    wanted
}
