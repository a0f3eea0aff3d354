//! Every triangle that touches a sphere.

use alloc::vec::Vec;

use super::Buffer;
use super::batch::each;
use super::touching::Region;
use crate::bvh::nearest::{Boxes, Corners, boxes_around};
use crate::bvh::node::WIDTH;
use crate::intersect::{gaps_sq, sphere_touches_triangle};
use crate::mesh::Mesh;
use crate::shape::plane::power_of_two;
use crate::shape::{Sphere, Triangle};

/// A sphere, and a power of two near the inverse of its radius, so that no square of a tiny or a huge length is lost.
struct Ball<'a> {
    sphere: &'a Sphere,
    scale: f64,
}

impl Region for Ball<'_> {
    #[inline(always)]
    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH] {
        gaps_sq(self.sphere.centre(), self.scale, boxes)
    }

    #[inline(always)]
    fn bounds_of_triangles(&self, corners: &Corners) -> [f64; WIDTH] {
        self.bounds(&boxes_around(corners))
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        let radius = self.sphere.radius() * self.scale;
        radius * radius
    }

    fn touches(&self, triangle: &Triangle) -> bool {
        sphere_touches_triangle(self.sphere, triangle)
    }
}

impl Mesh {
    /// The `prim` of every triangle that touches a sphere, its surface included, in ascending order; empty where none does. The
    /// sphere is in the mesh's own frame.
    ///
    /// Exact: each triangle is judged as [`sphere_triangle`](crate::intersect::sphere_triangle) judges it, so the answer does not depend on the tree.
    /// Triangles with two corners at one position are left out, as rays leave them out; those of no area with three distinct
    /// corners are the segments that they are, and [cutouts](Mesh::with_cutout) play no part. A sphere inside of a closed mesh that reaches no triangle touches none:
    /// ask [`Mesh::contains`].
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::shape::Sphere;
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// assert_eq!(quad.overlap_sphere(&Sphere::new([2.0, 2.0, 1.0], 1.0)?), [0, 1]); // touches both
    /// assert_eq!(quad.overlap_sphere(&Sphere::new([3.0, 1.0, 0.0], 1.0)?), [0]);
    /// assert!(quad.overlap_sphere(&Sphere::new([2.0, 2.0, 1.5], 1.0)?).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_sphere(&self, sphere: &Sphere) -> Vec<u32> {
        Buffer::filled(|touched| self.overlap_sphere_into(sphere, touched))
    }

    /// [`Mesh::overlap_sphere`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Mesh, shape::Sphere};
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let mut touched = Buffer::new(); // one for all questions
    /// quad.overlap_sphere_into(&Sphere::new([3.0, 1.0, 0.0], 1.0)?, &mut touched);
    /// assert_eq!(touched[..], [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_sphere_into(&self, sphere: &Sphere, touched: &mut Buffer<u32>) {
        self.touching(&Ball { sphere, scale: 1.0 / power_of_two(sphere.radius()) }, touched);
    }

    /// [`Mesh::overlap_sphere`] for each of many, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::{Mesh, shape::Sphere};
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let spheres = [Sphere::new([2.0, 2.0, 1.0], 1.0)?, Sphere::new([2.0, 2.0, 1.5], 1.0)?];
    /// assert_eq!(quad.overlap_sphere_batch(&spheres), [vec![0, 1], vec![]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_sphere_batch(&self, spheres: &[Sphere]) -> Vec<Vec<u32>> {
        each(spheres, |sphere| self.overlap_sphere(sphere))
    }
}
