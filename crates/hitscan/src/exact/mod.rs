//! Signs that rounding cannot turn: the same formula in plain arithmetic that knows its error, and, where that cannot
//! decide, without rounding.
//!
//! A formula is written once over [`Number`]. [`Bounded`] evaluates it in `f64` and carries a bound of the error
//! along; [`Double`] does so with twice the digits; [`Big`] evaluates it exactly. [`sign`] asks the first and goes to the last
//! only where it has to.
//! Nothing here allocates.

mod big;
mod bounded;
mod double;

pub(crate) use big::Big;
pub(crate) use bounded::Bounded;
pub(crate) use double::Double;

use core::cmp::Ordering;
use core::ops::{Add, Mul, Sub};

use glam::DVec3;

/// What a formula is evaluated in.
pub(crate) trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + From<f64>
{
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

/// Six times the volume of the tetrahedron: above zero where `p` lies on the side of `a, b, c` from which they run
/// counter-clockwise.
pub(crate) fn volume<N: Number>([a, b, c]: [DVec3; 3], p: DVec3) -> N {
    dot(&cross(&difference(b, a), &difference(c, a)), &difference(p, a))
}

/// The sign of a formula, as an ordering against zero.
pub(crate) fn sign(quick: Bounded, exact: impl FnOnce() -> Big) -> Ordering {
    quick.sign().unwrap_or_else(|| exact().sign())
}

/// [`sign`] of [`volume`].
pub(crate) fn side(corners: [DVec3; 3], p: DVec3) -> Ordering {
    sign(volume(corners, p), || volume(corners, p))
}

/// What a value that is used as it is may be off by, relative to itself: 2^-44.
pub(crate) const PRECISION: f64 = 1.0 / (1u64 << 44) as f64;
