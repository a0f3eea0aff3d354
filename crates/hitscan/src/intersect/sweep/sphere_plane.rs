//! Moving sphere and plane.

use core::cmp::Ordering;

use glam::DVec3;

use super::{Motion, Sweep};
use crate::exact::{Big, Bounded, Number, dot, sign_of, vector};
use crate::shape::convex::height_over;
use crate::shape::{Plane, Sphere};

/// When a moving sphere meets a plane, from whichever side, and where; see [`Sweep`].
///
/// Whether they touch at the start, and whether the sphere moves towards the plane, is exact for the plane's own numbers; `t`
/// is within 2^-43 of itself. Where the centre lies in the plane, the normal is the plane's.
///
/// ```
/// use hitscan::intersect::{Motion, Sweep, sweep_sphere_plane};
/// use hitscan::shape::{Plane, Sphere};
/// let ground = Plane::new([0.0, 1.0, 0.0], [0.0; 3])?;
/// let ball = Sphere::new([0.0, 3.0, 0.0], 1.0)?;
/// let sweep = |by: [f64; 3]| Motion::new(by).map(|motion| sweep_sphere_plane(&ball, &motion, &ground));
/// assert_eq!(sweep([5.0, -4.0, 0.0])?.map(|sweep| sweep.t()), Some(0.5));
/// assert_eq!((sweep([5.0, -1.0, 0.0])?, sweep([5.0, 0.0, 0.0])?), (None, None));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
pub fn sweep_sphere_plane(sphere: &Sphere, motion: &Motion, plane: &Plane) -> Option<Sweep> {
    let (centre, by, radius) = (sphere.centre(), motion.by(), sphere.radius());
    let side = if sign_of!(height_over(plane, centre)) == Ordering::Less { -1.0 } else { 1.0 };
    let normal = plane.normal() * side;
    let foot = |point: DVec3| point - plane.normal() * plane.signed_distance(point);
    let approach = sign_of!(slope(plane, by, side));
    let gap = sign_of!(gap(plane, sphere, side));
    if gap == Ordering::Less || (gap == Ordering::Equal && approach == Ordering::Less) {
        let depth = (radius - plane.signed_distance(centre).abs()).max(0.0);
        return Some(Sweep::Touching { depth, position: foot(centre), normal });
    }
    if approach != Ordering::Less {
        return None;
    }
    let quick = |n: Bounded| n.precise();
    let rounded = quick(self::gap(plane, sphere, side)).zip(quick(slope(plane, by, side)));
    let t = match rounded {
        Some((gap, slope)) => -gap / slope,
        None => -self::gap::<Big>(plane, sphere, side).ratio(&slope(plane, by, side)),
    };
    (t <= 1.0).then(|| Sweep::Hit { t: t + 0.0, position: foot(centre + by * t), normal })
}

/// How far the sphere is from the plane, on the side on which its centre is.
fn gap<N: Number>(plane: &Plane, sphere: &Sphere, side: f64) -> N {
    height_over::<N>(plane, sphere.centre()) * N::from(side) - N::from(sphere.radius())
}

/// How much farther the motion brings it.
fn slope<N: Number>(plane: &Plane, by: DVec3, side: f64) -> N {
    dot::<N>(&vector(plane.normal()), &vector(by)) * N::from(side)
}
