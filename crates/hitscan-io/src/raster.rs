//! The grid of a heightmap: which samples there are and where they stand, so that answers about them can be a map too.

use std::borrow::Cow;
use std::io::{self, Cursor};

use hitscan::MAX_TRIANGLES;
use tiff::TiffResult;
use tiff::encoder::colortype::Gray8;
use tiff::encoder::{Compression, DirectoryEncoder, TiffEncoder, TiffKind};
use tiff::tags::Tag;

/// Samples row by row on the two axes of the ground: x and z where +Y is up, x and y where +Z is.
///
/// ```
/// use hitscan_io::Raster;
/// let raster = Raster::new([3, 2], [100.0, 50.0], [10.0, 0.0], [0.0, -10.0]);
/// assert_eq!(raster.size(), [3, 2]);
/// assert_eq!(raster.place(2, 1), [120.0, 40.0]);
/// assert_eq!(raster.cell_area(), 100.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    size: [usize; 2],
    first: [f64; 2],
    column: [f64; 2],
    row: [f64; 2],
    georeference: Georeference,
}

/// The fields of a GeoTIFF that place its pixels and name the coordinate system, by their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Georeference {
    pub doubles: Vec<(u16, Vec<f64>)>,
    pub shorts: Vec<(u16, Vec<u16>)>,
    pub texts: Vec<(u16, String)>,
}

/// Fields of GeoTIFF by number.
pub(crate) mod tag {
    pub const MODEL_PIXEL_SCALE: u16 = 33550;
    pub const MODEL_TIEPOINT: u16 = 33922;
    pub const MODEL_TRANSFORMATION: u16 = 34264;
    pub const GEO_KEY_DIRECTORY: u16 = 34735;
    pub const GEO_DOUBLE_PARAMS: u16 = 34736;
    pub const GEO_ASCII_PARAMS: u16 = 34737;
    pub const GDAL_NODATA: u16 = 42113;
}

impl Raster {
    /// So many columns and rows; the first sample stands at `first`, and the next ones in its row and in its column
    /// stand `column` and `row` from it, in units of the world. A file of it has no coordinate system.
    ///
    /// ```
    /// let raster = hitscan_io::Raster::new([4, 3], [0.5, 0.5], [1.0, 0.0], [0.0, 1.0]);
    /// assert_eq!((raster.place(0, 0), raster.place(3, 2)), ([0.5, 0.5], [3.5, 2.5]));
    /// ```
    pub fn new(size: [usize; 2], first: [f64; 2], column: [f64; 2], row: [f64; 2]) -> Raster {
        // A sample stands in the middle of its pixel, and the numbers of pixels are those of their corners.
        let corner = [0, 1].map(|axis| first[axis] - 0.5 * (column[axis] + row[axis]));
        let [x, y] = [0, 1].map(|axis| [column[axis], row[axis], 0.0, corner[axis]]);
        let transformation = [x, y, [0.0; 4], [0.0, 0.0, 0.0, 1.0]].concat();
        // Version 1.1.0, one key: pixels are areas.
        let keys = vec![1, 1, 0, 1, 1025, 0, 1, 1];
        let georeference = Georeference {
            doubles: vec![(tag::MODEL_TRANSFORMATION, transformation)],
            shorts: vec![(tag::GEO_KEY_DIRECTORY, keys)],
            texts: Vec::new(),
        };
        Raster { size, first, column, row, georeference }
    }

    /// The same samples in the coordinate system of a file, where its fields say where pixels are.
    pub(crate) fn with_georeference(self, georeference: Georeference) -> Raster {
        const PLACING: [u16; 3] = [tag::MODEL_PIXEL_SCALE, tag::MODEL_TIEPOINT, tag::MODEL_TRANSFORMATION];
        let places = georeference.doubles.iter().any(|(number, _)| PLACING.contains(number));
        if places { Raster { georeference, ..self } } else { self }
    }

    /// Size, the place of the first sample, the steps of columns and of rows, and the georeference.
    pub(crate) fn parts(&self) -> ([usize; 2], [[f64; 2]; 3], &Georeference) {
        (self.size, [self.first, self.column, self.row], &self.georeference)
    }

    /// Whether it is the grid of a heightmap: cells that a mesh holds, of an area.
    pub(crate) fn has_cells(&self) -> bool {
        let cells = self.size.iter().try_fold(1usize, |cells, &side| cells.checked_mul(side.checked_sub(1)?));
        let is_finite = [self.first, self.column, self.row].as_flattened().iter().all(|c| c.is_finite());
        let is_known = cells.is_some_and(|cells| (1..=MAX_TRIANGLES / 2).contains(&cells)) && is_finite;
        // As a file's own: what has no area, or an endless one, has no scale either.
        is_known && self.cell_area() > 0.0 && self.cell_area().is_finite()
    }

    /// Of such parts; `None` where no heightmap has them.
    pub(crate) fn of_parts(
        size: [usize; 2],
        [first, column, row]: [[f64; 2]; 3],
        georeference: Georeference,
    ) -> Option<Raster> {
        let raster = Raster { size, first, column, row, georeference };
        raster.has_cells().then_some(raster)
    }

    /// Columns and rows.
    ///
    /// ```
    /// assert_eq!(hitscan_io::Raster::new([4, 3], [0.0; 2], [1.0, 0.0], [0.0, 1.0]).size(), [4, 3]);
    /// ```
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    /// Where a sample stands on the ground.
    ///
    /// ```
    /// let turned = hitscan_io::Raster::new([4, 3], [10.0, 20.0], [3.0, 4.0], [-4.0, 3.0]);
    /// assert_eq!(turned.place(2, 1), [12.0, 31.0]);
    /// ```
    pub fn place(&self, column: usize, row: usize) -> [f64; 2] {
        let (c, r) = (column as f64, row as f64);
        [0, 1].map(|axis| self.first[axis] + (c * self.column[axis] + r * self.row[axis]))
    }

    /// From one sample of a row to the next.
    ///
    /// ```
    /// assert_eq!(hitscan_io::Raster::new([4, 3], [0.0; 2], [30.0, 0.0], [0.0, -30.0]).column(), [30.0, 0.0]);
    /// ```
    pub fn column(&self) -> [f64; 2] {
        self.column
    }

    /// From one sample of a column to the next.
    ///
    /// ```
    /// assert_eq!(hitscan_io::Raster::new([4, 3], [0.0; 2], [30.0, 0.0], [0.0, -30.0]).row(), [0.0, -30.0]);
    /// ```
    pub fn row(&self) -> [f64; 2] {
        self.row
    }

    /// The area that a sample stands for, in square units of the world.
    ///
    /// ```
    /// assert_eq!(hitscan_io::Raster::new([4, 3], [0.0; 2], [30.0, 0.0], [0.0, -20.0]).cell_area(), 600.0);
    /// ```
    pub fn cell_area(&self) -> f64 {
        (self.column[0] * self.row[1] - self.column[1] * self.row[0]).abs()
    }

    /// A GeoTIFF of one band of bytes, a value a sample, row by row; values beyond the samples are left out and missing
    /// ones are 0. It has the georeference of the heightmap, and `no_data` as the value of samples without data.
    /// Compressed by Deflate, with strips of some rows; the same values give the same bytes.
    ///
    /// # Errors
    /// Sizes and fields that no TIFF holds.
    ///
    /// ```
    /// let raster = hitscan_io::Raster::new([2, 2], [0.0, 0.0], [1.0, 0.0], [0.0, -1.0]);
    /// let tiff = raster.geotiff(&[255, 0, 0, 255], Some(7))?;
    /// let options = hitscan_io::Options::default();
    /// let parts = hitscan_io::parse("seen.tif", tiff, &options)?;
    /// assert_eq!(parts.drafts[0].vertices[0], [0.0, 0.0, 255.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn geotiff(&self, values: &[u8], no_data: Option<u8>) -> io::Result<Vec<u8>> {
        let [columns, rows] = self.size;
        let too_large = || {
            let what = format!("{columns} x {rows} samples; a TIFF has less than 2^32 of each");
            io::Error::new(io::ErrorKind::InvalidInput, what)
        };
        let sides = (u32::try_from(columns), u32::try_from(rows));
        let ((Ok(width), Ok(height)), Some(count)) = (sides, columns.checked_mul(rows)) else {
            return Err(too_large());
        };
        let values = match values.get(..count) {
            Some(values) => Cow::Borrowed(values),
            None => {
                let mut all = Vec::new();
                all.try_reserve_exact(count).map_err(io::Error::other)?;
                all.extend_from_slice(values);
                all.resize(count, 0);
                Cow::Owned(all)
            }
        };
        let mut bytes = Cursor::new(Vec::new());
        self.encode([width, height], &values, no_data, &mut bytes).map_err(io::Error::other)?;
        Ok(bytes.into_inner())
    }

    fn encode(
        &self,
        [columns, rows]: [u32; 2],
        values: &[u8],
        no_data: Option<u8>,
        bytes: &mut Cursor<Vec<u8>>,
    ) -> TiffResult<()> {
        let mut encoder = TiffEncoder::new(bytes)?.with_compression(Compression::Deflate(Default::default()));
        let mut image = encoder.new_image::<Gray8>(columns, rows)?;
        write_fields(image.encoder(), &self.georeference)?;
        if let Some(value) = no_data {
            image.encoder().write_tag(Tag::Unknown(tag::GDAL_NODATA), value.to_string().as_str())?;
        }
        image.write_data(values)
    }
}

fn write_fields<K: TiffKind>(
    directory: &mut DirectoryEncoder<'_, &mut Cursor<Vec<u8>>, K>,
    fields: &Georeference,
) -> TiffResult<()> {
    for (number, values) in &fields.doubles {
        directory.write_tag(Tag::Unknown(*number), values.as_slice())?;
    }
    for (number, values) in &fields.shorts {
        directory.write_tag(Tag::Unknown(*number), values.as_slice())?;
    }
    for (number, text) in &fields.texts {
        directory.write_tag(Tag::Unknown(*number), text.as_str())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raster(size: [usize; 2]) -> Raster {
        Raster::new(size, [0.0, 0.0], [1.0, 0.0], [0.0, -1.0])
    }

    #[test]
    fn parts_without_an_area_are_none() {
        let none = |column, row| {
            Raster::of_parts([33, 33], [[0.0; 2], column, row], Georeference::default()).is_none()
        };
        assert!(!none([1.0, 0.0], [0.0, -1.0]));
        assert!(none([0.0; 2], [0.0; 2]) && none([1.0, 2.0], [2.0, 4.0]) && none([1e200, 0.0], [0.0, 1e200]));
    }

    #[test]
    fn sizes_that_no_tiff_holds_are_refused() {
        let error = raster([(1 << 32) + 1, 1]).geotiff(&[], None).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        assert_eq!(error.to_string(), "4294967297 x 1 samples; a TIFF has less than 2^32 of each");
        for size in [[1, 1 << 32], [usize::MAX, 2], [0, 1 << 32], [u32::MAX as usize; 2]] {
            assert!(raster(size).geotiff(&[], None).is_err(), "{size:?}");
        }
    }

    #[test]
    fn missing_values_are_0_and_others_are_left_out() {
        let all = raster([3, 2]).geotiff(&[5, 6, 7, 8, 0, 0], None).expect("a map");
        assert_eq!(raster([3, 2]).geotiff(&[5, 6, 7, 8], None).expect("a map"), all);
        assert_eq!(raster([3, 2]).geotiff(&[5, 6, 7, 8, 0, 0, 9, 9], None).expect("a map"), all);
    }
}
