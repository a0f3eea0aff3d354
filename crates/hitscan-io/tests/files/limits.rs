//! Reading that is watched, ended before it is done, or held to so much memory.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use hitscan::{Build, Cancel, Progress, Watch};
use hitscan_io::{Options, ReadError};

use crate::support::{Folder, png};

/// A sheet of so many cells along each side, in each format that is read row by row.
fn sheets(side: u32) -> Vec<(&'static str, Vec<u8>)> {
    let spot = |row: u32| (row / (side + 1), row % (side + 1));
    let corners =
        || (0..(side + 1) * (side + 1)).map(|row| [spot(row).1, spot(row).0, row % 2].map(|c| c as f32));
    let triangles = || {
        (0..side * side).flat_map(move |cell| {
            let a = cell / side * (side + 1) + cell % side;
            [[a, a + 1, a + side + 1], [a + 1, a + side + 2, a + side + 1]]
        })
    };
    let (vertices, faces) = ((side + 1) * (side + 1), 2 * side * side);
    let mut obj = String::new();
    let mut off = format!("OFF\n{vertices} {faces} 0\n");
    let mut ply = format!(
        "ply\nformat ascii 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\n\
         element face {faces}\nproperty list uchar int vertex_indices\nend_header\n"
    );
    for [x, y, z] in corners() {
        writeln!(obj, "v {x} {y} {z}").unwrap();
        writeln!(off, "{x} {y} {z}").unwrap();
        writeln!(ply, "{x} {y} {z}").unwrap();
    }
    let list: Vec<[f32; 3]> = corners().collect();
    let mut text = String::from("solid sheet\n");
    let mut stl = vec![b' '; 80];
    stl.extend(faces.to_le_bytes());
    for [a, b, c] in triangles() {
        writeln!(obj, "f {} {} {}", a + 1, b + 1, c + 1).unwrap();
        writeln!(off, "3 {a} {b} {c}").unwrap();
        writeln!(ply, "3 {a} {b} {c}").unwrap();
        text.push_str("facet normal 0 0 1\nouter loop\n");
        stl.extend([0u8; 12]);
        for corner in [a, b, c] {
            let [x, y, z] = list[corner as usize];
            writeln!(text, "vertex {x} {y} {z}").unwrap();
            stl.extend([x, y, z].iter().flat_map(|value| value.to_le_bytes()));
        }
        text.push_str("endloop\nendfacet\n");
        stl.extend([0u8; 2]);
    }
    text.push_str("endsolid sheet\n");
    vec![
        ("obj", obj.into_bytes()),
        ("off", off.into_bytes()),
        ("ply", ply.into_bytes()),
        ("text stl", text.into_bytes()),
        ("binary stl", stl),
        ("glb", glb(&list, &triangles().collect::<Vec<_>>())),
    ]
}

fn glb(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let (v, t) = (12 * vertices.len(), 12 * triangles.len());
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "buffers":[{{"byteLength":{}}}],
        "bufferViews":[{{"buffer":0,"byteLength":{v}}},{{"buffer":0,"byteOffset":{v},"byteLength":{t}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3"}},
        {{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}]}}"#,
        v + t,
        vertices.len(),
        3 * triangles.len()
    )
    .into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + (v + t) as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend(((v + t) as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(vertices.as_flattened().iter().flat_map(|value| value.to_le_bytes()));
    bytes.extend(triangles.as_flattened().iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// Ended at any time: a whole model or none. How soon is printed, not asserted: the clock tells how busy the machine is.
#[test]
fn reading_ends_soon() {
    for (format, bytes) in sheets(500) {
        let whole = Instant::now();
        let model = hitscan_io::read(format, bytes.clone(), &Options::new()).unwrap();
        assert_eq!(model.triangles(), 500_000, "{format}");
        let whole = whole.elapsed();
        let mut ended = 0;
        for eighth in 0..8 {
            let cancel = Cancel::new();
            let options = Options { watch: Watch::new().cancel(&cancel), ..Options::new() };
            let bytes = bytes.clone();
            thread::scope(|scope| {
                let token = cancel.clone();
                let ender = scope.spawn(move || {
                    thread::sleep(whole * eighth / 8);
                    token.cancel();
                    Instant::now()
                });
                let read = hitscan_io::read(format, bytes, &options);
                let end = Instant::now();
                let late = end.saturating_duration_since(ender.join().expect("it only sleeps"));
                match read {
                    Err(ReadError::Cancelled { path }) => {
                        assert_eq!(path.to_str(), Some(format));
                        ended += 1;
                    }
                    Err(error) => panic!("{error}"),
                    Ok(model) => assert_eq!(model.triangles(), 500_000, "{format}"),
                }
                println!("{format}, after {eighth} eighths of {whole:?}: {late:?}");
            });
        }
        assert!(ended > 0, "{format}");
    }
}

#[test]
fn meshes_are_told_as_they_are_built() {
    let told = Mutex::new(Vec::new());
    let tell = |progress: Progress| told.lock().unwrap().push((progress.done, progress.total));
    let options = Options { watch: Watch::new().progress(&tell), ..Options::new() };
    let obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\no a\nf 1 2 3\no b\nf 1 2 3\nf 1 3 2\n".to_vec();
    hitscan_io::read("two", obj, &options).unwrap();
    let mut told = told.into_inner().unwrap();
    told.sort_unstable();
    assert!(told == [(1, 3), (3, 3)] || told == [(2, 3), (3, 3)], "{told:?}");
}

#[test]
fn memory_is_refused_with_what_it_takes() {
    let (_, obj) = sheets(100).swap_remove(0);
    let folder = Folder::new("limits");
    let name = &folder.write("sheet.obj", &obj);
    let with = |bytes: u64| {
        hitscan_io::open_with(name, &Options { memory: Some(bytes), ..Options::new() })
            .map(|model| model.triangles())
            .map_err(|error| error.to_string())
    };
    let length = obj.len() as u64;
    assert_eq!(
        with(length - 1),
        Err(format!("{name}: the file takes up to {length} bytes of memory; the limit is {}", length - 1))
    );
    let needs = Build::bytes_for(101 * 101, 20_000);
    assert_eq!(
        with(needs - 1),
        Err(format!(
            "{name}: the meshes and their trees take up to {needs} bytes of memory; the limit is {}",
            needs - 1
        ))
    );
    assert_eq!(with(needs), Ok(20_000));
    // A buffer of 100 MB that takes none on the disk.
    let sparse = std::fs::File::create(folder.path("far.bin")).unwrap();
    sparse.set_len(100 << 20).unwrap();
    let document = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "buffers":[{"byteLength":104857600,"uri":"far.bin"}],"bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}]}"#;
    let name = folder.write("far.gltf", document);
    let options = Options { memory: Some(1 << 20), ..Options::new() };
    let error = hitscan_io::open_with(&name, &options).unwrap_err().to_string();
    let needs = (100 << 20) + document.len();
    assert_eq!(error, format!("{name}: the file takes up to {needs} bytes of memory; the limit is 1048576"));
    // A picture of 4096 x 4096 samples, of which not one is there.
    let picture = png::picture(png::header(4096, 4096, 1, 0), &[]);
    let options = Options { cell: Some(1.0), relief: Some([0.0, 1.0]), ..options };
    let error = hitscan_io::read("flat", picture, &options).unwrap_err().to_string();
    assert!(error.starts_with("flat: the heightmap and its trees take up to 1"), "{error}");
    let options = Options { cell: None, relief: None, ..options };
    let error = hitscan_io::open_with("builtin:sphere:30M", &options).unwrap_err().to_string();
    assert!(error.starts_with("builtin:sphere:30M: the scene and its trees take up to 1"), "{error}");
}

/// However many buffers are of one file, and whatever they call it.
#[test]
fn a_file_that_many_buffers_name_is_read_once() {
    let folder = Folder::new("limits-shared");
    let corners = [0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].map(f32::to_le_bytes).concat();
    let length = 1 << 20;
    folder.write("a.bin", [corners, vec![0; length - 36]].concat());
    let list =
        |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(",");
    const MANY: usize = 40;
    let names = ["a.bin", "./a.bin", "%61.bin", "./././a.bin"];
    let buffers = list(MANY, &|n| format!(r#"{{"byteLength":{},"uri":"{}"}}"#, length - n, names[n % 4]));
    let views = list(MANY, &|n| format!(r#"{{"buffer":{n},"byteLength":36}}"#));
    let accessors =
        list(MANY, &|n| format!(r#"{{"bufferView":{n},"componentType":5126,"count":3,"type":"VEC3"}}"#));
    let meshes = list(MANY, &|n| format!(r#"{{"primitives":[{{"attributes":{{"POSITION":{n}}}}}]}}"#));
    let nodes = list(MANY, &|n| format!(r#"{{"mesh":{n}}}"#));
    let roots = list(MANY, &|n| n.to_string());
    let document = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[{roots}]}}],"nodes":[{nodes}],
        "meshes":[{meshes}],"buffers":[{buffers}],"bufferViews":[{views}],"accessors":[{accessors}]}}"#
    );
    let name = folder.write("many.gltf", document);
    let options = Options { memory: Some(4 << 20), ..Options::new() };
    let model = hitscan_io::open_with(&name, &options).expect("it takes one megabyte, and the trees three");
    assert_eq!(model.meshes.len(), MANY);
    assert_eq!(model.files_read.len(), 1, "{:?}", model.files_read);
}

/// A face of a binary PLY file may be one byte, and takes twelve once it is read.
#[test]
fn what_a_file_claims_counts_as_memory() {
    let faces = 1 << 20;
    let header = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\n\
         element face {faces}\nproperty list uchar uchar vertex_indices\nend_header\n"
    );
    let file = [header.into_bytes(), vec![0; faces]].concat();
    let options = Options { memory: Some(2 << 20), ..Options::new() };
    let error = hitscan_io::read("empty.ply", file, &options).unwrap_err().to_string();
    let needs = 12 * faces;
    assert_eq!(
        error,
        format!("empty.ply: what it claims takes up to {needs} bytes of memory; the limit is 2097152")
    );
}

/// Faces that share their vertices are short beside what it takes to cut ears off them.
#[test]
fn many_long_faces_with_notches_are_refused() {
    let (corners, faces) = (4096, 40);
    // So bent that no cut is found soon.
    let spot = |row: usize| [7919, 104_729, 1_299_709].map(|prime| row * row * prime % 9973);
    let vertices: String =
        (0..corners).map(|row| spot(row).map(|c| format!("{c} ")).concat() + "\n").collect();
    let face = (0..corners).map(|row| format!(" {row}")).collect::<String>();
    let off = |faces: usize| {
        let list = format!("{corners}{face}\n").repeat(faces);
        format!("OFF\n{corners} {faces} 0\n{vertices}{list}").into_bytes()
    };
    hitscan_io::read("few.off", off(16), &Options::new()).expect("so many are cut whatever the length");
    let file = off(faces);
    let cut = ((1 << 28) + 64 * file.len()) / (corners * corners);
    assert!(cut < faces);
    let error = hitscan_io::read("many.off", file, &Options::new()).unwrap_err().to_string();
    let line = 2 + corners + cut + 1;
    assert_eq!(
        error,
        format!(
            "many.off:{line}: face has {corners} corners and is not convex, as others before it; \
             the squares of their corners add up to 2^28 and 64 for each byte of the file at most: cut them into smaller ones"
        )
    );
}

/// What takes a few bytes in a file, and some thousand once it is read, is refused where there is too much of it.
#[test]
fn many_tiny_parts_are_refused_while_they_are_read() {
    let obj = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{}", "o\nf 1 2 3\n".repeat((1 << 18) + 1));
    let error = hitscan_io::read("tiny.obj", obj.into_bytes(), &Options::new()).unwrap_err().to_string();
    assert_eq!(error, "tiny.obj: 262145 meshes are more than the file can hold; the limit is 262144");
    let stl = "solid\nendsolid\n".repeat((1 << 18) + 1);
    let error = hitscan_io::read("tiny.stl", stl.into_bytes(), &Options::new()).unwrap_err().to_string();
    assert_eq!(error, "tiny.stl: 262145 meshes are more than the file can hold; the limit is 262144");
    for (list, one) in [("nodes", "{},"), ("materials", "{},"), ("extensionsUsed", r#""","#)] {
        let document = format!(r#"{{"asset":{{"version":"2.0"}},"{list}":[{}"#, one.repeat((1 << 20) + 1));
        let error =
            hitscan_io::read("tiny.gltf", document.into_bytes(), &Options::new()).unwrap_err().to_string();
        assert!(error.contains("a list of at most 1048576 entries"), "{error}");
    }
}
