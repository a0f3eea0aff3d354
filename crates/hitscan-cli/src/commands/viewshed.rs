//! `viewshed`: which ground can be seen from a point.

mod bend;
mod gdal;
pub mod map;
pub mod see;

pub use gdal::spelled_out;

use std::path::Path;

use hitscan::SignedAxis;
use hitscan::glam::DVec3;
use hitscan_io::Raster;
use serde::Serialize;

use super::height::Ground;
use crate::args::{AXES, Common, Place, check_height, words};
use crate::failure::Failure;
use crate::number::{count, digits, exact, metres};
use crate::output::{Output, print};
use crate::progress::Progress;
use crate::report;
use crate::scene::Loaded;
use crate::table::printable;
use see::{Cell, End, Seen};

/// Options of `viewshed`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan viewshed builtin:terrain --at 12,-30 -o seen.png
  hitscan viewshed survey.tif -ox 431250 -oy 5811902 -md 5000 -o seen.tif
  hitscan viewshed house.glb --at 2,3 --from-height 1.6 --cell 0.05 -o seen.png

The options have the names of gdal_viewshed too, as in the second example.

Of a heightmap, each sample is a cell of the answer; other scenes get cells of --cell over all that they cover. \
The target of a cell stands on the topmost surface at its middle, --to-height above it, and the eye likewise. It \
is seen where nothing is hit on the line from the eye to it, short of its end. What one of the two stands on does \
not hide it: triangles nearer to it than a ray can tell, 2^-21 of the largest coordinate of their mesh, which meet \
the line nowhere else. So the ground is judged as it is, without smoothing and without a margin. With a \
height below 0 the eye or the target is under the ground, which hides it from above.

A GeoTIFF has a byte for each cell and the georeference of the heightmap; of other scenes its coordinates are those \
of the scene. A PNG is a picture of the relief. The world is flat unless --curvature is given; GDAL takes 0.85714 by \
default, which is 1 less a seventh for the bending of light. Then each vertex sinks by C d^2 / (2 R), at the distance \
d from the eye over the ground, with R = 6,378,137 m. GDAL's other modes of output, DEM, GROUND and ACCUM, and its \
limits of angle and pitch are not there.")]
pub struct Args {
    /// A scene's file, - for standard input, or builtin:NAME[:SIZE]
    #[arg(value_name = "SCENE", value_hint = clap::ValueHint::FilePath)]
    #[arg(value_parser = crate::args::file_name)]
    scene: String,
    /// Where the eye stands, along the two axes that are not up
    #[arg(long, value_name = "A,B", allow_hyphen_values = true, value_parser = crate::args::place)]
    #[arg(required_unless_present = "ox", conflicts_with_all = ["ox", "oy"])]
    at: Option<[f64; 2]>,
    /// Its first coordinate, as gdal_viewshed has it: -ox too
    #[arg(long, value_name = "A", allow_hyphen_values = true, requires = "oy")]
    #[arg(value_parser = crate::args::number)]
    ox: Option<f64>,
    /// Its second coordinate: -oy too
    #[arg(long, value_name = "B", allow_hyphen_values = true, requires = "ox")]
    #[arg(value_parser = crate::args::number)]
    oy: Option<f64>,
    /// So high above the ground is the eye: -oz too
    #[arg(long, alias = "oz", value_name = "H", default_value = "2", allow_hyphen_values = true)]
    #[arg(value_parser = crate::args::number)]
    from_height: f64,
    /// So high above the ground is each target: -tz too
    #[arg(long, alias = "tz", value_name = "H", default_value = "0", allow_hyphen_values = true)]
    #[arg(value_parser = crate::args::number)]
    to_height: f64,
    /// Cells farther away over the ground are out of range: -md too [default: 0, no limit]
    #[arg(long, alias = "md", value_name = "D", default_value = "0", hide_default_value = true)]
    #[arg(allow_hyphen_values = true, value_parser = distance)]
    max_distance: f64,
    /// How far the earth's curvature counts, 0 to 1: -cc too
    #[arg(long, alias = "cc", value_name = "C", default_value = "0", allow_hyphen_values = true)]
    #[arg(value_parser = curvature)]
    curvature: f64,
    /// Which way is up: +X, -X, +Y, -Y, +Z or -Z [default: +Z for a GeoTIFF, else +Y]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, hide_possible_values = true)]
    #[arg(value_parser = words(str::parse::<SignedAxis>, AXES))]
    up: Option<SignedAxis>,
    /// Write to FILE: a GeoTIFF (.tif .tiff) or a picture (.png) [default: only numbers]
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    #[arg(value_parser = crate::args::file_name)]
    output: Option<String>,
    /// Refuse to replace a file that exists
    #[arg(long, requires = "output")]
    no_clobber: bool,
    /// Every digit of the numbers, as JSON
    #[arg(long)]
    json: bool,
    /// A GeoTIFF's value of cells that are seen: -vv too [default: 255]
    #[arg(long, alias = "vv", value_name = "BYTE", help_heading = "GeoTIFF")]
    #[arg(allow_hyphen_values = true, value_parser = byte)]
    visible: Option<u8>,
    /// Of cells that are hidden: -iv too [default: 0]
    #[arg(long, alias = "iv", value_name = "BYTE", help_heading = "GeoTIFF")]
    #[arg(allow_hyphen_values = true, value_parser = byte)]
    invisible: Option<u8>,
    /// Of cells that are out of range: -ov too [default: 0]
    #[arg(long, alias = "ov", value_name = "BYTE", help_heading = "GeoTIFF")]
    #[arg(allow_hyphen_values = true, value_parser = byte)]
    out_of_range: Option<u8>,
    /// Of cells without ground, told in the file: -a_nodata too [default: as --out-of-range, not told]
    #[arg(long, alias = "a_nodata", value_name = "BYTE", help_heading = "GeoTIFF")]
    #[arg(allow_hyphen_values = true, value_parser = byte)]
    nodata: Option<u8>,
    /// Distance between samples of a heightmap, which a PNG needs, or between cells of another scene
    /// [default: a 512th of the longer side]
    #[arg(long, value_name = "METRES", help_heading = "Cells", allow_hyphen_values = true)]
    #[arg(value_parser = crate::args::cell)]
    cell: Option<f64>,
    /// Use a .hitscan file as memory, hardly checked: nobody may change it
    #[arg(long, help_heading = "Saved scene")]
    trust: bool,
    /// Heights of black and of white; a PNG needs them
    #[arg(long, value_name = "LO,HI", help_heading = "Cells", allow_hyphen_values = true)]
    #[arg(value_parser = crate::args::relief)]
    relief: Option<[f64; 2]>,
}

fn distance(text: &str) -> Result<f64, String> {
    let distance = crate::args::number(text)?;
    // Where it is infinite there is no limit.
    if distance >= 0.0 { Ok(distance) } else { Err(format!("'{text}' is no distance; expected 0 or more")) }
}

fn curvature(text: &str) -> Result<f64, String> {
    let curvature = crate::args::number(text)?;
    let expected = "expected 0 to 1";
    let known = (0.0..=1.0).contains(&curvature);
    if known { Ok(curvature) } else { Err(format!("'{text}' is no share of the curvature; {expected}")) }
}

fn byte(text: &str) -> Result<u8, String> {
    text.trim().parse().map_err(|_| format!("'{text}' is no byte; expected a whole number of 0 to 255"))
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Format {
    GeoTiff,
    Png,
}

impl Format {
    fn of_file(name: &str) -> Result<Format, Failure> {
        let extension = Path::new(name).extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("tif" | "tiff") => Ok(Format::GeoTiff),
            Some("png") => Ok(Format::Png),
            _ => {
                let what = format_args!("the name '{name}' tells no format; expected .png, .tif or .tiff");
                Err(Failure::usage("--output", what))
            }
        }
    }
}

impl Args {
    fn place(&self) -> Result<Place, Failure> {
        let (option, at) = match (self.at, self.ox, self.oy) {
            (Some(at), ..) => ("--at", at),
            (None, Some(a), Some(b)) => ("--ox", [a, b]),
            _ => return Err(Failure::usage("--at", "it is missing; expected --at A,B or -ox A -oy B")),
        };
        let place = Place { at, height: None };
        place.check(option).map(|()| place)
    }

    /// Refuses values of a GeoTIFF where none is written.
    fn refuse_values(&self, format: Option<Format>) -> Result<(), Failure> {
        let given = [
            ("--visible", self.visible),
            ("--invisible", self.invisible),
            ("--out-of-range", self.out_of_range),
            ("--nodata", self.nodata),
        ];
        match given.into_iter().find(|(_, value)| value.is_some()) {
            Some((option, _)) if format != Some(Format::GeoTiff) => {
                Err(Failure::usage(option, "it concerns a GeoTIFF; expected -o FILE.tif with it"))
            }
            _ => Ok(()),
        }
    }

    /// The byte of a cell.
    fn value(&self, cell: Cell) -> u8 {
        let out_of_range = self.out_of_range.unwrap_or(0);
        match cell {
            Cell::Seen => self.visible.unwrap_or(255),
            Cell::Hidden => self.invisible.unwrap_or(0),
            Cell::OutOfRange => out_of_range,
            Cell::NoGround => self.nodata.unwrap_or(out_of_range),
        }
    }
}

/// The longest side of a grid, and the most cells: what a GeoTIFF and memory hold.
const LONGEST_SIDE: f64 = 65_536.0;
const MOST_CELLS: f64 = (1u64 << 26) as f64;

/// Answers.
pub fn run(args: &Args, common: Common) -> Result<(), Failure> {
    let place = args.place()?;
    check_height("--from-height", args.from_height)?;
    check_height("--to-height", args.to_height)?;
    let format = args.output.as_deref().map(Format::of_file).transpose()?;
    args.refuse_values(format)?;
    let mut output = match &args.output {
        Some(name) => Some(Output::create(Some(name), &[&args.scene], !args.no_clobber)?),
        None => None,
    };
    let mut loaded = Loaded::with_cells(&args.scene, args.cell, args.relief, args.trust)?;
    if let Some(output) = &output {
        output.spare(&loaded.model.files)?;
    }
    let raster = raster(args, &loaded)?;
    let up = args.up.unwrap_or(loaded.up_axis());
    if args.curvature > 0.0 {
        loaded = bend::bent(loaded, place, up, args.curvature)?;
    }
    let ground = Ground::new(&loaded, Some(up));
    let eye = End::standing(&ground, place, args.from_height).ok_or_else(|| {
        let expected = format_args!("a place in the scene, which fills {}", loaded.extent());
        Failure::new(
            if args.at.is_some() { "--at" } else { "--ox" },
            format_args!("there is no ground at {place}; expected {expected}"),
        )
    })?;
    let progress = Progress::new(Some(raster.size()[1] as u64), common.quiet);
    let question = see::Question {
        loaded: &loaded,
        ground,
        eye,
        from: place.at,
        to_height: args.to_height,
        limit: args.max_distance,
    };
    let mut seen = question.ask(&raster, &progress);
    drop(progress);
    if args.curvature > 0.0 {
        bend::straighten(&mut seen, &raster, place, up, args.curvature);
    }
    let summary = Summary::new(&seen, &raster, eye.at);
    if let (Some(mut output), Some(format)) = (output.take(), format) {
        match format {
            Format::GeoTiff => {
                let values: Vec<u8> = seen.cells.iter().map(|&cell| args.value(cell)).collect();
                let what =
                    |error| format!("cannot be written as a GeoTIFF ({error}); expected a picture, .png");
                let map = raster.geotiff(&values, args.nodata);
                let map = map.map_err(|error| Failure::new("--output", what(error)))?;
                output.write(&map)?;
            }
            Format::Png => {
                map::draw(&map::Map { seen: &seen, raster: &raster, eye: place.at, limit: args.max_distance })
                    .write(&mut output)?
            }
        }
        output.finish()?;
    }
    if args.json { report::json(&summary) } else { print(&summary.text(&loaded, &eye, args)) }
}

/// The cells of the answer: those of the heightmap, or some over all ground.
fn raster(args: &Args, loaded: &Loaded) -> Result<Raster, Failure> {
    let own = loaded.up_axis();
    let up = args.up.unwrap_or(own);
    if let Some(raster) = loaded.model.raster.as_ref().filter(|_| up == own) {
        if args.cell.is_some() && hitscan_io::is_saved(&loaded.name) {
            let what = "has the grid of the heightmap that it was built of; leave it out";
            return Err(Failure::new("--cell", format_args!("{} {what}", loaded.name)));
        }
        return Ok(raster.clone());
    }
    let (low, high) = loaded.bounds();
    let [a, b] = up.others();
    let sides = [high[a] - low[a], high[b] - low[b]];
    let longest = sides[0].max(sides[1]);
    let cell = args.cell.unwrap_or(longest / 512.0);
    let counts = sides.map(|side| (side / cell).ceil().max(1.0));
    let fits = counts.iter().all(|&n| n <= LONGEST_SIDE) && counts[0] * counts[1] <= MOST_CELLS;
    if !fits {
        let [columns, rows] = counts.map(digits);
        let what = format_args!("{columns} x {rows} cells of {}", exact(cell));
        return Err(Failure::new(
            "--cell",
            format_args!("it makes {what}; expected 67,108,864 at most, 65,536 a side"),
        ));
    }
    // Seen from above, the second axis goes up the page, or down where that mirrors the first one.
    let falls = (up.index() != 1) == (up.sign() > 0.0);
    let first = [low[a] + 0.5 * cell, if falls { high[b] - 0.5 * cell } else { low[b] + 0.5 * cell }];
    let row = [0.0, if falls { -cell } else { cell }];
    Ok(Raster::new(counts.map(|n| n as usize), first, [cell, 0.0], row))
}

/// The numbers of an answer.
#[derive(Debug, Serialize)]
struct Summary {
    eye: [f64; 3],
    columns: usize,
    rows: usize,
    cell_area: f64,
    no_ground: usize,
    out_of_range: usize,
    visible: usize,
    hidden: usize,
    /// Of those with ground within range.
    visible_share: Option<f64>,
    visible_area: f64,
    farthest: Option<Farthest>,
}

/// The farthest target that is seen.
#[derive(Debug, Serialize)]
struct Farthest {
    column: usize,
    row: usize,
    at: [f64; 3],
    distance: f64,
}

impl Summary {
    fn new(seen: &Seen, raster: &Raster, eye: DVec3) -> Summary {
        let number = |kind: Cell| seen.cells.iter().filter(|&&cell| cell == kind).count();
        let (visible, hidden) = (number(Cell::Seen), number(Cell::Hidden));
        let columns = raster.size()[0].max(1);
        let farthest = seen.farthest.map(|farthest| Farthest {
            column: farthest.cell % columns,
            row: farthest.cell / columns,
            at: farthest.at.to_array(),
            distance: farthest.distance,
        });
        Summary {
            eye: eye.to_array(),
            columns: raster.size()[0],
            rows: raster.size()[1],
            cell_area: raster.cell_area(),
            no_ground: number(Cell::NoGround),
            out_of_range: number(Cell::OutOfRange),
            visible,
            hidden,
            visible_share: (visible + hidden > 0).then(|| visible as f64 / (visible + hidden) as f64),
            visible_area: visible as f64 * raster.cell_area(),
            farthest,
        }
    }

    fn text(&self, loaded: &Loaded, eye: &End, args: &Args) -> String {
        let asked = self.visible + self.hidden;
        let mut lines = vec![
            (
                "eye",
                format!(
                    "{}, {} above {}",
                    loaded.place(eye.ground, eye.at),
                    metres(args.from_height),
                    printable(&loaded.object(eye.ground))
                ),
            ),
            (
                "cells",
                format!(
                    "{} x {} of {}; {} out of range, {} without ground",
                    count(self.columns),
                    count(self.rows),
                    area(self.cell_area),
                    count(self.out_of_range),
                    count(self.no_ground)
                ),
            ),
            (
                "visible",
                format!(
                    "{} of {}, {:.1} %, {}",
                    count(self.visible),
                    count(asked),
                    100.0 * self.visible_share.unwrap_or_default(),
                    area(self.visible_area)
                ),
            ),
        ];
        if let Some(farthest) = &self.farthest {
            let at = loaded.grain().place(farthest.at.into());
            lines.push(("farthest", format!("{} away, at {at}", metres(farthest.distance))));
        }
        lines.iter().map(|(name, text)| format!("{name:<8}  {text}\n")).collect()
    }
}

/// An area for people.
fn area(square_metres: f64) -> String {
    match square_metres {
        1e6.. => format!("{} km2", digits(square_metres / 1e6)),
        _ => format!("{} m2", digits(square_metres)),
    }
}
