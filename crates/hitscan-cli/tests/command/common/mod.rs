//! A folder for each test, and the command run in it.

pub mod parquet;
pub mod rays;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The corners of the unit cube are the bits of their numbers; normals point outwards.
pub const CUBE: &str = "\
o box
v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1
f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6
";

/// A program that signals end, also where whoever runs the tests ignores them, as `nohup` does and shells in the background: what is
/// ignored is inherited, and the command leaves it so.
pub fn program(path: &str) -> Command {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    const HUP_INT_TERM: u64 = 1 | 1 << 1 | 1 << 14;
    if mask & HUP_INT_TERM == 0 {
        return Command::new(path);
    }
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT,TERM", path]);
    command
}

/// A folder that is removed at the end.
pub struct Folder(PathBuf);

/// What a run of the command left.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    pub took: Duration,
}

impl Folder {
    /// Tests of different files may give theirs the same name.
    pub fn new(name: &str) -> Folder {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let nth = MADE.fetch_add(1, Relaxed);
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{nth}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the target folder can be written");
        Folder(path)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).expect("the test's folder can be written");
        path
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("the file is there")
    }

    /// The names of all files, hidden ones too, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the test's folder can be listed");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("listed").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = program(env!("CARGO_BIN_EXE_hitscan"));
        command.current_dir(&self.0).args(args).env_remove("HITSCAN_ISA");
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        self.run_with_input(args, b"")
    }

    pub fn run_with_input(&self, args: &[&str], input: &[u8]) -> Ran {
        self.run_command(self.command(args), input)
    }

    pub fn run_command(&self, mut command: Command, input: &[u8]) -> Ran {
        let start = Instant::now();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut stdin = child.stdin.take().expect("piped");
        let input = input.to_vec();
        // The command may end before it has read everything.
        let feeder = std::thread::spawn(move || {
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().expect("the command ends");
        feeder.join().expect("the feeder ends");
        Ran {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
            took: start.elapsed(),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A binary glTF of one mesh `part`, shown by one node a translation.
pub fn glb(vertices: &[[f32; 3]], indices: &[u32], places: &[[f32; 3]]) -> Vec<u8> {
    let mut bin: Vec<u8> = vertices.iter().flatten().flat_map(|c| c.to_le_bytes()).collect();
    let split = bin.len();
    bin.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
    let nodes: Vec<String> = places
        .iter()
        .enumerate()
        .map(|(i, [x, y, z])| format!(r#"{{"mesh":0,"name":"copy {i}","translation":[{x},{y},{z}]}}"#))
        .collect();
    let roots: Vec<String> = (0..places.len()).map(|i| i.to_string()).collect();
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[{}]}}],"nodes":[{}],
"meshes":[{{"name":"part","primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"buffers":[{{"byteLength":{}}}],
"bufferViews":[{{"buffer":0,"byteLength":{split}}},{{"buffer":0,"byteOffset":{split},"byteLength":{}}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3","min":[0,0,0],"max":[1,1,1]}},
{{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}]}}"#,
        roots.join(","),
        nodes.join(","),
        bin.len(),
        bin.len() - split,
        vertices.len(),
        indices.len(),
    );
    while json.len() % 4 != 0 {
        json.push(' ');
    }
    let mut file = Vec::new();
    let total = 12 + 8 + json.len() + 8 + bin.len();
    for word in [0x4654_6c67, 2, total as u32, json.len() as u32, 0x4e4f_534a] {
        file.extend(u32::to_le_bytes(word));
    }
    file.extend(json.as_bytes());
    for word in [bin.len() as u32, 0x004e_4942] {
        file.extend(u32::to_le_bytes(word));
    }
    file.extend(bin);
    file
}
