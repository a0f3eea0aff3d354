//! Lanes of AVX2 with FMA.
#![allow(unsafe_code, reason = "intrinsics; each use rests on the proof that an `Avx2` value is")]

use core::arch::x86_64::*;

use super::Task;
use super::lanes::Lanes;

/// Proof that this machine has every feature that [`run`] enables: only [`Avx2::detect`] makes one.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    #[inline]
    pub(crate) fn detect() -> Option<Avx2> {
        #[cfg(feature = "std")]
        let present = std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("fma")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("popcnt");
        #[cfg(not(feature = "std"))]
        let present = cfg!(all(
            target_feature = "avx2",
            target_feature = "fma",
            target_feature = "bmi1",
            target_feature = "lzcnt",
            target_feature = "popcnt"
        ));
        present.then_some(Avx2(()))
    }
}

/// Runs a task compiled for AVX2.
#[inline]
pub(crate) fn run<T: Task>(lanes: Avx2, task: T) -> T::Output {
    // SAFETY: an `Avx2` exists only where `detect` saw all the features that `run_avx2` enables.
    unsafe { run_avx2(lanes, task) }
}

#[target_feature(enable = "avx2,fma,bmi1,lzcnt,popcnt")]
fn run_avx2<T: Task>(lanes: Avx2, task: T) -> T::Output {
    task.run(lanes)
}

impl Lanes for Avx2 {
    #[cfg(test)]
    const ISA: super::Isa = super::Isa::Avx2;
    type F = __m256;

    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> __m256 {
        // SAFETY: `self` proves AVX; the reference covers the 32 bytes, and the load needs no alignment.
        unsafe { _mm256_loadu_ps(from.as_ptr()) }
    }
    #[inline(always)]
    fn splat(self, value: f32) -> __m256 {
        // SAFETY: `self` proves AVX.
        unsafe { _mm256_set1_ps(value) }
    }
    #[inline(always)]
    fn store(self, value: __m256) -> [f32; 8] {
        let mut to = [0.0; 8];
        // SAFETY: `self` proves AVX; `to` has 32 bytes, and the store needs no alignment.
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), value) };
        to
    }
    #[inline(always)]
    fn sub(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: `self` proves AVX.
        unsafe { _mm256_sub_ps(a, b) }
    }
    #[inline(always)]
    fn mul(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: `self` proves AVX.
        unsafe { _mm256_mul_ps(a, b) }
    }
    #[inline(always)]
    fn mul_add_loose(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        // SAFETY: `self` proves FMA.
        unsafe { _mm256_fmadd_ps(a, b, c) }
    }
    #[inline(always)]
    fn min(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: `self` proves AVX.
        unsafe { _mm256_min_ps(a, b) }
    }
    #[inline(always)]
    fn max(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: `self` proves AVX.
        unsafe { _mm256_max_ps(a, b) }
    }
    #[inline(always)]
    fn le(self, a: __m256, b: __m256) -> u32 {
        // SAFETY: `self` proves AVX.
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(a, b)) as u32 }
    }
    #[inline(always)]
    fn lt(self, a: __m256, b: __m256) -> u32 {
        // SAFETY: `self` proves AVX.
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a, b)) as u32 }
    }
}
