//! Boxes as the builder handles them: one register, in which growing is one minimum.

use super::node::Bounds;
use crate::simd::lanes::Lanes;

/// A box as its lowest x, y, z and the negatives of its highest x, y, z. The fourth and the eighth number mean nothing.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct Hull(pub [f32; 8]);

impl Hull {
    pub const EMPTY: Hull = Hull([f32::INFINITY; 8]);

    pub fn of_bounds(bounds: &Bounds) -> Hull {
        let Bounds { low, high } = bounds;
        Hull([low[0], low[1], low[2], 0.0, -high[0], -high[1], -high[2], 0.0])
    }

    pub fn of_triangle([a, b, c]: [[f32; 3]; 3]) -> Hull {
        let lowest = |i: usize| least(least(a[i], b[i]), c[i]);
        let highest = |i: usize| least(least(-a[i], -b[i]), -c[i]);
        Hull([lowest(0), lowest(1), lowest(2), 0.0, highest(0), highest(1), highest(2), 0.0])
    }

    pub fn bounds(&self) -> Bounds {
        let [a, b, c, _, x, y, z, _] = self.0;
        Bounds { low: [a, b, c, 0.0], high: [-x, -y, -z, 0.0] }
    }

    pub fn grow(&mut self, other: &Hull) {
        for i in 0..8 {
            self.0[i] = least(self.0[i], other.0[i]);
        }
    }

    /// The same in one register.
    #[inline(always)]
    pub fn grow_in<L: Lanes>(&mut self, lanes: L, other: &Hull) {
        self.0 = lanes.store(lanes.min(lanes.load(&self.0), lanes.load(&other.0)));
    }

    /// The box around all of them.
    #[inline(always)]
    pub fn around<L: Lanes>(lanes: L, hulls: &[Hull]) -> Hull {
        let mut all = Hull::EMPTY;
        for hull in hulls {
            all.grow_in(lanes, hull);
        }
        all
    }

    /// Twice the centre, as a box of that one point: sums of opposite numbers, whose order is the centres'.
    #[inline(always)]
    pub fn centre(&self) -> Hull {
        let h = &self.0;
        Hull([
            h[0] - h[4],
            h[1] - h[5],
            h[2] - h[6],
            h[3] - h[7],
            h[4] - h[0],
            h[5] - h[1],
            h[6] - h[2],
            h[7] - h[3],
        ])
    }

    /// The axis along which it is longest; the lowest of equal ones.
    #[inline(always)]
    pub fn longest(&self) -> usize {
        let h = &self.0;
        // The longest is the lowest of these.
        let [x, y, z] = [h[0] + h[4], h[1] + h[5], h[2] + h[6]];
        let (axis, least) = if y < x { (1, y) } else { (0, x) };
        if z < least { 2 } else { axis }
    }

    /// Half the surface, with lengths multiplied by `scale` first so that squares stay in range.
    #[inline(always)]
    pub fn half_area(&self, scale: f32) -> f32 {
        let h = &self.0;
        // The signs of two extents cancel out.
        let [x, y, z] = [(h[0] + h[4]) * scale, (h[1] + h[5]) * scale, (h[2] + h[6]) * scale];
        x * (y + z) + y * z
    }
}

#[inline(always)]
fn least(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// One thing to be sorted into the tree: its box, and its number in the place of the fourth coordinate.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Item(pub Hull);

/// Turns small numbers into bits of an `f32` of common size: arithmetic on denormal ones can be slow.
const COMMON: u32 = 0x3f80_0000;

impl Item {
    /// In the place of an item that does not exist.
    pub const NONE: Item = Item(Hull::EMPTY);

    #[inline(always)]
    pub fn new(mut hull: Hull, id: u32) -> Item {
        hull.0[3] = f32::from_bits(id ^ COMMON);
        Item(hull)
    }

    #[inline(always)]
    pub fn is_none(&self) -> bool {
        self.0.0[0] == f32::INFINITY
    }

    #[inline(always)]
    pub fn id(&self) -> u32 {
        self.0.0[3].to_bits() ^ COMMON
    }
}
