//! How a mesh and a scene answer: the way in, the kernel, the description of what was found.

use crate::bvh::walk::{Meter, walk_mesh};
use crate::entry::{Heading, LocalRay};
use crate::hit::Hit;
use crate::mesh::{Mesh, MeshData};
use crate::query::{Collector, Found, Probe, Target};
use crate::ray::Ray;
use crate::scene::Scene;
use crate::simd::Task;
use crate::simd::lanes::Lanes;
use crate::top::Top;
use crate::transform::Transform;

impl Target for Mesh {
    fn probe<C: Collector, M: Meter>(&self, mut probe: Probe<'_, C>, meter: &mut M) -> C {
        if probe.filter.admits_mask(u32::MAX) {
            let heading = Heading::of(probe.ray);
            let local = LocalRay::of(probe.ray, &heading, f64::from(self.data.reach));
            self.isa.run(MeshWalk { mesh: &self.data, local: &local, probe: &mut probe, meter });
        }
        probe.collector
    }

    fn describe(&self, ray: &Ray, found: &Found) -> Hit {
        self.data.describe(&Transform::IDENTITY, ray, found)
    }
}

struct MeshWalk<'a, 'b, C, M> {
    mesh: &'a MeshData,
    local: &'a LocalRay<'a>,
    probe: &'a mut Probe<'b, C>,
    meter: &'a mut M,
}

impl<C: Collector, M: Meter> Task for MeshWalk<'_, '_, C, M> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        // Whether the walk ended early shows in what the collector holds.
        let _ = walk_mesh(lanes, self.mesh, self.local, self.probe, self.meter);
    }
}

impl Target for Scene {
    fn probe<C: Collector, M: Meter>(&self, mut probe: Probe<'_, C>, meter: &mut M) -> C {
        self.isa.run(SceneWalk { top: &self.top, probe: &mut probe, meter });
        probe.collector
    }

    fn describe(&self, ray: &Ray, found: &Found) -> Hit {
        let instance = &self.instances()[found.instance as usize];
        instance.mesh.data.describe(&instance.transform, ray, found)
    }
}

struct SceneWalk<'a, 'b, C, M> {
    top: &'a Top,
    probe: &'a mut Probe<'b, C>,
    meter: &'a mut M,
}

impl<C: Collector, M: Meter> Task for SceneWalk<'_, '_, C, M> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        // Whether the walk ended early shows in what the collector holds.
        let _ = self.top.walk(lanes, self.probe, self.meter);
    }
}
