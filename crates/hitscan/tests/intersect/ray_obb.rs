//! Ray and oriented box: the verdict and the faces are exact for the axes as given, `t` is within 2^-44.

use hitscan::Ray;
use hitscan::glam::{DMat3, DQuat, DVec3};
use hitscan::intersect::{BoxFace, ray_aabb, ray_obb};
use hitscan::shape::{Aabb, Obb};
use hitscan_oracle::Rng;
use hitscan_oracle::rng::seed;
use hitscan_oracle::solids::line_obb;

use crate::cases::{Line, SCALES, assert_span_is_near, grid_line, line_at};

fn assert_exact(line: &Line, bounds: &Obb, bits: u32) -> bool {
    let axes = bounds.axes().to_cols_array_2d();
    let found = ray_obb(&line.ray(), bounds);
    let exact = line_obb(line.origin, line.dir, bounds.centre().into(), axes, bounds.half().into());
    let what = format!("{line:?} {bounds:?}");
    assert_eq!(found.is_some(), exact.is_some(), "{what}");
    if let (Some(found), Some(exact)) = (found, &exact) {
        assert_span_is_near(found.span.enter, found.span.exit, exact, bits, &what);
        assert_eq!(found.entry_face as usize, exact.entry_faces[0], "{what}");
        assert_eq!(found.exit_face as usize, exact.exit_faces[0], "{what}");
    }
    exact.is_some()
}

fn turned(rng: &mut Rng) -> DMat3 {
    DMat3::from_quat(DQuat::from_axis_angle(DVec3::from(rng.direction()).normalize(), rng.range(-3.0, 3.0)))
}

#[test]
fn every_line_is_judged_as_exact_arithmetic_does() {
    let mut rng = Rng::new(seed(51));
    let mut hits = 0;
    for i in 0..8_000 {
        let scale = SCALES[i % SCALES.len()];
        let half = [0; 3].map(|_| scale * rng.pick(&[1e-9, 0.3, 1.0]));
        let centre = rng.in_cube(scale);
        let axes = turned(&mut rng);
        let bounds = Obb::new(centre, axes, half).expect("a sound box");
        // Hard lines in the frame of the box, turned with it: as hard as rounding leaves them.
        let Line { origin, dir } = line_at(&mut rng, half.map(|h| -h), half);
        let origin = (axes * DVec3::from(origin) + DVec3::from(centre)).to_array();
        let line = Line { origin, dir: (axes * DVec3::from(dir)).to_array() };
        hits += usize::from(assert_exact(&line, &bounds, 44));
    }
    assert!((2_000..7_500).contains(&hits), "{hits} of 8000 hit");
}

#[test]
fn turned_by_quarters_on_a_grid_every_number_is_the_exact_one() {
    let mut rng = Rng::new(seed(52));
    let quarters = [
        DMat3::from_cols(DVec3::X, DVec3::Y, DVec3::Z),
        DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z),
        DMat3::from_cols(-DVec3::Z, DVec3::Y, DVec3::X),
        DMat3::from_cols(DVec3::Y, DVec3::X, DVec3::Z), // left-handed
    ];
    let mut hits = 0;
    for _ in 0..8_000 {
        let centre: [f64; 3] = std::array::from_fn(|_| rng.int(-4, 4) as f64);
        let half = [0; 3].map(|_| rng.int(1, 4) as f64);
        let bounds = Obb::new(centre, rng.pick(&quarters), half).expect("a sound box");
        hits += usize::from(assert_exact(&grid_line(&mut rng, 8), &bounds, 53));
    }
    assert!(hits > 800, "{hits} of 8000 hit");
}

#[test]
fn an_upright_one_says_what_the_box_says() {
    let mut rng = Rng::new(seed(53));
    for _ in 0..2_000 {
        let half = [1.0, 2.0, 0.5];
        let upright = Obb::new([0.0; 3], DMat3::IDENTITY, half).expect("a sound box");
        let bounds = Aabb::new(half.map(|h| -h), half).expect("a sound box");
        let ray = line_at(&mut rng, half.map(|h| -h), half).ray();
        let (a, b) = (ray_obb(&ray, &upright), ray_aabb(&ray, &bounds));
        assert_eq!(
            a.map(|hit| (hit.entry_face, hit.exit_face)),
            b.map(|hit| (hit.entry_face, hit.exit_face))
        );
    }
}

#[test]
fn faces_are_those_of_the_frame() {
    let axes = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
    let plank = Obb::new([10.0, 0.0, 0.0], axes, [2.0, 0.5, 0.1]).expect("a sound box");
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).expect("a sound ray");
    let hit = ray_obb(&ray, &plank).expect("a hit");
    assert_eq!((hit.span.enter, hit.span.exit), (9.5, 10.5));
    // World -x is the positive end of the box's own y.
    assert_eq!((hit.entry_face, hit.exit_face), (BoxFace::HighY, BoxFace::LowY));
    assert_eq!((axes * hit.entry_face.normal()).to_array(), [-1.0, 0.0, 0.0]);
}
