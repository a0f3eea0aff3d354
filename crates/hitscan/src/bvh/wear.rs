//! What a tree costs rays after its boxes moved, beside what it cost when it was built.

use super::node::Bounds;

/// What a tree costs rays, counted in boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wear {
    /// The surfaces of all boxes over that of the one around all: for rays through everything.
    across: f64,
    /// The mean over the nodes of the surfaces of their children's boxes over that of their own: for rays that stay where
    /// things are crowded, of which one thing far away says nothing.
    within: f64,
}

/// A tree that costs rays so many times what it cost when it was built is worn.
const WORN: f64 = 1.3;

impl Wear {
    /// Of a tree of which nothing is known.
    pub const UNKNOWN: Wear = Wear { across: f64::INFINITY, within: f64::INFINITY };

    /// Its numbers, to be kept.
    #[cfg(feature = "std")]
    pub fn parts(self) -> [f64; 2] {
        [self.across, self.within]
    }

    /// Of the numbers that were kept.
    #[cfg(feature = "std")]
    pub fn of_parts([across, within]: [f64; 2]) -> Wear {
        Wear { across, within }
    }

    /// How many times as much it costs, for the rays that it costs most.
    pub fn over(&self, built: &Wear) -> f64 {
        let times = |now: f64, then: f64| if now == then { 1.0 } else { now / then };
        times(self.across, built.across).max(times(self.within, built.within))
    }

    /// Whether a tree that costs so many times as much should be built anew.
    pub fn is_worn(times: f64) -> bool {
        times > WORN
    }
}

/// The surfaces of a tree's boxes, node by node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surfaces {
    all: f64,
    within: f64,
}

impl Surfaces {
    /// Those of no node.
    pub const NONE: Surfaces = Surfaces { all: 0.0, within: 0.0 };

    /// Counts a node with this box, whose children's boxes have half surfaces of this sum.
    pub fn node(&mut self, around: &Bounds, below: f64) {
        self.all += below;
        self.within += if below > 0.0 { below / half_surface(around) } else { 0.0 };
    }

    /// Counts what is in another part of the tree.
    pub fn add(&mut self, other: &Surfaces) {
        self.all += other.all;
        self.within += other.within;
    }

    /// What the tree of these nodes costs, with the box around all.
    pub fn wear(&self, bounds: &Bounds, nodes: usize) -> Wear {
        let across = if self.all > 0.0 { self.all / half_surface(bounds) } else { 0.0 };
        Wear { across, within: self.within / nodes.max(1) as f64 }
    }
}

/// Half the surface of a box; 0 for an empty one.
pub(crate) fn half_surface(bounds: &Bounds) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|i| (f64::from(bounds.high[i]) - f64::from(bounds.low[i])).max(0.0));
    x * (y + z) + y * z
}
