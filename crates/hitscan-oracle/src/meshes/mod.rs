//! Hostile meshes, made by code: closed ones with a point inside, and open ones.

mod closed;
mod open;
mod stitched;

pub use closed::{bipyramid, icosphere, integer_box, torus};
pub use open::{
    any_sizes, grid_soup, needles, open_box, open_fan, overlapping, sheet, single, soup, terrain,
};
pub use stitched::{boxed_steps, stitched_box, with_duplicates, with_pleats};

use crate::rng::Rng;

/// Triangles as plain arrays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriMesh {
    /// What tests call it in their messages.
    pub name: String,
    /// Positions.
    pub vertices: Vec<[f32; 3]>,
    /// Rows of three indices into the vertices.
    pub triangles: Vec<[u32; 3]>,
}

/// A closed mesh, wound counter-clockwise seen from outside, and a point well inside of it.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The outline.
    pub mesh: TriMesh,
    /// A point that the outline goes around exactly once.
    pub inside: [f64; 3],
}

impl TriMesh {
    /// A mesh of these arrays.
    pub fn new(name: &str, vertices: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> TriMesh {
        TriMesh { name: name.to_string(), vertices, triangles }
    }

    /// Positions of a triangle's corners.
    pub fn corners(&self, prim: usize) -> [[f32; 3]; 3] {
        self.triangles[prim].map(|index| self.vertices[index as usize])
    }

    /// Whether two corners of a triangle are at one position.
    pub fn repeats_a_corner(&self, prim: usize) -> bool {
        let [a, b, c] = self.corners(prim);
        a == b || b == c || c == a
    }

    /// Whether two triangles have the same three corner positions, in any order.
    pub fn same_corners(&self, prim: usize, other: usize) -> bool {
        let corners = self.corners(other);
        self.corners(prim).iter().all(|corner| corners.contains(corner))
    }

    /// All triangles with three distinct corners, one of them at this position, in ascending order.
    pub fn users(&self, position: [f32; 3]) -> Vec<usize> {
        (0..self.triangles.len())
            .filter(|&prim| self.corners(prim).contains(&position) && !self.repeats_a_corner(prim))
            .collect()
    }

    /// The largest absolute coordinate of any vertex.
    pub fn reach(&self) -> f32 {
        self.vertices.iter().flatten().fold(0.0, |reach, c| c.abs().max(reach))
    }

    /// The lowest and the highest corner of the box around all vertices; zeros where there are none.
    pub fn bounds(&self) -> ([f64; 3], [f64; 3]) {
        let Some(&first) = self.vertices.first() else { return ([0.0; 3], [0.0; 3]) };
        let (mut low, mut high) = (first, first);
        for vertex in &self.vertices {
            for axis in 0..3 {
                low[axis] = low[axis].min(vertex[axis]);
                high[axis] = high[axis].max(vertex[axis]);
            }
        }
        (low.map(f64::from), high.map(f64::from))
    }

    /// Half the length of the longest side of [`TriMesh::bounds`].
    pub fn half_size(&self) -> f64 {
        let (low, high) = self.bounds();
        (0..3).fold(0.0f64, |size, i| size.max((high[i] - low[i]) / 2.0))
    }

    /// The middle of [`TriMesh::bounds`].
    pub fn middle(&self) -> [f64; 3] {
        let (low, high) = self.bounds();
        std::array::from_fn(|i| (low[i] + high[i]) / 2.0)
    }

    /// The edges by index, each once (lower index first), in ascending order.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let mut edges: Vec<[u32; 2]> = self
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .filter(|[p, q]| p != q)
            .map(|[p, q]| [p.min(q), p.max(q)])
            .collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// Every vertex times `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f32) -> TriMesh {
        let vertices = self.vertices.iter().map(|v| v.map(|c| c * factor)).collect();
        TriMesh::new(&format!("{} * {factor:e}", self.name), vertices, self.triangles.clone())
    }

    /// Every vertex plus `by`, rounded.
    #[must_use]
    pub fn moved(&self, by: [f32; 3]) -> TriMesh {
        let vertices = self.vertices.iter().map(|v| std::array::from_fn(|i| v[i] + by[i])).collect();
        TriMesh::new(&format!("{} + {by:?}", self.name), vertices, self.triangles.clone())
    }

    /// The triangles in another order, and for each new row the old one.
    #[must_use]
    pub fn permuted(&self, rng: &mut Rng) -> (TriMesh, Vec<u32>) {
        let mut old_rows: Vec<u32> = (0..self.triangles.len() as u32).collect();
        rng.shuffle(&mut old_rows);
        let triangles = old_rows.iter().map(|&row| self.triangles[row as usize]).collect();
        (TriMesh::new(&format!("{} permuted", self.name), self.vertices.clone(), triangles), old_rows)
    }

    /// The same triangles with three vertices of their own each.
    #[must_use]
    pub fn unshared(&self) -> TriMesh {
        let vertices: Vec<[f32; 3]> = (0..self.triangles.len()).flat_map(|prim| self.corners(prim)).collect();
        let triangles = (0..self.triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        TriMesh::new(&format!("{} unshared", self.name), vertices, triangles)
    }

    /// Both meshes, the triangles of `other` last.
    #[must_use]
    pub fn with(&self, other: &TriMesh) -> TriMesh {
        let base = self.vertices.len() as u32;
        let mut both = self.clone();
        both.name = format!("{} and {}", self.name, other.name);
        both.vertices.extend(&other.vertices);
        both.triangles.extend(other.triangles.iter().map(|t| t.map(|index| index + base)));
        both
    }

    fn quad(&mut self, a: u32, b: u32, c: u32, d: u32) {
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }

    fn vertex(&mut self, position: [f32; 3]) -> u32 {
        self.vertices.push(position);
        self.vertices.len() as u32 - 1
    }
}

impl Solid {
    /// Every vertex and the inner point times `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f32) -> Solid {
        Solid { mesh: self.mesh.scaled(factor), inside: self.inside.map(|c| c * f64::from(factor)) }
    }

    /// Every vertex and the inner point plus `by`.
    #[must_use]
    pub fn moved(&self, by: [f32; 3]) -> Solid {
        let inside = std::array::from_fn(|i| self.inside[i] + f64::from(by[i]));
        Solid { mesh: self.mesh.moved(by), inside }
    }
}

/// The closed meshes that every test of tightness uses.
pub fn all_solids() -> Vec<Solid> {
    vec![
        integer_box([-3, -2, -1], [5, 4, 3], 1),
        integer_box([-4, -4, -4], [4, 4, 4], 4),
        icosphere(2),
        torus(3.0, 1.0, 24, 12, 0),
        torus(3.0, 1.0, 36, 16, 5),
        bipyramid(7),
        bipyramid(1000),
        stitched_box(2),
        stitched_box(5),
        boxed_steps(),
        with_duplicates(&icosphere(1)),
        with_pleats(&icosphere(1)),
        with_pleats(&integer_box([-2, -2, -2], [2, 2, 2], 2)),
    ]
}

/// All of them, closed and open.
pub fn all(rng: &mut Rng) -> Vec<TriMesh> {
    let mut meshes: Vec<TriMesh> = all_solids().into_iter().map(|solid| solid.mesh).collect();
    meshes.extend(all_open(rng));
    meshes
}

/// The open meshes that every test of borders uses.
pub fn all_open(rng: &mut Rng) -> Vec<TriMesh> {
    vec![
        single(),
        terrain(12, 4, rng),
        open_box(3),
        sheet(4),
        open_fan(1000),
        open_fan(5),
        soup(200, rng),
        grid_soup(150, rng),
        needles(100, rng),
        overlapping(40),
    ]
}
