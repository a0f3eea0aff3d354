//! OFF: every kind holds the same triangles as an OBJ of the same mesh, and what is said about malformed ones.

use crate::support::{Folder, SURVEY, Tent, corners, refuses};

/// With this keyword, and these columns behind each vertex and each face.
fn off(tent: &Tent, keyword: &str, vertex_end: &str, face_end: &str) -> String {
    let vertices = tent.vertices.map(|[x, y, z]| format!("{x} {y} {z}{vertex_end}\n")).concat();
    let face = |face: &[u32]| {
        let corners: String = face.iter().map(|row| format!(" {row}")).collect();
        format!("{}{corners}{face_end}\n", face.len())
    };
    format!("{keyword}\n6 4 0\n{vertices}{}", tent.faces.map(face).concat())
}

#[test]
fn every_kind_is_the_same_tent() {
    let tent = Tent::at([1.0, 2.0, 3.0]);
    let folder = Folder::new("off");
    let expected = corners(&folder.open("tent.obj", tent.obj()).unwrap());
    let plain = off(&tent, "OFF", "", "");
    for (name, text) in [
        ("plain.off", plain.clone()),
        ("one-line.off", plain.replacen('\n', " ", 1)),
        ("no-edges.off", plain.replacen("6 4 0", "6 4", 1)),
        ("crlf.off", plain.replace('\n', "\r\n")),
        ("blank.off", plain.replace('\n', "\n\n \t\n")),
        ("comments.off", format!("# made by hand\n{}", plain.replace('\n', " # a comment 1 2 3\n# 4\n"))),
        ("open-end.off", plain.trim_end().to_owned()),
        ("more.off", plain.clone() + "anything\n"),
        ("coloured.off", off(&tent, "COFF", " 255 128 0 255", " 0.5 0.5 0.5")),
        ("normals.off", off(&tent, "NOFF", " 0 0 1", " 3")),
        ("both.off", off(&tent, "CNOFF", " 0 0 1 0.1 0.2 0.3 1", "")),
        ("textured.off", off(&tent, "STOFF", " 0.25 0.75", "")),
        ("all.off", off(&tent, "STCNOFF", " 0 0 1 0.1 0.2 0.3 1 0.25 0.75", " 1 0 0")),
    ] {
        let model = folder.open(name, &text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(corners(&model), expected, "{name}");
        assert_eq!(model.meshes[0].mesh.vertices().len(), 5, "{name}");
        assert_eq!(format!("{}.off", model.meshes[0].name), name);
        assert_eq!(model.nodes[0].name, model.meshes[0].name);
        let nameless = hitscan_io::read("-", text.into(), &hitscan_io::Options::default()).unwrap();
        assert_eq!(corners(&nameless), expected, "{name} from standard input");
    }
}

#[test]
fn the_keyword_may_run_into_the_counts_or_be_missing() {
    let tent = Tent::at([1.0, 2.0, 3.0]);
    let folder = Folder::new("off-keyword");
    let expected = corners(&folder.open("tent.obj", tent.obj()).unwrap());
    let plain = off(&tent, "OFF", "", "");
    for (name, text) in [
        ("run.off", plain.replacen('\n', "", 1)),
        ("run-coloured.off", off(&tent, "COFF", " 255 128 0 255", "").replacen('\n', "", 1)),
        ("run-lines.off", plain.replacen("OFF\n6 4 0", "# a chair\nOFF6\n4 0", 1)),
    ] {
        let model = folder.open(name, &text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(corners(&model), expected, "{name}");
        let nameless = hitscan_io::read("-", text.into(), &hitscan_io::Options::default()).unwrap();
        assert_eq!(corners(&nameless), expected, "{name} from standard input");
    }
    // What has no keyword is OFF by its name alone.
    let bare = plain.replacen("OFF\n", "# a tent\n", 1);
    assert_eq!(corners(&folder.open("bare.OFF", &bare).unwrap()), expected);
    let error = hitscan_io::read("-", bare.into(), &hitscan_io::Options::default()).unwrap_err().to_string();
    assert!(error.starts_with("-:2: \"6\" is not a statement"), "{error}");
}

#[test]
fn polygons_with_notches_are_cut_along_their_outline() {
    let text = "OFF\n6 1 0\n0 0 0\n2 0 0\n2 1 0\n1 1 0\n1 2 0\n0 2 0\n6 1 2 3 4 5 0\n";
    let model = Folder::new("off-notch").open("notch.off", text).unwrap();
    assert_eq!(model.triangles(), 4);
    for (x, y, hits) in [(1.2, 1.3, 0), (1.2, 0.7, 1), (0.3, 1.8, 1)] {
        let down = hitscan::Ray::new([x, y, 1.0], [0.0, 0.0, -1.0]).unwrap();
        assert_eq!(model.scene().all_hits(&down, &hitscan::Filter::ALL).len(), hits, "{x}, {y}");
    }
}

#[test]
fn surveys_keep_a_tenth_of_a_millimetre() {
    let tent = Tent::at(SURVEY);
    let folder = Folder::new("off-survey");
    tent.assert_is(&folder.open("tent.off", off(&tent, "OFF", "", "")).unwrap(), "tent.off");
}

#[test]
fn malformed_files() {
    const COUNTS: &str = "the counts are vertices faces edges, in whole numbers";
    const FACE: &str = "a face is the number of its corners, then as many numbers of vertices";
    let tent = off(&Tent::at([1.0, 2.0, 3.0]), "OFF", "", "");
    let with = |old: &str, new: &str| tent.replacen(old, new, 1);
    let up_to = |end: &str| tent[..tent.find(end).unwrap()].to_owned();
    refuses(
        "off-errors",
        [
            (
                "empty.off",
                String::new(),
                "empty.off: the file is empty; a scene needs a triangle with an area".to_owned(),
            ),
            ("blank.off", " \n".into(), "blank.off:2: \"\" stands first; an OFF file begins with OFF, or with its three counts in one line".into()),
            (
                "word.off",
                with("OFF", "OOF"),
                "word.off:1: \"OOF\" stands first; an OFF file begins with OFF, or with its three counts in one line".into(),
            ),
            (
                "bare.off",
                with("OFF\n6 4 0", "6 4"),
                "bare.off:1: \"6\" stands first; an OFF file begins with OFF, or with its three counts in one line".into(),
            ),
            (
                "four.off",
                with("OFF", "4OFF"),
                "four.off: 4OFF is not read; export it as OFF, with three coordinates a vertex".into(),
            ),
            (
                "many.off",
                with("OFF", "CnOFF"),
                "many.off: CnOFF is not read; export it as OFF, with three coordinates a vertex".into(),
            ),
            (
                "binary.off",
                with("OFF", "OFF BINARY"),
                "binary.off: OFF BINARY is not read; export it as text".into(),
            ),
            (
                "end.off",
                "OFF\n# 1 2 3\n".into(),
                format!("end.off:3: the number of vertices is missing; {COUNTS}"),
            ),
            ("one.off", "OFF 1 ".into(), format!("one.off:1: the number of faces is missing; {COUNTS}")),
            (
                "float.off",
                with("6 4 0", "6.0 4 0"),
                format!("float.off:2: the number of vertices is \"6.0\"; {COUNTS}"),
            ),
            (
                "minus.off",
                with("6 4 0", "6 -4 0"),
                format!("minus.off:2: the number of faces is \"-4\"; {COUNTS}"),
            ),
            (
                "claim.off",
                with("6 4 0", "99999999999 4 0"),
                "claim.off:2: 99999999999 vertices are claimed; a file of this length has 19 at most".into(),
            ),
            (
                "faces.off",
                with("6 4 0", "6 4000000000 0"),
                "faces.off:2: 4000000000 faces are claimed; a file of this length has 56 at most".into(),
            ),
            (
                "vertices.off",
                up_to("1 5.5 3"),
                "vertices.off:7: the file ends after 4 of 6 vertices; vertices and faces have a line each"
                    .into(),
            ),
            (
                "faces-cut.off",
                up_to("4 4 3"),
                "faces-cut.off:11: the file ends after 2 of 4 faces; vertices and faces have a line each"
                    .into(),
            ),
            (
                "two.off",
                with("5.25 2 3", "5.25 2"),
                "two.off:5: vertex has 2 of 3 coordinates; a vertex needs three finite numbers x y z".into(),
            ),
            (
                "nan.off",
                with("5.25 2 3", "5.25 nan 3"),
                "nan.off:5: y is nan; a vertex needs three finite numbers x y z".into(),
            ),
            (
                "far.off",
                with("5.25 2 3", "5.25 2 -1e99"),
                "far.off:5: z is -1e99; coordinates reach 2^100 at most".into(),
            ),
            (
                "text.off",
                with("5.25 2 3", "5,25 2 3"),
                "text.off:5: x is \"5,25\"; a vertex needs three finite numbers x y z".into(),
            ),
            (
                "edge.off",
                with("3 0 2 5", "2 0 2"),
                "edge.off:9: face has 2 corners; a face needs at least 3".into(),
            ),
            (
                "point.off",
                with("3 0 2 5", "1 0"),
                "point.off:9: face has 1 corner; a face needs at least 3".into(),
            ),
            ("short.off", with("3 0 2 5", "3 0 2"), format!("short.off:9: face has 2 of 3 corners; {FACE}")),
            (
                "long.off",
                with("3 0 2 5", "999999999999 0 2 5"),
                format!("long.off:9: face has 3 of 999999999999 corners; {FACE}"),
            ),
            (
                "begin.off",
                with("3 0 2 5", "x 0 2 5"),
                format!("begin.off:9: a face begins with \"x\"; {FACE}"),
            ),
            (
                "corner.off",
                with("3 0 2 5", "3 0 2.5 5"),
                format!("corner.off:9: \"2.5\" is not a corner of a face; {FACE}"),
            ),
            (
                "range.off",
                with("3 0 2 5", "3 0 2 6"),
                "range.off:9: face names vertex 6, the file has 6; vertices count from 0".into(),
            ),
            (
                "negative.off",
                with("3 0 2 5", "3 0 -1 5"),
                "negative.off:9: face names vertex -1, the file has 6; vertices count from 0".into(),
            ),
            (
                "cloud.off",
                with("6 4 0", "6 0 0"),
                "cloud.off: no triangles; a scene needs a triangle with an area".into(),
            ),
        ],
    );
}
