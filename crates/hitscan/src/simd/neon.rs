//! Eight lanes of AArch64's Advanced SIMD (NEON), as two registers of four. Crates for AArch64 are compiled for it, but for
//! targets without floats in hardware, so there is nothing to detect, and nothing to enable in a function. Tables of bytes
//! take the lowest byte of a number to come first.
#![allow(unsafe_code, reason = "intrinsics; all of a feature that the whole crate is compiled for")]

use core::arch::aarch64::*;
use core::arch::asm;

use super::Task;
use super::lanes::{Lanes, PACKING, lowest};
use super::sixteen::Pairs;
use super::stack::Slots;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon;

/// Runs a task in a function of its own, so that kernels lie side by side as on other machines.
#[inline(never)]
pub(crate) fn run<T: Task>(lanes: Neon, task: T) -> T::Output {
    task.run(lanes)
}

/// Lanes 0 to 3, and 4 to 7.
#[derive(Clone, Copy)]
pub(crate) struct Eight(float32x4_t, float32x4_t);

/// The bit that each lane has in a mask.
const BITS: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

// SAFETY: both spills pack the lanes of `hits` to the front and store four slots where it has up to four bits, else eight.
unsafe impl Lanes for Neon {
    #[cfg(test)]
    const ISA: super::Isa = super::Isa::Neon;
    type F = Eight;
    type Sixteen = Pairs<Neon>;

    #[inline(always)]
    fn sixteen(self) -> Pairs<Neon> {
        Pairs(self)
    }

    #[inline(always)]
    fn apart<T: Task>(self, task: T) -> T::Output {
        run(self, task)
    }

    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> Eight {
        // SAFETY: NEON is there; the reference covers both loads of 16 bytes, which need no alignment beyond that of `f32`.
        unsafe { Eight(vld1q_f32(from.as_ptr()), vld1q_f32(from.as_ptr().add(4))) }
    }
    #[inline(always)]
    fn splat(self, value: f32) -> Eight {
        // SAFETY: NEON is there.
        let four = unsafe { vdupq_n_f32(value) };
        Eight(four, four)
    }
    #[inline(always)]
    fn store(self, value: Eight) -> [f32; 8] {
        let mut to = [0.0; 8];
        // SAFETY: NEON is there; `to` has the 32 bytes of both stores.
        unsafe {
            vst1q_f32(to.as_mut_ptr(), value.0);
            vst1q_f32(to.as_mut_ptr().add(4), value.1);
        }
        to
    }
    #[inline(always)]
    fn sub(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: NEON is there.
        unsafe { Eight(vsubq_f32(a.0, b.0), vsubq_f32(a.1, b.1)) }
    }
    #[inline(always)]
    fn mul(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: NEON is there.
        unsafe { Eight(vmulq_f32(a.0, b.0), vmulq_f32(a.1, b.1)) }
    }
    #[inline(always)]
    fn mul_add_loose(self, a: Eight, b: Eight, c: Eight) -> Eight {
        // SAFETY: NEON is there.
        unsafe { Eight(vfmaq_f32(c.0, a.0, b.0), vfmaq_f32(c.1, a.1, b.1)) }
    }
    #[inline(always)]
    fn min(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: NEON is there.
        unsafe { Eight(vminq_f32(a.0, b.0), vminq_f32(a.1, b.1)) }
    }
    #[inline(always)]
    fn max(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: NEON is there.
        unsafe { Eight(vmaxq_f32(a.0, b.0), vmaxq_f32(a.1, b.1)) }
    }
    #[inline(always)]
    fn least(self, a: Eight) -> f32 {
        // SAFETY: NEON is there.
        unsafe { vminvq_f32(vminq_f32(a.0, a.1)) }
    }
    #[inline(always)]
    fn largest(self, a: Eight) -> f32 {
        // SAFETY: NEON is there.
        unsafe { vmaxvq_f32(vmaxq_f32(a.0, a.1)) }
    }
    #[inline(always)]
    fn le(self, a: Eight, b: Eight) -> u32 {
        // SAFETY: NEON is there.
        unsafe { mask(vcleq_f32(a.0, b.0), vcleq_f32(a.1, b.1)) }
    }
    #[inline(always)]
    fn lt(self, a: Eight, b: Eight) -> u32 {
        // SAFETY: NEON is there.
        unsafe { mask(vcltq_f32(a.0, b.0), vcltq_f32(a.1, b.1)) }
    }

    #[inline(always)]
    fn prefetch(self, address: *const u8) {
        // SAFETY: a prefetch reads nothing that the program sees, and never faults.
        unsafe {
            asm!("prfm pldl1keep, [{0}]", in(reg) address, options(nostack, preserves_flags, readonly))
        };
    }

    #[inline(always)]
    fn spill(self, children: &[u32; 8], hits: u32, to: Slots<'_>) {
        // SAFETY: NEON is there; both places have 32 bytes, and no alignment beyond that of `u32` is needed.
        unsafe {
            let children = load(children);
            let (first, last) = packing(hits);
            let to = to.children.as_mut_ptr().cast();
            vst1q_u32(to, pick(children, bytes_of(first)));
            if hits.count_ones() > 4 {
                vst1q_u32(to.add(4), pick(children, bytes_of(last)));
            }
        }
    }

    #[inline(always)]
    fn spill_nearest_last(self, children: &[u32; 8], near: Eight, hits: u32, to: Slots<'_>) -> usize {
        let last = nearest(self, near, hits);
        // SAFETY: NEON is there; all places have 32 bytes, and no alignment beyond that of `u32` is needed.
        unsafe {
            let children = load(children);
            let near = (vreinterpretq_u32_f32(near.0), vreinterpretq_u32_f32(near.1));
            let (first, last) = packing(hits);
            let count = hits.count_ones();
            let (nears, places): (*mut u32, *mut u32) =
                (to.nears.as_mut_ptr().cast(), to.children.as_mut_ptr().cast());
            let store = |at: usize, keys: int32x4_t| {
                vst1q_u32(nears.add(at), vreinterpretq_u32_s32(keys));
                let lanes = vandq_u32(vreinterpretq_u32_s32(keys), vdupq_n_u32(7));
                vst1q_u32(places.add(at), pick(children, bytes_of(lanes)));
            };
            let first = keys(near, first, [0, 1, 2, 3], count);
            if count <= 4 {
                store(0, sort_four(first));
            } else {
                let (first, last) = (sort_four(first), sort_four(keys(near, last, [4, 5, 6, 7], count)));
                // The one from its end: what is larger, and what is smaller, each first ascends and then descends or the
                // other way round.
                let turned = vrev64q_s32(vextq_s32::<2>(last, last));
                store(0, sort_bitonic(vmaxq_s32(first, turned)));
                store(4, sort_bitonic(vminq_s32(first, turned)));
            }
        }
        last
    }
}

/// The lane with the smallest key of those that are hit, which is the one that a spill writes last.
#[inline(always)]
fn nearest(lanes: Neon, near: Eight, hits: u32) -> usize {
    let near = lanes.store(near);
    let (mut least, mut hits) = (i32::MAX, hits & 0xff);
    while hits != 0 {
        let lane = lowest(hits);
        hits &= hits - 1;
        least = least.min(near[lane].to_bits() as i32 & !7 | lane as i32);
    }
    (least & 7) as usize
}

/// The bits of the lanes that are all ones.
#[inline(always)]
fn mask(low: uint32x4_t, high: uint32x4_t) -> u32 {
    // SAFETY: NEON is there; `BITS` covers both loads.
    unsafe {
        let low = vandq_u32(low, vld1q_u32(BITS.as_ptr()));
        let high = vandq_u32(high, vld1q_u32(BITS.as_ptr().add(4)));
        vaddvq_u32(vorrq_u32(low, high))
    }
}

/// The lanes of a mask, then the others, as numbers.
#[inline(always)]
fn packing(hits: u32) -> (uint32x4_t, uint32x4_t) {
    let order = &PACKING[(hits & 0xff) as usize];
    // SAFETY: NEON is there; `order` has the 8 bytes that are read.
    unsafe {
        let lanes = vmovl_u8(vld1_u8(order.as_ptr()));
        (vmovl_u16(vget_low_u16(lanes)), vmovl_high_u16(lanes))
    }
}

/// Eight numbers as bytes.
#[inline(always)]
fn load(numbers: &[u32; 8]) -> uint8x16x2_t {
    // SAFETY: NEON is there; the reference covers both loads of 16 bytes.
    unsafe {
        let bytes = numbers.as_ptr().cast::<u8>();
        uint8x16x2_t(vld1q_u8(bytes), vld1q_u8(bytes.add(16)))
    }
}

/// Where the bytes of four lanes lie, whose numbers are below 8.
#[inline(always)]
fn bytes_of(lanes: uint32x4_t) -> uint8x16_t {
    // SAFETY: NEON is there.
    unsafe {
        let bytes = vmulq_n_u32(lanes, 0x0404_0404);
        vreinterpretq_u8_u32(vaddq_u32(bytes, vdupq_n_u32(0x0302_0100)))
    }
}

#[inline(always)]
fn pick(from: uint8x16x2_t, bytes: uint8x16_t) -> uint32x4_t {
    // SAFETY: NEON is there.
    unsafe { vreinterpretq_u32_u8(vqtbl2q_u8(from, bytes)) }
}

/// The distances of four lanes, whose lowest three bits give way to the lane's number; the lowest number there is in the
/// places from `count` on.
#[inline(always)]
fn keys(near: (uint32x4_t, uint32x4_t), lanes: uint32x4_t, places: [u32; 4], count: u32) -> int32x4_t {
    // SAFETY: NEON is there; `places` has the 16 bytes that are read.
    unsafe {
        let near = uint8x16x2_t(vreinterpretq_u8_u32(near.0), vreinterpretq_u8_u32(near.1));
        let distances = pick(near, bytes_of(lanes));
        let keys = vreinterpretq_s32_u32(vbslq_u32(vdupq_n_u32(7), lanes, distances));
        let wanted = vcltq_u32(vld1q_u32(places.as_ptr()), vdupq_n_u32(count));
        vbslq_s32(wanted, keys, vdupq_n_s32(i32::MIN))
    }
}

/// All bits of the odd lanes, of the upper two, and of the third.
const ODD: [u32; 4] = [0, u32::MAX, 0, u32::MAX];
const UPPER: [u32; 4] = [0, 0, u32::MAX, u32::MAX];
const THIRD: [u32; 4] = [0, 0, u32::MAX, 0];

/// The smaller of two where a lane's bits are set, else the larger.
#[inline(always)]
fn exchange(v: int32x4_t, other: int32x4_t, smaller: &[u32; 4]) -> int32x4_t {
    // SAFETY: NEON is there; the reference covers the load.
    unsafe { vbslq_s32(vld1q_u32(smaller.as_ptr()), vminq_s32(v, other), vmaxq_s32(v, other)) }
}

/// Sorts four numbers, the largest first.
#[inline(always)]
fn sort_four(v: int32x4_t) -> int32x4_t {
    // SAFETY: NEON is there.
    unsafe {
        let v = exchange(v, vrev64q_s32(v), &ODD);
        let v = exchange(v, vextq_s32::<2>(v, v), &UPPER);
        // The first, the third, the second, the fourth.
        exchange(v, vzip1q_s32(v, vextq_s32::<2>(v, v)), &THIRD)
    }
}

/// Sorts four numbers, the largest first, that ascend and then descend or the other way round (Batcher, Sorting Networks and
/// their Applications, 1968).
#[inline(always)]
fn sort_bitonic(v: int32x4_t) -> int32x4_t {
    // SAFETY: NEON is there.
    unsafe {
        let v = exchange(v, vextq_s32::<2>(v, v), &UPPER);
        exchange(v, vrev64q_s32(v), &ODD)
    }
}
