//! `pick`: the object under a pixel.

use hitscan::Filter;
use serde::Serialize;

use crate::args::{Format, FormatArgs, SceneArg};
use crate::failure::Failure;
use crate::number::{digits, exact};
use crate::output::print;
use crate::report::{self, HitRecord, RayRecord};
use crate::scene::Loaded;
use crate::view::ViewArgs;

/// Options of `pick`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan pick builtin:sphere --at 640,360
  hitscan pick part.glb --at 12.5,80 --size 640x480 --eye 0,2,9 --look 0,1,0
  hitscan pick fence.obj --at 640,360 --radius 8

Pixel 0,0 is top left; its centre is 0.5,0.5. Without a camera the view is the \
one that render takes.")]
pub struct Args {
    #[command(flatten)]
    scene: SceneArg,
    /// The pixel, whole or not: 0.5,0.5 is the centre of the first one
    #[arg(long, value_name = "PX,PY", allow_hyphen_values = true, value_parser = crate::args::pixel)]
    at: [f64; 2],
    /// Where nothing is under the pixel, take the visible thing that is drawn
    /// nearest to it, up to so many pixels away
    #[arg(long, value_name = "PX", allow_hyphen_values = true, value_parser = radius)]
    #[arg(default_value = "0", hide_default_value = true)]
    radius: f64,
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
        return Err(Failure::usage("--at", format_args!("{},{} lies outside {picture}", exact(x), exact(y))));
    }
    let loaded = Loaded::open(&args.scene)?;
    let camera = args.view.camera(&loaded)?;
    let aim = camera.view(args.view.size.0).and_then(|view| view.aim(args.at, args.radius));
    let aim = aim.map_err(|error| Failure::new("--at", error))?;
    let under = loaded.scene.closest(aim.ray(), &Filter::ALL);
    let near = if under.is_none() { loaded.scene.pick(&aim, &Filter::ALL) } else { None };
    let Some(picked) = near else {
        return report::hits(&loaded, aim.ray(), under.as_slice(), args.format.get());
    };
    let ray = camera.ray(picked.pixel, args.view.size.0).map_err(|error| Failure::new("--at", error))?;
    match args.format.get() {
        Format::Json => {
            #[derive(Serialize)]
            struct Answer<'a> {
                pixel: [f64; 2],
                pixels_away: f64,
                ray: RayRecord,
                hits: [HitRecord<'a>; 1],
            }
            let hits = [HitRecord::new(&loaded, &picked.hit, None)];
            let (pixel, pixels_away) = (picked.pixel, picked.distance);
            report::json(&Answer { pixel, pixels_away, ray: (&ray).into(), hits })
        }
        Format::Table => {
            report::hits(&loaded, &ray, &[picked.hit], Format::Table)?;
            print(&format!("{} pixels from {},{}\n", digits(picked.distance), exact(x), exact(y)))
        }
        format => report::hits(&loaded, &ray, &[picked.hit], format),
    }
}

/// A distance in pixels.
fn radius(text: &str) -> Result<f64, String> {
    let radius = crate::args::number(text)?;
    if radius >= 0.0 && radius.is_finite() {
        Ok(radius)
    } else {
        Err(format!("'{text}' is no radius; expected pixels from 0 on"))
    }
}
