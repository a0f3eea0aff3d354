//! `sight`: whether one point can be seen from another.

use hitscan::{Filter, Ray};
use serde::Serialize;

use crate::aim;
use crate::args::{SceneArg, Vector};
use crate::failure::Failure;
use crate::number::{metres, point};
use crate::output::print;
use crate::report::{self, HitRecord};
use crate::scene::Loaded;

/// Options of `sight`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan sight builtin:sphere --from 0,0,5 --to 0,0,-5
  hitscan sight town.glb --from -3,1.7,0 --to 40,1.7,2 --json

Both ends belong to the line: a point exactly on a surface is blocked by it. \
The exit status is 0 either way.")]
pub struct Args {
    #[command(flatten)]
    scene: SceneArg,
    /// The eye
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    from: Vector,
    /// What it looks at
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    to: Vector,
    /// Every digit, as JSON
    #[arg(long)]
    json: bool,
}

/// Answers.
pub fn run(args: &Args) -> Result<(), Failure> {
    let (from, to) = (args.from.0, args.to.0);
    let ray = Ray::between(from, to).map_err(|error| aim::failure(error, "--to"))?;
    let loaded = Loaded::open(&args.scene)?;
    let hit = loaded.scene.closest(&ray, &Filter::ALL);
    if args.json {
        #[derive(Serialize)]
        struct Answer<'a> {
            visible: bool,
            blocked_by: Option<HitRecord<'a>>,
        }
        let blocked_by = hit.as_ref().map(|hit| HitRecord::new(&loaded, hit, None));
        return report::json(&Answer { visible: hit.is_none(), blocked_by });
    }
    match hit {
        None => print(&format!("visible: {} of free sight\n", metres(from.distance(to)))),
        Some(hit) => print(&format!(
            "blocked by {} at {}, {} from the eye, {} before the target\n",
            crate::table::printable(&loaded.object(hit.instance)),
            point(hit.position),
            metres(hit.distance),
            metres(to.distance(hit.position)),
        )),
    }
}
