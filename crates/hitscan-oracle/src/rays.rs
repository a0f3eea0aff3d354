//! Hostile rays: aimed at what is hard to decide, and just beside it.

use crate::meshes::TriMesh;
use crate::rng::Rng;

/// The points `origin + t * dir` with `t` in `[t_min, t_max]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// The point at `t = 0`.
    pub origin: [f64; 3],
    /// The direction, of any length.
    pub dir: [f64; 3],
    /// The smallest `t` that counts.
    pub t_min: f64,
    /// The largest `t` that counts.
    pub t_max: f64,
}

impl Ray {
    /// A ray with `t` in `[0, inf]`.
    pub fn new(origin: [f64; 3], dir: [f64; 3]) -> Ray {
        Ray { origin, dir, t_min: 0.0, t_max: f64::INFINITY }
    }

    /// From one point towards another, `t = 1` there, with `t` in `[0, inf]`.
    pub fn towards(origin: [f64; 3], target: [f64; 3]) -> Ray {
        Ray::new(origin, sub(target, origin))
    }

    /// The whole line, behind the origin too.
    #[must_use]
    pub fn line(self) -> Ray {
        Ray { t_min: f64::NEG_INFINITY, t_max: f64::INFINITY, ..self }
    }

    /// The same with `t` in `[t_min, t_max]`.
    #[must_use]
    pub fn within(self, t_min: f64, t_max: f64) -> Ray {
        Ray { t_min, t_max, ..self }
    }

    /// The same with origin and direction rounded to `f32`.
    #[must_use]
    pub fn rounded(self) -> Ray {
        let round = |v: [f64; 3]| v.map(|c| f64::from(c as f32));
        Ray { origin: round(self.origin), dir: round(self.dir), ..self }
    }

    /// Whether it points anywhere: a random choice of two points may give the same one twice.
    pub fn is_valid(&self) -> bool {
        self.dir.iter().any(|&c| c != 0.0)
    }
}

/// All kinds of rays.
pub const KINDS: [Kind; 12] = [
    Kind::Random,
    Kind::Grid,
    Kind::Corner,
    Kind::Edge,
    Kind::BesideCorner,
    Kind::BesideEdge,
    Kind::FromSurface,
    Kind::Far,
    Kind::AxisParallel,
    Kind::InPlane,
    Kind::AlongEdge,
    Kind::Grazing,
];

/// What a ray is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// From anywhere near the mesh to anywhere near it.
    Random,
    /// Origin and direction on a lattice in units of the mesh, on which arithmetic is exact.
    Grid,
    /// At a vertex.
    Corner,
    /// At a point of an edge.
    Edge,
    /// At a vertex, but 0 to 10 rounding errors beside it.
    BesideCorner,
    /// At a point of an edge, but 0 to 10 rounding errors beside it.
    BesideEdge,
    /// From a vertex, an edge or a face, at anything.
    FromSurface,
    /// At a corner or an edge, or beside it, from 0.5 to 1e8 times the mesh's reach.
    Far,
    /// Parallel to an axis, some through a vertex exactly.
    AxisParallel,
    /// In the plane of a face.
    InPlane,
    /// Along an edge.
    AlongEdge,
    /// Almost parallel to an axis, with direction components of very different size.
    Grazing,
}

/// Makes rays at one mesh.
#[derive(Clone, Copy, Debug)]
pub struct Shooter<'a> {
    mesh: &'a TriMesh,
    middle: [f64; 3],
    half_size: f64,
    reach: f64,
}

impl<'a> Shooter<'a> {
    /// For a mesh with at least one triangle.
    pub fn new(mesh: &'a TriMesh) -> Shooter<'a> {
        Shooter { mesh, middle: mesh.middle(), half_size: mesh.half_size(), reach: f64::from(mesh.reach()) }
    }

    /// A ray of one kind.
    pub fn ray(&self, kind: Kind, rng: &mut Rng) -> Ray {
        loop {
            let ray = self.attempt(kind, rng);
            let ray = if rng.one_in(2) { ray.rounded() } else { ray };
            if ray.is_valid() {
                return ray;
            }
        }
    }

    /// Rays of every kind in turn, some of them with an interval that begins behind the origin or ends early.
    pub fn rays(&self, count: usize, rng: &mut Rng) -> Vec<Ray> {
        (0..count)
            .map(|i| {
                let ray = self.ray(KINDS[i % KINDS.len()], rng);
                match rng.below(8) {
                    0 => ray.line(),
                    1 => ray.within(rng.range(-2.0, 1.0), rng.range(1.0, 2.0)),
                    2 => ray.within(0.0, 1.0),
                    3 => ray.within(f64::NEG_INFINITY, rng.range(0.0, 1.5)),
                    _ => ray,
                }
            })
            .collect()
    }

    /// A point that lies 0.5 to 1e8 reaches away from `target`, each decade as often.
    pub fn far_from(&self, target: [f64; 3], rng: &mut Rng) -> [f64; 3] {
        let distance = self.reach * rng.any_size(0.5, 1e8);
        let away = rng.direction();
        std::array::from_fn(|i| target[i] + distance * away[i])
    }

    /// A corner, a point of an edge or a point of a face.
    pub fn feature(&self, rng: &mut Rng) -> [f64; 3] {
        match rng.below(3) {
            0 => self.vertex(rng),
            1 => self.on_edge(rng),
            _ => {
                let [a, b, c] = self.corners(rng);
                mix(a, mix(b, c, rng.unit()), rng.unit())
            }
        }
    }

    fn attempt(&self, kind: Kind, rng: &mut Rng) -> Ray {
        match kind {
            Kind::Random => Ray::towards(self.near(3.0, rng), self.near(1.2, rng)),
            Kind::Grid => self.on_lattice(rng),
            Kind::Corner => Ray::towards(self.near(3.0, rng), self.vertex(rng)),
            Kind::Edge => Ray::towards(self.near(3.0, rng), self.on_edge(rng)),
            Kind::BesideCorner => beside(self.near(3.0, rng), self.vertex(rng), rng),
            Kind::BesideEdge => beside(self.near(3.0, rng), self.on_edge(rng), rng),
            Kind::FromSurface => {
                let origin = self.feature(rng);
                if rng.one_in(2) {
                    Ray::new(origin, rng.direction())
                } else {
                    Ray::towards(origin, self.feature(rng))
                }
            }
            Kind::Far => {
                let target = self.feature(rng);
                let origin = self.far_from(target, rng);
                if rng.one_in(2) { Ray::towards(origin, target) } else { beside(origin, target, rng) }
            }
            Kind::AxisParallel => {
                let mut origin = if rng.one_in(2) { self.vertex(rng) } else { self.feature(rng) };
                let axis = rng.below(3);
                origin[axis] = self.near(3.0, rng)[axis];
                let mut dir = [0.0; 3];
                dir[axis] = rng.pick(&[1.0, -1.0, 0.375, -3.0]);
                Ray::new(origin, dir)
            }
            Kind::InPlane => {
                let [a, b, c] = self.corners(rng);
                let (s, t) = (rng.range(-1.0, 2.0), rng.range(-1.0, 2.0));
                let origin = std::array::from_fn(|i| a[i] + s * (b[i] - a[i]) + t * (c[i] - a[i]));
                Ray::towards(origin, if rng.one_in(2) { a } else { mix(b, c, rng.unit()) })
            }
            Kind::AlongEdge => {
                let [a, b, _] = self.corners(rng);
                let step = rng.pick(&[0.0, 0.25, 0.5, 1.0, 2.0, 3.7]);
                let origin = std::array::from_fn(|i| a[i] - step * (b[i] - a[i]));
                Ray::new(origin, sub(b, a))
            }
            Kind::Grazing => {
                let target = self.feature(rng);
                let mut dir: [f64; 3] = [(); 3].map(|()| rng.any_size(1e-30, 1.0) * rng.pick(&[1.0, -1.0]));
                dir[rng.below(3)] = rng.pick(&[1.0, -1.0]);
                let distance = rng.range(0.0, 4.0) * self.half_size;
                let origin = std::array::from_fn(|i| target[i] - distance * dir[i]);
                Ray::new(origin, dir)
            }
        }
    }

    /// Origin and direction on a lattice whose unit is a power of two near a quarter of the mesh's size.
    fn on_lattice(&self, rng: &mut Rng) -> Ray {
        let unit = f64::from_bits((self.half_size / 4.0).to_bits() & 0x7ff0_0000_0000_0000);
        let vertex = self.vertex(rng).map(|c| (c / unit).round() * unit);
        let origin = vertex.map(|c| c + unit * rng.int(-6, 6) as f64 / 2.0);
        Ray::new(origin, [(); 3].map(|()| unit * rng.int(-4, 4) as f64))
    }

    /// The middle of an edge, or any point of it.
    fn on_edge(&self, rng: &mut Rng) -> [f64; 3] {
        let [a, b, _] = self.corners(rng);
        let part = if rng.one_in(2) { 0.5 } else { rng.unit() };
        mix(a, b, part)
    }

    fn vertex(&self, rng: &mut Rng) -> [f64; 3] {
        self.corners(rng)[0]
    }

    /// The corners of a random triangle, from any of them on.
    fn corners(&self, rng: &mut Rng) -> [[f64; 3]; 3] {
        let prim = rng.below(self.mesh.triangles.len());
        let mut corners = self.mesh.corners(prim).map(|corner| corner.map(f64::from));
        corners.rotate_left(rng.below(3));
        corners
    }

    /// A point in the cube of `factor` times the mesh's size about its middle.
    fn near(&self, factor: f64, rng: &mut Rng) -> [f64; 3] {
        let offset = rng.in_cube(factor * self.half_size);
        std::array::from_fn(|i| self.middle[i] + offset[i])
    }
}

/// A ray from `origin` at a point 0 to 10 rounding errors beside `target`. The unit is the rounding of `f32` at the
/// size of the target, or at its distance, whichever the dice say.
pub fn beside(origin: [f64; 3], target: [f64; 3], rng: &mut Rng) -> Ray {
    if rng.one_in(2) {
        let steps = [(); 3].map(|()| rng.int(-10, 10));
        return Ray::towards(origin, std::array::from_fn(|i| f64::from(step(target[i] as f32, steps[i]))));
    }
    let distance = (0..3).fold(0.0f64, |d, i| d.max((target[i] - origin[i]).abs()));
    let size = rng.range(0.0, 10.0) * distance * f64::from(f32::EPSILON) / 2.0;
    let aside = rng.direction();
    Ray::towards(origin, std::array::from_fn(|i| target[i] + size * aside[i]))
}

/// `steps` representable numbers up or down.
fn step(mut x: f32, steps: i64) -> f32 {
    for _ in 0..steps.abs() {
        x = if steps > 0 { x.next_up() } else { x.next_down() };
    }
    x
}

fn mix(a: [f64; 3], b: [f64; 3], part: f64) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + part * (b[i] - a[i]))
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}
