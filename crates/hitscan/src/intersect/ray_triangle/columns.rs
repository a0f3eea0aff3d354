//! Many triangles at once: a column for each coordinate, a lane for each triangle.
//!
//! The lanes are plain arrays and the tests plain loops over them without a branch, which compilers turn into
//! vector code. They run compiled for the instruction set that the rest of the crate uses, without contracted
//! operations, so that lanes of `f64` hold the bits that the same test gives one at a time.

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Neg, Sub};

use glam::DVec3;

use super::{TriangleHit, facing};
use crate::ray::Ray;
use crate::shape::Triangle;
use crate::simd::lanes::Lanes;
use crate::simd::{Kernel, Task};

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// What a lane is made of: `f64`, which gives the bits of one test at a time, or `f32`, which is twice as many
/// lanes a register, with `2^-24` in place of `2^-53` in the accuracy.
///
/// In `f32` products leave the range of numbers early: for Moeller-Trumbore with lengths beyond some 2^30 or below
/// 2^-30, for the tests through the plane, which multiply eight lengths, beyond 2^14 or below 2^-14. What overflows
/// is a miss, never a hit; what underflows loses digits.
///
/// ```
/// use hitscan::intersect::{Precision, TriangleColumns};
/// use hitscan::shape::Triangle;
/// fn bytes<T: Precision>(_: &TriangleColumns<T, 8>) -> usize {
///     9 * 8 * size_of::<T>()
/// }
/// let block = TriangleColumns::<f32, 8>::new(&[Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?]);
/// assert_eq!(bytes(&block), 288);
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub trait Precision:
    sealed::Sealed
    + Copy
    + Default
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// 1.
    const ONE: Self;
    /// The largest finite number.
    const MAX: Self;
    /// What `t` holds for a miss.
    const INFINITY: Self;
    /// How far a sum of three angles may be from a full turn by rounding.
    const ANGLE_ROUNDING: Self;

    /// The nearest number.
    ///
    /// ```
    /// use hitscan::intersect::Precision;
    /// assert_eq!(f32::nearest(0.1), 0.1f32);
    /// ```
    fn nearest(value: f64) -> Self;
    /// The same number.
    ///
    /// ```
    /// use hitscan::intersect::Precision;
    /// assert_eq!(0.1f32.widen(), f64::from(0.1f32));
    /// ```
    fn widen(self) -> f64;
    /// The size of the number.
    ///
    /// ```
    /// use hitscan::intersect::Precision;
    /// assert_eq!((-2.5f64).size(), 2.5);
    /// ```
    fn size(self) -> Self;
    /// The angle of the point `(x, self)`, in radians.
    ///
    /// ```
    /// use hitscan::intersect::Precision;
    /// assert_eq!(Precision::angle(1.0f64, 0.0), std::f64::consts::FRAC_PI_2);
    /// ```
    fn angle(self, x: Self) -> Self;
}

impl Precision for f64 {
    const ONE: f64 = 1.0;
    const MAX: f64 = f64::MAX;
    const INFINITY: f64 = f64::INFINITY;
    const ANGLE_ROUNDING: f64 = 1.0 / (1u64 << 47) as f64;

    #[inline(always)]
    fn nearest(value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn widen(self) -> f64 {
        self
    }
    #[inline(always)]
    fn size(self) -> f64 {
        self.abs()
    }
    #[inline(always)]
    fn angle(self, x: f64) -> f64 {
        libm::atan2(self, x)
    }
}

impl Precision for f32 {
    const ONE: f32 = 1.0;
    const MAX: f32 = f32::MAX;
    const INFINITY: f32 = f32::INFINITY;
    const ANGLE_ROUNDING: f32 = 1.0 / (1u64 << 18) as f32;

    #[inline(always)]
    fn nearest(value: f64) -> f32 {
        value as f32
    }
    #[inline(always)]
    fn widen(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn size(self) -> f32 {
        self.abs()
    }
    #[inline(always)]
    fn angle(self, x: f32) -> f32 {
        libm::atan2f(self, x)
    }
}

/// Up to `N` triangles, a column for each coordinate of each corner. Eight or sixteen fill the registers; lanes
/// without a triangle are never hit.
///
/// ```
/// use hitscan::intersect::{TriangleColumns, ray_triangles_moeller_trumbore};
/// use hitscan::shape::Triangle;
/// use hitscan::Ray;
/// let steps: Vec<Triangle> = (0..20)
///     .map(|i| Triangle::new([0.0, 0.0, f64::from(i)], [1.0, 0.0, f64::from(i)], [0.0, 1.0, f64::from(i)]))
///     .collect::<Result<_, _>>()?;
/// let blocks = TriangleColumns::<f64, 8>::blocks(&steps);
/// assert_eq!(blocks.len(), 3);
/// let ray = Ray::new([0.2, 0.2, 17.5], [0.0, 0.0, 1.0])?;
/// let mut hits = Vec::new();
/// ray_triangles_moeller_trumbore(&ray, &blocks, |block, found| {
///     hits.extend(found.iter().map(|(lane, hit)| (block * 8 + lane, hit.t)));
/// });
/// assert_eq!(hits, [(18, 0.5), (19, 1.5)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleColumns<T, const N: usize> {
    /// `corners[corner][axis][lane]`.
    pub(super) corners: [[[T; N]; 3]; 3],
}

impl<T: Precision, const N: usize> TriangleColumns<T, N> {
    /// The first `N` of these triangles, each coordinate rounded to the nearest `T`.
    ///
    /// ```
    /// use hitscan::intersect::TriangleColumns;
    /// assert_eq!(TriangleColumns::<f32, 16>::new(&[]), TriangleColumns::new(&[]));
    /// ```
    pub fn new(triangles: &[Triangle]) -> Self {
        let mut corners = [[[T::default(); N]; 3]; 3];
        for (lane, triangle) in triangles.iter().take(N).enumerate() {
            for (column, corner) in corners.iter_mut().zip(triangle.corners()) {
                for axis in 0..3 {
                    column[axis][lane] = T::nearest(corner[axis]);
                }
            }
        }
        TriangleColumns { corners }
    }

    /// All of these triangles, `N` in a block; number `i` is lane `i % N` of block `i / N`.
    ///
    /// ```
    /// use hitscan::intersect::TriangleColumns;
    /// use hitscan::shape::Triangle;
    /// let t = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
    /// assert_eq!(TriangleColumns::<f32, 16>::blocks(&[t; 17]).len(), 2);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn blocks(triangles: &[Triangle]) -> Vec<Self> {
        const { assert!(N > 0, "a block needs lanes") };
        triangles.chunks(N).map(Self::new).collect()
    }

    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> [[T; 3]; 3] {
        // Through references: by value the whole block would be copied for each lane.
        let corner = |[x, y, z]: &[[T; N]; 3]| [x[lane], y[lane], z[lane]];
        let [a, b, c] = &self.corners;
        [corner(a), corner(b), corner(c)]
    }
}

/// What a test of `N` triangles at once found. The weights are divided only for the lanes that are asked about.
///
/// ```
/// use hitscan::intersect::{TriangleColumns, ray_triangles_moeller_trumbore};
/// use hitscan::shape::Triangle;
/// use hitscan::Ray;
/// let t = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let block = TriangleColumns::<f64, 8>::new(&[t]);
/// let ray = Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -2.0])?;
/// ray_triangles_moeller_trumbore(&ray, &[block], |_, hits| {
///     assert_eq!(hits.t()[..2], [3.0, f64::INFINITY]);
///     let hit = hits.get(0).expect("the first lane is hit");
///     assert_eq!((hit.u, hit.v), (0.25, 0.5));
///     assert!(hits.get(1).is_none() && hits.get(8).is_none());
/// });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitColumns<T, const N: usize> {
    t: [T; N],
    u: [T; N],
    v: [T; N],
    /// What `u` and `v` are to be divided by, as its size; the ray runs against the normal where it is positive.
    side: [T; N],
}

impl<T: Precision, const N: usize> HitColumns<T, N> {
    /// Every lane a miss.
    #[inline(always)]
    pub(super) fn miss() -> Self {
        HitColumns { t: [T::INFINITY; N], u: [T::ONE; N], v: [T::ONE; N], side: [T::ONE; N] }
    }

    /// `t` of each lane, infinite where it is a miss.
    ///
    /// ```
    /// use hitscan::intersect::{TriangleColumns, ray_triangles_moeller_trumbore};
    /// use hitscan::shape::Triangle;
    /// use hitscan::Ray;
    /// let pane = |z: f64| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
    /// let block = TriangleColumns::<f64, 8>::new(&[pane(9.0)?, pane(0.0)?, pane(-1.0)?]);
    /// let ray = Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -2.0])?;
    /// ray_triangles_moeller_trumbore(&ray, &[block], |_, hits| {
    ///     assert_eq!(hits.t()[..4], [f64::INFINITY, 3.0, 3.5, f64::INFINITY]); // the first lies behind
    /// });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn t(&self) -> &[T; N] {
        &self.t
    }

    /// The hit of a lane; `None` for a miss or where there is no such lane.
    ///
    /// ```
    /// use hitscan::intersect::{TriangleColumns, ray_triangles_moeller_trumbore};
    /// use hitscan::shape::Triangle;
    /// use hitscan::Ray;
    /// let pane = |z: f64| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
    /// let block = TriangleColumns::<f64, 8>::new(&[pane(9.0)?, pane(0.0)?, pane(-1.0)?]);
    /// let ray = Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -2.0])?;
    /// ray_triangles_moeller_trumbore(&ray, &[block], |_, hits| {
    ///     assert_eq!(hits.get(1).map(|hit| (hit.t, hit.u, hit.v)), Some((3.0, 0.25, 0.5)));
    ///     assert!(hits.get(0).is_none() && hits.get(8).is_none());
    /// });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get(&self, lane: usize) -> Option<TriangleHit> {
        let t = *self.t.get(lane)?;
        Lane { t, u: self.u[lane], v: self.v[lane], side: self.side[lane] }.hit()
    }

    /// The lanes that are hit, lowest first.
    ///
    /// ```
    /// use hitscan::intersect::{TriangleColumns, ray_triangles_moeller_trumbore};
    /// use hitscan::shape::Triangle;
    /// use hitscan::Ray;
    /// let pane = |z: f64| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
    /// let block = TriangleColumns::<f64, 8>::new(&[pane(9.0)?, pane(0.0)?, pane(-1.0)?]);
    /// let ray = Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -2.0])?;
    /// ray_triangles_moeller_trumbore(&ray, &[block], |_, hits| {
    ///     let found: Vec<(usize, f64)> = hits.iter().map(|(lane, hit)| (lane, hit.t)).collect();
    ///     assert_eq!(found, [(1, 3.0), (2, 3.5)]);
    /// });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (usize, TriangleHit)> + '_ {
        (0..N).filter_map(|lane| self.get(lane).map(|hit| (lane, hit)))
    }

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, found: Lane<T>) {
        self.t[lane] = found.t;
        self.u[lane] = found.u;
        self.v[lane] = found.v;
        self.side[lane] = found.side;
    }
}

/// What one lane found; the fields are those of [`HitColumns`].
#[derive(Clone, Copy)]
pub(super) struct Lane<T> {
    pub t: T,
    pub u: T,
    pub v: T,
    pub side: T,
}

impl<T: Precision> Lane<T> {
    /// The lane as a miss, unless it is inside, has a sound determinant and lies within the line's interval.
    #[inline(always)]
    pub fn accepted_if(self, inside: bool, line: &Line<T>) -> Lane<T> {
        // Finite: what has overflowed is a miss. Comparisons are false for what is not a number.
        let det = self.side.size();
        let counts = inside & (det > T::default()) & (det <= T::MAX) & line.admits(self.t);
        Lane { t: if counts { self.t } else { T::INFINITY }, ..self }
    }

    /// The lane as a hit, where it is one.
    #[inline]
    pub fn hit(self) -> Option<TriangleHit> {
        let weight = |w: T| (w / self.side.size()).widen() + 0.0;
        (self.t < T::INFINITY).then(|| TriangleHit {
            t: self.t.widen() + 0.0,
            u: weight(self.u),
            v: weight(self.v),
            facing: facing(self.side > T::default()),
        })
    }
}

/// A ray as lanes see it.
#[derive(Clone, Copy)]
pub(super) struct Line<T> {
    pub origin: [T; 3],
    pub dir: [T; 3],
    pub t_min: T,
    pub t_max: T,
}

impl<T: Precision> Line<T> {
    #[inline]
    pub fn new(ray: &Ray) -> Line<T> {
        let nearest = |v: DVec3| [T::nearest(v.x), T::nearest(v.y), T::nearest(v.z)];
        Line {
            origin: nearest(ray.origin()),
            dir: nearest(ray.dir()),
            t_min: T::nearest(ray.t_min()),
            t_max: T::nearest(ray.t_max()),
        }
    }

    /// Whether `t` is finite and lies in the ray's interval.
    #[inline(always)]
    pub fn admits(&self, t: T) -> bool {
        (t >= self.t_min) & (t <= self.t_max) & (t.size() <= T::MAX)
    }
}

/// A test of one path against one block of triangles.
pub(super) trait BlockTest<P, B, T, const N: usize> {
    /// `#[inline(always)]`, because it must end up where it is compiled for the instruction set.
    fn test(path: &P, block: &B) -> HitColumns<T, N>;
}

/// Runs the test `K` on each block in turn.
pub(super) fn visit<K, P, B, T, const N: usize>(
    path: &P,
    blocks: &[B],
    each: impl FnMut(usize, &HitColumns<T, N>),
) where
    K: BlockTest<P, B, T, N>,
{
    Kernel::best().run(Visit { path, blocks, each, test: PhantomData::<(K, T)> });
}

struct Visit<'a, K, P, B, T, E, const N: usize> {
    path: &'a P,
    blocks: &'a [B],
    each: E,
    test: PhantomData<(K, T)>,
}

impl<K, P, B, T, E, const N: usize> Task for Visit<'_, K, P, B, T, E, N>
where
    K: BlockTest<P, B, T, N>,
    E: FnMut(usize, &HitColumns<T, N>),
{
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(mut self, _: L) {
        for (index, block) in self.blocks.iter().enumerate() {
            (self.each)(index, &K::test(self.path, block));
        }
    }
}

/// `a - b`.
#[inline(always)]
pub(super) fn sub<T: Precision>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The dot product, summed from the left.
#[inline(always)]
pub(super) fn dot<T: Precision>(a: [T; 3], b: [T; 3]) -> T {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

/// The cross product.
#[inline(always)]
pub(super) fn cross<T: Precision>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
