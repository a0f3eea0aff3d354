//! The command among others: in a shell, in pipes, interrupted, beside files with other names for the same.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{CUBE, Folder, Ran, glb, program};

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("box.obj", CUBE);
    folder
}

/// Runs a line in `sh` with the command in the path.
fn shell(folder: &Folder, line: &str) -> Ran {
    let mut command = Command::new("sh");
    let programs = Path::new(env!("CARGO_BIN_EXE_hitscan")).parent().expect("it is in a folder");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    command.args(["-c", line]).current_dir(folder.path(".")).env("PATH", path).env_remove("HITSCAN_ISA");
    folder.run_command(command, b"")
}

/// The exit code and the errors of the command whose output nobody reads.
fn unread(folder: &Folder, args: &[&str]) -> (Option<i32>, String) {
    let mut child = folder
        .command(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if found.is_err() {
        eprintln!("skipped: this system has no {program}");
    }
    found.is_ok()
}

/// The commands under `try` in the report of a scene.
fn suggested(folder: &Folder, scene: &str) -> Vec<String> {
    let told = folder.run(&["info", scene, "--json"]);
    assert_eq!(told.code, Some(0), "{}", told.err);
    let told: serde_json::Value = serde_json::from_str(&told.out).expect("JSON");
    let examples = told["examples"].as_array().expect("a list").iter();
    examples.map(|line| line.as_str().expect("a line").to_owned()).collect()
}

#[test]
fn each_command_that_info_suggests_hits() {
    let folder = folder("suggested");
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let tetrahedron = glb(&corners, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], &[[0.0; 3], [-7.0, 0.0, 0.5]]);
    for name in ["two parts.glb", "it's $HOME `here`.glb", "-x.glb", "a;b&c.glb", "né.glb", "~.glb", "#.glb"]
    {
        folder.write(name, &tetrahedron);
    }
    // A town in the metres of a map, a grain and a galaxy.
    let moved = |scale: f64, by: [f64; 3]| {
        let corner = |i: usize| -> Vec<String> {
            (0..3).map(|axis| format!("{:e}", (i >> axis & 1) as f64 * scale + by[axis])).collect()
        };
        let vertices: String = (0..8).map(|i| format!("v {}\n", corner(i).join(" "))).collect();
        vertices + &CUBE[CUBE.find("f ").expect("faces")..]
    };
    folder.write("town.obj", moved(40.0, [431_250.5, 120.0, 5_811_902.25]));
    folder.write("grain.obj", moved(1e-20, [0.0; 3]));
    folder.write("galaxy.obj", moved(1e20, [0.0; 3]));
    let made = ["town.obj", "grain.obj", "galaxy.obj", "box.obj"];
    let named =
        ["two parts.glb", "it's $HOME `here`.glb", "./-x.glb", "a;b&c.glb", "né.glb", "~.glb", "#.glb"];
    let built_in = [
        "builtin:range",
        "builtin:terrain:1k",
        "builtin:sphere:1k",
        "builtin:atrium:100k",
        "builtin:hairball:1k",
        "builtin:soup:1k",
    ];
    for scene in made.into_iter().chain(named).chain(built_in) {
        let lines = suggested(&folder, scene);
        let verbs: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').nth(1)).collect();
        assert_eq!(verbs, ["cast", "pick", "height", "render"], "{scene}: {lines:?}");
        for line in &lines[..3] {
            let ran = shell(&folder, line);
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{line}");
            assert!(ran.out.contains(" hit") || ran.out.contains(" on "), "{line}: {}", ran.out);
            assert!(!ran.out.starts_with("miss"), "{line}");
        }
        let before = folder.files().len();
        let ran = shell(&folder, &format!("{} --size 32x18 -q", lines[3]));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", lines[3]);
        assert_eq!(folder.files().len(), before + 1, "{} makes one picture", lines[3]);
    }
}

#[test]
fn a_scene_without_a_name_has_no_commands_to_try() {
    let folder = folder("nameless");
    let told = folder.run_with_input(&["info", "-"], CUBE.as_bytes());
    assert_eq!((told.code, told.out.contains("hitscan ")), (Some(0), false), "{}", told.out);
    folder.write("a\x1b[31mb.obj", CUBE);
    let told = folder.run(&["info", "a\x1b[31mb.obj"]);
    assert_eq!((told.code, told.out.contains('\x1b')), (Some(0), false), "{}", told.out);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = folder("closed-pipes");
    folder.write("places.csv", format!("x,z\n{}", "0.5,0.5\n".repeat(50_000)));
    for args in [
        &["info", "builtin:range"][..],
        &["info", "builtin:range", "--json"],
        &["check", "builtin:range"],
        &["check", "builtin:range", "--json"],
        &["cast", "box.obj", "--from", "0.5,0.5,2", "--dir", "0,0,-1"],
        &["pick", "box.obj", "--at", "640,360", "--json"],
        &["height", "box.obj", "--at", "0.5,0.5"],
        &["height", "box.obj", "--at", "places.csv"],
        &["sight", "box.obj", "--from", "0,0,2", "--to", "0,0,-2"],
        &["render", "box.obj", "-o", "-", "--size", "64x64", "-q"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["--version"],
    ] {
        assert_eq!(unread(&folder, args), (Some(0), String::new()), "{args:?}");
    }
    let line = shell(&folder, "hitscan info builtin:range | head -n 1");
    assert_eq!((line.out.as_str(), line.err.as_str()), ("builtin:range\n", ""));
}

#[test]
fn nobody_has_to_listen_to_messages() {
    let folder = folder("closed-stderr");
    let ran = shell(&folder, "hitscan info missing.glb 2>&-; echo $?");
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("1\n", ""));
    let mut child = folder
        .command(&["render", "box.obj", "-o", "a.png", "--size", "64x64"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stderr.take());
    assert_eq!(child.wait().expect("the command ends").code(), Some(0));
}

#[cfg(unix)]
#[test]
fn an_interruption_leaves_nothing() {
    let folder = folder("interrupted");
    folder.write("old.png", "mine");
    let before = folder.files();
    for output in ["new.png", "old.png"] {
        let mut child = folder
            .command(&["render", "builtin:range", "-o", output, "--size", "8000x8000"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let start = Instant::now();
        while folder.files() == before {
            assert!(start.elapsed() < Duration::from_secs(60), "it never began to write");
            assert_eq!(child.try_wait().expect("asked"), None, "it still draws");
            std::thread::sleep(Duration::from_millis(10));
        }
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        assert!(sent.success());
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!(output.status.code(), Some(130));
        assert_eq!((output.stdout.as_slice(), output.stderr.as_slice()), (&b""[..], &b""[..]));
        assert_eq!(folder.files(), before);
        assert_eq!(folder.read("old.png"), "mine");
    }
}

#[cfg(unix)]
#[test]
fn an_output_by_another_name_of_an_input_is_refused() {
    let folder = folder("links");
    folder.write("places.csv", "x,z\n0.5,0.5\n");
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0.5,0.5,2,0,0,-1\n");
    for (name, input) in [("places", "places.csv"), ("rays", "rays.csv"), ("box", "box.obj")] {
        std::os::unix::fs::symlink(folder.path(input), folder.path(&format!("{name}-soft.csv")))
            .expect("a link");
        fs::hard_link(folder.path(input), folder.path(&format!("{name}-hard.csv"))).expect("a link");
    }
    let before = (folder.read("places.csv"), folder.read("rays.csv"), folder.files());
    for link in ["soft", "hard"] {
        for (args, output) in [
            (&["height", "box.obj", "--at", "places.csv"][..], "places"),
            (&["height", "box.obj", "--at", "places.csv"], "box"),
            (&["cast", "box.obj", "--rays", "rays.csv"], "rays"),
            (&["cast", "box.obj", "--rays", "rays.csv"], "box"),
        ] {
            let output = format!("{output}-{link}.csv");
            let ran = folder.run(&[args, &["-o", &output]].concat());
            let message =
                format!("hitscan: {output}: is also an input; the output needs a name of its own\n");
            assert_eq!((ran.code, ran.err), (Some(1), message), "{args:?}");
        }
    }
    assert_eq!((folder.read("places.csv"), folder.read("rays.csv"), folder.files()), before);
}

#[test]
fn bash_completes() {
    if !has("bash") {
        return;
    }
    let folder = folder("completes");
    let ran = folder.run(&["completions", "bash"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    folder.write("hitscan.bash", &ran.out);
    let completed = |words: &[&str]| {
        let list: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let line = format!(
            "compopt() {{ :; }}; source hitscan.bash; COMP_WORDS=({}); COMP_CWORD={}; _hitscan hitscan '{last}' '{before}'; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            list.join(" "),
            words.len() - 1
        );
        let mut command = Command::new("bash");
        command.args(["--norc", "-c", &line]).current_dir(folder.path("."));
        let ran = folder.run_command(command, b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{words:?}");
        ran.out.lines().map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(completed(&["hitscan", "ca"]), ["cast"]);
    assert_eq!(completed(&["hitscan", "check", "--st"]), ["--strict"]);
    assert_eq!(completed(&["hitscan", "render", "--output", "bo"]), ["box.obj"]);
    // Nothing of its own for a scene: bash then offers files by itself.
    assert_eq!(completed(&["hitscan", "check", "bo"]), [""]);
    assert!(ran.out.contains("complete -F _hitscan -o nosort -o bashdefault -o default hitscan"));
    assert_eq!(completed(&["hitscan", "render", "--shade", "no"]), ["normal"]);
    assert_eq!(completed(&["hitscan", "completions", "fi"]), ["fish"]);
    for (command, option, word, all) in [
        ("cast", "--mode", "", &["closest", "occluded", "all", "intervals"][..]),
        ("cast", "--format", "", &["table", "csv", "json", "jsonl", "npy", "parquet"]),
        ("cast", "--input-format", "", &["csv", "jsonl", "npy", "parquet"]),
        ("cast", "--invalid", "", &["error", "miss"]),
        ("pick", "--format", "", &["table", "csv", "json", "jsonl"]),
        ("pick", "--up", "+", &["+X", "+Y", "+Z"]),
        ("height", "--up", "+", &["+X", "+Y", "+Z"]),
        ("sight", "--up", "+", &["+X", "+Y", "+Z"]),
        ("sight", "--pairs", "", &["zip", "all"]),
        ("sight", "--format", "", &["csv", "json", "jsonl", "npy", "parquet"]),
        ("viewshed", "--up", "+", &["+X", "+Y", "+Z"]),
        ("inside", "--rule", "", &["parity", "winding"]),
        ("inside", "--format", "", &["table", "csv", "json", "jsonl", "npy", "parquet"]),
        ("build", "--preset", "", &["fast", "balanced", "best", "compact"]),
    ] {
        assert_eq!(completed(&["hitscan", command, option, word]), all, "{command} {option}");
    }
    assert!(completed(&["hitscan", "info", "--th"]).contains(&"--threads".to_owned()));
}

#[test]
fn each_shell_has_completions() {
    let folder = folder("completions");
    for (shell, begins) in [
        ("bash", "_hitscan() {"),
        ("zsh", "#compdef hitscan"),
        ("fish", "# Print an optspec"),
        ("elvish", "\nuse builtin;"),
        ("powershell", "\nusing namespace"),
    ] {
        let ran = folder.run(&["completions", shell]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{shell}");
        assert!(ran.out.starts_with(begins), "{shell}: {}", &ran.out[..60]);
        assert!(ran.out.contains("strict"), "{shell}");
    }
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let folder = folder("manual");
    let ran = folder.run(&["man", "-o", "man/man1"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
    let listed = fs::read_dir(folder.path("man/man1")).expect("a folder");
    let mut pages: Vec<String> =
        listed.map(|entry| entry.expect("listed").file_name().to_string_lossy().into_owned()).collect();
    pages.sort();
    let help = folder.run(&["--help"]).out;
    let commands =
        help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list");
    let commands: Vec<&str> = commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let mut expected: Vec<String> = commands.iter().map(|name| format!("hitscan-{name}.1")).collect();
    expected.push("hitscan.1".into());
    expected.sort();
    assert_eq!(pages, expected);
    for command in &commands {
        let page = folder.run(&["man", command]);
        assert_eq!(page.code, Some(0));
        assert_eq!(page.out, folder.read(&format!("man/man1/hitscan-{command}.1")));
    }
    assert_eq!(folder.run(&["man"]).out, folder.read("man/man1/hitscan.1"));
    if has("groff") {
        for page in &pages {
            let path = folder.path("man/man1").join(page);
            let mut groff = Command::new("groff");
            groff.args(["-man", "-Tascii", "-P-cbou", "-ww"]).arg(path);
            let ran = folder.run_command(groff, b"");
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{page}");
            for part in ["NAME", "SYNOPSIS", "OPTIONS", "--threads", "EXAMPLE"] {
                assert!(ran.out.contains(part), "{page}: {part}\n{}", ran.out);
            }
        }
    }
}

#[test]
fn findings_count_where_nobody_reads_on() {
    let folder = folder("strict-closed");
    folder.write("open.obj", CUBE.replace("f 3 7 8 4\n", ""));
    for (scene, more, code) in [
        ("open.obj", &["--strict"][..], 1),
        ("open.obj", &["--strict", "--json"], 1),
        ("open.obj", &[], 0),
        ("box.obj", &["--strict"], 0),
    ] {
        let ended = unread(&folder, &[&["check", scene], more].concat());
        assert_eq!(ended, (Some(code), String::new()), "{scene} {more:?}");
    }
}

const RAYS: &str = "ox,oy,oz,dx,dy,dz\n0.5,0.25,2,0,0,-1\n";

#[cfg(unix)]
#[test]
fn a_stream_by_its_name_goes_on_where_it_is() {
    let folder = folder("named-streams");
    folder.write("rays.csv", RAYS);
    std::os::unix::fs::symlink("/dev/stdout", folder.path("link.csv")).expect("a link");
    let before = folder.files();
    for (output, redirected) in [
        ("/dev/stdout", ">> all.csv"),
        ("/dev/stdout", "> all.csv"),
        ("link.csv", ">> all.csv"),
        ("/dev/fd/1", ">> all.csv"),
        ("/dev/stdout", "| cat >> all.csv"),
        ("/dev/stderr", "2>> all.csv"),
        ("/dev/fd/3", "3>> all.csv"),
        #[cfg(target_os = "linux")]
        ("/proc/self/fd/3", "3>> all.csv"),
    ] {
        let cast = format!("hitscan cast box.obj --rays rays.csv --columns ray,t -o {output} --no-clobber");
        // Both of a group where the stream is not opened to append.
        let line = match redirected.strip_prefix("> ") {
            Some(file) => format!("{{ echo kept; {cast}; echo end; }} > {file}"),
            None => format!("echo kept > all.csv; {cast} {redirected}; echo end >> all.csv"),
        };
        let ran = shell(&folder, &line);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""), "{line}");
        assert_eq!(folder.read("all.csv"), "kept\nray,t\n0,1\nend\n", "{line}");
        fs::remove_file(folder.path("all.csv")).expect("it is there");
        assert_eq!(folder.files(), before, "{line}");
    }
    let own = "is also an input; the output needs a name of its own";
    let ran = shell(&folder, "hitscan cast box.obj --rays rays.csv -o /dev/stdout >> rays.csv");
    assert_eq!((ran.code, ran.err), (Some(1), format!("hitscan: /dev/stdout: {own}\n")));
    let ran = shell(&folder, "hitscan cast box.obj --rays rays.csv -o /dev/stdout --resume > all.csv");
    let message = "hitscan: /dev/stdout: is not a file; --resume needs one that can be gone on with\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), message));
    assert_eq!(folder.read("rays.csv"), RAYS);
}

#[cfg(unix)]
#[test]
fn an_output_that_is_standard_input_too_is_refused() {
    let folder = folder("stdin-too");
    folder.write("rays.csv", RAYS);
    folder.write("points.csv", "x,y,z\n0.5,0.25,2\n");
    folder.write("places.csv", "x,z\n0.5,0.25\n");
    for (line, output) in [
        ("cast box.obj --rays - -o rays.csv < rays.csv", "rays.csv"),
        ("sight box.obj --from - --to 1,2,3 -o points.csv < points.csv", "points.csv"),
        ("height box.obj --at - -o places.csv < places.csv", "places.csv"),
        ("cast - --rays rays.csv --format csv -o box.obj < box.obj", "box.obj"),
    ] {
        let before = folder.read(output);
        let ran = shell(&folder, &format!("hitscan {line}"));
        let message = format!("hitscan: {output}: is also an input; the output needs a name of its own\n");
        assert_eq!((ran.code, ran.err), (Some(1), message), "{line}");
        assert_eq!(folder.read(output), before);
    }
    // A device may be both.
    let ran = shell(&folder, "hitscan height box.obj --at - -o /dev/null < /dev/null");
    assert!(ran.err.starts_with("hitscan: standard input: the file is empty"), "{}", ran.err);
    let ran = shell(&folder, "hitscan cast box.obj --rays - --columns t -o hits.csv < rays.csv");
    assert_eq!((ran.code, folder.read("hits.csv").as_str()), (Some(0), "t\n1\n"));
}

/// Starts a batch that has begun its output and now waits for the scene.
fn waiting_for_its_scene(folder: &Folder, mut command: Command) -> Child {
    let before = folder.files();
    let command = command.current_dir(folder.path(".")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let child = command.stderr(Stdio::piped()).spawn().expect("the command starts");
    let start = Instant::now();
    while folder.files() == before {
        assert!(start.elapsed() < Duration::from_secs(60), "it never began to write");
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

#[test]
fn a_file_that_appears_meanwhile_is_not_replaced() {
    let folder = folder("appears");
    folder.write("rays.csv", RAYS);
    let before = folder.files();
    let args = ["cast", "-", "--rays", "rays.csv", "--columns", "t", "-o", "out.csv", "--no-clobber"];
    let mut child = waiting_for_its_scene(&folder, folder.command(&args));
    folder.write("out.csv", "mine");
    let mut scene = child.stdin.take().expect("piped");
    scene.write_all(CUBE.as_bytes()).expect("it reads");
    drop(scene);
    let output = child.wait_with_output().expect("the command ends");
    let message = "hitscan: out.csv: exists; --no-clobber needs a name that is free\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), message);
    assert_eq!((output.status.code(), folder.read("out.csv").as_str()), (Some(1), "mine"));
    fs::remove_file(folder.path("out.csv")).expect("it is there");
    assert_eq!(folder.files(), before);
    let ran = folder.run_with_input(&args, CUBE.as_bytes());
    assert_eq!((ran.code, folder.read("out.csv").as_str()), (Some(0), "t\n1\n"));
    fs::remove_file(folder.path("out.csv")).expect("it is there");
    assert_eq!(folder.files(), before);
}

#[cfg(target_os = "linux")] // elsewhere nobody tells which signals are ignored
#[test]
fn a_signal_that_was_ignored_stays_so() {
    let folder = folder("ignored-signals");
    folder.write("rays.csv", RAYS);
    let before = folder.files();
    for (ignored, ends) in [("HUP", "TERM"), ("INT", "HUP"), ("TERM", "INT")] {
        // As `nohup` starts a command, and `sh` one in the background.
        let hitscan = env!("CARGO_BIN_EXE_hitscan");
        let line = format!("trap '' {ignored}; exec '{hitscan}' cast - --rays rays.csv -o out.csv");
        let mut command = program("sh");
        command.args(["-c", &line]);
        let mut child = waiting_for_its_scene(&folder, command);
        // At the end of which it would end by itself.
        let scene = child.stdin.take();
        let send = |kind: &str| {
            let kill = Command::new("kill").args([&format!("-{kind}"), &child.id().to_string()]).status();
            assert!(kill.expect("kill").success());
        };
        send(ignored);
        std::thread::sleep(Duration::from_millis(300));
        assert!(folder.files() != before, "{ignored} is ignored");
        send(ends);
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!(output.status.code(), Some(130), "{ends} after {ignored}");
        assert_eq!(folder.files(), before, "{ends} after {ignored}");
        drop(scene);
    }
}

#[test]
fn a_scene_from_a_pipe_is_known_by_its_bytes() {
    let folder = folder("piped-scene");
    let down = "--from 0.5,0.25,2 --dir 0,0,-1 --mode closest --format csv";
    let expected = shell(&folder, &format!("hitscan cast box.obj {down}"));
    let ran = shell(&folder, &format!("cat box.obj | hitscan cast /dev/stdin {down}"));
    assert_eq!((ran.code, ran.out, ran.err.as_str()), (Some(0), expected.out, ""));
    let ran = shell(&folder, "cat box.obj | hitscan viewshed /dev/stdin --at 0.5,0.5 --cell 0.25");
    assert!(ran.out.contains("4 x 4 of"), "{ran:?}");
}

#[test]
fn the_synopsis_has_the_values_of_options() {
    let folder = folder("man-synopsis");
    let page = folder.run(&["man", "cast"]).out;
    let usage = "\n\\fBhitscan cast\\fR [OPTIONS] <\\-\\-from <X,Y,Z>|\\-\\-rays <FILE>> <SCENE>\n";
    assert!(page.contains(usage), "{}", page.lines().take(14).collect::<Vec<_>>().join("\n"));
}
