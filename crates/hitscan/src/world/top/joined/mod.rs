//! Meshes that stand at one place, as those of many files do, as one tree: what a ray becomes in the frame of one, it is in that of all,
//! so that it is made ready once, and goes from the scene's boxes to the meshes' own as if all were one mesh.
//!
//! Their trees are opened from the root on, the largest boxes first, and the tree is made of the boxes that come out (Benthin, Woop, Wald,
//! Áfra: Improved Two-Level BVHs using Partial Re-Braiding, 2017).
//!
//! A box of the tree is met by a ray that was rounded for the largest mesh; a triangle of another by one that may have been moved and rounded
//! for its own, smaller one. Each is off by at most `u` of four times the largest coordinate, which makes of the 72 units that
//! [`slab`](crate::bvh::slab) needs of its margin of 96 less than 90.

mod alone;
mod under_way;

use alloc::collections::BinaryHeap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;

use bytemuck::{Pod, Zeroable};

pub(crate) use alone::Ask;
pub(crate) use under_way::Within;

use crate::bvh::binary::{self, Axes, Settings};
use crate::bvh::item::{Hull, Item};
use crate::bvh::layout::Place;
use crate::bvh::node::{Bounds, Child, LeafRef, Node};
use crate::bvh::slab::Frame;
use crate::bvh::{CheckError, check_nodes, repeats_a_corner, wide};
use crate::entry::surely_near;
use crate::hit::InstanceId;
use crate::mesh::{Mesh, MeshData};
use crate::simd::row::Row;
use crate::simd::stack::MAX_ABOVE;
use crate::transform::Transform;
use crate::watch::Job;
use crate::world::slots::Slots;
use crate::world::{Geometry, Instance};

/// How many parts there are for each mesh, and of all of them, at most by one node: a scene of more meshes is as it is.
const PARTS: usize = 8;
const MOST: usize = 1 << 16;

/// A mesh whose coordinates are so many times smaller than the largest is asked with a ray of its own: margins of the largest are wide for it.
/// Where they are still smaller, nothing is joined: it would be asked by nearly every ray.
const ALIKE: f32 = 1.0 / 32.0;
const COMPARABLE: f32 = 1.0 / 2048.0;

/// The meshes of a scene that has nothing else, all at one place.
#[derive(Debug)]
pub(crate) struct Together {
    /// In the order of their slots.
    members: Vec<(u32, Mesh)>,
    /// Whether somebody has tried to join them, and what came out.
    is_tried: bool,
    joined: Option<Joined>,
}

/// Their tree.
#[derive(Debug)]
pub(crate) struct Joined {
    /// Boxes in the meshes' frame; a leaf's payload is eight times the number of a part.
    nodes: Vec<Node>,
    parts: Vec<Part>,
    /// Whether they are of one mesh.
    is_one: bool,
    /// The largest coordinate of all.
    reach: f32,
    frame: Frame,
}

/// A part of a mesh's tree. As large as a row of a leaf, so that it is asked for in memory as such.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(32))]
pub(crate) struct Part {
    slot: u32,
    /// Where it begins.
    pub child: Child,
    /// A ray that was made ready for all is what it would be for this mesh alone where no coordinate of its origin is as large.
    near: f32,
    rest: [u32; 5],
}

/// A part with its instance.
pub(crate) struct Standing<'a> {
    pub id: InstanceId,
    pub instance: &'a Instance,
    pub mesh: &'a MeshData,
    pub part: &'a Part,
}

impl Together {
    /// Of all that has a box, where these are meshes at one place, one or several. A tree takes longer than a commit does, so it is made at first,
    /// and then once the meshes are the same `before` and now, but is had again from any of these scenes that has it.
    pub fn new(
        slots: &Slots,
        has_box: impl Fn(u32) -> bool,
        is_first: bool,
        before: [Option<&Arc<Together>>; 2],
    ) -> Option<Arc<Together>> {
        let mut place: Option<&Transform> = None;
        let mut members = Vec::new();
        for (id, instance) in slots.iter().filter(|(id, _)| has_box(id.slot())) {
            let Geometry::Mesh(mesh) = &instance.geometry else { return None };
            if !place.get_or_insert(&instance.transform).enters_like(&instance.transform) {
                return None;
            }
            members.push((id.slot(), mesh));
        }
        if !(1..=MOST).contains(&members.len()) {
            return None;
        }
        let is_same = |before: &&Arc<Together>| {
            let same = |(own, member): (&(u32, Mesh), &(u32, &Mesh))| {
                own.0 == member.0 && Arc::ptr_eq(&own.1.data, &member.1.data)
            };
            before.members.len() == members.len() && before.members.iter().zip(&members).all(same)
        };
        let same = || before.into_iter().flatten().filter(is_same);
        let known = same().find(|before| before.is_tried);
        if let Some(known) = known {
            return Some(known.clone());
        }
        let is_tried = is_first || same().next().is_some();
        let members: Vec<_> = members.into_iter().map(|(slot, mesh)| (slot, mesh.clone())).collect();
        let joined = if is_tried { Joined::of(&members) } else { None };
        Some(Arc::new(Together { members, is_tried, joined }))
    }

    #[inline(always)]
    pub fn joined(&self) -> Option<&Joined> {
        self.joined.as_ref()
    }
}

impl Joined {
    /// `None` where meshes differ too much in size, or where the tree would be too deep for the stack of a walk that goes on into a mesh.
    fn of(members: &[(u32, Mesh)]) -> Option<Joined> {
        let reaches = members.iter().map(|(_, mesh)| mesh.data.reach);
        let (least, reach) =
            reaches.fold((f32::INFINITY, 0.0f32), |(a, b), reach| (a.min(reach), b.max(reach)));
        if least < reach * COMPARABLE {
            return None;
        }
        let opened = opened(members, reach * ALIKE)?;
        let part = |open: &Open| {
            let (slot, mesh) = &members[open.member as usize];
            let own = mesh.data.reach;
            let near = if own < reach * ALIKE { 0.0 } else { surely_near(f64::from(own)) };
            Part { slot: *slot, child: open.child, near, rest: [0; 5] }
        };
        let parts = opened.iter().map(part).collect();
        let boxes = opened.iter().map(|open| Hull::of_bounds(&open.bounds));
        let mut items: Vec<Item> = (0..).zip(boxes).map(|(number, hull)| Item::new(hull, number)).collect();
        // Nobody ends it.
        let job = Job::unwatched();
        let settings = Settings { whole: 1, leaf: 1, axes: Axes::All, planned: true };
        let (tree, _) = binary::build(&mut items, settings, &job);
        let store = |items: &[Item], _, _: &mut [Row]| items[0].id() << 3;
        let leaves = wide::Leaves { rows_of: |_| 0, store, spare_rows: 0 };
        let (nodes, _) = wide::emit(&tree, &items, &leaves, &job).unwrap_or_default();
        let (is_one, frame) = (members.len() == 1, Frame::new(reach));
        let joined = Joined { nodes, parts, is_one, reach, frame };
        (joined.depth() <= MAX_ABOVE).then_some(joined)
    }

    /// Verifies the tree: each part is in it once, inside its box.
    pub fn check(&self, slots: &Slots) -> Result<(), CheckError> {
        let mut whole = Bounds::EMPTY;
        let root = self.nodes.first().into_iter();
        root.flat_map(|root| root.occupied().map(|place| root.child_bounds(place)))
            .for_each(|own| whole.grow(&own));
        let mut found = alloc::vec![0u32; self.parts.len()];
        check_nodes(&self.nodes, &whole, &mut |node, place, payload| {
            let Some(Standing { mesh, part, .. }) = self.part(slots, payload) else {
                return Err(CheckError::Block { node, place });
            };
            found[(payload >> 3) as usize] += 1;
            Ok(around(mesh, part.child))
        })?;
        match found.iter().position(|&found| found != 1) {
            Some(prim) => Err(CheckError::Coverage { prim, found: found[prim], expected: 1 }),
            None => Ok(()),
        }
    }

    /// How many nodes lie above one another at most; each stands behind its parent.
    fn depth(&self) -> usize {
        let mut depths = alloc::vec![1; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            for child in node.children.iter().filter_map(|child| child.split().err()) {
                depths[child] = depths[index] + 1;
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// The nodes above the parts.
    #[inline(always)]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The largest coordinate of all meshes.
    pub fn reach(&self) -> f32 {
        self.reach
    }

    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The parts, as rows of leaves.
    #[inline(always)]
    pub fn rows(&self) -> &[Row] {
        bytemuck::cast_slice(&self.parts)
    }

    /// Where all of them are.
    #[inline(always)]
    pub fn place<'a>(&self, slots: &'a Slots) -> Option<&'a Transform> {
        Some(&slots.at(self.parts.first()?.slot)?.1.transform)
    }

    /// The part that a leaf leads to.
    #[inline(always)]
    pub fn part<'a>(&'a self, slots: &'a Slots, payload: u32) -> Option<Standing<'a>> {
        let part = self.parts.get((payload >> 3) as usize)?;
        let (id, instance) = slots.at(part.slot)?;
        match &instance.geometry {
            Geometry::Mesh(mesh) => Some(Standing { id, instance, mesh: &mesh.data, part }),
            _ => None,
        }
    }
}

impl Part {
    /// Whether a ray that was made ready for all is what it would be for this mesh alone; its origin has no larger coordinate.
    #[inline(always)]
    pub fn is_near(&self, farthest: f32) -> bool {
        farthest < self.near
    }
}

/// A box that may yet be opened.
struct Open {
    area: f32,
    bounds: Bounds,
    member: u32,
    child: Child,
}

impl Open {
    fn new(member: u32, child: Child, bounds: Bounds) -> Open {
        let [x, y, z] = [0, 1, 2].map(|axis| bounds.high[axis] - bounds.low[axis]);
        Open { area: x * y + y * z + z * x, bounds, member, child }
    }
}

/// By area, and then by what it is of: the same parts wherever it is done.
impl Ord for Open {
    fn cmp(&self, other: &Open) -> Ordering {
        let what = |open: &Open| (open.member, open.child.word());
        self.area.total_cmp(&other.area).then_with(|| what(self).cmp(&what(other)))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}

/// The parts that the meshes are opened into, but for those whose coordinates are all smaller than `least`. `None` where a mesh from a
/// file that nobody verified is none.
fn opened(members: &[(u32, Mesh)], least: f32) -> Option<Vec<Open>> {
    let (mut open, mut whole) = (BinaryHeap::new(), Vec::new());
    for (number, (_, mesh)) in (0..).zip(members) {
        let root = Open::new(number, Child::inner(0), mesh.data.tree.bounds);
        if mesh.data.reach < least { whole.push(root) } else { open.push(root) }
    }
    let most = MOST.min(members.len() * PARTS);
    for _ in 0..most {
        if open.len() + whole.len() >= most {
            break;
        }
        let Some(next) = open.pop() else { break };
        let Err(index) = next.child.split() else {
            whole.push(next);
            continue;
        };
        let node = members[next.member as usize].1.data.tree.nodes.get(index)?;
        // A moved mesh may have places where there is nothing to hit any more.
        let is_there = |place: &usize| !node.child_bounds(*place).is_empty();
        let child = |place: usize| Open::new(next.member, node.children[place], node.child_bounds(place));
        open.extend(node.occupied().filter(is_there).map(child));
    }
    whole.extend(open);
    let is_sound = |open: &Open| {
        (0..3).all(|axis| open.bounds.low[axis].is_finite() && open.bounds.high[axis].is_finite())
    };
    (!whole.is_empty() && whole.iter().all(is_sound)).then_some(whole)
}

/// The box around what is below a child of a mesh's tree.
fn around(mesh: &MeshData, child: Child) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    match child.split() {
        Err(index) => {
            let node = &mesh.tree.nodes[index];
            node.occupied().for_each(|place| bounds.grow(&node.child_bounds(place)));
        }
        Ok(payload) => {
            let leaf = LeafRef::from_payload(payload);
            for lane in 0..leaf.count as u32 {
                let corners = mesh.leaves().corners(Place { payload, lane });
                if !repeats_a_corner(corners) {
                    corners.iter().for_each(|&[x, y, z]| bounds.grow_point([x, y, z, 0.0]));
                }
            }
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use hitscan_oracle::{Rng, meshes};

    use super::*;
    use crate::shape::Sphere;
    use crate::world::World;

    /// The balls and boxes of a suite, of several sizes.
    fn some(count: usize) -> Vec<Mesh> {
        let mut rng = Rng::new(21);
        let suite = meshes::all_solids();
        (0..count)
            .map(|i| {
                let solid = suite[i % suite.len()].mesh.scaled([1.0, 0.25, 7.0, 0.05][i % 4]);
                let aside = rng.in_cube(3.0).map(|c| c as f32);
                let corners =
                    solid.vertices.iter().map(|v| [v[0] + aside[0], v[1] + aside[1], v[2] + aside[2]]);
                Mesh::new(corners, solid.triangles.iter().copied()).unwrap()
            })
            .collect()
    }

    fn world(meshes: &[Mesh]) -> World {
        let mut world = World::new();
        for mesh in meshes {
            world.insert(mesh);
        }
        world
    }

    /// The leaves below a child of a mesh's tree.
    fn leaves(nodes: &[Node], child: Child, found: &mut Vec<u32>) {
        match child.split() {
            Ok(_) => found.push(child.word()),
            Err(index) => {
                let node = &nodes[index];
                node.occupied().for_each(|place| leaves(nodes, node.children[place], found));
            }
        }
    }

    /// Each leaf of each mesh lies below one part, and each part in the box that leads to it.
    #[test]
    fn parts_are_all_that_there_is() {
        for count in [1, 2, 3, 17, 60] {
            let meshes = some(count);
            let scene = world(&meshes).commit();
            let joined = scene.top.joined().expect("all at one place");
            joined.check(scene.top.slots()).unwrap();
            assert!(joined.parts.len() >= count && joined.parts.len() < PARTS * count + 8);
            let mut numbers = Vec::new();
            for (node, place) in
                joined.nodes.iter().flat_map(|node| node.occupied().map(move |place| (node, place)))
            {
                let Ok(payload) = node.children[place].split() else { continue };
                let standing = joined.part(scene.top.slots(), payload).expect("a part");
                let within = node.child_bounds(place);
                let own = match standing.part.child.split() {
                    Err(0) => standing.mesh.tree.bounds,
                    _ => parent_of(standing.mesh, standing.part.child),
                };
                for axis in 0..3 {
                    assert!(within.low[axis] <= own.low[axis] && own.high[axis] <= within.high[axis]);
                }
                numbers.push(payload >> 3);
            }
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..joined.parts.len() as u32), "each part once");
            for (number, mesh) in (0..).zip(&meshes) {
                let (mut below, mut all) = (Vec::new(), Vec::new());
                for part in joined.parts.iter().filter(|part| part.slot == number) {
                    leaves(&mesh.data.tree.nodes, part.child, &mut below);
                }
                leaves(&mesh.data.tree.nodes, Child::inner(0), &mut all);
                below.sort_unstable();
                all.sort_unstable();
                assert_eq!(below, all, "mesh {number} of {count}");
            }
        }
    }

    /// The box that a mesh's own tree has for a child.
    fn parent_of(mesh: &MeshData, child: Child) -> Bounds {
        let of = |node: &Node| {
            node.occupied().find(|&place| node.children[place] == child).map(|place| node.child_bounds(place))
        };
        mesh.tree.nodes.iter().find_map(of).expect("a child has a parent")
    }

    #[test]
    fn what_is_not_alike_is_not_joined() {
        let meshes = some(4);
        let mut world = world(&meshes);
        let nodes = |scene: &crate::Scene| scene.top.joined().map(|joined| joined.nodes.as_ptr());
        let first = world.commit();
        assert!(nodes(&first).is_some());
        assert_eq!(nodes(&world.commit()), nodes(&first), "it is made once");
        drop(first);
        assert!(nodes(&world.commit()).is_some());
        let ball = world.insert(Sphere::new([0.0; 3], 1.0).unwrap());
        assert_eq!(nodes(&world.commit()), None);
        world.remove(ball).unwrap();
        let moved = world.iter().next().unwrap().0;
        world.set_transform(moved, Transform::translation([1.0, 0.0, 0.0]).unwrap()).unwrap();
        assert_eq!(nodes(&world.commit()), None);
        world.set_transform(moved, Transform::IDENTITY).unwrap();
        world.commit();
        assert!(nodes(&world.commit()).is_some());
        let mut one = World::new();
        one.insert(&meshes[0]);
        assert!(nodes(&one.commit()).is_some(), "also of one mesh");
        let far = Mesh::new(
            meshes[1].vertices().iter().map(|v| v.map(|c| 1e5 * c)),
            meshes[1].triangles().iter().copied(),
        );
        one.insert(far.unwrap());
        one.commit();
        assert_eq!(nodes(&one.commit()), None, "the first would be asked by all");
    }

    /// Of meshes that change each time it is not made, and once they do not.
    #[test]
    fn what_changes_is_joined_once_it_does_not() {
        let meshes = some(9);
        let mut world = world(&meshes[..4]);
        world.commit();
        let id = world.iter().next().unwrap().0;
        for mesh in &meshes[4..] {
            world.set_geometry(id, mesh).unwrap();
            assert!(world.commit().top.joined().is_none());
        }
        assert!(world.commit().top.joined().is_some());
        assert!(world.commit().top.joined().is_some());
    }
}
