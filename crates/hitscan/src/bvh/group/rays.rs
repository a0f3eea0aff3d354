//! The rays of a group side by side: each number of all of them in a row.
//!
//! What the recipe wants of a ray has the bits that [`LocalRay`](crate::entry::LocalRay) would have. Rays that ask a mesh themselves and that the law
//! moves there first make no group; those that come to it in a scene may.

use glam::Vec3A;

use super::RAYS;
use super::blocks::Together;
use super::bundle::largest;
use super::kept::{Eight, Wanted};
use crate::bvh::node::Node;
use crate::bvh::slab::{T_ROUNDING, U};
use crate::entry::{Shear, Start, surely_near};
use crate::mesh::MeshData;
use crate::simd::block::Turn;
use crate::simd::block::{Planes, pick_plane};
use crate::simd::lanes::Lanes;
use crate::simd::row::Row;
use crate::simd::sixteen::{Row16, Sixteen};
use crate::transform::{Transform, Wide};
use crate::world::top::{Seen, Top};

/// Rays of one octant, of one longest axis, from nearly one place nearly one way.
pub(super) struct Rays {
    /// By the box test's axes x, y, z.
    pub axes: [AxisOf; 3],
    /// How much larger boxes are, to be conservative over the recipe: see [`slab`](crate::bvh::slab).
    pub margin: f32,
    pub begin: Row16,
    /// How far each ray still looks.
    pub reach: Row16,
    pub planes: &'static Planes,
    pub turn: Turn,
    /// Origins along `kx`, `ky`, `kz`.
    pub turned: [Row16; 3],
    pub sx: Row16,
    pub sy: Row16,
    /// The direction along `kz`.
    pub depth: Row16,
    /// World `t` of the origins, and whether any may be another than 0.
    pub t0: [Eight; 2],
    pub moved: bool,
}

/// What rays are set up for: a tree, as large as its largest coordinate.
struct Around {
    reach: f32,
    /// By how much its boxes are larger.
    margin: f32,
    /// All coordinates of origins are smaller.
    near: f32,
}

/// One axis of all rays.
pub(super) struct AxisOf {
    pub origin: Row16,
    /// One over the direction.
    pub r: Row16,
    near: Row16,
    far: Row16,
}

/// Bits of all rays.
const ALL: u32 = (1 << RAYS) - 1;

/// Lengths of directions, and sizes of meshes, for which nothing in a box test leaves `f32` without a scale.
const USUAL: core::ops::RangeInclusive<f32> = 1.0 / (1 << 20) as f32..=(1 << 20) as f32;
pub(in crate::bvh) const USUAL_REACH: core::ops::RangeInclusive<f32> =
    1.0 / (1u64 << 40) as f32..=(1u64 << 40) as f32;

/// By how much slopes may differ from the first in a group, and origins, for a mesh of size 1.
const SLOPES: f32 = 0.25;
const ORIGINS: f32 = 0.2;

/// Margins, and origins that the entry into a mesh has moved, are less than so many times its size, or make no group; and `t` of no more than so much
/// is lost in that of rays which look nowhere.
const AWAY: f32 = (1 << 20) as f32;
const FARTHEST: f64 = (1u128 << 100) as f64;

impl Rays {
    /// Of rays through the same octant, of which those that are not live look nowhere. `None` where they have too little else in
    /// common, or where any of them is out of the ordinary.
    #[inline(always)]
    pub fn new<S: Sixteen>(lanes: S, rays: Together<'_>, live: u32, mesh: &MeshData) -> Option<Rays> {
        let mut rows = [Row([0.0; 8]); RAYS];
        for (i, row) in rows.iter_mut().enumerate() {
            *row = lanes.narrow(&rays.ray(i).numbers());
        }
        let near = surely_near(f64::from(mesh.reach));
        let around = Around { reach: mesh.reach, margin: mesh.frame.margin(), near };
        let columns = Columns(lanes.columns(&rows));
        Rays::around(lanes, &columns, None, live, &around)
    }

    /// The largest coordinate of any origin.
    #[inline(always)]
    pub fn farthest<L: Lanes>(&self, lanes: L) -> f32 {
        let sixteen = lanes.sixteen();
        let [x, y, z] = &self.turned;
        let most = sixteen.max(sixteen.max(sixteen.abs(x), sixteen.abs(y)), sixteen.abs(z));
        largest(lanes, &sixteen.store(most))
    }

    /// The same for the boxes of a scene's tree.
    #[inline(always)]
    pub fn over<S: Sixteen>(lanes: S, world: &InWorld, wanted: &Wanted, top: &Top) -> Option<Rays> {
        let centre = top.centre().to_array();
        let (mut columns, mut farthest) = (Columns::of(&world.dir, wanted), 0.0f64);
        for axis in 0..3 {
            for i in 0..RAYS {
                let origin = world.origin[axis].0[i];
                columns.0[axis].0[i] = (origin - centre[axis]) as f32;
                farthest = farthest.max(origin.abs());
            }
        }
        columns.repeat(lanes, wanted.live);
        let Seen { reach, margin } = top.seen_from(farthest)?;
        let around = Around { reach, margin, near: surely_near(f64::from(reach)) };
        Rays::around(lanes, &columns, None, wanted.live, &around)
    }

    /// Of those rays that want something, of which there are some, in the frame of what stands at a place of its own: coordinates up to `reach`, boxes
    /// larger by `margin`. `None` also where any of them would be moved first and must not be.
    #[inline(always)]
    pub fn placed<S: Sixteen>(
        lanes: S,
        world: &InWorld,
        wanted: &Wanted,
        place: &Transform,
        [reach, margin]: [f32; 2],
        may_move: bool,
    ) -> Option<Rays> {
        let (p, q) = (place.inverse_points(&world.origin), place.inverse_vectors(&world.dir));
        let (mut columns, mut t0) = (Columns::of(&q, wanted), None);
        for axis in 0..3 {
            for i in 0..RAYS {
                columns.0[axis].0[i] = p[axis].0[i] as f32;
            }
        }
        let (mut margin, mut near) = (margin, surely_near(f64::from(reach)));
        if !all_below(lanes, &columns.origin(), near) {
            if !may_move {
                return None;
            }
            let away = columns.enter(&p, &q, wanted, reach, t0.insert([Eight::ZERO; 2]))?;
            (margin, near) = (margin.max(away * (24.0 * U)), reach * AWAY);
        }
        columns.repeat(lanes, wanted.live);
        if !all_one_octant(columns.dir()) {
            return None;
        }
        let around = Around { reach, margin, near };
        Rays::around(lanes, &columns, t0, wanted.live, &around)
    }

    /// Of rays by their numbers.
    #[inline(always)]
    fn around<S: Sixteen>(
        lanes: S,
        columns: &Columns,
        t0: Option<[Eight; 2]>,
        wanted: u32,
        around: &Around,
    ) -> Option<Rays> {
        let Columns([ox, oy, oz, dx, dy, dz, begin, reach]) = columns;
        let (origin, dir) = ([ox, oy, oz], [dx, dy, dz]);
        let first = Vec3A::new(dx.0[0], dy.0[0], dz.0[0]);
        let turn = Turn::new(first, first.abs().max_element());
        let [kx, ky, kz] = [turn.kx.number(), turn.ky.number(), turn.kz.number()];
        let (sx, sy) = (ratio(dir[kx], dir[kz]), ratio(dir[ky], dir[kz]));
        let margin = around.margin * (1.0 + 1.0 / (1 << 20) as f32);
        let sound = USUAL_REACH.contains(&around.reach)
            && margin < around.reach * AWAY
            && all_turn(lanes, dir, kz)
            && all_below(lanes, &origin, around.near)
            && all_limits_are_numbers(lanes, begin, reach)
            && all_alike(lanes, [&sx, &sy], SLOPES)
            && all_alike(lanes, [ox, oy, oz], around.reach * ORIGINS);
        if !sound {
            return None;
        }
        let long = dir[kz];
        Some(Rays {
            axes: [
                AxisOf::new(ox, dx, long, margin),
                AxisOf::new(oy, dy, long, margin),
                AxisOf::new(oz, dz, long, margin),
            ],
            margin,
            begin: lower(begin),
            reach: of_wanted(lanes, wanted, upper(reach)),
            planes: Planes::new(first.is_negative_bitmask()),
            turn,
            turned: [*origin[kx], *origin[ky], *origin[kz]],
            sx,
            sy,
            depth: *dir[kz],
            t0: t0.unwrap_or([Eight::ZERO; 2]),
            moved: t0.is_some(),
        })
    }

    /// One ray, as the test of many triangles wants it.
    #[inline(always)]
    pub fn single(&self, ray: usize) -> (Shear, [f32; 3]) {
        let (sx, sy, depth) = (self.sx.0[ray], self.sy.0[ray], f64::from(self.depth.0[ray]));
        let [x, y, z] = &self.turned;
        (Shear { turn: self.turn, sx, sy, depth }, [x.0[ray], y.0[ray], z.0[ray]])
    }

    /// Bits of the rays that meet a child's box within their reach.
    #[inline(always)]
    pub fn meet<S: Sixteen>(&self, lanes: S, node: &Node, place: usize) -> u32 {
        let begin = lanes.max(
            lanes.max(self.enter(lanes, node, place, 0), self.enter(lanes, node, place, 1)),
            lanes.max(self.enter(lanes, node, place, 2), lanes.load(&self.begin)),
        );
        let end = lanes.min(
            lanes.min(self.leave(lanes, node, place, 0), self.leave(lanes, node, place, 1)),
            lanes.min(self.leave(lanes, node, place, 2), lanes.load(&self.reach)),
        );
        lanes.le(begin, end)
    }

    #[inline(always)]
    fn enter<S: Sixteen>(&self, lanes: S, node: &Node, place: usize, axis: usize) -> S::F {
        let plane = lanes.splat(pick_plane(&node.planes, self.planes.first(axis), place));
        let AxisOf { r, near, .. } = &self.axes[axis];
        lanes.mul_add_loose(plane, lanes.load(r), lanes.load(near))
    }

    #[inline(always)]
    fn leave<S: Sixteen>(&self, lanes: S, node: &Node, place: usize, axis: usize) -> S::F {
        let plane = lanes.splat(pick_plane(&node.planes, self.planes.last(axis), place));
        let AxisOf { r, far, .. } = &self.axes[axis];
        lanes.mul_add_loose(plane, lanes.load(r), lanes.load(far))
    }
}

/// Sixteen rays in the world, along each axis.
pub(super) struct InWorld {
    origin: [Wide; 3],
    dir: [Wide; 3],
}

impl InWorld {
    #[inline(always)]
    pub fn new(rays: Together<'_>) -> InWorld {
        let mut world = InWorld { origin: [Wide([0.0; RAYS]); 3], dir: [Wide([0.0; RAYS]); 3] };
        for i in 0..RAYS {
            for axis in 0..3 {
                world.origin[axis].0[i] = rays.ray(i).origin()[axis];
                world.dir[axis].0[i] = rays.ray(i).dir()[axis];
            }
        }
        world
    }
}

/// What a tree is told of sixteen rays: origins, directions, and from where to where they look.
struct Columns([Row16; 8]);

impl Columns {
    /// With directions and limits alone.
    #[inline(always)]
    fn of(dir: &[Wide; 3], wanted: &Wanted) -> Columns {
        let mut columns = Columns([Row16::ZERO; 8]);
        for i in 0..RAYS {
            for axis in 0..3 {
                columns.0[3 + axis].0[i] = dir[axis].0[i] as f32;
            }
            let (begin, end) = wanted.range(i);
            (columns.0[6].0[i], columns.0[7].0[i]) = (begin as f32, end as f32);
        }
        columns
    }

    #[inline(always)]
    fn origin(&self) -> [&Row16; 3] {
        let [x, y, z, ..] = &self.0;
        [x, y, z]
    }

    #[inline(always)]
    fn dir(&self) -> [&Row16; 3] {
        let [_, _, _, x, y, z, ..] = &self.0;
        [x, y, z]
    }

    /// Starts the rays as the law has it that come from far away, and says how far away they are then. `None` where nobody could say
    /// how much of their `t` is lost.
    #[inline(never)]
    fn enter(
        &mut self,
        p: &[Wide; 3],
        q: &[Wide; 3],
        wanted: &Wanted,
        reach: f32,
        t0: &mut [Eight; 2],
    ) -> Option<f32> {
        let mut away = 0.0f32;
        for i in (0..RAYS).filter(|i| wanted.live >> i & 1 == 1) {
            let of = |vector: &[Wide; 3]| [0, 1, 2].map(|axis| vector[axis].0[i]);
            // Directions that are scaled are out of the ordinary.
            let start = Start::new(of(p), of(q), 1.0, f64::from(reach));
            if start.t0.abs() > FARTHEST {
                return None;
            }
            let slack = start.t0.abs() * T_ROUNDING;
            let (begin, end) = wanted.range(i);
            let [x, y, z] = start.origin.to_array();
            (self.0[0].0[i], self.0[1].0[i], self.0[2].0[i]) = (x, y, z);
            self.0[6].0[i] = ((begin - start.t0) - slack) as f32;
            self.0[7].0[i] = ((end - start.t0) + slack) as f32;
            t0[i / 8].0[i % 8] = start.t0;
            away = away.max(start.away);
        }
        Some(away)
    }

    /// Puts the first of these rays, of which there is one, in the place of all others.
    #[inline(always)]
    fn repeat<S: Sixteen>(&mut self, lanes: S, live: u32) {
        let first = live.trailing_zeros() as usize % RAYS;
        for column in &mut self.0 {
            lanes.put(!live, column.0[first], column);
        }
    }
}

/// Whether all directions run through the same octant.
#[inline(always)]
fn all_one_octant(dir: [&Row16; 3]) -> bool {
    let mut differ = 0;
    for column in dir {
        for number in column.0 {
            differ |= number.to_bits() ^ column.0[0].to_bits();
        }
    }
    differ >> 31 == 0
}

impl AxisOf {
    #[inline(always)]
    fn new(origin: &Row16, dir: &Row16, long: &Row16, margin: f32) -> AxisOf {
        let mut axis = AxisOf { origin: *origin, r: Row16::ZERO, near: Row16::ZERO, far: Row16::ZERO };
        for i in 0..RAYS {
            // As small as a component may get: 2^-40 of a power of two at or below the largest.
            let floor = f32::from_bits(long.0[i].to_bits() & 0x7f80_0000) * (1.0 / (1u64 << 40) as f32);
            let size = dir.0[i].abs();
            let held = if size > floor { size } else { floor };
            let r = 1.0 / held.copysign(dir.0[i]);
            let aside = margin.copysign(r);
            axis.r.0[i] = r;
            axis.near.0[i] = (origin.0[i] + aside) * -r;
            axis.far.0[i] = (origin.0[i] - aside) * -r;
        }
        axis
    }
}

#[inline(always)]
fn ratio(a: &Row16, b: &Row16) -> Row16 {
    let mut ratio = Row16::ZERO;
    for i in 0..RAYS {
        ratio.0[i] = a.0[i] / b.0[i];
    }
    ratio
}

/// Whether for all directions `kz` is the lowest axis of the largest component, which is of a usual size.
#[inline(always)]
fn all_turn<S: Sixteen>(lanes: S, dir: [&Row16; 3], kz: usize) -> bool {
    let long = lanes.abs(dir[kz]);
    let mut sound = lanes.le(lanes.splat(*USUAL.start()), long) & lanes.le(long, lanes.splat(*USUAL.end()));
    for (axis, dir) in dir.into_iter().enumerate() {
        let size = lanes.abs(dir);
        sound &= if axis < kz { lanes.lt(size, long) } else { lanes.le(size, long) };
    }
    sound == ALL
}

#[inline(always)]
fn all_below<S: Sixteen>(lanes: S, origin: &[&Row16; 3], limit: f32) -> bool {
    let [x, y, z] = origin;
    let most = lanes.max(lanes.max(lanes.abs(x), lanes.abs(y)), lanes.abs(z));
    lanes.lt(most, lanes.splat(limit)) == ALL
}

/// Whether [`lower`] and [`upper`] give numbers.
#[inline(always)]
fn all_limits_are_numbers<S: Sixteen>(lanes: S, begin: &Row16, reach: &Row16) -> bool {
    lanes.lt(lanes.load(begin), lanes.splat(f32::INFINITY))
        & lanes.lt(lanes.splat(f32::NEG_INFINITY), lanes.load(reach))
        == ALL
}

/// The reaches of these rays; the others end before they begin, so that they keep no box open.
#[inline(always)]
fn of_wanted<S: Sixteen>(lanes: S, wanted: u32, mut reach: Row16) -> Row16 {
    lanes.put(!wanted, f32::NEG_INFINITY, &mut reach);
    reach
}

/// Whether no number of any row differs by more than so much from the first.
#[inline(always)]
fn all_alike<S: Sixteen, const N: usize>(lanes: S, rows: [&Row16; N], most: f32) -> bool {
    let mut alike = ALL;
    for row in rows {
        let apart = lanes.sub(lanes.load(row), lanes.splat(row.0[0]));
        alike &= lanes.le(lanes.splat(-most), apart) & lanes.le(apart, lanes.splat(most));
    }
    alike == ALL
}

/// Bounds that no `t` which rounds to these lies below.
#[inline(always)]
pub(in crate::bvh) fn lower(t: &Row16) -> Row16 {
    let mut bound = Row16::ZERO;
    for i in 0..RAYS {
        bound.0[i] = t.0[i] - t.0[i].abs() * (4.0 * U);
    }
    bound
}

/// Bounds that no `t` which rounds to these lies above.
#[inline(always)]
pub(in crate::bvh) fn upper(t: &Row16) -> Row16 {
    let mut bound = Row16::ZERO;
    for i in 0..RAYS {
        bound.0[i] = upper_of(t.0[i]);
    }
    bound
}

/// The same of one.
#[inline(always)]
pub(super) fn upper_of(t: f32) -> f32 {
    t + t.abs() * (4.0 * U)
}
