//! The best of all triangles by some measure that has a bound on boxes: a distance, or the time of a first contact. Boxes are looked at
//! eight at a time.
//!
//! Boxes of smaller bounds come first, and a box is left out once its bound is worse than the best that was found. What is
//! found does not depend on the tree as long as the measure of a triangle is never better than the bound of any box that holds its
//! own, rounding included.

use super::layout::{Leaves as Held, Place, Room, Stored};
use super::node::{Child, LeafRef, Node, WIDTH};
use super::repeats_a_corner;
use super::walk::Nodes;
use crate::mesh::MeshData;
use crate::simd::block::{Axis, load_corner};
use crate::simd::lanes::{Lanes, lowest};
use crate::simd::stack::{Order, Stack};
use crate::simd::{Kernel, Task};

/// Eight boxes: their lowest x, y, z, then their highest, as a node has them.
pub(crate) type Boxes<T = f32> = [[T; WIDTH]; 6];

/// Eight triangles: x, y, z of their corners A, then of B and C.
pub(crate) type Corners<T = f32> = [[[T; WIDTH]; 3]; 3];

/// The bound of a box in which nothing can be wanted.
pub(crate) const NEVER: f64 = -1.0;

/// What is looked for among triangles.
///
/// Where bounds are loops, they are `#[inline(always)]`: into what an instruction set is enabled for, whose instructions they become.
pub(crate) trait Search {
    /// Whether smaller bounds should come first, or all that are wanted in any order.
    type Order: Order;
    /// The bound of each box, at least 0, or [`NEVER`]. Of a box that holds nothing, from `+inf` to `-inf` along some axis, it
    /// may be anything, as of numbers that stand where there is no triangle.
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH];
    /// The same of triangles.
    #[inline(always)]
    fn bounds_of_triangles(&self, corners: &Corners) -> [f64; WIDTH] {
        self.bounds(&boxes_around(corners))
    }
    /// The largest bound of something that can still be better than what was found, or as good; below 0 to end here.
    fn limit(&self) -> f64;
    /// Looks at a triangle.
    fn visit(&mut self, triangle: &Stored);
}

/// The same in a tree of anything.
pub(crate) trait TreeSearch {
    type Order: Order;
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH];
    fn limit(&self) -> f64;
    /// Looks at a leaf.
    fn open(&mut self, payload: u32);
}

impl MeshData {
    /// Shows the search every triangle that it may want, those in nearer boxes first.
    pub fn search<S: Search>(&self, kernel: Kernel, search: &mut S) {
        if self.tree.nodes.is_empty() {
            return;
        }
        let leaves = self.leaves();
        let mut order = Stack::new(NONE);
        let open = |search: &mut S, payload| {
            let block = Block { leaves, payload };
            each_of(kernel, &block, &mut order, search, |lane| {
                let triangle = leaves.triangle(Place { payload, lane });
                (!repeats_a_corner(triangle.corners)).then_some(triangle)
            });
        };
        let mut nodes: &[Node] = &self.tree.nodes;
        best_first(kernel, &mut nodes, Child::inner(0), &mut Leaves { search, open });
    }
}

/// Shows the search every leaf below a child that it may want, those in nearer boxes first.
pub(crate) fn best_first(kernel: Kernel, nodes: &mut impl Nodes, root: Child, search: &mut impl TreeSearch) {
    let mut stack = Stack::new(Child::EMPTY.word());
    let mut current = root;
    while current != Child::EMPTY {
        let next = match current.split() {
            Err(index) => kernel.run(Step { node: nodes.open(index), search, stack: &mut stack }),
            Ok(payload) => {
                search.open(payload);
                stack.pop(cull(search.limit()))
            }
        };
        current = Child::from_word(next);
    }
}

/// Bounds the boxes of a node, puts aside those that are wanted, and takes what comes next.
struct Step<'a, S: TreeSearch> {
    node: &'a Node,
    search: &'a S,
    stack: &'a mut Stack<S::Order>,
}

impl<S: TreeSearch> Task for Step<'_, S> {
    type Output = u32;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> u32 {
        let Step { node, search, stack } = self;
        let mut there = u32::MAX;
        for axis in 0..3 {
            there &= lanes.le(lanes.load(&node.planes[axis]), lanes.load(&node.planes[3 + axis]));
        }
        let children = Child::words(&node.children);
        exchange(lanes, stack, children, there, &search.bounds(&node.planes), search.limit())
    }
}

/// Puts aside what is there and wanted, and takes what comes next.
#[inline(always)]
fn exchange<L: Lanes, O: Order>(
    lanes: L,
    stack: &mut Stack<O>,
    children: &[u32; WIDTH],
    there: u32,
    bounds: &[f64; WIDTH],
    limit: f64,
) -> u32 {
    let mut keys = [0.0; WIDTH];
    for lane in 0..WIDTH {
        keys[lane] = key(bounds[lane]);
    }
    let hits = there & wanted(lanes, bounds, limit);
    stack.exchange(lanes, children, lanes.load(&keys), hits, cull(limit))
}

/// Bits of the bounds that are wanted.
#[inline(always)]
fn wanted<L: Lanes>(lanes: L, bounds: &[f64; WIDTH], limit: f64) -> u32 {
    lanes.le_doubles(&[0.0; WIDTH], bounds) & lanes.le_doubles(bounds, &[limit; WIDTH])
}

/// The upper half of a bound, as a number that has the same order: so large ones and small ones are told apart that no `f32` can hold.
#[inline(always)]
fn key(bound: f64) -> f32 {
    const LARGEST: i32 = f32::MAX.to_bits() as i32;
    let upper = (bound.to_bits() >> 32) as i32;
    f32::from_bits(if upper < LARGEST { upper } else { LARGEST } as u32)
}

/// The largest of those that are wanted, with what a stack forgets: three bits.
#[inline(always)]
fn cull(limit: f64) -> f32 {
    f32::from_bits(key(limit).to_bits() | 7)
}

/// The lanes of a leaf, and what is none.
const LANES: [u32; WIDTH] = [0, 1, 2, 3, 4, 5, 6, 7];
const NONE: u32 = u32::MAX;

/// A tree whose leaves hold triangles, with what shows those of a leaf to the search.
pub(crate) struct Leaves<'a, S, F> {
    pub search: &'a mut S,
    pub open: F,
}

impl<S: Search, F: FnMut(&mut S, u32)> TreeSearch for Leaves<'_, S, F> {
    type Order = S::Order;

    #[inline(always)]
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH] {
        self.search.bounds(boxes)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.search.limit()
    }

    fn open(&mut self, payload: u32) {
        (self.open)(self.search, payload);
    }
}

/// Up to eight triangles.
trait Eight {
    fn corners<L: Lanes>(&self, lanes: L) -> Corners;
    /// Bits of the lanes that hold one.
    fn there(&self) -> u32;
}

/// Those of a leaf.
struct Block<'a> {
    leaves: Held<'a>,
    payload: u32,
}

impl Eight for Block<'_> {
    #[inline(always)]
    fn corners<L: Lanes>(&self, lanes: L) -> Corners {
        let leaf = LeafRef::from_payload(self.payload);
        let mut room = Room::uninit();
        let (block, stride) = (self.leaves.block(leaf, &mut room), leaf.stride());
        let mut corners = [[[0.0; WIDTH]; 3]; 3];
        for axis in Axis::ALL {
            corners[0][axis.number()] = lanes.store(load_corner::<0, L>(lanes, block, axis, stride));
            corners[1][axis.number()] = lanes.store(load_corner::<1, L>(lanes, block, axis, stride));
            corners[2][axis.number()] = lanes.store(load_corner::<2, L>(lanes, block, axis, stride));
        }
        corners
    }

    #[inline(always)]
    fn there(&self) -> u32 {
        LeafRef::from_payload(self.payload).lanes()
    }
}

/// Those of any source.
struct Few {
    corners: Corners,
    there: u32,
}

impl Eight for Few {
    #[inline(always)]
    fn corners<L: Lanes>(&self, _: L) -> Corners {
        self.corners
    }

    #[inline(always)]
    fn there(&self) -> u32 {
        self.there
    }
}

/// Shows the search up to eight triangles, those that it may want.
pub(crate) fn each_wanted(kernel: Kernel, triangles: impl Iterator<Item = Stored>, search: &mut impl Search) {
    let (mut few, mut prims) = (Few { corners: [[[0.0; WIDTH]; 3]; 3], there: 0 }, [0; WIDTH]);
    for (lane, triangle) in triangles.enumerate().take(WIDTH) {
        few.there |= 1 << lane;
        prims[lane] = triangle.prim;
        for corner in 0..3 {
            for axis in 0..3 {
                few.corners[corner][axis][lane] = triangle.corners[corner][axis];
            }
        }
    }
    each_of(kernel, &few, &mut Stack::new(NONE), search, |lane| {
        let corners = few.corners.map(|planes| planes.map(|plane| plane[lane as usize & 7]));
        Some(Stored { corners, prim: prims[lane as usize & 7] })
    });
}

/// The same, of lanes, in the order of the search.
#[inline(always)]
fn each_of<S: Search>(
    kernel: Kernel,
    eight: &impl Eight,
    order: &mut Stack<S::Order>,
    search: &mut S,
    triangle: impl Fn(u32) -> Option<Stored>,
) {
    if !S::Order::NEAREST_FIRST {
        let mut wanted = kernel.run(Wanted { eight, search });
        while wanted != 0 {
            if let Some(triangle) = triangle(lowest(wanted) as u32) {
                search.visit(&triangle);
            }
            wanted &= wanted - 1;
        }
        return;
    }
    order.restart(NONE);
    let mut lane = kernel.run(InOrder { eight, search, order });
    while lane != NONE {
        if let Some(triangle) = triangle(lane) {
            search.visit(&triangle);
        }
        lane = order.pop(cull(search.limit()));
    }
}

/// Finds the triangles that are wanted.
struct Wanted<'a, E, S> {
    eight: &'a E,
    search: &'a S,
}

impl<E: Eight, S: Search> Task for Wanted<'_, E, S> {
    type Output = u32;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> u32 {
        let Wanted { eight, search } = self;
        let bounds = search.bounds_of_triangles(&eight.corners(lanes));
        eight.there() & wanted(lanes, &bounds, search.limit())
    }
}

/// Puts triangles in order, and takes the first.
struct InOrder<'a, E, S: Search> {
    eight: &'a E,
    search: &'a S,
    order: &'a mut Stack<S::Order>,
}

impl<E: Eight, S: Search> Task for InOrder<'_, E, S> {
    type Output = u32;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> u32 {
        let InOrder { eight, search, order } = self;
        let bounds = search.bounds_of_triangles(&eight.corners(lanes));
        exchange(lanes, order, &LANES, eight.there(), &bounds, search.limit())
    }
}

/// The boxes around triangles.
#[inline(always)]
pub(crate) fn boxes_around<T: PartialOrd + Copy>([a, b, c]: &Corners<T>) -> Boxes<T> {
    let mut boxes = [a[0], a[1], a[2], a[0], a[1], a[2]];
    for axis in 0..3 {
        for lane in 0..WIDTH {
            let (p, q, r) = (a[axis][lane], b[axis][lane], c[axis][lane]);
            let (less, more) = (if q < p { q } else { p }, if q > p { q } else { p });
            boxes[axis][lane] = if r < less { r } else { less };
            boxes[3 + axis][lane] = if r > more { r } else { more };
        }
    }
    boxes
}

/// The bounds of boxes one by one, for those that take long; of those that hold something.
pub(crate) fn one_by_one<T: PartialOrd + Copy>(
    boxes: &Boxes<T>,
    bound: impl Fn([T; 3], [T; 3]) -> Option<f64>,
) -> [f64; WIDTH] {
    let mut bounds = [NEVER; WIDTH];
    for (lane, place) in bounds.iter_mut().enumerate() {
        let [low, high] = [0, 3].map(|first| [0, 1, 2].map(|axis| boxes[first + axis][lane]));
        if (0..3).all(|axis| low[axis] <= high[axis]) {
            *place = bound(low, high).unwrap_or(NEVER);
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_order_of_bounds() {
        let bounds = [0.0, 5e-324, 1e-300, 1e-38, 0.5, 1.0, 1.001, 1e30, 1e300, f64::MAX, f64::INFINITY];
        assert!(bounds.map(key).is_sorted() && bounds.map(cull).is_sorted());
        for bound in bounds {
            assert!(key(bound) <= cull(bound) && f32::from_bits(key(bound).to_bits() | 7) <= cull(bound));
        }
        assert!(cull(NEVER) < 0.0 && cull(f64::INFINITY).is_finite());
    }
}
