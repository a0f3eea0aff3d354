//! Things as curved patches, which are counted before a triangle is made and cut as finely as is asked for.

use std::f64::consts::TAU;

use hitscan::glam::DVec3;

use super::Material;
use crate::builtin::noise::unit;
use crate::builtin::surface::Surface;

/// Where a thing's own coordinates are: `x` and `z` level, `y` upwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub origin: DVec3,
    pub x: DVec3,
    pub z: DVec3,
}

impl Frame {
    /// The coordinates of the hall.
    pub const HALL: Frame = Frame { origin: DVec3::ZERO, x: DVec3::X, z: DVec3::Z };

    /// The same directions around another point, in this frame's coordinates.
    pub fn at(self, x: f64, y: f64, z: f64) -> Frame {
        Frame { origin: self.point(DVec3::new(x, y, z)), ..self }
    }

    pub fn point(&self, p: DVec3) -> DVec3 {
        self.origin + self.x * p.x + DVec3::Y * p.y + self.z * p.z
    }
}

/// A surface over the unit square, whose front is seen with `v` to the left of `u`.
struct Patch {
    material: Material,
    /// Along `u` and `v`, each cut into two triangles.
    cells: [u32; 2],
    /// Whether the end along `u` or `v` is the beginning again.
    closed: [bool; 2],
    frame: Frame,
    at: Box<dyn Fn(f64, f64) -> DVec3 + Send + Sync>,
}

/// A thing: patches under a name.
pub(super) struct Object {
    pub name: String,
    /// Cells of 1 at this fineness are cells of `detail`.
    detail: f64,
    /// What decides how a number of cells is rounded: one for each thing, so that like things do not all get finer at
    /// once, and any number of triangles can be met.
    rounding: f64,
    pub frame: Frame,
    patches: Vec<Patch>,
}

impl Object {
    /// Nothing yet. `number` is another for each thing.
    pub fn new(name: String, number: usize, detail: f64, frame: Frame) -> Object {
        Object { name, detail, rounding: unit(number as i64, 0, 47), frame, patches: Vec::new() }
    }

    /// So many cells at a detail of 1, where the hall has two million triangles; more or fewer at another.
    pub fn fine(&self, cells: f64, least: u32) -> u32 {
        ((cells * self.detail + self.rounding) as u32).max(least)
    }

    /// Adds a patch, in the coordinates of the thing's frame.
    pub fn patch(
        &mut self,
        material: Material,
        cells: [u32; 2],
        at: impl Fn(f64, f64) -> DVec3 + Send + Sync + 'static,
    ) {
        self.wrapped(material, cells, [false; 2], at);
    }

    /// Adds a patch whose ends may meet.
    pub fn wrapped(
        &mut self,
        material: Material,
        cells: [u32; 2],
        closed: [bool; 2],
        at: impl Fn(f64, f64) -> DVec3 + Send + Sync + 'static,
    ) {
        // Three corners at least, where the end is the beginning.
        let cells = [0, 1].map(|i| if closed[i] { cells[i].max(3) } else { cells[i] });
        self.patches.push(Patch { material, cells, closed, frame: self.frame, at: Box::new(at) });
    }

    /// Adds a flat parallelogram of two triangles, counter-clockwise from `a` over `b` to `a + (b - a) + (d - a)`.
    pub fn flat(&mut self, material: Material, a: DVec3, b: DVec3, d: DVec3) {
        self.patch(material, [1, 1], move |u, v| a + (b - a) * u + (d - a) * v);
    }

    /// Adds a box between two corners.
    pub fn block(&mut self, material: Material, low: [f64; 3], high: [f64; 3]) {
        let (low, high) = (DVec3::from(low), DVec3::from(high));
        for axis in 0..3 {
            let (mut u, mut v, mut w) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
            let size = high - low;
            w[axis] = size[axis];
            u[(axis + 1) % 3] = size[(axis + 1) % 3];
            v[(axis + 2) % 3] = size[(axis + 2) % 3];
            self.flat(material, low + w, low + w + u, low + w + v);
            self.flat(material, low, low + v, low + u);
        }
    }

    /// Adds a surface of revolution around the frame's y axis: a smooth profile of radius and height, from the bottom
    /// upwards, and the radius varied by what `shape` gives for the angle and the share of the profile.
    pub fn turned(
        &mut self,
        material: Material,
        cells: [u32; 2],
        profile: &[[f64; 2]],
        shape: impl Fn(f64, f64) -> f64 + Send + Sync + 'static,
    ) {
        let profile = profile.to_vec();
        self.wrapped(material, cells, [true, false], move |u, v| {
            let [radius, height] = smooth(&profile, v);
            let (angle, radius) = (TAU * u, radius * shape(u, v));
            DVec3::new(radius * libm::sin(angle), height, radius * libm::cos(angle))
        });
    }

    /// Adds a tube along a path that never runs along `across`. `closed` where the path's end is its beginning.
    pub fn tube(
        &mut self,
        material: Material,
        cells: [u32; 2],
        closed: bool,
        across: DVec3,
        radius: f64,
        path: impl Fn(f64) -> DVec3 + Send + Sync + 'static,
    ) {
        self.wrapped(material, cells, [true, closed], move |u, v| {
            const STEP: f64 = 1.0 / 1024.0;
            let [before, after] =
                if closed { [v - STEP, v + STEP] } else { [(v - STEP).max(0.0), (v + STEP).min(1.0)] };
            let along = (path(after) - path(before)).normalize();
            let right = along.cross(across).normalize();
            let up = along.cross(right);
            path(v) + (right * libm::cos(TAU * u) + up * libm::sin(TAU * u)) * radius
        });
    }

    /// How many triangles there will be.
    pub fn triangles(&self) -> usize {
        self.patches.iter().map(|patch| 2 * patch.cells[0] as usize * patch.cells[1] as usize).sum()
    }

    /// The triangles, patch by patch.
    pub fn surface(&self) -> Surface {
        let mut surface = Surface::default();
        for patch in &self.patches {
            patch.cut(&mut surface);
        }
        surface
    }
}

impl Patch {
    fn cut(&self, surface: &mut Surface) {
        surface.material = self.material as u32;
        let first = surface.vertices.len() as u32;
        let [m, n] = self.cells;
        // Corners along each side: one fewer than ends of cells where the last is the first again.
        let [columns, rows] = [0, 1].map(|i| self.cells[i] + u32::from(!self.closed[i]));
        for i in 0..columns {
            for j in 0..rows {
                let p = (self.at)(f64::from(i) / f64::from(m), f64::from(j) / f64::from(n));
                surface.vertex(self.frame.point(p));
            }
        }
        let at = |i: u32, j: u32| first + i % columns * rows + j % rows;
        for i in 0..m {
            for j in 0..n {
                let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                // Along the shorter diagonal: the longer one makes slivers of what is bent.
                let [a, b, c, d] = corners.map(|i| DVec3::from(surface.vertices[i as usize].map(f64::from)));
                let [p, q, r, s] = corners;
                if (c - a).length_squared() <= (d - b).length_squared() {
                    surface.quad(p, q, r, s);
                } else {
                    surface.quad(q, r, s, p);
                }
            }
        }
    }
}

/// A point on the smooth curve through some points (Catmull, Rom 1974), at a share of its pieces.
pub(super) fn smooth<const N: usize>(points: &[[f64; N]], share: f64) -> [f64; N] {
    let pieces = points.len() - 1;
    let along = share * pieces as f64;
    let piece = (along as usize).min(pieces - 1);
    let t = along - piece as f64;
    let p = |i: usize| points[i.clamp(1, points.len()) - 1];
    let [a, b, c, d] = [p(piece), p(piece + 1), p(piece + 2), p(piece + 3)];
    std::array::from_fn(|i| {
        b[i] + 0.5
            * t
            * (c[i] - a[i]
                + t * (2.0 * a[i] - 5.0 * b[i] + 4.0 * c[i] - d[i] + t * (3.0 * (b[i] - c[i]) + d[i] - a[i])))
    })
}

/// From 0 below `low` to 1 above `high`, without a kink.
pub(super) fn rise(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::closed::assert_closed;

    #[test]
    fn curves_go_through_their_points() {
        let points = [[0.0, 1.0], [2.0, 5.0], [3.0, 3.0]];
        for (share, point) in [(0.0, points[0]), (0.5, points[1]), (1.0, points[2])] {
            assert_eq!(smooth(&points, share), point);
        }
    }

    #[test]
    fn rings_are_closed_with_their_front_outside() {
        let mut object = Object::new("ring".into(), 0, 1.0, Frame::HALL.at(3.0, 0.0, 1.0));
        object.tube(Material::Bronze, [8, 24], true, DVec3::Y, 0.2, |t| {
            DVec3::new(libm::cos(TAU * t), 0.0, libm::sin(TAU * t))
        });
        assert_eq!(object.triangles(), 2 * 8 * 24);
        assert_closed("ring", &object.surface());
    }

    #[test]
    fn fronts_of_boxes_are_outside() {
        let mut object = Object::new("box".into(), 0, 1.0, Frame::HALL);
        object.block(Material::Marble, [-1.0; 3], [1.0, 2.0, 3.0]);
        let surface = object.surface();
        assert_eq!((surface.triangles.len(), object.triangles()), (12, 12));
        for t in &surface.triangles {
            let [a, b, c] = t.map(|i| DVec3::from(surface.vertices[i as usize].map(f64::from)));
            assert!((b - a).cross(c - a).dot(a - DVec3::new(0.0, 0.5, 1.0)) > 0.0);
        }
    }
}
