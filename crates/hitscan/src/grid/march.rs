//! The march of a ray through the cells: the next plane of the three axes decides the next cell.
//!
//! A march that holds one cell at a time is not equal to the tree: the recipe that decides a hit rounds, so a ray may hit
//! a triangle of a cell that it passes by a rounding error. Here a ray meets each plane twice: the margin of
//! [`slab`](crate::bvh::slab) before the exact place, where it enters the layer behind, and as much after it, where it
//! leaves the layer in front. So it is in one layer of each axis most of the time, and in two near a plane. A cell is
//! visited when the last of its three layers is entered: each once, the nearest first, and exactly those whose boxes the tree's
//! own test would let through. There the leaves of the tree that have a triangle in the cell are tested as the tree tests
//! them; what they hit elsewhere is a hit all the same. Every hit lies in a triangle of some cell that is visited no later than its `t`, so the
//! march ends where the next layer begins behind the best hit.

use core::ops::Range;

use super::Grid;
use super::axes::Axes;
use super::fill::Lists;
use crate::bvh::meter::Meter;
use crate::bvh::slab::SlabAxis;
use crate::bvh::walk::{Inside, Leaves, Triangles};
use crate::entry::Arrival;
use crate::hit::Hit;
use crate::query::{Collector, Found, Probe, Target};
use crate::ray::Ray;
use crate::simd::lanes::Lanes;
use crate::simd::{Flow, Kernel};

/// A triangle in several cells is offered several times, so the collector must not mind: that of the closest hit and that
/// of any hit do not.
impl Target for Grid {
    fn kernel(&self) -> Kernel {
        self.mesh.kernel
    }

    #[inline(always)]
    fn walk<L: Lanes, C: Collector, M: Meter>(&self, lanes: L, probe: &mut Probe<'_, C>, meter: &mut M) {
        if self.axes.cells() == 0 || !probe.filter.admits_mask(u32::MAX) {
            return;
        }
        let arrival = Arrival::of(probe.ray, f64::from(self.mesh.data.reach));
        let inside = Inside::new(&arrival, &self.mesh.data.frame, probe.ray.t_min());
        let mut leaves = Triangles::new(lanes, &self.mesh.data, inside, probe);
        // Whether the march ended early shows in what the collector holds.
        let _ = march(&self.axes, &self.lists, &mut leaves, meter);
    }

    #[inline(always)]
    fn describe(&self, ray: &Ray, found: &Found) -> Hit {
        Target::describe(&self.mesh, ray, found)
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

/// Visits the leaves of each cell that a ray meets, by where the cell begins.
#[inline(always)]
fn march<L: Lanes, C: Collector, M: Meter>(
    axes: &Axes,
    lists: &Lists,
    leaves: &mut Triangles<'_, '_, L, C, Inside>,
    meter: &mut M,
) -> Flow {
    let lanes: [Lane<'_>; 3] =
        core::array::from_fn(|axis| Lane { planes: axes.planes(axis), axis: leaves.slab().axis(axis) });
    let mut reach = leaves.reach();
    let begin = lanes.iter().fold(leaves.begin(), |begin, lane| begin.max(lane.enter(0)));
    if begin > reach.far {
        return Flow::Continue(());
    }
    let mut within = [0, 1, 2].map(|axis: usize| lanes[axis].at(begin));
    let mut next = [0, 1, 2].map(|axis: usize| lanes[axis].enter(within[axis].end));
    // Of the cells that the ray is in, those that it has just entered.
    let mut entered = within.clone();
    loop {
        for z in entered[2].clone() {
            for y in entered[1].clone() {
                for x in entered[0].clone() {
                    meter.node();
                    let cell = axes.number([lanes[0].place(x), lanes[1].place(y), lanes[2].place(z)]);
                    for &leaf in lists.of(cell) {
                        leaves.visit(leaf, &mut reach, meter)?;
                    }
                }
            }
        }
        let axis = nearest(next);
        let t = next[axis];
        let layer = within[axis].end;
        if t > reach.far || layer >= lanes[axis].layers() {
            return Flow::Continue(());
        }
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
        entered = within.clone();
        entered[axis] = layer..layer + 1;
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
