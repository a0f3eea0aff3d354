//! An instance that a filter skips is as one that is not there, whatever is asked.

use hitscan::intersect::Motion;
use hitscan::shape::{Aabb, Capsule, Sphere};
use hitscan::{Camera, Filter, Instance, Ray, Rule, World};
use hitscan_oracle::{Rng, rng};

use crate::support::{geometry, place, ray_at};

#[test]
fn what_is_skipped_is_as_if_it_were_not_there() {
    let mut rng = Rng::new(rng::seed(731));
    let mut changed = [0; 4];
    for _ in 0..40 {
        let mut world = World::new();
        for _ in 0..10 {
            world.insert(Instance::new(geometry(&mut rng)).at(place(&mut rng, 3.0)));
        }
        let all = world.commit();
        let (skipped, instance) = all.iter().nth(rng.below(10)).map(|(id, i)| (id, i.clone())).unwrap();
        world.remove(skipped).unwrap();
        let rest = world.commit();
        let filter = Filter::new().skip_instance(skipped);

        let rays: Vec<Ray> = (0..80).map(|_| ray_at(&instance, &mut rng)).collect();
        for ray in &rays {
            let expected = rest.all_hits(ray, &Filter::ALL);
            assert_eq!(all.all_hits(ray, &filter), expected);
            assert_eq!(all.closest(ray, &filter), expected.first().copied());
            assert_eq!(all.occluded(ray, &filter), !expected.is_empty());
            assert_eq!(all.first_n(ray, &filter, 2), expected[..expected.len().min(2)]);
            assert_eq!(all.intervals(ray, &filter), rest.intervals(ray, &Filter::ALL));
            changed[0] += usize::from(all.closest(ray, &Filter::ALL) != all.closest(ray, &filter));
        }
        assert_eq!(all.closest_batch(&rays, &filter), rest.closest_batch(&rays, &Filter::ALL));
        assert_eq!(all.occluded_batch(&rays, &filter), rest.occluded_batch(&rays, &Filter::ALL));
        let side_by_side: Vec<Ray> = (0..64)
            .map(|i| Ray::new([f64::from(i % 8), f64::from(i / 8), -9.0], [0.01, 0.02, 1.0]).unwrap())
            .collect();
        assert_eq!(
            all.closest_batch(&side_by_side, &filter),
            rest.closest_batch(&side_by_side, &Filter::ALL)
        );

        for _ in 0..20 {
            let point = instance.transform().point(rng.in_cube(1.6));
            assert_eq!(all.closest_point(point, &filter), rest.closest_point(point, &Filter::ALL));
            changed[1] +=
                usize::from(all.closest_point(point, &Filter::ALL) != all.closest_point(point, &filter));
            let containing = all.containing(point, Rule::Winding, &filter);
            assert_eq!(containing, rest.containing(point, Rule::Winding, &Filter::ALL));
            changed[2] += usize::from(all.containing(point, Rule::Winding, &Filter::ALL) != containing);
            let ball = Sphere::new(point, rng.any_size(0.01, 1.0)).unwrap();
            assert_eq!(all.overlap_sphere(&ball, &filter), rest.overlap_sphere(&ball, &Filter::ALL));
            let bounds = Aabb::new(point, point + 0.5).unwrap();
            assert_eq!(all.overlap_aabb(&bounds, &filter), rest.overlap_aabb(&bounds, &Filter::ALL));
            let motion = Motion::new(rng.in_cube(6.0)).unwrap();
            assert_eq!(
                all.sweep_sphere(&ball, &motion, &filter),
                rest.sweep_sphere(&ball, &motion, &Filter::ALL)
            );
            let body = Capsule::new(point, point + 0.3, 0.2).unwrap();
            assert_eq!(
                all.sweep_capsule(&body, &motion, &filter),
                rest.sweep_capsule(&body, &motion, &Filter::ALL)
            );
            let camera = Camera::look_at(point + 9.0, point, [0.0, 1.0, 0.0], 40.0).unwrap();
            let cursor = [rng.range(0.0, 64.0), rng.range(0.0, 48.0)];
            let aim = camera.view([64, 48]).unwrap().aim(cursor, 3.0).unwrap();
            let picked = all.pick(&aim, &filter);
            assert_eq!(picked, rest.pick(&aim, &Filter::ALL));
            changed[3] += usize::from(picked != all.pick(&aim, &Filter::ALL));
        }
    }
    assert!(changed.iter().all(|&count| count > 20), "skipping makes a difference: {changed:?}");
}
