//! A world at one moment: immutable, shared by threads, asked by every query.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::bvh::CheckError;
use crate::simd::{Isa, Kernel};
use crate::top::Top;
use crate::world::Instance;

/// A [`World`](crate::World) at one moment. Cheap to clone; clones share everything.
#[derive(Clone, Debug)]
pub struct Scene {
    pub(crate) top: Arc<Top>,
    pub(crate) kernel: Kernel,
}

impl Scene {
    pub(crate) fn new(instances: Vec<Instance>) -> Scene {
        Scene { top: Arc::new(Top::new(instances)), kernel: Kernel::best() }
    }

    /// The same scene, walked by another instruction set. The answers are the same on every bit; this is
    /// for tests and measurements. `None` where this machine does not have it.
    pub fn with_isa(&self, isa: Isa) -> Option<Scene> {
        Some(Scene { top: self.top.clone(), kernel: Kernel::of(isa)? })
    }

    /// The instruction set that walks this scene.
    pub fn isa(&self) -> Isa {
        self.kernel.isa()
    }

    /// The instances, in the order of their ids.
    pub fn instances(&self) -> &[Instance] {
        self.top.instances()
    }

    /// A box that holds every hit of every ray, as its lowest and highest corner: the instances' boxes with room for
    /// the rounding of an entry into their meshes (2^-17 of a mesh's size). `None` where there is nothing.
    pub fn bounds(&self) -> Option<(glam::DVec3, glam::DVec3)> {
        self.top.bounds()
    }

    /// Verifies the tree over the instances, and each mesh with [`Mesh::check`](crate::Mesh::check).
    ///
    /// # Errors
    /// The first invariant that does not hold: a fault of this library, never of the input.
    pub fn check(&self) -> Result<(), CheckError> {
        self.top.check()?;
        self.instances().iter().try_for_each(|instance| instance.mesh().check())
    }
}
