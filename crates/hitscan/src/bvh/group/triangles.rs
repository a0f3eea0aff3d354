//! The rays of a group against the triangles of a leaf: one triangle after the other, all rays at once.

use super::rays::upper_of;
use super::{Group, RAYS, bundle};
use crate::bvh::leaf::{Across, Place, depths, kernel_block};
use crate::bvh::node::LeafRef;
use crate::bvh::walk::Reach;
use crate::entry::LocalRay;
use crate::intersect::watertight::Crossing;
use crate::query::Collector;
use crate::simd::block::{BLOCK_ROWS, corner};
use crate::simd::lanes::{Lanes, lowest};
use crate::simd::sixteen::{Row16, Sixteen};

impl<L: Lanes, C: Collector> Group<'_, '_, L, C> {
    /// Offers every ray of these bits the triangles of a leaf.
    #[inline(always)]
    pub(super) fn leaf(&mut self, payload: u32, active: u32) {
        let leaf = LeafRef::from_payload(payload);
        let mut taken = 0;
        // One ray with eight triangles, or one triangle with sixteen rays: what is less work.
        if 2 * active.count_ones() as usize <= leaf.count {
            let mut rest = active;
            while rest != 0 {
                let ray = rest.trailing_zeros() as usize % RAYS;
                rest &= rest - 1;
                taken |= self.ray(ray, payload, leaf);
            }
        } else {
            for lane in 0..leaf.count {
                taken |= self.triangle(Place { payload, lane: lane as u32 }, leaf, active & self.live);
            }
        }
        if taken != 0 {
            let mut rest = taken;
            while rest != 0 {
                let ray = rest.trailing_zeros() as usize % RAYS;
                let over = self.live >> ray & 1 == 0;
                let limit = self.probes[ray].collector.limit();
                let reach = if over { f32::NEG_INFINITY } else { upper_of(limit as f32) };
                self.lanes.sixteen().put(&mut self.rays.reach, rest & rest.wrapping_neg(), reach);
                rest &= rest - 1;
            }
            self.bundle.reach = Reach::new(bundle::largest(&self.rays.reach));
        }
    }

    /// Offers one ray all triangles of a leaf; gives its bit if its reach may be shorter now.
    #[inline(always)]
    fn ray(&mut self, ray: usize, payload: u32, leaf: LeafRef) -> u32 {
        let mut taken = 0;
        let block = kernel_block(&self.mesh.tree.rows, leaf);
        let (shear, turned) = self.rays.single(ray);
        let across = Across::new(self.lanes, &shear, turned, block, leaf);
        let mut maybe = across.candidates;
        while maybe != 0 && self.live >> ray & 1 == 1 {
            let lane = lowest(maybe);
            maybe &= maybe - 1;
            let [x, y] = across.of(self.lanes, lane);
            let edges = self.lanes.edges(x, y).values;
            let t = Crossing::of_edges(edges).t_of(depths(&shear, turned, block, leaf, lane), shear.depth);
            if self.offer(Place { payload, lane: lane as u32 }, ray, edges, t) {
                taken = 1 << ray;
            }
        }
        taken
    }

    /// Offers one triangle to those rays that may hit it; gives the bits of those whose reach may be shorter now.
    #[inline(always)]
    fn triangle(&mut self, place: Place, leaf: LeafRef, wanted: u32) -> u32 {
        let lanes = self.lanes.sixteen();
        let block = kernel_block(&self.mesh.tree.rows, leaf);
        let a = self.across::<0>(block, leaf, place);
        let b = self.across::<1>(block, leaf, place);
        let c = self.across::<2>(block, leaf, place);
        let (u, v, w) = (edge(lanes, &c, &b), edge(lanes, &a, &c), edge(lanes, &b, &a));
        let zero = lanes.splat(0.0);
        let some_negative = lanes.lt(lanes.min(lanes.min(u, v), w), zero);
        let some_positive = lanes.lt(zero, lanes.max(lanes.max(u, v), w));
        let maybe = !(some_negative & some_positive) & wanted;
        if maybe == 0 {
            return 0;
        }
        let sheared = [
            [lanes.store(a[0]), lanes.store(a[1]), lanes.store(a[2])],
            [lanes.store(b[0]), lanes.store(b[1]), lanes.store(b[2])],
            [lanes.store(c[0]), lanes.store(c[1]), lanes.store(c[2])],
        ];
        self.finish(place, &sheared, maybe)
    }

    /// The `f64` part of the recipe for the rays of these bits.
    #[inline(always)]
    fn finish(&mut self, place: Place, sheared: &[[Row16; 3]; 3], maybe: u32) -> u32 {
        let mut taken = 0;
        for half in 0..RAYS / 8 {
            let mut maybe = maybe >> (8 * half) & 0xff;
            if maybe == 0 {
                continue;
            }
            let exact = Exact::new(sheared, &self.rays.depth, 8 * half);
            while maybe != 0 {
                let lane = maybe.trailing_zeros() as usize % 8;
                maybe &= maybe - 1;
                let ray = 8 * half + lane;
                let edges = [exact.edges[0][lane], exact.edges[1][lane], exact.edges[2][lane]];
                if self.offer(place, ray, edges, exact.t[lane]) {
                    taken |= 1 << ray;
                }
            }
        }
        taken
    }

    /// Whether one ray took the crossing with these edge values.
    #[inline(always)]
    fn offer(&mut self, place: Place, ray: usize, [u, v, w]: [f64; 3], t: f64) -> bool {
        let probe = &mut self.probes[ray];
        let above = (u > 0.0) & (v > 0.0) & (w > 0.0);
        let below = (u < 0.0) & (v < 0.0) & (w < 0.0);
        let flow = if above | below {
            probe.crossing(self.mesh, place, t, Crossing::of_edges([u, v, w]), below, |_| true)
        } else {
            let some_above = (u > 0.0) | (v > 0.0) | (w > 0.0);
            let some_below = (u < 0.0) | (v < 0.0) | (w < 0.0);
            if some_above & some_below {
                return false;
            }
            let local = LocalRay::of(probe.ray, f64::from(self.mesh.reach));
            probe.outline(self.mesh, &local, place)
        };
        if flow.is_break() {
            self.live &= !(1 << ray);
        }
        flow.is_break() || flow == core::ops::ControlFlow::Continue(true)
    }

    /// One corner across all rays: its sheared `x`, `y`, `z`.
    #[inline(always)]
    fn across<const CORNER: usize>(
        &self,
        block: &[f32; 8 * BLOCK_ROWS],
        leaf: LeafRef,
        place: Place,
    ) -> [<L::Sixteen as Sixteen>::F; 3] {
        let (lanes, rays, lane) = (self.lanes.sixteen(), &self.rays, place.lane as usize);
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

/// What the recipe says in `f64` of eight rays and one triangle.
struct Exact {
    edges: [[f64; 8]; 3],
    /// World `t`, as that of rays which start at 0 and are not scaled.
    t: [f64; 8],
}

impl Exact {
    /// Of eight rays from number `first` on.
    #[inline(always)]
    fn new(sheared: &[[Row16; 3]; 3], depth: &Row16, first: usize) -> Exact {
        let mut exact = Exact { edges: [[0.0; 8]; 3], t: [0.0; 8] };
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
            (exact.edges[0][i], exact.edges[1][i], exact.edges[2][i]) = (u, v, w);
            exact.t[i] = crossing.t(corners, f64::from(depth.0[ray]));
        }
        exact
    }
}
