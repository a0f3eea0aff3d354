//! From the binary tree to the wide nodes that are walked, in depth-first order.

use alloc::vec::Vec;

use super::binary::{BinaryNode, Item};
use super::collapse::Cut;
use super::node::{Child, Node, WIDTH};

/// Cuts the binary tree as its plan says. `leaf` stores the items of one leaf and gives its payload.
pub(crate) fn emit(binary: &[BinaryNode], items: &[Item], leaf: impl FnMut(&[Item]) -> u32) -> Vec<Node> {
    let mut emitter = Emitter { binary, items, leaf, nodes: Vec::new() };
    emitter.node(0);
    emitter.nodes
}

struct Emitter<'a, F> {
    binary: &'a [BinaryNode],
    items: &'a [Item],
    leaf: F,
    nodes: Vec<Node>,
}

/// What the places of one wide node hold: binary nodes, each to become a leaf or a wide node.
#[derive(Default)]
struct Places {
    taken: [(usize, bool); WIDTH],
    len: usize,
}

impl<F: FnMut(&[Item]) -> u32> Emitter<'_, F> {
    fn node(&mut self, from: usize) -> usize {
        let mut places = Places::default();
        match self.binary[from].plan.left_places() {
            0 => places.push(from, true), // the root of a tree of one leaf
            left => {
                self.gather(from + 1, left, &mut places);
                self.gather(self.right(from), WIDTH - left, &mut places);
            }
        }
        let index = self.nodes.len();
        self.nodes.push(Node::empty());
        for (place, &(child, is_leaf)) in places.taken[..places.len].iter().enumerate() {
            let BinaryNode { bounds, first, count, .. } = self.binary[child];
            let word = if is_leaf {
                let (first, count) = (first as usize, count as usize);
                Child::leaf((self.leaf)(&self.items[first..first + count]))
            } else {
                Child::inner(self.node(child))
            };
            self.nodes[index].set(place, &bounds, word);
        }
        index
    }

    /// Lays out the subtree of `from` in at most `roots` places.
    fn gather(&self, from: usize, roots: usize, places: &mut Places) {
        match self.binary[from].plan.cut(roots) {
            (Cut::Leaf, _) => places.push(from, true),
            (Cut::Node, _) => places.push(from, false),
            (Cut::Children(left), used) => {
                self.gather(from + 1, left, places);
                self.gather(self.right(from), used - left, places);
            }
        }
    }

    fn right(&self, from: usize) -> usize {
        from + self.binary[from].right as usize
    }
}

impl Places {
    fn push(&mut self, node: usize, is_leaf: bool) {
        self.taken[self.len] = (node, is_leaf);
        self.len += 1;
    }
}
