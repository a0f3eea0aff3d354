//! Worlds that move: what a frame of a game costs.
//!
//! `cargo run --release -p hitscan-bench --bin world` moves 10,000 instances of a mesh of 1,000 triangles every frame and commits
//! them, then records and asks the past of 64 players. All figures are of this machine alone; nothing is compared.

use std::time::{Duration, Instant};

use hitscan::glam::{DMat3, DQuat, DVec3};
use hitscan::shape::Sphere;
use hitscan::{Filter, History, Instance, InstanceId, Mesh, Ray, Transform, World};

/// Frames that are measured, after as many that are not.
const FRAMES: usize = 300;

fn main() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{threads} threads; the median of {FRAMES} frames, and the slowest\n");
    println!("| what | median, ms | slowest, ms |");
    println!("|---|---|---|");
    crowd("moving straight", |phase, i| {
        (DVec3::new(phase * speed(i), 0.0, phase * speed(i + 7)), DQuat::IDENTITY)
    });
    crowd("moving and turning", |phase, i| {
        let by = DVec3::new(phase * speed(i), 0.0, phase * speed(i + 7));
        (by, DQuat::from_rotation_y(phase * speed(i + 3)))
    });
    crowd("anywhere anew", |phase, i| {
        let place = |axis: usize| 400.0 * (speed(i * 3 + axis + (phase * 1e4) as usize * 30_011) - 0.5);
        (DVec3::new(place(0), place(1), place(2)), DQuat::from_rotation_y(phase))
    });
    past();
}

/// A fixed number between 0 and 1 for each instance.
fn speed(i: usize) -> f64 {
    let mixed = (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
    (mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 11) as f64 / (1u64 << 53) as f64
}

/// A wavy sheet of 1,000 triangles.
fn sheet() -> Mesh {
    let (columns, rows) = (25u32, 20u32);
    let corner = |i: u32| {
        let (x, z) = (f64::from(i % (columns + 1)) / 12.5 - 1.0, f64::from(i / (columns + 1)) / 10.0 - 1.0);
        [x as f32, (0.2 * (5.0 * x).sin() * (4.0 * z).cos()) as f32, z as f32]
    };
    let triangle = |i: u32| {
        let (x, z) = ((i / 2) % columns, (i / 2) / columns);
        let a = z * (columns + 1) + x;
        if i.is_multiple_of(2) {
            [a, a + columns + 1, a + 1]
        } else {
            [a + 1, a + columns + 1, a + columns + 2]
        }
    };
    Mesh::new((0..(columns + 1) * (rows + 1)).map(corner), (0..2 * columns * rows).map(triangle))
        .expect("a sheet")
}

/// 10,000 instances, all moved and committed each frame; where they start and how far they come is up to the caller.
fn crowd(name: &str, motion: impl Fn(f64, usize) -> (DVec3, DQuat)) {
    let mesh = sheet();
    let mut world = World::new();
    let start = |i: usize| DVec3::new((i % 100) as f64 * 4.0 - 200.0, 0.0, (i / 100) as f64 * 4.0 - 200.0);
    let ids: Vec<InstanceId> = (0..10_000).map(|_| world.insert(&mesh)).collect();
    let (mut times, mut scene) = (Vec::new(), world.commit());
    for frame in 0..2 * FRAMES {
        let phase = frame as f64 / 60.0;
        let places: Vec<(DMat3, DVec3)> = (0..ids.len())
            .map(|i| {
                let (by, turn) = motion(phase, i);
                (DMat3::from_quat(turn), start(i) + by)
            })
            .collect();
        let begin = Instant::now();
        for (&id, &(matrix, offset)) in ids.iter().zip(&places) {
            let place = Transform::new(matrix, offset).expect("a turn");
            world.set_transform(id, place).expect("it is there");
        }
        scene = world.commit();
        times.push(begin.elapsed());
    }
    let down = Ray::new([0.0, 900.0, 0.0], [0.0, -1.0, 0.0]).expect("a ray");
    std::hint::black_box(scene.closest(&down, &Filter::ALL));
    row(&format!("10,000 instances {name}: inverses, moves and commit"), &mut times[FRAMES..]);
}

/// 64 players of 20 spheres, 64 ticks.
fn past() {
    let mut world = World::new();
    world.keep(64);
    let ball = Sphere::new([0.0; 3], 0.2).expect("a ball");
    let ids: Vec<InstanceId> = (0..64 * 20).map(|_| world.insert(Instance::new(ball))).collect();
    let (mut recording, mut asking) = (Vec::new(), Vec::new());
    for tick in 0..2 * FRAMES as u64 {
        for (i, &id) in ids.iter().enumerate() {
            let player = DVec3::new((i / 20 % 8) as f64 * 5.0, 0.0, (i / 160) as f64 * 5.0);
            let part = DVec3::new(0.0, (i % 20) as f64 * 0.09, 0.05 * tick as f64 * speed(i / 20));
            let turn = DMat3::from_rotation_y(0.1 * tick as f64);
            world
                .set_transform(id, Transform::new(turn, player + part).expect("a turn"))
                .expect("it is there");
        }
        let begin = Instant::now();
        world.record(tick).expect("ticks ascend");
        recording.push(begin.elapsed());
        let history = world.history();
        let begin = Instant::now();
        let then =
            history.at((tick as f64 - 6.5).max(history.ticks().next().unwrap_or(0) as f64)).expect("kept");
        let shot = Ray::new([0.0, 0.9, -20.0], [0.0, 0.0, 1.0]).expect("a ray");
        std::hint::black_box(then.closest(&shot, &Filter::ALL));
        asking.push(begin.elapsed());
    }
    row("64 players of 20 shapes: a tick recorded", &mut recording[FRAMES..]);
    row("the same: the scene between two ticks, and a shot at it", &mut asking[FRAMES..]);
    let bytes = ids.len() * History::BYTES_PER_INSTANCE;
    println!(
        "\na tick of 64 players of 20 shapes takes {bytes} bytes, 64 ticks {:.1} MB",
        64e-6 * bytes as f64
    );
}

fn row(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let ms = |time: Duration| 1e3 * time.as_secs_f64();
    println!("| {what} | {:.2} | {:.2} |", ms(times[times.len() / 2]), ms(times[times.len() - 1]));
}
