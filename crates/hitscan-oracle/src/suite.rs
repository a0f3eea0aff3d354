//! The suite of closed meshes: what a ray could leak through, at every size and place, and what has to come out.
//!
//! A closed mesh is a boundary: along any line the crossings from the front and those from behind cancel, but for how often
//! the mesh goes around the point where the ray begins. Rays are aimed where tests of single triangles disagree: at every
//! vertex, at points of every edge, and 0 to 10 rounding errors beside them.

use crate::closed::{has_border, is_closed, point_inside, welded};
use crate::meshes::all_solids;
use crate::rays::{Shooter, beside};
use crate::{Ray, Rng, TriMesh};

/// A mesh and a point within.
#[derive(Clone, Debug)]
pub struct Case {
    /// The mesh.
    pub mesh: TriMesh,
    /// A point of `f32` coordinates, and how many times the mesh goes around it; `None` where rounding has left no room for
    /// one.
    pub inside: Option<([f64; 3], i32)>,
}

/// A ray and what the crossings along it add up to.
#[derive(Clone, Copy, Debug)]
pub struct Aimed {
    /// Begins inside or far outside, and does not end.
    pub ray: Ray,
    /// How many times the mesh goes around where it begins: so many more backs than fronts have to be met. A ray meets
    /// something where this is not 0.
    pub depth: i32,
}

/// Factors of size.
pub const SIZES: [f32; 5] = [1e-6, 1e-3, 1.0, 1e3, 1e6];

/// Distances from the origin along each axis, in turns with another sign. Where one is large beside the mesh, corners
/// fall together and triangles lose their area.
pub const OFFSETS: [f32; 4] = [0.0, 1.0, 1e3, 1e7];

/// The built-in solids: boxes, spheres, tori, fans of a thousand slivers, and those that are closed by triangles without
/// area, touch or repeat themselves.
pub fn solids() -> Vec<TriMesh> {
    all_solids().into_iter().map(|solid| solid.mesh).collect()
}

/// A closed mesh at these sizes and places; without those at which so many corners fall together that it has a border.
pub fn cases<'a>(
    mesh: &'a TriMesh,
    sizes: &'a [f32],
    offsets: &'a [f32],
    rng: &'a mut Rng,
) -> impl Iterator<Item = Case> + 'a {
    let places = sizes.iter().flat_map(|&size| offsets.iter().map(move |&offset| (size, offset)));
    places.filter_map(|(size, offset)| {
        let mesh = mesh.scaled(size).moved([offset, -offset, offset]);
        let welded = welded(&mesh);
        if has_border(&welded) {
            return None;
        }
        Some(Case { inside: point_inside(&welded, rng), mesh })
    })
}

/// Whether every edge of a mesh is used as often in one direction as in the other, most simply: once each.
pub fn encloses(mesh: &TriMesh) -> bool {
    is_closed(&welded(mesh))
}

/// What is aimed at: every vertex, the middle of every edge and a random point of it.
pub fn outline(mesh: &TriMesh, rng: &mut Rng) -> Vec<[f64; 3]> {
    let vertex = |index: u32| mesh.vertices[index as usize].map(f64::from);
    let mut points: Vec<[f64; 3]> = (0..mesh.vertices.len() as u32).map(vertex).collect();
    for [p, q] in mesh.edges() {
        let (p, q) = (vertex(p), vertex(q));
        for part in [0.5, rng.unit()] {
            points.push(std::array::from_fn(|i| p[i] + part * (q[i] - p[i])));
        }
    }
    points
}

impl Case {
    /// At each of these points, and beside it: rays from inside, where there is a point inside, and rays from outside that go
    /// through. Rays have `f32` coordinates, so that everybody can be asked the same.
    pub fn aim(&self, points: &[[f64; 3]], rng: &mut Rng) -> Vec<Aimed> {
        let mut aimed = Vec::with_capacity(4 * points.len());
        let around = Around::new(&self.mesh);
        for &point in points {
            let outside = around.outside(rng);
            let from = self.inside.into_iter().chain([(outside, 0)]);
            for (origin, depth) in from {
                let rays = [Ray::towards(origin, point), beside(origin, point, rng)];
                let rays = rays.into_iter().map(Ray::rounded).filter(Ray::is_valid);
                aimed.extend(rays.map(|ray| Aimed { ray, depth }));
            }
        }
        aimed
    }

    /// Whole lines through each of these points: from as far as 1e8 times the mesh's reach, from a corner, an edge or a face, and
    /// from inside. Coordinates are as `f64` has them.
    pub fn lines(&self, points: &[[f64; 3]], rng: &mut Rng) -> Vec<Aimed> {
        let shooter = Shooter::new(&self.mesh);
        let mut lines = Vec::with_capacity(3 * points.len());
        for &point in points {
            let from = [
                Some(shooter.far_from(point, rng)),
                Some(shooter.feature(rng)),
                self.inside.map(|inside| inside.0),
            ];
            let rays = from.into_iter().flatten().map(|origin| Ray::towards(origin, point).line());
            lines.extend(rays.filter(Ray::is_valid).map(|ray| Aimed { ray, depth: 0 }));
        }
        lines
    }
}

/// Where a mesh is not.
struct Around {
    middle: [f64; 3],
    half_size: f64,
    /// The rounding of its largest coordinate.
    ulp: f64,
}

impl Around {
    fn new(mesh: &TriMesh) -> Around {
        let ulp = f64::from(mesh.reach() * f32::EPSILON);
        Around { middle: mesh.middle(), half_size: mesh.half_size(), ulp }
    }

    /// A point of `f32` coordinates outside the mesh's box, one to four times its size away, or by some rounding errors where
    /// that is more.
    fn outside(&self, rng: &mut Rng) -> [f64; 3] {
        let size = (self.half_size * rng.range(2.0, 8.0)).max(16.0 * self.ulp);
        let dir = rng.direction();
        let largest = dir.iter().fold(0.0f64, |largest, c| largest.max(c.abs()));
        std::array::from_fn(|i| f64::from((self.middle[i] + size * dir[i] / largest) as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::all_hits_of_mesh;

    #[test]
    fn solids_enclose_and_sheets_do_not() {
        assert!(encloses(&crate::meshes::torus(3.0, 1.0, 24, 12, 0).mesh));
        assert!(!encloses(&crate::meshes::open_box(3)));
    }

    /// Brute force keeps the promise that the engines are held to.
    #[test]
    fn sums_are_what_rays_say() {
        let mut rng = Rng::new(crate::rng::seed(310));
        for mesh in solids().iter().filter(|mesh| mesh.triangles.len() < 300) {
            for case in cases(mesh, &SIZES, &OFFSETS, &mut Rng::new(17)) {
                let points: Vec<[f64; 3]> = outline(&case.mesh, &mut rng).into_iter().step_by(11).collect();
                let [aimed, lines] = [case.aim(&points, &mut rng), case.lines(&points, &mut rng)];
                for Aimed { ray, depth } in aimed.into_iter().chain(lines) {
                    let hits = all_hits_of_mesh(&case.mesh, &ray);
                    let sum: i32 = hits.iter().map(|hit| if hit.front { 1 } else { -1 }).sum();
                    assert_eq!(sum, -depth, "{}: {ray:?}", case.mesh.name);
                }
            }
        }
    }
}
