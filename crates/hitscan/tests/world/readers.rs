//! Commits while others read.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use hitscan::shape::Sphere;
use hitscan::{Filter, InstanceId, Ray, Transform, World};

/// Each scene is one moment as a whole: all instances have moved equally far in it, whatever the writer does meanwhile.
#[test]
fn a_reader_sees_one_moment() {
    let mut world = World::new();
    let ids: Vec<InstanceId> = (0..100).map(|_| world.insert(Sphere::new([0.0; 3], 0.25).unwrap())).collect();
    let stand =
        |i: usize, moment: u32| Transform::translation([2.0 * i as f64, f64::from(moment), 0.0]).unwrap();
    let mut moment = 0;
    let mut step = |world: &mut World| {
        for (i, &id) in ids.iter().enumerate() {
            world.set_transform(id, stand(i, moment)).unwrap();
        }
        moment += 1;
        world.commit()
    };
    let shared = Mutex::new(step(&mut world));
    let done = AtomicBool::new(false);
    let seen = thread::scope(|scope| {
        let readers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut seen = 0;
                    while !done.load(Ordering::Relaxed) {
                        let scene = shared.lock().unwrap().clone();
                        let heights: Vec<f64> = (0..100)
                            .map(|i| {
                                let down =
                                    Ray::new([2.0 * f64::from(i), 1e4, 0.0], [0.0, -1.0, 0.0]).unwrap();
                                scene.closest(&down, &Filter::ALL).expect("it stands there").t
                            })
                            .collect();
                        assert!(heights.iter().all(|&height| height == heights[0]));
                        seen += 1;
                    }
                    seen
                })
            })
            .collect();
        for _ in 0..2000 {
            let next = step(&mut world);
            *shared.lock().unwrap() = next;
        }
        done.store(true, Ordering::Relaxed);
        readers.into_iter().map(|reader| reader.join().unwrap()).sum::<u32>()
    });
    println!("{seen} scenes read during 2000 commits");
}
