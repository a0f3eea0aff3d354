//! How a mesh and a scene answer: the way in, and the description of what was found.

use alloc::vec::Vec;

use glam::DVec3;

use crate::bvh::gate::{self, Gate};
use crate::bvh::group::{groups, groups_of_instances};
use crate::bvh::meter::Meter;
use crate::bvh::stream::{Direct, stream};
use crate::bvh::walk::walk_mesh;
use crate::entry::Arrival;
use crate::filter::Filter;
use crate::hit::{Face, Hit, InstanceId};
use crate::mesh::Mesh;
use crate::query::{Collector, Found, Probe, Question, Sink, Target, describe_shape, one_by_one};
use crate::ray::Ray;
use crate::scene::Scene;
use crate::simd::Kernel;
use crate::simd::lanes::Lanes;
use crate::world::top::joined::Within;
use crate::world::{Geometry, Instance};

impl Target for Mesh {
    #[inline]
    fn kernel(&self) -> Kernel {
        self.kernel
    }

    #[inline(always)]
    fn walk<L: Lanes, C: Collector, M: Meter>(&self, lanes: L, probe: &mut Probe<'_, C>, meter: &mut M) {
        if probe.filter.admits_mask(u32::MAX) {
            let arrival = Arrival::of(probe.ray, f64::from(self.data.reach));
            // Whether the walk ended early shows in what the collector holds.
            let _ = walk_mesh(lanes, &self.data, &arrival, probe, meter);
        }
    }

    #[inline(always)]
    fn describe(&self, ray: &Ray, found: &Found) -> Hit {
        self.data.describe(None, ray, self.data.leaves().corners(found.place), &found.record())
    }

    fn material(&self, found: &Found) -> u32 {
        self.data.material(found.prim)
    }

    fn cuts(&self, hit: &Hit) -> bool {
        self.data.cuts_at(hit.prim, hit.u, hit.v)
    }

    #[inline(always)]
    fn answer_all<L: Lanes, Q: Question>(
        &self,
        lanes: L,
        question: Q,
        rays: &[Ray],
        filter: &Filter<'_>,
        answers: &mut impl Sink<Q>,
    ) {
        let mesh = &self.data;
        if !filter.admits_mask(u32::MAX) || mesh.tree.nodes.is_empty() {
            for (number, ray) in rays.iter().enumerate() {
                answers.put(self, number, ray, &mut question.begin(ray));
            }
            return;
        }
        let others = groups(lanes, mesh, self, question, rays, filter, answers);
        if others.is_empty() {
            return;
        }
        let gate = Gate::new(&mesh.tree.nodes, DVec3::ZERO, mesh.frame.margin(), mesh.reach);
        let others = others.into_iter().flatten();
        let open = gate::open(lanes, gate, self, question, rays, others, answers);
        let mut open = open.into_iter().map(|number| (number, &rays[number]));
        stream(lanes, &Direct(mesh), self, question, &mut open, filter, answers);
        one_by_one(lanes, self, question, open, filter, answers);
    }
}

impl Target for Scene {
    #[inline]
    fn kernel(&self) -> Kernel {
        self.kernel
    }

    #[inline(always)]
    fn walk<L: Lanes, C: Collector, M: Meter>(&self, lanes: L, probe: &mut Probe<'_, C>, meter: &mut M) {
        // Whether the walk ended early shows in what the collector holds.
        let _ = self.top.walk(lanes, probe, meter);
    }

    #[inline(always)]
    fn describe(&self, ray: &Ray, found: &Found) -> Hit {
        let Some((_, instance)) = self.top.slots().at(found.instance.slot()) else {
            unreachable!("what was found is in the scene");
        };
        match &instance.geometry {
            Geometry::Mesh(mesh) => {
                let mesh = &mesh.data;
                let corners = mesh.leaves().corners(found.place);
                mesh.describe(Some(&instance.transform), ray, corners, &found.record())
            }
            Geometry::Heightfield(field) => {
                field.describe_found(Some(&instance.transform), ray, found, instance.material)
            }
            _ => describe_shape(instance, ray, &found.record()),
        }
    }

    #[inline(always)]
    fn answer_all<L: Lanes, Q: Question>(
        &self,
        lanes: L,
        question: Q,
        rays: &[Ray],
        filter: &Filter<'_>,
        answers: &mut impl Sink<Q>,
    ) {
        let others = groups_of_instances(lanes, &self.top, self, question, rays, filter, answers);
        let others = others.into_iter().flatten();
        let others = match self.top.gate() {
            Some(gate) => gate::open(lanes, gate, self, question, rays, others, answers),
            None => others.collect(),
        };
        let (near, far) = match Within::new(&self.top, filter) {
            Some(way) => {
                let (near, far): (Vec<_>, _) =
                    others.into_iter().partition(|&number| way.is_near(&rays[number]));
                let mut near = near.into_iter().map(|number| (number, &rays[number]));
                stream(lanes, &way, self, question, &mut near, filter, answers);
                (Some(near), far)
            }
            None => (None, others),
        };
        let others = near.into_iter().flatten().chain(far.into_iter().map(|number| (number, &rays[number])));
        one_by_one(lanes, self, question, others, filter, answers);
    }

    fn mask(&self, id: InstanceId) -> u32 {
        self.get(id).map_or(0, |instance| instance.mask)
    }

    fn cuts(&self, hit: &Hit) -> bool {
        let mesh = self.get(hit.instance).and_then(Instance::mesh);
        mesh.is_some_and(|mesh| mesh.data.cuts_at(hit.prim, hit.u, hit.v))
    }

    fn enters(&self, found: &Found) -> bool {
        let turned = |instance: &Instance| {
            instance.geometry.reach_of_triangles().is_some() && instance.transform.mirrored()
        };
        (found.facing == Face::Front) != self.get(found.instance).is_some_and(turned)
    }

    fn material(&self, found: &Found) -> u32 {
        self.get(found.instance).map_or(0, |instance| instance.material_of(found.prim))
    }

    fn length(&self, ray: &Ray, entry: &Found, exit: &Found) -> f64 {
        let chord = self.get(entry.instance).and_then(|instance| instance.chord(ray));
        chord.unwrap_or(exit.t - entry.t)
    }
}
