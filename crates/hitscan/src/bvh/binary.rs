//! Top-down build of a binary tree by the surface area heuristic, in parallel.
//!
//! Source: Goldsmith and Salmon, Automatic Creation of Object Hierarchies for Ray Tracing (1987).
//!
//! The tree depends on the boxes and their order alone: bins hold minima and counts, which come out the same however
//! the work is divided, and both sides of a split keep the order.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::binned::{Binning, Bins, Border, Counts, scatter};
use super::collapse::{self, Costs, Plan};
use super::item::{Hull, Item};
use super::parallel::{join, list};
use super::parts::Over;
use super::small::{self, SMALL};
use crate::simd::lanes::Lanes;
use crate::simd::{Kernel, Task};
use crate::watch::Job;

/// From this depth on, sets are halved by count, so that no input makes a tree deeper than this and the
/// logarithm of its size together.
pub(crate) const HALVING_DEPTH: usize = 56;

/// From there a set of 2^32 is halved 32 times.
pub(crate) const MOST_DEPTH: usize = HALVING_DEPTH + 32;

// The walk's stack has room for that.
const _: () = assert!(MOST_DEPTH < crate::simd::stack::MAX_DEPTH);

/// Sets above this size are split apart from the others, and in parallel; also the size of the blocks for that.
pub(crate) const LARGE: usize = 8192;

/// Bins along each axis: more where they cost little, in sets of at least [`MANY`], and fewer in others along one axis.
const BINS: usize = 16;
const FEW_BINS: usize = 8;
const MANY_BINS: usize = 32;
const MANY: usize = 1024;

/// A node of the binary tree. In a [`Tree::Chunk`] nodes stand in depth-first order: the left child follows its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BinaryNode {
    pub hull: Hull,
    /// From this node to its right child; 0 for a leaf.
    pub right: u32,
    /// Its items, in the order that the build leaves them in.
    pub first: u32,
    pub count: u32,
    /// How the collapse to wide nodes cuts it.
    pub plan: Plan,
}

/// A binary tree: chunks below, single nodes above, or one over parts of others.
#[derive(Debug)]
pub(crate) enum Tree {
    Chunk(Vec<BinaryNode>),
    Fork(BinaryNode, Box<[Tree; 2]>),
    Over(Over),
}

impl Tree {
    pub fn root(&self) -> &BinaryNode {
        self.at_root().node()
    }

    #[inline(always)]
    pub fn at_root(&self) -> At<'_> {
        self.at(0)
    }

    /// The node of this number, or what is in its place.
    #[inline(always)]
    pub fn at(&self, index: usize) -> At<'_> {
        match self {
            Tree::Over(over) => over.part(index).unwrap_or(At { tree: self, index }),
            _ => At { tree: self, index },
        }
    }
}

/// A node of the binary tree.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    tree: &'a Tree,
    index: usize,
}

impl<'a> At<'a> {
    #[inline(always)]
    pub fn node(self) -> &'a BinaryNode {
        match self.tree {
            Tree::Chunk(nodes) => &nodes[self.index],
            Tree::Fork(node, _) => node,
            Tree::Over(over) => &over.nodes[self.index],
        }
    }

    pub fn is_leaf(self) -> bool {
        matches!(self.tree, Tree::Chunk(nodes) if nodes[self.index].right == 0)
    }

    /// Left and right; of a node that has some.
    #[inline(always)]
    pub fn children(self) -> [At<'a>; 2] {
        match self.tree {
            Tree::Chunk(nodes) => {
                let right = self.index + nodes[self.index].right as usize;
                [At { index: self.index + 1, ..self }, At { index: right, ..self }]
            }
            Tree::Fork(_, children) => [0, 1].map(|side| At { tree: &children[side], index: 0 }),
            Tree::Over(over) => {
                let right = self.index + over.nodes[self.index].right as usize;
                [self.index + 1, right].map(|index| self.tree.at(index))
            }
        }
    }
}

/// How a tree is cut into leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Sets of up to this size are not split any further.
    pub whole: usize,
    /// Leaves hold at most this many items.
    pub leaf: usize,
    /// Along which axes sets of up to [`LARGE`] items are split.
    pub axes: Axes,
    /// Whether the collapse to wide nodes is planned at once: not where nodes are to be moved first.
    pub planned: bool,
}

/// Axes that are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axes {
    All,
    /// The one along which a set is longest: a third of the work.
    Longest,
}

/// Sorts the items, of which there is at least one, into a binary tree. Of a job that is stopped, some tree comes back soon, of
/// nothing in particular.
pub(crate) fn build<'a>(items: &mut [Item], settings: Settings, job: &'a Job<'a>) -> (Tree, Builder<'a>) {
    let mut scratch = list(items.len(), |_| Item::NONE);
    let (builder, [hull, centres]) = Builder::new(items, settings, job);
    let set = Set { first: 0, count: items.len(), depth: 0, hull, centres, moved: false };
    (builder.tree(set, items, &mut scratch).0, builder)
}

/// The power of two that brings the largest coordinate of a box near 1.
pub(crate) fn area_scale(hull: &Hull) -> f32 {
    let [a, b, c, _, x, y, z, _] = hull.0;
    let reach = [a, b, c, x, y, z].iter().fold(0.0f32, |most, c| most.max(c.abs()));
    // The exponent of 1 / reach, kept within what f32 holds.
    let exponent = (reach.to_bits() >> 23).clamp(27, 227);
    f32::from_bits((254 - exponent) << 23)
}

/// Items that are still to be sorted.
#[derive(Clone, Copy)]
pub(crate) struct Set {
    /// The first of them among all items.
    pub first: usize,
    pub count: usize,
    pub depth: usize,
    pub hull: Hull,
    /// Around their doubled centres; of small sets nobody asks.
    pub centres: Hull,
    /// Whether they stand in the scratch memory.
    pub moved: bool,
}

impl Set {
    /// What it is split into.
    #[inline(always)]
    fn children(&self, left_count: usize, hulls: [Hull; 2], centres: [Hull; 2], moved: bool) -> (Set, Set) {
        let depth = self.depth + 1;
        let right = (self.first + left_count, self.count - left_count);
        (
            Set { first: self.first, count: left_count, depth, hull: hulls[0], centres: centres[0], moved },
            Set { first: right.0, count: right.1, depth, hull: hulls[1], centres: centres[1], moved },
        )
    }

    pub fn node(&self) -> BinaryNode {
        let (first, count) = (self.first as u32, self.count as u32);
        BinaryNode { hull: self.hull, right: 0, first, count, plan: Plan::LEAF }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Builder<'a> {
    pub settings: Settings,
    pub job: &'a Job<'a>,
    /// Multiplies lengths so that areas neither over- nor underflow: about 1 over the largest coordinate.
    pub scale: f32,
    pub kernel: Kernel,
}

impl<'a> Builder<'a> {
    /// For these items, with the boxes around them and around their doubled centres.
    pub fn new(items: &[Item], settings: Settings, job: &'a Job<'a>) -> (Builder<'a>, [Hull; 2]) {
        let builder = Builder { settings, job, scale: 1.0, kernel: Kernel::best() };
        let hulls = builder.around(items);
        (Builder { scale: area_scale(&hulls[0]), ..builder }, hulls)
    }

    /// The boxes around items and around their doubled centres.
    pub fn around(&self, items: &[Item]) -> [Hull; 2] {
        self.in_blocks(items, &|items| Around { items })
    }

    /// The tree of a set, whose items and scratch memory are given, and what the collapse needs to know.
    pub fn tree(&self, set: Set, items: &mut [Item], scratch: &mut [Item]) -> (Tree, Costs) {
        if self.job.stopped() {
            return (Tree::Chunk(vec![set.node()]), Costs::default());
        }
        if set.count <= LARGE {
            let (settings, scale) = (self.settings, self.scale);
            let chunk = match settings.axes {
                Axes::All => self.kernel.run(Chunk::<3> { set, items, scratch, settings, scale }),
                Axes::Longest => self.kernel.run(Chunk::<1> { set, items, scratch, settings, scale }),
            };
            self.job.advance(set.count);
            return chunk;
        }
        let (left, right) = self.split(&set, items, scratch);
        let (left_items, right_items) = items.split_at_mut(left.count);
        let (left_scratch, right_scratch) = scratch.split_at_mut(left.count);
        let (left, right) = join(
            || self.tree(left, left_items, left_scratch),
            || self.tree(right, right_items, right_scratch),
        );
        self.fork(set.node(), left, right)
    }

    /// A large node above its children.
    pub fn fork(&self, node: BinaryNode, left: (Tree, Costs), right: (Tree, Costs)) -> (Tree, Costs) {
        let children = Box::new([left.0, right.0]);
        if !self.settings.planned {
            return (Tree::Fork(node, children), Costs::default());
        }
        let area = node.hull.half_area(self.scale);
        let (costs, plan) = collapse::join(area, false, &left.1, &right.1);
        (Tree::Fork(BinaryNode { plan, ..node }, children), costs)
    }

    /// Plans the collapse of nodes in depth-first order, whose ends have these costs, and gives the root's.
    pub fn plan<E: Fn(&BinaryNode, f32) -> Costs>(&self, nodes: &mut [BinaryNode], ends: E) -> Costs {
        let Builder { settings: Settings { leaf, .. }, scale, job, .. } = *self;
        self.kernel.run(Planning { nodes, leaf, scale, job, ends })
    }

    /// Splits a large set, block by block.
    fn split(&self, set: &Set, items: &mut [Item], scratch: &mut [Item]) -> (Set, Set) {
        let (from, to) = if set.moved { (&*scratch, items) } else { (&*items, scratch) };
        if set.depth < HALVING_DEPTH {
            let binning = Binning::new(&set.centres);
            let filled = self.in_blocks(from, &|items| Fill { items, binning, kernel: self.kernel });
            // Bins of a job that is stopped may lack items, and say nothing about where these go.
            let best = if self.job.stopped() {
                None
            } else {
                self.kernel.run(Best { bins: &filled.bins, scale: self.scale })
            };
            if let Some(border) = best {
                let (left, right) = to.split_at_mut(border.left_count);
                let hulls = [border.left, border.right];
                let centres =
                    self.scatter(from, left, right, &filled.blocks, &Scattering { binning, border });
                return set.children(border.left_count, hulls, centres, !set.moved);
            }
        }
        let middle = set.count / 2;
        let (left, right) = from.split_at(middle);
        let [left, right] = [left, right].map(|items| self.around(items));
        set.children(middle, [left[0], right[0]], [left[1], right[1]], set.moved)
    }

    /// What a task finds in all blocks of the items together; in some of them once the job is stopped.
    fn in_blocks<'b, T>(&self, items: &'b [Item], task: &(impl Fn(&'b [Item]) -> T + Sync)) -> T::Output
    where
        T: Task,
        T::Output: Merge + Send,
    {
        if items.len() <= LARGE {
            return self.kernel.run(task(if self.job.stopped() { &[] } else { items }));
        }
        let (low, high) = items.split_at(half(items.len()));
        let (mut all, more) = join(|| self.in_blocks(low, task), || self.in_blocks(high, task));
        all.merge(more);
        all
    }

    /// Copies each item to its side of the border, and gives the boxes around the doubled centres of both sides.
    fn scatter(
        &self,
        from: &[Item],
        left: &mut [Item],
        right: &mut [Item],
        blocks: &[Counts<MANY_BINS, 3>],
        how: &Scattering,
    ) -> [Hull; 2] {
        if from.len() <= LARGE {
            if self.job.stopped() {
                return [Hull::EMPTY; 2];
            }
            return self.kernel.run(Scatter { from, left, right, how });
        }
        let (low, high) = from.split_at(half(from.len()));
        let (low_blocks, high_blocks) = blocks.split_at(low.len() / LARGE);
        let lefts = low_blocks.iter().map(|block| how.border.lefts(block)).sum();
        let (left_low, left_high) = left.split_at_mut(lefts);
        let (right_low, right_high) = right.split_at_mut(low.len() - lefts);
        let (mut centres, more) = join(
            || self.scatter(low, left_low, right_low, low_blocks, how),
            || self.scatter(high, left_high, right_high, high_blocks, how),
        );
        centres.merge(more);
        centres
    }
}

/// Where more than one block is divided: about in the middle, between two blocks.
fn half(count: usize) -> usize {
    (count / 2).next_multiple_of(LARGE)
}

/// What two blocks found, together.
trait Merge {
    fn merge(&mut self, other: Self);
}

/// The boxes around items and around their doubled centres.
struct Around<'a> {
    items: &'a [Item],
}

impl Task for Around<'_> {
    type Output = [Hull; 2];
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> [Hull; 2] {
        around(lanes, self.items)
    }
}

impl Merge for [Hull; 2] {
    fn merge(&mut self, other: [Hull; 2]) {
        self.iter_mut().zip(&other).for_each(|(hull, other)| hull.grow(other));
    }
}

#[inline(always)]
fn around<L: Lanes>(lanes: L, items: &[Item]) -> [Hull; 2] {
    let mut hulls = [Hull::EMPTY; 2];
    for item in items {
        hulls[0].grow_in(lanes, &item.0);
        hulls[1].grow_in(lanes, &item.0.centre());
    }
    hulls
}

/// Bins, and the counts in them of each block.
struct Filled {
    bins: Bins<MANY_BINS, 3>,
    blocks: Vec<Counts<MANY_BINS, 3>>,
    kernel: Kernel,
}

impl Merge for Filled {
    fn merge(&mut self, mut other: Filled) {
        self.kernel.run(Add { bins: &mut self.bins, more: &other.bins });
        self.blocks.append(&mut other.blocks);
    }
}

struct Add<'a> {
    bins: &'a mut Bins<MANY_BINS, 3>,
    more: &'a Bins<MANY_BINS, 3>,
}

impl Task for Add<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        self.bins.add(lanes, self.more);
    }
}

/// The bins of one block.
struct Fill<'a> {
    items: &'a [Item],
    binning: Binning<MANY_BINS>,
    kernel: Kernel,
}

impl Task for Fill<'_> {
    type Output = Filled;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Filled {
        let bins = Bins::of(lanes, &self.binning, self.items);
        Filled { blocks: vec![bins.counts], bins, kernel: self.kernel }
    }
}

/// The cheapest border.
struct Best<'a> {
    bins: &'a Bins<MANY_BINS, 3>,
    scale: f32,
}

impl Task for Best<'_> {
    type Output = Option<Border>;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<Border> {
        self.bins.best(lanes, self.scale)
    }
}

/// What decides on which side an item lies.
struct Scattering {
    binning: Binning<MANY_BINS>,
    border: Border,
}

/// The sorting of one block.
struct Scatter<'a> {
    from: &'a [Item],
    left: &'a mut [Item],
    right: &'a mut [Item],
    how: &'a Scattering,
}

impl Task for Scatter<'_> {
    type Output = [Hull; 2];
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> [Hull; 2] {
        scatter(lanes, self.from, self.left, self.right, &self.how.binning, &self.how.border)
    }
}

/// The whole tree of a set that is not large, split along `AXES` axes, without recursion, so that all of it is compiled for one instruction set.
struct Chunk<'a, const AXES: usize> {
    set: Set,
    items: &'a mut [Item],
    scratch: &'a mut [Item],
    settings: Settings,
    scale: f32,
}

impl<const AXES: usize> Task for Chunk<'_, AXES> {
    type Output = (Tree, Costs);

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) -> (Tree, Costs) {
        let mut nodes: Vec<BinaryNode> = Vec::with_capacity(self.set.count);
        // Sets to come, with the parents whose right children they are.
        let mut open: Vec<(Set, Option<usize>)> = Vec::with_capacity(2 * HALVING_DEPTH);
        open.push((self.set, None));
        while let Some((set, parent)) = open.pop() {
            let index = nodes.len();
            if let Some(parent) = parent {
                nodes[parent].right = (index - parent) as u32;
            }
            nodes.push(set.node());
            if set.count <= self.settings.whole {
                self.settle(&set);
                continue;
            }
            let (left, right) = self.split(lanes, &set);
            open.push((right, Some(index)));
            open.push((left, None));
        }
        if !self.settings.planned {
            return (Tree::Chunk(nodes), Costs::default());
        }
        let (leaf, scale, job) = (self.settings.leaf, self.scale, &Job::unwatched());
        let costs = Planning { nodes: &mut nodes, leaf, scale, job, ends: leaf_costs }.run(lanes);
        (Tree::Chunk(nodes), costs)
    }
}

impl<const AXES: usize> Chunk<'_, AXES> {
    /// Where a set's items stand.
    #[inline(always)]
    fn place(&self, set: &Set) -> core::ops::Range<usize> {
        let first = set.first - self.set.first;
        first..first + set.count
    }

    /// Brings a set's items to where they stay.
    #[inline(always)]
    fn settle(&mut self, set: &Set) {
        if set.moved {
            let place = self.place(set);
            for i in place {
                self.items[i] = self.scratch[i];
            }
        }
    }

    #[inline(always)]
    fn split<L: Lanes>(&mut self, lanes: L, set: &Set) -> (Set, Set) {
        let place = self.place(set);
        let scale = self.scale;
        let (items, scratch) = (&mut self.items[place.clone()], &mut self.scratch[place]);
        if set.depth < HALVING_DEPTH && set.count <= SMALL {
            let parts = small::split::<L, AXES>(
                lanes,
                items,
                set.moved.then_some(&*scratch),
                set.hull.longest(),
                scale,
            );
            return set.children(parts.left_count, parts.hulls, [Hull::EMPTY; 2], false);
        }
        let (from, to) = if set.moved { (&*scratch, items) } else { (&*items, scratch) };
        if set.depth < HALVING_DEPTH {
            let parts = if set.count >= MANY {
                binned::<L, MANY_BINS, AXES>(lanes, set, from, to, scale)
            } else if AXES == 1 {
                binned::<L, FEW_BINS, AXES>(lanes, set, from, to, scale)
            } else {
                binned::<L, BINS, AXES>(lanes, set, from, to, scale)
            };
            if let Some(parts) = parts {
                return parts;
            }
        }
        let middle = set.count / 2;
        let (left, right) = from.split_at(middle);
        let [left, right] = [around(lanes, left), around(lanes, right)];
        set.children(middle, [left[0], right[0]], [left[1], right[1]], set.moved)
    }
}

/// Splits a set by bins; `None` where all centres are one.
#[inline(always)]
fn binned<L: Lanes, const BINS: usize, const AXES: usize>(
    lanes: L,
    set: &Set,
    from: &[Item],
    to: &mut [Item],
    scale: f32,
) -> Option<(Set, Set)> {
    let binning = Binning::<BINS>::new(&set.centres);
    let border = Bins::<BINS, AXES>::of(lanes, &binning, from).best(lanes, scale)?;
    let (left, right) = to.split_at_mut(border.left_count);
    let centres = scatter(lanes, from, left, right, &binning, &border);
    Some(set.children(border.left_count, [border.left, border.right], centres, !set.moved))
}

/// Of an end that is a leaf of triangles.
#[inline(always)]
pub(crate) fn leaf_costs(_: &BinaryNode, area: f32) -> Costs {
    collapse::leaf(area)
}

/// Plans the collapse of all nodes, children before their parents, and gives the root's costs.
struct Planning<'a, E> {
    nodes: &'a mut [BinaryNode],
    /// Up to so many items are one leaf.
    leaf: usize,
    scale: f32,
    job: &'a Job<'a>,
    /// The costs of a node without children, from itself and its area.
    ends: E,
}

impl<E: Fn(&BinaryNode, f32) -> Costs> Task for Planning<'_, E> {
    type Output = Costs;
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Costs {
        let Planning { nodes, leaf, scale, job, ends } = self;
        // From the last node to the first, the two children of a node are the last two whose parent is still to come.
        let mut open: Vec<Costs> = Vec::with_capacity(2 * HALVING_DEPTH);
        for (number, node) in nodes.iter_mut().enumerate().rev() {
            if number % LARGE == 0 && job.stopped() {
                break;
            }
            let area = node.hull.half_area(scale);
            let children = if node.right == 0 { None } else { open.pop().zip(open.pop()) };
            let costs = match children {
                None => ends(node, area),
                Some((left, right)) => {
                    let (costs, plan) = collapse::join(area, node.count as usize <= leaf, &left, &right);
                    node.plan = plan;
                    costs
                }
            };
            open.push(costs);
        }
        open.pop().unwrap_or_default()
    }
}
