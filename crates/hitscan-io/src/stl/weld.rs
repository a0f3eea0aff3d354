//! Corners at one position become one vertex, where that is cheap.
//!
//! An STL file repeats each corner for each facet, six times in an ordinary mesh, mostly within a few hundred facets.
//! So a corner is looked for among recent ones only, in a table that stays in the cache and takes the same time
//! whatever the file holds. Two vertices at one position are as good as one to rays; they only take more memory.
//!
//! A sphere of 1,310,720 triangles gets 676,290 vertices, where a table of all would find 655,362 and each corner on
//! its own makes 3,932,160. Against the last, it is read and built in the same time; the table of all took twice as long
//! to read.

use crate::origin::Extent;

/// The facets of a solid, as indexed triangles.
pub(super) struct Welded<Corner> {
    /// In order of first use.
    pub vertices: Vec<Corner>,
    /// Rows of `vertices`.
    pub triangles: Vec<[u32; 3]>,
    pub extent: Extent,
}

/// A solid under way. One welder serves all solids of a file: a solid may be 14 bytes, and the table is 65,536.
pub(super) struct Welder<Corner> {
    pub solid: Welded<Corner>,
    /// Rows of the solid's vertices by the hash of their position; a later one takes the place. What earlier solids left
    /// is as good a guess as any: a row counts only where its vertex has the bits that are looked for.
    recent: Box<[u32; RECENT]>,
}

const RECENT: usize = 1 << 14;

/// Three coordinates.
pub(super) trait Corner: Copy {
    /// The same for equal bits.
    fn hash(self) -> u64;
    fn has_bits_of(self, other: Self) -> bool;
    fn wide(self) -> [f64; 3];
}

/// Odd, without structure: the high bits of a product depend on all bits of the other factor.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

impl Corner for [f32; 3] {
    fn hash(self) -> u64 {
        let [x, y, z] = self.map(|value| u64::from(value.to_bits()));
        ((x | y << 32).wrapping_mul(MIX) ^ z.wrapping_mul(MIX).rotate_left(32)).wrapping_mul(MIX)
    }

    fn has_bits_of(self, other: Self) -> bool {
        self.map(f32::to_bits) == other.map(f32::to_bits)
    }

    fn wide(self) -> [f64; 3] {
        self.map(f64::from)
    }
}

impl Corner for [f64; 3] {
    fn hash(self) -> u64 {
        self.map(f64::to_bits)
            .into_iter()
            .fold(0, |hash, bits| (hash.rotate_left(32) ^ bits).wrapping_mul(MIX))
    }

    fn has_bits_of(self, other: Self) -> bool {
        self.map(f64::to_bits) == other.map(f64::to_bits)
    }

    fn wide(self) -> [f64; 3] {
        self
    }
}

impl<C: Corner> Welder<C> {
    pub fn new() -> Welder<C> {
        Welder { solid: Welded::new(), recent: Box::new([0; RECENT]) }
    }

    /// The solid so far; the next triangle begins another.
    pub fn finish(&mut self) -> Welded<C> {
        std::mem::replace(&mut self.solid, Welded::new())
    }

    #[inline]
    pub fn triangle(&mut self, corners: [C; 3]) {
        let triangle = corners.map(|corner| self.vertex(corner));
        self.solid.triangles.push(triangle);
    }

    #[inline]
    fn vertex(&mut self, corner: C) -> u32 {
        let place = &mut self.recent[(corner.hash() >> (64 - RECENT.ilog2())) as usize];
        let solid = &mut self.solid;
        if solid.vertices.get(*place as usize).is_some_and(|&recent| recent.has_bits_of(corner)) {
            return *place;
        }
        *place = solid.vertices.len() as u32; // wraps only where there are more triangles than a mesh may have
        solid.extent.include(corner.wide());
        solid.vertices.push(corner);
        *place
    }
}

impl<Corner> Welded<Corner> {
    fn new() -> Welded<Corner> {
        Welded { vertices: Vec::new(), triangles: Vec::new(), extent: Extent::EMPTY }
    }
}

#[cfg(test)]
mod tests {
    use super::{Corner, Welded, Welder};

    fn weld<C: Corner>(soup: &[[C; 3]]) -> Welded<C> {
        let mut welder = Welder::new();
        soup.iter().for_each(|&corners| welder.triangle(corners));
        welder.finish()
    }

    #[test]
    fn equal_positions_are_one_vertex_in_order_of_first_use() {
        let [a, b, c, d] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.5f32]];
        let solid = weld(&[[a, b, c], [c, b, d], [d, d, a]]);
        assert_eq!(solid.vertices, [a, b, c, d]);
        assert_eq!(solid.triangles, [[0, 1, 2], [2, 1, 3], [3, 3, 0]]);

        // The next solid has vertices of its own, whatever the one before it left in the table.
        let mut welder = Welder::new();
        for soup in [&[[a, b, c], [c, b, d]][..], &[[d, c, b]], &[[b, d, c]]] {
            soup.iter().for_each(|&corners| welder.triangle(corners));
            let (solid, alone) = (welder.finish(), weld(soup));
            assert_eq!((solid.vertices, solid.triangles), (alone.vertices, alone.triangles));
            assert_eq!(solid.extent, alone.extent);
        }
    }

    #[test]
    fn every_corner_keeps_its_bits_however_many_there_are() {
        let soup: Vec<[[f64; 3]; 3]> = (0..50_000)
            .map(|i| f64::from(i) * 0.37)
            .map(|x| [[x, 0.0, -0.0], [0.0, x, 1.0], [-1.0, -2.0, x - 0.37]])
            .collect();
        let solid = weld(&soup);
        assert!(solid.vertices.len() >= 150_000, "all are different but for the sign of 0");
        for (corners, triangle) in soup.iter().zip(&solid.triangles) {
            for (corner, row) in corners.iter().zip(triangle) {
                assert!(solid.vertices[*row as usize].has_bits_of(*corner));
            }
        }
    }

    #[test]
    fn a_grid_has_hardly_more_vertices_than_points() {
        let point = |x: usize, y: usize| [x as f32, y as f32, 0.0];
        let cell = |x, y| {
            let [a, b, c, d] = [point(x, y), point(x + 1, y), point(x + 1, y + 1), point(x, y + 1)];
            [[a, b, c], [a, c, d]]
        };
        let soup: Vec<_> = (0..200).flat_map(|y| (0..200).flat_map(move |x| cell(x, y))).collect();
        let vertices = weld(&soup).vertices.len();
        assert!((201 * 201..201 * 201 * 11 / 10).contains(&vertices), "{vertices}");
    }
}
