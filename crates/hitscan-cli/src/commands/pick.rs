//! `pick`: the object under a pixel.

use hitscan::Filter;

use crate::args::{FormatArgs, SceneArg};
use crate::failure::Failure;
use crate::report;
use crate::scene::Loaded;
use crate::view::ViewArgs;

/// Options of `pick`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan pick builtin:sphere --at 640,360
  hitscan pick part.glb --at 12.5,80 --size 640x480 --eye 0,2,9 --look 0,1,0

Pixel 0,0 is top left; its centre is 0.5,0.5. Without a camera the view is the \
one that render takes.")]
pub struct Args {
    #[command(flatten)]
    scene: SceneArg,
    /// The pixel, whole or not: 0.5,0.5 is the centre of the first one
    #[arg(long, value_name = "PX,PY", allow_hyphen_values = true, value_parser = crate::args::pixel)]
    at: [f64; 2],
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    view: ViewArgs,
}

/// Answers.
pub fn run(args: &Args) -> Result<(), Failure> {
    let ([x, y], [width, height]) = (args.at, args.view.size.0);
    if !((0.0..=f64::from(width)).contains(&x) && (0.0..=f64::from(height)).contains(&y)) {
        let picture =
            format_args!("the picture of {width}x{height}; expected 0 to {width} and 0 to {height}");
        return Err(Failure::usage("--at", format_args!("{x},{y} lies outside {picture}")));
    }
    let loaded = Loaded::open(&args.scene)?;
    let camera = args.view.camera(&loaded)?;
    let ray = camera.ray(args.at, args.view.size.0).map_err(|error| Failure::new("--at", error))?;
    let hit = loaded.scene.closest(&ray, &Filter::ALL);
    report::hits(&loaded, &ray, hit.as_slice(), args.format.get())
}
