//! Where an instance stands: an invertible affine map from mesh space to world space, in `f64`.

use glam::{Affine3A, DAffine3, DMat3, DMat4, DVec3, Mat4};

use crate::error::{RayError, TransformError};
use crate::ray::{MAX_COORDINATE, Ray};

/// An invertible affine map `world = M * local + T`, with its inverse, in `f64`.
///
/// Mirrored, sheared and unevenly scaled maps are all allowed.
///
/// The inverse is the adjugate over the determinant, each a fixed sequence of `f64` operations, since the
/// bits of a hit depend on it.
///
/// ```
/// use hitscan::{Transform, TransformError};
/// let t = Transform::translation([10.0, 0.0, 0.0]).unwrap();
/// assert_eq!(t.point([1.0, 2.0, 3.0]).to_array(), [11.0, 2.0, 3.0]);
/// let flat = glam::DMat3::from_diagonal(glam::DVec3::new(1.0, 1.0, 0.0));
/// assert!(matches!(Transform::new(flat, [0.0; 3]), Err(TransformError::Singular { .. })));
/// # use hitscan::glam;
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Rows of M.
    matrix: [[f64; 3]; 3],
    translation: [f64; 3],
    /// Rows of the inverse of M.
    inverse: [[f64; 3]; 3],
    mirrored: bool,
    /// How far `M * (inv(M) * v)` may be from `v`, for `v` of size 1.
    round_trip: f64,
}

/// Rounding of one `f64` operation, with room for the eleven that an entry into a mesh takes: 2^-49.
pub(crate) const ROUNDING: f64 = 1.0 / (1u64 << 49) as f64;

/// Largest accepted `round_trip`. Well below 1, a ray that enters a mesh keeps its direction, and the bound on
/// how far it may stray holds.
const MAX_ROUND_TRIP: f64 = 0.25;

/// One coordinate of each of sixteen points or directions.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Wide(pub [f64; 16]);

impl Transform {
    /// The map that changes nothing.
    ///
    /// ```
    /// let here = hitscan::Transform::IDENTITY.point([1.0, 2.0, 3.0]);
    /// assert_eq!(here.to_array(), [1.0, 2.0, 3.0]);
    /// ```
    pub const IDENTITY: Transform = Transform {
        matrix: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        translation: [0.0; 3],
        inverse: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        mirrored: false,
        round_trip: ROUNDING,
    };

    /// `world = matrix * local + translation`.
    ///
    /// # Errors
    /// Entries that are not finite or exceed 2^100, and matrices that `f64` cannot invert: without an inverse of such
    /// entries, or with one that does not lead back. That befalls turned and sheared matrices from a condition of some 2^46 on;
    /// uneven scales along the axes may be of any.
    ///
    /// ```
    /// use hitscan::{Transform, TransformError, glam::{DMat3, DVec3}};
    /// let turned = DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z); // a quarter turn around z
    /// let placed = Transform::new(turned, [10.0, 0.0, 0.0])?;
    /// assert_eq!(placed.point([2.0, 0.0, 0.0]).to_array(), [10.0, 2.0, 0.0]);
    /// let flat = DMat3::from_diagonal([1.0, 0.0, 1.0].into());
    /// assert_eq!(Transform::new(flat, [0.0; 3]), Err(TransformError::Singular { determinant: 0.0 }));
    /// # Ok::<(), hitscan::TransformError>(())
    /// ```
    pub fn new(matrix: DMat3, translation: impl Into<[f64; 3]>) -> Result<Transform, TransformError> {
        let t = translation.into();
        let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|c| c.to_array());
        let m: [[f64; 3]; 3] =
            core::array::from_fn(|row| core::array::from_fn(|column| columns[column][row]));
        let in_range = |v: f64| v.abs() <= MAX_COORDINATE; // false for NaN
        for row in 0..3 {
            for (column, value) in [m[row][0], m[row][1], m[row][2], t[row]].into_iter().enumerate() {
                if !in_range(value) {
                    return Err(TransformError::OutOfRange { row, column, value });
                }
            }
        }
        // Cofactors by cyclic indices carry their own sign; row 0 of them expands the determinant.
        let cofactor = |i: usize, j: usize| {
            let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1]
        };
        let determinant = (m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1)) + m[0][2] * cofactor(0, 2);
        let inverse: [[f64; 3]; 3] =
            core::array::from_fn(|i| core::array::from_fn(|j| cofactor(j, i) / determinant));
        if determinant == 0.0 || !inverse.iter().flatten().all(|&v| in_range(v)) {
            return Err(TransformError::Singular { determinant });
        }
        let round_trip = round_trip(&m, &inverse);
        if round_trip > MAX_ROUND_TRIP {
            return Err(TransformError::Singular { determinant });
        }
        Ok(Transform { matrix: m, translation: t, inverse, mirrored: determinant < 0.0, round_trip })
    }

    /// A pure translation.
    ///
    /// # Errors
    /// As [`Transform::new`].
    ///
    /// ```
    /// let moved = hitscan::Transform::translation([0.0, 0.0, 6.4e6])?;
    /// assert_eq!(moved.point([1.0, 2.0, 3.0]).to_array(), [1.0, 2.0, 6.4e6 + 3.0]);
    /// # Ok::<(), hitscan::TransformError>(())
    /// ```
    pub fn translation(by: impl Into<[f64; 3]>) -> Result<Transform, TransformError> {
        Transform::new(DMat3::IDENTITY, by)
    }

    /// The matrix M.
    ///
    /// ```
    /// use hitscan::{Transform, glam::{DMat3, DVec3}};
    /// let turned = DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z); // a quarter turn around z
    /// assert_eq!(Transform::new(turned, [1.0; 3])?.matrix(), turned);
    /// # Ok::<(), hitscan::TransformError>(())
    /// ```
    pub fn matrix(&self) -> DMat3 {
        from_rows(&self.matrix)
    }

    /// The inverse of M.
    ///
    /// ```
    /// use hitscan::{Transform, glam::{DMat3, DVec3}};
    /// let turned = DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z); // a quarter turn around z
    /// assert_eq!(Transform::new(turned * 2.0, [1.0; 3])?.inverse() * DVec3::Y, DVec3::X * 0.5);
    /// # Ok::<(), hitscan::TransformError>(())
    /// ```
    pub fn inverse(&self) -> DMat3 {
        from_rows(&self.inverse)
    }

    /// The translation T.
    ///
    /// ```
    /// let moved = hitscan::Transform::translation([1.0, 2.0, 3.0])?;
    /// assert_eq!(moved.offset().to_array(), [1.0, 2.0, 3.0]);
    /// # Ok::<(), hitscan::TransformError>(())
    /// ```
    pub fn offset(&self) -> DVec3 {
        self.translation.into()
    }

    /// Rows of M.
    pub(crate) fn rows(&self) -> &[[f64; 3]; 3] {
        &self.matrix
    }

    /// Rows of the inverse of M.
    pub(crate) fn inverse_rows(&self) -> &[[f64; 3]; 3] {
        &self.inverse
    }

    /// Whether directions become the same on every bit.
    #[inline(always)]
    pub(crate) fn turns_like(&self, other: &Transform) -> bool {
        let (a, b) = (self.inverse.as_flattened(), other.inverse.as_flattened());
        let mut differ = 0;
        for i in 0..9 {
            differ |= a[i].to_bits() ^ b[i].to_bits();
        }
        differ == 0
    }

    /// Whether rays become the same on every bit.
    pub(crate) fn enters_like(&self, other: &Transform) -> bool {
        self.translation.map(f64::to_bits) == other.translation.map(f64::to_bits) && self.turns_like(other)
    }

    /// How far an entry into a mesh may be off in world space, for one unit of distance between shooter and mesh.
    pub(crate) fn round_trip(&self) -> f64 {
        self.round_trip
    }

    /// Whether the map turns left hands into right hands.
    ///
    /// ```
    /// use hitscan::{Transform, glam::DMat3};
    /// let scaled = |x: f64| Transform::new(DMat3::from_diagonal([x, 1.0, 1.0].into()), [0.0; 3]);
    /// assert!(scaled(-1.0)?.mirrored() && !scaled(2.0)?.mirrored());
    /// # Ok::<(), hitscan::TransformError>(())
    /// ```
    pub fn mirrored(&self) -> bool {
        self.mirrored
    }

    /// A local point in world space.
    ///
    /// ```
    /// use hitscan::{Transform, glam::{DMat3, DVec3}};
    /// let turned = DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z); // a quarter turn around z
    /// assert_eq!(Transform::new(turned, [0.0, 0.0, 5.0])?.point([1.0, 0.0, 0.0]).to_array(), [0.0, 1.0, 5.0]);
    /// # Ok::<(), hitscan::TransformError>(())
    /// ```
    pub fn point(&self, local: impl Into<[f64; 3]>) -> DVec3 {
        let p = mul(&self.matrix, local.into());
        DVec3::new(p[0] + self.translation[0], p[1] + self.translation[1], p[2] + self.translation[2])
    }

    /// A local ray in world space, with its range: `t` means the same on both. For sensors that move with their rays.
    ///
    /// # Errors
    /// As [`Ray::new`], where the ray ends up beyond what one may be.
    ///
    /// ```
    /// use hitscan::{Ray, Transform};
    /// let beam = Ray::new([0.0, 0.5, 0.0], [1.0, 0.0, 0.0])?.with_range(0.5, 80.0)?;
    /// let turned = glam::DMat3::from_cols([0.0, 1.0, 0.0].into(), [-1.0, 0.0, 0.0].into(), [0.0, 0.0, 1.0].into());
    /// let beam = Transform::new(turned, [10.0, 0.0, 0.0])?.ray(&beam)?;
    /// assert_eq!((beam.origin().to_array(), beam.dir().to_array()), ([9.5, 0.0, 0.0], [0.0, 1.0, 0.0]));
    /// assert_eq!((beam.t_min(), beam.t_max()), (0.5, 80.0));
    /// # use hitscan::glam;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray(&self, local: &Ray) -> Result<Ray, RayError> {
        let dir = mul(&self.matrix, local.dir().to_array());
        Ray::new(self.point(local.origin()), dir)?.with_range(local.t_min(), local.t_max())
    }

    /// A world point in local space, such as where a hit lies on what moves: `inv(M) * (p - T)`.
    ///
    /// ```
    /// use hitscan::{Transform, glam::DMat3};
    /// let place = Transform::new(DMat3::from_diagonal([2.0, 1.0, 4.0].into()), [0.0, 0.0, 5.0])?;
    /// assert_eq!(place.local_point([1.0, 0.0, 9.0]).to_array(), [0.5, 0.0, 1.0]);
    /// assert_eq!(place.point(place.local_point([1.0, 0.0, 9.0])).to_array(), [1.0, 0.0, 9.0]);
    /// # Ok::<(), hitscan::TransformError>(())
    /// ```
    pub fn local_point(&self, world: impl Into<[f64; 3]>) -> DVec3 {
        self.inverse_point(world.into()).into()
    }

    /// A world direction in local space: `inv(M) * d`.
    ///
    /// ```
    /// use hitscan::{Transform, glam::DMat3};
    /// let place = Transform::new(DMat3::from_diagonal([2.0, 1.0, 4.0].into()), [0.0, 0.0, 5.0])?;
    /// assert_eq!(place.local_vector([1.0, 0.0, 4.0]).to_array(), [0.5, 0.0, 1.0]);
    /// # Ok::<(), hitscan::TransformError>(())
    /// ```
    pub fn local_vector(&self, world: impl Into<[f64; 3]>) -> DVec3 {
        self.inverse_vector(world.into()).into()
    }

    /// [`Transform::local_point`], of plain numbers.
    pub(crate) fn inverse_point(&self, p: [f64; 3]) -> [f64; 3] {
        let t = &self.translation;
        mul(&self.inverse, [p[0] - t[0], p[1] - t[1], p[2] - t[2]])
    }

    /// [`Transform::local_vector`], likewise.
    pub(crate) fn inverse_vector(&self, d: [f64; 3]) -> [f64; 3] {
        mul(&self.inverse, d)
    }

    /// [`Transform::inverse_point`] of sixteen, each coordinate of all side by side.
    #[inline(always)]
    pub(crate) fn inverse_points(&self, p: &[Wide; 3]) -> [Wide; 3] {
        let mut relative = *p;
        for (row, t) in relative.iter_mut().zip(self.translation) {
            row.0.iter_mut().for_each(|c| *c -= t);
        }
        self.inverse_vectors(&relative)
    }

    /// [`Transform::inverse_vector`], likewise.
    #[inline(always)]
    pub(crate) fn inverse_vectors(&self, [x, y, z]: &[Wide; 3]) -> [Wide; 3] {
        let mut moved = [Wide([0.0; 16]); 3];
        for (row, [a, b, c]) in moved.iter_mut().zip(self.inverse) {
            for i in 0..16 {
                row.0[i] = (a * x.0[i] + b * y.0[i]) + c * z.0[i];
            }
        }
        moved
    }

    /// The direction in world space of a local normal, by the inverse transpose, turned so that
    /// counter-clockwise winding in world space keeps its meaning. Not of unit length.
    pub(crate) fn normal(&self, n: [f64; 3]) -> DVec3 {
        let world = self.outward(n);
        if self.mirrored { -world } else { world }
    }

    /// The direction in world space of a normal that points out of something, by the inverse transpose. Not of unit length.
    pub(crate) fn outward(&self, n: [f64; 3]) -> DVec3 {
        let i = &self.inverse;
        let sum = |c: usize| (i[0][c] * n[0] + i[1][c] * n[1]) + i[2][c] * n[2];
        DVec3::new(sum(0), sum(1), sum(2))
    }
}

impl Default for Transform {
    fn default() -> Self {
        Transform::IDENTITY
    }
}

impl TryFrom<DAffine3> for Transform {
    type Error = TransformError;
    fn try_from(affine: DAffine3) -> Result<Self, TransformError> {
        Transform::new(affine.matrix3, affine.translation)
    }
}

impl TryFrom<Affine3A> for Transform {
    type Error = TransformError;
    fn try_from(affine: Affine3A) -> Result<Self, TransformError> {
        Transform::new(affine.matrix3.as_dmat3(), affine.translation.as_dvec3())
    }
}

impl TryFrom<DMat4> for Transform {
    type Error = TransformError;
    /// Of a matrix that takes column vectors, whose last row is 0, 0, 0, 1.
    fn try_from(matrix: DMat4) -> Result<Self, TransformError> {
        let last = matrix.row(3).to_array();
        if last != [0.0, 0.0, 0.0, 1.0] {
            return Err(TransformError::NotAffine { last });
        }
        Transform::new(DMat3::from_mat4(matrix), matrix.w_axis.truncate())
    }
}

impl TryFrom<Mat4> for Transform {
    type Error = TransformError;
    /// As from a [`DMat4`], which takes each `f32` exactly.
    fn try_from(matrix: Mat4) -> Result<Self, TransformError> {
        matrix.as_dmat4().try_into()
    }
}

impl From<Transform> for DAffine3 {
    fn from(transform: Transform) -> DAffine3 {
        DAffine3 { matrix3: transform.matrix(), translation: transform.offset() }
    }
}

fn from_rows([x, y, z]: &[[f64; 3]; 3]) -> DMat3 {
    DMat3::from_cols_array_2d(&[*x, *y, *z]).transpose()
}

/// How far `m * (inverse * v)` may be from `v`, for `v` of size 1: the residual of the computed inverse, with room for
/// what the way there and back doubles, and the rounding of the products.
fn round_trip(m: &[[f64; 3]; 3], inverse: &[[f64; 3]; 3]) -> f64 {
    let mut most = 0.0f64;
    for i in 0..3 {
        let mut row = 0.0;
        for j in 0..3 {
            let (mut sum, mut size) = (0.0, 0.0);
            for k in 0..3 {
                sum += m[i][k] * inverse[k][j];
                size += (m[i][k] * inverse[k][j]).abs();
            }
            row += 4.0 * (sum - f64::from(u8::from(i == j))).abs() + ROUNDING * size;
        }
        most = most.max(row);
    }
    most
}

/// `m * v`, each row summed from the left.
fn mul(m: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    core::array::from_fn(|row| (m[row][0] * v[0] + m[row][1] * v[1]) + m[row][2] * v[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn affine_matrices_of_any_kind_are_placements_and_others_are_refused() {
        let place = DAffine3::from_cols_array(&[0.0, 2.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.5, 3.0, 7.0, 8.0, 9.0]);
        let expected = Transform::try_from(place);
        assert!(expected.is_ok());
        assert_eq!(Transform::try_from(DMat4::from(place)), expected);
        assert_eq!(Transform::try_from(place.as_affine3a()), expected);
        assert_eq!(Transform::try_from(DMat4::from(place).as_mat4()), expected);
        let error = Transform::try_from(DMat4::from(place).transpose()).unwrap_err();
        assert!(matches!(error, TransformError::NotAffine { last: [7.0, 8.0, 9.0, 1.0] }), "{error}");
        let nan = DMat4::from_cols_array(&[f64::NAN; 16]);
        assert!(matches!(Transform::try_from(nan), Err(TransformError::NotAffine { .. })));
    }

    #[test]
    fn what_f64_cannot_invert_is_refused() {
        // Of condition 1e16: the inverse of one of its directions would come out as zero.
        let columns = [
            [-0.9999999998826601, -0.874992248580376, 0.21186878505709306],
            [0.9166551843907023, 0.047244988644433494, 0.9272559894694943],
            [0.23478276734917936, -0.20838766684935164, 0.5650861455122184],
        ];
        let near = Transform::new(DMat3::from_cols_array_2d(&columns), [0.0; 3]);
        assert!(matches!(near, Err(TransformError::Singular { .. })), "{near:?}");
        let uneven = Transform::new(DMat3::from_diagonal(DVec3::new(1e-9, 1.0, 1e9)), [0.0; 3]);
        assert!(uneven.is_ok(), "uneven scales are not close to singular");
    }

    #[test]
    fn the_identity_is_what_its_matrix_makes() {
        assert_eq!(Transform::new(DMat3::IDENTITY, [0.0; 3]), Ok(Transform::IDENTITY));
    }
}
