//! Whether each of many points lies in a solid: sorted along a curve across the ray's axis, then eight neighbours at a time.
//!
//! One walk finds the triangles over all eight. Each of these is compared with the eight at once in `f64`, whose rounding is bounded
//! as in Jonathan Richard Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997: what
//! that decides needs nothing exact. The rest goes where single points go, so the answers are the same.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use super::Containment;
use super::batch::part;
use super::contains::{ACROSS, OTHER, Place, UP, Upward, next_above, next_below, place, seen_from};
use crate::bvh::above::Visit;
use crate::bvh::layout::{Leaves, Place as Found};
use crate::bvh::parallel::in_tasks;
use crate::bvh::repeats_a_corner;
use crate::mesh::Mesh;
use crate::simd::lanes::Lanes;

/// Most points that are sorted together.
const SORTED: usize = 1 << 18;

/// Most triangles that are worth to be looked at for points together: about as many as lie over them.
const FEW: f64 = 16.0;

/// Most points that look up together.
const EIGHT: usize = 8;

impl Mesh {
    /// [`Mesh::contains`] for each point, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let ground = Mesh::new([[-9.0f32, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]], [[0u32, 2, 1]]).unwrap();
    /// assert_eq!(ground.contains_batch(&[[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]), [true, false]);
    /// ```
    pub fn contains_batch<P: Into<[f64; 3]> + Copy + Sync>(&self, points: &[P]) -> Vec<bool> {
        sorted::<Odd, _, _>(self, points, false, |seen| Containment::of(seen) != Containment::Outside)
    }

    /// [`Mesh::containment`] for each point, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::{Containment, Mesh};
    /// let ground = Mesh::new([[-9.0f32, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]], [[0u32, 2, 1]]).unwrap();
    /// let places = ground.containment_batch(&[[0.0, -1.0, 0.0], [0.0, 0.0, 0.0]]);
    /// assert_eq!(places, [Containment::Inside, Containment::Surface]);
    /// ```
    pub fn containment_batch<P: Into<[f64; 3]> + Copy + Sync>(&self, points: &[P]) -> Vec<Containment> {
        sorted::<Odd, _, _>(self, points, Containment::Outside, Containment::of)
    }
}

/// What each point sees that looks up; one that is not finite sees nothing.
pub(super) fn seen_from_each<P: Into<[f64; 3]> + Copy + Sync>(mesh: &Mesh, points: &[P]) -> Vec<Upward> {
    sorted::<Turns, _, _>(mesh, points, Upward::default(), |seen| seen)
}

/// Answers for each point, made of what it sees; `outside` is that of those that see nothing.
fn sorted<T: Tally, P: Into<[f64; 3]> + Copy + Sync, A: Clone + Send>(
    mesh: &Mesh,
    points: &[P],
    outside: A,
    answer: impl Fn(Upward) -> A + Sync,
) -> Vec<A> {
    let mut answers = vec![outside; points.len()];
    let most = part(points.len(), SORTED);
    in_tasks(points, &mut answers, most, &|points: &[P], answers: &mut [A]| {
        let Some(across) = Across::new(mesh) else { return };
        let order = across.order(points);
        let mut rest = &order[..];
        while !rest.is_empty() {
            let (numbers, others) = rest.split_at(across.together(points, rest));
            rest = others;
            if let &[number] = numbers {
                let number = number as u32 as usize;
                answers[number] = answer(seen_from(mesh, DVec3::from(points[number].into())));
                continue;
            }
            let mut group = Group::<T>::new(mesh, points, numbers);
            mesh.data.triangles_between(mesh.kernel, &mut group);
            for (i, &number) in numbers.iter().enumerate() {
                let seen = Upward { touched: group.touched >> i & 1 == 1, turns: group.tally.turns(i) };
                answers[number as u32 as usize] = answer(seen);
            }
        }
    });
    answers
}

/// A mesh as its points see it that look up.
struct Across {
    low: DVec3,
    high: DVec3,
    /// Cells of the curve for each unit.
    scale: DVec3,
    /// Triangles for each cell.
    density: f64,
}

impl Across {
    /// `None` of a mesh without triangles.
    fn new(mesh: &Mesh) -> Option<Across> {
        let (low, high) = mesh.data.tree.bounds()?;
        let [low, high] = [low, high].map(|corner: [f32; 3]| DVec3::from(corner.map(f64::from)));
        let cells = f64::from(u16::MAX);
        // Where a mesh has no extent along an axis, all is in one cell.
        Some(Across {
            low,
            high,
            scale: cells / (high - low),
            density: mesh.data.counts.hittable() as f64 / (cells * cells),
        })
    }

    /// The numbers of the points that may have something above them, in their lower halves, neighbours one after the other.
    fn order<P: Into<[f64; 3]> + Copy>(&self, points: &[P]) -> Vec<u64> {
        let Across { low, high, scale, .. } = *self;
        let mut order: Vec<u64> = Vec::with_capacity(points.len());
        for (number, &point) in points.iter().enumerate() {
            let point = DVec3::from(point.into());
            let within = |axis: usize| low[axis] <= point[axis] && point[axis] <= high[axis];
            // False too for what is not a number, and for what is infinite downwards.
            if within(ACROSS) && within(OTHER) && point[UP] <= high[UP] && point[UP] > f64::NEG_INFINITY {
                let cell = (point - low) * scale;
                let key = spread(cell[ACROSS] as u16) | spread(cell[OTHER] as u16) << 1;
                order.push(u64::from(key) << 32 | number as u64);
            }
        }
        order.sort_unstable();
        order
    }

    /// How many of the first of these look up together: so many that there are not many triangles over them all.
    fn together<P: Into<[f64; 3]> + Copy>(&self, points: &[P], order: &[u64]) -> usize {
        let (mut least, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let all = &order[..order.len().min(EIGHT)];
        for (i, &number) in all.iter().enumerate() {
            let point = DVec3::from(points[number as u32 as usize].into());
            (least, most) = (least.min(point), most.max(point));
            let size = (most - least) * self.scale;
            let few = size[ACROSS] * size[OTHER] * self.density <= FEW;
            if !few && i > 0 {
                return i;
            }
        }
        all.len()
    }
}

/// A number with a zero above each of its digits.
fn spread(x: u16) -> u32 {
    let mut x = u32::from(x);
    for (shift, mask) in [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)] {
        x = (x | x << shift) & mask;
    }
    x
}

/// Counts what eight points see.
trait Tally: Default {
    /// Bits of the points that see the back of a triangle, and of those that see its front.
    fn count(&mut self, behind: u32, before: u32);
    /// What a point sees, all told.
    fn turns(&self, point: usize) -> i64;
}

/// Whether it is odd, as a bit for each.
#[derive(Default)]
struct Odd(u32);

impl Tally for Odd {
    #[inline(always)]
    fn count(&mut self, behind: u32, before: u32) {
        self.0 ^= behind | before;
    }

    fn turns(&self, point: usize) -> i64 {
        i64::from(self.0 >> point & 1)
    }
}

/// How much it is.
#[derive(Default)]
struct Turns([i64; EIGHT]);

impl Tally for Turns {
    #[inline(always)]
    fn count(&mut self, behind: u32, before: u32) {
        for (i, turns) in self.0.iter_mut().enumerate() {
            *turns += i64::from(behind >> i & 1) - i64::from(before >> i & 1);
        }
    }

    fn turns(&self, point: usize) -> i64 {
        self.0[point]
    }
}

/// Up to eight points, and what lies over them.
struct Group<'a, T> {
    leaves: Leaves<'a>,
    points: [[f64; EIGHT]; 3],
    /// The numbers next below and above.
    below: [[f32; EIGHT]; 3],
    above: [[f32; EIGHT]; 3],
    tally: T,
    /// Bits of those that lie on it.
    touched: u32,
}

impl<'a, T: Tally> Group<'a, T> {
    /// Those of these numbers; the last of them also stands where there are too few.
    fn new<P: Into<[f64; 3]> + Copy>(mesh: &'a Mesh, points: &[P], numbers: &[u64]) -> Group<'a, T> {
        let mut group = Group {
            leaves: mesh.data.leaves(),
            points: [[0.0; EIGHT]; 3],
            below: [[0.0; EIGHT]; 3],
            above: [[0.0; EIGHT]; 3],
            tally: T::default(),
            touched: 0,
        };
        for i in 0..EIGHT {
            let number = numbers[i.min(numbers.len() - 1)];
            let point: [f64; 3] = points[number as u32 as usize].into();
            for axis in 0..3 {
                group.points[axis][i] = point[axis];
                group.below[axis][i] = next_below(point[axis]);
                group.above[axis][i] = next_above(point[axis]);
            }
        }
        group
    }
}

impl<T: Tally> Visit for Group<'_, T> {
    fn low(&self) -> [f32; 3] {
        let mut low = self.below.map(|row| row.into_iter().fold(f32::NEG_INFINITY, f32::max));
        low[UP] = f32::INFINITY;
        low
    }

    fn high(&self) -> [f32; 3] {
        self.above.map(|row| row.into_iter().fold(f32::INFINITY, f32::min))
    }

    #[inline(always)]
    fn visit<L: Lanes>(&mut self, lanes: L, found: Found) {
        let corners = self.leaves.corners(found);
        let extent = |axis: usize| {
            let [a, b, c] = corners.map(|corner| corner[axis]);
            [a.min(b).min(c), a.max(b).max(c)].map(|x| lanes.splat(x))
        };
        let [_, top] = extent(UP);
        let mut over = lanes.le(lanes.load(&self.above[UP]), top);
        for axis in [ACROSS, OTHER] {
            let [low, high] = extent(axis);
            over &= lanes.le(low, lanes.load(&self.below[axis]));
            over &= lanes.le(lanes.load(&self.above[axis]), high);
        }
        if over == 0 || repeats_a_corner(corners) {
            return;
        }
        let corners = corners.map(|corner| corner.map(f64::from));
        let [left, right] = self.turns(lanes, corners);
        let surely_aside = (left[0] | left[1] | left[2]) & (right[0] | right[1] | right[2]);
        let [bottom, _] = extent(UP);
        let under = lanes.lt(lanes.load(&self.above[UP]), bottom);
        let surely = |[first, second, third]: [u32; 3]| over & under & first & second & third;
        let (behind, before) = (surely(left), surely(right));
        if behind | before != 0 {
            self.tally.count(behind, before);
        }
        let mut rest = over & !(surely_aside | behind | before);
        while rest != 0 {
            let i = rest.trailing_zeros() as usize % EIGHT;
            let bit = 1 << i;
            rest &= rest - 1;
            match place(corners.map(DVec3::from), DVec3::from(self.points.map(|row| row[i]))) {
                Place::Aside => {}
                Place::Behind => self.tally.count(bit, 0),
                Place::Before => self.tally.count(0, bit),
                Place::Here => self.touched |= bit,
            }
        }
    }
}

impl<T> Group<'_, T> {
    /// For each edge, bits of the points that surely lie on its left, and on its right.
    #[inline(always)]
    fn turns<L: Lanes>(&self, lanes: L, [a, b, c]: [[f64; 3]; 3]) -> [[u32; 3]; 2] {
        let (mut left, mut right) = ([0; 3], [0; 3]);
        for (edge, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
            let (mut turn, mut error, mut minus) = ([0.0; EIGHT], [0.0; EIGHT], [0.0; EIGHT]);
            for i in 0..EIGHT {
                let (x, y) = (self.points[ACROSS][i], self.points[OTHER][i]);
                let first = (from[ACROSS] - x) * (to[OTHER] - y);
                let second = (from[OTHER] - y) * (to[ACROSS] - x);
                turn[i] = first - second;
                error[i] = (first.abs() + second.abs()) * (2.0 * f64::EPSILON) + f64::MIN_POSITIVE;
                minus[i] = -error[i];
            }
            left[edge] = !lanes.le_doubles(&turn, &error);
            right[edge] = !lanes.le_doubles(&minus, &turn);
        }
        [left, right]
    }
}
