//! The nearest point of a mesh, and the signed distance, against a plain loop over the triangles: on bits.

use hitscan::intersect::point_triangle;
use hitscan::shape::Triangle;
use hitscan::{ClosestPoint, Containment, Isa, Mesh, Preset};
use hitscan_oracle::meshes::{all, all_solids, any_sizes};
use hitscan_oracle::{Rng, TriMesh, rng};

/// What a loop over the triangles finds: everything that an answer says, as bits.
type Bits = (u64, [u64; 3], u32, [u64; 2], String);

fn brute(mesh: &TriMesh, point: [f64; 3], limit: f64) -> Option<Bits> {
    let mut best: Option<(f64, usize)> = None;
    let nearest = |prim: usize| {
        let [a, b, c] = mesh.corners(prim).map(|corner| corner.map(f64::from));
        point_triangle(point, &Triangle::new(a, b, c).unwrap())
    };
    for prim in (0..mesh.triangles.len()).filter(|&prim| !mesh.repeats_a_corner(prim)) {
        let distance = nearest(prim).distance;
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, prim));
        }
    }
    best.map(|(_, prim)| {
        let n = nearest(prim);
        let position = n.position.to_array().map(f64::to_bits);
        let weights = [n.u, n.v].map(f64::to_bits);
        (n.distance.to_bits(), position, prim as u32, weights, format!("{:?}", n.feature))
    })
}

fn bits(found: &ClosestPoint) -> Bits {
    let position = found.position.to_array().map(f64::to_bits);
    let weights = [found.u, found.v].map(f64::to_bits);
    (found.distance.to_bits(), position, found.prim, weights, format!("{:?}", found.feature))
}

/// Everywhere around a mesh, on it, at its corners, far away.
pub fn places(mesh: &TriMesh, rng: &mut Rng, count: usize) -> Vec<[f64; 3]> {
    let ((low, high), size) = (mesh.bounds(), mesh.half_size());
    (0..count)
        .map(|_| {
            let anywhere: [f64; 3] = std::array::from_fn(|i| rng.range(low[i] - size, high[i] + size));
            let vertex = mesh.vertices[rng.below(mesh.vertices.len())].map(f64::from);
            let corners = mesh.corners(rng.below(mesh.triangles.len())).map(|c| c.map(f64::from));
            let (u, v) = (rng.unit(), 0.5 * rng.unit());
            let on: [f64; 3] = std::array::from_fn(|i| {
                corners[0][i]
                    + u * (1.0 - v) * (corners[1][i] - corners[0][i])
                    + v * (corners[2][i] - corners[0][i])
            });
            let (step, way) = (size * rng.any_size(1e-12, 1e6), rng.direction());
            match rng.below(6) {
                0 => vertex,
                1 => on,
                2 => std::array::from_fn(|i| on[i] + step * way[i]),
                3 => std::array::from_fn(|i| vertex[i] + step * way[i]),
                4 => mesh.middle(),
                _ => anywhere,
            }
        })
        .collect()
}

pub fn meshes(rng: &mut Rng) -> Vec<TriMesh> {
    let mut meshes = all(rng);
    meshes.push(any_sizes(300, rng));
    meshes
}

/// The mesh by every preset, and on every instruction set that there is.
pub fn built(source: &TriMesh) -> Vec<Mesh> {
    let build = |&preset| Mesh::build(preset, source.vertices.clone(), source.triangles.clone()).unwrap();
    let mut built: Vec<Mesh> = Preset::ALL.iter().map(build).collect();
    built.extend(Isa::ALL.iter().filter_map(|&isa| built[0].with_isa(isa)).collect::<Vec<_>>());
    built
}

#[test]
fn every_answer_is_that_of_a_loop_over_the_triangles() {
    let mut rng = Rng::new(rng::seed(2711));
    for source in meshes(&mut rng) {
        for scale in [1.0f32, 2f32.powi(-60), 2f32.powi(40)] {
            let scaled = source.scaled(scale);
            if f64::from(scaled.reach()) > 2f64.powi(70) && scale != 1.0 {
                continue;
            }
            let built = built(&scaled);
            let points = places(&scaled, &mut rng, 24);
            let answers = built[0].closest_point_batch(&points);
            assert_eq!(answers.len(), points.len());
            for (point, answer) in points.iter().zip(answers) {
                let expected = brute(&scaled, *point, f64::INFINITY);
                let context = format!("{}: {point:?}", scaled.name);
                for mesh in &built {
                    assert_eq!(mesh.closest_point(*point).as_ref().map(bits), expected, "{context}");
                }
                assert_eq!(answer.as_ref().map(bits), expected, "{context}");
                let Some(distance) = answer.map(|answer| answer.distance) else { continue };
                for limit in [distance, distance.next_down(), 0.5 * distance, 2.0 * distance] {
                    let within = built[0].closest_point_within(*point, limit);
                    assert_eq!(within.as_ref().map(bits), brute(&scaled, *point, limit), "{context}");
                }
            }
        }
    }
}

#[test]
fn a_refitted_mesh_answers_as_a_new_one() {
    let mut rng = Rng::new(rng::seed(2712));
    for source in meshes(&mut rng) {
        let mut mesh = Mesh::new(source.vertices.clone(), source.triangles.clone()).unwrap();
        let moved = source.moved([0.5, -3.0, 1.25]);
        mesh.refit(moved.vertices.clone()).unwrap();
        for point in places(&moved, &mut rng, 12) {
            let found = mesh.closest_point(point).as_ref().map(bits);
            assert_eq!(found, brute(&moved, point, f64::INFINITY), "{}: {point:?}", moved.name);
        }
    }
}

#[test]
fn points_that_are_no_numbers_and_points_beyond_all_numbers() {
    let mesh = Mesh::new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(mesh.closest_point([0.0, bad, 0.0]), None);
        assert_eq!(mesh.signed_distance([bad, 0.0, 0.0]), None);
    }
    assert_eq!(mesh.closest_point_within([0.0, 0.0, 1.0], f64::NAN), None);
    assert_eq!(mesh.closest_point_within([0.0; 3], -1.0), None);
    assert!(mesh.closest_point_within([0.0; 3], 0.0).is_some());
    assert_eq!(mesh.closest_point([0.0, 0.0, 1e300]).map(|n| n.distance), Some(1e300));
    assert_eq!(mesh.closest_point([0.25, 0.25, 1e-300]).map(|n| n.distance), Some(1e-300));
    let far = mesh.closest_point([f64::MAX; 3]).expect("there is a triangle");
    assert_eq!((far.distance, far.prim), (f64::INFINITY, 0));
    let empty = Mesh::new([[0.0f32; 3]; 3], [[0u32, 1, 2]]).unwrap();
    assert_eq!((empty.closest_point([0.0; 3]), empty.signed_distance([0.0; 3])), (None, None));
}

#[test]
fn a_signed_distance_is_the_distance_with_the_sign_of_the_place() {
    let mut rng = Rng::new(rng::seed(2713));
    let mut signs = [0; 3];
    for solid in all_solids() {
        let mesh = Mesh::new(solid.mesh.vertices.clone(), solid.mesh.triangles.clone()).unwrap();
        let points = places(&solid.mesh, &mut rng, 40);
        let batch = mesh.signed_distance_batch(&points);
        assert_eq!(batch.len(), points.len());
        for (point, signed) in points.iter().zip(batch) {
            let signed = signed.expect("there are triangles");
            let distance = mesh.closest_point(*point).expect("there are triangles").distance;
            let place = mesh.containment(*point);
            let expected = match place {
                Containment::Outside => distance,
                Containment::Surface => 0.0,
                Containment::Inside => 0.0 - distance,
            };
            assert_eq!(signed.to_bits(), expected.to_bits(), "{}: {point:?}", solid.mesh.name);
            assert_eq!(mesh.signed_distance(*point), Some(signed));
            signs[place as usize] += 1;
        }
    }
    assert!(signs.iter().all(|&n| n > 20), "{signs:?}");
}
