//! How often a surface goes around a point, also where it has holes.
//!
//! Each triangle takes up a part of the sphere around the point, its solid angle, positive where its back is seen; together
//! they are the number of times that the surface goes around, a whole number for a closed one and one with holes in it for
//! others. (Van Oosterom, Strackee: The solid angle of a plane triangle, 1983; Jacobson, Kavan, Sorkine-Hornung: Robust
//! inside-outside segmentation using generalized winding numbers, 2013.)
//!
//! All triangles are added, in an order that nothing changes. Sums over a tree's boxes would be faster, and have other bits for
//! each tree.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::f64::consts::TAU;

use glam::DVec3;

use super::batch::each;
use crate::bvh::parallel::merged;
use crate::exact::side;
use crate::mesh::Mesh;
use crate::root::sqrt;

/// A point with a larger coordinate sees nothing: 2^300, where products of three distances are still numbers, and no mesh
/// takes up more than 2^-390 of the sphere.
const FARTHEST: f64 = {
    let far = (1u128 << 100) as f64;
    far * far * far
};

impl Mesh {
    /// The generalised winding number of a point: how often the surface goes around it, counter-clockwise fronts counted
    /// outwards. For a closed mesh a whole number up to rounding, 1 inside and 0 outside, -1 inside of one that is inside out; for
    /// an open one something between, which changes smoothly but for a jump by 1 through each triangle. In the mesh's own frame.
    ///
    /// Exactly on a triangle, and for a point with a coordinate that is not a number or infinite, it says nothing (but is always
    /// the same number). Triangles with [cutouts](Mesh::with_cutout) are whole. Off by some `n * 2^-50`, with `n` triangles, times how
    /// many times farther than the nearest edge the corners of its triangle are. On which side of a triangle the point lies is
    /// exact.
    ///
    /// Looks at every triangle, one arc tangent each: some tens of nanoseconds, on all cores with the feature `rayon`. The
    /// order of summation is fixed, so that neither the tree nor the number of threads changes a bit.
    ///
    /// Source: Van Oosterom, Strackee, The solid angle of a plane triangle, 1983; Jacobson, Kavan, Sorkine-Hornung, Robust
    /// inside-outside segmentation using generalized winding numbers, 2013.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let tetrahedron = Mesh::new(corners, [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let winding = |point: [f64; 3]| tetrahedron.winding_number(point);
    /// assert!((winding([0.2, 0.2, 0.2]) - 1.0).abs() < 1e-14 && winding([0.5, 0.5, 0.5]).abs() < 1e-14);
    /// let floor = Mesh::new(corners, [[0u32, 2, 1]])?; // from just above it, half of all directions
    /// assert!((floor.winding_number([0.2, 0.2, 1e-9]) - 0.5).abs() < 1e-7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "solid angle")]
    pub fn winding_number(&self, point: impl Into<[f64; 3]>) -> f64 {
        let point = DVec3::from(point.into());
        let in_reach = point.abs().max_element() <= FARTHEST; // false for NaN
        if !in_reach || !point.is_finite() {
            return 0.0;
        }
        let half_angles = |triangles: &[[u32; 3]]| half_angles(&self.data.vertices, triangles, point);
        // Half the angle of each, of which the whole sphere is 4 pi. Parts of the list and their sums do not depend on threads.
        merged(&self.data.triangles, &half_angles, &|a, b| a + b) / TAU + 0.0
    }

    /// [`Mesh::winding_number`] for each point, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let tetrahedron = Mesh::new(corners, [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let windings = tetrahedron.winding_number_batch(&[[0.2, 0.2, 0.2], [0.5, 0.5, 0.5]]);
    /// assert_eq!(windings.iter().map(|w| w.round()).collect::<Vec<_>>(), [1.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn winding_number_batch<P: Into<[f64; 3]> + Copy + Sync>(&self, points: &[P]) -> Vec<f64> {
        each(points, |&point| self.winding_number(point))
    }
}

/// Half of the solid angles of some triangles.
fn half_angles(vertices: &[[f32; 3]], triangles: &[[u32; 3]], point: DVec3) -> f64 {
    let mut sum = 0.0;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| DVec3::from(vertices[i as usize].map(f64::from)));
        // The normal of the corners themselves, whose differences lose nothing however far the point.
        let volume = (b - a).cross(c - a).dot(a - point).abs();
        // The jump through a triangle is a whole turn: on its wrong side by a rounding, a point would be in another solid.
        let volume = match side([a, b, c], point) {
            Ordering::Less => volume.max(f64::MIN_POSITIVE),
            Ordering::Greater => -volume.max(f64::MIN_POSITIVE),
            Ordering::Equal => continue,
        };
        let [a, b, c] = [a - point, b - point, c - point];
        let [la, lb, lc] = [a, b, c].map(|v| sqrt(v.length_squared()));
        let around = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        sum += libm::atan2(volume, around);
    }
    sum
}
