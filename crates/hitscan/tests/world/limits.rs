//! Work that is watched, ended before it is done, or held to so much memory or so many steps.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use allocation_counter::measure;
use hitscan::shape::Plane;
use hitscan::{
    Build, Cancel, Cancelled, Filter, Geometry, HitLists, Mesh, MeshError, OutOfSteps, Preset, Progress, Ray,
    Watch, World,
};
use hitscan_oracle::{Rng, rng};

use crate::support::{geometry, place, ray_at};

/// Triangles and their corners.
type Lists = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// Triangles of all sizes in a cube.
fn soup(count: u32, rng: &mut Rng) -> Lists {
    let mut vertices = Vec::new();
    for _ in 0..count {
        let (at, size) = (rng.in_cube(1.0), rng.any_size(1e-4, 0.1));
        vertices.extend((0..3).map(|_| {
            let by = rng.in_cube(size);
            [0, 1, 2].map(|i| (at[i] + by[i]) as f32)
        }));
    }
    (vertices, (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

/// A grid of so many cells along each side, two triangles each.
fn sheet(side: u32) -> Lists {
    let vertices = (0..=side).flat_map(|row| (0..=side).map(move |column| [column as f32, 0.0, row as f32]));
    let triangles = (0..side * side).flat_map(|cell| {
        let a = cell / side * (side + 1) + cell % side;
        [[a, a + 1, a + side + 1], [a + 1, a + side + 2, a + side + 1]]
    });
    (vertices.collect(), triangles.collect())
}

/// How many threads share one piece of work.
fn threads() -> usize {
    #[cfg(feature = "rayon")]
    {
        rayon::current_num_threads()
    }
    #[cfg(not(feature = "rayon"))]
    1
}

/// Wherever a build is ended, it says so, and one that is not ended is the same as ever.
#[test]
fn a_build_ends_wherever_it_is() {
    let mut rng = Rng::new(rng::seed(771));
    let (vertices, triangles) = soup(60_000, &mut rng);
    for &preset in Preset::ALL {
        let (cancel, calls) = (Cancel::new(), AtomicUsize::new(0));
        let count = |_: Progress| _ = calls.fetch_add(1, Ordering::Relaxed);
        let watch = Watch::new().cancel(&cancel).progress(&count);
        let build = Build::new().preset(preset).watch(watch);
        let mesh = Mesh::build(build, vertices.clone(), triangles.clone()).expect("nobody ended it");
        let plain = Mesh::build(preset, vertices.clone(), triangles.clone()).unwrap();
        assert_eq!(mesh.stats(), plain.stats(), "{preset:?}");
        let calls = calls.into_inner();
        assert!(calls > 5, "{preset:?}: {calls} calls");
        for last in 0..calls.min(40) {
            // Ended from the call that tells how far it is.
            let (cancel, told, after) = (Cancel::new(), AtomicUsize::new(0), AtomicUsize::new(0));
            let end = |_: Progress| {
                if cancel.is_cancelled() {
                    after.fetch_add(1, Ordering::Relaxed);
                } else if told.fetch_add(1, Ordering::Relaxed) == last {
                    cancel.cancel();
                }
            };
            let build = Build::new().preset(preset).watch(Watch::new().cancel(&cancel).progress(&end));
            match Mesh::build(build, vertices.clone(), triangles.clone()) {
                Err(error) => assert_eq!(error, MeshError::Cancelled, "{preset:?}, call {last}"),
                // Too late.
                Ok(mesh) => assert_eq!(mesh.check(), Ok(()), "{preset:?}, call {last}"),
            }
            // Each of the others may end the task that it is at.
            let after = after.into_inner();
            assert!(
                after < threads(),
                "{preset:?}, call {last} of {calls}: told {after} times after its end"
            );
        }
    }
}

/// Ended from another thread at any time: what comes back is a whole mesh or none. How soon is counted in work, since the clock
/// tells how busy the machine is: each thread ends the task that it is at, and begins no other.
#[test]
fn builds_and_batches_end_soon() {
    let mut rng = Rng::new(rng::seed(772));
    let (vertices, triangles) = soup(300_000, &mut rng);
    let begin = Instant::now();
    let mesh = Mesh::new(vertices.clone(), triangles.clone()).unwrap();
    let whole = begin.elapsed();
    let rays: Vec<Ray> = (0..400_000).map(|_| Ray::new(rng.in_cube(2.0), rng.direction()).unwrap()).collect();
    let mut ended = 0;
    for round in 0..24 {
        let (cancel, after) = (Cancel::new(), AtomicUsize::new(0));
        let count = |_: Progress| _ = after.fetch_add(cancel.is_cancelled().into(), Ordering::Relaxed);
        let watch = Watch::new().cancel(&cancel).progress(&count);
        let wait = whole.mul_f64(rng.unit());
        let late = thread::scope(|scope| {
            let token = cancel.clone();
            let ender = scope.spawn(move || {
                thread::sleep(wait);
                let begin = Instant::now();
                token.cancel();
                begin
            });
            let was_ended = match round % (1 + Preset::ALL.len()) {
                0 => mesh.watched(watch).all_hits_batch(&rays, &Filter::ALL).is_err(),
                preset => {
                    let build = Build::new().preset(Preset::ALL[preset - 1]).watch(watch);
                    let built = Mesh::build(build, vertices.clone(), triangles.clone());
                    built.map(|mesh| assert_eq!(mesh.check(), Ok(()))).is_err()
                }
            };
            let end = Instant::now();
            ended += usize::from(was_ended);
            end.saturating_duration_since(ender.join().expect("it only sleeps"))
        });
        let after = after.into_inner();
        println!("round {round}: {late:?} after the end was asked for, told {after} times meanwhile");
        assert!(after <= threads(), "round {round}: told {after} times after its end");
    }
    assert!(ended > 8, "{ended} of 24 were ended");
}

#[test]
fn what_is_told_goes_up_to_all() {
    let (vertices, triangles) = sheet(200);
    let told = Mutex::new(Vec::new());
    let tell = |progress: Progress| told.lock().unwrap().push((progress.done, progress.total));
    let check = |what: &str, total: usize| {
        let told = std::mem::take(&mut *told.lock().unwrap());
        assert!((2..=220).contains(&told.len()), "{what}: told {} times", told.len());
        assert!(told.iter().all(|&(done, all)| all == total && done <= total), "{what}");
        assert_eq!(told.iter().map(|&(done, _)| done).max(), Some(total), "{what}");
    };
    let watch = Watch::new().progress(&tell);
    let mesh = Mesh::build(Build::new().watch(watch), vertices, triangles).unwrap();
    check("a build", 2 * 80_000);
    let rays: Vec<Ray> =
        (0..50_000).map(|i| Ray::new([f64::from(i % 200), 1.0, 5.5], [0.0, -1.0, 0.0]).unwrap()).collect();
    assert_eq!(
        mesh.watched(watch).closest_batch(&rays, &Filter::ALL),
        Ok(mesh.closest_batch(&rays, &Filter::ALL))
    );
    check("closest", rays.len());
    assert_eq!(
        mesh.watched(watch).all_hits_batch(&rays, &Filter::ALL),
        Ok(mesh.all_hits_batch(&rays, &Filter::ALL))
    );
    check("all hits", rays.len());
}

#[test]
fn a_batch_that_was_ended_leaves_nothing() {
    let (vertices, triangles) = sheet(20);
    let mut world = World::new();
    world.insert(Mesh::new(vertices, triangles).unwrap());
    let scene = world.commit();
    let rays = vec![Ray::new([0.5, 1.0, 0.25], [0.0, -1.0, 0.0]).unwrap(); 5000];
    let cancel = Cancel::new();
    let watched = scene.watched(Watch::new().cancel(&cancel));
    let (mut records, mut lists) = (Vec::new(), HitLists::default());
    assert_eq!(watched.closest_records(&rays, &Filter::ALL, &mut records), Ok(()));
    assert_eq!(watched.all_hits_records(&rays, &Filter::ALL, &mut lists), Ok(()));
    assert_eq!((records.len(), lists.len()), (5000, 5000));
    cancel.cancel();
    assert_eq!(watched.closest_records(&rays, &Filter::ALL, &mut records), Err(Cancelled));
    assert_eq!(watched.all_hits_records(&rays, &Filter::ALL, &mut lists), Err(Cancelled));
    assert!(records.is_empty() && lists.is_empty());
    assert_eq!(watched.closest_batch(&rays, &Filter::ALL), Err(Cancelled));
    assert_eq!(watched.occluded_batch(&rays, &Filter::ALL), Err(Cancelled));
    assert_eq!(watched.first_n_batch(&rays, &Filter::ALL, 2), Err(Cancelled));
    assert_eq!(watched.first_n_records(&rays, &Filter::ALL, 2, &mut lists), Err(Cancelled));
}

/// The heap that some work takes, on one thread, whose memory is counted.
fn heap_of(work: &(dyn Fn() + Sync)) -> allocation_counter::AllocationInfo {
    #[cfg(feature = "rayon")]
    {
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        alone.install(|| measure(work))
    }
    #[cfg(not(feature = "rayon"))]
    measure(work)
}

/// What a build takes at most, of meshes whose leaves are full and of such whose leaves are not.
#[test]
fn a_build_takes_no_more_than_it_says() {
    let mut rng = Rng::new(rng::seed(773));
    let one = |count: u32| {
        (vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]; count as usize])
    };
    // Each far from all others and from itself.
    let far = |count: u32| -> Lists {
        let corner = |i: u32| [(i % 3) as f32, 2f32.powi((i / 3 % 200) as i32 - 100), (i / 600) as f32];
        ((0..3 * count).map(corner).collect(), (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
    };
    for (what, (vertices, triangles)) in [
        ("none", (Vec::new(), Vec::new())),
        ("one", one(1)),
        ("copies", one(30_000)),
        ("a soup", soup(30_000, &mut rng)),
        ("a sheet", sheet(150)),
        ("far ones", far(30_000)),
        ("few far ones", far(20)),
    ] {
        for &preset in Preset::ALL {
            let needs = Build::bytes_for(vertices.len(), triangles.len());
            let lists = (vertices.clone(), triangles.clone());
            let heap = heap_of(&|| drop(Mesh::build(preset, lists.0.clone(), lists.1.clone()).unwrap()));
            let share = heap.bytes_max as f64 / needs as f64;
            println!("{what}, {preset:?}: {} of {needs} bytes, {share:.2}", heap.bytes_max);
            assert!(heap.bytes_max <= needs, "{what}, {preset:?}: {} of {needs} bytes", heap.bytes_max);
            let error = Mesh::build(Build::new().memory(needs - 1), lists.0, lists.1).unwrap_err();
            assert_eq!(error, MeshError::Memory { needs, budget: needs - 1 });
        }
    }
}

/// What has no box is looked at one by one, and counts.
#[test]
fn planes_take_a_step_each() {
    let mut world = World::new();
    for height in 0..100 {
        world.insert(Plane::new([0.0, 1.0, 0.0], [0.0, f64::from(height), 0.0]).unwrap());
    }
    let (scene, ray) = (world.commit(), Ray::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap());
    for steps in [0, 1, 99] {
        assert_eq!(scene.bounded(steps).all_hits(&ray, &Filter::ALL), Err(OutOfSteps { steps }));
    }
    assert_eq!(scene.bounded(100).all_hits(&ray, &Filter::ALL).map(|hits| hits.len()), Ok(100));
}

/// With as many steps as it takes, the answer; with one less, none.
#[test]
fn a_bounded_question_is_answered_or_given_up() {
    let mut rng = Rng::new(rng::seed(774));
    let mut world = World::new();
    for _ in 0..60 {
        world.insert(hitscan::Instance::new(geometry(&mut rng)).at(place(&mut rng, 12.0)));
    }
    let scene = world.commit();
    let instances: Vec<_> = scene.iter().map(|(_, instance)| instance.clone()).collect();
    let filter = &Filter::ALL;
    for i in 0..600 {
        let ray = &ray_at(&instances[i % instances.len()], &mut rng);
        let closest = |steps: u64| scene.bounded(steps).closest(ray, filter);
        let Some(least) = (0..2000).find(|&steps| closest(steps).is_ok()) else { panic!("{ray:?}") };
        assert_eq!(closest(least), Ok(scene.closest(ray, filter)));
        if least > 0 {
            assert_eq!(closest(least - 1), Err(OutOfSteps { steps: least - 1 }));
        }
        let (_, cost) = scene.closest_cost(ray, filter);
        let endless = instances.iter().filter(|instance| matches!(instance.geometry(), Geometry::Plane(_)));
        let steps = cost.instances + cost.nodes + cost.leaves + cost.tests + endless.count() as u32;
        assert!(least <= u64::from(steps), "{least} steps, and {cost:?}");
        let bounded = scene.bounded(u64::from(u32::MAX));
        assert_eq!(bounded.all_hits(ray, filter), Ok(scene.all_hits(ray, filter)));
        assert_eq!(bounded.first_n(ray, filter, 2), Ok(scene.first_n(ray, filter, 2)));
        assert_eq!(bounded.occluded(ray, filter), Ok(scene.occluded(ray, filter)));
        // No steps, no answer, where there is anything to look at.
        if scene.bounds().is_some() && least > 0 {
            assert!(scene.bounded(0).all_hits(ray, filter).is_err());
        }
    }
}
