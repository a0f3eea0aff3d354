//! glTF: what becomes of each part of a document. Malformed files are in `gltf_errors.rs`.

use crate::support::{Folder, Gltf};
use hitscan::glam::{DQuat, DVec3};
use hitscan::{Mesh, Rule};
use hitscan_io::Model;

const POSITIONS: [[f32; 3]; 5] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.5], [0.0, 2.0, 0.0]];

fn open(test: &str, gltf: &Gltf) -> Model {
    Folder::new(test).open("scene.glb", gltf.glb()).unwrap()
}

/// Corners of each triangle by position.
fn corners(mesh: &Mesh) -> Vec<[[f32; 3]; 3]> {
    mesh.triangles().iter().map(|triangle| triangle.map(|i| mesh.vertices()[i as usize])).collect()
}

fn corners_of(rows: &[[usize; 3]]) -> Vec<[[f32; 3]; 3]> {
    rows.iter().map(|row| row.map(|i| POSITIONS[i])).collect()
}

#[test]
fn lists_strips_and_fans_with_every_kind_of_index() {
    let mut gltf = Gltf::default();
    let positions = gltf.positions(&POSITIONS);
    let attributes = format!(r#""attributes":{{"POSITION":{positions}}}"#);
    let bytes = gltf.indices(&[[0u8], [1], [2], [2], [1], [3]], 5121);
    let shorts = gltf.indices(&[0u16, 1, 2, 3, 4].map(u16::to_le_bytes), 5123);
    let ints = gltf.indices(&[0u32, 1, 3, 4].map(u32::to_le_bytes), 5125);
    let three = gltf.positions(&POSITIONS[..3]);
    gltf.mesh(
        "all",
        &[
            format!(r#"{attributes},"indices":{bytes}"#),
            format!(r#"{attributes},"mode":1"#),
            format!(r#"{attributes},"mode":5,"indices":{shorts}"#),
            r#""attributes":{"NORMAL":0}"#.to_owned(),
            format!(r#"{attributes},"mode":6,"indices":{ints}"#),
            format!(r#"{attributes},"mode":5"#),
            format!(r#""attributes":{{"POSITION":{three}}},"mode":4"#),
        ],
    );
    let model = open("modes", &gltf);
    let strip = [[0, 1, 2], [1, 3, 2], [2, 3, 4]];
    let expected = [
        &[[0, 1, 2], [2, 1, 3]][..],
        &strip,
        &[[1, 3, 0], [3, 4, 0]], // a fan
        &strip,
        &[[0, 1, 2]],
    ]
    .concat();
    let mesh = &model.meshes[0].mesh;
    assert_eq!(corners(mesh), corners_of(&expected));
    assert_eq!(mesh.vertices().len(), 5 + 3, "primitives on one accessor share its vertices");
    // Without scenes and nodes, each mesh stands where its coordinates put it.
    assert_eq!(
        (model.nodes[0].name.as_str(), model.nodes[0].transform),
        ("all", hitscan::Transform::IDENTITY)
    );
}

#[test]
fn a_mesh_keeps_the_vertices_it_uses_in_file_order() {
    let mut gltf = Gltf::default();
    let positions = gltf.positions(&POSITIONS);
    let indices = gltf.indices(&[4u32, 1, 2].map(u32::to_le_bytes), 5125);
    gltf.mesh("part", &[format!(r#""attributes":{{"POSITION":{positions}}},"indices":{indices}"#)]);
    let mesh = &open("part", &gltf).meshes[0].mesh;
    assert_eq!(mesh.vertices(), [POSITIONS[1], POSITIONS[2], POSITIONS[4]]);
    assert_eq!(mesh.triangles(), [[2, 0, 1]]);
}

#[test]
fn primitives_that_share_positions_share_vertices() {
    let mut gltf = Gltf::default();
    let (first, second) = (gltf.positions(&POSITIONS), gltf.positions(&POSITIONS[..3]));
    let primitive = |positions: usize, indices: usize| {
        format!(r#""attributes":{{"POSITION":{positions}}},"indices":{indices}"#)
    };
    // None, then three triangles of which two share an accessor with the other accessor's between them.
    let none = gltf.indices::<4>(&[], 5125);
    let lists =
        [[0u32, 1, 2], [2, 1, 0], [4, 1, 2]].map(|list| gltf.indices(&list.map(u32::to_le_bytes), 5125));
    let primitives = [
        primitive(first, none),
        primitive(first, lists[0]),
        primitive(second, lists[1]),
        primitive(first, lists[2]),
    ];
    gltf.mesh("shared", &primitives);
    let mesh = &open("shared", &gltf).meshes[0].mesh;
    let p = POSITIONS;
    assert_eq!(mesh.vertices(), [p[0], p[1], p[2], p[4], p[0], p[1], p[2]]);
    assert_eq!(mesh.triangles(), [[0, 1, 2], [6, 5, 4], [3, 1, 2]]);
}

#[test]
fn materials_are_one_more_than_in_the_file() {
    let mut gltf = Gltf::default();
    let positions = format!(r#""attributes":{{"POSITION":{}}}"#, gltf.positions(&POSITIONS[..3]));
    let painted = format!(r#"{positions},"material":1"#);
    gltf.mesh("bare", std::slice::from_ref(&positions));
    gltf.mesh("painted", &[positions.clone(), painted.clone(), painted]);
    gltf.more =
        r#","materials":[{"name":"oak"},{"pbrMetallicRoughness":{"baseColorTexture":{"index":9}}}]"#.into();
    let model = open("materials", &gltf);
    assert_eq!(model.materials, ["default", "oak", "material1"]);
    let ray = hitscan::Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]).unwrap();
    let hits = model.scene().all_hits(&ray, &hitscan::Filter::ALL);
    let found: Vec<_> = hits.iter().map(|hit| (hit.instance.slot(), hit.prim, hit.material)).collect();
    assert_eq!(found, [(0, 0, 0), (1, 0, 0), (1, 1, 2), (1, 2, 2)]);
}

#[test]
fn quantized_positions_are_read_normalised_or_not() {
    let folder = Folder::new("quantized");
    for (component, normalized, bytes, expected) in [
        (
            5120,
            "true",
            &[0x81u8, 0x80, 0x7f, 0, 0x40, 0xff][..],
            [[-1.0, -1.0, 1.0], [0.0, 64.0 / 127.0, -1.0 / 127.0]],
        ),
        (5121, "true", &[0, 255, 51, 0, 0, 102], [[0.0, 1.0, 0.2], [0.0, 0.0, 0.4]]),
        (
            5122,
            "true",
            &[0x01, 0x80, 0xff, 0x7f, 0, 0, 0, 0x80, 0, 0, 0, 0],
            [[-1.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
        ),
        (5123, "true", &[0xff, 0xff, 0, 0, 0x33, 0x33, 0, 0, 0, 0, 0, 0], [[1.0, 0.0, 0.2], [0.0; 3]]),
        (5123, "false", &[0xff, 0xff, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0], [[65535.0, 0.0, 1.0], [2.0, 3.0, 4.0]]),
        (5120, "false", &[0x80, 1, 2, 3, 4, 5], [[-128.0, 1.0, 2.0], [3.0, 4.0, 5.0]]),
    ] {
        // Elements start at multiples of 4, and a third corner makes it a triangle.
        let mut gltf = Gltf::default();
        let size = bytes.len() / 2;
        let mut padded = Vec::new();
        for element in [&bytes[..size], &bytes[size..], &[9; 6][..size]] {
            padded.extend_from_slice(element);
            padded.resize(padded.len().next_multiple_of(4), 0);
        }
        let view = gltf.view(&padded, Some(size.next_multiple_of(4)));
        let accessor = gltf.accessor(view, component, "VEC3", 3, &format!(r#","normalized":{normalized}"#));
        gltf.mesh("small", &[format!(r#""attributes":{{"POSITION":{accessor}}}"#)]);
        gltf.more = r#","extensionsRequired":["KHR_mesh_quantization"]"#.to_owned();
        let model = folder.open("scene.glb", gltf.glb()).unwrap();
        assert_eq!(
            model.meshes[0].mesh.vertices()[..2],
            expected.map(|p| p.map(|v| v as f32)),
            "{component}"
        );
    }
}

#[test]
fn sparse_accessors_replace_elements() {
    let folder = Folder::new("sparse");
    let mut gltf = Gltf::default();
    let positions = gltf.positions(&POSITIONS[..3]);
    let rows = gltf.view(&[1, 2], None);
    let values: Vec<u8> =
        [[9.0f32, 8.0, 7.0], [6.0, 5.0, 4.0]].as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
    let values = gltf.view(&values, None);
    let sparse = format!(
        r#""sparse":{{"count":2,"indices":{{"bufferView":{rows},"componentType":5121}},"values":{{"bufferView":{values}}}}}"#
    );
    gltf.accessors[positions].insert_str(1, &format!("{sparse},"));
    gltf.mesh("patched", &[format!(r#""attributes":{{"POSITION":{positions}}}"#)]);
    let model = folder.open("patched.glb", gltf.glb()).unwrap();
    assert_eq!(model.meshes[0].mesh.vertices(), [[0.0; 3], [9.0, 8.0, 7.0], [6.0, 5.0, 4.0]]);

    // Without a view, all others are 0.
    gltf.accessors[positions] = format!(r#"{{{sparse},"componentType":5126,"type":"VEC3","count":3}}"#);
    let model = folder.open("zeros.glb", gltf.glb()).unwrap();
    assert_eq!(model.meshes[0].mesh.vertices(), [[0.0; 3], [9.0, 8.0, 7.0], [6.0, 5.0, 4.0]]);

    // More than the document has bytes, and fewer than the file beside it has.
    gltf.accessors[positions] = format!(r#"{{{sparse},"componentType":5126,"type":"VEC3","count":3000}}"#);
    gltf.data.resize(4000, 0);
    folder.write("zeros.bin", &gltf.data);
    let json = gltf.json(r#","uri":"zeros.bin""#);
    assert!(json.len() < 3000);
    let model = folder.open("many.gltf", json).unwrap();
    assert_eq!(model.meshes[0].mesh.triangles().len(), 1000);
    assert_eq!(model.meshes[0].mesh.vertices()[1], [9.0, 8.0, 7.0]);
}

#[test]
fn data_may_stand_beside_the_document_or_in_it() {
    let folder = Folder::new("beside");
    let gltf = Gltf::two_triangles();
    let expected = folder.open("scene.glb", gltf.glb()).unwrap();
    folder.write("my data.bin", &gltf.data);
    let base64 = base64(&gltf.data);
    for (name, uri) in [
        ("beside.gltf", "my%20data.bin".to_owned()),
        ("in.gltf", format!("data:application/octet-stream;base64,{base64}")),
        ("marked.gltf", format!("data:;base64,{base64}")),
        ("unpadded.gltf", format!("data:;base64,{}", base64.trim_end_matches('='))),
    ] {
        let mark = if name == "marked.gltf" { "\u{feff}" } else { "" };
        let json = gltf.json(&format!(r#","uri":"{uri}""#));
        let model = folder.open(name, format!("{mark}{json}")).unwrap();
        assert_eq!(corners(&model.meshes[0].mesh), corners(&expected.meshes[0].mesh), "{name}");
    }
    // A mark before the document does not keep it from being recognised.
    let text = format!("\u{feff}\n{}", gltf.json(&format!(r#","uri":"data:;base64,{base64}""#)));
    let nameless = hitscan_io::read("-", text.into(), &hitscan_io::Options::default()).unwrap();
    assert_eq!(corners(&nameless.meshes[0].mesh), corners(&expected.meshes[0].mesh));
    // The kind of file shows in its first bytes; the extension in capitals is the same extension.
    folder.open("binary.GLTF", gltf.glb()).unwrap();
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits =
            three.iter().chain(&[0; 2]).take(3).fold(0usize, |bits, &byte| bits << 8 | usize::from(byte));
        for place in 0..4 {
            text.push(if place <= three.len() { DIGITS[bits >> (18 - 6 * place) & 63] as char } else { '=' });
        }
    }
    text
}

#[test]
fn nodes_are_taken_depth_first_through_the_default_scene() {
    let mut gltf = Gltf::two_triangles();
    gltf.mesh("unused", &[r#""attributes":{"POSITION":0},"mode":6"#.to_owned()]);
    gltf.mesh("", &[r#""attributes":{"POSITION":0},"mode":5"#.to_owned()]);
    gltf.nodes = [
        r#"{"name":"root","children":[3,1],"translation":[10,0,0]}"#,
        r#"{"mesh":0}"#,
        r#"{"name":"other scene","mesh":1}"#,
        r#"{"name":"turned","mesh":2,"children":[4],"rotation":[0,0,0.70710678,0.70710678],"scale":[1,2,3]}"#,
        r#"{"name":"deep","mesh":0,"matrix":[0,1,0,0,-1,0,0,0,0,0,1,0,5,6,7,1]}"#,
        r#"{"name":"hidden","scale":[0,0,0],"children":[6]}"#,
        r#"{"name":"below hidden","mesh":0}"#,
        r#"{"name":"far","mesh":0,"translation":[4500000.123,0,0]}"#,
    ]
    .map(str::to_owned)
    .to_vec();
    gltf.more = r#","scene":1,"scenes":[{"nodes":[2]},{"nodes":[0,5,7]},{}]"#.to_owned();
    let model = open("nodes", &gltf);
    let nodes: Vec<(&str, usize)> = model.nodes.iter().map(|node| (node.name.as_str(), node.mesh)).collect();
    assert_eq!(nodes, [("turned", 1), ("deep", 0), ("node1", 0), ("far", 0)]);
    let names: Vec<&str> = model.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["wedge", "mesh2"], "meshes that no node shows are left out");

    let point = [1.0, 2.0, 3.0];
    let turn = DQuat::from_xyzw(0.0, 0.0, 0.5f64.sqrt(), 0.5f64.sqrt());
    let turned = |p: DVec3| DVec3::new(10.0, 0.0, 0.0) + turn * (p * DVec3::new(1.0, 2.0, 3.0));
    let deep = |p: DVec3| turned(DVec3::new(5.0 - p.y, 6.0 + p.x, 7.0 + p.z));
    for (node, expected) in model.nodes.iter().zip([
        turned(point.into()),
        deep(point.into()),
        DVec3::new(11.0, 2.0, 3.0),
        DVec3::new(4500001.123, 2.0, 3.0),
    ]) {
        assert!(node.transform.point(point).distance(expected) < 1e-12, "{}", node.name);
    }
    // Numbers of the text, not of their rounding to f32.
    assert_eq!(model.nodes[3].transform.offset().to_array(), [4500000.123, 0.0, 0.0]);
}

#[test]
fn without_a_scene_every_root_stands() {
    let mut gltf = Gltf::two_triangles();
    gltf.nodes = [r#"{"mesh":0}"#, r#"{"children":[0]}"#, r#"{"mesh":0}"#].map(str::to_owned).to_vec();
    let model = open("roots", &gltf);
    let names: Vec<&str> = model.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["node0", "node2"]);
    assert_eq!(model.triangles(), 4);
}

#[test]
fn a_chain_of_nodes_may_be_long() {
    let mut gltf = Gltf::two_triangles();
    let chain = 100_000;
    gltf.nodes = (1..chain).map(|child| format!(r#"{{"children":[{child}]}}"#)).collect();
    gltf.nodes.push(r#"{"mesh":0,"name":"end"}"#.to_owned());
    assert_eq!(open("chain", &gltf).nodes[0].name, "end");
}

#[test]
fn cameras_look_along_their_nodes() {
    let mut gltf = Gltf::two_triangles();
    gltf.more = r#","cameras":[
        {"type":"perspective","name":"main","perspective":{"yfov":0.7853981633974483,"znear":0.1}},
        {"type":"orthographic","orthographic":{"xmag":1,"ymag":1,"zfar":1,"znear":0}},
        {"type":"perspective","perspective":{"yfov":1.5,"znear":0.1,"aspectRatio":2}}]"#
        .to_owned();
    gltf.nodes = [
        r#"{"mesh":0}"#,
        r#"{"camera":0,"translation":[1,2,3],"rotation":[0,0.70710678,0,0.70710678],"scale":[2,2,2]}"#,
        r#"{"camera":1}"#,
        r#"{"camera":2,"name":"door"}"#,
        r#"{"camera":2}"#,
    ]
    .map(str::to_owned)
    .to_vec();
    let model = open("cameras", &gltf);
    let names: Vec<&str> = model.cameras.iter().map(|camera| camera.name.as_str()).collect();
    assert_eq!(names, ["main", "door", "camera2"]);
    let camera = &model.cameras[0].camera;
    assert_eq!(camera.eye().to_array(), [1.0, 2.0, 3.0]);
    assert!(camera.forward().distance(DVec3::new(-1.0, 0.0, 0.0)) < 1e-12);
    assert!(camera.up().distance(DVec3::Y) < 1e-12);
    assert!((camera.tan_half_fov() - (std::f64::consts::PI / 8.0).tan()).abs() < 1e-15);
}

#[test]
fn extensions_about_looks_are_passed_over() {
    let mut gltf = Gltf::two_triangles();
    // As exporters write them: textures without a source, animations without a node.
    gltf.more = r#","extensionsUsed":["KHR_draco_mesh_compression"],"extensionsRequired":["KHR_texture_basisu",
        "KHR_texture_transform","EXT_texture_webp","KHR_materials_unlit","KHR_lights_punctual","KHR_animation_pointer"],
        "textures":[{"extensions":{"KHR_texture_basisu":{"source":0}}}],
        "animations":[{"channels":[{"sampler":0,"target":{"path":"pointer"}}],"samplers":[]}]"#
        .to_owned();
    assert_eq!(open("looks", &gltf).triangles(), 2);
}

#[test]
fn invisible_nodes_hide_the_meshes_below_them() {
    let mut gltf = Gltf::two_triangles();
    let with =
        |more: &str| format!(r#"{{"mesh":0,"extensions":{{"KHR_lights_punctual":{{"light":0}}{more}}}}}"#);
    gltf.nodes = vec![
        with(r#","KHR_node_visibility":{"visible":false}"#)
            .replace(r#""mesh":0"#, r#""mesh":0,"children":[1]"#),
        // None of its copies is missed.
        with(r#","KHR_node_visibility":{"visible":true},"EXT_mesh_gpu_instancing":{}"#)
            .replace(r#""mesh":0"#, r#""mesh":0,"camera":0"#),
        with(r#","KHR_node_visibility":{"visible":true}"#),
        with(r#","KHR_node_visibility":{}"#),
        with(""),
    ];
    gltf.more =
        r#","extensionsRequired":["KHR_node_visibility"],"cameras":[{"perspective":{"yfov":1}}]"#.to_owned();
    let model = open("visibility", &gltf);
    let names: Vec<&str> = model.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!((names, model.cameras.len()), (vec!["node2", "node3", "node4"], 1));
}

/// A cube from 0 to 1 whose outside is its front.
fn cube() -> Gltf {
    let mut gltf = Gltf::default();
    let corners: Vec<[f32; 3]> = (0..8u8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f32::from)).collect();
    let positions = gltf.positions(&corners);
    let sides = [[0u16, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let rows = sides.map(|[a, b, c, d]| [a, b, c, a, c, d].map(u16::to_le_bytes));
    let indices = gltf.indices(rows.as_flattened(), 5123);
    gltf.mesh("cube", &[format!(r#""attributes":{{"POSITION":{positions}}},"indices":{indices}"#)]);
    gltf
}

#[test]
fn mirrored_nodes_show_their_outside() {
    let mut gltf = cube();
    for node in [
        r#"{"name":"plain","mesh":0}"#,
        r#"{"name":"x","mesh":0,"scale":[-1,1,1],"translation":[4,0,0]}"#,
        r#"{"name":"all","mesh":0,"scale":[-1,-2,-1],"rotation":[0.6,0,0,0.8],"translation":[9,0.25,3]}"#,
        r#"{"name":"sheared","mesh":0,"matrix":[1,0,0,0, 0.5,1,0,0, 0,0,-1,0, 14,0,1,1]}"#,
        r#"{"name":"turned","mesh":0,"scale":[-1,-1,1],"translation":[21,1,0]}"#,
        r#"{"name":"twice","scale":[-1,1,1],"translation":[26,0,0],"children":[6]}"#,
        r#"{"mesh":0,"scale":[-1,1,1]}"#,
    ] {
        gltf.nodes.push(node.to_owned());
    }
    let model = open("mirrored", &gltf);
    // One mirror image for all that mirror.
    let meshes: Vec<usize> = model.nodes.iter().map(|node| node.mesh).collect();
    assert_eq!(meshes, [0, 1, 1, 1, 0, 0]);
    assert!(model.meshes.iter().all(|mesh| mesh.name == "cube" && mesh.mesh.triangles().len() == 12));
    let scene = model.scene();
    let all = hitscan::Filter::ALL;
    for (row, node) in model.nodes.iter().enumerate() {
        assert!(!node.transform.mirrored(), "{}", node.name);
        let middle = node.transform.point([if meshes[row] == 1 { -0.5 } else { 0.5 }, 0.5, 0.5]);
        for rule in [Rule::Parity, Rule::Winding] {
            let around = scene.containing(middle, rule, &all).unwrap();
            assert_eq!(around.iter().map(|id| id.slot()).collect::<Vec<_>>(), [row as u32], "{}", node.name);
        }
        for from in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis, -axis]) {
            let from = from + DVec3::new(0.03, 0.02, 0.01);
            let ray = hitscan::Ray::new(middle + 4.0 * from, -from).unwrap();
            let hits: Vec<_> = scene
                .all_hits(&ray, &all)
                .into_iter()
                .filter(|hit| hit.instance.slot() == row as u32)
                .collect();
            assert_eq!(
                hits.iter().map(|hit| hit.facing).collect::<Vec<_>>(),
                [hitscan::Face::Front, hitscan::Face::Back],
                "{}",
                node.name
            );
            assert!(hits[0].normal.dot(from) > 0.0 && hits[1].normal.dot(from) < 0.0, "{}", node.name);
            let through: Vec<_> = scene
                .intervals(&ray, &all)
                .into_iter()
                .filter(|one| one.instance.slot() == row as u32)
                .collect();
            assert_eq!(
                through.iter().map(|one| (one.enter, one.exit)).collect::<Vec<_>>(),
                [(hits[0].t, hits[1].t)]
            );
        }
    }
    // Triangles keep their numbers and places.
    let corners = crate::support::corners(&model);
    for (plain, x) in corners[0].iter().zip(&corners[1]) {
        let [a, b, c] = plain.map(|[x, y, z]| [4.0 - x, y, z]);
        assert_eq!(*x, [a, c, b]);
    }
}

#[test]
fn a_mesh_that_is_only_mirrored_is_not_kept_beside() {
    let mut gltf = cube();
    gltf.nodes.push(r#"{"mesh":0,"scale":[1,1,-1]}"#.to_owned());
    let model = open("only-mirrored", &gltf);
    assert_eq!((model.meshes.len(), model.nodes[0].mesh), (1, 0));
    let bounds = model.meshes[0].mesh.bounds().unwrap();
    assert_eq!(bounds.0[0], -1.0);
    assert!(model.meshes[0].mesh.vertices().as_flattened().iter().all(|c| *c != 0.0 || c.is_sign_positive()));
}

#[test]
fn flattened_nodes_show_flat_meshes() {
    let mut gltf = cube();
    gltf.nodes = [
        r#"{"name":"plain","mesh":0}"#,
        r#"{"name":"decal","mesh":0,"scale":[2,0,1],"translation":[4500000.25,3,0.125]}"#,
        r#"{"name":"the same","mesh":0,"scale":[2,-0.0,1],"translation":[4,5,0]}"#,
        r#"{"name":"upright","scale":[1,0,1],"children":[4]}"#,
        r#"{"mesh":0,"rotation":[0,0,0.6,0.8],"translation":[9,4,0]}"#,
        r#"{"name":"line","mesh":0,"scale":[0,0,1],"translation":[20,0,0]}"#,
    ]
    .map(str::to_owned)
    .into();
    let model = open("flattened", &gltf);
    assert_eq!(model.nodes.iter().map(|node| node.mesh).collect::<Vec<_>>(), [0, 3, 3, 2, 1]);
    let scene = model.scene();
    let down = |x: f64, z: f64| {
        let ray = hitscan::Ray::new([x, 50.0, z], [0.0, -1.0, 0.0]).unwrap();
        scene.closest(&ray, &hitscan::Filter::ALL).map(|hit| (hit.instance.slot(), hit.position.to_array()))
    };
    assert_eq!(down(4_500_001.75, 0.5), Some((1, [4_500_001.75, 3.0, 0.5])));
    assert_eq!(down(5.75, 0.5), Some((2, [5.75, 5.0, 0.5])));
    assert_eq!(down(6.25, 0.5), None);
    // Turned in the plane whose y is lost: from x = 9 - 0.96 to 9 + 0.28, by the sine and cosine of the turn.
    assert_eq!(down(8.125, 0.5), Some((3, [8.125, 0.0, 0.5])));
    assert_eq!(down(9.25, 0.5), Some((3, [9.25, 0.0, 0.5])));
    assert_eq!([down(8.0, 0.5), down(9.3125, 0.5), down(20.0, 0.5)], [None; 3]);
    // What is written down of a flat mesh has its name and triangles, and no -0.
    let flat = &model.meshes[model.nodes[1].mesh];
    assert_eq!((flat.name.as_str(), flat.mesh.triangles().len()), ("cube", 12));
    assert!(flat.mesh.vertices().iter().all(|v| v[1].to_bits() == 0));
}
