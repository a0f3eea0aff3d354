//! How high the ground is at a place: the first surface straight below.

use super::Buffer;
use crate::filter::Filter;
use crate::hit::Hit;
use crate::mesh::Mesh;
use crate::plumb::{Fall, Plumb, SignedAxis};
use crate::scene::Scene;

impl Mesh {
    /// Rays straight down onto the mesh, where this axis is up, for [`Mesh::ground`].
    pub fn plumb(&self, up: SignedAxis) -> Plumb {
        let bounds = self.bounds().map(|(low, high)| (low.as_dvec3(), high.as_dvec3()));
        Plumb::new(up, bounds.unwrap_or_default())
    }
}

impl Scene {
    /// Rays straight down onto the scene, where this axis is up, for [`Scene::ground`]. Planes without an end do not count
    /// for where above everything is.
    pub fn plumb(&self, up: SignedAxis) -> Plumb {
        Plumb::new(up, self.bounds().unwrap_or_default())
    }
}

macro_rules! ground {
    ($target:ident) => {
        impl $target {
            /// The topmost surface at a place, or, where a height is given, the first one at it or below it: that which a ray
            /// from there finds, or the first whose own height is not above it. The two differ in the rounding of `f32`
            /// only: a surface is found from the height that was told for it, and one that was modelled at 0.1 is found from
            /// 0.1. `None` where there is no ground. The height of the answer is [`Plumb::height`].
            ///
            /// Of surfaces at one height it is that of [`closest`](Self::closest). The buffer is memory that is used again;
            /// what it holds afterwards is of no interest.
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
