//! A shape that moves, against one that rests: whether they come together within the motion, and when. One pair a file.
//!
//! A motion is straight and steady, from `t = 0` to `t = 1`. Where both shapes move, the one moves past the other as fast as the
//! difference of their motions: [`Motion::relative_to`].
//!
//! - Together at the start is an outcome of its own: [`Sweep::Touching`].
//! - Apart at the start, and a time at which one begins to go into the other: [`Sweep::Hit`].
//! - A miss is `None`: no contact by the end, a graze that touches and does not go in, and a start exactly at the touching
//!   distance that moves away or along. So a ball that rolls on a floor is not stopped by it, nor by the seams of its triangles.

mod ahead;
mod capsule_aabb;
mod capsule_capsule;
mod capsule_convex;
mod capsule_obb;
mod capsule_plane;
mod capsule_sphere;
mod capsule_triangle;
mod drawn;
mod fattened;
mod motion;
pub(crate) mod polytope;
mod solid;
mod sphere_aabb;
mod sphere_capsule;
mod sphere_convex;
mod sphere_obb;
mod sphere_plane;
mod sphere_sphere;
mod sphere_triangle;

pub(crate) use ahead::Ahead;
pub use capsule_aabb::sweep_capsule_aabb;
pub use capsule_capsule::sweep_capsule_capsule;
pub use capsule_convex::sweep_capsule_convex;
pub use capsule_obb::sweep_capsule_obb;
pub use capsule_plane::sweep_capsule_plane;
pub use capsule_sphere::sweep_capsule_sphere;
pub use capsule_triangle::sweep_capsule_triangle;
pub(crate) use fattened::Fattened;
pub use motion::Motion;
pub(crate) use solid::{corners_of_aabb, corners_of_obb};
pub use sphere_aabb::sweep_sphere_aabb;
pub use sphere_capsule::sweep_sphere_capsule;
pub use sphere_convex::sweep_sphere_convex;
pub use sphere_obb::sweep_sphere_obb;
pub use sphere_plane::sweep_sphere_plane;
pub use sphere_sphere::sweep_sphere_sphere;
pub use sphere_triangle::sweep_sphere_triangle;

use core::cmp::Ordering;

use glam::DVec3;

/// How a moving shape meets one at rest.
///
/// ```
/// use hitscan::intersect::{Motion, Sweep, sweep_sphere_plane};
/// use hitscan::shape::{Plane, Sphere};
/// let ground = Plane::new([0.0, 1.0, 0.0], [0.0; 3])?;
/// let fall = Motion::new([0.0, -4.0, 0.0])?;
/// let Some(Sweep::Hit { t, position, normal }) = sweep_sphere_plane(&Sphere::new([7.0, 3.0, 0.0], 1.0)?, &fall, &ground)
/// else { panic!("it falls") };
/// assert_eq!((t, position.to_array(), normal.to_array()), (0.5, [7.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
/// let sunk = sweep_sphere_plane(&Sphere::new([7.0, 0.25, 0.0], 1.0)?, &fall, &ground);
/// assert!(matches!(sunk, Some(Sweep::Touching { depth: 0.75, .. })));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
///
/// What was moved to where it touches lies there as `f64` rounds it: as often within what it met as not, and its next sweep would
/// start in contact. Who moves on from there, along a wall or away, leaves a little room along the normal.
///
/// ```
/// use hitscan::glam::DVec3;
/// use hitscan::intersect::{Motion, Sweep, sweep_sphere_plane};
/// use hitscan::shape::{Plane, Sphere};
/// let slope = Plane::new([0.3, 1.0, -0.2], [0.0; 3])?;
/// let (mut centre, mut step) = (DVec3::new(0.1, 2.7, 0.3), DVec3::new(0.4, -0.7, 0.1));
/// for _ in 0..100 {
///     match sweep_sphere_plane(&Sphere::new(centre, 0.5)?, &Motion::new(step)?, &slope) {
///         None => centre += step,
///         Some(Sweep::Hit { t, normal, .. }) => {
///             centre += step * t + normal * 1e-9; // a billionth of what is around
///             step -= normal * step.dot(normal); // and on along the slope
///         }
///         Some(Sweep::Touching { .. }) => panic!("it starts in contact"),
///     }
/// }
/// assert!(centre.x > 10.0);
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sweep {
    /// Apart at the start, and in contact from `t` on.
    Hit {
        /// When, from 0 at the start to 1 at the end of the motion.
        t: f64,
        /// Where they touch then, on the shape at rest.
        position: DVec3,
        /// Of length 1, from the shape at rest towards the moving one.
        normal: DVec3,
    },
    /// In contact at the start already.
    Touching {
        /// How far to move the shape along `normal` until it only touches; at least 0.
        depth: f64,
        /// The point of the surface at rest that is nearest to the moving shape's centre.
        position: DVec3,
        /// Of length 1, the shortest way to part them.
        normal: DVec3,
    },
}

impl Sweep {
    /// When they come together: 0 where they are from the start.
    ///
    /// ```
    /// use hitscan::intersect::{Motion, sweep_sphere_plane};
    /// use hitscan::shape::{Plane, Sphere};
    /// let ground = Plane::new([0.0, 1.0, 0.0], [0.0; 3])?;
    /// let time = |height: f64| -> Result<_, hitscan::shape::ShapeError> {
    ///     let ball = Sphere::new([0.0, height, 0.0], 1.0)?;
    ///     Ok(sweep_sphere_plane(&ball, &Motion::new([0.0, -4.0, 0.0])?, &ground).map(|sweep| sweep.t()))
    /// };
    /// assert_eq!([time(0.5)?, time(4.0)?, time(9.0)?], [Some(0.0), Some(0.75), None]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn t(&self) -> f64 {
        match *self {
            Sweep::Hit { t, .. } => t,
            Sweep::Touching { .. } => 0.0,
        }
    }

    /// Where they touch, on the shape at rest.
    ///
    /// ```
    /// use hitscan::intersect::{Motion, sweep_sphere_plane};
    /// use hitscan::shape::{Plane, Sphere};
    /// let ground = Plane::new([0.0, 1.0, 0.0], [0.0; 3])?;
    /// let ball = Sphere::new([7.0, 3.0, 0.0], 1.0)?;
    /// let fall = sweep_sphere_plane(&ball, &Motion::new([0.0, -4.0, 0.0])?, &ground).expect("it falls");
    /// assert_eq!((fall.position().to_array(), fall.normal().to_array()), ([7.0, 0.0, 0.0], [0.0, 1.0, 0.0]));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn position(&self) -> DVec3 {
        match *self {
            Sweep::Hit { position, .. } | Sweep::Touching { position, .. } => position,
        }
    }

    /// Of length 1, from the shape at rest towards the moving one.
    ///
    /// ```
    /// use hitscan::intersect::{Motion, sweep_sphere_plane};
    /// use hitscan::shape::{Plane, Sphere};
    /// let ground = Plane::new([0.0, 1.0, 0.0], [0.0; 3])?;
    /// let sunk = Sphere::new([0.0, -0.5, 0.0], 1.0)?;
    /// let contact = sweep_sphere_plane(&sunk, &Motion::new([0.0; 3])?, &ground).expect("it is in it");
    /// assert_eq!(contact.normal().to_array(), [0.0, -1.0, 0.0]);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn normal(&self) -> DVec3 {
        match *self {
            Sweep::Hit { normal, .. } | Sweep::Touching { normal, .. } => normal,
        }
    }

    /// The same, met at another point of the shape at rest.
    pub(crate) fn at(self, position: DVec3) -> Sweep {
        match self {
            Sweep::Hit { t, normal, .. } => Sweep::Hit { t, position, normal },
            Sweep::Touching { depth, normal, .. } => Sweep::Touching { depth, position, normal },
        }
    }

    /// Which of two comes first: contacts at the start before hits, the deeper of two contacts.
    pub(crate) fn order(&self, other: &Sweep) -> Ordering {
        match (self, other) {
            (Sweep::Hit { t: a, .. }, Sweep::Hit { t: b, .. }) => a.total_cmp(b),
            (Sweep::Touching { depth: a, .. }, Sweep::Touching { depth: b, .. }) => b.total_cmp(a),
            (Sweep::Touching { .. }, Sweep::Hit { .. }) => Ordering::Less,
            (Sweep::Hit { .. }, Sweep::Touching { .. }) => Ordering::Greater,
        }
    }

    /// The same on the surface that lies by a length above what was met.
    fn lifted(self, by: f64) -> Sweep {
        self.at(self.position() + self.normal() * by)
    }

    /// The first of several, and of equal ones that which is named first.
    fn first(sweeps: impl Iterator<Item = Sweep>) -> Option<Sweep> {
        sweeps.reduce(|best, other| if other.order(&best) == Ordering::Less { other } else { best })
    }
}
