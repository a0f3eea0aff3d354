//! A command line that cannot be understood is told in one line, with exit code 2, before anything is read.
//! `cast` and its files of rays are in bad_input.rs.

use crate::common::{CUBE, Folder};

/// Each line, and what is said of it.
const LINES: &[(&str, &str)] = &[
    // The command.
    (
        "shoot",
        "shoot: no such command; expected one of demo, info, check, cast, pick, height, sight, viewshed, inside, render, explain, build, bench, completions, man",
    ),
    ("inf x.glb", "inf: no such command; did you mean info?"),
    ("help", "help: no such command; see hitscan --help"),
    ("help cast", "help: no such command; see hitscan cast --help"),
    ("--jsn", "--jsn: no such option or too many arguments; --help lists what there is"),
    // What every command understands.
    ("info a --threads 0", "--threads: '0' is not a number of threads; expected 1 to 1024"),
    ("info a --threads -1", "--threads: '-1' is not a number of threads; expected 1 to 1024"),
    ("info a --threads 1025", "--threads: '1025' is not a number of threads; expected 1 to 1024"),
    ("info a --threads two", "--threads: 'two' is not a number of threads; expected 1 to 1024"),
    ("--threads", "--threads: it has no value; expected --threads <N>"),
    ("info a --threads 1 --threads 2", "--threads: given twice; expected once"),
    ("info a -q -q", "--quiet: given twice; expected once"),
    ("info a --quiet=yes", "--quiet: it takes no value; expected --quiet alone"),
    // Heightmaps.
    ("info a --cell 0", "--cell: '0' is no distance; expected metres above 0, at most 2^100"),
    ("info a --cell -30", "--cell: '-30' is no distance; expected metres above 0, at most 2^100"),
    ("info a --cell 1e300", "--cell: '1e300' is no distance; expected metres above 0, at most 2^100"),
    ("info a --cell nan", "--cell: 'nan' is no distance; expected metres above 0, at most 2^100"),
    ("info a --cell 1,2", "--cell: '1,2' has 2 parts; expected one number"),
    ("check a --relief 5", "--relief: '5' has 1 part; expected two numbers LO,HI"),
    ("check a --relief 0,inf", "--relief: '0,inf' is not finite; heights need finite numbers"),
    (
        "check a --relief 0,1e300",
        "--relief: '0,1e300' is no relief; heights need finite numbers of at most 2^100",
    ),
    ("check a --relief -1,b", "--relief: 'b' is not a number; expected two numbers LO,HI"),
    // demo
    ("demo range", "range: no such option or too many arguments; --help lists what there is"),
    ("demo -o", "--output: it has no value; expected --output <FOLDER>"),
    // info
    ("info", "info: SCENE is missing; see hitscan info --help"),
    ("info a b", "b: no such option or too many arguments; --help lists what there is"),
    ("info a --jsn", "--jsn: no such option or too many arguments; did you mean --json?"),
    ("info a --json --json", "--json: given twice; expected once"),
    // check
    ("check", "check: SCENE is missing; see hitscan check --help"),
    ("check a --places", "--places: it has no value; expected --places <N>"),
    ("check a --places -3", "--places: '-3' is not a number of places; expected 0 to 1000000"),
    ("check a --places all", "--places: 'all' is not a number of places; expected 0 to 1000000"),
    ("check a --strikt", "--strikt: no such option or too many arguments; did you mean --strict?"),
    // build
    ("build", "build: --output <FILE> is missing; see hitscan build --help"),
    ("build a", "build: --output <FILE> is missing; see hitscan build --help"),
    ("build a -o b --preset slow", "--preset: 'slow' is no preset; expected fast, balanced, best or compact"),
    ("build a -o b --trust", "--trust: a is read anyway; expected a .hitscan file with it"),
    ("build a -o keep.stl", "keep.stl: scenes are saved as hitscan; expected a name that ends in .hitscan"),
    ("build a -o a.csv", "a.csv: scenes are saved as hitscan; expected a name that ends in .hitscan"),
    ("info a --trust=yes", "--trust: it takes no value; expected --trust alone"),
    // pick
    ("pick a", "pick: --at <PX,PY> is missing; see hitscan pick --help"),
    ("pick a --at 1", "--at: '1' has 1 part; expected two numbers PX,PY"),
    (
        "pick a --at -1,-1",
        "--at: -1,-1 lies outside the picture of 1280x720; expected 0 to 1280 and 0 to 720",
    ),
    (
        "pick a --at 1,1 --size 0x9",
        "--size: '0x9' is not a size; expected WIDTHxHEIGHT, each from 1 to 16384",
    ),
    (
        "pick a --at 1,1 --size -1x9",
        "--size: '-1x9' is not a size; expected WIDTHxHEIGHT, each from 1 to 16384",
    ),
    (
        "pick a --at 1,1 --size 99999x9",
        "--size: '99999x9' is not a size; expected WIDTHxHEIGHT, each from 1 to 16384",
    ),
    ("pick a --at 1,1 --eye 1,2", "--eye: '1,2' has 2 parts; expected three numbers X,Y,Z"),
    ("pick a --at 1,1 --look 1,2,x", "--look: 'x' is not a number; expected three numbers X,Y,Z"),
    (
        "pick a --at 1,1 --up W",
        "--up: 'W' is not an axis; expected +X, -X, +Y, -Y, +Z or -Z, or a vector X,Y,Z",
    ),
    ("pick a --at 1,1 --fov wide", "--fov: 'wide' is not a number; expected one number"),
    (
        "pick a --at 1,1 --eye 1,2,3 --camera b",
        "--eye: cannot be combined with --camera <FILE.cam|NAME>; expected one of them",
    ),
    ("pick a --at 1,1 --format xml", "--format: 'xml' is not a format; expected table, csv, json or jsonl"),
    ("pick a --at 1,1 --format csv --json", "--format: cannot be combined with --json; expected one of them"),
    // height
    ("height a", "height: --at <A,B[,H]|FILE> is missing; see hitscan height --help"),
    ("height a --at 1", "--at: '1' has 1 part; expected A,B or A,B,H, a .csv file or -"),
    ("height a --at 1,2,3,4", "--at: '1,2,3,4' has 4 parts; expected A,B or A,B,H, a .csv file or -"),
    ("height a --at 1,b", "--at: 'b' is not a number; expected A,B or A,B,H, a .csv file or -"),
    ("height a --at 1,2 --up W", "--up: 'W' is not an axis; expected +X, -X, +Y, -Y, +Z or -Z"),
    ("height a --at 1,2 --no-clobber", "height: --output <FILE> is missing; see hitscan height --help"),
    ("height a --at p.csv --json", "--json: a file of places is answered as csv; expected one place with it"),
    (
        "height a --at p.csv -o h.parquet",
        "h.parquet: the heights of a file of places are written as csv; expected a name that ends in .csv",
    ),
    (
        "height a --at p.csv -o h.json",
        "h.json: the heights of a file of places are written as csv; expected a name that ends in .csv",
    ),
    (
        "height a --at 1,2 -o h.npy",
        "h.npy: the height of one place is written as text; expected a name that ends in .txt, or --json and .json",
    ),
    (
        "height a --at 1,2 -o h.json",
        "h.json: the height of one place is written as text; expected a name that ends in .txt, or --json and .json",
    ),
    (
        "height a --at 1,2 --json -o h.png",
        "h.png: the height of one place is written as json; expected a name that ends in .json",
    ),
    ("height - --at -", "--at: standard input is the scene already; expected a file for one of them"),
    // sight
    ("sight a --from 1,2,3", "sight: --to <X,Y,Z|FILE> is missing; see hitscan sight --help"),
    ("sight a --to 1,2,3", "sight: --from <X,Y,Z|FILE> is missing; see hitscan sight --help"),
    (
        "sight a --from 1,2,3 --to 1,2",
        "--to: '1,2' has 2 parts; expected X,Y,Z, a file (.csv .jsonl .npy .parquet) or -",
    ),
    (
        "sight a --from 1,,3 --to 1,2,3",
        "--from: '' is not a number; expected X,Y,Z, a file (.csv .jsonl .npy .parquet) or -",
    ),
    ("cast a --rays b.csv --dir 0,0,1", "--dir: it aims one ray; expected --from with it, not --rays"),
    ("cast a --rays b.csv --to 0,0,1", "--to: it aims one ray; expected --from with it, not --rays"),
    // viewshed
    ("viewshed a", "viewshed: --at <A,B> is missing; see hitscan viewshed --help"),
    (
        "viewshed a --at 1,2 -ox 3 -oy 4",
        "--at: cannot be combined with --ox <A>, --oy <B>; expected one of them",
    ),
    ("viewshed a --at 1,2 --visible 1", "--visible: it concerns a GeoTIFF; expected -o FILE.tif with it"),
    (
        "viewshed a --at 1,2 -iv 1 -o a.png",
        "--invisible: it concerns a GeoTIFF; expected -o FILE.tif with it",
    ),
    (
        "viewshed a --at 1,2 -ov 1 --json",
        "--out-of-range: it concerns a GeoTIFF; expected -o FILE.tif with it",
    ),
    (
        "viewshed a --at 1,2 --nodata 1 -o a.png",
        "--nodata: it concerns a GeoTIFF; expected -o FILE.tif with it",
    ),
    // inside
    ("inside a", "inside: --at <X,Y,Z|FILE> is missing; see hitscan inside --help"),
    ("inside - --at -", "--at: standard input is the scene already; expected a file of points"),
    // render
    ("render", "render: --output <PNG> is missing; see hitscan render --help"),
    ("render a -o", "--output: it has no value; expected --output <PNG>"),
    (
        "render a -o a.png --shade toon",
        "--shade: 'toon' is not one of its values; expected lit, normal, depth, id, hits, cost",
    ),
    ("render a -o a.jpg", "a.jpg: pictures are written as png; expected a name that ends in .png"),
    (
        "render a -o a.png --size 12",
        "--size: '12' is not a size; expected WIDTHxHEIGHT, each from 1 to 16384",
    ),
    // explain
    ("explain", "explain: --from <X,Y,Z> is missing; see hitscan explain --help"),
    (
        "explain --from 0,0,0 --dir 0,0,1",
        "explain: SCENE or --triangle <A> <B> <C> is missing; see hitscan explain --help",
    ),
    ("explain a", "explain: --from <X,Y,Z> is missing; see hitscan explain --help"),
    (
        "explain --triangle 0,0,0 1,0,0",
        "--triangle: 2 of 3 values are given; expected --triangle <A> <B> <C>",
    ),
    ("explain --triangle", "--triangle: it has no value; expected --triangle <A> <B> <C>"),
    (
        "explain --triangle 0,0,0 1,0,0 --from 1,2,3 --to 1,1,1",
        "--triangle: 2 of 3 values are given; expected --triangle <A> <B> <C>",
    ),
    (
        "explain --triangle 0,0,0 -1,0,0 -q --from 1,2,3 --to 1,1,1",
        "--triangle: 2 of 3 values are given; expected --triangle <A> <B> <C>",
    ),
    (
        "explain --triangle 0,0,0 --threads=2 1,0,0 --from 1,2,3 --to 1,1,1",
        "--triangle: 1 of 3 values are given; expected --triangle <A> <B> <C>",
    ),
    (
        "explain --triangle --from 1,2,3 --to 1,1,1",
        "--triangle: it has no value; expected --triangle <A> <B> <C>",
    ),
    ("explain a --from --dir=0,0,1", "--from: it has no value; expected --from <X,Y,Z>"),
    ("explain a --from=--dir --dir 0,0,1", "--from: '--dir' has 1 part; expected three numbers X,Y,Z"),
    ("explain a --from -1 --to 1,2,3", "--from: '-1' has 1 part; expected three numbers X,Y,Z"),
    ("explain --triangle 0,0 1,0,0 0,1,0", "--triangle: '0,0' has 2 parts; expected three numbers X,Y,Z"),
    (
        "explain --triangle 0,0,0 1,0,0 0,1,0 --triangle 0,0,0 1,0,0 0,1,0 --from 1,2,3 --to 1,1,1",
        "--triangle: 6 corners are given; expected A B C once",
    ),
    (
        "explain --triangle 0,0,0 1,0,0 0,1,0 --to 1,2,3",
        "explain: --from <X,Y,Z> is missing; see hitscan explain --help",
    ),
    (
        "explain --triangle 0,0,0 1,0,0 0,1,0 --from 1,2,3",
        "explain: --to <X,Y,Z> or --dir <X,Y,Z> is missing; see hitscan explain --help",
    ),
    (
        "explain --triangle 0,0,0 1,0,0 0,1,0 --from 1,2,3 --to 1,1,1 --trust",
        "--triangle: cannot be combined with --trust; expected one of them",
    ),
    (
        "explain --triangle 0,0,0 1,0,0 0,1,0 --from 1,2,3 --to 1,1,1 --cell 3 --relief 0,9",
        "--triangle: cannot be combined with --cell <METRES>, --relief <LO,HI>; expected one of them",
    ),
    ("explain --from 1,b,3", "--from: 'b' is not a number; expected three numbers X,Y,Z"),
    ("explain --to 1,2", "--to: '1,2' has 2 parts; expected three numbers X,Y,Z"),
    ("explain --json --json", "--json: given twice; expected once"),
    // bench
    ("bench a b", "b: no such option or too many arguments; --help lists what there is"),
    ("bench --seconds 0", "--seconds: '0' is no such time; expected seconds above 0, 3600 at most"),
    ("bench --seconds -1", "--seconds: '-1' is no such time; expected seconds above 0, 3600 at most"),
    ("bench --seconds nan", "--seconds: 'nan' is no such time; expected seconds above 0, 3600 at most"),
    ("bench --seconds x", "--seconds: 'x' is not a number; expected one number"),
    ("bench --tests=yes", "--tests: it takes no value; expected --tests alone"),
    ("bench --tests --tests", "--tests: given twice; expected once"),
    ("bench --tests --trust", "--tests: cannot be combined with --trust; expected one of them"),
    ("bench --tests --cell 3", "--tests: cannot be combined with --cell <METRES>; expected one of them"),
    ("bench --tests a.glb", "--tests: cannot be combined with [SCENE]; expected one of them"),
    (
        "bench --tests --seconds 3",
        "--tests: cannot be combined with --seconds <SECONDS>; expected one of them",
    ),
    // completions, man
    ("completions", "completions: SHELL is missing; see hitscan completions --help"),
    (
        "completions cmd",
        "SHELL: 'cmd' is not one of its values; expected bash, elvish, fish, powershell, zsh",
    ),
    (
        "man shoot",
        "COMMAND: 'shoot' is no command; expected one of demo, info, check, cast, pick, height, sight, viewshed, inside, render, explain, build, bench, completions, man",
    ),
    ("man cast -o pages", "COMMAND: cannot be combined with --output <FOLDER>; expected one of them"),
];

#[test]
fn command_lines() {
    let folder = Folder::new("usage");
    let before = folder.files();
    let mut wrong = String::new();
    for (line, message) in LINES {
        let ran = folder.run(&line.split(' ').collect::<Vec<_>>());
        let expected = (Some(2), "", format!("hitscan: {message}\n"));
        if (ran.code, ran.out.as_str(), ran.err.clone()) != expected {
            wrong += &format!("{line}\n  {:?} {:?}\n  not {message:?}\n", ran.code, ran.err);
        }
    }
    assert_eq!(wrong, "");
    assert_eq!(folder.files(), before);
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("usage-bytes");
    for line in [&["info"][..], &["render", "box.obj", "-o"], &["inside", "box.obj", "--at"]] {
        let mut command = folder.command(line);
        command.arg(OsStr::from_bytes(b"m\xfcnster.glb"));
        let ran = folder.run_command(command, b"");
        let message = "hitscan: arguments: \"m\\xFCnster.glb\" is not UTF-8; expected UTF-8\n";
        assert_eq!((ran.code, ran.err.as_str()), (Some(2), message), "{line:?}");
    }
}

#[test]
fn an_empty_name_is_called_so() {
    let folder = Folder::new("usage-empty");
    folder.write("box.obj", CUBE);
    let empty = "the name is empty; expected that of a file";
    for (line, place) in [
        ("info _", "SCENE"),
        ("bench _", "SCENE"),
        ("render _ -o a.png", "SCENE"),
        ("viewshed _ --at 0,0", "SCENE"),
        ("explain _ --from 0,0,2 --dir 0,0,-1", "SCENE"),
        ("cast box.obj --rays _", "--rays"),
        ("cast box.obj --rays a.csv -o _", "--output"),
        ("render box.obj -o _", "--output"),
        ("build box.obj -o _", "--output"),
        ("height box.obj --at 0,0 -o _", "--output"),
        ("viewshed box.obj --at 0,0 -o _", "--output"),
    ] {
        let words: Vec<&str> = line.split(' ').map(|word| if word == "_" { "" } else { word }).collect();
        let ran = folder.run(&words);
        assert_eq!((ran.code, ran.err), (Some(2), format!("hitscan: {place}: {empty}\n")), "{line}");
    }
    let ran = folder.run(&["inside", "box.obj", "--at", "", "--input-format", "csv"]);
    let message = "hitscan: --at: '' has 1 part; expected X,Y,Z, a file (.csv .jsonl .npy .parquet) or -\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), message));
    assert_eq!(folder.files(), ["box.obj"]);
}

#[test]
fn negative_numbers_need_no_quotes() {
    let folder = Folder::new("usage-negative");
    folder.write("box.obj", CUBE);
    // Each option that takes numbers, with the rest of a line that is answered.
    let options = [
        ("cast --dir 1,0,0", "--from", "-1,-1,-1"),
        ("cast --from 1,0,0", "--dir", "-.5,-1,-1e-3"),
        ("cast --from 1,0,0", "--to", "-1,-1,-1"),
        ("pick --at 1,1", "--eye", "-3,-3,-3"),
        ("pick --at 1,1", "--look", "-3,-3,-3"),
        ("pick --at 1,1", "--up", "-Y"),
        ("pick --at 1,1", "--up", "-1,-2,-3"),
        ("height", "--at", "-1,-1,-1"),
        ("height", "--at", "-1,-1"),
        ("height --at 1,1", "--up", "-Z"),
        ("sight --to 1,0,0", "--from", "-1,-1,-1"),
        ("sight --from 1,0,0", "--to", "-1,-1,-1"),
        ("sight --from 1,0,0 --to 1,1,1", "--up", "-Y"),
        ("sight --from 1,0,0 --to 1,1,1", "--from-height", "-.5"),
        ("sight --from 1,0,0 --to 1,1,1", "--to-height", "-1e-3"),
        ("viewshed --at 0.5,0.5", "--up", "-Y"),
        ("viewshed --at 0.5,0.5", "--to-height", "-.5"),
        ("viewshed --at 0.5,0.5", "-oz", "-.5"),
        ("inside", "--at", "-1,-1,-1"),
        ("render -o - --size 9x9 -q", "--eye", "-3,-3,-3"),
        ("render -o - --size 9x9 -q", "--look", "-3,-3,-3"),
        ("render -o - --size 9x9 -q", "--up", "-Y"),
    ];
    for (line, option, value) in options {
        let words: Vec<&str> = line.split(' ').collect();
        for given in [vec![option.to_owned(), value.to_owned()], vec![format!("{option}={value}")]] {
            let mut command = folder.command(&[words[0], "box.obj"]);
            command.args(&words[1..]).args(&given).stdout(std::process::Stdio::null());
            let output = command.output().expect("the command runs");
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line} {given:?}");
            assert_eq!(output.status.code(), Some(0), "{line} {given:?}");
        }
    }
    // Negative values that mean nothing are understood as values, and refused as such: see `LINES` for the others.
    for (line, message) in [
        (
            "pick box.obj --at 1,1 --fov -5",
            "--fov: the field of view is -5 degrees; it needs to lie between 0 and 180",
        ),
        (
            "info box.obj --relief -10,20",
            "box.obj: a relief is given; only heightmaps (.png .tif .tiff) have cells",
        ),
    ] {
        let ran = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.code, ran.err), (Some(1), format!("hitscan: {message}\n")));
    }
    // No option that takes numbers was forgotten.
    for command in ["cast", "pick", "height", "sight", "viewshed", "inside", "render", "info", "check"] {
        let help = folder.run(&[command, "--help"]).out;
        for line in help.lines().filter_map(|line| line.trim_start().strip_prefix("--")) {
            let mut words = line.split_whitespace();
            let (option, value) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            if !["<X,Y,Z>", "<X,Y,Z|FILE>", "<A,B[,H]|FILE>", "<AXIS>"].contains(&value) {
                continue;
            }
            let option = format!("--{option}");
            let tried = |(line, name, _): &(&str, &str, &str)| line.starts_with(command) && *name == option;
            assert!(options.iter().any(tried), "{command} {option}");
        }
    }
}

#[test]
fn what_cannot_be_done_is_exit_code_1() {
    let folder = Folder::new("usage-failed");
    folder.write("box.obj", CUBE);
    folder.write("old.png", "mine");
    folder.write("file", "");
    for (line, message) in [
        ("sight box.obj --from nan,0,0 --to 1,2,3", "--from: x is nan; a ray needs finite numbers"),
        ("sight box.obj --from 1,2,3 --to 0,0,-inf", "--to: z is -inf; a ray needs finite numbers"),
        (
            "sight box.obj --from 0,1e40,0 --to 1,2,3",
            "--from: y is 1e40; a point needs coordinates of at most 2^100",
        ),
        ("sight box.obj --from 1,2,3 --to 1,2,3", "--to: both ends are the same point; a segment needs two"),
        (
            "pick box.obj --at 1,1 --fov 180",
            "--fov: the field of view is 180 degrees; it needs to lie between 0 and 180",
        ),
        ("inside box.obj --at 0,0,nan", "--at: z is nan; a point needs finite numbers"),
        // Before the scene is read, as points are.
        ("height a --at 0,0,nan", "--at: 0,0,nan is no place; a place needs finite numbers of at most 2^100"),
        ("height a --at 1,inf", "--at: 1,inf is no place; a place needs finite numbers of at most 2^100"),
        ("height a --at -1e31,2", "--at: -1e31,2 is no place; a place needs finite numbers of at most 2^100"),
        ("viewshed a --at nan,2", "--at: nan,2 is no place; a place needs finite numbers of at most 2^100"),
        (
            "viewshed a -ox 0 -oy 1e31",
            "--ox: 0,1e31 is no place; a place needs finite numbers of at most 2^100",
        ),
        ("render box.obj -o old.png --no-clobber", "old.png: exists; --no-clobber needs a name that is free"),
        (
            "height box.obj --at 1,2 -o old.png --no-clobber",
            "old.png: exists; --no-clobber needs a name that is free",
        ),
        (
            "render box.obj -o no/a.png",
            "no/a.png: no such folder; expected a file that can be written in a folder that exists",
        ),
        ("height box.obj --at 1,2 -o .", ".: is a directory; the output needs the name of a file"),
        ("man -o file/man", "file/man: cannot be written (not a directory); expected a folder for the pages"),
        ("man -o file", "file: cannot be written (file exists); expected a folder for the pages"),
        (
            "demo -o file",
            "file: cannot be written (file exists); expected a folder for pictures, or -o FOLDER",
        ),
        (
            "explain --triangle nan,0,0 1,0,0 0,1,0 --from 1,2,3 --to 1,1,1",
            "--triangle: corner A: x is NaN; a shape needs finite coordinates of at most 2^100",
        ),
        (
            "explain --triangle 0,0,0 1,0,0 0,1,0 --from 1,2,3 --to 1,2,3",
            "--to: both ends are the same point; a segment needs two",
        ),
        (
            "explain --triangle 0,0,0 1,0,0 0,1,0 --from 1,inf,3 --to 1,2,3",
            "--from: y is inf; a ray needs finite numbers",
        ),
        (
            "info builtin:teapot",
            "builtin:teapot: no such built-in scene; the built-in scenes are range, terrain, sphere, atrium, hairball, soup",
        ),
    ] {
        let ran = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.code, ran.err), (Some(1), format!("hitscan: {message}\n")), "{line}");
    }
    assert_eq!(folder.read("old.png"), "mine");
    assert_eq!(folder.files(), ["box.obj", "file", "old.png"]);
}
