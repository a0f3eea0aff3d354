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
    /// With how many targets each eye is paired, one after the other; the first with the first and so on where it is
    /// `None`.
    pub each: Option<usize>,
}

impl Questions for Sights<'_> {
    /// `None` between a point and itself, or one so near that no ray goes there: nothing is between them.
    type Question = Option<Ray>;
    type Memory = ();

    fn count(&self) -> usize {
        self.each.map_or(self.eyes.count, |targets| self.eyes.count * targets)
    }

    fn read(&self, _: Range<usize>, (): &mut ()) {}

    fn question(&self, row: usize, _: usize, (): &()) -> Option<Option<Ray>> {
        let [eye, target] = self.pair(row);
        match Ray::between(self.eyes.get(eye), self.targets.get(target)) {
            Ok(ray) => Some(Some(ray)),
            Err(RayError::ZeroLength | RayError::DirectionOutOfRange { .. }) => Some(None),
            Err(_) => None,
        }
    }

    fn flaw(&self, row: usize, _: usize, (): &()) -> Option<Flaw> {
        let [eye, target] = self.pair(row);
        // A target may lie farther away than rays begin.
        let of_eye = Bad::of(self.eyes.get(eye), MAX_COORDINATE).map(|bad| ("eyes", eye, bad));
        let of_either = of_eye
            .or_else(|| Bad::of(self.targets.get(target), f64::MAX).map(|bad| ("targets", target, bad)));
        of_either.map(|(argument, row, bad)| Flaw { argument, row, why: bad.to_string() })
    }
}

impl Sights<'_> {
    /// The eye and the target of a question.
    fn pair(&self, row: usize) -> [usize; 2] {
        self.each.map_or([row, row], |targets| [row / targets, row % targets])
    }
}
