//! Disks without room, folders and files that may not be touched, interruptions: an error of one line, an exit code,
//! nothing under the final name and nothing beside it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::rays::{csv, rays};
use crate::common::{CUBE, Folder, Ran};

/// Each command that writes a file, without its `-o`, and the file's name.
const WRITERS: [(&[&str], &str); 8] = [
    (&["cast", "box.obj", "--rays", "rays.csv"], "hits.csv"),
    (&["cast", "box.obj", "--rays", "rays.csv", "--resume", "-q"], "hits.parquet"),
    (&["inside", "box.obj", "--at", "places.csv"], "inside.npy"),
    (&["sight", "box.obj", "--from", "1,2,3", "--to", "places.csv"], "sight.json"),
    (&["height", "box.obj", "--at", "places.csv"], "heights.csv"),
    (&["render", "builtin:range", "--size", "400x300"], "range.png"),
    (&["build", "builtin:terrain:10k"], "terrain.hitscan"),
    (&["viewshed", "builtin:terrain:100k", "--at", "12,-30"], "seen.png"),
];

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    let rays = rays(5_000, 0xfa17);
    let places: String = rays.iter().map(|[x, y, z, ..]| format!("{x},{y},{z}\n")).collect();
    folder.write("box.obj", CUBE);
    folder.write("rays.csv", csv(&rays));
    folder.write("places.csv", "x,y,z\n".to_owned() + &places);
    folder
}

/// Runs a program with the command behind its own arguments.
fn run_by(folder: &Folder, program: &str, own: &[&str], args: &[&str]) -> Ran {
    let mut command = Command::new(program);
    command.args(own).arg(env!("CARGO_BIN_EXE_hitscan")).args(args);
    command.current_dir(folder.path(".")).env_remove("HITSCAN_ISA");
    folder.run_command(command, b"")
}

#[test]
fn a_full_disk() {
    let folder = folder("faults-full");
    for (args, out) in WRITERS {
        for is_there in [false, true] {
            if is_there {
                folder.write(out, "mine");
            }
            let before = folder.files();
            // A limit on the size of files stands for a full disk; the signal that tells of it is not wanted.
            let script = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
            let ran = run_by(&folder, "bash", &["-c", script, "bash"], &[args, &["-o", out]].concat());
            let told = format!(
                "hitscan: {out}: cannot be written (file too large); expected a file that can be written\n"
            );
            assert_eq!((ran.code, ran.out.as_str(), ran.err), (Some(1), "", told), "{args:?}");
            assert_eq!(folder.files(), before, "{args:?}");
        }
        assert_eq!(folder.read(out), "mine");
        // With room there is nothing wrong with it.
        let ran = folder.run(&[args, &["-o", out]].concat());
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
        assert!(fs::metadata(folder.path(out)).unwrap().len() > 8 << 10, "{out} is larger than the limit");
    }
}

/// Who runs the command where permissions count: nobody, where all is allowed to this user, who is root then.
fn as_others(folder: &Folder) -> Option<(&'static str, &'static [&'static str])> {
    let probe = folder.write("probe", "");
    fs::set_permissions(&probe, fs::Permissions::from_mode(0o000)).unwrap();
    let counts = fs::read(&probe).is_err();
    fs::remove_file(&probe).unwrap();
    if counts {
        return Some(("env", &[]));
    }
    let nobody: &[&str] = &["--reuid", "65534", "--regid", "65534", "--clear-groups"];
    let mut tried = Command::new("setpriv");
    tried.args(nobody).args([env!("CARGO_BIN_EXE_hitscan"), "--version"]).current_dir(folder.path("."));
    let tried = tried.output();
    if tried.is_ok_and(|tried| tried.status.success()) {
        return Some(("setpriv", nobody));
    }
    eprintln!("SKIPPED: permissions do not count for this user, and setpriv cannot make another one of it");
    None
}

#[test]
fn a_read_only_folder() {
    let folder = folder("faults-read-only");
    let Some((program, own)) = as_others(&folder) else { return };
    let permit = |mode| fs::set_permissions(folder.path("."), fs::Permissions::from_mode(mode)).unwrap();
    for (args, out) in WRITERS {
        for is_there in [false, true] {
            if is_there {
                folder.write(out, "mine");
                // The file may be written, but not replaced.
                fs::set_permissions(folder.path(out), fs::Permissions::from_mode(0o666)).unwrap();
            }
            let before = folder.files();
            permit(0o555);
            let ran = run_by(&folder, program, own, &[args, &["-o", out]].concat());
            permit(0o755);
            let what = ": cannot be written (permission denied); expected a file that can be written\n";
            assert!(ran.err.starts_with("hitscan: ") && ran.err.ends_with(what), "{args:?}: {}", ran.err);
            assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (Some(1), "", 1), "{args:?}");
            assert_eq!(folder.files(), before, "{args:?}");
        }
        assert_eq!(folder.read(out), "mine");
    }
}

#[test]
fn a_read_only_output_is_gone_on_with() {
    let folder = folder("faults-read-only-output");
    let Some((program, own)) = as_others(&folder) else { return };
    folder.write("rays.csv", csv(&rays(400_000, 0xfa17)));
    let args = ["cast", "builtin:soup:100k", "--rays", "rays.csv", "-q", "--threads", "1"];
    let whole = folder.run(&[&args[..], &["-o", "whole.csv"]].concat());
    assert_eq!(whole.code, Some(0), "{}", whole.err);
    fs::set_permissions(folder.write("out.csv", "mine"), fs::Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(folder.path("."), fs::Permissions::from_mode(0o777)).unwrap();
    // A full disk, after something was kept, is an interruption too.
    let most = fs::metadata(folder.path("whole.csv")).unwrap().len() * 7 / 8;
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", most / 1024);
    let args = [&args[..], &["-o", "out.csv", "--resume"]].concat();
    let limited = [own, &["bash", "-c", &script, "bash"]].concat();
    let ran = run_by(&folder, program, &limited, &args);
    assert_eq!((ran.code, folder.read("out.csv").as_str()), (Some(1), "mine"), "{}", ran.err);
    assert!(folder.path("out.csv.partial").exists(), "what was done is kept");
    let ran = run_by(&folder, program, own, &args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(folder.read("out.csv") == folder.read("whole.csv"));
    assert_eq!(fs::metadata(folder.path("out.csv")).unwrap().permissions().mode() & 0o777, 0o444);
}

#[test]
fn unreadable_inputs() {
    let folder = folder("faults-unreadable");
    fs::create_dir(folder.path("folder.csv")).unwrap();
    fs::create_dir(folder.path("folder.obj")).unwrap();
    symlink("nowhere", folder.path("link.csv")).unwrap();
    symlink("nowhere", folder.path("link.obj")).unwrap();
    for name in ["secret.csv", "secret.obj"] {
        fs::set_permissions(folder.write(name, CUBE), fs::Permissions::from_mode(0o000)).unwrap();
    }
    let others = as_others(&folder);
    let (program, own) = others.unwrap_or(("env", &[]));
    // The command may write here whoever runs it, and yet nothing is left.
    fs::set_permissions(folder.path("."), fs::Permissions::from_mode(0o777)).unwrap();
    let before = folder.files();
    for (kind, of_table, of_scene) in [
        ("folder", "is a directory", "is a directory"),
        ("link", "no such file", "no such file"),
        ("secret", "cannot be read (permission denied)", "permission denied"),
    ] {
        if kind == "secret" && others.is_none() {
            continue; // as_others has told
        }
        let (table, scene) = (format!("{kind}.csv"), format!("{kind}.obj"));
        for args in [
            &["cast", "box.obj", "--rays", &table, "-o", "out.csv"][..],
            &["cast", "box.obj", "--rays", &table, "-o", "out.csv", "--resume"],
            &["inside", "box.obj", "--at", &table, "-o", "out.csv"],
            &["sight", "box.obj", "--from", "1,2,3", "--to", &table, "-o", "out.csv"],
            &["height", "box.obj", "--at", &table, "-o", "out.csv"],
            &["cast", &scene, "--rays", "rays.csv", "-o", "out.csv"],
            &["cast", &scene, "--rays", "rays.csv", "-o", "out.csv", "--resume"],
            &["inside", &scene, "--at", "places.csv", "-o", "out.csv"],
            &["sight", &scene, "--from", "1,2,3", "--to", "places.csv", "-o", "out.csv"],
            &["height", &scene, "--at", "places.csv", "-o", "out.csv"],
            &["render", &scene, "-o", "out.png"],
            &["build", &scene, "-o", "out.hitscan"],
            &["viewshed", &scene, "--at", "0,0", "-o", "out.tif"],
            &["info", &scene],
            &["check", &scene],
        ] {
            let ran = run_by(&folder, program, own, args);
            let is_table = args.contains(&table.as_str());
            let (name, what) = if is_table { (&table, of_table) } else { (&scene, of_scene) };
            assert!(ran.err.starts_with(&format!("hitscan: {name}: {what}; ")), "{args:?}: {}", ran.err);
            assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (Some(1), "", 1), "{args:?}");
            assert_eq!(folder.files(), before, "{args:?}");
        }
    }
}

#[test]
fn interruptions_at_any_moment() {
    let folder = folder("faults-interrupted");
    let many = rays(150_000, 0xfa17);
    let places: String = many.iter().map(|[x, y, z, ..]| format!("{x},{y},{z}\n")).collect();
    folder.write("rays.csv", csv(&many));
    folder.write("places.csv", "x,y,z\n".to_owned() + &places);
    let before = folder.files();
    let mut random = 0x9e37_79b9_u32;
    let (mut interrupted, mut complete) = (0, 0);
    for (args, out) in WRITERS {
        // Its files may stay; resume.rs interrupts it.
        let args: Vec<&str> = args.iter().copied().filter(|&word| word != "--resume").collect();
        let args = [&args[..], &["-o", out, "--threads", "1"]].concat();
        let slow = folder.run(&args);
        assert_eq!(slow.code, Some(0), "{args:?}: {}", slow.err);
        let whole = fs::read(folder.path(out)).unwrap();
        fs::remove_file(folder.path(out)).unwrap();
        for kind in ["-INT", "-TERM", "-INT", "-TERM", "-INT", "-TERM"] {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let share = f64::from(random >> 8) / f64::from(1 << 24);
            let mut child = folder
                .command(&args)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_secs_f64(slow.took.as_secs_f64() * share));
            let sent = Command::new("kill").args([kind, &child.id().to_string()]).status().expect("kill");
            assert!(sent.success());
            let code = child.wait().unwrap().code();
            // Before the handler is there, the system ends it: nothing has been made then.
            assert!(matches!(code, Some(0 | 130) | None), "{args:?}: {code:?}");
            match fs::read(folder.path(out)) {
                Ok(bytes) => {
                    assert!(bytes == whole, "{args:?}: it has its name and is not complete");
                    fs::remove_file(folder.path(out)).unwrap();
                    complete += 1;
                }
                Err(_) => {
                    assert_ne!(code, Some(0), "{args:?}");
                    interrupted += 1;
                }
            }
            assert_eq!(folder.files(), before, "{args:?}");
        }
    }
    eprintln!("interrupted {interrupted}, complete {complete}");
    assert!(interrupted > 8, "most of them were still at work");
}
