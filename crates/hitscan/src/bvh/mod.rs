//! The tree over a mesh's triangles: eight-wide nodes above blocks of triangles that are tested together.
//!
//! `preset` chooses how it is built: `binary` sorts the triangles' boxes (`item`), large sets by bins (`binned`) and `small`
//! ones exactly, `clusters` faster and worse, `reinsert` makes what they made better, and `parts` the upper part of it alone; `collapse` decides which binary nodes
//! become wide nodes and leaves, `wide` lays them out.
//!
//! `walk` follows a ray through them for every query there is, and `meter` counts or bounds its work; `stream` follows many rays in turn and
//! tests their leaves in stages, `group` those that run side by side, and `gate` keeps off those that miss all boxes at the top of a tree; `slab` is their box test, `leaf` that of their blocks of triangles, `layout` how leaves hold those, and `border` finds a triangle's neighbours where a ray
//! runs exactly along an outline; `above` finds what lies over a point, `nearest` what is best by a bound on boxes, for points and sweeps. `refit` moves the corners, and `wear` says what that costs; `check` verifies and `stats` measures. `crop` says how much of a tree's box is empty, for boxes around turned copies.

pub(crate) mod above;
pub(crate) mod binary;
mod binned;
pub(crate) mod border;
mod cheapest;
mod check;
mod clusters;
mod collapse;
pub(crate) mod crop;
mod fetch;
pub(crate) mod gate;
pub(crate) mod group;
pub(crate) mod item;
pub(crate) mod layout;
pub(crate) mod leaf;
pub(crate) mod meter;
pub(crate) mod nearest;
pub(crate) mod node;
pub(crate) mod parallel;
mod parts;
mod preset;
mod refit;
mod reinsert;
pub(crate) mod slab;
mod small;
mod stats;
pub(crate) mod stream;
pub(crate) mod walk;
pub(crate) mod wear;
pub(crate) mod wide;

use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

pub use check::CheckError;
pub(crate) use check::check_nodes;
pub use meter::Cost;
pub use preset::Preset;
pub use stats::Stats;

use crate::mesh::MeshCounts;
use crate::simd::lanes::ones;
use crate::simd::row::Row;
use crate::stock::Stock;
use crate::watch::{Cancelled, Job, Watch};
use item::{Hull, Item};
use layout::Layout;
use meter::Meter;
use node::{Bounds, Node};
use parallel::watched_list;
use wear::Wear;

/// The tree of one mesh. Its fields are private, so a tree that exists came from [`build`].
#[derive(Clone, Debug)]
pub(crate) struct Bvh {
    /// Depth first, the root at 0; empty where there is nothing to hit.
    pub nodes: Stock<Node>,
    /// What its leaves hold of their triangles.
    pub layout: Layout,
    /// The leaves.
    pub rows: Stock<Row>,
    pub bounds: Bounds,
    /// The triangles that are in no leaf, in ascending order: when it was built, they had two corners at one position.
    pub absent: Stock<u32>,
    /// What it cost rays when it was built, once somebody moved it.
    pub built: Option<Wear>,
}

/// What the corners of a triangle make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Two of them are at one position: never hit.
    RepeatedCorner,
    /// All are on one line: hit by the rule.
    ZeroArea,
    Proper,
}

/// Whether two corners of a triangle are at one position.
#[inline(always)]
pub(crate) fn repeats_a_corner([a, b, c]: [[f32; 3]; 3]) -> bool {
    a == b || b == c || c == a
}

impl Kind {
    #[inline(always)]
    pub fn of([a, b, c]: [[f32; 3]; 3]) -> Kind {
        if repeats_a_corner([a, b, c]) {
            Kind::RepeatedCorner
        } else if has_zero_area(a, b, c) {
            Kind::ZeroArea
        } else {
            Kind::Proper
        }
    }
}

/// The most bytes that a mesh takes at once while it is built, its lists included: see [`Build::bytes_for`](crate::Build::bytes_for).
pub(crate) const fn bytes_for(vertices: usize, triangles: usize) -> u64 {
    let lists = 12u64.saturating_mul((vertices as u64).saturating_add(triangles as u64));
    lists.saturating_add(MOST_BYTES.saturating_mul(triangles as u64)).saturating_add(LEAST_BYTES)
}

/// Bytes of a build whatever its size, and for each triangle: twice its box, two binary nodes, and its share of wide nodes and
/// leaves where these are as empty as they get; measured by a test.
const LEAST_BYTES: u64 = 1 << 16;
const MOST_BYTES: u64 = 400;

/// Steps of a build that each triangle takes: it is sorted into the tree, and written to a leaf.
const STEPS: usize = 2;

/// Builds the tree over all triangles but those with two corners at one position, and counts both kinds of
/// degenerate triangles. The mesh is checked: its coordinates are finite and its indices exist.
///
/// # Errors
/// Where it is ended before.
pub(crate) fn build(
    preset: Preset,
    vertices: &[[f32; 3]],
    triangles: &[[u32; 3]],
    watch: Watch<'_>,
) -> Result<(Bvh, MeshCounts), Cancelled> {
    let job = Job::new(watch, STEPS * triangles.len());
    let zero_area = AtomicUsize::new(0);
    let mut items = watched_list(
        triangles.len(),
        |id| {
            let corners = triangles[id].map(|i| vertices[i as usize]);
            match Kind::of(corners) {
                Kind::RepeatedCorner => return Item::NONE,
                Kind::ZeroArea => _ = zero_area.fetch_add(1, Ordering::Relaxed),
                Kind::Proper => {}
            }
            Item::new(Hull::of_triangle(corners), id as u32)
        },
        &job,
    )?;
    let (mut absent, mut id) = (Vec::new(), 0);
    items.retain(|item| {
        if item.is_none() {
            absent.push(id);
        }
        id += 1;
        !item.is_none()
    });
    let layout = preset.layout();
    let counts = MeshCounts {
        triangles: triangles.len(),
        repeated_corner: triangles.len() - items.len(),
        zero_area: zero_area.into_inner(),
    };
    if items.is_empty() {
        let (nodes, rows, absent) = (Stock::default(), Stock::default(), absent.into());
        job.finish();
        return Ok((Bvh { nodes, layout, rows, bounds: Bounds::EMPTY, absent, built: None }, counts));
    }
    let tree = preset.sort(&mut items, &job);
    job.go_on()?;
    let rows_of = |count| layout.rows(count);
    let store = |items: &[Item], row, rows: &mut [Row]| layout.store(items, vertices, triangles, row, rows);
    let leaves = wide::Leaves { rows_of, store, spare_rows: layout.spare_rows() };
    let (nodes, rows) = wide::emit(&tree, &items, &leaves, &job)?;
    job.finish();
    let (nodes, rows, absent) = (nodes.into(), rows.into(), absent.into());
    Ok((Bvh { nodes, layout, rows, bounds: tree.root().hull.bounds(), absent, built: None }, counts))
}

fn has_zero_area(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> bool {
    let edge = |to: [f32; 3]| -> [f64; 3] { core::array::from_fn(|i| f64::from(to[i]) - f64::from(a[i])) };
    let (e, f) = (edge(b), edge(c));
    e[1] * f[2] == e[2] * f[1] && e[2] * f[0] == e[0] * f[2] && e[0] * f[1] == e[1] * f[0]
}

impl Bvh {
    /// Lowest and highest corner of everything in it that can be hit.
    pub fn bounds(&self) -> Option<([f32; 3], [f32; 3])> {
        let Bounds { low: [a, b, c, _], high: [x, y, z, _] } = self.bounds;
        // Never -0: which of two equal zeros a box keeps depends on how it was put together.
        let plus = |corner: [f32; 3]| corner.map(|c| c + 0.0);
        (!self.bounds.is_empty()).then_some((plus([a, b, c]), plus([x, y, z])))
    }

    /// Calls `visit` with the payloads of leaves whose boxes hold all of these points, until it says that this was enough, for so many
    /// steps at most, or until the meter is spent. Whether it was enough.
    pub fn leaves_at(
        &self,
        points: &[[f32; 3]],
        steps: u32,
        meter: &mut dyn Meter,
        visit: &mut dyn FnMut(u32) -> bool,
    ) -> bool {
        !self.nodes.is_empty() && self.leaves_below(0, points, &mut { steps }, meter, visit)
    }

    fn leaves_below(
        &self,
        index: usize,
        points: &[[f32; 3]],
        steps: &mut u32,
        meter: &mut dyn Meter,
        visit: &mut dyn FnMut(u32) -> bool,
    ) -> bool {
        let node = &self.nodes[index];
        meter.node();
        let places = points.iter().fold(u32::MAX, |places, &point| places & node.places_at(point));
        for place in ones(places) {
            if *steps == 0 || meter.is_spent() {
                return false;
            }
            *steps -= 1;
            let enough = match node.children[place].split() {
                Ok(payload) => {
                    meter.leaf();
                    visit(payload)
                }
                Err(inner) => self.leaves_below(inner, points, steps, meter, visit),
            };
            if enough {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Triangles of all sizes, some on one spot and some degenerate, more than one thread is given at once.
    fn scattered(count: u32) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            f32::from((state >> 16) as u16) / 65_536.0
        };
        let mut vertices = Vec::new();
        for i in 0..count {
            let (centre, size) =
                if i % 7 == 0 { ([0.5; 3], 0.0) } else { ([next(), next(), next()], next()) };
            for _ in 0..3 {
                vertices.push(centre.map(|c| c + 0.05 * size * size * next()));
            }
        }
        (vertices, (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
    }

    fn built(preset: Preset, vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> (Bvh, MeshCounts) {
        build(preset, vertices, triangles, Watch::new()).expect("nobody ends it")
    }

    /// Everything that a tree is, as bits.
    #[cfg(feature = "rayon")]
    fn bits(tree: &Bvh) -> (Vec<u32>, Vec<u32>) {
        let node = |node: &Node| {
            let planes = node.planes.as_flattened().iter().map(|plane| plane.to_bits());
            planes.chain(node.children.iter().map(|child| child.word())).collect::<Vec<u32>>()
        };
        let nodes = tree.nodes.iter().flat_map(node).collect();
        (nodes, tree.rows.iter().flat_map(|row| row.0.map(f32::to_bits)).collect())
    }

    #[test]
    #[cfg(feature = "rayon")]
    fn any_number_of_threads_builds_the_same_tree() {
        let counts = [1, 8, 33, 300, 9_000, 70_000];
        for (count, &preset) in
            counts.into_iter().flat_map(|count| Preset::ALL.iter().map(move |p| (count, p)))
        {
            let (vertices, triangles) = scattered(count);
            let trees = [1, 2, 5].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                let (tree, counts) = pool.install(|| built(preset, &vertices, &triangles));
                assert!(counts.repeated_corner >= count.div_ceil(7) as usize);
                tree
            });
            assert_eq!(trees[0].check(&vertices, &triangles), Ok(()));
            assert!(
                trees[1..].iter().all(|tree| bits(tree) == bits(&trees[0])),
                "{count} triangles, {preset:?}"
            );
        }
    }

    #[test]
    fn no_input_makes_a_deep_tree() {
        // All on one spot, all on one line of no area, and each half as far from the origin as the one before.
        let flat = |i: u32| [i as f32, 0.0, 0.0];
        let nested = |i: u32| [0.5f32.powi((i / 3 % 120) as i32), 0.0, 1.0];
        let spot = |i: u32| [(i % 3) as f32, (i % 2) as f32, 0.0];
        for place in [&flat as &dyn Fn(u32) -> [f32; 3], &nested, &spot] {
            let mut vertices: Vec<[f32; 3]> = (0..60_000).map(place).collect();
            for (i, vertex) in vertices.iter_mut().enumerate() {
                vertex[1] += (i % 3) as f32 * 1e-3;
            }
            let triangles: Vec<[u32; 3]> = (0..20_000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            for &preset in Preset::ALL {
                let (tree, _) = built(preset, &vertices, &triangles);
                assert_eq!(tree.check(&vertices, &triangles), Ok(()), "{preset:?}");
            }
        }
    }

    /// What finds a hit soonest is taken first, and so stands last among the children.
    #[test]
    fn what_hides_most_stands_last() {
        let (mut vertices, mut triangles) = scattered(1_000);
        let wall = vertices.len() as u32;
        vertices.extend([[-9.0, -9.0, 0.5], [9.0, -9.0, 0.5], [0.0, 9.0, 0.5]]);
        triangles.push([wall, wall + 1, wall + 2]);
        for &preset in Preset::ALL {
            let (tree, _) = built(preset, &vertices, &triangles);
            let root = &tree.nodes[0];
            let widths: Vec<f32> = root
                .occupied()
                .map(|place| root.child_bounds(place))
                .map(|bounds| bounds.high[0] - bounds.low[0])
                .collect();
            let (last, others) = widths.split_last().unwrap();
            assert!(others.iter().all(|width| width < last), "{preset:?}: {widths:?}");
        }
    }

    #[test]
    fn presets_differ_as_they_say() {
        let (mut vertices, triangles) = scattered(70_000);
        // Long ones among them, which spoil the boxes of their neighbours.
        for i in (0..vertices.len()).step_by(99) {
            vertices[i][i % 3] += 0.5;
        }
        let stats = |preset| built(preset, &vertices, &triangles).0.stats();
        let [fast, balanced, best, compact] =
            [Preset::Fast, Preset::Balanced, Preset::Best, Preset::Compact].map(stats);
        let costs = [fast, balanced, best].map(|stats| stats.sah_cost);
        let [fast, middle, best] = costs;
        assert!(middle < 1.1 * fast && fast < 1.5 * middle && best < middle, "{costs:?}");
        assert_eq!(compact.sah_cost, middle, "the same tree");
        let leaf_bytes = |stats: &Stats| stats.bytes - stats.nodes * size_of::<Node>();
        assert!(7 * leaf_bytes(&compact) < leaf_bytes(&balanced), "{compact:?}, {balanced:?}");
    }
}
