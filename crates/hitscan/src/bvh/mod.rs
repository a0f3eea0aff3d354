//! The tree over a mesh's triangles: eight-wide nodes above blocks of triangles that are tested together.
//!
//! `binary` sorts the triangles' boxes (`item`), large sets by bins (`binned`) and `small` ones exactly, `collapse` decides which binary nodes become wide nodes and leaves, `wide`
//! lays them out, `walk` follows a ray through them for every query there is, `border` finds a triangle's
//! neighbours where a ray runs exactly along an outline, `check` verifies and `stats` measures.

pub(crate) mod binary;
mod binned;
pub(crate) mod border;
mod cheapest;
mod check;
mod collapse;
pub(crate) mod item;
pub(crate) mod leaf;
pub(crate) mod node;
pub(crate) mod parallel;
pub(crate) mod slab;
mod small;
mod stats;
pub(crate) mod walk;
pub(crate) mod wide;

use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

pub use check::CheckError;
pub(crate) use check::check_nodes;
pub use stats::Stats;
pub use walk::Cost;

use crate::mesh::MeshCounts;
use crate::simd::row::Row;
use binary::Settings;
use item::{Hull, Item};
use node::{Bounds, LeafRef, Node, WIDTH};

/// The tree of one mesh. Its fields are private, so a tree that exists came from [`build`].
#[derive(Clone, Debug)]
pub(crate) struct Bvh {
    /// Depth first, the root at 0; empty where there is nothing to hit.
    pub nodes: Vec<Node>,
    /// The leaves' blocks.
    pub rows: Vec<Row>,
    pub bounds: Bounds,
}

/// Builds the tree over all triangles but those with two corners at one position, and counts both kinds of
/// degenerate triangles. The mesh is checked: its coordinates are finite and its indices exist.
pub(crate) fn build(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> (Bvh, MeshCounts) {
    let zero_area = AtomicUsize::new(0);
    let mut items = parallel::list(triangles.len(), |id| {
        let corners @ [a, b, c] = triangles[id].map(|i| vertices[i as usize]);
        if a == b || b == c || c == a {
            return Item::NONE;
        }
        if has_zero_area(a, b, c) {
            zero_area.fetch_add(1, Ordering::Relaxed);
        }
        Item::new(Hull::of_triangle(corners), id as u32)
    });
    items.retain(|item| !item.is_none());
    let counts = MeshCounts {
        triangles: triangles.len(),
        repeated_corner: triangles.len() - items.len(),
        zero_area: zero_area.into_inner(),
    };
    if items.is_empty() {
        return (Bvh { nodes: Vec::new(), rows: Vec::new(), bounds: Bounds::EMPTY }, counts);
    }
    let tree = binary::build(&mut items, Settings { whole: 4, leaf: WIDTH });
    let rows_of = |count| LeafRef { row: 0, count }.rows();
    let store = |items: &[Item], row, rows: &mut [Row]| leaf::store(items, vertices, triangles, row, rows);
    let (nodes, rows) = wide::emit(&tree, &items, &wide::Leaves { rows_of, store });
    (Bvh { nodes, rows, bounds: tree.root().hull.bounds() }, counts)
}

fn has_zero_area(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> bool {
    let edge = |to: [f32; 3]| -> [f64; 3] { core::array::from_fn(|i| f64::from(to[i]) - f64::from(a[i])) };
    let (e, f) = (edge(b), edge(c));
    e[1] * f[2] == e[2] * f[1] && e[2] * f[0] == e[0] * f[2] && e[0] * f[1] == e[1] * f[0]
}

impl Bvh {
    /// Lowest and highest corner of everything in it.
    pub fn bounds(&self) -> Option<([f32; 3], [f32; 3])> {
        let Bounds { low: [a, b, c, _], high: [x, y, z, _] } = self.bounds;
        (!self.nodes.is_empty()).then_some(([a, b, c], [x, y, z]))
    }

    /// Calls `visit` for every leaf whose box holds the point.
    pub fn leaves_at(&self, point: [f32; 3], visit: &mut dyn FnMut(LeafRef)) {
        let point = Bounds { low: pad(point), high: pad(point) };
        self.leaves_where(&|bounds| bounds.contains(&point), visit);
    }

    /// Calls `visit` for every leaf whose box, and whose every parent's box, is wanted.
    pub fn leaves_where<V: FnMut(LeafRef) + ?Sized>(&self, wanted: &impl Fn(&Bounds) -> bool, visit: &mut V) {
        // Empty places are asked too, and skipped whatever the answer.
        self.leaves_of(&|node| core::array::from_fn(|place| wanted(&node.child_bounds(place))), visit);
    }

    /// The same for boxes that lie, along each axis, at or below `low` with their lowest and at or above `high` with their
    /// highest coordinate: eight compared at a time.
    pub fn leaves_between<V: FnMut(LeafRef) + ?Sized>(&self, low: [f32; 3], high: [f32; 3], visit: &mut V) {
        let wanted = |node: &Node| {
            let mut wanted = [true; WIDTH];
            for axis in 0..3 {
                for place in 0..WIDTH {
                    wanted[place] &= node.planes[axis][place] <= low[axis];
                    wanted[place] &= node.planes[3 + axis][place] >= high[axis];
                }
            }
            wanted
        };
        self.leaves_of(&wanted, visit);
    }

    /// Calls `visit` for every leaf whose place in its node, and whose every parent's, is wanted.
    fn leaves_of<V: FnMut(LeafRef) + ?Sized>(&self, wanted: &impl Fn(&Node) -> [bool; WIDTH], visit: &mut V) {
        if !self.nodes.is_empty() {
            self.leaves_below(0, wanted, visit);
        }
    }

    fn leaves_below<V: FnMut(LeafRef) + ?Sized>(
        &self,
        index: usize,
        wanted: &impl Fn(&Node) -> [bool; WIDTH],
        visit: &mut V,
    ) {
        let node = &self.nodes[index];
        let places = wanted(node);
        for place in node.occupied().filter(|&place| places[place]) {
            match node.children[place].split() {
                Ok(payload) => visit(LeafRef::from_payload(payload)),
                Err(inner) => self.leaves_below(inner, wanted, visit),
            }
        }
    }
}

fn pad([x, y, z]: [f32; 3]) -> [f32; 4] {
    [x, y, z, 0.0]
}
