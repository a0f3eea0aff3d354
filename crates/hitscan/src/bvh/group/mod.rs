//! Neighbouring rays side by side, through a mesh or a scene: those of a picture, of a lidar, of a light.
//!
//! Sixteen rays that leave side by side are one [`Bundle`], which meets eight boxes with the instructions of one ray and a
//! half. A box that the bundle meets is tested against the sixteen rays when its turn comes, with the reach that each has left by then
//! (Wald, Slusallek, Benthin, Wagner: Interactive Rendering with Coherent Ray Tracing, 2001; Reshetov, Soupikov, Hurley:
//! Multi-Level Ray Tracing Algorithm, 2005). The triangles of a leaf meet the bundle by their boxes first, eight at once. Memory is
//! asked for one step ahead: what comes next while its box is tested against each ray, what comes behind it while a leaf is.
//! `blocks` chooses the sixteen.
//! Answers are those of single rays, bit for bit: boxes are only tested differently, and triangles by the same recipe.

pub(crate) mod blocks;
mod bundle;
mod every;
mod instances;
mod joined;
mod kept;
mod plain;
mod probes;
mod rays;
mod triangles;

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;

use super::node::{Child, Node};
use super::walk::Reach;
use crate::entry::{Arrival, LocalRay};
use crate::filter::Filter;
use crate::mesh::MeshData;
use crate::query::{Collector, Question, Sink, Target};
use crate::ray::Ray;
use crate::simd::lanes::Lanes;
use crate::simd::scalar::Scalar;
use crate::simd::stack::{Order, Stack};
use crate::transform::Transform;
use blocks::{Blocks, Chosen};
use bundle::Bundle;
pub(crate) use every::Every;
pub(crate) use instances::groups_of_instances;
pub(crate) use kept::Kept;
use kept::Wanted;
pub(crate) use plain::{Blocked, Nearest};
pub(crate) use probes::Probes;
use rays::Rays;
pub(super) use rays::{USUAL_REACH, lower, upper};

/// Rays of a group.
pub(crate) const RAYS: usize = 16;

/// What a stack of [`Spot`]s ends with.
const END: u32 = u32::MAX;

/// Where a child stands: its node's index, and its number there in the lowest three bits.
#[derive(Clone, Copy)]
struct Spot(u32);

impl Spot {
    /// Those of a node's children.
    #[inline(always)]
    fn all(node: usize) -> [u32; 8] {
        let first = (node as u32) << 3;
        [first, first | 1, first | 2, first | 3, first | 4, first | 5, first | 6, first | 7]
    }

    #[inline(always)]
    fn node(self) -> usize {
        (self.0 >> 3) as usize
    }

    #[inline(always)]
    fn number(self) -> usize {
        (self.0 & 7) as usize
    }

    #[inline(always)]
    fn child(self, nodes: &[Node]) -> Child {
        nodes[self.node()].children[self.number()]
    }
}

/// Answers the question for those rays that leave side by side, and gives the ranges of the others.
#[inline(always)]
pub(crate) fn groups<'a, L: Lanes, T: Target, Q: Question>(
    lanes: L,
    mesh: &MeshData,
    target: &T,
    question: Q,
    rays: &'a [Ray],
    filter: &'a Filter<'a>,
    answers: &mut impl Sink<Q>,
) -> Vec<Range<usize>> {
    type Plain<'a, Q> = <<Q as Question>::Collector as Collector>::SideBySide<'a>;
    if <Plain<'a, Q> as Kept<'a>>::PLAIN && filter.is_plain() && mesh.cutouts.is_empty() {
        groups_by(lanes, mesh, target, question, rays, Plain::<'a, Q>::new(filter), answers)
    } else {
        groups_by(lanes, mesh, target, question, rays, Probes::new(filter), answers)
    }
}

/// The same with what they keep.
#[inline(always)]
fn groups_by<'a, L: Lanes, T: Target, Q: Question, K: Kept<'a, Collector = Q::Collector>>(
    lanes: L,
    mesh: &MeshData,
    target: &T,
    question: Q,
    rays: &'a [Ray],
    mut kept: K,
    answers: &mut impl Sink<Q>,
) -> Vec<Range<usize>> {
    let mut stack = Stack::<<Q::Collector as Collector>::Order>::new(END);
    let mut blocks = Blocks::new(rays);
    while let Some(group) = blocks.next() {
        let mut room = None;
        let (all, live) = (group.together(&mut room), group.bits());
        let Some(mut set_up) = Rays::new(lanes.sixteen(), all, live, mesh) else {
            blocks.refuse(group);
            continue;
        };
        fetch_behind(lanes, group);
        kept.begin(question, group);
        stack.restart(END);
        let (bundle, mut wanted) = (Bundle::new(lanes, &set_up), Wanted::new(lanes, all, live));
        let below =
            Triangles { entered: Entered { mesh, place: None }, kept: &mut kept, rays_of: PhantomData };
        let mut walk =
            Group { lanes, nodes: &mesh.tree.nodes, rays: &mut set_up, bundle, wanted: &mut wanted, below };
        walk.walk(&mut stack);
        kept.hand_over(lanes, target, &wanted, answers);
    }
    blocks.others
}

/// Asks for the rays of the next group.
#[inline(always)]
fn fetch_behind<L: Lanes>(lanes: L, group: Chosen<'_>) {
    for ray in 0..RAYS {
        lanes.prefetch(group.behind(ray).cast());
    }
}

/// What a group finds in the leaves of a tree.
trait Below<L: Lanes>: Sized {
    /// Which of two boxes that a ray meets comes first.
    type Order: Order;
    /// Asks for what a child leads to.
    fn fetch(&self, lanes: L, child: Child);
    /// Looks at a leaf that these rays have come to.
    fn leaf(group: &mut Group<'_, L, Self>, payload: u32, active: u32);
}

/// Sixteen rays on their way through a tree.
struct Group<'b, L: Lanes, B> {
    lanes: L,
    nodes: &'b [Node],
    // Where they were made ready: a move would copy 1.6 KB of each group.
    rays: &'b mut Rays,
    bundle: Bundle,
    wanted: &'b mut Wanted,
    below: B,
}

/// A mesh that rays have come into, in its own frame or where it is placed in the world.
pub(crate) struct Entered<'b> {
    mesh: &'b MeshData,
    place: Option<&'b Transform>,
}

impl Entered<'_> {
    /// A ray in its frame.
    fn local(&self, ray: &Ray) -> LocalRay {
        let reach = f64::from(self.mesh.reach);
        let arrival = match self.place {
            Some(place) => Arrival::placed(ray, place, reach),
            None => Arrival::of(ray, reach),
        };
        arrival.rounded.local(Scalar)
    }
}

/// The leaves of a mesh.
struct Triangles<'a, 'b, K> {
    entered: Entered<'b>,
    kept: &'b mut K,
    rays_of: PhantomData<&'a [Ray]>,
}

impl<'a, L: Lanes, K: Kept<'a>> Below<L> for Triangles<'a, '_, K> {
    type Order = <K::Collector as Collector>::Order;

    #[inline(always)]
    fn fetch(&self, lanes: L, child: Child) {
        self.entered.mesh.fetch(lanes, child);
    }

    #[inline(always)]
    fn leaf(group: &mut Group<'_, L, Self>, payload: u32, active: u32) {
        group.leaf(payload, active);
    }
}

impl<'a, L: Lanes, K: Kept<'a>> Group<'_, L, Triangles<'a, '_, K>> {
    /// Goes through what is below a child, or is one.
    #[inline(always)]
    fn below(&mut self, child: Child) {
        match child.split() {
            Err(index) => self.walk_from(index, &mut Stack::new(END)),
            Ok(payload) => self.leaf(payload, self.wanted.live),
        }
    }
}

impl<L: Lanes, B: Below<L>> Group<'_, L, B> {
    /// Goes through the whole tree.
    #[inline(always)]
    fn walk(&mut self, stack: &mut Stack<B::Order>) {
        self.walk_from(0, stack);
    }

    /// Goes through what is below a node.
    #[inline(always)]
    fn walk_from(&mut self, index: usize, stack: &mut Stack<B::Order>) {
        let nodes = self.nodes;
        let mut index = index;
        loop {
            let node = &nodes[index];
            let (hits, near) = self.bundle.test(self.lanes, self.rays.planes, &node.planes);
            // Most often it is one.
            let next = if hits == 0 {
                stack.pop(self.bundle.reach.cull)
            } else {
                stack.follow(self.lanes, &Spot::all(index), near, hits)
            };
            let Some(inner) = self.inner(next, stack) else { return };
            index = inner;
        }
    }

    /// The next inner node that some ray meets; leaves on the way to it are looked at. `None` at the end.
    #[inline(always)]
    fn inner(&mut self, next: u32, stack: &mut Stack<B::Order>) -> Option<usize> {
        let (nodes, mut next) = (self.nodes, next);
        while next != END {
            let spot = Spot(next);
            let node = &nodes[spot.node()];
            self.below.fetch(self.lanes, spot.child(nodes));
            let active = self.rays.meet(self.lanes.sixteen(), node, spot.number()) & self.wanted.live;
            if active != 0 {
                // What comes behind it, if it is a leaf.
                let behind = stack.top();
                if behind != END {
                    self.below.fetch(self.lanes, Spot(behind).child(nodes));
                }
                match spot.child(nodes).split() {
                    Err(index) => return Some(index),
                    Ok(payload) => B::leaf(self, payload, active),
                }
                if self.wanted.live == 0 {
                    return None;
                }
            }
            next = stack.pop(self.bundle.reach.cull);
        }
        None
    }

    /// Looks less far, as far as the rays want to.
    #[inline(always)]
    fn look_less_far(&mut self) {
        let Rays { t0, moved, .. } = &*self.rays;
        self.rays.reach = if *moved { self.wanted.reach_from(t0) } else { self.wanted.reach() };
        self.bundle.reach = Reach::new(bundle::largest(self.lanes, &self.rays.reach));
    }
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec3};

    use super::blocks::side_by_side;
    use super::rays::InWorld;
    use super::*;
    use crate::mesh::Mesh;
    use crate::simd::Task;

    /// Whether rays through one octant are set up together, by the instruction set of a mesh.
    fn is_group(rays: &[Ray], mesh: &Mesh) -> bool {
        struct SetUp<'a>(&'a [Ray], &'a MeshData);
        impl Task for SetUp<'_> {
            type Output = bool;
            fn run<L: Lanes>(self, lanes: L) -> bool {
                let (mut room, group) = (None, Blocks::new(self.0).next().unwrap());
                Rays::new(lanes.sixteen(), group.together(&mut room), group.bits(), self.1).is_some()
            }
        }
        mesh.kernel.run(SetUp(rays, &mesh.data))
    }

    fn mesh() -> Mesh {
        Mesh::new([[-1.0f32, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap()
    }

    /// Sixteen rays of a picture, from this far away.
    fn picture(away: f64) -> Vec<Ray> {
        let dir = |i: u32| [0.01 + 0.01 * f64::from(i % 4), 0.01 + 0.01 * f64::from(i / 4), -1.0];
        (0..16).map(|i| Ray::new([0.0, 0.0, away], dir(i)).unwrap()).collect()
    }

    #[test]
    fn a_piece_of_a_picture_is_a_group() {
        let mesh = mesh();
        assert!(is_group(&picture(3.0), &mesh));
        assert!(is_group(&picture(3.0)[..5], &mesh));
        assert_eq!(side_by_side(&picture(3.0)), 16);
    }

    /// Also where each of them has to be moved to a speck far away; not where they pass it on all sides.
    #[test]
    fn a_piece_of_a_picture_enters_an_instance_together() {
        struct Enter<'a>(&'a [Ray], &'a MeshData, Transform);
        impl Task for Enter<'_> {
            type Output = Option<bool>;
            fn run<L: Lanes>(self, lanes: L) -> Option<bool> {
                let (mut room, group) = (None, Blocks::new(self.0).next().unwrap());
                let (all, live) = (group.together(&mut room), group.bits());
                let (world, wanted) = (InWorld::new(all), Wanted::new(lanes, all, live));
                let (reach, margin) = (self.1.reach, self.1.frame.margin());
                Rays::placed(lanes.sixteen(), &world, &wanted, &self.2, [reach, margin], true)
                    .map(|rays| rays.moved)
            }
        }
        let mesh = mesh();
        let rays: Vec<Ray> = picture(3.0)
            .iter()
            .map(|r| Ray::new(r.origin(), [r.dir().x * 1e-3, r.dir().y * 1e-3, -1.0]).unwrap())
            .collect();
        let enter = |rays: &[Ray], size: f64, far: f64| {
            let place = Transform::new(DMat3::from_diagonal(DVec3::splat(size)), [0.0, 0.0, -far]).unwrap();
            mesh.kernel.run(Enter(rays, &mesh.data, place))
        };
        assert_eq!(enter(&rays, 1.0, 0.0), Some(false));
        assert_eq!(enter(&rays[..5], 1.0, 0.0), Some(false));
        assert_eq!(enter(&rays, 1.0, 100.0), Some(true));
        assert_eq!(enter(&rays, 1.0, 1e5), None);
        assert_eq!(enter(&rays, 1e-3, 100.0), None);
    }

    #[test]
    fn what_is_out_of_the_ordinary_is_none() {
        let mesh = mesh();
        assert!(!is_group(&picture(5.0), &mesh), "beyond four times the mesh's size");
        let with = |change: fn(Ray) -> Ray| {
            let mut rays = picture(3.0);
            rays[9] = change(rays[9]);
            is_group(&rays, &mesh)
        };
        let again = |ray: Ray, dir: [f64; 3]| Ray::new(ray.origin(), dir).unwrap();
        let [wide, steep, long] = [
            with(|ray| Ray::new(ray.origin(), [0.5, 0.02, -1.0]).unwrap()),
            with(|ray| Ray::new(ray.origin(), [0.02, 1.01, -1.0]).unwrap()),
            with(|ray| Ray::new(ray.origin(), [1e7, 1e7, -1e9]).unwrap()),
        ];
        assert!(!wide && !steep && !long);
        assert!(!with(|ray| ray.with_range(f64::INFINITY, f64::INFINITY).unwrap()));
        assert!(with(|ray| ray.with_range(f64::NEG_INFINITY, 0.5).unwrap()));
        let mut rays = picture(3.0);
        rays[11] = again(rays[11], [-0.01, 0.01, -1.0]);
        assert_eq!(side_by_side(&rays), 11);
    }

    #[test]
    fn spots_name_nodes_and_children() {
        let [first, .., last] = Spot::all(77);
        assert_eq!((Spot(first).node(), Spot(first).number()), (77, 0));
        assert_eq!((Spot(last).node(), Spot(last).number()), (77, 7));
    }
}
