//! Collision matrices that follow their object: `N W^-1` for a placement `W`, without a look at the corners.

use glam::DVec3;

use super::{CollisionError, CollisionMatrix, MAX_ENTRY};
use crate::ray::MAX_COORDINATE;
use crate::transform::Transform;

/// How far the columns of a rigid motion may be from unit vectors at right angles.
const RIGID: f64 = 1.0 / (1u64 << 40) as f64;

/// Largest entry of the third row, which starts between 1/2 and 1 and grows by the inverse of a placement: 2^102.
const MAX_HEIGHT: f64 = 4.0 * MAX_COORDINATE;

/// A placement as collision matrices take it.
#[derive(Clone, Copy)]
pub(super) struct Motion {
    /// Rows of the inverse of `W`, or of its transpose.
    inverse: [[f64; 3]; 3],
    matrix: [[f64; 3]; 3],
    offset: [f64; 3],
    /// -1 for a mirrored placement, which turns front into back.
    sign: f64,
}

impl Motion {
    pub fn general(by: &Transform) -> Motion {
        let sign = if by.mirrored() { -1.0 } else { 1.0 };
        Motion { inverse: *by.inverse_rows(), matrix: *by.rows(), offset: by.offset().to_array(), sign }
    }

    pub fn rigid(by: &Transform) -> Result<Motion, CollisionError> {
        let columns = by.matrix().to_cols_array_2d();
        for first in 0..3 {
            for second in first..3 {
                let dot = DVec3::from(columns[first]).dot(columns[second].into());
                let expected = if first == second { 1.0 } else { 0.0 };
                if (dot - expected).abs() > RIGID {
                    return Err(CollisionError::NotRigid { first, second, dot });
                }
            }
        }
        Ok(Motion { inverse: columns, ..Motion::general(by) })
    }

    /// The rows and the anchor of a triangle that was moved.
    #[inline(always)]
    pub fn apply(&self, rows: [[f64; 3]; 3], anchor: [f64; 3]) -> ([[f64; 3]; 3], [f64; 3]) {
        let [x, y, z] = rows.map(|row| {
            let entry = |i: usize| {
                (row[0] * self.inverse[0][i] + row[1] * self.inverse[1][i]) + row[2] * self.inverse[2][i]
            };
            [entry(0), entry(1), entry(2)]
        });
        let coordinate = |i: usize| {
            let m = &self.matrix[i];
            ((m[0] * anchor[0] + m[1] * anchor[1]) + m[2] * anchor[2]) + self.offset[i]
        };
        ([x, y, z.map(|entry| entry * self.sign)], [coordinate(0), coordinate(1), coordinate(2)])
    }
}

/// Whether the numbers of a moved triangle are such that no query can overflow.
#[inline(always)]
pub(super) fn in_range(rows: [[f64; 3]; 3], anchor: [f64; 3]) -> bool {
    // Comparisons are false for what is not a number.
    let within =
        |v: [f64; 3], limit: f64| (v[0].abs() <= limit) & (v[1].abs() <= limit) & (v[2].abs() <= limit);
    let height = rows[2].map(f64::abs);
    let far =
        (height[0] >= 1.0 / MAX_HEIGHT) | (height[1] >= 1.0 / MAX_HEIGHT) | (height[2] >= 1.0 / MAX_HEIGHT);
    within(rows[0], MAX_ENTRY)
        & within(rows[1], MAX_ENTRY)
        & within(rows[2], MAX_HEIGHT)
        & within(anchor, MAX_COORDINATE)
        & far
}

impl CollisionMatrix {
    /// The matrix of the triangle that a placement has moved, which may turn, scale, shear and mirror.
    ///
    /// Move the model's own matrix each time, not the last one that was moved: every move rounds. The anchor rounds as a
    /// moved corner does, within `4 * 2^-53` of the terms of `M A + T`, so a triangle far out in the world is as coarse as
    /// its place there; each entry within `3 * 2^-53` of its terms, and by what the placement's inverse is off itself. A verdict
    /// is wrong only where one of the [sums](crate::intersect::ray_triangle#accuracy) that decide, with the adjugate of the placement's
    /// matrix written out, is within `64 * 2^-53` of the sizes of its terms.
    ///
    /// # Errors
    /// [`CollisionError::OutOfRange`] where the triangle ends up beyond 2^100 or has lost its size.
    ///
    /// ```
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::intersect::CollisionMatrix;
    /// use hitscan::shape::Triangle;
    /// use hitscan::{Ray, Transform};
    /// let model = CollisionMatrix::new(&Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?)?;
    /// let eightfold = Transform::new(DMat3::from_diagonal(DVec3::splat(8.0)), [100.0, 0.0, 0.0])?;
    /// let hit = model.moved(&eightfold)?.hit(&Ray::new([102.0, 4.0, 1.0], [0.0, 0.0, -1.0])?);
    /// assert_eq!(hit.map(|hit| (hit.t, hit.u, hit.v)), Some((1.0, 0.25, 0.5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moved(&self, by: &Transform) -> Result<CollisionMatrix, CollisionError> {
        self.by(&Motion::general(by))
    }

    /// The same for a rigid motion: the transpose stands for the inverse.
    ///
    /// # Errors
    /// [`CollisionError::NotRigid`] where the matrix is further from a rotation, mirrored or not, than 2^-40; and
    /// those of [`CollisionMatrix::moved`].
    ///
    /// ```
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::intersect::CollisionMatrix;
    /// use hitscan::shape::Triangle;
    /// use hitscan::{Ray, Transform};
    /// let model = CollisionMatrix::new(&Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?)?;
    /// let quarter_turn = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
    /// let moved = model.moved_rigid(&Transform::new(quarter_turn, [0.0, 0.0, 5.0])?)?;
    /// let hit = moved.hit(&Ray::new([-0.5, 0.25, 6.0], [0.0, 0.0, -1.0])?);
    /// assert_eq!(hit.map(|hit| (hit.t, hit.u, hit.v)), Some((1.0, 0.25, 0.5)));
    /// let larger = Transform::new(DMat3::from_diagonal(DVec3::splat(2.0)), [0.0; 3])?;
    /// assert!(model.moved_rigid(&larger).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moved_rigid(&self, by: &Transform) -> Result<CollisionMatrix, CollisionError> {
        self.by(&Motion::rigid(by)?)
    }

    fn by(&self, motion: &Motion) -> Result<CollisionMatrix, CollisionError> {
        let (rows, anchor) = motion.apply(self.rows, self.anchor);
        if in_range(rows, anchor) {
            Ok(CollisionMatrix { rows, anchor, det: self.det })
        } else {
            Err(CollisionError::OutOfRange { triangle: 0 })
        }
    }
}

#[cfg(test)]
mod tests {
    use core::cmp::Ordering;

    use glam::DMat3;
    use hitscan_oracle::Rng;

    use super::*;
    use crate::exact::Big;

    fn size(x: Big) -> Big {
        if x.sign() == Ordering::Less { Big::from(0.0) - x } else { x }
    }

    /// Within so many rounding errors of the terms whose sum it is.
    fn assert_near(sum: f64, terms: impl IntoIterator<Item = (f64, f64)>, errors: f64) {
        let (mut exact, mut sizes) = (Big::from(0.0), Big::from(0.0));
        for (a, b) in terms {
            let term = Big::from(a) * Big::from(b);
            (exact, sizes) = (exact + term, sizes + size(term));
        }
        let off = size(Big::from(sum) - exact) - sizes.scaled(-53) * Big::from(errors);
        assert_ne!(off.sign(), Ordering::Greater, "{sum:e} is off by more than {errors} rounding errors");
    }

    #[test]
    fn a_move_rounds_no_more_than_is_said() {
        let mut rng = Rng::new(3);
        for _ in 0..2000 {
            let matrix = DMat3::from_cols_array_2d(&[(); 3].map(|()| rng.in_cube(2.0)));
            let Ok(by) = Transform::new(matrix, rng.in_cube(rng.clone().any_size(1.0, 1e9))) else {
                continue;
            };
            let motion = Motion::general(&by);
            let (rows, anchor) = ([(); 3].map(|()| rng.in_cube(1.0)), rng.in_cube(10.0));
            let (moved, at) = motion.apply(rows, anchor);
            for i in 0..3 {
                for row in 0..3 {
                    let sign = if row == 2 { motion.sign } else { 1.0 };
                    let terms = (0..3).map(|k| (rows[row][k] * sign, motion.inverse[k][i]));
                    assert_near(moved[row][i], terms, 3.0);
                }
                let terms = (0..3).map(|k| (motion.matrix[i][k], anchor[k]));
                assert_near(at[i], terms.chain([(motion.offset[i], 1.0)]), 4.0);
            }
        }
    }
}
