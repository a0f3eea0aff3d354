//! All points of a file, in memory: those that are asked about in pairs.

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
