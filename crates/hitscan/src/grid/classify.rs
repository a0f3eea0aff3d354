//! Inside or outside: cells without triangles, joined to their neighbours, are all of one kind.

use alloc::vec;
use alloc::vec::Vec;

use super::axes::Axes;
use super::fill::Lists;
use crate::mesh::Mesh;

/// One bit for each cell: whether it has no triangles and lies inside. All 0 for an open mesh.
///
/// Cells without triangles are gathered into rooms, each from one cell through the sides that cells share. No triangle
/// touches a room, so its points are all inside or all outside: outside where the room reaches the grid's border, since
/// nothing lies beyond that, else as the mesh says of the middle of one cell.
pub(super) fn inside(mesh: &Mesh, axes: &Axes, lists: &Lists, is_closed: bool) -> Vec<u64> {
    let cells = axes.cells();
    let mut inside = vec![0u64; cells.div_ceil(64)];
    if !is_closed {
        return inside;
    }
    let mut seen = vec![0u64; cells.div_ceil(64)];
    let mut room = Vec::new();
    for start in 0..cells {
        if !is_new(&mut seen, lists, start) {
            continue;
        }
        room.clear();
        room.push(start as u32);
        let (mut next, mut reaches_border) = (0, false);
        while next < room.len() {
            let cell = room[next] as usize;
            reaches_border |= !each_neighbour(axes, cell, |cell| {
                if is_new(&mut seen, lists, cell) {
                    room.push(cell as u32);
                }
            });
            next += 1;
        }
        if !reaches_border && mesh.contains(axes.middle(start)) {
            for &cell in &room {
                inside[cell as usize / 64] |= 1 << (cell % 64);
            }
        }
    }
    inside
}

/// Whether a cell has no triangles and is seen for the first time.
fn is_new(seen: &mut [u64], lists: &Lists, cell: usize) -> bool {
    let (word, bit) = (&mut seen[cell / 64], 1u64 << (cell % 64));
    let is_new = *word & bit == 0 && lists.is_empty(cell);
    *word |= bit;
    is_new
}

/// Calls `visit` for each cell that shares a side; says whether there are six of them.
fn each_neighbour(axes: &Axes, cell: usize, mut visit: impl FnMut(usize)) -> bool {
    let (layers, resolution) = (axes.layers(cell), axes.resolution());
    let mut stride = 1;
    let mut all = true;
    for axis in 0..3 {
        if layers[axis] > 0 {
            visit(cell - stride);
        }
        if layers[axis] + 1 < resolution[axis] {
            visit(cell + stride);
        }
        all &= layers[axis] > 0 && layers[axis] + 1 < resolution[axis];
        stride *= resolution[axis];
    }
    all
}
