//! The march of a ray through the cells: the next plane of the three axes decides the next cell.
//!
//! A march that holds one cell at a time is not equal to the tree: the recipe that decides a hit rounds, so a ray may hit
//! a triangle of a cell that it passes by a rounding error. Here a ray meets each plane twice: the margin of
//! [`slab`](crate::bvh::slab) before the exact place, where it enters the layer behind, and as much after it, where it
//! leaves the layer in front. So it is in one layer of each axis most of the time, and in two near a plane. A cell is
//! visited when the last of its three layers is entered: each once, the nearest first, and exactly those whose boxes the tree's
//! own test would let through. Every hit lies in a triangle of some cell that is visited no later than its `t`, so the
//! march ends where the next layer begins behind the best hit.

use core::ops::Range;

use super::Grid;
use super::axes::Axes;
use crate::bvh::slab::{Slab, SlabAxis};
use crate::bvh::walk::Meter;
use crate::entry::{Heading, LocalRay};
use crate::hit::Hit;
use crate::query::{Collector, Found, Probe, Target};
use crate::ray::Ray;
use crate::simd::Flow;
use crate::transform::Transform;

/// A triangle in several cells is offered several times, so the collector must not mind: that of the closest hit and that
/// of any hit do not.
impl Target for Grid {
    fn probe<C: Collector, M: Meter>(&self, mut probe: Probe<'_, C>, meter: &mut M) -> C {
        if self.axes.cells() > 0 && probe.filter.admits_mask(u32::MAX) {
            let p = Transform::IDENTITY.inverse_point(probe.ray.origin().to_array());
            let q = Transform::IDENTITY.inverse_vector(probe.ray.dir().to_array());
            let heading = Heading::new(q);
            let local = LocalRay::new(p, &heading, f64::from(self.mesh.data.reach));
            // Whether the march ended early shows in what the collector holds.
            let _ = self.walk(&local, &mut probe, meter);
        }
        probe.collector
    }

    fn describe(&self, ray: &Ray, found: &Found) -> Hit {
        self.mesh.describe(ray, found)
    }
}

impl Grid {
    fn walk<C: Collector, M: Meter>(
        &self,
        local: &LocalRay<'_>,
        probe: &mut Probe<'_, C>,
        meter: &mut M,
    ) -> Flow {
        let mesh = &*self.mesh.data;
        let slab = Slab::new(local.origin, &local.heading.slope, &self.axes.bounds(), 0.0);
        let unscale = local.heading.unscale;
        let begin = slab.lower(probe.ray.t_min(), local.t0, unscale);
        let reach = slab.upper(probe.collector.limit(), local.t0, unscale);
        march(&self.axes, &slab, begin, reach, |cell, reach| {
            meter.node();
            if self.lists.is_empty(cell) {
                return Flow::Continue(());
            }
            meter.leaf();
            for place in self.lists.of(cell) {
                meter.test();
                if probe.triangle(mesh, local, &place.stored(&mesh.tree.rows))? {
                    *reach = slab.upper(probe.collector.limit(), local.t0, unscale);
                }
            }
            Flow::Continue(())
        })
    }
}

/// One axis as a ray meets its layers; they are numbered in that order.
struct Lane<'a> {
    planes: &'a [f32],
    axis: SlabAxis,
}

impl Lane<'_> {
    fn layers(&self) -> usize {
        self.planes.len() - 1
    }

    /// Where a layer begins, in the slab's `t`; never for one behind the last.
    #[inline(always)]
    fn enter(&self, layer: usize) -> f32 {
        if layer >= self.layers() {
            return f32::INFINITY;
        }
        let plane = if self.axis.backwards { self.layers() - layer } else { layer };
        self.axis.near(self.planes[plane])
    }

    /// Where a layer ends; both grow with its number, since rounding keeps the order of planes.
    #[inline(always)]
    fn leave(&self, layer: usize) -> f32 {
        let plane = if self.axis.backwards { self.layers() - layer - 1 } else { layer + 1 };
        self.axis.far(self.planes[plane])
    }

    /// The layers that a ray is in at `t`. They follow each other, because one begins before the one in front of it ends.
    fn at(&self, t: f32) -> Range<usize> {
        let count = self.layers();
        let first = |holds: &dyn Fn(usize) -> bool| {
            let (mut low, mut high) = (0, count);
            while low < high {
                let middle = (low + high) / 2;
                if holds(middle) { low = middle + 1 } else { high = middle }
            }
            low
        };
        first(&|layer| self.leave(layer) < t)..first(&|layer| self.enter(layer) <= t)
    }

    /// The layer's place along its axis.
    #[inline(always)]
    fn place(&self, layer: usize) -> usize {
        if self.axis.backwards { self.layers() - 1 - layer } else { layer }
    }
}

/// Calls `visit` for each cell that a ray meets between `begin` and `reach`, by where it begins; `visit` may shorten the reach.
fn march(
    axes: &Axes,
    slab: &Slab,
    begin: f32,
    mut reach: f32,
    mut visit: impl FnMut(usize, &mut f32) -> Flow,
) -> Flow {
    let lanes: [Lane<'_>; 3] =
        core::array::from_fn(|axis| Lane { planes: axes.planes(axis), axis: slab.axis(axis) });
    let begin = lanes.iter().fold(begin, |begin, lane| begin.max(lane.enter(0)));
    if begin > reach {
        return Flow::Continue(());
    }
    let mut within = [0, 1, 2].map(|axis: usize| lanes[axis].at(begin));
    let mut visit_all = |layers: &[Range<usize>; 3], reach: &mut f32| {
        for z in layers[2].clone() {
            for y in layers[1].clone() {
                for x in layers[0].clone() {
                    let cell = axes.number([lanes[0].place(x), lanes[1].place(y), lanes[2].place(z)]);
                    visit(cell, reach)?;
                }
            }
        }
        Flow::Continue(())
    };
    visit_all(&within, &mut reach)?;
    let mut next = [0, 1, 2].map(|axis: usize| lanes[axis].enter(within[axis].end));
    loop {
        let axis = nearest(next);
        let t = next[axis];
        if t > reach || within[axis].end >= lanes[axis].layers() {
            return Flow::Continue(());
        }
        let entered = within[axis].end;
        within[axis].end += 1;
        next[axis] = lanes[axis].enter(within[axis].end);
        for (layers, lane) in within.iter_mut().zip(&lanes) {
            while layers.start < layers.end && lane.leave(layers.start) < t {
                layers.start += 1;
            }
            if layers.start == layers.end {
                // The next layer of this axis begins before this one ended, so there is none: the ray left the grid.
                return Flow::Continue(());
            }
        }
        let mut layers = within.clone();
        layers[axis] = entered..entered + 1;
        visit_all(&layers, &mut reach)?;
    }
}

/// The axis of the smallest of three.
#[inline(always)]
fn nearest([x, y, z]: [f32; 3]) -> usize {
    if x <= y && x <= z {
        0
    } else if y <= z {
        1
    } else {
        2
    }
}
