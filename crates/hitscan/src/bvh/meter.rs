//! The work of a walk: counted, bounded, or neither.

/// What a walk did: the work behind one answer. Each count stops at `u32::MAX`.
///
/// ```
/// use hitscan::{Filter, Mesh, Ray};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
/// let (hit, cost) = mesh.closest_cost(&Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])?, &Filter::ALL);
/// assert!(hit.is_some());
/// assert_eq!((cost.nodes, cost.leaves, cost.tests), (1, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// How often the walk came to an instance's mesh: more than once where a scene is of nothing but meshes at one place, whose trees are
    /// walked in parts; 0 where a mesh was asked directly.
    pub instances: u32,
    /// Inner nodes whose eight boxes were tested, of scene and meshes.
    pub nodes: u32,
    /// Leaves whose triangles were tested, up to eight at once.
    pub leaves: u32,
    /// Triangles that went through the exact test.
    pub tests: u32,
    /// Boxes of the nodes that the ray meets within what is still wanted: each is opened next or put aside.
    pub children: u32,
    /// Times that a walk went back to what it had put aside: behind each leaf, and behind each node without such
    /// a box. The last finds nothing; a walk that ends at a hit, as for occlusion, has no last.
    pub pops: u32,
}

/// Counts the work of a walk, or does nothing at no cost.
pub(crate) trait Meter {
    fn instance(&mut self) {}
    /// A shape without a box, which every ray asks.
    fn endless(&mut self) {}
    fn node(&mut self) {}
    fn leaf(&mut self) {}
    fn test(&mut self) {}
    /// The boxes of a node were tested: bits of those that are met.
    fn children(&mut self, _hits: u32) {}
    fn pop(&mut self) {}
    /// Whether there was too much work, so that the walk ends without an answer.
    #[inline(always)]
    fn is_spent(&self) -> bool {
        false
    }
}

impl Meter for () {}

/// Counts, up to so many steps: instances, nodes, leaves and triangles.
#[derive(Debug)]
pub(crate) struct Tally {
    pub cost: Cost,
    /// What is left of the steps; none once there were too few.
    left: Option<u64>,
}

impl Tally {
    pub fn within(steps: u64) -> Tally {
        Tally { cost: Cost::default(), left: Some(steps) }
    }

    #[inline(always)]
    fn step(&mut self) {
        self.left = self.left.and_then(|left| left.checked_sub(1));
    }
}

impl Meter for Tally {
    fn instance(&mut self) {
        self.cost.instances = self.cost.instances.saturating_add(1);
        self.step();
    }
    fn endless(&mut self) {
        self.step();
    }
    fn node(&mut self) {
        self.cost.nodes = self.cost.nodes.saturating_add(1);
        self.step();
    }
    fn leaf(&mut self) {
        self.cost.leaves = self.cost.leaves.saturating_add(1);
        self.step();
    }
    fn test(&mut self) {
        self.cost.tests = self.cost.tests.saturating_add(1);
        self.step();
    }
    fn children(&mut self, hits: u32) {
        self.cost.children = self.cost.children.saturating_add(hits.count_ones());
    }
    fn pop(&mut self) {
        self.cost.pops = self.cost.pops.saturating_add(1);
    }
    #[inline(always)]
    fn is_spent(&self) -> bool {
        self.left.is_none()
    }
}
