//! STL: both kinds hold the same triangles as an OBJ of the same mesh, and what is said about malformed ones.

use crate::support::{Folder, SURVEY, Tent, corners, refuses};

fn text(name: &str, triangles: &[[[f64; 3]; 3]]) -> String {
    let facet = |[a, b, c]: &[[f64; 3]; 3]| {
        let vertex = |[x, y, z]: &[f64; 3]| format!("      vertex {x} {y} {z}\n");
        format!(
            "  facet normal 0 0 1\n    outer loop\n{}{}{}    endloop\n  endfacet\n",
            vertex(a),
            vertex(b),
            vertex(c)
        )
    };
    format!("solid {name}\n{}endsolid {name}\n", triangles.iter().map(facet).collect::<String>())
}

fn binary(header: &str, triangles: &[[[f64; 3]; 3]]) -> Vec<u8> {
    let mut file = header.as_bytes().to_vec();
    file.resize(80, b' ');
    file.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        file.extend([0x77; 12]); // a normal that is passed over
        file.extend(triangle.as_flattened().iter().flat_map(|&value| (value as f32).to_le_bytes()));
        file.extend([0xAB, 0xCD]);
    }
    file
}

#[test]
fn every_variant_is_the_same_tent() {
    let tent = Tent::at([1.0, 2.0, 3.0]);
    let folder = Folder::new("stl");
    let expected = corners(&folder.open("tent.obj", tent.obj()).unwrap());
    assert_eq!(expected[0], tent.triangles());
    let plain = text("tent", &tent.triangles());
    let files: [(&str, Vec<u8>); 11] = [
        ("plain.stl", plain.clone().into()),
        ("loud.STL", plain.to_uppercase().replace("TENT", "tent").into()),
        ("crlf.stl", plain.replace('\n', "\r\n").into()),
        ("cr.stl", plain.replace('\n', "\r").into()),
        ("marked.stl", format!("\u{feff}\n  {plain}").into()),
        ("no-normals.stl", plain.replace(" normal 0 0 1", "").into()),
        ("nan-normals.stl", plain.replace("0 0 1", "nan -nan(ind) inf").into()),
        ("tight.stl", plain.replace("  ", "").replace("facet\n", "facet \t\n").into()),
        ("joined.stl", plain.replace("\n    outer", " outer").replace("\n      vertex", "\tvertex").into()),
        ("binary.stl", binary("made by hand", &tent.triangles())),
        ("solid.stl", binary("solid tent, says the header of a binary file", &tent.triangles())),
    ];
    for (name, bytes) in files {
        let model = folder.open(name, &bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(corners(&model), expected, "{name}");
        let mesh = &model.meshes[0];
        assert_eq!(mesh.mesh.vertices().len(), 5, "{name}");
        assert!(mesh.name == "tent" || name.starts_with(&mesh.name), "{name}: {}", mesh.name);
        let nameless = hitscan_io::read("-", bytes, &hitscan_io::Options::default()).unwrap();
        assert_eq!(corners(&nameless), expected, "{name} from standard input");
    }
}

#[test]
fn solids_are_meshes_and_facets_keep_their_order() {
    let tent = Tent::at([0.0; 3]).triangles();
    let (roof, floor) = tent.split_at(2);
    let folder = Folder::new("solids");
    let file = text("roof (sub 7)", roof) + &text("no facets", &[]) + &text("", floor) + &text("roof", roof);
    let model = folder.open("house.stl", file).unwrap();
    let names: Vec<&str> = model.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["roof (sub 7)", "mesh2", "roof"]);
    let nodes: Vec<(&str, usize)> = model.nodes.iter().map(|node| (node.name.as_str(), node.mesh)).collect();
    assert_eq!(nodes, [("roof (sub 7)", 0), ("mesh2", 1), ("roof", 2)]);
    assert_eq!(corners(&model), [roof, floor, roof]);
    assert_eq!(model.materials, ["default"]);

    let model = folder.open("floor.stl", text("", floor)).unwrap();
    assert_eq!(model.meshes[0].name, "floor");
}

#[test]
fn surveys_keep_a_tenth_of_a_millimetre() {
    let tent = Tent::at(SURVEY);
    let folder = Folder::new("stl-survey");
    tent.assert_is(&folder.open("tent.stl", text("tent", &tent.triangles())).unwrap(), "tent.stl");
    // Two solids of one survey: each close to its own origin.
    let [first, second] = [&tent.triangles()[..2], &tent.triangles()[2..]];
    let model = folder.open("parts.stl", text("a", first) + &text("b", second)).unwrap();
    assert_eq!(model.nodes.len(), 2);
    tent.assert_is(&model, "parts.stl");
}

#[test]
fn a_binary_file_keeps_its_bits_wherever_it_lies() {
    let tent = Tent::at(SURVEY.map(|value| f64::from(value as f32)));
    let rounded: Vec<[[f64; 3]; 3]> = tent
        .triangles()
        .iter()
        .map(|t| t.map(|corner| corner.map(|value| f64::from(value as f32))))
        .collect();
    let folder = Folder::new("stl-bits");
    // Less than a record behind the last is padding.
    for padding in [0, 1, 49] {
        for header in ["", "solid tent"] {
            let mut file = binary(header, &rounded);
            file.resize(file.len() + padding, 0);
            let model = folder.open("tent.stl", file).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(corners(&model), std::slice::from_ref(&rounded));
        }
    }
}

#[test]
fn malformed_text() {
    const FACET: &str =
        "a facet is: facet normal x y z, outer loop, three times vertex x y z, endloop, endfacet";
    let tent = text("tent", &Tent::at([1.0, 2.0, 3.0]).triangles());
    let with = |old: &str, new: &str| tent.replacen(old, new, 1);
    let facet = |found: &str| format!("{found}; {FACET}");
    refuses(
        "stl-text",
        [
            ("empty.stl", String::new(), "empty.stl: the file is empty; a scene needs a triangle with an area".into()),
            ("none.stl", "solid a\nendsolid a".into(), "none.stl: no triangles; a scene needs a triangle with an area".into()),
            ("bare.stl", "solid".into(), "bare.stl:1: the file ends within a solid, after 0 facets; a solid ends with endsolid".into()),
            ("cut.stl", tent[..tent.find("endsolid").unwrap()].into(), "cut.stl:37: the file ends within a solid, after 5 facets; a solid ends with endsolid".into()),
            ("cut-facet.stl", with("      vertex 5.25 2 3\n", "\0").split('\0').next().unwrap().into(), facet("cut-facet.stl:5: the file ends where vertex should stand")),
            ("nan.stl", with("vertex 1 2 3", "vertex 1 NaN 3"), "nan.stl:4: y is nan; a vertex needs three finite numbers x y z".into()),
            ("inf.stl", with("vertex 1 2 3", "vertex 1 2 -inf"), "inf.stl:4: z is -inf; a vertex needs three finite numbers x y z".into()),
            ("huge.stl", with("vertex 1 2 3", "vertex 1e31 2 3"), "huge.stl:4: x is 1e31; coordinates reach 2^100 at most".into()),
            ("comma.stl", with("vertex 1 2 3", "vertex 1,5 2 3"), "comma.stl:4: x is \"1,5\"; a vertex needs three finite numbers x y z".into()),
            ("two.stl", with("vertex 1 2 3", "vertex 1 2"), "two.stl:4: vertex has 2 of 3 coordinates; a vertex needs three finite numbers x y z".into()),
            ("four.stl", with("vertex 1 2 3", "vertex 1 2 3 4"), facet("four.stl:4: \"4\" stands where vertex should")),
            ("quad.stl", with("    endloop", "      vertex 0 0 0\n    endloop"), facet("quad.stl:7: \"vertex\" stands where endloop should")),
            ("pair.stl", with("      vertex 1 2 3\n", ""), facet("pair.stl:6: \"endloop\" stands where vertex should")),
            ("typo.stl", with("vertex", "vertx"), facet("typo.stl:4: \"vertx\" stands where vertex should")),
            ("no-loop.stl", with("    outer loop\n", ""), facet("no-loop.stl:3: \"vertex\" stands where outer should")),
            ("no-endfacet.stl", with("  endfacet\n", ""), facet("no-endfacet.stl:8: \"facet\" stands where endfacet should")),
            ("no-facet.stl", with("  facet normal 0 0 1\n", ""), facet("no-facet.stl:2: \"outer\" stands where facet or endsolid should")),
            ("after.stl", tent.clone() + "facet", "after.stl:38: \"facet\" stands where solid or the end should; facets lie between solid and endsolid".into()),
            ("crlf.stl", with("vertex 1 2 3", "vertex 1 2 x").replace('\n', "\r\n"), "crlf.stl:4: z is \"x\"; a vertex needs three finite numbers x y z".into()),
            ("flat.stl", text("flat", &[[[0.0; 3], [1.0; 3], [2.0; 3]]]), "flat.stl: the only triangle has zero area; a scene needs a triangle with an area".into()),
        ],
    );
}

#[test]
fn malformed_binary() {
    let tent = Tent::at([1.0, 2.0, 3.0]).triangles();
    let sound = binary("", &tent);
    let value = |facet: usize, corner: usize, axis: usize, value: f32| {
        let mut file = sound.clone();
        let at = 84 + 50 * facet + 12 + 12 * corner + 4 * axis;
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        file
    };
    let claim = |count: u32, length: usize| {
        let mut file = sound.clone();
        file[80..84].copy_from_slice(&count.to_le_bytes());
        file.resize(length, 0);
        file
    };
    let mut over = binary("solid tent", &tent);
    over.resize(84 + 50 * 7 + 3, 0);
    let mut zeroed = b"solid tent".to_vec();
    zeroed.resize(200, 0);
    refuses(
        "stl-binary",
        [
            (
                "word.stl",
                b"hello".to_vec(),
                "word.stl: the file ends after 5 bytes; STL begins with solid, or with a header of 84 bytes",
            ),
            (
                "header.stl",
                sound[..83].to_vec(),
                "header.stl: the file ends after 83 bytes; STL begins with solid, or with a header of 84 bytes",
            ),
            ("none.stl", claim(0, 84), "none.stl: no triangles; a scene needs a triangle with an area"),
            (
                "unset.stl",
                claim(0, 334),
                "unset.stl: the header says 0 triangles; the file has bytes for 5 (84 + 50 * 5 + 0)",
            ),
            (
                "fewer.stl",
                claim(4, 334),
                "fewer.stl: the header says 4 triangles; the file has bytes for 5 (84 + 50 * 5 + 0)",
            ),
            (
                "more.stl",
                claim(6, 334),
                "more.stl: the header says 6 triangles; the file has bytes for 5 (84 + 50 * 5 + 0)",
            ),
            (
                "cut.stl",
                claim(5, 300),
                "cut.stl: the header says 5 triangles; the file has bytes for 4 (84 + 50 * 4 + 16)",
            ),
            (
                "claim.stl",
                claim(u32::MAX, 334),
                "claim.stl: the header says 4294967295 triangles; the file has bytes for 5 (84 + 50 * 5 + 0)",
            ),
            (
                "solid.stl",
                zeroed,
                "solid.stl: the header says 0 triangles; the file has bytes for 2 (84 + 50 * 2 + 16)",
            ),
            (
                "over.stl",
                over,
                "over.stl: the header says 5 triangles; the file has bytes for 7 (84 + 50 * 7 + 3)",
            ),
            (
                "nan.stl",
                value(3, 1, 2, f32::NAN),
                "nan.stl: facet 3, vertex 1: z is nan; a vertex needs three finite numbers x y z",
            ),
            (
                "inf.stl",
                value(0, 0, 0, f32::NEG_INFINITY),
                "inf.stl: facet 0, vertex 0: x is -inf; a vertex needs three finite numbers x y z",
            ),
            (
                "huge.stl",
                value(4, 2, 1, 2e30),
                "huge.stl: facet 4, vertex 2: y is 2.0000000300949324e30; coordinates reach 2^100 at most",
            ),
            (
                "point.stl",
                binary("", &[[[7.0; 3]; 3]; 2]),
                "point.stl: all 2 triangles are degenerate (2 with two equal corners, 0 of zero area); a scene needs a triangle with an area",
            ),
        ],
    );
}
