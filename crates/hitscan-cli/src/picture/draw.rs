//! Lines, marks and numbers laid over a picture.

use hitscan::Camera;
use hitscan::glam::{DVec2, DVec3};

use super::film::Picture;
use super::font;

/// The dark edge that keeps marks readable on any ground.
const EDGE: [u8; 3] = [18, 20, 26];

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    /// In sRGB.
    pub colour: [u8; 3],
    /// In pixels.
    pub width: f64,
}

/// Something drawn into a view after it was rendered: in front of what is behind it, dashed and faint behind
/// what hides it.
#[derive(Debug)]
pub struct Overlay<'a> {
    /// The picture that it is drawn into.
    pub picture: &'a mut Picture,
    /// The depth behind each pixel.
    pub depth: &'a [f32],
    /// The camera of the picture.
    pub camera: &'a Camera,
}

impl Overlay<'_> {
    /// A straight line through space.
    pub fn line(&mut self, a: DVec3, b: DVec3, ink: Ink) {
        let Some((a, b)) = self.clip(a, b) else { return };
        let size = self.picture.size;
        let (Some((p, pz)), Some((q, qz))) = (self.camera.project(a, size), self.camera.project(b, size))
        else {
            return;
        };
        let (p, q) = (DVec2::from(p), DVec2::from(q));
        let length = (q - p).length();
        if length < 1e-6 {
            return;
        }
        let along = (q - p) / length;
        let reach = ink.width * 0.5 + 1.5;
        self.near_segment(p, q, reach, |overlay, x, y| {
            let to = DVec2::new(x as f64 + 0.5, y as f64 + 0.5) - p;
            let s = to.dot(along).clamp(0.0, length);
            let distance = (to - along * s).length();
            // Along a line in the picture the reciprocal of the depth changes evenly.
            let part = s / length;
            let depth = 1.0 / ((1.0 - part) / pz + part / qz);
            let cover = |radius: f64| (radius + 0.5 - distance).clamp(0.0, 1.0);
            if overlay.hidden(x, y, depth) {
                let dash = (s / 7.0) as i64 % 2 == 0;
                overlay.picture.blend(
                    x,
                    y,
                    ink.colour,
                    if dash { 0.5 * cover(ink.width * 0.32) } else { 0.0 },
                );
            } else {
                overlay.picture.blend(x, y, EDGE, 0.55 * cover(ink.width * 0.5 + 1.0));
                overlay.picture.blend(x, y, ink.colour, cover(ink.width * 0.5));
            }
        });
    }

    /// A point in space: a dot where the ray comes in, a ring where it leaves.
    pub fn mark(&mut self, at: DVec3, colour: [u8; 3], radius: f64, ring: bool) {
        let Some((centre, depth)) = self.camera.project(at, self.picture.size) else { return };
        let centre = DVec2::from(centre);
        let seen = !self.hidden(centre.x as i64, centre.y as i64, depth * 0.999);
        let strength = if seen { 1.0 } else { 0.6 };
        self.near_segment(centre, centre, radius + 2.5, |overlay, x, y| {
            let distance = (DVec2::new(x as f64 + 0.5, y as f64 + 0.5) - centre).length();
            let cover = |radius: f64| (radius + 0.5 - distance).clamp(0.0, 1.0);
            overlay.picture.blend(x, y, EDGE, 0.8 * strength * cover(radius + 1.2));
            overlay.picture.blend(x, y, colour, strength * cover(radius));
            if ring {
                overlay.picture.blend(x, y, EDGE, strength * cover(radius - 1.6));
            }
        });
    }

    /// A number in a disc, a little above a point in space.
    pub fn badge(&mut self, at: DVec3, offset: [f64; 2], text: &str, colour: [u8; 3]) {
        if let Some((at, _)) = self.camera.project(at, self.picture.size) {
            self.picture.badge([at[0] + offset[0], at[1] + offset[1]], text, colour);
        }
    }

    /// A cross with an open middle around a position in the picture.
    pub fn cross_hair(&mut self, at: [f64; 2], colour: [u8; 3]) {
        let at = DVec2::from(at);
        for direction in [DVec2::X, DVec2::Y, -DVec2::X, -DVec2::Y] {
            let (p, q) = (at + direction * 5.0, at + direction * 17.0);
            self.near_segment(p, q, 3.5, |overlay, x, y| {
                let to = DVec2::new(x as f64 + 0.5, y as f64 + 0.5) - p;
                let distance = (to - direction * to.dot(direction).clamp(0.0, 12.0)).length();
                overlay.picture.blend(x, y, EDGE, 0.8 * (2.8 - distance).clamp(0.0, 1.0));
                overlay.picture.blend(x, y, colour, (1.7 - distance).clamp(0.0, 1.0));
            });
        }
    }

    /// The part of a line in front of the camera.
    fn clip(&self, a: DVec3, b: DVec3) -> Option<(DVec3, DVec3)> {
        const NEAR: f64 = 1e-2;
        let depth = |p: DVec3| (p - self.camera.eye()).dot(self.camera.forward()) - NEAR;
        let (da, db) = (depth(a), depth(b));
        let cut = || a + (b - a) * (da / (da - db));
        match (da > 0.0, db > 0.0) {
            (true, true) => Some((a, b)),
            (true, false) => Some((a, cut())),
            (false, true) => Some((cut(), b)),
            (false, false) => None,
        }
    }

    fn hidden(&self, x: i64, y: i64, depth: f64) -> bool {
        let [width, height] = self.picture.size.map(i64::from);
        let inside = (0..width).contains(&x) && (0..height).contains(&y);
        inside && f64::from(self.depth[(y * width + x) as usize]) < depth * 0.9985
    }

    /// Calls for each pixel of the picture within `reach` of a segment, by columns or by rows.
    fn near_segment(&mut self, p: DVec2, q: DVec2, reach: f64, mut at: impl FnMut(&mut Self, i64, i64)) {
        let steep = (q.y - p.y).abs() > (q.x - p.x).abs();
        let swap = |v: DVec2| if steep { DVec2::new(v.y, v.x) } else { v };
        let (p, q) = (swap(p), swap(q));
        let (p, q) = if p.x <= q.x { (p, q) } else { (q, p) };
        let slope = if q.x > p.x { (q.y - p.y) / (q.x - p.x) } else { 0.0 };
        let reach_across = reach * (1.0 + slope * slope).sqrt();
        let [width, height] = self.picture.size.map(f64::from);
        let (long, wide) = if steep { (height, width) } else { (width, height) };
        for i in (p.x - reach).max(0.0) as i64..=(q.x + reach).min(long - 1.0) as i64 {
            let middle = p.y + slope * ((i as f64 + 0.5).clamp(p.x, q.x) - p.x);
            let across =
                (middle - reach_across).max(0.0) as i64..=(middle + reach_across).min(wide - 1.0) as i64;
            for j in across {
                let (x, y) = if steep { (j, i) } else { (i, j) };
                at(self, x, y);
            }
        }
    }
}

impl Picture {
    /// A number in a disc with its centre at a position.
    pub fn badge(&mut self, at: [f64; 2], text: &str, colour: [u8; 3]) {
        let radius = 12.5;
        for y in (at[1] - 16.0) as i64..(at[1] + 17.0) as i64 {
            for x in (at[0] - 16.0) as i64..(at[0] + 17.0) as i64 {
                let distance = (DVec2::new(x as f64 + 0.5, y as f64 + 0.5) - DVec2::from(at)).length();
                let cover = |radius: f64| (radius + 0.5 - distance).clamp(0.0, 1.0);
                self.blend(x, y, [250, 250, 248], cover(radius + 2.0));
                self.blend(x, y, colour, cover(radius));
            }
        }
        let scale = 2;
        let corner = [
            at[0] - text_width(text, scale) as f64 * 0.5,
            at[1] - (font::SIZE[1] as i64 * scale) as f64 * 0.5,
        ];
        self.text(corner.map(|c| c.round() as i64), text, [255; 3], scale);
    }

    /// A line of text with its upper left corner at a position; each dot is `scale` pixels wide.
    pub fn text(&mut self, corner: [i64; 2], text: &str, colour: [u8; 3], scale: i64) {
        for (i, letter) in text.chars().enumerate() {
            for row in 0..font::FULL_HEIGHT * scale as usize {
                for column in 0..font::SIZE[0] * scale as usize {
                    if font::dot(letter, column / scale as usize, row / scale as usize) {
                        let x = corner[0] + i as i64 * (font::SIZE[0] as i64 + 1) * scale + column as i64;
                        self.blend(x, corner[1] + row as i64, colour, 1.0);
                    }
                }
            }
        }
    }
}

/// Width of a line of text in pixels.
pub fn text_width(text: &str, scale: i64) -> i64 {
    (text.chars().count() as i64 * (font::SIZE[0] as i64 + 1) - 1) * scale
}
