//! Edges that an odd number of triangles use, by counting.

use std::collections::BTreeMap;

use crate::TriMesh;

type Position = [f32; 3];

/// The first open edge: its triangle, and its ends as that triangle runs around it. Triangles with two corners at one position
/// are left out.
pub fn first_open_edge(mesh: &TriMesh) -> Option<(usize, Position, Position)> {
    // Bits of a float that is not -0.
    let key = |p: Position| p.map(|c| (c + 0.0).to_bits());
    let edges = |prim: usize| {
        let [a, b, c] = mesh.corners(prim);
        [(a, b), (b, c), (c, a)]
    };
    let name = |p: Position, q: Position| (key(p).min(key(q)), key(p).max(key(q)));
    let used: Vec<usize> = (0..mesh.triangles.len()).filter(|&prim| !mesh.repeats_a_corner(prim)).collect();
    let mut uses = BTreeMap::new();
    for &prim in &used {
        for (p, q) in edges(prim) {
            *uses.entry(name(p, q)).or_insert(0) += 1;
        }
    }
    let all = used.iter().flat_map(|&prim| edges(prim).map(|(p, q)| (prim, p, q)));
    all.into_iter().find(|&(_, p, q)| uses[&name(p, q)] % 2 == 1)
}
