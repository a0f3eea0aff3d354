//! The vertices that one mesh uses, out of a list that many meshes share.

/// Marks rows of a shared list as used, then numbers the used ones in list order.
///
/// Kept from mesh to mesh, and from list to list: a mesh costs time and memory for the rows it uses, not for the
/// length of the list, so a thousand small meshes on one long list, or on a thousand of them, stay cheap.
#[derive(Default)]
pub(crate) struct Numbering {
    /// By row of the list: `UNUSED`, or the number of the row in the mesh.
    number: Vec<u32>,
    used: Vec<u32>,
}

const UNUSED: u32 = u32::MAX;

impl Numbering {
    /// Marks a row. Fewer than 2^32 - 1 rows may be marked at a time.
    pub fn mark(&mut self, row: u32) {
        let at = row as usize;
        if at >= self.number.len() {
            self.number.resize(at + 1, UNUSED);
        }
        if self.number[at] == UNUSED {
            self.number[at] = 0;
            self.used.push(row);
        }
    }

    /// Numbers the marked rows from `first` on, and gives them in that order.
    pub fn assign(&mut self, first: u32) -> &[u32] {
        // Scans and exporters mark almost in order; a full list needs no sorting at all.
        let end = self.used.iter().max().map_or(0, |&last| last as usize + 1);
        if self.used.len() == end {
            self.used.clear();
            self.used.extend(0..end as u32);
        } else if !self.used.is_sorted() {
            self.used.sort_unstable();
        }
        for (number, &row) in (first..).zip(&self.used) {
            self.number[row as usize] = number;
        }
        &self.used
    }

    /// Whether every marked row has its own row as number, once they are assigned from 0.
    pub fn is_identity(&self) -> bool {
        self.used.last().is_none_or(|&last| last as usize + 1 == self.used.len())
    }

    /// The number of a marked row.
    pub fn number(&self, row: u32) -> u32 {
        self.number[row as usize]
    }

    /// Unmarks every row.
    pub fn clear(&mut self) {
        for row in self.used.drain(..) {
            self.number[row as usize] = UNUSED;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Numbering;

    #[test]
    fn rows_are_numbered_in_list_order_and_forgotten() {
        let mut numbering = Numbering::default();
        for row in [7, 2, 7, 5] {
            numbering.mark(row);
        }
        assert_eq!(numbering.assign(10), [2, 5, 7]);
        assert_eq!([2, 5, 7].map(|row| numbering.number(row)), [10, 11, 12]);
        numbering.clear();
        for row in [1, 0] {
            numbering.mark(row);
        }
        assert_eq!(numbering.assign(0), [0, 1]);
        assert_eq!([0, 1].map(|row| numbering.number(row)), [0, 1]);
    }

    #[test]
    fn a_full_list_keeps_its_order() {
        let mut numbering = Numbering::default();
        for row in [2, 0, 1] {
            numbering.mark(row);
        }
        assert_eq!(numbering.assign(0), [0, 1, 2]);
        assert!(numbering.is_identity());
        numbering.clear();
        numbering.mark(1);
        numbering.assign(0);
        assert!(!numbering.is_identity());
        numbering.clear();
        // A list that is shorter than the one before is full by its own length.
        for row in [1, 0] {
            numbering.mark(row);
        }
        assert_eq!(numbering.assign(0), [0, 1]);
        assert!(numbering.is_identity());
    }
}
