//! `--resume`: a batch that is interrupted at any moment, however often, ends with the bytes of one that is not.

use std::fmt::Write;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::parquet::{Data, file};
use crate::common::rays::rays;
use crate::common::{Folder, Ran};
use parquet::file::properties::WriterProperties;

/// Rows of an input: some row groups of answers.
const ROWS: usize = 200_000;

/// Rows that are no rays.
const BAD: [usize; 3] = [3, 100_001, 199_000];

/// How often an input is doubled, at most, for a machine that is faster than any signal.
const DOUBLINGS: u32 = 5;

/// Writes the same rays to a file of any format; a row has a name where the format has text.
fn write_rays(folder: &Folder, name: &str, count: usize) {
    let mut rays = rays(count, 0x9e3e);
    BAD.into_iter().for_each(|row| rays[row][0] = f64::NAN);
    let bytes = match name.split('.').next_back() {
        Some("csv") => {
            let mut text = "id,ox,oy,oz,dx,dy,dz\n".to_owned();
            for (row, [ox, oy, oz, dx, dy, dz]) in rays.iter().enumerate() {
                writeln!(text, "row {row},{ox},{oy},{oz},{dx},{dy},{dz}").unwrap();
            }
            text.into_bytes()
        }
        Some("jsonl") => {
            let mut text = String::new();
            for (row, [ox, oy, oz, dx, dy, dz]) in rays.iter().enumerate() {
                let ox = if ox.is_nan() { "\"no\"".to_owned() } else { ox.to_string() };
                let numbers = format!(r#""ox":{ox},"oy":{oy},"oz":{oz},"dx":{dx},"dy":{dy},"dz":{dz}"#);
                writeln!(text, r#"{{{numbers},"id":"row {row}"}}"#).unwrap();
            }
            text.into_bytes()
        }
        Some("npy") => {
            let dict = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({count}, 6), }}\n");
            let length = (dict.len() as u16).to_le_bytes();
            let numbers: Vec<u8> = rays.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
            [b"\x93NUMPY\x01\0", &length[..], dict.as_bytes(), &numbers].concat()
        }
        _ => {
            let column = |at: usize| Data::Double(rays.iter().map(|ray| Some(ray[at])).collect());
            let names = (0..count).map(|row| Some(format!("row {row}").into_bytes())).collect();
            let numbers = (0..count).map(|row| Some(row as i32)).collect();
            let code = |row: usize| (!row.is_multiple_of(5)).then(|| vec![row as u8, 1, 2]);
            let codes = (0..count).map(code).collect();
            let kept = [Data::Bytes(names), Data::Int32(numbers), Data::Fixed(codes)];
            let columns: Vec<Data> = (0..6).map(column).chain(kept).collect();
            let numbers =
                ["ox", "oy", "oz", "dx", "dy", "dz"].map(|name| format!("required double {name}; "));
            let kept =
                "optional binary id (UTF8); required int32 row; optional fixed_len_byte_array(3) code;";
            let schema = numbers.concat() + kept;
            // A row group is more than is read at once, so that one is gone on with in its middle.
            file(&schema, &columns, count, 150_000, WriterProperties::builder())
        }
    };
    folder.write(name, bytes);
}

/// The command at its slowest, so that there is time to interrupt it.
fn slowly(folder: &Folder, args: &[&str]) -> Command {
    let mut command = folder.command(args);
    command.args(["--threads", "1"]).env("HITSCAN_ISA", "scalar");
    command
}

fn run(folder: &Folder, args: &[&str]) -> Ran {
    folder.run_command(slowly(folder, args), b"")
}

/// How many rays the state of an output says are done; 0 where there is none.
fn progress(folder: &Folder, out: &str) -> u64 {
    let bytes = fs::read(folder.path(&format!("{out}.partial.state"))).unwrap_or_default();
    let json = bytes.split(|&byte| byte == b'\n').nth(1).unwrap_or_default();
    let state: serde_json::Value = serde_json::from_slice(json).unwrap_or_default();
    let number = |value: &serde_json::Value| value.as_u64().unwrap_or(0);
    number(&state["mark"]["tally"]["rows"]) + number(&state["mark"]["answered"])
}

fn start(folder: &Folder, args: &[&str]) -> Child {
    let mut command = slowly(folder, args);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}

/// Waits until more rows are done than were before; false where the batch ends without.
fn waits_for_more(folder: &Folder, out: &str, before: u64, child: &mut Child) -> bool {
    let begun = Instant::now();
    while progress(folder, out) <= before {
        assert!(begun.elapsed() < Duration::from_secs(60), "{out}: nothing is ever kept");
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

/// Starts a batch and kills it once something is kept; whether it is unfinished, by that or by an error of its own.
fn kill_once_kept(folder: &Folder, args: &[&str], out: &str) -> bool {
    let mut child = start(folder, args);
    waits_for_more(folder, out, 0, &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    let is_unfinished = folder.path(&format!("{out}.partial")).exists();
    if !is_unfinished {
        // Between the output's name and its last breath, a kill leaves the state.
        let _ = fs::remove_file(folder.path(&format!("{out}.partial.state")));
    }
    is_unfinished
}

/// Has a batch ended early by `stop`, which says whether there was time for that; where there was none, `write` makes an
/// input of more rows. How many rows it has then.
fn stopped(folder: &Folder, out: &str, write: impl Fn(usize), mut stop: impl FnMut() -> bool) -> usize {
    let mut rows = ROWS;
    for _ in 0..=DOUBLINGS {
        write(rows);
        if stop() {
            return rows;
        }
        fs::remove_file(folder.path(out)).expect("it is complete");
        rows *= 2;
    }
    panic!("{out}: it was complete before it could be ended early, with {rows} rows too");
}

/// Starts a batch and interrupts it once it has gone further than it was; whether there was time for that.
fn interrupt(folder: &Folder, args: &[&str], out: &str, kind: &str) -> bool {
    let before = progress(folder, out);
    let mut child = start(folder, args);
    if !waits_for_more(folder, out, before, &mut child) {
        let ended = child.wait_with_output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        return false;
    }
    signal(&child, kind);
    let ended = child.wait_with_output().unwrap();
    if folder.path(out).exists() {
        // It was faster than the signal. Between the output's name and its last breath, a kill leaves the state.
        let _ = fs::remove_file(folder.path(&format!("{out}.partial.state")));
        return false;
    }
    let told = String::from_utf8(ended.stderr).unwrap();
    if kind == "-KILL" {
        assert_eq!(ended.status.signal(), Some(9));
    } else {
        assert_eq!(ended.status.code(), Some(130), "{told}");
        let last = told.lines().last().unwrap();
        let words = last.strip_prefix("hitscan: interrupted after ").expect(&told);
        let (far, rest) = words.split_once(' ').expect(&told);
        assert_eq!(number(far), progress(folder, out));
        assert!(rest.ends_with("s; --resume goes on from there"), "{told}");
        // After a kill, a state may be left that was being written.
        let left: Vec<String> = folder.files().into_iter().filter(|name| name.contains("partial")).collect();
        assert_eq!(left, [format!("{out}.partial"), format!("{out}.partial.state")]);
    }
    true
}

fn number(text: &str) -> u64 {
    text.replace(',', "").parse().expect("a number")
}

/// Asks once without an interruption and with each kind of it, and compares the bytes. `args` leave the output open. Where
/// the batch is over before it can be interrupted, `grow` makes an input of so many rows instead.
fn compare(folder: &Folder, args: &[&str], format: &str, grow: impl Fn(usize)) {
    let (out, whole) = (format!("out.{format}"), format!("whole.{format}"));
    let before = folder.files();
    let mut kinds = vec!["-INT", "-KILL", "-TERM"];
    let mut rows = ROWS;
    for _ in 0..=DOUBLINGS {
        let uninterrupted = run(folder, &[args, &["-o", &whole]].concat());
        assert_eq!(uninterrupted.code, Some(0), "{}", uninterrupted.err);
        loop {
            let resumed = [args, &["-o", &out, "--resume"]].concat();
            let interruptions =
                kinds.iter().take_while(|kind| interrupt(folder, &resumed, &out, kind)).count();
            eprintln!("interrupted {interruptions} times: {resumed:?}");
            end(folder, &resumed, &out, &uninterrupted.err);
            let paths = [&whole, &out].map(|name| fs::read(folder.path(name)).unwrap());
            assert!(paths[0] == paths[1], "{args:?}: other bytes");
            fs::remove_file(folder.path(&out)).unwrap();
            kinds.drain(..interruptions);
            if kinds.is_empty() || interruptions == 0 {
                break;
            }
        }
        fs::remove_file(folder.path(&whole)).unwrap();
        assert_eq!(folder.files(), before, "nothing else is left");
        if kinds.is_empty() {
            break;
        }
        rows *= 2;
        grow(rows);
    }
    assert!(kinds.is_empty(), "{kinds:?} were never tried: {args:?}");
    grow(ROWS);
}

/// Goes on with a batch to its end, if it is not there yet; what is told besides is what an uninterrupted one tells.
fn end(folder: &Folder, args: &[&str], out: &str, told_besides: &str) {
    if folder.path(out).exists() {
        return;
    }
    let far = progress(folder, out);
    let ran = run(folder, args);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let told = ran.err.strip_prefix(&format!("hitscan: {out}: goes on after ")).expect(&ran.err);
    let (words, rest) = told.split_once('\n').expect(&ran.err);
    assert_eq!(number(words.split(' ').next().unwrap()), far);
    assert_eq!(rest, told_besides, "what was counted before counts");
}

/// Each format from one of the others.
fn each_format(mode: &str, scene: &str, first: usize) {
    let folder = Folder::new(&format!("resume-{mode}"));
    let inputs = ["rays.csv", "rays.jsonl", "rays.npy", "rays.parquet"];
    inputs.iter().for_each(|name| write_rays(&folder, name, ROWS));
    let cast = |input, format, keep: &[&str]| {
        let args = [&["cast", scene, "--rays", input, "--mode", mode, "--invalid", "miss"], keep].concat();
        let size = std::cell::Cell::new(ROWS);
        compare(&folder, &args, format, |rows| {
            if size.replace(rows) != rows {
                write_rays(&folder, input, rows);
            }
        });
    };
    for (at, format) in ["csv", "jsonl", "json", "npy", "parquet"].into_iter().enumerate() {
        let input = inputs[(first + at) % inputs.len()];
        let has_text = format != "npy" && input != "rays.npy";
        cast(input, format, if has_text { &["--keep", "id"] } else { &[] });
    }
    // What is stored in one file is stored so in the other.
    cast("rays.parquet", "parquet", &["--keep", "code,row,id"]);
}

#[test]
fn closest_hits() {
    each_format("closest", "builtin:soup:100k", 0);
}

#[test]
fn all_hits() {
    each_format("all", "builtin:soup:10k", 1);
}

#[test]
fn occlusion() {
    each_format("occluded", "builtin:soup:100k", 2);
}

#[test]
fn points_and_lines_of_sight() {
    let folder = Folder::new("resume-points");
    let table = |count| {
        let rows = rays(count, 7);
        "x,y,z\n".to_owned() + &rows.iter().map(|[x, y, z, ..]| format!("{x},{y},{z}\n")).collect::<String>()
    };
    let few = |rows| drop(folder.write("few.csv", table(rows / 13)));
    let many = |rows| drop(folder.write("many.csv", table(rows)));
    few(ROWS);
    many(ROWS);
    let inside = ["inside", "builtin:soup:1k", "--at", "few.csv", "--rule", "winding"];
    compare(&folder, &inside, "csv", few);
    let sight = ["sight", "builtin:soup:100k", "--from", "1,2,3", "--to", "many.csv"];
    compare(&folder, &sight, "parquet", many);
}

/// A scene of its own, rays, and a batch that was interrupted; how it is called, and how many rays there are.
fn begun(name: &str) -> (Folder, Vec<&'static str>, usize) {
    let folder = Folder::new(name);
    let built = folder.run(&["build", "builtin:soup:100k", "-o", "soup.hitscan", "-q"]);
    assert_eq!(built.code, Some(0), "{}", built.err);
    let args =
        vec!["cast", "soup.hitscan", "--rays", "rays.csv", "--invalid", "miss", "-o", "out.csv", "--resume"];
    let write = |rows| write_rays(&folder, "rays.csv", rows);
    let rows = stopped(&folder, "out.csv", write, || interrupt(&folder, &args, "out.csv", "-KILL"));
    (folder, args, rows)
}

#[test]
fn another_batch_is_refused() {
    let (folder, args, _) = begun("resume-refused");
    let kept = ["out.csv.partial", "out.csv.partial.state"].map(|name| folder.path(name));
    let before = kept.each_ref().map(|path| fs::read(path).unwrap());
    let refused = |args: &[&str], what: &str| {
        let ran = run(&folder, args);
        let expected = "expected the same batch as before; without out.csv.partial it begins anew";
        assert_eq!(ran.err, format!("hitscan: {what}; {expected}\n"), "{args:?}");
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    };
    let is = |what: &str| format!("out.csv.partial: {what}");
    for (more, what) in [
        (&["--mode", "all"][..], "--mode was 'closest' and is 'all'"),
        (&["--mode", "first:3"], "--mode was 'closest' and is 'first:3'"),
        (
            &["--columns", "t,ray"],
            "--columns was 'ray,t,x,y,z,distance,u,v,mesh,instance,prim,facing,nx,ny,nz' and is 't,ray'",
        ),
        (&["--keep", "id"], "--keep was '' and is 'id'"),
        (&["--format", "jsonl"], "--format was 'csv' and is 'jsonl'"),
    ] {
        refused(&[&args, more].concat(), &is(what));
    }
    let strict: Vec<&str> =
        args.iter().copied().filter(|word| !["--invalid", "miss"].contains(word)).collect();
    refused(&strict, &is("--invalid was 'miss' and is 'error'"));
    let sight = ["sight", "soup.hitscan", "--from", "rays.csv", "--to", "1,2,3", "-o", "out.csv", "--resume"];
    folder.write("eyes.csv", "x,y,z\n1,2,4\n");
    refused(
        &sight.map(|word| if word == "rays.csv" { "eyes.csv" } else { word }),
        &is("it was another command"),
    );

    // Inputs that are not what they were; the same scene under another name is.
    let scene = fs::read(folder.path("soup.hitscan")).unwrap();
    folder.run(&["build", "builtin:soup:90k", "-o", "soup.hitscan", "-q"]);
    refused(&args, &is("the scene has changed since"));
    folder.write("again.hitscan", scene);
    let again: Vec<&str> =
        args.iter().map(|&word| if word == "soup.hitscan" { "again.hitscan" } else { word }).collect();
    let rays = fs::OpenOptions::new().append(true).open(folder.path("rays.csv")).unwrap();
    let (length, changed) = (rays.metadata().unwrap().len(), rays.metadata().unwrap().modified().unwrap());
    std::io::Write::write_all(&mut &rays, b"more,1,2,3,4,5,6\n").unwrap();
    refused(&again, &is("the file of rays has changed since"));
    rays.set_len(length).unwrap();
    refused(&again, &is("the file of rays has changed since"));
    rays.set_modified(changed).unwrap();

    // Files that are not what they were.
    let [partial, state] = &kept;
    let is = |what: &str| format!("out.csv.partial.state: {what}");
    for (bytes, what) in [
        (before[1][..before[1].len() - 9].to_vec(), "is damaged"),
        (Vec::new(), "is damaged"),
        (
            String::from_utf8(before[1].clone()).unwrap().replacen("\"rows\":", "\"rows\":1", 1).into_bytes(),
            "is damaged",
        ),
        (
            String::from_utf8(before[1].clone()).unwrap().replacen("batch 1 ", "batch 9 ", 1).into_bytes(),
            "has the version 9, and this hitscan writes 1",
        ),
    ] {
        fs::write(state, bytes).unwrap();
        refused(&again, &is(what));
    }
    fs::remove_file(state).unwrap();
    refused(&again, "out.csv.partial: there is no out.csv.partial.state with it");
    fs::write(state, &before[1]).unwrap();
    fs::write(partial, &before[0][..100]).unwrap();
    let ran = run(&folder, &again);
    assert!(ran.err.starts_with("hitscan: out.csv.partial: has 100 bytes of "), "{}", ran.err);
    assert_eq!(ran.code, Some(1));
    fs::write(partial, &before[0]).unwrap();

    let ran = run(&folder, &again);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.starts_with("hitscan: out.csv: goes on after "), "{}", ran.err);
    run(&folder, &["cast", "again.hitscan", "--rays", "rays.csv", "--invalid", "miss", "-o", "whole.csv"]);
    assert!(folder.read("out.csv") == folder.read("whole.csv"));
}

#[test]
fn a_batch_begins_anew_without_its_output() {
    let (folder, args, rows) = begun("resume-anew");
    fs::remove_file(folder.path("out.csv.partial")).unwrap();
    let ran = run(&folder, &[&args[..], &["--mode", "occluded"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.err.starts_with("hitscan: out.csv: there is nothing to go on from; it begins anew\n"),
        "{}",
        ran.err
    );
    assert_eq!(folder.read("out.csv").lines().count(), 1 + rows);
    assert!(!folder.files().iter().any(|name| name.contains("partial")));
}

#[test]
fn one_process_at_a_time() {
    let folder = Folder::new("resume-two");
    let args = ["cast", "builtin:soup:10k", "--rays", "rays.csv", "--invalid", "miss", "--mode", "all"];
    let args = [&args[..], &["-o", "out.jsonl", "--resume"]].concat();
    let mut first = None;
    let write = |rows| write_rays(&folder, "rays.csv", rows);
    stopped(&folder, "out.jsonl", write, || {
        let mut child = start(&folder, &args);
        if !waits_for_more(&folder, "out.jsonl", 0, &mut child) {
            return false;
        }
        // It stands still meanwhile, however slow the second one is.
        signal(&child, "-STOP");
        if folder.path("out.jsonl").exists() {
            signal(&child, "-CONT");
            child.wait().unwrap();
            return false;
        }
        first = Some(child);
        true
    });
    let first = first.expect("it was started");
    let second = run(&folder, &args);
    let told = "hitscan: out.jsonl.partial: is being written by another process; expected it to end first\n";
    assert_eq!((second.code, second.err.as_str()), (Some(1), told));
    signal(&first, "-CONT");
    let ended = first.wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(folder.files(), ["out.jsonl", "rays.csv"]);
}

#[test]
fn a_full_disk_is_gone_on_from() {
    let folder = Folder::new("resume-full");
    write_rays(&folder, "rays.npy", ROWS);
    let args = ["cast", "builtin:soup:100k", "--rays", "rays.npy", "--invalid", "miss", "-q"];
    let whole = run(&folder, &[&args[..], &["-o", "whole.csv"]].concat());
    assert_eq!(whole.code, Some(0), "{}", whole.err);
    let args = [&args[..], &["-o", "out.csv", "--resume"]].concat();
    // A limit on the size of files stands for a full disk; the signal that tells of it is not wanted.
    let most = fs::metadata(folder.path("whole.csv")).unwrap().len() * 7 / 8;
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", most / 1024);
    let mut limited = Command::new("bash");
    limited.args(["-c", &script, "bash", env!("CARGO_BIN_EXE_hitscan"), "--threads", "1"]).args(&args);
    limited.env("HITSCAN_ISA", "scalar").current_dir(folder.path("."));
    let ran = folder.run_command(limited, b"");
    let told = "hitscan: out.csv: cannot be written (file too large); expected a file that can be written\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), told));
    assert!(!folder.path("out.csv").exists());
    assert!(progress(&folder, "out.csv") > 0, "what was done is kept: {:?}", folder.files());
    let ran = run(&folder, &args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(folder.read("out.csv") == folder.read("whole.csv"));
    assert!(!folder.files().iter().any(|name| name.contains("partial")));
}

#[test]
fn an_error_has_the_line_that_it_would_have_had() {
    let folder = Folder::new("resume-line");
    let write = |rows| {
        write_rays(&folder, "rays.csv", rows);
        let mut text = folder.read("rays.csv");
        for bad in BAD {
            text = text.replacen(&format!("row {bad},NaN"), &format!("row {bad},0"), 1);
        }
        text = text.replacen(&format!("row {},", rows - 2), "last,oops", 1);
        folder.write("rays.csv", text);
    };
    let args = ["cast", "builtin:soup:100k", "--rays", "rays.csv", "-o", "out.csv", "--resume"];
    let rows = stopped(&folder, "out.csv", write, || kill_once_kept(&folder, &args, "out.csv"));
    let ran = run(&folder, &args);
    let expected = format!("hitscan: rays.csv:{rows}: ox is 'oops");
    assert!(ran.err.lines().last().unwrap().starts_with(&expected), "{}", ran.err);
    assert_eq!(ran.code, Some(1));
    assert!(!folder.path("out.csv").exists());
}

#[test]
fn what_cannot_be_resumed_is_refused_and_leaves_nothing() {
    let folder = Folder::new("resume-usage");
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,9,0,0,-1\n0,0,9,0,0,x\n");
    folder.write("x.csv.partial", "ox,oy,oz,dx,dy,dz\n");
    let before = folder.files();
    let batch = ["cast", "builtin:sphere:1k", "--resume", "--rays"];
    let standard_input = "--resume: standard input cannot be read again; expected files with it";
    let standard_output = "--resume: standard output cannot be gone on with; expected -o FILE with it";
    for (args, code, message) in [
        (&["-", "-o", "out.csv"][..], 2, standard_input),
        (&["rays.csv"], 2, standard_output),
        (&["rays.csv", "-o", "-"], 2, standard_output),
        (
            &["rays.csv", "-o", "/dev/null", "--format", "csv"],
            1,
            "/dev/null: is not a file; --resume needs one that can be gone on with",
        ),
        (
            &["/dev/null", "-o", "out.csv", "--input-format", "jsonl"],
            1,
            "/dev/null: is not a file, which could be read again; expected one with --resume",
        ),
        (
            &["x.csv.partial", "-o", "x.csv", "--input-format", "csv"],
            1,
            "x.csv.partial: is also an input; the output needs a name of its own",
        ),
        (
            &["rays.csv", "-o", "x.csv"],
            1,
            "x.csv.partial: there is no x.csv.partial.state with it; expected the same batch as before; \
             without x.csv.partial it begins anew",
        ),
        (
            &["rays.csv", "-o", "no/out.csv"],
            1,
            "no/out.csv.partial: no such folder; expected a file that can be written in a folder that exists",
        ),
    ] {
        let ran = folder.run(&[&batch, args].concat());
        assert_eq!((ran.code, ran.err), (Some(code), format!("hitscan: {message}\n")), "{args:?}");
        assert_eq!(folder.files(), before, "{args:?}");
    }
    let ran = folder.run(&["cast", "-", "--resume", "--rays", "rays.csv", "-o", "out.csv"]);
    assert_eq!((ran.code, ran.err), (Some(2), format!("hitscan: {standard_input}\n")));
    let ran = folder.run(&["cast", "a", "--from", "1,2,3", "--dir", "1,2,3", "--resume"]);
    let message = "--resume: it concerns a file of rays; expected --rays with it";
    assert_eq!((ran.code, ran.err), (Some(2), format!("hitscan: {message}\n")));
    // Nothing was done that could be gone on from.
    let ran = folder.run(&[&batch[..], &["rays.csv", "-o", "out.csv", "-q"]].concat());
    assert!(ran.code == Some(1) && ran.err.starts_with("hitscan: rays.csv:3: dz is 'x'"), "{}", ran.err);
    assert_eq!(folder.files(), before);
}

#[test]
fn short_batches_leave_no_more_than_their_output() {
    let folder = Folder::new("resume-short");
    for (rays, rows) in [("", 0), ("0,0,9,0,0,-1\n", 1)] {
        folder.write("rays.csv", format!("ox,oy,oz,dx,dy,dz\n{rays}"));
        for format in ["csv", "jsonl", "json", "npy", "parquet"] {
            let batch = ["cast", "builtin:sphere:1k", "--rays", "rays.csv", "-q"];
            let (out, whole) = (format!("out.{format}"), format!("whole.{format}"));
            for args in [&["-o", &out, "--resume"][..], &["-o", &whole]] {
                let ran = folder.run(&[&batch[..], args].concat());
                assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
            }
            let [out, whole] = [out, whole].map(|name| folder.path(&name));
            assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap(), "{format} of {rows} rows");
            [out, whole].iter().for_each(|path| fs::remove_file(path).unwrap());
        }
    }
    assert_eq!(folder.files(), ["rays.csv"]);
}

#[test]
fn a_crash_between_two_steps_is_gone_on_from() {
    let folder = Folder::new("resume-steps");
    for format in ["npy", "json", "csv", "parquet"] {
        let (out, whole) = (format!("out.{format}"), format!("whole.{format}"));
        let [partial, state] =
            ["partial", "partial.state"].map(|ending| folder.path(&format!("{out}.{ending}")));
        let args = ["cast", "builtin:soup:100k", "--rays", "rays.csv", "--invalid", "miss"];
        let uninterrupted = [&args[..], &["-o", &whole]].concat();
        let args = [&args[..], &["-o", &out, "--resume"]].concat();
        let write = |rows| write_rays(&folder, "rays.csv", rows);
        stopped(&folder, &out, write, || interrupt(&folder, &args, &out, "-KILL"));
        let told = run(&folder, &uninterrupted).err;
        let older = fs::read(&state).unwrap();
        fs::remove_file(&partial).unwrap();
        let bytes = fs::read(folder.path(&whole)).unwrap();
        let same = |what: &str| {
            assert!(fs::read(folder.path(&out)).unwrap() == bytes, "{format}: {what}: other bytes");
            assert!(!folder.files().iter().any(|name| name.contains("partial")), "{format}: {what}");
        };

        // All is written, the number of rows or the last bracket too, and has not got its name yet.
        fs::write(&partial, &bytes).unwrap();
        fs::write(&state, &older).unwrap();
        end(&folder, &args, &out, &told);
        same("complete");
        // It has its name, and what was kept of it is still there; or it was about to be made again.
        let anew = format!("hitscan: {out}: there is nothing to go on from; it begins anew\n{told}");
        for is_made in [false, true] {
            fs::write(&state, &older).unwrap();
            if is_made {
                fs::write(&partial, "").unwrap();
            }
            let ran = run(&folder, &args);
            assert_eq!((ran.code, ran.err), (Some(0), anew.clone()), "{format}");
            same("stale");
        }
        [&out, &whole].iter().for_each(|name| fs::remove_file(folder.path(name)).unwrap());
    }
}

#[test]
fn names_that_are_taken_are_refused_and_left_alone() {
    let folder = Folder::new("resume-taken");
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,9,0,0,-1\n");
    let args = ["cast", "builtin:sphere:1k", "--rays", "rays.csv", "-o", "out.csv", "--resume", "-q"];
    for name in ["out.csv.partial", "out.csv.partial.state", "out.csv.partial.state.tmp"] {
        let taken = folder.path(name);
        for kind in ["link", "pipe", "folder"] {
            match kind {
                "link" => symlink("nowhere", &taken).unwrap(),
                "pipe" => assert!(Command::new("mkfifo").arg(&taken).status().expect("mkfifo").success()),
                _ => fs::create_dir(&taken).unwrap(),
            }
            let ran = folder.run(&args);
            let told =
                format!("hitscan: {name}: is not a file; --resume needs this name for one of its own\n");
            assert_eq!((ran.code, ran.err), (Some(1), told), "{kind}");
            assert_eq!(folder.files(), [name, "rays.csv"], "{kind}");
            if kind == "folder" { fs::remove_dir(&taken) } else { fs::remove_file(&taken) }.unwrap();
        }
    }
}

#[test]
fn an_output_that_may_not_be_written_is_replaced_after_an_interruption() {
    let folder = Folder::new("resume-mode");
    let args = ["cast", "builtin:soup:100k", "--rays", "rays.csv", "--invalid", "miss"];
    let args = [&args[..], &["-o", "out.csv", "--resume", "-q"]].concat();
    let write = |rows| {
        write_rays(&folder, "rays.csv", rows);
        fs::set_permissions(folder.write("out.csv", "mine"), fs::Permissions::from_mode(0o440)).unwrap();
    };
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    let rows = stopped(&folder, "out.csv", write, || kill_once_kept(&folder, &args, "out.csv"));
    assert_eq!(folder.read("out.csv"), "mine");
    // Whoever may do everything sees no difference, so the mode itself has to allow it.
    assert_eq!((mode("out.csv.partial"), mode("out.csv.partial.state")), (0o640, 0o640));
    let ran = run(&folder, &args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!((mode("out.csv"), folder.read("out.csv").lines().count()), (0o440, 1 + rows));
}

#[test]
fn pictures_that_nothing_depends_on_may_be_missing_or_no_files() {
    let folder = Folder::new("resume-pictures");
    let mut corners = Vec::new();
    for number in [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
        corners.extend(number.to_le_bytes());
    }
    let document = |image: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"scenes":[{{"nodes":[0]}}],"scene":0,
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"material":0}}]}}],
            "materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}}],
            "textures":[{{"source":0}}],"images":[{{"uri":"{image}"}}],
            "buffers":[{{"uri":"corners.bin","byteLength":36}}],"bufferViews":[{{"buffer":0,"byteLength":36}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
            "min":[0,0,0],"max":[1,1,0]}}]}}"#
        )
    };
    for image in ["missing.png", "/dev/zero", "there.png"] {
        folder.write("corners.bin", &corners);
        folder.write("there.png", "a picture");
        folder.write("scene.gltf", document(image));
        let args = ["cast", "scene.gltf", "--rays", "rays.csv", "--invalid", "miss", "-q"];
        let args = [&args[..], &["-o", "out.jsonl", "--resume"]].concat();
        let write = |rows| write_rays(&folder, "rays.csv", rows);
        stopped(&folder, "out.jsonl", write, || kill_once_kept(&folder, &args, "out.jsonl"));
        // Another picture is the same scene; other corners are not.
        folder.write("there.png", "another picture");
        folder.write("corners.bin", [&0.5f32.to_le_bytes(), &corners[4..]].concat());
        let ran = run(&folder, &args);
        assert!(ran.err.contains("the scene has changed since"), "{image}: {}", ran.err);
        folder.write("corners.bin", &corners);
        let ran = run(&folder, &args);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{image}");
        fs::remove_file(folder.path("out.jsonl")).unwrap();
    }
    // A pipe cannot be read again, as a scene too.
    let script = r#""$0" cast <(cat scene.gltf) --rays rays.csv -o out.csv --resume"#;
    let mut piped = Command::new("bash");
    piped.args(["-c", script, env!("CARGO_BIN_EXE_hitscan")]).current_dir(folder.path("."));
    let ran = folder.run_command(piped, b"");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(!folder.files().iter().any(|name| name.contains("partial") || name == "out.csv"));
}

#[test]
fn a_file_that_appears_meanwhile_is_not_replaced() {
    let folder = Folder::new("resume-appears");
    let args = ["cast", "builtin:soup:100k", "--rays", "rays.csv", "--invalid", "miss", "-q", "-o"];
    let resumed = [&args[..], &["out.csv", "--resume", "--no-clobber"]].concat();
    let appears = || {
        let mut child = start(&folder, &resumed);
        if !waits_for_more(&folder, "out.csv", 0, &mut child) {
            return false;
        }
        folder.write("out.csv", "mine");
        let ended = child.wait_with_output().unwrap();
        let told = String::from_utf8(ended.stderr).unwrap();
        if ended.status.success() {
            return false; // it was faster
        }
        assert_eq!(told, "hitscan: out.csv: exists; --no-clobber needs a name that is free\n");
        true
    };
    stopped(&folder, "out.csv", |rows| write_rays(&folder, "rays.csv", rows), appears);
    assert_eq!(folder.read("out.csv"), "mine");
    // What was answered is there under the other name, and gets its own once that is free.
    fs::remove_file(folder.path("out.csv")).unwrap();
    assert_eq!(run(&folder, &resumed).err, "");
    assert_eq!(run(&folder, &[&args[..], &["whole.csv"]].concat()).code, Some(0));
    let paths = ["whole.csv", "out.csv"].map(|name| fs::read(folder.path(name)).unwrap());
    assert!(paths[0] == paths[1], "other bytes");
    assert_eq!(folder.files(), ["out.csv", "rays.csv", "whole.csv"]);
}
