//! The world that all threads work on, and what brute force has to know of each of its moments.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hitscan::glam::{DMat3, DVec3};
use hitscan::{Instance, InstanceId, Mesh, Scene, Transform, World};
use hitscan_oracle::brute::{Hit, Placed};
use hitscan_oracle::entry::Placement;
use hitscan_oracle::{Rng, TriMesh, placements};

/// The most instances that stand in the world.
const INSTANCES: usize = 24;

/// One instance, for brute force.
#[derive(Clone)]
pub struct Actor {
    id: InstanceId,
    mesh: Arc<TriMesh>,
    placement: Placement,
}

/// A scene, and what stands in it, by slot.
#[derive(Clone)]
pub struct Moment {
    /// What is asked.
    pub scene: Scene,
    actors: Arc<[Actor]>,
}

impl Moment {
    /// For brute force: the instances.
    pub fn placed(&self) -> Vec<Placed<'_>> {
        self.actors.iter().map(|actor| Placed { mesh: &actor.mesh, placement: actor.placement }).collect()
    }

    /// A hit of brute force, whose instances are numbered by their places in the list, with the slot of its instance.
    pub fn in_world(&self, hit: &Hit) -> Hit {
        Hit { instance: self.actors[hit.instance as usize].id.slot(), ..*hit }
    }
}

struct Changing {
    world: World,
    actors: Vec<Actor>,
}

/// Where it all happens.
pub struct Stage {
    changing: Mutex<Changing>,
    moment: Mutex<Moment>,
}

impl Stage {
    /// An empty one.
    pub fn new() -> Stage {
        let mut world = World::new();
        let moment = Moment { scene: world.commit(), actors: Arc::from([]) };
        Stage { changing: Mutex::new(Changing { world, actors: Vec::new() }), moment: Mutex::new(moment) }
    }

    /// The last moment that was committed.
    pub fn moment(&self) -> Moment {
        lock(&self.moment).clone()
    }

    /// Whether what enters next takes the place of something.
    pub fn is_full(&self) -> bool {
        lock(&self.changing).actors.len() == INSTANCES
    }

    /// Puts a mesh somewhere, instead of another one where the stage is full, and commits.
    pub fn enter(&self, mesh: &Mesh, of: &Arc<TriMesh>, rng: &mut Rng) -> Result<(), String> {
        let (transform, placement) = place(rng)?;
        let mut changing = lock(&self.changing);
        let Changing { world, actors } = &mut *changing;
        if actors.len() == INSTANCES {
            let gone = actors.swap_remove(rng.below(INSTANCES));
            world.remove(gone.id).map_err(|error| error.to_string())?;
        }
        let id = world.insert(Instance::new(mesh).at(transform));
        actors.push(Actor { id, mesh: of.clone(), placement });
        self.commit(&mut changing);
        Ok(())
    }

    /// Moves some of what stands there, and commits.
    pub fn shuffle(&self, rng: &mut Rng) -> Result<(), String> {
        let mut changing = lock(&self.changing);
        let Changing { world, actors } = &mut *changing;
        for actor in actors.iter_mut() {
            if rng.one_in(3) {
                let (transform, placement) = place(rng)?;
                world.set_transform(actor.id, transform).map_err(|error| error.to_string())?;
                actor.placement = placement;
            }
        }
        self.commit(&mut changing);
        Ok(())
    }

    fn commit(&self, changing: &mut Changing) {
        changing.actors.sort_by_key(|actor| actor.id.slot());
        let scene = changing.world.commit();
        *lock(&self.moment) = Moment { scene, actors: changing.actors.as_slice().into() };
    }
}

/// A thread that panicked ends the whole run; the others need not fail in their turn.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Anywhere within 6 of the origin; one in three in a place that `f32` holds, without a turn.
fn place(rng: &mut Rng) -> Result<(Transform, Placement), String> {
    let placement =
        if rng.one_in(3) { placements::on_grid(rng) } else { placements::random(rng, 10.0, 1.0, 6.0) };
    let matrix = DMat3::from_cols_array_2d(&placement.matrix).transpose();
    let transform = Transform::new(matrix, DVec3::from(placement.translation));
    Ok((transform.map_err(|error| format!("{placement:?}: {error}"))?, placement))
}
