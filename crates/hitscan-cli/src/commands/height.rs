//! `height`: how high the ground is at a place, by a ray straight down.

use hitscan::glam::DVec3;
use hitscan::{Filter, Hit, Ray, RayError, Scene};
use serde::Serialize;

use crate::args::{Axis, Pair, SceneArg};
use crate::failure::Failure;
use crate::number::metres;
use crate::output::print;
use crate::report::{self, HitRecord};
use crate::scene::Loaded;
use crate::table::printable;

/// Options of `height`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan height builtin:terrain --at 12,-30
  hitscan height house.glb --at 1,2,1.8          below a walker's head, not on the roof
  hitscan height survey.obj --at 10,20 --up +Z

A,B are the two axes that are not up, in the order x, y, z.")]
pub struct Args {
    #[command(flatten)]
    scene: SceneArg,
    /// The place, and the height at which to begin [default: above everything]
    #[arg(long, value_name = "A,B[,H]", allow_hyphen_values = true, value_parser = crate::args::ground)]
    at: Pair,
    /// Which way is up [default: +Z for a GeoTIFF, else +Y]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    up: Option<Axis>,
    /// Every digit, as JSON
    #[arg(long)]
    json: bool,
}

/// Answers.
pub fn run(args: &Args) -> Result<(), Failure> {
    let loaded = Loaded::open(&args.scene)?;
    let up = args.up.unwrap_or(Axis { index: loaded.model.up.axis(), sign: 1.0 });
    let found = ground(&loaded.scene, args.at, up).map_err(|error| Failure::new("--at", error))?;
    let height = found.map(|hit| hit.position[up.index] * up.sign);
    if args.json {
        #[derive(Serialize)]
        struct Answer<'a> {
            height: Option<f64>,
            hit: Option<HitRecord<'a>>,
        }
        let hit = found.as_ref().map(|hit| HitRecord::new(&loaded, hit, None));
        return report::json(&Answer { height, hit });
    }
    match (height, found) {
        (Some(height), Some(hit)) => {
            let object = printable(&loaded.object(hit.instance));
            print(&format!("{} on {object}, triangle {}\n", metres(height), hit.prim))
        }
        _ => print("miss: there is no ground\n"),
    }
}

/// The topmost surface at a place, or the first one at or below its third number.
pub fn ground(scene: &Scene, at: Pair, up: Axis) -> Result<Option<Hit>, RayError> {
    let (low, high) = scene.bounds().unwrap_or_default();
    let mut origin = DVec3::ZERO;
    for (axis, value) in up.ground().into_iter().zip(at.pair) {
        origin[axis] = value;
    }
    origin[up.index] = match at.third {
        Some(height) => height * up.sign,
        // As far above the scene as the scene is high, so that rounding cannot put it below the top.
        None => {
            let top = if up.sign > 0.0 { high } else { low }[up.index];
            let extent = (high - low).max_element();
            top + up.sign * extent
        }
    };
    Ok(scene.closest(&Ray::new(origin, -up.vector())?, &Filter::ALL))
}
