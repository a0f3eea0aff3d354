//! The best of everything in a scene by some measure that has a bound on boxes: [`nearest`](crate::bvh::nearest) over the tree of
//! instances and the trees within them.

use glam::DVec3;

use super::Top;
use crate::bvh::leaf::Stored;
use crate::bvh::nearest::{Search, TreeSearch, best_first};
use crate::bvh::node::{Bounds, Child, Node};
use crate::filter::Filter;
use crate::hit::InstanceId;
use crate::shape::Triangle;
use crate::world::placing::{FAR, Placing, Solid, within};
use crate::world::{Geometry, Instance};

/// What is looked for. All that it is shown is seen from [`about`](Self::about), along the world's axes.
pub(crate) trait WorldSearch {
    /// The point that coordinates are relative to.
    fn about(&self) -> DVec3;
    /// It chooses instances; a shape of which it skips something is not shown.
    fn filter(&self) -> &Filter<'_>;
    /// The bound of a box; `None` where nothing in it can be wanted.
    fn bound(&self, low: DVec3, high: DVec3) -> Option<f64>;
    /// Whether something of this bound can still be better than what was found, or as good.
    fn wants(&self, bound: f64) -> bool;
    /// Looks at a triangle.
    fn triangle(&mut self, at: &At<'_>, prim: u32, triangle: &Triangle);
    /// Looks at a shape.
    fn solid(&mut self, at: &At<'_>, solid: &Solid<'_>);
}

/// An instance that is looked at.
pub(crate) struct At<'a> {
    pub id: InstanceId,
    pub instance: &'a Instance,
}

/// What the roundings of a few sums of positions come to, as a part of the largest of them: 2^-48.
pub(super) const ROUNDING: f64 = 1.0 / (1u64 << 48) as f64;

impl Top {
    /// Shows the search everything that it may want, what is in nearer boxes first.
    pub fn search(&self, search: &mut impl WorldSearch) {
        let (about, centre) = (search.about(), self.centre - search.about());
        let distance = centre.abs().max_element() + about.abs().max_element();
        self.each_wanted(&mut Instances { top: self, about, centre, distance, search });
    }

    /// Shows every instance whose box holds a point, and those without a box.
    pub fn each_at(&self, point: DVec3, visit: impl FnMut(&At<'_>)) {
        self.each_wanted(&mut Holding { top: self, point: point - self.centre, visit });
    }

    /// Opens the slots of what has no box, and those below boxes that are wanted.
    pub(super) fn each_wanted(&self, search: &mut impl TreeSearch) {
        self.endless.iter().for_each(|&slot| search.open(slot));
        if !self.nodes.is_empty() {
            let mut nodes: &[Node] = &self.nodes;
            best_first(&mut nodes, Child::inner(0), search);
        }
    }
}

/// The instances at a point.
struct Holding<'a, V> {
    top: &'a Top,
    /// As seen from the centre of the tree.
    point: DVec3,
    visit: V,
}

impl<V: FnMut(&At<'_>)> TreeSearch for Holding<'_, V> {
    fn bound(&self, bounds: &Bounds) -> Option<f64> {
        // The point lost what its distance from the centre rounds to, and loses more on its way into the frame of an instance.
        let Top { centre, offset, slack, .. } = self.top;
        let slack =
            slack.max(ROUNDING) * (self.point.abs().max_element() + centre.abs().max_element() + offset);
        let reaches = |axis: usize| {
            f64::from(bounds.low[axis]) - slack <= self.point[axis]
                && self.point[axis] <= f64::from(bounds.high[axis]) + slack
        };
        // Where the boxes are cut off they say nothing.
        (self.top.slack == f64::INFINITY || (0..3).all(reaches)).then_some(0.0)
    }

    fn wants(&self, _: f64) -> bool {
        true
    }

    fn open(&mut self, slot: u32) {
        if let Some((id, instance)) = self.top.slots().at(slot) {
            (self.visit)(&At { id, instance });
        }
    }
}

/// The tree over the instances.
struct Instances<'a, S> {
    top: &'a Top,
    about: DVec3,
    /// Of the tree's boxes, as seen from where the search is.
    centre: DVec3,
    /// The largest coordinates of both together.
    distance: f64,
    search: &'a mut S,
}

impl<S: WorldSearch> TreeSearch for Instances<'_, S> {
    fn bound(&self, bounds: &Bounds) -> Option<f64> {
        if self.top.slack == f64::INFINITY {
            // The boxes are cut off.
            return self.search.bound(DVec3::splat(-FAR), DVec3::splat(FAR));
        }
        let (low, high) = bounds.corners();
        let slack = ROUNDING * (low.abs().max(high.abs()).max_element() + self.distance);
        self.search.bound(within(low + self.centre - slack), within(high + self.centre + slack))
    }

    fn wants(&self, bound: f64) -> bool {
        self.search.wants(bound)
    }

    fn open(&mut self, slot: u32) {
        let Some((id, instance)) = self.top.slots().at(slot) else { return };
        if !self.search.filter().admits_instance(id, instance.mask) {
            return;
        }
        let at = At { id, instance };
        let placing = || Placing::new(&instance.transform, self.about);
        match &instance.geometry {
            Geometry::Mesh(mesh) => {
                mesh.data.tree.search(&mut Triangles { at, placing: placing(), search: self.search });
            }
            Geometry::Heightfield(field) => {
                field.search(&mut Triangles { at, placing: placing(), search: self.search });
            }
            _ if self.search.filter().skips(id) => {}
            _ => {
                if let Some(solid) = Solid::of(instance, self.about) {
                    self.search.solid(&at, &solid);
                }
            }
        }
    }
}

/// The tree within an instance.
struct Triangles<'a, S> {
    at: At<'a>,
    placing: Placing,
    search: &'a mut S,
}

impl<S: WorldSearch> Search for Triangles<'_, S> {
    fn bound(&self, bounds: &Bounds) -> Option<f64> {
        let corner = |[x, y, z, _]: [f32; 4]| [x, y, z];
        let (low, high) = self.placing.bounds(corner(bounds.low), corner(bounds.high));
        self.search.bound(low, high)
    }

    fn wants(&self, bound: f64) -> bool {
        self.search.wants(bound)
    }

    fn visit(&mut self, stored: &Stored) {
        let triangle = self.placing.triangle(stored.corners);
        let (low, high) = triangle.bounds();
        if self.search.bound(low, high).is_some_and(|bound| self.search.wants(bound)) {
            self.search.triangle(&self.at, stored.prim, &triangle);
        }
    }
}
