//! Points that are asked about in pairs, all of a file in memory; and what a point needs to be.

use std::fmt::Display;

use hitscan::glam::DVec3;
use rayon::prelude::*;

use super::format::Format;
use super::read::Request;
use super::rows::Rows;
use super::subject::Subject;
use crate::failure::Failure;

/// Reads them; the first row that is none is refused.
pub fn read(name: &str, format: Option<Format>) -> Result<Vec<DVec3>, Failure> {
    let request = Request { name, of: Subject::Points, format, keep: &[], output: Format::Csv };
    let mut source = request.open()?;
    let place = source.place();
    let (mut points, mut before) = (Vec::new(), 0);
    while let Some(chunk) = source.next()? {
        let decode = |part| {
            let mut rows = Rows::default();
            chunk.decode(part, true, &mut rows);
            rows
        };
        let parts: Vec<Rows> = (0..chunk.parts()).into_par_iter().map(decode).collect();
        for rows in parts {
            if let Some((at, flaw)) = rows.flaw {
                return Err(Failure::new(place.at(before + at), flaw));
            }
            points.extend(rows.rays().iter().map(|ray| ray.origin()));
            before += rows.span;
        }
    }
    Ok(points)
}

/// Refuses what is no point, as an option has it; `place` names the option.
pub fn check(place: impl Display, at: DVec3) -> Result<(), Failure> {
    let named = Subject::Points.needed().iter().zip(at.to_array()).find(|(_, x)| !x.is_finite());
    if let Some((name, x)) = named {
        let x = x.to_string().to_lowercase();
        return Err(Failure::new(place, format_args!("{name} is {x}; a point needs finite numbers")));
    }
    let ray = Subject::Points.ray([at.x, at.y, at.z, 0.0, 0.0, 0.0]);
    ray.map(|_| ()).map_err(|flaw| Failure::new(place, flaw))
}
