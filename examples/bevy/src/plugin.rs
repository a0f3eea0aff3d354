//! The same in an app: what has a mesh stands in a world that follows it, and systems ask its scene.

use std::collections::HashMap;
use std::error::Error;

use bevy_app::{App, Plugin, PostUpdate, Update};
use bevy_asset::{AssetApp, AssetId, AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_math::{Dir3, Vec3};
use bevy_mesh::{Mesh, Mesh3d, MeshBuilder, Meshable};
use bevy_shape::{Cuboid, Ray3d};
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::{TransformPlugin, TransformSystems};
use hitscan::{Filter, Instance, InstanceId, Scene, World as Hitworld};

use crate::convert::{placement, ray, solid};

/// Adds what is below to an app.
pub struct HitscanPlugin;

/// The world that follows the app's, and its scene as of the last frame.
#[derive(Resource)]
pub struct Hits {
    world: Hitworld,
    pub scene: Scene,
    /// Meshes that were taken over, each once for all that show it.
    solids: HashMap<AssetId<Mesh>, hitscan::Mesh>,
    instances: HashMap<Entity, InstanceId>,
    entities: HashMap<InstanceId, Entity>,
}

impl Default for Hits {
    fn default() -> Hits {
        let mut world = Hitworld::new();
        let scene = world.commit();
        let (solids, instances, entities) = Default::default();
        Hits { world, scene, solids, instances, entities }
    }
}

impl Hits {
    /// What a ray of some length hits first, and where.
    pub fn first(&self, ray3d: Ray3d, length: f32) -> Option<(Entity, Vec3)> {
        let hit = self.scene.closest(&ray(ray3d, length).ok()?, &Filter::ALL)?;
        Some((*self.entities.get(&hit.instance)?, hit.position.as_vec3()))
    }
}

impl Hits {
    /// Takes out what was there for an entity, if anything was.
    fn remove(&mut self, entity: Entity) -> Result {
        if let Some(id) = self.instances.remove(&entity) {
            self.entities.remove(&id);
            self.world.remove(id)?;
        }
        Ok(())
    }
}

impl Plugin for HitscanPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hits>();
        app.add_systems(PostUpdate, follow.after(TransformSystems::Propagate));
    }
}

/// Puts in what is new, moves what moved, takes out what is gone, and commits.
fn follow(
    mut hits: ResMut<Hits>,
    meshes: Res<Assets<Mesh>>,
    moved: Query<(Entity, &Mesh3d, &GlobalTransform), Or<(Changed<Mesh3d>, Changed<GlobalTransform>)>>,
    mut gone: RemovedComponents<Mesh3d>,
) -> Result {
    for entity in gone.read() {
        hits.remove(entity)?;
    }
    for (entity, mesh, transform) in &moved {
        let Ok(at) = placement(transform.affine()) else {
            // Scaled to nothing: hidden, until it changes again.
            hits.remove(entity)?;
            continue;
        };
        let Hits { world, solids, instances, entities, .. } = &mut *hits;
        let asset = mesh.0.id();
        if !solids.contains_key(&asset) {
            // Not loaded yet: when it is, `AssetEvent::Added` is the time to try again.
            let Some(mesh) = meshes.get(asset) else { continue };
            // Lines and points are not hit.
            let Ok(solid) = solid(mesh) else { continue };
            solids.insert(asset, solid);
        }
        let solid = &solids[&asset];
        if let Some(&id) = instances.get(&entity) {
            world.set_geometry(id, solid)?;
            world.set_transform(id, at)?;
        } else {
            let id = world.insert(Instance::new(solid).at(at));
            instances.insert(entity, id);
            entities.insert(id, entity);
        }
    }
    hits.scene = hits.world.commit();
    Ok(())
}

/// A target that runs from left to right.
#[derive(Component)]
struct Running(f32);

/// Three frames of an app without a window.
pub fn run() -> std::result::Result<(), Box<dyn Error>> {
    let mut app = App::new();
    app.add_plugins((AssetPlugin::default(), TransformPlugin, HitscanPlugin)).init_asset::<Mesh>();
    app.add_systems(Update, |mut running: Query<(&Running, &mut Transform)>| {
        running.iter_mut().for_each(|(speed, mut at)| at.translation.x += speed.0);
    });
    let cube = app.world_mut().resource_mut::<Assets<Mesh>>().add(Cuboid::default().mesh().build());
    let start = Transform::from_xyz(-2.0, 0.0, -5.0);
    let target = app.world_mut().spawn((Mesh3d(cube), start, Running(1.0))).id();
    let aim = Ray3d::new(Vec3::ZERO, Dir3::NEG_Z);
    let seen: Vec<bool> = (0..3)
        .map(|_| {
            app.update();
            app.world().resource::<Hits>().first(aim, 100.0).is_some_and(|(entity, _)| entity == target)
        })
        .collect();
    assert_eq!(seen, [false, true, false]); // at x = -1, 0 and 1
    for (scale, count) in [(Vec3::ZERO, 0), (Vec3::ONE, 1)] {
        app.world_mut().get_mut::<Transform>(target).expect("it has one").scale = scale;
        app.update();
        assert_eq!(app.world().resource::<Hits>().scene.iter().count(), count);
    }
    app.world_mut().despawn(target);
    app.update();
    assert_eq!(app.world().resource::<Hits>().scene.iter().count(), 0);
    println!("app: the target ran through the line of fire in the second of three frames");
    Ok(())
}
