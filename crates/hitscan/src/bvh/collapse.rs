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
    /// `left_roots[i]`: of at most `i + 1` roots, how many the left child gets; 0 where fewer roots are
    /// as good, and at 0 where the single root is a leaf.
    left_roots: [u8; WIDTH],
    /// How many of a wide node's eight places the left child gets.
    left_places: u8,
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
    pub const LEAF: Plan = Plan { left_roots: [0; WIDTH], left_places: 0 };

    /// How to cut the node when it may have `roots` roots, and how many of them that uses at most.
    pub fn cut(&self, roots: usize) -> (Cut, usize) {
        let used = (1..=roots).rev().find(|&r| r == 1 || self.left_roots[r - 1] != 0).unwrap_or(1);
        match self.left_roots[used - 1] {
            0 => (Cut::Leaf, 1),
            _ if used == 1 => (Cut::Node, 1),
            left => (Cut::Children(usize::from(left)), used),
        }
    }

    /// How many of a wide node's places the left child gets; 0 for a node without children.
    pub fn left_places(&self) -> usize {
        usize::from(self.left_places)
    }
}

/// The costs of a node without children.
pub(crate) fn leaf(area: f32) -> Costs {
    [area * LEAF; WIDTH]
}

/// The costs of a node from those of its children, and the cut that reaches them.
pub(crate) fn join(area: f32, may_be_leaf: bool, left: &Costs, right: &Costs) -> (Costs, Plan) {
    let mut costs = [0.0; WIDTH];
    let mut plan = Plan::LEAF;
    let cheapest = |roots: usize| {
        let mut best = (f32::INFINITY, 0u8);
        for k in 1..roots {
            let cost = left[k - 1] + right[roots - k - 1];
            if cost < best.0 || best.1 == 0 {
                best = (cost, k as u8);
            }
        }
        best
    };
    let (inside, places) = cheapest(WIDTH);
    plan.left_places = places;
    costs[0] = area * NODE + inside;
    plan.left_roots[0] = 1;
    if may_be_leaf && area * LEAF <= costs[0] {
        costs[0] = area * LEAF;
        plan.left_roots[0] = 0;
    }
    for roots in 2..=WIDTH {
        let (cost, left_roots) = cheapest(roots);
        if cost < costs[roots - 2] {
            costs[roots - 1] = cost;
            plan.left_roots[roots - 1] = left_roots;
        } else {
            costs[roots - 1] = costs[roots - 2];
        }
    }
    (costs, plan)
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
