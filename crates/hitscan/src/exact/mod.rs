//! Signs that rounding cannot turn: the same formula in plain arithmetic that knows its error, and, where that cannot
//! decide, without rounding.
//!
//! A formula is written once over [`Number`]. [`Bounded`] evaluates it in `f64` and carries a bound of the error
//! along; [`Double`] does so with twice the digits; [`Small`] evaluates it exactly where 128 bits are enough, and [`Big`] always.
//! [`sign_of`] asks [`Bounded`], and only where it has to [`Small`], and then [`Big`].
//! Nothing here allocates.

mod big;
mod bounded;
mod double;
mod small;

pub(crate) use big::Big;
pub(crate) use bounded::Bounded;
pub(crate) use double::Double;
pub(crate) use small::Small;

use core::cmp::Ordering;
use core::ops::{Add, Mul, Sub};

use glam::DVec3;

/// What a formula is evaluated in.
pub(crate) trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + From<f64>
{
}

/// An odd number, and the power of two that it is to be multiplied with to be this one; zero for what is not finite, which no shape
/// and no ray holds, and for zero.
fn whole(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    if field == 0x7ff || x == 0.0 {
        return (0, 0);
    }
    let (mantissa, exponent) =
        if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    let zeros = mantissa.trailing_zeros();
    let odd = (mantissa >> zeros) as i64;
    (if x < 0.0 { -odd } else { odd }, exponent + zeros as i32)
}

/// Three of them.
pub(crate) type Vector<N> = [N; 3];

pub(crate) fn vector<N: Number>(v: DVec3) -> Vector<N> {
    [v.x.into(), v.y.into(), v.z.into()]
}

/// `a - b`.
pub(crate) fn difference<N: Number>(a: DVec3, b: DVec3) -> Vector<N> {
    core::array::from_fn(|i| N::from(a[i]) - N::from(b[i]))
}

pub(crate) fn dot<N: Number>(a: &Vector<N>, b: &Vector<N>) -> N {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

pub(crate) fn cross<N: Number>(a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A vector times the power of two that brings its largest component near 1, each component as `f64` rounds it; and that power.
pub(crate) fn rounded(v: &Vector<Big>) -> (DVec3, i32) {
    let parts = v.map(|component| component.parts());
    let shift = -parts.iter().filter(|part| part.0 != 0.0).map(|part| part.1).max().unwrap_or(0);
    (DVec3::from(parts.map(|(mantissa, exponent)| libm::scalbn(mantissa, exponent + shift))), shift)
}

/// Of a triangle: along its front, twice its area long.
pub(crate) fn normal<N: Number>([a, b, c]: [DVec3; 3]) -> Vector<N> {
    cross(&difference(b, a), &difference(c, a))
}

/// Six times the volume of the tetrahedron: above zero where `p` lies on the side of three corners from which they run
/// counter-clockwise.
fn volume<N: Number>(corners: [DVec3; 3], p: DVec3) -> N {
    dot(&normal(corners), &difference(p, corners[0]))
}

/// The [`sign`] of a formula, which is written once: evaluated as [`Bounded`], where that cannot tell, as [`Small`], and only where
/// that cannot either, as [`Big`].
macro_rules! sign_of {
    ($formula:expr) => {
        $crate::exact::sign_in_steps($formula, || $formula, || $formula)
    };
}
pub(crate) use sign_of;

/// The sign of a formula, as an ordering against zero.
pub(crate) fn sign(quick: Bounded, exact: impl FnOnce() -> Big) -> Ordering {
    quick.sign().unwrap_or_else(|| exact().sign())
}

/// The same by way of [`Small`].
pub(crate) fn sign_in_steps(
    quick: Bounded,
    small: impl FnOnce() -> Small,
    exact: impl FnOnce() -> Big,
) -> Ordering {
    quick.sign().or_else(|| small().sign()).unwrap_or_else(|| exact().sign())
}

/// On which side of a triangle's plane a point lies: `Greater` where the corners run counter-clockwise as seen from there.
pub(crate) fn side(corners: [DVec3; 3], p: DVec3) -> Ordering {
    sign_of!(volume(corners, p))
}

/// Whether three points lie on a line or at one place.
pub(crate) fn collinear(points: [DVec3; 3]) -> bool {
    let has_area = normal::<Bounded>(points).iter().any(|n| n.sign().is_some_and(Ordering::is_ne));
    !has_area && (0..3).all(|axis| sign_of!(normal(points)[axis]).is_eq())
}

/// What rounding may make of nothing, as a part of the sizes: 2^-36.
pub(crate) const NEARLY: f64 = 1.0 / (1u64 << 36) as f64;

/// What a value that is used as it is may be off by, relative to itself: 2^-44.
pub(crate) const PRECISION: f64 = 1.0 / (1u64 << 44) as f64;
