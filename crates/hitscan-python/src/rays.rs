//! Where the rays of a batch come from: arrays of them, or pairs of points.

use std::ops::Range;

use hitscan::{Ray, RayError};

use crate::batch::Questions;
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
    type Flaw = RayError;
    type Memory = [Vec<[f64; 3]>; 2];
    const NAME: &'static str = "rays";

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
    fn flaw(&self, row: usize, place: usize, [origins, directions]: &Self::Memory) -> Option<RayError> {
        let ray = Ray::new(origins[place], directions[place]);
        ray.and_then(|ray| ray.with_range(self.t_min.get(row), self.t_max.get(row))).err()
    }
}

/// Lines of sight, from eyes to targets.
pub struct Sights<'a> {
    pub eyes: Points<'a>,
    pub targets: Points<'a>,
    /// With how many targets each eye is paired, one after the other; the first with the first and so on where it is
    /// `None`.
    pub each: Option<usize>,
}

impl Questions for Sights<'_> {
    /// `None` between a point and itself, or one so near that no ray goes there: nothing is between them.
    type Question = Option<Ray>;
    type Flaw = RayError;
    type Memory = ();
    const NAME: &'static str = "sight";

    fn count(&self) -> usize {
        self.each.map_or(self.eyes.count, |targets| self.eyes.count * targets)
    }

    fn read(&self, _: Range<usize>, (): &mut ()) {}

    fn question(&self, row: usize, _: usize, (): &()) -> Option<Option<Ray>> {
        self.line(row).ok()
    }

    fn flaw(&self, row: usize, _: usize, (): &()) -> Option<RayError> {
        self.line(row).err()
    }
}

impl Sights<'_> {
    fn line(&self, row: usize) -> Result<Option<Ray>, RayError> {
        let [eye, target] = self.each.map_or([row, row], |targets| [row / targets, row % targets]);
        match Ray::between(self.eyes.get(eye), self.targets.get(target)) {
            Ok(ray) => Ok(Some(ray)),
            Err(RayError::ZeroLength | RayError::DirectionOutOfRange { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
