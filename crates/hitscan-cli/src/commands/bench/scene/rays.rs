//! The rays that a scene is asked: made from what is in it.

use hitscan::glam::DVec3;
use hitscan::{Camera, Face, Filter, Hit, Ray, Scene};

use super::super::inputs::Rng;
use crate::scene::Loaded;

/// Which rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Primary,
    Bounce,
    Shadow,
    Segments,
    Columns,
}

impl Kind {
    /// All of them, in the order of the table.
    pub const ALL: [Kind; 5] = [Kind::Primary, Kind::Bounce, Kind::Shadow, Kind::Segments, Kind::Columns];

    /// As the table calls it.
    pub fn name(self) -> &'static str {
        ["primary", "bounce", "shadow", "segments", "columns"][self as usize]
    }
}

/// Makes rays from a scene.
pub struct Recorder<'a> {
    scene: &'a Scene,
    camera: &'a Camera,
    /// Lowest and highest corner of what can be hit.
    bounds: (DVec3, DVec3),
    /// The axis that points upwards.
    up: usize,
}

/// Decides which rays are random.
const SEED: u64 = 5;

impl<'a> Recorder<'a> {
    pub fn new(loaded: &'a Loaded, camera: &'a Camera) -> Recorder<'a> {
        Recorder { scene: &loaded.scene, camera, bounds: loaded.bounds(), up: loaded.model.up.axis() }
    }

    /// About `side * side` rays of a kind; none where the camera sees nothing that they could start from.
    pub fn rays(&self, kind: Kind, side: u32) -> Vec<Ray> {
        match kind {
            Kind::Primary => self.primary(side),
            Kind::Bounce => self.bounce(side),
            Kind::Shadow => self.shadow(side),
            Kind::Segments => self.segments(side),
            Kind::Columns => self.columns(side),
        }
    }

    fn primary(&self, side: u32) -> Vec<Ray> {
        let pixel = |i: u32| [i % side, i / side].map(|at| f64::from(at) + 0.5);
        (0..side * side).filter_map(|i| self.camera.ray(pixel(i), [side, side]).ok()).collect()
    }

    /// What the picture shows, pixel by pixel.
    fn seen(&self, side: u32) -> Vec<Hit> {
        self.scene.closest_batch(&self.primary(side), &Filter::ALL).into_iter().flatten().collect()
    }

    fn bounce(&self, side: u32) -> Vec<Ray> {
        let mut rng = Rng::new(SEED);
        let away = |hit: &Hit| Ray::new(lifted(hit), towards(hit) + rng.unit()).ok();
        spread(&self.seen(side), side * side).filter_map(away).collect()
    }

    fn shadow(&self, side: u32) -> Vec<Ray> {
        let seen = self.seen(side);
        let mut far: Vec<f64> = seen.iter().map(|hit| hit.distance).collect();
        far.sort_by(f64::total_cmp);
        let reach = far.get(far.len() / 2).copied().unwrap_or(0.0);
        // Half of the way to what is seen, and a little up and to the right.
        let camera = self.camera;
        let lamp = camera.eye() + (camera.forward() / 2.0 + (camera.up() + camera.right()) / 6.0) * reach;
        spread(&seen, side * side).filter_map(|hit| Ray::between(lifted(hit), lamp).ok()).collect()
    }

    fn segments(&self, side: u32) -> Vec<Ray> {
        let mut rng = Rng::new(SEED);
        let (low, high) = self.bounds;
        let mut point = || low + (high - low) * (rng.vector() + 1.0) / 2.0;
        (0..side * side).filter_map(|_| Ray::between(point(), point()).ok()).collect()
    }

    fn columns(&self, side: u32) -> Vec<Ray> {
        let (low, high) = self.bounds;
        let (a, b) = ((self.up + 1) % 3, (self.up + 2) % 3);
        let column = |i: u32| {
            let mut from = low;
            for (axis, step) in [(a, i % side), (b, i / side)] {
                from[axis] += (high - low)[axis] * (f64::from(step) + 0.5) / f64::from(side);
            }
            from[self.up] = high[self.up] + 0.1 * (high - low).max_element();
            Ray::new(from, -DVec3::AXES[self.up]).ok()
        };
        (0..side * side).filter_map(column).collect()
    }
}

/// `count` hits in their order, each about equally often; none of none.
fn spread(hits: &[Hit], count: u32) -> impl Iterator<Item = &Hit> {
    let count = if hits.is_empty() { 0 } else { count as usize };
    (0..count).map(move |i| &hits[i * hits.len() / count])
}

/// The unit normal on the side that was hit.
fn towards(hit: &Hit) -> DVec3 {
    if hit.facing == Face::Front { hit.normal } else { -hit.normal }
}

/// A hit's place, off its surface by a ten-thousandth of the way there.
fn lifted(hit: &Hit) -> DVec3 {
    hit.position + towards(hit) * (1e-4 * hit.distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Reading;
    use crate::view::default_camera;

    #[test]
    fn every_kind_is_recorded_in_full_and_as_it_says() {
        let loaded = Loaded::named("builtin:sphere:1k", Reading::default()).unwrap();
        let camera = default_camera(&loaded, [1, 1]).unwrap();
        let recorder = Recorder::new(&loaded, &camera);
        for kind in Kind::ALL {
            let rays = recorder.rays(kind, 32);
            assert_eq!(rays.len(), 1024, "{}", kind.name());
            let is_segment = matches!(kind, Kind::Shadow | Kind::Segments);
            assert!(rays.iter().all(|ray| ray.t_max().is_finite() == is_segment), "{}", kind.name());
            let hits = rays.iter().filter(|ray| loaded.scene.occluded(ray, &Filter::ALL)).count();
            let expected = match kind {
                // A sphere is hit by its own bounces only where its triangles are.
                Kind::Bounce => 0..1,
                Kind::Primary => 200..900,
                Kind::Columns => 780..830,
                _ => 1..1024,
            };
            assert!(expected.contains(&hits), "{}: {hits}", kind.name());
        }
    }
}
