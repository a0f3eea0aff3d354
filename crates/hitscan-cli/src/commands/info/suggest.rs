//! Commands to paste, each tried on the scene before it is shown.

use std::path::Path;

use hitscan::glam::DVec3;
use hitscan::{Filter, Ray};

use crate::args::{Places, Vector};
use crate::commands::height::Ground;
use crate::number;
use crate::output::STANDARD_STREAM;
use crate::scene::Loaded;
use crate::view::{DEFAULT_SIZE, default_camera};

/// Places tried on each side of the middle, in each of two directions.
const REACH: i32 = 12;

/// Three questions, each of which hits, and a picture; fewer where no simple question does.
pub fn commands(loaded: &Loaded) -> Vec<String> {
    let Some(scene) = words(loaded) else { return Vec::new() };
    let mut commands = Vec::new();
    if let Some((from, dir)) = ray(loaded) {
        commands.push(format!("hitscan cast {scene} --from {from} --dir {dir}"));
    }
    if let Some([x, y]) = pixel(loaded) {
        commands.push(format!("hitscan pick {scene} --at {x},{y}"));
    }
    if let Some(at) = place(loaded) {
        commands.push(format!("hitscan height {scene} --at {at}"));
    }
    // A scene of which no pixel shows anything makes a dull picture.
    if commands.len() > 1 {
        commands.push(format!("hitscan render {scene} -o {}", quoted(&picture(&loaded.name))));
    }
    commands
}

/// The scene in the words of a command line. What came through a pipe has none, and a name that would move the cursor
/// of a terminal is not shown.
fn words(loaded: &Loaded) -> Option<String> {
    let nameless = loaded.name == STANDARD_STREAM || loaded.name.contains(char::is_control);
    let options = loaded.reading.words();
    (!nameless).then(|| [vec![quoted(&loaded.name)], options].concat().join(" "))
}

/// The place nearest to the middle that has ground.
fn place(loaded: &Loaded) -> Option<String> {
    let ground = Ground::new(loaded, None);
    let (low, high) = loaded.bounds();
    let extent = high - low;
    let step = extent.max_element() / 1e4;
    let [a, b] = ground.axes();
    let middle = (low + high) * 0.5;
    let places = from_the_middle().map(|[i, j]| {
        let at = [(a, i), (b, j)]
            .map(|(axis, steps)| middle[axis] + extent[axis] * 0.45 * f64::from(steps) / f64::from(REACH));
        number::option(&at, step)
    });
    // What is asked is what would be pasted.
    places.into_iter().find(|text| match text.parse::<Places>() {
        Ok(Places::One(place)) => ground.below(place).is_ok_and(|hit| hit.is_some()),
        _ => false,
    })
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
            let from = number::option(&from.to_array(), step);
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
    if let Some(name) = scene.strip_prefix("builtin:") {
        return format!("{}.png", name.split(':').next().unwrap_or(name));
    }
    let path = Path::new(scene);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    // Not the name of the heightmap itself.
    let is_png = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    format!("{stem}{}.png", if is_png { "-view" } else { "" })
}

/// The name of a file that a POSIX shell takes as it is and the command does not take for an option.
fn quoted(name: &str) -> String {
    let word = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
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
    }

    #[test]
    fn pictures_have_names_of_their_own() {
        let names = ["a/b.c.glb", "builtin:sphere:1k", "map.PNG", "-x.obj"].map(picture);
        assert_eq!(names, ["b.c.png", "sphere.png", "map-view.png", "-x.png"]);
    }
}
