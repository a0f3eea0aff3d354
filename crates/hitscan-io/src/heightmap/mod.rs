//! Heightmaps: a grid of heights becomes one mesh.
//!
//! Every sample with data is a vertex; there is no smoothing and no skirt. A cell between four samples is two
//! triangles with their front upwards, split from its upper right to its lower left corner as the file stores
//! it, and a triangle with a corner without data is left out. Triangles are numbered row by row, two a cell,
//! first the one with the cell's upper left corner.
//!
//! PNG holds grey values and no measures: `Options` gives them, +Y is up, columns run along +X and rows along
//! +Z, and the first sample is the origin, so that a sample's place is its pixel times the size of a cell.
//! GeoTIFF is a map: +Z is up, x is east, y is north, in the coordinates of the file.

mod geotiff;
mod png;

use std::path::Path;

use hitscan::{Build, MAX_COORDINATE, MAX_TRIANGLES};

pub(crate) use geotiff::{read as read_geotiff, recognises as recognises_geotiff};
pub(crate) use png::{png_fault, read as read_png, recognises as recognises_png};

use crate::model::{Parts, Up};
use crate::reading::Reading;
use crate::{Options, Raster, ReadError, indexed};

/// Heights in the order of the file.
struct Grid {
    columns: usize,
    rows: usize,
    /// Row by row; NaN where there is no data.
    heights: Vec<f64>,
}

/// Where samples stand on the ground: `first + c * column + r * row`, on the axes x and z, or x and y where z is up.
#[derive(Clone, Copy, Debug)]
struct Placement {
    first: [f64; 2],
    column: [f64; 2],
    row: [f64; 2],
    up: Up,
}

impl Placement {
    fn point(&self, column: usize, row: usize, height: f64) -> [f64; 3] {
        let (c, r) = (column as f64, row as f64);
        let [a, b] = [0, 1].map(|axis| self.first[axis] + (c * self.column[axis] + r * self.row[axis]));
        match self.up {
            Up::Y => [a, height, b],
            Up::Z => [a, b, height],
        }
    }

    /// Refuses ground that reaches beyond 2^100, before its samples are decoded.
    fn check(&self, path: &Path, columns: u64, rows: u64) -> Result<(), ReadError> {
        let [columns, rows] = [columns, rows].map(|count| count as usize - 1);
        for (column, row) in [(0, 0), (columns, 0), (0, rows), (columns, rows)] {
            let is_far = |c: &f64| !c.is_finite() || c.abs() > MAX_COORDINATE;
            if let Some(far) = self.point(column, row, 0.0).into_iter().find(is_far) {
                let found = format!("a corner is at {far:e}");
                return Err(ReadError::invalid(path, found, "coordinates reach 2^100 at most"));
            }
        }
        Ok(())
    }

    /// Whether the triangle from a sample to the next row and to the next column has its front upwards.
    fn is_usual(&self) -> bool {
        let turn = self.row[0] * self.column[1] - self.row[1] * self.column[0];
        (turn > 0.0) == (self.up == Up::Z)
    }
}

/// Refuses a grid without a cell, one of more triangles than a mesh holds, and one that would take more memory than it may, before
/// any is taken for its samples: few bytes of a picture stand for many.
fn check_size(reading: &Reading<'_>, columns: u64, rows: u64, remedy: &str) -> Result<(), ReadError> {
    let path = reading.path;
    if columns < 2 || rows < 2 {
        let found = format!("{columns} x {rows} samples");
        return Err(ReadError::invalid(path, found, "a heightmap needs 2 columns and 2 rows at least"));
    }
    let triangles = 2 * u128::from(columns - 1) * u128::from(rows - 1);
    if triangles > MAX_TRIANGLES as u128 {
        let found = format!("{columns} x {rows} samples make {triangles} triangles");
        let expected = format!("a mesh holds {MAX_TRIANGLES}, those of 4097 x 4097 samples; {remedy}");
        return Err(ReadError::invalid(path, found, expected));
    }
    // At most that many, so the numbers fit.
    let (samples, triangles) = ((columns * rows) as usize, triangles as usize);
    let needs = Build::bytes_for(samples, triangles) + SAMPLE * samples as u64;
    reading.check_memory("the heightmap and its trees take", needs)
}

/// Bytes that a sample takes beside its vertex and its triangles: as the file has it, and as a height.
const SAMPLE: u64 = 8 + 8;

/// Refuses measures that the command line would not let pass.
fn check_options(path: &Path, options: &Options<'_>) -> Result<(), ReadError> {
    if let Some(cell) = options.cell.filter(|cell| !(*cell > 0.0 && *cell <= MAX_COORDINATE)) {
        let found = format!("the size of a cell is {cell}");
        return Err(ReadError::invalid(path, found, "it needs to lie above 0, and at or below 2^100"));
    }
    let is_height = |height: &f64| height.abs() <= MAX_COORDINATE;
    if let Some([low, high]) = options.relief.filter(|relief| !relief.iter().all(is_height)) {
        let found = format!("the relief is {low},{high}");
        return Err(ReadError::invalid(path, found, "it needs two heights, at most 2^100 from 0"));
    }
    Ok(())
}

/// The height that a share of the largest value stands for: exactly `low` for 0, exactly `high` for 1.
fn relieved([low, high]: [f64; 2], share: f64) -> f64 {
    low * (1.0 - share) + high * share
}

fn parts(reading: &Reading<'_>, grid: &Grid, placement: &Placement) -> Result<Parts, ReadError> {
    let position = |sample: u32| {
        let (row, column) = (sample as usize / grid.columns, sample as usize % grid.columns);
        placement.point(column, row, grid.heights[sample as usize])
    };
    let parts = indexed::one_mesh(reading, position, triangles(reading, grid, placement.is_usual())?)?;
    let Placement { first, column, row, up } = *placement;
    let raster = Raster::new([grid.columns, grid.rows], first, column, row);
    Ok(Parts { up, raster: Some(raster), ..parts })
}

/// Corners are numbers of samples.
fn triangles(reading: &Reading<'_>, grid: &Grid, usual: bool) -> Result<Vec<[u32; 3]>, ReadError> {
    let columns = grid.columns as u32; // at most MAX_TRIANGLES, as rows are
    let mut triangles = Vec::new();
    for row in 0..grid.rows as u32 - 1 {
        reading.go_on(0)?;
        for column in 0..columns - 1 {
            let a = row * columns + column;
            let [a, b, c, d] = [a, a + 1, a + columns, a + columns + 1];
            for [p, q, r] in [[a, c, b], [b, c, d]] {
                if [p, q, r].iter().all(|&sample| !grid.heights[sample as usize].is_nan()) {
                    triangles.push(if usual { [p, q, r] } else { [p, r, q] });
                }
            }
        }
    }
    Ok(triangles)
}
