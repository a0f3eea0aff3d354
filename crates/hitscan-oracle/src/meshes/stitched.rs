//! Solids whose outline is closed only by triangles of zero area, or that touch and repeat themselves.

use super::{Solid, TriMesh, integer_box};

/// A box whose top is one quad while the upper rims of its sides are cut in `n` pieces; triangles without area
/// stitch the T-junctions. For an `n` that is no power of two they are off the rim by a rounding error.
pub fn stitched_box(n: usize) -> Solid {
    let mut mesh = TriMesh::new(&format!("stitched box {n}"), Vec::new(), Vec::new());
    let rim = [[-1.0f32, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let low: Vec<u32> = rim.iter().map(|&[x, y]| mesh.vertex([x, y, -1.0])).collect();
    let high: Vec<u32> = rim.iter().map(|&[x, y]| mesh.vertex([x, y, 1.0])).collect();
    mesh.quad(high[0], high[1], high[2], high[3]);
    mesh.quad(low[3], low[2], low[1], low[0]);
    for side in 0..4 {
        let next = (side + 1) % 4;
        let mut cuts = vec![high[side]];
        for k in 1..n {
            let f = k as f32 / n as f32;
            let [p, q] = [rim[side], rim[next]];
            cuts.push(mesh.vertex([p[0] + (q[0] - p[0]) * f, p[1] + (q[1] - p[1]) * f, 1.0]));
        }
        cuts.push(high[next]);
        mesh.triangles.push([low[side], low[next], high[next]]);
        for pair in cuts.windows(2) {
            mesh.triangles.push([low[side], pair[1], pair[0]]);
        }
        // The fan over the cuts, from the first one, closes the gap to the long edge of the top.
        for k in 1..n {
            mesh.triangles.push([cuts[0], cuts[k], cuts[k + 1]]);
        }
    }
    Solid { mesh, inside: [0.125, -0.25, 0.0625] }
}

/// Two boxes of different size that share part of a wall, each closed on its own: coplanar faces, edges inside
/// faces, and a crossing of the wall that leaves one and enters the other at the same `t`.
pub fn boxed_steps() -> Solid {
    let first = integer_box([0, 0, 0], [4, 4, 4], 2);
    let second = integer_box([4, 1, 0], [6, 3, 2], 1);
    let mut mesh = first.mesh.with(&second.mesh);
    mesh.name = "boxed steps".into();
    Solid { mesh, inside: [1.0, 1.25, 1.375] }
}

/// The same solid with pairs of equal triangles of opposite winding inside of it, some of them copies of its own
/// faces: the sum of crossings stays what it was.
pub fn with_duplicates(solid: &Solid) -> Solid {
    let mut mesh = solid.mesh.clone();
    mesh.name = format!("{} with duplicates", mesh.name);
    for prim in (0..solid.mesh.triangles.len()).step_by(7) {
        let [a, b, c] = mesh.triangles[prim];
        mesh.triangles.extend([[b, c, a], [a, c, b]]);
    }
    Solid { mesh, inside: solid.inside }
}

/// The same solid with pleats: each seventh triangle is split at the middle of an edge, without touching its
/// neighbour, and a triangle without area closes the gap. Some triangles repeat a corner.
pub fn with_pleats(solid: &Solid) -> Solid {
    let mut mesh = solid.mesh.clone();
    mesh.name = format!("{} with pleats", mesh.name);
    for prim in (0..solid.mesh.triangles.len()).step_by(7) {
        let [a, b, c] = mesh.triangles[prim];
        let [p, q] = [a, b].map(|index| mesh.vertices[index as usize]);
        let middle = mesh.vertex(std::array::from_fn(|i| 0.5 * p[i] + 0.5 * q[i]));
        mesh.triangles[prim] = [a, middle, c];
        mesh.triangles.extend([[middle, b, c], [a, b, middle], [b, b, middle], [c, a, c]]);
    }
    Solid { mesh, inside: solid.inside }
}
