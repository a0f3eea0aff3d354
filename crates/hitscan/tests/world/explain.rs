//! Explanations, against the answers that they explain.

use hitscan::{Candidate, Facing, Filter, Instance, Mesh, Outcome, Ray, Verdict, World};
use hitscan_oracle::{Rng, rng};

use crate::support::{geometry, place, ray_at};

#[test]
fn what_is_called_a_hit_is_one() {
    let mut rng = Rng::new(rng::seed(761));
    for _ in 0..40 {
        let mut world = World::new();
        for _ in 0..8 {
            let instance = Instance::new(geometry(&mut rng)).at(place(&mut rng, 2.0));
            world.insert(instance.mask(rng.bits() as u32 & 3));
        }
        let instances: Vec<Instance> = world.iter().map(|(_, instance)| instance.clone()).collect();
        let scene = world.commit();
        let judge = |c: &Candidate| match c.prim % 5 {
            0 => Verdict::Ignore,
            1 => Verdict::Stop,
            _ => Verdict::Accept,
        };
        for _ in 0..60 {
            let ray = ray_at(&instances[rng.below(8)], &mut rng);
            let sides = [Facing::Both, Facing::Front, Facing::Back][rng.below(3)];
            let filter = Filter::new().mask(1).facing(sides).judge(&judge);
            let why = scene.explain(&ray, &filter);
            assert_eq!(why.hit, scene.closest(&ray, &filter));
            let hits =
                why.crossings.iter().filter(|(_, outcome)| *outcome == Outcome::Hit).map(|(hit, _)| *hit);
            assert_eq!(hits.collect::<Vec<_>>(), scene.all_hits(&ray, &filter));
            assert!(why.crossings.is_empty() || why.near_miss.is_none());
        }
    }
}

/// What no mask admits is seen all the same, so that nobody is told that the ray passes beside it.
#[test]
fn ghosts_are_seen() {
    let mut world = World::new();
    let corners = [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let ghost = world.insert(Mesh::new(corners, [[0u32, 1, 2]]).unwrap());
    world.set_mask(ghost, 0).unwrap();
    let ray = Ray::new([1.0, 1.0, 2.0], [0.0, 0.0, -1.0]).unwrap();
    let why = world.commit().explain(&ray, &Filter::ALL);
    let outcomes: Vec<Outcome> = why.crossings.iter().map(|(_, outcome)| *outcome).collect();
    assert_eq!((why.hit, outcomes, why.near_miss), (None, vec![Outcome::Mask], None));
}
