//! The samples of a GeoTIFF, strip by strip or tile by tile, as heights.
//!
//! Read: integers of 8 to 64 bits, floats of 16 to 64; uncompressed, LZW, Deflate and PackBits, with their
//! predictors. A strip or tile that a sparse file leaves out has no data where the file names a value for that, and
//! samples of 0 where it does not, as GDAL has it.

use std::io::Cursor;
use std::path::Path;

use hitscan::MAX_COORDINATE;
use tiff::TiffError;
use tiff::decoder::{ChunkType, Decoder, DecodingResult, Limits};

use super::directory::{Directory, EXPECTED, Field};
use super::{holes, tag};
use crate::ReadError;
use crate::heightmap::{Grid, relieved};

/// `size` is the number of columns and of rows, and has been checked.
pub(super) fn decode(
    directory: &Directory<'_>,
    size: [u64; 2],
    bytes: &[u8],
    relief: Option<[f64; 2]>,
) -> Result<Grid, ReadError> {
    let path = directory.path();
    let number = |tag, default| Ok(directory.integer(tag)?.unwrap_or(default));
    check_band(path, number(tag::SAMPLES_PER_PIXEL, 1)?, number(tag::PHOTOMETRIC_INTERPRETATION, 1)?)?;
    check_compression(path, number(tag::COMPRESSION, UNCOMPRESSED)?)?;
    let format = SampleFormat::of(path, number(tag::SAMPLE_FORMAT, 1)?, number(tag::BITS_PER_SAMPLE, 1)?)?;
    check_tile(path, size, number(tag::TILE_WIDTH, 1)?, number(tag::TILE_LENGTH, 1)?)?;
    holes::check_meaning(directory)?;
    holes::check_masks(directory)?;
    let meaning = Meaning::new(path, format, holes::no_data(directory)?, relief)?;

    let whole = |error| fault(path, "the directory", error);
    let mut limits = Limits::default();
    limits.intermediate_buffer_size = bytes.len();
    let mut decoder = Decoder::new(Cursor::new(bytes)).map_err(whole)?.with_limits(limits);
    let [columns, rows] = size.map(|count| count as usize);
    let chunks = Chunks::of(directory, &decoder)?;
    // Zeroed memory costs nothing until it is written, so a claim alone takes none.
    let mut heights = vec![0.0; columns * rows];
    let across = columns.div_ceil(chunks.width);
    for chunk in 0..across * rows.div_ceil(chunks.length) {
        let (left, top) = (chunk % across * chunks.width, chunk / across * chunks.length);
        let (width, length) = (chunks.width.min(columns - left), chunks.length.min(rows - top));
        let span = |row: usize| (top + row) * columns + left..(top + row) * columns + left + width;
        if chunks.is_absent(chunk) {
            (0..length).for_each(|row| heights[span(row)].fill(meaning.height_of_absent()));
            continue;
        }
        // Rows of a tile stand a whole tile apart, also where the image ends within it.
        chunks.check_length(path, chunk, ((length - 1) * chunks.width + width) * format.bytes())?;
        let place = || format!("{} {chunk}", chunks.name);
        let samples = decoder.read_chunk(chunk as u32).map_err(|error| fault(path, &place(), error))?;
        let samples = as_numbers(samples);
        if samples.len() != width * length {
            return Err(ReadError::invalid(path, format!("{} has another size", place()), EXPECTED));
        }
        for (row, samples) in samples.chunks_exact(width).enumerate() {
            for (height, &sample) in heights[span(row)].iter_mut().zip(samples) {
                *height = meaning.height(sample);
            }
        }
    }
    if let Some(at) = heights.iter().position(|height| height.abs() > MAX_COORDINATE) {
        let found =
            format!("the height at column {}, row {} is {:e}", at % columns, at / columns, heights[at]);
        let expected = "heights reach 2^100 at most, gdal_edit -a_nodata tells the value of holes";
        return Err(ReadError::invalid(path, found, expected));
    }
    Ok(Grid { columns, rows, heights })
}

const UNCOMPRESSED: u64 = 1;

fn unsupported(path: &Path, feature: String, remedy: &str) -> ReadError {
    ReadError::Unsupported { path: path.into(), feature, remedy: remedy.to_owned() }
}

/// One band whose numbers mean what they are.
fn check_band(path: &Path, bands: u64, photometric: u64) -> Result<(), ReadError> {
    if bands != 1 {
        let found = format!("{bands} bands");
        let expected = "a heightmap has one, gdal_translate -b 1 keeps the first";
        return Err(ReadError::invalid(path, found, expected));
    }
    let name = match photometric {
        1 => return Ok(()),
        0 => "grey from white to black".to_owned(),
        3 => "a palette".to_owned(),
        4 => "a mask".to_owned(),
        other => format!("the photometric interpretation {other}"),
    };
    Err(unsupported(path, name, "gdal_translate -co PHOTOMETRIC=MINISBLACK writes plain numbers"))
}

fn check_compression(path: &Path, compression: u64) -> Result<(), ReadError> {
    let name = match compression {
        UNCOMPRESSED | 5 | 8 | 32773 | 32946 => return Ok(()),
        2..=4 => "fax compression",
        6 | 7 => "JPEG compression",
        34712 => "JPEG 2000 compression",
        34887 => "LERC compression",
        34925 => "LZMA compression",
        50000 => "ZSTD compression",
        50001 => "WebP compression",
        50002 => "JPEG XL compression",
        other => &format!("compression {other}"),
    };
    Err(unsupported(path, name.to_owned(), "gdal_translate -co COMPRESS=DEFLATE writes another"))
}

/// A tile's padding beside the image is decoded too, and many tiles may be the same few bytes: it may not be out of all
/// proportion.
fn check_tile(path: &Path, [columns, rows]: [u64; 2], width: u64, length: u64) -> Result<(), ReadError> {
    const LONGEST: u64 = 1 << 16;
    const MOST: u64 = 1 << 30;
    if width == 0 || length == 0 || width > LONGEST || length > LONGEST {
        let found = format!("tiles of {width} x {length} samples");
        return Err(ReadError::invalid(path, found, "a tile has 1 to 65536 columns and rows"));
    }
    // Neither product overflows: there are less than 2^26 columns and rows.
    let padded = columns.next_multiple_of(width) * rows;
    if padded > MOST {
        let found = format!("tiles of {width} x {length} pad {columns} x {rows} samples to {padded}");
        return Err(ReadError::invalid(path, found, format!("at most {MOST} are decoded")));
    }
    Ok(())
}

/// How a sample is written.
#[derive(Clone, Copy, PartialEq)]
enum SampleFormat {
    Unsigned { bits: u64 },
    Signed { bits: u64 },
    Float { bits: u64 },
}

impl SampleFormat {
    fn of(path: &Path, format: u64, bits: u64) -> Result<SampleFormat, ReadError> {
        const UNSIGNED: u64 = 1;
        const SIGNED: u64 = 2;
        const FLOAT: u64 = 3;
        match (format, bits) {
            (UNSIGNED, 8 | 16 | 32 | 64) => Ok(SampleFormat::Unsigned { bits }),
            (SIGNED, 8 | 16 | 32 | 64) => Ok(SampleFormat::Signed { bits }),
            (FLOAT, 16 | 32 | 64) => Ok(SampleFormat::Float { bits }),
            _ => {
                let kind = match format {
                    UNSIGNED => "unsigned integers".to_owned(),
                    SIGNED => "integers".to_owned(),
                    FLOAT => "floating point numbers".to_owned(),
                    other => format!("samples of format {other}"),
                };
                let feature = format!("an image of {bits}-bit {kind}");
                Err(unsupported(path, feature, "gdal_translate -ot Float32 writes another"))
            }
        }
    }

    fn bytes(self) -> usize {
        let (SampleFormat::Unsigned { bits } | SampleFormat::Signed { bits } | SampleFormat::Float { bits }) =
            self;
        bits as usize / 8
    }
}

/// From samples to heights.
struct Meaning {
    no_data: Option<f64>,
    /// The relief, and the sample that stands for its upper end.
    relief: Option<([f64; 2], f64)>,
}

impl Meaning {
    fn new(
        path: &Path,
        format: SampleFormat,
        no_data: Option<f64>,
        relief: Option<[f64; 2]>,
    ) -> Result<Meaning, ReadError> {
        // The value is written as text with the digits of a double, and means the sample next to it.
        let no_data = no_data.map(|value| match format {
            // Not by the processor's instruction, which some have and which rounds twice.
            SampleFormat::Float { bits: 16 } => half::f16::from_f64_const(value).to_f64_const(),
            SampleFormat::Float { bits: 32 } => f64::from(value as f32),
            _ => value,
        });
        let relief = match (relief, format) {
            (None, _) => None,
            (Some(relief), SampleFormat::Unsigned { bits }) => Some((relief, libm::exp2(bits as f64) - 1.0)),
            (Some(_), _) => {
                let found = "a relief is given, and the samples are heights themselves";
                return Err(ReadError::invalid(path, found, "leave out --relief"));
            }
        };
        Ok(Meaning { no_data, relief })
    }

    fn height(&self, sample: f64) -> f64 {
        if !sample.is_finite() || self.no_data == Some(sample) {
            return f64::NAN;
        }
        match self.relief {
            Some((relief, largest)) => relieved(relief, sample / largest),
            None => sample,
        }
    }

    /// Of each sample in a piece that a sparse file leaves out.
    fn height_of_absent(&self) -> f64 {
        if self.no_data.is_some() { f64::NAN } else { self.height(0.0) }
    }
}

/// The pieces that the image is stored in, left to right and top to bottom.
struct Chunks<'a> {
    name: &'static str,
    width: usize,
    length: usize,
    offsets: Option<Field<'a>>,
    byte_counts: Option<Field<'a>>,
    uncompressed: bool,
}

impl<'a> Chunks<'a> {
    fn of(directory: &Directory<'a>, decoder: &Decoder<Cursor<&[u8]>>) -> Result<Chunks<'a>, ReadError> {
        let (width, length) = decoder.chunk_dimensions();
        let (name, offsets, byte_counts) = match decoder.get_chunk_type() {
            ChunkType::Strip => ("strip", tag::STRIP_OFFSETS, tag::STRIP_BYTE_COUNTS),
            ChunkType::Tile => ("tile", tag::TILE_OFFSETS, tag::TILE_BYTE_COUNTS),
        };
        Ok(Chunks {
            name,
            width: width as usize,
            length: length as usize,
            offsets: directory.field(offsets)?,
            byte_counts: directory.field(byte_counts)?,
            uncompressed: directory.integer(tag::COMPRESSION)?.is_none_or(|method| method == UNCOMPRESSED),
        })
    }

    fn byte_count(&self, chunk: usize) -> u64 {
        self.byte_counts.and_then(|counts| counts.integer(chunk)).unwrap_or(0)
    }

    /// Whether a sparse file has no such piece.
    fn is_absent(&self, chunk: usize) -> bool {
        let offset = self.offsets.and_then(|offsets| offsets.integer(chunk));
        offset == Some(0) && self.byte_count(chunk) == 0
    }

    /// Refuses an uncompressed piece that is too short; the decoder would go on into the next.
    fn check_length(&self, path: &Path, chunk: usize, needed: usize) -> Result<(), ReadError> {
        let has = self.byte_count(chunk);
        if self.uncompressed && has < needed as u64 {
            let found = format!("{} {chunk} has {has} of {needed} bytes", self.name);
            return Err(ReadError::invalid(path, found, EXPECTED));
        }
        Ok(())
    }
}

fn as_numbers(samples: DecodingResult) -> Vec<f64> {
    match samples {
        DecodingResult::U8(samples) => samples.into_iter().map(f64::from).collect(),
        DecodingResult::U16(samples) => samples.into_iter().map(f64::from).collect(),
        DecodingResult::U32(samples) => samples.into_iter().map(f64::from).collect(),
        DecodingResult::U64(samples) => samples.into_iter().map(|sample| sample as f64).collect(),
        DecodingResult::I8(samples) => samples.into_iter().map(f64::from).collect(),
        DecodingResult::I16(samples) => samples.into_iter().map(f64::from).collect(),
        DecodingResult::I32(samples) => samples.into_iter().map(f64::from).collect(),
        DecodingResult::I64(samples) => samples.into_iter().map(|sample| sample as f64).collect(),
        DecodingResult::F16(samples) => samples.into_iter().map(f64::from).collect(),
        DecodingResult::F32(samples) => samples.into_iter().map(f64::from).collect(),
        DecodingResult::F64(samples) => samples,
    }
}

fn fault(path: &Path, place: &str, error: TiffError) -> ReadError {
    let what = match error {
        TiffError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "ends early".to_owned()
        }
        TiffError::FormatError(error) => format!("is no TIFF's: {error}"),
        TiffError::UnsupportedError(error) => format!("is not read: {error}"),
        error => format!("is not read: {error}"),
    };
    ReadError::invalid(path, format!("{place} {what}"), EXPECTED)
}
