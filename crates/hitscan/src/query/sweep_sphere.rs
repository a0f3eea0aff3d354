//! The first triangle that a moving sphere meets.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::batch::each;
use crate::hit::InstanceId;
use crate::intersect::{Motion, Sweep};
use crate::mesh::{Mesh, MeshData};
use crate::shape::{Capsule, Sphere};

/// What a moving sphere or capsule meets first.
///
/// ```
/// use hitscan::Mesh;
/// use hitscan::intersect::{Motion, Sweep};
/// use hitscan::shape::Sphere;
/// let ground = Mesh::new([[-9.0f32, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]], [[0u32, 2, 1]])?;
/// let ball = Sphere::new([0.0, 3.0, 0.0], 1.0)?;
/// let hit = ground.sweep_sphere(&ball, &Motion::new([0.0, -4.0, 0.0])?).expect("it falls");
/// assert_eq!((hit.prim, hit.sweep.t()), (0, 0.5));
/// assert!(matches!(hit.sweep, Sweep::Hit { normal, .. } if normal.y == 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweepHit {
    /// The triangle: its row in the mesh's own list; of a shape the number of its face, as for rays.
    pub prim: u32,
    /// Which instance of the scene; the first where a mesh was asked directly.
    pub instance: InstanceId,
    /// The number that the mesh, or the instance of a shape, gives it.
    pub material: u32,
    /// When and where, or how deep at the start.
    pub sweep: Sweep,
}

impl SweepHit {
    /// What is met at a triangle of a mesh that was asked directly.
    pub(crate) fn of_mesh(mesh: &MeshData, prim: u32, sweep: Sweep) -> SweepHit {
        SweepHit { prim, instance: InstanceId::first(0), material: mesh.material(prim), sweep }
    }

    pub(crate) fn order(&self, other: &SweepHit) -> Ordering {
        let tie = |hit: &SweepHit| (hit.instance, hit.prim);
        self.sweep.order(&other.sweep).then(tie(self).cmp(&tie(other)))
    }
}

impl Mesh {
    /// The first triangle that a moving sphere meets: a thick bullet, a rolling ball. `None` where it meets none. Both are in the
    /// mesh's own frame; where the mesh moves too, give the sphere the [relative motion](Motion::relative_to).
    ///
    /// Each triangle is judged as [`sweep_sphere_triangle`](crate::intersect::sweep_sphere_triangle) judges it: in contact at the start, hit on the way, or missed, also by
    /// a sphere that only grazes it or rolls along it. A contact at the start comes first, and the deepest of several; then the
    /// earliest hit; of equal ones the lowest `prim`. Each triangle is held against its own box, grown by the radius, so no tree
    /// changes the answer by a bit. Triangles with two corners at one position are left out, as rays leave them out; those of
    /// no area with three distinct corners are the segments that they are. Both sides of a triangle are met; a sphere inside of
    /// a closed mesh that reaches no triangle is in contact with none. [Cutouts](Mesh::with_cutout) play no part.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::intersect::{Motion, Sweep};
    /// use hitscan::shape::Sphere;
    /// let step = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, 0.0, 8.0], [0.0, 0.0, 8.0], [8.0, 4.0, 0.0], [8.0, 4.0, 8.0]],
    ///     [[0u32, 2, 1], [0, 3, 2], [1, 2, 5], [1, 5, 4]],
    /// )?;
    /// let ball = Sphere::new([2.0, 1.0, 4.0], 1.0)?;
    /// let roll = step.sweep_sphere(&ball, &Motion::new([10.0, 0.0, 0.0])?).expect("the wall");
    /// assert_eq!((roll.prim, roll.sweep.t()), (2, 0.5)); // the ground below does not stop it
    /// let pressed = step.sweep_sphere(&ball, &Motion::new([1.0, -1.0, 0.0])?).expect("the ground");
    /// assert!(matches!(pressed.sweep, Sweep::Touching { depth: 0.0, .. }));
    /// assert!(step.sweep_sphere(&ball, &Motion::new([1.0, 1.0, 0.0])?).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "shapecast")]
    #[doc(alias = "spherecast")]
    pub fn sweep_sphere(&self, sphere: &Sphere, motion: &Motion) -> Option<SweepHit> {
        let capsule = Capsule::derived(sphere.centre(), sphere.centre(), sphere.radius());
        self.sweep_capsule(&capsule, motion)
    }

    /// [`Mesh::sweep_sphere`] for each sphere and its motion, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::intersect::Motion;
    /// use hitscan::shape::Sphere;
    /// let ground = Mesh::new([[-9.0f32, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]], [[0u32, 2, 1]])?;
    /// let ball = Sphere::new([0.0, 3.0, 0.0], 1.0)?;
    /// let motions = [Motion::new([0.0, -4.0, 0.0])?, Motion::new([0.0, 4.0, 0.0])?];
    /// let hits = ground.sweep_sphere_batch(&motions.map(|motion| (ball, motion)));
    /// assert!(hits[0].is_some() && hits[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep_sphere_batch(&self, sweeps: &[(Sphere, Motion)]) -> Vec<Option<SweepHit>> {
        each(sweeps, |(sphere, motion)| self.sweep_sphere(sphere, motion))
    }
}
