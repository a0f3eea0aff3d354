//! What is shown of large things, in messages and debuggers: how much there is, not all of it.

use hitscan::heightfield::Heightfield;
use hitscan::{Cutout, Instance, Mesh, Transform, World};

#[test]
fn large_things_are_shown_in_few_words() {
    let side = 100u32;
    let vertices = (0..side * side).map(|i| [(i % side) as f32, 0.0, (i / side) as f32]);
    let squares = (0..side * side).filter(|i| i % side + 1 < side && i / side + 1 < side);
    let mesh = Mesh::new(vertices, squares.map(|i| [i, i + 1, i + side])).unwrap();
    assert_eq!(
        format!("{mesh:?}"),
        "Mesh { vertices: 10000, triangles: 9801, \
         bounds: Some((Vec3(0.0, 0.0, 0.0), Vec3(99.0, 0.0, 99.0))), .. }"
    );
    let mut world = World::new();
    for i in 0..100 {
        world.insert(Instance::new(&mesh).at(Transform::translation([0.0, f64::from(i), 0.0]).unwrap()));
    }
    assert_eq!(format!("{world:?}"), "World { instances: 100, .. }");
    let scene = format!("{:?}", world.commit());
    assert!(scene.starts_with("Scene { instances: 100, bounds: Some((DVec3(-"), "{scene}");
    let cutout = Cutout::new(64, 64, vec![255; 64 * 64], 0.5).unwrap();
    assert!(format!("{cutout:?}").starts_with("Cutout { size: [64, 64], threshold: 0.5, "), "{cutout:?}");
    let ground = Heightfield::builder(64, 64).build_f32(vec![0.0; 64 * 64]).unwrap();
    for shown in [scene, format!("{cutout:?}"), format!("{ground:?}"), format!("{:?}", Instance::new(&mesh))]
    {
        assert!(shown.len() < 700, "{shown}");
    }
}

#[test]
fn a_mesh_without_vertices_is_told_as_one() {
    let error = Mesh::new(Vec::<[f32; 3]>::new(), [[0u32, 1, 2]]).unwrap_err();
    assert_eq!(error.to_string(), "triangle 0 names vertex 0; the mesh has none");
}
