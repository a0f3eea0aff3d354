//! Pictures of scenes: every pixel is an answer of a query.

mod draw;
mod film;
mod font;
mod lit;
mod look;
mod ramp;
mod scale;
mod shades;
mod smooth;

pub use draw::{Ink, Overlay, text_width};
pub use film::{NOTHING, Picture};
pub use ramp::Ramp;
pub use scale::round_below;

use hitscan::glam::DVec3;
use hitscan::{Camera, Ray, Scene};
use hitscan_io::Model;
use rayon::prelude::*;

/// What the colour of a pixel says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Shade {
    /// Sun, sky and shadows
    Lit,
    /// The direction of the surface: x red, y green, z blue
    Normal,
    /// How far away it is
    Depth,
    /// Which instance it is
    Id,
    /// How many surfaces are crossed behind the pixel
    Hits,
    /// How many boxes and triangles were looked at to find it
    Cost,
}

/// What is seen from where.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// What answers.
    pub scene: &'a Scene,
    /// The names of what it is made of; its nodes are the scene's instances.
    pub model: &'a Model,
    /// From where.
    pub camera: &'a Camera,
    /// Which way the sky is, of any length but zero.
    pub up: DVec3,
    /// Width and height in pixels.
    pub size: [u32; 2],
}

/// A picture, and what it took.
#[derive(Debug)]
pub struct Rendered {
    /// The picture.
    pub picture: Picture,
    /// The depth along the line of sight behind each pixel's centre, row by row; infinite for the sky. Glass does
    /// not count in [`Shade::Lit`], which shows what is behind it.
    pub depth: Vec<f32>,
    /// How many rays were asked.
    pub rays: u64,
}

/// Draws a view.
pub fn render(view: &View<'_>, shade: Shade) -> Rendered {
    match shade {
        Shade::Lit => lit::render(view),
        Shade::Normal => shades::normal(view),
        Shade::Depth => shades::depth(view),
        Shade::Id => shades::id(view),
        Shade::Hits => shades::hits(view),
        Shade::Cost => shades::cost(view),
    }
}

impl View<'_> {
    /// Answers for each pixel, row by row, on all cores. `None` stands for a pixel whose ray leaves the range of
    /// numbers.
    fn each_pixel<A: Send>(&self, answer: impl Fn([u32; 2], Option<Ray>) -> A + Sync) -> Vec<A> {
        let [width, height] = self.size.map(|side| side as usize);
        // Into one list of known length: pictures are large.
        let pixels = (0..width * height).into_par_iter().with_min_len(64);
        pixels
            .map(|i| {
                let (x, y) = ((i % width) as u32, (i / width) as u32);
                answer([x, y], self.ray([f64::from(x) + 0.5, f64::from(y) + 0.5]))
            })
            .collect()
    }

    fn ray(&self, pixel: [f64; 2]) -> Option<Ray> {
        self.camera.ray(pixel, self.size).ok()
    }

    fn pixels(&self) -> usize {
        self.size[0] as usize * self.size[1] as usize
    }
}
