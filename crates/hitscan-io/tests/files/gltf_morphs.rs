//! glTF meshes with morph targets: the shapes that weights give them.

use crate::support::{Folder, Gltf, refuses};
use hitscan_io::Model;

const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// A mesh with two targets, one 5 down and one, a sparse accessor, that has its last corner 1 along x.
fn morphed(weights: &str) -> Gltf {
    let mut gltf = Gltf::default();
    gltf.positions(&CORNERS);
    gltf.positions(&[[0.0, 0.0, -5.0]; 3]);
    let rows = gltf.view(&[2], None);
    let values: Vec<u8> = [1.0f32, 0.0, 0.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let values = gltf.view(&values, None);
    gltf.accessors.push(format!(
        r#"{{"componentType":5126,"type":"VEC3","count":3,"sparse":{{"count":1,"indices":{{"bufferView":{rows},"componentType":5121}},"values":{{"bufferView":{values}}}}}}}"#
    ));
    gltf.meshes.push(format!(
        r#"{{"name":"face","primitives":[{{"attributes":{{"POSITION":0}},"targets":[{{"POSITION":1}},{{"NORMAL":9,"POSITION":2}},{{"NORMAL":9}}]}}]{weights}}}"#
    ));
    gltf
}

fn open(test: &str, gltf: &Gltf) -> Model {
    Folder::new(test).open("face.glb", gltf.glb()).unwrap()
}

fn moved(down: f32, along: f32) -> [[f32; 3]; 3] {
    let [a, b, [x, y, z]] = CORNERS.map(|[x, y, z]| [x, y, z - 5.0 * down]);
    [a, b, [x + along, y, z]]
}

#[test]
fn the_weights_of_a_mesh_give_it_its_shape() {
    for (weights, down, along) in [
        ("", 0.0, 0.0),
        (r#","weights":[0,0,0]"#, 0.0, 0.0),
        (r#","weights":[1]"#, 1.0, 0.0),
        (r#","weights":[0.5,-2,1]"#, 0.5, -2.0),
    ] {
        let model = open("default", &morphed(weights));
        assert_eq!(model.meshes[0].mesh.vertices(), moved(down, along), "{weights}");
    }
}

#[test]
fn nodes_have_weights_of_their_own_and_share_meshes_where_these_are_equal() {
    let mut gltf = morphed(r#","weights":[1,0,0]"#);
    for weights in [
        "",
        r#","weights":[0,0,0]"#,
        r#","weights":[1]"#,
        r#","weights":[0,3,0]"#,
        r#","weights":[0,3,7e3]"#,
        r#","weights":[]"#,
    ] {
        gltf.nodes.push(format!(r#"{{"mesh":0{weights}}}"#));
    }
    let model = open("nodes", &gltf);
    let shown: Vec<_> = model.nodes.iter().map(|node| model.meshes[node.mesh].mesh.vertices()).collect();
    assert_eq!(
        shown,
        [
            moved(1.0, 0.0),
            moved(0.0, 0.0),
            moved(1.0, 0.0),
            moved(0.0, 3.0),
            moved(0.0, 3.0),
            moved(0.0, 0.0)
        ]
    );
    assert_eq!(model.nodes[0].mesh, model.nodes[2].mesh);
    assert_eq!(model.nodes[1].mesh, model.nodes[5].mesh);
    assert!(model.meshes.iter().all(|mesh| mesh.name == "face"));

    // Weights of nodes whose mesh has no targets, and of those without a mesh, are not even looked at.
    let mut gltf = Gltf::two_triangles();
    gltf.nodes = vec![
        r#"{"mesh":0,"weights":"none"}"#.to_owned(),
        r#"{"mesh":0,"weights":[1]}"#.to_owned(),
        r#"{"weights":{}}"#.to_owned(),
    ];
    assert_eq!(open("plain", &gltf).meshes.len(), 1);
}

#[test]
fn primitives_share_vertices_only_where_they_move_alike() {
    let mut gltf = morphed("");
    let primitive = |targets: &str| format!(r#""attributes":{{"POSITION":0}}{targets}"#);
    let down = primitive(r#","targets":[{"POSITION":1}]"#);
    gltf.meshes.clear();
    gltf.mesh("face", &[down.clone(), primitive(""), down]);
    gltf.nodes.push(r#"{"mesh":0,"weights":[1]}"#.to_owned());
    let model = open("alike", &gltf);
    let mesh = &model.meshes[0].mesh;
    assert_eq!(mesh.vertices(), [moved(1.0, 0.0), moved(0.0, 0.0)].concat());
    assert_eq!(mesh.triangles(), [[0, 1, 2], [3, 4, 5], [0, 1, 2]]);
}

#[test]
fn malformed_targets() {
    let mut short = morphed(r#","weights":[1]"#);
    short.accessors[1] = short.accessors[1].replace(r#""count":3"#, r#""count":2"#);
    let mut flat = morphed(r#","weights":[1]"#);
    flat.accessors[1] = flat.accessors[1].replace("VEC3", "VEC2");
    let mut own = morphed("");
    own.nodes.push(r#"{"name":"left","mesh":0,"weights":[true]}"#.to_owned());
    // One target of a thousand vertices, named so often that a few kilobytes would move twenty million.
    let mut many = morphed("");
    many.accessors[0] = many.accessors[0].replace(r#""count":3"#, r#""count":999"#);
    many.accessors[1] = many.accessors[1].replace(r#""count":3"#, r#""count":999"#);
    let view = many.view(&[0; 12 * 999], None);
    many.accessors[0] = many.accessors[0].replace(r#""bufferView":0"#, &format!(r#""bufferView":{view}"#));
    many.accessors[1] = many.accessors[1].replace(r#""bufferView":1"#, &format!(r#""bufferView":{view}"#));
    many.meshes[0] = format!(
        r#"{{"primitives":[{{"attributes":{{"POSITION":0}},"targets":[{}]}}],"weights":[{}]}}"#,
        [r#"{"POSITION":1}"#; 20_000].join(","),
        ["1"; 20_000].join(",")
    );
    let far = morphed(r#","weights":[1e38]"#);
    refuses(
        "morphs",
        [
            (
                "short.glb",
                short.glb(),
                "short.glb: accessor 1 moves 2 vertices; their positions, accessor 0, are 3",
            ),
            (
                "flat.glb",
                flat.glb(),
                "flat.glb: accessor 1 has the wrong type; positions are VEC3 of floats, or of bytes or shorts",
            ),
            (
                "own.glb",
                own.glb(),
                "own.glb: node 0 \"left\": invalid type: boolean `true`, expected f32; such parts are as glTF 2.0 lays them out",
            ),
            (
                "many.glb",
                many.glb(),
                "many.glb: 19980000 moves by morph targets are more than the file can hold; the limit is 16777216",
            ),
            (
                "far.glb",
                far.glb(),
                "far.glb: mesh \"face\", accessor 0: vertex 0: z is -inf; a mesh needs finite coordinates",
            ),
        ],
    );
}

/// What makes no triangle costs time all the same, and a name memory, each time that a node gives its mesh another shape.
#[test]
fn a_few_bytes_cannot_name_a_world_of_shapes() {
    let shown = |primitives: &[String], name: &str, shapes: usize| {
        let mut gltf = morphed("");
        gltf.meshes.clear();
        gltf.mesh(name, primitives);
        gltf.nodes = (1..=shapes).map(|shape| format!(r#"{{"mesh":0,"weights":[{shape}]}}"#)).collect();
        gltf.glb()
    };
    let face = r#""attributes":{"POSITION":0},"targets":[{"POSITION":1}]"#.to_owned();
    let points = r#""attributes":{"POSITION":0},"mode":0"#.to_owned();
    let crowd = |size: usize| [vec![face.clone()], vec![points.clone(); size]].concat();
    let model = Folder::new("shapes").open("crowd.glb", shown(&crowd(1000), "crowd", 100)).unwrap();
    assert_eq!((model.meshes.len(), model.triangles()), (100, 100));
    refuses(
        "shapes-errors",
        [
            (
                "crowd.glb",
                shown(&crowd(2100), "crowd", 2100),
                "crowd.glb: 4194305 primitives and morph targets, told again for each shape of their mesh, are more than the file can hold; the limit is 4194304",
            ),
            (
                "name.glb",
                shown(&crowd(1), &"n".repeat(100_000), 50),
                "name.glb: 4200000 bytes of names, told again for each node or shape, are more than the file can hold; the limit is 4194304",
            ),
        ],
    );
}
