//! Right-angled solids: the cells of an uneven grid, filled or not.
//!
//! Every face between a filled cell and an empty one becomes a square with shared corners, so the surface is
//! closed whatever is filled, walls with openings included.

use std::collections::HashMap;

use hitscan::glam::DVec3;

use super::surface::Surface;

/// The planes of a grid, ascending along each axis; cell `i` of an axis lies between planes `i` and `i + 1`.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    pub planes: [Vec<f64>; 3],
}

impl Lattice {
    /// A grid with a plane at each of the given places, in any order.
    pub fn new(planes: [Vec<f64>; 3]) -> Lattice {
        let ascending = |mut planes: Vec<f64>| {
            planes.sort_by(f64::total_cmp);
            planes.dedup();
            planes
        };
        Lattice { planes: planes.map(ascending) }
    }

    /// Adds the surface of all cells whose centre is `filled`.
    pub fn fill(&self, surface: &mut Surface, filled: impl Fn(DVec3) -> bool) {
        let cells: [i64; 3] = [0, 1, 2].map(|axis| self.planes[axis].len() as i64 - 1);
        let is_filled = |cell: [i64; 3]| {
            let inside = (0..3).all(|axis| (0..cells[axis]).contains(&cell[axis]));
            inside && filled(self.centre(cell))
        };
        let mut corners = HashMap::new();
        for x in 0..cells[0] {
            for y in 0..cells[1] {
                for z in 0..cells[2] {
                    let cell = [x, y, z];
                    if !is_filled(cell) {
                        continue;
                    }
                    for axis in 0..3 {
                        for step in [-1, 1] {
                            let mut neighbour = cell;
                            neighbour[axis] += step;
                            if !is_filled(neighbour) {
                                self.face(surface, &mut corners, cell, axis, step);
                            }
                        }
                    }
                }
            }
        }
    }

    fn centre(&self, cell: [i64; 3]) -> DVec3 {
        let middle = |axis: usize| {
            let planes = &self.planes[axis][cell[axis] as usize..];
            0.5 * (planes[0] + planes[1])
        };
        DVec3::new(middle(0), middle(1), middle(2))
    }

    /// The face of a cell towards `step` along `axis`, counter-clockwise from outside.
    fn face(
        &self,
        surface: &mut Surface,
        corners: &mut HashMap<[i64; 3], u32>,
        cell: [i64; 3],
        axis: usize,
        step: i64,
    ) {
        let (mut u, mut v) = ((axis + 1) % 3, (axis + 2) % 3);
        if step < 0 {
            (u, v) = (v, u);
        }
        let mut corner = |du: i64, dv: i64| {
            let mut plane = cell;
            plane[axis] += i64::from(step > 0);
            plane[u] += du;
            plane[v] += dv;
            let at = |axis: usize| self.planes[axis][plane[axis] as usize];
            *corners.entry(plane).or_insert_with(|| surface.vertex(DVec3::new(at(0), at(1), at(2))))
        };
        let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
        surface.quad(a, b, c, d);
    }
}
