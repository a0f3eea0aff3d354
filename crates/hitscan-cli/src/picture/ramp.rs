//! Colours for numbers, and the legend that explains them.

use super::draw::text_width;
use super::film::Picture;

/// Stops at equal distances; brightness rises all the way, so that the order is seen in grey too.
const HEAT: [[u8; 3]; 9] = [
    [10, 12, 36],
    [38, 24, 92],
    [84, 26, 122],
    [134, 38, 122],
    [184, 58, 104],
    [226, 92, 72],
    [246, 146, 56],
    [250, 204, 84],
    [252, 252, 212],
];

/// The same from far to near for distances.
const DISTANCE: [[u8; 3]; 9] = [
    [16, 14, 42],
    [34, 40, 92],
    [36, 74, 124],
    [32, 108, 134],
    [38, 142, 136],
    [74, 174, 122],
    [134, 200, 100],
    [200, 222, 92],
    [250, 242, 170],
];

/// Which colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ramp {
    /// From black through red to pale yellow: little to much.
    Heat,
    /// From dark blue through green to pale yellow.
    Distance,
}

impl Ramp {
    /// The colour at `t` in `[0, 1]`.
    pub fn at(self, t: f64) -> [u8; 3] {
        let stops = match self {
            Ramp::Heat => &HEAT,
            Ramp::Distance => &DISTANCE,
        };
        let place = t.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
        let below = (place as usize).min(stops.len() - 2);
        let part = place - below as f64;
        std::array::from_fn(|i| {
            let (from, to) = (f64::from(stops[below][i]), f64::from(stops[below + 1][i]));
            (from + (to - from) * part).round() as u8
        })
    }
}

/// What a ramp means: a title, and the numbers at places from 0 to 1.
#[derive(Debug)]
pub struct Legend {
    /// What is counted or measured, with its unit.
    pub title: String,
    /// Which colours.
    pub ramp: Ramp,
    /// Places along the ramp with their numbers, ascending.
    pub ticks: Vec<(f64, String)>,
}

impl Legend {
    /// Draws it in the lower left corner; a picture that is too small stays without.
    pub fn draw(&self, picture: &mut Picture) {
        let [width, height] = picture.size.map(i64::from);
        // The bar is as long as the words above it at least.
        let size = |scale: i64| (8 * scale, (width * 3 / 10).max(text_width(&self.title, scale)));
        let fits = |&scale: &i64| {
            let (margin, length) = size(scale);
            length + 4 * margin <= width && width * 3 / 10 >= 60 * scale && height >= 60 * scale
        };
        let Some(scale) = (1..=(height / 360).clamp(1, 4)).rev().find(fits) else { return };
        let ((margin, length), thickness) = (size(scale), 7 * scale);
        let (left, bottom) = (margin * 2, height - margin * 2);
        let bar = bottom - 10 * scale - thickness;
        for y in bar - 12 * scale - margin / 2..bottom + margin / 2 {
            for x in left - margin..left + length + margin * 2 {
                picture.blend(x, y, [8, 9, 14], 0.72);
            }
        }
        picture.text([left, bar - 11 * scale], &self.title, [238, 238, 238], scale);
        for x in 0..length {
            let colour = self.ramp.at(x as f64 / (length - 1) as f64);
            for y in 0..thickness {
                picture.blend(left + x, bar + y, colour, 1.0);
            }
        }
        let mut free = i64::MIN;
        for (place, label) in &self.ticks {
            let x = left + (place * (length - 1) as f64).round() as i64;
            let start = x - text_width(label, scale) / 2;
            if start < free {
                continue;
            }
            for y in 0..thickness + 2 * scale {
                picture.blend(x, bar + y, [238, 238, 238], 0.7);
            }
            picture.text([start, bar + thickness + 3 * scale], label, [238, 238, 238], scale);
            free = start + text_width(label, scale) + 4 * scale;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_is_whole_or_not_there() {
        for size in [[320, 240], [320, 180], [200, 150], [300, 1000], [199, 150], [1280, 720]] {
            let title = "crossings behind each pixel".to_owned();
            let mut picture = Picture { size, pixels: vec![[0; 3]; (size[0] * size[1]) as usize] };
            let ticks = vec![(0.0, "1".to_owned()), (1.0, "6".to_owned())];
            Legend { title, ramp: Ramp::Heat, ticks }.draw(&mut picture);
            // The box is darker than the letters on it, and nothing is drawn outside of it.
            let last = |is_drawn: fn([u8; 3]) -> bool| {
                let pixel = |x: u32, y: u32| picture.pixels[(y * size[0] + x) as usize];
                (0..size[0]).rfind(|&x| (0..size[1]).any(|y| is_drawn(pixel(x, y))))
            };
            let (last, letter) = (last(|pixel| pixel != [0; 3]), last(|pixel| pixel == [238; 3]));
            assert_eq!(last.is_some(), size != [199, 150], "{size:?}");
            assert!(letter <= last.map(|last| last - 8) && last < Some(size[0] - 1), "{size:?}");
        }
    }

    #[test]
    fn brightness_rises() {
        for ramp in [Ramp::Heat, Ramp::Distance] {
            let light = |t: f64| {
                let [r, g, b] = ramp.at(t).map(f64::from);
                0.21 * r + 0.72 * g + 0.07 * b
            };
            assert!((1..=100).all(|i| light(f64::from(i) / 100.0) >= light(f64::from(i - 1) / 100.0)));
        }
        assert_eq!((Ramp::Heat.at(-1.0), Ramp::Heat.at(2.0)), (HEAT[0], HEAT[8]));
    }
}
