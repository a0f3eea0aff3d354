//! Splitting a small set: every place along every axis is tried.

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
/// ones come first. At equal cost the lower axis and the lower place win.
#[inline(always)]
pub(crate) fn split<L: Lanes>(lanes: L, items: &mut [Item], elsewhere: Option<&[Item]>, scale: f32) -> Parts {
    match items.len() {
        0..=8 => among::<L, 8>(lanes, items, elsewhere, scale),
        9..=16 => among::<L, 16>(lanes, items, elsewhere, scale),
        _ => among::<L, SMALL>(lanes, items, elsewhere, scale),
    }
}

#[inline(always)]
fn among<L: Lanes, const MOST: usize>(
    lanes: L,
    items: &mut [Item],
    elsewhere: Option<&[Item]>,
    scale: f32,
) -> Parts {
    let from = elsewhere.unwrap_or(items);
    let count = from.len().min(MOST);
    let mut keys = [[i32::MAX; MOST]; 3];
    for i in 0..count {
        let centre = from[i].0.centre();
        for axis in 0..3 {
            // The number in the lowest bits makes keys differ and costs the centre what no split needs.
            keys[axis][i] = in_order(centre.0[axis].to_bits() & !(SMALL as u32 - 1) | i as u32);
        }
    }
    let mut orders = [[0u8; MOST]; 3];
    let mut hulls = [[Hull::EMPTY; MOST]; 3];
    for axis in 0..3 {
        rank(&keys[axis], count, &mut orders[axis]);
        for (hull, &i) in hulls[axis].iter_mut().zip(&orders[axis][..count]) {
            *hull = from[usize::from(i)].0;
        }
    }
    let below: [u32; MOST] = core::array::from_fn(|place| place.min(count) as u32);
    let [x, y, z] = &hulls;
    let axes = [x, y, z].map(|hulls| Sorted { hulls, below: &below });
    let (axis, place) = cheapest(lanes, &axes, count as u32, scale).unwrap_or((0, count / 2));
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
