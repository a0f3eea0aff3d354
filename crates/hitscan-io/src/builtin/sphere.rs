//! `builtin:sphere`: an icosahedron whose faces are cut into a triangular grid and pushed out to a sphere.

use hitscan::glam::DVec3;

use super::surface::Surface;
use crate::Parts;

/// The sphere of radius 1 with about this many triangles.
pub(super) fn parts(triangles: usize) -> Parts {
    let cuts = libm::round(libm::sqrt(triangles as f64 / 20.0)).max(1.0) as u32;
    let mut surface = Surface::of(1);
    surface.sphere(1.0, cuts);
    let camera = super::default_camera([1.6, 1.4, 3.6], [0.0; 3], 35.0);
    super::single("sphere", &["blue paint"], surface, camera)
}

impl Surface {
    /// Adds a closed sphere around the origin with `20 * cuts * cuts` triangles.
    ///
    /// Corners on the icosahedron's own corners and edges are made once and shared by the faces there.
    pub fn sphere(&mut self, radius: f64, cuts: u32) {
        let (corners, faces) = icosahedron();
        let first = self.vertices.len() as u32;
        let push = |surface: &mut Surface, p: DVec3| surface.vertex(p.normalize() * radius);
        for &corner in &corners {
            push(self, corner);
        }
        // Points inside each edge, from its lower corner to its higher one.
        let mut edges = [[0u32; 12]; 12];
        for face in &faces {
            for (a, b) in [(face[0], face[1]), (face[1], face[2]), (face[2], face[0])] {
                if a < b {
                    edges[a][b] = self.vertices.len() as u32;
                    for step in 1..cuts {
                        let t = f64::from(step) / f64::from(cuts);
                        push(self, corners[a] * (1.0 - t) + corners[b] * t);
                    }
                }
            }
        }
        let on_edge = |a: usize, b: usize, step: u32| match step {
            0 => first + a as u32,
            _ if step == cuts => first + b as u32,
            _ if a < b => edges[a][b] + step - 1,
            _ => edges[b][a] + cuts - step - 1,
        };
        for &[a, b, c] in &faces {
            // Row `i` runs from edge ab to edge ac and has `i + 1` points.
            let mut above = vec![on_edge(a, b, 0)];
            for i in 1..=cuts {
                let mut row = Vec::with_capacity(i as usize + 1);
                for j in 0..=i {
                    row.push(match j {
                        0 => on_edge(a, b, i),
                        _ if j == i => on_edge(a, c, i),
                        _ if i == cuts => on_edge(b, c, j),
                        _ => {
                            let (u, v) = (f64::from(i - j) / f64::from(cuts), f64::from(j) / f64::from(cuts));
                            push(self, corners[a] * (1.0 - u - v) + corners[b] * u + corners[c] * v)
                        }
                    });
                }
                for j in 0..i as usize {
                    self.triangle(above[j], row[j], row[j + 1]);
                    if j + 1 < i as usize {
                        self.triangle(above[j], row[j + 1], above[j + 1]);
                    }
                }
                above = row;
            }
        }
    }
}

/// Corners and counter-clockwise faces of an icosahedron.
fn icosahedron() -> ([DVec3; 12], [[usize; 3]; 20]) {
    let phi = 0.5 * (1.0 + libm::sqrt(5.0));
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z).normalize();
    let corners = [
        corner(-1.0, phi, 0.0),
        corner(1.0, phi, 0.0),
        corner(-1.0, -phi, 0.0),
        corner(1.0, -phi, 0.0),
        corner(0.0, -1.0, phi),
        corner(0.0, 1.0, phi),
        corner(0.0, -1.0, -phi),
        corner(0.0, 1.0, -phi),
        corner(phi, 0.0, -1.0),
        corner(phi, 0.0, 1.0),
        corner(-phi, 0.0, -1.0),
        corner(-phi, 0.0, 1.0),
    ];
    let faces = [
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    (corners, faces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::closed::assert_closed;

    #[test]
    fn spheres_are_closed_and_round() {
        for cuts in [1, 2, 3, 16] {
            let mut surface = Surface::default();
            surface.sphere(2.0, cuts);
            assert_eq!(surface.triangles.len() as u32, 20 * cuts * cuts);
            assert_eq!(surface.vertices.len() as u32, 10 * cuts * cuts + 2);
            assert_closed("sphere", &surface);
            for v in &surface.vertices {
                assert!((DVec3::from(v.map(f64::from)).length() - 2.0).abs() < 1e-6);
            }
        }
    }
}
