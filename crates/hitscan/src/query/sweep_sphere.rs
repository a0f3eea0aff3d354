//! The first triangle that a moving sphere meets.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec3;

use super::batch::each;
use crate::bvh::leaf::Stored;
use crate::bvh::nearest::Search;
use crate::bvh::node::Bounds;
use crate::hit::InstanceId;
use crate::intersect::{Fattened, Motion, Sweep, sweep_sphere_triangle};
use crate::mesh::{Mesh, MeshData};
use crate::shape::{Sphere, Triangle};

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

/// The first so far.
struct First<'a> {
    mesh: &'a MeshData,
    sphere: &'a Sphere,
    motion: &'a Motion,
    best: Option<SweepHit>,
}

impl First<'_> {
    /// When the sphere's centre enters a box grown by its radius.
    fn entry(&self, low: DVec3, high: DVec3) -> Option<f64> {
        let fattened = Fattened::new(low, high, self.sphere.radius());
        fattened.passed(self.sphere.centre(), self.motion.by()).map(|[enter, _]| enter)
    }
}

impl Search for First<'_> {
    fn bound(&self, bounds: &Bounds) -> Option<f64> {
        let corner = |[x, y, z, _]: [f32; 4]| DVec3::new(x.into(), y.into(), z.into());
        self.entry(corner(bounds.low), corner(bounds.high))
    }

    fn wants(&self, bound: f64) -> bool {
        self.best.is_none_or(|best| bound <= best.sweep.t())
    }

    fn visit(&mut self, stored: &Stored) {
        let [a, b, c] = stored.corners.map(|corner| corner.map(f64::from));
        // A mesh's corners are finite and within 2^100, so the triangle exists.
        let Ok(triangle) = Triangle::new(a, b, c) else { return };
        let (low, high) = triangle.bounds();
        if !self.entry(low, high).is_some_and(|enter| self.wants(enter)) {
            return;
        }
        let Some(sweep) = sweep_sphere_triangle(self.sphere, self.motion, &triangle) else { return };
        let found = SweepHit::of_mesh(self.mesh, stored.prim, sweep);
        if self.best.is_none_or(|best| found.order(&best) == Ordering::Less) {
            self.best = Some(found);
        }
    }
}

impl Mesh {
    /// The first triangle that a moving sphere meets: a thick bullet, a rolling ball. `None` where it meets none. Both are in the
    /// mesh's own frame; where the mesh moves too, give the sphere the [relative motion](Motion::relative_to).
    ///
    /// Each triangle is judged as [`sweep_sphere_triangle`] judges it: in contact at the start, hit on the way, or missed, also by
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
        let mut search = First { mesh: &self.data, sphere, motion, best: None };
        self.data.tree.search(&mut search);
        search.best
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
