//! Which way is up, and rays straight down: how high the ground is at a place.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use glam::DVec3;
use thiserror::Error;

use crate::error::RayError;
use crate::hit::Hit;
use crate::ray::{MAX_COORDINATE, Ray};

/// One of the six directions of the axes.
///
/// Reads as `+X`, `-X`, `+Y`, `-Y`, `+Z` or `-Z`, with small letters or without a plus, too.
///
/// ```
/// use hitscan::SignedAxis;
/// assert_eq!("-z".parse(), Ok(SignedAxis::NegZ));
/// assert_eq!(SignedAxis::NegZ.to_string(), "-Z");
/// assert_eq!(SignedAxis::NegZ.vector().to_array(), [0.0, 0.0, -1.0]);
/// assert_eq!(SignedAxis::Y.others(), [0, 2]);
/// assert!("up".parse::<SignedAxis>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "their names say it")]
pub enum SignedAxis {
    X,
    NegX,
    Y,
    NegY,
    Z,
    NegZ,
}

/// Not the name of an axis.
///
/// ```
/// use hitscan::SignedAxis;
/// let error = "up".parse::<SignedAxis>().unwrap_err();
/// assert_eq!(error.to_string(), "'up' is not an axis; expected +X, -X, +Y, -Y, +Z or -Z");
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("'{text}' is not an axis; expected +X, -X, +Y, -Y, +Z or -Z")]
pub struct AxisError {
    /// What was read.
    pub text: String,
}

impl SignedAxis {
    /// All of them, by axis, with the axis before against it.
    ///
    /// ```
    /// use hitscan::SignedAxis;
    /// assert!(SignedAxis::ALL.into_iter().all(|axis| axis.to_string().parse() == Ok(axis)));
    /// ```
    pub const ALL: [SignedAxis; 6] =
        [SignedAxis::X, SignedAxis::NegX, SignedAxis::Y, SignedAxis::NegY, SignedAxis::Z, SignedAxis::NegZ];

    /// Which axis: 0 for x, 1 for y, 2 for z.
    ///
    /// ```
    /// use hitscan::SignedAxis;
    /// assert_eq!([SignedAxis::X, SignedAxis::NegX, SignedAxis::Z].map(SignedAxis::index), [0, 0, 2]);
    /// ```
    pub const fn index(self) -> usize {
        self as usize / 2
    }

    /// 1 along the axis, -1 against it.
    ///
    /// ```
    /// use hitscan::SignedAxis;
    /// assert_eq!([SignedAxis::Y, SignedAxis::NegY].map(SignedAxis::sign), [1.0, -1.0]);
    /// ```
    pub const fn sign(self) -> f64 {
        [1.0, -1.0][self as usize % 2]
    }

    /// The unit vector.
    ///
    /// ```
    /// assert_eq!(hitscan::SignedAxis::NegZ.vector().to_array(), [0.0, 0.0, -1.0]);
    /// ```
    pub fn vector(self) -> DVec3 {
        let mut vector = DVec3::ZERO;
        vector[self.index()] = self.sign();
        vector
    }

    /// The two other axes, in the order x, y, z: those of places on the ground where this one is up.
    ///
    /// ```
    /// use hitscan::SignedAxis;
    /// assert_eq!([SignedAxis::Y, SignedAxis::NegZ].map(SignedAxis::others), [[0, 2], [0, 1]]);
    /// ```
    pub const fn others(self) -> [usize; 2] {
        [[1, 2], [0, 2], [0, 1]][self.index()]
    }
}

impl fmt::Display for SignedAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.sign() > 0.0 { '+' } else { '-' };
        write!(f, "{sign}{}", ['X', 'Y', 'Z'][self.index()])
    }
}

impl FromStr for SignedAxis {
    type Err = AxisError;
    fn from_str(text: &str) -> Result<SignedAxis, AxisError> {
        let (against, name) = match text.strip_prefix('-') {
            Some(name) => (1, name),
            None => (0, text.strip_prefix('+').unwrap_or(text)),
        };
        let axis = ["x", "y", "z"].iter().position(|axis| name.eq_ignore_ascii_case(axis));
        axis.map(|axis| SignedAxis::ALL[2 * axis + against]).ok_or_else(|| AxisError { text: text.into() })
    }
}

/// A line straight down onto a mesh or a scene, along which the height of the ground is asked: made by their `plumb`, and
/// let [fall](Plumb::fall) at places.
///
/// Places are two coordinates along the axes that are not up, in the order x, y, z; heights grow upwards. Both are in the
/// units of the mesh or the world.
///
/// ```
/// use hitscan::{Buffer, Filter, Mesh, SignedAxis};
/// let floor = Mesh::new([[0.0f32, 2.0, 0.0], [0.0, 2.0, 9.0], [9.0, 2.0, 0.0]], [[0u32, 1, 2]])?;
/// let plumb = floor.plumb(SignedAxis::Y);
/// let ground = floor.ground(&plumb.fall([1.0, 3.0], None)?, &Filter::ALL, &mut Buffer::new());
/// assert_eq!(ground.map(|hit| plumb.height(&hit)), Some(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plumb {
    up: SignedAxis,
    /// A coordinate on the axis that is up, above everything.
    top: f64,
}

/// What the entry into a mesh is off by, as a part of its largest coordinate, with room: 2^-18.
const BLUR: f64 = 1.0 / (1u64 << 18) as f64;

/// A place whose ground is asked for, and perhaps a height: for [`Mesh::ground`](crate::Mesh::ground) and
/// [`Scene::ground`](crate::Scene::ground).
///
/// ```
/// use hitscan::{Buffer, Filter, Mesh, SignedAxis};
/// let floor = Mesh::new([[0.0f32, 2.0, 0.0], [0.0, 2.0, 9.0], [9.0, 2.0, 0.0]], [[0u32, 1, 2]])?;
/// let plumb = floor.plumb(SignedAxis::Y);
/// let ground = floor.ground(&plumb.fall([1.0, 3.0], None)?, &Filter::ALL, &mut Buffer::new());
/// assert_eq!(ground.map(|hit| plumb.height(&hit)), Some(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fall {
    pub(crate) plumb: Plumb,
    pub(crate) from_above: Ray,
    /// From a height, and that.
    pub(crate) from_there: Option<(Ray, f64)>,
}

impl Fall {
    /// Straight down at the place, from above everything.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, SignedAxis};
    /// let floor = Mesh::new([[0.0f32, 2.0, 0.0], [0.0, 2.0, 9.0], [9.0, 2.0, 0.0]], [[0u32, 1, 2]])?;
    /// let fall = floor.plumb(SignedAxis::Y).fall([1.0, 3.0], None)?;
    /// assert_eq!((fall.ray().origin().x, fall.ray().origin().z, fall.ray().dir().y), (1.0, 3.0, -1.0));
    /// assert!(floor.occluded(fall.ray(), &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray(&self) -> &Ray {
        &self.from_above
    }
}

impl Plumb {
    /// Over what lies between two corners.
    pub(crate) fn new(up: SignedAxis, (low, high): (DVec3, DVec3)) -> Plumb {
        // As far above as everything is high, and farther than the rounding of its coordinates, so that nothing can put it
        // below the top. Not as far as it is wide: a mesh is seen from there in `f32`, which would blur what lies on wide ground.
        let end = if up.sign() > 0.0 { high } else { low }[up.index()];
        let largest = low.abs().max(high.abs()).max_element();
        let margin = (high - low)[up.index()].max(largest * BLUR);
        Plumb { up, top: (end + up.sign() * margin).clamp(-MAX_COORDINATE, MAX_COORDINATE) }
    }

    /// Which way is up.
    ///
    /// ```
    /// use hitscan::{Mesh, SignedAxis};
    /// let floor = Mesh::new([[0.0f32, 2.0, 0.0], [0.0, 2.0, 9.0], [9.0, 2.0, 0.0]], [[0u32, 1, 2]])?;
    /// assert_eq!(floor.plumb(SignedAxis::NegZ).up(), SignedAxis::NegZ);
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn up(&self) -> SignedAxis {
        self.up
    }

    /// The question for the ground at a place: the topmost, or where a height is given, the first at it or below it.
    ///
    /// # Errors
    /// [`RayError`]: a coordinate or a height that is not a number or beyond 2^100, at which no ray begins.
    ///
    /// ```
    /// use hitscan::{Buffer, Filter, Mesh, RayError, SignedAxis};
    /// let floor = Mesh::new([[0.0f32, 2.0, 0.0], [0.0, 2.0, 9.0], [9.0, 2.0, 0.0]], [[0u32, 1, 2]])?;
    /// let (plumb, mut buffer) = (floor.plumb(SignedAxis::Y), Buffer::new());
    /// let mut height = |below| -> Result<Option<f64>, RayError> {
    ///     let ground = floor.ground(&plumb.fall([1.0, 3.0], below)?, &Filter::ALL, &mut buffer);
    ///     Ok(ground.map(|hit| plumb.height(&hit)))
    /// };
    /// assert_eq!((height(None)?, height(Some(2.0))?, height(Some(1.9))?), (Some(2.0), Some(2.0), None));
    /// assert!(height(Some(f64::NAN)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fall(&self, place: [f64; 2], below: Option<f64>) -> Result<Fall, RayError> {
        let from_there = match below {
            Some(height) => Some((self.ray(place, height * self.up.sign())?, height)),
            None => None,
        };
        Ok(Fall { plumb: *self, from_above: self.ray(place, self.top)?, from_there })
    }

    fn ray(&self, place: [f64; 2], from: f64) -> Result<Ray, RayError> {
        let mut origin = DVec3::ZERO;
        for (axis, coordinate) in self.up.others().into_iter().zip(place) {
            origin[axis] = coordinate;
        }
        origin[self.up.index()] = from;
        Ray::new(origin, -self.up.vector())
    }

    /// How high a hit is.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, SignedAxis};
    /// let floor = Mesh::new([[0.0f32, 2.0, 0.0], [0.0, 2.0, 9.0], [9.0, 2.0, 0.0]], [[0u32, 1, 2]])?;
    /// let plumb = floor.plumb(SignedAxis::NegY); // what is low is up
    /// let hit = floor.closest(plumb.fall([1.0, 3.0], None)?.ray(), &Filter::ALL).unwrap();
    /// assert_eq!(plumb.height(&hit), -2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn height(&self, hit: &Hit) -> f64 {
        // Adding 0 turns -0 into 0.
        hit.position[self.up.index()] * self.up.sign() + 0.0
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn axes_are_read_as_they_are_written() {
        for (number, axis) in SignedAxis::ALL.into_iter().enumerate() {
            assert_eq!((axis.to_string().parse(), axis as usize), (Ok(axis), number));
            assert!(!axis.others().contains(&axis.index()) && axis.others().is_sorted());
        }
        let vectors = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
        assert_eq!(SignedAxis::ALL.map(SignedAxis::vector), vectors);
        assert_eq!(SignedAxis::ALL.map(|axis| axis.to_string()), ["+X", "-X", "+Y", "-Y", "+Z", "-Z"]);
        assert_eq!("y".parse(), Ok(SignedAxis::Y));
        for text in ["", "+", "--x", "xy", "w"] {
            assert_eq!(text.parse::<SignedAxis>(), Err(AxisError { text: text.into() }));
        }
    }

    #[test]
    fn rays_begin_above_everything_and_go_down() {
        let box_ = (DVec3::new(-1.0, -2.0, -3.0), DVec3::new(1.0, 2.0, 1e20));
        for up in SignedAxis::ALL {
            let plumb = Plumb::new(up, box_);
            let fall = plumb.fall([0.5, 0.25], Some(7.0)).unwrap();
            let (ray, end) = (fall.ray(), if up.sign() > 0.0 { box_.1 } else { box_.0 });
            let above = |point: DVec3| point[up.index()] * up.sign();
            assert!(above(ray.origin()) > above(end), "{up}");
            let (from_there, height) = fall.from_there.unwrap();
            assert_eq!((above(from_there.origin()), height), (7.0, 7.0));
            for ray in [ray, &from_there] {
                assert_eq!(ray.dir(), -up.vector());
                assert_eq!(up.others().map(|axis| ray.origin()[axis]), [0.5, 0.25]);
            }
            assert!(plumb.fall([f64::NAN, 0.0], None).is_err() && plumb.fall([0.0; 2], Some(1e40)).is_err());
        }
    }
}
