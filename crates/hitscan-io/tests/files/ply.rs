//! PLY: every encoding and type holds the same triangles as an OBJ of the same mesh, and what is said about malformed ones.

use crate::support::{Folder, SURVEY, Tent, corners, refuses};

/// A value with the name of its type.
#[derive(Clone, Copy)]
struct Value(&'static str, f64);

impl Value {
    fn bytes(self, little: bool) -> Vec<u8> {
        let Value(kind, value) = self;
        let mut bytes = match kind {
            "char" | "int8" => (value as i8).to_be_bytes().to_vec(),
            "uchar" | "uint8" => (value as u8).to_be_bytes().to_vec(),
            "short" | "int16" => (value as i16).to_be_bytes().to_vec(),
            "ushort" | "uint16" => (value as u16).to_be_bytes().to_vec(),
            "int" | "int32" => (value as i32).to_be_bytes().to_vec(),
            "uint" | "uint32" => (value as u32).to_be_bytes().to_vec(),
            "float" | "float32" => (value as f32).to_be_bytes().to_vec(),
            "double" | "float64" => value.to_be_bytes().to_vec(),
            other => panic!("{other}"),
        };
        if little {
            bytes.reverse();
        }
        bytes
    }
}

/// What a header says, and the rows behind it.
struct File {
    header: String,
    rows: Vec<Vec<Value>>,
}

const ENCODINGS: [&str; 3] = ["ascii", "binary_little_endian", "binary_big_endian"];

impl File {
    fn new() -> File {
        File { header: String::new(), rows: Vec::new() }
    }

    fn vertices(mut self, tent: &Tent, kind: &'static str) -> File {
        self.header +=
            &format!("element vertex 6\nproperty {kind} x\nproperty {kind} y\nproperty {kind} z\n");
        self.rows.extend(tent.vertices.iter().map(|vertex| vertex.map(|value| Value(kind, value)).to_vec()));
        self
    }

    fn faces(mut self, tent: &Tent, length: &'static str, item: &'static str, name: &str) -> File {
        self.header += &format!("element face 4\nproperty list {length} {item} {name}\n");
        for face in tent.faces {
            let corners = face.iter().map(|&corner| Value(item, f64::from(corner)));
            self.rows.push([Value(length, face.len() as f64)].into_iter().chain(corners).collect());
        }
        self
    }

    /// An element that geometry has no use for.
    fn cameras(mut self) -> File {
        self.header +=
            "element camera 2\nproperty double f\nproperty list uchar short marks\nproperty char k\n";
        for _ in 0..2 {
            let marks = [Value("uchar", 2.0), Value("short", -7.0), Value("short", 300.0)];
            self.rows.push([&[Value("double", 0.5)][..], &marks, &[Value("char", -1.0)]].concat());
        }
        self
    }

    fn encode(&self, encoding: &str) -> Vec<u8> {
        let mut file =
            format!("ply\nformat {encoding} 1.0\ncomment by hand\n{}end_header\n", self.header).into_bytes();
        for row in &self.rows {
            match encoding {
                "ascii" => {
                    let words: Vec<String> = row.iter().map(|value| value.1.to_string()).collect();
                    file.extend((words.join(" ") + "\n").into_bytes());
                }
                _ => file.extend(row.iter().flat_map(|value| value.bytes(encoding.contains("little")))),
            }
        }
        file
    }
}

#[test]
fn every_encoding_and_type_is_the_same_tent() {
    let tent = Tent::at([1.0, 2.0, 3.0]);
    let folder = Folder::new("ply");
    let expected = corners(&folder.open("tent.obj", tent.obj()).unwrap());
    let mut files = vec![
        (
            "others",
            File::new().cameras().vertices(&tent, "double").cameras_named("more").faces(
                &tent,
                "int",
                "int",
                "vertex_indices",
            ),
        ),
        ("faces-first", File::new().faces(&tent, "uchar", "int", "vertex_indices").vertices(&tent, "float")),
    ];
    for (length, item) in [
        ("uchar", "int"),
        ("int8", "uint32"),
        ("ushort", "char"),
        ("int16", "uint8"),
        ("uint", "short"),
        ("int32", "uint16"),
    ] {
        files.push((
            "types",
            File::new().vertices(&tent, "float32").faces(&tent, length, item, "vertex_index"),
        ));
    }
    for (name, file) in &files {
        for encoding in ENCODINGS {
            let bytes = file.encode(encoding);
            let model =
                folder.open("tent.ply", &bytes).unwrap_or_else(|error| panic!("{name}, {encoding}: {error}"));
            assert_eq!(corners(&model), expected, "{name}, {encoding}");
            assert_eq!((model.meshes[0].mesh.vertices().len(), model.meshes[0].name.as_str()), (5, "tent"));
            let nameless = hitscan_io::read("-", bytes, &hitscan_io::Options::default()).unwrap();
            assert_eq!(corners(&nameless), expected, "{name}, {encoding} from standard input");
        }
    }
}

impl File {
    fn cameras_named(self, name: &str) -> File {
        let header = self.header;
        let File { header: cameras, rows } = File::new().cameras();
        File { header: header + &cameras.replace("camera", name), rows: [self.rows, rows].concat() }
    }
}

#[test]
fn line_ends_and_what_follows_do_not_matter() {
    let tent = Tent::at([1.0, 2.0, 3.0]);
    let folder = Folder::new("ply-lines");
    let file = File::new().vertices(&tent, "float").faces(&tent, "uchar", "int", "vertex_indices");
    let text = String::from_utf8(file.encode("ascii")).unwrap();
    for (name, text) in [
        ("crlf.ply", text.replace('\n', "\r\n")),
        ("cr.ply", text.replace('\n', "\r")),
        (
            "blank.ply",
            text.replace("end_header\n", "obj_info 7\nend_header  \n\n \t\n").replace("\n3 ", "\n\n  3\t"),
        ),
        ("open-end.ply", text.trim_end().to_owned()),
        ("more.ply", text.clone() + "1 2 3\n"),
    ] {
        tent.assert_is(&folder.open(name, text).unwrap(), name);
    }
    let binary = file.encode("binary_little_endian");
    let body = binary.windows(11).position(|window| window == b"end_header\n").unwrap() + 11;
    let header = String::from_utf8(binary[..body].to_vec()).unwrap();
    for line_end in ["\n", "\r\n", "\r"] {
        let file = [header.replace('\n', line_end).as_bytes(), &binary[body..], b"more"].concat();
        tent.assert_is(&folder.open("binary.ply", file).unwrap(), line_end);
    }
}

/// With lines that end in a lone return, the first byte of data may be a line feed.
#[test]
fn a_line_feed_behind_a_lone_return_is_data() {
    let mut file = b"ply\rformat binary_little_endian 1.0\relement vertex 3\rproperty char x\rproperty char y\rproperty char z\r\
        element face 1\rproperty list uchar uchar vertex_indices\rend_header\r".to_vec();
    file.extend([10, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 1, 2]);
    let model = Folder::new("ply-return").open("a.ply", file).unwrap();
    assert_eq!(model.meshes[0].mesh.vertices()[0], [10.0, 0.0, 0.0]);
}

#[test]
fn strips_keep_the_winding_of_their_first_triangle() {
    let mut file = File::new();
    file.header = "element vertex 5\nproperty int x\nproperty int y\nproperty int z\nelement tristrips 1\nproperty list int int vertex_indices\n".to_owned();
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)] {
        file.rows.push([x, y, 0].map(|value| Value("int", f64::from(value))).to_vec());
    }
    file.rows.push([9, 0, 1, 2, 3, 4, -1, 4, 3, 2].map(|value| Value("int", f64::from(value))).to_vec());
    for encoding in ENCODINGS {
        let model = Folder::new("ply-strips").open("strip.ply", file.encode(encoding)).unwrap();
        assert_eq!(model.meshes[0].mesh.triangles(), [[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 2]]);
    }
}

#[test]
fn polygons_with_notches_are_cut_whether_their_vertices_come_before_or_behind() {
    let folder = Folder::new("ply-notch");
    let vertex = "element vertex 6\nproperty float x\nproperty float y\nproperty float z\n";
    let face = "element face 2\nproperty list uchar int vertex_indices\n";
    let vertices = "0 0 0\n2 0 0\n2 1 0\n1 1 0\n1 2 0\n0 2 0\n";
    let open = |faces: &str, vertices_first: bool| {
        let [elements, rows] = match vertices_first {
            true => [[vertex, face], [vertices, faces]],
            false => [[face, vertex], [faces, vertices]],
        };
        let text = format!("ply\nformat ascii 1.0\n{}end_header\n{}", elements.concat(), rows.concat());
        folder.open("notch.ply", text).map_err(|error| folder.text(&error))
    };
    for vertices_first in [true, false] {
        let model = open("3 0 1 2\n6 1 2 3 4 5 0\n", vertices_first).unwrap();
        assert_eq!(model.triangles(), 5);
        for (x, y, hits) in [(1.2, 1.3, 0), (0.8, 0.7, 1), (0.3, 1.8, 1)] {
            let down = hitscan::Ray::new([x, y, 1.0], [0.0, 0.0, -1.0]).unwrap();
            assert_eq!(model.scene().all_hits(&down, &hitscan::Filter::ALL).len(), hits, "{x}, {y}");
        }
    }
    let crossing = "face 1 has an outline that crosses itself; it runs around one area, once";
    let faces = "3 0 1 2\n4 0 2 1 5\n";
    assert_eq!(open(faces, true).unwrap_err(), format!("notch.ply:17: {crossing}"));
    assert_eq!(open(faces, false).unwrap_err(), format!("notch.ply: {crossing}"));
}

#[test]
fn surveys_keep_a_tenth_of_a_millimetre() {
    let tent = Tent::at(SURVEY);
    let folder = Folder::new("ply-survey");
    let file = |kind| File::new().vertices(&tent, kind).faces(&tent, "uchar", "int", "vertex_indices");
    for encoding in ENCODINGS {
        tent.assert_is(&folder.open("tent.ply", file("double").encode(encoding)).unwrap(), encoding);
    }
    // Writers say float where they print every digit.
    tent.assert_is(&folder.open("tent.ply", file("float").encode("ascii")).unwrap(), "float in text");
}

const HEADER: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n";

#[test]
fn malformed_headers() {
    const TYPES: &str = "types are char uchar short ushort int uint float double, or int8 to float64";
    let sound = format!("{HEADER}0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    Folder::new("ply-sound").open("sound.ply", &sound).unwrap();
    let with = |old: &str, new: &str| sound.replacen(old, new, 1);
    refuses(
        "ply-headers",
        [
            ("empty.ply", String::new(), "empty.ply: the file is empty; a scene needs a triangle with an area".to_owned()),
            ("magic.ply", with("ply", "plx"), "magic.ply:1: the file does not begin with ply; a PLY file does".into()),
            ("open.ply", with("end_header\n", "").split("0 0 0").next().unwrap().into(), "open.ply:9: the header has no end; it ends with end_header".into()),
            ("lost.ply", with("end_header\n", ""), "lost.ply:9: \"0\" is no line of a header; they are format, comment, obj_info, element, property, end_header".into()),
            ("no-format.ply", with("format ascii 1.0\n", ""), "no-format.ply:8: the header has no format; its second line is format and the encoding".into()),
            ("format.ply", with("ascii", "binary"), "format.ply:2: the format is \"binary\"; formats are ascii, binary_little_endian, binary_big_endian".into()),
            ("twice.ply", with("1.0\n", "1.0\nformat binary_big_endian 1.0\n"), "twice.ply:3: the format is given twice; a file has one".into()),
            ("version.ply", with("1.0", "2.0"), "version.ply: PLY version \"2.0\" is not read; export it as PLY 1.0".into()),
            ("rows.ply", with("vertex 3", "vertex many"), "rows.ply:3: element vertex has \"many\" rows; an element has a name and a number of rows".into()),
            ("negative.ply", with("face 1", "face -1"), "negative.ply:7: element face has \"-1\" rows; an element has a name and a number of rows".into()),
            ("twins.ply", with("face", "vertex"), "twins.ply:7: element vertex stands twice; each has a name of its own".into()),
            ("type.ply", with("float x", "real x"), format!("type.ply:4: \"real\" is no type; {TYPES}")),
            ("item.ply", with("uchar int", "uchar vertex"), format!("item.ply:8: \"vertex\" is no type; {TYPES}")),
            ("length.ply", with("uchar int", "float int"), "length.ply:8: the length of a list is a float; lengths are whole numbers".into()),
            ("floats.ply", with("uchar int", "uchar float"), "floats.ply:8: vertex_indices are floats; numbers of vertices are whole".into()),
            ("nameless.ply", with("float z", "float"), "nameless.ply:6: a property has no name; a property has a type and a name".into()),
            ("orphan.ply", with("element vertex 3\n", ""), "orphan.ply:3: a property stands before any element; properties follow their element".into()),
            ("control.ply", with("face 1", "fa\u{1e}ce x"), "control.ply:7: element \"fa\\u{1e}ce\" has \"x\" rows; an element has a name and a number of rows".into()),
            ("same.ply", with("float y", "float x"), "same.ply:5: element vertex has two properties \"x\"; each has a name of its own".into()),
            ("flat.ply", with("property float z\n", ""), "flat.ply:3: element vertex has no property z; a vertex has x, y and z".into()),
            ("listless.ply", with("vertex_indices", "corners"), "listless.ply:7: element face has no list vertex_indices; it names the vertices of each row".into()),
            ("points.ply", with("element vertex", "element point"), "points.ply:9: the header has no element vertex; a mesh has vertices".into()),
            ("crlf.ply", with("float x", "real x").replace('\n', "\r\n"), format!("crlf.ply:4: \"real\" is no type; {TYPES}")),
        ],
    );
}

#[test]
fn malformed_rows_of_text() {
    let row =
        |old: &str, new: &str| HEADER.to_owned() + &"0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n".replacen(old, new, 1);
    const VALUES: &str = "it has the values that the header names";
    refuses(
        "ply-text",
        [
            ("claim.ply", HEADER.replace("face 1", "face 9") + "0 0 0\n1 0 0\n0 1 0\n", "claim.ply: element face claims 9 rows; the bytes that are left hold 1 at most".to_owned()),
            ("huge-claim.ply", HEADER.replace("vertex 3", "vertex 99999999999999999") + "0 0 0\n", "huge-claim.ply: element vertex claims 99999999999999999 rows; the bytes that are left hold 1 at most".into()),
            ("cut.ply", HEADER.replace("face 1", "face 3") + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n", "cut.ply:15: the file ends after 2 of 3 rows of element face; each has a line".into()),
            ("two.ply", row("1 0 0", "1 0"), format!("two.ply:11: vertex 1 is cut off; {VALUES}")),
            ("four.ply", row("1 0 0", "1 0 0 7"), "four.ply:11: vertex 1 has more values than the header names; each row has a line".into()),
            ("nan.ply", row("1 0 0", "1 nan 0"), "nan.ply:11: vertex 1: y is nan; a vertex needs three finite numbers x y z".into()),
            ("inf.ply", row("1 0 0", "1 0 1e999"), "inf.ply:11: vertex 1: z is inf; a vertex needs three finite numbers x y z".into()),
            ("far.ply", row("1 0 0", "-2e30 0 0"), "far.ply:11: vertex 1: x is -2e30; coordinates reach 2^100 at most".into()),
            ("word.ply", row("0 1 0", "0 one 0"), "word.ply:12: vertex 2 has \"one\"; a number of its property's type".into()),
            ("edge.ply", row("3 0 1 2", "2 0 1"), "edge.ply:13: face 0 has 2 corners; a face needs at least 3".into()),
            ("point.ply", row("3 0 1 2", "1 0"), "point.ply:13: face 0 has 1 corner; a face needs at least 3".into()),
            ("length.ply", row("3 0 1 2", "-3 0 1 2"), "length.ply:13: face 0 has a list of -3 values; lengths are 0 or more".into()),
            ("short.ply", row("3 0 1 2", "4 0 1 2"), format!("short.ply:13: face 0 is cut off; {VALUES}")),
            ("long.ply", row("3 0 1 2", "99999999999 0 1 2"), format!("long.ply:13: face 0 is cut off; {VALUES}")),
            ("corner.ply", row("3 0 1 2", "3 0 1.5 2"), "corner.ply:13: face 0 has \"1.5\"; a number of its property's type".into()),
            ("range.ply", row("3 0 1 2", "3 0 1 3"), "range.ply:13: face 0 names vertex 3, the file has 3; vertices count from 0".into()),
            ("minus.ply", row("3 0 1 2", "3 0 1 -1"), "minus.ply:13: face 0 names vertex -1, the file has 3; vertices count from 0".into()),
            ("cloud.ply", HEADER.replace("face 1", "face 0") + "0 0 0\n1 0 0\n0 1 0\n", "cloud.ply: no triangles; a scene needs a triangle with an area".into()),
        ],
    );
}

#[test]
fn malformed_rows_of_bytes() {
    let file = |vertices: &[[f32; 3]], faces: &[u8]| {
        let header = HEADER.replace("ascii", "binary_big_endian").replace("int vertex", "uchar vertex");
        let vertices = vertices.as_flattened().iter().flat_map(|value| value.to_be_bytes());
        [header.into_bytes(), vertices.collect(), faces.to_vec()].concat()
    };
    let sound = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    Folder::new("ply-bytes-sound").open("sound.ply", file(&sound, &[3, 0, 1, 2])).unwrap();
    let claim = |old: &str, new: &str| {
        let text = HEADER.replace("ascii", "binary_little_endian").replace(old, new);
        [text.into_bytes(), vec![0; 40]].concat()
    };
    refuses(
        "ply-bytes",
        [
            ("cut.ply", file(&sound[..2], &[]), "cut.ply: element vertex claims 3 rows; the bytes that are left hold 2 at most".to_owned()),
            ("none.ply", file(&sound, &[]), "none.ply: element face claims 1 row; the bytes that are left hold 0 at most".into()),
            ("claim.ply", claim("vertex 3", "vertex 4000000000"), "claim.ply: element vertex claims 4000000000 rows; the bytes that are left hold 3 at most".into()),
            ("overflow.ply", claim("vertex 3", "vertex 999999999999999999"), "overflow.ply: element vertex claims 999999999999999999 rows; the bytes that are left hold 3 at most".into()),
            ("faces.ply", claim("face 1", "face 5"), "faces.ply: element face claims 5 rows; the bytes that are left hold 4 at most".into()),
            ("edge.ply", file(&sound, &[2, 0, 1]), "edge.ply: face 0 has 2 corners; a face needs at least 3".into()),
            ("empty-face.ply", file(&sound, &[0]), "empty-face.ply: face 0 has 0 corners; a face needs at least 3".into()),
            ("short.ply", file(&sound, &[3, 0, 1]), "short.ply: face 0 is cut off; it has the values that the header names".into()),
            ("range.ply", file(&sound, &[3, 0, 1, 200]), "range.ply: face 0 names vertex 200, the file has 3; vertices count from 0".into()),
            ("nan.ply", file(&[[0.0; 3], [1.0, f32::NAN, 0.0], [0.0; 3]], &[3, 0, 1, 2]), "nan.ply: vertex 1: y is nan; a vertex needs three finite numbers x y z".into()),
            ("inf.ply", file(&[[0.0; 3], [0.0; 3], [f32::NEG_INFINITY, 0.0, 0.0]], &[3, 0, 1, 2]), "inf.ply: vertex 2: x is -inf; a vertex needs three finite numbers x y z".into()),
            ("far.ply", file(&[[0.0, 0.0, 3e38], [0.0; 3], [0.0; 3]], &[3, 0, 1, 2]), "far.ply: vertex 0: z is 3.0000000054977558e38; coordinates reach 2^100 at most".into()),
            ("same.ply", file(&[[0.0; 3]; 3], &[3, 0, 1, 2]), "same.ply: the only triangle has two equal corners; a scene needs a triangle with an area".into()),
        ],
    );
}
