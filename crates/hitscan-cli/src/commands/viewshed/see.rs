//! Cell by cell: a target on the ground, and whether the line from the eye to it is free.

use hitscan::glam::DVec3;
use hitscan::{Candidate, Filter, Hit, InstanceId, Ray, Verdict};
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
    /// The farthest target that is seen, and its cell; of equally far ones the first.
    pub farthest: Option<(usize, DVec3)>,
}

/// The eye or a target: a point, and what it stands on.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The point.
    pub at: DVec3,
    /// What is below it.
    pub foot: Foot,
    /// Whether it is on the ground, not above it.
    is_on_ground: bool,
}

/// Where on a surface something stands.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// On which instance.
    pub instance: InstanceId,
    prim: u32,
    on: On,
}

/// Where on a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
enum On {
    /// Within it.
    Face,
    /// On the edge between these corners.
    Edge([f32; 3], [f32; 3]),
    /// On this corner.
    Corner([f32; 3]),
}

impl End {
    /// So high above the topmost ground at a place; `None` where there is no ground.
    pub fn standing(loaded: &Loaded, ground: &Ground<'_>, place: Place, height: f64) -> Option<End> {
        // A place that no ray can begin at has no ground.
        let hit = ground.below(place).ok()??;
        let foot = Foot::new(loaded, &hit);
        let at = hit.position + ground.up() * height;
        Some(End { at, foot, is_on_ground: height == 0.0 })
    }

    /// Whether a triangle has this point on it. Such a triangle meets a line from there nowhere else, so that it
    /// hides nothing; where rounding says it does, it is wrong.
    fn is_on(&self, loaded: &Loaded, candidate: &Candidate) -> bool {
        let Foot { instance, prim, on } = self.foot;
        if !self.is_on_ground || candidate.instance != instance {
            return false;
        }
        let mesh = &loaded.mesh(instance).mesh;
        let has = |corner: [f32; 3]| {
            let triangle = mesh.triangles().get(candidate.prim as usize);
            let corners = triangle.into_iter().flatten().filter_map(|&i| mesh.vertices().get(i as usize));
            corners.into_iter().any(|&other| other == corner)
        };
        candidate.prim == prim
            || match on {
                On::Face => false,
                On::Edge(a, b) => has(a) && has(b),
                On::Corner(corner) => has(corner),
            }
    }
}

impl Foot {
    fn new(loaded: &Loaded, hit: &Hit) -> Foot {
        let mesh = &loaded.mesh(hit.instance).mesh;
        let corner = |i: u32| mesh.vertices().get(i as usize).copied().unwrap_or_default();
        let corners = mesh.triangles().get(hit.prim as usize).map(|triangle| triangle.map(corner));
        // The weights of B and C are exactly 0 on the edges across from them; that of A is what rounding leaves of 1.
        let zero = [1.0 - hit.u - hit.v <= f64::EPSILON, hit.u == 0.0, hit.v == 0.0];
        let on = match (corners, zero) {
            (Some([a, _, _]), [false, true, true]) => On::Corner(a),
            (Some([_, b, _]), [true, false, true]) => On::Corner(b),
            (Some([_, _, c]), [true, true, false]) => On::Corner(c),
            (Some([_, b, c]), [true, false, false]) => On::Edge(b, c),
            (Some([a, _, c]), [false, true, false]) => On::Edge(a, c),
            (Some([a, b, _]), [false, false, true]) => On::Edge(a, b),
            _ => On::Face,
        };
        Foot { instance: hit.instance, prim: hit.prim, on }
    }
}

/// What is asked of every cell.
pub struct Question<'a> {
    /// Of which scene.
    pub loaded: &'a Loaded,
    /// The ground of it.
    pub ground: Ground<'a>,
    /// From where.
    pub eye: End,
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
        let mut most = 0.0;
        for top in (0..rows).step_by(BAND) {
            let bottom = rows.min(top + BAND);
            let cells = (top * columns..bottom * columns).into_par_iter().with_min_len(64);
            let answers: Vec<(Cell, f32, Option<DVec3>)> =
                cells.map(|cell| self.cell(self.place(raster, cell % columns, cell / columns))).collect();
            for (cell, height, target) in answers {
                let distance = target.map(|at| self.eye.at.distance(at));
                if cell == Cell::Seen
                    && distance.is_some_and(|distance| seen.farthest.is_none() || distance > most)
                {
                    most = distance.unwrap_or(most);
                    seen.farthest = target.map(|at| (seen.cells.len(), at));
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

    fn cell(&self, place: Place) -> (Cell, f32, Option<DVec3>) {
        let Some(target) = End::standing(self.loaded, &self.ground, place, self.to_height) else {
            return (Cell::NoGround, f32::NAN, None);
        };
        let height = (target.at.dot(self.ground.up()) - self.to_height) as f32;
        let [a, b] = self.ground.axes();
        let across = [target.at[a] - self.eye.at[a], target.at[b] - self.eye.at[b]];
        if self.limit > 0.0 && libm::hypot(across[0], across[1]) > self.limit {
            return (Cell::OutOfRange, height, None);
        }
        let cell = if self.is_free(&target) { Cell::Seen } else { Cell::Hidden };
        (cell, height, Some(target.at))
    }

    /// Whether nothing is hit on the line to a target short of its end, but for what the two stand on.
    fn is_free(&self, target: &End) -> bool {
        // Between points at one place, or too near each other for a ray, there is nothing.
        let Ok(line) = Ray::between(self.eye.at, target.at) else { return true };
        let hides = |candidate: &Candidate| {
            let is_end = candidate.t >= 1.0
                || target.is_on(self.loaded, candidate)
                || self.eye.is_on(self.loaded, candidate);
            if is_end { Verdict::Ignore } else { Verdict::Accept }
        };
        !self.loaded.scene.occluded(&line, &Filter::new().judge(&hides))
    }
}
