//! How high the ground is at places, by rays straight down, as the command's `height` asks.

use std::ops::Range;

use hitscan::{Buffer, Fall, Filter, Hit, Plumb, Ray, RayError, SignedAxis};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::{Flaw, Questions};
use crate::points::{Limit, Points, Scalar};
use crate::target::Target;

/// Places on the ground.
pub struct Places<'a> {
    places: Points<'a, 2>,
    /// The height at which each question begins; above all where it is `None`.
    below: Option<Limit<'a>>,
    plumb: Plumb,
}

impl<'a> Places<'a> {
    pub fn new(
        target: &Target,
        places: Points<'a, 2>,
        (axis, sign): (usize, f64),
        below: Option<&'a Scalar<'_>>,
        after: usize,
    ) -> PyResult<Places<'a>> {
        let up = SignedAxis::ALL.into_iter().find(|up| up.index() == axis && up.sign() == sign);
        let up = up.ok_or_else(|| PyValueError::new_err("expected an axis from 0 to 2 and a sign"))?;
        let below = below.map(|below| below.limit("below", places.count, after)).transpose()?;
        Ok(Places { places, below, plumb: target.plumb(up) })
    }

    /// What is asked of a row.
    fn fall(&self, row: usize) -> Result<Fall, RayError> {
        self.plumb.fall(self.places.get(row), self.below.map(|below| below.get(row)))
    }

    /// The topmost surface at each place; where there is a height, the first one at it or below it.
    pub fn ask(
        &self,
        falls: &[Fall],
        target: &Target,
        filter: &Filter<'_>,
        memory: &mut Fallen,
        hits: &mut Vec<Option<Hit>>,
    ) {
        let Fallen { rays, buffer } = memory;
        if self.below.is_none() {
            rays.clear();
            rays.extend(falls.iter().map(|fall| *fall.ray()));
            return target.closest_batch(rays, filter, hits);
        }
        hits.clear();
        hits.extend(falls.iter().map(|fall| target.ground(fall, filter, buffer)));
    }
}

/// What a thread uses again from task to task.
#[derive(Default)]
pub struct Fallen {
    rays: Vec<Ray>,
    buffer: Buffer,
}

impl Questions for Places<'_> {
    type Question = Fall;
    type Memory = ();

    fn count(&self) -> usize {
        self.places.count
    }

    fn read(&self, rows: Range<usize>, (): &mut (), take: impl FnMut(Option<Fall>)) {
        rows.map(|row| self.fall(row).ok()).for_each(take);
    }

    fn flaw(&self, row: usize) -> Option<Flaw> {
        let error = self.fall(row).err()?;
        // What is sound without a height to begin at has a bad one.
        Some(match (self.below, self.plumb.fall(self.places.get(row), None)) {
            (Some(below), Ok(_)) => {
                let why = format!("is {:?}; expected a finite height of at most 2^100", below.get(row));
                Flaw { argument: "below", row: below.row(row), why }
            }
            _ => Flaw { argument: "places", row, why: error.to_string() },
        })
    }
}
