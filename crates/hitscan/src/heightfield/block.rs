//! The triangles of a leaf, computed: 2 x 2 cells become the block that kernels test, as if a tree had stored it.
//!
//! Lane `cell + 4 * half` holds one half of one cell; cells are counted along columns, then along rows. The corners are those of
//! [`Heightfield::to_mesh`](super::Heightfield::to_mesh) on every bit, so all that follows is the recipe's own.

use super::ground::{Ground, Spot, Up, corners_of};
use super::holes::Holes;
use super::pyramid::block_of;
use super::sample::Sample;
use super::{Heights, Relief};
use crate::bvh::layout::{Place, Stored};
use crate::bvh::meter::Meter;
use crate::bvh::node::LeafRef;
use crate::simd::block::BLOCK_ROWS;
use crate::source::Source;

/// A leaf's block, aligned so that no row of it straddles a cache line.
#[repr(C, align(64))]
pub(super) struct Block([[f32; 8]; BLOCK_ROWS]);

impl Block {
    /// What stands where it would in an arena of blocks: all eight lanes, from the beginning on.
    pub const LEAF: LeafRef = LeafRef { row: 0, count: 8 };

    #[inline(always)]
    pub fn new() -> Block {
        Block([[0.0; 8]; BLOCK_ROWS])
    }

    #[inline(always)]
    pub fn numbers(&self) -> &[f32; 8 * BLOCK_ROWS] {
        self.0.as_flattened().first_chunk().expect("as many numbers as all rows have")
    }
}

/// A heightfield of one kind of samples, as a walk sees it.
pub(super) struct Field<'a, S: Sample> {
    pub ground: &'a Ground,
    pub holes: &'a Holes,
    pub relief: &'a Relief<S>,
}

impl<S: Sample> Field<'_, S> {
    /// Writes the triangles of a leaf, and gives the lanes of those that are there.
    #[inline(always)]
    pub fn fill(&self, payload: u32, block: &mut Block) -> u32 {
        let ground = self.ground;
        let [block_column, block_row] = block_of(payload);
        let spot @ [column, row] = [2 * block_column, 2 * block_row];
        let [columns, rows, up] = ground.axes();
        let along = ground.along();
        let [x0, x1, x2] = three(along[0], column);
        let [y0, y1, y2] = three(along[1], row);
        let [h0, h1, h2] = self.nine_heights(column, row);
        // The corners a, b, c, d of each cell.
        let (left, right) = ([x0, x1, x0, x1], [x1, x2, x1, x2]);
        let (front, back) = ([y0, y0, y1, y1], [y1, y1, y2, y2]);
        let a = [h0[0], h0[1], h1[0], h1[1]];
        let b = [h0[1], h0[2], h1[1], h1[2]];
        let c = [h1[0], h1[1], h2[0], h2[1]];
        let d = [h1[1], h1[2], h2[1], h2[2]];
        // As `Ground::wind` has them: a and b come first, c and c, b and d in the order that `up` asks for.
        let (with_c, with_bd) = if ground.up == Up::Y { (3, 6) } else { (6, 3) };
        let rows_of = &mut block.0;
        rows_of[columns] = halves(left, right);
        rows_of[rows] = halves(front, front);
        rows_of[up] = halves(a, b);
        rows_of[with_c + columns] = halves(left, left);
        rows_of[with_c + rows] = halves(back, back);
        rows_of[with_c + up] = halves(c, c);
        rows_of[with_bd + columns] = halves(right, right);
        rows_of[with_bd + rows] = halves(front, back);
        rows_of[with_bd + up] = halves(b, d);
        let cells = self.cells_there(spot);
        cells | cells << 4
    }

    /// The heights of a leaf's samples, row by row; the last again beyond the end, where no cells are.
    #[inline(always)]
    fn nine_heights(&self, column: usize, row: usize) -> [[f32; 3]; 3] {
        let Relief { samples, scale, .. } = self.relief;
        let (columns, last) = (self.ground.columns, self.ground.rows - 1);
        let [a, b, c] = three(&samples[row * columns..][..columns], column);
        let [d, e, f] = three(&samples[(row + 1) * columns..][..columns], column);
        let [g, h, i] = three(&samples[(row + 2).min(last) * columns..][..columns], column);
        // In a loop, so that eight are computed at a time.
        let (nine, mut heights) = ([a, b, c, d, e, f, g, h, i], [0.0; 9]);
        for place in 0..9 {
            heights[place] = nine[place].height(scale);
        }
        let [a, b, c, d, e, f, g, h, i] = heights;
        [[a, b, c], [d, e, f], [g, h, i]]
    }

    /// Bits of those of a leaf's cells that lie in the field and are no holes.
    #[inline(always)]
    fn cells_there(&self, [column, row]: Spot) -> u32 {
        let [across, down] = self.ground.cells();
        let mut there = 0b1111;
        if column + 1 >= across {
            there &= 0b0101;
        }
        if row + 1 >= down {
            there &= 0b0011;
        }
        if !self.holes.is_empty() {
            for cell in 0..4 {
                let spot = [column + (cell & 1), row + (cell >> 1)];
                if there >> cell & 1 == 1 && self.holes.has(self.ground.cell(spot)) {
                    there &= !(1 << cell);
                }
            }
        }
        there
    }

    /// Every triangle of a leaf, at most eight.
    pub fn each_in(&self, payload: u32) -> impl Iterator<Item = Stored> {
        let [column, row] = block_of(payload);
        let cells = self.cells_there([2 * column, 2 * row]);
        (0..8).filter(move |lane| cells >> (lane & 3) & 1 == 1).map(move |lane| {
            let place = Place { payload, lane };
            Stored { corners: self.corners(place), prim: self.prim(place) }
        })
    }

    /// The corners of one half of a cell.
    #[inline(always)]
    pub fn triangle(&self, cell: Spot, half: usize) -> [[f32; 3]; 3] {
        // No closure: the compiler would leave its instruction set behind.
        let [a, b, c, d] = corners_of(cell);
        self.ground.wind([self.corner(a), self.corner(b), self.corner(c), self.corner(d)], half)
    }

    #[inline(always)]
    fn corner(&self, spot @ [column, row]: Spot) -> [f32; 3] {
        let Relief { samples, scale, .. } = self.relief;
        self.ground.point(spot, samples[row * self.ground.columns + column].height(scale))
    }
}

/// The cell of a lane of a leaf, and which half of it.
#[inline(always)]
fn cell_at(place: Place) -> (Spot, usize) {
    let [column, row] = block_of(place.payload);
    let lane = place.lane as usize;
    ([2 * column + (lane & 1), 2 * row + (lane >> 1 & 1)], lane >> 2)
}

impl<S: Sample> Source for Field<'_, S> {
    #[inline(always)]
    fn prim(&self, place: Place) -> u32 {
        let (cell, half) = cell_at(place);
        (2 * self.ground.cell(cell) + half) as u32
    }

    #[inline(always)]
    fn corners(&self, place: Place) -> [[f32; 3]; 3] {
        let (cell, half) = cell_at(place);
        self.triangle(cell, half)
    }

    fn each_at(&self, position: [f32; 3], meter: &mut dyn Meter, visit: &mut dyn FnMut(&Stored)) {
        let Some(sample) = self.ground.sample_at(position) else { return };
        for cell in self.ground.cells_around(sample) {
            meter.leaf();
            let number = self.ground.cell(cell);
            for half in 0..2 {
                let corners = self.triangle(cell, half);
                if corners.contains(&position) && !self.holes.has(number) {
                    visit(&Stored { corners, prim: (2 * number + half) as u32 });
                }
            }
        }
    }

    fn any_beside(&self, place: Place, position: [f32; 3], wanted: &mut dyn FnMut(&Stored) -> bool) -> bool {
        self.each_in(place.payload).any(|triangle| triangle.corners.contains(&position) && wanted(&triangle))
    }

    fn any_at(
        &self,
        positions: &[[f32; 3]],
        meter: &mut dyn Meter,
        wanted: &mut dyn FnMut(&Stored) -> bool,
    ) -> bool {
        let mut is_there = false;
        self.each_at(positions[0], meter, &mut |triangle| is_there |= wanted(triangle));
        is_there
    }
}

/// The corners that a place stands for, of whatever samples.
#[inline(always)]
pub(super) fn corners(ground: &Ground, holes: &Holes, heights: &Heights, place: Place) -> [[f32; 3]; 3] {
    match heights {
        Heights::U16(relief) => Field { ground, holes, relief }.corners(place),
        Heights::F32(relief) => Field { ground, holes, relief }.corners(place),
    }
}

/// Three neighbours; the last again beyond the end.
#[inline(always)]
fn three<T: Copy>(along: &[T], first: usize) -> [T; 3] {
    [along[first], along[first + 1], along[(first + 2).min(along.len() - 1)]]
}

/// One coordinate of one corner: of the four first halves, then of the four second ones.
#[inline(always)]
fn halves([a, b, c, d]: [f32; 4], [e, f, g, h]: [f32; 4]) -> [f32; 8] {
    [a, b, c, d, e, f, g, h]
}
