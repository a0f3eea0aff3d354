//! The tree over the instances of a scene: world boxes in front of what has a tree, or a test, of its own.
//!
//! Instances that only moved since the tree was built keep their places in it, and the boxes above them are made anew
//! (`refit`), until the boxes overlap too much.

pub(crate) mod joined;
pub(crate) mod near;
mod refit;
pub(crate) mod search;

use alloc::sync::Arc;
use alloc::vec::Vec;

use glam::DVec3;

use super::geometry::{Extent, Geometry};
use super::instance::Instance;
use super::slots::Slots;
use crate::bvh::binary::{self, Axes, Settings};
use crate::bvh::crop::Crop;
use crate::bvh::gate::Gate;
use crate::bvh::item::{Hull, Item};
use crate::bvh::meter::Meter;
use crate::bvh::node::{Bounds, Child, Node};
#[cfg(feature = "std")]
use crate::bvh::parallel::list;
use crate::bvh::parallel::{join, relist};
use crate::bvh::slab::{Frame, Slab};
use crate::bvh::walk::{Leaves, Reach, walk, walk_mesh};
use crate::bvh::wear::Wear;
use crate::bvh::{CheckError, check_nodes, wide};
use crate::entry::{Arrival, Heading};
use crate::hit::InstanceId;
use crate::query::{Collector, Probe};
use crate::simd::Flow;
use crate::simd::lanes::Lanes;
use crate::simd::row::Row;
use crate::transform::ROUNDING;
use crate::watch::Job;
use joined::{Joined, Together};

/// How far the recipe may find a triangle outside its place, for one unit of a mesh's largest coordinate R: 2^-17.
///
/// The origin of a local ray lies within 4 R, or was moved to where the ray passes the mesh and lies within
/// `(sqrt(3) + 2) R` if it meets it at all, so no corner is farther than `5 R`. With `u = 2^-24` the shear is off by
/// `7 u * 5 R`, the rounded origin by `4 u R`, the rounded direction by `5 u R`: together `44 u R`, about 2^-18.5 R. What
/// `f64` adds is [`ROUNDING`]'s. The scene's own ray, as the box test sees it, has its rounding covered by that
/// test's margin, which here needs nothing for a shear.
const PADDING: f64 = 1.0 / (1 << 17) as f64;

/// The same for shapes, whose tests find `t` to 2^-42 of itself: for one unit of distance between shooter and shape, 2^-40.
const SHAPE_SLACK: f64 = 1.0 / (1u64 << 40) as f64;

/// Instances from which on it pays to wake another thread.
const MANY: usize = 2048;

/// Instances and the tree over those that can be hit.
#[derive(Debug, Default)]
pub(crate) struct Top {
    slots: Slots,
    /// Of which edition of its world they are.
    edition: u64,
    /// In world space, one for each slot; `None` where there is nothing to hit, or no end to it.
    boxes: Vec<Option<WorldBox>>,
    /// Slots of what has no box.
    endless: Vec<u32>,
    /// All meshes with a tree for rays, where there is nothing else and they stand at one place.
    together: Option<Arc<Together>>,
    /// Boxes relative to `centre`; a leaf's payload is the slot.
    nodes: Vec<Node>,
    bounds: Bounds,
    /// What the tree cost rays when it was built; `None` where there is none yet.
    cost: Option<Wear>,
    /// The largest coordinate of `bounds`, and what the box test makes of it.
    reach: f64,
    frame: Frame,
    centre: DVec3,
    /// Where everything lies that has a box, in world space.
    world: Option<(DVec3, DVec3)>,
    /// By how much the whole box of a mesh is larger than the tight one that the tree is made of, at most.
    cropped: f64,
    /// Error of a world position, for one unit of distance between shooter and instance; infinite where the boxes are cut
    /// off at [`LARGEST`], so that each is entered.
    slack: f64,
    /// Largest coordinate of any placement.
    offset: f64,
}

impl Top {
    /// Becomes the tree of these instances, in memory that it has; `last` is another one whose tree may be of use.
    pub fn renew(&mut self, slots: &Slots, edition: u64, last: Option<&Top>) {
        let Top { slots: own, boxes, .. } = self;
        let place = |slot: usize| slots.at(slot as u32).and_then(|(_, instance)| world_box(instance));
        if slots.len() < MANY {
            own.copy_from(slots);
            relist(boxes, slots.len(), place);
        } else {
            join(|| own.copy_from(slots), || relist(boxes, slots.len(), place));
        }
        self.measure();
        self.join(last.is_none(), last);
        if self.edition != edition {
            match last.filter(|last| last.edition == edition) {
                Some(last) => {
                    self.nodes.clone_from(&last.nodes);
                    self.cost = last.cost;
                }
                None => self.cost = None,
            }
            self.edition = edition;
        }
        let cost = self.refit();
        if self.cost.is_none_or(|before| Wear::is_worn(cost.over(&before))) {
            self.build();
        }
        self.fit_frame();
    }

    /// Where everything is, by its boxes.
    fn measure(&mut self) {
        let union = |a: (DVec3, DVec3), b: (DVec3, DVec3)| (a.0.min(b.0), a.1.max(b.1));
        self.world = self.boxes.iter().flatten().map(|around| around.whole).reduce(union);
        self.centre = self.world.map_or(DVec3::ZERO, |(low, high)| low + (high - low) * 0.5);
        self.endless.clear();
        (self.slack, self.offset, self.cropped) = (0.0, 0.0, 0.0);
        for (id, instance) in self.slots.iter() {
            let shape = if instance.geometry.reach_of_triangles().is_some() { 0.0 } else { SHAPE_SLACK };
            self.slack = self.slack.max(instance.transform.round_trip() + shape);
            self.offset = self.offset.max(instance.transform.offset().abs().max_element());
            match self.boxes[id.slot() as usize] {
                Some(around) if matches!(instance.geometry, Geometry::Mesh(_)) => {
                    self.cropped = self.cropped.max(around.cropped());
                }
                None if matches!(instance.geometry.extent(), Extent::Endless) => self.endless.push(id.slot()),
                _ => {}
            }
        }
        if self.world.is_some_and(|(low, high)| (high - low).max_element() > 2.0 * LARGEST) {
            self.slack = f64::INFINITY;
        }
    }

    /// Whether rays may go through all meshes as through one; `before` is the last of these scenes.
    fn join(&mut self, is_first: bool, before: Option<&Top>) {
        let known = [self.together.as_ref(), before.and_then(|before| before.together.as_ref())];
        let has_box = |slot: u32| self.boxes[slot as usize].is_some();
        self.together = match self.endless[..] {
            [] => Together::new(&self.slots, has_box, is_first, known),
            _ => None,
        };
    }

    /// A new tree.
    fn build(&mut self) {
        let mut items: Vec<Item> = (0u32..)
            .zip(&self.boxes)
            .filter_map(|(slot, place)| Some((slot, (*place)?)))
            .map(|(slot, place)| Item::new(Hull::of_bounds(&relative(place.tight, self.centre)), slot))
            .collect();
        if items.is_empty() {
            (self.nodes, self.bounds) = (Vec::new(), Bounds::EMPTY);
        } else {
            let job = Job::unwatched();
            let settings = Settings { whole: 1, leaf: 1, axes: Axes::All, planned: true };
            let (tree, _) = binary::build(&mut items, settings, &job);
            let store = |items: &[Item], _, _: &mut [Row]| items[0].id();
            let leaves = wide::Leaves { rows_of: |_| 0, store, spare_rows: 0 };
            // Nobody ends it.
            (self.nodes, _) = wide::emit(&tree, &items, &leaves, &job).unwrap_or_default();
        }
        self.cost = Some(self.refit());
    }

    /// The nodes of the tree.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The tree of these instances, whose nodes stood before and are laid around them again.
    #[cfg(feature = "std")]
    pub fn of_nodes(slots: Slots, nodes: Vec<Node>) -> Top {
        let boxes =
            list(slots.len(), |slot| slots.at(slot as u32).and_then(|(_, instance)| world_box(instance)));
        let mut top = Top { slots, boxes, nodes, ..Top::default() };
        top.measure();
        top.join(true, None);
        top.cost = Some(top.refit());
        top.fit_frame();
        top
    }

    /// Whether a slot has a place in the tree.
    #[cfg(feature = "std")]
    pub fn has_box(&self, slot: usize) -> bool {
        self.boxes.get(slot).is_some_and(Option::is_some)
    }

    /// What the box test wants to know of the boxes.
    fn fit_frame(&mut self) {
        self.reach = f64::from(largest(self.bounds.low).max(largest(self.bounds.high)));
        self.frame = Frame::new(self.reach as f32);
    }

    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The tree of all meshes, where there is nothing else and they stand at one place.
    #[inline(always)]
    pub fn joined(&self) -> Option<&Joined> {
        self.together.as_ref()?.joined()
    }

    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        self.world
    }

    /// Verifies the tree: every instance that can be hit is in it once, inside its box, but for those without one.
    pub fn check(&self) -> Result<(), CheckError> {
        let mut found = alloc::vec![0u32; self.boxes.len()];
        check_nodes(&self.nodes, &self.bounds, &mut |node, place, number| match self
            .boxes
            .get(number as usize)
        {
            Some(Some(box_)) => {
                found[number as usize] += 1;
                Ok(relative(box_.tight, self.centre))
            }
            _ => Err(CheckError::Block { node, place }),
        })?;
        let expected = |slot: usize| u32::from(self.boxes[slot].is_some());
        match (0..self.boxes.len()).find(|&slot| found[slot] != expected(slot)) {
            Some(prim) => Err(CheckError::Coverage { prim, found: found[prim], expected: expected(prim) }),
            None => self.joined().map_or(Ok(()), |joined| joined.check(&self.slots)),
        }
    }

    /// Offers the collector every crossing with any instance that it still wants.
    #[inline(always)]
    pub fn walk<L: Lanes, M: Meter, C: Collector>(
        &self,
        lanes: L,
        probe: &mut Probe<'_, C>,
        meter: &mut M,
    ) -> Flow {
        // Without parallel lanes it would be the same answer, and a copy of it all.
        if L::PARALLEL
            && let Some(joined) = self.joined()
            && let Some(flow) = joined.walk(lanes, &self.slots, probe, meter)
        {
            return flow;
        }
        self.walk_apart(lanes, probe, meter)
    }

    /// The same from one instance to the next.
    #[inline(always)]
    pub fn walk_apart<L: Lanes, M: Meter, C: Collector>(
        &self,
        lanes: L,
        probe: &mut Probe<'_, C>,
        meter: &mut M,
    ) -> Flow {
        for &slot in &self.endless {
            meter.endless();
            if meter.is_spent() {
                return Flow::Break(());
            }
            match self.slots.at(slot) {
                Some((id, instance)) if probe.filter.admits_instance(id, instance.mask) => {
                    shape(instance, id, probe)?
                }
                _ => {}
            }
        }
        let Some((low, high)) = self.world else { return Flow::Continue(()) };
        let (o, d) = (probe.ray.origin(), probe.ray.dir());
        let (p, q) = ((o - self.centre).to_array(), d.to_array());
        let heading = Heading::new(q);
        let arrival = Arrival::new(p, q, heading, self.reach);
        let distance = o.abs().max_element() + low.abs().max(high.abs()).max_element() + self.offset;
        let slab = Slab::new(&arrival, &self.frame, (self.slack * distance) as f32);
        let begin = slab.lower(probe.ray.t_min());
        let mut leaves = Placed { lanes, top: self, dir: q, heading, like: None, slab, probe };
        let mut reach = leaves.reach();
        walk(lanes, &self.nodes, begin, &mut reach, meter, &mut leaves)
    }
}

/// The boxes of a scene's tree, as box tests of many rays want to know them.
pub(crate) struct Seen {
    /// The largest coordinate.
    pub reach: f32,
    /// By how much the boxes are larger.
    pub margin: f32,
}

impl Top {
    /// For shooters whose largest coordinate is at most so far from the origin of the world; `None` where there are no boxes.
    #[inline(always)]
    pub fn seen_from(&self, farthest: f64) -> Option<Seen> {
        let (low, high) = self.world?;
        let distance = farthest + low.abs().max(high.abs()).max_element() + self.offset;
        let margin = self.frame.margin() + (self.slack * distance) as f32;
        (!self.nodes.is_empty()).then_some(Seen { reach: self.reach as f32, margin })
    }

    /// What keeps off rays that meet no instance. `None` where there is one without an end, or none at all.
    #[inline(always)]
    pub fn gate(&self) -> Option<Gate> {
        if !self.endless.is_empty() {
            return None;
        }
        // Of those from farther away it says nothing.
        let farthest = self.centre.abs().max_element() + 4.0 * self.reach;
        let Seen { reach, margin } = self.seen_from(farthest)?;
        Some(Gate::new(&self.nodes, self.centre, margin, reach))
    }

    /// Where the coordinates of the boxes count from.
    #[inline(always)]
    pub fn centre(&self) -> DVec3 {
        self.centre
    }

    /// Slots of what has no box.
    pub fn endless(&self) -> impl Iterator<Item = u32> {
        self.endless.iter().copied()
    }
}

/// Asks one instance, which the filter's mask admits.
#[inline(always)]
pub(crate) fn ask_instance<L: Lanes, C: Collector>(
    lanes: L,
    id: InstanceId,
    instance: &Instance,
    probe: &mut Probe<'_, C>,
) -> Flow {
    let Some(reach) = instance.geometry.reach_of_triangles() else { return shape(instance, id, probe) };
    let arrival = Arrival::placed(probe.ray, &instance.transform, reach);
    probe.enter(id, instance.transform.mirrored());
    match &instance.geometry {
        Geometry::Mesh(mesh) => walk_mesh(lanes, &mesh.data, &arrival, probe, &mut ()),
        Geometry::Heightfield(field) => field.walk_local(lanes, &arrival, probe, &mut ()),
        _ => Flow::Continue(()),
    }
}

/// The leaves of a scene: one instance each, which is asked with the ray in its frame.
struct Placed<'a, 'b, L: Lanes, C> {
    lanes: L,
    top: &'a Top,
    /// The direction in the frame of an instance, and that instance: others with the same matrix share it.
    dir: [f64; 3],
    heading: Heading,
    like: Option<&'a Instance>,
    slab: Slab,
    probe: &'a mut Probe<'b, C>,
}

impl<'a, L: Lanes, C: Collector> Placed<'a, '_, L, C> {
    /// Turns to an instance of triangles: the ray in its frame.
    #[inline(always)]
    fn enter(&mut self, id: InstanceId, instance: &'a Instance, reach: f32) -> Arrival {
        self.probe.enter(id, instance.transform.mirrored());
        let known = match self.like {
            Some(like) => like.transform.turns_like(&instance.transform),
            None => false,
        };
        if !known {
            self.dir = instance.transform.inverse_vector(self.probe.ray.dir().to_array());
            (self.heading, self.like) = (Heading::new(self.dir), Some(instance));
        }
        let p = instance.transform.inverse_point(self.probe.ray.origin().to_array());
        Arrival::new(p, self.dir, self.heading, f64::from(reach))
    }

    #[inline(always)]
    fn reach(&self) -> Reach {
        Reach::up_to(&self.slab, self.probe.collector.limit())
    }
}

impl<L: Lanes, M: Meter, C: Collector> Leaves<L, M> for Placed<'_, '_, L, C> {
    type Order = C::Order;

    #[inline(always)]
    fn slab(&self) -> &Slab {
        &self.slab
    }

    #[inline(always)]
    fn fetch(&self, child: Child) {
        self.top.fetch(self.lanes, child);
    }

    #[inline(always)]
    fn visit(&mut self, slot: u32, reach: &mut Reach, meter: &mut M) -> Flow {
        let top = self.top;
        let Some((id, instance)) = top.slots.at(slot) else { return Flow::Continue(()) };
        if !self.probe.filter.admits_instance(id, instance.mask) {
            return Flow::Continue(());
        }
        meter.instance();
        let limit = self.probe.collector.limit();
        match &instance.geometry {
            Geometry::Mesh(mesh) => {
                let arrival = self.enter(id, instance, mesh.data.reach);
                walk_mesh(self.lanes, &mesh.data, &arrival, self.probe, meter)?;
            }
            Geometry::Heightfield(field) => {
                let arrival = self.enter(id, instance, field.reach());
                field.walk_local(self.lanes, &arrival, self.probe, meter)?;
            }
            _ => shape(instance, id, self.probe)?,
        }
        if self.probe.collector.limit() != limit {
            *reach = self.reach();
        }
        Flow::Continue(())
    }
}

/// Offers the collector the crossings with a shape that the filter's mask admits.
#[inline(never)]
fn shape<C: Collector>(instance: &Instance, id: InstanceId, probe: &mut Probe<'_, C>) -> Flow {
    probe.enter(id, false);
    for surface in instance.geometry.crossings(&instance.local(probe.ray)).into_iter().flatten() {
        let _taken = probe.surface(surface.t, surface.prim, surface.facing)?;
    }
    Flow::Continue(())
}

/// Boxes of an instance in world space, grown by what the entry into its mesh may be off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorldBox {
    /// Around what can be hit. How tight it is depends on a mesh's own tree, so that it may only refuse what is refused in any case.
    pub tight: (DVec3, DVec3),
    /// Around the turned box: the same whatever the tree.
    pub whole: (DVec3, DVec3),
}

impl WorldBox {
    /// By how much the one is larger, at most.
    fn cropped(&self) -> f64 {
        let WorldBox { tight, whole } = self;
        (tight.0 - whole.0).max(whole.1 - tight.1).max_element()
    }
}

/// The boxes of an instance; `None` where there is nothing to hit, or no end to it.
pub(crate) fn world_box(instance: &Instance) -> Option<WorldBox> {
    let Extent::Box(low, high) = instance.geometry.extent() else { return None };
    let (m, t) = (instance.transform.rows(), instance.transform.offset());
    let largest = || low.abs().max(high.abs()).max_element();
    let reach = instance.geometry.reach_of_triangles().unwrap_or_else(largest);
    // A box that is not turned is as large as what is in it.
    let is_turned = m.iter().any(|row| row.map(|number| u8::from(number != 0.0)).iter().sum::<u8>() > 1);
    let crop = if is_turned { instance.geometry.crop() } else { Crop::NONE };
    let mut around = WorldBox { tight: (DVec3::ZERO, DVec3::ZERO), whole: (DVec3::ZERO, DVec3::ZERO) };
    for axis in 0..3 {
        let row = m[axis];
        let (mut below, mut above, mut size, mut corner) = (t[axis], t[axis], 0.0, 0);
        for j in 0..3 {
            let (a, b) = (row[j] * low[j], row[j] * high[j]);
            (below, above) = (below + a.min(b), above + a.max(b));
            size += row[j].abs();
            corner |= usize::from(row[j] > 0.0) << j;
        }
        let [short_above, short_below] = crop.short_of(row, corner);
        let margin = PADDING * reach * size + ROUNDING * (t[axis].abs() + reach * size);
        (around.tight.0[axis], around.tight.1[axis]) =
            (below + short_below - margin, above - short_above + margin);
        (around.whole.0[axis], around.whole.1[axis]) = (below - margin, above + margin);
    }
    Some(around)
}

/// Largest coordinate of a box: twice as much, and areas, are numbers yet.
const LARGEST: f64 = (1u128 << 125) as f64;

/// A box around a centre as `f32`, rounded outward, as far as it lies within [`LARGEST`].
fn relative((low, high): (DVec3, DVec3), centre: DVec3) -> Bounds {
    let (low, high) = (low - centre, high - centre);
    let (low, high) = (
        low.max(DVec3::splat(-LARGEST)).min(DVec3::splat(LARGEST)),
        high.min(DVec3::splat(LARGEST)).max(DVec3::splat(-LARGEST)),
    );
    let down = |c: f64| if f64::from(c as f32) > c { (c as f32).next_down() } else { c as f32 };
    let up = |c: f64| if f64::from(c as f32) < c { (c as f32).next_up() } else { c as f32 };
    Bounds {
        low: [down(low.x), down(low.y), down(low.z), 0.0],
        high: [up(high.x), up(high.y), up(high.z), 0.0],
    }
}

fn largest(p: [f32; 4]) -> f32 {
    p[0].abs().max(p[1].abs()).max(p[2].abs())
}

#[cfg(test)]
mod tests {
    use glam::DMat3;
    use hitscan_oracle::Rng;

    use super::*;
    use crate::mesh::Mesh;
    use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Sphere};
    use crate::transform::Transform;

    /// Each kind of geometry, points of it that its box is as large as, and a radius around each.
    fn all() -> [(Geometry, Vec<DVec3>, f64); 6] {
        let cube: Vec<DVec3> =
            (0..8).map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))).collect();
        let mut rng = Rng::new(3);
        let round: Vec<DVec3> = (0..300)
            .map(|_| rng.in_cube(1.0))
            .map(|at| DVec3::from(at).normalize().as_vec3().as_dvec3() + DVec3::new(7.0, 0.5, -2.0))
            .map(|at| at.as_vec3().as_dvec3())
            .collect();
        let triangles: Vec<[u32; 3]> = (0..100).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mesh = Mesh::new(round.iter().map(|at| at.as_vec3().to_array()), triangles).unwrap();
        let (a, b) = (DVec3::new(1.0, 2.0, -3.0), DVec3::new(4.0, 0.0, 5.0));
        let axes = DMat3::from_rotation_y(0.7) * DMat3::from_rotation_x(0.3);
        let half = DVec3::new(0.5, 3.0, 1.0);
        let slanted = cube.iter().map(|at| a + axes * ((*at * 2.0 - 1.0) * half)).collect();
        [
            (mesh.into(), round, 0.0),
            (Sphere::new(a, 2.5).unwrap().into(), [a].into(), 2.5),
            (Capsule::new(a, b, 0.5).unwrap().into(), [a, b].into(), 0.5),
            (Obb::new(a, axes, half).unwrap().into(), slanted, 0.0),
            (Aabb::new(cube[0], cube[7]).unwrap().into(), cube.clone(), 0.0),
            (ConvexHull::from_points(cube.clone()).unwrap().into(), cube, 0.0),
        ]
    }

    /// The box of a turned instance holds it, and but for hulls is no more than a fifth larger than it has to be.
    #[test]
    fn boxes_around_what_is_turned() {
        let mut rng = Rng::new(11);
        for (geometry, points, radius) in all() {
            let hull = matches!(geometry, Geometry::ConvexHull(_));
            let (mut ratios, mut count) = (0.0, 0);
            for round in 0..2_000 {
                let mut matrix = DMat3::from_cols_array(&[0; 9].map(|_| 2.0 * rng.unit() - 1.0));
                if round % 3 == 0 {
                    // About one axis.
                    (matrix.x_axis.z, matrix.y_axis.z, matrix.z_axis) = (0.0, 0.0, DVec3::Z);
                }
                let offset = rng.in_cube(10.0);
                let Ok(transform) = Transform::new(matrix, offset) else { continue };
                let instance = Instance::new(geometry.clone()).at(transform);
                let WorldBox { tight: (low, high), whole } = world_box(&instance).unwrap();
                assert!(whole.0.cmple(low).all() && high.cmple(whole.1).all());
                for axis in 0..3 {
                    let row = DVec3::from(transform.rows()[axis]);
                    let along = points.iter().map(|&point| transform.point(point)[axis]);
                    let [least, most] =
                        [along.clone().fold(f64::MAX, f64::min), along.fold(f64::MIN, f64::max)];
                    let [least, most] = [least - radius * row.length(), most + radius * row.length()];
                    assert!(
                        low[axis] <= least && most <= high[axis],
                        "{:?}: {low} to {high}",
                        instance.transform
                    );
                    ratios += (high[axis] - low[axis]) / (most - least);
                    count += 1;
                }
            }
            let mean = ratios / f64::from(count);
            assert!(count > 5_000 && (hull || mean < 1.2), "{mean}");
        }
    }
}
