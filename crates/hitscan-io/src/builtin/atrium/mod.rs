//! `builtin:atrium`: a hall of two storeys around an open court, in metres; its long axis is z.
//!
//! What ray tracers are held against is a hall of this kind: walls of two triangles beside capitals of thousands,
//! cloth, ironwork that boxes fit badly, leaves. Each thing is a mesh of its own under its own name, and none is
//! there twice: a size says how many triangles are in memory.

mod arcade;
mod cloth;
mod column;
mod court;
mod gallery;
mod iron;
mod object;
mod plan;
mod plants;
mod stone;

use hitscan::Transform;
use rayon::prelude::*;

use crate::{DEFAULT_MATERIAL, Node, Parts};
use object::Object;

/// Fewest triangles that the hall has a shape with.
pub(super) const FEWEST: usize = 100_000;

/// What things are made of; the number is the row in [`Model::materials`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
enum Material {
    Sandstone = 1,
    Plaster,
    Marble,
    PaleTile,
    DarkTile,
    RoofTile,
    Terracotta,
    Oak,
    Beam,
    Bronze,
    Steel,
    Leaf,
    Soil,
    Water,
    Red,
    Green,
    Blue,
    Lamp,
}

/// Names of the materials, in the order of [`Material`], after the one that stands for none.
const MATERIALS: [&str; 19] = [
    DEFAULT_MATERIAL,
    "sandstone",
    "plaster",
    "white marble",
    "pale marble",
    "dark granite",
    "roof tiles",
    "terracotta",
    "oak",
    "dark wood",
    "bronze",
    "steel",
    "leaves",
    "soil",
    "water",
    "red drapery",
    "green drapery",
    "blue drapery",
    "yellow lamp",
];

/// The hall with about this many triangles.
pub(super) fn parts(triangles: usize) -> Parts {
    let objects = plan::objects_of(triangles);
    let node = |(mesh, object): (usize, &Object)| Node {
        name: object.name.clone(),
        mesh,
        transform: Transform::IDENTITY,
    };
    Parts {
        nodes: objects.iter().enumerate().map(node).collect(),
        drafts: objects.par_iter().map(|object| object.surface().draft(&object.name)).collect(),
        materials: MATERIALS.map(str::to_owned).into(),
        cameras: vec![super::default_camera(EYE, LOOK, FOV)],
        ..Parts::default()
    }
}

/// The default camera, above the court and inside it, looking along it to the side where the sun falls.
const EYE: [f64; 3] = [-1.8, 4.3, 8.9];
const LOOK: [f64; 3] = [1.6, 4.0, -2.0];
const FOV: f64 = 64.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NamedMesh;
    use hitscan::glam::Vec3;
    use hitscan::{Face, Filter, Ray};

    fn hall(triangles: usize) -> crate::Model {
        crate::builtin::build(&format!("atrium:{triangles}")).unwrap()
    }

    #[test]
    fn the_hall_is_as_large_at_any_size() {
        for triangles in [FEWEST, 400_000] {
            let model = hall(triangles);
            let mut bounds = (Vec3::INFINITY, Vec3::NEG_INFINITY);
            for NamedMesh { mesh, name } in &model.meshes {
                let (low, high) = mesh.bounds().unwrap_or_else(|| panic!("{name} is empty"));
                bounds = (bounds.0.min(low), bounds.1.max(high));
            }
            assert!((bounds.0 - Vec3::new(-9.7, -0.3, -15.7)).length() < 0.05, "{bounds:?}");
            assert!((bounds.1 - Vec3::new(9.7, 12.45, 15.7)).length() < 0.1, "{bounds:?}");
        }
    }

    #[test]
    fn what_the_camera_sees_is_seen_from_the_front() {
        let scene = hall(200_000);
        let (camera, scene) = (scene.cameras[0].camera, scene.scene());
        let (mut hits, mut fronts) = (0, 0);
        for y in 0..60 {
            for x in 0..80 {
                let ray = camera.ray([f64::from(x) + 0.5, f64::from(y) + 0.5], [80, 60]).unwrap();
                if let Some(hit) = scene.closest(&ray, &Filter::ALL) {
                    hits += 1;
                    fronts += i32::from(hit.facing == Face::Front);
                }
            }
        }
        // Cloth, slats and leaves are thin, and are also seen from behind.
        assert!(hits > 4_000 && hits < 4_800, "{hits}: most of the picture is the hall, the rest is sky");
        assert!(f64::from(fronts) > 0.93 * f64::from(hits), "{fronts} of {hits}");
    }

    #[test]
    fn masonry_has_its_front_outside() {
        // From the middle of each lower arch of the east side, up, down and to both sides: nothing here is thin.
        let model = hall(FEWEST);
        let scene = model.scene();
        for bay in 0..8 {
            let z = 3.0 * f64::from(bay) - 10.5;
            for dir in [[0.0, 1.0, 0.1], [0.0, 1.0, 0.7], [0.0, -1.0, 0.2], [-1.0, 0.3, 0.1], [1.0, 0.3, 0.2]]
            {
                let ray = Ray::new([6.1, 4.0, z + 0.3], dir).unwrap();
                let hit = scene.closest(&ray, &Filter::ALL).unwrap();
                let name = &model.nodes[hit.instance.slot() as usize].name;
                assert!(hit.facing == Face::Front || name.contains("curtains"), "{name} along {dir:?}");
            }
        }
    }

    #[test]
    fn one_can_stand_in_the_court_and_in_the_galleries() {
        let model = hall(FEWEST);
        let scene = model.scene();
        for ([x, y, z], floor) in [
            ([3.0, 1.0, 5.0], "court floor"),
            ([7.0, 1.0, 5.0], "east lower floor"),
            ([7.0, 7.0, 5.0], "east upper floor"),
        ] {
            let down = Ray::new([x, y, z], [0.0, -1.0, 0.0]).unwrap();
            let hit = scene.closest(&down, &Filter::ALL).unwrap();
            assert_eq!(
                (model.nodes[hit.instance.slot() as usize].name.as_str(), hit.facing),
                (floor, Face::Front)
            );
        }
    }

    #[test]
    fn materials_have_names() {
        assert_eq!(MATERIALS.len(), Material::Lamp as usize + 1);
    }
}
