//! The first triangle that a moving sphere meets, against a plain loop over the triangles: on bits.

use hitscan::glam::DVec3;
use hitscan::intersect::{Motion, Sweep, sweep_capsule_triangle, sweep_sphere_triangle};
use hitscan::shape::{Capsule, Sphere, Triangle};
use hitscan::{Mesh, SweepHit};
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::mesh_closest_point::{built, meshes, places};

/// Kind, time, depth, position, normal, triangle.
type Bits = (bool, u64, [u64; 3], [u64; 3], u32);

fn bits(sweep: &Sweep, prim: u32) -> Bits {
    let point = |p: DVec3| p.to_array().map(f64::to_bits);
    match *sweep {
        Sweep::Hit { t, position, normal } => (true, t.to_bits(), point(position), point(normal), prim),
        Sweep::Touching { depth, position, normal } => {
            (false, depth.to_bits(), point(position), point(normal), prim)
        }
    }
}

/// Contacts at the start come first and the deepest of them; then the earliest; then the lowest number.
fn brute(mesh: &TriMesh, sphere: &Sphere, motion: &Motion) -> Option<Bits> {
    let mut best: Option<((f64, f64), Bits)> = None;
    for prim in (0..mesh.triangles.len()).filter(|&prim| !mesh.repeats_a_corner(prim)) {
        let [a, b, c] = mesh.corners(prim).map(|corner| corner.map(f64::from));
        let triangle = Triangle::new(a, b, c).unwrap();
        let Some(sweep) = sweep_sphere_triangle(sphere, motion, &triangle) else { continue };
        let key = match sweep {
            Sweep::Hit { t, .. } => (t, 1.0),
            Sweep::Touching { depth, .. } => (-1.0, -depth),
        };
        if best.as_ref().is_none_or(|(least, _)| key < *least) {
            best = Some((key, bits(&sweep, prim as u32)));
        }
    }
    best.map(|(_, bits)| bits)
}

fn plain(found: Option<SweepHit>) -> Option<Bits> {
    found.map(|hit| bits(&hit.sweep, hit.prim))
}

#[test]
fn every_answer_is_that_of_a_loop_over_the_triangles() {
    let mut rng = Rng::new(rng::seed(2741));
    let (mut touching, mut hits, mut misses) = (0, 0, 0);
    for source in meshes(&mut rng) {
        for scale in [1.0f32, 2f32.powi(-60), 2f32.powi(40)] {
            let scaled = source.scaled(scale);
            if f64::from(scaled.reach()) > 2f64.powi(70) && scale != 1.0 {
                continue;
            }
            let size = scaled.half_size();
            let built = built(&scaled);
            let (starts, ends) = (places(&scaled, &mut rng, 24), places(&scaled, &mut rng, 24));
            let sweeps: Vec<(Sphere, Motion)> = starts
                .iter()
                .zip(&ends)
                .filter_map(|(start, end)| {
                    let radius = size * rng.any_size(1e-6, 1.0);
                    let by = match rng.below(5) {
                        0 => std::array::from_fn(|_| size * rng.pick(&[-2.0, 0.0, 0.0, 2.0])),
                        1 => start.map(|c| -2.0 * c),
                        _ => std::array::from_fn(|i| end[i] - start[i]),
                    };
                    // Some are beyond all shapes.
                    Some((Sphere::new(*start, radius).ok()?, Motion::new(by).ok()?))
                })
                .collect();
            let batch = built[0].sweep_sphere_batch(&sweeps);
            assert_eq!(batch.len(), sweeps.len());
            for ((sphere, motion), answer) in sweeps.iter().zip(batch) {
                let expected = brute(&scaled, sphere, motion);
                let context = format!("{}: {sphere:?} {motion:?}", scaled.name);
                for mesh in &built {
                    assert_eq!(plain(mesh.sweep_sphere(sphere, motion)), expected, "{context}");
                }
                assert_eq!(plain(answer), expected, "{context}");
                match answer.map(|hit| hit.sweep) {
                    Some(Sweep::Touching { .. }) => touching += 1,
                    Some(Sweep::Hit { .. }) => hits += 1,
                    None => misses += 1,
                }
            }
        }
    }
    assert!(
        touching > 200 && hits > 300 && misses > 200,
        "{touching} touching, {hits} hits, {misses} misses"
    );
}

/// The same for capsules.
#[test]
fn capsules_are_met_as_by_a_loop_over_the_triangles() {
    let mut rng = Rng::new(rng::seed(2743));
    let (mut touching, mut hits, mut misses) = (0, 0, 0);
    for source in meshes(&mut rng).into_iter().filter(|mesh| mesh.triangles.len() < 2_000) {
        let size = source.half_size();
        let built = built(&source);
        let triangles: Vec<Option<Triangle>> = (0..source.triangles.len())
            .map(|prim| {
                let [a, b, c] = source.corners(prim).map(|corner| corner.map(f64::from));
                let whole = !source.repeats_a_corner(prim);
                whole.then(|| Triangle::new(a, b, c).unwrap())
            })
            .collect();
        let (starts, ends) = (places(&source, &mut rng, 12), places(&source, &mut rng, 12));
        for (start, end) in starts.iter().zip(&ends) {
            let radius = size * rng.any_size(1e-6, 0.5);
            let along = DVec3::from(rng.in_cube(size));
            let by = DVec3::from(*end) - DVec3::from(*start);
            let capsule = Capsule::new(*start, DVec3::from(*start) + along, radius);
            let (Ok(capsule), Ok(motion)) = (capsule, Motion::new(by)) else { continue };
            let mut best: Option<((f64, f64), Bits)> = None;
            for (prim, triangle) in triangles.iter().enumerate() {
                let Some(triangle) = triangle else { continue };
                let Some(sweep) = sweep_capsule_triangle(&capsule, &motion, triangle) else { continue };
                let key = match sweep {
                    Sweep::Hit { t, .. } => (t, 1.0),
                    Sweep::Touching { depth, .. } => (-1.0, -depth),
                };
                if best.as_ref().is_none_or(|(least, _)| key < *least) {
                    best = Some((key, bits(&sweep, prim as u32)));
                }
            }
            let expected = best.map(|(_, bits)| bits);
            for mesh in &built {
                let answer = mesh.sweep_capsule(&capsule, &motion);
                assert_eq!(plain(answer), expected, "{}: {capsule:?} {motion:?}", source.name);
                assert_eq!(mesh.sweep_capsule_batch(&[(capsule, motion)]), [answer]);
            }
            match expected {
                Some((true, ..)) => hits += 1,
                Some(_) => touching += 1,
                None => misses += 1,
            }
        }
    }
    assert!(touching > 30 && hits > 30 && misses > 20, "{touching} touching, {hits} hits, {misses} misses");
}

/// Balls that start near and graze: at corners and edges of the grid, at nearly the radius.
#[test]
fn grazing_sweeps_do_not_depend_on_the_tree() {
    let mut rng = Rng::new(rng::seed(2742));
    let mut found = 0;
    for source in meshes(&mut rng) {
        let built = built(&source);
        let size = source.half_size();
        for _ in 0..40 {
            let vertex = source.vertices[rng.below(source.vertices.len())].map(f64::from);
            let radius = size * rng.pick(&[1.0, 0.5, 0.25, 0.1, 1e-3]);
            let axis = rng.below(3);
            let slip = rng.pick(&[0.0, 0.0, 1e-16, -1e-16, 1e-9, -1e-9]) * size;
            let mut start = vertex;
            start[(axis + 1) % 3] += rng.pick(&[1.0, -1.0]) * (radius + slip);
            let mut by = [0.0; 3];
            by[axis] = rng.pick(&[1.0, -1.0]) * 4.0 * size;
            start[axis] -= 0.5 * by[axis];
            let (Ok(sphere), Ok(motion)) = (Sphere::new(start, radius), Motion::new(by)) else { continue };
            let expected = brute(&source, &sphere, &motion);
            found += usize::from(expected.is_some());
            for mesh in &built {
                let answer = plain(mesh.sweep_sphere(&sphere, &motion));
                assert_eq!(answer, expected, "{}: {sphere:?} {motion:?}", source.name);
            }
        }
    }
    assert!(found > 200, "{found}");
}

/// A floor of many squares, whose seams do not stop a ball that rolls at exactly its radius.
#[test]
fn a_ball_rolls_over_the_seams_of_a_floor() {
    let n = 16u32;
    let vertices: Vec<[f32; 3]> =
        (0..=n).flat_map(|z| (0..=n).map(move |x| [x as f32, 0.0, z as f32])).collect();
    let corner = |x: u32, z: u32| z * (n + 1) + x;
    let triangles: Vec<[u32; 3]> = (0..n)
        .flat_map(|z| (0..n).map(move |x| (x, z)))
        .flat_map(|(x, z)| {
            let [a, b, c, d] = [corner(x, z), corner(x + 1, z), corner(x + 1, z + 1), corner(x, z + 1)];
            [[a, c, b], [a, d, c]]
        })
        .collect();
    let floor = Mesh::new(vertices, triangles).unwrap();
    let mut rng = Rng::new(rng::seed(2743));
    for _ in 0..2000 {
        let radius = rng.pick(&[0.1, 0.25, 0.5, 1.0, 3.0]);
        let place = |rng: &mut Rng| [rng.range(0.0, 16.0), radius, rng.range(0.0, 16.0)];
        let (start, end) = (place(&mut rng), place(&mut rng));
        let by: [f64; 3] = std::array::from_fn(|i| end[i] - start[i]);
        let ball = Sphere::new(start, radius).unwrap();
        assert_eq!(floor.sweep_sphere(&ball, &Motion::new(by).unwrap()), None, "{start:?} {by:?} {radius}");
        // And from above it falls onto the floor at its radius.
        let above = Sphere::new([start[0], radius + 2.0, start[2]], radius).unwrap();
        let fall = Motion::new([by[0] / 4.0, -4.0, by[2] / 4.0]).unwrap();
        let landed = floor.sweep_sphere(&above, &fall).expect("it lands");
        let Sweep::Hit { t, normal, .. } = landed.sweep else { panic!("{landed:?}") };
        assert!((t - 0.5).abs() < 1e-13 && (normal.y - 1.0).abs() < 1e-12, "{landed:?}");
    }
}
