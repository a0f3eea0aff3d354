//! The alpha of an image, as far as a mask needs it.

use std::io::Cursor;
use std::sync::Arc;

use png::{Decoder, DecodingError, Limits, Transformations};

use crate::heightmap::png_fault;
use crate::reading::Reading;
use crate::{ReadError, limits};

/// Row by row from the top.
#[derive(Clone)]
pub(super) struct Alpha {
    pub size: [u32; 2],
    pub values: Arc<[u8]>,
}

/// Whether a file that begins so is a PNG: no other has an alpha that is read.
pub(super) fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n")
}

/// The alpha of an image, in 8 bits; `None` where it is opaque all over, as every JPEG is. `texels` counts those of all images.
pub(super) fn decode(
    reading: &Reading<'_>,
    name: &str,
    bytes: &[u8],
    texels: &mut u64,
) -> Result<Option<Alpha>, ReadError> {
    let path = reading.path;
    if bytes.starts_with(b"\xff\xd8\xff") {
        return Ok(None);
    }
    if !is_png(bytes) {
        let remedy = "a mask's image is PNG or JPEG".to_owned();
        return Err(ReadError::Unsupported { path: path.into(), feature: name.to_owned(), remedy });
    }
    let fault = |error: DecodingError| {
        ReadError::invalid(path, format!("{name}: {}", png_fault(error)), "the PNG is damaged, save it again")
    };
    // For the rows of any image that passes the check of its size, and for what an encoder adds.
    const MEMORY: usize = 1 << 28;
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MEMORY });
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let (width, height) = decoder.read_header_info().map_err(fault)?.size();
    *texels = texels.saturating_add(u64::from(width) * u64::from(height));
    limits::check_texels(path, name, u64::from(width) * u64::from(height), *texels)?;
    // Four channels while one is decoded, and the alpha of all.
    reading.check_memory("the images of masks take", texels.saturating_mul(5))?;

    let mut reader = decoder.read_info().map_err(fault)?;
    let channels = reader.output_color_type().0.samples();
    if channels % 2 == 1 {
        return Ok(None);
    }
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or(0)];
    reader.next_frame(&mut pixels).map_err(fault)?;
    let values: Arc<[u8]> = pixels.chunks_exact(channels).map(|pixel| pixel[channels - 1]).collect();
    let is_opaque = values.iter().all(|&alpha| alpha == u8::MAX);
    Ok((!is_opaque).then_some(Alpha { size: [width, height], values }))
}
