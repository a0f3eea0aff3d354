//! A sheet to draw on, and its SVG.

use std::fmt::Write as _;

use hitscan::glam::DVec3;

/// Ink for outlines and words.
pub const INK: &str = "#22303c";
/// Ink for what only helps.
pub const FAINT: &str = "#8795a1";
/// Rays.
pub const RAY: &str = "#1d5fd1";
/// Hits, and where something is entered.
pub const HIT: &str = "#c92a2a";
/// Where something is left.
pub const EXIT: &str = "#2b8a3e";
/// The inside of shapes.
pub const FILL: &str = "#d6e4f7";
/// The inside of what a question found.
pub const FOUND: &str = "#ffe3c9";

pub type P = [f64; 2];

/// A picture of fixed size with a background of its own, so that it reads the same on a light page and a dark one.
pub struct Canvas {
    size: P,
    body: String,
}

/// How the world is laid on the sheet: two directions, a scale and a place.
#[derive(Clone, Copy)]
pub struct View {
    right: DVec3,
    up: DVec3,
    scale: f64,
    middle: P,
}

impl View {
    /// From straight ahead: x to the right, y up.
    pub fn flat(scale: f64, middle: P) -> View {
        View { right: DVec3::X, up: DVec3::Y, scale, middle }
    }

    /// From the right and above, z up; the vectors are orthonormal but for the last digits.
    pub fn above(scale: f64, middle: P) -> View {
        let right = DVec3::new(0.82, 0.57236, 0.0);
        let up = DVec3::new(-0.22894, 0.328, 0.91652);
        View { right, up, scale, middle }
    }

    pub fn at(&self, p: impl Into<[f64; 3]>) -> P {
        let p = DVec3::from(p.into());
        let [x, y] = [p.dot(self.right), p.dot(self.up)];
        [self.middle[0] + x * self.scale, self.middle[1] - y * self.scale]
    }

    /// Towards whoever looks.
    pub fn towards(&self) -> DVec3 {
        self.right.cross(self.up)
    }

    /// A circle that all views see alike: a sphere's outline.
    pub fn radius(&self, radius: f64) -> f64 {
        radius * self.scale
    }
}

/// With one decimal and no `-0`.
fn n(x: f64) -> String {
    let rounded = (x * 10.0).round() / 10.0 + 0.0;
    format!("{rounded}")
}

fn points(places: &[P]) -> String {
    places.iter().map(|[x, y]| format!("{},{}", n(*x), n(*y))).collect::<Vec<_>>().join(" ")
}

impl Canvas {
    pub fn new(width: f64, height: f64) -> Canvas {
        Canvas { size: [width, height], body: String::new() }
    }

    pub fn polygon(&mut self, corners: &[P], fill: &str, stroke: &str) {
        let points = points(corners);
        let _ = writeln!(
            self.body,
            r#"<polygon points="{points}" fill="{fill}" fill-opacity=".75" stroke="{stroke}" stroke-width="1.5" stroke-linejoin="round"/>"#
        );
    }

    pub fn line(&mut self, from: P, to: P, stroke: &str, width: f64) {
        self.stroke(from, to, stroke, width, "");
    }

    pub fn dashed(&mut self, from: P, to: P, stroke: &str) {
        self.stroke(from, to, stroke, 1.2, r#" stroke-dasharray="4 4""#);
    }

    fn stroke(&mut self, from: P, to: P, stroke: &str, width: f64, more: &str) {
        let [x1, y1, x2, y2] = [from[0], from[1], to[0], to[1]].map(n);
        let _ = writeln!(
            self.body,
            r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{stroke}" stroke-width="{width}" stroke-linecap="round"{more}/>"#
        );
    }

    pub fn arrow(&mut self, from: P, to: P, stroke: &str) {
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        let length = (dx * dx + dy * dy).sqrt();
        let [ux, uy] = [dx / length, dy / length];
        let back =
            |along: f64, aside: f64| [to[0] - ux * along - uy * aside, to[1] - uy * along + ux * aside];
        self.line(from, back(6.0, 0.0), stroke, 2.0);
        let head = points(&[to, back(9.0, 4.0), back(9.0, -4.0)]);
        let _ = writeln!(self.body, r#"<polygon points="{head}" fill="{stroke}"/>"#);
    }

    pub fn circle(&mut self, centre: P, radius: f64, fill: &str, stroke: &str) {
        let [x, y, r] = [centre[0], centre[1], radius].map(n);
        let _ = writeln!(
            self.body,
            r#"<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" fill-opacity=".75" stroke="{stroke}" stroke-width="1.5"/>"#
        );
    }

    pub fn dot(&mut self, at: P, fill: &str) {
        let [x, y] = at.map(n);
        let _ = writeln!(
            self.body,
            r##"<circle cx="{x}" cy="{y}" r="4" fill="{fill}" stroke="#fff" stroke-width="1.2"/>"##
        );
    }

    /// Words that begin at a place.
    pub fn text(&mut self, at: P, fill: &str, words: &str) {
        self.words(at, fill, words, "start", 13.0);
    }

    /// Words around a place.
    pub fn label(&mut self, at: P, fill: &str, words: &str) {
        self.words(at, fill, words, "middle", 13.0);
    }

    pub fn small(&mut self, at: P, fill: &str, words: &str) {
        self.words(at, fill, words, "middle", 10.0);
    }

    fn words(&mut self, at: P, fill: &str, words: &str, anchor: &str, size: f64) {
        let [x, y] = at.map(n);
        let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        // A halo first, which keeps words apart from lines below them.
        for paint in [r##"stroke="#fdfcf9" stroke-width="3.5" stroke-linejoin="round""##, ""] {
            let _ = writeln!(
                self.body,
                r#"<text x="{x}" y="{y}" fill="{fill}" font-size="{size}" text-anchor="{anchor}" {paint}>{words}</text>"#
            );
        }
    }

    /// The file; `title` is for those who cannot see it.
    pub fn svg(&self, title: &str) -> String {
        let [width, height] = self.size.map(n);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\">\n\
             <title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"#fdfcf9\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// A point a part of the way from one to another.
pub fn mix(a: P, b: P, part: f64) -> P {
    [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part]
}

/// A place beside another.
pub fn by(at: P, right: f64, down: f64) -> P {
    [at[0] + right, at[1] + down]
}
