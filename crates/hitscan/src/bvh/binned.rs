//! Splitting a large set: bins along each axis, the cheapest border between two of them, and the sorting to its sides.
//!
//! Source: Wald, On fast Construction of SAH-based Bounding Volume Hierarchies (2007).

use super::cheapest::{Sorted, cheapest};
use super::item::{Hull, Item};
use crate::simd::boxes::{cell, cells};
use crate::simd::lanes::Lanes;

/// From this size on, a set is put into two sets of bins in turn: items that stand together fall into one bin, whose
/// minimum would wait for the one before.
const TWICE: usize = 256;

/// Maps doubled centres to bins along each axis, of which there is a power of two.
#[derive(Clone, Copy)]
pub(crate) struct Binning<const BINS: usize> {
    low: [f32; 4],
    per_unit: [f32; 4],
    /// The axis along which the centres lie farthest apart.
    longest: usize,
}

impl<const BINS: usize> Binning<BINS> {
    #[inline(always)]
    pub fn new(centres: &Hull) -> Self {
        let [a, b, c, _, x, y, z, _] = centres.0;
        // A little less than there are bins, so that the highest centre is not rounded out of them.
        let per_unit = |extent: f32| if extent > 0.0 { BINS as f32 * 0.999_99 / extent } else { 0.0 };
        Binning {
            low: [a, b, c, 0.0],
            per_unit: [per_unit(-x - a), per_unit(-y - b), per_unit(-z - c), 0.0],
            longest: centres.longest(),
        }
    }

    /// The axes along which sets are split: all three, or the longest one.
    #[inline(always)]
    fn axes<const AXES: usize>(&self) -> [usize; AXES] {
        core::array::from_fn(|i| if AXES == 1 { self.longest } else { i })
    }

    /// Whether an item lies at or below a border.
    #[inline(always)]
    pub fn is_left(&self, item: &Item, border: &Border) -> bool {
        cell::<BINS>(&item.0.0, &self.low, &self.per_unit, border.axis & 3) <= border.bin
    }
}

/// What the items in each bin are together, along three axes or one.
#[derive(Clone)]
pub(crate) struct Bins<const BINS: usize, const AXES: usize> {
    axes: [usize; AXES],
    hulls: [[Hull; BINS]; AXES],
    pub counts: Counts<BINS, AXES>,
}

/// How many items are in each bin.
pub(crate) type Counts<const BINS: usize, const AXES: usize> = [[u32; BINS]; AXES];

/// A border between bins, and what lies on its sides.
#[derive(Clone, Copy)]
pub(crate) struct Border {
    axis: usize,
    /// The last one on the left.
    bin: usize,
    pub left_count: usize,
    pub left: Hull,
    pub right: Hull,
}

impl Border {
    /// How many items of a block are on the left.
    pub fn lefts<const BINS: usize>(&self, block: &Counts<BINS, 3>) -> usize {
        block[self.axis][..=self.bin].iter().sum::<u32>() as usize
    }
}

impl<const BINS: usize, const AXES: usize> Bins<BINS, AXES> {
    #[inline(always)]
    fn empty(binning: &Binning<BINS>) -> Self {
        Bins { axes: binning.axes(), hulls: [[Hull::EMPTY; BINS]; AXES], counts: [[0; BINS]; AXES] }
    }

    /// The bins of these items.
    #[inline(always)]
    pub fn of<L: Lanes>(lanes: L, binning: &Binning<BINS>, items: &[Item]) -> Self {
        let mut bins = Bins::empty(binning);
        if items.len() < TWICE {
            for item in items {
                bins.put(lanes, binning, item);
            }
            return bins;
        }
        let mut more = Bins::empty(binning);
        let (pairs, rest) = items.as_chunks::<2>();
        for [a, b] in pairs {
            bins.put(lanes, binning, a);
            more.put(lanes, binning, b);
        }
        for item in rest {
            bins.put(lanes, binning, item);
        }
        bins.add(lanes, &more);
        bins
    }

    #[inline(always)]
    fn put<L: Lanes>(&mut self, lanes: L, binning: &Binning<BINS>, item: &Item) {
        let Hull(hull) = &item.0;
        let bins = if AXES == 1 {
            [cell::<BINS>(hull, &binning.low, &binning.per_unit, self.axes[0] & 3); 3]
        } else {
            cells::<BINS>(hull, &binning.low, &binning.per_unit)
        };
        for i in 0..AXES {
            let bin = bins[i] & (BINS - 1);
            self.hulls[i][bin].grow_in(lanes, &item.0);
            self.counts[i][bin] += 1;
        }
    }

    #[inline(always)]
    pub fn add<L: Lanes>(&mut self, lanes: L, other: &Self) {
        for axis in 0..AXES {
            for bin in 0..BINS {
                self.hulls[axis][bin].grow_in(lanes, &other.hulls[axis][bin]);
                self.counts[axis][bin] += other.counts[axis][bin];
            }
        }
    }

    /// The cheapest border; `None` where all centres are one. At equal cost the lower axis and the lower border win.
    #[inline(always)]
    pub fn best<L: Lanes>(&self, lanes: L, scale: f32) -> Option<Border> {
        let mut below = [[0; BINS]; AXES];
        for (below, counts) in below.iter_mut().zip(&self.counts) {
            for bin in 1..BINS {
                below[bin] = below[bin - 1] + counts[bin - 1];
            }
        }
        let axes = core::array::from_fn(|i| Sorted { hulls: &self.hulls[i], below: &below[i] });
        let count: u32 = self.counts[0].iter().sum();
        let (i, place) = cheapest::<L, BINS, AXES>(lanes, &axes, count, scale)?;
        let (left, right) = self.hulls[i].split_at(place);
        Some(Border {
            axis: self.axes[i],
            bin: place.wrapping_sub(1),
            left_count: below[i][place] as usize,
            left: Hull::around(lanes, left),
            right: Hull::around(lanes, right),
        })
    }
}

/// Copies each item to its side of the border, and gives the boxes around both sides' doubled centres. The sides are as
/// large as the border says, and keep the order.
#[inline(always)]
pub(crate) fn scatter<L: Lanes, const BINS: usize>(
    lanes: L,
    from: &[Item],
    left: &mut [Item],
    right: &mut [Item],
    binning: &Binning<BINS>,
    border: &Border,
) -> [Hull; 2] {
    let mut centres = [lanes.splat(f32::INFINITY); 2];
    let (mut lefts, mut rights, mut taken) = (0, 0, 0);
    // Both places are written and one of them counted, which needs no branch; until one side is full.
    while taken < from.len() && lefts < left.len() && rights < right.len() {
        let item = from[taken];
        let is_left = usize::from(binning.is_left(&item, border));
        left[lefts] = item;
        right[rights] = item;
        lefts += is_left;
        rights += 1 - is_left;
        taken += 1;
        let centre = lanes.load(&item.0.centre().0);
        // What is infinite on the wrong side does not count there.
        let sides = [f32::INFINITY, f32::NEG_INFINITY];
        centres[0] = lanes.min(centres[0], lanes.max(centre, lanes.splat(sides[is_left])));
        centres[1] = lanes.min(centres[1], lanes.max(centre, lanes.splat(sides[1 - is_left])));
    }
    let rest = &from[taken..];
    let side = usize::from(lefts == left.len());
    for item in rest {
        centres[side] = lanes.min(centres[side], lanes.load(&item.0.centre().0));
    }
    if side == 0 {
        left[lefts..].copy_from_slice(rest);
    } else {
        right[rights..].copy_from_slice(rest);
    }
    centres.map(|centres| Hull(lanes.store(centres)))
}
