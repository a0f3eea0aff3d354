//! Whether a ray of a batch passes the box around a whole mesh, before anything is made ready for its walk.
//!
//! The test must let through every ray that the walk would find something for. With `u`, `R` and `D` as in [`slab`](super::slab), whose
//! margin of `96 u R` the box has here too, the recipe may be off by `8 u D`. Here the origin is rounded by `u` of itself, that is
//! by at most `4 u R`, and a plane is met up to `4 u D` too early or too late, by the direction's rounding, the reciprocal, the
//! difference and the product; growing the box takes another `u R`. `D` is at most `5 R`, so `65 u R` are enough. A component
//! of the direction whose reciprocal is infinite is less than 2^-28 of the largest, and moves the ray by less than `u D`. Where
//! a product is not a number, the ray starts on a side of the grown box and runs along it, so that it misses what is inside.

use alloc::vec;
use alloc::vec::Vec;

use glam::Vec3A;

use super::slab::{Frame, U};
use crate::entry::{PLAIN, surely_near};
use crate::ray::Ray;

/// Rays that are tested in any case, and how many of them need to miss for the others to be tested: 5 ns a ray on one machine, which
/// save 25 ns for each that misses.
const SAMPLE: usize = 32;
const FEW: usize = 8;

/// The grown box of a mesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    low: Vec3A,
    high: Vec3A,
    /// Origins whose coordinates are all smaller are not moved on the way into the mesh.
    near: f32,
}

/// Numbers of rays.
pub(crate) struct Numbers {
    list: Vec<usize>,
    len: usize,
}

/// The numbers of rays of a batch.
pub(crate) struct Sorted {
    /// Those that may meet the mesh.
    pub open: Numbers,
    /// Those that surely do not.
    pub shut: Numbers,
}

impl Numbers {
    /// None yet, of at most so many.
    fn of(most: usize) -> Numbers {
        Numbers { list: vec![0; most + 1], len: 0 }
    }

    /// Without a branch: the place behind the last is written in any case.
    #[inline(always)]
    fn push_if(&mut self, number: usize, wanted: bool) {
        self.list[self.len] = number;
        self.len += usize::from(wanted);
    }

    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.list[..self.len].iter().copied()
    }
}

impl Gate {
    pub fn new((low, high): ([f32; 3], [f32; 3]), frame: &Frame, reach: f32) -> Gate {
        let margin = Vec3A::splat(frame.margin());
        Gate {
            low: Vec3A::from(low) - margin,
            high: Vec3A::from(high) + margin,
            near: surely_near(f64::from(reach)),
        }
    }

    /// Sorts rays by whether they surely miss the mesh. Where hardly one of the first does, as where they leave inside of its
    /// box, the others are not tested.
    #[inline(always)]
    pub fn sort(&self, rays: &[Ray], mut numbers: impl Iterator<Item = usize>) -> Sorted {
        let mut sorted = Sorted { open: Numbers::of(rays.len()), shut: Numbers::of(rays.len()) };
        self.sort_into(&mut sorted, rays, numbers.by_ref().take(SAMPLE));
        if sorted.shut.len < FEW {
            for number in numbers {
                sorted.open.push_if(number, true);
            }
        } else {
            self.sort_into(&mut sorted, rays, numbers);
        }
        sorted
    }

    #[inline(always)]
    fn sort_into(&self, sorted: &mut Sorted, rays: &[Ray], numbers: impl Iterator<Item = usize>) {
        for number in numbers {
            // Nobody could foretell it.
            let misses = self.is_shut(&rays[number]);
            sorted.open.push_if(number, !misses);
            sorted.shut.push_if(number, misses);
        }
    }

    /// Whether the ray surely misses the mesh.
    #[inline(always)]
    fn is_shut(&self, ray: &Ray) -> bool {
        let (origin, dir) = (ray.origin().as_vec3a(), ray.dir().as_vec3a());
        let inverse = dir.recip();
        let (to_low, to_high) = ((self.low - origin) * inverse, (self.high - origin) * inverse);
        let (enter, leave) = (to_low.min(to_high).max_element(), to_low.max(to_high).min_element());
        let (t_min, t_max) = (ray.t_min() as f32, ray.t_max() as f32);
        // An infinite one that leaves nothing is no number then, and lets the ray through; so do products that underflow.
        let from = t_min - t_min.abs() * (4.0 * U) - f32::MIN_POSITIVE;
        let to = t_max + t_max.abs() * (4.0 * U) + f32::MIN_POSITIVE;
        let apart = (enter > to) | (from > leave) | (enter - f32::MIN_POSITIVE > leave);
        let as_usual = PLAIN.contains(&dir.abs().max_element()) & (origin.abs().max_element() < self.near);
        as_usual & apart
    }
}
