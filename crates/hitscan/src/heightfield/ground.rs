//! Where samples stand: columns along x, rows along z or y, and which corners make which triangle.
//!
//! ```text
//!   a --- b     columns: along +x
//!   | 0 / |     rows:    along +z where y is up, +y where z is up
//!   | / 1 |     triangle 2 * cell     has the corner a,
//!   c --- d     triangle 2 * cell + 1 the corner d; both have b and c
//! ```

use alloc::vec::Vec;

use super::error::HeightfieldError;
use crate::ray::MAX_COORDINATE;

/// Which axis heights grow along. Columns follow each other along +X.
///
/// ```
/// use hitscan::heightfield::{Heightfield, Up};
/// let samples = [1.0, 2.0, 3.0, 4.0]; // two columns, two rows
/// let maps = [Up::Y, Up::Z].map(|up| Heightfield::builder(2, 2).up(up).build_f32(samples).unwrap());
/// let [game, map] = maps.map(|field| field.vertex(1, 0).unwrap().to_array());
/// assert_eq!((game, map), ([1.0, 2.0, 0.0], [1.0, 0.0, 2.0]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Up {
    /// +Y, with rows along +Z: what game engines use.
    #[default]
    Y,
    /// +Z, with rows along +Y: what maps use, from south to north.
    Z,
}

/// A column or a row of samples or of cells.
pub(super) type Spot = [usize; 2];

#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub columns: usize,
    pub rows: usize,
    pub up: Up,
    /// The `f32` coordinate of each column along x, and of each row along its axis: strictly ascending, so that no two
    /// samples are at one place.
    along: [Vec<f32>; 2],
}

impl Ground {
    /// Sizes are checked already.
    pub fn new(
        [columns, rows]: Spot,
        up: Up,
        origin: [f64; 2],
        spacing: [f64; 2],
    ) -> Result<Ground, HeightfieldError> {
        for (what, value) in [("columns", spacing[0]), ("rows", spacing[1])] {
            if !(value > 0.0 && value <= MAX_COORDINATE) {
                return Err(HeightfieldError::Spacing { what, value });
            }
        }
        let along = [
            coordinates("column", columns, origin[0], spacing[0])?,
            coordinates("row", rows, origin[1], spacing[1])?,
        ];
        Ok(Ground { columns, rows, up, along })
    }

    /// The ground whose columns and rows stand at these coordinates; `Err` with 0 or 1 where those of the one or of the other do not
    /// ascend, or are too large.
    #[cfg(feature = "std")]
    pub fn of_coordinates(up: Up, along: [Vec<f32>; 2]) -> Result<Ground, usize> {
        let ascends = |along: &Vec<f32>| {
            along.iter().all(|c| f64::from(c.abs()) <= MAX_COORDINATE) && along.is_sorted_by(|a, b| a < b)
        };
        let [columns, rows] = [0, 1].map(|axis: usize| along[axis].len());
        match along.iter().position(|along| !ascends(along)) {
            Some(axis) => Err(axis),
            None => Ok(Ground { columns, rows, up, along }),
        }
    }

    /// The axes of columns, rows and heights.
    #[inline(always)]
    pub fn axes(&self) -> [usize; 3] {
        match self.up {
            Up::Y => [0, 2, 1],
            Up::Z => [0, 1, 2],
        }
    }

    /// Where columns and rows stand.
    #[inline(always)]
    pub fn along(&self) -> [&[f32]; 2] {
        let [columns, rows] = &self.along;
        [columns, rows]
    }

    /// The corner of a sample of this height.
    #[inline(always)]
    pub fn point(&self, [column, row]: Spot, height: f32) -> [f32; 3] {
        let (a, b) = (self.along[0][column], self.along[1][row]);
        match self.up {
            Up::Y => [a, height, b],
            Up::Z => [a, b, height],
        }
    }

    /// The sample that stands at these ground coordinates exactly.
    pub fn sample_at(&self, point: [f32; 3]) -> Option<Spot> {
        let [columns, rows, _] = self.axes();
        let find = |along: &[f32], at: f32| {
            let place = along.partition_point(|&c| c < at);
            (along.get(place) == Some(&at)).then_some(place)
        };
        Some([find(&self.along[0], point[columns])?, find(&self.along[1], point[rows])?])
    }

    /// Cells along each axis.
    #[inline(always)]
    pub fn cells(&self) -> Spot {
        [self.columns - 1, self.rows - 1]
    }

    /// The number of a cell.
    #[inline(always)]
    pub fn cell(&self, [column, row]: Spot) -> usize {
        row * (self.columns - 1) + column
    }

    /// The cells that have this sample as a corner, in the order of their numbers.
    pub fn cells_around(&self, [column, row]: Spot) -> impl Iterator<Item = Spot> {
        let cells = self.cells();
        let around = |sample: usize, cells: usize| sample.saturating_sub(1)..(sample + 1).min(cells);
        let columns = around(column, cells[0]);
        around(row, cells[1]).flat_map(move |row| columns.clone().map(move |column| [column, row]))
    }

    /// The corners of one half of a cell out of its four, counter-clockwise as seen from above.
    #[inline(always)]
    pub fn wind<T>(&self, [a, b, c, d]: [T; 4], half: usize) -> [T; 3] {
        let [p, q, r] = if half == 0 { [a, c, b] } else { [b, c, d] };
        match self.up {
            Up::Y => [p, q, r],
            Up::Z => [p, r, q],
        }
    }

    pub fn bytes(&self) -> usize {
        (self.columns + self.rows) * size_of::<f32>()
    }
}

/// The samples at the corners a, b, c, d of a cell.
#[inline(always)]
pub(super) fn corners_of([column, row]: Spot) -> [Spot; 4] {
    [[column, row], [column + 1, row], [column, row + 1], [column + 1, row + 1]]
}

/// The one formula: `origin + spacing * index` in `f64`, rounded to `f32` once.
fn coordinates(
    what: &'static str,
    count: usize,
    origin: f64,
    spacing: f64,
) -> Result<Vec<f32>, HeightfieldError> {
    let at = |index: usize| origin + spacing * index as f64;
    // Written so that what is not a number is refused.
    let is_near = |&index: &usize| at(index).abs() <= MAX_COORDINATE;
    if let Some(index) = [0, count - 1].into_iter().find(|index| !is_near(index)) {
        return Err(HeightfieldError::TooFar { what, index, value: at(index) });
    }
    let along: Vec<f32> = (0..count).map(|index| at(index) as f32).collect();
    match along.windows(2).position(|pair| pair[0] >= pair[1]) {
        Some(first) => Err(HeightfieldError::Coincident { what, index: first + 1, value: along[first + 1] }),
        None => Ok(along),
    }
}
