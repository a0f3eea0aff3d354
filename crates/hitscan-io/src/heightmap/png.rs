//! PNG: 0 is the lower end of the relief, the largest value of the bit depth the upper one.
//!
//! All bit depths, interlaced or not, grey with or without alpha; palettes and colours as long as every pixel is
//! grey. A pixel of alpha 0 is a hole, any other alpha is not looked at. A relief whose first height is the higher
//! one turns the map upside down. Gamma and colour profiles concern screens and change no height.

use std::io::Cursor;
use std::path::Path;

use png::{BitDepth, Decoder, DecodingError, Limits, Transformations};

use super::{Grid, Placement, check_options, check_size, parts, relieved};
use crate::model::{Parts, Up};
use crate::reading::Reading;
use crate::{Options, ReadError};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

pub(crate) fn recognises(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE)
}

pub(crate) fn read(reading: &Reading<'_>, bytes: Vec<u8>, options: &Options<'_>) -> Result<Parts, ReadError> {
    let path = reading.path;
    if !recognises(&bytes) {
        return Err(ReadError::invalid(path, "not a PNG", "a PNG begins with the bytes 89 50 4E 47"));
    }
    let (cell, relief) = measures(path, options)?;
    let placement = Placement { first: [0.0; 2], column: [cell, 0.0], row: [0.0, cell], up: Up::Y };
    let grid = decode(reading, &bytes, relief, &placement)?;
    drop(bytes);
    parts(reading, &grid, &placement)
}

fn measures(path: &Path, options: &Options<'_>) -> Result<(f64, [f64; 2]), ReadError> {
    check_options(path, options)?;
    const CELL: &str = "--cell METRES is the distance between pixels";
    const RELIEF: &str = "--relief LO,HI are the heights of black and of white";
    match (options.cell, options.relief) {
        (Some(cell), Some(relief)) => Ok((cell, relief)),
        (None, Some(_)) => Err(ReadError::invalid(path, "the size of a cell is not given", CELL)),
        (Some(_), None) => Err(ReadError::invalid(path, "the relief is not given", RELIEF)),
        (None, None) => {
            let found = "a PNG has no measures and none are given";
            Err(ReadError::invalid(path, found, format!("{CELL}, {RELIEF}")))
        }
    }
}

fn decode(
    reading: &Reading<'_>,
    bytes: &[u8],
    relief: [f64; 2],
    placement: &Placement,
) -> Result<Grid, ReadError> {
    let path = reading.path;
    // For a row of any image that passes the check of its size, and for what an encoder adds.
    const MEMORY: usize = 1 << 28;
    let fault = |error| fault(path, error);
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MEMORY });
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let (columns, rows) = decoder.read_header_info().map_err(fault)?.size();
    check_size(reading, columns.into(), rows.into(), "make the picture smaller or cut it")?;
    placement.check(path, columns.into(), rows.into())?;

    let mut reader = decoder.read_info().map_err(fault)?;
    let too_large = || ReadError::invalid(path, "the picture is too large", "it needs to fit in memory");
    let mut pixels = vec![0; reader.output_buffer_size().ok_or_else(too_large)?];
    reader.next_frame(&mut pixels).map_err(fault)?;
    let (colour, depth) = reader.output_color_type();
    let (columns, rows) = (columns as usize, rows as usize);
    let (channels, bytes_a_value) = (colour.samples(), if depth == BitDepth::Sixteen { 2 } else { 1 });
    let largest = if bytes_a_value == 2 { 65535.0 } else { 255.0 };

    let mut heights = Vec::with_capacity(columns * rows);
    for (number, pixel) in pixels.chunks_exact(channels * bytes_a_value).enumerate() {
        let value = |channel: usize| match bytes_a_value {
            2 => u16::from_be_bytes([pixel[2 * channel], pixel[2 * channel + 1]]),
            _ => pixel[channel].into(),
        };
        let (colours, has_alpha) = (if channels < 3 { 1 } else { 3 }, channels % 2 == 0);
        let grey = value(0);
        if colours == 3 && (value(1), value(2)) != (grey, grey) {
            let place = format!("{},{}", number % columns, number / columns);
            let found = format!("pixel {place} is the colour {grey},{},{}", value(1), value(2));
            return Err(ReadError::invalid(path, found, "a heightmap has shades of grey alone"));
        }
        let is_hole = has_alpha && value(colours) == 0;
        heights.push(if is_hole { f64::NAN } else { relieved(relief, f64::from(grey) / largest) });
    }
    Ok(Grid { columns, rows, heights })
}

fn fault(path: &Path, error: DecodingError) -> ReadError {
    ReadError::invalid(path, png_fault(error), "the PNG is damaged, save it again")
}

/// The decoder's words, with a chunk by its name where it has all that it knows of one.
fn named_chunks(text: &str) -> String {
    let mut rest = text;
    let mut words = String::new();
    while let Some((before, known)) = rest.split_once("ChunkType { type: ") {
        let (name, behind) = known.split_once(',').unwrap_or((known, ""));
        words.push_str(before);
        words.push_str(name);
        rest = behind.split_once('}').map_or("", |(_, behind)| behind);
    }
    words + rest
}

/// What is wrong with a PNG, in words.
pub(crate) fn png_fault(error: DecodingError) -> String {
    match error {
        DecodingError::IoError(_) => "the file ends before its last pixel".to_owned(),
        error => match error.to_string() {
            // What follows is the decoder's own notation.
            text if text.starts_with("CRC error") => "a checksum is wrong".to_owned(),
            text => named_chunks(&text).trim_end_matches('.').to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_told_by_their_names() {
        let all = "Unrecognized critical chunk: ChunkType { type: ABCD, critical: true, safecopy: false }";
        assert_eq!(named_chunks(all), "Unrecognized critical chunk: ABCD");
        assert_eq!(named_chunks("ChunkType { type: IDAT, critical: true } is missing."), "IDAT is missing.");
        assert_eq!(named_chunks("no chunk at all"), "no chunk at all");
    }
}
