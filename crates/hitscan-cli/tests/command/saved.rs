//! `build` and what comes of it: every command takes a saved scene, and answers as for the scene itself.

use crate::common::{CUBE, Folder};

/// A triangle at two places, with a material and a camera.
const YARD: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1,2]}],
"nodes":[{"name":"near","mesh":0},{"name":"far","mesh":0,"translation":[0,0,-4]},
{"name":"eye","camera":0,"translation":[0.3,0.2,6]}],
"cameras":[{"name":"front","type":"perspective","perspective":{"yfov":0.7,"znear":0.1}}],
"materials":[{"name":"brick"}],
"meshes":[{"name":"pane","primitives":[{"attributes":{"POSITION":0},"material":0}]}],
"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAAAAAAAAgD8AAAAA"}],
"bufferViews":[{"buffer":0,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[-1,-1,0],"max":[1,1,0]}]}"#;

fn yard(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("yard.gltf", YARD);
    let ran = folder.run(&["build", "yard.gltf", "-o", "yard.hitscan"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    folder
}

#[test]
fn a_build_tells_what_it_made() {
    let folder = Folder::new("saved-build");
    folder.write("cube.obj", CUBE);
    for preset in ["fast", "balanced", "best", "compact"] {
        let ran = folder.run(&["build", "cube.obj", "-o", "cube.hitscan", "--preset", preset]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let lines: Vec<Vec<&str>> = ran.out.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0], ["triangles", "bytes", "load", "build", "write"]);
        let length = std::fs::metadata(folder.path("cube.hitscan")).unwrap().len();
        assert_eq!(lines[2][..3], ["12", &format!("{:.1}", length as f64 / 1e3), "kB"]);
    }
    assert_eq!(folder.files(), ["cube.hitscan", "cube.obj"]);
    let quiet = folder.run(&["build", "cube.obj", "-o", "cube.hitscan", "-q"]);
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (Some(0), "", ""));
}

#[test]
fn every_command_answers_as_for_the_scene_itself() {
    let folder = yard("saved-commands");
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,9,0,0,-1\n0.2,0.1,9,0,0,-1\n5,5,5,1,0,0\n");
    for command in [
        &["cast", "SCENE", "--from", "0,0,9", "--dir", "0,0,-1", "--json"][..],
        &["cast", "SCENE", "--rays", "rays.csv"],
        &["cast", "SCENE", "--rays", "rays.csv", "--mode", "all"],
        &["check", "SCENE"],
        &["explain", "SCENE", "--from", "0,0,9", "--dir", "0,0,-1"],
        &["height", "SCENE", "--at", "0,0", "--up", "+Z"],
        &["inside", "SCENE", "--at", "0,0,1", "--rule", "winding"],
        &["pick", "SCENE", "--at", "640,360", "--camera", "front"],
        &["pick", "SCENE", "--at", "600,300"],
        &["sight", "SCENE", "--from", "0,0,9", "--to", "0,0,-9"],
        &["viewshed", "SCENE", "--at", "0,0", "--up", "+Z", "--cell", "0.25"],
    ] {
        let run = |scene: &str, extra: &[&str]| {
            let words: Vec<&str> =
                command.iter().map(|&word| if word == "SCENE" { scene } else { word }).collect();
            let ran = folder.run(&[&words[..], extra].concat());
            (ran.code, ran.out.replace("yard.hitscan", "yard.gltf"), ran.err)
        };
        let expected = run("yard.gltf", &[]);
        assert_eq!(expected.0, Some(0), "{command:?}: {}", expected.2);
        assert_eq!(run("yard.hitscan", &[]), expected, "{command:?}");
        assert_eq!(run("yard.hitscan", &["--trust"]), expected, "{command:?}, trusted");
    }
    for (scene, picture) in [("yard.gltf", "a.png"), ("yard.hitscan", "b.png")] {
        let ran = folder.run(&["render", scene, "-o", picture, "--camera", "front", "--size", "64x48"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }
    assert_eq!(std::fs::read(folder.path("a.png")).unwrap(), std::fs::read(folder.path("b.png")).unwrap());
}

#[test]
fn info_tells_names_materials_and_cameras() {
    let folder = yard("saved-info");
    let ran = folder.run(&["info", "yard.hitscan"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    for name in ["pane", "front"] {
        assert!(ran.out.contains(name), "{name}: {}", ran.out);
    }
    let ran = folder.run(&["cast", "yard.hitscan", "--from", "0,0,9", "--dir", "0,0,-1", "--json"]);
    assert!(ran.out.contains("near") && ran.out.contains("brick"), "{}", ran.out);
}

#[test]
fn a_saved_scene_comes_by_standard_input_and_leaves_by_standard_output() {
    let folder = yard("saved-streams");
    let bytes = std::fs::read(folder.path("yard.hitscan")).unwrap();
    let cast = ["cast", "-", "--from", "0,0,9", "--dir", "0,0,-1"];
    let piped = folder.run_with_input(&cast, &bytes);
    let cast = ["cast", "yard.gltf", "--from", "0,0,9", "--dir", "0,0,-1"];
    assert_eq!((piped.code, piped.out), (Some(0), folder.run(&cast).out));

    let written = folder.command(&["build", "yard.gltf", "-o", "-"]).output().unwrap();
    assert_eq!(written.status.code(), Some(0));
    assert!(written.stdout == bytes, "the same bytes");
    assert!(String::from_utf8(written.stderr).unwrap().starts_with("triangles"));
}

#[test]
fn a_heightmap_keeps_its_grid() {
    let folder = Folder::new("saved-heightmap");
    let mut map = Vec::new();
    {
        let mut png = png::Encoder::new(&mut map, 9, 7);
        png.set_color(png::ColorType::Grayscale);
        png.set_depth(png::BitDepth::Eight);
        let samples: Vec<u8> = (0..63u32).map(|i| (i * i * 7 % 251) as u8).collect();
        png.write_header().unwrap().write_image_data(&samples).unwrap();
    }
    folder.write("map.png", map);
    let cells = ["--cell", "2", "--relief", "0,9"];
    let built = folder.run(&[&["build", "map.png", "-o", "map.hitscan"][..], &cells].concat());
    assert_eq!((built.code, built.err.as_str()), (Some(0), ""));
    let seen = |scene: &str, output: &str, options: &[&str]| {
        let command = ["viewshed", scene, "--at", "8,6", "-o", output];
        let ran = folder.run(&[&command[..], options].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        std::fs::read(folder.path(output)).unwrap()
    };
    assert!(seen("map.png", "a.tif", &cells) == seen("map.hitscan", "b.tif", &[]));
    let ran = folder.run(&["viewshed", "map.hitscan", "--at", "8,6", "--cell", "1"]);
    let expected = "map.hitscan has the grid of the heightmap that it was built of; leave it out";
    assert_eq!((ran.code, ran.err), (Some(1), format!("hitscan: --cell: {expected}\n")));
}

#[test]
fn what_does_not_go_together_is_refused_in_one_line() {
    let folder = yard("saved-refused");
    let sound = std::fs::read(folder.path("yard.hitscan")).unwrap();
    let mut damaged = sound.clone();
    let last = damaged.len() - 70;
    damaged[last] ^= 1;
    folder.write("damaged.hitscan", &damaged);
    folder.write("cut.hitscan", &sound[..sound.len() - 1]);
    folder.write("other.hitscan", "solid cube");
    folder.write("empty.hitscan", "");
    let mut later = sound.clone();
    later[12] = 9;
    folder.write("later.hitscan", &later);
    let length = sound.len();
    for (line, code, expected) in [
        (
            "info cut.hitscan",
            1,
            format!("cut.hitscan: has {} bytes; expected {length}, as its header says", length - 1),
        ),
        (
            "info other.hitscan",
            1,
            "other.hitscan: does not begin as a saved scene does; expected a .hitscan file".to_owned(),
        ),
        (
            "info empty.hitscan",
            1,
            "empty.hitscan: does not begin as a saved scene does; expected a .hitscan file".to_owned(),
        ),
        (
            "info later.hitscan",
            1,
            "later.hitscan: is a saved scene of version 9; expected version 1, save it again".to_owned(),
        ),
        ("info none.hitscan", 1, "none.hitscan: no such file; a scene is a file or builtin:NAME".to_owned()),
        (
            "info none.hitscan --trust",
            1,
            "none.hitscan: no such file; a scene is a file or builtin:NAME".to_owned(),
        ),
        (
            "info yard.hitscan --cell 3",
            1,
            "yard.hitscan: the size of a cell is given; only heightmaps (.png .tif .tiff) have cells"
                .to_owned(),
        ),
        (
            "info yard.gltf --trust",
            2,
            "--trust: yard.gltf is read anyway; expected a .hitscan file with it".to_owned(),
        ),
        (
            "build yard.hitscan -o again.hitscan",
            1,
            "yard.hitscan: is a saved scene already; expected the file that it was built of".to_owned(),
        ),
        (
            "build yard.gltf -o yard.gltf",
            1,
            "yard.gltf: is also an input; the output needs a name of its own".to_owned(),
        ),
        (
            "build yard.gltf -o yard",
            2,
            "yard: scenes are saved as hitscan; expected a name that ends in .hitscan".to_owned(),
        ),
        (
            "build yard.gltf -o yard.hitscan --no-clobber",
            1,
            "yard.hitscan: exists; --no-clobber needs a name that is free".to_owned(),
        ),
    ] {
        let ran = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.code, ran.out.as_str()), (Some(code), ""), "{line}");
        assert_eq!(ran.err, format!("hitscan: {expected}\n"), "{line}");
    }
    let ran = folder.run(&["info", "damaged.hitscan"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("the checksum does not fit; expected an undamaged file"), "{}", ran.err);
    assert!(std::fs::read(folder.path("yard.hitscan")).unwrap() == sound);
}

/// Nothing of a trusted file's triangles and trees is checked, so that what they say first turns out where they are used.
#[test]
fn a_trusted_file_that_was_edited_is_an_error() {
    let folder = yard("saved-edited");
    let sound = std::fs::read(folder.path("yard.hitscan")).unwrap();
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,9,0,0,-1\n");
    let word = |at: usize| u32::from_le_bytes(sound[at..at + 4].try_into().unwrap()) as usize;
    // Vertices that are not there, and nodes.
    let triangles =
        ["info edited.hitscan", "check edited.hitscan", "render edited.hitscan -o a.png --camera front"];
    let nodes = [
        "cast edited.hitscan --from 0,0,9 --dir 0,0,-1",
        "cast edited.hitscan --rays rays.csv -o hits.csv",
        "render edited.hitscan -o a.png --camera front",
    ];
    for (kind, words, lines) in [(4, 0..3, triangles), (7, 48..56, nodes)] {
        let mut edited = sound.clone();
        let mut sections = (64..).step_by(32).take(word(16));
        let entry = sections.find(|&at| word(at) == kind).unwrap();
        for at in words {
            edited[word(entry + 8) + 4 * at..][..4].copy_from_slice(&0x7fff_fff0u32.to_le_bytes());
        }
        folder.write("edited.hitscan", &edited);
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            let ran = folder.run(&[&words[..], &["--trust"]].concat());
            assert_eq!((ran.code, ran.err.lines().count()), (Some(1), 1), "{line}: {}", ran.err);
            let told =
                ran.err.strip_prefix("hitscan: edited.hitscan: contradicts itself (index out of bounds: ");
            let expected = "); expected a file as it was saved; without --trust it is checked\n";
            assert!(told.is_some_and(|told| told.ends_with(expected)), "{line}: {}", ran.err);
            let checked = folder.run(&words);
            assert!(checked.err.contains("the checksum does not fit"), "{line}: {}", checked.err);
        }
    }
    assert_eq!(folder.files(), ["edited.hitscan", "rays.csv", "yard.gltf", "yard.hitscan"]);
}

#[test]
fn a_scene_that_a_program_saved_gets_names_by_number() {
    use hitscan::{Instance, Mesh, Transform, World, shape::Sphere};
    let folder = Folder::new("saved-plain");
    let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    let mut world = World::new();
    let first = world.insert(&mesh);
    let far = Transform::translation([0.0, 0.0, -3.0]).unwrap();
    world.insert(Instance::new(&mesh).at(far));
    world.commit().save(folder.path("panes.hitscan")).unwrap();
    let line = ["cast", "panes.hitscan", "--from", "0.2,0.2,9", "--dir", "0,0,-1"];
    let ran = folder.run(&line);
    assert!(ran.out.contains("node0") && ran.out.contains("node1"), "{}{}", ran.out, ran.err);
    // A slot without an instance: the ones behind move up.
    world.remove(first).unwrap();
    world.commit().save(folder.path("panes.hitscan")).unwrap();
    let ran = folder.run(&line);
    assert!(ran.out.contains("node0") && !ran.out.contains("node1"), "{}{}", ran.out, ran.err);
    // The command knows triangles alone.
    world.insert(Sphere::new([0.0; 3], 1.0).unwrap());
    world.commit().save(folder.path("panes.hitscan")).unwrap();
    let ran = folder.run(&line);
    let expected = "the instance in slot 0 is no mesh; a model is made of meshes alone";
    assert_eq!(ran.err, format!("hitscan: panes.hitscan: {expected}\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = yard("saved-full");
    let before = std::fs::read(folder.path("yard.hitscan")).unwrap();
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" build builtin:sphere:10k -o yard.hitscan";
    let mut command = std::process::Command::new("bash");
    command.args(["-c", script, env!("CARGO_BIN_EXE_hitscan")]).current_dir(folder.path("."));
    let ran = command.output().unwrap();
    assert_eq!(ran.status.code(), Some(1));
    let told = String::from_utf8(ran.stderr).unwrap();
    assert!(told.starts_with("hitscan: yard.hitscan: cannot be written"), "{told}");
    assert!(std::fs::read(folder.path("yard.hitscan")).unwrap() == before);
    assert_eq!(folder.files(), ["yard.gltf", "yard.hitscan"]);
    let full = folder.run(&["build", "yard.gltf", "-o", "/dev/full"]);
    assert_eq!(full.code, Some(1));
}
