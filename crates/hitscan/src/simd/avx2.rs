//! Lanes of AVX2 with FMA.
#![allow(unsafe_code, reason = "intrinsics; each use rests on the proof that an `Avx2` value is")]

use core::arch::x86_64::*;

use glam::Vec3A;

use super::Task;
use super::block::Turn;
use super::lanes::{Edges, Lanes, PACKING};
use super::sixteen::Pairs;
use super::stack::Slots;

/// Proof that this machine has every feature that [`run`] enables: only [`Avx2::detect`] makes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub(crate) fn detect() -> Option<Avx2> {
        #[cfg(feature = "std")]
        let present = std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("fma")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("popcnt");
        #[cfg(not(feature = "std"))]
        let present = cfg!(all(
            target_feature = "avx2",
            target_feature = "fma",
            target_feature = "bmi1",
            target_feature = "bmi2",
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

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<T: Task>(lanes: Avx2, task: T) -> T::Output {
    task.run(lanes)
}

#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn apart_avx2<T: Task>(lanes: Avx2, task: T) -> T::Output {
    task.run(lanes)
}

// SAFETY: both spills pack the lanes of `hits` to the front; `spill` stores eight slots, `spill_nearest_last` four where it has up to
// four bits, else eight.
unsafe impl Lanes for Avx2 {
    #[cfg(test)]
    const ISA: super::Isa = super::Isa::Avx2;
    /// Most processors that have no more than AVX2 have a nearest cache of 32 KiB, which twice as many overfill.
    const IN_FLIGHT: usize = 16;
    type F = __m256;
    type Sixteen = Pairs<Avx2>;

    #[inline(always)]
    fn sixteen(self) -> Pairs<Avx2> {
        Pairs(self)
    }

    #[inline(always)]
    fn apart<T: Task>(self, task: T) -> T::Output {
        // SAFETY: `self` proves all the features that `apart_avx2` enables.
        unsafe { apart_avx2(self, task) }
    }

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
    fn least(self, a: __m256) -> f32 {
        // SAFETY: `self` proves AVX.
        unsafe {
            let four = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)))
        }
    }
    #[inline(always)]
    fn largest(self, a: __m256) -> f32 {
        // SAFETY: `self` proves AVX.
        unsafe {
            let four = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)))
        }
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
    #[inline(always)]
    fn le_doubles(self, a: &[f64; 8], b: &[f64; 8]) -> u32 {
        // SAFETY: `self` proves AVX; both have 64 bytes, and the loads need no alignment.
        unsafe {
            let (a, b) = (a.as_ptr(), b.as_ptr());
            let low = _mm256_cmp_pd::<_CMP_LE_OQ>(_mm256_loadu_pd(a), _mm256_loadu_pd(b));
            let high = _mm256_cmp_pd::<_CMP_LE_OQ>(_mm256_loadu_pd(a.add(4)), _mm256_loadu_pd(b.add(4)));
            (_mm256_movemask_pd(low) | _mm256_movemask_pd(high) << 4) as u32
        }
    }

    #[inline(always)]
    fn put_doubles(self, mask: u32, from: &[f64; 8], into: &mut [f64; 8]) {
        // SAFETY: `self` proves AVX2; both have 64 bytes, and no alignment is needed.
        unsafe {
            let mask = _mm256_set1_epi64x(i64::from(mask));
            for (first, bits) in
                [(0, _mm256_setr_epi64x(1, 2, 4, 8)), (4, _mm256_setr_epi64x(16, 32, 64, 128))]
            {
                let put = _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(mask, bits), bits));
                let (from, into) = (from.as_ptr().add(first), into.as_mut_ptr().add(first));
                let mixed = _mm256_blendv_pd(_mm256_loadu_pd(into), _mm256_loadu_pd(from), put);
                _mm256_storeu_pd(into, mixed);
            }
        }
    }
    #[inline(always)]
    fn put_word(self, mask: u32, word: u32, into: &mut [u32; 8]) {
        // SAFETY: `self` proves AVX2; `into` has 32 bytes, and no alignment is needed.
        unsafe {
            let into = into.as_mut_ptr().cast();
            let word = _mm256_set1_epi32(word as i32);
            let mixed = _mm256_blendv_epi8(_mm256_loadu_si256(into), word, lanes_of(self, mask));
            _mm256_storeu_si256(into, mixed);
        }
    }

    #[inline(always)]
    fn edges(self, x: Vec3A, y: Vec3A) -> Edges {
        let mut values = [0.0; 4];
        // SAFETY: `self` proves AVX2; `values` has 32 bytes, and the store needs no alignment.
        unsafe {
            let (x, y) = (_mm256_cvtps_pd(x.into()), _mm256_cvtps_pd(y.into()));
            // From A, B, C to C, A, B and to B, C, A.
            const CAB: i32 = 0b11_01_00_10;
            const BCA: i32 = 0b11_00_10_01;
            let from = (_mm256_permute4x64_pd::<CAB>(x), _mm256_permute4x64_pd::<CAB>(y));
            let to = (_mm256_permute4x64_pd::<BCA>(x), _mm256_permute4x64_pd::<BCA>(y));
            let edges = _mm256_sub_pd(_mm256_mul_pd(from.0, to.1), _mm256_mul_pd(from.1, to.0));
            let zero = _mm256_setzero_pd();
            let above = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(edges, zero)) as u32;
            let below = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(edges, zero)) as u32;
            _mm256_storeu_pd(values.as_mut_ptr(), edges);
            let [u, v, w, _] = values;
            Edges { values: [u, v, w], above: above & 7, below: below & 7 }
        }
    }

    #[inline(always)]
    fn turn(self, turn: &Turn, vector: Vec3A) -> Vec3A {
        // SAFETY: `self` proves AVX; a turn is 16 bytes at an address that is a multiple of 16, and of each word the instruction takes
        // the lowest two bits.
        unsafe {
            let axes = _mm_load_si128(core::ptr::from_ref(turn).cast());
            Vec3A::from(_mm_permutevar_ps(vector.into(), axes))
        }
    }

    #[inline(always)]
    fn pick(self, [a, b, c]: [__m256; 3], lane: usize) -> Vec3A {
        // SAFETY: `self` proves AVX2; of the lane's number the permutation takes the lowest three bits.
        unsafe {
            // Not by `map`: what it does with a closure is a function that is not always inlined, and is compiled without AVX.
            let lane = _mm256_set1_epi32(lane as i32);
            let a = _mm256_castps256_ps128(_mm256_permutevar8x32_ps(a, lane));
            let b = _mm256_castps256_ps128(_mm256_permutevar8x32_ps(b, lane));
            let c = _mm256_castps256_ps128(_mm256_permutevar8x32_ps(c, lane));
            _mm_movelh_ps(_mm_unpacklo_ps(a, b), c).into()
        }
    }

    #[inline(always)]
    fn prefetch(self, address: *const u8) {
        // SAFETY: `self` proves SSE; a prefetch reads nothing that the program sees, and never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }

    #[inline(always)]
    fn spill(self, children: &[u32; 8], hits: u32, to: Slots<'_>) {
        // SAFETY: `self` proves AVX2; all places have 32 bytes, and no alignment is needed.
        unsafe {
            let children = _mm256_loadu_si256(children.as_ptr().cast());
            let packed = _mm256_permutevar8x32_epi32(children, packing(self, hits));
            _mm256_storeu_si256(to.children.as_mut_ptr().cast(), packed);
        }
    }

    #[inline(always)]
    fn spill_nearest_last(self, children: &[u32; 8], near: __m256, hits: u32, to: Slots<'_>) -> usize {
        // SAFETY: `self` proves AVX2; all places have 32 bytes, and no alignment is needed.
        unsafe {
            let seven = _mm256_set1_epi32(7);
            // Which lane stands where: those that hit first. Their numbers take the lowest three bits of the distances.
            let lane = packing(self, hits);
            let packed = _mm256_castps_si256(_mm256_permutevar8x32_ps(near, lane));
            let keys = _mm256_or_si256(_mm256_andnot_si256(seven, packed), lane);
            let place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let count = _mm256_set1_epi32(hits.count_ones() as i32);
            let wanted = _mm256_cmpgt_epi32(count, place);
            let keys = _mm256_blendv_epi8(_mm256_set1_epi32(i32::MIN), keys, wanted);
            store_sorted(self, children, keys, hits, to);
        }
        nearest(self, near, hits)
    }
}

/// The lane with the smallest key of those that are hit, which is the one that [`store_sorted`] writes last. It is known before they are
/// sorted, so that a walk need not wait for that.
#[inline(always)]
fn nearest(avx2: Avx2, near: __m256, hits: u32) -> usize {
    // SAFETY: the first argument proves AVX2.
    unsafe {
        let (lane, seven) = (_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(7));
        let keys = _mm256_or_si256(_mm256_andnot_si256(seven, _mm256_castps_si256(near)), lane);
        lane_of_least(avx2, _mm256_blendv_epi8(_mm256_set1_epi32(i32::MAX), keys, lanes_of(avx2, hits)))
    }
}

/// The lane that the smallest of eight keys names in its lowest three bits.
#[inline(always)]
pub(super) fn lane_of_least(_: Avx2, keys: __m256i) -> usize {
    // SAFETY: the first argument proves AVX2.
    unsafe {
        let least = _mm_min_epi32(_mm256_castsi256_si128(keys), _mm256_extracti128_si256::<1>(keys));
        let least = _mm_min_epi32(least, _mm_shuffle_epi32::<0b01_00_11_10>(least));
        let least = _mm_min_epi32(least, _mm_shuffle_epi32::<0b10_11_00_01>(least));
        (_mm_cvtsi128_si32(least) & 7) as usize
    }
}

/// All bits of the lanes of a mask.
#[inline(always)]
fn lanes_of(_: Avx2, mask: u32) -> __m256i {
    // SAFETY: the argument proves AVX2.
    unsafe {
        let bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(mask as i32), bit), bit)
    }
}

/// The permutation that brings the lanes of a mask to the front.
#[inline(always)]
fn packing(_: Avx2, hits: u32) -> __m256i {
    let order = &PACKING[(hits & 0xff) as usize];
    // SAFETY: the first argument proves AVX2; `order` has the 8 bytes that are read.
    unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(order.as_ptr().cast())) }
}

/// Writes the children in the order of their keys, the largest first, and the keys. The lowest three bits of a key name a
/// lane; as many keys count as `hits` has bits, and they come first.
#[inline(always)]
pub(super) fn store_sorted(lanes: Avx2, children: &[u32; 8], keys: __m256i, hits: u32, to: Slots<'_>) {
    // SAFETY: the first argument proves AVX2; all places have 32 bytes, and no alignment is needed.
    unsafe {
        let children = _mm256_loadu_si256(children.as_ptr().cast());
        if hits.count_ones() <= 4 {
            let keys = sort_four(lanes, _mm256_castsi256_si128(keys));
            let sorted = _mm256_permutevar8x32_epi32(children, _mm256_castsi128_si256(keys));
            _mm_storeu_si128(to.nears.as_mut_ptr().cast(), keys);
            _mm_storeu_si128(to.children.as_mut_ptr().cast(), _mm256_castsi256_si128(sorted));
        } else {
            let keys = sort_eight(lanes, keys);
            let sorted = _mm256_permutevar8x32_epi32(children, keys);
            _mm256_storeu_si256(to.nears.as_mut_ptr().cast(), keys);
            _mm256_storeu_si256(to.children.as_mut_ptr().cast(), sorted);
        }
    }
}

/// Sorts four numbers, the largest first.
#[inline(always)]
fn sort_four(_: Avx2, v: __m128i) -> __m128i {
    // SAFETY: the first argument proves AVX2.
    unsafe {
        let other = _mm_shuffle_epi32::<0b10_11_00_01>(v);
        let v = _mm_blend_epi32::<0b1010>(_mm_max_epi32(v, other), _mm_min_epi32(v, other));
        let other = _mm_shuffle_epi32::<0b01_00_11_10>(v);
        let v = _mm_blend_epi32::<0b1100>(_mm_max_epi32(v, other), _mm_min_epi32(v, other));
        let other = _mm_shuffle_epi32::<0b11_01_10_00>(v);
        _mm_blend_epi32::<0b0100>(_mm_max_epi32(v, other), _mm_min_epi32(v, other))
    }
}

/// Sorts eight numbers, the largest first: a bitonic network (Batcher, Sorting Networks and their Applications, 1968).
#[inline(always)]
fn sort_eight(_: Avx2, v: __m256i) -> __m256i {
    // SAFETY: the first argument proves AVX2.
    unsafe {
        let mut v = v;
        macro_rules! compare {
            ($other:expr, $small:literal) => {
                let other = $other;
                v = _mm256_blend_epi32::<$small>(_mm256_max_epi32(v, other), _mm256_min_epi32(v, other));
            };
        }
        compare!(_mm256_shuffle_epi32::<0b10_11_00_01>(v), 0b0110_0110);
        compare!(_mm256_shuffle_epi32::<0b01_00_11_10>(v), 0b0011_1100);
        compare!(_mm256_shuffle_epi32::<0b10_11_00_01>(v), 0b0101_1010);
        compare!(_mm256_permute2x128_si256::<0x01>(v, v), 0b1111_0000);
        compare!(_mm256_shuffle_epi32::<0b01_00_11_10>(v), 0b1100_1100);
        compare!(_mm256_shuffle_epi32::<0b10_11_00_01>(v), 0b1010_1010);
        v
    }
}
