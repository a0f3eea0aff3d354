//! The lowest and the highest sample of blocks of cells, of blocks of blocks, and so on: a tree without pointers.
//!
//! A leaf is a block of 2 x 2 cells, eight triangles, which are tested together. A node stands for eight children, 4 x 2 of
//! them on odd levels and 2 x 4 on even ones, so that it is about square. What is stored is the range of samples of each
//! child, in the samples' own type: 4 bytes for 16 bits a leaf, one byte a cell, and an eighth of that for each level above.
//! Where a child stands on the ground follows from its place; the box that both make is exact, and the margin of
//! [`slab`](crate::bvh::slab) covers what the recipe rounds, as it does for the tree of a mesh.
//!
//! Source: the maximum mipmaps of Tevs, Ihrke, Seidel, Maximum Mipmaps for Fast, Accurate, and Scalable Dynamic Height Field
//! Rendering, 2008; eight wide instead of four, boxes instead of a march.

use alloc::vec::Vec;

use super::ground::{Ground, Spot, corners_of};
use super::holes::Holes;
use super::sample::{Sample, grown};
use crate::bvh::node::{Child, Node, WIDTH};
use crate::bvh::parallel::list;
use crate::stock::Stock;

/// The ranges of a node's children; those of children without cells are [`Sample::NOTHING`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct Ranges<S> {
    low: [S; WIDTH],
    high: [S; WIDTH],
}

impl<S: Sample> Ranges<S> {
    /// The range of all of them.
    fn all(&self) -> [S; 2] {
        let lowest = self.low.into_iter().fold(S::NOTHING[0], |a, b| if b < a { b } else { a });
        let highest = self.high.into_iter().fold(S::NOTHING[1], |a, b| if b > a { b } else { a });
        [lowest, highest]
    }
}

#[derive(Clone, Copy, Debug)]
struct Level {
    /// Where its nodes begin.
    first: usize,
    across: usize,
    down: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Pyramid<S> {
    /// Level by level from the lowest, row by row.
    nodes: Stock<Ranges<S>>,
    /// From level 1, whose children are leaves, to that of one node.
    levels: Vec<Level>,
}

/// How many times a block of some level is halved along columns and along rows until it is a cell.
#[inline(always)]
fn shifts(level: u32) -> [u32; 2] {
    [1 + level + level.div_ceil(2), 1 + level + level / 2]
}

/// The levels over a ground, from the lowest to that of one node.
fn levels(ground: &Ground) -> Vec<Level> {
    let mut levels = Vec::new();
    let mut first = 0;
    loop {
        let level = levels.len() as u32 + 1;
        let [across, down] = [0, 1].map(|axis| ground.cells()[axis].div_ceil(1 << shifts(level)[axis]));
        levels.push(Level { first, across, down });
        first += across * down;
        if across * down == 1 {
            return levels;
        }
    }
}

/// How many children a node of some level has along columns, as a shift.
#[inline(always)]
fn fan(level: u32) -> u32 {
    1 + (level & 1)
}

/// A child by its place: a leaf's 15 bits each for column and row, or level, row and column in 4, 14 and 13 bits.
/// Blocks are so many times larger than cells that this is enough for [`MAX_SIDE`](super::MAX_SIDE).
const LEAF_BITS: u32 = 15;
const COLUMN_BITS: u32 = 13;
const LEVEL_AT: u32 = 27;

#[inline(always)]
fn inner(level: u32, [column, row]: Spot) -> u32 {
    level << LEVEL_AT | (row as u32) << COLUMN_BITS | column as u32
}

/// The block of a leaf, by its payload.
#[inline(always)]
pub(super) fn block_of(payload: u32) -> Spot {
    [(payload & ((1 << LEAF_BITS) - 1)) as usize, (payload >> LEAF_BITS) as usize]
}

impl<S: Sample> Pyramid<S> {
    pub fn new(ground: &Ground, holes: &Holes, samples: &[S]) -> Pyramid<S> {
        let levels = levels(ground);
        let mut nodes: Vec<Ranges<S>> = Vec::new();
        for (below, &Level { across, down, .. }) in levels.iter().enumerate() {
            let level = below as u32 + 1;
            let range_of = |child: Spot| match levels[..below].last() {
                None => range_of_block(ground, holes, samples, child),
                Some(Level { first, across, down }) if child[0] < *across && child[1] < *down => {
                    nodes[first + child[1] * across + child[0]].all()
                }
                Some(_) => S::NOTHING,
            };
            let mut made = list(across * down, |number| {
                let mut ranges = Ranges { low: [S::NOTHING[0]; WIDTH], high: [S::NOTHING[1]; WIDTH] };
                for place in 0..WIDTH {
                    let child = child_at(level, [number % across, number / across], place);
                    [ranges.low[place], ranges.high[place]] = range_of(child);
                }
                ranges
            });
            nodes.append(&mut made);
        }
        nodes.shrink_to_fit();
        Pyramid { nodes: nodes.into(), levels }
    }

    /// All nodes, level by level.
    #[cfg(feature = "std")]
    pub fn nodes(&self) -> &[Ranges<S>] {
        &self.nodes
    }

    /// The pyramid of these nodes; `None` where the ground needs another number of them.
    #[cfg(feature = "std")]
    pub fn of_nodes(ground: &Ground, nodes: Stock<Ranges<S>>) -> Option<Pyramid<S>> {
        let levels = levels(ground);
        let count = levels.last().map_or(0, |top| top.first + 1);
        (nodes.len() == count).then_some(Pyramid { nodes, levels })
    }

    /// The range of all samples at corners of cells; that of none where there are no cells.
    pub fn range(&self) -> [S; 2] {
        self.nodes.last().map_or(S::NOTHING, Ranges::all)
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.levels)
    }

    /// The number of the topmost node.
    #[inline(always)]
    pub fn root(&self) -> u32 {
        inner(self.levels.len() as u32, [0, 0])
    }

    /// Writes the boxes and children of a node.
    #[inline(always)]
    pub fn open(&self, ground: &Ground, scale: &S::Scale, number: u32, node: &mut Node) {
        let level = number >> LEVEL_AT;
        let spot @ [column, row] = [
            (number & ((1 << COLUMN_BITS) - 1)) as usize,
            (number >> COLUMN_BITS & ((1 << (LEVEL_AT - COLUMN_BITS)) - 1)) as usize,
        ];
        let Level { first, across, .. } = self.levels[level as usize - 1];
        let ranges = &self.nodes[first + row * across + column];
        write_heights(ranges, scale, ground.axes()[2], node);
        if fan(level) == 2 {
            place_children::<2>(ground, level, spot, node);
        } else {
            place_children::<1>(ground, level, spot, node);
        }
    }
}

/// The child of a node at one of its places.
#[inline(always)]
fn child_at(level: u32, [column, row]: Spot, place: usize) -> Spot {
    let fan = fan(level);
    [(column << fan) + (place & ((1 << fan) - 1)), (row << (3 - fan)) + (place >> fan)]
}

/// Writes the lowest and the highest height of each child; of those without cells the box that no ray meets.
#[inline(always)]
fn write_heights<S: Sample>(ranges: &Ranges<S>, scale: &S::Scale, up: usize, node: &mut Node) {
    // In loops of their own, without branches, so that eight are computed at a time.
    let (mut first, mut last) = ([0.0; WIDTH], [0.0; WIDTH]);
    for place in 0..WIDTH {
        first[place] = ranges.low[place].height(scale);
    }
    for place in 0..WIDTH {
        last[place] = ranges.high[place].height(scale);
    }
    // Heights may fall where samples grow.
    for place in 0..WIDTH {
        node.planes[up][place] = if first[place] < last[place] { first[place] } else { last[place] };
    }
    for place in 0..WIDTH {
        node.planes[3 + up][place] = if first[place] < last[place] { last[place] } else { first[place] };
    }
    let mut some_are_empty = false;
    for place in 0..WIDTH {
        some_are_empty |= ranges.low[place] > ranges.high[place];
    }
    if some_are_empty {
        for place in 0..WIDTH {
            if ranges.low[place] > ranges.high[place] {
                node.planes[up][place] = f32::INFINITY;
                node.planes[3 + up][place] = f32::NEG_INFINITY;
            }
        }
    }
}

/// Writes where the children stand on the ground, and which they are: `2^FAN` of them along columns.
#[inline(always)]
fn place_children<const FAN: u32>(ground: &Ground, level: u32, spot: Spot, node: &mut Node) {
    let mask = (1 << FAN) - 1;
    let (shifts, steps) = (shifts(level), shifts(level - 1));
    let ([columns, rows, _], along) = (ground.axes(), ground.along());
    let x = planes(along[0], spot[0] << shifts[0], steps[0], 1 << FAN);
    let y = planes(along[1], spot[1] << shifts[1], steps[1], WIDTH >> FAN);
    let first = child_at(level, spot, 0);
    let (word, step) = if level == 1 {
        (Child::LEAF | (first[1] as u32) << LEAF_BITS | first[0] as u32, 1 << LEAF_BITS)
    } else {
        (inner(level - 1, first), 1 << COLUMN_BITS)
    };
    for place in 0..WIDTH {
        let (i, j) = (place & mask, place >> FAN);
        (node.planes[columns][place], node.planes[3 + columns][place]) = (x[i], x[i + 1]);
        (node.planes[rows][place], node.planes[3 + rows][place]) = (y[j], y[j + 1]);
        node.children[place] = Child::from_word(word + j as u32 * step + i as u32);
    }
}

/// Where blocks of `2^step` cells begin and end, from one sample on. Beyond the last sample, where no cells are, all is there.
#[inline(always)]
fn planes(along: &[f32], first: usize, step: u32, blocks: usize) -> [f32; 5] {
    let mut planes = [0.0; 5];
    for block in 0..=blocks {
        planes[block] = along[(first + (block << step)).min(along.len() - 1)];
    }
    planes
}

/// The range of the corners of a leaf's cells.
fn range_of_block<S: Sample>(ground: &Ground, holes: &Holes, samples: &[S], [column, row]: Spot) -> [S; 2] {
    let [across, down] = ground.cells();
    let mut range = S::NOTHING;
    for row in 2 * row..(2 * row + 2).min(down) {
        for column in 2 * column..(2 * column + 2).min(across) {
            if !holes.has(ground.cell([column, row])) {
                for [column, row] in corners_of([column, row]) {
                    range = grown(range, samples[row * ground.columns + column]);
                }
            }
        }
    }
    range
}
