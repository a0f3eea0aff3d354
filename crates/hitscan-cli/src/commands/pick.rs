//! `pick`: the object under a pixel.

use hitscan::{Filter, Hit};
use serde::Serialize;

use crate::args::{Format, FormatArgs, Mode, SceneArg};
use crate::failure::Failure;
use crate::number::{digits, exact};
use crate::output::print;
use crate::rays::answers::{Answer, Asked};
use crate::rays::cell::Cell;
use crate::rays::columns::Column;
use crate::rays::write::csv;
use crate::report::{self, HitRecord, Miss, Question, RayRecord};
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
one that render takes.

With --radius, pixel and pixels_away (pixel_x, pixel_y and pixels_away in csv) tell \
where what was taken is drawn, and how far from PX,PY. A miss is a row of csv and \
jsonl too: t is inf or null, prim is -1.")]
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
    if !(x.is_finite() && y.is_finite()) {
        let what = format_args!("{},{} is not finite; a pixel needs finite numbers", exact(x), exact(y));
        return Err(Failure::new("--at", what));
    }
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
    let (ray, hit, near) = match near {
        Some(picked) => {
            let ray = camera.ray(picked.pixel, args.view.size.0);
            let ray = ray.map_err(|error| Failure::new("--at", error))?;
            let near = Near { pixel: Some(picked.pixel), pixels_away: Some(picked.distance) };
            (ray, Some(picked.hit), near)
        }
        None => {
            let here = under.map(|_| (args.at, 0.0));
            let near = Near { pixel: here.map(|(at, _)| at), pixels_away: here.map(|(_, away)| away) };
            (*aim.ray(), under, near)
        }
    };
    let words = report::computed(&loaded, &ray);
    let question = Question { ray: &ray, words: &words };
    let format = args.format.get();
    if args.radius == 0.0 {
        return report::closest(&loaded, question, hit.as_ref(), format);
    }
    let record = || hit.as_ref().map(|hit| HitRecord::new(&loaded, hit, None));
    match format {
        Format::Table => {
            report::closest(&loaded, question, hit.as_ref(), Format::Table)?;
            match near.pixels_away {
                Some(away) if away > 0.0 => {
                    print(&format!("{} pixels from {},{}\n", digits(away), exact(x), exact(y)))
                }
                _ => Ok(()),
            }
        }
        Format::Csv => print(&near.csv(&loaded, hit.as_ref())),
        Format::Json => {
            #[derive(Serialize)]
            struct Answer<'a> {
                #[serde(flatten)]
                near: Near,
                ray: RayRecord,
                hits: Vec<HitRecord<'a>>,
            }
            report::json(&Answer { near, ray: (&ray).into(), hits: record().into_iter().collect() })
        }
        Format::JsonLines => {
            #[derive(Serialize)]
            struct Line<H> {
                #[serde(flatten)]
                hit: H,
                #[serde(flatten)]
                near: Near,
            }
            print(&match record() {
                Some(hit) => report::line(&Line { hit, near }),
                None => report::line(&Line { hit: Miss::new(), near }),
            })
        }
    }
}

/// Where what was picked is drawn; nothing of a miss.
#[derive(Clone, Copy, Debug, Serialize)]
struct Near {
    pixel: Option<[f64; 2]>,
    pixels_away: Option<f64>,
}

impl Near {
    /// The answer as CSV, with columns of its own behind those of a hit.
    fn csv(&self, loaded: &Loaded, hit: Option<&Hit>) -> String {
        let columns = Column::of(Asked::Hits(Mode::Closest));
        let names = columns.iter().map(|column| column.name());
        let names = names.chain(["pixel_x", "pixel_y", "pixels_away"]).map(Cell::Text);
        let pixel = self.pixel.map_or([None; 2], |pixel| pixel.map(Some));
        let near = pixel.into_iter().chain([self.pixels_away]);
        let near = near.map(|number| number.map_or(Cell::Missing, Cell::Float));
        let answer = hit.map_or(Answer::Miss, Answer::Hit);
        let mut text = Vec::new();
        csv::row(names, &mut text);
        csv::row(columns.iter().map(|column| column.cell(0, answer, loaded)).chain(near), &mut text);
        String::from_utf8_lossy(&text).into_owned()
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
