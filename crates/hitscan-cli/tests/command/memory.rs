//! Answers of any length in little memory: rays that hit nothing, then rays that hit hundreds of sheets.

use std::fmt::Write;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::common::Folder;

/// What the command may take: a window in the making, one waiting and one being written, the input and the scene.
const MOST: u64 = 250 << 20;

fn sheets(count: usize) -> String {
    let mut obj = String::new();
    for z in 0..count {
        write!(obj, "v 0 0 {z}\nv 1 0 {z}\nv 1 1 {z}\nv 0 1 {z}\nf -4 -3 -2 -1\n").unwrap();
    }
    obj
}

/// The most memory that a run had, in bytes.
fn peak(folder: &Folder, args: &[&str]) -> u64 {
    let mut child = folder.command(args).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let code = loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        if let Some(line) = text.lines().find_map(|line| line.strip_prefix("VmHWM:")) {
            peak = line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10;
        }
        if let Some(ended) = child.try_wait().unwrap() {
            break ended.code();
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    assert_eq!(code, Some(0));
    peak
}

#[test]
fn long_answers_are_made_in_little_memory() {
    let folder = Folder::new("memory");
    folder.write("sheets.obj", sheets(400));
    // The first rays say nothing about the last ones.
    let mut rays = "ox,oy,oz,dx,dy,dz\n".to_owned();
    for i in 0..60_000 {
        let x = if i < 50_000 { 5.0 } else { 0.25 };
        writeln!(rays, "{x},0.5,-1,0,0,1").unwrap();
    }
    folder.write("rays.csv", rays);
    for format in ["csv", "jsonl"] {
        let args = ["cast", "sheets.obj", "--rays", "rays.csv", "--mode", "all", "--format", format];
        let peak = peak(&folder, &args);
        assert!((1 << 20..MOST).contains(&peak), "{format}: {peak} bytes");
    }
    // Nothing is lost where a window ends early, and nothing comes twice.
    let ran =
        folder.run(&["cast", "sheets.obj", "--rays", "rays.csv", "--mode", "first:30", "--columns", "ray,t"]);
    let mut lines = ran.out.lines().skip(1);
    for ray in 50_000..60_000 {
        for t in 1..=30 {
            assert_eq!(lines.next(), Some(format!("{ray},{t}").as_str()));
        }
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn what_is_answered_again_is_the_same() {
    let folder = Folder::new("memory-same");
    folder.write("sheets.obj", sheets(400));
    // Stretches of both kinds, and rows that are no rays among them.
    let mut rays = "ox,oy,oz,dx,dy,dz\n".to_owned();
    for i in 0..9_000 {
        let x = if i / 1_500 % 2 == 0 { 5.0 } else { 0.25 };
        let dz = if i % 7 == 0 { "nan" } else { "1" };
        writeln!(rays, "{x},0.5,-1,0,0,{dz}").unwrap();
    }
    folder.write("rays.csv", &rays);
    let args = ["cast", "sheets.obj", "--rays", "rays.csv", "--mode", "all", "--columns", "ray,t"];
    let ran = folder.run(&[&args[..], &["--invalid", "miss", "-q"]].concat());
    assert_eq!(ran.code, Some(0));
    let mut lines = ran.out.lines().skip(1);
    for ray in (0..9_000).filter(|i| i / 1_500 % 2 == 1 && i % 7 != 0) {
        for t in 1..=400 {
            assert_eq!(lines.next(), Some(format!("{ray},{t}").as_str()));
        }
    }
    assert_eq!(lines.next(), None);
}
