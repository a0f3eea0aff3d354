//! Splitting a small set: every place along every axis, or along the longest one, is tried.

use super::cheapest::{Sorted, cheapest};
use super::item::{Hull, Item};
use crate::simd::lanes::Lanes;

/// Sets of up to this size are split here.
pub(crate) const SMALL: usize = 32;

/// How a small set was split.
pub(crate) struct Parts {
    pub left_count: usize,
    pub hulls: [Hull; 2],
}

/// Splits 2 to [`SMALL`] items, which stand elsewhere or already where they are to be, at the cheapest place; the left
/// ones come first. At equal cost the lower axis and the lower place win. `AXES` is 3, or 1 for the longest axis alone.
#[inline(always)]
pub(crate) fn split<L: Lanes, const AXES: usize>(
    lanes: L,
    items: &mut [Item],
    elsewhere: Option<&[Item]>,
    longest: usize,
    scale: f32,
) -> Parts {
    let axes = core::array::from_fn(|i| if AXES == 1 { longest } else { i });
    match items.len() {
        0..=8 => among::<L, 8, AXES>(lanes, items, elsewhere, axes, scale),
        9..=16 => among::<L, 16, AXES>(lanes, items, elsewhere, axes, scale),
        _ => among::<L, SMALL, AXES>(lanes, items, elsewhere, axes, scale),
    }
}

#[inline(always)]
fn among<L: Lanes, const MOST: usize, const AXES: usize>(
    lanes: L,
    items: &mut [Item],
    elsewhere: Option<&[Item]>,
    axes: [usize; AXES],
    scale: f32,
) -> Parts {
    let from = elsewhere.unwrap_or(items);
    let count = from.len().min(MOST);
    let mut keys = [[i32::MAX; MOST]; AXES];
    for i in 0..count {
        let centre = from[i].0.centre();
        for (keys, axis) in keys.iter_mut().zip(axes) {
            // The number in the lowest bits makes keys differ and costs the centre what no split needs.
            keys[i] = in_order(centre.0[axis].to_bits() & !(SMALL as u32 - 1) | i as u32);
        }
    }
    let mut orders = [[0u8; MOST]; AXES];
    let mut hulls = [[Hull::EMPTY; MOST]; AXES];
    for axis in 0..AXES {
        rank(&keys[axis], count, &mut orders[axis]);
        for (hull, &i) in hulls[axis].iter_mut().zip(&orders[axis][..count]) {
            *hull = from[usize::from(i)].0;
        }
    }
    let below: [u32; MOST] = core::array::from_fn(|place| place.min(count) as u32);
    let sorted = core::array::from_fn(|axis| Sorted { hulls: &hulls[axis], below: &below });
    let (axis, place) =
        cheapest::<L, MOST, AXES>(lanes, &sorted, count as u32, scale).unwrap_or((0, count / 2));
    for (item, hull) in items.iter_mut().zip(&hulls[axis]) {
        *item = Item(*hull);
    }
    let (left, right) = hulls[axis].split_at(place);
    Parts { left_count: place, hulls: [Hull::around(lanes, left), Hull::around(lanes, right)] }
}

/// The bits of a number as an integer in the same order. Different bits stay different, also those of what is infinite or
/// not a number.
#[inline(always)]
fn in_order(bits: u32) -> i32 {
    let bits = bits as i32;
    bits ^ ((bits >> 31) & i32::MAX)
}

/// The order of different keys, each placed by how many are less: all comparisons, but eight at a time.
#[inline(always)]
fn rank<const MOST: usize>(keys: &[i32; MOST], count: usize, order: &mut [u8; MOST]) {
    let mut less = [0u32; MOST];
    for &key in &keys[..count] {
        for i in 0..MOST {
            less[i] += u32::from(key < keys[i]);
        }
    }
    for i in 0..count {
        order[less[i] as usize & (MOST - 1)] = i as u8;
    }
}
