//! The turn that makes two vectors square: at right angles to each other.

use crate::root::sqrt;

/// The cosine and the sine of the smaller of the two turns, `a cos - b sin` and `a sin + b cos`, that bring two vectors to a right angle, by their
/// scalar products `a a`, `a b` and `b b`; `None` where they are at one but for rounding.
///
/// Source: Hestenes, Inversion of Matrices by Biorthogonalization and Related Results, 1958.
pub(crate) fn turn(aa: f64, ab: f64, bb: f64) -> Option<[f64; 2]> {
    if ab.abs() <= f64::EPSILON * sqrt(aa) * sqrt(bb) {
        return None;
    }
    let half = (bb - aa) / (2.0 * ab);
    let tangent = libm::copysign(1.0, half) / (half.abs() + sqrt(1.0 + half * half));
    let cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    Some([cosine, cosine * tangent])
}

/// More rounds over all pairs than it takes until all are at right angles: each squares what is left of the angles.
pub(crate) const ROUNDS: usize = 40;
