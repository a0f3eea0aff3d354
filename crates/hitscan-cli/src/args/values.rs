//! Values of options: points, axes, pixels, modes. Their errors read `WHAT; WHAT WAS EXPECTED`.

use std::convert::Infallible;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use hitscan::glam::DVec3;
use hitscan::{MAX_COORDINATE, Rule, SignedAxis};

use crate::failure::Failure;
use crate::number::{counted, exact};
use crate::output::STANDARD_STREAM;
use crate::rays::format as files;

/// `X,Y,Z`. Numbers that are not finite are left to whoever makes a ray of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector(pub DVec3);

impl FromStr for Vector {
    type Err = String;
    fn from_str(text: &str) -> Result<Vector, String> {
        let [x, y, z] = numbers(text, "three numbers X,Y,Z")?;
        Ok(Vector(DVec3::new(x, y, z)))
    }
}

/// A place on the ground, and perhaps a height. Numbers that no ray can begin at are left to [`Place::check`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Along the two axes that are not up.
    pub at: [f64; 2],
    /// Where to begin; above everything where it is not given.
    pub height: Option<f64>,
}

/// A pixel: `PX,PY`. Numbers that are not finite are left to who asks.
pub fn pixel(text: &str) -> Result<[f64; 2], String> {
    numbers(text, "two numbers PX,PY")
}

/// A place on the ground: `A,B`.
pub fn place(text: &str) -> Result<[f64; 2], String> {
    numbers(text, "two numbers A,B")
}

/// The distance between samples.
pub fn cell(text: &str) -> Result<f64, String> {
    let cell = number(text)?;
    if cell > 0.0 && cell <= MAX_COORDINATE {
        Ok(cell)
    } else {
        Err(format!("'{text}' is no distance; expected metres above 0, at most 2^100"))
    }
}

/// How long something may take.
pub fn seconds(text: &str) -> Result<f64, String> {
    const MOST: f64 = 3600.0;
    let seconds = number(text)?;
    if seconds > 0.0 && seconds <= MOST {
        Ok(seconds)
    } else {
        Err(format!("'{text}' is no such time; expected seconds above 0, {MOST} at most"))
    }
}

/// Two heights: `LO,HI`.
pub fn relief(text: &str) -> Result<[f64; 2], String> {
    let relief: [f64; 2] = numbers(text, "two numbers LO,HI")?;
    finite(text, &relief, "heights need finite numbers")?;
    let is_near = relief.iter().all(|height| height.abs() <= MAX_COORDINATE);
    if is_near { Ok(relief) } else { Err(format!("'{text}' is no relief; heights need {NEAR}")) }
}

/// Where the height of the ground is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Places {
    /// `A,B` or `A,B,H`.
    One(Place),
    /// A file of places, or `-`.
    File(String),
}

/// Points in space.
#[derive(Clone, Debug, PartialEq)]
pub enum Points {
    /// `X,Y,Z`.
    One(DVec3),
    /// A file of points, or `-`.
    File(String),
}

/// Points as an option has them, before it is known what the others say.
#[derive(Clone, Debug)]
pub struct GivenPoints {
    text: String,
    points: Result<Points, String>,
}

impl FromStr for GivenPoints {
    type Err = Infallible;
    fn from_str(text: &str) -> Result<GivenPoints, Infallible> {
        Ok(GivenPoints { text: text.to_owned(), points: text.parse() })
    }
}

impl GivenPoints {
    /// What they are; where the format of the input is told, all that is no point is the name of a file.
    pub fn points(&self, option: &str, has_format: bool) -> Result<Points, Failure> {
        match &self.points {
            Err(_) if has_format && !self.text.is_empty() => Ok(Points::File(self.text.clone())),
            Err(flaw) => Err(Failure::usage(option, flaw)),
            Ok(points) => Ok(points.clone()),
        }
    }
}

impl FromStr for Points {
    type Err = String;
    fn from_str(text: &str) -> Result<Points, String> {
        // A path without an extension is one where it has a folder: /dev/stdin.
        if text == STANDARD_STREAM || files::Format::of_file(text).is_some() || text.contains('/') {
            return Ok(Points::File(text.to_owned()));
        }
        match numbers(text, "X,Y,Z, a file (.csv .jsonl .npy .parquet) or -") {
            Ok([x, y, z]) => Ok(Points::One(DVec3::new(x, y, z))),
            // Its first bytes tell its format.
            Err(_) if Path::new(text).exists() => Ok(Points::File(text.to_owned())),
            Err(flaw) => Err(flaw),
        }
    }
}

impl FromStr for Places {
    type Err = String;
    fn from_str(text: &str) -> Result<Places, String> {
        let is_csv = files::Format::of_file(text) == Some(files::Format::Csv);
        // A path without the extension is one where it has a folder: /dev/stdin.
        if text == STANDARD_STREAM || is_csv || text.contains('/') {
            return Ok(Places::File(text.to_owned()));
        }
        let expected = "A,B or A,B,H, a .csv file or -";
        let (pair, third) = match text.split(',').count() {
            3 => {
                let [a, b, h] = numbers(text, expected)?;
                ([a, b], Some(h))
            }
            _ => (numbers(text, expected)?, None),
        };
        Ok(Places::One(Place { at: pair, height: third }))
    }
}

/// What [`Place::is_near`] asks for, in words.
pub const NEAR: &str = "finite numbers of at most 2^100";

impl Place {
    /// Whether a ray can begin there.
    pub fn is_near(&self) -> bool {
        let [a, b] = self.at;
        [a, b, self.height.unwrap_or(0.0)].iter().all(|x| x.abs() <= MAX_COORDINATE)
    }

    /// Refuses one where none can, as points are refused: the command line was understood. `option` is where it stands there.
    pub fn check(&self, option: &str) -> Result<(), Failure> {
        if self.is_near() {
            Ok(())
        } else {
            Err(Failure::new(option, format_args!("{self} is no place; a place needs {NEAR}")))
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.at.map(exact);
        write!(f, "{a},{b}")?;
        self.height.map_or(Ok(()), |height| write!(f, ",{}", exact(height)))
    }
}

/// Upwards in a picture: an axis or any vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Up(pub DVec3);

impl FromStr for Up {
    type Err = String;
    fn from_str(text: &str) -> Result<Up, String> {
        if text.contains(',') {
            Vector::from_str(text).map(|v| Up(v.0))
        } else {
            let axis = text.parse::<SignedAxis>().map_err(|error| format!("{error}, or a vector X,Y,Z"))?;
            Ok(Up(axis.vector()))
        }
    }
}

/// Pixels of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size(pub [u32; 2]);

/// The longest side of a picture.
const MAX_SIDE: u32 = 16_384;

impl FromStr for Size {
    type Err = String;
    fn from_str(text: &str) -> Result<Size, String> {
        let side = |text: &str| text.parse().ok().filter(|side| (1..=MAX_SIDE).contains(side));
        text.split_once('x').and_then(|(width, height)| Some(Size([side(width)?, side(height)?]))).ok_or_else(
            || format!("'{text}' is not a size; expected WIDTHxHEIGHT, each from 1 to {MAX_SIDE}"),
        )
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.0[0], self.0[1])
    }
}

/// Which hits of a ray are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// The first one.
    Closest,
    /// Only whether there is one.
    Occluded,
    /// All of them.
    All,
    /// The first N.
    First(usize),
    /// Where it is inside of something.
    Intervals,
}

impl FromStr for Mode {
    type Err = String;
    fn from_str(text: &str) -> Result<Mode, String> {
        match text {
            "closest" => Ok(Mode::Closest),
            "occluded" => Ok(Mode::Occluded),
            "all" => Ok(Mode::All),
            "intervals" => Ok(Mode::Intervals),
            _ => text
                .strip_prefix("first:")
                .and_then(|n| n.parse().ok())
                .filter(|&n| n > 0)
                .map(Mode::First)
                .ok_or_else(|| {
                    format!("'{text}' is not a mode; expected closest, occluded, all, first:N or intervals")
                }),
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mode::Closest => f.write_str("closest"),
            Mode::Occluded => f.write_str("occluded"),
            Mode::All => f.write_str("all"),
            Mode::First(n) => write!(f, "first:{n}"),
            Mode::Intervals => f.write_str("intervals"),
        }
    }
}

/// What inside means.
pub fn rule(text: &str) -> Result<Rule, String> {
    match text {
        "parity" => Ok(Rule::Parity),
        "winding" => Ok(Rule::Winding),
        _ => Err(format!("'{text}' is not a rule; expected parity or winding")),
    }
}

/// A rule as [`rule`] reads it.
pub fn rule_name(rule: Rule) -> &'static str {
    if rule == Rule::Parity { "parity" } else { "winding" }
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// Aligned, five digits, units.
    Table,
    /// One row a hit, every digit.
    Csv,
    /// One object.
    Json,
    /// One object a line.
    JsonLines,
}

/// Parses a [`Format`].
pub fn format(text: &str) -> Result<Format, String> {
    match text {
        "table" => Ok(Format::Table),
        "csv" => Ok(Format::Csv),
        "json" => Ok(Format::Json),
        "jsonl" => Ok(Format::JsonLines),
        _ => Err(format!("'{text}' is not a format; expected table, csv, json or jsonl")),
    }
}

/// Parses the name of a file: of an empty one no message could say where.
pub fn file_name(text: &str) -> Result<String, String> {
    if text.is_empty() {
        Err("the name is empty; expected that of a file".into())
    } else {
        Ok(text.to_owned())
    }
}

/// Parses a number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|n| (1..=1024).contains(n))
        .ok_or_else(|| format!("'{text}' is not a number of threads; expected 1 to 1024"))
}

/// Parses a number of places.
pub fn places(text: &str) -> Result<usize, String> {
    const MOST: usize = 1_000_000;
    let known = text.parse().ok().filter(|n| *n <= MOST);
    known.ok_or_else(|| format!("'{text}' is not a number of places; expected 0 to {MOST}"))
}

/// Refuses what is no height above or below something, as [`Place::check`] refuses places.
pub fn check_height(option: &str, height: f64) -> Result<(), Failure> {
    if height.abs() <= MAX_COORDINATE {
        return Ok(());
    }
    let expected = "a height needs a finite number of at most 2^100";
    Err(Failure::new(option, format_args!("{} is no height; {expected}", exact(height))))
}

/// Parses a number of degrees, or any other single number.
pub fn number(text: &str) -> Result<f64, String> {
    numbers(text, "one number").map(|[x]| x)
}

fn numbers<const N: usize>(text: &str, expected: &str) -> Result<[f64; N], String> {
    let mut found = [0.0; N];
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() != N {
        return Err(format!("'{text}' has {}; expected {expected}", counted(parts.len(), "part")));
    }
    for (slot, part) in found.iter_mut().zip(parts) {
        *slot = part.parse().map_err(|_| format!("'{part}' is not a number; expected {expected}"))?;
    }
    Ok(found)
}

fn finite(text: &str, values: &[f64], expected: &str) -> Result<(), String> {
    if values.iter().all(|v| v.is_finite()) {
        Ok(())
    } else {
        Err(format!("'{text}' is not finite; {expected}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors() {
        assert_eq!("-1,2.5, -3e2".parse(), Ok(Vector(DVec3::new(-1.0, 2.5, -300.0))));
        assert_eq!("1,2".parse::<Vector>().unwrap_err(), "'1,2' has 2 parts; expected three numbers X,Y,Z");
        assert_eq!(
            "1,b,2".parse::<Vector>().unwrap_err(),
            "'b' is not a number; expected three numbers X,Y,Z"
        );
        assert!(pixel("1").is_err());
    }

    #[test]
    fn places() {
        let one = |at, height| Ok(Places::One(Place { at, height }));
        assert_eq!("1,-2".parse(), one([1.0, -2.0], None));
        assert_eq!("1,-2,3".parse(), one([1.0, -2.0], Some(3.0)));
        for file in ["-", "places.csv", "a,b.CSV", "/dev/stdin"] {
            assert_eq!(file.parse(), Ok(Places::File(file.into())));
        }
        for (at, height) in [([1.0, 2.0], Some(f64::INFINITY)), ([f64::NAN, 2.0], None), ([1.0, -1e31], None)]
        {
            assert!(
                matches!(Place { at, height }.check("--at"), Err(Failure::Failed(_))),
                "{at:?} {height:?}"
            );
        }
        assert!(Place { at: [1.0, -1e30], height: Some(0.0) }.check("--at").is_ok());
        assert_eq!(
            "places".parse::<Places>().unwrap_err(),
            "'places' has 1 part; expected A,B or A,B,H, a .csv file or -"
        );
    }

    #[test]
    fn points() {
        assert_eq!("1,-2,3".parse(), Ok(Points::One(DVec3::new(1.0, -2.0, 3.0))));
        for file in ["-", "points.npy", "a,b,c.jsonl", "/dev/stdin"] {
            assert_eq!(file.parse(), Ok(Points::File(file.into())));
        }
        assert_eq!(
            "points".parse::<Points>().unwrap_err(),
            "'points' has 1 part; expected X,Y,Z, a file (.csv .jsonl .npy .parquet) or -"
        );
        // The tests of a package run in its folder.
        assert_eq!("Cargo.toml".parse(), Ok(Points::File("Cargo.toml".into())));
        let Ok(given) = "1,2".parse::<GivenPoints>();
        assert_eq!(given.points("--at", true).ok(), Some(Points::File("1,2".into())));
        assert!(given.points("--at", false).is_err());
    }

    #[test]
    fn axes() {
        assert_eq!("+Y".parse(), Ok(Up(DVec3::Y)));
        assert_eq!("0,0,1".parse(), Ok(Up(DVec3::Z)));
        assert!("up".parse::<Up>().is_err());
    }

    #[test]
    fn modes_and_sizes() {
        assert_eq!("first:3".parse(), Ok(Mode::First(3)));
        for mode in ["closest", "occluded", "all", "first:7", "intervals"] {
            assert_eq!(mode.parse::<Mode>().unwrap().to_string(), mode);
        }
        assert!(["parity", "winding"].iter().all(|&name| rule(name).map(rule_name) == Ok(name)));
        assert!("first:0".parse::<Mode>().is_err() && "first".parse::<Mode>().is_err());
        assert_eq!("1280x720".parse(), Ok(Size([1280, 720])));
        assert!("0x9".parse::<Size>().is_err() && "9x99999".parse::<Size>().is_err());
    }
}
