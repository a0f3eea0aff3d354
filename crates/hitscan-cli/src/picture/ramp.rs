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
        let scale = (picture.size[1] / 360).clamp(1, 4) as i64;
        let [width, height] = picture.size.map(i64::from);
        let (length, thickness, margin) = (width * 3 / 10, 7 * scale, 8 * scale);
        if length < 60 * scale || height < 60 * scale {
            return;
        }
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
