//! A small renderer for the examples: what a camera sees of a scene, with lines and dots over it, as a PNG.
#![allow(dead_code, reason = "no example draws everything")]

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use hitscan::glam::DVec3;
use hitscan::{Camera, Filter, Ray, Scene};

const SIZE: [u32; 2] = [960, 540];
/// Samples a pixel along each axis.
const FINE: u32 = 2;

pub const RED: [u8; 3] = [226, 62, 52];
pub const BLUE: [u8; 3] = [48, 112, 214];
pub const GREEN: [u8; 3] = [46, 160, 86];
pub const YELLOW: [u8; 3] = [245, 190, 40];

/// Colours of things, by their slots.
const PALETTE: [[f64; 3]; 6] = [
    [0.80, 0.80, 0.78],
    [0.55, 0.68, 0.82],
    [0.86, 0.70, 0.48],
    [0.60, 0.76, 0.58],
    [0.80, 0.58, 0.60],
    [0.68, 0.62, 0.80],
];

pub struct Picture {
    camera: Camera,
    pixels: Vec<[f64; 3]>,
    depth: Vec<f64>,
}

impl Picture {
    /// What the camera sees, lit from its upper left, with shadows.
    pub fn of(scene: &Scene, camera: Camera) -> Picture {
        let sun = (camera.up() * 2.0 - camera.right() - camera.forward() * 0.6).normalize();
        let [width, height] = SIZE.map(|side| side * FINE);
        let (mut pixels, mut depth) = (Vec::new(), Vec::new());
        for y in 0..height {
            for x in 0..width {
                let ray = camera.ray([f64::from(x) + 0.5, f64::from(y) + 0.5], [width, height]);
                let seen = ray.ok().and_then(|ray| scene.closest(&ray, &Filter::ALL).map(|hit| (ray, hit)));
                let Some((ray, hit)) = seen else {
                    let dusk = f64::from(y) / f64::from(height);
                    pixels.push([0.72 + 0.2 * dusk, 0.80 + 0.14 * dusk, 0.90 + 0.06 * dusk]);
                    depth.push(f64::INFINITY);
                    continue;
                };
                let normal = if hit.normal.dot(ray.dir()) > 0.0 { -hit.normal } else { hit.normal };
                let off = hit.position + normal * (1e-6 * (1.0 + hit.distance));
                let shaded = Ray::new(off, sun).is_ok_and(|ray| scene.occluded(&ray, &Filter::ALL));
                let light = 0.42 + if shaded { 0.0 } else { 0.58 * normal.dot(sun).max(0.0) };
                let colour = PALETTE[hit.instance.slot() as usize % PALETTE.len()];
                pixels.push(colour.map(|c| c * light));
                depth.push(hit.t);
            }
        }
        Picture { camera, pixels, depth }
    }

    /// A straight line; faint where something hides it.
    pub fn line(&mut self, a: impl Into<[f64; 3]>, b: impl Into<[f64; 3]>, colour: [u8; 3]) {
        let (a, b) = (DVec3::from(a.into()), DVec3::from(b.into()));
        let steps = 4000;
        for step in 0..=steps {
            self.spot(a + (b - a) * (f64::from(step) / f64::from(steps)), 1.6, colour, 0.999);
        }
    }

    /// A closed outline in pixels, over everything.
    pub fn outline(&mut self, corners: &[[f64; 2]], colour: [u8; 3]) {
        for i in 0..corners.len() {
            let ([ax, ay], [bx, by]) = (corners[i], corners[(i + 1) % corners.len()]);
            let steps = 1000;
            for step in 0..=steps {
                let part = f64::from(step) / f64::from(steps);
                let at = [ax + (bx - ax) * part, ay + (by - ay) * part].map(|c| c * f64::from(FINE));
                self.disc(at, 2.5, colour, |_| 1.0);
            }
        }
    }

    /// A dot; faint where something hides it.
    pub fn dot(&mut self, at: impl Into<[f64; 3]>, colour: [u8; 3]) {
        let at = DVec3::from(at.into());
        self.spot(at, 11.0, [20, 22, 28], 0.95);
        self.spot(at, 8.5, colour, 0.95);
    }

    /// Writes it to the current folder.
    pub fn save(&self, name: &str) -> Result<(), Box<dyn Error>> {
        let mut encoder = png::Encoder::new(BufWriter::new(File::create(name)?), SIZE[0], SIZE[1]);
        encoder.set_color(png::ColorType::Rgb);
        let mut bytes = Vec::new();
        for y in 0..SIZE[1] {
            for x in 0..SIZE[0] {
                let mut sum = [0.0; 3];
                for i in 0..FINE * FINE {
                    let (x, y) = (x * FINE + i % FINE, y * FINE + i / FINE);
                    let sample = self.pixels[(y * SIZE[0] * FINE + x) as usize];
                    sum = [0, 1, 2].map(|c| sum[c] + sample[c]);
                }
                bytes.extend(sum.map(|c| (255.0 * (c / f64::from(FINE * FINE)).min(1.0)).round() as u8));
            }
        }
        encoder.write_header()?.write_image_data(&bytes)?;
        println!("wrote {name}");
        Ok(())
    }

    /// A disc, faint where something is nearer than so much of its distance.
    fn spot(&mut self, at: DVec3, radius: f64, colour: [u8; 3], nearer: f64) {
        let size = SIZE.map(|side| side * FINE);
        let Some(([x, y], depth)) = self.camera.project(at, size) else { return };
        self.disc([x, y], radius, colour, |behind| if depth * nearer > behind { 0.05 } else { 1.0 });
    }

    /// A disc around a sample, as much of it as the depth there says.
    fn disc(&mut self, [x, y]: [f64; 2], radius: f64, colour: [u8; 3], part: impl Fn(f64) -> f64) {
        let size = SIZE.map(|side| side * FINE);
        let reach = radius.ceil() as i64;
        for py in y as i64 - reach..=y as i64 + reach {
            for px in x as i64 - reach..=x as i64 + reach {
                let inside = (0..i64::from(size[0])).contains(&px) && (0..i64::from(size[1])).contains(&py);
                let off = (px as f64 + 0.5 - x).hypot(py as f64 + 0.5 - y);
                if !inside || off > radius {
                    continue;
                }
                let place = (py * i64::from(size[0]) + px) as usize;
                let part = part(self.depth[place]);
                let old = self.pixels[place];
                self.pixels[place] =
                    [0, 1, 2].map(|c| old[c] + (f64::from(colour[c]) / 255.0 - old[c]) * part);
            }
        }
    }
}
