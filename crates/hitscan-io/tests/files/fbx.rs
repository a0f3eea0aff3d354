//! FBX: what becomes of its objects, and what is refused.

use crate::support::fbx::{axes, text, unit};
use crate::support::{Folder, corners, refuses};
use hitscan::{Filter, Ray};
use hitscan_io::{Options, Up};

const Y_UP: [(u8, i8); 3] = [(0, 1), (1, 1), (2, 1)];
const Z_UP: [(u8, i8); 3] = [(0, 1), (2, 1), (1, -1)];

fn axes_of([right, up, front]: [(u8, i8); 3]) -> String {
    axes(right, up, front)
}

#[test]
fn nodes_share_meshes_and_stand_in_metres() {
    let folder = Folder::new("fbx");
    for (settings, up, metres) in [
        (axes_of(Z_UP) + &unit(1.0), Up::Z, 0.01),
        (axes_of(Y_UP) + &unit(100.0), Up::Y, 1.0),
        (String::new(), Up::Y, 0.01),
    ] {
        let model = folder.open("part.fbx", text(&settings)).unwrap();
        assert_eq!(model.up, up);
        assert_eq!(model.meshes.len(), 1);
        assert_eq!(model.meshes[0].name, "panel");
        let nodes: Vec<(&str, usize)> =
            model.nodes.iter().map(|node| (node.name.as_str(), node.mesh)).collect();
        assert_eq!(nodes, [("left", 0), ("right", 0)]);
        assert_eq!(model.materials, ["default", "steel", "oak"]);
        let mesh = &model.meshes[0].mesh;
        // The quad is two triangles; the vertex that no face uses is left out.
        assert_eq!((mesh.triangles().len(), mesh.vertices().len()), (3, 5));

        // The left panel is stretched along y; the right one hangs below it, moved by 5 units of its own.
        let scene = model.scene();
        for (name, x) in [("left", 1000.0), ("right", 5.0)] {
            let at = |dx: f64, dy: f64| [(x + dx) * metres, (2000.0 + dy) * metres, 4000.0 * metres];
            let down = |dx, dy| {
                let ray = Ray::new(at(dx, dy), [0.0, 0.0, -1.0]).unwrap();
                scene.closest(&ray, &Filter::ALL)
            };
            let hit = down(150.0, 40.0).unwrap();
            assert!((hit.t - 1000.0 * metres).abs() < 1e-9, "{name}: {}", hit.t);
            assert_eq!(model.nodes[hit.instance.slot() as usize].name, name);
            assert_eq!(model.materials[hit.material as usize], "oak");
            let hit = down(10.0, 300.0).unwrap();
            assert_eq!((hit.prim, model.materials[hit.material as usize].as_str()), (2, "steel"));
            assert!(down(201.0, 40.0).is_none() && down(150.0, 300.0).is_none());
        }
    }
}

#[test]
fn mirrored_nodes_show_their_outside() {
    let mirrored = text("").replace("\"A\",1,2,1", "\"A\",1,-2,1");
    let model = Folder::new("fbx-mirrored").open("part.fbx", mirrored).unwrap();
    assert_eq!((model.meshes.len(), model.nodes[0].mesh, model.nodes[1].mesh), (1, 0, 0));
    assert!(model.nodes.iter().all(|node| !node.transform.mirrored()));
    // What looked along +z still does, though the panel hangs upside down.
    for x in [1150.0, 155.0] {
        let down = Ray::new([x * 0.01, (2000.0 - 40.0) * 0.01, 40.0], [0.0, 0.0, -1.0]).unwrap();
        let hit = model.scene().closest(&down, &Filter::ALL).unwrap();
        assert_eq!((hit.facing, hit.normal.z), (hitscan::Face::Front, 1.0));
    }
}

#[test]
fn coordinates_keep_their_precision_far_from_the_origin() {
    let folder = Folder::new("fbx-far");
    let far = text(&unit(100.0)).replace(
        "0,0,0,200,0,0,200,100,0,0,100,0,",
        "466000.1,5248000.2,0,466200.1,5248000.2,0,466200.1,5248100.2,0,466000.1,5248100.2,0,",
    );
    let model = folder.open("far.fbx", far.replace("0,200,0,9,9,9", "466000.1,5248200.2,0,9,9,9")).unwrap();
    let corner = model.nodes[0].transform.point(model.meshes[0].mesh.vertices()[0].map(f64::from));
    let off = [corner.x - 467_000.1, corner.y - 2.0 * 5_248_000.2 - 2000.0, corner.z - 3000.0];
    assert!(off.iter().all(|off| off.abs() < 1e-4), "{off:?}");
}

#[test]
fn bytes_without_a_name_are_recognised() {
    let model = hitscan_io::read("standard input", text("").into_bytes(), &Options::default());
    assert_eq!(model.unwrap().nodes.len(), 2);
}

#[test]
fn flattened_nodes_show_flat_meshes() {
    let flat = text("").replace("\"A\",1,2,1", "\"A\",1,2,0");
    let model = Folder::new("fbx-flat").open("part.fbx", flat).unwrap();
    // Both are flattened in the same way, and share what comes of it.
    assert_eq!((model.meshes.len(), model.nodes.len()), (1, 2));
    for (slot, x) in [1150.0, 155.0].into_iter().enumerate() {
        let down = Ray::new([x * 0.01, (2000.0 + 40.0) * 0.01, 40.0], [0.0, 0.0, -1.0]).unwrap();
        let hit = model.scene().closest(&down, &Filter::ALL).unwrap();
        assert_eq!((hit.instance.slot(), hit.position.z as f32), (slot as u32, 30.0));
    }
}

#[test]
fn nodes_scaled_to_nothing_are_hidden() {
    let folder = Folder::new("fbx-hidden");
    let named = |from: &str, to: &str| {
        let model = folder.open("part.fbx", text("").replace(from, to)).unwrap();
        model.nodes.iter().map(|node| node.name.clone()).collect::<Vec<_>>()
    };
    const RIGHT: &str = r#""A",-1000,0,0"#;
    let scale = |to: &str| format!("{RIGHT}\nP: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",{to}");
    assert_eq!(named(RIGHT, &scale("0,0,0")), ["left"]);
    assert_eq!(
        named(RIGHT, &(scale("0,-0,0") + "\nP: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",10,20,30")),
        ["left"]
    );
    // What does not take the scale of its parent stays.
    let apart = |mode: u8| {
        let panel = text("").replace("\"A\",1,2,1", "\"A\",0,0,0");
        let mode = format!("{RIGHT}\nP: \"InheritType\", \"enum\", \"\", \"\",{mode}");
        folder.open("part.fbx", panel.replace(RIGHT, &mode)).map(|model| model.nodes.len())
    };
    assert_eq!(apart(2).unwrap(), 1);
    assert_eq!(
        apart(0).unwrap_err().to_string(),
        format!("{}: no triangles; a scene needs a triangle with an area", folder.path("part.fbx"))
    );
}

#[test]
fn a_node_shows_all_its_meshes() {
    let geometry = text("");
    let start = geometry.find("Geometry: 10").unwrap();
    let end = geometry.find("Model: 20").unwrap();
    let panel = &geometry[start..end];
    let lid = panel.replace("Geometry: 10, \"Geometry::panel", "Geometry: 11, \"Geometry::lid");
    let both = geometry.replace(panel, &(panel.to_owned() + &lid));
    let both =
        both.replace("C: \"OO\",10,20\n", "C: \"OO\",10,20\n    C: \"OO\",11,20\n    C: \"OO\",10,20\n");
    let model = Folder::new("fbx-several").open("part.fbx", both).unwrap();
    let shown: Vec<(&str, &str)> = (model.nodes.iter())
        .map(|node| (node.name.as_str(), model.meshes[node.mesh].name.as_str()))
        .collect();
    assert_eq!(shown, [("left", "panel"), ("left", "lid"), ("right", "panel")]);
    let corners = corners(&model);
    assert_eq!(corners[0], corners[1]);
    let worn = |row: usize| model.meshes[row].mesh.materials().to_vec();
    assert_eq!((worn(0), worn(1)), (vec![2, 2, 1], vec![2, 2, 1]));
}

/// Nothing here asks where a picture or a normal lies, and exporters name -1 where there is none.
#[test]
fn corners_may_have_no_texture_coordinate_and_no_normal() {
    let folder = Folder::new("fbx-layers");
    for (layer, values, indices, of) in [
        ("LayerElementUV", "UV: *4 { a: 0,0,1,1 }", "UVIndex", "0,1,-1,0,1,0,7"),
        ("LayerElementUV", "UV: *4 { a: 0,0,1,1 }", "UVIndex", "0,1"),
        ("LayerElementNormal", "Normals: *3 { a: 0,0,1 }", "NormalsIndex", "0,0,-1,0,0,0,0"),
        ("LayerElementColor", "Colors: *4 { a: 1,0,0,1 }", "ColorIndex", "0,0,9,0,0,0,0"),
    ] {
        let count = of.split(',').count();
        let layer = format!(
            "{layer}: 0 {{\nMappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: \"IndexToDirect\"\n\
             {values}\n{indices}: *{count} {{ a: {of} }}\n}}\nLayerElementMaterial: 0 {{"
        );
        let unmapped = text("").replace("LayerElementMaterial: 0 {", &layer);
        let model = folder.open("part.fbx", unmapped).unwrap();
        assert_eq!(corners(&model), corners(&folder.open("sound.fbx", text("")).unwrap()), "{layer}");
    }
}

#[test]
fn what_the_library_takes_counts_as_memory() {
    let part = text("");
    let most = (64 << 20) + 64 * part.len();
    let with = |memory: usize| {
        let options = Options { memory: Some(memory as u64), ..Options::new() };
        hitscan_io::read("part.fbx", part.clone().into_bytes(), &options).map_err(|error| error.to_string())
    };
    for memory in [part.len(), 1 << 14] {
        assert_eq!(
            with(memory).map(|_| ()),
            Err(format!("part.fbx: decoding it takes up to {most} bytes of memory; the limit is {memory}"))
        );
    }
    assert_eq!(with(most).unwrap().nodes.len(), 2);
}

/// A binary FBX whose compressed list of vertices claims to be a gigabyte.
#[test]
fn a_file_that_decodes_to_far_more_than_its_length_is_refused() {
    const HEADER: &[u8] = b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0";
    // Of a name, and what is in it: properties, then children with an empty one behind them.
    let node = |at: usize, name: &str, properties: (u32, &[u8]), children: &[u8]| {
        let length = 13 + name.len() + properties.1.len() + children.len();
        let numbers = [(at + length) as u32, properties.0, properties.1.len() as u32].map(u32::to_le_bytes);
        [numbers.as_flattened(), &[name.len() as u8], name.as_bytes(), properties.1, children].concat()
    };
    const NOTHING: [u8; 13] = [0; 13];
    let claim =
        [&b"d"[..], &(1u32 << 27).to_le_bytes(), &1u32.to_le_bytes(), &4u32.to_le_bytes(), &[0; 4]].concat();
    let geometry = b"L\x0a\0\0\0\0\0\0\0S\x05\0\0\0panelS\x04\0\0\0Mesh";
    let objects = HEADER.len() + 13 + "Objects".len();
    let vertices = node(objects + 13 + "Geometry".len() + geometry.len(), "Vertices", (1, &claim), &[]);
    let mesh = node(objects, "Geometry", (3, geometry), &[&vertices[..], &NOTHING].concat());
    let objects = node(HEADER.len(), "Objects", (0, &[]), &[&mesh[..], &NOTHING].concat());
    let file = [HEADER, &objects, &NOTHING].concat();
    let most = (64 << 20) + 64 * file.len();
    refuses(
        "fbx-claims",
        [(
            "claims.fbx",
            file,
            format!("claims.fbx: it decodes to more than {most} bytes; an FBX of its length holds less"),
        )],
    );
}

#[test]
fn fbx_files() {
    const VERSIONS: &str = "an FBX is text or binary of version 3.0 to 7.7";
    let sound = text("");
    let changed = |from: &str, to: &str| {
        assert!(sound.contains(from), "{from}");
        sound.replace(from, to)
    };
    refuses(
        "fbx-errors",
        [
            ("empty.fbx", String::new(), "empty.fbx: the file is empty; a scene needs a triangle with an area".to_owned()),
            ("words.fbx", "hello".to_owned(), format!("words.fbx: truncated file; {VERSIONS}")),
            ("cut.fbx", sound[..sound.len() / 2].to_owned(), format!("cut.fbx: the FBX is damaged; {VERSIONS}")),
            ("index.fbx", changed("a: 0,1,2,-4", "a: 0,1,6,-4"), format!("index.fbx: the FBX is damaged; {VERSIONS}")),
            ("cycle.fbx", changed("C: \"OO\",20,0", "C: \"OO\",20,21"), format!("cycle.fbx: cyclic node hierarchy; {VERSIONS}")),
            (
                "left.fbx",
                text(&axes((0, 1), (1, 1), (2, -1))),
                "left.fbx: a left-handed coordinate system is not read; export it right-handed with +Y or +Z up".to_owned(),
            ),
            (
                "x-up.fbx",
                text(&axes((1, -1), (0, 1), (2, 1))),
                "x-up.fbx: this up axis is not read; export it right-handed with +Y or +Z up".to_owned(),
            ),
            (
                "flat.fbx",
                changed("\"A\",1,2,1", "\"A\",1,0,1"),
                // The panel lies in the plane that it is flattened across.
                "flat.fbx: all 6 triangles are degenerate (6 with two equal corners, 0 of zero area); a scene needs a triangle with an area".to_owned(),
            ),
            ("huge.fbx", changed("a: 0,0,0", "a: 0,1e39,0"), "huge.fbx: mesh \"panel\", vertex 0: y is 1e39; coordinates reach 2^100 at most".to_owned()),
            (
                "away.fbx",
                // Of the size of 200 beside a coordinate of 1e40: its own origin would lie beyond all placements.
                changed("a: 0,0,0,200,0,0,200,100,0,0,100,0,0,200,0,9,9,9", "a: 0,0,1e40,200,0,1e40,200,100,1e40,0,100,1e40,0,200,1e40,9,9,1e40"),
                "away.fbx: mesh \"panel\", vertex 0: z is 1e40; coordinates reach 2^100 at most".to_owned(),
            ),
            ("nan.fbx", changed("9,9,9", "9,nan,9"), "nan.fbx: mesh \"panel\", vertex 5: y is nan; a vertex needs three finite numbers x y z".to_owned()),
            (
                "none.fbx",
                changed("C: \"OO\",10,2", "C: \"OO\",10,9"),
                "none.fbx: no triangles; a scene needs a triangle with an area".to_owned(),
            ),
        ],
    );
}
