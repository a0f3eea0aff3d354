//! Open edges, winding numbers and the two rules of inside, against counting and another formula.

use std::cmp::Ordering;

use hitscan::glam::DVec3;
use hitscan::{Containment, Isa, Mesh, Preset, Rule};
use hitscan_oracle::gaps::first_open_edge;
use hitscan_oracle::meshes::{all_solids, icosphere, integer_box};
use hitscan_oracle::solids::point_mesh;
use hitscan_oracle::winding::winding_number;
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::mesh_closest_point::{meshes, places};

fn built(mesh: &TriMesh) -> Mesh {
    Mesh::new(mesh.vertices.clone(), mesh.triangles.clone()).unwrap()
}

#[test]
fn open_edges_are_those_that_counting_finds() {
    let mut rng = Rng::new(rng::seed(2721));
    let mut open = 0;
    for source in meshes(&mut rng) {
        let mut tried = vec![source.clone(), source.unshared(), source.permuted(&mut rng).0];
        // With some triangles left out.
        for _ in 0..8 {
            let mut holed = source.clone();
            holed.triangles.remove(rng.below(source.triangles.len()));
            tried.push(holed);
        }
        for mesh in tried {
            let found = built(&mesh).open_edge();
            let expected = first_open_edge(&mesh);
            let plain = found.map(|e| (e.prim as usize, e.from.to_array(), e.to.to_array()));
            assert_eq!(plain, expected, "{}", mesh.name);
            open += usize::from(found.is_some());
        }
    }
    assert!(open > 100, "{open}");
    for solid in all_solids() {
        assert_eq!(built(&solid.mesh).open_edge(), None, "{}", solid.mesh.name);
    }
}

/// A mesh remembers whether it is closed, and forgets it when it moves.
#[test]
fn a_refit_may_open_and_close_a_mesh() {
    let closed = integer_box([0; 3], [1; 3], 1).mesh.unshared();
    let mut torn = closed.clone();
    torn.vertices[4] = [9.0, 9.0, 9.0];
    let mut mesh = built(&closed);
    assert_eq!(mesh.open_edge(), None);
    let inside = [0.5, 0.4, 0.3];
    assert_eq!((mesh.boundary_edges(), mesh.winding_number(inside)), (0, 1.0));
    let before = mesh.clone();
    mesh.refit(torn.vertices.clone()).unwrap();
    let around = mesh.winding_number(inside);
    assert!(mesh.boundary_edges() > 0 && (around - winding_number(inside, &torn)).abs() < 1e-12, "{around}");
    assert!(mesh.open_edge().is_some() && mesh.contains_by([0.5; 3], Rule::Parity).is_err());
    assert_eq!((before.open_edge(), before.winding_number(inside)), (None, 1.0));
    mesh.refit(closed.vertices).unwrap();
    assert_eq!((mesh.open_edge(), mesh.winding_number(inside)), (None, 1.0));
    assert_eq!(mesh.contains_by([0.5; 3], Rule::Parity), Ok(true));
}

#[test]
fn winding_numbers_are_those_of_spherical_triangles() {
    let mut rng = Rng::new(rng::seed(2722));
    let mut between = 0;
    for source in meshes(&mut rng) {
        let size = source.half_size();
        let mesh = built(&source);
        // The angles of slivers tell the oracle nothing.
        if source.name.starts_with("any sizes") {
            continue;
        }
        for _ in 0..12 {
            let (low, high) = source.bounds();
            let point: [f64; 3] = std::array::from_fn(|i| rng.range(low[i] - size, high[i] + size));
            let near = mesh.closest_point(point).is_none_or(|n| n.distance < 1e-3 * size);
            if near {
                continue;
            }
            let (found, expected) = (mesh.winding_number(point), winding_number(point, &source));
            assert!((found - expected).abs() < 1e-7, "{}: {point:?}: {found} {expected}", source.name);
            between += usize::from((found - found.round()).abs() > 1e-3);
        }
    }
    assert!(between > 20, "{between}");
}

/// Straight below and above corners and edges of the boundary, in its planes and on lines with its edges: where single terms jump,
/// which the sum does not.
#[test]
fn winding_numbers_do_not_jump_below_the_boundary() {
    let mut rng = Rng::new(rng::seed(2727));
    let mut between = 0;
    for round in 0..60 {
        // Boxes of whole numbers without some of their triangles, whose corners and edges stand above one another.
        let mut source = integer_box([-2, -3, -2], [2, 3, 1], 1 + round % 2).mesh;
        for _ in 0..=rng.below(source.triangles.len() - 4) {
            source.triangles.swap_remove(rng.below(source.triangles.len()));
        }
        // Some of them twice.
        for _ in 0..rng.below(3) {
            source.triangles.push(source.triangles[rng.below(source.triangles.len())]);
        }
        // As large as they are, smaller and larger: what decides a jump is not to be lost in products.
        let size = 2f64.powi([0, -80, 70][round % 3]);
        let source = source.scaled(size as f32);
        let mesh = built(&source);
        let points: Vec<[f64; 3]> =
            (0..200).map(|_| [0; 3].map(|_| (rng.below(17) as f64 - 8.0) / 2.0 * size)).collect();
        for (point, found) in points.iter().zip(mesh.winding_number_batch(&points)) {
            if mesh.closest_point(*point).is_none_or(|near| near.distance < 1e-3 * size) {
                continue;
            }
            let expected = winding_number(*point, &source);
            assert!((found - expected).abs() < 1e-7, "{point:?}: {found} {expected}, {source:?}");
            between += usize::from((found - found.round()).abs() > 1e-3);
        }
    }
    assert!(between > 2_000, "{between}");
}

/// The tree, the instruction set and the form do not matter, nor does a power of two.
#[test]
fn winding_numbers_have_the_same_bits_on_every_path() {
    let mut rng = Rng::new(rng::seed(2723));
    let mut source = icosphere(4).mesh; // 5120 triangles, of which every third stays
    let mut number = 0;
    source.triangles.retain(|_| {
        number += 1;
        number % 3 == 0
    });
    let mut meshes: Vec<Mesh> = Preset::ALL
        .iter()
        .map(|&p| Mesh::build(p, source.vertices.clone(), source.triangles.clone()).unwrap())
        .collect();
    meshes.extend(Isa::ALL.iter().filter_map(|&isa| meshes[0].with_isa(isa)).collect::<Vec<_>>());
    let small = source.scaled(2f32.powi(-70));
    let small = built(&small);
    let points = places(&source, &mut rng, 20);
    let batch = meshes[0].winding_number_batch(&points);
    assert_eq!(batch.len(), points.len());
    for (point, batch) in points.iter().zip(batch) {
        for mesh in &meshes {
            assert_eq!(mesh.winding_number(*point).to_bits(), batch.to_bits(), "{point:?}");
        }
        let scaled = small.winding_number(point.map(|c| c * 2f64.powi(-70)));
        assert_eq!(scaled.to_bits(), batch.to_bits(), "{point:?}");
    }
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        assert_eq!(meshes[0].winding_number([0.0, bad, 0.0]), 0.0);
    }
}

#[test]
fn both_rules_know_the_inside_of_closed_meshes() {
    let mut rng = Rng::new(rng::seed(2724));
    let (mut counts, mut whole) = ([0; 2], 0);
    for solid in all_solids() {
        let mesh = built(&solid.mesh);
        let points = places(&solid.mesh, &mut rng, 30);
        let parity = mesh.contains_by_batch(&points, Rule::Parity).expect("closed");
        let winding = mesh.contains_by_batch(&points, Rule::Winding).expect("any mesh");
        assert_eq!([parity.len(), winding.len()], [points.len(); 2]);
        for ((point, parity), winding) in points.iter().zip(parity).zip(winding) {
            let context = format!("{}: {point:?}", solid.mesh.name);
            let exact = point_mesh(*point, &solid.mesh, &mut rng) != Ordering::Greater;
            assert_eq!(parity, exact, "{context}");
            assert_eq!(mesh.contains(*point), exact, "{context}");
            assert_eq!(mesh.contains_by(*point, Rule::Winding), Ok(winding), "{context}");
            let turns = mesh.winding_number(*point);
            if turns.fract() == 0.0 {
                whole += 1;
                // What goes around twice is outside by one rule and inside by the other.
                let touched = mesh.containment(*point) == Containment::Surface;
                assert_eq!(winding, touched || turns != 0.0, "{context}");
                assert_eq!(exact, touched || turns % 2.0 != 0.0, "{context}");
            } else {
                // Windings that do not agree leave a boundary.
                let near =
                    mesh.closest_point(*point).is_some_and(|n| n.distance < 1e-9 * solid.mesh.half_size());
                assert!(near || winding == exact, "{context}: {turns}");
            }
            counts[usize::from(exact)] += 1;
        }
    }
    assert!(counts.iter().all(|&n| n > 80) && whole > 200, "{counts:?} {whole}");
}

/// Beside the inside of a face, however near, the side is exact, and so is the jump.
#[test]
fn winding_numbers_jump_where_the_surface_is() {
    let mut rng = Rng::new(rng::seed(2726));
    let mut sides = [0; 2];
    for round in 0..2_000 {
        // A tetrahedron of any corners, that is not flat, its fronts outwards.
        let corners: [[f32; 3]; 4] = std::array::from_fn(|_| rng.in_cube(1.0).map(|c| c as f32));
        let [a, b, c, d] = corners.map(|corner| DVec3::from(corner.map(f64::from)));
        let volume = (b - a).cross(c - a).dot(d - a);
        if volume.abs() < 0.1 {
            continue;
        }
        let mut triangles = [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        if volume < 0.0 {
            triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        let mesh = Mesh::new(corners, triangles).unwrap();
        let [p, q, r] = triangles[round % 4].map(|i| DVec3::from(corners[i as usize].map(f64::from)));
        let weights = [0; 3].map(|_| rng.range(0.2, 1.0));
        let on_face = (p * weights[0] + q * weights[1] + r * weights[2]) / weights.iter().sum::<f64>();
        for power in 3..18 {
            let aside = (q - p).cross(r - p).normalize() * 10f64.powi(-power) * rng.range(-1.0, 1.0);
            let point = (on_face + aside).to_array();
            let place = mesh.containment(point);
            if place == Containment::Surface {
                continue;
            }
            let is_inside = place == Containment::Inside;
            let winding = mesh.winding_number(point);
            assert_eq!(winding, f64::from(u8::from(is_inside)), "{corners:?} {point:?}");
            assert_eq!(mesh.contains_by(point, Rule::Winding), Ok(is_inside), "{corners:?} {point:?}");
            sides[usize::from(is_inside)] += 1;
        }
    }
    assert!(sides.iter().all(|&n| n > 5_000), "{sides:?}");
}

/// The model that most models are: holes here and there.
#[test]
fn the_winding_rule_survives_holes() {
    let mut rng = Rng::new(rng::seed(2725));
    let mut holed = icosphere(3).mesh; // radius 1 around the origin, 1280 triangles
    for _ in 0..60 {
        let gone = rng.below(holed.triangles.len());
        holed.triangles.remove(gone);
    }
    let mesh = built(&holed);
    let error = mesh.contains_by([0.0; 3], Rule::Parity).unwrap_err();
    let (prim, from, to) = first_open_edge(&holed).expect("holes");
    assert_eq!(
        (error.edge.prim as usize, error.edge.from.to_array(), error.edge.to.to_array()),
        (prim, from, to)
    );
    assert!(error.to_string().contains("winding number"), "{error}");
    let radius = f64::from(holed.vertices[0].iter().map(|c| c * c).sum::<f32>().sqrt());
    for _ in 0..300 {
        let way = rng.direction();
        let inside = way.map(|c| 0.5 * radius * c);
        let outside = way.map(|c| 1.5 * radius * c);
        assert_eq!(mesh.contains_by(inside, Rule::Winding), Ok(true), "{inside:?}");
        assert_eq!(mesh.contains_by(outside, Rule::Winding), Ok(false), "{outside:?}");
    }
    // Inside out, too.
    holed.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    assert_eq!(built(&holed).contains_by([0.0; 3], Rule::Winding), Ok(true));
}
