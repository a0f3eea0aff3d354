//! The questions, one a file, in single and batch form.
//!
//! Each question is a [`Collector`]: what it keeps of the crossings that the walk offers, and up to which `t` it
//! still wants to see any. The walk itself is in [`bvh`](crate::bvh), once for all of them.

mod all_hits;
mod batch;
mod closest;
mod contains;
mod first_n;
mod occluded;
mod overlap_sphere;

pub use batch::HitLists;
pub(crate) use closest::closest;
pub use contains::Containment;
pub(crate) use occluded::occluded;

use core::ops::ControlFlow;

use crate::bvh::border::Borders;
use crate::bvh::leaf::{Place, Stored};
use crate::bvh::walk::Meter;
use crate::entry::LocalRay;
use crate::filter::{Candidate, Filter};
use crate::hit::{Face, Hit, InstanceId};
use crate::intersect::watertight::{Crossing, Touch, shear, touch};
use crate::mesh::MeshData;
use crate::ray::Ray;
use crate::simd::Flow;

/// A crossing that counts: what order and description need of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    pub t: f64,
    pub prim: u32,
    pub instance: u32,
    pub facing: Face,
    /// The barycentrics, before the divisions that most crossings never need.
    pub crossing: Crossing,
    /// Where the leaf that the walk found it in keeps its corners, which are still at hand there.
    pub place: Place,
}

impl Found {
    /// Whether it comes before the other: by `t`, then by instance, then by triangle.
    pub fn before(&self, other: &Found) -> bool {
        self.t < other.t || (self.t == other.t && (self.instance, self.prim) < (other.instance, other.prim))
    }

    /// The same as an ordering; `t` is never NaN.
    pub fn order(&self, other: &Found) -> core::cmp::Ordering {
        self.t.total_cmp(&other.t).then((self.instance, self.prim).cmp(&(other.instance, other.prim)))
    }
}

/// What a question keeps.
pub(crate) trait Collector {
    /// Whether near crossings should come first, since they let the rest be skipped.
    const ORDERED: bool;
    /// Crossings beyond this world `t` are of no interest; at exactly this `t` they still are.
    fn limit(&self) -> f64;
    /// Takes a crossing within the limit; `Break` ends the query.
    fn offer(&mut self, found: Found) -> Flow;
}

/// A question under way: the ray, the filter and what was found, with the instance that is being walked.
pub(crate) struct Probe<'a, C> {
    pub ray: &'a Ray,
    pub filter: &'a Filter<'a>,
    pub collector: C,
    instance: u32,
    mirrored: bool,
    borders: Borders,
}

impl<'a, C: Collector> Probe<'a, C> {
    pub fn new(ray: &'a Ray, filter: &'a Filter<'a>, collector: C) -> Self {
        Probe { ray, filter, collector, instance: 0, mirrored: false, borders: Borders::default() }
    }

    /// Turns to another instance.
    pub fn enter(&mut self, instance: u32, mirrored: bool) {
        self.instance = instance;
        self.mirrored = mirrored;
        self.borders = Borders::default();
    }

    /// The exact test of one triangle; says whether the collector took it, so that its limit may have changed.
    #[inline(always)]
    pub fn triangle(
        &mut self,
        mesh: &MeshData,
        local: &LocalRay<'_>,
        triangle: &Stored,
    ) -> ControlFlow<(), bool> {
        let [a, b, c] = triangle.corners;
        let touch = touch([shear(local, a), shear(local, b), shear(local, c)]);
        let (Touch::Inside(crossing) | Touch::OnEdge(crossing, ..) | Touch::OnCorner(crossing, _)) = touch
        else {
            return ControlFlow::Continue(false);
        };
        let t = local.world_t(crossing.t(&local.heading.shear));
        // Written so that a `t` that is not a number is out of range.
        if !(t >= self.ray.t_min() && t <= self.collector.limit()) {
            return ControlFlow::Continue(false);
        }
        let facing = if crossing.counter_clockwise() != self.mirrored { Face::Front } else { Face::Back };
        let instance = InstanceId(self.instance);
        if !self.filter.admits_data(facing, instance, triangle.prim) {
            return ControlFlow::Continue(false);
        }
        if !matches!(touch, Touch::Inside(_)) && !self.borders.accept(mesh, local, &triangle.corners, &touch)
        {
            return ControlFlow::Continue(false);
        }
        let Stored { prim, place, .. } = *triangle;
        let admitted = self.filter.admits_judged(|| {
            let (u, v) = crossing.barycentrics();
            Candidate { t, u, v, prim, instance, facing }
        });
        if !admitted {
            return ControlFlow::Continue(false);
        }
        self.collector.offer(Found { t, prim, instance: self.instance, facing, crossing, place })?;
        ControlFlow::Continue(true)
    }
}

/// Something that can be asked: a mesh in its own frame, or a scene.
pub(crate) trait Target: Sync {
    /// Offers the collector every crossing that counts and that it still wants.
    fn probe<C: Collector, M: Meter>(&self, probe: Probe<'_, C>, meter: &mut M) -> C;
    /// The whole answer for one crossing.
    fn describe(&self, ray: &Ray, found: &Found) -> Hit;

    fn collect<'a, C: Collector>(&self, ray: &'a Ray, filter: &'a Filter<'a>, collector: C) -> C {
        self.probe(Probe::new(ray, filter, collector), &mut ())
    }
}
