//! Sheets, shells and soups: meshes with borders.

use super::TriMesh;
use crate::rng::Rng;

/// One triangle across the diagonal of the unit cube.
pub fn single() -> TriMesh {
    TriMesh::new("single", vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], vec![[0, 1, 2]])
}

/// A height field over the integers `-n/2 ..= n/2`, z up, with integer heights up to `relief`.
pub fn terrain(n: usize, relief: i64, rng: &mut Rng) -> TriMesh {
    let mut mesh = TriMesh::new(&format!("terrain {n}"), Vec::new(), Vec::new());
    for (x, y) in (0..=n).flat_map(|x| (0..=n).map(move |y| (x, y))) {
        let middle = n as f32 / 2.0;
        mesh.vertices.push([x as f32 - middle, y as f32 - middle, rng.int(0, relief) as f32]);
    }
    for (x, y) in (0..n).flat_map(|x| (0..n).map(move |y| (x, y))) {
        let at = |x: usize, y: usize| (x * (n + 1) + y) as u32;
        mesh.quad(at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1));
    }
    mesh
}

/// A box without a lid, each face `n` by `n` quads.
pub fn open_box(n: usize) -> TriMesh {
    let half = n as i32;
    let mut mesh = super::integer_box([-half; 3], [half; 3], n).mesh;
    mesh.name = format!("open box {n}");
    let top = half as f32;
    mesh.triangles.retain(|t| !t.iter().all(|&index| mesh.vertices[index as usize][2] == top));
    mesh
}

/// A flat double-sided sheet of `n` by `n` quads in the plane z = 1: each triangle has a copy that faces down.
pub fn sheet(n: usize) -> TriMesh {
    let mut mesh = TriMesh::new(&format!("sheet {n}"), Vec::new(), Vec::new());
    for (x, y) in (0..=n).flat_map(|x| (0..=n).map(move |y| (x, y))) {
        mesh.vertices.push([x as f32, y as f32, 1.0]);
    }
    for (x, y) in (0..n).flat_map(|x| (0..n).map(move |y| (x, y))) {
        let at = |x: usize, y: usize| (x * (n + 1) + y) as u32;
        mesh.quad(at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1));
    }
    let backs: Vec<[u32; 3]> = mesh.triangles.iter().map(|&[a, b, c]| [c, b, a]).collect();
    mesh.triangles.extend(backs);
    mesh
}

/// `n` slivers around one corner, from the x axis through a quarter turn to the y axis.
pub fn open_fan(n: usize) -> TriMesh {
    let mut vertices = vec![[0.0f32, 0.0, 0.0]];
    for k in 0..=n {
        let angle = 0.5 * std::f64::consts::PI * k as f64 / n as f64;
        vertices.push([libm::cos(angle) as f32, libm::sin(angle) as f32, 0.25]);
    }
    let triangles = (1..=n as u32).map(|k| [0, k, k + 1]).collect();
    TriMesh::new(&format!("open fan {n}"), vertices, triangles)
}

/// `n` triangles of all sizes up to that of the cube of half side 1 that they lie in.
pub fn soup(n: usize, rng: &mut Rng) -> TriMesh {
    let mut mesh = TriMesh::new(&format!("soup {n}"), Vec::new(), Vec::new());
    for _ in 0..n {
        let (middle, size) = (rng.in_cube(1.0), rng.any_size(1e-3, 1.0));
        let corners = [(); 3].map(|()| {
            let offset = rng.in_cube(size);
            mesh.vertex(std::array::from_fn(|i| (middle[i] + offset[i]) as f32))
        });
        mesh.triangles.push(corners);
    }
    mesh
}

/// `n` triangles whose corners are among the integers of a small cube, so that they share, repeat, overlap and
/// collapse in every way.
pub fn grid_soup(n: usize, rng: &mut Rng) -> TriMesh {
    let mut mesh = TriMesh::new(&format!("grid soup {n}"), Vec::new(), Vec::new());
    for _ in 0..n {
        let corners = [(); 3].map(|()| mesh.vertex([(); 3].map(|()| rng.int(-2, 2) as f32)));
        mesh.triangles.push(corners);
    }
    mesh
}

/// `n` long thin triangles in all directions, some thinner than a rounding error.
pub fn needles(n: usize, rng: &mut Rng) -> TriMesh {
    let mut mesh = TriMesh::new(&format!("needles {n}"), Vec::new(), Vec::new());
    for _ in 0..n {
        let (from, along) = (rng.in_cube(1.0), rng.direction());
        let (length, width) = (rng.range(1.0, 8.0), rng.any_size(1e-9, 1e-2));
        let aside = rng.direction();
        let at = |s: f64, w: f64| std::array::from_fn(|i| (from[i] + along[i] * s + aside[i] * w) as f32);
        let corners = [at(0.0, 0.0), at(length, 0.0), at(length * rng.unit(), width)];
        let corners = corners.map(|position| mesh.vertex(position));
        mesh.triangles.push(corners);
    }
    mesh
}

/// `n` triangles whose coordinates are of every size together, from the smallest number to 2^98.
pub fn any_sizes(n: usize, rng: &mut Rng) -> TriMesh {
    let mut mesh = TriMesh::new(&format!("any sizes {n}"), Vec::new(), Vec::new());
    for _ in 0..n {
        let corners = [(); 3].map(|()| {
            mesh.vertex([(); 3].map(|()| {
                let size = (rng.power_of_two(-149, 97) * rng.range(1.0, 2.0)) as f32;
                rng.pick(&[size, -size, size, -size, 0.0, 1.0])
            }))
        });
        mesh.triangles.push(corners);
    }
    mesh
}

/// `n` overlapping triangles in one plane, many of them equal: hits of one ray at exactly the same `t`.
pub fn overlapping(n: usize) -> TriMesh {
    let mut mesh = TriMesh::new(&format!("overlapping {n}"), Vec::new(), Vec::new());
    for k in 0..n {
        let far = 4.0 + (k % 5) as f32;
        let corners = [[-far, -far, 2.0], [far, -far, 2.0], [(k % 3) as f32, far, 2.0]];
        let corners = corners.map(|position| mesh.vertex(position));
        mesh.triangles.push(if k % 2 == 0 { corners } else { [corners[1], corners[0], corners[2]] });
    }
    mesh
}
