//! From a cursor and the matrices of a renderer to a ray.
//!
//! The near and the far end of what is drawn under the cursor are two points of clip space. They go back through the
//! inverse of the projection alone, where the camera is the origin and nothing cancels, and only then, as a point and a
//! direction, through the inverse of the view. So a camera far from the origin of coordinates aims as well as any, and
//! a far plane at infinity is a point whose fourth coordinate is 0, which needs no case of its own.

use glam::{DMat3, DMat4, DVec3, DVec4};

use crate::error::PickError;
use crate::ray::Ray;
use crate::shape::plane::{length, unit};
use crate::view::{Lens, View, finite};

/// What clip space calls near and far: the depth, after division by `w`, of both planes. No matrix tells whether its near plane is at 0 or
/// at -1: with the wrong one of these two, rays begin elsewhere on their lines.
///
/// ```
/// use hitscan::DepthRange;
/// assert_eq!(DepthRange::OneToZero.near_and_far(), [1.0, 0.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DepthRange {
    /// 0 is near and 1 is far: Direct3D, WebGPU, Metal, Vulkan.
    #[default]
    ZeroToOne,
    /// -1 is near and 1 is far: OpenGL.
    MinusOneToOne,
    /// 1 is near and 0 is far: reversed depth, often with the far plane at infinity; Bevy's default.
    #[doc(alias = "reversed z")]
    OneToZero,
}

impl DepthRange {
    /// The depth of the near and of the far plane.
    ///
    /// ```
    /// use hitscan::DepthRange;
    /// assert_eq!(DepthRange::MinusOneToOne.near_and_far(), [-1.0, 1.0]);
    /// ```
    pub fn near_and_far(self) -> [f64; 2] {
        match self {
            DepthRange::ZeroToOne => [0.0, 1.0],
            DepthRange::MinusOneToOne => [-1.0, 1.0],
            DepthRange::OneToZero => [1.0, 0.0],
        }
    }
}

/// The rectangle of a window that a scene is drawn into, and what its depths mean.
///
/// ```
/// use hitscan::glam::DVec3;
/// use hitscan::glam::dcamera::rh;
/// use hitscan::{DepthRange, Filter, Mesh, Viewport};
/// let floor = [[-9.0f32, 0.0, -9.0], [9.0, 0.0, -9.0], [9.0, 0.0, 9.0], [-9.0, 0.0, 9.0]];
/// let floor = Mesh::new(floor, [[0u32, 2, 1], [0, 3, 2]])?;
/// let texture = [[0.0f64, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]; // one coordinate pair a vertex
///
/// let view = rh::view::look_at_mat4(DVec3::new(0.0, 5.0, 0.0), DVec3::ZERO, DVec3::NEG_Z);
/// let projection = rh::proj::directx::perspective_infinite_reverse(90f64.to_radians(), 4.0 / 3.0, 0.5);
/// let window = Viewport::new([0.0, 0.0], [640.0, 480.0], DepthRange::OneToZero)?;
/// let ray = window.ray([320.0, 144.0], &view, &projection)?;
/// let hit = floor.closest(&ray, &Filter::ALL).expect("the floor is under the cursor");
/// assert!((hit.position - DVec3::new(0.0, 0.0, -2.0)).length() < 1e-6);
///
/// // The texture coordinates there.
/// let at: [f64; 2] = floor.interpolate(&hit, &texture)?;
/// assert!((at[0] - 0.5).abs() < 1e-6 && (at[1] - 7.0 / 18.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "picking")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    left_top: [f64; 2],
    size: [f64; 2],
    depth: DepthRange,
}

impl Viewport {
    /// The rectangle of `size` (width, height) whose corner at the left and the top is `left_top`, in any unit that cursors
    /// are given in: pixels, or the points of a scaled display.
    ///
    /// # Errors
    /// [`PickError::NonFinite`], and [`PickError::Size`] for a width or height that is not above 0: a minimised window.
    ///
    /// ```
    /// use hitscan::{DepthRange, Viewport};
    /// let minimised = Viewport::new([0.0, 0.0], [0.0, 0.0], DepthRange::ZeroToOne);
    /// assert_eq!(minimised.unwrap_err().to_string(), "the viewport's width is 0.0; a viewport needs sizes above 0");
    /// ```
    pub fn new(left_top: [f64; 2], size: [f64; 2], depth: DepthRange) -> Result<Viewport, PickError> {
        for (what, value) in [
            ("the viewport's left", left_top[0]),
            ("the viewport's top", left_top[1]),
            ("the viewport's width", size[0]),
            ("the viewport's height", size[1]),
        ] {
            if !value.is_finite() {
                return Err(PickError::NonFinite { what, value });
            }
        }
        for (what, value) in [("the viewport's width", size[0]), ("the viewport's height", size[1])] {
            if value <= 0.0 {
                return Err(PickError::Size { what, value });
            }
        }
        Ok(Viewport { left_top, size, depth })
    }

    /// The ray of everything that is drawn under a cursor: it begins on the near plane and ends on the far one, so what is
    /// clipped away is not picked. Its direction has length 1, so `t` is the distance from the near plane.
    ///
    /// `cursor` counts from the window's left top corner, `y` downwards; `(0, 0)` is the outer corner of the first
    /// pixel, whose centre is `(0.5, 0.5)`. A cursor beside the viewport asks beside the picture. `view` takes the
    /// world to the camera, `projection` the camera to clip space, `y` upwards there; perspective and orthographic, left-
    /// and right-handed, finite and infinite, they only have to fit the [`DepthRange`]. (Where Vulkan's `y` points down
    /// in clip space, negate the projection's second row.) Matrices are column-major for
    /// column vectors. Direct3D and XNA write row-major matrices for row vectors, whose 16 numbers in memory are the
    /// same: [`DMat4::from_cols_array`](glam::DMat4::from_cols_array) reads them.
    ///
    /// For matrices in `f64` the ray passes a point that is drawn at the cursor within about `2^-45` of its distance from
    /// the camera, and `2^-50` of the camera's distance from the origin of coordinates; a matrix in `f32` aims as well as `f32` can.
    ///
    /// # Errors
    /// [`PickError::NonFinite`], [`PickError::Singular`] and [`PickError::NotAffine`] name the matrix;
    /// [`PickError::Depth`] says that the projection's near plane is not where the depth range has it; and
    /// [`PickError::Ray`] for a camera beyond 2^100.
    ///
    /// Source: the sample Pick of the DirectX SDK, which knows one projection, the perspective of Direct3D.
    ///
    /// ```
    /// use hitscan::glam::dcamera::lh;
    /// use hitscan::glam::{DMat4, DVec3};
    /// use hitscan::{DepthRange, Viewport};
    /// let view = lh::view::look_at_mat4(DVec3::new(0.0, 0.0, -10.0), DVec3::ZERO, DVec3::Y);
    /// let projection = lh::proj::directx::orthographic(-4.0, 4.0, -3.0, 3.0, 1.0, 21.0);
    /// let window = Viewport::new([0.0, 0.0], [800.0, 600.0], DepthRange::ZeroToOne)?;
    /// let ray = window.ray([600.0, 300.0], &view, &projection)?;
    /// assert_eq!((ray.origin().to_array(), ray.dir().to_array()), ([2.0, 0.0, -9.0], [0.0, 0.0, 1.0]));
    /// assert_eq!(ray.t_max(), 20.0); // the far plane
    /// let flat = window.ray([600.0, 300.0], &DMat4::ZERO, &projection).unwrap_err();
    /// assert_eq!(flat.to_string(), "the view matrix has no inverse; picking needs one that can be undone");
    /// # Ok::<(), hitscan::PickError>(())
    /// ```
    #[doc(alias = "unproject")]
    #[doc(alias = "pick_ray")]
    #[doc(alias = "D3DXVec3Unproject")]
    #[doc(alias = "gluUnProject")]
    #[doc(alias = "screen_to_ray")]
    pub fn ray(&self, cursor: [f64; 2], view: &DMat4, projection: &DMat4) -> Result<Ray, PickError> {
        finite(cursor)?;
        self.unprojection(view, projection)?.ray(cursor)
    }

    /// The view of these matrices: the rays of [`Viewport::ray`], and where points are drawn.
    ///
    /// # Errors
    /// As [`Viewport::ray`].
    ///
    /// ```
    /// use hitscan::glam::DVec3;
    /// use hitscan::glam::dcamera::rh;
    /// use hitscan::{DepthRange, Viewport};
    /// let view = rh::view::look_at_mat4(DVec3::new(0.0, 0.0, 9.0), DVec3::ZERO, DVec3::Y);
    /// let projection = rh::proj::directx::perspective_infinite_reverse(1.0, 4.0 / 3.0, 0.5);
    /// let view = Viewport::new([0.0, 0.0], [640.0, 480.0], DepthRange::OneToZero)?.view(&view, &projection)?;
    /// let pixel = view.project([1.0, 2.0, 3.0]).expect("it is in front of the camera");
    /// let ray = view.ray(pixel)?;
    /// let t = (DVec3::new(1.0, 2.0, 3.0) - ray.origin()).dot(ray.dir());
    /// assert!((ray.at(t) - DVec3::new(1.0, 2.0, 3.0)).length() < 1e-12);
    /// assert_eq!(view.project([0.0, 0.0, 8.6]), None); // before the near plane
    /// # Ok::<(), hitscan::PickError>(())
    /// ```
    pub fn view(&self, view: &DMat4, projection: &DMat4) -> Result<View, PickError> {
        let rays = self.unprojection(view, projection)?;
        // Whatever else is wrong shows in the ray of the middle.
        rays.ray([0, 1].map(|i| self.left_top[i] + 0.5 * self.size[i]))?;
        let eye = rays.from_camera.project_point3(DVec3::ZERO);
        let turn = DMat3::from_mat4(*view * (1.0 / view.w_axis.w));
        let depths = self.depth.near_and_far();
        let lens = Lens::of_projection(projection, self.left_top, self.size, depths);
        Ok(View::of_matrices(rays, eye, lens.through(&turn, DVec3::ZERO)))
    }

    /// The way back through both matrices.
    fn unprojection(&self, view: &DMat4, projection: &DMat4) -> Result<Unprojection, PickError> {
        let from_clip = inverse(projection, "projection")?;
        let from_camera = inverse(view, "view")?;
        // The inverse of a placement in `f32` has some 0.9999999 for the 1.
        let last = view.row(3);
        if last.truncate() != DVec3::ZERO || last.w <= 0.0 {
            return Err(PickError::NotAffine);
        }
        Ok(Unprojection { viewport: *self, from_clip, from_camera, scale: last.w })
    }
}

/// The way from a cursor back through the matrices that draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unprojection {
    viewport: Viewport,
    from_clip: DMat4,
    from_camera: DMat4,
    /// The last entry of the view.
    scale: f64,
}

impl Unprojection {
    /// As [`Viewport::ray`].
    pub fn ray(&self, cursor: [f64; 2]) -> Result<Ray, PickError> {
        finite(cursor)?;
        let Unprojection { viewport: Viewport { left_top, size, depth }, from_clip, from_camera, scale } =
            self;
        let [x, y] = [0, 1].map(|i| (cursor[i] - left_top[i]) / size[i] * 2.0 - 1.0);
        let [near_z, far_z] = depth.near_and_far();
        let near = from_clip * DVec4::new(x, -y, near_z, 1.0);
        let far = from_clip * DVec4::new(x, -y, far_z, 1.0);
        // The fourth coordinate is the reciprocal of a depth: the nearer the larger, and 0 at infinity.
        if !(near.w > 0.0 && near.w >= far.w) {
            return Err(PickError::Depth { near: near_z, w: near.w });
        }
        // `far / far.w - near / near.w`, times both, in a form that does not subtract two points that may be one but for
        // their last digits.
        let step = from_clip.z_axis * (far_z - near_z);
        let along = step.truncate() * near.w - near.truncate() * step.w;
        let along = from_camera.transform_vector3(along) * *scale;
        let origin = from_camera.project_point3(near.truncate() / near.w);
        let dir = unit(along).unwrap_or(DVec3::ZERO); // which `Ray` refuses
        let reach = if far.w > 0.0 { length(along) / (far.w * near.w) } else { f64::INFINITY };
        Ray::new(origin, dir).and_then(|ray| ray.with_range(0.0, reach)).map_err(PickError::Ray)
    }
}

/// How far the product of a matrix and its inverse may be from the identity. A sound camera is off by some rounding
/// errors times the ratio of its scales, a singular one by about 1. A view's last column is left out: that a camera stands
/// somewhere can be undone wherever it is, and there the rounding grows with its distance from the origin of coordinates.
const UNDONE: f64 = 1.0 / 1024.0;

fn inverse(matrix: &DMat4, which: &'static str) -> Result<DMat4, PickError> {
    if !matrix.is_finite() {
        let entries = matrix.to_cols_array();
        let value = entries.into_iter().find(|entry| !entry.is_finite()).unwrap_or_default();
        let what = if which == "view" { "the view matrix" } else { "the projection matrix" };
        return Err(PickError::NonFinite { what, value });
    }
    let singular = PickError::Singular { which };
    if matrix.determinant() == 0.0 {
        return Err(singular);
    }
    let inverse = matrix.inverse();
    let mut undone = *matrix * inverse;
    if which == "view" {
        undone.w_axis = DVec4::W * undone.w_axis.w;
    }
    // False for what is not a number.
    let is_undone = inverse.is_finite() && undone.abs_diff_eq(DMat4::IDENTITY, UNDONE);
    if is_undone { Ok(inverse) } else { Err(singular) }
}
