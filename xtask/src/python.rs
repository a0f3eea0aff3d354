//! The Python package: its wheel, and its tests in environments of their own. All of it lies in `target/python`.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Most bytes of a wheel.
const MOST: u64 = 3_000_000;

const USAGE: &str = "\
usage: cargo xtask python [--wheel] [PYTEST ARGUMENT ...]
  --wheel       the wheel alone
  PYTEST …      handed on: a file, -k NAME, -x; all tests by default";

/// What an environment is asked that has the package and what pip installs with it.
const ALONE: &str = "
import hitscan
mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
assert mesh.closest([[0.2, 0.2, 1], [5, 5, 1]], [0, 0, -1]).prim.tolist() == [0, -1]
";

/// Where things are.
struct Package {
    /// The crate.
    source: PathBuf,
    /// `target/python`.
    target: PathBuf,
}

/// Builds the wheel, installs it into a fresh environment and into that of the tests, and runs those; a report.
pub fn run(arguments: &[&str]) -> Result<String, String> {
    let (wheel_alone, arguments) = match arguments {
        ["--wheel"] => (true, &[][..]),
        [option, ..] if *option == "--help" => return Err(USAGE.to_owned()),
        rest => (false, rest),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the repository has no root")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    // Some commands run elsewhere.
    let target = std::path::absolute(&target).map_err(|error| format!("{}: {error}", target.display()))?;
    let package = Package { source: root.join("crates/hitscan-python"), target: target.join("python") };
    fs::create_dir_all(&package.target).map_err(|error| format!("{}: {error}", package.target.display()))?;

    let python = package.environment()?;
    let wheel = package.wheel(&python)?;
    let bytes = fs::metadata(&wheel).map_err(|error| format!("{}: {error}", wheel.display()))?.len();
    if bytes > MOST {
        return Err(format!("{}: {bytes} bytes; a wheel has at most {MOST}", wheel.display()));
    }
    let mut report = String::new();
    let _ = writeln!(report, "{}: {bytes} bytes (at most {MOST})", wheel.display());
    if wheel_alone {
        return Ok(report);
    }
    package.alone(&wheel)?;
    let _ = writeln!(report, "a fresh environment: needs NumPy alone");
    package.test(&python, &wheel, arguments)?;
    let _ = writeln!(report, "pytest, ruff, mypy and stubtest: passed");
    Ok(report)
}

impl Package {
    /// The Python of the environment that has maturin and all that tests need, brought up to date; it is kept.
    fn environment(&self) -> Result<PathBuf, String> {
        let (folder, list) = (self.target.join("venv"), self.source.join("requirements-test.txt"));
        let python = python_of(&folder);
        if !python.exists() {
            call(Command::new(system()).args(["-m", "venv"]).arg(&folder))?;
        }
        // What was installed last.
        let (installed, stamp) = (read(&list)?, folder.join("requirements-test.txt"));
        if fs::read_to_string(&stamp).ok().as_ref() != Some(&installed) {
            call(pip(&python).args(["install", "--requirement"]).arg(&list))?;
            fs::write(&stamp, installed).map_err(|error| format!("{}: {error}", stamp.display()))?;
        }
        Ok(python)
    }

    /// Builds the wheel; where it is.
    fn wheel(&self, python: &Path) -> Result<PathBuf, String> {
        let folder = self.target.join("wheels");
        let _ = fs::remove_dir_all(&folder);
        let mut build = Command::new(python);
        build.args(["-m", "maturin", "build", "--release", "--locked", "--compression-level", "9", "--out"]);
        build.arg(&folder);
        call(build.current_dir(&self.source))?;
        let mut files = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let wheel = files.find_map(|file| {
            Some(file.ok()?.path()).filter(|path| path.extension() == Some(OsStr::new("whl")))
        });
        wheel.ok_or_else(|| format!("{}: there is no wheel", folder.display()))
    }

    /// Installs the wheel into an environment that has nothing, and asks something.
    fn alone(&self, wheel: &Path) -> Result<(), String> {
        let folder = self.target.join("fresh");
        call(Command::new(system()).args(["-m", "venv", "--clear"]).arg(&folder))?;
        let python = python_of(&folder);
        call(pip(&python).arg("install").arg(wheel))?;
        call(Command::new(&python).args(["-c", ALONE]))
    }

    /// Installs the wheel beside what the tests need, and runs them.
    fn test(&self, python: &Path, wheel: &Path, arguments: &[&str]) -> Result<(), String> {
        call(pip(python).args(["install", "--force-reinstall", "--no-deps"]).arg(wheel))?;
        let tool = |arguments: &[&str]| {
            let mut command = Command::new(python);
            command.arg("-m").args(arguments).current_dir(&self.source);
            command
        };
        call(tool(&["pytest"]).args(arguments))?;
        call(&mut tool(&["ruff", "check"]))?;
        call(&mut tool(&["mypy"]))?;
        let stub = [
            "mypy.stubtest",
            "hitscan",
            "--mypy-config-file",
            "pyproject.toml",
            "--allowlist",
            "stubtest-allow.txt",
        ];
        call(&mut tool(&stub))
    }
}

/// The Python that makes environments.
fn system() -> &'static str {
    if cfg!(windows) { "python" } else { "python3" }
}

fn python_of(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

fn pip(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
    command
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Runs a command to its end.
fn call(command: &mut Command) -> Result<(), String> {
    let status =
        command.status().map_err(|error| format!("{command:?}: {error}; Python 3.10 or later is needed"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}
