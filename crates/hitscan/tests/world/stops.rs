//! Filters that stop a ray, against the plain list of its hits.

use hitscan::{Candidate, Filter, Instance, Ray, Verdict, World};
use hitscan_oracle::{Rng, rng};

use crate::support::{bits, geometry, place, ray_at};

#[test]
fn nothing_behind_a_stop_counts() {
    let mut rng = Rng::new(rng::seed(711));
    for _ in 0..60 {
        let mut world = World::new();
        for _ in 0..10 {
            world.insert(Instance::new(geometry(&mut rng)).at(place(&mut rng, 3.0)));
        }
        let instances: Vec<Instance> = world.iter().map(|(_, instance)| instance.clone()).collect();
        let scene = world.commit();
        let rays: Vec<Ray> = (0..60).map(|_| ray_at(&instances[rng.below(10)], &mut rng)).collect();
        let salt = rng.below(7) as u32;
        let judge = |c: &Candidate| match (c.instance.slot() * 5 + c.prim + salt) % 7 {
            0 => Verdict::Stop,
            1 | 2 => Verdict::Ignore,
            _ => Verdict::Accept,
        };
        let filter = Filter::new().judge(&judge);
        let mut expected = Vec::new();
        for ray in &rays {
            let mut kept = Vec::new();
            for hit in scene.all_hits(ray, &Filter::ALL) {
                let candidate = (hit.instance.slot() * 5 + hit.prim + salt) % 7;
                if !matches!(candidate, 1 | 2) {
                    kept.push(hit);
                }
                if candidate == 0 {
                    break;
                }
            }
            assert_eq!(scene.all_hits(ray, &filter), kept);
            for n in [0, 1, 2, 5, 50] {
                assert_eq!(scene.first_n(ray, &filter, n), kept[..kept.len().min(n)], "{n}");
            }
            assert_eq!(scene.closest(ray, &filter), kept.first().copied());
            assert_eq!(scene.occluded(ray, &filter), !kept.is_empty());
            expected.push(kept);
        }
        let lists = scene.all_hits_batch(&rays, &filter);
        assert_eq!(lists.len(), rays.len());
        for (hits, expected) in lists.iter().zip(&expected) {
            assert_eq!(
                hits.iter().map(bits).collect::<Vec<_>>(),
                expected.iter().map(bits).collect::<Vec<_>>()
            );
        }
        let lists = scene.first_n_batch(&rays, &filter, 2);
        assert_eq!(lists.len(), rays.len());
        assert!(
            lists.iter().zip(&expected).all(|(hits, expected)| hits == &expected[..expected.len().min(2)])
        );
    }
}
