//! From samples to a heightfield: every check that input can fail.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::error::HeightfieldError;
use super::ground::{Ground, Up};
use super::holes::Holes;
use super::pyramid::Pyramid;
use super::sample::{HeightScale, Sample, grown};
use super::{Data, Heightfield, Heights, MAX_SIDE, Relief};
use crate::bvh::parallel::merged;
use crate::bvh::slab::Frame;
use crate::ray::MAX_COORDINATE;
use crate::simd::Kernel;

/// Most cells: two triangles each, whose numbers fit in 32 bits with one to spare.
const MAX_CELLS: u64 = (1 << 31) - 1;

/// A [`Heightfield`] to be: where its samples stand and which cells are left out. Samples come last.
///
/// ```
/// use hitscan::heightfield::{Heightfield, Up};
/// let terrain = Heightfield::builder(3, 2)
///     .up(Up::Z)
///     .origin([500.0, -20.0])
///     .spacing([2.0, 4.0])
///     .holes([false, true])
///     .build_f32([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// assert_eq!(terrain.vertex(2, 1).unwrap().to_array(), [504.0, -16.0, 6.0]);
/// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct HeightfieldBuilder {
    size: [usize; 2],
    up: Up,
    origin: [f64; 2],
    spacing: [f64; 2],
    holes: Option<(Holes, usize)>,
}

impl Heightfield {
    /// Begins a heightfield of so many samples along x, and so many rows of them: at the origin, one unit apart, with Y up
    /// and without holes.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// let terrain = Heightfield::builder(2, 2).build_f32([0.0, 1.0, 2.0, 3.0])?;
    /// assert_eq!(terrain.vertex(1, 1).unwrap().to_array(), [1.0, 3.0, 1.0]);
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn builder(columns: usize, rows: usize) -> HeightfieldBuilder {
        HeightfieldBuilder {
            size: [columns, rows],
            up: Up::Y,
            origin: [0.0; 2],
            spacing: [1.0; 2],
            holes: None,
        }
    }
}

impl HeightfieldBuilder {
    /// The distance between neighbouring columns, and that between neighbouring rows: above 0 and at most 2^100.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// let error = Heightfield::builder(2, 2).spacing([1.0, 0.0]).build_f32([0.0; 4]).unwrap_err();
    /// let expected = "the spacing of rows is 0.0; a heightfield needs one above 0 and at most 2^100";
    /// assert_eq!(error.to_string(), expected);
    /// ```
    pub fn spacing(mut self, spacing: [f64; 2]) -> Self {
        self.spacing = spacing;
        self
    }

    /// Where the first column and the first row stand. A sample stands at `origin + spacing * index`, computed in `f64` with
    /// one product and one sum, and rounded to `f32` once: so keep it small, and stand a map's terrain where the map has it by its
    /// [`Instance::at`](crate::Instance::at), in `f64`.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// let centred = Heightfield::builder(3, 3).origin([-1.0, -1.0]).build_f32([0.0; 9])?;
    /// assert_eq!(centred.vertex(1, 1).unwrap().to_array(), [0.0, 0.0, 0.0]);
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn origin(mut self, origin: [f64; 2]) -> Self {
        self.origin = origin;
        self
    }

    /// The axis that heights grow along.
    ///
    /// ```
    /// use hitscan::heightfield::{Heightfield, Up};
    /// let map = Heightfield::builder(2, 2).up(Up::Z).build_f32([7.0; 4])?;
    /// assert_eq!(map.normal_at(0.5, 0.5).unwrap().to_array(), [0.0, 0.0, 1.0]);
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn up(mut self, up: Up) -> Self {
        self.up = up;
        self
    }

    /// One mark for each cell, row by row: `true` where the cell is left out. There is one cell less than samples along
    /// each axis.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// let mine = Heightfield::builder(3, 2).holes([false, true]).build_f32([0.0; 6])?;
    /// assert_eq!((mine.is_hole(0, 0), mine.is_hole(1, 0)), (false, true));
    /// let error = Heightfield::builder(3, 2).holes([true]).build_f32([0.0; 6]).unwrap_err();
    /// assert_eq!(error.to_string(), "1 marks of holes for 2 cells; each cell needs one");
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn holes(mut self, marks: impl IntoIterator<Item = bool>) -> Self {
        self.holes = Some(Holes::marked(marks.into_iter()));
        self
    }

    /// Samples that are heights, row by row. NaN is a place without a height: all cells around it are holes.
    ///
    /// # Errors
    /// [`HeightfieldError`]: sizes that do not fit each other, coordinates or heights that are infinite or exceed 2^100,
    /// a spacing that is not above 0 or too small for `f32`.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// let torn = Heightfield::builder(3, 2).build_f32([0.0, 0.0, f32::NAN, 0.0, 0.0, 0.0])?;
    /// assert_eq!((torn.is_hole(0, 0), torn.is_hole(1, 0)), (false, true));
    /// assert!(Heightfield::builder(2, 2).build_f32([f32::INFINITY; 4]).is_err());
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn build_f32(self, samples: impl Into<Vec<f32>>) -> Result<Heightfield, HeightfieldError> {
        self.build(samples.into(), (), Heights::F32)
    }

    /// Samples of 16 bits, row by row, and what they stand for. With their pyramid they take about 3.2 bytes each.
    ///
    /// # Errors
    /// As [`build_f32`](Self::build_f32), and an offset or a scale that is not finite.
    ///
    /// ```
    /// use hitscan::heightfield::{HeightScale, Heightfield};
    /// let scale = HeightScale { scale: 0.5, ..HeightScale::default() };
    /// let terrain = Heightfield::builder(2, 2).build_u16([0, 1, 2, 65535], scale)?;
    /// assert_eq!(terrain.height(1, 1), Some(32767.5));
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn build_u16(
        self,
        samples: impl Into<Vec<u16>>,
        scale: HeightScale,
    ) -> Result<Heightfield, HeightfieldError> {
        for (what, value) in [("offset", scale.offset), ("scale", scale.scale)] {
            if !value.is_finite() {
                return Err(HeightfieldError::Scale { what, value });
            }
        }
        self.build(samples.into(), scale, Heights::U16)
    }

    fn build<S: Sample>(
        self,
        samples: Vec<S>,
        scale: S::Scale,
        heights: impl FnOnce(Relief<S>) -> Heights,
    ) -> Result<Heightfield, HeightfieldError> {
        let ground = self.ground()?;
        let (columns, rows) = (ground.columns, ground.rows);
        if samples.len() != columns * rows {
            return Err(HeightfieldError::SampleCount { samples: samples.len(), columns, rows });
        }
        let reach = reach(&ground, &samples, &scale)?;
        let holes = holes(&ground, self.holes, &samples, &scale)?;
        let pyramid = Pyramid::new(&ground, &holes, &samples);
        let heights = heights(Relief { samples: samples.into(), scale, pyramid });
        let bounds = bounds(&ground, &holes, &heights);
        let frame = Frame::new(reach);
        let data = Data { ground, holes, heights, reach, frame, bounds };
        Ok(Heightfield { data: Arc::new(data), kernel: Kernel::best() })
    }

    fn ground(&self) -> Result<Ground, HeightfieldError> {
        check_size(self.size)?;
        Ground::new(self.size, self.up, self.origin, self.spacing)
    }
}

/// Refuses sizes that no heightfield has.
pub(super) fn check_size([columns, rows]: [usize; 2]) -> Result<(), HeightfieldError> {
    if columns < 2 || rows < 2 {
        return Err(HeightfieldError::TooFew { columns, rows });
    }
    let cells = (columns as u64 - 1).saturating_mul(rows as u64 - 1);
    if columns > MAX_SIDE || rows > MAX_SIDE || cells > MAX_CELLS {
        return Err(HeightfieldError::TooMany { columns, rows });
    }
    Ok(())
}

/// The largest absolute coordinate of any sample; refuses heights that are too large.
pub(super) fn reach<S: Sample>(
    ground: &Ground,
    samples: &[S],
    scale: &S::Scale,
) -> Result<f32, HeightfieldError> {
    let highest = highest(ground, samples, scale)?;
    let ends = ground.along().into_iter().flat_map(|along| [along[0], along[along.len() - 1]]);
    Ok(ends.fold(highest, |reach, c| reach.max(c.abs())))
}

/// The largest absolute height, 0 where there is none; refuses what is too large.
fn highest<S: Sample>(ground: &Ground, samples: &[S], scale: &S::Scale) -> Result<f32, HeightfieldError> {
    let range = |samples: &[S]| {
        let data = samples.iter().copied().filter(|sample| sample.is_data(scale));
        data.fold(S::NOTHING, grown)
    };
    let merge = |a: [S; 2], [low, high]: [S; 2]| if low > high { a } else { grown(grown(a, low), high) };
    // Heights grow or fall with samples, so the largest is that of an end.
    let range = merged(samples, &range, &merge);
    if range[0] > range[1] {
        return Ok(0.0);
    }
    let is_near = |height: f32| f64::from(height.abs()) <= MAX_COORDINATE;
    let ends = range.map(|sample| sample.height(scale));
    if ends.into_iter().all(is_near) {
        return Ok(ends[0].abs().max(ends[1].abs()));
    }
    let is_far = |sample: &S| sample.is_data(scale) && !is_near(sample.height(scale));
    let place = samples.iter().position(is_far).unwrap_or(0);
    let (column, row) = (place % ground.columns, place / ground.columns);
    Err(HeightfieldError::Height { column, row, value: samples[place].height(scale) })
}

/// The cells that are left out: those that were marked, and those with a corner without a height.
pub(super) fn holes<S: Sample>(
    ground: &Ground,
    marked: Option<(Holes, usize)>,
    samples: &[S],
    scale: &S::Scale,
) -> Result<Holes, HeightfieldError> {
    let [across, down] = ground.cells();
    let cells = across * down;
    let mut holes = match marked {
        Some((_, marks)) if marks != cells => return Err(HeightfieldError::HoleCount { marks, cells }),
        Some((holes, _)) => holes,
        None => Holes::none_of(cells),
    };
    for (place, _) in samples.iter().enumerate().filter(|(_, sample)| !sample.is_data(scale)) {
        let sample = [place % ground.columns, place / ground.columns];
        ground.cells_around(sample).for_each(|cell| holes.mark(ground.cell(cell)));
    }
    holes.shrink();
    Ok(holes)
}

/// Lowest and highest corner of the cells that are there.
pub(super) fn bounds(ground: &Ground, holes: &Holes, heights: &Heights) -> Option<[[f32; 3]; 2]> {
    let [across, down] = ground.cells();
    let is_there = |column: usize, row: usize| !holes.has(ground.cell([column, row]));
    let mut rows = (0..down).filter(|&row| (0..across).any(|column| is_there(column, row)));
    let first_row = rows.next()?;
    let last_row = rows.next_back().unwrap_or(first_row);
    let mut columns = (0..across).filter(|&column| (first_row..=last_row).any(|row| is_there(column, row)));
    let first_column = columns.next()?;
    let last_column = columns.next_back().unwrap_or(first_column);
    let [low, high] = heights.range();
    let corners =
        [ground.point([first_column, first_row], low), ground.point([last_column + 1, last_row + 1], high)];
    // Never -0, as a mesh says it.
    Some(corners.map(|corner| corner.map(|c| c + 0.0)))
}
