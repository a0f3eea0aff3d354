//! Pixels, and the PNG file that holds them.

use hitscan::glam::Vec3;

use crate::failure::Failure;
use crate::output::Output;

/// What stands for pixels and cells where nothing is.
pub const NOTHING: [u8; 3] = [24, 26, 32];

/// An sRGB picture with 8 bits a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Width and height.
    pub size: [u32; 2],
    /// Row by row from the top.
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Writes the bytes of a PNG file.
    pub fn write(&self, output: &mut Output) -> Result<(), Failure> {
        output.write(
            &self.png().map_err(|error| Failure::new("PNG", format_args!("{error}; expected a picture")))?,
        )
    }

    fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.size[0], self.size[1]);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::Balanced);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Lays a colour over a pixel; positions outside are left out.
    pub fn blend(&mut self, x: i64, y: i64, colour: [u8; 3], opacity: f64) {
        let [width, height] = self.size.map(i64::from);
        if !(0..width).contains(&x) || !(0..height).contains(&y) {
            return;
        }
        let pixel = &mut self.pixels[(y * width + x) as usize];
        for (old, new) in pixel.iter_mut().zip(colour) {
            let (from, to) = (f64::from(*old), f64::from(new));
            *old = (from + (to - from) * opacity.clamp(0.0, 1.0)).round() as u8;
        }
    }
}

/// sRGB bytes of linear light, rounded after `offset` steps are added.
pub fn encode(light: Vec3, offset: f32) -> [u8; 3] {
    light.to_array().map(|c| {
        let c = c.clamp(0.0, 1.0);
        let curve = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
        (curve * 255.0 + 0.5 + offset) as u8
    })
}

/// Linear light of sRGB bytes.
pub fn decode(colour: [u8; 3]) -> Vec3 {
    let linear = |byte: u8| {
        let c = f32::from(byte) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    Vec3::from(colour.map(linear))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_survive_both_ways() {
        for byte in 0..=255 {
            assert_eq!(encode(decode([byte; 3]), 0.0), [byte; 3]);
        }
    }

    #[test]
    fn a_png_reads_back() {
        let picture = Picture {
            size: [3, 2],
            pixels: vec![[1, 2, 3], [4, 5, 6], [7, 8, 9], [9, 8, 7], [0, 0, 0], [255; 3]],
        };
        let bytes = picture.png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (3, 2));
        assert_eq!(pixels, picture.pixels.as_flattened());
    }
}
