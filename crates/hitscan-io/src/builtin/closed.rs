//! For tests: whether a surface encloses a volume.

use std::collections::HashMap;

use super::surface::Surface;
use hitscan::Mesh;
use hitscan::glam::DVec3;

/// Every edge is used exactly once in each direction, all corners of a triangle differ, and the front is outside.
pub(super) fn assert_closed(name: &str, surface: &Surface) {
    check(name, &surface.vertices, &surface.triangles);
}

/// The same for a mesh.
pub(super) fn assert_mesh_closed(name: &str, mesh: &Mesh) {
    check(name, mesh.vertices(), mesh.triangles());
}

fn check(name: &str, vertices: &[[f32; 3]], triangles: &[[u32; 3]]) {
    let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
    let mut volume = 0.0;
    for &[a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            assert_ne!(
                vertices[from as usize], vertices[to as usize],
                "{name}: a triangle with two equal corners"
            );
            *edges.entry((from, to)).or_default() += 1;
        }
        let [a, b, c] = [a, b, c].map(|i| DVec3::from(vertices[i as usize].map(f64::from)));
        volume += a.dot(b.cross(c)) / 6.0;
    }
    for (&(from, to), &count) in &edges {
        assert_eq!(count, 1, "{name}: edge {from}-{to} is used {count} times");
        assert_eq!(edges.get(&(to, from)), Some(&1), "{name}: edge {from}-{to} is open");
    }
    assert!(volume > 0.0, "{name}: inside out, volume {volume}");
}
