//! What stands where: instances, collected, moved and then committed.

pub(crate) mod ellipsoid;
mod geometry;
mod history;
mod instance;
mod interpolate;
pub(crate) mod placing;
pub(crate) mod slots;
pub(crate) mod top;
pub(crate) mod uneven;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

pub use geometry::Geometry;
pub use history::History;
pub use instance::Instance;

use crate::error::{HistoryError, StaleInstance};
use crate::hit::InstanceId;
use crate::scene::Scene;
use crate::transform::Transform;
use slots::Slots;
use top::Top;

/// Instances of meshes and of shapes, collected and then committed.
///
/// A [`World`] is the part that changes; [`World::commit`] gives an immutable [`Scene`] that any thread may ask
/// while the next one is prepared.
///
/// ```
/// use hitscan::shape::Sphere;
/// use hitscan::{Filter, Instance, Ray, Transform, World};
/// let mut world = World::new();
/// let can = world.insert(Sphere::new([0.0; 3], 0.5)?);
/// let now = world.commit();
///
/// world.set_transform(can, Transform::translation([0.0, 0.0, -4.0])?)?; // thrown
/// let next = world.commit();
/// let bullet = Ray::new([0.0, 0.0, 9.0], [0.0, 0.0, -1.0])?;
/// assert_eq!(next.closest(&bullet, &Filter::ALL).map(|hit| hit.t), Some(12.5));
/// assert_eq!(now.closest(&bullet, &Filter::ALL).map(|hit| hit.t), Some(8.5)); // as it was
///
/// world.remove(can)?;
/// let error = world.set_transform(can, Transform::IDENTITY).unwrap_err();
/// assert_eq!(error.to_string(), "instance 0 (generation 0) is not there; it needs to be one that was not removed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct World {
    slots: Slots,
    /// Slots without an instance whose turn comes next, the last one first.
    free: Vec<u32>,
    count: usize,
    /// How often a tree over the instances became outdated by more than their places.
    edition: u64,
    /// What was committed last, and before that: the memory of the older one is used again once nobody asks it any more.
    last: Option<Arc<Top>>,
    before: Option<Arc<Top>>,
    history: History,
    /// How many ticks of it are kept.
    kept: usize,
}

/// How much there is, not all of it.
impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("instances", &self.count).finish_non_exhaustive()
    }
}

impl World {
    /// A world without anything in it; its scene is never hit.
    ///
    /// ```
    /// use hitscan::{Filter, Ray, World};
    /// let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0])?;
    /// assert!(!World::new().commit().occluded(&ray, &Filter::ALL));
    /// # Ok::<(), hitscan::RayError>(())
    /// ```
    pub fn new() -> World {
        World::default()
    }

    /// Adds an instance, or a mesh or a shape where its own coordinates put it.
    ///
    /// ```
    /// use hitscan::{Instance, Mesh, Transform, World, shape::Sphere};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let mut world = World::new();
    /// let first = world.insert(&mesh);
    /// let second = world.insert(Instance::new(&mesh).at(Transform::translation([9.0, 0.0, 0.0])?)); // no copy of the mesh
    /// let third = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// assert_eq!([first, second, third].map(|id| id.slot()), [0, 1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert(&mut self, instance: impl Into<Instance>) -> InstanceId {
        let slot = self.free.pop().unwrap_or(self.slots.len() as u32);
        self.count += 1;
        self.edition += 1;
        self.slots.put(slot, instance.into())
    }

    /// Takes an instance out. Its name is stale from then on, and its slot is used again.
    ///
    /// # Errors
    /// A name of an instance that is not there any more. That of another world is not told from this one's.
    ///
    /// ```
    /// use hitscan::{World, shape::Sphere};
    /// let mut world = World::new();
    /// let ball = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// assert!(world.remove(ball)?.mesh().is_none()); // the ball itself
    /// assert!(world.remove(ball).is_err() && world.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, id: InstanceId) -> Result<Instance, StaleInstance> {
        let (instance, again) = self.slots.take(id)?;
        if again {
            self.free.push(id.slot());
        }
        self.count -= 1;
        self.edition += 1;
        Ok(instance)
    }

    /// Moves an instance.
    ///
    /// # Errors
    /// As [`World::remove`].
    ///
    /// ```
    /// use hitscan::{Filter, Ray, Transform, World, shape::Sphere};
    /// let mut world = World::new();
    /// let ball = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// world.set_transform(ball, Transform::translation([5.0, 0.0, 0.0])?)?;
    /// let hit = world.commit().closest(&Ray::new([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0])?, &Filter::ALL);
    /// assert_eq!(hit.map(|hit| hit.t), Some(7.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_transform(&mut self, id: InstanceId, transform: Transform) -> Result<(), StaleInstance> {
        self.slots.get_mut(id)?.transform = transform;
        Ok(())
    }

    /// Moves an instance to where it does not come to by moving: between two [recorded](Self::record) ticks, the
    /// [`History`] does not show it half-way.
    ///
    /// # Errors
    /// As [`World::remove`].
    ///
    /// ```
    /// use hitscan::{Filter, Ray, Transform, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.keep(2);
    /// let player = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// world.record(0)?;
    /// world.teleport(player, Transform::translation([8.0, 0.0, 0.0])?)?;
    /// world.record(1)?;
    /// let half_way = Ray::new([4.0, 9.0, 0.0], [0.0, -1.0, 0.0])?;
    /// assert!(!world.history().at(0.5)?.occluded(&half_way, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn teleport(&mut self, id: InstanceId, transform: Transform) -> Result<(), StaleInstance> {
        let instance = self.slots.get_mut(id)?;
        (instance.transform, instance.teleported) = (transform, true);
        Ok(())
    }

    /// Changes which filters an instance is hit by.
    ///
    /// # Errors
    /// As [`World::remove`].
    ///
    /// ```
    /// use hitscan::{Filter, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// let ghost = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// world.set_mask(ghost, 0)?;
    /// assert_eq!(world.get(ghost).map(|ghost| ghost.own_mask()), Some(0));
    /// assert!(!world.commit().occluded(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])?, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_mask(&mut self, id: InstanceId, mask: u32) -> Result<(), StaleInstance> {
        self.slots.get_mut(id)?.mask = mask;
        Ok(())
    }

    /// Changes the number that hits on a shape or a heightfield report as their material; see [`Instance::material`].
    ///
    /// # Errors
    /// As [`World::remove`].
    ///
    /// ```
    /// use hitscan::{Filter, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// let ball = world.insert(Sphere::new([4.0, 0.0, 0.0], 1.0)?);
    /// world.set_material(ball, 7)?;
    /// let hit = world.commit().closest(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])?, &Filter::ALL);
    /// assert_eq!(hit.map(|hit| hit.material), Some(7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_material(&mut self, id: InstanceId, material: u32) -> Result<(), StaleInstance> {
        self.slots.get_mut(id)?.material = material;
        Ok(())
    }

    /// Puts another mesh or shape in an instance's place, such as a mesh after a [refit](crate::Mesh::refit).
    ///
    /// # Errors
    /// As [`World::remove`].
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray, World};
    /// let mut flag = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let mut world = World::new();
    /// let id = world.insert(&flag);
    /// flag.refit([[0.0f32, 0.0, 0.5], [1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])?;
    /// world.set_geometry(id, &flag)?;
    /// let hit = world.commit().closest(&Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])?, &Filter::ALL);
    /// assert_eq!(hit.map(|hit| hit.t), Some(0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_geometry(
        &mut self,
        id: InstanceId,
        geometry: impl Into<Geometry>,
    ) -> Result<(), StaleInstance> {
        let (instance, geometry) = (self.slots.get_mut(id)?, geometry.into());
        if !instance.geometry.stands_like(&geometry) {
            self.edition += 1;
        }
        instance.geometry = geometry;
        Ok(())
    }

    /// The instance of a name; `None` where it is stale.
    ///
    /// ```
    /// use hitscan::{World, shape::Sphere};
    /// let mut world = World::new();
    /// let ball = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// assert!(world.get(ball).is_some());
    /// world.remove(ball)?;
    /// assert!(world.get(ball).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get(&self, id: InstanceId) -> Option<&Instance> {
        self.slots.get(id)
    }

    /// All instances with their names, by slot.
    ///
    /// ```
    /// use hitscan::{World, shape::Sphere};
    /// let mut world = World::new();
    /// let id = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// assert_eq!(world.iter().map(|(id, _)| id).collect::<Vec<_>>(), [id]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (InstanceId, &Instance)> {
        self.slots.iter()
    }

    /// How many instances there are.
    ///
    /// ```
    /// use hitscan::{World, shape::Sphere};
    /// let mut world = World::new();
    /// let ball = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// assert_eq!(world.len(), 1);
    /// world.remove(ball)?;
    /// assert_eq!(world.len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    ///
    /// ```
    /// assert!(hitscan::World::new().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The world as it is now, ready to be asked.
    ///
    /// Where instances only moved since an earlier commit, their tree keeps its shape and gets new boxes, as long as that
    /// costs rays at most 1.3 times of what the tree cost when it was built; else it is built anew. Answers do not depend on it.
    /// The memory of the scene before the last one is used again, if no clone of it is left: a game that drops its scenes
    /// frame by frame needs no more of it after the first two.
    ///
    /// ```
    /// use hitscan::{Filter, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// let ball = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let before = world.commit();
    /// world.remove(ball)?;
    /// let (after, ray) = (world.commit(), Ray::new([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0])?);
    /// assert!(before.occluded(&ray, &Filter::ALL) && !after.occluded(&ray, &Filter::ALL)); // a scene stays as it is
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn commit(&mut self) -> Scene {
        let mut top = self.before.take().filter(|top| Arc::strong_count(top) == 1).unwrap_or_default();
        // Nobody else has it, and nobody can get it.
        if let Some(own) = Arc::get_mut(&mut top) {
            own.renew(&self.slots, self.edition, self.last.as_deref());
        }
        self.before = self.last.replace(top.clone());
        Scene::new(top)
    }

    /// How many ticks [`World::record`] keeps; at first none. Those beyond are dropped, the oldest first.
    ///
    /// ```
    /// use hitscan::{World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// world.keep(64); // a second of a server with 64 ticks
    /// (0..100).try_for_each(|tick| world.record(tick))?;
    /// assert_eq!(world.history().ticks().next(), Some(36));
    /// world.keep(1);
    /// assert_eq!(world.history().ticks().collect::<Vec<_>>(), [99]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep(&mut self, ticks: usize) {
        self.kept = ticks;
        self.history.drop_beyond(ticks);
    }

    /// Remembers where everything is as one tick of the [`History`].
    ///
    /// # Errors
    /// A tick that is not above the last one that is kept.
    ///
    /// ```
    /// use hitscan::{World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// world.keep(8);
    /// world.record(3)?;
    /// assert!(world.record(3).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record(&mut self, tick: u64) -> Result<(), HistoryError> {
        self.history.record(tick, &self.slots, self.kept)?;
        self.slots.each_mut(|instance| instance.teleported = false);
        Ok(())
    }

    /// What was recorded and is kept: it stays as it is, whatever becomes of the world.
    ///
    /// ```
    /// use hitscan::{World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// world.keep(8);
    /// world.record(0)?;
    /// let history = world.history();
    /// world.record(1)?;
    /// assert_eq!((history.ticks().len(), world.history().ticks().len()), (1, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn history(&self) -> History {
        self.history.clone()
    }
}
