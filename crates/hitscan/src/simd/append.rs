//! A list that is made longer by several threads at once.
#![allow(unsafe_code, reason = "memory that several threads write before the list knows that it is there")]

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use super::pages::reserve_ahead;
use crate::bvh::parallel::each;

/// Room for so many values.
pub(crate) struct Room<'a, T> {
    places: &'a mut [MaybeUninit<T>],
    filled: usize,
}

impl<T> Room<'_, T> {
    /// Takes the next place, of which there is one more.
    #[inline(always)]
    pub fn push(&mut self, value: T) {
        self.places[self.filled].write(value);
        self.filled += 1;
    }
}

/// Appends what `fill` makes of each part, in the order of the parts, each of which becomes as many values as `len` says. With these
/// parts, so many steps of all are done.
pub(crate) fn append<T: Copy + Send, P: Sync>(
    list: &mut Vec<T>,
    parts: &[P],
    steps: [usize; 2],
    len: impl Fn(&P) -> usize,
    fill: impl Fn(&P, &mut Room<'_, T>) + Sync,
) {
    let more = parts.iter().map(&len).sum();
    reserve_ahead(list, more, steps);
    let mut places = &mut list.spare_capacity_mut()[..more];
    let mut rooms = Vec::with_capacity(parts.len());
    for part in parts {
        let (own, rest) = places.split_at_mut(len(part));
        rooms.push((part, Room { places: own, filled: 0 }));
        places = rest;
    }
    each(&mut rooms, &|(part, room)| fill(part, room));
    let filled: usize = rooms.iter().map(|(_, room)| room.filled).sum();
    assert_eq!(filled, more, "each part becomes as many values as it says");
    // SAFETY: `reserve_ahead` made room for `more` values behind the list's own, and `rooms` are cut out of that without overlap. A room
    // counts the places that it has written, from its first on and none twice, and together they count as many as there are: all
    // of them are written.
    unsafe { list.set_len(list.len() + more) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_in_their_order() {
        for lengths in [&[][..], &[0], &[3, 0, 5], &[9_000, 0, 1, 40_000, 7]] {
            let mut list = alloc::vec![u32::MAX; 3];
            let mut next = 0;
            let parts: Vec<core::ops::Range<u32>> = lengths
                .iter()
                .map(|&len| {
                    next += len;
                    next - len..next
                })
                .collect();
            append(
                &mut list,
                &parts,
                [1, 1],
                |part| part.len(),
                |part, room| part.clone().for_each(|i| room.push(i)),
            );
            let (before, added) = list.split_at(3);
            assert_eq!(before, [u32::MAX; 3]);
            assert!(added.iter().copied().eq(0..next), "{lengths:?}");
        }
    }

    #[test]
    #[should_panic(expected = "as many values as it says")]
    fn places_that_are_left_empty_are_refused() {
        append(&mut Vec::new(), &[1, 2], [1, 1], |&len| len, |_, room| room.push(7u8));
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn nobody_writes_into_the_next_ones_room() {
        append(&mut Vec::new(), &[1], [1, 1], |&len| len, |_, room| (0..2).for_each(|i| room.push(i)));
    }
}
