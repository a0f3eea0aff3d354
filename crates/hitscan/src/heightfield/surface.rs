//! The surface over a point of the ground: its height and its normal, without a ray.
//!
//! Corners are the mesh's, in `f32`; the rest is `f64`. A point belongs to every cell whose rectangle holds it, edges
//! included, and in its cell to triangle 0 up to the diagonal, the diagonal included. Of several cells the first that is no hole
//! answers, by its number: for the normal, it matters which; the heights of cells that share an edge are the same there on every bit.

use super::ground::{Spot, corners_of};
use super::{Data, Heightfield};
use crate::hit::Face;
use crate::mesh::{cross, unit_normal};
use glam::DVec3;

/// A point in a cell that is there.
struct Footing {
    cell: Spot,
    /// Which half of it.
    half: usize,
    /// Of the corners a, b, c and d.
    weights: [f64; 4],
}

impl Heightfield {
    /// The height of the surface over a point of the ground, given by its coordinates along columns and along rows: x and
    /// z where Y is up, x and y where Z is up. `None` beyond the outermost samples, in a hole, and for coordinates that are
    /// no numbers.
    ///
    /// Linear on each triangle, computed in `f64` from the corners' weights. On a sample it is exactly the sample's height; the
    /// last column and the last row belong to the surface, as do the edges of holes. A ray straight down finds the same but
    /// for the rounding of its `f32` origin.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// let slope = Heightfield::builder(3, 2).spacing([10.0, 10.0]).build_f32([0.0, 1.0, 2.0, 0.0, 1.0, 4.0])?;
    /// assert_eq!(slope.height_at(5.0, 5.0), Some(0.5));
    /// assert_eq!((slope.height_at(20.0, 10.0), slope.height_at(20.5, 10.0)), (Some(4.0), None));
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn height_at(&self, a: f64, b: f64) -> Option<f64> {
        let Footing { cell, weights, .. } = self.footing(a, b)?;
        let mut height = 0.0;
        for (weight, corner) in weights.into_iter().zip(corners_of(cell)) {
            height += weight * self.corner_height(corner);
        }
        Some(height)
    }

    /// The unit normal of the surface over a point of the ground, upwards: that of the triangle there, as a
    /// [`Hit`](crate::Hit) has it. On an edge or a corner it is that of the lowest number among the triangles that are there.
    /// `None` where [`height_at`](Self::height_at) is.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Filter, Ray};
    /// let slope = Heightfield::builder(3, 2).spacing([4.0, 4.0]).build_f32([0.0, 3.0, 3.0, 0.0, 3.0, 3.0])?;
    /// let down = Ray::new([1.0, 9.0, 1.0], [0.0, -1.0, 0.0])?;
    /// assert_eq!(slope.normal_at(1.0, 1.0), Some(slope.closest(&down, &Filter::ALL).unwrap().normal));
    /// assert_eq!(slope.normal_at(7.0, 3.0).unwrap().to_array(), [0.0, 1.0, 0.0]);
    /// assert_eq!(slope.normal_at(-0.1, 3.0), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn normal_at(&self, a: f64, b: f64) -> Option<DVec3> {
        let Footing { cell, half, .. } = self.footing(a, b)?;
        let ground = &self.data.ground;
        let corners = corners_of(cell).map(|corner| {
            let [x, y, z] = ground.point(corner, self.corner_height(corner) as f32);
            [f64::from(x), f64::from(y), f64::from(z)]
        });
        let [p, q, r] = ground.wind(corners, half);
        let normal = DVec3::from(cross(p, q, r));
        // As a ray straight down would report it; the cross product of a cell is never zero.
        let mut down = [0.0; 3];
        down[ground.axes()[2]] = -1.0;
        Some(unit_normal(normal, down.into(), Face::Front) + 0.0)
    }

    /// The first cell, by its number, that is there and holds the point.
    fn footing(&self, a: f64, b: f64) -> Option<Footing> {
        let Data { ground, holes, .. } = &*self.data;
        let [along_columns, along_rows] = ground.along();
        let [columns, rows] = [intervals(along_columns, a)?, intervals(along_rows, b)?];
        let mut cells = rows.flat_map(|row| columns.clone().map(move |column| [column, row]));
        let cell = cells.find(|&cell| !holes.has(ground.cell(cell)))?;
        let (s, t) = (part(along_columns, cell[0], a), part(along_rows, cell[1], b));
        let (p, q) = (1.0 - s, 1.0 - t);
        // Written so that on an edge the weights are those that the other cell there gives.
        let (half, weights) = if t <= p {
            (0, [p - t, s, t, 0.0])
        } else {
            (1, [0.0, q, p, if p < q { t - p } else { s - q }])
        };
        Some(Footing { cell, half, weights })
    }

    /// The height of a corner of a cell that is there.
    fn corner_height(&self, [column, row]: Spot) -> f64 {
        let height = self.data.heights.height(row * self.data.ground.columns + column);
        f64::from(height.unwrap_or(0.0))
    }
}

/// The cells along one axis that hold a coordinate: one, or two at a sample between them.
fn intervals(along: &[f32], at: f64) -> Option<core::ops::Range<usize>> {
    // None lies at or below what is not a number.
    let beyond = along.partition_point(|&c| f64::from(c) <= at);
    let last = beyond.checked_sub(1)?;
    let is_sample = f64::from(along[last]) == at;
    let cells = along.len() - 1;
    if last == cells && !is_sample {
        return None;
    }
    let first = if is_sample { last.saturating_sub(1) } else { last };
    Some(first..(last + 1).min(cells))
}

/// How far a coordinate lies between a sample and the next: exactly 0 and 1 there.
fn part(along: &[f32], first: usize, at: f64) -> f64 {
    let (low, high) = (f64::from(along[first]), f64::from(along[first + 1]));
    (at - low) / (high - low)
}
