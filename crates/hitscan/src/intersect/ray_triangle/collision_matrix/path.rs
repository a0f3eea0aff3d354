//! What a collision matrix is asked about: a segment by its two ends, or a ray.

use glam::DVec3;

use super::super::columns::{Precision, sub};
use crate::error::RayError;
use crate::ray::{MAX_COORDINATE, Ray};

/// A piece of a line by its two ends, both of which belong to it: the bullet between two frames.
///
/// [`Ray::between`] rounds the way from one end to the other, so a surface exactly at the far end may come to lie
/// behind it. A segment keeps both ends as they are.
///
/// ```
/// use hitscan::intersect::Segment;
/// use hitscan::RayError;
/// let path = Segment::new([0.0, 2.0, 0.0], [1.0, -2.0, 1.0])?;
/// assert_eq!((path.start().y, path.end().y), (2.0, -2.0));
/// assert_eq!(Segment::new([1.0; 3], [1.0; 3]), Err(RayError::ZeroLength));
/// # Ok::<(), RayError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    from: DVec3,
    to: DVec3,
}

impl Segment {
    /// The segment from `a` to `b`.
    ///
    /// # Errors
    /// Those of [`Ray::between`], and [`RayError::OriginTooFar`] for `b` too.
    ///
    /// ```
    /// use hitscan::RayError;
    /// use hitscan::intersect::Segment;
    /// assert!(Segment::new([0.0; 3], [0.0, 0.0, 1e-300]).is_err()); // too short for `t`
    /// let far = Segment::new([0.0; 3], [1e31, 0.0, 0.0]);
    /// assert_eq!(far, Err(RayError::OriginTooFar { field: "bx", value: 1e31 }));
    /// ```
    pub fn new(a: impl Into<[f64; 3]>, b: impl Into<[f64; 3]>) -> Result<Segment, RayError> {
        let (from, to) = (a.into(), b.into());
        Ray::between(from, to)?;
        for (field, value) in ["bx", "by", "bz"].into_iter().zip(to) {
            if value.abs() > MAX_COORDINATE {
                return Err(RayError::OriginTooFar { field, value });
            }
        }
        Ok(Segment { from: from.into(), to: to.into() })
    }

    /// Where it starts: `t = 0`.
    ///
    /// ```
    /// use hitscan::intersect::Segment;
    /// assert_eq!(Segment::new([1.0, 2.0, 3.0], [4.0; 3])?.start().to_array(), [1.0, 2.0, 3.0]);
    /// # Ok::<(), hitscan::RayError>(())
    /// ```
    pub fn start(&self) -> DVec3 {
        self.from
    }

    /// Where it ends: `t = 1`.
    ///
    /// ```
    /// use hitscan::intersect::Segment;
    /// let end = [0.1, 0.2, 0.3];
    /// assert_eq!(Segment::new([1e9; 3], end)?.end().to_array(), end); // as given
    /// # Ok::<(), hitscan::RayError>(())
    /// ```
    pub fn end(&self) -> DVec3 {
        self.to
    }
}

/// A [`Segment`], or a [`Ray`] with its interval.
///
/// ```
/// use hitscan::intersect::{CollisionMatrix, Path, Segment};
/// use hitscan::shape::Triangle;
/// use hitscan::Ray;
/// fn through(path: &impl Path, triangle: &Triangle) -> bool {
///     CollisionMatrix::new(triangle).is_ok_and(|matrix| matrix.hit(path).is_some())
/// }
/// let pane = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// assert!(through(&Segment::new([1.0, 1.0, 1.0], [1.0, 1.0, -1.0])?, &pane));
/// assert!(through(&Ray::new([1.0, 1.0, 1.0], [0.0, 0.0, -1.0])?, &pane));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Path: sealed::Ended {}

impl Path for Segment {}
impl Path for Ray {}

pub(super) mod sealed {
    use super::super::super::columns::Precision;

    /// A path that has two ends, the second of which may lie at infinity.
    pub trait Ended {
        fn ends<T: Precision>(&self) -> super::Ends<T>;
    }
}

impl sealed::Ended for Segment {
    fn ends<T: Precision>(&self) -> Ends<T> {
        let nearest = |v: DVec3| v.to_array().map(T::nearest);
        let (t_min, t_max) = (T::default(), T::ONE);
        Ends { from: nearest(self.from), to: nearest(self.to), weight: T::ONE, t_min, t_max }
    }
}

impl sealed::Ended for Ray {
    fn ends<T: Precision>(&self) -> Ends<T> {
        let nearest = |v: DVec3| v.to_array().map(T::nearest);
        let (t_min, t_max) = (T::nearest(self.t_min()), T::nearest(self.t_max()));
        Ends { from: nearest(self.origin()), to: nearest(self.dir()), weight: T::default(), t_min, t_max }
    }
}

/// The points `from (1 - t) + to t` for a weight of 1, and `from + to t` for a weight of 0: then `to` is a
/// direction, the point at infinity. One set of formulas serves both.
#[derive(Clone, Copy)]
pub struct Ends<T> {
    from: [T; 3],
    to: [T; 3],
    weight: T,
    t_min: T,
    t_max: T,
}

impl<T: Precision> Ends<T> {
    /// Both ends relative to a point.
    #[inline(always)]
    pub(super) fn seen_from(&self, anchor: [T; 3]) -> ([T; 3], [T; 3]) {
        (sub(self.from, anchor), sub(self.to, anchor.map(|x| x * self.weight)))
    }

    /// Whether the ends are not both strictly on one side; always for a direction.
    #[inline(always)]
    pub(super) fn may_cross(&self, start_z: T, end_z: T) -> bool {
        let zero = T::default();
        let same_side = ((start_z > zero) & (end_z > zero)) | ((start_z < zero) & (end_z < zero));
        (self.weight == zero) | !same_side
    }

    /// What the third coordinate of the start is to be divided by for `t`: positive where the path runs against the
    /// normal.
    #[inline(always)]
    pub(super) fn side(&self, start_z: T, end_z: T) -> T {
        start_z * self.weight - end_z
    }

    /// Whether `t` is finite and lies within the path.
    #[inline(always)]
    pub(super) fn admits(&self, t: T) -> bool {
        (t >= self.t_min) & (t <= self.t_max) & (t.size() <= T::MAX)
    }
}
