//! The few operations on eight `f32` lanes that the walk is written with.
#![allow(unsafe_code, reason = "a trait with a contract that unsafe code rests on")]

use glam::Vec3A;

use super::Task;
use super::block::Turn;
use super::sixteen::{Row16, Sixteen};
use super::stack::Slots;

/// Three edge values, and the bits of those above and below 0.
#[derive(Clone, Copy)]
pub(crate) struct Edges {
    pub values: [f64; 3],
    pub above: u32,
    pub below: u32,
}

/// Most rays of a batch that are under way at once.
pub(crate) const IN_FLIGHT: usize = 32;

/// Eight lanes of `f32`, as one instruction set has them. The value is the proof that the machine has it.
///
/// Every method is `#[inline(always)]`, because it must end up inside the entry point that is compiled with the
/// instruction set's features.
///
/// # Safety
/// [`spill`](Lanes::spill) and [`spill_nearest_last`](Lanes::spill_nearest_last) write at least as many slots, from the first
/// on, as `hits` has bits: their children, and by the second their distances too.
pub(crate) unsafe trait Lanes: Copy {
    #[cfg(test)]
    const ISA: super::Isa;
    /// Whether eight lanes take about as long as one, so that it is worth its code to take rays of a batch side by side and in turn.
    const PARALLEL: bool = true;
    /// How many rays of a batch are under way at once: as many as the nearest cache holds of what they carry.
    const IN_FLIGHT: usize = IN_FLIGHT;
    type F: Copy;
    /// The same operations on sixteen lanes.
    type Sixteen: Sixteen;

    fn sixteen(self) -> Self::Sixteen;

    /// Does the work in a function of its own, compiled for the same instruction set, so that it and the caller do not share
    /// registers.
    fn apart<T: Task>(self, task: T) -> T::Output;

    fn load(self, from: &[f32; 8]) -> Self::F;
    /// The first eight numbers and the last.
    #[inline(always)]
    fn halves(self, from: &Row16) -> [Self::F; 2] {
        let [a, b] = from.0.as_chunks::<8>().0 else { unreachable!("sixteen are two times eight") };
        [self.load(a), self.load(b)]
    }
    fn splat(self, value: f32) -> Self::F;
    fn store(self, value: Self::F) -> [f32; 8];
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a * b + c`, rounded once or twice: for conservative box tests only, never for triangles.
    fn mul_add_loose(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// The smaller; either where one is not a number.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// The larger; either where one is not a number.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// The least lane, where all are numbers.
    #[inline(always)]
    fn least(self, a: Self::F) -> f32 {
        self.store(a).into_iter().fold(f32::INFINITY, f32::min)
    }
    /// The largest, likewise.
    #[inline(always)]
    fn largest(self, a: Self::F) -> f32 {
        self.store(a).into_iter().fold(f32::NEG_INFINITY, f32::max)
    }
    /// Bit `i` where `a[i] <= b[i]`; 0 where one is not a number.
    fn le(self, a: Self::F, b: Self::F) -> u32;
    /// Bit `i` where `a[i] < b[i]`; 0 where one is not a number.
    fn lt(self, a: Self::F, b: Self::F) -> u32;

    /// Bit `i` where `a[i] <= b[i]` of doubles; 0 where one is not a number.
    #[inline(always)]
    fn le_doubles(self, a: &[f64; 8], b: &[f64; 8]) -> u32 {
        let mut bits = 0;
        for i in 0..8 {
            bits |= u32::from(a[i] <= b[i]) << i;
        }
        bits
    }

    /// Puts doubles in the places of others, where the mask has its bit; bits beyond the lanes mean nothing. Of this loop the compiler
    /// makes a branch for each lane, where vectors have an instruction.
    #[inline(always)]
    fn put_doubles(self, mask: u32, from: &[f64; 8], into: &mut [f64; 8]) {
        for lane in 0..8 {
            into[lane] = if mask >> lane & 1 == 1 { from[lane] } else { into[lane] };
        }
    }

    /// The same of one word.
    #[inline(always)]
    fn put_word(self, mask: u32, word: u32, into: &mut [u32; 8]) {
        for (lane, place) in into.iter_mut().enumerate() {
            *place = if mask >> lane & 1 == 1 { word } else { *place };
        }
    }

    /// The values of three edges in `f64`, of the corners' `x` and `y` in `f32`: the edge from C to B, that from A to C,
    /// that from B to A. Products and one difference each, never fused.
    #[inline(always)]
    fn edges(self, x: Vec3A, y: Vec3A) -> Edges {
        edges(x, y)
    }

    /// One lane of each of three.
    #[inline(always)]
    fn pick(self, [a, b, c]: [Self::F; 3], lane: usize) -> Vec3A {
        Vec3A::new(self.store(a)[lane & 7], self.store(b)[lane & 7], self.store(c)[lane & 7])
    }

    /// The components of a vector along the axes of a turn.
    #[inline(always)]
    fn turn(self, turn: &Turn, vector: Vec3A) -> Vec3A {
        turn.pick(vector)
    }

    /// Asks for the cache line of an address, where the machine takes such hints.
    #[inline(always)]
    fn prefetch(self, address: *const u8) {
        let _ = address;
    }

    /// Writes the children that are hit to the front of the slots, in any order. What the other slots hold afterwards is
    /// of no interest, and so are the distances.
    #[inline(always)]
    fn spill(self, children: &[u32; 8], hits: u32, to: Slots<'_>) {
        let mut hits = hits;
        let mut place = 0;
        while hits != 0 {
            to.children[place].write(children[lowest(hits)]);
            hits &= hits - 1;
            place += 1;
        }
    }

    /// Writes the children that are hit to the front of the slots, with the bits of where their boxes begin: the nearest
    /// last, as far as the lowest three bits of a distance do not matter: those are anything, and negative distances come in
    /// any order. What the other slots hold afterwards is of no interest. Gives the lane of the one that is written last, or
    /// any where none is hit.
    #[inline(always)]
    fn spill_nearest_last(self, children: &[u32; 8], near: Self::F, hits: u32, to: Slots<'_>) -> usize {
        let near = self.store(near);
        let (mut order, mut count, mut hits) = ([0; 8], 0, hits);
        while hits != 0 {
            let lane = lowest(hits);
            hits &= hits - 1;
            let mut hole = count;
            while hole > 0 && near[order[hole - 1]] < near[lane] {
                order[hole] = order[hole - 1];
                hole -= 1;
            }
            order[hole] = lane;
            count += 1;
        }
        for (place, &lane) in order[..count].iter().enumerate() {
            to.children[place].write(children[lane]);
            to.nears[place].write(near[lane].to_bits());
        }
        order[..count].last().copied().unwrap_or(0)
    }
}

/// [`Lanes::edges`], for code that no instruction set is enabled for.
#[inline(always)]
pub(crate) fn edges(x: Vec3A, y: Vec3A) -> Edges {
    let wide = |v: Vec3A| [f64::from(v.x), f64::from(v.y), f64::from(v.z)];
    let ([ax, bx, cx], [ay, by, cy]) = (wide(x), wide(y));
    let values = [cx * by - cy * bx, ax * cy - ay * cx, bx * ay - by * ax];
    let bits = |test: fn(f64) -> bool| (0..3).fold(0, |mask, i| mask | u32::from(test(values[i])) << i);
    Edges { values, above: bits(|value| value > 0.0), below: bits(|value| value < 0.0) }
}

/// The lowest lane of a mask that is not empty.
#[inline(always)]
pub(crate) fn lowest(mask: u32) -> usize {
    mask.trailing_zeros() as usize & 7
}

/// The places of a mask's bits, lowest first.
#[inline(always)]
pub(crate) fn ones(mut mask: u32) -> impl Iterator<Item = usize> + Clone {
    core::iter::from_fn(move || {
        let lowest = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        lowest
    })
}

/// The highest lane of a mask of eight, or any where it is empty.
#[inline(always)]
pub(crate) fn highest(mask: u32) -> usize {
    31u32.wrapping_sub((mask & 0xff).leading_zeros()) as usize & 7
}

/// For each mask of eight lanes: the lanes of its bits, lowest first, then the others.
pub(crate) static PACKING: [[u8; 8]; 256] = packing();

const fn packing() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut place, mut lane) = (0, 0);
        while lane < 16 {
            // First the set bits, then the clear ones.
            if (mask >> (lane % 8) & 1 == 1) == (lane < 8) {
                table[mask][place] = (lane % 8) as u8;
                place += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
}
