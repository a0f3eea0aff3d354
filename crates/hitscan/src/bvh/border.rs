//! Neighbours, where a ray runs exactly along the outline of a triangle.
//!
//! Inside a closed surface the moved ray decides which triangle takes an edge or a corner. On the free border of an
//! open one it may find nobody, and then the border itself is hit: these rules need to know what else stands at
//! an edge or a corner. That is asked so rarely that it is looked up in the tree instead of stored.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::leaf;
use crate::entry::LocalRay;
use crate::intersect::ray_triangle::{Touch, shear, touch};
use crate::mesh::MeshData;

type Point = [f32; 3];

/// The answers within one query and mesh, so that a fan of many triangles is looked at once. All of them, not the
/// last: a walk goes back and forth between the two poles of a sphere.
#[derive(Debug, Default)]
pub(crate) struct Borders {
    edges: BTreeMap<[Key; 2], bool>,
    corners: BTreeMap<Key, Option<[Point; 3]>>,
}

/// The bits of a position, the same for both zeros.
type Key = [u32; 3];

fn key(p: Point) -> Key {
    p.map(|c| (c + 0.0).to_bits())
}

impl Borders {
    /// Whether the triangle accepts a ray that lies on its outline although the moved ray misses it.
    #[cold]
    pub fn accept(
        &mut self,
        mesh: &MeshData,
        ray: &LocalRay<'_>,
        corners: &[Point; 3],
        touch: &Touch,
    ) -> bool {
        match *touch {
            Touch::Miss => false,
            Touch::Inside(_) => true,
            Touch::OnEdge(_, from, to) => self.is_border(mesh, corners[from], corners[to]),
            Touch::OnCorner(_, corner) => {
                self.takers(mesh, ray, corners[corner]).is_some_and(|takers| same_corners(&takers, corners))
            }
        }
    }

    /// Whether all triangles that use the edge have the same three corners.
    fn is_border(&mut self, mesh: &MeshData, from: Point, to: Point) -> bool {
        let mut edge = [key(from), key(to)];
        edge.sort_unstable();
        if let Some(&border) = self.edges.get(&edge) {
            return border;
        }
        let (mut border, mut third) = (true, None);
        each_at(mesh, from, &mut |triangle| {
            if let Some(other) = opposite(&triangle.corners, from, to) {
                border &= *third.get_or_insert(other) == other;
            }
        });
        self.edges.insert(edge, border);
        border
    }

    /// The corners of the triangles that take a ray exactly through `corner`, if the moved ray finds nobody
    /// there and it is the end of a border: those of the lowest number, and its copies.
    fn takers(&mut self, mesh: &MeshData, ray: &LocalRay<'_>, corner: Point) -> Option<[Point; 3]> {
        *self.corners.entry(key(corner)).or_insert_with(|| find_takers(mesh, ray, corner))
    }
}

fn find_takers(mesh: &MeshData, ray: &LocalRay<'_>, corner: Point) -> Option<[Point; 3]> {
    let mut taken = false;
    let mut lowest: Option<(u32, [Point; 3])> = None;
    each_at(mesh, corner, &mut |triangle| match touch(triangle.corners.map(|c| shear(ray, c))) {
        Touch::Inside(_) => taken = true,
        Touch::OnCorner(..) if lowest.is_none_or(|(prim, _)| triangle.prim < prim) => {
            lowest = Some((triangle.prim, triangle.corners));
        }
        _ => {}
    });
    let (_, corners) = lowest.filter(|_| !taken)?;
    ends_border(mesh, corner).then_some(corners)
}

/// Whether one of the edges at `corner` is a border.
fn ends_border(mesh: &MeshData, corner: Point) -> bool {
    // Each edge at the corner as its other end, with the third corner of a triangle there.
    let mut edges: Vec<(Point, Point)> = Vec::new();
    each_at(mesh, corner, &mut |triangle| {
        let [a, b, c] = triangle.corners;
        let (p, q) = if a == corner {
            (b, c)
        } else if b == corner {
            (c, a)
        } else {
            (a, b)
        };
        edges.extend([(p, q), (q, p)]);
    });
    edges.sort_unstable_by_key(|&(end, third)| (key(end), key(third)));
    edges.chunk_by(|a, b| a.0 == b.0).any(|edge| edge.iter().all(|other| other.1 == edge[0].1))
}

/// Calls `visit` for every triangle that has a corner at this position.
fn each_at(mesh: &MeshData, position: Point, visit: &mut dyn FnMut(&leaf::Stored)) {
    mesh.tree.leaves_at(position, &mut |at| {
        leaf::triangles(&mesh.tree.rows, at)
            .filter(|triangle| triangle.corners.contains(&position))
            .for_each(|triangle| visit(&triangle));
    });
}

/// The third corner of a triangle that has both others.
fn opposite(corners: &[Point; 3], from: Point, to: Point) -> Option<Point> {
    let [a, b, c] = *corners;
    [(a, b, c), (b, c, a), (c, a, b)]
        .into_iter()
        .find(|&(p, q, _)| (p == from && q == to) || (p == to && q == from))
        .map(|(_, _, third)| third)
}

fn same_corners(a: &[Point; 3], b: &[Point; 3]) -> bool {
    b.iter().all(|corner| a.contains(corner))
}
