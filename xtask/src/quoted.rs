//! Code in documents that a program elsewhere has: what CI builds and runs is what the document shows.

use std::fs;
use std::path::Path;

/// Documents with such code. A line `<!-- from FILE -->` stands above each block.
const DOCUMENTS: [&str; 1] = ["docs/bevy.md"];

/// Verifies that each block that says where it is from is there, line by line. How many there are, or the first that is not.
pub fn verify(root: &Path) -> Result<usize, String> {
    let read = |name: &str| fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"));
    let mut count = 0;
    for document in DOCUMENTS {
        let text = read(document)?;
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            let name = line.strip_prefix("<!-- from ").and_then(|rest| rest.strip_suffix(" -->"));
            let Some(name) = name else {
                if line.starts_with("```rust") {
                    return Err(format!("{document}:{}: nothing says which file has this code", number + 1));
                }
                continue;
            };
            if lines.next().is_none_or(|(_, line)| !line.starts_with("```")) {
                return Err(format!("{document}:{}: no block of code follows", number + 1));
            }
            let block: Vec<&str> =
                lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            if !read(name)?.contains(&block.join("\n")) {
                return Err(format!("{document}:{}: {name} does not have this code", number + 1));
            }
            count += 1;
        }
    }
    Ok(count)
}
