//! The pictures of docs/algorithms.md: each asks the library a question and draws what it answers.

mod canvas;
mod grid;
mod pick;
mod solids;
mod spheres;
mod triangles;

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

type Drawn = Result<canvas::Canvas, Box<dyn Error>>;

/// Where the pictures are kept.
const HOME: &str = "docs/figures";

/// One picture.
struct Figure {
    /// The file's name.
    name: &'static str,
    /// For those who cannot see it.
    title: &'static str,
    draw: fn() -> Drawn,
}

const fn figure(name: &'static str, title: &'static str, draw: fn() -> Drawn) -> Figure {
    Figure { name, title, draw }
}

/// All pictures.
const FIGURES: [Figure; 13] = [
    figure(
        "ray-triangle",
        "A ray crosses a triangle; u and v run along two of its edges",
        triangles::ray_triangle,
    ),
    figure(
        "collision-matrix",
        "Two ends of a segment in the axes of a triangle",
        triangles::collision_matrix,
    ),
    figure(
        "angle-sum",
        "The angles between three corners, seen from inside, from outside",
        triangles::angle_sum,
    ),
    figure(
        "crossing-count",
        "A half-line from a point crosses a triangle's outline",
        triangles::crossing_count,
    ),
    figure("ray-plane", "Rays that cross a plane, end before it, and run beside it", solids::ray_plane),
    figure("ray-aabb", "A line enters three slabs and leaves them", solids::ray_aabb),
    figure("ray-obb", "A line through a turned box", solids::ray_obb),
    figure(
        "ray-convex",
        "A line through a convex hull, with the faces of entry and exit",
        solids::ray_convex,
    ),
    figure("ray-sphere", "Lines that miss, touch and pierce a sphere", spheres::ray_sphere),
    figure(
        "sphere-triangle",
        "Spheres that touch a corner, an edge, a face, and nothing",
        spheres::sphere_triangle,
    ),
    figure("jordan", "Crossings above points inside and outside of a concave solid", grid::jordan),
    figure("grid-dda", "A ray marches through cells that are outside, inside or unknown", grid::march),
    figure("pick", "A cursor, the viewport, and the ray between the near and the far plane", pick::pick),
];

/// Writes all pictures; or, to verify, names the first that is not what would be written.
pub fn make(verify: bool) -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the repository has no root")?;
    let home = root.join(HOME);
    let mut bytes = 0;
    for Figure { name, title, draw } in FIGURES {
        let path = home.join(name).with_extension("svg");
        let svg = draw().map_err(|error| format!("{HOME}/{name}.svg: {error}"))?.svg(title);
        bytes += svg.len();
        if !verify {
            fs::create_dir_all(&home)
                .and_then(|()| fs::write(&path, svg))
                .map_err(|error| format!("{}: {error}", path.display()))?;
        } else if fs::read_to_string(&path).ok().as_ref() != Some(&svg) {
            return Err(format!("{HOME}/{name}.svg is out of date; run cargo xtask figures"));
        }
    }
    let mut report = String::new();
    let done = if verify { "up to date" } else { "drawn" };
    let _ = writeln!(report, "figures {done}: {} in {HOME}, {bytes} bytes", FIGURES.len());
    Ok(report)
}
