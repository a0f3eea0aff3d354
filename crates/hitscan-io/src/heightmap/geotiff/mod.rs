//! TIFF and GeoTIFF: one band of heights, placed by the file's georeference.
//!
//! Samples of any number type are heights as they are; `--relief` reads unsigned ones as shares of their largest
//! value instead, as a PNG's. The first image counts; overviews after it are not looked at. Heights and coordinates
//! are metres: files that say something else are refused, files that say nothing are believed.

mod directory;
mod georeference;
mod holes;
mod samples;

use super::{check_options, check_size, parts};
use crate::model::Parts;
use crate::reading::Reading;
use crate::{Options, ReadError};
use directory::Directory;

/// Numbers of fields.
mod tag {
    pub use crate::raster::tag::*;

    pub const NEW_SUBFILE_TYPE: u16 = 254;
    pub const IMAGE_WIDTH: u16 = 256;
    pub const IMAGE_LENGTH: u16 = 257;
    pub const BITS_PER_SAMPLE: u16 = 258;
    pub const COMPRESSION: u16 = 259;
    pub const PHOTOMETRIC_INTERPRETATION: u16 = 262;
    pub const STRIP_OFFSETS: u16 = 273;
    pub const SAMPLES_PER_PIXEL: u16 = 277;
    pub const STRIP_BYTE_COUNTS: u16 = 279;
    pub const TILE_WIDTH: u16 = 322;
    pub const TILE_LENGTH: u16 = 323;
    pub const TILE_OFFSETS: u16 = 324;
    pub const TILE_BYTE_COUNTS: u16 = 325;
    pub const SAMPLE_FORMAT: u16 = 339;
    pub const GDAL_METADATA: u16 = 42112;
}

pub(crate) fn recognises(bytes: &[u8]) -> bool {
    [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"].iter().any(|start| bytes.starts_with(*start))
}

pub(crate) fn read(reading: &Reading<'_>, bytes: Vec<u8>, options: &Options<'_>) -> Result<Parts, ReadError> {
    let path = reading.path;
    check_options(path, options)?;
    let directory = Directory::first(path, &bytes)?;
    let size = |tag| {
        let number = directory.integer(tag)?;
        number.ok_or_else(|| ReadError::invalid(path, "no width or height", "an image has both"))
    };
    let (columns, rows) = (size(tag::IMAGE_WIDTH)?, size(tag::IMAGE_LENGTH)?);
    check_size(reading, columns, rows, "gdal_translate -outsize or -srcwin makes it smaller")?;
    let placement = georeference::placement(&directory, options.cell)?;
    placement.check(path, columns, rows)?;
    let georeference = georeference::fields(&directory)?;
    let grid = samples::decode(&directory, [columns, rows], &bytes, options.relief)?;
    drop(bytes);
    let parts = parts(reading, &grid, &placement)?;
    Ok(Parts { raster: parts.raster.map(|raster| raster.with_georeference(georeference)), ..parts })
}
