//! Smooth and angular solids.

use std::collections::HashMap;

use super::{Solid, TriMesh};

/// A sphere of radius 1 about the origin: an icosahedron with every triangle split in four, `splits` times.
pub fn icosphere(splits: usize) -> Solid {
    let g = 0.5 + libm::sqrt(1.25);
    let mut vertices: Vec<[f64; 3]> = Vec::new();
    for axis in 0..3 {
        for (s, t) in [(1.0, g), (-1.0, g), (1.0, -g), (-1.0, -g)] {
            let mut corner = [0.0; 3];
            (corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (s, t);
            vertices.push(unit(corner));
        }
    }
    // Three corners are a face where all their distances are the shortest one.
    let dot = |i: usize, j: usize| (0..3).map(|k| vertices[i][k] * vertices[j][k]).sum::<f64>();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for (i, j, k) in (0..12).flat_map(|i| (i..12).flat_map(move |j| (j..12).map(move |k| (i, j, k)))) {
        let near = |i, j| i != j && dot(i, j) > 0.4;
        if near(i, j) && near(j, k) && near(k, i) {
            triangles.push([i as u32, j as u32, k as u32]);
        }
    }
    for _ in 0..splits {
        let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
        let mut finer = Vec::new();
        for [a, b, c] in triangles {
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[p, q]| {
                *middles.entry([p.min(q), p.max(q)]).or_insert_with(|| {
                    let (p, q) = (vertices[p as usize], vertices[q as usize]);
                    vertices.push(unit(std::array::from_fn(|i| p[i] + q[i])));
                    vertices.len() as u32 - 1
                })
            });
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    let mesh = TriMesh::new(&format!("icosphere {splits}"), round(&vertices), triangles);
    Solid { mesh: wound_outwards(mesh), inside: [0.0; 3] }
}

/// A box with corners on integers, each face `n` by `n` quads; corners stay exact where `n` divides the sides.
pub fn integer_box(low: [i32; 3], high: [i32; 3], n: usize) -> Solid {
    let mut mesh = TriMesh::new(&format!("box {low:?} {high:?} by {n}"), Vec::new(), Vec::new());
    let mut known: HashMap<[usize; 3], u32> = HashMap::new();
    for axis in 0..3 {
        let (right, up) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [0, n] {
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let mut corner = |i: usize, j: usize| {
                    let mut at = [side; 3];
                    (at[right], at[up]) = (i, j);
                    *known.entry(at).or_insert_with(|| {
                        mesh.vertices.push(std::array::from_fn(|k| {
                            low[k] as f32 + (high[k] - low[k]) as f32 * at[k] as f32 / n as f32
                        }));
                        mesh.vertices.len() as u32 - 1
                    })
                };
                let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
                if side == 0 { mesh.quad(a, d, c, b) } else { mesh.quad(a, b, c, d) }
            }
        }
    }
    let inside = std::array::from_fn(|k| f64::from(low[k] + high[k]) / 2.0 + 0.125);
    Solid { mesh, inside }
}

/// A torus about the z axis of `rings` rings of `sides` corners. With `folds`, the tube swells and shrinks that many
/// times on its way around and twists, so that silhouettes fold over concave parts.
pub fn torus(major: f64, minor: f64, rings: usize, sides: usize, folds: usize) -> Solid {
    let mut mesh = TriMesh::new(&format!("torus {rings}x{sides} folds {folds}"), Vec::new(), Vec::new());
    let turn = |k: usize, n: usize| 2.0 * std::f64::consts::PI * k as f64 / n as f64;
    for ring in 0..rings {
        let around = turn(ring, rings);
        let swell = if folds == 0 { 1.0 } else { 0.7 + 0.3 * libm::cos(turn(ring * folds, rings)) };
        for side in 0..sides {
            let tube =
                turn(side, sides) + if folds == 0 { 0.0 } else { libm::sin(turn(ring * folds, rings)) };
            // Corners in and out by turns, like a gear.
            let tooth = if folds > 0 && side % 2 == 1 { 0.8 } else { 1.0 };
            let radius = minor * swell * tooth;
            let distance = major + radius * libm::cos(tube);
            let [x, y] = [distance * libm::cos(around), distance * libm::sin(around)];
            mesh.vertices.push([x as f32, y as f32, (radius * libm::sin(tube)) as f32]);
        }
    }
    for (ring, side) in (0..rings).flat_map(|r| (0..sides).map(move |s| (r, s))) {
        let at = |r: usize, s: usize| ((r % rings) * sides + s % sides) as u32;
        mesh.quad(at(ring, side), at(ring + 1, side), at(ring + 1, side + 1), at(ring, side + 1));
    }
    Solid { mesh, inside: [major, 0.0, 0.0] }
}

/// Two closed fans of `n` triangles that share a rim of radius 1: for a large `n` all of them slivers.
pub fn bipyramid(n: usize) -> Solid {
    let mut vertices = vec![[0.0f32, 0.0, 1.0], [0.0, 0.0, -1.0]];
    let mut triangles = Vec::new();
    for k in 0..n {
        let angle = 2.0 * std::f64::consts::PI * k as f64 / n as f64;
        vertices.push([libm::cos(angle) as f32, libm::sin(angle) as f32, 0.0]);
        let (here, next) = (2 + k as u32, 2 + ((k + 1) % n) as u32);
        triangles.extend([[0, here, next], [1, next, here]]);
    }
    Solid { mesh: TriMesh::new(&format!("bipyramid {n}"), vertices, triangles), inside: [0.0; 3] }
}

/// Turns the triangles of a mesh that is convex around the origin.
fn wound_outwards(mut mesh: TriMesh) -> TriMesh {
    for prim in 0..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(prim).map(|corner| corner.map(f64::from));
        let volume = a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
        if volume < 0.0 {
            mesh.triangles[prim].swap(1, 2);
        }
    }
    mesh
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = libm::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    v.map(|c| c / length)
}

fn round(vertices: &[[f64; 3]]) -> Vec<[f32; 3]> {
    vertices.iter().map(|v| v.map(|c| c as f32)).collect()
}
