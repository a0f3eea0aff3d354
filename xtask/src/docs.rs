//! docs/cli.md from its template: the command's own help, its own answers, and the fields of its JSON.
//!
//! In the template, a line `{{help COMMAND}}` stands for the help of a command (`{{help}}` for that of all),
//! `{{fields FILE}}` for a table of the fields of a JSON Schema in docs/, and in a block of `console` each line
//! `$ hitscan …` is run and followed by what it prints, in a folder with the files of docs/cli.in. All else is copied.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

const TEMPLATE: &str = "docs/cli.template.md";
const RESULT: &str = "docs/cli.md";
const INPUTS: &str = "docs/cli.in";

const NOTICE: &str = "<!-- Made by `cargo xtask docs` from docs/cli.template.md: edit that one. -->\n\n";

/// What differs between machines, as text before and after it. The test of the examples takes `[..]` for anything.
const MASKS: &[(&str, &str)] = &[("walked by ", "\n"), ("made in ", "\n"), ("75,688 hit, ", "lidar.png")];

/// Writes the file, or with `check` compares it; by the command that is there where it is `built`, else by one that is built now. What was
/// done.
pub fn make(check: bool, built: bool) -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the repository has no root")?;
    let read = |name: &str| fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"));
    let folder = Sandbox::new(root, built)?;
    let text = NOTICE.to_owned() + &filled(&read(TEMPLATE)?, root, &folder)?;
    if !check {
        fs::write(root.join(RESULT), &text).map_err(|error| format!("{RESULT}: {error}"))?;
        return Ok(format!("{RESULT}: {} lines\n", text.lines().count()));
    }
    let old = read(RESULT)?;
    let first = old.lines().zip(text.lines()).position(|(old, new)| old != new);
    let first = first.or((old.len() != text.len()).then(|| old.lines().count().min(text.lines().count())));
    match first {
        None => Ok(format!("{RESULT}: up to date\n")),
        Some(line) => Err(format!("{RESULT}:{}: out of date; run cargo xtask docs", line + 1)),
    }
}

/// Builds the command.
fn build(root: &Path) -> Result<(), String> {
    let status = Command::new(env!("CARGO"))
        // As `cargo run` builds it: alone, it would have other features of its dependencies, and more of them would be compiled
        // once more.
        .args(["build", "--quiet", "--release"])
        .current_dir(root)
        .status()
        .map_err(|error| format!("cargo build: {error}"))?;
    if status.success() { Ok(()) } else { Err("cargo build: failed".to_owned()) }
}

/// A folder for the examples with a copy of their files, removed at the end.
struct Sandbox {
    folder: PathBuf,
    /// Where `hitscan` is.
    programs: PathBuf,
}

impl Sandbox {
    fn new(root: &Path, built: bool) -> Result<Sandbox, String> {
        if !built {
            build(root)?;
        }
        let own = std::env::current_exe().map_err(|error| format!("xtask: {error}"))?;
        let programs = own.parent().ok_or("xtask is in no folder")?.to_owned();
        let folder = std::env::temp_dir().join(format!("hitscan-docs-{}", std::process::id()));
        let failed = |error| format!("{}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(failed)?;
        for entry in fs::read_dir(root.join(INPUTS)).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            fs::copy(&path, folder.join(path.file_name().unwrap_or_default())).map_err(failed)?;
        }
        Ok(Sandbox { folder, programs })
    }

    /// What a command prints on both streams, and its exit code.
    fn run(&self, command: &str) -> Result<(String, i32), String> {
        let path = format!("{}:{}", self.programs.display(), std::env::var("PATH").unwrap_or_default());
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(&self.folder)
            .env("PATH", path)
            // Help is as wide as a terminal, and there is none where the examples are tested.
            .env_remove("COLUMNS")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{command}: {error}"))?;
        let text = String::from_utf8(output.stdout).map_err(|error| format!("{command}: {error}"))?;
        let code = output.status.code().ok_or_else(|| format!("{command}: it did not end by itself"))?;
        Ok((text, code))
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn filled(template: &str, root: &Path, folder: &Sandbox) -> Result<String, String> {
    let mut text = String::new();
    let mut in_console = false;
    for line in template.lines() {
        if line.starts_with("```") {
            in_console = !in_console && line == "```console";
        }
        let directive = line.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
        match directive.map(|directive| directive.split_once(' ').unwrap_or((directive, ""))) {
            Some(("help", command)) => {
                let (help, code) = folder.run(&format!("hitscan {command} --help"))?;
                if code != 0 {
                    return Err(format!("{TEMPLATE}: {{{{help {command}}}}}: {}", help.trim_end()));
                }
                let _ = write!(text, "```text\n{help}```\n");
            }
            Some(("fields", file)) => text += &fields(&root.join("docs").join(file))?,
            Some((other, _)) => return Err(format!("{TEMPLATE}: {{{{{other}}}}} is not known")),
            None => {
                text += line;
                text.push('\n');
            }
        }
        if let Some(command) = line.strip_prefix("$ ").filter(|_| in_console) {
            let (answer, code) = folder.run(command)?;
            if code != 0 {
                let _ = writeln!(text, "? {code}");
            }
            // The empty line is the end of the answer's last line, as the test reads it.
            let _ = writeln!(text, "{}", masked(&answer));
        }
    }
    Ok(text)
}

fn masked(answer: &str) -> String {
    let mut text = answer.to_owned();
    for (before, after) in MASKS {
        if let Some(start) = text.find(before).map(|at| at + before.len())
            && let Some(length) = text[start..].find(after)
        {
            text.replace_range(start..start + length, "[..]");
        }
    }
    text
}

/// A table of the fields of a JSON Schema.
fn fields(path: &Path) -> Result<String, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| failed(&error))?;
    let schema: Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
    let mut table = "| field | type | |\n|---|---|---|\n".to_owned();
    rows(&schema, &schema, "", &mut table);
    Ok(table)
}

fn rows(whole: &Value, schema: &Value, at: &str, table: &mut String) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let at = format!("{at}{name}");
        let description = field["description"].as_str().or(referred(whole, field)["description"].as_str());
        let _ = writeln!(table, "| `{at}` | {} | {} |", kind(whole, field), description.unwrap_or_default());
        rows(whole, referred(whole, field), &format!("{at}."), table);
        rows(whole, referred(whole, &field["items"]), &format!("{at}[]."), table);
    }
}

fn referred<'a>(whole: &'a Value, schema: &'a Value) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
    name.map_or(schema, |name| &whole["$defs"][name])
}

/// A type in few words: `3 numbers`, `list of objects`.
fn kind(whole: &Value, field: &Value) -> String {
    if let Some(values) = field["enum"].as_array() {
        let values: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
        return values.join(" ");
    }
    let field = referred(whole, field);
    if let Some(types) = field["type"].as_array() {
        return types.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ");
    }
    let name = field["type"].as_str().unwrap_or_default();
    let items = || kind(whole, &field["items"]);
    match (name, field["minItems"].as_u64()) {
        ("array", Some(n)) if field["maxItems"].as_u64() == Some(n) => {
            let items = items();
            if items.starts_with(|c: char| c.is_ascii_digit()) {
                format!("{n} lists of {items}")
            } else {
                format!("{n} {items}s")
            }
        }
        ("array", _) => format!("list of {}s", items()),
        _ => name.to_owned(),
    }
}
