//! The cheapest of many ways to split a set that is sorted along each axis.

use super::item::Hull;
use crate::simd::boxes::half_areas;
use crate::simd::lanes::Lanes;

/// Boxes along one axis, and how many items lie below each: a set is split in front of one of them.
pub(crate) struct Sorted<'a, const MOST: usize> {
    pub hulls: &'a [Hull; MOST],
    pub below: &'a [u32; MOST],
}

/// The number of the axis and the place of the split that costs least: area times blocks of four triangles, on both sides. `None` where
/// all leave one side empty. At equal cost the lower axis and the lower place win. `MOST` is a multiple of 8.
#[inline(always)]
pub(crate) fn cheapest<L: Lanes, const MOST: usize, const AXES: usize>(
    lanes: L,
    axes: &[Sorted<'_, MOST>; AXES],
    count: u32,
    scale: f32,
) -> Option<(usize, usize)> {
    let mut costs = [[0.0; MOST]; AXES];
    let mut least = lanes.splat(f32::INFINITY);
    for axis in 0..AXES {
        costs[axis] = along(lanes, &axes[axis], count, scale);
        for eight in costs[axis].as_chunks::<8>().0 {
            least = lanes.min(least, lanes.load(eight));
        }
    }
    let mut least = lanes.store(least);
    for half in [4, 2, 1] {
        for i in 0..half {
            least[i] = if least[i + half] < least[i] { least[i + half] } else { least[i] };
        }
    }
    if least[0] == f32::INFINITY {
        return None;
    }
    let least = lanes.splat(least[0]);
    for axis in 0..AXES {
        for (i, eight) in costs[axis].as_chunks::<8>().0.iter().enumerate() {
            let found = lanes.le(lanes.load(eight), least);
            if found != 0 {
                return Some((axis, 8 * i + found.trailing_zeros() as usize));
            }
        }
    }
    None
}

/// The costs of splitting in front of each box.
#[inline(always)]
fn along<L: Lanes, const MOST: usize>(
    lanes: L,
    sorted: &Sorted<'_, MOST>,
    count: u32,
    scale: f32,
) -> [f32; MOST] {
    let Sorted { hulls, below } = sorted;
    let mut costs = [0.0; MOST];
    let mut hull = lanes.splat(f32::INFINITY);
    for first in (0..MOST).step_by(4) {
        let a = hull;
        let b = lanes.min(a, lanes.load(&hulls[first].0));
        let c = lanes.min(b, lanes.load(&hulls[first + 1].0));
        let d = lanes.min(c, lanes.load(&hulls[first + 2].0));
        hull = lanes.min(d, lanes.load(&hulls[first + 3].0));
        let areas = half_areas([a, b, c, d].map(|hull| lanes.store(hull)), scale);
        for i in 0..4 {
            costs[first + i] = areas[i] * blocks(below[first + i]);
        }
    }
    hull = lanes.splat(f32::INFINITY);
    for first in (0..MOST).step_by(4).rev() {
        let d = lanes.min(hull, lanes.load(&hulls[first + 3].0));
        let c = lanes.min(d, lanes.load(&hulls[first + 2].0));
        let b = lanes.min(c, lanes.load(&hulls[first + 1].0));
        hull = lanes.min(b, lanes.load(&hulls[first].0));
        let areas = half_areas([hull, b, c, d].map(|hull| lanes.store(hull)), scale);
        for i in 0..4 {
            costs[first + i] += areas[i] * blocks(count - below[first + i]);
        }
    }
    costs
}

/// Blocks of four triangles; at least 1, so that an empty side's infinite area stays infinite.
#[inline(always)]
fn blocks(count: u32) -> f32 {
    // Signed, since that is one instruction to a float.
    ((count.max(1) + 3) >> 2) as i32 as f32
}
