//! Where the rays of a batch come from: arrays of them, or pairs of points.

use std::ops::Range;

use hitscan::{MAX_COORDINATE, Ray, RayError};

use crate::batch::{Flaw, Questions};
use crate::places::Bad;
use crate::points::{Limit, Points};

/// Origins, directions and limits.
pub struct Rays<'a> {
    pub origins: Points<'a>,
    pub directions: Points<'a>,
    pub t_min: Limit<'a>,
    pub t_max: Limit<'a>,
}

impl Questions for Rays<'_> {
    type Question = Ray;
    type Memory = [Vec<[f64; 3]>; 2];

    fn count(&self) -> usize {
        self.origins.count
    }

    fn read(&self, rows: Range<usize>, [origins, directions]: &mut Self::Memory) {
        self.origins.read(rows.clone(), origins);
        self.directions.read(rows, directions);
    }

    #[inline(always)]
    fn question(&self, row: usize, place: usize, [origins, directions]: &Self::Memory) -> Option<Ray> {
        Ray::checked(origins[place], directions[place], self.t_min.get(row), self.t_max.get(row))
    }

    #[cold]
    fn flaw(&self, row: usize, place: usize, [origins, directions]: &Self::Memory) -> Option<Flaw> {
        let ray = Ray::new(origins[place], directions[place]);
        let error = ray.and_then(|ray| ray.with_range(self.t_min.get(row), self.t_max.get(row))).err()?;
        Some(Flaw { argument: "rays", row, why: error.to_string() })
    }
}

/// Lines of sight, from eyes to targets.
pub struct Sights<'a> {
    pub eyes: Points<'a>,
    pub targets: Points<'a>,
}

impl Questions for Sights<'_> {
    /// `None` between a point and itself: nothing is between them.
    type Question = Option<Ray>;
    type Memory = ();

    fn count(&self) -> usize {
        self.eyes.count
    }

    fn read(&self, _: Range<usize>, (): &mut ()) {}

    fn question(&self, row: usize, _: usize, (): &()) -> Option<Option<Ray>> {
        match Ray::sight(self.eyes.get(row), self.targets.get(row)) {
            Ok(ray) => Some(Some(ray)),
            Err(RayError::ZeroLength) => Some(None),
            Err(_) => None,
        }
    }

    fn flaw(&self, row: usize, _: usize, (): &()) -> Option<Flaw> {
        [("eyes", &self.eyes), ("targets", &self.targets)].into_iter().find_map(|(argument, points)| {
            let bad = Bad::of(points.get(row), MAX_COORDINATE)?;
            Some(Flaw { argument, row: points.row(row), why: bad.to_string() })
        })
    }
}
