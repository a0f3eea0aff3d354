//! The part of a line that lies in a solid.

use crate::ray::Ray;

/// Where a line goes into a convex solid and where it comes out, in units of the ray's direction, as if the ray had no ends:
/// an `enter` below its `t_min` says that it starts inside, or beyond; an `exit` above its `t_max`, that it ends inside.
///
/// A ray hits a solid where this span and its own interval have a `t` in common, ends included, so a segment that
/// lies wholly inside hits without crossing the surface.
///
/// ```
/// use hitscan::intersect::ray_aabb;
/// use hitscan::shape::Aabb;
/// use hitscan::Ray;
/// let room = Aabb::new([0.0; 3], [4.0; 3])?;
/// let from_inside = Ray::new([1.0, 2.0, 2.0], [1.0, 0.0, 0.0])?;
/// let span = ray_aabb(&from_inside, &room).expect("it starts there").span;
/// assert_eq!((span.enter, span.exit, span.length()), (-1.0, 3.0, 4.0));
/// assert!(span.starts_inside(&from_inside));
/// assert_eq!(span.crossings(&from_inside).collect::<Vec<_>>(), [3.0]); // of the surface, within the ray
/// assert_eq!(span.first(&from_inside), 0.0); // of the solid
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The first `t` in the solid; never above `exit`.
    pub enter: f64,
    /// The last `t` in the solid.
    pub exit: f64,
}

impl Span {
    /// The span, if the ray reaches it. Neither end is -0.
    pub(super) fn within(enter: f64, exit: f64, ray: &Ray) -> Option<Span> {
        // Two ends that are one point in exact arithmetic may change places by rounding.
        let (enter, exit) = (enter.min(exit) + 0.0, enter.max(exit) + 0.0);
        (enter <= ray.t_max() && exit >= ray.t_min()).then_some(Span { enter, exit })
    }

    /// How far it goes through the solid, in units of the ray's direction; 0 where it only touches.
    ///
    /// ```
    /// use hitscan::intersect::ray_aabb;
    /// use hitscan::shape::Aabb;
    /// use hitscan::Ray;
    /// let crate_ = Aabb::new([2.0, 0.0, 0.0], [6.0, 1.0, 1.0])?;
    /// let shot = Ray::new([0.0, 0.5, 0.5], [2.0, 0.0, 0.0])?;
    /// assert_eq!(ray_aabb(&shot, &crate_).map(|hit| hit.span.length()), Some(2.0)); // 4 wide, at 2 a unit of t
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "thickness")]
    pub fn length(&self) -> f64 {
        self.exit - self.enter
    }

    /// Whether the ray's first point lies in the solid, where it hits at all.
    ///
    /// ```
    /// use hitscan::intersect::ray_aabb;
    /// use hitscan::shape::Aabb;
    /// use hitscan::Ray;
    /// let crate_ = Aabb::new([2.0, 0.0, 0.0], [6.0, 1.0, 1.0])?;
    /// let shot = |x: f64| Ray::new([x, 0.5, 0.5], [1.0, 0.0, 0.0]);
    /// let starts_inside = |ray: &Ray| ray_aabb(ray, &crate_).map(|hit| hit.span.starts_inside(ray));
    /// assert_eq!((starts_inside(&shot(0.0)?), starts_inside(&shot(3.0)?)), (Some(false), Some(true)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn starts_inside(&self, ray: &Ray) -> bool {
        self.enter <= ray.t_min()
    }

    /// The first `t` of the ray that lies in the solid: where it enters, or where the ray begins.
    ///
    /// ```
    /// use hitscan::intersect::ray_aabb;
    /// use hitscan::shape::Aabb;
    /// use hitscan::Ray;
    /// let crate_ = Aabb::new([2.0, 0.0, 0.0], [6.0, 1.0, 1.0])?;
    /// let shot = |x: f64| Ray::new([x, 0.5, 0.5], [1.0, 0.0, 0.0]);
    /// let first = |ray: &Ray| ray_aabb(ray, &crate_).map(|hit| hit.span.first(ray));
    /// assert_eq!((first(&shot(0.0)?), first(&shot(3.0)?)), (Some(2.0), Some(0.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first(&self, ray: &Ray) -> f64 {
        self.enter.max(ray.t_min())
    }

    /// The crossings of the surface within the ray's interval, in order: none for a segment inside, one for a ray that starts
    /// or ends inside or touches in a single point, else two.
    ///
    /// ```
    /// use hitscan::intersect::ray_aabb;
    /// use hitscan::shape::Aabb;
    /// use hitscan::Ray;
    /// let crate_ = Aabb::new([2.0, 0.0, 0.0], [6.0, 1.0, 1.0])?;
    /// let shot = Ray::new([0.0, 0.5, 0.5], [1.0, 0.0, 0.0])?;
    /// let crossings = |ray: Ray| ray_aabb(&ray, &crate_).map(|hit| hit.span.crossings(&ray).collect::<Vec<f64>>());
    /// assert_eq!(crossings(shot), Some(vec![2.0, 6.0]));
    /// assert_eq!(crossings(shot.with_range(0.0, 4.0)?), Some(vec![2.0])); // it ends inside
    /// assert_eq!(crossings(shot.with_range(3.0, 4.0)?), Some(vec![])); // all of it is inside
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn crossings(&self, ray: &Ray) -> impl Iterator<Item = f64> + use<> {
        let (interval, second) = (ray.t_min()..=ray.t_max(), (self.exit > self.enter).then_some(self.exit));
        [Some(self.enter), second].into_iter().flatten().filter(move |t| interval.contains(t))
    }
}
