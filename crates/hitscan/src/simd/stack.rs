//! The walk's stack: fixed room, never cleared.
#![allow(unsafe_code, reason = "reading entries that were written, without clearing those that were not")]

use alloc::boxed::Box;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::lanes::{Lanes, highest, lowest};

/// Deepest chain of wide nodes that a builder makes.
pub(crate) const MAX_DEPTH: usize = 96;

/// That of a tree whose leaves lead to others, which a walk may go through on the same stack, above an end of their own.
pub(crate) const MAX_ABOVE: usize = 24;

/// Copies of the first entry below it, so that eight that end anywhere can be looked at.
const BELOW: usize = 7;

/// A wide node leaves at most 7 children behind when the walk descends into the eighth. What a spill writes beyond them
/// is room for whole registers.
const ROOM: usize = BELOW + 7 * (MAX_ABOVE + MAX_DEPTH) + 1 + 16;

/// In which order a walk takes what it put aside. A type, so that no stack changes it on the way: one that is not ordered
/// has no distances.
pub(crate) trait Order {
    const NEAREST_FIRST: bool;
}

/// The nearest of a node's children first; those that begin too far away not at all.
pub(crate) struct NearestFirst;

/// All, in any order.
pub(crate) struct AnyOrder;

impl Order for NearestFirst {
    const NEAREST_FIRST: bool = true;
}

impl Order for AnyOrder {
    const NEAREST_FIRST: bool = false;
}

/// Children that a walk has yet to visit, where they are ordered each with the bits of where its box begins.
///
/// Its alignment is that of whole frames: the registers that a walk has to keep on the stack beside it would else lie across
/// cache lines in one of two processes, by where the system puts the stack.
#[repr(align(64))]
pub(crate) struct Stack<O> {
    children: [MaybeUninit<u32>; ROOM],
    nears: [MaybeUninit<u32>; ROOM],
    /// Entries below it are written.
    len: usize,
    order: PhantomData<O>,
}

/// Room for one node's children above the written part of a stack.
pub(crate) struct Slots<'a> {
    pub children: &'a mut [MaybeUninit<u32>; 8],
    pub nears: &'a mut [MaybeUninit<u32>; 8],
}

impl<O: Order> Stack<O> {
    /// A stack of one entry that is never culled: what comes when all others have been taken.
    #[inline(always)]
    pub(crate) fn new(end: u32) -> Self {
        let mut stack = Stack {
            children: [const { MaybeUninit::uninit() }; ROOM],
            nears: [const { MaybeUninit::uninit() }; ROOM],
            len: 0,
            order: PhantomData,
        };
        stack.restart(end);
        stack
    }

    /// So many, each as if it were new, without a copy of any: their room is long, and no bit of it means anything yet.
    pub(crate) fn many(count: usize, end: u32) -> Box<[Self]> {
        let mut stacks = Box::new_uninit_slice(count);
        for stack in &mut stacks {
            let stack: *mut Self = stack.as_mut_ptr();
            // SAFETY: the pointer is to memory of one stack that nobody else uses. All of it but the length may be uninitialised:
            // arrays of `MaybeUninit`, and a type of size zero.
            unsafe { (&raw mut (*stack).len).write(0) };
        }
        // SAFETY: the length of each is written, which is all that needs to be.
        let mut stacks: Box<[Self]> = unsafe { stacks.assume_init() };
        stacks.iter_mut().for_each(|stack| stack.restart(end));
        stacks
    }

    /// Makes it new.
    #[inline(always)]
    pub(crate) fn restart(&mut self, end: u32) {
        for (child, near) in self.children.iter_mut().zip(&mut self.nears).take(BELOW + 1) {
            child.write(end);
            near.write(f32::NEG_INFINITY.to_bits());
        }
        self.len = BELOW + 1;
    }

    /// Puts another end above what is there: that of a tree within the tree.
    ///
    /// # Panics
    /// As [`Stack::exchange`].
    #[inline(always)]
    pub(crate) fn put_end(&mut self, end: u32) {
        self.children[self.len].write(end);
        self.nears[self.len].write(f32::NEG_INFINITY.to_bits());
        self.len += 1;
    }

    /// Puts aside the children that are hit, and takes what comes next: the nearest of them where they are ordered, else the
    /// last, or what was put aside before where none is hit.
    /// # Panics
    /// Where the stack is full, which no tree of at most [`MAX_DEPTH`] levels reaches, or where the end was taken before.
    #[inline(always)]
    pub(crate) fn exchange<L: Lanes>(
        &mut self,
        lanes: L,
        children: &[u32; 8],
        near: L::F,
        hits: u32,
        cull: f32,
    ) -> u32 {
        self.put_aside(lanes, children, near, hits);
        self.pop_below(self.len + count(hits), cull)
    }

    /// The same for a walk of one ray, where some child is hit: straight on into the one that comes next, without the way
    /// through memory. Where they come in any order, no branch asks whether there are more, which nobody could foretell.
    #[inline(always)]
    pub(crate) fn follow<L: Lanes>(&mut self, lanes: L, children: &[u32; 8], near: L::F, hits: u32) -> u32 {
        if O::NEAREST_FIRST && hits.is_power_of_two() {
            return children[lowest(hits)];
        }
        let last = self.put_aside(lanes, children, near, hits);
        self.len = (self.len + count(hits)).wrapping_sub(1);
        children[last]
    }

    /// Writes the children that are hit above all others: those that are taken first last. Gives the lane of the last, if there is one.
    /// They are entries once the length says so, which each of its callers writes once.
    #[inline(always)]
    fn put_aside<L: Lanes>(&mut self, lanes: L, children: &[u32; 8], near: L::F, hits: u32) -> usize {
        let len = self.len;
        assert!(len <= ROOM - 8, "a tree is not that deep");
        let slots = Slots {
            children: self.children[len..].first_chunk_mut().expect("there is room for eight"),
            nears: self.nears[len..].first_chunk_mut().expect("there is room for eight"),
        };
        if O::NEAREST_FIRST {
            lanes.spill_nearest_last(children, near, hits, slots)
        } else {
            lanes.spill(children, hits, slots);
            highest(hits)
        }
    }

    /// The topmost entry.
    ///
    /// # Panics
    /// Where the end was taken before.
    #[inline(always)]
    pub(crate) fn top(&self) -> u32 {
        // SAFETY: all entries below the length are written, as in `pop`; the index is checked.
        unsafe { self.children[self.len.wrapping_sub(1)].assume_init() }
    }

    /// Takes the topmost entry whose box begins at or before `cull`; those above it are dropped. For a walk of one ray, of which
    /// most of these are foretold.
    ///
    /// # Panics
    /// Where the end was taken before.
    #[inline(always)]
    pub(crate) fn pop(&mut self, cull: f32) -> u32 {
        self.pop_below(self.len, cull)
    }

    /// The same of so many entries, all of which are written.
    #[inline(always)]
    fn pop_below(&mut self, len: usize, cull: f32) -> u32 {
        let mut len = len;
        loop {
            len = len.wrapping_sub(1);
            // SAFETY: `restart` writes the first entry and those below it, `put_end` the one that it adds, and a spill as many from the
            // length on as `hits` has bits (the contract of `Lanes`, an unsafe trait), by which the length grows then; distances in
            // all spills of an order that has them, which is that of the type. So all entries below the length are written. The
            // index is checked: it is below the length unless that was 0, and then far too large.
            let (child, near) = unsafe {
                let near = if O::NEAREST_FIRST { self.nears[len].assume_init() } else { 0 };
                (self.children[len].assume_init(), f32::from_bits(near))
            };
            // A limit that is not a number lets the end through.
            let culled = O::NEAREST_FIRST && near > cull;
            if !culled {
                self.len = len;
                return child;
            }
        }
    }

    /// The same for rays in turn, behind a leaf: how many entries are dropped there nobody could foretell, so eight are looked at
    /// together. For other pops that is slower: what was just written in other pieces has to be waited for.
    ///
    /// # Panics
    /// As [`Stack::pop`].
    #[inline(always)]
    pub(crate) fn pop_in_turn<L: Lanes>(&mut self, lanes: L, cull: f32) -> u32 {
        let mut len = self.len;
        if O::NEAREST_FIRST {
            loop {
                let eight = self.nears[len.wrapping_sub(8)..]
                    .first_chunk::<8>()
                    .expect("a stack has eight below its end");
                // SAFETY: all entries below the length are written, as in `pop`; a word is as good as the float of its bits.
                let eight = unsafe { &*core::ptr::from_ref(eight).cast::<[f32; 8]>() };
                // A limit that is not a number lets all through.
                let culled = lanes.lt(lanes.splat(cull), lanes.load(eight)) & 0xff;
                if culled != 0xff {
                    len -= 7 - highest(!culled);
                    break;
                }
                len -= 8;
            }
        }
        self.len = len.wrapping_sub(1);
        // SAFETY: as in `pop`; the index is checked.
        unsafe { self.children[self.len].assume_init() }
    }
}

/// How many children are hit.
#[inline(always)]
fn count(hits: u32) -> usize {
    (hits & 0xff).count_ones() as usize
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::simd::{Isa, Kernel, Task};

    /// Puts the children of a mask aside and takes them all again, by eight where it says so.
    struct Order(u32, bool);

    const END: u32 = 99;

    /// Where the boxes begin: distinct, in no order, and farther apart than the bits that a lane's number takes.
    const NEAR: [f32; 8] = [5.0, 3.0, 7.5, 1.0, 0.0, 6.0, 2.5, 4.0];

    impl Task for Order {
        type Output = Vec<u32>;
        fn run<L: Lanes>(self, lanes: L) -> Vec<u32> {
            let mut stack = Stack::<NearestFirst>::new(END);
            let children = [10, 11, 12, 13, 14, 15, 16, 17];
            let first = stack.exchange(lanes, &children, lanes.load(&NEAR), self.0, 6.5);
            let rest =
                core::iter::repeat_with(
                    || if self.1 { stack.pop_in_turn(lanes, 6.5) } else { stack.pop(6.5) },
                );
            core::iter::once(first).chain(rest).take_while(|&child| child != END).collect()
        }
    }

    #[test]
    fn the_nearest_comes_first_and_what_is_culled_never() {
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
            for hits in 0u32..256 {
                let mut expected: Vec<usize> = (0..8).filter(|lane| hits >> lane & 1 == 1).collect();
                expected.sort_by(|&a, &b| NEAR[a].total_cmp(&NEAR[b]));
                expected.retain(|&lane| NEAR[lane] <= 6.5);
                let expected: Vec<u32> = expected.into_iter().map(|lane| 10 + lane as u32).collect();
                for by_eight in [false, true] {
                    let order = Kernel::of(isa).unwrap().run(Order(hits, by_eight));
                    assert_eq!(order, expected, "{isa} {hits:08b} {by_eight}");
                }
            }
        }
    }

    /// Follows the children of a mask, whose boxes begin so far away, and takes all others.
    struct Follow<O>(u32, [f32; 8], PhantomData<O>);
    impl<O: super::Order> Task for Follow<O> {
        type Output = Vec<u32>;
        fn run<L: Lanes>(self, lanes: L) -> Vec<u32> {
            let mut stack = Stack::<O>::new(END);
            let children = [0, 1, 2, 3, 4, 5, 6, 7];
            let first = stack.follow(lanes, &children, lanes.load(&self.1), self.0);
            let rest = core::iter::repeat_with(|| stack.pop(f32::INFINITY));
            core::iter::once(first).chain(rest).take_while(|&child| child != END).collect()
        }
    }

    /// An end within lets nothing below it through, however near, until it is taken itself.
    struct Within;
    impl Task for Within {
        type Output = [u32; 4];
        fn run<L: Lanes>(self, lanes: L) -> [u32; 4] {
            let mut stack = Stack::<NearestFirst>::new(END);
            let children = [10, 11, 12, 13, 14, 15, 16, 17];
            let first = stack.exchange(lanes, &children, lanes.load(&NEAR), 0b11, 9.0);
            stack.put_end(END);
            [
                first,
                stack.pop_in_turn(lanes, 0.0),
                stack.pop_in_turn(lanes, 9.0),
                stack.pop_in_turn(lanes, 9.0),
            ]
        }
    }

    #[test]
    fn what_is_below_an_end_within_comes_behind_it() {
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
            assert_eq!(Kernel::of(isa).unwrap().run(Within), [11, END, 10, END], "{isa}");
        }
    }

    #[test]
    fn many_are_each_new() {
        let mut stacks = Stack::<NearestFirst>::many(3, END);
        assert_eq!(stacks.len(), 3);
        for stack in &mut stacks {
            assert_eq!((stack.top(), stack.pop(f32::NEG_INFINITY)), (END, END));
        }
        assert!(Stack::<AnyOrder>::many(0, END).is_empty());
    }

    /// Puts so many nodes aside, each behind the one before, and takes what is left when all but the first are culled.
    struct Deep(usize, bool);
    impl Task for Deep {
        type Output = Vec<u32>;
        fn run<L: Lanes>(self, lanes: L) -> Vec<u32> {
            let mut stack = Stack::<NearestFirst>::new(END);
            for node in 0..self.0 as u32 {
                let near = [1.0 + node as f32; 8];
                stack.put_aside(lanes, &[8 * node; 8].map(|first| first + 1), lanes.load(&near), 0b101);
                stack.len += 2;
            }
            let rest =
                core::iter::repeat_with(
                    || if self.1 { stack.pop_in_turn(lanes, 1.5) } else { stack.pop(1.5) },
                );
            rest.take_while(|&child| child != END).collect()
        }
    }

    #[test]
    fn many_are_culled_at_once() {
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
            for nodes in 0..=MAX_DEPTH {
                for by_eight in [false, true] {
                    let left = Kernel::of(isa).unwrap().run(Deep(nodes, by_eight));
                    assert_eq!(left, vec![1; 2 * nodes.min(1)], "{isa} {nodes} {by_eight}");
                }
            }
        }
    }

    #[test]
    fn what_is_followed_and_what_is_put_aside_is_all_that_is_hit() {
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
            let kernel = Kernel::of(isa).unwrap();
            for hits in 1u32..256 {
                let ordered = kernel.run(Follow::<NearestFirst>(hits, NEAR, PhantomData));
                assert!(
                    ordered.is_sorted_by(|&a, &b| NEAR[a as usize] <= NEAR[b as usize]),
                    "{isa} {hits:08b}"
                );
                assert_eq!(ordered.len(), hits.count_ones() as usize, "{isa} {hits:08b}");
                let any = kernel.run(Follow::<AnyOrder>(hits, NEAR, PhantomData));
                let expected: Vec<u32> = (0..8).rev().filter(|lane| hits >> lane & 1 == 1).collect();
                assert_eq!(any, expected, "{isa} {hits:08b}");
            }
        }
    }

    #[test]
    fn what_begins_as_far_away_is_followed_or_put_aside_but_not_both() {
        let step = |i: usize| f32::from_bits(1.0f32.to_bits() + (i as u32 * 5) % 8);
        let distances: [[f32; 8]; 5] = [
            [0.0; 8],
            [-0.0, 0.0, -0.0, 0.0, 1.0, 1.0, -1.0, -1.0],
            core::array::from_fn(|i| -(i as f32)),
            core::array::from_fn(step),
            [f32::MAX, 2.0, 2.0, f32::NEG_INFINITY, 2.0, -f32::MAX, f32::MAX, 2.0],
        ];
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
            for (hits, near) in (1u32..256).flat_map(|hits| distances.map(|near| (hits, near))) {
                let mut all = Kernel::of(isa).unwrap().run(Follow::<NearestFirst>(hits, near, PhantomData));
                all.sort_unstable();
                let expected: Vec<u32> = (0..8).filter(|lane| hits >> lane & 1 == 1).collect();
                assert_eq!(all, expected, "{isa} {hits:08b} {near:?}");
            }
        }
    }

    #[test]
    fn where_any_order_will_do_the_last_comes_first() {
        struct All(u32);
        impl Task for All {
            type Output = Vec<u32>;
            fn run<L: Lanes>(self, lanes: L) -> Vec<u32> {
                let mut stack = Stack::<AnyOrder>::new(END);
                let children = [0, 1, 2, 3, 4, 5, 6, 7];
                let first = stack.exchange(lanes, &children, lanes.load(&NEAR), self.0, -1.0);
                let rest = core::iter::repeat_with(|| stack.pop(-1.0));
                core::iter::once(first).chain(rest).take_while(|&child| child != END).collect()
            }
        }
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
            for hits in 0u32..256 {
                let expected: Vec<u32> = (0..8).rev().filter(|lane| hits >> lane & 1 == 1).collect();
                assert_eq!(Kernel::of(isa).unwrap().run(All(hits)), expected, "{isa} {hits:08b}");
            }
        }
    }
}
