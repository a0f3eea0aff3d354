//! What a picture shows of the world: the ray of each pixel, and the pixel of each point.

mod frustum;
mod selection;

pub use selection::{Coverage, Selection};

use glam::{DMat3, DMat4, DVec3, DVec4};

use crate::camera::Camera;
use crate::error::PickError;
use crate::pick::Unprojection;
use crate::ray::Ray;
use crate::transform::Transform;

/// A camera and the rectangle that it draws into, whatever it was made of: [`Camera::view`](crate::Camera::view) for an eye with a
/// direction, [`Viewport::view`](crate::Viewport::view) for the matrices of a renderer. What picks and selects takes this.
///
/// ```
/// use hitscan::{Camera, Filter, World, shape::Sphere};
/// let mut world = World::new();
/// let marble = world.insert(Sphere::new([1.0, 0.0, 0.0], 0.01)?);
/// let scene = world.commit();
/// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
/// let pixel = view.project([1.0, 0.0, 0.0]).expect("it is in front of the camera");
/// assert!((pixel[0] - 368.0).abs() < 1e-9 && (pixel[1] - 240.0).abs() < 1e-9);
/// assert_eq!(scene.closest(&view.ray(pixel)?, &Filter::ALL).map(|hit| hit.instance), Some(marble));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    rays: Rays,
    /// A world point that all others are measured from, so that nothing cancels far from the origin of coordinates.
    eye: DVec3,
    lens: Lens,
}

/// What a cursor is turned into a ray by.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rays {
    Camera { camera: Camera, size: [u32; 2] },
    Matrices(Unprojection),
}

/// An affine function of a point: a scalar product, and what it is at the point that is all zeros.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Linear {
    pub slope: DVec3,
    pub constant: f64,
}

impl Linear {
    pub fn new(slope: DVec3, constant: f64) -> Linear {
        Linear { slope, constant }
    }

    /// The row of a matrix.
    fn row(row: DVec4) -> Linear {
        Linear { slope: row.truncate(), constant: row.w }
    }

    /// `self * a + other * b`.
    pub fn mixed(self, a: f64, other: Linear, b: f64) -> Linear {
        Linear { slope: self.slope * a + other.slope * b, constant: self.constant * a + other.constant * b }
    }

    #[inline]
    pub fn at(&self, point: DVec3) -> f64 {
        self.slope.dot(point) + self.constant
    }

    /// The same function of points of another frame, `point = matrix * other + offset`.
    fn through(&self, matrix: &DMat3, offset: DVec3) -> Linear {
        Linear { slope: matrix.transpose() * self.slope, constant: self.at(offset) }
    }
}

/// Where points are drawn: at `x / w`, `y / w`, where `near` and `far` are not below 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lens {
    pub x: Linear,
    pub y: Linear,
    pub w: Linear,
    pub near: Linear,
    /// `None` where there is no end to it.
    pub far: Option<Linear>,
}

impl Lens {
    /// Of a projection of camera space into a rectangle.
    pub fn of_projection(projection: &DMat4, left_top: [f64; 2], size: [f64; 2], depths: [f64; 2]) -> Lens {
        let [x, y, z, w] = [0, 1, 2, 3].map(|i| Linear::row(projection.row(i)));
        let ([left, top], [width, height]) = (left_top, size);
        let [near, far] = depths;
        let sign = if near < far { 1.0 } else { -1.0 };
        let far = w.mixed(sign * far, z, -sign);
        Lens {
            x: x.mixed(0.5 * width, w, 0.5 * width + left),
            y: y.mixed(-0.5 * height, w, 0.5 * height + top),
            w,
            near: z.mixed(sign, w, -sign * near),
            far: (far.slope != DVec3::ZERO).then_some(far),
        }
    }

    /// The same of points of another frame, `point = matrix * other + offset`.
    pub fn through(&self, matrix: &DMat3, offset: DVec3) -> Lens {
        let [x, y, w, near] = [self.x, self.y, self.w, self.near].map(|map| map.through(matrix, offset));
        Lens { x, y, w, near, far: self.far.map(|far| far.through(matrix, offset)) }
    }

    /// Whether a point lies between both planes.
    pub fn shows(&self, point: DVec3) -> bool {
        self.near.at(point) >= 0.0 && self.far.is_none_or(|far| far.at(point) >= 0.0)
    }
}

impl View {
    /// The view of a camera; its near plane goes through the eye, and there is no far one.
    pub(crate) fn of_camera(camera: Camera, size: [u32; 2]) -> Result<View, PickError> {
        for (what, value) in [("the picture's width", size[0]), ("the picture's height", size[1])] {
            if value == 0 {
                return Err(PickError::Size { what, value: 0.0 });
            }
        }
        let [width, height] = size.map(|side| 0.5 * f64::from(side));
        let scale = height / camera.tan_half_fov();
        let depth = Linear::new(camera.forward(), 0.0);
        let lens = Lens {
            x: Linear::new(camera.right() * scale + camera.forward() * width, 0.0),
            y: Linear::new(camera.forward() * height - camera.up() * scale, 0.0),
            w: depth,
            near: depth,
            far: None,
        };
        let view = View { rays: Rays::Camera { camera, size }, eye: camera.eye(), lens };
        // Whatever is wrong with the camera shows here.
        view.ray([width, height])?;
        Ok(view)
    }

    /// The view of matrices that were checked.
    pub(crate) fn of_matrices(rays: Unprojection, eye: DVec3, lens: Lens) -> View {
        View { rays: Rays::Matrices(rays), eye, lens }
    }

    /// The ray of everything that is drawn at a position in the picture: that of [`Camera::ray`](crate::Camera::ray) or of
    /// [`Viewport::ray`](crate::Viewport::ray).
    ///
    /// # Errors
    /// [`PickError::NonFinite`] for the position, [`PickError::Ray`] where the ray begins beyond 2^100.
    ///
    /// ```
    /// use hitscan::Camera;
    /// let camera = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?;
    /// assert_eq!(camera.view([640, 480])?.ray([12.0, 34.5])?, camera.ray([12.0, 34.5], [640, 480])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray(&self, pixel: [f64; 2]) -> Result<Ray, PickError> {
        match &self.rays {
            Rays::Camera { camera, size } => {
                finite(pixel)?;
                camera.ray(pixel, *size).map_err(PickError::Ray)
            }
            Rays::Matrices(unprojection) => unprojection.ray(pixel),
        }
    }

    /// Where a world point is drawn, in the unit of cursors; `None` before the near plane, at and behind the eye and beyond the far plane, and
    /// for what is NaN, infinite or drawn beyond `f64`. A point beside the picture has a position beside it.
    ///
    /// ```
    /// use hitscan::Camera;
    /// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
    /// assert_eq!(view.project([0.0, 0.0, -9.0]), Some([320.0, 240.0]));
    /// assert_eq!(view.project([0.0, 0.0, 6.0]), None); // behind it
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "world_to_screen")]
    #[doc(alias = "gluProject")]
    pub fn project(&self, point: impl Into<[f64; 3]>) -> Option<[f64; 2]> {
        let to = DVec3::from(point.into()) - self.eye;
        let w = self.lens.w.at(to);
        let shown = w > 0.0 && w < f64::INFINITY && self.lens.shows(to); // false for what is not a number
        let place = [self.lens.x.at(to) / w, self.lens.y.at(to) / w];
        (shown && place.iter().all(|c| c.is_finite())).then_some(place)
    }

    /// A cursor with a radius around it, in the unit of cursors, to pick by.
    ///
    /// # Errors
    /// As [`View::ray`], and [`PickError::Radius`] for one that is below 0 or not a number.
    ///
    /// ```
    /// use hitscan::Camera;
    /// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
    /// assert!(view.aim([320.0, 240.0], 8.0).is_ok());
    /// let error = view.aim([320.0, 240.0], -8.0).unwrap_err();
    /// assert_eq!(error.to_string(), "the radius is -8.0; picking needs 0 or more");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn aim(&self, cursor: [f64; 2], radius: f64) -> Result<Aim, PickError> {
        let ray = self.ray(cursor)?;
        if radius.is_nan() || radius < 0.0 {
            return Err(PickError::Radius { radius });
        }
        Ok(Aim { view: *self, cursor, radius, ray, through: false })
    }

    /// Where points of a frame are drawn.
    pub(crate) fn lens_of(&self, transform: &Transform) -> Lens {
        self.lens.through(&transform.matrix(), transform.offset() - self.eye)
    }
}

impl Camera {
    /// The view of this camera in a picture of `[width, height]` pixels. It begins at the eye and has no end.
    ///
    /// # Errors
    /// [`PickError::Size`] for a picture without pixels, [`PickError::Ray`] where the camera stands beyond 2^100.
    ///
    /// ```
    /// use hitscan::Camera;
    /// let camera = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?;
    /// assert_eq!(camera.view([640, 480])?.ray([9.0, 7.0])?, camera.ray([9.0, 7.0], [640, 480])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn view(&self, size: [u32; 2]) -> Result<View, PickError> {
        View::of_camera(*self, size)
    }
}

/// A cursor with a radius around it: see [`View::aim`].
///
/// ```
/// use hitscan::{Camera, Filter, World, shape::Aabb};
/// let mut world = World::new();
/// let wire = world.insert(Aabb::new([0.5, -9.0, 0.0], [0.501, 9.0, 0.001])?);
/// let scene = world.commit();
/// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 60.0)?.view([640, 480])?;
/// let cursor = [363.0, 200.0];
/// assert!(scene.closest(&view.ray(cursor)?, &Filter::ALL).is_none()); // beside it
/// let picked = scene.pick(&view.aim(cursor, 5.0)?, &Filter::ALL).expect("it is within 5 pixels");
/// assert_eq!(picked.hit.instance, wire);
/// assert!(picked.distance > 1.0 && picked.distance < 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    pub(crate) view: View,
    pub(crate) cursor: [f64; 2],
    pub(crate) radius: f64,
    pub(crate) ray: Ray,
    pub(crate) through: bool,
}

impl Aim {
    /// The same, seeing through everything: what is hidden behind other things is picked too.
    ///
    /// ```
    /// use hitscan::{Camera, Filter, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0, 0.0, 2.0], 1.0)?);
    /// let hidden = world.insert(Sphere::new([0.0; 3], 0.5)?);
    /// let scene = world.commit();
    /// let view = Camera::look_at([0.0, 0.0, 9.0], [0.0; 3], [0.0, 1.0, 0.0], 60.0)?.view([640, 480])?;
    /// let aim = view.aim([320.0, 240.0], 3.0)?;
    /// assert_eq!(scene.pick_all(&aim, &Filter::ALL).len(), 1);
    /// assert_eq!(scene.pick_all(&aim.through(), &Filter::ALL)[1].hit.instance, hidden);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "x-ray")]
    #[must_use]
    pub fn through(mut self) -> Aim {
        self.through = true;
        self
    }

    /// The ray under the cursor.
    ///
    /// ```
    /// use hitscan::Camera;
    /// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
    /// assert_eq!(view.aim([320.0, 240.0], 3.0)?.ray(), &view.ray([320.0, 240.0])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray(&self) -> &Ray {
        &self.ray
    }
}

/// Refuses a position that is not finite.
pub(crate) fn finite(pixel: [f64; 2]) -> Result<(), PickError> {
    for (what, value) in [("the cursor's x", pixel[0]), ("the cursor's y", pixel[1])] {
        if !value.is_finite() {
            return Err(PickError::NonFinite { what, value });
        }
    }
    Ok(())
}
