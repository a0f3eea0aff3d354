//! The walk's stack: fixed room, on the machine's stack, never cleared.
#![allow(unsafe_code, reason = "reading entries that were written, without clearing those that were not")]

use core::mem::MaybeUninit;

/// Deepest chain of wide nodes that a builder makes.
pub(crate) const MAX_DEPTH: usize = 96;

/// A wide node leaves at most 7 children behind when the walk descends into the eighth.
const ROOM: usize = 7 * MAX_DEPTH + 8;

/// Children that a walk has yet to visit, each with the distance at which its box starts.
pub(crate) struct Stack {
    entries: [MaybeUninit<(u32, f32)>; ROOM],
    /// Entries below it are written.
    len: usize,
}

impl Stack {
    #[inline(always)]
    pub(crate) fn new() -> Stack {
        Stack { entries: [const { MaybeUninit::uninit() }; ROOM], len: 0 }
    }

    /// # Panics
    /// Where the stack is full, which no tree of at most [`MAX_DEPTH`] levels reaches.
    #[inline(always)]
    pub(crate) fn push(&mut self, child: u32, near: f32) {
        self.entries[self.len] = MaybeUninit::new((child, near));
        self.len += 1;
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<(u32, f32)> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: `len` counts the entries that `push` wrote, so the one below it is written.
        Some(unsafe { self.entries[self.len].assume_init() })
    }

    /// Sorts the topmost `count` entries so that the nearest is popped first.
    #[inline(always)]
    pub(crate) fn sort_top(&mut self, count: usize) {
        let written = &mut self.entries[..self.len];
        let first = written.len().saturating_sub(count);
        // SAFETY: everything below `len` is written, and `MaybeUninit<T>` has the layout of `T`.
        let top = unsafe { &mut *(&raw mut written[first..] as *mut [(u32, f32)]) };
        for i in 1..top.len() {
            let entry = top[i];
            let mut hole = i;
            while hole > 0 && top[hole - 1].1 < entry.1 {
                top[hole] = top[hole - 1];
                hole -= 1;
            }
            top[hole] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn pops_the_nearest_of_the_sorted_top_first() {
        let mut stack = Stack::new();
        stack.push(9, 0.0);
        for (child, near) in [(1, 3.0), (2, 1.0), (3, 2.0)] {
            stack.push(child, near);
        }
        stack.sort_top(3);
        let order: Vec<u32> = core::iter::from_fn(|| stack.pop()).map(|(child, _)| child).collect();
        assert_eq!(order, [2, 3, 1, 9]);
    }
}
