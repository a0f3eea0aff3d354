//! Whether half-spaces enclose a volume.
//!
//! They leave no direction open exactly when the origin lies strictly inside the hull of their normals. A point inside
//! is looked for with four planes at a time: the centre of the ball that touches all four. While it does not lie behind some
//! plane, that one takes the place of one of the four, such that the four still enclose the centre and the ball shrinks:
//! the simplex method on the largest ball inside. It runs in `f64`, which finds a point in all but thin solids, and only where
//! that fails without rounding.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::{DMat4, DVec3, DVec4};

use super::quickhull;
use crate::exact::{Big, side, sign_of};
use crate::shape::convex::height_over;
use crate::shape::{Plane, ShapeError};

/// # Errors
/// [`ShapeError::Hull`].
pub(crate) fn check(planes: &[Plane]) -> Result<(), ShapeError> {
    let four = around_the_origin(planes)
        .ok_or(ShapeError::Hull { what: "is unbounded, its planes leave a direction open" })?;
    if finds_point_inside(planes, four) || has_point_inside(planes, four) {
        Ok(())
    } else {
        Err(ShapeError::Hull { what: "has no inside, its planes leave no volume between them" })
    }
}

/// Four planes whose normals have the origin in their tetrahedron; `None` where the normals leave a direction open.
fn around_the_origin(planes: &[Plane]) -> Option<[usize; 4]> {
    let normals: Vec<DVec3> = planes.iter().map(Plane::normal).collect();
    let triangles = quickhull::build(&normals).ok()?;
    let corners = |triangle: &[usize; 3]| triangle.map(|i| normals[i]);
    if triangles.iter().any(|triangle| side(corners(triangle), DVec3::ZERO) != Ordering::Less) {
        return None;
    }
    // The line from one corner through the origin leaves the hull through a triangle; the origin is between.
    let first = triangles.first()?[0];
    let [a, b, c] = *triangles.iter().find(|triangle| {
        let [a, b, c] = corners(triangle);
        let from = normals[first];
        [[a, b], [b, c], [c, a]]
            .into_iter()
            .all(|[p, q]| side([p, q, DVec3::ZERO], from) != Ordering::Greater)
            && !triangle.contains(&first)
    })?;
    Some([first, a, b, c])
}

/// Whether rounding leaves a way to a point strictly behind all planes.
fn finds_point_inside(planes: &[Plane], mut four: [usize; 4]) -> bool {
    let row = |plane: usize| planes[plane].normal().extend(1.0);
    // A basis never returns while the ball shrinks; the bound ends the rare circle at equal balls.
    for _ in 0..64 + 16 * planes.len() {
        let columns = four.map(row);
        let matrix = DMat4::from_cols(columns[0], columns[1], columns[2], columns[3]);
        let inverse = matrix.inverse();
        let offsets = DVec4::from_array(four.map(|plane| -planes[plane].offset()));
        // Solves n . centre + radius = -D for all four.
        let solution = inverse.transpose() * offsets;
        let (centre, radius) = (solution.truncate(), solution.w);
        if !centre.is_finite() || radius <= 0.0 {
            return false;
        }
        if planes.iter().all(|plane| is_behind(plane, centre)) {
            return true;
        }
        let excess = |plane: &Plane| plane.signed_distance(centre) + radius;
        let Some((entering, _)) = planes.iter().map(excess).enumerate().max_by(|a, b| a.1.total_cmp(&b.1))
        else {
            return false;
        };
        // The weights of the four that balance their normals, and those that replace the entering one.
        let weights = inverse * DVec4::new(0.0, 0.0, 0.0, 1.0);
        let change = inverse * row(entering);
        let ratio = |i: usize| weights[i].max(0.0) / change[i];
        let Some(leaving) =
            (0..4).filter(|&i| change[i] > f64::EPSILON).min_by(|&i, &j| ratio(i).total_cmp(&ratio(j)))
        else {
            return false;
        };
        four[leaving] = entering;
    }
    false
}

/// Whether a point lies strictly behind all planes: the largest ball is larger than nothing. Of several planes that may come
/// or go, the first in the list does, so no four come back (Bland, New Finite Pivoting Rules for the Simplex Method, 1977).
fn has_point_inside(planes: &[Plane], mut four: [usize; 4]) -> bool {
    let row = |plane: usize| -> Row {
        let [x, y, z] = planes[plane].normal().to_array();
        [x, y, z, 1.0].map(Big::from)
    };
    loop {
        let rows = four.map(row);
        let whole = determinant(&rows);
        // All by Cramer's rule, times the determinant's size.
        let sized = |x: Big| if whole.sign() == Ordering::Less { Big::from(0.0) - x } else { x };
        let ball: Row = core::array::from_fn(|k| {
            let mut rows = rows;
            for (row, plane) in rows.iter_mut().zip(four) {
                row[k] = Big::from(-planes[plane].offset());
            }
            sized(determinant(&rows))
        });
        if ball[3].sign() != Ordering::Greater {
            return false;
        }
        let cuts = |plane: &usize| {
            let [x, y, z, one] = row(*plane);
            let height = ((x * ball[0] + y * ball[1]) + z * ball[2]) + one * ball[3];
            (height + Big::from(planes[*plane].offset()) * sized(whole)).sign() == Ordering::Greater
        };
        let Some(entering) = (0..planes.len()).find(cuts) else { return true };
        let with = |i: usize, row: Row| {
            let mut rows = rows;
            rows[i] = row;
            sized(determinant(&rows))
        };
        let weights: Row = core::array::from_fn(|i| with(i, [0.0, 0.0, 0.0, 1.0].map(Big::from)));
        let change: Row = core::array::from_fn(|i| with(i, row(entering)));
        // The first of the four that would weigh nothing.
        let order = |i: usize, j: usize| {
            let by_ratio = (weights[i] * change[j] - weights[j] * change[i]).sign();
            by_ratio.then(four[i].cmp(&four[j]))
        };
        let may_leave = (0..4).filter(|&i| change[i].sign() == Ordering::Greater);
        let Some(leaving) = may_leave.min_by(|&i, &j| order(i, j)) else { return false };
        four[leaving] = entering;
    }
}

/// A normal and a 1, or what stands in their place.
type Row = [Big; 4];

/// Of four rows, by the pairs of two rows and the pairs of the other two.
fn determinant([a, b, c, d]: &[Row; 4]) -> Big {
    let pair = |p: &Row, q: &Row, i: usize, j: usize| p[i] * q[j] - p[j] * q[i];
    let both = |i: usize, j: usize, k: usize, l: usize| pair(a, b, i, j) * pair(c, d, k, l);
    let outer = both(0, 1, 2, 3) - both(0, 2, 1, 3) + both(0, 3, 1, 2);
    let inner = both(1, 2, 0, 3) - both(1, 3, 0, 2) + both(2, 3, 0, 1);
    outer + inner
}

fn is_behind(plane: &Plane, point: DVec3) -> bool {
    sign_of!(height_over(plane, point)) == Ordering::Less
}
