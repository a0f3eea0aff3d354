//! How far a point lies outside of a solid, or how deep inside.

use alloc::vec::Vec;

use super::Containment;
use super::batch::each;
use crate::mesh::Mesh;

impl Mesh {
    /// The distance of the nearest point of the mesh, negative inside, and 0 exactly on a triangle; in the mesh's own frame.
    /// `None` for a mesh without triangles, and for a point with a coordinate that is not a number or infinite.
    ///
    /// The size is that of [`Mesh::closest_point`]. The sign is that of [`Mesh::containment`]: by an odd number of crossings
    /// above the point, and exact, so it is right at edges, corners and slivers, where signs taken from normals are not. For an
    /// open mesh inside means what it means there; where that is not wanted, take the size from
    /// [`closest_point`](Mesh::closest_point) and the sign from [`Mesh::contains_by`] with
    /// [`Rule::Winding`](crate::Rule::Winding).
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let tetrahedron = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]],
    ///     [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    /// )?;
    /// let distance = |point: [f64; 3]| tetrahedron.signed_distance(point);
    /// assert_eq!(distance([0.5, 1.0, 1.0]), Some(-0.5));
    /// assert_eq!(distance([-0.5, 1.0, 1.0]), Some(0.5));
    /// assert_eq!(distance([2.0, 1.0, 1.0]), Some(0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "SDF")]
    pub fn signed_distance(&self, point: impl Into<[f64; 3]>) -> Option<f64> {
        let point: [f64; 3] = point.into();
        let distance = self.closest_point(point)?.distance;
        Some(match self.containment(point) {
            Containment::Outside => distance,
            Containment::Surface => 0.0,
            // Never -0.
            Containment::Inside => 0.0 - distance,
        })
    }

    /// [`Mesh::signed_distance`] for each point, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let tetrahedron = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]],
    ///     [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    /// )?;
    /// let distances = tetrahedron.signed_distance_batch(&[[0.5, 1.0, 1.0], [-2.0, 1.0, 1.0]]);
    /// assert_eq!(distances, [Some(-0.5), Some(2.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn signed_distance_batch<P: Into<[f64; 3]> + Copy + Sync>(&self, points: &[P]) -> Vec<Option<f64>> {
        each(points, |&point| self.signed_distance(point))
    }
}
