//! The question: a half-line or a segment, checked where it is made.

use glam::DVec3;

use crate::error::RayError;

/// Largest coordinate of an origin, a mesh or a placement: 2^100. Beyond it, products of coordinates
/// leave `f32`, and answers would depend on the path that computed them.
///
/// ```
/// use hitscan::{MAX_COORDINATE, Ray};
/// assert!(Ray::new([MAX_COORDINATE, 0.0, 0.0], [1.0, 0.0, 0.0]).is_ok());
/// assert!(Ray::new([MAX_COORDINATE.next_up(), 0.0, 0.0], [1.0, 0.0, 0.0]).is_err());
/// ```
pub const MAX_COORDINATE: f64 = (1u128 << 100) as f64;

/// Largest and smallest length scale of a direction: its largest component lies in `2^-200 ..= 2^200`.
/// Every finite non-zero `f32` direction is inside.
const MAX_DIRECTION: f64 = MAX_COORDINATE * MAX_COORDINATE;

/// A ray, or a piece of one: the points `origin + t * dir` with `t` in the closed interval
/// `[t_min, t_max]`.
///
/// `dir` has any length and is never normalised: `t` counts in units of `dir`. A [`Ray`] that exists
/// is finite, points somewhere and has a non-empty interval, so no query on it can fail.
///
/// ```
/// use hitscan::Ray;
/// let ray = Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -2.0]).unwrap();
/// assert_eq!(ray.at(1.5).to_array(), [0.0, 0.0, 2.0]);
/// assert_eq!((ray.t_min(), ray.t_max()), (0.0, f64::INFINITY));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
// In this order also in memory, where batches fetch all eight numbers at once.
#[repr(C)]
pub struct Ray {
    origin: DVec3,
    dir: DVec3,
    t_min: f64,
    t_max: f64,
}

impl Ray {
    /// A ray from `origin` along `dir`, with `t` in `[0, +inf]`.
    ///
    /// Both in `f64`, as arrays or as `DVec3`; [`Ray::from_f32`] takes `f32`.
    ///
    /// # Errors
    /// A component that is NaN or infinite, a direction of length zero, an origin beyond
    /// [`MAX_COORDINATE`] or a direction whose largest component is outside `2^-200 ..= 2^200`.
    ///
    /// ```
    /// use hitscan::{Ray, RayError};
    /// let bad = Ray::new([0.0, 0.0, 0.0], [1.0, f64::NAN, 0.0]);
    /// assert_eq!(bad.unwrap_err().to_string(), "dy is NaN; a ray needs finite numbers");
    /// assert_eq!(Ray::new([0.0; 3], [0.0; 3]), Err(RayError::ZeroDirection));
    /// ```
    #[inline]
    pub fn new(origin: impl Into<[f64; 3]>, dir: impl Into<[f64; 3]>) -> Result<Ray, RayError> {
        let (origin, dir) = (origin.into(), dir.into());
        Ray::checked(origin, dir, 0.0, f64::INFINITY).ok_or_else(|| Ray::flaw(origin, dir))
    }

    /// [`Ray::new`] and [`Ray::with_range`] in one, without a reason: `None` where one of them refuses. For batches of millions,
    /// which ask for the reason of a bad row alone; a result with room for it costs each ray some copies.
    ///
    /// ```
    /// use hitscan::Ray;
    /// let ray = Ray::new([1.0, 2.0, 3.0], [0.0, 0.0, 1.0])?.with_range(-1.0, 4.0)?;
    /// assert_eq!(Ray::checked([1.0, 2.0, 3.0], [0.0, 0.0, 1.0], -1.0, 4.0), Some(ray));
    /// assert_eq!(Ray::checked([1.0, 2.0, 3.0], [0.0, 0.0, f64::NAN], -1.0, 4.0), None);
    /// assert_eq!(Ray::checked([1.0, 2.0, 3.0], [0.0, 0.0, 1.0], 4.0, -1.0), None);
    /// # Ok::<(), hitscan::RayError>(())
    /// ```
    #[inline]
    pub fn checked(origin: [f64; 3], dir: [f64; 3], t_min: f64, t_max: f64) -> Option<Ray> {
        // Number by number: arrays would be written and read again in pieces of other sizes, for which a processor waits.
        let ([ox, oy, oz], [dx, dy, dz]) = (origin, dir);
        // No comparison holds for NaN. All are made, without a branch: nearly all rays pass each.
        let within = |[x, y, z]: [f64; 3], most: f64| (x <= most) & (y <= most) & (z <= most);
        let (origin, dir) = ([ox.abs(), oy.abs(), oz.abs()], [dx.abs(), dy.abs(), dz.abs()]);
        let is_long = dir.map(|c| c >= 1.0 / MAX_DIRECTION);
        let sound = within(origin, MAX_COORDINATE)
            & within(dir, MAX_DIRECTION)
            & (is_long[0] | is_long[1] | is_long[2])
            & (t_min <= t_max);
        if !sound {
            return None;
        }
        Some(Ray { origin: DVec3::new(ox, oy, oz), dir: DVec3::new(dx, dy, dz), t_min, t_max })
    }

    /// Why no ray has this origin and this direction.
    #[cold]
    fn flaw(origin: [f64; 3], dir: [f64; 3]) -> RayError {
        let largest = dir.iter().fold(0.0f64, |m, c| m.max(c.abs()));
        for (fields, values) in [(["ox", "oy", "oz"], origin), (["dx", "dy", "dz"], dir)] {
            for (field, value) in fields.into_iter().zip(values) {
                if !value.is_finite() {
                    return RayError::NonFinite { field, value };
                }
            }
        }
        for (field, value) in ["ox", "oy", "oz"].into_iter().zip(origin) {
            if value.abs() > MAX_COORDINATE {
                return RayError::OriginTooFar { field, value };
            }
        }
        if largest == 0.0 { RayError::ZeroDirection } else { RayError::DirectionOutOfRange { largest } }
    }

    /// The same from `f32` vectors, which are taken exactly.
    ///
    /// # Errors
    /// As [`Ray::new`].
    ///
    /// ```
    /// use hitscan::Ray;
    /// let ray = Ray::from_f32([0.0f32, 1.0, 0.0], [0.0f32, 0.1, 0.0]).unwrap();
    /// assert_eq!(ray.dir().y, f64::from(0.1f32));
    /// ```
    pub fn from_f32(origin: impl Into<[f32; 3]>, dir: impl Into<[f32; 3]>) -> Result<Ray, RayError> {
        Ray::new(origin.into().map(f64::from), dir.into().map(f64::from))
    }

    /// The segment from `a` (`t = 0`) to `b` (`t = 1`), both ends included: the bullet between two frames. Its direction
    /// is `b - a` as `f64` rounds it, so a surface exactly at `b` may lie one rounding error behind the end.
    ///
    /// # Errors
    /// As [`Ray::new`] (`bx`, `by` and `bz` name the coordinates of `b`), and [`RayError::ZeroLength`] where `a == b`. A bullet at rest is normal, so games write:
    ///
    /// ```
    /// use hitscan::Ray;
    /// # fn step(before: [f64; 3], now: [f64; 3]) -> bool {
    /// let Ok(path) = Ray::between(before, now) else { return false }; // it did not move
    /// # path.t_max() == 1.0 }
    /// # assert!(step([0.0; 3], [1.0, 2.0, 3.0]));
    /// # assert!(!step([1.0; 3], [1.0; 3]));
    /// ```
    pub fn between(a: impl Into<[f64; 3]>, b: impl Into<[f64; 3]>) -> Result<Ray, RayError> {
        let (a, b) = (a.into(), b.into());
        for (field, value) in ["bx", "by", "bz"].into_iter().zip(b) {
            if !value.is_finite() {
                return Err(RayError::NonFinite { field, value });
            }
            if value.abs() > MAX_COORDINATE {
                return Err(RayError::OriginTooFar { field, value });
            }
        }
        match Ray::new(a, [b[0] - a[0], b[1] - a[1], b[2] - a[2]]) {
            Ok(ray) => Ok(Ray { t_max: 1.0, ..ray }),
            Err(RayError::ZeroDirection) => Err(RayError::ZeroLength),
            Err(error) => Err(error),
        }
    }

    /// The line of sight from `a` to `b`, both ends included, for [`occluded`](crate::Scene::occluded): the segment [`Ray::between`] them,
    /// also where they are nearer to each other than 2^-200, which is the shortest that a direction may be. Its range ends at `b`,
    /// which is at `t = 1` for all but those: there the difference is scaled by a power of two, which rounds nothing, and the range by its
    /// inverse. So a hit's `t` over the ray's `t_max` is the part of the way that is free: from 0 at `a` to 1 at `b`.
    ///
    /// Whether a triangle that `a` or `b` lies on is in the way, rounding decides, but for lines along an axis: let both stand a little above it. Lines that graze an outline exactly may be free one way and not the other.
    ///
    /// # Errors
    /// As [`Ray::between`], but for points that are near.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let pane = Mesh::new([[-1.0f32, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let sight = Ray::sight([0.0, 0.0, 1e-70], [0.0, 0.0, -1e-70])?;
    /// assert!(pane.occluded(&sight, &Filter::ALL));
    /// assert_eq!(sight.dir().z * sight.t_max(), -2e-70);
    /// assert_eq!(Ray::sight([0.0, 0.0, 2.0], [0.0, 0.0, 5.0])?, Ray::between([0.0, 0.0, 2.0], [0.0, 0.0, 5.0])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sight(a: impl Into<[f64; 3]>, b: impl Into<[f64; 3]>) -> Result<Ray, RayError> {
        let (a, b) = (a.into(), b.into());
        match Ray::between(a, b) {
            Err(RayError::DirectionOutOfRange { largest }) if largest < 1.0 => {
                let (_, exponent) = libm::frexp(largest);
                let dir = [0, 1, 2].map(|axis| libm::scalbn(b[axis] - a[axis], -exponent));
                Ray::new(a, dir)?.with_range(0.0, libm::scalbn(1.0, exponent))
            }
            ray => ray,
        }
    }

    /// The same line with `t` in `[t_min, t_max]`, both included. A negative or infinite `t_min` asks
    /// behind the origin too.
    ///
    /// The interval is closed, so a ray that begins on a surface hits it at or about `t = 0`. One that goes on from a
    /// [`Hit`](crate::Hit), mirrored or scattered, takes a `t_min` that is small for the scene and far above the rounding of
    /// `f64`, such as a millionth of a millimetre in a room: it then meets neither its own triangle nor its neighbours there.
    ///
    /// # Errors
    /// [`RayError::EmptyRange`] where `t_min > t_max` or one of them is NaN.
    ///
    /// ```
    /// use hitscan::Ray;
    /// let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    /// assert!(ray.with_range(-1.0, 1.0).is_ok());
    /// assert!(ray.with_range(2.0, 1.0).is_err());
    /// ```
    ///
    /// A laser that a mirror throws back:
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mirror = Mesh::new([[0.0f32, 0.0, 0.3], [2.0, 0.0, 0.3], [0.0, 2.0, 0.3]], [[0u32, 1, 2]])?;
    /// let laser = Ray::new([0.2, 0.1, 1.0], [0.3, 0.2, -1.0])?;
    /// let hit = mirror.closest(&laser, &Filter::ALL).expect("the mirror is there");
    /// let back = laser.dir().normalize().reflect(hit.normal);
    /// let onwards = Ray::new(hit.position, back)?.with_range(1e-9, f64::INFINITY)?;
    /// assert!(mirror.closest(&onwards, &Filter::ALL).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn with_range(self, t_min: f64, t_max: f64) -> Result<Ray, RayError> {
        if t_min <= t_max {
            Ok(Ray { t_min, t_max, ..self })
        } else {
            Err(RayError::EmptyRange { t_min, t_max })
        }
    }

    /// A ray with the same interval in the frame of an instance, where what [`Ray::new`] refuses may come about.
    pub(crate) fn in_frame(origin: [f64; 3], dir: [f64; 3], ray: &Ray) -> Ray {
        Ray { origin: origin.into(), dir: dir.into(), ..*ray }
    }

    /// The whole line.
    pub(crate) fn endless(self) -> Ray {
        Ray { t_min: f64::NEG_INFINITY, t_max: f64::INFINITY, ..self }
    }

    /// All its numbers: origin, direction, smallest and largest `t`.
    #[inline(always)]
    pub(crate) fn numbers(&self) -> [f64; 8] {
        let (o, d) = (self.origin, self.dir);
        [o.x, o.y, o.z, d.x, d.y, d.z, self.t_min, self.t_max]
    }

    /// The point at `t = 0`.
    ///
    /// ```
    /// let ray = hitscan::Ray::new([1.0, 2.0, 3.0], [0.0, 0.0, 2.0])?;
    /// assert_eq!(ray.origin().to_array(), [1.0, 2.0, 3.0]);
    /// # Ok::<(), hitscan::RayError>(())
    /// ```
    #[doc(alias = "getStart")]
    #[inline]
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The direction, as given; its length is the unit of `t`.
    ///
    /// ```
    /// let ray = hitscan::Ray::new([1.0, 2.0, 3.0], [0.0, 0.0, 2.0])?;
    /// assert_eq!(ray.dir().to_array(), [0.0, 0.0, 2.0]); // not made a unit vector
    /// # Ok::<(), hitscan::RayError>(())
    /// ```
    #[doc(alias = "getDirection")]
    #[inline]
    pub fn dir(&self) -> DVec3 {
        self.dir
    }

    /// The smallest accepted `t`.
    ///
    /// ```
    /// let ray = hitscan::Ray::new([0.0; 3], [1.0, 0.0, 0.0])?;
    /// assert_eq!((ray.t_min(), ray.with_range(-2.0, 5.0)?.t_min()), (0.0, -2.0));
    /// # Ok::<(), hitscan::RayError>(())
    /// ```
    #[inline]
    pub fn t_min(&self) -> f64 {
        self.t_min
    }

    /// The largest accepted `t`.
    ///
    /// ```
    /// let ray = hitscan::Ray::new([0.0; 3], [1.0, 0.0, 0.0])?;
    /// assert_eq!((ray.t_max(), ray.with_range(-2.0, 5.0)?.t_max()), (f64::INFINITY, 5.0));
    /// # Ok::<(), hitscan::RayError>(())
    /// ```
    #[inline]
    pub fn t_max(&self) -> f64 {
        self.t_max
    }

    /// The point `origin + t * dir`.
    ///
    /// ```
    /// let ray = hitscan::Ray::new([1.0, 2.0, 3.0], [0.0, 0.0, 2.0])?;
    /// assert_eq!(ray.at(1.5).to_array(), [1.0, 2.0, 6.0]);
    /// # Ok::<(), hitscan::RayError>(())
    /// ```
    #[doc(alias = "iPoint")]
    #[doc(alias = "intersectionPnt")]
    pub fn at(&self, t: f64) -> DVec3 {
        self.origin + self.dir * t
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_points_have_a_line_of_sight() {
        let point = |scale: f64| [3.0, -scale, 2.0 * scale];
        for scale in [1.0, 2f64.powi(-199), 2f64.powi(-202), 2f64.powi(-300), f64::MIN_POSITIVE, 5e-324] {
            let (from, to) = (point(scale), point(-scale));
            let ray = Ray::sight(from, to).unwrap();
            assert_eq!((ray.origin().to_array(), ray.t_min()), (from, 0.0), "{scale:e}");
            let way = (ray.dir() * ray.t_max()).to_array();
            assert_eq!(way, [0, 1, 2].map(|axis| to[axis] - from[axis]), "{scale:e}");
        }
        assert_eq!(Ray::sight([1.0; 3], [1.0; 3]), Err(RayError::ZeroLength));
        assert!(matches!(Ray::sight([1e31, 0.0, 0.0], [0.0; 3]), Err(RayError::OriginTooFar { .. })));
    }
}
