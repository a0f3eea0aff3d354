//! The fast build: neighbours along a curve through space become clusters, the clusters are sorted into a tree as if each
//! were one thing, and each is sorted by itself, in memory that stays at hand.
//!
//! Source: Pantaleoni, Luebke, HLBVH: Hierarchical LBVH Construction for Real-Time Ray Tracing (2010), with the tree over
//! the clusters by surface area, and the clusters too.

use alloc::vec;
use alloc::vec::Vec;

use super::binary::{Axes, Builder, HALVING_DEPTH, LARGE, Set, Settings, Tree};
use super::collapse::Costs;
use super::item::{Hull, Item};
use super::parallel::{each, list};
use super::parts::{Over, Part};
use super::reinsert::{self, Effort};
use crate::watch::Job;

/// Clusters hold at most so many items, unless these share one cell of the curve.
const MOST: usize = 128;

/// Cells along the longest side of the box around all centres: 10 bits of each axis make a place on the curve.
const CELLS: f32 = 1024.0;

/// The tree over the clusters may be this deep before sets are halved, so that those below it keep within the same
/// bound as other trees.
const TOP_DEPTH: usize = HALVING_DEPTH / 2;

/// What is done for the tree over the clusters, which is small.
const TOP_EFFORT: Effort = Effort { rounds: 3, share: 10, most_depth: HALVING_DEPTH };

/// Sorts the items, of which there is at least one, into a binary tree.
pub(crate) fn build(items: &mut Vec<Item>, settings: Settings, job: &Job<'_>) -> Tree {
    let (builder, [hull, centres]) = Builder::new(items, settings, job);
    let curve = Curve::new(&centres);
    // The place on the curve above the item's number, so that no two are the same.
    let mut keys = list(items.len(), |i| u64::from(curve.place(&items[i])) << 32 | i as u64);
    sort(&mut keys, job);
    *items = list(keys.len(), |i| items[keys[i] as u32 as usize]);
    if job.stopped() {
        let set = Set { first: 0, count: items.len(), depth: 0, hull, centres, moved: false };
        return Tree::Chunk(vec![set.node()]);
    }
    let mut ends = Vec::new();
    cut(&keys, 0, &mut ends);
    let firsts: Vec<usize> = core::iter::once(0).chain(ends.iter().copied()).collect();
    let hulls = list(ends.len(), |i| builder.around(&items[firsts[i]..ends[i]]));

    let mut tops: Vec<Item> = (0..).zip(&hulls).map(|(number, hulls)| Item::new(hulls[0], number)).collect();
    let alone = Job::unwatched();
    let over = Settings { whole: 1, leaf: 1, axes: Axes::All, planned: false };
    let over = Builder { settings: over, job: &alone, ..builder };
    let [_, centres] = over.around(&tops);
    let set = Set { first: 0, count: tops.len(), depth: TOP_DEPTH, hull, centres, moved: false };
    let mut scratch = tops.clone();
    let (top, _) = over.tree(set, &mut tops, &mut scratch);
    // Clusters know nothing of the sizes of what is in them, so large things spoil their boxes; that costs most at the top.
    let mut number = |first: u32, _| tops[first as usize].id();
    let Some(nodes) = reinsert::improve(&top, 0, builder.scale, &TOP_EFFORT, job, &mut number) else {
        return top;
    };

    let mut rest = items.as_mut_slice();
    let mut clusters: Vec<Cluster<'_>> = Vec::with_capacity(ends.len());
    for ((&first, end), hulls) in firsts.iter().zip(&ends).zip(hulls) {
        let (items, more) = rest.split_at_mut(end - first);
        clusters.push(Cluster { first, items, depth: 0, hulls, sorted: None });
        rest = more;
    }
    let mut depths = vec![0; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        match node.right as usize {
            0 => clusters[node.first as usize].depth = depths[index],
            right => {
                [index + 1, index + right].into_iter().for_each(|child| depths[child] = depths[index] + 1)
            }
        }
    }
    each(&mut clusters, &|cluster| cluster.sort(&builder));
    let mut parts = Vec::with_capacity(clusters.len());
    let mut trees = Vec::with_capacity(clusters.len());
    for (tree, costs) in clusters.into_iter().filter_map(|cluster| cluster.sorted) {
        parts.push(Part { tree: trees.len(), root: 0, count: tree.root().count, costs });
        trees.push(tree);
    }
    Tree::Over(Over::new(&builder, nodes, parts, trees))
}

/// Sorts keys by their places; those of one place keep their order. They are only in some order once the job is stopped.
fn sort(keys: &mut Vec<u64>, job: &Job<'_>) {
    const DIGIT: u32 = 10;
    let mut sorted = keys.clone();
    for shift in [32, 32 + DIGIT, 32 + 2 * DIGIT] {
        let digit = |key: u64| (key >> shift) as usize & ((1 << DIGIT) - 1);
        let mut next = [0usize; 1 << DIGIT];
        keys.iter().for_each(|&key| next[digit(key)] += 1);
        if job.stopped() {
            return;
        }
        let mut below = 0;
        for count in &mut next {
            below += core::mem::replace(count, below);
        }
        for (number, &key) in keys.iter().enumerate() {
            if number % LARGE == 0 && job.stopped() {
                return;
            }
            let place = &mut next[digit(key)];
            sorted[*place] = key;
            *place += 1;
        }
        core::mem::swap(keys, &mut sorted);
    }
}

/// Neighbours along the curve.
struct Cluster<'a> {
    /// The first one's number.
    first: usize,
    items: &'a mut [Item],
    /// How deep it stands.
    depth: usize,
    /// Around them and around their doubled centres.
    hulls: [Hull; 2],
    /// Their tree.
    sorted: Option<(Tree, Costs)>,
}

impl Cluster<'_> {
    fn sort(&mut self, builder: &Builder<'_>) {
        let [hull, centres] = self.hulls;
        let (first, count) = (self.first, self.items.len());
        let set = Set { first, count, depth: self.depth, hull, centres, moved: false };
        let mut scratch = self.items.to_vec();
        self.sorted = Some(builder.tree(set, self.items, &mut scratch));
    }
}

/// Cuts a stretch of the curve, whose first key has this number, into clusters, and tells where they end. A stretch is cut
/// where the curve leaves one half of a box for the other.
fn cut(keys: &[u64], first: usize, ends: &mut Vec<usize>) {
    let [low, .., high] = keys else {
        ends.push(first + keys.len());
        return;
    };
    let differ = (low ^ high) >> 32;
    if keys.len() <= MOST || differ == 0 {
        ends.push(first + keys.len());
        return;
    }
    let bit = 1 << (95 - differ.leading_zeros());
    let middle = keys.partition_point(|key| key & bit == 0);
    cut(&keys[..middle], first, ends);
    cut(&keys[middle..], first + middle, ends);
}

/// Places on a curve through the cells of a cube.
///
/// Source: Morton, A Computer Oriented Geodetic Data Base and a New Technique in File Sequencing (1966).
struct Curve {
    low: [f32; 3],
    per_unit: f32,
}

impl Curve {
    fn new(centres: &Hull) -> Curve {
        let [a, b, c, _, x, y, z, _] = centres.0;
        let longest = (-x - a).max(-y - b).max(-z - c);
        Curve { low: [a, b, c], per_unit: if longest > 0.0 { CELLS / longest } else { 0.0 } }
    }

    /// The cell of an item's centre: a bit of each axis in turn.
    fn place(&self, item: &Item) -> u32 {
        let centre = item.0.centre().0;
        let cell = |axis: usize| {
            // What is not a number is in the first cell.
            let cell = ((centre[axis] - self.low[axis]) * self.per_unit) as u32;
            spread(cell.min(CELLS as u32 - 1))
        };
        cell(0) << 2 | cell(1) << 1 | cell(2)
    }
}

/// Ten bits, two places free in front of each.
fn spread(x: u32) -> u32 {
    let x = (x | x << 16) & 0x0300_00ff;
    let x = (x | x << 8) & 0x0300_f00f;
    let x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_spread_in_their_order() {
        for x in 0..1024u32 {
            let expected = (0..10).map(|bit| (x >> bit & 1) << (3 * bit)).sum();
            assert_eq!(spread(x), expected);
        }
    }

    #[test]
    fn keys_are_sorted_whatever_they_are() {
        let mut keys: Vec<u64> = (0..3_000u64).map(|i| ((i * 0x9e37_79b9) & 0x3fff_ffff) << 32 | i).collect();
        keys.extend((3_000..3_500).map(|i| ((i % 2) << 61) | i));
        let mut expected = keys.clone();
        expected.sort_unstable();
        sort(&mut keys, &Job::unwatched());
        assert_eq!(keys, expected);
    }

    #[test]
    fn clusters_are_small_unless_they_are_one_cell() {
        let mut keys: Vec<u64> = (0..5_000).map(|i| (i / 3 * 7) << 32 | i).collect();
        keys.extend((5_000..6_000).map(|i| 1 << 50 | i));
        let mut ends = Vec::new();
        cut(&keys, 0, &mut ends);
        assert_eq!(ends.last(), Some(&6_000));
        assert_eq!(ends[ends.len() - 2], 5_000, "the cell of a thousand");
        assert!(ends[..ends.len() - 1].windows(2).all(|two| two[1] - two[0] <= MOST));
    }
}
