//! Following a ray through wide nodes: written once, for every query, tree and instruction set.
//!
//! A child is visited when its box starts no farther away than the best that is still wanted, so a hit at
//! exactly that distance but of a lower number is not lost.

use core::borrow::BorrowMut;
use core::ops::ControlFlow;

use super::meter::Meter;
use super::node::{Child, Node};
use super::slab::{Frame, Slab};
use crate::entry::{Arrival, LocalRay, Rounded};
use crate::mesh::MeshData;
use crate::query::{Collector, Probe};
use crate::simd::lanes::Lanes;
use crate::simd::stack::{Order, Stack};
use crate::simd::{Flow, Task};

/// How far a walk still looks: what its leaves may change.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// Slab `t` up to which boxes are wanted.
    pub far: f32,
    /// The same with room for what a stack forgets of a distance: three bits of it.
    pub cull: f32,
}

impl Reach {
    /// Up to this world `t`.
    #[inline(always)]
    pub fn up_to(slab: &Slab, t_max: f64) -> Self {
        // As most rays begin: nothing has to be rounded.
        if t_max == f64::INFINITY {
            return Reach { far: f32::INFINITY, cull: f32::INFINITY };
        }
        Reach::new(slab.upper(t_max))
    }

    #[inline(always)]
    pub fn new(far: f32) -> Self {
        let room = far.abs() * (1.0 / (1 << 20) as f32) + f32::MIN_POSITIVE;
        Reach { far, cull: far + room }
    }
}

/// What a walk does at leaves. A trait rather than a closure: only a method can be told to be inlined into the
/// kernel, and what stays outside is compiled without its instruction set.
pub(crate) trait Leaves<L: Lanes, M: Meter> {
    /// Whether the nearest leaf should come first.
    type Order: Order;
    /// The ray, as box tests want it.
    fn slab(&self) -> &Slab;
    /// Asks for the memory of a child that was put aside.
    #[inline(always)]
    fn fetch(&self, _: Child) {}
    /// Looks at the leaf of this payload; may shorten the reach.
    fn visit(&mut self, payload: u32, reach: &mut Reach, meter: &mut M) -> Flow;
}

/// The inner nodes of a tree, by what stands in their parents' places.
pub(crate) trait Nodes {
    fn open(&mut self, index: usize) -> &Node;
}

/// The nodes of a tree that is stored.
impl Nodes for &[Node] {
    #[inline(always)]
    fn open(&mut self, index: usize) -> &Node {
        &self[index]
    }
}

/// Visits the leaves whose boxes the ray meets.
#[inline(always)]
pub(crate) fn walk<L: Lanes, M: Meter, V: Leaves<L, M>>(
    lanes: L,
    mut nodes: &[Node],
    begin: f32,
    reach: &mut Reach,
    meter: &mut M,
    leaves: &mut V,
) -> Flow {
    if nodes.is_empty() {
        return Flow::Continue(());
    }
    walk_from(lanes, Child::inner(0), &mut nodes, begin, reach, meter, leaves)
}

/// The same from a root on, of nodes that may be computed.
#[inline(always)]
pub(crate) fn walk_from<L: Lanes, M: Meter, V: Leaves<L, M>>(
    lanes: L,
    root: Child,
    nodes: &mut impl Nodes,
    begin: f32,
    reach: &mut Reach,
    meter: &mut M,
    leaves: &mut V,
) -> Flow {
    let mut stack = Stack::<V::Order>::new(Child::EMPTY.word());
    let mut current = root;
    loop {
        // From memory again behind each leaf: registers that are full of it would be written there first.
        let slab = leaves.slab().spread(lanes, begin);
        let payload = loop {
            let index = match current.split() {
                Err(index) => index,
                Ok(payload) => break payload,
            };
            meter.node();
            if meter.is_spent() {
                return Flow::Break(());
            }
            let node = nodes.open(index);
            let (hits, near) = slab.test(lanes, node, reach.far);
            meter.children(hits);
            let children = Child::words(&node.children);
            let next = if hits == 0 {
                meter.pop();
                stack.pop(reach.cull)
            } else {
                let next = stack.follow(lanes, children, near, hits);
                if !hits.is_power_of_two() {
                    leaves.fetch(Child::from_word(stack.top()));
                }
                next
            };
            current = Child::from_word(next);
        };
        if current == Child::EMPTY {
            return Flow::Continue(());
        }
        // What comes behind it arrives while it is tested.
        let behind = Child::from_word(stack.top());
        if behind != Child::EMPTY {
            leaves.fetch(behind);
        }
        leaves.visit(payload, reach, meter)?;
        if meter.is_spent() {
            return Flow::Break(());
        }
        meter.pop();
        current = Child::from_word(stack.pop(reach.cull));
    }
}

/// A ray in the frame of a tree.
pub(crate) struct Inside {
    pub slab: Slab,
    /// Slab `t` from which boxes are wanted.
    pub begin: f32,
    rounded: Rounded,
    /// From the first leaf on: many rays come to none.
    local: Option<LocalRay>,
}

impl Inside {
    /// From this world `t` on.
    #[inline(always)]
    pub fn new(arrival: &Arrival, frame: &Frame, t_min: f64) -> Inside {
        let slab = Slab::new(arrival, frame, 0.0);
        Inside { slab, begin: slab.lower(t_min), rounded: arrival.rounded, local: None }
    }

    /// Up to this world `t`.
    #[inline(always)]
    pub fn reach(&self, limit: f64) -> Reach {
        Reach::up_to(&self.slab, limit)
    }
}

/// The leaves of a mesh: triangles, offered to the probe. The ray is its own, or that of several meshes.
pub(crate) struct Triangles<'a, 'b, L: Lanes, C, I> {
    lanes: L,
    mesh: &'a MeshData,
    inside: I,
    probe: &'a mut Probe<'b, C>,
}

impl<'a, 'b, L: Lanes, C: Collector, I: BorrowMut<Inside>> Triangles<'a, 'b, L, C, I> {
    #[inline(always)]
    pub fn new(lanes: L, mesh: &'a MeshData, inside: I, probe: &'a mut Probe<'b, C>) -> Self {
        Triangles { lanes, mesh, inside, probe }
    }

    #[inline(always)]
    pub fn begin(&self) -> f32 {
        self.inside.borrow().begin
    }

    #[inline(always)]
    pub fn reach(&self) -> Reach {
        self.inside.borrow().reach(self.probe.collector.limit())
    }

    #[inline(always)]
    pub fn slab(&self) -> &Slab {
        &self.inside.borrow().slab
    }
}

/// The test of one leaf, as work for a function of its own: inlined, its values would take the registers of the walk between
/// leaves, which then keeps its ray on the stack.
struct Leaf<'a, 'b, 'c, L: Lanes, C, I, M> {
    triangles: &'c mut Triangles<'a, 'b, L, C, I>,
    payload: u32,
    meter: &'c mut M,
}

impl<K: Lanes, C: Collector, I: BorrowMut<Inside>, M: Meter> Task for Leaf<'_, '_, '_, K, C, I, M> {
    type Output = ControlFlow<(), bool>;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let Triangles { mesh, inside, probe, .. } = self.triangles;
        let Inside { rounded, local, .. } = inside.borrow_mut();
        let local = match local {
            Some(local) => local,
            None => local.insert(rounded.local(lanes)),
        };
        probe.leaf(lanes, mesh, local, self.payload, self.meter)
    }
}

impl<L: Lanes, M: Meter, C: Collector, I: BorrowMut<Inside>> Leaves<L, M> for Triangles<'_, '_, L, C, I> {
    type Order = C::Order;

    #[inline(always)]
    fn slab(&self) -> &Slab {
        &self.inside.borrow().slab
    }

    #[inline(always)]
    fn fetch(&self, child: Child) {
        self.mesh.fetch(self.lanes, child);
    }

    #[inline(always)]
    fn visit(&mut self, payload: u32, reach: &mut Reach, meter: &mut M) -> Flow {
        if self.lanes.apart(Leaf { triangles: self, payload, meter })? {
            *reach = self.reach();
        }
        Flow::Continue(())
    }
}

/// Offers the collector every triangle of the mesh that the ray hits within what it still wants.
#[inline(always)]
pub(crate) fn walk_mesh<L: Lanes, M: Meter, C: Collector>(
    lanes: L,
    mesh: &MeshData,
    arrival: &Arrival,
    probe: &mut Probe<'_, C>,
    meter: &mut M,
) -> Flow {
    let inside = Inside::new(arrival, &mesh.frame, probe.ray.t_min());
    let mut leaves = Triangles::new(lanes, mesh, inside, probe);
    let (begin, mut reach) = (leaves.begin(), leaves.reach());
    walk(lanes, &mesh.tree.nodes, begin, &mut reach, meter, &mut leaves)
}
