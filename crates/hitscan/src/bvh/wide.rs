//! From the binary tree to the wide nodes that are walked, in depth-first order.
//!
//! Sizes are counted first, so that every subtree knows where it goes and large ones are written in parallel.
//!
//! Children stand in the order in which a ray finds a hit soonest, if any hit will do, from the last to the first: large boxes
//! of few things last, since of what is put aside the last is taken first.

use alloc::vec::Vec;

use super::binary::{At, BinaryNode, LARGE, Tree, area_scale};
use super::collapse::Cut;
use super::item::Item;
use super::node::{Child, Node, WIDTH};
use super::parallel::{each, watched_list};
use crate::simd::row::Row;
use crate::watch::{Cancelled, Job};

/// How leaves are stored.
pub(crate) struct Leaves<R, S> {
    /// Rows that a leaf of so many items needs.
    pub rows_of: R,
    /// Writes the items of one leaf to its rows, which begin at this number, and gives its payload.
    pub store: S,
    /// Rows behind the last leaf's.
    pub spare_rows: usize,
}

/// Cuts the binary tree as its plan says.
///
/// # Errors
/// Where the job is stopped.
pub(crate) fn emit<R, S>(
    tree: &Tree,
    items: &[Item],
    leaves: &Leaves<R, S>,
    job: &Job<'_>,
) -> Result<(Vec<Node>, Vec<Row>), Cancelled>
where
    R: Fn(usize) -> usize + Sync,
    S: Fn(&[Item], usize, &mut [Row]) -> u32 + Sync,
{
    let root = tree.at_root();
    let emitter = Emitter { items, leaves, scale: area_scale(&root.node().hull), job };
    let size = emitter.size(root);
    job.go_on()?;
    let mut nodes = watched_list(size.room.nodes, |_| Node::empty(), job)?;
    let mut rows = watched_list(size.room.rows + leaves.spare_rows, |_| Row([0.0; 8]), job)?;
    emitter.write(root, &size, &mut Span { at: Room::default(), nodes: &mut nodes, rows: &mut rows });
    job.go_on()?;
    Ok((nodes, rows))
}

/// What the places of one wide node hold: binary nodes, each to become a leaf or a wide node.
struct Places<'a> {
    taken: [Option<(At<'a>, bool)>; WIDTH],
    len: usize,
}

impl<'a> Places<'a> {
    /// The places of the wide node that stands for `from`.
    fn of(from: At<'a>) -> Places<'a> {
        let mut places = Places { taken: [None; WIDTH], len: 0 };
        match from.node().plan.left_places() {
            0 => places.push(from, true), // the root of a tree of one leaf
            left_places => {
                let [left, right] = from.children();
                places.gather(left, left_places);
                places.gather(right, WIDTH - left_places);
            }
        }
        places
    }

    /// Lays out the subtree of `from` in at most `roots` places.
    fn gather(&mut self, from: At<'a>, roots: usize) {
        match from.node().plan.cut(roots) {
            (Cut::Leaf, _) => self.push(from, true),
            (Cut::Node, _) => self.push(from, false),
            (Cut::Children(left_roots), used) => {
                let [left, right] = from.children();
                self.gather(left, left_roots);
                self.gather(right, used - left_roots);
            }
        }
    }

    /// The same, with those last that pay most: by `area / sqrt(count)`, or its square. How likely a box is met goes with its area,
    /// and how many steps it takes to find a hit in it with what it holds. The root is by measurement: see `docs/performance.md`.
    fn in_order(mut self, scale: f32) -> Places<'a> {
        let worth = |taken: &Option<(At<'_>, bool)>| {
            let Some((at, _)) = taken else { return 0.0 };
            let area = at.node().hull.half_area(scale);
            area * area / at.node().count as f32
        };
        self.taken[..self.len].sort_by(|a, b| worth(a).total_cmp(&worth(b)));
        self
    }

    fn push(&mut self, node: At<'a>, is_leaf: bool) {
        self.taken[self.len] = Some((node, is_leaf));
        self.len += 1;
    }

    fn iter(&self) -> impl Iterator<Item = (At<'a>, bool)> {
        self.taken.iter().copied().flatten()
    }
}

/// How much a wide node and everything below it needs, and of a large one the sizes of its inner children.
struct Size {
    room: Room,
    inner: Vec<Size>,
}

/// Numbers of nodes and rows: a size, or where something begins.
#[derive(Clone, Copy, Default)]
struct Room {
    nodes: usize,
    rows: usize,
}

impl Room {
    fn add(&mut self, more: Room) {
        self.nodes += more.nodes;
        self.rows += more.rows;
    }
}

/// Memory to be written, and what its beginnings are called.
struct Span<'a> {
    at: Room,
    nodes: &'a mut [Node],
    rows: &'a mut [Row],
}

impl<'a> Span<'a> {
    /// Takes some of it off the front.
    fn take(&mut self, room: Room) -> Span<'a> {
        let (nodes, more_nodes) = core::mem::take(&mut self.nodes).split_at_mut(room.nodes);
        let (rows, more_rows) = core::mem::take(&mut self.rows).split_at_mut(room.rows);
        let taken = Span { at: self.at, nodes, rows };
        (self.nodes, self.rows) = (more_nodes, more_rows);
        self.at.add(room);
        taken
    }
}

struct Emitter<'a, R, S> {
    items: &'a [Item],
    leaves: &'a Leaves<R, S>,
    /// Multiplies lengths so that areas neither over- nor underflow.
    scale: f32,
    job: &'a Job<'a>,
}

impl<R, S> Emitter<'_, R, S>
where
    R: Fn(usize) -> usize + Sync,
    S: Fn(&[Item], usize, &mut [Row]) -> u32 + Sync,
{
    fn leaf_room(&self, leaf: At<'_>) -> Room {
        Room { nodes: 0, rows: (self.leaves.rows_of)(leaf.node().count as usize) }
    }

    /// The room of a wide node and all below it.
    fn room(&self, from: At<'_>) -> Room {
        let mut room = Room { nodes: 1, rows: 0 };
        for (child, is_leaf) in Places::of(from).iter() {
            room.add(if is_leaf { self.leaf_room(child) } else { self.room(child) });
        }
        room
    }

    fn size(&self, from: At<'_>) -> Size {
        if self.job.stopped() {
            return Size { room: Room::default(), inner: Vec::new() };
        }
        if !is_large(from) {
            return Size { room: self.room(from), inner: Vec::new() };
        }
        let places = Places::of(from).in_order(self.scale);
        let inner: Vec<At<'_>> = places.iter().filter(|place| !place.1).map(|place| place.0).collect();
        let mut inner: Vec<(At<'_>, Option<Size>)> = inner.into_iter().map(|at| (at, None)).collect();
        each(&mut inner, &|(at, size)| *size = Some(self.size(*at)));
        let inner: Vec<Size> = inner.into_iter().filter_map(|(_, size)| size).collect();
        let mut room = Room { nodes: 1, rows: 0 };
        places.iter().filter(|place| place.1).for_each(|(leaf, _)| room.add(self.leaf_room(leaf)));
        inner.iter().for_each(|child| room.add(child.room));
        Size { room, inner }
    }

    /// Writes a wide node and all below it.
    fn write(&self, from: At<'_>, size: &Size, span: &mut Span<'_>) {
        if self.job.stopped() {
            return;
        }
        if !is_large(from) {
            self.write_small(from, span);
            self.job.advance(from.node().count as usize);
            return;
        }
        let node = &mut span.take(Room { nodes: 1, rows: 0 }).nodes[0];
        let mut sizes = size.inner.iter();
        let mut inner = Vec::with_capacity(WIDTH);
        for (place, (child, is_leaf)) in Places::of(from).in_order(self.scale).iter().enumerate() {
            let word = if is_leaf {
                Child::leaf(self.store(child, &mut span.take(self.leaf_room(child))))
            } else {
                let size = sizes.next().expect("one size for each inner child");
                let span = span.take(size.room);
                let index = span.at.nodes;
                inner.push((child, size, span));
                Child::inner(index)
            };
            node.set(place, &child.node().hull.bounds(), word);
        }
        each(&mut inner, &|(child, size, span)| self.write(*child, size, span));
    }

    /// The same, one after the other; gives the node's number.
    fn write_small(&self, from: At<'_>, span: &mut Span<'_>) -> usize {
        let Span { at, nodes, .. } = span.take(Room { nodes: 1, rows: 0 });
        for (place, (child, is_leaf)) in Places::of(from).in_order(self.scale).iter().enumerate() {
            let word = if is_leaf {
                Child::leaf(self.store(child, &mut span.take(self.leaf_room(child))))
            } else {
                Child::inner(self.write_small(child, span))
            };
            nodes[0].set(place, &child.node().hull.bounds(), word);
        }
        at.nodes
    }

    fn store(&self, leaf: At<'_>, span: &mut Span<'_>) -> u32 {
        let &BinaryNode { first, count, .. } = leaf.node();
        let (first, count) = (first as usize, count as usize);
        (self.leaves.store)(&self.items[first..first + count], span.at.rows, span.rows)
    }
}

/// Where the work is worth sharing out.
fn is_large(at: At<'_>) -> bool {
    at.node().count as usize > LARGE
}
