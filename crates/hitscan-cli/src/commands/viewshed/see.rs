//! Cell by cell: a target on the ground, and whether the line from the eye to it is free.

use hitscan::glam::DVec3;
use hitscan::intersect::point_triangle;
use hitscan::shape::Triangle;
use hitscan::{Candidate, Filter, InstanceId, Ray, Verdict};
use hitscan_io::Raster;
use rayon::prelude::*;

use crate::args::Place;
use crate::commands::height::Ground;
use crate::progress::Progress;
use crate::scene::Loaded;

/// What is known of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing is there.
    NoGround,
    /// It is too far away to be asked about.
    OutOfRange,
    /// Something is in the way.
    Hidden,
    /// Its target is seen.
    Seen,
}

/// All cells, row by row.
#[derive(Debug)]
pub struct Seen {
    /// What is known of each.
    pub cells: Vec<Cell>,
    /// How high its ground is; NaN where there is none.
    pub heights: Vec<f32>,
    /// The farthest target that is seen; of equally far ones the first.
    pub farthest: Option<Farthest>,
}

/// A target that is seen.
#[derive(Clone, Copy, Debug)]
pub struct Farthest {
    /// Its cell.
    pub cell: usize,
    /// Where it is.
    pub at: DVec3,
    /// How far it is from the eye.
    pub distance: f64,
}

/// The eye or a target: a point, and what it stands on.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The point.
    pub at: DVec3,
    /// What is below it.
    pub ground: InstanceId,
    /// The triangle of it.
    prim: u32,
}

/// How far a ray may stray within a mesh whose largest coordinate is 1: what the law of the library promises.
const STRAY: f64 = 1.0 / (1u32 << 21) as f64;

impl End {
    /// So high above the topmost ground at a place; `None` where there is no ground.
    pub fn standing(ground: &Ground<'_>, place: Place, height: f64) -> Option<End> {
        // A place that no ray can begin at has no ground.
        let hit = ground.below(place).ok()??;
        Some(End { at: hit.position + ground.up() * height, ground: hit.instance, prim: hit.prim })
    }

    /// Whether this point lies on a triangle, as exactly as a ray can tell. A triangle through it meets a line from there
    /// nowhere else, so that it hides nothing; where rounding says it does, it is wrong.
    fn is_on(&self, loaded: &Loaded, instance: InstanceId, prim: u32) -> bool {
        let mesh = &loaded.mesh(instance).mesh;
        let corners = mesh.triangles().get(prim as usize).map(|triangle| {
            triangle.map(|i| mesh.vertices().get(i as usize).copied().unwrap_or_default().map(f64::from))
        });
        let Some([a, b, c]) = corners else { return false };
        let transform = &loaded.node(instance).transform;
        let local = transform.inverse() * (self.at - transform.offset());
        Triangle::new(a, b, c).is_ok_and(|triangle| {
            point_triangle(local, &triangle).distance <= STRAY * reach(loaded, instance)
        })
    }
}

/// The largest coordinate of an instance's mesh.
fn reach(loaded: &Loaded, instance: InstanceId) -> f64 {
    let bounds = loaded.mesh(instance).mesh.bounds();
    bounds.map_or(0.0, |(low, high)| f64::from(low.abs().max(high.abs()).max_element()))
}

/// What is asked of every cell.
pub struct Question<'a> {
    /// Of which scene.
    pub loaded: &'a Loaded,
    /// The ground of it.
    pub ground: Ground<'a>,
    /// From where.
    pub eye: End,
    /// The place of the eye, as it was asked for.
    pub from: [f64; 2],
    /// How high targets stand above the ground.
    pub to_height: f64,
    /// How far away over the ground they are asked about; 0 for any distance.
    pub limit: f64,
}

/// Rows of cells that are answered before progress is told.
const BAND: usize = 16;

impl Question<'_> {
    /// Answers for all cells.
    pub fn ask(&self, raster: &Raster, progress: &Progress) -> Seen {
        let [columns, rows] = raster.size();
        let mut seen = Seen { cells: Vec::new(), heights: Vec::new(), farthest: None };
        seen.cells.reserve_exact(columns * rows);
        seen.heights.reserve_exact(columns * rows);
        for top in (0..rows).step_by(BAND) {
            let bottom = rows.min(top + BAND);
            let cells = (top * columns..bottom * columns).into_par_iter().with_min_len(64);
            let answers: Vec<(Cell, f32, Option<DVec3>)> =
                cells.map(|cell| self.cell(raster, cell % columns, cell / columns)).collect();
            for (cell, height, target) in answers {
                if let Some(at) = target.filter(|_| cell == Cell::Seen) {
                    let distance = self.eye.at.distance(at);
                    if seen.farthest.is_none_or(|most| distance > most.distance) {
                        seen.farthest = Some(Farthest { cell: seen.cells.len(), at, distance });
                    }
                }
                seen.cells.push(cell);
                seen.heights.push(height);
            }
            progress.advance((bottom - top) as u64, format!("{bottom} of {rows} rows"));
        }
        seen
    }

    /// Where a cell's target stands. A heightmap's samples are vertices of its mesh, which has them in `f32`.
    fn place(&self, raster: &Raster, column: usize, row: usize) -> Place {
        let mut at = raster.place(column, row);
        if let (Some(_), [node]) = (&self.loaded.model.raster, self.loaded.model.nodes.as_slice()) {
            let offset = node.transform.offset();
            for (x, axis) in at.iter_mut().zip(self.ground.axes()) {
                *x = offset[axis] + f64::from((*x - offset[axis]) as f32);
            }
        }
        Place { at, height: None }
    }

    fn cell(&self, raster: &Raster, column: usize, row: usize) -> (Cell, f32, Option<DVec3>) {
        let place = self.place(raster, column, row);
        let Some(target) = End::standing(&self.ground, place, self.to_height) else {
            return (Cell::NoGround, f32::NAN, None);
        };
        let height = (target.at.dot(self.ground.up()) - self.to_height) as f32;
        if self.is_too_far(raster.place(column, row)) {
            return (Cell::OutOfRange, height, None);
        }
        let cell = if self.is_free(&target) { Cell::Seen } else { Cell::Hidden };
        (cell, height, Some(target.at))
    }

    /// Whether a cell is out of range: by its own place, which a mesh has in `f32` only. At the limit it is in range, also
    /// where the rounding of coordinates says that it is a little farther.
    fn is_too_far(&self, at: [f64; 2]) -> bool {
        let across = [at[0] - self.from[0], at[1] - self.from[1]];
        let numbers = [at[0], at[1], self.from[0], self.from[1]];
        let largest = numbers.into_iter().fold(self.limit, |largest, x| largest.max(x.abs()));
        self.limit > 0.0 && libm::hypot(across[0], across[1]) > self.limit + 4.0 * f64::EPSILON * largest
    }

    /// Whether nothing is hit on the line to a target short of its end, but for what the two are on.
    fn is_free(&self, target: &End) -> bool {
        // Between points at one place, or too near each other for a ray, there is nothing.
        let Ok(line) = Ray::between(self.eye.at, target.at) else { return true };
        let hides = |candidate: &Candidate| {
            let (instance, prim) = (candidate.instance, candidate.prim);
            let is_end = candidate.t >= 1.0
                || target.is_on(self.loaded, instance, prim)
                || self.eye.is_on(self.loaded, instance, prim);
            if is_end { Verdict::Ignore } else { Verdict::Accept }
        };
        !self.loaded.scene.occluded(&line, &Filter::new().judge(&hides)) && !self.dives(target)
    }

    /// Whether the line to a target goes under what the eye is on. If the target is on the ground too, it may come out
    /// nowhere else, and neither of the two triangles counts as hit. So the ground is looked at just beside the eye.
    fn dives(&self, target: &End) -> bool {
        if !self.eye.is_on(self.loaded, self.eye.ground, self.eye.prim) {
            return false;
        }
        let transform = &self.loaded.node(self.eye.ground).transform;
        let scale =
            DVec3::AXES.map(|axis| (transform.matrix() * axis).length()).into_iter().fold(0.0, f64::max);
        let stray = STRAY * scale * reach(self.loaded, self.eye.ground);
        let line = target.at - self.eye.at;
        let [a, b] = self.ground.axes();
        let length = libm::hypot(line[a], line[b]);
        if length <= 2.0 * stray {
            return false;
        }
        let beside = [a, b].map(|axis| self.eye.at[axis] + line[axis] / length * 2.0 * stray);
        let Ok(Some(hit)) = self.ground.below(Place { at: beside, height: None }) else { return false };
        let normal = hit.normal * hit.normal.dot(self.ground.up()).signum();
        normal.dot(line) < -stray && self.eye.is_on(self.loaded, hit.instance, hit.prim)
    }
}
