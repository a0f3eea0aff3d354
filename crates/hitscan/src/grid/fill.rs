//! Which triangles each cell may be touched by.

use alloc::vec;
use alloc::vec::Vec;

use super::axes::Axes;
use super::limits::GridError;
use super::overlap::Overlap;
use crate::bvh::leaf::{self, Place, Stored};
use crate::bvh::node::LeafRef;
use crate::mesh::MeshData;

/// The lists of all cells, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    /// Where each cell's list begins; one more at the end.
    offsets: Vec<u32>,
    /// Where the triangles are stored in the leaves of the mesh's tree, packed.
    places: Vec<u32>,
}

impl Lists {
    #[inline(always)]
    pub fn is_empty(&self, cell: usize) -> bool {
        self.offsets[cell] == self.offsets[cell + 1]
    }

    /// Where the triangles of a cell are stored.
    #[inline(always)]
    pub fn of(&self, cell: usize) -> impl Iterator<Item = Place> {
        let (first, end) = (self.offsets[cell] as usize, self.offsets[cell + 1] as usize);
        self.places[first..end].iter().map(|&packed| Place::unpack(packed))
    }

    pub fn references(&self) -> usize {
        self.places.len()
    }

    pub fn bytes(&self) -> usize {
        (self.offsets.len() + self.places.len()) * size_of::<u32>()
    }
}

/// Enters each triangle that can be hit into the cells that it may touch: once to count, once to write.
pub(super) fn fill(mesh: &MeshData, axes: &Axes, limit: usize) -> Result<Lists, GridError> {
    let limit = limit.min(u32::MAX as usize);
    let mut counts = vec![0u32; axes.cells()];
    let mut references = 0;
    let overlap = Overlap::new(axes);
    for stored in triangles(mesh) {
        overlap.each_cell(stored.corners, &mut |cell| {
            counts[cell] += 1;
            references += 1;
            references <= limit
        });
        if references > limit {
            return Err(GridError::TooManyReferences { limit });
        }
    }
    let mut offsets = Vec::with_capacity(counts.len() + 1);
    let mut end = 0;
    offsets.push(0);
    for count in &mut counts {
        // From here on, where the next triangle of the cell goes.
        let first = end;
        end += *count;
        *count = first;
        offsets.push(end);
    }
    let mut places = vec![0u32; references];
    for stored in triangles(mesh) {
        overlap.each_cell(stored.corners, &mut |cell| {
            places[counts[cell] as usize] = stored.place.pack();
            counts[cell] += 1;
            true
        });
    }
    Ok(Lists { offsets, places })
}

/// All triangles that can be hit, as the tree keeps them.
fn triangles(mesh: &MeshData) -> impl Iterator<Item = Stored> {
    let leaves = mesh
        .tree
        .nodes
        .iter()
        .flat_map(|node| node.occupied().filter_map(|place| node.children[place].split().ok()));
    leaves.flat_map(|payload| leaf::triangles(&mesh.tree.rows, LeafRef::from_payload(payload)))
}
