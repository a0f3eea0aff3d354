//! The tree over the instances of a scene: world boxes in front of the meshes' own trees.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use glam::DVec3;

use crate::bvh::binary::{self, Axes, Settings};
use crate::bvh::item::{Hull, Item};
use crate::bvh::node::{Bounds, Node};
use crate::bvh::slab::{Frame, Slab};
use crate::bvh::walk::{Leaves, Meter, Reach, walk, walk_mesh};
use crate::bvh::{CheckError, check_nodes, wide};
use crate::entry::{Heading, LocalRay};
use crate::query::{Collector, Probe};
use crate::simd::Flow;
use crate::simd::lanes::Lanes;
use crate::simd::row::Row;
use crate::transform::ROUNDING;
use crate::world::Instance;

/// How far the recipe may find a triangle outside its place, for one unit of a mesh's largest coordinate R: 2^-17.
///
/// The origin of a local ray lies within 4 R, or was moved to where the ray passes the mesh and lies within
/// `(sqrt(3) + 2) R` if it meets it at all, so no corner is farther than `5 R`. With `u = 2^-24` the shear is off by
/// `7 u * 5 R`, the rounded origin by `4 u R`, the rounded direction by `5 u R`: together `44 u R`, about 2^-18.5 R. What
/// `f64` adds is [`ROUNDING`]'s. The scene's own ray, as the box test sees it, has its rounding covered by that
/// test's margin, which here needs nothing for a shear.
const PADDING: f64 = 1.0 / (1 << 17) as f64;

/// Instances and the tree over those that can be hit.
#[derive(Debug)]
pub(crate) struct Top {
    instances: Vec<Instance>,
    /// For each instance, which of the different matrices it has.
    matrices: Vec<u32>,
    /// Boxes relative to `centre`; a leaf's payload is the instance's number.
    nodes: Vec<Node>,
    bounds: Bounds,
    /// The largest coordinate of `bounds`, and what the box test makes of it.
    reach: f64,
    frame: Frame,
    centre: DVec3,
    /// Where everything lies, in world space.
    world: Option<(DVec3, DVec3)>,
    /// Error of a world position, for one unit of distance between shooter and instance; infinite where the boxes are cut
    /// off at [`LARGEST`], so that each is entered.
    slack: f64,
    /// Largest coordinate of any placement.
    offset: f64,
}

impl Top {
    pub fn new(instances: Vec<Instance>) -> Top {
        let boxes: Vec<(u32, DVec3, DVec3)> = (0u32..)
            .zip(&instances)
            .filter_map(|(id, instance)| world_box(instance).map(|(low, high)| (id, low, high)))
            .collect();
        let world =
            boxes.iter().map(|&(_, low, high)| (low, high)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let centre = world.map_or(DVec3::ZERO, |(low, high)| low + (high - low) * 0.5);
        let mut items: Vec<Item> = boxes
            .into_iter()
            .map(|(id, low, high)| Item::new(Hull::of_bounds(&relative(low - centre, high - centre)), id))
            .collect();
        let (mut nodes, mut bounds) = (Vec::new(), Bounds::EMPTY);
        if !items.is_empty() {
            let tree = binary::build(&mut items, Settings { whole: 1, leaf: 1, axes: Axes::All });
            bounds = tree.root().hull.bounds();
            let store = |items: &[Item], _, _: &mut [Row]| items[0].id();
            (nodes, _) = wide::emit(&tree, &items, &wide::Leaves { rows_of: |_| 0, store, spare_rows: 0 });
        }
        let beyond = world.is_some_and(|(low, high)| (high - low).max_element() > 2.0 * LARGEST);
        let slack = if beyond {
            f64::INFINITY
        } else {
            instances.iter().fold(0.0f64, |most, instance| most.max(instance.transform.round_trip()))
        };
        let offset = instances
            .iter()
            .fold(0.0f64, |most, instance| most.max(instance.transform.offset().abs().max_element()));
        let matrices = matrices(&instances);
        let reach = largest(bounds.low).max(largest(bounds.high));
        let frame = Frame::new(reach);
        Top {
            instances,
            matrices,
            nodes,
            bounds,
            reach: f64::from(reach),
            frame,
            centre,
            world,
            slack,
            offset,
        }
    }

    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        self.world
    }

    /// Verifies the tree: every instance that can be hit is in it once, inside its box.
    pub fn check(&self) -> Result<(), CheckError> {
        let boxes: Vec<Option<Bounds>> = self
            .instances
            .iter()
            .map(|instance| {
                world_box(instance).map(|(low, high)| relative(low - self.centre, high - self.centre))
            })
            .collect();
        let mut found = alloc::vec![0u32; boxes.len()];
        check_nodes(
            &self.nodes,
            &self.bounds,
            &mut |node, place, number| match boxes.get(number as usize) {
                Some(Some(bounds)) => {
                    found[number as usize] += 1;
                    Ok(*bounds)
                }
                _ => Err(CheckError::Block { node, place }),
            },
        )?;
        let expected = |number: usize| u32::from(boxes[number].is_some());
        match (0..boxes.len()).find(|&number| found[number] != expected(number)) {
            Some(prim) => Err(CheckError::Coverage { prim, found: found[prim], expected: expected(prim) }),
            None => Ok(()),
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
        let Some((low, high)) = self.world else { return Flow::Continue(()) };
        let (o, d) = (probe.ray.origin(), probe.ray.dir());
        let local = LocalRay::new((o - self.centre).to_array(), Heading::new(d.to_array()), self.reach);
        let distance = o.abs().max_element() + low.abs().max(high.abs()).max_element() + self.offset;
        let slab = Slab::new(&local, &self.frame, (self.slack * distance) as f32);
        let begin = slab.lower(probe.ray.t_min());
        let mut leaves = Placed { lanes, top: self, heading: local.heading, matrix: None, slab, probe };
        let mut reach = leaves.reach();
        walk(lanes, &self.nodes, &slab, begin, &mut reach, meter, &mut leaves)
    }
}

/// The leaves of a scene: one instance each, whose mesh is walked with the ray in its frame.
struct Placed<'a, 'b, L: Lanes, C> {
    lanes: L,
    top: &'a Top,
    /// The direction in the frame of the last instance, and the number of its matrix.
    heading: Heading,
    matrix: Option<u32>,
    slab: Slab,
    probe: &'a mut Probe<'b, C>,
}

impl<L: Lanes, C: Collector> Placed<'_, '_, L, C> {
    #[inline(always)]
    fn reach(&self) -> Reach {
        Reach::new(self.slab.upper(self.probe.collector.limit()))
    }
}

impl<L: Lanes, M: Meter, C: Collector> Leaves<L, M> for Placed<'_, '_, L, C> {
    type Order = C::Order;

    #[inline(always)]
    fn visit(&mut self, number: u32, reach: &mut Reach, meter: &mut M) -> Flow {
        let instance = &self.top.instances[number as usize];
        if !self.probe.filter.admits_mask(instance.mask) {
            return Flow::Continue(());
        }
        meter.instance();
        let limit = self.probe.collector.limit();
        self.probe.enter(number, instance.transform.mirrored());
        let matrix = Some(self.top.matrices[number as usize]);
        if self.matrix != matrix {
            self.heading = Heading::new(instance.transform.inverse_vector(self.probe.ray.dir().to_array()));
            self.matrix = matrix;
        }
        let p = instance.transform.inverse_point(self.probe.ray.origin().to_array());
        let local = LocalRay::new(p, self.heading, f64::from(instance.mesh.data.reach));
        walk_mesh(self.lanes, &instance.mesh.data, &local, self.probe, meter)?;
        if self.probe.collector.limit() != limit {
            *reach = self.reach();
        }
        Flow::Continue(())
    }
}

/// A number for each instance: the same for those whose matrices are the same, so that a ray has one direction in all.
fn matrices(instances: &[Instance]) -> Vec<u32> {
    let mut known = BTreeMap::new();
    let mut number = |instance: &Instance| {
        let next = known.len() as u32;
        *known.entry(instance.transform.inverse_rows().map(|row| row.map(f64::to_bits))).or_insert(next)
    };
    instances.iter().map(&mut number).collect()
}

/// The box of an instance in world space, grown by what the entry into its mesh may be off.
fn world_box(instance: &Instance) -> Option<(DVec3, DVec3)> {
    let (low, high) = instance.mesh.data.tree.bounds()?;
    let (m, t) = (instance.transform.rows(), instance.transform.offset());
    let reach = f64::from(instance.mesh.data.reach);
    let side = |axis: usize, upper: bool| {
        let (mut sum, mut size) = (t[axis], 0.0);
        for j in 0..3 {
            let (a, b) = (m[axis][j] * f64::from(low[j]), m[axis][j] * f64::from(high[j]));
            sum += if upper { a.max(b) } else { a.min(b) };
            size += m[axis][j].abs();
        }
        let margin = PADDING * reach * size + ROUNDING * (t[axis].abs() + reach * size);
        if upper { sum + margin } else { sum - margin }
    };
    let corner = |upper: bool| DVec3::new(side(0, upper), side(1, upper), side(2, upper));
    Some((corner(false), corner(true)))
}

/// Largest coordinate of a box: twice as much, and areas, are numbers yet.
const LARGEST: f64 = (1u128 << 125) as f64;

/// A box as `f32`, rounded outward, as far as it lies within [`LARGEST`].
fn relative(low: DVec3, high: DVec3) -> Bounds {
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
