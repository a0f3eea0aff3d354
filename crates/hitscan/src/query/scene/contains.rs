//! The solids of a scene that a point lies in.

use alloc::vec::Vec;

use glam::{DVec3, Vec3};

use crate::error::{OpenInstanceError, OpenMeshError};
use crate::filter::Filter;
use crate::hit::InstanceId;
use crate::query::batch::each;
use crate::query::{Buffer, Rule};
use crate::scene::Scene;
use crate::world::{Geometry, Instance};

/// Whether a point of the world lies in the solid of an instance.
fn holds(instance: &Instance, point: DVec3, rule: Rule) -> Result<bool, OpenMeshError> {
    let local = instance.transform.inverse_point(point.to_array());
    Ok(match &instance.geometry {
        Geometry::Mesh(mesh) => {
            let p = DVec3::from(local);
            let inside =
                |(low, high): (Vec3, Vec3)| p.cmpge(low.as_dvec3()).all() && p.cmple(high.as_dvec3()).all();
            mesh.bounds().is_some_and(inside) && mesh.contains_by(local, rule)?
        }
        Geometry::Sphere(sphere) => sphere.contains(local),
        Geometry::Aabb(bounds) => bounds.contains(local),
        Geometry::Obb(bounds) => bounds.contains(local),
        Geometry::ConvexHull(hull) => hull.contains(local),
        Geometry::Capsule(capsule) => capsule.contains(local),
        Geometry::Plane(_) | Geometry::Heightfield(_) => false,
    })
}

impl Scene {
    /// Every instance whose solid a point lies in, its surface included, in order; empty where none holds it, and for a point
    /// with a coordinate that is not a number or infinite.
    ///
    /// The point is taken into the frame of each instance and judged there: in a mesh as [`Mesh::contains_by`](crate::Mesh::contains_by) does, by the
    /// [`Rule`], in a shape exactly. A mesh holds no point outside of the box around it, whatever the rule. Planes and heightfields are
    /// surfaces and hold nothing. Of the [`Filter`] only the mask counts, and the instance that it skips.
    ///
    /// # Errors
    /// [`OpenInstanceError`] for [`Rule::Parity`] where the box of an open mesh holds the point: it names the first such instance, the
    /// gap and the other rule.
    ///
    /// ```
    /// use hitscan::shape::{Aabb, Sphere};
    /// use hitscan::{Filter, Mesh, Rule, World};
    /// let mut world = World::new();
    /// let room = world.insert(Aabb::new([-5.0; 3], [5.0; 3])?);
    /// let ball = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let scene = world.commit();
    /// assert_eq!(scene.containing([0.5, 0.0, 0.0], Rule::Parity, &Filter::ALL)?, [room, ball]);
    /// assert_eq!(scene.containing([2.0, 0.0, 0.0], Rule::Parity, &Filter::ALL)?, [room]);
    ///
    /// let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let mut world = World::new();
    /// let tent = world.insert(&Mesh::new(corners, [[0u32, 1, 3], [0, 3, 2], [1, 2, 3]])?); // no floor
    /// let scene = world.commit();
    /// assert_eq!(scene.containing([0.1, 0.1, 0.5], Rule::Winding, &Filter::ALL)?, [tent]);
    /// let error = scene.containing([0.1, 0.1, 0.5], Rule::Parity, &Filter::ALL).unwrap_err();
    /// assert!(error.to_string().starts_with("instance 0 (generation 0)"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "point_in_mesh")]
    pub fn containing(
        &self,
        point: impl Into<[f64; 3]>,
        rule: Rule,
        filter: &Filter<'_>,
    ) -> Result<Vec<InstanceId>, OpenInstanceError> {
        let mut holding = Buffer::new();
        self.containing_into(point, rule, filter, &mut holding)?;
        Ok(holding.into_vec())
    }

    /// [`Scene::containing`] into memory that is used again; empty after an error.
    ///
    /// # Errors
    /// As [`Scene::containing`].
    ///
    /// ```
    /// use hitscan::{Buffer, Filter, InstanceId, Rule, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let (scene, mut holding) = (world.commit(), Buffer::new());
    /// scene.containing_into([0.5, 0.0, 0.0], Rule::Parity, &Filter::ALL, &mut holding)?;
    /// assert_eq!(holding[..], [InstanceId::first(0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn containing_into(
        &self,
        point: impl Into<[f64; 3]>,
        rule: Rule,
        filter: &Filter<'_>,
        holding: &mut Buffer<InstanceId>,
    ) -> Result<(), OpenInstanceError> {
        let (point, holding) = (DVec3::from(point.into()), &mut holding.answers);
        holding.clear();
        if !point.is_finite() {
            return Ok(());
        }
        let mut first_open: Option<OpenInstanceError> = None;
        self.top.each_at(self.kernel, point, |at| {
            if !filter.admits_instance(at.id, at.instance.mask) {
                return;
            }
            match holds(at.instance, point, rule) {
                Ok(true) => holding.push(at.id),
                Ok(false) => {}
                Err(error) => {
                    if first_open.as_ref().is_none_or(|first| at.id < first.id) {
                        first_open = Some(OpenInstanceError { id: at.id, error });
                    }
                }
            }
        });
        holding.sort_unstable();
        match first_open {
            None => Ok(()),
            Some(error) => {
                holding.clear();
                Err(error)
            }
        }
    }

    /// [`Scene::containing`] for each point, on all cores with the feature `rayon`. First it finds out of all meshes that the filter
    /// admits what the rule needs to know, unless they know it: [`open_edge`](crate::Mesh::open_edge) or
    /// [`boundary_edges`](crate::Mesh::boundary_edges).
    ///
    /// # Errors
    /// As [`Scene::containing`], of the first point that has one.
    ///
    /// ```
    /// use hitscan::shape::Sphere;
    /// use hitscan::{Filter, Rule, World};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let holding = world.commit().containing_batch(&[[0.0; 3], [2.0; 3]], Rule::Parity, &Filter::ALL)?;
    /// assert_eq!((holding[0].len(), holding[1].len()), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn containing_batch<P: Into<[f64; 3]> + Copy + Sync>(
        &self,
        points: &[P],
        rule: Rule,
        filter: &Filter<'_>,
    ) -> Result<Vec<Vec<InstanceId>>, OpenInstanceError> {
        // Else each thread might find it out.
        let admitted = self.iter().filter(|(id, instance)| filter.admits_instance(*id, instance.mask));
        admitted.filter_map(|(_, instance)| instance.mesh()).for_each(|mesh| mesh.know(rule));
        each(points, |&point| self.containing(point, rule, filter)).into_iter().collect()
    }
}
