//! `cast --rays`: every row, in order, to the bit.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::common::rays::{csv, rays};
use crate::common::{CUBE, Folder, glb};
use hitscan::{Face, Filter, Hit, Ray};

const HEADER: &str = "ray,t,x,y,z,distance,u,v,mesh,instance,prim,facing,nx,ny,nz";

/// Cubes at two places, the second one partly inside the first.
fn write_cubes(folder: &Folder) -> &'static str {
    let corners: Vec<[f32; 3]> =
        (0..8u32).map(|i| [i & 1, i >> 1 & 1, i >> 2 & 1].map(|c| c as f32)).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let indices: Vec<u32> = quads.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).collect();
    folder.write("cubes.glb", glb(&corners, &indices, &[[0.0; 3], [0.25, 0.5, 0.125]]));
    "cubes.glb"
}

fn bits(text: &str) -> u64 {
    text.parse::<f64>().unwrap_or_else(|_| panic!("'{text}' is a number")).to_bits()
}

fn assert_row(row: &str, ray: usize, hit: Option<&Hit>) {
    let Some(hit) = hit else {
        return assert_eq!(row, format!("{ray},inf,,,,,,,,,-1,,,,"));
    };
    let cells: Vec<&str> = row.split(',').collect();
    assert_eq!(cells.len(), 15, "{row}");
    assert_eq!(cells[0], ray.to_string());
    let floats = [
        (1, hit.t),
        (2, hit.position.x),
        (3, hit.position.y),
        (4, hit.position.z),
        (5, hit.distance),
        (6, hit.u),
        (7, hit.v),
        (12, hit.normal.x),
        (13, hit.normal.y),
        (14, hit.normal.z),
    ];
    for (cell, value) in floats {
        assert_eq!(bits(cells[cell]), value.to_bits(), "column {cell} of {row}");
    }
    assert_eq!(&cells[8..11], ["0".to_owned(), hit.instance.slot().to_string(), hit.prim.to_string()]);
    assert_eq!(cells[11], if hit.facing == Face::Front { "front" } else { "back" });
}

#[test]
fn answers_are_those_of_the_library_to_the_bit() {
    let folder = Folder::new("batch-bits");
    let scene = write_cubes(&folder);
    let rays = rays(5_000, 0x5eed);
    folder.write("rays.csv", csv(&rays));
    let model = hitscan_io::open(folder.path(scene).to_str().unwrap()).unwrap();
    let world = model.scene();
    let asked: Vec<Ray> =
        rays.iter().map(|&[ox, oy, oz, dx, dy, dz]| Ray::new([ox, oy, oz], [dx, dy, dz]).unwrap()).collect();

    let closest = folder.run(&["cast", scene, "--rays", "rays.csv"]);
    assert_eq!((closest.code, closest.err.as_str()), (Some(0), ""));
    let mut rows = closest.out.lines();
    assert_eq!(rows.next(), Some(HEADER));
    let mut hits = 0;
    for (i, ray) in asked.iter().enumerate() {
        let hit = world.closest(ray, &Filter::ALL);
        hits += usize::from(hit.is_some());
        assert_row(rows.next().unwrap(), i, hit.as_ref());
    }
    assert_eq!(rows.next(), None);
    assert!(hits > 1_000 && hits < 5_000, "{hits}");

    for (mode, most) in [("all", usize::MAX), ("first:2", 2)] {
        let lists = folder.run(&["cast", scene, "--rays", "rays.csv", "--mode", mode]);
        let mut rows = lists.out.lines().skip(1);
        for (i, ray) in asked.iter().enumerate() {
            for hit in world.all_hits(ray, &Filter::ALL).iter().take(most) {
                assert_row(rows.next().unwrap(), i, Some(hit));
            }
        }
        assert_eq!(rows.next(), None);
    }

    let occluded = folder.run(&["cast", scene, "--rays", "rays.csv", "--mode", "occluded"]);
    let expected: String = asked
        .iter()
        .enumerate()
        .map(|(i, ray)| format!("{i},{}\n", world.occluded(ray, &Filter::ALL)))
        .collect();
    assert_eq!(occluded.out, "ray,occluded\n".to_owned() + &expected);
}

#[test]
fn threads_streams_and_instruction_sets_change_nothing() {
    let folder = Folder::new("batch-same");
    let scene = write_cubes(&folder);
    // More than one block, so that order and numbers go on from one to the next.
    let text = csv(&rays(120_000, 0xb10c));
    assert!(text.len() > 8 << 20, "{}", text.len());
    folder.write("rays.csv", &text);
    let ran = folder.run(&["cast", scene, "--rays", "rays.csv", "-o", "out.csv"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
    let all = folder.read("out.csv");
    assert_eq!(all.lines().count(), 120_001);
    assert!(all.lines().skip(1).enumerate().all(|(i, row)| row.starts_with(&format!("{i},"))));

    for threads in ["1", "3"] {
        assert!(folder.run(&["cast", scene, "--rays", "rays.csv", "--threads", threads]).out == all);
    }
    assert!(folder.run_with_input(&["cast", scene, "--rays", "-", "-o", "-"], text.as_bytes()).out == all);
    let mut scalar = folder.command(&["cast", scene, "--rays", "rays.csv"]);
    scalar.env("HITSCAN_ISA", "scalar");
    assert!(folder.run_command(scalar, b"").out == all);
    assert_eq!(folder.files(), ["cubes.glb", "out.csv", "rays.csv"]);

    // A bad row far down is found by its line, and all rows before it have been written.
    let at = text.len() - 1_000;
    let at = at + text[at..].find('\n').unwrap() + 1;
    let line = text[..at].lines().count() + 1;
    let bad = format!("{}0,0,0,0,x,0\n{}", &text[..at], &text[at..]);
    let ran = folder.run_with_input(&["cast", scene, "--rays", "-"], bad.as_bytes());
    let message = format!(
        "hitscan: standard input:{line}: dy is 'x'; a ray needs finite numbers (--invalid miss reports it as a miss)\n"
    );
    assert_eq!((ran.code, ran.err), (Some(1), message));
    assert!(all.starts_with(&ran.out) && ran.out.lines().count() == line - 1);
}

#[test]
fn columns_are_found_chosen_and_kept() {
    let folder = Folder::new("batch-columns");
    folder.write("box.obj", CUBE);
    // A byte order mark, Windows line ends, columns in another order, quotes, blanks, limits, no last line break.
    let text = "\u{feff}dz,dx,dy,name,oz,ox,oy,t_max,t_min\r\n\
        -2,0,0,\"a, \"\"b\"\"\",5,0.25, 0.5 ,inf,0\r\n\
        -2,0,0,\"two\r\nlines\",5,0.25,0.5,2,2\r\n\
        -2,0,0,plain,5,0.25,0.5,1.5,-inf\r\n\
        -2,0,0,,5,0.25,0.5,inf,2.25";
    folder.write("rays.csv", text);
    let args = ["cast", "box.obj", "--rays", "rays.csv", "--columns", "z,t,ray,facing", "--keep", "name,dz"];
    let ran = folder.run(&args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(
        ran.out,
        "z,t,ray,facing,name,dz\n\
         1,2,0,front,\"a, \"\"b\"\"\",-2\n\
         1,2,1,front,\"two\r\nlines\",-2\n\
         ,inf,2,,plain,-2\n\
         0,2.5,3,back,,-2\n"
    );
    let all = folder.run(&[&args[..4], &["--mode", "all", "--columns", "ray,t", "--keep", "name"]].concat());
    assert_eq!(
        all.out,
        "ray,t,name\n0,2,\"a, \"\"b\"\"\"\n0,2.5,\"a, \"\"b\"\"\"\n1,2,\"two\r\nlines\"\n3,2.5,\n"
    );
}

#[test]
fn a_row_is_the_same_ray_however_it_is_written() {
    let folder = Folder::new("batch-ways");
    folder.write("box.obj", CUBE);
    let rays = rays(2_000, 0x3a15);
    let file = |header: &str, row: &dyn Fn(&[String; 6]) -> String| -> String {
        let rows = rays.iter().map(|ray| row(&ray.map(|number| format!("{number:?}"))));
        format!("{header}\n") + &rows.collect::<String>()
    };
    let names = "ox,oy,oz,dx,dy,dz";
    let args = ["cast", "box.obj", "--rays", "-", "--keep", "dz", "--columns", "ray,t,prim,x,y,z"];
    let mut outs = Vec::new();
    for text in [
        file(names, &|ray| ray.join(",") + "\n"),
        file(&format!("{names},t_min,t_max"), &|ray| ray.join(",") + ",0,inf\n"),
        file(&format!("{names},t_max"), &|ray| ray.join(",") + ",+Infinity\r\n"),
        file(names, &|ray| format!("\"{}\"\n", ray.join("\",\""))),
        file(names, &|ray| ray.join(",") + "\r"),
        file(&names.replace(',', ", "), &|ray| {
            format!("{}\t, {}\n", ray[..5].join(", "), ray[5]).replace(", -", ",-")
        }),
    ] {
        let ran = folder.run_with_input(&args, text.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", &text[..200]);
        // What is carried over keeps its blanks.
        outs.push(ran.out.replace(", ", ","));
    }
    assert!(outs[0].lines().count() == 2_001 && outs[0].contains(",inf,-1"));
    assert!(outs.iter().all(|out| *out == outs[0]));
}

#[test]
fn no_rays_are_a_header() {
    let folder = Folder::new("batch-none");
    folder.write("box.obj", CUBE);
    for text in ["ox,oy,oz,dx,dy,dz\n", "ox,oy,oz,dx,dy,dz", "\nox,oy,oz,dx,dy,dz\r\n\r\n"] {
        let ran = folder.run_with_input(&["cast", "box.obj", "--rays", "-"], text.as_bytes());
        assert_eq!((ran.code, ran.out, ran.err.as_str()), (Some(0), format!("{HEADER}\n"), ""), "{text:?}");
    }
}

#[test]
fn invalid_rows_count_as_misses_where_asked() {
    let folder = Folder::new("batch-invalid");
    folder.write("box.obj", CUBE);
    let text = "id,ox,oy,oz,dx,dy,dz\n\
        a,0.5,0.25,2,0,0,-1\n\
        b,0.5,0.25,nan,0,0,-1\n\
        c,0.5,0.5\n\
        d,0.5,0.25,2,0,0,0\n\
        e,0.5,0.25,2,0,0,-1\n";
    folder.write("rays.csv", text);
    let base = ["cast", "box.obj", "--rays", "rays.csv", "--invalid", "miss", "--keep", "id"];
    let ran = folder.run(&[&base[..], &["--columns", "ray,t,prim"]].concat());
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.out, "ray,t,prim,id\n0,1,2,a\n1,inf,-1,b\n2,inf,-1,c\n3,inf,-1,d\n4,1,2,e\n");
    let message = "hitscan: rays.csv:3: oz is nan; a ray needs finite numbers (3 invalid rows in all, counted as misses)\n";
    assert_eq!(ran.err, message);
    let quiet = folder.run(&[&base[..], &["--mode", "occluded", "-q"]].concat());
    assert_eq!(quiet.out, "ray,occluded,id\n0,true,a\n1,false,b\n2,false,c\n3,false,d\n4,true,e\n");
    assert_eq!(quiet.err, "");
}

#[test]
fn an_existing_file_is_replaced_as_a_whole() {
    let folder = Folder::new("batch-replace");
    folder.write("box.obj", CUBE);
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0.5,0.25,2,0,0,-1\n");
    folder.write("out.csv", "old\n");
    let args = ["cast", "box.obj", "--rays", "rays.csv", "-o", "out.csv", "--columns", "ray,prim"];
    assert_eq!(folder.run(&args).code, Some(0));
    assert_eq!(folder.read("out.csv"), "ray,prim\n0,2\n");
    // A failure leaves the old one alone.
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0.5,0.25,2,0,0,-1\n0,0,0,0,0,0\n");
    assert_eq!(folder.run(&args).code, Some(1));
    assert_eq!(folder.read("out.csv"), "ray,prim\n0,2\n");
    assert_eq!(folder.files(), ["box.obj", "out.csv", "rays.csv"]);
}

#[cfg(unix)]
#[test]
fn through_a_link_the_file_is_replaced_and_a_device_is_written() {
    let folder = Folder::new("batch-link");
    folder.write("box.obj", CUBE);
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0.5,0.25,2,0,0,-1\n");
    folder.write("out.csv", "old\n");
    std::os::unix::fs::symlink("out.csv", folder.path("link.csv")).unwrap();
    let args = ["cast", "box.obj", "--rays", "rays.csv", "--columns", "prim", "-o"];
    assert_eq!(folder.run(&[&args[..], &["link.csv"]].concat()).code, Some(0));
    assert_eq!(folder.read("out.csv"), "prim\n2\n");
    assert!(folder.path("link.csv").is_symlink());
    assert_eq!(folder.run(&[&args[..], &["/dev/null"]].concat()).code, Some(0));
    assert!(!std::path::Path::new("/dev/null").is_file());
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = Folder::new("batch-pipe");
    folder.write("box.obj", CUBE);
    folder.write("rays.csv", csv(&rays(60_000, 7)));
    let mut child = folder
        .command(&["cast", "box.obj", "--rays", "rays.csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, format!("{HEADER}\n"));
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), ended.stderr.as_slice()), (Some(0), &b""[..]));
}

#[cfg(unix)]
#[test]
fn an_interruption_leaves_nothing() {
    let folder = Folder::new("batch-interrupt");
    folder.write("box.obj", CUBE);
    let mut child = folder
        .command(&["cast", "box.obj", "--rays", "-", "-o", "out.csv"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Enough for a first block; the pipe stays open, so the command waits for more.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(csv(&rays(120_000, 9)).as_bytes()).unwrap();
    let unfinished = || folder.files().iter().any(|name| name.ends_with(".tmp"));
    for _ in 0..500 {
        if unfinished() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(unfinished());
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let ended = child.wait_with_output().unwrap();
    drop(stdin);
    assert_eq!((ended.status.code(), ended.stderr.as_slice()), (Some(130), &b""[..]));
    assert_eq!(folder.files(), ["box.obj"]);
}

#[test]
fn a_column_alone_has_a_row_for_each_ray() {
    let folder = Folder::new("batch-alone");
    folder.write("box.obj", CUBE);
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz,id\n0.5,0.25,2,0,0,-1,\n5,5,5,1,0,0,a\n0.5,0.25,2,0,0,1,\n");
    let told = |args: &[&str]| {
        let ran = folder.run(&[&["cast", "box.obj", "--rays", "rays.csv"], args].concat());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        ran.out
    };
    let alone = told(&["--columns", "x"]);
    // Readers pass over empty lines.
    assert_eq!(alone, "x\n0.5\n\"\"\n\"\"\n");
    let read: Vec<String> = ::csv::Reader::from_reader(alone.as_bytes())
        .records()
        .map(|record| record.unwrap()[0].to_owned())
        .collect();
    assert_eq!(read, ["0.5", "", ""]);
    assert_eq!(told(&["--columns", "x", "--keep", "id"]), "x,id\n0.5,\n,a\n,\n");
    assert_eq!(told(&["--columns", "prim"]), "prim\n2\n-1\n-1\n");
}

#[test]
fn a_limit_that_is_missing_is_none() {
    let folder = Folder::new("batch-limits");
    folder.write("box.obj", CUBE);
    let rows = ["id,ox,oy,oz,dx,dy,dz,t_min,t_max", "a,0.5,0.25,2,0,0,-1,,", "b,0.5,0.25,2,0,0,-1,,0.5"];
    let quoted = "\"c\",0.5,0.25,2,0,0,-1, ,\"\"";
    folder.write("rays.csv", format!("{}\n{quoted}\n", rows.join("\n")));
    let ran = folder.run(&["cast", "box.obj", "--rays", "rays.csv", "--columns", "ray,t"]);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("ray,t\n0,1\n1,inf\n2,1\n", ""));
}

#[test]
fn a_limit_of_another_name_is_told_once() {
    let folder = Folder::new("batch-stray");
    folder.write("box.obj", CUBE);
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz,tmax\n0.5,0.25,2,0,0,-1,0.5\n0.5,0.25,2,0,0,-1,0.5\n");
    folder.write("rays.jsonl", r#"{"ox":0.5,"oy":0.25,"oz":2,"dx":0,"dy":0,"dz":-1,"tnear":0.5}"#);
    let told = "is ignored; the limits of a ray are the columns t_min and t_max";
    for (file, name, out) in [("rays.csv", "tmax", "t\n1\n1\n"), ("rays.jsonl", "tnear", "t\n1\n")] {
        let args = ["cast", "box.obj", "--rays", file, "--columns", "t"];
        let ran = folder.run(&args);
        let expected = format!("hitscan: {file}: the column '{name}' {told}\n");
        assert_eq!((ran.code, ran.out.as_str(), ran.err), (Some(0), out, expected));
        assert_eq!(folder.run(&[&args[..], &["-q"]].concat()).err, "");
        assert_eq!(folder.run(&[&args[..], &["--keep", name]].concat()).err, "");
    }
}
