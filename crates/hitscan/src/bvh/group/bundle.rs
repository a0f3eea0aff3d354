//! All rays of a group as one: between which planes they run.

use super::rays::{AxisOf, Rays};
use crate::bvh::walk::Reach;
use crate::simd::block::{Planes, load_plane};
use crate::simd::lanes::Lanes;
use crate::simd::sixteen::Row16;

/// What no ray of a group goes beyond, as a box test of all at once wants it. A plane `p` of axis `i` is met at
/// `(p - o) * r` by a ray from `o`; for all `o` and `r` of the group that lies between those of the outermost `o`, with the
/// least and with the largest `r`.
#[derive(Clone, Copy)]
pub(super) struct Bundle {
    axes: [Ends; 3],
    begin: f32,
    /// How far any of the rays looks.
    pub reach: Reach,
}

/// Along one axis: the least and the largest `r`, and where planes are met with each, first and last.
#[derive(Clone, Copy)]
struct Ends {
    r: [f32; 2],
    near: [f32; 2],
    far: [f32; 2],
}

impl Ends {
    #[inline(always)]
    fn new<L: Lanes>(lanes: L, axis: &AxisOf, margin: f32) -> Ends {
        let (r0, r1) = (least(lanes, &axis.r), largest(lanes, &axis.r));
        let (low, high) = (least(lanes, &axis.origin) - margin, largest(lanes, &axis.origin) + margin);
        let (near, far) = if r0 > 0.0 { (high, low) } else { (low, high) };
        Ends { r: [r0, r1], near: [near * -r0, near * -r1], far: [far * -r0, far * -r1] }
    }
}

impl Bundle {
    #[inline(always)]
    pub fn new<L: Lanes>(lanes: L, rays: &Rays) -> Bundle {
        let Rays { axes: [x, y, z], margin, .. } = rays;
        let axes = [Ends::new(lanes, x, *margin), Ends::new(lanes, y, *margin), Ends::new(lanes, z, *margin)];
        let (begin, reach) = (least(lanes, &rays.begin), largest(lanes, &rays.reach));
        Bundle { axes, begin, reach: Reach::new(reach) }
    }

    /// Bits of eight boxes, laid out as those of a node's children, that any ray may meet, and where the first may enter each.
    #[inline(always)]
    pub fn test<L: Lanes>(&self, lanes: L, planes: &Planes, boxes: &[[f32; 8]; 6]) -> (u32, L::F) {
        let begin = lanes.max(
            lanes.max(self.enter(lanes, planes, boxes, 0), self.enter(lanes, planes, boxes, 1)),
            lanes.max(self.enter(lanes, planes, boxes, 2), lanes.splat(self.begin)),
        );
        let end = lanes.min(
            lanes.min(self.leave(lanes, planes, boxes, 0), self.leave(lanes, planes, boxes, 1)),
            lanes.min(self.leave(lanes, planes, boxes, 2), lanes.splat(self.reach.far)),
        );
        (lanes.le(begin, end), begin)
    }

    #[inline(always)]
    fn enter<L: Lanes>(&self, lanes: L, planes: &Planes, boxes: &[[f32; 8]; 6], axis: usize) -> L::F {
        let plane = load_plane(lanes, boxes, planes.first(axis));
        let Ends { r, near, .. } = &self.axes[axis];
        lanes.min(
            lanes.mul_add_loose(plane, lanes.splat(r[0]), lanes.splat(near[0])),
            lanes.mul_add_loose(plane, lanes.splat(r[1]), lanes.splat(near[1])),
        )
    }

    #[inline(always)]
    fn leave<L: Lanes>(&self, lanes: L, planes: &Planes, boxes: &[[f32; 8]; 6], axis: usize) -> L::F {
        let plane = load_plane(lanes, boxes, planes.last(axis));
        let Ends { r, far, .. } = &self.axes[axis];
        lanes.max(
            lanes.mul_add_loose(plane, lanes.splat(r[0]), lanes.splat(far[0])),
            lanes.mul_add_loose(plane, lanes.splat(r[1]), lanes.splat(far[1])),
        )
    }
}

/// The least of sixteen numbers, none of which is NaN.
#[inline(always)]
fn least<L: Lanes>(lanes: L, numbers: &Row16) -> f32 {
    debug_assert!(!numbers.0.iter().any(|number| number.is_nan()), "{:?}", numbers.0);
    let [a, b] = lanes.halves(numbers);
    lanes.least(lanes.min(a, b))
}

/// The largest, likewise.
#[inline(always)]
pub(super) fn largest<L: Lanes>(lanes: L, numbers: &Row16) -> f32 {
    debug_assert!(!numbers.0.iter().any(|number| number.is_nan()), "{:?}", numbers.0);
    let [a, b] = lanes.halves(numbers);
    lanes.largest(lanes.max(a, b))
}
