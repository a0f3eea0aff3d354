//! Triangles under construction: corners are shared by index, so that solids are closed by construction.

use hitscan::glam::DVec3;

use crate::Draft;

/// A growing list of triangles, counter-clockwise from outside, each with a material.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    pub vertices: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
    pub materials: Vec<u32>,
    /// The material of what is added next.
    pub material: u32,
}

impl Surface {
    /// Nothing yet; what is added has this material.
    pub fn of(material: u32) -> Surface {
        Surface { material, ..Surface::default() }
    }

    /// Adds a corner and gives its number.
    pub fn vertex(&mut self, p: DVec3) -> u32 {
        self.vertices.push(p.to_array().map(|c| c as f32));
        (self.vertices.len() - 1) as u32
    }

    /// Adds a triangle.
    pub fn triangle(&mut self, a: u32, b: u32, c: u32) {
        self.triangles.push([a, b, c]);
        self.materials.push(self.material);
    }

    /// Adds two triangles that share the edge from `a` to `c`.
    pub fn quad(&mut self, a: u32, b: u32, c: u32, d: u32) {
        self.triangle(a, b, c);
        self.triangle(a, c, d);
    }

    /// Adds a closed box between two corners.
    pub fn cuboid(&mut self, low: DVec3, high: DVec3) {
        self.warped_cuboid(|x, y, z| low + (high - low) * DVec3::new(x, y, z));
    }

    /// Adds a closed solid with the corners that `at` gives for the corners of the unit cube.
    pub fn warped_cuboid(&mut self, at: impl Fn(f64, f64, f64) -> DVec3) {
        let bit = |corner: u32, axis: u32| f64::from(corner >> axis & 1);
        let first = self.vertices.len() as u32;
        for corner in 0..8 {
            self.vertex(at(bit(corner, 0), bit(corner, 1), bit(corner, 2)));
        }
        for [a, b, c, d] in
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
        {
            self.quad(first + a, first + b, first + c, first + d);
        }
    }

    /// Adds a closed prism: a counter-clockwise outline in the x-y plane, from `z0` to `z1 > z0`.
    ///
    /// Every point of the outline has to be seen from its first one, since the ends are fans around it.
    pub fn prism(&mut self, outline: &[[f64; 2]], z0: f64, z1: f64) {
        let first = self.vertices.len() as u32;
        let count = outline.len() as u32;
        for z in [z0, z1] {
            for &[x, y] in outline {
                self.vertex(DVec3::new(x, y, z));
            }
        }
        let (back, front) = (|i: u32| first + i % count, |i: u32| first + count + i % count);
        for i in 0..count {
            self.quad(back(i), back(i + 1), front(i + 1), front(i));
        }
        for i in 1..count - 1 {
            self.triangle(back(0), back(i + 1), back(i));
            self.triangle(front(0), front(i), front(i + 1));
        }
    }

    /// Adds a closed wire along a path, with `sides` flat sides. `across` is a direction that the path never
    /// takes; it keeps the wire from twisting.
    pub fn wire(&mut self, path: &[DVec3], radius: f64, sides: u32, across: DVec3) {
        let first = self.vertices.len() as u32;
        for (i, &p) in path.iter().enumerate() {
            let before = path[i.saturating_sub(1)];
            let after = path[(i + 1).min(path.len() - 1)];
            let along = (after - before).normalize();
            let right = along.cross(across).normalize();
            let up = right.cross(along);
            for side in 0..sides {
                let angle = std::f64::consts::TAU * f64::from(side) / f64::from(sides);
                self.vertex(p + (right * libm::cos(angle) + up * libm::sin(angle)) * radius);
            }
        }
        let rings = path.len() as u32;
        let ring = |i: u32, side: u32| first + i * sides + side % sides;
        for i in 0..rings - 1 {
            for side in 0..sides {
                self.quad(ring(i, side), ring(i + 1, side), ring(i + 1, side + 1), ring(i, side + 1));
            }
        }
        for side in 1..sides - 1 {
            self.triangle(ring(0, 0), ring(0, side), ring(0, side + 1));
            self.triangle(ring(rings - 1, 0), ring(rings - 1, side + 1), ring(rings - 1, side));
        }
    }

    /// The mesh of this name, before its tree.
    pub fn draft(self, name: impl Into<String>) -> Draft {
        let Surface { vertices, triangles, materials, .. } = self;
        Draft { name: name.into(), vertices, triangles, materials, ..Draft::default() }
    }
}
