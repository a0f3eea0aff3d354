//! The cheapest cut of a binary tree into wide nodes and leaves, by dynamic programming.
//!
//! Source: Ylitie, Karras, Laine, Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs (2017),
//! section 3.2. For each binary node: the least cost of standing for it with at most 1, 2, … 8 roots, each a
//! leaf or a wide node. Costs are expected visits of the surface area heuristic.

use super::node::WIDTH;

/// Cost of visiting a wide node and of testing a leaf, measured on rays: a leaf's one test is the cheaper.
const NODE: f32 = 1.0;
const LEAF: f32 = 0.6;

/// `costs[i]`: the least cost of a subtree with at most `i + 1` roots.
pub(crate) type Costs = [f32; WIDTH];

/// How a binary node is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Four bits each, from the lowest: of at most 1, 2, … 8 roots, how many the left child gets; 0 where fewer
    /// roots are as good, and at the lowest where the single root is a leaf.
    left_roots: u32,
    /// How many of a wide node's eight places the left child gets.
    left_places: u32,
}

/// What stands for a binary node that was given some number of roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// One leaf.
    Leaf,
    /// One wide node.
    Node,
    /// Its two children, the left one with this many of the roots.
    Children(usize),
}

impl Plan {
    /// A node without children.
    pub const LEAF: Plan = Plan { left_roots: 0, left_places: 0 };

    /// How to cut the node when it may have `roots` roots, and how many of them that uses at most.
    pub fn cut(&self, roots: usize) -> (Cut, usize) {
        let allowed = self.left_roots << (32 - 4 * roots) >> (32 - 4 * roots);
        let used = (32 - allowed.leading_zeros() as usize).div_ceil(4).max(1);
        match (allowed >> (4 * (used - 1))) as usize {
            0 => (Cut::Leaf, 1),
            _ if used == 1 => (Cut::Node, 1),
            left => (Cut::Children(left), used),
        }
    }

    /// How many of a wide node's places the left child gets; 0 for a node without children.
    pub fn left_places(&self) -> usize {
        self.left_places as usize
    }
}

/// The costs of a node without children.
#[inline(always)]
pub(crate) fn leaf(area: f32) -> Costs {
    [area * LEAF; WIDTH]
}

/// The costs of a node from those of its children, and the cut that reaches them.
#[inline(always)]
pub(crate) fn join(area: f32, may_be_leaf: bool, left: &Costs, right: &Costs) -> (Costs, Plan) {
    // For each number of roots, all at once: the best of giving the left child 1, 2, … of them. Nothing is left for the
    // right child where the padding is met.
    let mut padded = [f32::INFINITY; 2 * WIDTH];
    padded[WIDTH..].copy_from_slice(right);
    let mut best = [f32::INFINITY; WIDTH];
    let mut left_roots = [0u32; WIDTH];
    for k in 1..WIDTH {
        for i in 0..WIDTH {
            let cost = left[k - 1] + padded[WIDTH + i - k];
            let better = cost < best[i];
            best[i] = if better { cost } else { best[i] };
            left_roots[i] = if better { k as u32 } else { left_roots[i] };
        }
    }
    let left_places = left_roots[WIDTH - 1];
    let node = area * NODE + best[WIDTH - 1];
    let is_leaf = may_be_leaf && area * LEAF <= node;
    let single = if is_leaf { area * LEAF } else { node };
    // `best` falls from 2 roots on, since more roots are at most one of them more. A cut counts where it is cheaper than
    // with fewer roots.
    let mut packed = u32::from(!is_leaf);
    let mut costs = [single; WIDTH];
    for i in 1..WIDTH {
        costs[i] = if best[i] < single { best[i] } else { single };
        packed |= if best[i] < costs[i - 1] { left_roots[i] << (4 * i) } else { 0 };
    }
    (costs, Plan { left_roots: packed, left_places })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_stays_a_leaf_with_any_number_of_roots() {
        assert_eq!(Plan::LEAF.cut(8), (Cut::Leaf, 1));
    }

    #[test]
    fn small_children_of_a_large_node_are_worth_two_roots() {
        let (costs, plan) = join(10.0, true, &leaf(1.0), &leaf(1.0));
        assert_eq!(plan.cut(1), (Cut::Leaf, 1), "one test of both costs less than a node and two");
        assert_eq!(plan.cut(2), (Cut::Children(1), 2));
        assert_eq!(plan.cut(8), (Cut::Children(1), 2), "more roots bring nothing");
        assert_eq!(costs[0], 6.0);
        assert_eq!(costs[7], 1.2);
        let (_, plan) = join(10.0, false, &leaf(1.0), &leaf(1.0));
        assert_eq!(plan.cut(1), (Cut::Node, 1));
    }
}
