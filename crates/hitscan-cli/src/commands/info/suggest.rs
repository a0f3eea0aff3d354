//! Commands to paste, each tried on the scene before it is shown.

use hitscan::glam::DVec3;
use hitscan::{Filter, Ray};

use crate::args::Vector;
use crate::number;
use crate::scene::Loaded;
use crate::view::{DEFAULT_SIZE, default_camera};

/// Places tried on each side of the middle, in each of two directions.
const REACH: i32 = 12;

/// Up to three commands; fewer where no simple ray hits anything.
pub fn commands(loaded: &Loaded) -> Vec<String> {
    let scene = quoted(&loaded.name);
    let mut commands = Vec::new();
    if let Some((from, dir)) = ray(loaded) {
        commands.push(format!("hitscan cast {scene} --from {from} --dir {dir}"));
    }
    if let Some([x, y]) = pixel(loaded) {
        commands.push(format!("hitscan pick {scene} --at {x},{y}"));
        commands.push(format!("hitscan render {scene} -o {}", quoted(&picture(&loaded.name))));
    }
    commands
}

/// A ray from outside along -Z, -Y or -X that goes through as much as any of its kind.
fn ray(loaded: &Loaded) -> Option<(String, String)> {
    let (low, high) = loaded.bounds();
    let extent = high - low;
    let step = extent.max_element() / 1e4;
    let mut best: Option<(usize, (String, String))> = None;
    for (axis, dir) in [(2, "0,0,-1"), (1, "0,-1,0"), (0, "-1,0,0")] {
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        for [i, j] in from_the_middle() {
            let mut from = (low + high) * 0.5;
            from[axis] = high[axis] + extent.max_element() * 0.1;
            from[a] += extent[a] * 0.45 * f64::from(i) / f64::from(REACH);
            from[b] += extent[b] * 0.45 * f64::from(j) / f64::from(REACH);
            let from = number::option(from, step);
            // What is asked is what would be pasted, with its few digits.
            let hits = asked(&from, dir).map_or(0, |ray| loaded.scene.all_hits(&ray, &Filter::ALL).len());
            if hits > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((hits, (from, dir.to_owned())));
            }
        }
        if best.is_some() {
            break;
        }
    }
    best.map(|(_, ray)| ray)
}

fn asked(from: &str, dir: &str) -> Option<Ray> {
    let vector = |text: &str| text.parse::<Vector>().map(|v: Vector| v.0).unwrap_or(DVec3::NAN);
    Ray::new(vector(from), vector(dir)).ok()
}

/// The pixel of the default view nearest to its middle that shows something.
fn pixel(loaded: &Loaded) -> Option<[f64; 2]> {
    let [width, height] = DEFAULT_SIZE.map(f64::from);
    let camera = default_camera(loaded, DEFAULT_SIZE).ok()?;
    let pixels = from_the_middle().map(|[i, j]| {
        [(i, width), (j, height)]
            .map(|(at, side)| (side * (0.5 + 0.45 * f64::from(at) / f64::from(REACH))).floor())
    });
    pixels.into_iter().find(|&pixel| {
        camera.ray(pixel, DEFAULT_SIZE).is_ok_and(|ray| loaded.scene.occluded(&ray, &Filter::ALL))
    })
}

/// A grid of steps, nearest to the middle first.
fn from_the_middle() -> impl Iterator<Item = [i32; 2]> {
    let mut steps: Vec<[i32; 2]> =
        (-REACH..=REACH).flat_map(|i| (-REACH..=REACH).map(move |j| [i, j])).collect();
    steps.sort_by_key(|[i, j]| i * i + j * j);
    steps.into_iter()
}

/// The name of a picture of a scene: `kitchen.png` for `models/kitchen.glb`, `sphere.png` for `builtin:sphere:1k`.
fn picture(scene: &str) -> String {
    let name = match scene.strip_prefix("builtin:") {
        Some(name) => name.split(':').next().unwrap_or(name).to_owned(),
        None => std::path::Path::new(scene).file_stem().unwrap_or_default().to_string_lossy().into_owned(),
    };
    format!("{name}.png")
}

/// A word that a POSIX shell takes as it is and the command does not take for an option.
fn quoted(word: &str) -> String {
    let word = if word.starts_with('-') { format!("./{word}") } else { word.to_owned() };
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:@%+=,-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("a/b-1.glb"), "a/b-1.glb");
        assert_eq!(quoted("my part's.glb"), r"'my part'\''s.glb'");
        assert_eq!(quoted("-x.obj"), "./-x.obj");
        assert_eq!(
            (picture("a/b.c.glb"), picture("builtin:sphere:1k")),
            ("b.c.png".into(), "sphere.png".into())
        );
    }
}
