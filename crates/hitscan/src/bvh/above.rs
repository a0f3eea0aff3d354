//! What lies over a point, along an axis of the mesh: the triangles whose boxes an endless line from there meets, eight boxes
//! at a time.

use super::Bvh;
use super::leaf::{Place, extent, kernel_block};
use super::node::{Child, LeafRef, Node};
use crate::simd::block::Axis;
use crate::simd::lanes::{Lanes, lowest};
use crate::simd::stack::{AnyOrder, Stack};
use crate::simd::{Kernel, Task};

impl Bvh {
    /// Calls `visit` for every triangle whose box lies, along each axis, at or below `low` with its lowest and at or above
    /// `high` with its highest coordinate.
    pub fn triangles_between(
        &self,
        kernel: Kernel,
        low: [f32; 3],
        high: [f32; 3],
        visit: &mut dyn FnMut(Place),
    ) {
        if !self.nodes.is_empty() {
            kernel.run(Between { tree: self, low, high, visit });
        }
    }
}

struct Between<'a> {
    tree: &'a Bvh,
    low: [f32; 3],
    high: [f32; 3],
    visit: &'a mut dyn FnMut(Place),
}

impl Task for Between<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Between { tree, low, high, visit } = self;
        let mut stack = Stack::<AnyOrder>::new(Child::EMPTY.word());
        let mut current = Child::inner(0);
        while current != Child::EMPTY {
            match current.split() {
                Err(index) => {
                    let node = &tree.nodes[index];
                    let hits = boxes(lanes, node, low, high);
                    let children = Child::words(&node.children);
                    let near = lanes.splat(0.0);
                    current = Child::from_word(stack.exchange(lanes, children, near, hits, 0.0));
                }
                Ok(payload) => {
                    let mut found = triangles(lanes, tree, LeafRef::from_payload(payload), low, high);
                    while found != 0 {
                        visit(Place { payload, lane: lowest(found) as u32 });
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
fn triangles<L: Lanes>(lanes: L, tree: &Bvh, leaf: LeafRef, low: [f32; 3], high: [f32; 3]) -> u32 {
    let block = kernel_block(&tree.rows, leaf);
    let mut wanted = leaf.lanes();
    for axis in Axis::ALL {
        let [lowest, highest] = extent(lanes, block, axis, leaf.stride());
        wanted &= lanes.le(lowest, lanes.splat(low[axis.number()]));
        wanted &= lanes.le(lanes.splat(high[axis.number()]), highest);
    }
    wanted
}
