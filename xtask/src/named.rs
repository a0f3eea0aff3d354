//! Names in docs/algorithms.md: whatever it writes as code has to exist.

use std::fs;
use std::path::{Path, PathBuf};

use crate::rules::sources;

/// The document.
const DOCUMENT: &str = "docs/algorithms.md";
/// Where functions are, with the names that documents elsewhere have for them (`doc(alias)`).
const LIBRARY: &str = "crates/hitscan/src";
/// Where tests are, `file::test`.
const TESTS: [&str; 3] = ["crates/hitscan/tests", "crates/hitscan-oracle/tests", "crates/hitscan-cli/tests"];

/// The headings of the table that maps the sources, whose cells may not be empty.
const TABLE: &str = "| in the document | function | test |";

/// Verifies the document: each name in it is defined, each picture exists, no cell of the tables is empty. How many names
/// and rows there are, or the first that is wrong.
pub fn verify(root: &Path) -> Result<(usize, usize), String> {
    let text = fs::read_to_string(root.join(DOCUMENT)).map_err(|error| format!("{DOCUMENT}: {error}"))?;
    let library = read(&root.join(LIBRARY))?;
    let mut tests = Vec::new();
    for folder in TESTS {
        tests.extend(read(&root.join(folder))?);
    }
    let (mut names, mut rows, mut in_table, mut in_block) = (0, 0, false, false);
    for (number, line) in text.lines().enumerate() {
        let at = |what: String| format!("{DOCUMENT}:{}: {what}", number + 1);
        if line.starts_with("```") {
            in_block = !in_block;
        }
        if in_block {
            continue;
        }
        for name in line.split('`').skip(1).step_by(2).filter(|code| is_name(code)) {
            if !is_defined(name, &library) && !is_test(name, &tests) {
                return Err(at(format!(
                    "`{name}` is neither a public name, an alias nor a test `file::test`"
                )));
            }
            names += 1;
        }
        if let Some(picture) = line.split("](figures/").nth(1).and_then(|rest| rest.split(')').next())
            && !root.join("docs/figures").join(picture).is_file()
        {
            return Err(at(format!("there is no picture {picture}")));
        }
        in_table = line == TABLE || (in_table && line.starts_with('|'));
        if in_table && line != TABLE && !line.starts_with("|---") {
            row(line, &library, &tests).map_err(at)?;
            rows += 1;
        }
    }
    if rows == 0 {
        return Err(format!("{DOCUMENT}: no row below `{TABLE}`"));
    }
    Ok((names, rows))
}

/// A row has three cells; the second names something of the library, the third a test.
fn row(line: &str, library: &[Source], tests: &[Source]) -> Result<(), String> {
    let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
    let [first, function, test] = cells[..] else {
        return Err(format!("a row of {} cells; the table has 3", cells.len()));
    };
    let codes = |cell: &'static str, text: &str| -> Result<Vec<String>, String> {
        let found: Vec<String> = text.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        if found.is_empty() { Err(format!("no {cell} for {first}")) } else { Ok(found) }
    };
    if first.is_empty() {
        return Err("a row without a first cell".to_owned());
    }
    if let Some(name) = codes("function", function)?.iter().find(|name| !is_defined(name, library)) {
        return Err(format!("`{name}` is not defined in {LIBRARY}"));
    }
    if let Some(name) = codes("test", test)?.iter().find(|name| !is_test(name, tests)) {
        return Err(format!("`{name}` is no test"));
    }
    Ok(())
}

struct Source {
    path: PathBuf,
    text: String,
}

fn read(folder: &Path) -> Result<Vec<Source>, String> {
    let text = |path: PathBuf| match fs::read_to_string(&path) {
        Ok(text) => Ok(Source { path, text }),
        Err(error) => Err(format!("{}: {error}", path.display())),
    };
    sources(folder)?.into_iter().map(text).collect()
}

/// Whether a piece of code is a name at all, and not a formula, a variable or a command.
fn is_name(code: &str) -> bool {
    let is_path = code.split("::").all(|part| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !part.starts_with(|c: char| c.is_ascii_digit())
    });
    let capital = code.starts_with(|c: char| c.is_ascii_uppercase());
    is_path && (code.contains("::") || code.contains('_') || (capital && code.len() > 2))
}

/// `name`, `Type::name`, or an alias.
fn is_defined(name: &str, library: &[Source]) -> bool {
    let alias = format!("alias = \"{name}\"");
    if library.iter().any(|source| source.text.contains(&alias)) {
        return true;
    }
    match name.rsplit_once("::") {
        None => library.iter().any(|source| defines(&source.text, name)),
        Some((owner, member)) => {
            let owner = owner.rsplit("::").next().unwrap_or(owner);
            library.iter().any(|source| owns(&source.text, owner) && defines(&source.text, member))
        }
    }
}

fn owns(text: &str, owner: &str) -> bool {
    let starts = |line: &str| {
        let line = line.trim_start_matches("pub ");
        let rest =
            ["enum ", "struct ", "trait "].iter().find_map(|kind| line.strip_prefix(kind)).or_else(|| {
                let rest = line.strip_prefix("impl")?;
                let generics =
                    rest.strip_prefix('<').and_then(|rest| rest.split_once("> ")).map(|(_, rest)| rest);
                Some(generics.unwrap_or(rest).trim_start())
            });
        rest.and_then(|rest| rest.strip_prefix(owner))
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    };
    text.lines().any(starts)
}

/// A function, a type, a constant, a field or a variant of that name.
fn defines(text: &str, name: &str) -> bool {
    text.lines().map(|line| line.trim_start().trim_start_matches("pub ")).any(|line| {
        let line = line.trim_start_matches("const ");
        let rest =
            ["fn ", "struct ", "enum ", "trait ", "type "].iter().find_map(|kind| line.strip_prefix(kind));
        rest.unwrap_or(line)
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with(['(', '<', ':', ',', ' ', ';']) && !rest.starts_with("::"))
    })
}

/// `file::test`, or `file::module::test`, with the attribute that makes it one.
fn is_test(name: &str, tests: &[Source]) -> bool {
    let parts: Vec<&str> = name.split("::").collect();
    let [file, modules @ .., test] = &parts[..] else { return false };
    let head = format!("fn {test}(");
    tests.iter().filter(|source| source.path.file_stem().is_some_and(|stem| stem == *file)).any(|source| {
        let lines: Vec<&str> = source.text.lines().map(str::trim_start).collect();
        modules.iter().all(|module| lines.contains(&format!("mod {module} {{").as_str()))
            && lines.windows(2).any(|pair| pair[0].starts_with("#[test]") && pair[1].starts_with(&head))
    })
}
