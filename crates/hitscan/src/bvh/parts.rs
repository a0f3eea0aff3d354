//! The balanced build: sorted from the top down, then its upper part made better.
//!
//! What a split of a large set looks at is where things are, not how well they can be split further on, so it goes wrong most where
//! sizes differ much, and costs most at the top. Parts of the tree are moved as they are, to where they cost less: of these there
//! are so few that it takes little of the time of a build.

use alloc::vec;
use alloc::vec::Vec;

use super::binary::{self, At, BinaryNode, Builder, LARGE, MOST_DEPTH, Settings, Tree, leaf_costs};
use super::collapse::Costs;
use super::item::Item;
use super::parallel::each;
use super::reinsert::{self, Effort};
use crate::watch::Job;

/// Parts have at most so many items.
const MOST: usize = 32;

/// How much is done for the tree over the parts.
const EFFORT: Effort = Effort { rounds: 6, share: 40, most_depth: MOST_DEPTH };

/// A tree over parts of others.
#[derive(Debug)]
pub(crate) struct Over {
    /// In depth-first order; what has no children stands for the part of the number that is its first.
    pub nodes: Vec<BinaryNode>,
    parts: Vec<Part>,
    trees: Vec<Tree>,
}

/// A subtree of some tree.
#[derive(Debug)]
pub(crate) struct Part {
    /// The number of the tree.
    pub tree: usize,
    /// Its node there.
    pub root: usize,
    /// Its items.
    pub count: u32,
    pub costs: Costs,
}

impl Over {
    /// Of nodes whose collapse is not planned yet, above parts for which it is.
    pub fn new(
        builder: &Builder<'_>,
        mut nodes: Vec<BinaryNode>,
        parts: Vec<Part>,
        trees: Vec<Tree>,
    ) -> Over {
        for index in (0..nodes.len()).rev() {
            let node = nodes[index];
            nodes[index].count = match node.right as usize {
                0 => parts[node.first as usize].count,
                right => nodes[index + 1].count + nodes[index + right].count,
            };
        }
        // The items of two parts do not stand side by side, so that no leaf can have both.
        let builder = Builder { settings: Settings { leaf: 0, ..builder.settings }, ..*builder };
        builder.plan(&mut nodes, |node, _| parts[node.first as usize].costs);
        Over { nodes, parts, trees }
    }

    /// The root of the part in the place of this node, if one is.
    #[inline(always)]
    pub fn part(&self, index: usize) -> Option<At<'_>> {
        let node = &self.nodes[index];
        if node.right != 0 {
            return None;
        }
        let part = &self.parts[node.first as usize];
        Some(self.trees[part.tree].at(part.root))
    }
}

/// Sorts the items, of which there is at least one, into a binary tree. Of a job that is stopped, some tree comes back soon, of
/// nothing in particular.
pub(crate) fn build(items: &mut [Item], settings: Settings, job: &Job<'_>) -> Tree {
    // A round tries 64 nodes at least, which is no small share of a set of one chunk.
    if items.len() <= LARGE {
        return binary::build(items, settings, job).0;
    }
    let (mut tree, builder) = binary::build(items, Settings { planned: false, ..settings }, job);
    if job.stopped() {
        return tree;
    }
    let planner = Builder { settings, ..builder };
    let mut chunks = Vec::new();
    list_chunks(&mut tree, &mut chunks);
    let mut found: Vec<(&mut Vec<BinaryNode>, Parts)> =
        chunks.into_iter().map(|nodes| (nodes, Parts::default())).collect();
    each(&mut found, &|(nodes, parts)| *parts = Parts::of(&planner, nodes));
    let highest = found.iter().map(|(_, parts)| parts.highest).max().unwrap_or_default();
    let firsts: Vec<u32> = found.iter().flat_map(|(_, parts)| &parts.firsts).copied().collect();
    let parts: Vec<Part> = (0..)
        .zip(found)
        .flat_map(|(tree, (_, parts))| parts.list.into_iter().map(move |part| Part { tree, ..part }))
        .collect();
    let effort = Effort { most_depth: EFFORT.most_depth - highest, ..EFFORT };
    let mut number = |first: u32, _| firsts.partition_point(|&other| other < first) as u32;
    let Some(nodes) = reinsert::improve(&tree, MOST, builder.scale, &effort, job, &mut number) else {
        return tree;
    };
    let mut trees = Vec::new();
    gather(tree, &mut trees);
    Tree::Over(Over::new(&planner, nodes, parts, trees))
}

/// The chunks of a tree, in order.
fn list_chunks<'a>(tree: &'a mut Tree, chunks: &mut Vec<&'a mut Vec<BinaryNode>>) {
    match tree {
        Tree::Chunk(nodes) => chunks.push(nodes),
        Tree::Fork(_, children) => children.iter_mut().for_each(|child| list_chunks(child, chunks)),
        Tree::Over(over) => over.trees.iter_mut().for_each(|tree| list_chunks(tree, chunks)),
    }
}

/// The same, without what is above them.
fn gather(tree: Tree, chunks: &mut Vec<Tree>) {
    match tree {
        Tree::Chunk(_) => chunks.push(tree),
        Tree::Fork(_, children) => children.into_iter().for_each(|child| gather(child, chunks)),
        Tree::Over(over) => chunks.extend(over.trees),
    }
}

/// The parts of a chunk, in order.
#[derive(Default)]
struct Parts {
    list: Vec<Part>,
    /// The first item of each.
    firsts: Vec<u32>,
    /// None is higher.
    highest: usize,
}

impl Parts {
    /// The largest ones of up to [`MOST`] items, with their collapse planned.
    fn of(builder: &Builder<'_>, nodes: &mut [BinaryNode]) -> Parts {
        let (mut parts, mut root) = (Parts::default(), 0);
        // Where the subtrees end that begin at `root`, the smallest last.
        let mut ends = vec![nodes.len()];
        while let Some(end) = ends.pop() {
            let BinaryNode { right, first, count, .. } = nodes[root];
            if right != 0 && count as usize > MOST {
                ends.extend([end, root + right as usize]);
                root += 1;
            } else {
                let costs = builder.plan(&mut nodes[root..end], leaf_costs);
                parts.list.push(Part { tree: 0, root, count, costs });
                parts.firsts.push(first);
                // As if each of its inner nodes were below another one.
                parts.highest = parts.highest.max((end - root) / 2);
                root = end;
            }
        }
        parts
    }
}
