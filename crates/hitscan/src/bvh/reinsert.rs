//! A tree that is made better: taken apart at its largest boxes, each put back where it costs least.
//!
//! Source: Meister, Bittner, Parallel Reinsertion for Bounding Volume Hierarchy Optimization (2018). Each round looks for
//! the best places of the largest nodes at once, in a tree that nobody changes, and then moves them one after the
//! other, those that gain most first; a move is dropped where one before it touched the same nodes.
//!
//! What a tree costs here is the sum of the areas of its inner nodes.

use alloc::vec;
use alloc::vec::Vec;

use super::binary::{At, BinaryNode, LARGE, Tree};
use super::collapse::Plan;
use super::item::Hull;
use super::node::WIDTH;
use super::parallel::{each, list};
use crate::simd::boxes::half_areas;
use crate::simd::lanes::Lanes;
use crate::simd::pages::prefer_large_pages;
use crate::simd::{Kernel, Task};
use crate::watch::Job;

/// How much is done.
pub(crate) struct Effort {
    /// How often nodes are moved.
    pub rounds: usize,
    /// The share of all nodes that are tried in each round: one in so many.
    pub share: usize,
    /// How deep the tree may become.
    pub most_depth: usize,
}

/// At least so many nodes are tried in a round, where there are so many.
const FEW: usize = 64;

/// The nodes of a tree in depth-first order, large ones put where they cost less, whose collapse is not planned; `None` where the
/// job is stopped. Nodes of up to `whole` items are leaves; `settle` is told the first item and the number of items of each leaf,
/// in the new order, and says what its node has as first. Where the tree would be deeper than it may, nothing is moved.
pub(crate) fn improve(
    tree: &Tree,
    whole: usize,
    scale: f32,
    effort: &Effort,
    job: &Job<'_>,
    settle: &mut impl FnMut(u32, u32) -> u32,
) -> Option<Vec<BinaryNode>> {
    let mut loose = Loose::of(tree, whole, scale, job)?;
    for _ in 0..effort.rounds {
        if loose.round(effort.share, job)? == 0 {
            break;
        }
    }
    if loose.depth(job)? > effort.most_depth {
        loose = Loose::of(tree, whole, scale, job)?;
    }
    loose.in_order(job, settle)
}

/// `None` where the job is stopped, which is looked at once in so many steps.
#[inline(always)]
fn stop_at_times(step: usize, job: &Job<'_>) -> Option<()> {
    (!step.is_multiple_of(LARGE) || !job.stopped()).then_some(())
}

/// A binary tree whose nodes stand in any order, the root first.
struct Loose {
    nodes: Vec<Link>,
    /// Multiplies lengths so that areas neither over- nor underflow.
    scale: f32,
}

#[derive(Clone, Copy)]
struct Link {
    hull: Hull,
    /// Its own number for the root.
    parent: u32,
    /// Both 0 for a leaf.
    children: [u32; 2],
    /// Of a leaf: its items.
    first: u32,
    count: u32,
}

/// A node that is to become the sibling of another one, and what that saves.
#[derive(Clone, Copy, Default)]
struct Move {
    from: u32,
    to: u32,
    gain: f32,
}

impl Loose {
    fn of(tree: &Tree, whole: usize, scale: f32, job: &Job<'_>) -> Option<Loose> {
        // Leaves are half full, or fuller, and there are twice as many nodes.
        let most = 4 * tree.root().count as usize / whole.max(WIDTH);
        let mut nodes: Vec<Link> = Vec::with_capacity(most);
        prefer_large_pages(&mut nodes);
        let mut open: Vec<(At<'_>, u32, usize)> = vec![(tree.at_root(), 0, 0)];
        while let Some((at, parent, side)) = open.pop() {
            let index = nodes.len() as u32;
            stop_at_times(index as usize, job)?;
            let &BinaryNode { hull, first, count, .. } = at.node();
            nodes.push(Link { hull, parent, children: [0; 2], first, count });
            if index != 0 {
                nodes[parent as usize].children[side] = index;
            }
            if !at.is_leaf() && count as usize > whole {
                let [left, right] = at.children();
                open.extend([(right, index, 1), (left, index, 0)]);
            }
        }
        Some(Loose { nodes, scale })
    }

    /// Moves some of the largest nodes, one in `share` at most, and tells how many.
    fn round(&mut self, share: usize, job: &Job<'_>) -> Option<usize> {
        let areas: Vec<f32> = list(self.nodes.len(), |node| self.nodes[node].hull.half_area(self.scale));
        stop_at_times(0, job)?;
        // The root stays, and so do its children: it would have to be replaced.
        let mut largest: Vec<u32> =
            (1..self.nodes.len() as u32).filter(|&node| self.nodes[node as usize].parent != 0).collect();
        let count = (self.nodes.len() / share).max(FEW).min(largest.len());
        if count == 0 {
            return Some(0);
        }
        largest.select_nth_unstable_by(count - 1, |&a, &b| {
            areas[b as usize].total_cmp(&areas[a as usize]).then(a.cmp(&b))
        });
        let mut moves: Vec<Move> =
            largest[..count].iter().map(|&from| Move { from, ..Move::default() }).collect();
        let kernel = Kernel::best();
        each(&mut moves, &|wanted| {
            if !job.stopped() {
                *wanted = kernel.run(Search { tree: self, from: wanted.from });
            }
        });
        stop_at_times(0, job)?;
        moves.retain(|found| found.gain > 0.0);
        moves.sort_unstable_by(|a, b| b.gain.total_cmp(&a.gain).then(a.from.cmp(&b.from)));
        let mut touched = vec![false; self.nodes.len()];
        let mut moved = 0;
        for (number, Move { from, to, .. }) in moves.into_iter().enumerate() {
            stop_at_times(number, job)?;
            let parent = self.parent(from);
            let concerned = [from, to, parent, self.sibling(from), self.parent(parent), self.parent(to)];
            // By another move, the place may have come to lie below the node.
            if concerned.iter().any(|&node| touched[node as usize]) || self.is_below(to, from) {
                continue;
            }
            concerned.iter().for_each(|&node| touched[node as usize] = true);
            self.reinsert(from, to);
            moved += 1;
        }
        Some(moved)
    }

    fn parent(&self, node: u32) -> u32 {
        self.nodes[node as usize].parent
    }

    /// Which child of its parent a node is.
    fn side(&self, node: u32) -> usize {
        usize::from(self.nodes[self.parent(node) as usize].children[1] == node)
    }

    /// Of a node that is not the root.
    fn sibling(&self, node: u32) -> u32 {
        self.nodes[self.parent(node) as usize].children[1 - self.side(node)]
    }

    /// Whether a node is another one or below it.
    fn is_below(&self, mut node: u32, above: u32) -> bool {
        while node != above && node != 0 {
            node = self.parent(node);
        }
        node == above
    }

    fn hang(&mut self, node: u32, parent: u32, side: usize) {
        self.nodes[parent as usize].children[side] = node;
        self.nodes[node as usize].parent = parent;
    }

    /// Takes a node, which is no child of the root, from its place, and puts it beside another one; its parent goes with it, to
    /// stand above the two.
    fn reinsert(&mut self, from: u32, to: u32) {
        let (parent, sibling) = (self.parent(from), self.sibling(from));
        let (above, side) = (self.parent(parent), self.side(parent));
        self.hang(sibling, above, side);
        self.fit(above);
        let (over, side) = (self.parent(to), self.side(to));
        self.hang(parent, over, side);
        self.hang(to, parent, 0);
        self.hang(from, parent, 1);
        self.fit(parent);
    }

    /// Makes the boxes of a node and of all above it those around their children.
    fn fit(&mut self, mut node: u32) {
        loop {
            let Link { parent, children: [left, right], .. } = self.nodes[node as usize];
            let mut hull = self.nodes[left as usize].hull;
            hull.grow(&self.nodes[right as usize].hull);
            self.nodes[node as usize].hull = hull;
            if node == 0 {
                return;
            }
            node = parent;
        }
    }

    /// Steps from the root to the deepest leaf.
    fn depth(&self, job: &Job<'_>) -> Option<usize> {
        let (mut deepest, mut open) = (0, vec![(0u32, 0)]);
        while let Some((node, depth)) = open.pop() {
            stop_at_times(node as usize, job)?;
            deepest = deepest.max(depth);
            let Link { children, .. } = self.nodes[node as usize];
            if children != [0; 2] {
                open.extend(children.map(|child| (child, depth + 1)));
            }
        }
        Some(deepest)
    }

    /// The nodes in depth-first order.
    fn in_order(&self, job: &Job<'_>, settle: &mut impl FnMut(u32, u32) -> u32) -> Option<Vec<BinaryNode>> {
        let mut nodes: Vec<BinaryNode> = Vec::with_capacity(self.nodes.len());
        prefer_large_pages(&mut nodes);
        let mut open: Vec<(u32, Option<usize>)> = vec![(0, None)];
        while let Some((node, left_of)) = open.pop() {
            let index = nodes.len();
            stop_at_times(index, job)?;
            if let Some(parent) = left_of {
                nodes[parent].right = (index - parent) as u32;
            }
            let Link { hull, children: [left, right], first, count, .. } = self.nodes[node as usize];
            let is_leaf = [left, right] == [0; 2];
            let first = if is_leaf { settle(first, count) } else { 0 };
            nodes.push(BinaryNode { hull, right: 0, first, count, plan: Plan::LEAF });
            if !is_leaf {
                open.extend([(right, Some(index)), (left, None)]);
            }
        }
        for index in (0..nodes.len()).rev() {
            let right = nodes[index].right as usize;
            if right != 0 {
                nodes[index].first = nodes[index + 1].first;
                nodes[index].count = nodes[index + 1].count + nodes[index + right].count;
            }
        }
        Some(nodes)
    }
}

/// Where one node costs least.
struct Search<'a> {
    tree: &'a Loose,
    from: u32,
}

impl Task for Search<'_> {
    type Output = Move;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Move {
        let Search { tree: Loose { nodes, scale }, from } = self;
        let scale = *scale;
        let own = nodes[from as usize].hull;
        let own_area = own.half_area(scale);
        let mut best = Move { from, to: 0, gain: 0.0 };
        // Nodes below which there may be a better place, with what a place there saves if it costs nothing more.
        let mut open: Vec<(f32, u32)> = Vec::with_capacity(64);
        // Without the node its parent goes, and those above shrink.
        let mut at = from;
        let mut parent = nodes[at as usize].parent;
        let mut saved = nodes[parent as usize].hull.half_area(scale);
        let mut without = Hull::EMPTY;
        loop {
            let [left, right] = nodes[parent as usize].children;
            let sibling = if left == at { right } else { left };
            let hull = nodes[sibling as usize].hull;
            let mut both = own;
            both.grow_in(lanes, &hull);
            let more = both.half_area(scale);
            // Where it is now saves nothing.
            if at != from && saved - more > best.gain {
                best = Move { from, to: sibling, gain: saved - more };
            }
            if nodes[sibling as usize].children != [0; 2] {
                open.push((saved - (more - hull.half_area(scale)), sibling));
            }
            while let Some((saved, node)) = open.pop() {
                if saved - own_area <= best.gain {
                    continue;
                }
                let children = nodes[node as usize].children;
                let [a, b] = [nodes[children[0] as usize].hull, nodes[children[1] as usize].hull];
                let (mut a_both, mut b_both) = (own, own);
                a_both.grow_in(lanes, &a);
                b_both.grow_in(lanes, &b);
                let [a_more, b_more, a, b] = half_areas([a_both.0, b_both.0, a.0, b.0], scale);
                let mut below = [(0.0, 0); 2];
                for (i, (more, area)) in [(a_more, a), (b_more, b)].into_iter().enumerate() {
                    if saved - more > best.gain {
                        best = Move { from, to: children[i], gain: saved - more };
                    }
                    below[i] = (saved - (more - area), children[i]);
                }
                if below[0].0 > below[1].0 {
                    below.swap(0, 1);
                }
                for (saved, child) in below {
                    if saved - own_area > best.gain && nodes[child as usize].children != [0; 2] {
                        open.push((saved, child));
                    }
                }
            }
            without.grow_in(lanes, &hull);
            if at != from {
                saved += nodes[parent as usize].hull.half_area(scale) - without.half_area(scale);
            }
            if parent == 0 {
                return best;
            }
            at = parent;
            parent = nodes[at as usize].parent;
        }
    }
}
