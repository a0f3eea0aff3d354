//! Aligned storage for what kernels load.
#![allow(unsafe_code, reason = "a view of aligned rows as plain numbers")]

use bytemuck::{Pod, Zeroable};

use super::block::BLOCK_ROWS;

/// Eight numbers that are loaded at once, aligned so that they never straddle a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C, align(32))]
pub(crate) struct Row(pub [f32; 8]);

/// Rows as plain numbers, eight a row.
#[inline(always)]
pub(crate) fn flatten(rows: &[Row]) -> &[f32] {
    // SAFETY: a `Row` is exactly eight `f32` without padding (32 bytes, `repr(C)`), so `rows` is that many
    // initialised numbers in a row, borrowed for as long as the result.
    unsafe { core::slice::from_raw_parts(rows.as_ptr().cast(), rows.len() * 8) }
}

/// The same, to be written.
pub(crate) fn flatten_mut(rows: &mut [Row]) -> &mut [f32] {
    // SAFETY: as in `flatten`; every bit pattern of a `f32` is valid in a `Row`, and the borrow is exclusive.
    unsafe { core::slice::from_raw_parts_mut(rows.as_mut_ptr().cast(), rows.len() * 8) }
}

/// A leaf's block as plain numbers.
#[inline(always)]
pub(crate) fn numbers(rows: &[Row; BLOCK_ROWS]) -> &[f32; 8 * BLOCK_ROWS] {
    // SAFETY: as in `flatten`.
    unsafe { &*rows.as_ptr().cast() }
}
