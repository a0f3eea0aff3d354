//! What a surface with holes lacks of a whole number of turns around a point: all that its boundary, the edges that triangles
//! run along more often one way than back, takes up of the sphere.
//!
//! A triangle from straight below a point over each edge of the boundary, on the sphere around the point, closes the surface; how
//! often the closed one goes around is counted straight above, where these triangles never are. (Martens, Bessmeltsev: One-shot
//! method for computing generalized winding numbers, 2025.) Seen from its lowest point, the sphere is a plane, in which half of
//! the area of such a triangle is the angle of a complex number (Eriksson: On the measure of solid angles, 1990): angles are
//! added as products, so that only the last one takes an arc tangent.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::f64::consts::TAU;

use glam::DVec3;
use once_cell::race::OnceBox;

use super::contains::{ACROSS, OTHER, UP, moved_sign};
use super::edges::{Edge, Edges, key, sort};
use crate::mesh::{Mesh, MeshData};
use crate::root::sqrt;
use crate::simd::lanes::{Lanes, lowest};
use crate::simd::{Kernel, Task};

/// Edges that are looked at together.
const EIGHT: usize = 8;

/// Eight edges: x, y, z of where they begin, then of where they end. Where there are fewer, some that end where they begin.
pub(super) type Block = [[f32; EIGHT]; 6];

/// The boundary of a mesh, once somebody asked. Whoever asks first finds out, and everybody finds the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Boundary(OnceBox<Arc<[Block]>>);

impl Mesh {
    /// How many edges triangles run along more often one way than back, by the positions of their ends, each as often as that: 0
    /// where the [winding number](Mesh::winding_number) is whole everywhere. A closed mesh has some where windings do not agree.
    ///
    /// The first call, or the first winding number, sorts all edges, `O(n log n)`, and takes 16 bytes of memory an edge while it
    /// does; the mesh and its clones keep 24 for each edge of the boundary until a [`refit`](Mesh::refit). Where several threads
    /// are about to ask for winding numbers one by one, ask for this first: else each of them may find it out.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let tetrahedron = Mesh::new(corners, [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let without_floor = Mesh::new(corners, [[0u32, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let one_turned = Mesh::new(corners, [[0u32, 1, 2], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// assert_eq!([tetrahedron, without_floor, one_turned].map(|mesh| mesh.boundary_edges()), [0, 3, 6]);
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn boundary_edges(&self) -> usize {
        let edges_of = |block: &Block| {
            (0..EIGHT).filter(|&lane| (0..3).any(|axis| block[axis][lane] != block[3 + axis][lane])).count()
        };
        self.data.boundary().iter().map(edges_of).sum()
    }
}

impl MeshData {
    /// Turns of the surface around a point, of which so many were counted above it.
    pub(super) fn turns_around(&self, kernel: Kernel, point: DVec3, above: i64) -> f64 {
        let angle = kernel.run(Sum { blocks: self.boundary(), point });
        // Half the angle of each edge, of which the whole sphere is 4 pi. The sum turns -0 into 0.
        (above + angle.turns) as f64 + libm::atan2(angle.im + 0.0, angle.re) / TAU + 0.0
    }

    /// Its edges. Work that is shared out among threads asks first, so that not all of them find out.
    pub(super) fn boundary(&self) -> &[Block] {
        self.boundary.0.get_or_init(|| Box::new(blocks_of(self).into()))
    }
}

/// The edges of the boundary, each as often as triangles run along it more than back, by the names of their ends.
fn blocks_of(data: &MeshData) -> Vec<Block> {
    let edges = Edges::of(data);
    let mut keys = [Vec::new(), Vec::new()];
    for edge @ (from, to) in edges.all() {
        keys[usize::from(from > to)].push(key(edge));
    }
    keys.iter_mut().for_each(|keys| sort(keys));
    let [mut there, mut back] = keys.each_ref().map(|keys| &keys[..]);
    let mut boundary: Vec<Edge> = Vec::new();
    while let Some(&next) = there.first().into_iter().chain(back.first()).min() {
        let uses = [&mut there, &mut back].map(|keys| {
            let uses = keys.iter().take_while(|&&key| key == next).count();
            *keys = &keys[uses..];
            uses
        });
        let (low, high) = ((next >> 32) as u32, next as u32);
        let edge = if uses[0] > uses[1] { (low, high) } else { (high, low) };
        boundary.extend(core::iter::repeat_n(edge, uses[0].abs_diff(uses[1])));
    }
    let block = |edges: &[Edge]| -> Block {
        let mut block = [[0.0; EIGHT]; 6];
        for lane in 0..EIGHT {
            let first = edges[0].0;
            let (from, to) = edges.get(lane).copied().unwrap_or((first, first));
            let [from, to] = [from, to].map(|name| data.vertices[name as usize]);
            for axis in 0..3 {
                (block[axis][lane], block[3 + axis][lane]) = (from[axis], to[axis]);
            }
        }
        block
    };
    boundary.chunks(EIGHT).map(block).collect()
}

/// An angle: whole turns, and the direction of a complex number, from above -pi to pi.
#[derive(Clone, Copy, Debug)]
struct Angle {
    turns: i64,
    re: f64,
    im: f64,
}

impl Angle {
    const ZERO: Angle = Angle { turns: 0, re: 1.0, im: 0.0 };

    #[inline(always)]
    fn then(a: Angle, b: Angle) -> Angle {
        let (re, im) = (a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
        let both_behind = (a.re < 0.0) & (b.re < 0.0);
        // Two that turn left have gone past the half turn where they come out on the right.
        let past = (a.im >= 0.0) & (b.im >= 0.0) & ((im < 0.0) | both_behind);
        let past_right = (a.im < 0.0) & (b.im < 0.0) & ((im > 0.0) | (im == 0.0) & (re < 0.0) | both_behind);
        // A power of two keeps the product near 1.
        let exponent = re.abs().max(im.abs()).to_bits() & EXPONENT;
        let scale = f64::from_bits(TWO_ONES.wrapping_sub(exponent));
        Angle {
            turns: a.turns + b.turns + i64::from(past) - i64::from(past_right),
            re: re * scale,
            im: im * scale,
        }
    }
}

/// The bits of a double that hold its exponent.
const EXPONENT: u64 = 0x7ff << 52;

/// Those of the product of a power of two and its reciprocal: of 1 twice.
const TWO_ONES: u64 = 2 * (0x3ff << 52);

/// The sum of the angles of some edges.
struct Sum<'a> {
    blocks: &'a [Block],
    point: DVec3,
}

impl Task for Sum<'_> {
    type Output = Angle;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Angle {
        let point = self.point;
        let mut sums = [Angle::ZERO; EIGHT];
        for block in self.blocks {
            let (mut re, mut im) = ([0.0; EIGHT], [0.0; EIGHT]);
            let mut unsure = [0.0; EIGHT];
            for i in 0..EIGHT {
                let from = seen(|axis| f64::from(block[axis][i]) - point[axis]);
                let to = seen(|axis| f64::from(block[3 + axis][i]) - point[axis]);
                let (first, second) = (from[ACROSS] * to[OTHER], from[OTHER] * to[ACROSS]);
                (re[i], im[i]) = (inner(from, to), second - first);
                // Behind, the side decides about a whole turn.
                let error = (first.abs() + second.abs()) * (2.0 * f64::EPSILON) + least(re[i]);
                unsure[i] = re[i].max(im[i].abs() - error);
            }
            let mut unsure = lanes.le_doubles(&unsure, &[0.0; EIGHT]);
            while unsure != 0 {
                let i = lowest(unsure) % EIGHT;
                unsure &= unsure - 1;
                let end = |first: usize| DVec3::from([0, 1, 2].map(|axis| f64::from(block[first + axis][i])));
                (re[i], im[i]) = surely(end(0), end(3), point);
            }
            for i in 0..EIGHT {
                sums[i] = Angle::then(sums[i], Angle { turns: 0, re: re[i], im: im[i] });
            }
        }
        sums.into_iter().fold(Angle::ZERO, Angle::then)
    }
}

/// Where a direction stands in the plane that the sphere is, seen from its lowest point: its components across by the third number, which
/// stands where the one upwards was.
#[inline(always)]
fn seen(ahead: impl Fn(usize) -> f64) -> [f64; 3] {
    let mut seen = [0, 1, 2].map(ahead);
    let (up, across) = (seen[UP], seen[ACROSS] * seen[ACROSS] + seen[OTHER] * seen[OTHER]);
    let length = sqrt(across + up * up);
    // The length less what goes up, of which nothing is lost.
    seen[UP] = if up > 0.0 { across / (length + up) } else { length - up };
    seen
}

/// The least that stands beside a number: nothing to an angle, and not lost in products.
#[inline(always)]
fn least(re: f64) -> f64 {
    const TINY: f64 = 1.0 / (1u128 << 100) as f64;
    re.abs() * TINY + f64::MIN_POSITIVE
}

#[inline(always)]
fn inner(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[UP] * b[UP] + (a[ACROSS] * b[ACROSS] + a[OTHER] * b[OTHER])
}

/// The same with the side on which the ray passes, exactly, as it does where it is moved by an infinitely small bit.
#[cold]
fn surely(from: DVec3, to: DVec3, point: DVec3) -> (f64, f64) {
    let place = |corner: DVec3| {
        let mut place = seen(|axis| corner[axis] - point[axis]);
        // Straight above, infinitely far away in the plane, where the ray moves away from it.
        if place[ACROSS] == 0.0 && place[OTHER] == 0.0 && corner[UP] >= point[UP] {
            (place[UP], place[ACROSS]) = (0.0, -1.0);
        }
        place
    };
    let (a, b) = (place(from), place(to));
    let re = inner(a, b);
    let size = (a[OTHER] * b[ACROSS] - a[ACROSS] * b[OTHER]).abs().max(least(re));
    match moved_sign(from, to, point) {
        // Along the ray.
        Ordering::Equal => (1.0, 0.0),
        Ordering::Greater => (re, -size),
        Ordering::Less => (re, size),
    }
}
