//! How much of a box is empty along its edges and at its corners, so that a box around a turned copy of what is in it need not be as large as
//! one around the turned box.

use core::array;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use glam::DVec3;

use super::layout::Leaves;
use super::node::{Bounds, Child, Node};
use crate::mesh::MeshData;

/// How far what is in a box keeps away from its edges, along the two axes across an edge together, and from its corners, along
/// all three. Behind one another: edges by the axis that they run along, and by at which end of the next axis (bit 0) and of the one behind
/// (bit 1) they lie; corners by which axes they lie at the high end of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crop([f64; 20]);

/// The crop of a mesh, once somebody asked, rounded down. Whoever asks first finds out, and everybody finds the same.
#[derive(Debug, Default)]
pub(crate) struct Known {
    is_known: AtomicBool,
    numbers: [AtomicU32; 20],
}

/// Numbers of edges; corners come behind them.
const EDGES: usize = 12;

/// Levels of nodes that are looked at: of what lies deeper, the boxes.
const LEVELS: usize = 4;

impl Crop {
    /// Of a box that may be full.
    pub const NONE: Crop = Crop([0.0; 20]);

    /// Of the box of a mesh's tree.
    fn of_mesh(mesh: &MeshData) -> Crop {
        if mesh.tree.bounds.is_empty() {
            return Crop::NONE;
        }
        let (nodes, leaves) = (&mesh.tree.nodes, mesh.leaves());
        let mut search = Search { nodes, leaves, whole: &mesh.tree.bounds, found: Crop([f64::INFINITY; 20]) };
        // What is near to begin with spares most of the rest.
        (0..search.found.0.len()).for_each(|number| search.descend(number));
        search.look(0, LEVELS);
        // Where no triangle can be hit, none was found.
        if search.found.0.contains(&f64::INFINITY) { Crop::NONE } else { search.found }
    }

    /// Of a box around something of which it is known how far it reaches in a direction; to be asked for those whose components are 0, 1 and -1.
    pub fn of_reach(low: DVec3, high: DVec3, reach: impl Fn(DVec3) -> f64) -> Crop {
        Crop(array::from_fn(|number| {
            let direction = outward(number);
            let end = DVec3::select(direction.cmpgt(DVec3::ZERO), high, low);
            (end.dot(direction) - reach(direction)).max(0.0)
        }))
    }

    /// Of a box with nothing in it but another one.
    #[inline]
    fn of_inner(whole: &Bounds, low: &[f32], high: &[f32]) -> Crop {
        let gap = |from: f32, to: f32| f64::from(to) - f64::from(from);
        let gaps: [[f64; 2]; 3] =
            array::from_fn(|axis| [gap(whole.low[axis], low[axis]), gap(high[axis], whole.high[axis])]);
        let [[a, b], [c, d], [e, f]] = gaps;
        let [ac, bc, ad, bd] = [a + c, b + c, a + d, b + d];
        Crop(
            [
                [c + e, d + e, c + f, d + f],
                [e + a, f + a, e + b, f + b],
                [ac, bc, ad, bd],
                [ac + e, bc + e, ad + e, bd + e],
                [ac + f, bc + f, ad + f, bd + f],
            ]
            .as_flattened()
            .try_into()
            .expect("five times four"),
        )
    }

    /// Whether nothing in the other box is nearer to an edge or a corner.
    #[inline]
    fn is_nearer(&self, other: &Crop) -> bool {
        !self.0.iter().zip(&other.0).fold(false, |any, (own, other)| any | (other < own))
    }

    /// Becomes that of a box that holds both.
    #[inline]
    fn take(&mut self, other: &Crop) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = if *other < *own { *other } else { *own };
        }
    }

    /// By how much less far what is in the box reaches in a direction than the box, which reaches farthest in this corner, below 8; and
    /// the same the other way.
    ///
    /// With the sizes of its components `a >= b >= c`, and signs, a direction is `c` times one towards a corner, `b - c` times
    /// one across an edge and `a - b` times an axis, in each of which something reaches as far as is known; their sum is as far as it can.
    #[inline]
    pub fn short_of(&self, direction: [f64; 3], corner: usize) -> [f64; 2] {
        let [x, y, z] = direction.map(f64::abs);
        // Nobody could foretell which is the least.
        let (less, more) = (x.min(y), x.max(y));
        let along = if z < less { 2 } else { usize::from(y < x) };
        let (least, middle) = (less.min(z), less.max(more.min(z)));
        // The ends of the two other axes, of three that come again and again.
        let ends = (corner | corner << 3) >> (along + 1) & 3;
        let short = |ends: usize, corner: usize| {
            least * self.0[EDGES + corner] + (middle - least) * self.0[4 * along + ends]
        };
        [short(ends, corner), short(3 - ends, 7 - corner)]
    }
}

impl MeshData {
    /// How much of its box is empty. The first call looks at what is near the edges and corners of the box; the mesh and its clones keep the answer
    /// until a refit.
    pub fn crop(&self) -> Crop {
        let Known { is_known, numbers } = &self.crop;
        if !is_known.load(Ordering::Acquire) {
            for (known, number) in numbers.iter().zip(Crop::of_mesh(self).0) {
                let rounded = number as f32;
                let down = if f64::from(rounded) > number { rounded.next_down() } else { rounded };
                known.store(down.to_bits(), Ordering::Relaxed);
            }
            is_known.store(true, Ordering::Release);
        }
        Crop(array::from_fn(|number| f64::from(f32::from_bits(numbers[number].load(Ordering::Relaxed)))))
    }
}

impl Clone for Known {
    fn clone(&self) -> Known {
        let is_known = AtomicBool::new(self.is_known.load(Ordering::Acquire));
        let number = |number: &AtomicU32| AtomicU32::new(number.load(Ordering::Relaxed));
        Known { is_known, numbers: self.numbers.each_ref().map(number) }
    }
}

/// The direction out of a box at an edge or a corner.
fn outward(number: usize) -> DVec3 {
    let sign = |ends: usize| if ends & 1 == 1 { 1.0 } else { -1.0 };
    if let Some(corner) = number.checked_sub(EDGES) {
        return DVec3::new(sign(corner), sign(corner >> 1), sign(corner >> 2));
    }
    let mut direction = DVec3::ZERO;
    (direction[(number / 4 + 1) % 3], direction[(number / 4 + 2) % 3]) = (sign(number), sign(number >> 1));
    direction
}

/// The way through a tree to what is nearest to each edge and corner of its box.
struct Search<'a> {
    nodes: &'a [Node],
    leaves: Leaves<'a>,
    whole: &'a Bounds,
    found: Crop,
}

impl Search<'_> {
    /// From node to node into the box that is nearest to one of them.
    fn descend(&mut self, number: usize) {
        let mut index = 0;
        for _ in 0..LEVELS {
            let node = &self.nodes[index];
            let (mut nearest, mut child) = (f64::INFINITY, Child::EMPTY);
            for place in node.occupied() {
                let away = self.inner(node, place).0[number];
                if away < nearest {
                    (nearest, child) = (away, node.children[place]);
                }
            }
            match child.split() {
                _ if child == Child::EMPTY => return,
                Err(below) => index = below,
                Ok(payload) => return self.leaf(payload),
            }
        }
    }

    /// Whatever below a node may be nearer than what was found. No box is nearer to an edge than the one around it.
    fn look(&mut self, index: usize, levels: usize) {
        let node = &self.nodes[index];
        for place in node.occupied() {
            let inner = self.inner(node, place);
            if self.found.is_nearer(&inner) {
                continue;
            }
            match node.children[place].split() {
                Err(child) if levels > 1 => self.look(child, levels - 1),
                Ok(payload) => self.leaf(payload),
                Err(_) => self.found.take(&inner),
            }
        }
    }

    fn inner(&self, node: &Node, place: usize) -> Crop {
        let Bounds { low, high } = node.child_bounds(place);
        Crop::of_inner(self.whole, &low, &high)
    }

    /// Takes the triangles of a leaf.
    fn leaf(&mut self, payload: u32) {
        for triangle in self.leaves.triangles(payload) {
            for corner in &triangle.corners {
                self.found.take(&Crop::of_inner(self.whole, corner, corner));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::mesh::Mesh;

    /// Chips of triangles around four places, of which one is a corner of the box around all.
    fn chips() -> (Vec<[f32; 3]>, Mesh) {
        let places = [[0.0, 0.0, 0.0], [9.5, 4.0, 0.0], [2.0, 8.75, 1.0], [4.0, 4.0, 6.875]];
        let mut vertices = Vec::new();
        for [x, y, z] in places {
            for i in 0..64u32 {
                let step = |i: u32| 0.001 * (i % 4) as f32;
                let [x, y, z] = [x + step(i), y + step(i / 4), z + step(i / 16)];
                vertices.extend([[x, y, z], [x + 0.5, y, z], [x, y + 0.25, z + 0.125]]);
            }
        }
        let triangles: Vec<[u32; 3]> =
            (0..vertices.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mesh = Mesh::new(vertices.clone(), triangles).unwrap();
        (vertices, mesh)
    }

    #[test]
    fn it_is_what_the_nearest_corners_leave_empty() {
        let (vertices, mesh) = chips();
        let (low, high) = mesh.bounds().unwrap();
        let farthest = |direction: DVec3| {
            vertices.iter().map(|&at| DVec3::from(at.map(f64::from)).dot(direction)).fold(f64::MIN, f64::max)
        };
        let exact = Crop::of_reach(low.into(), high.into(), farthest);
        let crop = mesh.data.crop();
        assert_eq!((crop.0[EDGES], crop.0[0]), (0.0, 0.0), "a chip is there");
        assert!(exact.0.iter().filter(|&&away| away > 2.0).count() > 10);
        for (found, exact) in crop.0.iter().zip(&exact.0) {
            assert!((exact - 1e-6..=exact + 1e-6).contains(found), "{found}, {exact}");
        }
    }

    #[test]
    fn in_no_direction_anything_reaches_farther() {
        let (vertices, mesh) = chips();
        let (low, high) = mesh.bounds().unwrap();
        let (low, high) = (low.as_dvec3(), high.as_dvec3());
        let mut gained = 0;
        for i in 0..20_000u32 {
            let component = |prime: u32| f64::from(i.wrapping_mul(prime) >> 8) / f64::from(1u32 << 23) - 1.0;
            let mut direction =
                [component(2_654_435_761), component(2_246_822_519), component(3_266_489_917)];
            if i % 7 == 0 {
                direction[i as usize % 3] = 0.0;
            }
            let corner = (0..3).fold(0, |corner, axis| corner | usize::from(direction[axis] > 0.0) << axis);
            let [short, _] = mesh.data.crop().short_of(direction, corner);
            let direction = DVec3::from(direction);
            let end = DVec3::select(direction.cmpgt(DVec3::ZERO), high, low).dot(direction);
            let farthest = vertices.iter().map(|&at| DVec3::from(at.map(f64::from)).dot(direction));
            let farthest = farthest.fold(f64::MIN, f64::max);
            assert!(farthest <= end - short + 1e-9, "{direction}: {farthest}, {end} - {short}");
            gained += usize::from(short > 0.5 * (end - farthest));
        }
        assert!(gained > 10_000, "half of what is empty is known in {gained}");
    }

    /// What a shape knows of itself is as much.
    #[test]
    fn of_a_ball() {
        let reach = |direction: DVec3| direction.dot(DVec3::new(1.0, 2.0, 3.0)) + direction.length();
        let crop = Crop::of_reach(DVec3::new(0.0, 1.0, 2.0), DVec3::new(2.0, 3.0, 4.0), reach);
        let [edge, corner] = [2.0 - 2f64.sqrt(), 3.0 - 3f64.sqrt()];
        let (edges, corners) = crop.0.split_at(EDGES);
        assert!(edges.iter().all(|found| (found - edge).abs() < 1e-12));
        assert!(corners.iter().all(|found| (found - corner).abs() < 1e-12));
        for short in crop.short_of([0.5, -0.25, 1.0], 0b101) {
            assert!((short - (0.25 * corner + 0.25 * edge)).abs() < 1e-12);
        }
    }
}
