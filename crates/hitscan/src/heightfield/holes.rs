//! Cells that are left out: one bit a cell, and nothing where there are none.

use alloc::vec::Vec;

use crate::stock::Stock;

/// One bit a cell, row by row; empty where no cell is left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Holes(Stock<u64>);

impl Holes {
    /// A bit for each cell, all of them there.
    pub fn none_of(cells: usize) -> Holes {
        Holes(alloc::vec![0; cells.div_ceil(64)].into())
    }

    /// The marks of cells in their order, and how many there are.
    pub fn marked(marks: impl Iterator<Item = bool>) -> (Holes, usize) {
        let (mut bits, mut count) = (Vec::new(), 0);
        for is_hole in marks {
            if count % 64 == 0 {
                bits.push(0);
            }
            bits[count / 64] |= u64::from(is_hole) << (count % 64);
            count += 1;
        }
        bits.shrink_to_fit();
        (Holes(bits.into()), count)
    }

    pub fn mark(&mut self, cell: usize) {
        self.0.to_mut()[cell / 64] |= 1 << (cell % 64);
    }

    /// Drops the bits where all are 0.
    pub fn shrink(&mut self) {
        if self.0.iter().all(|&bits| bits == 0) {
            self.0 = Stock::default();
        }
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline(always)]
    pub fn has(&self, cell: usize) -> bool {
        !self.is_empty() && self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// The bits.
    #[cfg(feature = "std")]
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// The holes of these bits, where there are as many as the cells need, or none.
    #[cfg(feature = "std")]
    pub fn of_words(words: Stock<u64>, cells: usize) -> Option<Holes> {
        (words.is_empty() || words.len() == cells.div_ceil(64)).then_some(Holes(words))
    }

    pub fn bytes(&self) -> usize {
        self.0.len() * size_of::<u64>()
    }
}
