//! A heightfield as what is asked: the walk of the trees, with nodes and leaves that are computed on the way.

use super::block::{Block, Field, corners};
use super::sample::Sample;
use super::{Data, Heightfield, Heights};
use crate::bvh::meter::Meter;
use crate::bvh::node::{Child, Node};
use crate::bvh::slab::{Frame, Slab};
use crate::bvh::walk::{Leaves, Nodes, Reach, walk_from};
use crate::entry::{Arrival, LocalRay};
use crate::hit::{Hit, HitRecord};
use crate::mesh::describe;
use crate::query::{Collector, Found, Probe, Target};
use crate::ray::Ray;
use crate::simd::lanes::Lanes;
use crate::simd::{Flow, Kernel, Task};
use crate::transform::Transform;

impl Target for Heightfield {
    #[inline]
    fn kernel(&self) -> Kernel {
        self.kernel
    }

    #[inline(always)]
    fn walk<L: Lanes, C: Collector, M: Meter>(&self, lanes: L, probe: &mut Probe<'_, C>, meter: &mut M) {
        if !probe.filter.admits_mask(u32::MAX) {
            return;
        }
        let arrival = Arrival::of(probe.ray, f64::from(self.reach()));
        // Whether the walk ended early shows in what the collector holds.
        let _ = self.walk_local(lanes, &arrival, probe, meter);
    }

    #[inline(always)]
    fn describe(&self, ray: &Ray, found: &Found) -> Hit {
        self.describe_found(None, ray, found, 0)
    }
}

impl Heightfield {
    /// The largest absolute coordinate of its mesh.
    pub(crate) fn reach(&self) -> f32 {
        self.data.reach
    }

    /// The walk of a ray in the frame of the heightfield.
    #[inline(always)]
    pub(crate) fn walk_local<L: Lanes, C: Collector, M: Meter>(
        &self,
        lanes: L,
        arrival: &Arrival,
        probe: &mut Probe<'_, C>,
        meter: &mut M,
    ) -> Flow {
        let Data { ground, holes, heights, frame, .. } = &*self.data;
        match heights {
            Heights::U16(relief) => {
                let field = Field { ground, holes, relief };
                lanes.apart(Walk { field, frame, arrival, probe, meter })
            }
            Heights::F32(relief) => {
                let field = Field { ground, holes, relief };
                lanes.apart(Walk { field, frame, arrival, probe, meter })
            }
        }
    }

    /// The whole answer for a crossing, of this material; without a transform where its own coordinates put it.
    #[inline(always)]
    pub(crate) fn describe_found(
        &self,
        transform: Option<&Transform>,
        ray: &Ray,
        found: &Found,
        material: u32,
    ) -> Hit {
        let Data { ground, holes, heights, .. } = &*self.data;
        describe(transform, ray, corners(ground, holes, heights, found.place), &found.record(), material)
    }

    /// What a record stands for, where its triangle is there.
    pub(crate) fn describe_record(
        &self,
        transform: Option<&Transform>,
        ray: &Ray,
        record: &HitRecord,
        material: u32,
    ) -> Option<Hit> {
        let triangle = self.corners_of(record.prim)?;
        Some(describe(transform, ray, triangle, record, material))
    }
}

/// The walk of one kind of samples, as work for a function of its own: scenes and all questions that keep the same share it.
struct Walk<'a, 'b, S: Sample, C, M> {
    field: Field<'a, S>,
    frame: &'a Frame,
    arrival: &'a Arrival,
    probe: &'a mut Probe<'b, C>,
    meter: &'a mut M,
}

impl<S: Sample, C: Collector, M: Meter> Task for Walk<'_, '_, S, C, M> {
    type Output = Flow;
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Flow {
        let Walk { field, frame, arrival, probe, meter } = self;
        let (slab, local) = (Slab::new(arrival, frame, 0.0), arrival.rounded.local(lanes));
        let mut nodes = Opened { field: &field, node: Node::empty() };
        let mut cells = Cells { lanes, field: &field, local: &local, slab, probe, block: Block::new() };
        let (begin, mut reach) = (slab.lower(cells.probe.ray.t_min()), cells.reach());
        let root = Child::from_word(field.relief.pyramid.root());
        walk_from(lanes, root, &mut nodes, begin, &mut reach, meter, &mut cells)
    }
}

/// The pyramid's nodes, one at a time.
pub(super) struct Opened<'a, 'b, S: Sample> {
    pub field: &'a Field<'b, S>,
    pub node: Node,
}

impl<S: Sample> Nodes for Opened<'_, '_, S> {
    #[inline(always)]
    fn open(&mut self, index: usize) -> &Node {
        let Field { ground, relief, .. } = self.field;
        relief.pyramid.open(ground, &relief.scale, index as u32, &mut self.node);
        &self.node
    }
}

/// The leaves: blocks of cells, offered to the probe.
struct Cells<'a, 'b, 'c, S: Sample, L: Lanes, C> {
    lanes: L,
    field: &'a Field<'c, S>,
    local: &'a LocalRay,
    slab: Slab,
    probe: &'a mut Probe<'b, C>,
    block: Block,
}

impl<S: Sample, L: Lanes, C: Collector> Cells<'_, '_, '_, S, L, C> {
    #[inline(always)]
    fn reach(&self) -> Reach {
        Reach::up_to(&self.slab, self.probe.collector.limit())
    }
}

impl<S: Sample, L: Lanes, M: Meter, C: Collector> Leaves<L, M> for Cells<'_, '_, '_, S, L, C> {
    type Order = C::Order;

    #[inline(always)]
    fn slab(&self) -> &Slab {
        &self.slab
    }

    #[inline(always)]
    fn visit(&mut self, payload: u32, reach: &mut Reach, meter: &mut M) -> Flow {
        meter.leaf();
        let wanted = self.field.fill(payload, &mut self.block);
        let (block, leaf) = (self.block.numbers(), Block::LEAF);
        if self.probe.block(self.lanes, self.field, self.local, payload, block, leaf, wanted, meter)? {
            *reach = self.reach();
        }
        Flow::Continue(())
    }
}
