//! What the builder does with boxes apart from minima: areas of four and the bins of one, each all at once.
//!
//! By SSE2 where the whole crate is compiled for it, as it is for x86-64 by default; elsewhere in plain Rust, to the same
//! bits.
#![allow(unsafe_code, reason = "intrinsics of a feature that the whole crate is compiled for")]

/// A box as its lowest x, y, z and the negatives of its highest x, y, z; the fourth and the eighth number mean nothing.
type Hull = [f32; 8];

/// Half the surfaces of four boxes, with lengths multiplied by `scale` first so that squares stay in range.
#[inline(always)]
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) fn half_areas(hulls: [Hull; 4], scale: f32) -> [f32; 4] {
    use core::arch::x86_64::*;
    // SAFETY: SSE2 is among the features of the whole crate (`cfg`); no intrinsic touches memory.
    unsafe {
        // One box's extents, negative: the signs of two cancel out.
        let [a, b, c, d] = hulls.map(|h| _mm_add_ps(low(&h), high(&h)));
        let (ab_xy, ab_zw) = (_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
        let (cd_xy, cd_zw) = (_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
        let scale = _mm_set1_ps(scale);
        let x = _mm_mul_ps(_mm_movelh_ps(ab_xy, cd_xy), scale);
        let y = _mm_mul_ps(_mm_movehl_ps(cd_xy, ab_xy), scale);
        let z = _mm_mul_ps(_mm_movelh_ps(ab_zw, cd_zw), scale);
        let four = _mm_add_ps(_mm_mul_ps(x, _mm_add_ps(y, z)), _mm_mul_ps(y, z));
        let upper = _mm_movehl_ps(four, four);
        [
            _mm_cvtss_f32(four),
            _mm_cvtss_f32(_mm_shuffle_ps::<1>(four, four)),
            _mm_cvtss_f32(upper),
            _mm_cvtss_f32(_mm_shuffle_ps::<1>(upper, upper)),
        ]
    }
}

/// Half the surfaces of four boxes, with lengths multiplied by `scale` first so that squares stay in range.
#[inline(always)]
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) fn half_areas(hulls: [Hull; 4], scale: f32) -> [f32; 4] {
    hulls.map(|h| {
        let [x, y, z] = [(h[0] + h[4]) * scale, (h[1] + h[5]) * scale, (h[2] + h[6]) * scale];
        x * (y + z) + y * z
    })
}

/// Added to a number from 0 to 2^22, leaves it rounded in the lowest bits.
const ROUND: f32 = 12_582_912.0;
/// A little less than half a bin: what rounds to the nearest then rounds down, and never below 0.
const HALF: f32 = 0.499_99;

/// How many `1 / per_unit` the doubled centre of a box lies above `from` along each axis, rounded down; `BINS` is
/// a power of two. What is not a number, or not below `BINS`, gives some number below `BINS`.
#[inline(always)]
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) fn cells<const BINS: usize>(hull: &Hull, from: &[f32; 4], per_unit: &[f32; 4]) -> [usize; 3] {
    use core::arch::x86_64::*;
    // SAFETY: SSE2 is among the features of the whole crate (`cfg`); no intrinsic touches memory.
    unsafe {
        let centre = _mm_sub_ps(low(hull), high(hull));
        let at = _mm_mul_ps(_mm_sub_ps(centre, four(from)), four(per_unit));
        let rounded = _mm_add_ps(_mm_sub_ps(at, _mm_set1_ps(HALF)), _mm_set1_ps(ROUND));
        let cells = _mm_and_si128(_mm_castps_si128(rounded), _mm_set1_epi32(BINS as i32 - 1));
        let xy = _mm_cvtsi128_si64(cells) as u64;
        let z = _mm_cvtsi128_si32(_mm_unpackhi_epi64(cells, cells)) as u32;
        [xy as u32 as usize, (xy >> 32) as usize, z as usize]
    }
}

/// How many `1 / per_unit` the doubled centre of a box lies above `from` along each axis, rounded down; `BINS` is
/// a power of two. What is not a number, or not below `BINS`, gives some number below `BINS`.
#[inline(always)]
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) fn cells<const BINS: usize>(hull: &Hull, from: &[f32; 4], per_unit: &[f32; 4]) -> [usize; 3] {
    core::array::from_fn(|axis| cell::<BINS>(hull, from, per_unit, axis))
}

/// The same along one axis.
#[inline(always)]
pub(crate) fn cell<const BINS: usize>(
    hull: &Hull,
    from: &[f32; 4],
    per_unit: &[f32; 4],
    axis: usize,
) -> usize {
    let at = ((hull[axis] - hull[4 + axis]) - from[axis]) * per_unit[axis];
    ((at - HALF) + ROUND).to_bits() as usize & (BINS - 1)
}

/// Four numbers in a register.
#[inline(always)]
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
fn four(&[a, b, c, d]: &[f32; 4]) -> core::arch::x86_64::__m128 {
    // SAFETY: SSE is among the features of the whole crate (`cfg`); the intrinsic does not touch memory.
    unsafe { core::arch::x86_64::_mm_setr_ps(a, b, c, d) }
}

#[inline(always)]
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
fn low(&[a, b, c, d, ..]: &Hull) -> core::arch::x86_64::__m128 {
    four(&[a, b, c, d])
}

#[inline(always)]
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
fn high(&[.., a, b, c, d]: &Hull) -> core::arch::x86_64::__m128 {
    four(&[a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_of_four_are_those_of_each() {
        let hulls: [Hull; 4] = core::array::from_fn(|i| {
            let i = i as f32;
            [i, -1.0, 0.25, f32::NAN, -3.5 * i - 1.0, -i, -7.0, f32::INFINITY]
        });
        let areas = half_areas(hulls, 0.5);
        for (h, area) in hulls.iter().zip(areas) {
            let [x, y, z] = [-(h[0] + h[4]) * 0.5, -(h[1] + h[5]) * 0.5, -(h[2] + h[6]) * 0.5];
            assert_eq!(area, x * y + x * z + y * z);
        }
    }

    #[test]
    fn cells_along_all_axes_are_those_along_each() {
        let (from, per_unit) = ([-2.0, 0.0, 10.0, 0.0], [3.999_99, 1.0, f32::INFINITY, 0.0]);
        for i in 0..=40u8 {
            let c = f32::from(i) * 0.1;
            let hull = [c - 2.0, c, 10.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            let all = cells::<16>(&hull, &from, &per_unit);
            assert_eq!(all, [0, 1, 2].map(|axis| cell::<16>(&hull, &from, &per_unit, axis)));
            assert!(all.iter().all(|&cell| cell < 16));
        }
        let at = |x: f32| cells::<16>(&[x, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], &from, &per_unit)[0];
        assert_eq!([at(-2.0), at(-1.8), at(-1.7), at(2.0)], [0, 0, 1, 15]);
    }
}
