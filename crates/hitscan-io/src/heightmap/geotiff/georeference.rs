//! Where the samples of a GeoTIFF stand.
//!
//! A tiepoint and a pixel scale, or a transformation, place the raster; PixelIsArea puts a sample in the middle of
//! its pixel, PixelIsPoint on its corner. Coordinates in degrees, in other units than metres, or none at all need
//! the size of a cell: the first sample is the origin then, and each is a cell from the next, in the directions that the file
//! has for its columns and rows. Where it has none, x grows with each column, and y falls with each row. Degrees are not as
//! long along x as along y, so that directions between the axes are refused there. A coordinate system without a unit in the
//! file is believed to count metres, as almost all do.

use super::directory::{Directory, Field};
use super::tag;
use crate::ReadError;
use crate::heightmap::Placement;
use crate::model::Up;
use crate::raster::Georeference;

const CELL: &str = "--cell METRES is the distance between samples";
const WARP: &str = "gdalwarp -t_srs EPSG:NUMBER";

/// What the samples of an image stand on; `cell` is what the command line says.
pub(super) fn placement(directory: &Directory<'_>, cell: Option<f64>) -> Result<Placement, ReadError> {
    let path = directory.path();
    let keys = GeoKeys::of(directory)?;
    if let Some(unit) = keys.vertical_unit() {
        let found = format!("the heights are in {unit}");
        return Err(ReadError::invalid(path, found, "heights need to be metres, as gdal_calc makes them"));
    }
    let georeferenced = from_raster(directory)?;
    let unit = keys.horizontal_unit(directory)?;
    match (georeferenced, unit, cell) {
        (Some(_), None, Some(_)) => {
            let found = "the size of a cell is given, and the file has its own";
            Err(ReadError::invalid(path, found, "leave out --cell"))
        }
        (Some(place), Some(unit), Some(cell)) => {
            let directions = directions(place);
            // Exactly 1 but for less than a hundred millionth, which is rounding.
            let is_along_axis = |direction: &[f64; 2]| direction.iter().any(|c| c.abs() == 1.0);
            if !keys.is_plane() && !directions.iter().all(is_along_axis) {
                let found = format!("rows are turned against the axes, and the coordinates are {unit}");
                let expected = format!("{WARP} makes them metres, --cell METRES tells no directions");
                return Err(ReadError::invalid(path, found, expected));
            }
            let [column, row] = directions.map(|direction| direction.map(|c| c * cell));
            Ok(Placement { first: [0.0; 2], column, row, up: Up::Z })
        }
        (None, _, Some(cell)) => {
            Ok(Placement { first: [0.0; 2], column: [cell, 0.0], row: [0.0, -cell], up: Up::Z })
        }
        (Some(place), None, None) => Ok(placed(place, keys.pixel_is_point())),
        (_, Some(unit), None) => {
            let found = format!("the coordinates are {unit}");
            Err(ReadError::invalid(path, found, format!("{WARP} makes them metres, or {CELL}")))
        }
        (None, None, None) => Err(ReadError::invalid(path, "no georeference", CELL)),
    }
}

/// The fields that place the pixels and name the coordinate system, as the file has them.
pub(super) fn fields(directory: &Directory<'_>) -> Result<Georeference, ReadError> {
    let mut fields = Georeference::default();
    let doubles =
        [tag::MODEL_PIXEL_SCALE, tag::MODEL_TIEPOINT, tag::MODEL_TRANSFORMATION, tag::GEO_DOUBLE_PARAMS];
    for number in doubles {
        if let Some(field) = directory.field(number)? {
            fields.doubles.push((number, (0..field.len()).filter_map(|at| field.double(at)).collect()));
        }
    }
    if let Some(field) = directory.field(tag::GEO_KEY_DIRECTORY)? {
        let keys = (0..field.len()).filter_map(|at| field.integer(at).map(|key| key as u16)).collect();
        fields.shorts.push((tag::GEO_KEY_DIRECTORY, keys));
    }
    if let Some(text) = directory.text(tag::GEO_ASCII_PARAMS)? {
        // Text of TIFF is ASCII. The keys count its bytes, so that each other byte, of any encoding, becomes one.
        let ascii = |&byte: &u8| if byte.is_ascii() { char::from(byte) } else { '?' };
        fields.texts.push((tag::GEO_ASCII_PARAMS, text.iter().map(ascii).collect()));
    }
    Ok(fields)
}

/// From raster to ground: the rows for x and y of `[a, b, c]`, `a * i + b * j + c`.
type Affine = [[f64; 3]; 2];

/// The whole numbers of the raster are the corners of pixels, or the samples where pixels are points.
fn placed([x, y]: Affine, pixel_is_point: bool) -> Placement {
    let middle = if pixel_is_point { 0.0 } else { 0.5 };
    let first = [x, y].map(|[a, b, c]| c + middle * (a + b));
    Placement { first, column: [x[0], y[0]], row: [x[1], y[1]], up: Up::Z }
}

/// Where the next sample of a row and the next of a column are, as vectors of length 1.
fn directions([x, y]: Affine) -> [[f64; 2]; 2] {
    [0, 1].map(|step| {
        let length = libm::hypot(x[step], y[step]);
        [x[step] / length, y[step] / length]
    })
}

/// What the fields say; `None` where there are none.
fn from_raster(directory: &Directory<'_>) -> Result<Option<Affine>, ReadError> {
    let path = directory.path();
    let (affine, name) = if let Some([across, down, _]) = directory.numbers(tag::MODEL_PIXEL_SCALE)? {
        let Some([i, j, _, x, y, _]) = directory.numbers(tag::MODEL_TIEPOINT)? else {
            let found = "a pixel scale without a tiepoint";
            return Err(ReadError::invalid(path, found, "a georeference has both"));
        };
        ([[across, 0.0, x - i * across], [0.0, -down, y + j * down]], "the pixel scale")
    } else if let Some(m) = directory.numbers::<16>(tag::MODEL_TRANSFORMATION)? {
        ([[m[0], m[1], m[3]], [m[4], m[5], m[7]]], "the transformation")
    } else if directory.field(tag::MODEL_TIEPOINT)?.is_some() {
        let feature = "a georeference of ground control points".to_owned();
        let remedy = format!("{WARP} writes a pixel scale");
        return Err(ReadError::Unsupported { path: path.into(), feature, remedy });
    } else {
        return Ok(None);
    };
    let [[a, b, _], [c, d, _]] = affine;
    let determinant = a * d - b * c;
    if determinant == 0.0 || !determinant.is_finite() {
        let found = format!("{name} puts all samples on a line or a point");
        return Err(ReadError::invalid(path, found, "a map needs two directions"));
    }
    Ok(Some(affine))
}

/// The keys of the coordinate system: rows of key, place, count, value after a first row.
struct GeoKeys<'a>(Option<Field<'a>>);

const MODEL_TYPE: u64 = 1024;
const RASTER_TYPE: u64 = 1025;
const PROJECTED_LINEAR_UNIT: u64 = 3076;
const PROJECTED_LINEAR_UNIT_SIZE: u64 = 3077;
const VERTICAL_UNIT: u64 = 4099;

const GEOGRAPHIC: u64 = 2;
const GEOCENTRIC: u64 = 3;

const UNDEFINED: u64 = 0;
const METRE: u64 = 9001;
const USER_DEFINED: u64 = 32767;

impl<'a> GeoKeys<'a> {
    fn of(directory: &Directory<'a>) -> Result<GeoKeys<'a>, ReadError> {
        Ok(GeoKeys(directory.field(tag::GEO_KEY_DIRECTORY)?))
    }

    /// A key's number; where it is kept elsewhere, its row there.
    fn value(&self, key: u64) -> Option<u64> {
        let field = self.0?;
        let row = (4..field.len()).step_by(4).find(|&at| field.integer(at) == Some(key))?;
        field.integer(row + 3)
    }

    fn pixel_is_point(&self) -> bool {
        const POINT: u64 = 2;
        self.value(RASTER_TYPE) == Some(POINT)
    }

    /// Whether x and y are as long as each other.
    fn is_plane(&self) -> bool {
        !matches!(self.value(MODEL_TYPE), Some(GEOGRAPHIC | GEOCENTRIC))
    }

    /// Of x and y, unless it is the metre.
    fn horizontal_unit(&self, directory: &Directory<'_>) -> Result<Option<String>, ReadError> {
        match self.value(MODEL_TYPE) {
            Some(GEOGRAPHIC) => return Ok(Some("degrees".to_owned())),
            Some(GEOCENTRIC) => return Ok(Some("counted from the middle of the earth".to_owned())),
            _ => {}
        }
        match self.value(PROJECTED_LINEAR_UNIT) {
            None | Some(UNDEFINED | METRE) => Ok(None),
            Some(USER_DEFINED) => {
                let doubles = directory.field(tag::GEO_DOUBLE_PARAMS)?;
                let row = self.value(PROJECTED_LINEAR_UNIT_SIZE);
                let metres = doubles.zip(row).and_then(|(doubles, row)| doubles.double(row as usize));
                Ok(match metres {
                    None | Some(1.0) => None,
                    Some(metres) => Some(format!("in a unit of {metres} m")),
                })
            }
            Some(unit) => Ok(Some(format!("in {}", unit_name(unit)))),
        }
    }

    /// Of heights, unless it is the metre.
    fn vertical_unit(&self) -> Option<String> {
        let unit = self.value(VERTICAL_UNIT)?;
        (![UNDEFINED, METRE, USER_DEFINED].contains(&unit)).then(|| unit_name(unit))
    }
}

/// By its number in the EPSG's list.
fn unit_name(unit: u64) -> String {
    match unit {
        9002 => "feet".to_owned(),
        9003 => "US survey feet".to_owned(),
        9036 => "kilometres".to_owned(),
        _ => format!("the unit EPSG:{unit}"),
    }
}
