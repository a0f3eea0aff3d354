//! Cells that are left out: one bit a cell, and nothing where there are none.

use alloc::vec::Vec;

/// One bit a cell, row by row; empty where no cell is left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Holes(Vec<u64>);

impl Holes {
    /// A bit for each cell, all of them there.
    pub fn none_of(cells: usize) -> Holes {
        Holes(alloc::vec![0; cells.div_ceil(64)])
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
        (Holes(bits), count)
    }

    pub fn mark(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Drops the bits where all are 0.
    pub fn shrink(&mut self) {
        if self.0.iter().all(|&bits| bits == 0) {
            self.0 = Vec::new();
        }
        self.0.shrink_to_fit();
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline(always)]
    pub fn has(&self, cell: usize) -> bool {
        !self.is_empty() && self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    pub fn bytes(&self) -> usize {
        self.0.len() * size_of::<u64>()
    }
}
