//! Somebody has a glTF, an STL and a GeoTIFF. One command each answers: what does this ray hit, how high is the ground
//! here, what is under this pixel, is this file sound.

use crate::common::{Folder, glb};

/// A house: a box of 4 x 3 x 2 m whose floor is at 0.
fn house() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let corner = |i: u32| [(i & 1) as f32 * 4.0, (i >> 1 & 1) as f32 * 3.0, (i >> 2 & 1) as f32 * 2.0];
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    ((0..8).map(corner).collect(), quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

fn stl() -> Vec<u8> {
    let (corners, triangles) = house();
    let mut bytes = vec![0; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        bytes.extend([0.0f32; 3].iter().flat_map(|c| c.to_le_bytes()));
        bytes.extend(triangle.iter().flat_map(|&i| corners[i as usize]).flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    bytes
}

/// A slope in UTM: 5 x 4 samples every 10 m from (500000, 5200000) on, rising 1 m a sample to the east and 2 m to the
/// north from 100 m; the sample in the north-west has no data.
fn geotiff() -> Vec<u8> {
    /// Tag, type, count, and the value or else the data that it points to.
    type Entry = (u16, u16, u32, Result<u32, Vec<u8>>);

    const NO_DATA: f32 = -9999.0;
    let height = |column: u32, row: u32| match (column, row) {
        (0, 0) => NO_DATA,
        (column, row) => 100.0 + column as f32 + 2.0 * (3 - row) as f32,
    };
    let samples: Vec<u8> =
        (0..4).flat_map(|row| (0..5).flat_map(move |column| height(column, row).to_le_bytes())).collect();
    let scale = [10.0f64, 10.0, 0.0].map(f64::to_le_bytes).concat();
    // Pixel is point: the first sample lies at the tie point.
    let tie = [0.0f64, 0.0, 0.0, 500_000.0, 5_200_030.0, 0.0].map(f64::to_le_bytes).concat();
    let keys =
        [1u16, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 2, 3072, 0, 1, 32632].map(u16::to_le_bytes).concat();
    let no_data = b"-9999\0".to_vec();

    // Types: shorts 3, longs 4, text 2, doubles 12.
    let data = |bytes: &[u8]| Err(bytes.to_vec());
    let entries: [Entry; 14] = [
        (256, 3, 1, Ok(5)),
        (257, 3, 1, Ok(4)),
        (258, 3, 1, Ok(32)),
        (259, 3, 1, Ok(1)),
        (262, 3, 1, Ok(1)),
        (273, 4, 1, Ok(8)),
        (277, 3, 1, Ok(1)),
        (278, 3, 1, Ok(4)),
        (279, 4, 1, Ok(samples.len() as u32)),
        (339, 3, 1, Ok(3)),
        (33550, 12, 3, data(&scale)),
        (33922, 12, 6, data(&tie)),
        (34735, 3, 16, data(&keys)),
        (42113, 2, no_data.len() as u32, data(&no_data)),
    ];
    let directory = 8 + samples.len();
    let mut behind = directory + 2 + 12 * entries.len() + 4;
    let mut file = b"II*\0".to_vec();
    file.extend((directory as u32).to_le_bytes());
    file.extend(samples);
    file.extend((entries.len() as u16).to_le_bytes());
    let mut rest = Vec::new();
    for (tag, kind, count, value) in entries {
        file.extend(tag.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend(count.to_le_bytes());
        let word = value.unwrap_or_else(|bytes| {
            let at = behind as u32;
            behind += bytes.len();
            rest.extend(bytes);
            at
        });
        file.extend(word.to_le_bytes());
    }
    file.extend([0; 4]);
    file.extend(rest);
    file
}

fn answer(folder: &Folder, line: &str) -> String {
    let ran = folder.run(&line.split(' ').collect::<Vec<_>>());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{line}");
    ran.out
}

fn number(folder: &Folder, line: &str, path: &str) -> f64 {
    let json: serde_json::Value = serde_json::from_str(&answer(folder, line)).expect("JSON");
    json.pointer(path).and_then(serde_json::Value::as_f64).unwrap_or_else(|| panic!("{path} in {json}"))
}

#[test]
fn a_gltf() {
    let folder = Folder::new("three-gltf");
    let (corners, triangles) = house();
    folder.write("house.glb", glb(&corners, triangles.as_flattened(), &[[0.0; 3], [10.0, 0.0, 0.0]]));
    let cast = "cast house.glb --from -1,1,1 --dir 1,0,0 --json";
    assert_eq!(number(&folder, cast, "/hits/0/t"), 1.0);
    assert_eq!(number(&folder, cast, "/hits/3/t"), 15.0);
    assert_eq!(number(&folder, "height house.glb --at 12,1 --json", "/height"), 3.0);
    assert_eq!(number(&folder, "height house.glb --at 12,1,1.8 --json", "/height"), 0.0, "under the roof");
    assert!(answer(&folder, "pick house.glb --at 640,360 --eye 2,1.5,9 --look 2,1.5,0").contains("copy 0"));
    assert!(answer(&folder, "check house.glb --strict").contains("nothing found"));
}

#[test]
fn an_stl() {
    let folder = Folder::new("three-stl");
    folder.write("house.stl", stl());
    assert_eq!(number(&folder, "cast house.stl --from 2,9,1 --to 2,-9,1 --json", "/hits/0/distance"), 6.0);
    assert_eq!(number(&folder, "height house.stl --at 1,1 --json", "/height"), 3.0);
    assert!(answer(&folder, "pick house.stl --at 640,360").contains("house"));
    assert!(answer(&folder, "check house.stl --strict").contains("nothing found"));
}

#[test]
fn a_geotiff() {
    let folder = Folder::new("three-geotiff");
    folder.write("slope.tif", geotiff());
    let height = number(&folder, "height slope.tif --at 500012.5,5200005 --json", "/height");
    assert!((height - (100.0 + 1.25 + 1.0)).abs() < 1e-5, "{height}");
    assert!(answer(&folder, "height slope.tif --at 500001,5200029").starts_with("miss"), "a hole");
    let cast = "cast slope.tif --from 500020,5200010,500 --dir 0,0,-1 --json";
    assert_eq!(number(&folder, cast, "/hits/0/position/2"), 104.0);
    assert_eq!(number(&folder, cast, "/hits/0/position/0"), 500_020.0);
    assert!(answer(&folder, "pick slope.tif --at 640,360").contains("slope"));
    let found = answer(&folder, "check slope.tif");
    assert!(found.contains("border edge"), "{found}");
}
