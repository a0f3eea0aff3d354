//! Where the rays of a batch come from: arrays of them, or pairs of points.

use std::ops::Range;

use hitscan::{MAX_COORDINATE, Ray, RayError};

use crate::batch::{Flaw, Questions};
use crate::places::Bad;
use crate::points::{Limit, Packed, Points};

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

    fn read(&self, rows: Range<usize>, memory: &mut Self::Memory, take: impl FnMut(Option<Ray>)) {
        match (self.origins.packed(rows.clone()), self.directions.packed(rows.clone())) {
            (Some(Packed::SixSingles(rays)), Some(Packed::SixSingles(_))) => {
                self.rays(rows, rays.iter().map(halves), take);
            }
            (Some(Packed::SixDoubles(rays)), Some(Packed::SixDoubles(_))) => {
                self.rays(rows, rays.iter().map(halves), take);
            }
            (Some(Packed::ThreeSingles(origins)), Some(Packed::ThreeSingles(directions))) => {
                self.rays(rows, origins.iter().copied().zip(directions.iter().copied()), take);
            }
            (Some(Packed::ThreeDoubles(origins)), Some(Packed::ThreeDoubles(directions))) => {
                self.rays(rows, origins.iter().copied().zip(directions.iter().copied()), take);
            }
            _ => {
                let [origins, directions] = memory;
                self.origins.read(rows.clone(), origins);
                self.directions.read(rows.clone(), directions);
                self.rays(rows, origins.iter().copied().zip(directions.iter().copied()), take);
            }
        }
    }

    #[cold]
    fn flaw(&self, row: usize) -> Option<Flaw> {
        let ray = Ray::new(self.origins.get(row), self.directions.get(row));
        let error = ray.and_then(|ray| ray.with_range(self.t_min.get(row), self.t_max.get(row))).err()?;
        Some(Flaw { argument: "rays", row, why: error.to_string() })
    }
}

/// Origin and direction of a row of six numbers.
#[inline(always)]
fn halves<T: Copy>(&[ox, oy, oz, dx, dy, dz]: &[T; 6]) -> ([T; 3], [T; 3]) {
    ([ox, oy, oz], [dx, dy, dz])
}

impl Rays<'_> {
    /// Rays of rows whose origins and directions these are.
    #[inline(always)]
    fn rays<T: Into<f64>>(
        &self,
        rows: Range<usize>,
        numbers: impl Iterator<Item = ([T; 3], [T; 3])>,
        mut take: impl FnMut(Option<Ray>),
    ) {
        for (row, (origin, direction)) in rows.zip(numbers) {
            let (origin, direction) = (origin.map(T::into), direction.map(T::into));
            take(Ray::checked(origin, direction, self.t_min.get(row), self.t_max.get(row)));
        }
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

    fn read(&self, rows: Range<usize>, (): &mut (), take: impl FnMut(Option<Option<Ray>>)) {
        let sight = |row| match Ray::sight(self.eyes.get(row), self.targets.get(row)) {
            Ok(ray) => Some(Some(ray)),
            Err(RayError::ZeroLength) => Some(None),
            Err(_) => None,
        };
        rows.map(sight).for_each(take);
    }

    fn flaw(&self, row: usize) -> Option<Flaw> {
        [("eyes", &self.eyes), ("targets", &self.targets)].into_iter().find_map(|(argument, points)| {
            let bad = Bad::of(points.get(row), MAX_COORDINATE)?;
            Some(Flaw { argument, row: points.row(row), why: bad.to_string() })
        })
    }
}
