//! How a mesh and a scene answer: the way in, and the description of what was found.

use crate::bvh::group::groups;
use crate::bvh::stream::stream;
use crate::bvh::walk::{Meter, walk_mesh};
use crate::entry::LocalRay;
use crate::filter::Filter;
use crate::hit::Hit;
use crate::mesh::Mesh;
use crate::query::{Collector, Found, Probe, Question, Sink, Target};
use crate::ray::Ray;
use crate::scene::Scene;
use crate::simd::Kernel;
use crate::simd::lanes::Lanes;

impl Target for Mesh {
    #[inline]
    fn kernel(&self) -> Kernel {
        self.kernel
    }

    #[inline(always)]
    fn walk<L: Lanes, C: Collector, M: Meter>(&self, lanes: L, probe: &mut Probe<'_, C>, meter: &mut M) {
        if probe.filter.admits_mask(u32::MAX) {
            let local = LocalRay::of(probe.ray, f64::from(self.data.reach));
            // Whether the walk ended early shows in what the collector holds.
            let _ = walk_mesh(lanes, &self.data, &local, probe, meter);
        }
    }

    #[inline(always)]
    fn describe(&self, ray: &Ray, found: &Found) -> Hit {
        self.data.describe(None, ray, found.place.corners(&self.data.tree.rows), &found.record())
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
        if self.data.tree.nodes.is_empty() || !filter.admits_mask(u32::MAX) {
            for (number, ray) in rays.iter().enumerate() {
                answers.put(self, number, ray, &mut question.begin(ray));
            }
            return;
        }
        let others = groups(lanes, &self.data, self, question, rays, filter, answers);
        let others = others.into_iter().flatten().map(|number| (number, &rays[number]));
        stream(lanes, &self.data, self, question, others, filter, answers);
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
        let instance = &self.instances()[found.instance as usize];
        let mesh = &instance.mesh.data;
        let corners = found.place.corners(&mesh.tree.rows);
        mesh.describe(Some(&instance.transform), ray, corners, &found.record())
    }
}
