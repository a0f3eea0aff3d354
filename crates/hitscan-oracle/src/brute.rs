//! Every triangle, one after the other: the specification of all queries.
//!
//! `closest` is the first of [`all_hits`], `occluded` says whether there are any, and the first n are the first n.

use crate::entry::{LocalRay, Placement, enter};
use crate::meshes::TriMesh;
use crate::rays::Ray;
use crate::recipe::{Crossing, Touch, touch};

/// One mesh at one place.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// What stands there.
    pub mesh: &'a TriMesh,
    /// Where.
    pub placement: Placement,
}

/// One crossing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Parameter along the ray, in units of its direction.
    pub t: f64,
    /// Weight of corner B.
    pub u: f64,
    /// Weight of corner C.
    pub v: f64,
    /// Row of the mesh's triangle list.
    pub prim: u32,
    /// Place in the list of instances.
    pub instance: u32,
    /// Whether the ray met the side from which the corners run counter-clockwise in world space.
    pub front: bool,
}

/// All hits of a ray with a list of instances, by `(t, instance, prim)`.
pub fn all_hits(instances: &[Placed<'_>], ray: &Ray) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (instance, placed) in instances.iter().enumerate() {
        let mirrored = placed.placement.determinant() < 0.0;
        let local = enter(ray, &placed.placement, placed.mesh.reach());
        let touches: Vec<Touch> =
            (0..placed.mesh.triangles.len()).map(|prim| touch_of(placed.mesh, prim, &local)).collect();
        for (prim, crossing) in accepted(placed.mesh, &touches) {
            let t = local.world_t(crossing.t);
            if ray.t_min <= t && t <= ray.t_max {
                let front = crossing.counter_clockwise != mirrored;
                let Crossing { u, v, .. } = crossing;
                hits.push(Hit { t, u, v, prim: prim as u32, instance: instance as u32, front });
            }
        }
    }
    hits.sort_by(|a, b| a.t.total_cmp(&b.t).then((a.instance, a.prim).cmp(&(b.instance, b.prim))));
    hits
}

/// All hits of a ray with one mesh where its own coordinates put it.
pub fn all_hits_of_mesh(mesh: &TriMesh, ray: &Ray) -> Vec<Hit> {
    all_hits(&[Placed { mesh, placement: Placement::IDENTITY }], ray)
}

fn touch_of(mesh: &TriMesh, prim: usize, local: &LocalRay) -> Touch {
    if mesh.repeats_a_corner(prim) { Touch::Miss } else { touch(local, mesh.corners(prim)) }
}

/// The triangles that a ray crosses, among all touches of a mesh: those of the moved ray, and what borders add.
fn accepted(mesh: &TriMesh, touches: &[Touch]) -> Vec<(usize, Crossing)> {
    let mut accepted = Vec::new();
    let mut corners_seen: Vec<[f32; 3]> = Vec::new();
    for (prim, touch) in touches.iter().enumerate() {
        match *touch {
            Touch::Miss => {}
            Touch::Accepted(crossing) => accepted.push((prim, crossing)),
            Touch::OnEdge(opposite, crossing) => {
                let corners = mesh.corners(prim);
                let users = mesh.users(corners[(opposite + 1) % 3]);
                if is_border(mesh, &users, corners[(opposite + 1) % 3], corners[(opposite + 2) % 3]) {
                    accepted.push((prim, crossing));
                }
            }
            Touch::OnCorner(corner, _) => {
                let position = mesh.corners(prim)[corner];
                if !corners_seen.contains(&position) {
                    corners_seen.push(position);
                    accepted.extend(accepted_on_corner(mesh, touches, position));
                }
            }
        }
    }
    accepted
}

/// What is hit by a ray exactly on this vertex beyond what the moved ray hits.
fn accepted_on_corner(mesh: &TriMesh, touches: &[Touch], position: [f32; 3]) -> Vec<(usize, Crossing)> {
    let users = mesh.users(position);
    if users.iter().any(|&prim| matches!(touches[prim], Touch::Accepted(_))) {
        return Vec::new();
    }
    let on_border = users.iter().any(|&prim| {
        mesh.corners(prim).iter().any(|&end| end != position && is_border(mesh, &users, position, end))
    });
    if !on_border {
        return Vec::new();
    }
    // `users` ascends, so the first with an area across the ray is the lowest.
    let here: Vec<(usize, Crossing)> = users
        .iter()
        .filter_map(|&prim| match touches[prim] {
            Touch::OnCorner(_, crossing) => Some((prim, crossing)),
            _ => None,
        })
        .collect();
    let lowest = here[0].0;
    here.into_iter().filter(|&(prim, _)| mesh.same_corners(prim, lowest)).collect()
}

/// Whether all triangles that use the edge have the same three corners. `users` are all triangles at one
/// of its ends.
fn is_border(mesh: &TriMesh, users: &[usize], p: [f32; 3], q: [f32; 3]) -> bool {
    let mut of_edge = users.iter().filter(|&&prim| {
        let corners = mesh.corners(prim);
        corners.contains(&p) && corners.contains(&q)
    });
    let Some(&first) = of_edge.next() else { return false };
    of_edge.all(|&prim| mesh.same_corners(prim, first))
}
