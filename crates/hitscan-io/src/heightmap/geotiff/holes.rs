//! Where a GeoTIFF has no data, and what else its fields say about the meaning of samples.
//!
//! Holes are samples of the value in GDAL_NODATA, those of pieces that a sparse file with such a value leaves out, and all that
//! are not finite. A band with a scale, an offset, a unit other than metres or a mask of its own would be read wrongly, and is
//! refused.

use super::directory::{Directory, EXPECTED};
use super::tag;
use crate::error::quoted;
use crate::{ReadError, number};

/// The value of samples without data; `None` where the file names none.
pub(super) fn no_data(directory: &Directory<'_>) -> Result<Option<f64>, ReadError> {
    let Some(text) = directory.text(tag::GDAL_NODATA)? else { return Ok(None) };
    match number::parse(text.trim_ascii()) {
        Some(number) => Ok(Some(number)),
        None => {
            let found = format!("the value for no data is {}", quoted(text));
            Err(ReadError::invalid(directory.path(), found, "it is a number or nan"))
        }
    }
}

/// Refuses a band whose samples are not heights in metres.
pub(super) fn check_meaning(directory: &Directory<'_>) -> Result<(), ReadError> {
    let path = directory.path();
    let metadata = directory.text(tag::GDAL_METADATA)?.unwrap_or_default();
    let metadata = String::from_utf8_lossy(metadata);
    for (role, plain) in [("scale", 1.0), ("offset", 0.0)] {
        if item(&metadata, role).is_some_and(|text| text.parse() != Ok(plain)) {
            let feature = format!("a band's {role}");
            let remedy = "gdal_translate -unscale -ot Float32 applies it".to_owned();
            return Err(ReadError::Unsupported { path: path.into(), feature, remedy });
        }
    }
    let unit = item(&metadata, "unittype").unwrap_or_default();
    if !["", "m", "metre", "metres", "meter", "meters"].contains(&unit.to_ascii_lowercase().as_str()) {
        let found = format!("the heights are in {}", quoted(unit.as_bytes()));
        return Err(ReadError::invalid(path, found, "heights need to be metres, as gdal_calc makes them"));
    }
    Ok(())
}

/// The text of an item of GDAL's metadata: `<Item name="SCALE" sample="0" role="scale">0.1</Item>`.
fn item<'a>(metadata: &'a str, role: &str) -> Option<&'a str> {
    let (_, rest) = metadata.split_once(&format!("role=\"{role}\""))?;
    let (_, rest) = rest.split_once('>')?;
    rest.split_once('<').map(|(text, _)| text.trim())
}

/// Refuses an image with a mask behind it.
pub(super) fn check_masks(directory: &Directory<'_>) -> Result<(), ReadError> {
    /// Files have an overview for each halving, each with a mask at most.
    const MOST_IMAGES: usize = 256;
    const MASK: u64 = 4;
    let mut seen = vec![directory.offset()];
    let mut next = directory.next()?;
    for _ in 0..MOST_IMAGES {
        let Some(image) = next else { return Ok(()) };
        if seen.contains(&image.offset()) {
            let found = format!("the directory at byte {} is there twice", image.offset());
            return Err(ReadError::invalid(image.path(), found, EXPECTED));
        }
        seen.push(image.offset());
        if image.integer(tag::NEW_SUBFILE_TYPE)?.unwrap_or(0) & MASK != 0 {
            let feature = "a mask".to_owned();
            let remedy = "gdalwarp -dstnodata -9999 marks the samples themselves".to_owned();
            return Err(ReadError::Unsupported { path: image.path().into(), feature, remedy });
        }
        next = image.next()?;
    }
    let found = format!("more than {MOST_IMAGES} images");
    Err(ReadError::invalid(directory.path(), found, "a heightmap is one, with its overviews"))
}
