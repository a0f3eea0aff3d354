//! The picture of a viewshed: the relief from above, light where it is seen.

use hitscan::glam::{DVec2, DVec3};
use hitscan_io::Raster;
use rayon::prelude::*;

use super::see::{Cell, Seen};
use crate::number::digits;
use crate::picture::{NOTHING, Picture, round_below, text_width};

/// What is drawn.
pub struct Map<'a> {
    /// The cells.
    pub seen: &'a Seen,
    /// Where they are.
    pub raster: &'a Raster,
    /// Where the eye is, on the ground.
    pub eye: [f64; 2],
    /// How far it was asked to look; 0 for any distance.
    pub limit: f64,
}

/// Small maps are enlarged by a whole number up to about this side.
const SIDE: usize = 1024;

/// The colours of ground that is seen, from the lowest to the highest.
const SEEN: [[f64; 3]; 4] =
    [[118.0, 178.0, 92.0], [206.0, 204.0, 104.0], [238.0, 178.0, 84.0], [252.0, 232.0, 196.0]];
/// The same of ground that is hidden.
const HIDDEN: [[f64; 3]; 2] = [[62.0, 72.0, 96.0], [122.0, 132.0, 152.0]];
/// Of ground that is out of range.
const OUT_OF_RANGE: [[f64; 3]; 2] = [[42.0, 44.0, 52.0], [70.0, 72.0, 80.0]];
/// The eye, and the circle around it.
const EYE: [u8; 3] = [226, 44, 52];
const EDGE: [u8; 3] = [250, 250, 248];

/// Draws it.
pub fn draw(map: &Map<'_>) -> Picture {
    let [columns, rows] = map.raster.size();
    let scale = (SIDE / columns.max(rows).max(1)).clamp(1, 16);
    let relief = Relief::new(map);
    let size = [columns * scale, rows * scale];
    let pixels = (0..size[0] * size[1]).into_par_iter().with_min_len(256).map(|pixel| {
        let (x, y) = (pixel % size[0] / scale, pixel / size[0] / scale);
        relief.colour(x, y)
    });
    let pixels = pixels.collect();
    let mut picture = Picture { size: size.map(|side| side as u32), pixels };
    let thickness = (picture.size[0].max(picture.size[1]) as f64 / 640.0).clamp(1.0, 6.0);
    let pixel = |at: [f64; 2]| map.pixel(at).map(|at| at * scale as f64);
    if let Some(eye) = pixel(map.eye) {
        ring(&mut picture, map, eye, scale as f64, thickness);
        mark(&mut picture, eye, thickness);
    }
    caption(&mut picture, map, scale as f64);
    picture
}

impl Map<'_> {
    /// Where a place of the ground is in the grid, counted from the upper left corner of its first cell.
    fn pixel(&self, [a, b]: [f64; 2]) -> Option<DVec2> {
        let ([first_a, first_b], column, row) =
            (self.raster.place(0, 0), self.raster.column(), self.raster.row());
        let determinant = column[0] * row[1] - column[1] * row[0];
        let (a, b) = (a - first_a, b - first_b);
        let at = DVec2::new(a * row[1] - b * row[0], b * column[0] - a * column[1]) / determinant + 0.5;
        at.is_finite().then_some(at)
    }
}

/// The ground as light and height.
struct Relief<'a> {
    map: &'a Map<'a>,
    low: f64,
    high: f64,
    /// Lengths of a step along a row and along a column.
    steps: [f64; 2],
    /// How much heights are raised, so that flat land shows its shape.
    exaggeration: f64,
}

impl<'a> Relief<'a> {
    fn new(map: &'a Map<'a>) -> Relief<'a> {
        let known =
            map.seen.heights.iter().filter(|height| height.is_finite()).map(|&height| f64::from(height));
        let (low, high) = known.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let steps = [map.raster.column(), map.raster.row()].map(|[a, b]| libm::hypot(a, b));
        let size = map.raster.size().map(|count| count as f64);
        let extent = (steps[0] * size[0]).max(steps[1] * size[1]);
        let relief = (high - low).max(f64::MIN_POSITIVE);
        // A relief of a tenth of the extent looks as it is; flatter ground is raised towards that.
        let exaggeration = (0.1 * extent / relief).sqrt().clamp(1.0, 6.0);
        Relief { map, low, high, steps, exaggeration }
    }

    fn height(&self, x: usize, y: usize) -> Option<f64> {
        let height = self.map.seen.heights.get(y * self.map.raster.size()[0] + x)?;
        height.is_finite().then_some(f64::from(*height))
    }

    /// How bright the sun makes a cell, in `[0, 1]`; it stands in the upper left, as on maps.
    fn light(&self, x: usize, y: usize, here: f64) -> f64 {
        let [columns, rows] = self.map.raster.size();
        let slope = |before: Option<f64>, behind: Option<f64>, step: f64| match (before, behind) {
            (Some(before), Some(behind)) => (behind - before) / (2.0 * step),
            (Some(before), None) => (here - before) / step,
            (None, Some(behind)) => (behind - here) / step,
            (None, None) => 0.0,
        };
        let left = x.checked_sub(1).and_then(|x| self.height(x, y));
        let right = (x + 1 < columns).then(|| self.height(x + 1, y)).flatten();
        let above = y.checked_sub(1).and_then(|y| self.height(x, y));
        let below = (y + 1 < rows).then(|| self.height(x, y + 1)).flatten();
        let dx = slope(left, right, self.steps[0]) * self.exaggeration;
        let dy = slope(above, below, self.steps[1]) * self.exaggeration;
        let normal = DVec3::new(-dx, -dy, 1.0).normalize();
        normal.dot(DVec3::new(-0.5, -0.5, std::f64::consts::FRAC_1_SQRT_2)).max(0.0)
    }

    fn colour(&self, x: usize, y: usize) -> [u8; 3] {
        let Some(height) = self.height(x, y) else { return NOTHING };
        let cell =
            self.map.seen.cells.get(y * self.map.raster.size()[0] + x).copied().unwrap_or(Cell::NoGround);
        let place = (height - self.low) / (self.high - self.low).max(f64::MIN_POSITIVE);
        let base = match cell {
            Cell::NoGround => return NOTHING,
            Cell::Seen => between(&SEEN, place),
            Cell::Hidden => between(&HIDDEN, place),
            Cell::OutOfRange => between(&OUT_OF_RANGE, place),
        };
        // On level ground the colours are as they are listed.
        let level = std::f64::consts::FRAC_1_SQRT_2;
        let light = 0.35 + 0.65 * (self.light(x, y, height) / level);
        base.map(|channel| (channel * light).clamp(0.0, 255.0).round() as u8)
    }
}

/// A colour between stops at equal distances.
fn between(stops: &[[f64; 3]], place: f64) -> [f64; 3] {
    let place = place.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let below = (place as usize).min(stops.len().saturating_sub(2));
    let part = place - below as f64;
    std::array::from_fn(|i| stops[below][i] + (stops[below + 1][i] - stops[below][i]) * part)
}

/// A circle at the limit of distance.
fn ring(picture: &mut Picture, map: &Map<'_>, eye: DVec2, scale: f64, thickness: f64) {
    let [column, row] = [map.raster.column(), map.raster.row()].map(|[a, b]| libm::hypot(a, b));
    let radii = DVec2::new(map.limit / column, map.limit / row) * scale;
    if map.limit <= 0.0 || !radii.is_finite() {
        return;
    }
    let size = picture.size.map(i64::from);
    for y in 0..size[1] {
        for x in 0..size[0] {
            let to = (DVec2::new(x as f64 + 0.5, y as f64 + 0.5) - eye) / radii;
            let distance = (to.length() - 1.0).abs() * radii.min_element();
            picture.blend(x, y, EDGE, 0.8 * (0.5 * thickness + 0.5 - distance));
        }
    }
}

/// A dot with an edge where the eye is.
fn mark(picture: &mut Picture, eye: DVec2, thickness: f64) {
    let radius = 5.0 * thickness.max(1.2);
    let reach = radius + thickness + 2.0;
    for y in (eye.y - reach) as i64..=(eye.y + reach) as i64 {
        for x in (eye.x - reach) as i64..=(eye.x + reach) as i64 {
            let distance = (DVec2::new(x as f64 + 0.5, y as f64 + 0.5) - eye).length();
            let cover = |radius: f64| (radius + 0.5 - distance).clamp(0.0, 1.0);
            picture.blend(x, y, EDGE, cover(radius + 1.5 * thickness));
            picture.blend(x, y, EYE, cover(radius));
            picture.blend(x, y, EDGE, cover(radius * 0.35));
        }
    }
}

/// What the colours mean, and a scale; a picture that is too small stays without.
fn caption(picture: &mut Picture, map: &Map<'_>, pixels: f64) {
    let [width, height] = picture.size.map(i64::from);
    let scale = (width.min(height) / 420).clamp(1, 6);
    if width < 330 || height < 120 {
        return;
    }
    let step = libm::hypot(map.raster.column()[0], map.raster.column()[1]);
    let bar = round_below(0.25 * step * map.raster.size()[0] as f64);
    // A bar is shorter than the picture, but for steps that hardly any number tells from 0.
    let length = ((bar / step * pixels).round() as i64).min(width);
    let label = format!("{} m", digits(bar));
    let mut words = vec![("seen", SEEN[1]), ("hidden", HIDDEN[1])];
    if map.seen.cells.contains(&Cell::OutOfRange) {
        words.push(("out of range", OUT_OF_RANGE[1]));
    }
    let (margin, line) = (8 * scale, 11 * scale);
    let legend: i64 = words.iter().map(|(word, _)| text_width(word, scale) + 20 * scale).sum();
    let box_width = legend.max(length + text_width(&label, scale) + 8 * scale) + margin;
    let top = height - margin - 2 * line - margin;
    for y in top..height - margin {
        for x in margin..margin + box_width {
            picture.blend(x, y, [8, 9, 14], 0.72);
        }
    }
    let mut x = 2 * margin;
    for (word, colour) in words {
        let colour = colour.map(|channel| channel as u8);
        for dy in 0..7 * scale {
            for dx in 0..7 * scale {
                picture.blend(x + dx, top + margin / 2 + dy, colour, 1.0);
            }
        }
        picture.text([x + 10 * scale, top + margin / 2], word, EDGE, scale);
        x += text_width(word, scale) + 20 * scale;
    }
    let y = top + margin / 2 + line + 2 * scale;
    for dx in 0..length {
        for dy in 0..3 * scale {
            picture.blend(2 * margin + dx, y + 2 * scale + dy, EDGE, 1.0);
        }
    }
    picture.text([2 * margin + length + 4 * scale, y], &label, EDGE, scale);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_say_what_is_seen() {
        let raster = Raster::new([3, 2], [0.0; 2], [1.0, 0.0], [0.0, -1.0]);
        let cells = vec![Cell::Seen, Cell::Hidden, Cell::OutOfRange, Cell::NoGround, Cell::Seen, Cell::Seen];
        let heights = vec![5.0, 5.0, 5.0, f32::NAN, 5.0, 5.0];
        let seen = Seen { cells, heights, farthest: None };
        let picture = draw(&Map { seen: &seen, raster: &raster, eye: [9.0, 9.0], limit: 0.0 });
        assert_eq!(picture.size, [48, 32]);
        let middle = |x: usize, y: usize| picture.pixels[(y * 16 + 8) * 48 + x * 16 + 8];
        let plain = |colour: [f64; 3]| colour.map(|channel| channel.round() as u8);
        assert_eq!(middle(0, 0), plain(SEEN[0]));
        assert_eq!(middle(1, 0), plain(HIDDEN[0]));
        assert_eq!(middle(2, 0), plain(OUT_OF_RANGE[0]));
        assert_eq!(middle(0, 1), NOTHING);
    }

    #[test]
    fn places_are_found_in_turned_grids() {
        let raster = Raster::new([9, 9], [10.0, 20.0], [0.0, 2.0], [3.0, 0.0]);
        let seen = Seen { cells: Vec::new(), heights: Vec::new(), farthest: None };
        let map = Map { seen: &seen, raster: &raster, eye: [0.0; 2], limit: 0.0 };
        assert_eq!(map.pixel(raster.place(4, 7)), Some(DVec2::new(4.5, 7.5)));
    }
}
