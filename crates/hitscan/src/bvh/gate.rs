//! Whether rays of a batch meet the boxes at the top of a tree, before anything is made ready for their walks: sixteen rays at a
//! time, whatever they have in common.
//!
//! The test must let through every ray that the walk would find something for. With `u`, `R` and `D` as in [`slab`](super::slab), whose
//! margin of `96 u R` the boxes have here too, the recipe may be off by `8 u D`. Here the origin is rounded by `u` of itself, that
//! is by at most `4 u R`, and its product with the reciprocal by as much; a plane is met up to `4 u D + u R` too early or too late, by the
//! rounding of the direction, of the reciprocal, of the plane's product, if that is rounded for itself, and of the sum; growing a box takes
//! another `u` of `R` and the margin. `D` is at most `5 R`, so `70 u R` are enough. A component of the direction below 2^-40 of the largest is raised to
//! that, which moves the ray by less than `u D`. Rays that are out of the ordinary are let through.

use alloc::vec::Vec;
use core::array;

use glam::DVec3;

use super::group::{RAYS, USUAL_REACH, lower, upper};
use super::node::{Node, WIDTH};
use crate::entry::surely_near;
use crate::query::{Question, Sink, Target};
use crate::ray::Ray;
use crate::simd::lanes::{Lanes, ones};
use crate::simd::row::Row;
use crate::simd::sixteen::{Row16, Sixteen};

/// Rays that are tested in any case, by the boxes of the root's grandchildren. The others are tested by these where at least so many of the
/// sample missed them that met the children's, else by those of the children where at least so many missed those: a
/// ray costs 8 ns or 4 on one machine, and one that is found to miss saves 40 or more.
const SAMPLE: usize = 2 * RAYS;
const FEW_BELOW: u32 = 8;
const FEW: u32 = 6;

/// Lengths of directions for which nothing here leaves `f32` in a tree of a usual size: products are at most 2^122, and what a margin becomes
/// is at least 2^-117.
const USUAL: core::ops::RangeInclusive<f32> = 1.0 / (1u64 << 40) as f32..=(1u64 << 60) as f32;

/// The boxes at the top of a tree, and how rays have fared there so far.
pub(crate) struct Gate {
    /// Where the boxes' coordinates count from.
    centre: DVec3,
    root: Boxes,
    /// Of the root's children that are inner nodes, those of their children; nothing else has any.
    below: [Boxes; WIDTH],
    /// The test holds for origins whose coordinates are all smaller.
    near: f32,
    depth: Option<Depth>,
    tested: usize,
    /// Rays of the sample that met none of the boxes, and none of the root's children's.
    shut: u32,
    shut_above: u32,
}

/// Which boxes rays are tested by.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Depth {
    Children,
    Grandchildren,
}

/// The grown boxes of a node's children, as a node has them.
struct Boxes {
    planes: [[f32; WIDTH]; 6],
    /// All stand in the first so many places. An empty place among them is met by all rays.
    count: usize,
}

/// Up to sixteen rays that were tested.
struct Tested {
    numbers: [usize; RAYS],
    /// Bits of those that may meet something, and of those that surely do not.
    open: u32,
    shut: u32,
}

/// Sixteen rays side by side.
struct Rays {
    axes: [Axis; 3],
    begin: Row16,
    end: Row16,
    /// Bits of those that the test does not hold for.
    unusual: u32,
}

/// One axis of all of them: a plane `p` is met at `p * r + zero`.
struct Axis {
    r: Row16,
    zero: Row16,
}

/// Answers for those of the numbered rays that surely miss, and gives the numbers of the others.
#[inline(always)]
pub(crate) fn open<L: Lanes, T: Target, Q: Question>(
    lanes: L,
    mut gate: Gate,
    target: &T,
    question: Q,
    rays: &[Ray],
    mut numbers: impl Iterator<Item = usize>,
    answers: &mut impl Sink<Q>,
) -> Vec<usize> {
    let mut open = Vec::with_capacity(rays.len());
    while let Some(tested) = gate.next(lanes, rays, &mut numbers) {
        for place in ones(tested.shut) {
            let number = tested.numbers[place % RAYS];
            answers.put(target, number, &rays[number], &mut question.begin(&rays[number]));
        }
        open.extend(ones(tested.open).map(|place| tested.numbers[place % RAYS]));
    }
    open.extend(numbers);
    open
}

impl Gate {
    /// Of a tree that is not empty, whose largest coordinate is `reach`, for boxes that are larger by a margin.
    #[inline(always)]
    pub fn new(nodes: &[Node], centre: DVec3, margin: f32, reach: f32) -> Gate {
        let root = &nodes[0];
        let below = array::from_fn(|place| match root.children[place].split() {
            Err(index) => Boxes::of(&nodes[index], margin),
            Ok(_) => Boxes::NONE,
        });
        // Where the tree is out of the ordinary, so are all rays.
        let near = if USUAL_REACH.contains(&reach) { surely_near(f64::from(reach)) } else { 0.0 };
        let depth = Some(Depth::Grandchildren);
        Gate { centre, root: Boxes::of(root, margin), below, near, depth, tested: 0, shut: 0, shut_above: 0 }
    }

    /// Tests the next rays. `None` where there are none, or where hardly one of the first missed, as where they leave inside of what there
    /// is: the others are not worth it.
    #[inline(always)]
    fn next<L: Lanes>(
        &mut self,
        lanes: L,
        rays: &[Ray],
        rest: &mut impl Iterator<Item = usize>,
    ) -> Option<Tested> {
        let (lanes, depth) = (lanes.sixteen(), self.depth?);
        let (mut numbers, mut count) = ([0; RAYS], 0usize);
        for (place, number) in numbers.iter_mut().zip(rest) {
            (*place, count) = (number, count + 1);
        }
        let last = numbers[count.checked_sub(1)?];
        numbers[count..].fill(last);
        let all = (1u32 << count) - 1;
        let side_by_side = Rays::new(lanes, rays, &numbers, self.centre, self.near);
        let open = self.let_through(lanes, &side_by_side, depth) & all;
        if self.tested < SAMPLE {
            let open_above = self.let_through(lanes, &side_by_side, Depth::Children) & all;
            self.shut += (all & !open).count_ones();
            self.shut_above += (all & !open_above).count_ones();
            self.tested += count;
            if self.tested >= SAMPLE {
                self.depth = self.worth_it();
            }
        }
        Some(Tested { numbers, open, shut: all & !open })
    }

    /// Which boxes the sample missed often enough.
    fn worth_it(&self) -> Option<Depth> {
        if self.shut - self.shut_above >= FEW_BELOW {
            Some(Depth::Grandchildren)
        } else if self.shut_above >= FEW {
            Some(Depth::Children)
        } else {
            None
        }
    }

    /// Bits of the rays that may meet something, and of nothing from sixteen on.
    #[inline(always)]
    fn let_through<S: Sixteen>(&self, lanes: S, rays: &Rays, depth: Depth) -> u32 {
        let mut open = rays.unusual;
        for place in 0..self.root.count {
            let met = rays.meet(lanes, &self.root, place) & !open;
            let below = &self.below[place % WIDTH];
            if depth == Depth::Children || below.count == 0 {
                open |= met;
            } else if met != 0 {
                let mut inside = 0;
                for place in 0..below.count {
                    inside |= rays.meet(lanes, below, place) & met;
                    if inside == met {
                        break;
                    }
                }
                open |= inside;
            }
        }
        open
    }
}

impl Boxes {
    const NONE: Boxes = Boxes { planes: [[0.0; WIDTH]; 6], count: 0 };

    #[inline(always)]
    fn of(node: &Node, margin: f32) -> Boxes {
        let mut planes = node.planes;
        for (i, plane) in planes.iter_mut().enumerate() {
            let outward = if i < 3 { -margin } else { margin };
            plane.iter_mut().for_each(|number| *number += outward);
        }
        Boxes { planes, count: node.occupied().last().map_or(0, |place| place + 1) }
    }
}

impl Rays {
    /// Those of these numbers.
    #[inline(always)]
    fn new<S: Sixteen>(lanes: S, rays: &[Ray], numbers: &[usize; RAYS], centre: DVec3, near: f32) -> Rays {
        let mut rows = [Row([0.0; 8]); RAYS];
        for (row, &number) in rows.iter_mut().zip(numbers) {
            let [ox, oy, oz, dx, dy, dz, t_min, t_max] = rays[number].numbers();
            let origin = [ox - centre.x, oy - centre.y, oz - centre.z];
            *row = lanes.narrow(&[origin[0], origin[1], origin[2], dx, dy, dz, t_min, t_max]);
        }
        let [ox, oy, oz, dx, dy, dz, begin, end] = lanes.columns(&rows);
        let (longest, away) = (largest(lanes, [&dx, &dy, &dz]), largest(lanes, [&ox, &oy, &oz]));
        let usual = lanes.le(lanes.splat(*USUAL.start()), longest)
            & lanes.le(longest, lanes.splat(*USUAL.end()))
            & lanes.lt(away, lanes.splat(near))
            & lanes.lt(lanes.load(&begin), lanes.splat(f32::INFINITY))
            & lanes.lt(lanes.splat(f32::NEG_INFINITY), lanes.load(&end));
        let least = lanes.store(lanes.mul(longest, lanes.splat(1.0 / (1u64 << 40) as f32)));
        let axes = [Axis::new(&ox, &dx, &least), Axis::new(&oy, &dy, &least), Axis::new(&oz, &dz, &least)];
        Rays { axes, begin: lower(&begin), end: upper(&end), unusual: !usual & ((1 << RAYS) - 1) }
    }

    /// Bits of those that meet a box.
    #[inline(always)]
    fn meet<S: Sixteen>(&self, lanes: S, boxes: &Boxes, place: usize) -> u32 {
        let (mut begin, mut end) = (lanes.load(&self.begin), lanes.load(&self.end));
        for (i, Axis { r, zero }) in self.axes.iter().enumerate() {
            let (r, zero) = (lanes.load(r), lanes.load(zero));
            let low = lanes.mul_add_loose(lanes.splat(boxes.planes[i][place % WIDTH]), r, zero);
            let high = lanes.mul_add_loose(lanes.splat(boxes.planes[i + 3][place % WIDTH]), r, zero);
            begin = lanes.max(begin, lanes.min(low, high));
            end = lanes.min(end, lanes.max(low, high));
        }
        lanes.le(begin, end)
    }
}

impl Axis {
    /// With no component of the direction below the least.
    #[inline(always)]
    fn new(origin: &Row16, dir: &Row16, least: &Row16) -> Axis {
        let mut axis = Axis { r: Row16::ZERO, zero: Row16::ZERO };
        for i in 0..RAYS {
            let size = dir.0[i].abs();
            let held = if size > least.0[i] { size } else { least.0[i] };
            let r = 1.0 / held.copysign(dir.0[i]);
            axis.r.0[i] = r;
            axis.zero.0[i] = origin.0[i] * -r;
        }
        axis
    }
}

/// The largest of three sizes.
#[inline(always)]
fn largest<S: Sixteen>(lanes: S, [x, y, z]: [&Row16; 3]) -> S::F {
    lanes.max(lanes.max(lanes.abs(x), lanes.abs(y)), lanes.abs(z))
}

#[cfg(test)]
mod tests {
    use hitscan_oracle::Rng;

    use super::*;
    use crate::mesh::{Mesh, MeshData};
    use crate::simd::{Isa, Kernel, Task};

    /// A wavy sheet of so many squares a side, of a size, with triangles for three levels of nodes.
    fn sheet(side: u32, size: f32) -> Mesh {
        let place = |i: u32, j: u32| {
            let (x, y) = (i as f32 / side as f32 - 0.5, j as f32 / side as f32 - 0.5);
            [size * x, size * y, size * 0.1 * libm::sinf(9.0 * x) * libm::cosf(7.0 * y)]
        };
        let vertices: Vec<_> = (0..=side).flat_map(|j| (0..=side).map(move |i| place(i, j))).collect();
        let corner = |i: u32, j: u32| j * (side + 1) + i;
        let squares = (0..side).flat_map(|j| (0..side).map(move |i| (i, j)));
        let triangles: Vec<_> = squares
            .flat_map(|(i, j)| {
                let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
                [[a, b, c], [a, c, d]]
            })
            .collect();
        Mesh::new(vertices, triangles).unwrap()
    }

    /// Rays at vertices and beside them by a rounding error or much more, whole or in pieces that begin or end there; some along an axis.
    fn rays_at(mesh: &Mesh, size: f64, count: usize) -> Vec<Ray> {
        let (mut rng, vertices) = (Rng::new(7), mesh.vertices());
        (0..count)
            .map(|i| {
                let mut next = || rng.unit();
                let vertex = vertices[(next() * vertices.len() as f64) as usize].map(f64::from);
                let off = [0.0, 1e-7, 1e-5, 0.3][i % 4] * size;
                let at: [f64; 3] = array::from_fn(|axis| vertex[axis] + off * (next() - 0.5));
                let mut from: [f64; 3] = array::from_fn(|_| 3.0 * size * (next() - 0.5));
                if i % 3 == 0 {
                    from[i % 2] = at[i % 2];
                }
                let ray = Ray::new(from, array::from_fn(|axis| at[axis] - from[axis])).unwrap();
                match i % 5 {
                    0 => ray.with_range(0.0, 1.0 - 1e-7).unwrap(),
                    1 => ray.with_range(1.0 + 1e-7, f64::INFINITY).unwrap(),
                    2 => ray.with_range(f64::NEG_INFINITY, 1.0).unwrap(),
                    _ => ray,
                }
            })
            .collect()
    }

    /// How many rays the boxes of a depth keep off, each of which is sure to hit nothing.
    struct KeptOff<'a>(&'a Mesh, &'a [Ray], Depth);
    impl Task for KeptOff<'_> {
        type Output = usize;
        fn run<L: Lanes>(self, lanes: L) -> usize {
            let KeptOff(mesh, rays, depth) = self;
            let gate =
                Gate::new(&mesh.data.tree.nodes, DVec3::ZERO, mesh.data.frame.margin(), mesh.data.reach);
            let mut kept_off = 0;
            for (block, rays) in rays.chunks_exact(RAYS).enumerate() {
                let side_by_side =
                    Rays::new(lanes.sixteen(), rays, &array::from_fn(|i| i), gate.centre, gate.near);
                let open = gate.let_through(lanes.sixteen(), &side_by_side, depth);
                for (i, ray) in rays.iter().enumerate().filter(|(i, _)| open >> i & 1 == 0) {
                    let hit = mesh.closest(ray, &crate::Filter::ALL);
                    assert!(hit.is_none(), "{depth:?}: ray {i} of block {block} hits: {ray:?}, {hit:?}");
                    kept_off += 1;
                }
            }
            kept_off
        }
    }

    #[test]
    fn what_hits_is_let_through() {
        for size in [1.0, 1e-9, 3e10] {
            let mesh = sheet(24, size as f32);
            let rays = rays_at(&mesh, size, 16 * 500);
            for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
                let kept_off = |depth| Kernel::of(isa).unwrap().run(KeptOff(&mesh, &rays, depth));
                let [few, more] = [kept_off(Depth::Children), kept_off(Depth::Grandchildren)];
                assert!(few > 400 && more > few + 100, "{isa}, {size}: {few}, {more}");
            }
        }
    }

    /// The depth after the sample, of which every so-many-th ray runs away from the sheet, every so-many-th ends between boxes of the root's
    /// grandchildren, and all others hit.
    fn depth_after(away: usize, between: usize) -> Option<Depth> {
        struct Sample(usize, usize);
        impl Task for Sample {
            type Output = Option<Depth>;
            fn run<L: Lanes>(self, lanes: L) -> Self::Output {
                let mesh = sheet(24, 1.0);
                let MeshData { tree, frame, reach, .. } = &*mesh.data;
                let mut gate = Gate::new(&tree.nodes, DVec3::ZERO, frame.margin(), *reach);
                let mut rng = Rng::new(5);
                let mut short = || {
                    let from = rng.in_cube(0.5);
                    Ray::new(from, [0.0, 0.0, 0.001]).and_then(|ray| ray.with_range(0.0, 1.0)).unwrap()
                };
                let mut ends_between = |gate: &Gate| loop {
                    let rays = [short(); RAYS];
                    let rows =
                        Rays::new(lanes.sixteen(), &rays, &array::from_fn(|i| i), gate.centre, gate.near);
                    let open = |depth| gate.let_through(lanes.sixteen(), &rows, depth) & 1 == 1;
                    if open(Depth::Children) && !open(Depth::Grandchildren) {
                        return rays[0];
                    }
                };
                let rays: Vec<Ray> = (0..SAMPLE)
                    .map(|i| match (i % self.0, i % self.1) {
                        (0, _) => Ray::new([0.9, 0.0, 1.0], [1.0, 0.0, 0.0]).unwrap(),
                        (_, 0) => ends_between(&gate),
                        _ => Ray::new([0.01, 0.02, 1.0], [0.0, 0.0, -1.0]).unwrap(),
                    })
                    .collect();
                let mut numbers = 0..rays.len();
                while gate.next(lanes, &rays, &mut numbers).is_some() {}
                gate.depth
            }
        }
        Kernel::best().run(Sample(away, between))
    }

    #[test]
    fn rays_are_tested_as_deep_as_it_pays() {
        assert_eq!(depth_after(99, 99), None);
        assert_eq!(depth_after(8, 99), None);
        assert_eq!(depth_after(4, 99), Some(Depth::Children));
        assert_eq!(depth_after(4, 3), Some(Depth::Grandchildren));
    }
}
