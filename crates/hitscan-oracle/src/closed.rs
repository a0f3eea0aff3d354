//! Which meshes enclose a volume, and a point in it.

use std::collections::HashMap;

use crate::{Ray, Rng, TriMesh, all_hits_of_mesh};

/// The triangles without those that have two corners at one position, and one vertex for each position.
pub fn welded(mesh: &TriMesh) -> TriMesh {
    let mut welded = TriMesh::new(&mesh.name, Vec::new(), Vec::new());
    let mut rows: HashMap<[u32; 3], u32> = HashMap::new();
    for prim in (0..mesh.triangles.len()).filter(|&prim| !mesh.repeats_a_corner(prim)) {
        let triangle = mesh.corners(prim).map(|corner| {
            // Both zeros are one position.
            *rows.entry(corner.map(|c| (c + 0.0).to_bits())).or_insert_with(|| {
                welded.vertices.push(corner);
                welded.vertices.len() as u32 - 1
            })
        });
        welded.triangles.push(triangle);
    }
    welded
}

/// Whether every edge of a welded mesh is used by exactly two triangles, in opposite directions.
pub fn is_closed(welded: &TriMesh) -> bool {
    let mut uses: HashMap<[u32; 2], u32> = HashMap::new();
    for &[a, b, c] in &welded.triangles {
        for edge in [[a, b], [b, c], [c, a]] {
            *uses.entry(edge).or_default() += 1;
        }
    }
    !uses.is_empty()
        && uses.iter().all(|(&[from, to], &count)| count == 1 && uses.get(&[to, from]) == Some(&1))
}

/// Whether a welded mesh has a border as the law has it: an edge of which all triangles have the same three corners. Of a closed
/// mesh it is the rim of something without thickness, such as a triangle and the same one turned over.
pub fn has_border(welded: &TriMesh) -> bool {
    let mut uses: HashMap<[u32; 2], Option<[u32; 3]>> = HashMap::new();
    for &[a, b, c] in &welded.triangles {
        let mut corners = [a, b, c];
        corners.sort_unstable();
        for [p, q] in [[a, b], [b, c], [c, a]] {
            let of_edge = uses.entry([p.min(q), p.max(q)]).or_insert(Some(corners));
            *of_edge = of_edge.filter(|&others| others == corners);
        }
    }
    uses.values().any(Option::is_some)
}

/// A point of `f32` coordinates that the outline of a closed mesh goes around, and how many times it does, negative
/// where the mesh is inside out: the middle of the longest way through the solid on lines at right angles to
/// random faces. It lies so deep that the rounding of the law's entry cannot move it out; `None` where no such point is
/// found.
pub fn point_inside(welded: &TriMesh, rng: &mut Rng) -> Option<([f64; 3], i32)> {
    // The entry moves a point by 2^-21 of the reach at most.
    let mut longest = 2f64.powi(-18) * f64::from(welded.reach());
    let mut inside = None;
    let tries = if welded.triangles.is_empty() { 0 } else { 32 };
    for _ in 0..tries {
        let [a, b, c] = welded.corners(rng.below(welded.triangles.len())).map(|corner| corner.map(f64::from));
        let (e, f): ([f64; 3], [f64; 3]) =
            (std::array::from_fn(|i| b[i] - a[i]), std::array::from_fn(|i| c[i] - a[i]));
        let normal: [f64; 3] = std::array::from_fn(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            e[j] * f[k] - e[k] * f[j]
        });
        let length = normal.iter().map(|c| c * c).sum::<f64>().sqrt();
        if length == 0.0 {
            continue;
        }
        let centroid = std::array::from_fn(|i| (a[i] + b[i] + c[i]) / 3.0);
        let line = Ray::new(centroid, normal.map(|c| c / length)).line();
        let hits = all_hits_of_mesh(welded, &line);
        let mut depth = 0;
        for pair in hits.windows(2) {
            depth += if pair[0].front { 1 } else { -1 };
            let way = pair[1].t - pair[0].t;
            if depth != 0 && way > longest {
                longest = way;
                let middle = (pair[0].t + pair[1].t) / 2.0;
                let point =
                    std::array::from_fn(|i| f64::from((line.origin[i] + middle * line.dir[i]) as f32));
                inside = Some((point, depth));
            }
        }
    }
    inside
}
