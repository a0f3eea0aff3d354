//! Files that were made to do harm: all checksums are right, and what they say is not.

use std::panic::{AssertUnwindSafe, catch_unwind};

use allocation_counter::measure;
use hitscan::saved::{OpenError, Saved};
use hitscan::shape::Sphere;
use hitscan::{Mesh, World};
use hitscan_oracle::{Rng, rng};

use crate::support::{file, mend, mend_head, mesh, opens_and_answers, rays, sections, sound};

/// How many files are tried of each kind.
fn tries() -> usize {
    if std::env::var_os("HITSCAN_LONG").is_some() { 200_000 } else { 6_000 }
}

/// Numbers that are likely to matter.
const ODD: [u32; 16] = [
    0,
    1,
    2,
    7,
    8,
    64,
    0xff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x7f7f_ffff,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_fff8,
    0xffff_ffff,
];

#[test]
fn whatever_a_file_says_queries_end_without_a_panic() {
    let mut rng = Rng::new(rng::seed(931));
    let files = sound(&mut rng);
    let rays = rays(&mut rng, 4);
    let (mut opened, mut refused) = (0, 0);
    for _ in 0..tries() {
        let mut file = files[rng.below(files.len())].clone();
        let sections = sections(&file);
        for _ in 0..1 + rng.below(3) {
            // Any section is as likely as any other, and in it any word.
            let (.., range) = &sections[rng.below(sections.len())];
            if range.len() < 4 {
                continue;
            }
            let at = range.start + rng.below(range.len() / 4) * 4;
            let word = u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
            let other = range.start + rng.below(range.len() / 4) * 4;
            let word = match rng.below(5) {
                0 => word ^ 1 << rng.below(32),
                1 => rng.pick(&ODD),
                2 => word.wrapping_add(rng.int(-3, 3) as u32),
                3 => u32::from_le_bytes(file[other..other + 4].try_into().unwrap()),
                _ => rng.bits() as u32,
            };
            file[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        mend(&mut file);
        let asked = catch_unwind(AssertUnwindSafe(|| opens_and_answers(&file, &rays)));
        match asked {
            Ok(true) => opened += 1,
            Ok(false) => refused += 1,
            Err(_) => {
                let path = std::env::temp_dir().join("hitscan-hostile.hitscan");
                std::fs::write(&path, &file).unwrap();
                panic!("{} panics", path.display());
            }
        }
    }
    println!("{opened} opened, {refused} refused");
    assert!(opened > tries() / 50 && refused > tries() / 50, "{opened} opened, {refused} refused");
}

#[test]
fn the_table_and_the_header_lead_nowhere() {
    let mut rng = Rng::new(rng::seed(933));
    let files = sound(&mut rng);
    for _ in 0..tries() {
        let mut file = files[rng.below(files.len())].clone();
        let count = sections(&file).len();
        let at = rng.below((64 + 32 * count) / 4) * 4;
        let word = if rng.one_in(2) { rng.pick(&ODD) } else { rng.bits() as u32 };
        let before = file.clone();
        file[at..at + 4].copy_from_slice(&word.to_le_bytes());
        mend_head(&mut file, count);
        match Saved::read(&file) {
            Ok(_) => assert!(file == before, "word {at}: {word:#x}"),
            Err(_) => assert!(file != before),
        }
    }
}

#[test]
fn sizes_are_held_against_the_file_before_memory_is_taken() {
    let mut rng = Rng::new(rng::seed(935));
    for sound in sound(&mut rng) {
        let range = sections(&sound)[0].2.clone();
        for at in range.step_by(4) {
            for size in [0x0100_0000u32, 0x7fff_ffff, 0xffff_ffff] {
                let mut file = sound.clone();
                file[at..at + 4].copy_from_slice(&size.to_le_bytes());
                mend(&mut file);
                let took = measure(|| drop(Saved::read(&file)));
                let most = 40 * file.len() as u64 + 100_000;
                assert!(took.bytes_max < most, "{} bytes for a file of {}", took.bytes_max, file.len());
            }
        }
    }
}

/// Slots without an instance take as many bytes as others, so that a file cannot claim more of them than it pays for.
#[test]
fn empty_slots_are_paid_for() {
    let mut world = World::new();
    let ids: Vec<_> = (0..1000).map(|_| world.insert(Sphere::new([0.0; 3], 1.0).unwrap())).collect();
    for &id in &ids[..999] {
        world.remove(id).unwrap();
    }
    let sound = file(&world.commit());
    assert!(sound.len() > 116 * 1000);
    let scene = Saved::read(&sound).unwrap().scene;
    assert_eq!(scene.iter().map(|(id, _)| id).collect::<Vec<_>>(), ids[999..]);
    let (.., description) = sections(&sound)[0].clone();
    let mut file = sound;
    // The last word of the slot before the last.
    file[description.end - 116 - 4] = 1;
    mend(&mut file);
    let error = Saved::read(&file).unwrap_err().to_string();
    assert!(error.contains("a place in slot 998, which is empty"), "{error}");
}

#[test]
fn a_tree_that_runs_in_circles_or_too_deep_is_refused() {
    let mut rng = Rng::new(rng::seed(937));
    let mut world = World::new();
    world.insert(mesh(&mut rng, 3000));
    let sound = file(&world.commit());
    let (.., range) = sections(&sound).into_iter().find(|section| section.0 == 7).unwrap();
    let nodes = range.len() / 256;
    assert!(nodes > 20);
    let child = |node: usize, place: usize| range.start + 256 * node + 192 + 4 * place;
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut file = sound.clone();
        change(&mut file);
        mend(&mut file);
        match Saved::read(&file) {
            Err(OpenError::Invalid { section, found, expected }) => {
                assert_eq!(section, "the nodes of mesh 0");
                assert!(!found.is_empty() && !expected.is_empty());
                found
            }
            other => panic!("{other:?}"),
        }
    };
    let circle = refused(&|file| file[child(1, 0)..][..4].copy_from_slice(&0u32.to_le_bytes()));
    assert_eq!(circle, "node 1 names node 0 at depth 2");
    // Each node the only child of the one before.
    let chain = refused(&|file| {
        for node in 0..nodes {
            for place in 0..8 {
                let next = if place == 0 && node + 1 < nodes { node as u32 + 1 } else { u32::MAX };
                file[child(node, place)..][..4].copy_from_slice(&next.to_le_bytes());
                if next == u32::MAX {
                    for plane in 0..6 {
                        let nothing = if plane < 3 { f32::INFINITY } else { f32::NEG_INFINITY };
                        let at = range.start + 256 * node + 4 * (8 * plane + place);
                        file[at..at + 4].copy_from_slice(&nothing.to_le_bytes());
                    }
                }
            }
        }
    });
    assert!(chain.contains("names node 96") || chain.contains("first child"), "{chain}");
    // Walks that take rays together open whatever they meet.
    let open = refused(&|file| {
        for place in 1..8 {
            file[child(nodes - 1, place)..][..4].copy_from_slice(&u32::MAX.to_le_bytes());
            for plane in 0..6 {
                let at = range.start + 256 * (nodes - 1) + 4 * (8 * plane + place);
                let side = if plane < 3 { -0.5f32 } else { 0.5 };
                file[at..at + 4].copy_from_slice(&side.to_le_bytes());
            }
        }
    });
    assert!(open.ends_with("or of an empty place"), "{open}");
    let no_number = refused(&|file| file[range.start..][..4].copy_from_slice(&f32::NAN.to_le_bytes()));
    assert_eq!(no_number, "node 0, place 0: a box without end, of no numbers, or of an empty place");
}

/// Batches ask a mesh's box alone whether there is anything to walk.
#[test]
fn a_box_around_nothing_and_nothing_around_a_tree_are_refused() {
    let words = |numbers: [f32; 6]| numbers.map(f32::to_le_bytes).concat();
    let nothing = words([
        f32::INFINITY,
        f32::INFINITY,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NEG_INFINITY,
        f32::NEG_INFINITY,
    ]);
    let corners = [[1.0f32, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    for (triangle, bounds, other) in [
        ([0u32, 0, 0], nothing.clone(), words([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0])),
        ([0, 1, 2], words([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]), nothing),
    ] {
        let mut world = World::new();
        world.insert(Mesh::new(corners, [triangle]).unwrap());
        let mut file = file(&world.commit());
        assert!(Saved::read(&file).is_ok());
        let (.., told) = sections(&file)[0].clone();
        let at = file[told.clone()].windows(24).position(|window| window == bounds).expect("its box");
        file[told.start + at..][..24].copy_from_slice(&other);
        mend(&mut file);
        match Saved::read(&file) {
            Err(OpenError::Invalid { found, expected, .. }) => {
                assert!(found.starts_with("mesh 0: ") && found.contains(" nodes in a box "), "{found}");
                assert_eq!(expected, "a box where nodes have some, and none where they have none");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Places of a heightfield's columns or rows that do not ascend are told by the list that they are in.
#[test]
fn places_in_disorder() {
    let field = hitscan::heightfield::Heightfield::builder(4, 3).build_f32([0.0; 12]).unwrap();
    let mut world = World::new();
    world.insert(&field);
    let sound = file(&world.commit());
    for (kind, name) in [(10, "the columns of heightfield 0"), (11, "the rows of heightfield 0")] {
        let mut file = sound.clone();
        let (.., range) = sections(&sound).into_iter().find(|section| section.0 == kind).unwrap();
        file[range].reverse();
        mend(&mut file);
        let error = Saved::read(&file).unwrap_err().to_string();
        assert!(error.starts_with(name) && error.contains("places in disorder"), "{error}");
    }
}
