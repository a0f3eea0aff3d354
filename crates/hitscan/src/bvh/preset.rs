//! How much time a build takes for how good a tree.

use alloc::vec::Vec;

use super::binary::{self, Axes, MOST_DEPTH, Settings, Tree, leaf_costs};
use super::clusters;
use super::item::Item;
use super::layout::Layout;
use super::node::WIDTH;
use super::parts;
use super::reinsert::{self, Effort};
use crate::watch::Job;

/// What is done for the best tree.
const BEST_EFFORT: Effort = Effort { rounds: 12, share: 40, most_depth: MOST_DEPTH };

/// How a tree is built: the sooner it is there, the longer each ray takes. The answers are the same, bit for bit.
///
/// `docs/performance.md` has what each takes and gives, and `hitscan bench SCENE` measures it for a scene of yours.
///
/// ```
/// use hitscan::{Filter, Mesh, Preset, Ray};
/// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])?;
/// for &preset in Preset::ALL {
///     let mesh = Mesh::build(preset, [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
///     assert_eq!(mesh.closest(&ray, &Filter::ALL).map(|hit| hit.t), Some(1.0)); // the same answers
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// Up to a third faster to build than [`Balanced`](Preset::Balanced) on few cores, and a ray visits up to a third more nodes
    /// and leaves: for meshes that are asked a few times and then built anew.
    Fast,
    /// For most: sorted from the top down, then the upper part of the tree made better.
    #[default]
    Balanced,
    /// Takes up to twice as long to build, and a ray visits up to a twelfth less where triangles differ much in size, and no less in
    /// even ones such as scans: for meshes that are built once and asked for long.
    Best,
    /// The tree of [`Balanced`](Preset::Balanced) with leaves that name their triangles, whose corners are in the mesh's own lists alone:
    /// a quarter of that tree's memory, and with the lists less than half. A ray takes a third to three quarters longer alone, and in a
    /// batch about twice as long. For meshes that would not fit into memory otherwise.
    Compact,
}

impl Preset {
    /// All of them, those that are sooner built first, and last the one that is smaller.
    ///
    /// ```
    /// use hitscan::Preset;
    /// assert!(Preset::ALL.contains(&Preset::default()));
    /// ```
    pub const ALL: &'static [Preset] = &[Preset::Fast, Preset::Balanced, Preset::Best, Preset::Compact];

    /// Its name: `fast`, `balanced`, `best` or `compact`.
    ///
    /// ```
    /// use hitscan::Preset;
    /// let names: Vec<_> = Preset::ALL.iter().map(|preset| preset.name()).collect();
    /// assert_eq!(names, ["fast", "balanced", "best", "compact"]);
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Preset::Fast => "fast",
            Preset::Balanced => "balanced",
            Preset::Best => "best",
            Preset::Compact => "compact",
        }
    }

    /// What the leaves of its tree hold.
    pub(crate) fn layout(self) -> Layout {
        match self {
            Preset::Fast | Preset::Balanced | Preset::Best => Layout::Whole,
            Preset::Compact => Layout::Compact,
        }
    }

    /// Sorts the items, of which there is at least one, into a binary tree of leaves for triangles.
    /// Of a job that is stopped, some tree comes back soon, of nothing in particular.
    pub(crate) fn sort(self, items: &mut Vec<Item>, job: &Job<'_>) -> Tree {
        let settings = Settings { whole: WIDTH, leaf: WIDTH, axes: Axes::All, planned: true };
        match self {
            Preset::Fast => clusters::build(items, Settings { axes: Axes::Longest, ..settings }, job),
            Preset::Balanced | Preset::Compact => parts::build(items, settings, job),
            Preset::Best => {
                let (tree, builder) = binary::build(items, Settings { planned: false, ..settings }, job);
                let mut sorted = Vec::with_capacity(items.len());
                let mut settle = |first: u32, count: u32| {
                    let new = sorted.len() as u32;
                    sorted.extend_from_slice(&items[first as usize..(first + count) as usize]);
                    new
                };
                let improved = reinsert::improve(&tree, 0, builder.scale, &BEST_EFFORT, job, &mut settle);
                let Some(mut nodes) = improved else { return tree };
                *items = sorted;
                builder.plan(&mut nodes, leaf_costs);
                Tree::Chunk(nodes)
            }
        }
    }
}
