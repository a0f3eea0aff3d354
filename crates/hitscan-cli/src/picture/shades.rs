//! Pictures whose colours are numbers: direction, distance, identity, counts.

use hitscan::{Filter, Hit};
use rayon::prelude::*;

use super::film::NOTHING;
use super::film::Picture;
use super::look::distinct;
use super::ramp::{Legend, Ramp};
use super::scale::numbers_between;
use super::{Rendered, View};
use crate::number::digits;

/// World normals on the side that is seen: `(n + 1) / 2` as red, green, blue.
pub fn normal(view: &View<'_>) -> Rendered {
    coloured(view, |hit, along| {
        let seen = if hit.normal.dot(along) > 0.0 { -hit.normal } else { hit.normal };
        seen.to_array().map(|c| ((0.5 + 0.5 * c) * 255.0).round() as u8)
    })
}

/// A colour an instance, darker where it is seen from the side; in a scene of one instance, a colour a triangle.
pub fn id(view: &View<'_>) -> Rendered {
    let single = view.scene.iter().count() == 1;
    coloured(view, |hit, along| {
        let base = distinct(if single { hit.prim } else { hit.instance.slot() });
        let facing = hit.normal.dot(along.normalize()).abs() as f32;
        (base * (0.55 + 0.45 * facing) * 255.0).to_array().map(|c| c as u8)
    })
}

fn coloured(view: &View<'_>, colour: impl Fn(&Hit, hitscan::glam::DVec3) -> [u8; 3] + Sync) -> Rendered {
    let (pixels, depth) = view
        .each_pixel(|_, ray| {
            let hit = ray.and_then(|ray| Some((view.scene.closest(&ray, &Filter::ALL)?, ray.dir())));
            hit.map_or((NOTHING, f32::INFINITY), |(hit, along)| (colour(&hit, along), hit.t as f32))
        })
        .into_iter()
        .unzip();
    Rendered { picture: Picture { size: view.size, pixels }, depth, rays: view.pixels() as u64 }
}

/// The distance from the eye, near ones bright; the scale is logarithmic between what is nearest and farthest.
pub fn depth(view: &View<'_>) -> Rendered {
    let found = view.each_pixel(|_, ray| {
        let hit = ray.and_then(|ray| view.scene.closest(&ray, &Filter::ALL));
        hit.map_or((f32::INFINITY, f32::INFINITY), |hit| (hit.t as f32, hit.distance as f32))
    });
    let mut seen: Vec<f32> =
        found.iter().map(|&(_, distance)| distance).filter(|d| d.is_finite() && *d > 0.0).collect();
    seen.sort_by(f32::total_cmp);
    // A stray pixel at either end shall not use up the colours.
    let at = |part: f64| seen.get((part * seen.len() as f64) as usize).copied().unwrap_or(1.0);
    let (near, far) = (f64::from(at(0.001)), f64::from(at(0.999)));
    let span = (far / near).ln().max(1e-6);
    let place = |distance: f64| (distance / near).ln() / span;
    let colour = |&(_, distance): &(f32, f32)| {
        if distance.is_finite() {
            Ramp::Distance.at(1.0 - place(f64::from(distance).max(near)))
        } else {
            NOTHING
        }
    };
    let mut picture = Picture { size: view.size, pixels: found.par_iter().map(colour).collect() };
    let numbers = if seen.is_empty() { Vec::new() } else { numbers_between(near, far) };
    let ticks = numbers.into_iter().rev().map(|d| (1.0 - place(d), digits(d))).collect();
    Legend { title: "distance, m".to_owned(), ramp: Ramp::Distance, ticks }.draw(&mut picture);
    let depth = found.into_iter().map(|(t, _)| t).collect();
    Rendered { picture, depth, rays: view.pixels() as u64 }
}

/// The number of crossings along the whole ray.
pub fn hits(view: &View<'_>) -> Rendered {
    let scale = |count: u32| f64::from(1 + count).ln();
    counted(view, "crossings behind each pixel", scale, |ray| {
        let hits = view.scene.all_hits(ray, &Filter::ALL);
        (hits.len() as u32, hits.first().map_or(f32::INFINITY, |hit| hit.t as f32))
    })
}

/// Boxes and triangles that were looked at for the closest hit.
pub fn cost(view: &View<'_>) -> Rendered {
    counted(view, "nodes + triangles looked at", f64::from, |ray| {
        let (hit, cost) = view.scene.closest_cost(ray, &Filter::ALL);
        (cost.nodes + cost.tests, hit.map_or(f32::INFINITY, |hit| hit.t as f32))
    })
}

/// Counts as heat; equal steps of `scale` are equal steps of colour.
fn counted(
    view: &View<'_>,
    title: &str,
    scale: impl Fn(u32) -> f64 + Sync,
    count: impl Fn(&hitscan::Ray) -> (u32, f32) + Sync,
) -> Rendered {
    let found = view.each_pixel(|_, ray| ray.map_or((0, f32::INFINITY), |ray| count(&ray)));
    let mut counts: Vec<u32> = found.iter().map(|&(count, _)| count).collect();
    counts.sort_unstable();
    let most = counts.get(counts.len() * 999 / 1000).copied().unwrap_or(0).max(1);
    let place = |count: u32| scale(count) / scale(most);
    let colour = |&(count, _): &(u32, f32)| if count == 0 { NOTHING } else { Ramp::Heat.at(place(count)) };
    let mut picture = Picture { size: view.size, pixels: found.par_iter().map(colour).collect() };
    let steps = std::iter::successors(Some(1u32), |&n| n.checked_mul(2)).take_while(|&n| n < most);
    let mut ticks: Vec<(f64, String)> = steps.map(|n| (place(n), n.to_string())).collect();
    // A few stray pixels shall not use up the colours: theirs is that of the last number.
    let beyond = if counts.last() > Some(&most) { "+" } else { "" };
    ticks.push((1.0, format!("{most}{beyond}")));
    Legend { title: title.to_owned(), ramp: Ramp::Heat, ticks }.draw(&mut picture);
    let depth = found.into_iter().map(|(_, t)| t).collect();
    Rendered { picture, depth, rays: view.pixels() as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan::glam::DVec3;
    use hitscan::{Camera, Mesh, World};

    #[test]
    fn colours_are_the_answers() {
        let mesh =
            Mesh::new([[-9.0f32, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]], [[0u32, 1, 2]]).unwrap();
        let mut world = World::new();
        world.insert(&mesh);
        let model = hitscan_io::open("builtin:sphere:20").unwrap();
        let camera = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 60.0).unwrap();
        let scene = world.commit();
        let view = View { scene: &scene, model: &model, camera: &camera, up: DVec3::Y, size: [8, 4] };
        let middle = 2 * 8 + 4;
        let rendered = normal(&view);
        assert_eq!(rendered.picture.pixels[middle], [128, 128, 255]);
        assert_eq!((rendered.depth[middle], rendered.rays), (5.0, 32));
        assert_eq!(hits(&view).picture.pixels[middle], Ramp::Heat.at(1.0));
        assert!(depth(&view).depth.iter().all(|&d| d == 5.0 || d == f32::INFINITY));
    }
}
