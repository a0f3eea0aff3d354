//! The pictures of the answers.

use std::path::{Path, PathBuf};

use hitscan::Camera;
use hitscan::glam::DVec3;

use super::Range;
use super::questions::{Answer, Mark};
use crate::failure::Failure;
use crate::output::Output;
use crate::picture::{self, Ink, Overlay, Picture, Ramp, Rendered, Shade, View};

/// Width and height of every picture.
pub const SIZE: [u32; 2] = [1280, 720];

/// The lit picture with the shots drawn in.
pub const SHOTS: &str = "shots.png";
/// What the lidar found.
pub const LIDAR: &str = "lidar.png";
/// What the look-out sees.
pub const VIEWSHED: &str = "viewshed.png";

/// The other pictures of the same view.
const SHADES: [(&str, Shade, &str); 3] = [
    ("normals.png", Shade::Normal, "the direction of each surface"),
    ("depth.png", Shade::Depth, "the distance from the eye"),
    ("crossings.png", Shade::Hits, "how many surfaces lie behind each pixel"),
];

/// A colour for each question.
const COLOURS: [[u8; 3]; 12] = [
    [232, 62, 52],
    [255, 40, 120],
    [250, 214, 60],
    [64, 190, 88],
    [20, 160, 160],
    [38, 110, 230],
    [245, 140, 30],
    [150, 70, 210],
    [80, 90, 104],
    [22, 140, 220],
    [168, 112, 52],
    [226, 44, 52],
];

/// Draws and writes all pictures; gives their names, each with what it shows.
pub fn write_all(
    range: &Range,
    answers: &[Answer],
    folder: &Path,
) -> Result<Vec<(PathBuf, &'static str)>, Failure> {
    let camera = range.camera()?;
    let view =
        View { scene: &range.now.scene, model: &range.now.model, camera: &camera, up: DVec3::Y, size: SIZE };
    let mut pictures = vec![(SHOTS, "the range, with every question drawn in", shots(&view, answers))];
    for (name, shade, what) in SHADES {
        pictures.push((name, what, picture::render(&view, shade).picture));
    }
    pictures.push((LIDAR, "the points that the lidar found", echoes(answers)?));

    let viewsheds = answers.iter().filter_map(|answer| answer.drawn.clone());
    pictures.extend(viewsheds.map(|picture| (VIEWSHED, "what the look-out sees, from above", picture)));

    let mut written = Vec::new();
    for (name, what, picture) in pictures {
        let path = folder.join(name);
        let mut output = Output::create(Some(&path.to_string_lossy()), &[], true)?;
        picture.write(&mut output)?;
        output.finish()?;
        written.push((path, what));
    }
    Ok(written)
}

/// The names of the pictures, one a line.
pub fn list(written: &[(PathBuf, &'static str)]) -> String {
    let names: Vec<String> = written.iter().map(|(path, _)| path.display().to_string()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    names.iter().zip(written).map(|(name, (_, what))| format!("{name:<width$}  {what}\n")).collect()
}

fn shots(view: &View<'_>, answers: &[Answer]) -> Picture {
    let Rendered { mut picture, depth, .. } = picture::render(view, Shade::Lit);
    let mut overlay = Overlay { picture: &mut picture, depth: &depth, camera: view.camera };
    let marks = || {
        answers.iter().zip(COLOURS).flat_map(|(answer, colour)| answer.marks.iter().map(move |m| (m, colour)))
    };
    // Lines below dots below numbers.
    for (mark, colour) in marks() {
        if let Mark::Line(from, to) = *mark {
            overlay.line(from, to, Ink { colour, width: 3.0 });
        }
    }
    for (mark, colour) in marks() {
        match *mark {
            Mark::Entry(at) => overlay.mark(at, colour, 4.5, false),
            Mark::Exit(at) => overlay.mark(at, colour, 4.5, true),
            Mark::CrossHair(at) => overlay.cross_hair(at, colour),
            Mark::Line(..) | Mark::Number(..) | Mark::Echo(_) => {}
        }
    }
    for ((answer, colour), number) in answers.iter().zip(COLOURS).zip(1..) {
        for mark in &answer.marks {
            if let Mark::Number(at, offset) = *mark {
                overlay.badge(at, offset, &number.to_string(), colour);
            }
        }
    }
    picture
}

/// The points that the lidar found, seen from higher up, by their height.
fn echoes(answers: &[Answer]) -> Result<Picture, Failure> {
    let camera = Camera::look_at([-7.0, 8.5, 15.0], [2.6, -0.4, -2.6], [0.0, 1.0, 0.0], 36.0)
        .map_err(|error| Failure::new("demo", error))?;
    let pixels = (SIZE[0] * SIZE[1]) as usize;
    let mut picture = Picture { size: SIZE, pixels: vec![[12, 14, 20]; pixels] };
    // The nearest point of each pixel, and of the one to its right and below, so that points have a size.
    let mut nearest = vec![f64::INFINITY; pixels];
    for mark in answers.iter().flat_map(|answer| &answer.marks) {
        let Mark::Echo(at) = *mark else { continue };
        let Some(([x, y], depth)) = camera.project(at, SIZE) else { continue };
        let colour = Ramp::Distance.at(0.30 + at.y / 4.2);
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let (x, y) = (x as i64 + dx, y as i64 + dy);
            if !(0..i64::from(SIZE[0])).contains(&x) || !(0..i64::from(SIZE[1])).contains(&y) {
                continue;
            }
            let pixel = (y * i64::from(SIZE[0]) + x) as usize;
            if depth < nearest[pixel] {
                nearest[pixel] = depth;
                picture.pixels[pixel] = colour;
            }
        }
    }
    Ok(picture)
}
