//! Sixteen lanes of `f32`, for one number of each of sixteen rays.

use super::lanes::Lanes;
use super::row::Row;

/// One number of each of sixteen rays, where one load fetches all or half of them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Row16(pub [f32; 16]);

impl Row16 {
    pub const ZERO: Row16 = Row16([0.0; 16]);
}

/// The operations of [`Lanes`] on sixteen lanes, each with the same meaning.
pub(crate) trait Sixteen: Copy {
    type F: Copy;

    fn load(self, from: &Row16) -> Self::F;
    fn splat(self, value: f32) -> Self::F;
    fn store(self, value: Self::F) -> Row16;
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul_add_loose(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    fn le(self, a: Self::F, b: Self::F) -> u32;
    fn lt(self, a: Self::F, b: Self::F) -> u32;
    /// Puts a number in the places whose bits the mask has.
    fn put(self, mask: u32, number: f32, into: &mut Row16);
    /// The numbers without their signs.
    #[inline(always)]
    fn abs(self, numbers: &Row16) -> Self::F {
        let mut sizes = *numbers;
        for size in &mut sizes.0 {
            *size = size.abs();
        }
        self.load(&sizes)
    }
    /// The nearest `f32` of each.
    #[inline(always)]
    fn narrow(self, numbers: &[f64; 8]) -> Row {
        let mut row = Row([0.0; 8]);
        for (narrow, number) in row.0.iter_mut().zip(numbers) {
            *narrow = *number as f32;
        }
        row
    }
    /// Eight numbers of each of sixteen, each of the eight side by side.
    #[inline(always)]
    fn columns(self, rows: &[Row; 16]) -> [Row16; 8] {
        let mut columns = [Row16::ZERO; 8];
        for (i, row) in rows.iter().enumerate() {
            for (column, number) in columns.iter_mut().zip(row.0) {
                column.0[i] = number;
            }
        }
        columns
    }
}

/// Sixteen lanes as two times eight.
#[derive(Clone, Copy)]
pub(crate) struct Pairs<L>(pub L);

impl<L: Lanes> Sixteen for Pairs<L> {
    type F = [L::F; 2];

    #[inline(always)]
    fn load(self, from: &Row16) -> Self::F {
        self.0.halves(from)
    }
    #[inline(always)]
    fn splat(self, value: f32) -> Self::F {
        [self.0.splat(value); 2]
    }
    #[inline(always)]
    fn store(self, [a, b]: Self::F) -> Row16 {
        let mut row = Row16::ZERO;
        let (low, high) = row.0.split_at_mut(8);
        low.copy_from_slice(&self.0.store(a));
        high.copy_from_slice(&self.0.store(b));
        row
    }
    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        [self.0.sub(a[0], b[0]), self.0.sub(a[1], b[1])]
    }
    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        [self.0.mul(a[0], b[0]), self.0.mul(a[1], b[1])]
    }
    #[inline(always)]
    fn mul_add_loose(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        [self.0.mul_add_loose(a[0], b[0], c[0]), self.0.mul_add_loose(a[1], b[1], c[1])]
    }
    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        [self.0.min(a[0], b[0]), self.0.min(a[1], b[1])]
    }
    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        [self.0.max(a[0], b[0]), self.0.max(a[1], b[1])]
    }
    #[inline(always)]
    fn put(self, mask: u32, number: f32, into: &mut Row16) {
        for (half, places) in into.0.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            self.0.put_word(mask >> (8 * half), number.to_bits(), bytemuck::cast_mut(places));
        }
    }
    #[inline(always)]
    fn le(self, a: Self::F, b: Self::F) -> u32 {
        self.0.le(a[0], b[0]) | self.0.le(a[1], b[1]) << 8
    }
    #[inline(always)]
    fn lt(self, a: Self::F, b: Self::F) -> u32 {
        self.0.lt(a[0], b[0]) | self.0.lt(a[1], b[1]) << 8
    }
}
