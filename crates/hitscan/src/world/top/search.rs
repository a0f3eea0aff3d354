//! The best of everything in a scene by some measure that has a bound on boxes: [`nearest`](crate::bvh::nearest) over the tree of
//! instances and the trees within them.

use glam::DVec3;

use super::Top;
use crate::bvh::layout::Stored;
use crate::bvh::nearest::{Boxes, Corners, Search, TreeSearch, best_first, boxes_around};
use crate::bvh::node::{Child, Node, WIDTH};
use crate::filter::Filter;
use crate::hit::InstanceId;
use crate::query::reaching;
use crate::shape::Triangle;
use crate::simd::Kernel;
use crate::simd::stack::{AnyOrder, Order};
use crate::world::placing::{FAR, Placing, Solid, within_reach};
use crate::world::{Geometry, Instance};

/// What is looked for. All that it is shown is seen from [`about`](Self::about), along the world's axes.
pub(crate) trait WorldSearch {
    /// As [`Search::Order`].
    type Order: Order;
    /// The point that coordinates are relative to.
    fn about(&self) -> DVec3;
    /// It chooses instances; a shape of which it skips something is not shown.
    fn filter(&self) -> &Filter<'_>;
    /// As [`Search::bounds`].
    fn bounds(&self, boxes: &Boxes<f64>) -> [f64; WIDTH];
    /// As [`Search::bounds_of_triangles`].
    #[inline(always)]
    fn bounds_of_triangles(&self, corners: &Corners<f64>) -> [f64; WIDTH] {
        self.bounds(&boxes_around(corners))
    }
    /// As [`Search::limit`].
    fn limit(&self) -> f64;
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
const ROUNDING: f64 = 1.0 / (1u64 << 48) as f64;

impl Top {
    /// Shows the search everything that it may want, what is in nearer boxes first.
    pub fn search(&self, kernel: Kernel, search: &mut impl WorldSearch) {
        let (about, centre) = (search.about(), self.centre - search.about());
        let distance = centre.abs().max_element() + about.abs().max_element();
        let farthest = self.world.map_or(0.0, |(low, high)| low.abs().max(high.abs()).max_element());
        let room = self.slack * (farthest + self.offset);
        self.each_wanted(kernel, &mut Instances { kernel, top: self, about, centre, distance, room, search });
    }

    /// Shows every instance whose whole box holds a point, or hardly not, and those without a box.
    pub fn each_at(&self, kernel: Kernel, point: DVec3, visit: impl FnMut(&At<'_>)) {
        self.each_wanted(kernel, &mut Holding { top: self, point: point - self.centre, visit });
    }

    /// Opens the slots of what has no box, and those below boxes that are wanted.
    pub(super) fn each_wanted(&self, kernel: Kernel, search: &mut impl TreeSearch) {
        self.endless.iter().for_each(|&slot| search.open(slot));
        if !self.nodes.is_empty() {
            let mut nodes: &[Node] = &self.nodes;
            best_first(kernel, &mut nodes, Child::inner(0), search);
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
    type Order = AnyOrder;

    #[inline(always)]
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH] {
        // The point lost what its distance from the centre rounds to, and loses more on its way into the frame of an instance. Where the
        // boxes are cut off they say nothing: nothing is farther away than that.
        let Top { centre, offset, slack, cropped, .. } = self.top;
        let slack =
            slack.max(ROUNDING) * (self.point.abs().max_element() + centre.abs().max_element() + offset);
        // The tree has the tight boxes. An open mesh may hold a point, or have to say that it is open, anywhere in its own box.
        let slack = slack + cropped;
        reaching(self.point - slack, self.point + slack, boxes)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        0.0
    }

    fn open(&mut self, slot: u32) {
        if let Some((id, instance)) = self.top.slots().at(slot) {
            (self.visit)(&At { id, instance });
        }
    }
}

/// The tree over the instances.
struct Instances<'a, S> {
    kernel: Kernel,
    top: &'a Top,
    about: DVec3,
    /// Of the tree's boxes, as seen from where the search is.
    centre: DVec3,
    /// The largest coordinates of both together.
    distance: f64,
    /// What a point in a box may lose on its way into the frame of an instance, where solids are asked about it.
    room: f64,
    search: &'a mut S,
}

impl<S: WorldSearch> TreeSearch for Instances<'_, S> {
    type Order = S::Order;

    #[inline(always)]
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH] {
        let mut boxes = moved(boxes, self.centre, self.distance);
        for (plane, ends) in boxes.iter_mut().enumerate() {
            for end in ends {
                // Where the boxes are cut off they say nothing.
                *end = match (self.top.slack == f64::INFINITY, plane < 3) {
                    (true, true) => -FAR,
                    (true, false) => FAR,
                    (false, true) => within_reach(*end - self.room),
                    (false, false) => within_reach(*end + self.room),
                };
            }
        }
        self.search.bounds(&boxes)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.search.limit()
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
                let mut triangles = Triangles { at, placing: placing(), search: self.search };
                mesh.data.search(self.kernel, &mut triangles);
            }
            Geometry::Heightfield(field) => {
                let mut triangles = Triangles { at, placing: placing(), search: self.search };
                field.search(self.kernel, &mut triangles);
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
    type Order = S::Order;

    #[inline(always)]
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH] {
        self.search.bounds(&self.placing.boxes(boxes))
    }

    #[inline(always)]
    fn bounds_of_triangles(&self, corners: &Corners) -> [f64; WIDTH] {
        let [a, b, c] = corners;
        let placed = [self.placing.points(a), self.placing.points(b), self.placing.points(c)];
        self.search.bounds_of_triangles(&placed)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.search.limit()
    }

    fn visit(&mut self, stored: &Stored) {
        self.search.triangle(&self.at, stored.prim, &self.placing.triangle(stored.corners));
    }
}

/// Boxes as seen from elsewhere, larger by what such sums of coordinates and of so large a distance are rounded by, also where little
/// is left of them.
#[inline(always)]
pub(super) fn moved(boxes: &Boxes, by: DVec3, distance: f64) -> Boxes<f64> {
    let mut slack = [distance; WIDTH];
    for lane in 0..WIDTH {
        let mut largest = 0.0f32;
        for plane in boxes {
            let size = plane[lane].abs();
            largest = if size > largest { size } else { largest };
        }
        slack[lane] = ROUNDING * (f64::from(largest) + distance);
    }
    let by = by.to_array();
    let mut moved = [[0.0; WIDTH]; 6];
    for axis in 0..3 {
        for lane in 0..WIDTH {
            moved[axis][lane] = f64::from(boxes[axis][lane]) + by[axis] - slack[lane];
            moved[3 + axis][lane] = f64::from(boxes[3 + axis][lane]) + by[axis] + slack[lane];
        }
    }
    moved
}
