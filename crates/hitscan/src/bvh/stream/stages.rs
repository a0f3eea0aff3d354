//! Rays under way by what they have come to.

use super::IN_FLIGHT;
use crate::bvh::node::Child;

/// Some of the rays under way, a bit each.
#[derive(Clone, Copy, Default)]
pub(super) struct Rays(u32);

const _: () = assert!(IN_FLIGHT <= u32::BITS as usize, "a ray is a bit");

impl Rays {
    #[inline(always)]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Their numbers, lowest first.
    #[inline(always)]
    pub fn numbers(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let lowest = (rest != 0).then(|| rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            lowest
        })
    }
}

/// Every ray under way, by what its next step is.
#[derive(Clone, Copy, Default)]
pub(super) struct Stages {
    all: Rays,
    /// Not at an inner node.
    beyond: Rays,
    over: Rays,
}

impl Stages {
    /// So many rays at the root, which is an inner node.
    #[inline(always)]
    pub fn at_root(len: usize) -> Stages {
        let all = Rays(u32::MAX.checked_shr((IN_FLIGHT - len) as u32).unwrap_or(0));
        Stages { all, ..Stages::default() }
    }

    #[inline(always)]
    pub fn are_empty(&self) -> bool {
        self.all.0 == 0
    }

    /// At an inner node.
    #[inline(always)]
    pub fn nodes(&self) -> Rays {
        Rays(self.all.0 & !self.beyond.0)
    }

    /// At a leaf.
    #[inline(always)]
    pub fn leaves(&self) -> Rays {
        Rays(self.beyond.0 & !self.over.0)
    }

    /// At the end of their walk.
    #[inline(always)]
    pub fn over(&self) -> Rays {
        self.over
    }

    /// Notes what a ray has come to. Without a branch, which nobody could foretell.
    #[inline(always)]
    pub fn note(&mut self, ray: usize, current: Child) {
        let bit = 1 << (ray % IN_FLIGHT);
        self.all.0 |= bit;
        self.beyond.0 |= if current.is_leaf() { bit } else { 0 };
        self.over.0 |= if current == Child::EMPTY { bit } else { 0 };
    }
}
