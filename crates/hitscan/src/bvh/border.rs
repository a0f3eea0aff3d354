//! Neighbours, where a ray runs exactly along the outline of a triangle.
//!
//! Inside a closed surface the moved ray decides which triangle takes an edge or a corner. On the free border of an
//! open one it may find nobody, and then the border itself is hit: these rules need to know what else stands at
//! an edge or a corner. That is asked so rarely that it is looked up in the tree, or computed, instead of stored.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::entry::LocalRay;
use crate::intersect::watertight::{Touch, shear, touch};
use crate::source::Source;

type Point = [f32; 3];

/// The answers within one query and mesh, so that a fan of many triangles is looked at once. Hardly any query asks: those
/// that do not pay for a pointer.
#[derive(Debug, Default)]
pub(crate) struct Borders(Option<Box<Known>>);

/// All answers so far, not the last: a walk goes back and forth between the two poles of a sphere.
#[derive(Debug, Default)]
struct Known {
    edges: Map<[Key; 2], bool>,
    corners: Map<Key, Option<[Point; 3]>>,
    /// Each edge at one corner as its other end, with the third corner of a triangle there.
    fan: Vec<(Point, Point)>,
}

/// Keeps its memory when it is cleared, where there is a standard library to have one that does.
#[cfg(feature = "std")]
type Map<K, V> = std::collections::HashMap<K, V>;
#[cfg(not(feature = "std"))]
type Map<K, V> = alloc::collections::BTreeMap<K, V>;

/// Edges at whose number memory is no longer kept: a megabyte or two.
#[cfg(feature = "std")]
const MANY: usize = 1 << 14;

#[cfg(feature = "std")]
std::thread_local! {
    /// Memory of the query before, which leaves it to the next one that asks.
    static SPARE: core::cell::Cell<Option<Box<Known>>> = const { core::cell::Cell::new(None) };
}

#[cfg(feature = "std")]
impl Drop for Borders {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(known) = self.0.take() {
            leave(known);
        }
    }
}

/// Leaves memory to the next query.
#[cfg(feature = "std")]
#[cold]
fn leave(mut known: Box<Known>) {
    if known.edges.capacity().max(known.fan.capacity()) > 4 * MANY {
        return;
    }
    known.edges.clear();
    known.corners.clear();
    // A thread that ends has no use for it.
    let _ = SPARE.try_with(|spare| spare.set(Some(known)));
}

/// The bits of a position, the same for both zeros.
pub(crate) type Key = [u32; 3];

fn key(p: Point) -> Key {
    p.map(|c| (c + 0.0).to_bits())
}

/// An edge by the positions of its ends, whichever way it runs.
pub(crate) fn edge_key(from: Point, to: Point) -> [Key; 2] {
    let (a, b) = (key(from), key(to));
    if a <= b { [a, b] } else { [b, a] }
}

impl Borders {
    /// Whether the triangle accepts a ray that lies on its outline although the moved ray misses it.
    #[cold]
    pub fn accept(
        &mut self,
        source: &impl Source,
        ray: &LocalRay,
        corners: &[Point; 3],
        touch: &Touch,
    ) -> bool {
        match *touch {
            Touch::Miss => false,
            Touch::Inside(_) => true,
            Touch::OnEdge(_, from, to) => self.known().is_border(source, corners[from], corners[to]),
            Touch::OnCorner(_, corner) => {
                let takers = self.known().takers(source, ray, corners[corner]);
                takers.is_some_and(|takers| same_corners(&takers, corners))
            }
        }
    }

    fn known(&mut self) -> &mut Known {
        #[cfg(feature = "std")]
        let spare = || SPARE.try_with(core::cell::Cell::take).ok().flatten().unwrap_or_default();
        #[cfg(not(feature = "std"))]
        let spare = Box::default;
        self.0.get_or_insert_with(spare)
    }
}

impl Known {
    /// Whether all triangles that use the edge have the same three corners.
    fn is_border(&mut self, source: &impl Source, from: Point, to: Point) -> bool {
        let edge = edge_key(from, to);
        if !self.edges.contains_key(&edge) {
            self.classify_at(source, from);
        }
        self.edges.get(&edge).is_some_and(|&border| border)
    }

    /// The corners of the triangles that take a ray exactly through `corner`, if the moved ray finds nobody
    /// there and it is the end of a border: those of the lowest number, and its copies.
    fn takers(&mut self, source: &impl Source, ray: &LocalRay, corner: Point) -> Option<[Point; 3]> {
        if let Some(known) = self.corners.get(&key(corner)) {
            return *known;
        }
        let lowest = lowest_unless_taken(source, ray, corner);
        let takers = lowest.filter(|_| self.classify_at(source, corner));
        self.corners.insert(key(corner), takers);
        takers
    }

    /// Finds out which of the edges at a corner are borders, all at once, since a fan may ask for each of them. Says
    /// whether one of them is.
    fn classify_at(&mut self, source: &impl Source, corner: Point) -> bool {
        let Known { edges, fan, .. } = self;
        fan.clear();
        source.each_at(corner, &mut |triangle| {
            let [a, b, c] = triangle.corners;
            let (p, q) = if a == corner {
                (b, c)
            } else if b == corner {
                (c, a)
            } else {
                (a, b)
            };
            fan.extend([(p, q), (q, p)]);
        });
        fan.sort_unstable_by_key(|&(end, third)| (key(end), key(third)));
        let mut any = false;
        for edge in fan.chunk_by(|a, b| a.0 == b.0) {
            let (end, third) = edge[0];
            let border = edge.iter().all(|other| other.1 == third);
            edges.insert(edge_key(corner, end), border);
            any |= border;
        }
        any
    }
}

/// The corners of the lowest triangle that a ray through `corner` touches only there; none where the moved ray finds
/// a triangle at that corner.
fn lowest_unless_taken(source: &impl Source, ray: &LocalRay, corner: Point) -> Option<[Point; 3]> {
    let mut taken = false;
    let mut lowest: Option<(u32, [Point; 3])> = None;
    source.each_at(corner, &mut |triangle| match touch(triangle.corners.map(|c| shear(ray, c))) {
        Touch::Inside(_) => taken = true,
        Touch::OnCorner(..) if lowest.is_none_or(|(prim, _)| triangle.prim < prim) => {
            lowest = Some((triangle.prim, triangle.corners));
        }
        _ => {}
    });
    lowest.filter(|_| !taken).map(|(_, corners)| corners)
}

fn same_corners(a: &[Point; 3], b: &[Point; 3]) -> bool {
    b.iter().all(|corner| a.contains(corner))
}
