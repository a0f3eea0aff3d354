//! The square root.

/// Correctly rounded everywhere, so the same on every machine: the machine's own where there is a standard library to ask it, which
/// kernels make of many at once.
#[inline(always)]
pub(crate) fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    {
        x.sqrt()
    }
    #[cfg(not(feature = "std"))]
    libm::sqrt(x)
}
