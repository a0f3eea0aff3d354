//! Three directions at a hit: what a decal, a spark or a foot is laid out along.

use glam::{DMat3, DVec3};

use crate::hit::Hit;
use crate::mesh::length;
use crate::shape::plane::unit;

/// Three unit vectors at right angles to each other, right-handed: `tangent x bitangent = normal`.
///
/// ```
/// use hitscan::{Filter, Mesh, Ray};
/// let wall = Mesh::new([[-9.0f32, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]], [[0u32, 1, 2]])?;
/// let shot = Ray::new([0.5, 1.0, 5.0], [0.0, 0.0, -1.0])?;
/// let hit = wall.closest(&shot, &Filter::ALL).expect("the wall is there");
/// let upright = hit.frame_up([0.0, 1.0, 0.0]);
/// assert_eq!(upright.tangent.to_array(), [1.0, 0.0, 0.0]); // to the right, as one looks at the wall
/// assert_eq!(upright.bitangent.to_array(), [0.0, 1.0, 0.0]);
/// // The corners of a decal of 0.2 by 0.1, a little off the wall.
/// let corner = |x: f64, y: f64| hit.position + upright.matrix() * hitscan::glam::DVec3::new(x, y, 0.001);
/// assert!((corner(-0.1, 0.05) - hitscan::glam::DVec3::new(0.4, 1.05, 0.001)).length() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "TBN")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Frame {
    /// Along the surface.
    pub tangent: DVec3,
    /// Along the surface, a quarter turn counter-clockwise from the tangent as seen from the front.
    pub bitangent: DVec3,
    /// Off the surface: that of the hit.
    pub normal: DVec3,
}

/// What is left of a unit vector along a surface, or across another one, below which it says nothing about a direction there:
/// 2^-40, some thousand roundings.
pub(crate) const LEAST: f64 = 1.0 / (1u64 << 40) as f64;

impl Frame {
    /// The tangent, the bitangent and the normal as columns: it takes what is laid out along x and y of a picture, with z
    /// out of it, to the surface.
    ///
    /// ```
    /// use hitscan::{Filter, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 2.0)?);
    /// let hit = world.commit().closest(&Ray::new([9.0, 0.0, 0.0], [-1.0, 0.0, 0.0])?, &Filter::ALL).unwrap();
    /// // The middle of a decal, lifted a little off the surface.
    /// let middle = hit.position + hit.frame().matrix() * hitscan::glam::DVec3::new(0.0, 0.0, 0.5);
    /// assert_eq!(middle.to_array(), [2.5, 0.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matrix(&self) -> DMat3 {
        DMat3::from_cols(self.tangent, self.bitangent, self.normal)
    }

    fn new(tangent: DVec3, normal: DVec3) -> Frame {
        Frame { tangent, bitangent: normal.cross(tangent), normal }
    }
}

impl Hit {
    /// A frame that follows from the normal alone, for what has no direction of its own, such as a round hole. It is the same
    /// on every platform, and turns little where the normal does, but where the normal's z changes its sign, as on a wall along Z:
    /// there it may turn by half, and [`Hit::frame_up`] is better.
    ///
    /// Source: Duff, Burgess, Christensen, Hery, Kensler, Liani, Villemin, Building an Orthonormal Basis, Revisited, 2017.
    ///
    /// ```
    /// use hitscan::{Filter, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 2.0)?);
    /// let ray = Ray::new([0.0, 0.0, 9.0], [0.0, 0.0, -1.0])?;
    /// let frame = world.commit().closest(&ray, &Filter::ALL).expect("the ball is there").frame();
    /// assert_eq!(frame.tangent.cross(frame.bitangent), frame.normal);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "orthonormal basis")]
    pub fn frame(&self) -> Frame {
        let n = self.normal;
        let sign = 1.0f64.copysign(n.z);
        let a = -1.0 / (sign + n.z);
        let b = n.x * n.y * a;
        Frame {
            tangent: DVec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x),
            bitangent: DVec3::new(b, sign + n.y * n.y * a, -n.y),
            normal: n,
        }
    }

    /// The frame whose tangent is a direction laid onto the surface, of any length: the way of a skid mark, or of a texture.
    /// Where the direction is none, or runs along the normal, it is [`Hit::frame`].
    ///
    /// ```
    /// use hitscan::{Filter, Ray, World, shape::Plane};
    /// let mut world = World::new();
    /// world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    /// let bullet = Ray::new([0.0, 3.0, 0.0], [4.0, -3.0, 0.0])?;
    /// let hit = world.commit().closest(&bullet, &Filter::ALL).expect("the ground is there");
    /// assert_eq!(hit.frame_along(bullet.dir()).tangent.to_array(), [1.0, 0.0, 0.0]); // where it went on to
    /// assert_eq!(hit.frame_along([0.0, 7.0, 0.0]), hit.frame());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frame_along(&self, direction: impl Into<[f64; 3]>) -> Frame {
        match self.laid(direction) {
            Some(tangent) => Frame::new(tangent, self.normal),
            None => self.frame(),
        }
    }

    /// The frame whose bitangent is an upward direction laid onto the surface: pictures and letters stand upright. Where
    /// that is none, or runs along the normal, as on level ground, it is [`Hit::frame`].
    ///
    /// ```
    /// use hitscan::{Filter, Ray, World, shape::Plane};
    /// let mut world = World::new();
    /// world.insert(Plane::new([0.0, 0.6, 0.8], [0.0; 3])?); // a slope
    /// let ray = Ray::new([0.0, 9.0, 0.0], [0.0, -1.0, 0.0])?;
    /// let hit = world.commit().closest(&ray, &Filter::ALL).expect("the slope is there");
    /// let frame = hit.frame_up([0.0, 1.0, 0.0]);
    /// assert!((frame.bitangent.y - 0.8).abs() < 1e-15 && frame.tangent.y.abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frame_up(&self, up: impl Into<[f64; 3]>) -> Frame {
        match self.laid(up) {
            Some(up) => Frame { tangent: up.cross(self.normal), bitangent: up, normal: self.normal },
            None => self.frame(),
        }
    }

    /// The unit vector along a direction laid onto the surface.
    fn laid(&self, direction: impl Into<[f64; 3]>) -> Option<DVec3> {
        let direction = DVec3::from(direction.into());
        // Infinite, or not a number.
        if !direction.is_finite() {
            return None;
        }
        let direction = unit(direction).ok()?;
        let across = direction - self.normal * self.normal.dot(direction);
        let left = length(across);
        if left < LEAST {
            return None;
        }
        // Once more, since what cancelled the first time left its rounding behind.
        let across = across / left;
        let across = across - self.normal * self.normal.dot(across);
        Some(across / length(across))
    }
}
