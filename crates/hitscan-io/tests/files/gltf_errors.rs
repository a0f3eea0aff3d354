//! Malformed glTF, and what is said about each file: one line, `WHERE: WHAT; WHAT WAS EXPECTED`.

use crate::support::{Folder, Gltf, glb, refuses};
use hitscan_io::Options;

#[test]
fn containers() {
    let sound = Gltf::two_triangles();
    let bytes = sound.glb();
    let json = sound.json("");
    let mut version_1 = bytes.clone();
    version_1[4] = 1;
    let mut long_chunk = bytes.clone();
    long_chunk[14] = 9;
    let no_json = [&b"glTF\x02\0\0\0\x14\0\0\0"[..], b"\0\0\0\0BIN\0"].concat();
    let document = |json: &str| glb(json.as_bytes(), &[]);
    const NOT_JSON: &str =
        "text.gltf:1: expected value (column 1); a glTF document is JSON as glTF 2.0 lays it out";
    refuses(
        "containers",
        [
            ("empty.glb", Vec::new(), "empty.glb: the file is empty; a scene needs a triangle with an area"),
            (
                "magic.glb",
                bytes[..7].to_vec(),
                "magic.glb: the file ends after 7 bytes; a GLB starts with a header of 12 bytes",
            ),
            ("cut.glb", bytes[..300].to_vec(), "cut.glb: the file ends after 300 bytes; its header says 512"),
            ("old.glb", version_1, "old.glb: GLB version 1 is not read; export it as glTF 2.0"),
            (
                "chunk.glb",
                long_chunk,
                "chunk.glb: a chunk of 590248 bytes where 492 are left; chunks end within the length in the header",
            ),
            ("data.glb", no_json, "data.glb: no JSON chunk; a GLB holds its document there"),
            ("text.gltf", b"v 0 0 0".to_vec(), NOT_JSON),
            (
                "member.gltf",
                b"{\n  \"asset\": {}\n}".to_vec(),
                "member.gltf:2: missing field `version` (column 13); a glTF document is JSON as glTF 2.0 lays it out",
            ),
            (
                "json.glb",
                document("{\"asset\":"),
                "json.glb: its JSON: EOF while parsing a value (line 1, column 12); a glTF document is JSON as glTF 2.0 lays it out",
            ),
            (
                "one.gltf",
                json.replace("2.0", "1.0").into_bytes(),
                "one.gltf: glTF version \"1.0\" is not read; export it as glTF 2.0",
            ),
            (
                "nothing.glb",
                document(r#"{"asset":{"version":"2.0"}}"#),
                "nothing.glb: no triangles; a scene needs a triangle with an area",
            ),
            (
                "bare.gltf",
                json.clone().into_bytes(),
                "bare.gltf: buffer 0 has no uri; only the first buffer of a GLB goes without",
            ),
            (
                "short.glb",
                glb(json.as_bytes(), &sound.data[..56]),
                "short.glb: buffer 0 has 56 bytes; the document says 60",
            ),
            (
                "beside.gltf",
                sound.json(r#","uri":"walls.bin""#).into_bytes(),
                "walls.bin: no such file; it is buffer 0 of beside.gltf",
            ),
            (
                "web.gltf",
                sound.json(r#","uri":"https://example.org/walls.bin""#).into_bytes(),
                "web.gltf: buffer 0 at \"https://example.org/walls.bin\" is not read; store it in a file beside the document",
            ),
            (
                "uri.gltf",
                sound.json(r#","uri":"data:;base64,A-A""#).into_bytes(),
                "uri.gltf: buffer 0 has a data URI that does not decode; such data is in base64",
            ),
            (
                "draco.glb",
                document(
                    r#"{"asset":{"version":"2.0"},"extensionsRequired":["KHR_texture_basisu","KHR_draco_mesh_compression"]}"#,
                ),
                "draco.glb: KHR_draco_mesh_compression is not read; export it without mesh compression",
            ),
            (
                "meshopt.glb",
                document(r#"{"asset":{"version":"2.0"},"extensionsRequired":["EXT_meshopt_compression"]}"#),
                "meshopt.glb: EXT_meshopt_compression is not read; export it without mesh compression (gltfpack: without -c)",
            ),
            (
                "instancing.glb",
                document(r#"{"asset":{"version":"2.0"},"extensionsRequired":["EXT_mesh_gpu_instancing"]}"#),
                "instancing.glb: EXT_mesh_gpu_instancing is not read; export it without this extension",
            ),
        ],
    );
}

/// Documents that differ from a sound one in one place.
#[test]
fn documents() {
    let changed = |from: &str, to: &str| {
        let sound = Gltf::two_triangles();
        let json = sound.json("");
        assert!(json.contains(from), "{from} is not in {json}");
        glb(json.replacen(from, to, 1).as_bytes(), &sound.data)
    };
    let coordinate = |value: f32| {
        let mut gltf = Gltf::two_triangles();
        gltf.data[16..20].copy_from_slice(&value.to_le_bytes());
        gltf.glb()
    };
    let without_data = |from: &str, to: &str, more: &str| {
        let mut gltf = Gltf::two_triangles();
        gltf.accessors[0] = gltf.accessors[0].replace("\"bufferView\":0,", "").replacen(from, to, 1);
        gltf.more = more.to_owned();
        gltf.glb()
    };
    let mut flat = Gltf::two_triangles();
    flat.data[..48].fill(0);
    refuses(
        "documents",
        [
            (
                "nan.glb",
                coordinate(f32::NAN),
                "nan.glb: mesh \"wedge\", accessor 0: vertex 1: y is NaN; a mesh needs finite coordinates",
            ),
            (
                "far.glb",
                coordinate(2e30),
                "far.glb: mesh \"wedge\", accessor 0: vertex 1: y is 2e30; a mesh needs coordinates of at most 2^100",
            ),
            (
                "flat.glb",
                flat.glb(),
                "flat.glb: all 2 triangles are degenerate (2 with two equal corners, 0 of zero area); \
                 a scene needs a triangle with an area",
            ),
            (
                "index.glb",
                {
                    let mut gltf = Gltf::two_triangles();
                    gltf.data[54] = 90;
                    gltf.glb()
                },
                "index.glb: mesh 0 \"wedge\", primitive 0: index 3 names vertex 90, and there are 4; vertices count from 0",
            ),
            (
                "count.glb",
                changed("\"count\":6", "\"count\":5"),
                "count.glb: mesh 0 \"wedge\", primitive 0: it has 5 corners; a list of triangles has a multiple of 3",
            ),
            (
                "long.glb",
                changed("\"count\":6", "\"count\":4294967295"),
                "long.glb: accessor 1 has 4294967295 elements from byte 0 on; its buffer view 1 has 12 bytes",
            ),
            (
                "overflow.glb",
                changed("\"count\":4", "\"count\":18446744073709551615"),
                "overflow.glb: accessor 0 has 18446744073709551615 elements from byte 0 on; its buffer view 0 has 48 bytes",
            ),
            (
                "zeros.glb",
                without_data("\"count\":4", "\"count\":4000000000", ""),
                "zeros.glb: 4000000000 elements in accessor 0, which has no data, are more than the file can hold; the limit is 504",
            ),
            (
                "offset.glb",
                changed("\"count\":6", "\"byteOffset\":18446744073709551615,\"count\":6"),
                "offset.glb: accessor 1 has 6 elements from byte 18446744073709551615 on; its buffer view 1 has 12 bytes",
            ),
            (
                "view.glb",
                changed("\"byteLength\":48", "\"byteLength\":61"),
                "view.glb: buffer view 0 has 61 bytes from byte 0 on; its buffer 0 has 60",
            ),
            (
                "wrap.glb",
                changed("\"byteOffset\":48", "\"byteOffset\":18446744073709551615"),
                "wrap.glb: buffer view 1 has 12 bytes from byte 18446744073709551615 on; its buffer 0 has 60",
            ),
            (
                "stride.glb",
                changed("\"byteLength\":48", "\"byteStride\":8,\"byteLength\":48"),
                "stride.glb: accessor 0 has elements of 12 bytes, 8 apart; elements do not overlap",
            ),
            (
                "type.glb",
                changed("\"VEC3\"", "\"VEC2\""),
                "type.glb: accessor 0 has the wrong type; positions are VEC3 of floats, or of bytes or shorts",
            ),
            (
                "float-index.glb",
                changed("5123", "5126"),
                "float-index.glb: accessor 1 has the wrong type; indices are SCALAR of unsigned bytes, shorts or ints",
            ),
            (
                "component.glb",
                changed("5123", "5124"),
                "component.glb: accessor 1 has the wrong type; indices are SCALAR of unsigned bytes, shorts or ints",
            ),
            (
                "accessor.glb",
                changed("\"POSITION\":0", "\"POSITION\":2"),
                "accessor.glb: accessor 2 is named, and there are 2; numbers count from 0",
            ),
            (
                "buffer-view.glb",
                changed("\"bufferView\":1", "\"bufferView\":7"),
                "buffer-view.glb: buffer view 7 is named, and there are 2; numbers count from 0",
            ),
            (
                "buffer.glb",
                changed("\"buffer\":0", "\"buffer\":1"),
                "buffer.glb: buffer 1 is named, and there are 1; numbers count from 0",
            ),
            (
                "mode.glb",
                changed("\"indices\":1", "\"mode\":9"),
                "mode.glb: mesh 0 \"wedge\", primitive 0: its mode is unknown; modes are 0 to 6",
            ),
            (
                "material.glb",
                changed("\"indices\":1", "\"material\":0"),
                "material.glb: mesh 0 \"wedge\", primitive 0: it names material 0, and there are 0; numbers count from 0",
            ),
            (
                "mesh.glb",
                changed("\"mesh\":0", "\"mesh\":1"),
                "mesh.glb: node 0 \"ramp\" names mesh 1, and there are 1; numbers count from 0",
            ),
            (
                "flattened.glb",
                changed("\"mesh\":0", "\"mesh\":0,\"skin\":0,\"scale\":[1,0,1]"),
                "flattened.glb: node 0 \"ramp\": the matrix is singular or close to it (determinant 0e0); a placement needs an inverse",
            ),
            (
                "hidden.glb",
                changed("\"mesh\":0", "\"mesh\":0,\"scale\":[0,0,0]"),
                "hidden.glb: no triangles; a scene needs a triangle with an area",
            ),
            (
                "away.glb",
                changed("\"mesh\":0", "\"mesh\":0,\"translation\":[0,1e31,0]"),
                "away.glb: node 0 \"ramp\": row 1, column 3 is 1e31; a placement needs finite entries of at most 2^100",
            ),
            (
                "rotation.glb",
                changed("\"mesh\":0", "\"mesh\":0,\"rotation\":[0,0,0,0]"),
                "rotation.glb: node 0 \"ramp\" has the rotation [0.0, 0.0, 0.0, 0.0]; a rotation is a unit quaternion x y z w",
            ),
            (
                "projective.glb",
                changed("\"mesh\":0", "\"mesh\":0,\"matrix\":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]"),
                "projective.glb: node 0 \"ramp\" has a projective matrix; the matrix of a node ends in the row 0 0 0 1",
            ),
            (
                "cycle.glb",
                changed("\"mesh\":0}]", "\"mesh\":0,\"children\":[0]}],\"scenes\":[{\"nodes\":[0]}]"),
                "cycle.glb: node 0 \"ramp\" is reached twice; a node has one parent and is not its own ancestor",
            ),
            (
                "child.glb",
                changed("\"mesh\":0}]", "\"mesh\":0,\"children\":[1]}]"),
                "child.glb: node 1 is named, and there are 1; numbers count from 0",
            ),
            (
                "scene.glb",
                changed("\"mesh\":0}]", "\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}],\"scene\":3"),
                "scene.glb: the default scene is 3, and there are 1; numbers count from 0",
            ),
            (
                "camera.glb",
                changed("\"mesh\":0}]", "\"mesh\":0,\"camera\":0}]"),
                "camera.glb: camera 0 is named, and there are 0; numbers count from 0",
            ),
            (
                "fov.glb",
                changed(
                    "\"mesh\":0}]",
                    "\"mesh\":0,\"camera\":0}],\"cameras\":[{\"name\":\"a\\nb\",\"perspective\":{\"yfov\":-1}}]",
                ),
                "fov.glb: camera 0 \"a\\nb\": the field of view is -57.29577951308232 degrees; it needs to lie between 0 and 180",
            ),
            (
                "instances.glb",
                changed(
                    "\"mesh\":0}]",
                    "\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{}}}}],\"extensionsUsed\":[\"EXT_mesh_gpu_instancing\"]",
                ),
                "instances.glb: node 0 \"ramp\": EXT_mesh_gpu_instancing is not read; export it without this extension",
            ),
            (
                "visible.glb",
                changed(
                    "\"mesh\":0}]",
                    "\"mesh\":0,\"extensions\":{\"KHR_node_visibility\":{\"visible\":0}}}]",
                ),
                "visible.glb: node 0 \"ramp\": invalid type: integer `0`, expected a boolean; such parts are as glTF 2.0 lays them out",
            ),
            (
                "implied-draco.glb",
                without_data("", "", r#","extensionsUsed":["KHR_draco_mesh_compression"]"#),
                "implied-draco.glb: KHR_draco_mesh_compression is not read; export it without mesh compression",
            ),
        ],
    );
}

#[test]
fn a_few_bytes_cannot_name_a_world_of_triangles() {
    // 30,000 triangles, named by 200 primitives.
    let mut gltf = Gltf::default();
    let positions = gltf.positions(&vec![[0.5; 3]; 30_002]);
    let primitive = format!(r#""attributes":{{"POSITION":{positions}}},"mode":5"#);
    gltf.mesh("bomb", &vec![primitive; 200]);
    refuses(
        "bomb",
        [(
            "bomb.glb",
            gltf.glb(),
            "bomb.glb: 4200000 triangles are more than the file can hold; the limit is 4194304",
        )],
    );
}

#[test]
fn sparse_accessors() {
    let sparse = |rows: &[u8], count: u64, component: u32| {
        let mut gltf = Gltf::two_triangles();
        let rows = gltf.view(rows, None);
        let values = gltf.view(&[0; 24], None);
        gltf.accessors[0].insert_str(
            1,
            &format!(
                r#""sparse":{{"count":{count},"indices":{{"bufferView":{rows},"componentType":{component}}},"values":{{"bufferView":{values}}}}},"#
            ),
        );
        gltf.glb()
    };
    const ORDER: &str = "its sparse indices do not ascend within its count; each names one element, in order";
    refuses(
        "sparse-errors",
        [
            ("order.glb", sparse(&[2, 1], 2, 5121), format!("order.glb: accessor 0: {ORDER}")),
            ("twice.glb", sparse(&[1, 1], 2, 5121), format!("twice.glb: accessor 0: {ORDER}")),
            ("range.glb", sparse(&[1, 4], 2, 5121), format!("range.glb: accessor 0: {ORDER}")),
            (
                "rows.glb",
                sparse(&[1, 2], 3, 5121),
                "rows.glb: accessor 0 has 3 elements from byte 0 on; its buffer view 2 has 2 bytes".to_owned(),
            ),
            (
                "values.glb",
                sparse(&[0, 1, 2], 3, 5121),
                "values.glb: accessor 0 has 3 elements from byte 0 on; its buffer view 3 has 24 bytes".to_owned(),
            ),
            (
                "float.glb",
                sparse(&[0, 1, 2], 1, 5126),
                "float.glb: accessor 0: its sparse indices have the wrong type; indices are SCALAR of unsigned bytes, shorts or ints"
                    .to_owned(),
            ),
        ]
,
    );
}

/// A pipe that nobody writes to is refused, not waited for.
#[test]
#[cfg(unix)]
fn buffers_that_are_pipes() {
    let folder = Folder::new("pipe");
    let pipe = folder.path("triangles.bin");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo is there");
    let json = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "buffers":[{"byteLength":36,"uri":"triangles.bin"}],"bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}]}"#;
    let path = folder.write("scene.gltf", json);
    let error = hitscan_io::open(&path).unwrap_err().to_string();
    assert_eq!(error, format!("{pipe}: not a regular file; it is buffer 0 of {path}"));
}

/// Nobody writes lines of ours, or talks to a terminal, by the name of a file.
#[test]
fn buffers_with_names_of_control_characters() {
    let document = |uri: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "buffers":[{{"byteLength":36,"uri":"{uri}"}}],"bufferViews":[{{"buffer":0,"byteLength":36}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}}]}}"#
        )
    };
    for (uri, told) in [("a\\tb.bin", "a\\tb.bin"), ("a%1Bb.bin", "a%1Bb.bin")] {
        let error = hitscan_io::read("scene", document(uri).into_bytes(), &Options::new()).unwrap_err();
        let expected = format!("scene: buffer 0 is at \"{told}\"; names of files have no control characters");
        assert_eq!(error.to_string(), expected);
    }
}
