//! Which triangles each cell may be touched by, as the leaves of the mesh's tree that hold them: their triangles are near
//! each other, and are tested together.

use alloc::vec;
use alloc::vec::Vec;

use super::axes::Axes;
use super::limits::GridError;
use super::overlap::Overlap;
use crate::mesh::MeshData;

/// The lists of all cells, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    /// Where each cell's list begins; one more at the end.
    offsets: Vec<u32>,
    /// Payloads of leaves.
    leaves: Vec<u32>,
}

impl Lists {
    #[inline(always)]
    pub fn is_empty(&self, cell: usize) -> bool {
        self.offsets[cell] == self.offsets[cell + 1]
    }

    /// The leaves with a triangle that may touch a cell.
    #[inline(always)]
    pub fn of(&self, cell: usize) -> &[u32] {
        &self.leaves[self.offsets[cell] as usize..self.offsets[cell + 1] as usize]
    }

    pub fn references(&self) -> usize {
        self.leaves.len()
    }

    pub fn bytes(&self) -> usize {
        (self.offsets.len() + self.leaves.len()) * size_of::<u32>()
    }
}

/// Enters each leaf into the cells that one of its triangles may touch: once to count, once to write.
pub(super) fn fill(mesh: &MeshData, axes: &Axes, limit: usize) -> Result<Lists, GridError> {
    let limit = limit.min(u32::MAX as usize);
    let mut counts = vec![0u32; axes.cells()];
    let mut references = 0;
    each_entry(mesh, axes, &mut |cell, _| {
        counts[cell] += 1;
        references += 1;
        references <= limit
    });
    if references > limit {
        return Err(GridError::TooManyReferences { limit });
    }
    let mut offsets = Vec::with_capacity(counts.len() + 1);
    let mut end = 0;
    offsets.push(0);
    for count in &mut counts {
        // From here on, where the next leaf of the cell goes.
        let first = end;
        end += *count;
        *count = first;
        offsets.push(end);
    }
    let mut leaves = vec![0u32; references];
    each_entry(mesh, axes, &mut |cell, leaf| {
        leaves[counts[cell] as usize] = leaf;
        counts[cell] += 1;
        true
    });
    Ok(Lists { offsets, leaves })
}

/// Calls `visit` for each cell and each leaf with a triangle that may touch it, once a pair, until it says no.
fn each_entry(mesh: &MeshData, axes: &Axes, visit: &mut dyn FnMut(usize, u32) -> bool) {
    let overlap = Overlap::new(axes);
    // The last leaf of each cell so far; no leaf has that many bits.
    let mut last = vec![u32::MAX; axes.cells()];
    for leaf in leaves(mesh) {
        for stored in mesh.leaves().triangles(leaf) {
            let goes_on = overlap.each_cell(stored.corners, &mut |cell| {
                core::mem::replace(&mut last[cell], leaf) == leaf || visit(cell, leaf)
            });
            if !goes_on {
                return;
            }
        }
    }
}

/// The payloads of all leaves of a mesh's tree.
pub(super) fn leaves(mesh: &MeshData) -> impl Iterator<Item = u32> {
    mesh.tree
        .nodes
        .iter()
        .flat_map(|node| node.occupied().filter_map(|place| node.children[place].split().ok()))
}
