//! The watertight recipe that meshes follow, for one triangle, to look at and to measure.

use crate::entry::{Arrival, LocalRay};
use crate::intersect::watertight::{Crossing, Touch, sheared, touch};
use crate::ray::Ray;
use crate::simd::scalar::Scalar;

/// A ray as a mesh sees it: moved near the mesh in `f64`, then rounded to `f32`.
///
/// Meshes and scenes answer by this recipe; the other tests of this module do not. What a mesh adds is the rule of its
/// borders, which needs the neighbours: see the law in the [crate's head](crate#the-law).
///
/// ```
/// use hitscan::intersect::{WatertightPlace, WatertightRay};
/// use hitscan::Ray;
/// let ray = WatertightRay::new(&Ray::new([0.5, 0.5, 2.0], [0.0, 0.0, -1.0])?, 1.0);
/// let (a, b, c, d) = ([0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]);
/// // Exactly on the edge that two triangles share: one of them takes it.
/// let places = [[a, b, c], [a, c, d]].map(|corners| ray.trace(corners).place);
/// assert_eq!(places.iter().filter(|&&place| place == WatertightPlace::Inside).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WatertightRay {
    local: LocalRay,
    origin: [f32; 3],
    interval: [f64; 2],
}

/// Where the recipe says that a ray passes a triangle.
///
/// ```
/// use hitscan::Ray;
/// use hitscan::intersect::{WatertightPlace, WatertightRay};
/// let place = |x: f64, y: f64| {
///     let ray = WatertightRay::new(&Ray::new([x, y, 2.0], [0.0, 0.0, -1.0])?, 1.0);
///     Ok::<_, hitscan::RayError>(ray.trace([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).place)
/// };
/// assert_eq!((place(0.25, 0.25)?, place(2.0, 2.0)?), (WatertightPlace::Inside, WatertightPlace::Miss));
/// // Exactly on an edge: one of two neighbours takes it, as in a rasteriser.
/// assert_eq!((place(0.5, 0.0)?, place(0.5, 0.5)?), (WatertightPlace::Inside, WatertightPlace::OnEdge));
/// # Ok::<(), hitscan::RayError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WatertightPlace {
    /// Beside it, or through an edge or a corner that a neighbour takes, if there is one.
    Miss,
    /// Through it.
    Inside,
    /// Exactly through an edge, which is a hit only where that edge is a border of the mesh.
    OnEdge,
    /// Exactly through a corner, which is a hit only at a border of the mesh.
    OnCorner,
}

/// What the recipe computes for one triangle: the result of [`WatertightRay::trace`].
///
/// ```
/// use hitscan::Ray;
/// use hitscan::intersect::WatertightRay;
/// let ray = WatertightRay::new(&Ray::new([0.25, 0.5, 2.0], [0.0, 0.0, -1.0])?, 1.0);
/// let seen = ray.trace([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
/// assert_eq!(seen.sheared[0][2], -2.0); // along the ray's axis
/// assert_eq!((seen.det, seen.edge_values.iter().sum::<f64>()), (1.0, 1.0));
/// # Ok::<(), hitscan::RayError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct WatertightTrace {
    /// The corners as the ray sees them: it runs along the third axis through the origin.
    pub sheared: [[f32; 3]; 3],
    /// The values of the edges opposite of A, of B and of C; their signs are exact.
    pub edge_values: [f64; 3],
    /// Their sum, positive where the corners run counter-clockwise as the ray sees them, or 0.
    pub det: f64,
    /// Where the ray meets the plane; not finite where `det` is 0.
    pub t: f64,
    /// What is decided before borders are looked at.
    pub place: WatertightPlace,
    /// Whether `t` lies in the ray's interval.
    pub in_interval: bool,
}

impl WatertightRay {
    /// The ray as a mesh sees it whose largest absolute coordinate is `reach`.
    ///
    /// ```
    /// use hitscan::intersect::WatertightRay;
    /// use hitscan::Ray;
    /// let far = WatertightRay::new(&Ray::new([1e9, 0.5, 0.0], [-2.0, 0.0, 0.0])?, 1.0);
    /// assert_eq!(far.origin(), [2.0, 0.5, 0.0]); // moved along itself, before it was rounded
    /// # Ok::<(), hitscan::RayError>(())
    /// ```
    pub fn new(ray: &Ray, reach: f64) -> WatertightRay {
        let rounded = Arrival::of(ray, reach).rounded;
        let (local, origin) = (rounded.local(Scalar), rounded.origin.to_array());
        WatertightRay { local, origin, interval: [ray.t_min(), ray.t_max()] }
    }

    /// Where it starts, as `f32`.
    ///
    /// ```
    /// use hitscan::intersect::WatertightRay;
    /// use hitscan::Ray;
    /// let near = WatertightRay::new(&Ray::new([0.1, 0.0, 0.0], [1.0, 0.0, 0.0])?, 1.0);
    /// assert_eq!(near.origin(), [0.1f32, 0.0, 0.0]);
    /// # Ok::<(), hitscan::RayError>(())
    /// ```
    pub fn origin(&self) -> [f32; 3] {
        self.origin
    }

    /// What is computed for the triangle of these corners.
    ///
    /// ```
    /// use hitscan::intersect::{WatertightPlace, WatertightRay};
    /// use hitscan::Ray;
    /// let ray = WatertightRay::new(&Ray::new([0.25, 0.5, 2.0], [0.0, 0.0, -1.0])?, 1.0);
    /// let seen = ray.trace([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    /// assert_eq!((seen.edge_values, seen.t), ([0.25, 0.25, 0.5], 2.0));
    /// assert_eq!((seen.place, seen.in_interval), (WatertightPlace::Inside, true));
    /// # Ok::<(), hitscan::RayError>(())
    /// ```
    #[inline]
    pub fn trace(&self, corners: [[f32; 3]; 3]) -> WatertightTrace {
        let ray = &self.local;
        let sheared = sheared(ray, &corners);
        let place = match touch(sheared) {
            Touch::Miss => WatertightPlace::Miss,
            Touch::Inside(_) => WatertightPlace::Inside,
            Touch::OnEdge(..) => WatertightPlace::OnEdge,
            Touch::OnCorner(..) => WatertightPlace::OnCorner,
        };
        let crossing = Crossing::new(sheared);
        let t = ray.world_t(crossing.t(sheared, ray.shear.depth));
        let [t_min, t_max] = self.interval;
        let in_interval = (t_min..=t_max).contains(&t);
        WatertightTrace {
            sheared,
            edge_values: crossing.edge_values(),
            det: crossing.det(),
            t,
            place,
            in_interval,
        }
    }
}
