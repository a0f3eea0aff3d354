//! Neighbours, where a ray runs exactly along the outline of a triangle.
//!
//! Inside a closed surface the moved ray decides which triangle takes an edge or a corner. On the free border of an
//! open one it may find nobody, and then the border itself is hit: these rules need to know what else stands at
//! an edge or a corner. That is asked so rarely that it is looked up in the tree, or computed, instead of stored. A search ends at the
//! first triangle that decides; only where none is near is all looked up that stands there, and remembered.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::bvh::layout::{Place, Stored};
use crate::bvh::meter::Meter;
use crate::entry::LocalRay;
use crate::intersect::watertight::{Crossing, Touch, sheared, touch};
use crate::source::Source;

type Point = [f32; 3];

/// The answers within one query, so that a fan of many triangles is looked at once, however often a walk comes back to its mesh.
/// Hardly any query asks: those that do not pay for a pointer.
#[derive(Debug, Default)]
pub(crate) struct Borders(Option<Box<Known>>);

/// What is known so far, since a walk goes back and forth between the two poles of a sphere. Edges and corners stand with the slot
/// of their instance.
#[derive(Debug, Default)]
struct Known {
    /// Where the moved ray was taken last: what most that ask want to know.
    taken: Option<(u32, [Key; 2])>,
    edges: Map<(u32, [Key; 2]), bool>,
    corners: Map<(u32, Key), Option<[Point; 3]>>,
    /// The triangles at one corner.
    around: Vec<Stored>,
    /// Each edge at one corner as its other end, with the third corner of a triangle there.
    fan: Vec<(Point, Point)>,
}

/// Keeps its memory when it is cleared, where there is a standard library to have one that does.
#[cfg(feature = "std")]
type Map<K, V> = std::collections::HashMap<K, V>;
#[cfg(not(feature = "std"))]
type Map<K, V> = alloc::collections::BTreeMap<K, V>;

/// Edges or corners at whose number memory is no longer kept: a megabyte or two.
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
    let Known { edges, corners, around, fan, .. } = &*known;
    let largest = edges.capacity().max(corners.capacity()).max(around.capacity()).max(fan.capacity());
    if largest > 4 * MANY {
        return;
    }
    known.taken = None;
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
fn edge_key(from: Point, to: Point) -> [Key; 2] {
    let (a, b) = (key(from), key(to));
    if a <= b { [a, b] } else { [b, a] }
}

impl Borders {
    /// Whether the triangle at a place accepts a ray that lies on its outline although the moved ray misses it. `slot` is that of
    /// the instance, which no two sources of one query share.
    #[cold]
    pub fn accept(
        &mut self,
        slot: u32,
        source: &impl Source,
        place: Place,
        ray: &LocalRay,
        corners: &[Point; 3],
        touch: &Touch,
        meter: &mut dyn Meter,
    ) -> bool {
        match *touch {
            Touch::Miss => false,
            Touch::Inside(crossing) => {
                if let Some(outline) = outline(crossing, corners) {
                    self.known().take(slot, outline);
                }
                true
            }
            Touch::OnEdge(_, from, to) => {
                let third = corners[3 - from - to];
                self.known().is_border(slot, source, place, [corners[from], corners[to]], third, meter)
            }
            Touch::OnCorner(_, corner) => {
                let takers = self.known().takers(slot, source, place, ray, corners[corner], meter);
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
    /// Remembers that the moved ray is taken at an edge or a corner.
    fn take(&mut self, slot: u32, outline: [Key; 2]) {
        let now = (slot, outline);
        // A walk goes back and forth between corners with many triangles, and comes to an edge once or twice.
        if let Some(before @ (slot, [corner, other])) = self.taken.replace(now)
            && corner == other
            && before != now
        {
            self.corners.insert((slot, corner), None);
        }
    }

    /// Whether all triangles that use an edge of the one at a place have the same three corners; `third` is its other one.
    fn is_border(
        &mut self,
        slot: u32,
        source: &impl Source,
        place: Place,
        edge @ [from, to]: [Point; 2],
        third: Point,
        meter: &mut dyn Meter,
    ) -> bool {
        let at = (slot, edge_key(from, to));
        // By a triangle that is another, since this one does not take it.
        if self.taken == Some(at) {
            return false;
        }
        if let Some(&border) = self.edges.get(&at) {
            return border;
        }
        let mut is_other = |other: &Stored| {
            other.corners.contains(&to)
                && other.corners.iter().any(|corner| ![from, to, third].contains(corner))
        };
        if source.any_beside(place, from, &mut is_other) || source.any_at(&edge, meter, &mut is_other) {
            return false;
        }
        self.gather(source, from, meter);
        self.classify(slot, from);
        self.edges.get(&at).is_some_and(|&border| border)
    }

    /// The corners of the triangles that take a ray exactly through a corner of the one at a place, if the moved ray finds nobody
    /// there and it is the end of a border: those of the lowest number, and its copies.
    fn takers(
        &mut self,
        slot: u32,
        source: &impl Source,
        place: Place,
        ray: &LocalRay,
        corner: Point,
        meter: &mut dyn Meter,
    ) -> Option<[Point; 3]> {
        let at = key(corner);
        if self.taken == Some((slot, [at; 2])) {
            return None;
        }
        if let Some(takers) = self.corners.get(&(slot, at)) {
            return *takers;
        }
        let mut is_inside = |other: &Stored| is_inside(other, ray);
        if source.any_beside(place, corner, &mut is_inside) || source.any_at(&[corner], meter, &mut is_inside)
        {
            self.take(slot, [at; 2]);
            return None;
        }
        self.gather(source, corner, meter);
        let lowest = lowest_unless_taken(&self.around, ray);
        let takers = lowest.filter(|_| self.classify(slot, corner));
        self.corners.insert((slot, at), takers);
        takers
    }

    /// Looks up the triangles at a corner.
    fn gather(&mut self, source: &impl Source, corner: Point, meter: &mut dyn Meter) {
        self.around.clear();
        source.each_at(corner, meter, &mut |triangle| self.around.push(*triangle));
    }

    /// Finds out which of the edges at a corner are borders, whose triangles are gathered: all at once, since a fan may ask for each
    /// of them. Says whether one of them is.
    fn classify(&mut self, slot: u32, corner: Point) -> bool {
        let Known { edges, around, fan, .. } = self;
        fan.clear();
        for triangle in &*around {
            let [a, b, c] = triangle.corners;
            let (p, q) = if a == corner {
                (b, c)
            } else if b == corner {
                (c, a)
            } else {
                (a, b)
            };
            fan.extend([(p, q), (q, p)]);
        }
        fan.sort_unstable_by_key(|&(end, third)| (key(end), key(third)));
        let mut any = false;
        for edge in fan.chunk_by(|a, b| a.0 == b.0) {
            let (end, third) = edge[0];
            let border = edge.iter().all(|other| other.1 == third);
            edges.insert((slot, edge_key(corner, end)), border);
            any |= border;
        }
        any
    }
}

/// Where a ray crosses the outline of a triangle that it crosses: the ends of an edge, or one corner twice.
fn outline(crossing: Crossing, &[a, b, c]: &[Point; 3]) -> Option<[Key; 2]> {
    let [u, v, w] = crossing.edge_values();
    match (u == 0.0, v == 0.0, w == 0.0) {
        (true, false, false) => Some(edge_key(b, c)),
        (false, true, false) => Some(edge_key(a, c)),
        (false, false, true) => Some(edge_key(a, b)),
        (false, true, true) => Some([key(a); 2]),
        (true, false, true) => Some([key(b); 2]),
        (true, true, false) => Some([key(c); 2]),
        _ => None,
    }
}

fn is_inside(triangle: &Stored, ray: &LocalRay) -> bool {
    matches!(touch(sheared(ray, &triangle.corners)), Touch::Inside(_))
}

/// The corners of the lowest of the triangles around a corner that a ray through it touches only there; none where the moved
/// ray finds one of them.
fn lowest_unless_taken(around: &[Stored], ray: &LocalRay) -> Option<[Point; 3]> {
    let mut lowest: Option<&Stored> = None;
    for triangle in around {
        match touch(sheared(ray, &triangle.corners)) {
            Touch::Inside(_) => return None,
            Touch::OnCorner(..) if lowest.is_none_or(|lowest| triangle.prim < lowest.prim) => {
                lowest = Some(triangle);
            }
            _ => {}
        }
    }
    lowest.map(|lowest| lowest.corners)
}

fn same_corners(a: &[Point; 3], b: &[Point; 3]) -> bool {
    b.iter().all(|corner| a.contains(corner))
}
