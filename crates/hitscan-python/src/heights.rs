//! How high the ground is at places, by rays straight down, as the command's `height` asks.

use std::ops::Range;

use hitscan::{Buffer, Filter, Hit, Plumb, Ray, RayError, SignedAxis};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::Questions;
use crate::points::{Limit, Points, Scalar};
use crate::target::Target;

/// Places on the ground.
pub struct Places<'a> {
    places: Points<'a, 2>,
    /// The height at which each question begins; above all where it is `None`.
    below: Option<Limit<'a>>,
    plumb: Plumb,
}

/// What is asked of a place: rays can begin there, and at the height.
pub struct Fall {
    place: [f64; 2],
    below: Option<f64>,
    from_above: Ray,
}

impl<'a> Places<'a> {
    pub fn new(
        target: &Target,
        places: Points<'a, 2>,
        (axis, sign): (usize, f64),
        below: Option<&'a Scalar<'_>>,
    ) -> PyResult<Places<'a>> {
        let up = SignedAxis::ALL.into_iter().find(|up| up.index() == axis && up.sign() == sign);
        let up = up.ok_or_else(|| PyValueError::new_err("expected an axis from 0 to 2 and a sign"))?;
        let below = below.map(|below| below.limit("below", places.count)).transpose()?;
        Ok(Places { places, below, plumb: target.plumb(up) })
    }

    /// What is asked of a row.
    fn fall(&self, row: usize) -> Result<Fall, RayError> {
        let (place, below) = (self.places.get(row), self.below.map(|below| below.get(row)));
        if let Some(height) = below {
            self.plumb.from_height(place, height)?;
        }
        Ok(Fall { place, below, from_above: self.plumb.from_above(place)? })
    }
}

impl Questions for Places<'_> {
    type Question = Fall;
    type Flaw = RayError;
    type Memory = ();
    const NAME: &'static str = "places";

    fn count(&self) -> usize {
        self.places.count
    }

    fn read(&self, _: Range<usize>, (): &mut ()) {}

    fn question(&self, row: usize, _: usize, (): &()) -> Option<Fall> {
        self.fall(row).ok()
    }

    fn flaw(&self, row: usize, _: usize, (): &()) -> Option<RayError> {
        self.fall(row).err()
    }
}

impl Fall {
    /// The topmost surface at each place; where there is a height, the first one at it or below it.
    pub fn ask(
        falls: &[Fall],
        places: &Places<'_>,
        target: &Target,
        filter: &Filter<'_>,
        buffer: &mut Buffer,
    ) -> Vec<Option<Hit>> {
        if places.below.is_none() {
            let rays: Vec<Ray> = falls.iter().map(|fall| fall.from_above).collect();
            return target.closest_batch(&rays, filter);
        }
        let mut ground = |fall: &Fall| target.ground(&places.plumb, fall.place, fall.below, filter, buffer);
        falls.iter().map(|fall| ground(fall).expect("its rays were made before")).collect()
    }
}
