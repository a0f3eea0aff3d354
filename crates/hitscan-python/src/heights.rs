//! How high the ground is at places, by rays straight down, as the command's `height` asks.

use std::ops::Range;

use hitscan::{Buffer, Filter, Hit, MAX_COORDINATE, Ray, RayError};
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
    /// Which axis is up, and whether its numbers grow upwards.
    axis: usize,
    sign: f64,
    /// A coordinate on that axis, above everything.
    top: f64,
}

/// What is asked of a place.
pub struct Fall {
    from_above: Ray,
    /// From a height, and that.
    from_there: Option<(Ray, f64)>,
}

impl<'a> Places<'a> {
    pub fn new(
        target: &Target,
        places: Points<'a, 2>,
        (axis, sign): (usize, f64),
        below: Option<&'a Scalar<'_>>,
    ) -> PyResult<Places<'a>> {
        if axis > 2 || sign.abs() != 1.0 {
            return Err(PyValueError::new_err("expected an axis from 0 to 2 and a sign"));
        }
        let below = below.map(|below| below.limit("below", places.count)).transpose()?;
        // As far above as everything is large, and farther than the rounding of its coordinates.
        let [low, high] = target.bounds().unwrap_or_default();
        let end = if sign > 0.0 { high } else { low }[axis];
        let size = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
        let margin = size.max(end.abs() * f64::EPSILON * 4.0);
        let top = (end + sign * margin).clamp(-MAX_COORDINATE, MAX_COORDINATE);
        Ok(Places { places, below, axis, sign, top })
    }

    /// Straight down, from a coordinate on the axis that is up.
    fn ray(&self, [a, b]: [f64; 2], from: f64) -> Result<Ray, RayError> {
        let (mut origin, mut down) = ([0.0; 3], [0.0; 3]);
        let mut ground = [a, b].into_iter();
        for (number, coordinate) in origin.iter_mut().enumerate() {
            *coordinate = if number == self.axis { from } else { ground.next().unwrap_or_default() };
        }
        down[self.axis] = -self.sign;
        Ray::new(origin, down)
    }

    /// What is asked of a row.
    fn fall(&self, row: usize) -> Result<Fall, RayError> {
        let place = self.places.get(row);
        let from_there = match self.below.map(|below| below.get(row)) {
            Some(height) => Some((self.ray(place, height * self.sign)?, height)),
            None => None,
        };
        Ok(Fall { from_above: self.ray(place, self.top)?, from_there })
    }

    fn height(&self, hit: &Hit) -> f64 {
        hit.position[self.axis] * self.sign
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
    /// The topmost surface at each place. Where there is a height, the first surface at it or below it: that which a
    /// ray from there finds, or the first whose own height is not above it, whichever is higher. They differ in
    /// rounding only.
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
        let one = |Fall { from_above, from_there }: &Fall| {
            let Some((ray, limit)) = from_there else { return target.closest(from_above, filter) };
            let from_there = target.closest(ray, filter);
            target.all_hits_into(from_above, filter, buffer);
            let by_height = buffer.iter().find(|hit| places.height(hit) <= *limit).copied();
            match (by_height, from_there) {
                (Some(a), Some(b)) if places.height(&b) > places.height(&a) => Some(b),
                (a, b) => a.or(b),
            }
        };
        falls.iter().map(one).collect()
    }
}
