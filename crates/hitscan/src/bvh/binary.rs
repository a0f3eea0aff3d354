//! Top-down binned build of a binary tree by the surface area heuristic, in parallel.
//!
//! Sources: Goldsmith and Salmon, Automatic Creation of Object Hierarchies for Ray Tracing (1987), for the
//! heuristic; Wald, On fast Construction of SAH-based Bounding Volume Hierarchies (2007), for the bins.
//!
//! The tree depends on the boxes and their order alone: bins hold minima, maxima and counts, which come out
//! the same however the work is divided.

use alloc::vec::Vec;

use super::collapse::{self, Costs, Plan};
use super::node::Bounds;

/// Bins along each axis; fewer for small sets, whose sweep would cost more than their triangles.
const BINS: usize = 16;
const SMALL_BINS: usize = 8;
const SMALL_SET: usize = 24;

/// From this depth on, sets are halved by count, so that no input makes a tree deeper than this and the
/// logarithm of its size together.
const HALVING_DEPTH: usize = 56;

// From there a set of 2^32 is halved 32 times; the walk's stack has room for that.
const _: () = assert!(HALVING_DEPTH + 32 < crate::simd::stack::MAX_DEPTH);

/// Sets above this size are built by two threads, and their bins are filled in blocks of this size.
#[cfg(feature = "rayon")]
const PARALLEL: usize = 8192;

/// One thing to be sorted into the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub bounds: Bounds,
    pub id: u32,
}

impl Item {
    /// Twice the centre of the box, which orders as the centre does.
    #[inline(always)]
    fn centre(&self) -> [f32; 4] {
        core::array::from_fn(|i| self.bounds.low[i] + self.bounds.high[i])
    }
}

/// A node of the binary tree. Nodes stand in depth-first order: the left child follows its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BinaryNode {
    pub bounds: Bounds,
    /// From this node to its right child; 0 for a leaf.
    pub right: u32,
    /// Its items, in the order that the build leaves them in.
    pub first: u32,
    pub count: u32,
    /// How the collapse to wide nodes cuts it.
    pub plan: Plan,
}

/// How a tree is cut into leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Sets of up to this size are not split any further.
    pub whole: usize,
    /// Leaves hold at most this many items.
    pub leaf: usize,
    /// Multiplies lengths so that areas neither over- nor underflow: about 1 over the largest coordinate.
    pub scale: f32,
}

/// Sorts the items into a binary tree; node 0 is its root. `items` must not be empty.
pub(crate) fn build(items: &mut [Item], settings: Settings) -> Vec<BinaryNode> {
    let mut nodes = Vec::with_capacity(items.len());
    subtree(items, 0, 0, settings, &mut nodes);
    nodes
}

/// Appends the tree of `items`, which begin at `first` of all items, and gives what the collapse needs to know.
fn subtree(
    items: &mut [Item],
    first: u32,
    depth: usize,
    settings: Settings,
    nodes: &mut Vec<BinaryNode>,
) -> Costs {
    let (bounds, centres) = extent(items);
    let place = nodes.len();
    let area = bounds.half_area(settings.scale);
    let count = items.len();
    let mut node = BinaryNode { bounds, right: 0, first, count: count as u32, plan: Plan::LEAF };
    nodes.push(node);
    if count <= settings.whole {
        return collapse::leaf(area);
    }
    let middle = if depth < HALVING_DEPTH { split(items, &centres, settings.scale) } else { None };
    let middle = middle.unwrap_or(count / 2);
    let (left, right) = items.split_at_mut(middle);
    let right_first = first + middle as u32;
    let (left_costs, right_costs) = children(
        count,
        nodes,
        |nodes| subtree(left, first, depth + 1, settings, nodes),
        |nodes| subtree(right, right_first, depth + 1, settings, nodes),
        &mut node.right,
        place,
    );
    let (costs, plan) = collapse::join(area, count <= settings.leaf, &left_costs, &right_costs);
    node.plan = plan;
    nodes[place] = node;
    costs
}

/// Builds both children behind their parent, in parallel where they are large.
fn children(
    count: usize,
    nodes: &mut Vec<BinaryNode>,
    left: impl FnOnce(&mut Vec<BinaryNode>) -> Costs + Send,
    right: impl FnOnce(&mut Vec<BinaryNode>) -> Costs + Send,
    to_right: &mut u32,
    place: usize,
) -> (Costs, Costs) {
    #[cfg(feature = "rayon")]
    if count > PARALLEL {
        let mut behind = Vec::new();
        let (left_costs, right_costs) = rayon::join(|| left(nodes), || right(&mut behind));
        *to_right = (nodes.len() - place) as u32;
        nodes.append(&mut behind);
        return (left_costs, right_costs);
    }
    let _ = count;
    let left_costs = left(nodes);
    *to_right = (nodes.len() - place) as u32;
    (left_costs, right(nodes))
}

/// The box around the items, and the box around their (doubled) centres.
fn extent(items: &[Item]) -> (Bounds, Bounds) {
    let serial = |items: &[Item]| {
        let (mut bounds, mut centres) = (Bounds::EMPTY, Bounds::EMPTY);
        for item in items {
            bounds.grow(&item.bounds);
            centres.grow_point(item.centre());
        }
        (bounds, centres)
    };
    #[cfg(feature = "rayon")]
    if items.len() > 8 * PARALLEL {
        use rayon::prelude::*;
        return items.par_chunks(PARALLEL).map(serial).reduce(
            || (Bounds::EMPTY, Bounds::EMPTY),
            |mut a, b| {
                a.0.grow(&b.0);
                a.1.grow(&b.1);
                a
            },
        );
    }
    serial(items)
}

#[derive(Clone, Copy)]
struct Bin {
    bounds: Bounds,
    count: u32,
}

type Bins = [[Bin; BINS]; 3];

/// Maps doubled centres to bins along each axis.
struct Binning {
    low: [f32; 4],
    per_unit: [f32; 4],
    bins: usize,
}

impl Binning {
    fn new(centres: &Bounds, items: usize) -> Binning {
        let bins = if items < SMALL_SET { SMALL_BINS } else { BINS };
        let per_unit = core::array::from_fn(|i| {
            let extent = centres.high[i] - centres.low[i];
            // Just below the bin count, so that the highest centre falls into the last bin.
            if extent > 0.0 { (bins as f32 * 0.999_999) / extent } else { 0.0 }
        });
        Binning { low: centres.low, per_unit, bins }
    }

    #[inline(always)]
    fn bin(&self, centre: f32, axis: usize) -> usize {
        // A product that is not a number (a denormal extent) becomes 0: any bin is a valid choice.
        (((centre - self.low[axis]) * self.per_unit[axis]) as usize).min(self.bins - 1)
    }

    fn fill(&self, items: &[Item]) -> Bins {
        let mut bins = [[Bin { bounds: Bounds::EMPTY, count: 0 }; BINS]; 3];
        for item in items {
            let centre = item.centre();
            for axis in 0..3 {
                let bin = &mut bins[axis][self.bin(centre[axis], axis)];
                bin.bounds.grow(&item.bounds);
                bin.count += 1;
            }
        }
        bins
    }

    fn fill_all(&self, items: &[Item]) -> Bins {
        #[cfg(feature = "rayon")]
        if items.len() > 8 * PARALLEL {
            use rayon::prelude::*;
            let merge = |mut a: Bins, b: Bins| {
                for (a, b) in a.as_flattened_mut().iter_mut().zip(b.as_flattened()) {
                    a.bounds.grow(&b.bounds);
                    a.count += b.count;
                }
                a
            };
            return items.par_chunks(PARALLEL).map(|chunk| self.fill(chunk)).reduce(|| self.fill(&[]), merge);
        }
        self.fill(items)
    }
}

/// Partitions the items at the cheapest border between bins, and says where; `None` where all centres are one.
///
/// At equal cost the lower axis and the lower border win.
fn split(items: &mut [Item], centres: &Bounds, scale: f32) -> Option<usize> {
    let binning = Binning::new(centres, items.len());
    let bins = binning.fill_all(items);
    let mut best = (f32::INFINITY, 0, 0);
    for axis in 0..3 {
        if centres.high[axis] <= centres.low[axis] {
            continue;
        }
        for (border, cost) in sweep(&bins[axis][..binning.bins], scale).into_iter().enumerate() {
            if cost < best.0 {
                best = (cost, axis, border);
            }
        }
    }
    let (cost, axis, border) = best;
    if cost == f32::INFINITY {
        return None;
    }
    let middle = partition(items, |item| binning.bin(item.centre()[axis], axis) <= border);
    (middle > 0 && middle < items.len()).then_some(middle)
}

/// The cost of splitting behind each bin: area times blocks of four triangles, on both sides.
fn sweep(bins: &[Bin], scale: f32) -> [f32; BINS] {
    let blocks = |count: u32| count.div_ceil(4) as f32;
    let mut cost = [f32::INFINITY; BINS];
    let (mut bounds, mut count) = (Bounds::EMPTY, 0);
    for (border, bin) in bins.iter().enumerate().rev() {
        if count > 0 {
            cost[border] = bounds.half_area(scale) * blocks(count);
        }
        bounds.grow(&bin.bounds);
        count += bin.count;
    }
    (bounds, count) = (Bounds::EMPTY, 0);
    for (border, bin) in bins.iter().enumerate() {
        bounds.grow(&bin.bounds);
        count += bin.count;
        if count > 0 {
            cost[border] += bounds.half_area(scale) * blocks(count);
        } else {
            cost[border] = f32::INFINITY;
        }
    }
    cost
}

/// Moves the items that belong to the left to the front, and says how many there are.
fn partition(items: &mut [Item], left: impl Fn(&Item) -> bool) -> usize {
    let (mut low, mut high) = (0, items.len());
    loop {
        while low < high && left(&items[low]) {
            low += 1;
        }
        while low < high && !left(&items[high - 1]) {
            high -= 1;
        }
        if low >= high {
            return low;
        }
        items.swap(low, high - 1);
        low += 1;
        high -= 1;
    }
}
