//! The recipe against the exact judge: equal wherever arithmetic is exact, and equal everywhere else as soon as the
//! line keeps the proven distance from the outline.

use hitscan_oracle::entry::{Placement, enter};
use hitscan_oracle::exact::{Place, judge, judge_moved};
use hitscan_oracle::meshes::all;
use hitscan_oracle::rays::{KINDS, Kind, Shooter};
use hitscan_oracle::recipe::{Touch, touch};
use hitscan_oracle::{Ray, Rng, TriMesh, outline, rng};

/// A ray on integers, through the cube of this range, along which the recipe never rounds: the quotients of its shear
/// have a power of two below.
fn integer_ray(range: i64, rng: &mut Rng) -> Ray {
    let size = 1i64 << rng.below(4);
    let mut dir = [(); 3].map(|()| rng.int(-size, size) as f64);
    dir[rng.below(3)] = size as f64 * rng.pick(&[1.0, -1.0]);
    let steps = rng.int(-1, 2) as f64;
    Ray::new(dir.map(|c| rng.int(-range, range) as f64 - steps * c), dir)
}

#[test]
fn on_integers_the_recipe_is_the_judge() {
    let mut rng = Rng::new(rng::seed(11));
    let mut seen = [0; 5];
    for round in 0..60_000 {
        // A small range makes corners, edges and planes meet the ray often.
        let range = if round % 2 == 0 { 2 } else { 8 };
        let corners = [(); 3].map(|()| [(); 3].map(|()| rng.int(-range, range) as f32));
        let ray = integer_ray(range, &mut rng);
        let judgement = judge(ray.origin, ray.dir, corners);
        let moved = judge_moved(ray.origin, ray.dir, corners);
        let touch = touch(&enter(&ray, &Placement::IDENTITY, 1e9), corners);
        let context = format!("round {round}: {ray:?} {corners:?}: {touch:?}, exactly {judgement:?}");
        let (place, crossing) = match touch {
            Touch::Miss => (None, None),
            Touch::Accepted(crossing) => (Some(judgement.place), Some(crossing)),
            Touch::OnEdge(opposite, crossing) => (Some(Place::OnEdge(opposite)), Some(crossing)),
            Touch::OnCorner(corner, crossing) => (Some(Place::OnCorner(corner)), Some(crossing)),
        };
        assert_eq!(matches!(touch, Touch::Accepted(_)), moved, "{context}");
        match crossing {
            Some(crossing) => {
                assert_eq!(place, Some(judgement.place), "{context}");
                assert!(!matches!(judgement.place, Place::Outside | Place::Parallel), "{context}");
                assert_eq!(crossing.counter_clockwise, judgement.front, "{context}");
                assert_eq!(crossing.t, judgement.t(), "{context}");
            }
            None => assert!(matches!(judgement.place, Place::Outside | Place::Parallel), "{context}"),
        }
        seen[match judgement.place {
            Place::Outside => 0,
            Place::Inside => 1,
            Place::OnEdge(_) => 2,
            Place::OnCorner(_) => 3,
            Place::Parallel => 4,
        }] += 1;
    }
    assert!(seen.iter().all(|&count| count > 500), "every place was seen often: {seen:?}");
}

/// Asserts that recipe and judge agree on every triangle that the ray passes at more than the distance `error`.
/// Returns how many were inside, and how many were too near to tell.
fn assert_agreement(mesh: &TriMesh, ray: &Ray, error: impl Fn([[f32; 3]; 3]) -> f64) -> (usize, usize) {
    let (mut inside, mut near) = (0, 0);
    let local = enter(ray, &Placement::IDENTITY, mesh.reach());
    for prim in 0..mesh.triangles.len() {
        let corners = mesh.corners(prim);
        let distance = outline::distance(ray.origin, ray.dir, corners);
        // A relative 1e-6 covers the rounding of the distance itself.
        if distance <= error(corners) * (1.0 + 1e-6) {
            near += 1;
            continue;
        }
        let accepted = matches!(touch(&local, corners), Touch::Accepted(_));
        let judged = judge(ray.origin, ray.dir, corners).place == Place::Inside;
        assert_eq!(accepted, judged, "{}: prim {prim} {corners:?}, {ray:?}", mesh.name);
        inside += usize::from(judged);
    }
    (inside, near)
}

fn meshes(rng: &mut Rng) -> Vec<TriMesh> {
    let mut meshes = all(rng);
    meshes.retain(|mesh| mesh.triangles.len() <= 1000);
    meshes
}

#[test]
fn near_rays_agree_with_the_judge_beyond_the_proven_distance() {
    let mut rng = Rng::new(rng::seed(12));
    let (mut inside, mut near) = (0, 0);
    for mesh in meshes(&mut rng) {
        for kind in KINDS.into_iter().filter(|&kind| kind != Kind::Far && kind != Kind::Grazing) {
            for _ in 0..4 {
                let ray = Shooter::new(&mesh).ray(kind, &mut rng).rounded();
                let reach = f64::from(mesh.reach());
                if !ray.is_valid() || ray.origin.iter().any(|c| c.abs() > 4.0 * reach) {
                    continue;
                }
                let counts =
                    assert_agreement(&mesh, &ray, |corners| outline::error_of_near_ray(ray.origin, corners));
                (inside, near) = (inside + counts.0, near + counts.1);
            }
        }
    }
    assert!(inside > 1000 && near > 1000, "{inside} inside, {near} too near to tell");
}

#[test]
fn far_rays_agree_with_the_judge_beyond_the_proven_distance() {
    let mut rng = Rng::new(rng::seed(13));
    let (mut inside, mut near) = (0, 0);
    for mesh in meshes(&mut rng) {
        for factor in [1e-20f32, 1.0, 1e15] {
            let mesh = mesh.scaled(factor);
            for _ in 0..20 {
                let ray = Shooter::new(&mesh).ray(Kind::Far, &mut rng);
                // A direction rounded to f32 beforehand may miss the mesh by far more than its size.
                let ray = Ray::towards(ray.origin, Shooter::new(&mesh).feature(&mut rng));
                let error = outline::error_of_any_ray(f64::from(mesh.reach()));
                let counts = assert_agreement(&mesh, &ray, |_| error);
                (inside, near) = (inside + counts.0, near + counts.1);
            }
        }
    }
    assert!(inside > 500 && near > 500, "{inside} inside, {near} too near to tell");
}
