//! Eight lanes of AVX-512VL: twice the registers of AVX2, compares into masks, and compression by them.
#![allow(unsafe_code, reason = "intrinsics; each use rests on the proof that an `Avx512` value is")]

use core::arch::x86_64::*;
use core::hint::black_box;

use glam::Vec3A;

use super::Task;
use super::avx2::{Avx2, lane_of_least, store_sorted};
use super::block::Turn;
use super::lanes::{Edges, Lanes};
use super::row::Row;
use super::sixteen::{Row16, Sixteen};
use super::stack::Slots;

/// Proof that this machine has every feature that [`run`] enables: only [`Avx512::detect`] makes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    pub(crate) fn detect() -> Option<Avx512> {
        #[cfg(feature = "std")]
        let present = std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512bw");
        #[cfg(not(feature = "std"))]
        let present = cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512vl",
            target_feature = "avx512dq",
            target_feature = "avx512bw"
        ));
        Avx2::detect().filter(|_| present).map(Avx512)
    }
}

/// Runs a task compiled for AVX-512.
#[inline]
pub(crate) fn run<T: Task>(lanes: Avx512, task: T) -> T::Output {
    // SAFETY: an `Avx512` exists only where `detect` saw all the features that `run_avx512` enables.
    unsafe { run_avx512(lanes, task) }
}

#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx512<T: Task>(lanes: Avx512, task: T) -> T::Output {
    task.run(lanes)
}

/// The number of each lane.
const LANE: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

#[inline(never)]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn apart_avx512<T: Task>(lanes: Avx512, task: T) -> T::Output {
    task.run(lanes)
}

// SAFETY: both spills pack the lanes of `hits` to the front; `spill` stores eight slots, `spill_nearest_last` four where it has up to
// four bits, else eight.
unsafe impl Lanes for Avx512 {
    #[cfg(test)]
    const ISA: super::Isa = super::Isa::Avx512;
    type F = __m256;
    type Sixteen = Whole;

    #[inline(always)]
    fn sixteen(self) -> Whole {
        Whole(self)
    }

    #[inline(always)]
    fn apart<T: Task>(self, task: T) -> T::Output {
        // SAFETY: `self` proves all the features that `apart_avx512` enables.
        unsafe { apart_avx512(self, task) }
    }

    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> __m256 {
        self.0.load(from)
    }
    #[inline(always)]
    fn halves(self, from: &Row16) -> [__m256; 2] {
        // Of one load: of two, the compiler takes a register apart number by number.
        let all = self.sixteen().load(from);
        // SAFETY: `self` proves AVX-512F and DQ.
        unsafe { [_mm512_castps512_ps256(all), _mm512_extractf32x8_ps::<1>(all)] }
    }
    #[inline(always)]
    fn splat(self, value: f32) -> __m256 {
        self.0.splat(value)
    }
    #[inline(always)]
    fn store(self, value: __m256) -> [f32; 8] {
        self.0.store(value)
    }
    #[inline(always)]
    fn sub(self, a: __m256, b: __m256) -> __m256 {
        self.0.sub(a, b)
    }
    #[inline(always)]
    fn mul(self, a: __m256, b: __m256) -> __m256 {
        self.0.mul(a, b)
    }
    #[inline(always)]
    fn mul_add_loose(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        self.0.mul_add_loose(a, b, c)
    }
    #[inline(always)]
    fn min(self, a: __m256, b: __m256) -> __m256 {
        self.0.min(a, b)
    }
    #[inline(always)]
    fn max(self, a: __m256, b: __m256) -> __m256 {
        self.0.max(a, b)
    }
    #[inline(always)]
    fn least(self, a: __m256) -> f32 {
        self.0.least(a)
    }
    #[inline(always)]
    fn largest(self, a: __m256) -> f32 {
        self.0.largest(a)
    }
    #[inline(always)]
    fn le(self, a: __m256, b: __m256) -> u32 {
        // SAFETY: `self` proves AVX-512VL.
        u32::from(unsafe { _mm256_cmp_ps_mask::<_CMP_LE_OQ>(a, b) })
    }
    #[inline(always)]
    fn lt(self, a: __m256, b: __m256) -> u32 {
        // SAFETY: `self` proves AVX-512VL.
        u32::from(unsafe { _mm256_cmp_ps_mask::<_CMP_LT_OQ>(a, b) })
    }
    #[inline(always)]
    fn le_doubles(self, a: &[f64; 8], b: &[f64; 8]) -> u32 {
        // SAFETY: `self` proves AVX-512F; both have 64 bytes, and the loads need no alignment.
        unsafe {
            let (a, b) = (_mm512_loadu_pd(a.as_ptr()), _mm512_loadu_pd(b.as_ptr()));
            u32::from(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(a, b))
        }
    }
    #[inline(always)]
    fn put_doubles(self, mask: u32, from: &[f64; 8], into: &mut [f64; 8]) {
        // SAFETY: `self` proves AVX-512F; both have 64 bytes, and no alignment is needed.
        unsafe {
            let into = into.as_mut_ptr();
            let mixed =
                _mm512_mask_mov_pd(_mm512_loadu_pd(into), mask as __mmask8, _mm512_loadu_pd(from.as_ptr()));
            _mm512_storeu_pd(into, mixed);
        }
    }
    #[inline(always)]
    fn put_word(self, mask: u32, word: u32, into: &mut [u32; 8]) {
        // SAFETY: `self` proves AVX-512VL; `into` has 32 bytes, and no alignment is needed.
        unsafe {
            let into = into.as_mut_ptr().cast();
            let mixed = _mm256_mask_set1_epi32(_mm256_loadu_si256(into), mask as __mmask8, word as i32);
            _mm256_storeu_si256(into, mixed);
        }
    }
    #[inline(always)]
    fn edges(self, x: Vec3A, y: Vec3A) -> Edges {
        self.0.edges(x, y)
    }

    #[inline(always)]
    fn turn(self, turn: &Turn, vector: Vec3A) -> Vec3A {
        self.0.turn(turn, vector)
    }

    #[inline(always)]
    fn pick(self, from: [__m256; 3], lane: usize) -> Vec3A {
        self.0.pick(from, lane)
    }

    #[inline(always)]
    fn prefetch(self, address: *const u8) {
        self.0.prefetch(address);
    }

    #[inline(always)]
    fn spill(self, children: &[u32; 8], hits: u32, to: Slots<'_>) {
        // SAFETY: `self` proves AVX-512VL; both places have 32 bytes, and no alignment is needed.
        unsafe {
            let children = _mm256_loadu_si256(children.as_ptr().cast());
            let packed = _mm256_mask_compress_epi32(children, hits as __mmask8, children);
            _mm256_storeu_si256(to.children.as_mut_ptr().cast(), packed);
        }
    }

    #[inline(always)]
    fn spill_nearest_last(self, children: &[u32; 8], near: __m256, hits: u32, to: Slots<'_>) -> usize {
        // SAFETY: `self` proves AVX-512VL and AVX2; all places have 32 bytes, and no alignment is needed.
        unsafe {
            let lane = _mm256_loadu_si256(LANE.as_ptr().cast());
            // The lowest three bits of each distance give way to the lane's number.
            let keys =
                _mm256_ternarylogic_epi32::<0xd8>(_mm256_castps_si256(near), lane, _mm256_set1_epi32(7));
            let packed = _mm256_mask_compress_epi32(_mm256_set1_epi32(i32::MIN), hits as __mmask8, keys);
            store_sorted(self.0, children, packed, hits, to);
            lane_of_least(self.0, _mm256_mask_mov_epi32(_mm256_set1_epi32(i32::MAX), hits as __mmask8, keys))
        }
    }
}

/// Sixteen lanes in one register.
#[derive(Clone, Copy)]
pub(crate) struct Whole(Avx512);

impl Sixteen for Whole {
    type F = __m512;

    #[inline(always)]
    fn load(self, from: &Row16) -> __m512 {
        // SAFETY: `self` proves AVX-512F; a `Row16` has 64 bytes, aligned to as many.
        unsafe { _mm512_load_ps(from.0.as_ptr()) }
    }
    #[inline(always)]
    fn splat(self, value: f32) -> __m512 {
        // SAFETY: `self` proves AVX-512F.
        unsafe { _mm512_set1_ps(value) }
    }
    #[inline(always)]
    fn store(self, value: __m512) -> Row16 {
        let mut row = Row16::ZERO;
        // SAFETY: `self` proves AVX-512F; a `Row16` has 64 bytes, aligned to as many.
        unsafe { _mm512_store_ps(row.0.as_mut_ptr(), value) };
        row
    }
    #[inline(always)]
    fn sub(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512F.
        unsafe { _mm512_sub_ps(a, b) }
    }
    #[inline(always)]
    fn mul(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512F.
        unsafe { _mm512_mul_ps(a, b) }
    }
    #[inline(always)]
    fn min(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512F.
        unsafe { _mm512_min_ps(a, b) }
    }
    #[inline(always)]
    fn max(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512F.
        unsafe { _mm512_max_ps(a, b) }
    }
    #[inline(always)]
    fn mul_add_loose(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        // SAFETY: `self` proves AVX-512F.
        unsafe { _mm512_fmadd_ps(a, b, c) }
    }
    #[inline(always)]
    fn le(self, a: __m512, b: __m512) -> u32 {
        // SAFETY: `self` proves AVX-512F.
        u32::from(unsafe { _mm512_cmp_ps_mask::<_CMP_LE_OQ>(a, b) })
    }
    #[inline(always)]
    fn lt(self, a: __m512, b: __m512) -> u32 {
        // SAFETY: `self` proves AVX-512F.
        u32::from(unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b) })
    }
    #[inline(always)]
    fn put(self, mask: u32, number: f32, into: &mut Row16) {
        let mixed = {
            let into = self.load(into);
            // SAFETY: `self` proves AVX-512F.
            unsafe { _mm512_mask_mov_ps(into, mask as __mmask16, _mm512_set1_ps(number)) }
        };
        *into = self.store(mixed);
    }
    #[inline(always)]
    fn narrow(self, numbers: &[f64; 8]) -> Row {
        let mut row = Row([0.0; 8]);
        // SAFETY: `self` proves AVX-512F; `numbers` has the 64 bytes that are read, with no alignment needed, and a `Row` has
        // 32 bytes, aligned to as many.
        unsafe { _mm256_store_ps(row.0.as_mut_ptr(), _mm512_cvtpd_ps(_mm512_loadu_pd(numbers.as_ptr()))) };
        row
    }
    #[inline(always)]
    fn columns(self, rows: &[Row; 16]) -> [Row16; 8] {
        let mut columns = [Row16::ZERO; 8];
        // SAFETY: `self` proves AVX-512F and DQ; a `Row` has 32 bytes and a `Row16` 64, each aligned to as many.
        unsafe {
            // Each holds rows `i` and `i + 4` of eight.
            let mut both = [_mm512_setzero_ps(); 8];
            for (i, both) in both.iter_mut().enumerate() {
                let first = i / 4 * 8 + i % 4;
                let low = _mm512_castps256_ps512(_mm256_load_ps(rows[first].0.as_ptr()));
                *both = _mm512_insertf32x8::<1>(low, _mm256_load_ps(rows[first + 4].0.as_ptr()));
            }
            // The first number of four rows, the fifth, and the same of the next four; then the second, the third, the fourth.
            let [low, high] = [
                four(self, [both[0], both[1], both[2], both[3]]),
                four(self, [both[4], both[5], both[6], both[7]]),
            ];
            for i in 0..4 {
                let first = _mm512_shuffle_f32x4::<0b10_00_10_00>(low[i], high[i]);
                let second = _mm512_shuffle_f32x4::<0b11_01_11_01>(low[i], high[i]);
                _mm512_store_ps(columns[i].0.as_mut_ptr(), first);
                _mm512_store_ps(columns[i + 4].0.as_mut_ptr(), second);
            }
        }
        // Else the compiler, which knows what shuffles do, would put some columns together from all sixteen rows once more, with two
        // dozen instructions where a load is enough.
        black_box(&mut columns);
        columns
    }
}

/// Transposes each four times four numbers of four registers.
#[inline(always)]
fn four(_: Whole, [a, b, c, d]: [__m512; 4]) -> [__m512; 4] {
    // SAFETY: the first argument proves AVX-512F.
    unsafe {
        let (ab, cd) = (_mm512_unpacklo_ps(a, b), _mm512_unpacklo_ps(c, d));
        let (ab_high, cd_high) = (_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d));
        [
            _mm512_shuffle_ps::<0b01_00_01_00>(ab, cd),
            _mm512_shuffle_ps::<0b11_10_11_10>(ab, cd),
            _mm512_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm512_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
}
