//! From a pixel to a ray.

use glam::DVec3;

use crate::error::{CameraError, RayError};
use crate::frame::LEAST;
use crate::ray::Ray;
use crate::shape::plane::sized;

/// A pinhole camera: where it stands, where it looks, how wide.
///
/// Where a renderer has its own matrices, [`Viewport::ray`](crate::Viewport::ray) takes those; what picks and selects takes a
/// [`View`](crate::View), which either of both makes.
///
/// Elementary functions come from `libm`, so every platform makes the same rays.
///
/// ```
/// use hitscan::Camera;
/// let camera = Camera::look_at([0.0, 0.0, 5.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0], 90.0).unwrap();
/// let ray = camera.ray([320.0, 240.0], [640, 480]).unwrap(); // the middle of the picture
/// assert_eq!(ray.dir().to_array(), [0.0, 0.0, -1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    eye: DVec3,
    forward: DVec3,
    right: DVec3,
    up: DVec3,
    tan_half: f64,
}

/// The tangent of half a field of view, 2^-992, below which the highest picture is farther away than `f64` goes, in pixels.
const NARROWEST: f64 = (1u64 << 32) as f64 / f64::MAX;

/// The sine of the angle between forward and up, 2^-6 or about a degree, below which rounding turns what is to the right by too much.
const SLANT: f64 = 1.0 / 64.0;

impl Camera {
    /// A camera at `eye` that looks along `forward`, with `up` upwards in the picture and a vertical field
    /// of view in degrees.
    ///
    /// # Errors
    /// Numbers that are not finite, `forward` and `up` zero or on one line but for an angle of 2^-40, a field of view outside
    /// (0, 180) or below some 3e-297. Both vectors may have any length.
    ///
    /// ```
    /// use hitscan::{Camera, CameraError};
    /// let along_up = Camera::new([0.0; 3], [0.01, 0.03, 0.09], [1.0, 3.0, 9.0], 60.0);
    /// assert_eq!(along_up, Err(CameraError::NoDirection));
    /// ```
    pub fn new(
        eye: impl Into<[f64; 3]>,
        forward: impl Into<[f64; 3]>,
        up: impl Into<[f64; 3]>,
        fov_y_degrees: f64,
    ) -> Result<Camera, CameraError> {
        let [eye, forward, up] = [eye.into(), forward.into(), up.into()].map(DVec3::from);
        for (what, finite) in [
            ("eye", eye.is_finite()),
            ("forward", forward.is_finite()),
            ("up", up.is_finite()),
            ("field of view", fov_y_degrees.is_finite()),
        ] {
            if !finite {
                return Err(CameraError::NonFinite { what });
            }
        }
        let tan_half = libm::tan(fov_y_degrees.to_radians() * 0.5);
        if !(fov_y_degrees > 0.0 && fov_y_degrees < 180.0 && tan_half > NARROWEST) {
            return Err(CameraError::FieldOfView { degrees: fov_y_degrees });
        }
        let unit = |v: DVec3| sized(v).try_normalize().ok_or(CameraError::NoDirection);
        let forward = unit(forward)?;
        let across = forward.cross(unit(up)?);
        let sine = across.length();
        if sine < LEAST {
            return Err(CameraError::NoDirection);
        }
        let mut right = unit(across)?;
        if sine < SLANT {
            // What cancelled left its rounding behind, some of it along forward.
            right = unit(right - forward * forward.dot(right))?;
        }
        let up = right.cross(forward);
        Ok(Camera { eye, forward, right, up, tan_half })
    }

    /// The same, looking at a point.
    ///
    /// # Errors
    /// As [`Camera::new`].
    ///
    /// ```
    /// use hitscan::Camera;
    /// let camera = Camera::look_at([1.0, 0.0, 5.0], [1.0, 0.0, -3.0], [0.0, 1.0, 0.0], 60.0)?;
    /// assert_eq!(camera, Camera::new([1.0, 0.0, 5.0], [0.0, 0.0, -8.0], [0.0, 1.0, 0.0], 60.0)?);
    /// assert!(Camera::look_at([1.0; 3], [1.0; 3], [0.0, 1.0, 0.0], 60.0).is_err());
    /// let lost = Camera::look_at([1.0; 3], [0.0, f64::NAN, 0.0], [0.0, 1.0, 0.0], 60.0).unwrap_err();
    /// assert_eq!(lost.to_string(), "the camera's target is not finite; a camera needs finite numbers");
    /// # Ok::<(), hitscan::CameraError>(())
    /// ```
    pub fn look_at(
        eye: impl Into<[f64; 3]>,
        target: impl Into<[f64; 3]>,
        up: impl Into<[f64; 3]>,
        fov_y_degrees: f64,
    ) -> Result<Camera, CameraError> {
        let (eye, target) = (DVec3::from(eye.into()), DVec3::from(target.into()));
        if !target.is_finite() {
            return Err(CameraError::NonFinite { what: "target" });
        }
        Camera::new(eye, target - eye, up, fov_y_degrees)
    }

    /// A camera of what [`eye`](Self::eye), [`forward`](Self::forward), [`right`](Self::right), [`up`](Self::up) and
    /// [`tan_half_fov`](Self::tan_half_fov) say of it, taken as they are, so that its rays have the same bits. `axes` are forward,
    /// right and up.
    ///
    /// # Errors
    /// Numbers that are not finite, axes that are not at right angles and of length 1 but for 1e-9, a field of view as in [`Camera::new`].
    ///
    /// ```
    /// use hitscan::Camera;
    /// let camera = Camera::new([0.0; 3], [1.0, -2.0, 0.3], [0.0, 1.0, 0.0], 50.0)?;
    /// let axes = [camera.forward(), camera.right(), camera.up()];
    /// assert_eq!(Camera::from_axes(camera.eye(), axes, camera.tan_half_fov())?, camera);
    /// assert!(Camera::from_axes(camera.eye(), [axes[0]; 3], 1.0).is_err());
    /// # Ok::<(), hitscan::CameraError>(())
    /// ```
    pub fn from_axes<A: Into<[f64; 3]>>(
        eye: impl Into<[f64; 3]>,
        axes: [A; 3],
        tan_half_fov: f64,
    ) -> Result<Camera, CameraError> {
        let (eye, [forward, right, up]) =
            (DVec3::from(eye.into()), axes.map(|axis| DVec3::from(axis.into())));
        let named = [("eye", eye), ("forward", forward), ("right", right), ("up", up)];
        if let Some((what, _)) = named.into_iter().find(|(_, v)| !v.is_finite()) {
            return Err(CameraError::NonFinite { what });
        }
        let is = |dot: f64, expected: f64| (dot - expected).abs() <= 1e-9;
        let units = [forward, right, up].into_iter().all(|axis| is(axis.length_squared(), 1.0));
        if !(units && is(forward.dot(right), 0.0) && is(forward.dot(up), 0.0) && is(right.dot(up), 0.0)) {
            return Err(CameraError::NoDirection);
        }
        if !(tan_half_fov > NARROWEST && tan_half_fov.is_finite()) {
            return Err(CameraError::FieldOfView { degrees: 2.0 * libm::atan(tan_half_fov).to_degrees() });
        }
        Ok(Camera { eye, forward, right, up, tan_half: tan_half_fov })
    }

    /// Where it stands.
    ///
    /// ```
    /// let camera = hitscan::Camera::look_at([1.0, 2.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 60.0)?;
    /// assert_eq!(camera.eye().to_array(), [1.0, 2.0, 5.0]);
    /// # Ok::<(), hitscan::CameraError>(())
    /// ```
    pub fn eye(&self) -> DVec3 {
        self.eye
    }

    /// Unit vector of the line of sight.
    ///
    /// ```
    /// let camera = hitscan::Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 60.0)?;
    /// assert_eq!(camera.forward().to_array(), [0.0, 0.0, -1.0]);
    /// # Ok::<(), hitscan::CameraError>(())
    /// ```
    pub fn forward(&self) -> DVec3 {
        self.forward
    }

    /// Unit vector to the right of the picture.
    ///
    /// ```
    /// let camera = hitscan::Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 60.0)?;
    /// assert_eq!(camera.right().to_array(), [1.0, 0.0, 0.0]);
    /// # Ok::<(), hitscan::CameraError>(())
    /// ```
    pub fn right(&self) -> DVec3 {
        self.right
    }

    /// Unit vector to the top of the picture.
    ///
    /// ```
    /// let camera = hitscan::Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 9.0, 9.0], 60.0)?;
    /// assert_eq!(camera.up().to_array(), [0.0, 1.0, 0.0]); // at a right angle to the line of sight
    /// # Ok::<(), hitscan::CameraError>(())
    /// ```
    pub fn up(&self) -> DVec3 {
        self.up
    }

    /// Tangent of half the vertical field of view.
    ///
    /// ```
    /// let camera = hitscan::Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?;
    /// assert!((camera.tan_half_fov() - 1.0).abs() < 1e-15);
    /// # Ok::<(), hitscan::CameraError>(())
    /// ```
    pub fn tan_half_fov(&self) -> f64 {
        self.tan_half
    }

    /// The ray through a position in a picture of `[width, height]` pixels. `(0, 0)` is the outer corner of
    /// the top left pixel, whose centre is `(0.5, 0.5)`. The direction has a forward component of 1, so `t`
    /// is the depth along the line of sight.
    ///
    /// # Errors
    /// A position that is not finite, named `pixel x` or `pixel y`, a picture without pixels, and all that [`Ray::new`] refuses, where the
    /// camera stands beyond 2^100.
    ///
    /// ```
    /// use hitscan::Camera;
    /// let camera = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?;
    /// let ray = camera.ray([320.0, 0.0], [640, 480])?; // the middle of the upper edge
    /// assert!((ray.dir().y - 1.0).abs() < 1e-15 && ray.dir().z == -1.0);
    /// assert_eq!(camera.ray([0.5, f64::NAN], [640, 480]).unwrap_err().to_string(), "pixel y is NaN; a ray needs finite numbers");
    /// let error = camera.ray([0.5, 0.5], [640, 0]).unwrap_err();
    /// assert_eq!(error.to_string(), "the picture has 640 x 0 pixels; a ray needs a picture to go through");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray(&self, pixel: [f64; 2], size: [u32; 2]) -> Result<Ray, RayError> {
        if size.contains(&0) {
            return Err(RayError::NoPicture { size });
        }
        for (field, value) in ["pixel x", "pixel y"].into_iter().zip(pixel) {
            if !value.is_finite() {
                return Err(RayError::NonFinite { field, value });
            }
        }
        let [width, height] = size.map(f64::from);
        let x = (2.0 * pixel[0] - width) / height * self.tan_half;
        let y = (height - 2.0 * pixel[1]) / height * self.tan_half;
        Ray::new(self.eye, self.forward + self.right * x + self.up * y)
    }

    /// Where a world point appears in such a picture, with its depth along the line of sight (the inverse
    /// of [`Camera::ray`]); `None` at or behind the eye, in a picture without pixels, and where the point is none, or its place in the
    /// picture: NaN, infinite or beyond `f64`.
    ///
    /// ```
    /// use hitscan::Camera;
    /// let camera = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?;
    /// assert_eq!(camera.project([0.0, 0.0, -3.0], [640, 480]), Some(([320.0, 240.0], 8.0)));
    /// assert_eq!(camera.project([0.0, 0.0, 6.0], [640, 480]), None); // behind the eye
    /// assert_eq!(camera.project([0.0, 0.0, -3.0], [640, 0]), None); // nowhere to be
    /// # Ok::<(), hitscan::CameraError>(())
    /// ```
    pub fn project(&self, point: impl Into<[f64; 3]>, size: [u32; 2]) -> Option<([f64; 2], f64)> {
        let to = DVec3::from(point.into()) - self.eye;
        let depth = to.dot(self.forward);
        // False for what is not a number.
        if !(depth > 0.0 && depth < f64::INFINITY) || size.contains(&0) {
            return None;
        }
        let [width, height] = size.map(f64::from);
        let scale = 0.5 * height / (self.tan_half * depth);
        let place = [0.5 * width + to.dot(self.right) * scale, 0.5 * height - to.dot(self.up) * scale];
        place.iter().all(|c| c.is_finite()).then_some((place, depth))
    }
}
