//! `height`: how high the ground is at a place, by a ray straight down.

mod places;

use hitscan::glam::DVec3;
use hitscan::{Buffer, Filter, Hit, Plumb, RayError, SignedAxis};
use serde::Serialize;

use crate::args::{AXES, Place, Places, SceneArg, words};
use crate::failure::Failure;
use crate::number::metres;
use crate::output::{Output, STANDARD_STREAM, refuse_other_formats};
use crate::report::{HitRecord, json_text};
use crate::scene::Loaded;
use crate::table::printable;

/// Options of `height`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan height builtin:terrain --at 12,-30
  hitscan height house.glb --at 1,2,1.8           below a head, not on the roof
  hitscan height survey.tif --at 431250.5,5811902
  hitscan height part.obj --at places.csv -o heights.csv --up +Z

A,B are the coordinates along the two axes that are not up, in the order of the \
alphabet: X,Z where +Y is up, X,Y where +Z is. H is a height: the answer is the \
first surface at it or below it. Heights are told along the axis that is up.

A file of places is CSV with the columns a,b, or with the names of the two axes \
(x,z where +Y is up), and perhaps h; others are ignored, an empty h asks from \
above. The answer has one row for each: row,height,x,y,z,mesh,instance,prim and \
the normal nx,ny,nz. Where there is no ground, prim is -1 and the rest is empty.")]
pub struct Args {
    #[command(flatten)]
    scene: SceneArg,
    /// The place, and the height to begin at [default: above all]; or a CSV file
    /// of places, or - for standard input
    #[arg(long, value_name = "A,B[,H]|FILE", allow_hyphen_values = true)]
    at: Places,
    /// Which way is up: +X, -X, +Y, -Y, +Z or -Z [default: +Z for a GeoTIFF, else +Y]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, hide_possible_values = true)]
    #[arg(value_parser = words(str::parse::<SignedAxis>, AXES))]
    up: Option<SignedAxis>,
    /// Every digit, as JSON
    #[arg(long)]
    json: bool,
    /// Write to FILE, complete or not at all [default: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    #[arg(value_parser = crate::args::file_name)]
    output: Option<String>,
    /// Refuse to replace a file that exists
    #[arg(long, requires = "output")]
    no_clobber: bool,
}

/// Answers.
pub fn run(args: &Args) -> Result<(), Failure> {
    let mut inputs = vec![args.scene.scene.as_str()];
    if let Places::File(file) = &args.at {
        if args.json {
            return Err(Failure::usage(
                "--json",
                "a file of places is answered as csv; expected one place with it",
            ));
        }
        inputs.push(file);
    }
    if let Places::One(place) = &args.at {
        place.check("--at")?;
    }
    // First what may fail, before anybody waits.
    let mut output = Output::create(args.output.as_deref(), &inputs, !args.no_clobber)?;
    let (written, what) = match &args.at {
        Places::File(_) => {
            ("csv", "the heights of a file of places are written as csv; expected a name that ends in .csv")
        }
        Places::One(_) if args.json => {
            ("json", "the height of one place is written as json; expected a name that ends in .json")
        }
        Places::One(_) => (
            "txt",
            "the height of one place is written as text; expected a name that ends in .txt, or --json and .json",
        ),
    };
    refuse_other_formats(args.output.as_deref().unwrap_or(STANDARD_STREAM), written, what)?;
    match &args.at {
        Places::One(place) => {
            let loaded = Loaded::open(&args.scene)?;
            output.spare(&loaded.model.files)?;
            let ground = Ground::new(&loaded, args.up);
            output.write(one(&ground, *place, args.json)?.as_bytes())?;
        }
        Places::File(file) => {
            if file == "-" && args.scene.scene == "-" {
                return Err(Failure::usage(
                    "--at",
                    "standard input is the scene already; expected a file for one of them",
                ));
            }
            let up = args.up;
            places::answer(file, || Loaded::open(&args.scene), up, &mut output)?;
        }
    }
    output.finish()
}

/// The answer for one place.
fn one(ground: &Ground<'_>, place: Place, json: bool) -> Result<String, Failure> {
    let loaded = ground.loaded;
    let found = ground.below(place).map_err(|error| Failure::new("--at", error))?;
    let height = found.map(|hit| ground.height(&hit));
    if json {
        #[derive(Serialize)]
        struct Answer<'a> {
            height: Option<f64>,
            hit: Option<HitRecord<'a>>,
        }
        return json_text(&Answer {
            height,
            hit: found.as_ref().map(|hit| HitRecord::new(loaded, hit, None)),
        });
    }
    Ok(match (height, found) {
        (Some(height), Some(hit)) => {
            let object = printable(&loaded.object(hit.instance));
            format!("{} on {object}, triangle {}\n", metres(height), hit.prim)
        }
        _ => {
            format!("miss: there is no ground at {place}; the scene fills {}\n", loaded.extent())
        }
    })
}

/// Who answers how high the ground is.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    loaded: &'a Loaded,
    plumb: Plumb,
}

impl<'a> Ground<'a> {
    /// The ground of a scene; `up` where it is not the scene's own.
    pub fn new(loaded: &'a Loaded, up: Option<SignedAxis>) -> Ground<'a> {
        Ground { loaded, plumb: loaded.scene.plumb(up.unwrap_or(loaded.up_axis())) }
    }

    /// The unit vector upwards.
    pub fn up(&self) -> DVec3 {
        self.plumb.up().vector()
    }

    /// The two axes of places.
    pub fn axes(&self) -> [usize; 2] {
        self.plumb.up().others()
    }

    /// The topmost surface at a place; where the place has a height, the first one at it or below it.
    pub fn below(&self, Place { at, height }: Place) -> Result<Option<Hit>, RayError> {
        let fall = self.plumb.fall(at, height)?;
        Ok(self.loaded.scene.ground(&fall, &Filter::ALL, &mut Buffer::new()))
    }

    /// The height of a hit.
    pub fn height(&self, hit: &Hit) -> f64 {
        self.plumb.height(hit)
    }
}
