//! Posed skins, against the sum that defines them, and meshes refitted to them against new ones.

use hitscan::glam::{DAffine3, DVec3};
use hitscan::{Filter, Mesh, MeshError, Skin, SkinError};
use hitscan_oracle::meshes::torus;
use hitscan_oracle::{Rng, rng};

use crate::support::{place, ray_at};

fn random_map(rng: &mut Rng) -> DAffine3 {
    DAffine3::from(place(rng, 2.0))
}

/// Numbers with few digits, so that no sum of the products rounds.
fn exact_map(rng: &mut Rng) -> DAffine3 {
    let mut column = || DVec3::from([0; 3].map(|_: i32| rng.int(-8, 8) as f64 / 4.0));
    DAffine3::from_cols(column(), column(), column(), column())
}

#[test]
fn a_posed_vertex_is_the_weighted_sum_of_where_its_joints_take_it() {
    let mut rng = Rng::new(rng::seed(781));
    for _ in 0..200 {
        let joints = 1 + rng.below(5);
        let vertices: Vec<[f32; 3]> =
            (0..20).map(|_| [0; 3].map(|_| rng.int(-64, 64) as f32 / 8.0)).collect();
        let influences: Vec<Vec<(u32, f32)>> = vertices
            .iter()
            .map(|_| {
                let joint = |rng: &mut Rng| rng.below(joints) as u32;
                let scale = rng.pick(&[1.0, 1.0, 2.0, 0.25]);
                let weights: &[f32] =
                    rng.pick(&[&[1.0], &[0.5, 0.5], &[0.25, 0.0, 0.75], &[0.125, 0.375, 0.25, 0.25]]);
                weights.iter().map(|weight| (joint(&mut rng), scale * weight)).collect()
            })
            .collect();
        let binds: Vec<DAffine3> = (0..joints).map(|_| exact_map(&mut rng)).collect();
        let places: Vec<DAffine3> = (0..joints).map(|_| exact_map(&mut rng)).collect();
        let skin = Skin::new(vertices.clone(), &influences, binds.clone()).unwrap();
        assert_eq!((skin.vertices(), skin.joints()), (&vertices[..], joints));
        let posed = skin.pose(&places).unwrap();
        assert_eq!(posed.len(), vertices.len());
        for ((vertex, influences), posed) in vertices.iter().zip(&influences).zip(&posed) {
            let vertex = DVec3::from(vertex.map(f64::from));
            let whole: f64 = influences.iter().map(|&(_, weight)| f64::from(weight)).sum();
            let moved = influences.iter().map(|&(joint, weight)| {
                let joint = joint as usize;
                let there = places[joint].transform_point3(binds[joint].transform_point3(vertex));
                f64::from(weight) / whole * there
            });
            let expected: DVec3 = moved.sum();
            assert_eq!(*posed, expected.to_array().map(|c| c as f32));
        }
    }
}

#[test]
fn a_mesh_that_follows_its_joints_is_a_new_mesh_of_the_same_vertices() {
    let mut rng = Rng::new(rng::seed(782));
    let tube = torus(1.0, 0.4, 24, 12, 2).mesh;
    let materials: Vec<u32> = (0..tube.triangles.len() as u32).collect();
    let mut mesh = Mesh::new(tube.vertices.clone(), tube.triangles.clone())
        .unwrap()
        .with_materials(materials.clone())
        .unwrap();
    let influences: Vec<[(u32, f32); 3]> =
        tube.vertices.iter().map(|_| [0, 1, 2].map(|joint| (joint, rng.unit() as f32 + 0.01))).collect();
    let binds: Vec<DAffine3> = (0..3).map(|_| random_map(&mut rng)).collect();
    let skin = Skin::new(tube.vertices.clone(), influences, binds).unwrap();
    for _ in 0..20 {
        let joints: Vec<DAffine3> = (0..3).map(|_| random_map(&mut rng)).collect();
        let posed = skin.pose(&joints).unwrap();
        mesh.refit(posed.iter().copied()).unwrap();
        let anew =
            Mesh::new(posed, tube.triangles.clone()).unwrap().with_materials(materials.clone()).unwrap();
        for _ in 0..100 {
            let ray = ray_at(&hitscan::Instance::new(&mesh), &mut rng);
            assert_eq!(mesh.all_hits(&ray, &Filter::ALL), anew.all_hits(&ray, &Filter::ALL), "{ray:?}");
        }
    }
}

#[test]
fn what_skins_refuse() {
    let new = |weights: &[(u32, f32)], bind: DAffine3| {
        Skin::new([[1.0f32, 2.0, 3.0]], [weights], [bind; 2]).map(|_| ())
    };
    let still = DAffine3::IDENTITY;
    assert_eq!(new(&[(0, 1.0)], still), Ok(()));
    assert_eq!(new(&[(2, 1.0)], still), Err(SkinError::Joint { vertex: 0, joint: 2, joints: 2 }));
    assert_eq!(new(&[(0, 0.0), (1, 0.0)], still), Err(SkinError::Unweighted { vertex: 0 }));
    assert_eq!(new(&[], still), Err(SkinError::Unweighted { vertex: 0 }));
    let negative = SkinError::Weight { vertex: 0, joint: 1, weight: -0.5 };
    assert_eq!(new(&[(0, 1.5), (1, -0.5)], still), Err(negative));
    assert!(matches!(new(&[(0, f32::NAN)], still), Err(SkinError::Weight { .. })));
    let broken = DAffine3::from_translation(DVec3::new(0.0, f64::NAN, 0.0));
    assert_eq!(new(&[(0, 1.0)], broken), Err(SkinError::NonFinite { what: "inverse bind matrix", joint: 0 }));
    let counted = Skin::new([[0.0f32; 3]; 2], [[(0, 1.0)]], [still]).map(|_| ());
    assert_eq!(counted, Err(SkinError::InfluenceCount { found: 1, vertices: 2 }));
    let unplaced = Skin::new([[f32::NAN; 3]], [[(0, 1.0)]], [still]).map(|_| ());
    assert!(matches!(unplaced, Err(SkinError::Vertices(MeshError::NonFinite { .. }))));

    let skin = Skin::new([[1.0f32, 2.0, 3.0]], [[(0, 1.0)]], [still]).unwrap();
    assert_eq!(skin.pose(&[]), Err(SkinError::JointCount { found: 0, expected: 1 }));
    assert_eq!(skin.pose(&[broken]), Err(SkinError::NonFinite { what: "joint matrix", joint: 0 }));
    let far = DAffine3::from_translation(DVec3::splat(1e300));
    assert!(matches!(
        skin.pose(&[far]),
        Err(SkinError::Vertices(MeshError::TooFar { vertex: 0, axis: 'x', value: f32::MAX }))
    ));
}
