//! Which of the rays under way are at the same kind of place.

use super::IN_FLIGHT;
use crate::simd::lanes::ones;

/// Some of the rays under way, a bit each.
#[derive(Clone, Copy, Default)]
pub(super) struct Rays(u32);

const _: () = assert!(IN_FLIGHT <= u32::BITS as usize, "a ray is a bit");

impl Rays {
    /// The first so many.
    #[inline(always)]
    pub fn first(len: usize) -> Rays {
        Rays(u32::MAX.checked_shr((IN_FLIGHT - len) as u32).unwrap_or(0))
    }

    #[inline(always)]
    pub fn one(ray: usize) -> Rays {
        Rays(1 << (ray % IN_FLIGHT))
    }

    #[inline(always)]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// These, without others.
    #[inline(always)]
    pub fn without(self, others: Rays) -> Rays {
        Rays(self.0 & !others.0)
    }

    /// Adds a ray where it is wanted: without a branch, which nobody could foretell.
    #[inline(always)]
    pub fn note(&mut self, ray: usize, wanted: bool) {
        self.0 |= u32::from(wanted) << (ray % IN_FLIGHT);
    }

    /// Their numbers, lowest first.
    #[inline(always)]
    pub fn numbers(self) -> impl Iterator<Item = usize> + Clone {
        ones(self.0)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn a_ray_is_among_them_or_not() {
        for len in 0..=IN_FLIGHT {
            let rays = Rays::first(len);
            assert_eq!((rays.len(), rays.is_empty()), (len, len == 0));
            assert_eq!(rays.numbers().collect::<Vec<_>>(), (0..len).collect::<Vec<_>>());
        }
        let mut odd = Rays::default();
        (0..IN_FLIGHT).for_each(|ray| odd.note(ray, ray % 2 == 1));
        let even = Rays::first(IN_FLIGHT).without(odd);
        assert!(odd.numbers().eq((1..IN_FLIGHT).step_by(2)) && even.numbers().eq((0..IN_FLIGHT).step_by(2)));
        assert!(Rays::one(7).numbers().eq([7]));
    }
}
