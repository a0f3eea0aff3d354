//! Sun and sky: one ray to see, one to the sun, one for the corners that the sky does not reach, and more where
//! neighbouring pixels differ.
//!
//! Ambient occlusion asks one ray a pixel; the sixteen pixels of a 4 x 4 tile take sixteen different directions,
//! and each pixel then averages over the tile around it where that shows the same surface.

mod light;

use std::sync::atomic::{AtomicU64, Ordering};

use hitscan::glam::{DVec3, Vec3};
use hitscan::{Filter, Hit, Ray};
use rayon::prelude::*;

use super::film::{Picture, encode};
use super::look::{Look, Looks};
use super::smooth::Normals;
use super::{Rendered, View};
use light::Light;

/// Surfaces of glass that are looked through; what is behind more of them stays unseen.
const MOST_GLASS: u32 = 12;

/// Sub-pixel positions of the further samples of a pixel on an edge: one in each cell of a 4 x 4 grid; the first
/// four alone cover the pixel evenly.
const FURTHER: [[f64; 2]; 16] = [
    [0.11, 0.64],
    [0.36, 0.09],
    [0.89, 0.36],
    [0.64, 0.91],
    [0.14, 0.14],
    [0.61, 0.39],
    [0.39, 0.61],
    [0.86, 0.86],
    [0.05, 0.40],
    [0.40, 0.95],
    [0.95, 0.60],
    [0.60, 0.05],
    [0.30, 0.33],
    [0.70, 0.67],
    [0.17, 0.89],
    [0.83, 0.11],
];

/// Samples of any edge, before the rest is asked for.
const FIRST: usize = 4;

/// How different two neighbouring pixels may be before they are refined, in sRGB steps.
const CONTRAST: i32 = 14;

/// How different the first samples of an edge may be before the rest is asked for.
const SPREAD: f32 = 0.12;

/// Draws the view.
pub fn render(view: &View<'_>) -> Rendered {
    let painter = Painter::new(view);
    let samples = view.each_pixel(|[x, y], ray| painter.sample(ray, (x % 4 + 4 * (y % 4)) as usize));
    let [width, height] = view.size.map(|side| side as usize);
    let openness = smooth_openness(&samples, width, height);
    let shown = |i: usize| {
        let light = light::tone(samples[i].direct + samples[i].ambient * openness[i]);
        encode(light, dither(i % width, i / width))
    };
    let plain: Vec<[u8; 3]> = (0..samples.len()).into_par_iter().map(shown).collect();

    let refined = |(y, row): (usize, &mut [[u8; 3]])| {
        for (x, pixel) in row.iter_mut().enumerate() {
            if !is_edge(&plain, &samples, width, height, x, y) {
                continue;
            }
            let (mut sum, mut low, mut high, mut count) = (Vec3::ZERO, Vec3::ONE, Vec3::ZERO, 0);
            for [dx, dy] in FURTHER {
                let sample = painter.sample_direct(view.ray([x as f64 + dx, y as f64 + dy]));
                let open = openness_nearby(&sample, &samples, &openness, width, height, x, y);
                let light = light::tone(sample.direct + sample.ambient * open);
                (sum, low, high, count) = (sum + light, low.min(light), high.max(light), count + 1);
                if count == FIRST && (high - low).max_element() < SPREAD {
                    break;
                }
            }
            *pixel = encode(sum / count as f32, dither(x, y));
        }
    };
    let mut pixels = plain.clone();
    pixels.par_chunks_mut(width.max(1)).enumerate().for_each(refined);
    Rendered {
        picture: Picture { size: view.size, pixels },
        depth: samples.iter().map(|sample| sample.depth).collect(),
        rays: painter.rays.load(Ordering::Relaxed),
    }
}

/// What one ray saw.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Light that does not depend on how much sky is seen.
    direct: Vec3,
    /// Light of the whole sky; counts as far as the sky is seen.
    ambient: Vec3,
    /// Unit normal, or zero for the sky.
    normal: Vec3,
    depth: f32,
    instance: u32,
    /// Whether the sky is seen in this sample's direction.
    open: bool,
}

struct Painter<'a> {
    view: &'a View<'a>,
    looks: Looks,
    normals: Normals,
    light: Light,
    any_glass: bool,
    /// How far a corner darkens its surroundings.
    corner_reach: f64,
    rays: AtomicU64,
}

impl<'a> Painter<'a> {
    fn new(view: &'a View<'a>) -> Painter<'a> {
        let looks = Looks::of(view.model);
        let typical = typical_depth(view);
        Painter {
            view,
            any_glass: looks.any_clear(),
            looks,
            normals: Normals::of(view.model),
            light: Light::of(view, typical),
            corner_reach: 0.09 * typical,
            rays: AtomicU64::new(0),
        }
    }

    /// A sample whose sky ray takes the direction with this number.
    fn sample(&self, ray: Option<Ray>, direction: usize) -> Sample {
        let (mut sample, hit) = self.see(ray);
        if let Some((ray, hit, side)) = hit {
            let towards = light::hemisphere(side, direction);
            let sky = self
                .leave(&ray, &hit, side, towards)
                .and_then(|ray| ray.with_range(0.0, self.corner_reach).ok());
            sample.open = !sky.is_some_and(|ray| self.view.scene.occluded(&ray, &Filter::ALL));
            self.rays.fetch_add(1, Ordering::Relaxed);
        }
        sample
    }

    fn look(&self, hit: &Hit) -> Look {
        self.looks.at(hit.material, self.view.model.nodes[hit.instance.slot() as usize].mesh)
    }

    fn sample_direct(&self, ray: Option<Ray>) -> Sample {
        self.see(ray).0
    }

    /// What a ray sees, through glass; with the hit that is not glass, and the geometric normal on the seen side.
    fn see(&self, ray: Option<Ray>) -> (Sample, Option<(Ray, Hit, DVec3)>) {
        let mut sample = Sample {
            direct: Vec3::ZERO,
            ambient: Vec3::ZERO,
            normal: Vec3::ZERO,
            depth: f32::INFINITY,
            instance: u32::MAX,
            open: true,
        };
        let Some(mut ray) = ray else { return (sample, None) };
        let along = ray.dir().normalize();
        let mut through = Vec3::ONE;
        for _ in 0..MOST_GLASS {
            self.rays.fetch_add(1, Ordering::Relaxed);
            let Some(hit) = self.view.scene.closest(&ray, &Filter::ALL) else { break };
            let look = self.look(&hit);
            let facing = if hit.normal.dot(along) > 0.0 { -1.0 } else { 1.0 };
            let side = hit.normal * facing;
            if look.clear {
                let glance = 1.0 - side.dot(-along) as f32;
                let shine = 0.09 + 0.75 * glance.powi(5);
                sample.direct += through * shine * self.light.sky(along.reflect(side)) * 0.8;
                // The edge of a plate is seen along its length and looks dark green.
                through *= (1.0 - shine) * look.albedo.powf(0.35);
                match ray.with_range(hit.t.next_up(), f64::INFINITY) {
                    Ok(rest) => ray = rest,
                    Err(_) => break,
                }
                continue;
            }
            let normal = self.normals.at(self.view.scene, self.view.model, &hit) * facing;
            let normal = if normal.dot(along) < -0.01 { normal } else { side };
            self.shade(&mut sample, &ray, &hit, look, side, normal, through);
            return (sample, Some((ray, hit, side)));
        }
        sample.direct += through * self.light.sky(along);
        (sample, None)
    }

    fn shade(
        &self,
        sample: &mut Sample,
        ray: &Ray,
        hit: &Hit,
        look: Look,
        side: DVec3,
        normal: DVec3,
        through: Vec3,
    ) {
        let along = ray.dir().normalize();
        let albedo = look.albedo * light::grain(hit.position, look.grain, self.light.unit());
        let (towards, strength) = self.light.at(hit.position);
        let cosine = normal.dot(towards.normalize()).max(0.0) as f32;
        let mut direct = albedo * self.light.headlight(normal.dot(-along) as f32);
        if cosine > 0.0 && side.dot(towards) > 0.0 {
            let lit = self.lit(ray, hit, side, towards);
            if lit > 0.0 {
                let halfway = (towards.normalize() - along).normalize();
                let gleam = (normal.dot(halfway).max(0.0) as f32).powf(60.0) * look.mirror * 4.0;
                direct += strength * lit * (albedo * cosine + Vec3::splat(gleam));
            }
        }
        let mut ambient = albedo * self.light.ambient(normal);
        if look.mirror > 0.0 {
            let glance = (1.0 - normal.dot(-along) as f32).clamp(0.0, 1.0);
            let share = look.mirror + (1.0 - look.mirror) * 0.5 * glance.powi(5);
            let tint = albedo.lerp(Vec3::ONE, 0.3);
            let mirrored = self.light.sky(along.reflect(normal)) * tint * 0.6;
            ambient = ambient * (1.0 - share) + mirrored * share;
            direct *= 1.0 - 0.6 * look.mirror;
        }
        let depth = hit.t as f32;
        let haze = self.light.haze(hit.distance);
        sample.direct += through * ((direct * (1.0 - haze)) + self.light.sky(along) * haze);
        sample.ambient = through * ambient * (1.0 - haze);
        sample.normal = normal.as_vec3();
        sample.depth = depth;
        sample.instance = hit.instance.slot();
    }

    /// How much of the sun or lamp reaches a hit.
    fn lit(&self, ray: &Ray, hit: &Hit, side: DVec3, towards: DVec3) -> f32 {
        let Some(mut shadow) = self.leave(ray, hit, side, towards) else { return 1.0 };
        if self.light.is_lamp() {
            shadow = shadow.with_range(0.0, 1.0).unwrap_or(shadow);
        }
        self.rays.fetch_add(1, Ordering::Relaxed);
        if !self.any_glass {
            return if self.view.scene.occluded(&shadow, &Filter::ALL) { 0.0 } else { 1.0 };
        }
        let mut rest = 1.0;
        for _ in 0..MOST_GLASS {
            let Some(found) = self.view.scene.closest(&shadow, &Filter::ALL) else { return rest };
            let clear = self.look(&found).clear;
            let Ok(on) = shadow.with_range(found.t.next_up(), shadow.t_max()) else { return rest };
            if !clear {
                return 0.0;
            }
            rest *= 0.9;
            shadow = on;
        }
        0.0
    }

    /// A ray from just above a hit, on the side that was seen.
    fn leave(&self, ray: &Ray, hit: &Hit, side: DVec3, towards: DVec3) -> Option<Ray> {
        let lift = 1e-5 * hit.distance.max((ray.origin() - hit.position).length());
        Ray::new(hit.position + side * lift, towards).ok()
    }
}

/// The median depth of what is seen on a coarse grid; 1 where there is nothing.
fn typical_depth(view: &View<'_>) -> f64 {
    let [width, height] = view.size.map(f64::from);
    let mut depths: Vec<f64> = (0..32 * 18)
        .filter_map(|i| {
            view.ray([(f64::from(i % 32) + 0.5) / 32.0 * width, (f64::from(i / 32) + 0.5) / 18.0 * height])
        })
        .filter_map(|ray| view.scene.closest(&ray, &Filter::ALL))
        .map(|hit| hit.distance)
        .collect();
    depths.sort_by(f64::total_cmp);
    depths.get(depths.len() / 2).copied().filter(|&depth| depth > 0.0).unwrap_or(1.0)
}

/// The share of sky rays that got away, over the tile around each pixel, where it shows the same surface.
fn smooth_openness(samples: &[Sample], width: usize, height: usize) -> Vec<f32> {
    let open: Vec<f32> = samples.iter().map(|sample| if sample.open { 1.0 } else { 0.0 }).collect();
    // Once to have all directions in each pixel, once more to soften the sixteen steps.
    let once = mean_over_tiles(samples, &open, width, height);
    mean_over_tiles(samples, &once, width, height)
}

fn mean_over_tiles(samples: &[Sample], values: &[f32], width: usize, height: usize) -> Vec<f32> {
    let of_pixel = |i: usize| {
        let (x, y) = (i % width, i / width);
        let here = &samples[i];
        if here.depth == f32::INFINITY {
            return 1.0;
        }
        let (mut sum, mut all) = (0.0f32, 0.0f32);
        for ny in y.saturating_sub(2)..(y + 3).min(height) {
            for nx in x.saturating_sub(2)..(x + 3).min(width) {
                let other = &samples[ny * width + nx];
                if !same_surface(here, other) {
                    continue;
                }
                // Five wide with half weight at the ends: each of the sixteen directions counts once.
                let end = |a: usize, b: usize| if a.abs_diff(b) == 2 { 0.5 } else { 1.0 };
                let weight = end(nx, x) * end(ny, y);
                all += weight;
                sum += weight * values[ny * width + nx];
            }
        }
        sum / all
    };
    (0..samples.len()).into_par_iter().map(of_pixel).collect()
}

fn same_surface(a: &Sample, b: &Sample) -> bool {
    (a.depth - b.depth).abs() < 0.02 * a.depth && a.normal.dot(b.normal) > 0.9
}

/// Part of an 8-bit step, by place, so that an even sky has no stripes.
fn dither(x: usize, y: usize) -> f32 {
    const ORDER: [u8; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
    (f32::from(ORDER[x % 4 + 4 * (y % 4)]) - 7.5) / 16.0
}

/// The openness of the pixel around a position that shows the surface of a further sample best.
fn openness_nearby(
    sample: &Sample,
    samples: &[Sample],
    openness: &[f32],
    width: usize,
    height: usize,
    x: usize,
    y: usize,
) -> f32 {
    let mut best = (f32::INFINITY, openness[y * width + x]);
    for ny in y.saturating_sub(1)..(y + 2).min(height) {
        for nx in x.saturating_sub(1)..(x + 2).min(width) {
            let other = &samples[ny * width + nx];
            let apart =
                (sample.depth - other.depth).abs() + (1.0 - sample.normal.dot(other.normal)) * sample.depth;
            if apart < best.0 {
                best = (apart, openness[ny * width + nx]);
            }
        }
    }
    best.1
}

/// Whether a pixel differs from one beside it.
fn is_edge(plain: &[[u8; 3]], samples: &[Sample], width: usize, height: usize, x: usize, y: usize) -> bool {
    let here = y * width + x;
    let differs = |there: usize| {
        let (a, b) = (plain[here], plain[there]);
        let step = (0..3).map(|c| (i32::from(a[c]) - i32::from(b[c])).abs()).max().unwrap_or(0);
        step > CONTRAST || (samples[here].instance != samples[there].instance && step > CONTRAST / 3)
    };
    (x > 0 && differs(here - 1))
        || (x + 1 < width && differs(here + 1))
        || (y > 0 && differs(here - width))
        || (y + 1 < height && differs(here + width))
}
