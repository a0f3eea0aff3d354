//! Statements and words of a text whose lines may be continued by a backslash.

use crate::text::without_mark;

/// A place in the text, and the number of its line.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Counted from 1.
    pub line: u64,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes: without_mark(bytes), at: 0, line: 1 }
    }

    /// The next word of the statement; `None` at its end and before a comment.
    pub fn word(&mut self) -> Option<&'a [u8]> {
        self.skip_blanks();
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            if matches!(byte, b' ' | b'\t' | b'\x0b' | b'\x0c' | b'\n' | b'\r')
                || (byte == b'\\' && self.line_end(self.at + 1).is_some())
                || (byte == b'#' && self.at == start)
            {
                break;
            }
            self.at += 1;
        }
        (self.at > start).then(|| &self.bytes[start..self.at])
    }

    /// The rest of the line without blanks around it, for names: they may hold blanks and `#`.
    pub fn rest_of_line(&mut self) -> &'a [u8] {
        let start = self.at;
        self.at = self.find_line_end();
        self.bytes[start..self.at].trim_ascii()
    }

    /// Goes to the next statement; false where there is none.
    pub fn next_statement(&mut self) -> bool {
        loop {
            let start = self.at;
            self.at = self.find_line_end();
            let line = &self.bytes[start..self.at];
            let Some(length) = self.line_end(self.at) else { return false };
            self.at += length;
            self.line += 1;
            if !line.ends_with(b"\\") || has_comment(line) {
                return true;
            }
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\t' | b'\x0b' | b'\x0c') => self.at += 1,
                Some(b'\\') => {
                    let Some(length) = self.line_end(self.at + 1) else { return };
                    self.at += 1 + length;
                    self.line += 1;
                }
                _ => return,
            }
        }
    }

    fn find_line_end(&self) -> usize {
        let rest = &self.bytes[self.at..];
        self.at + rest.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len())
    }

    /// How many bytes the line end at this place has: `\n`, `\r\n`, or `\r` alone.
    fn line_end(&self, at: usize) -> Option<usize> {
        match self.bytes.get(at..)? {
            [b'\r', b'\n', ..] => Some(2),
            [b'\r' | b'\n', ..] => Some(1),
            _ => None,
        }
    }
}

/// Whether a word of the line starts with `#`: what follows is no continuation, whatever its last byte.
fn has_comment(line: &[u8]) -> bool {
    line.split(u8::is_ascii_whitespace).any(|word| word.starts_with(b"#"))
}

#[cfg(test)]
mod tests {
    use super::Cursor;

    #[test]
    fn words_go_on_over_continued_lines_of_every_kind() {
        let mut cursor = Cursor::new(b"\xEF\xBB\xBFf 1\\\n2 \\\r\n 3\t#4 \\\nv x\ry\\z\r\nend");
        let mut statements = Vec::new();
        loop {
            let line = cursor.line;
            let mut words = Vec::new();
            while let Some(word) = cursor.word() {
                words.push(str::from_utf8(word).unwrap());
            }
            statements.push((line, words));
            if !cursor.next_statement() {
                break;
            }
        }
        let expected =
            [(1, vec!["f", "1", "2", "3"]), (4, vec!["v", "x"]), (5, vec!["y\\z"]), (6, vec!["end"])];
        assert_eq!(statements, expected);
    }
}
