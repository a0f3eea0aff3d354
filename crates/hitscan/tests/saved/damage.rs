//! Files that were cut, or of which something was changed by accident.

use hitscan::saved::{OpenError, Saved};
use hitscan::shape::Sphere;
use hitscan::{Instance, Mesh, World};
use hitscan_oracle::{Rng, rng};

use crate::support::{file, file_with, geometries, sections};

/// A file of a few kilobytes with a mesh, a shape, a note and some zeroes between them.
fn small() -> Vec<u8> {
    let mut world = World::new();
    let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.5], [0.0, 0.0, 1.0]];
    let mesh = Mesh::new(corners, [[0u32, 1, 2], [1, 3, 2], [0, 2, 4]]).unwrap();
    world.insert(Instance::new(mesh.with_materials(vec![1, 0, 2]).unwrap()));
    world.insert(Sphere::new([2.0; 3], 1.0).unwrap());
    let mut notes = hitscan::saved::Notes::new();
    notes.set("names", *b"pane, ball").unwrap();
    file_with(&world.commit(), notes)
}

#[test]
fn every_byte_is_watched() {
    let sound = small();
    assert!(Saved::read(&sound).is_ok());
    let mut file = sound.clone();
    for at in 0..file.len() {
        for change in [1, 0x80, 0xff] {
            file[at] ^= change;
            assert!(Saved::read(&file).is_err(), "byte {at} of {}, changed by {change:#x}", file.len());
            file[at] = sound[at];
        }
    }
}

#[test]
fn every_cut_is_seen() {
    let file = small();
    for length in 0..file.len() {
        let error = Saved::read(&file[..length]).unwrap_err();
        let is_told = match error {
            OpenError::NotSaved => length < 8,
            OpenError::Length { found, .. } => found == length as u64,
            _ => false,
        };
        assert!(is_told, "cut at {length}: {error}");
    }
    let longer = [&file[..], &[0]].concat();
    assert!(matches!(Saved::read(&longer), Err(OpenError::Length { .. })));
}

#[test]
fn errors_say_what_and_where() {
    let mut rng = Rng::new(rng::seed(921));
    let mut world = World::new();
    geometries(&mut rng).into_iter().for_each(|thing| {
        world.insert(Instance::new(thing));
    });
    let sound = file(&world.commit());
    let after = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut file = sound.clone();
        change(&mut file);
        Saved::read(&file).unwrap_err().to_string()
    };
    let sections = sections(&sound);
    let of = |kind: u32| sections.iter().find(|section| section.0 == kind && !section.2.is_empty()).unwrap();
    let damaged = |kind: u32| {
        let (_, _, range) = of(kind);
        (range.start, after(&|file| file[range.start + 1] ^= 4))
    };
    for (kind, name) in [
        (1, "the description"),
        (2, "the tree over the instances"),
        (3, "the vertices of mesh 0"),
        (4, "the triangles of mesh 0"),
        (7, "the nodes of mesh 0"),
        (8, "the leaves of mesh 0"),
        (10, "the columns of heightfield 0"),
        (13, "the samples of heightfield 0"),
        (14, "the pyramid of heightfield 0"),
    ] {
        let (start, error) = damaged(kind);
        let expected = "the checksum does not fit; expected an undamaged file";
        assert_eq!(error, format!("{name} from byte {start} on: {expected}"));
    }
    assert_eq!(
        after(&|file| file[20] ^= 1),
        "the header from byte 0 on: the checksum does not fit; expected an undamaged file"
    );
    assert_eq!(
        after(&|file| file[12] = 2),
        "is a saved scene of version 2; expected version 1, save it again"
    );
    assert_eq!(
        after(&|file| file[8..12].reverse()),
        "is a saved scene in big-endian numbers; expected little-endian ones"
    );
    assert_eq!(
        after(&|file| file[0] = b'P'),
        "does not begin as a saved scene does; expected a .hitscan file"
    );
}
