//! The triangles of many leaves, one ray each, tested in stages.
//!
//! Whether a triangle stays in question, and whether the ray goes through it, nobody can foretell. One leaf after the other,
//! the machine would wait for each of these answers before it began with the next leaf. In stages, each of which goes through all leaves and
//! writes down what is left for the next without a branch, it works on many at once.

use alloc::boxed::Box;
use alloc::vec;

use super::walker::Walker;
use super::way::Way;
use super::{IN_FLIGHT, Rays};
use crate::bvh::layout::Room;
use crate::bvh::leaf::Across;
use crate::bvh::node::LeafRef;
use crate::intersect::watertight::Crossing;
use crate::mesh::MeshData;
use crate::query::Collector;
use crate::simd::lanes::{Edges, Lanes, PACKING};
use glam::Vec3A;

/// Most triangles of all leaves.
const MOST: usize = 8 * IN_FLIGHT;

/// Coordinates of corners A, B and C of a leaf's triangles.
type Corners = [[f32; 8]; 3];

/// The triangles of a leaf across its ray.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Seen {
    x: Corners,
    y: Corners,
    z: Corners,
}

/// A crossing in the leaf that a ray has come to.
#[derive(Clone, Copy)]
pub(super) struct Crossed {
    /// Which ray it is of those under way.
    at: usize,
    pub lane: u32,
    pub clockwise: bool,
    pub t: f64,
    pub crossing: Crossing,
}

/// What is left of the triangles after each stage.
pub(super) struct Sieve {
    /// By the numbers of rays under way.
    seen: Box<[Seen; IN_FLIGHT]>,
    /// The triangles that may be hit: the rays that have come to their leaves, and lanes.
    rays: [u8; MOST + 8],
    lanes: [u8; MOST + 8],
    /// Those that are.
    crossed: Box<[Crossed; MOST]>,
    /// Those with an edge value of zero and none of either sign against it.
    touched: [(u8, u8); MOST],
}

impl Sieve {
    #[inline(always)]
    pub fn new() -> Sieve {
        let corners = [[0.0; 8]; 3];
        let crossing = Crossing::at_first_corner();
        Sieve {
            seen: boxed(Seen { x: corners, y: corners, z: corners }),
            rays: [0; MOST + 8],
            lanes: [0; MOST + 8],
            crossed: boxed(Crossed { at: 0, lane: 0, clockwise: false, t: 0.0, crossing }),
            touched: [(0, 0); MOST],
        }
    }

    /// Offers the rays that have come to a leaf what they cross there.
    #[inline(always)]
    pub fn test<L: Lanes, C: Collector, W: Way>(
        &mut self,
        lanes: L,
        way: &W,
        walkers: &mut [Walker<'_, '_, C, W>],
        leaves: Rays,
    ) {
        let named = leaves.numbers().map(|at| &walkers[at]);
        way.fetch_named(lanes, named.map(|walker| (walker.within, LeafRef::from_payload(walker.leaf()))));
        let mut candidates = 0;
        for at in leaves.numbers() {
            if let Some(mesh) = way.mesh(walkers[at].within) {
                candidates += self.look(lanes, mesh, &walkers[at], at, candidates);
            }
        }
        let (mut crossed, mut touched) = (0, 0);
        for candidate in 0..candidates {
            let (at, lane) = (usize::from(self.rays[candidate]), self.lanes[candidate]);
            let Walker { local, probe, .. } = &walkers[at];
            let [x, y, z] = self.seen[at % IN_FLIGHT].of(usize::from(lane));
            let Edges { values, above, below } = lanes.edges(x, y);
            let crossing = Crossing::of_edges(values);
            let t = local.world_t(crossing.t_of(z.to_array(), local.shear.depth));
            let through = (above == 7) | (below == 7);
            let wanted = through & (t >= probe.ray.t_min()) & (t <= probe.collector.limit());
            self.crossed[crossed % MOST] =
                Crossed { at, lane: lane.into(), clockwise: below == 7, t, crossing };
            crossed += usize::from(wanted);
            self.touched[touched % MOST] = (at as u8, lane);
            touched += usize::from(!through & ((above == 0) | (below == 0)));
        }
        for found in &self.crossed[..crossed] {
            let walker = &mut walkers[found.at];
            if let Some(mesh) = way.mesh(walker.within) {
                walker.offer(mesh, found);
            }
        }
        for &(at, lane) in &self.touched[..touched] {
            let walker = &mut walkers[usize::from(at)];
            if let Some(mesh) = way.mesh(walker.within) {
                walker.touch(mesh, lane.into());
            }
        }
    }

    /// Writes down which triangles of a leaf its ray may hit, behind so many others, and gives their number.
    #[inline(always)]
    fn look<L: Lanes, C: Collector, W: Way>(
        &mut self,
        lanes: L,
        mesh: &MeshData,
        walker: &Walker<'_, '_, C, W>,
        at: usize,
        behind: usize,
    ) -> usize {
        let (shear, turned) = (&walker.local.shear, walker.local.turned);
        let leaf = LeafRef::from_payload(walker.leaf());
        let mut room = Room::uninit();
        let across = Across::new(lanes, shear, turned, mesh.leaves().block(leaf, &mut room), leaf);
        self.seen[at % IN_FLIGHT] =
            Seen { x: stored(lanes, across.x), y: stored(lanes, across.y), z: stored(lanes, across.z) };
        // Eight in any case; those beyond their number are written over by the next.
        let candidates = across.candidates & 0xff;
        self.rays[behind..][..8].copy_from_slice(&[at as u8; 8]);
        self.lanes[behind..][..8].copy_from_slice(&PACKING[candidates as usize]);
        candidates.count_ones() as usize
    }
}

impl Seen {
    /// The corners A, B, C of one triangle in the frame of the ray.
    #[inline(always)]
    fn of(&self, lane: usize) -> [Vec3A; 3] {
        [pick(&self.x, lane), pick(&self.y, lane), pick(&self.z, lane)]
    }
}

/// So many of the same, where they stay: as arrays they would be copied there, twice.
#[inline(always)]
fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    let Ok(all) = vec![value; N].try_into() else { unreachable!("as many as were asked for") };
    all
}

#[inline(always)]
fn stored<L: Lanes>(lanes: L, [a, b, c]: [L::F; 3]) -> Corners {
    [lanes.store(a), lanes.store(b), lanes.store(c)]
}

#[inline(always)]
fn pick([a, b, c]: &Corners, lane: usize) -> Vec3A {
    Vec3A::new(a[lane & 7], b[lane & 7], c[lane & 7])
}
