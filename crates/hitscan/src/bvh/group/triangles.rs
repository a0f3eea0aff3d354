//! The rays of a group against the triangles of a leaf: one triangle after the other, all rays at once.

use super::kept::{Crossings, Eight, Kept, Single};
use super::{Group, RAYS, Triangles};
use crate::bvh::layout::{Block, Place, Room};
use crate::bvh::leaf::{Across, depths, extent};
use crate::bvh::node::LeafRef;
use crate::intersect::watertight::Crossing;
use crate::simd::block::{Axis, corner};
use crate::simd::lanes::{Edges, Lanes, edges, lowest};
use crate::simd::sixteen::{Row16, Sixteen};

impl<'a, L: Lanes, K: Kept<'a>> Group<'_, L, Triangles<'a, '_, K>> {
    /// Offers every ray of these bits the triangles of a leaf.
    #[inline(always)]
    pub(super) fn leaf(&mut self, payload: u32, active: u32) {
        let leaf = LeafRef::from_payload(payload);
        let (mesh, mut room) = (self.below.entered.mesh, Room::uninit());
        let block = mesh.leaves().block(leaf, &mut room);
        let mut nearer = false;
        // One ray with eight triangles, or one triangle with sixteen rays: what is less work.
        if 2 * active.count_ones() as usize <= leaf.count {
            let mut rest = active;
            while rest != 0 {
                nearer |= self.ray(rest.trailing_zeros() as usize % RAYS, block, payload, leaf);
                rest &= rest - 1;
            }
        } else {
            // Most are nowhere near.
            let mut maybe = self.boxes(block, leaf);
            while maybe != 0 {
                let lane = maybe.trailing_zeros();
                maybe &= maybe - 1;
                let wanted = active & self.wanted.live;
                nearer |= self.triangle(Place { payload, lane }, block, leaf, wanted);
            }
        }
        if nearer {
            self.look_less_far();
        }
    }

    /// Bits of the triangles of a leaf whose boxes any ray may meet. The box of one is what a leaf of it alone would have, so its test
    /// refuses no more than that of a leaf does.
    #[inline(always)]
    fn boxes(&self, block: &Block, leaf: LeafRef) -> u32 {
        let lanes = self.lanes;
        let mut planes = [[0.0; 8]; 6];
        for axis in Axis::ALL {
            let [low, high] = extent(lanes, block, axis, leaf.stride());
            planes[axis.number()] = lanes.store(low);
            planes[3 + axis.number()] = lanes.store(high);
        }
        self.bundle.test(lanes, self.rays.planes, &planes).0 & leaf.lanes()
    }

    /// Offers one ray all triangles of a leaf; whether it may look less far now.
    #[inline(always)]
    fn ray(&mut self, ray: usize, block: &Block, payload: u32, leaf: LeafRef) -> bool {
        let mut nearer = false;
        let (shear, turned) = self.rays.single(ray);
        let across = Across::new(self.lanes, &shear, turned, block, leaf);
        let mut maybe = across.candidates;
        while maybe != 0 && self.wanted.live >> ray & 1 == 1 {
            let lane = lowest(maybe);
            maybe &= maybe - 1;
            let [x, y] = across.of(self.lanes, lane);
            let edges = self.lanes.edges(x, y);
            let z = depths(&shear, turned, block, leaf, lane);
            nearer |= self.single(Place { payload, lane: lane as u32 }, ray, edges, z, shear.depth);
        }
        nearer
    }

    /// Offers one ray the crossing with these edges, if it is one; whether it may look less far now.
    #[inline(always)]
    fn single(&mut self, place: Place, ray: usize, edges: Edges, z: [f32; 3], depth: f64) -> bool {
        let Edges { values, above, below } = edges;
        let crossing = Crossing::of_edges(values);
        let t = self.rays.t0[ray / 8 % 2].0[ray % 8] + crossing.t_of(z, depth);
        let through = (above == 7) | (below == 7);
        if through & self.wanted.wants(ray, t) {
            let found = Single { ray, place, t, crossing, clockwise: below == 7 };
            return self.below.kept.take_single(self.below.entered.mesh, self.wanted, &found);
        }
        let touches = !through & ((above == 0) | (below == 0));
        touches && self.below.kept.touch(&self.below.entered, self.wanted, ray, place)
    }

    /// Offers one triangle to those rays that may hit it; whether any may look less far now.
    #[inline(always)]
    fn triangle(&mut self, place: Place, block: &Block, leaf: LeafRef, wanted: u32) -> bool {
        let lanes = self.lanes.sixteen();
        let a = self.across::<0>(block, leaf, place);
        let b = self.across::<1>(block, leaf, place);
        let c = self.across::<2>(block, leaf, place);
        let (u, v, w) = (edge(lanes, &c, &b), edge(lanes, &a, &c), edge(lanes, &b, &a));
        let zero = lanes.splat(0.0);
        let (low, high) = (lanes.min(lanes.min(u, v), w), lanes.max(lanes.max(u, v), w));
        let maybe = !(lanes.lt(low, zero) & lanes.lt(zero, high)) & wanted;
        if maybe == 0 {
            return false;
        }
        // Rounding keeps the order of products: where all edge values have one sign in `f32`, they have it.
        let below = lanes.lt(high, zero);
        let through = (lanes.lt(zero, low) | below) & maybe;
        let sheared = [
            [lanes.store(a[0]), lanes.store(a[1]), lanes.store(a[2])],
            [lanes.store(b[0]), lanes.store(b[1]), lanes.store(b[2])],
            [lanes.store(c[0]), lanes.store(c[1]), lanes.store(c[2])],
        ];
        let mut nearer = false;
        for half in 0..2 {
            let through = through >> (8 * half) & 0xff;
            if through != 0 {
                nearer |= self.cross(place, &sheared, half, through, below >> (8 * half) & 0xff);
            }
        }
        if through != maybe {
            nearer |= self.unsure(place, &sheared, maybe & !through);
        }
        nearer
    }

    /// Offers one triangle to rays of a half that go through it; whether any may look less far now.
    #[inline(always)]
    fn cross(
        &mut self,
        place: Place,
        sheared: &[[Row16; 3]; 3],
        half: usize,
        through: u32,
        clockwise: u32,
    ) -> bool {
        let (edges, t) = exact(sheared, &self.rays.depth, &self.rays.t0[half % 2], 8 * half);
        let begin = self.lanes.le_doubles(&self.wanted.begin[half].0, &t.0);
        let end = self.lanes.le_doubles(&t.0, &self.wanted.end[half].0);
        let through = through & begin & end;
        let found = Crossings { half, place, edges, t, through, clockwise };
        self.below.kept.take(self.lanes, self.below.entered.mesh, self.wanted, &found)
    }

    /// Offers one triangle to rays that may touch its outline; whether any may look less far now.
    #[cold]
    fn unsure(&mut self, place: Place, sheared: &[[Row16; 3]; 3], maybe: u32) -> bool {
        let (mut maybe, mut nearer) = (maybe, false);
        while maybe != 0 {
            let ray = maybe.trailing_zeros() as usize % RAYS;
            maybe &= maybe - 1;
            let [x, y, z] = [0, 1, 2].map(|axis| [0, 1, 2].map(|corner| sheared[corner][axis].0[ray]));
            // A function of its own, so without the kernel's instruction set.
            let edges = edges(x.into(), y.into());
            nearer |= self.single(place, ray, edges, z, f64::from(self.rays.depth.0[ray]));
        }
        nearer
    }

    /// One corner across all rays: its sheared `x`, `y`, `z`.
    #[inline(always)]
    fn across<const CORNER: usize>(
        &self,
        block: &Block,
        leaf: LeafRef,
        place: Place,
    ) -> [<L::Sixteen as Sixteen>::F; 3] {
        let (lanes, rays, lane) = (self.lanes.sixteen(), &*self.rays, place.lane as usize);
        let [ox, oy, oz] = &rays.turned;
        let z = lanes
            .sub(lanes.splat(corner::<CORNER>(block, rays.turn.kz, leaf.stride(), lane)), lanes.load(oz));
        let x = lanes
            .sub(lanes.splat(corner::<CORNER>(block, rays.turn.kx, leaf.stride(), lane)), lanes.load(ox));
        let y = lanes
            .sub(lanes.splat(corner::<CORNER>(block, rays.turn.ky, leaf.stride(), lane)), lanes.load(oy));
        let (sx, sy) = (lanes.load(&rays.sx), lanes.load(&rays.sy));
        [lanes.sub(x, lanes.mul(sx, z)), lanes.sub(y, lanes.mul(sy, z)), z]
    }
}

#[inline(always)]
fn edge<S: Sixteen>(lanes: S, p: &[S::F; 3], q: &[S::F; 3]) -> S::F {
    lanes.sub(lanes.mul(p[0], q[1]), lanes.mul(p[1], q[0]))
}

/// What the recipe says in `f64` of one triangle and eight rays from number `first` on: its edge values, and world `t`, as that
/// of rays which are not scaled.
#[inline(always)]
fn exact(sheared: &[[Row16; 3]; 3], depth: &Row16, t0: &Eight, first: usize) -> ([Eight; 3], Eight) {
    let (mut edges, mut t) = ([Eight::ZERO; 3], Eight::ZERO);
    for i in 0..8 {
        let ray = first + i;
        let mut corners = [[0.0; 3]; 3];
        for corner in 0..3 {
            for axis in 0..3 {
                corners[corner][axis] = sheared[corner][axis].0[ray];
            }
        }
        let crossing = Crossing::new(corners);
        let [u, v, w] = crossing.edge_values();
        (edges[0].0[i], edges[1].0[i], edges[2].0[i]) = (u, v, w);
        t.0[i] = t0.0[i] + crossing.t(corners, f64::from(depth.0[ray]));
    }
    (edges, t)
}
