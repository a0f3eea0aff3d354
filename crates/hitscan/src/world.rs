//! What stands where: instances of meshes, collected and then committed.

use alloc::vec::Vec;

use crate::hit::InstanceId;
use crate::mesh::Mesh;
use crate::scene::Scene;
use crate::transform::Transform;

/// One mesh at one place.
///
/// ```
/// use hitscan::{Filter, Instance, Mesh, Ray, Transform, World};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
/// let mut world = World::new();
/// world.insert(Instance::new(&mesh).mask(0b01));
/// let far = Transform::translation([0.0, 0.0, -6.4e6]).unwrap();
/// let id = world.insert(Instance::new(&mesh).at(far).mask(0b10));
/// let scene = world.commit();
/// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]).unwrap();
/// assert_eq!(scene.closest(&ray, &Filter::ALL).unwrap().t, 1.0);
/// let hit = scene.closest(&ray, &Filter::new().mask(0b10)).unwrap();
/// assert_eq!((hit.instance, hit.t), (id, 6.4e6 + 1.0));
/// ```
#[derive(Clone, Debug)]
pub struct Instance {
    pub(crate) mesh: Mesh,
    pub(crate) transform: Transform,
    pub(crate) mask: u32,
}

impl Instance {
    /// The mesh where its own coordinates put it, with the mask `u32::MAX`.
    pub fn new(mesh: &Mesh) -> Instance {
        Instance { mesh: mesh.clone(), transform: Transform::IDENTITY, mask: u32::MAX }
    }

    /// The same at another place.
    #[must_use]
    pub fn at(mut self, transform: Transform) -> Instance {
        self.transform = transform;
        self
    }

    /// The same, hit only by filters that share a bit with `mask`.
    #[must_use]
    pub fn mask(mut self, mask: u32) -> Instance {
        self.mask = mask;
        self
    }

    /// What stands there.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Where it stands.
    pub fn transform(&self) -> &Transform {
        &self.transform
    }
}

impl From<&Mesh> for Instance {
    fn from(mesh: &Mesh) -> Instance {
        Instance::new(mesh)
    }
}

/// Instances of meshes, collected and then committed.
///
/// A [`World`] is the part that changes; [`World::commit`] gives an immutable [`Scene`] that any thread may ask
/// while the next one is prepared.
#[derive(Clone, Debug, Default)]
pub struct World {
    instances: Vec<Instance>,
}

impl World {
    /// A world without anything in it; its scene is never hit.
    pub fn new() -> World {
        World::default()
    }

    /// Adds an instance, or a mesh where its own coordinates put it.
    pub fn insert(&mut self, instance: impl Into<Instance>) -> InstanceId {
        let id = InstanceId(self.instances.len() as u32);
        self.instances.push(instance.into());
        id
    }

    /// How many instances there are.
    pub fn len(&self) -> usize {
        self.instances.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.instances.is_empty()
    }

    /// The world as it is now, ready to be asked.
    pub fn commit(&self) -> Scene {
        Scene::new(self.instances.clone())
    }
}
