//! How high the ground is at a place: the first surface straight below.

use glam::DVec3;

use super::Buffer;
use crate::filter::Filter;
use crate::hit::Hit;
use crate::mesh::Mesh;
use crate::plumb::{Fall, Plumb, SignedAxis};
use crate::scene::Scene;
use crate::world::Geometry;

impl Mesh {
    /// Rays straight down onto the mesh, where this axis is up, for [`Mesh::ground`].
    ///
    /// ```
    /// use hitscan::{Mesh, SignedAxis};
    /// let floor = Mesh::new([[0.0f32, 2.0, 0.0], [0.0, 2.0, 9.0], [9.0, 2.0, 0.0]], [[0u32, 1, 2]])?;
    /// let from = floor.plumb(SignedAxis::Y).fall([1.0, 3.0], None)?.ray().origin();
    /// assert!(from.y > 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plumb(&self, up: SignedAxis) -> Plumb {
        let bounds = self.bounds().map(|(low, high)| (low.as_dvec3(), high.as_dvec3()));
        Plumb::new(up, bounds.unwrap_or_default())
    }
}

impl Scene {
    /// Rays straight down onto the scene, where this axis is up, for [`Scene::ground`]. Planes without an end do not count
    /// for where above everything is.
    ///
    /// ```
    /// use hitscan::{SignedAxis, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let from = world.commit().plumb(SignedAxis::Z).fall([0.0, 0.0], None)?.ray().origin();
    /// assert!(from.z > 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plumb(&self, up: SignedAxis) -> Plumb {
        // Hulls of planes have an end, but no box: which corners they have is known but for rounding.
        let hulls = self.iter().filter_map(|(_, instance)| match instance.geometry() {
            Geometry::ConvexHull(hull) if hull.bounds().is_none() => Some((hull, instance.transform())),
            _ => None,
        });
        let corners = hulls.flat_map(|(hull, place)| {
            hull.surface().iter().flatten().map(|corner| place.point(corner.to_array()))
        });
        let grown = |around: Option<(DVec3, DVec3)>, corner: DVec3| {
            Some(around.map_or((corner, corner), |(low, high)| (low.min(corner), high.max(corner))))
        };
        Plumb::new(up, corners.fold(self.bounds(), grown).unwrap_or_default())
    }
}

macro_rules! ground {
    ($target:ident) => {
        impl $target {
            /// The topmost surface at a place, or, where a height is given, the first one at it or below it: that which a ray
            /// from there finds, or the first whose own height is not above it. The two differ in the rounding of `f32`
            /// only: a surface is found from the height that was told for it, and one that was modelled at 0.1 is found from
            /// 0.1. `None` where there is no ground; a plane, which reaches above all else, is ground where a height is given. The height of the
            /// answer is [`Plumb::height`].
            ///
            /// Of surfaces at one height it is that of [`closest`](Self::closest). At one height is also what a ray from above does not
            /// tell apart: heights that differ by less than 2^-20 of the largest one, or 2^-36 of the largest coordinate, or, where a
            /// mesh in a scene is turned or scaled, 2^-20 of its size. The buffer is memory that is used again; what it holds
            /// afterwards is of no interest.
            ///
            /// ```
            /// use hitscan::{Buffer, Filter, Mesh, SignedAxis, World};
            /// // A floor, and a roof three metres above it.
            /// let floor = [[0.0f32, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 0.0]];
            /// let house = Mesh::new(floor.into_iter().chain(floor.map(|[x, _, z]| [x, 3.0, z])), [[0u32, 1, 2], [3, 4, 5]])?;
            #[doc = ground!(@target $target)]
            /// let (plumb, mut buffer) = (target.plumb(SignedAxis::Y), Buffer::new());
            /// let mut height = |below| -> Result<Option<f64>, hitscan::RayError> {
            ///     let fall = plumb.fall([2.0, 2.0], below)?;
            ///     Ok(target.ground(&fall, &Filter::ALL, &mut buffer).map(|hit| plumb.height(&hit)))
            /// };
            /// assert_eq!(height(None)?, Some(3.0)); // on the roof
            /// assert_eq!(height(Some(1.8))?, Some(0.0)); // below a head
            /// assert_eq!(height(Some(-1.0))?, None);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn ground(&self, fall: &Fall, filter: &Filter<'_>, buffer: &mut Buffer) -> Option<Hit> {
                let Fall { plumb, from_above, from_there } = fall;
                let Some((ray, limit)) = from_there else { return self.closest(from_above, filter) };
                let from_there = self.closest(ray, filter);
                self.all_hits_into(from_above, filter, buffer);
                let by_height = buffer.iter().find(|hit| plumb.height(hit) <= *limit).copied();
                match (by_height, from_there) {
                    (Some(a), Some(b)) if plumb.height(&b) > plumb.height(&a) => Some(b),
                    (a, b) => a.or(b),
                }
            }
        }
    };
    (@target Mesh) => {
        "let target = house;"
    };
    (@target Scene) => {
        "let mut world = World::new();\nworld.insert(house);\nlet target = world.commit();"
    };
}

ground!(Mesh);
ground!(Scene);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{ConvexHull, Plane};
    use crate::world::World;

    /// A hull of planes has an end, and is found from above as from a height.
    #[test]
    fn a_hull_of_planes_above_all_else_is_the_ground() {
        let floor =
            Mesh::new([[-9.0f32, 0.0, -9.0], [0.0, 0.0, 9.0], [9.0, 0.0, -9.0]], [[0u32, 1, 2]]).unwrap();
        let planes =
            [0, 1, 2].into_iter().flat_map(|axis| [-1.0, 1.0].map(|side| (DVec3::AXES[axis] * side, axis)));
        // From 40 to 41 along y.
        let planes = planes.map(|(normal, axis)| {
            let at = if axis == 1 { DVec3::Y * 40.5 + normal * 0.5 } else { normal };
            Plane::new(normal, at).unwrap()
        });
        let block = ConvexHull::from_planes(planes).unwrap();
        for with_floor in [false, true] {
            let mut world = World::new();
            if with_floor {
                world.insert(&floor);
            }
            world.insert(block.clone());
            let scene = world.commit();
            let (plumb, mut buffer) = (scene.plumb(SignedAxis::Y), Buffer::new());
            for below in [None, Some(100.0)] {
                let fall = plumb.fall([0.0, 0.0], below).unwrap();
                let hit = scene.ground(&fall, &Filter::ALL, &mut buffer).unwrap();
                assert_eq!(plumb.height(&hit), 41.0, "{with_floor} {below:?}");
            }
        }
    }
}
