//! The part of Python's way of writing values that the header of a NPY file needs.

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `'<f8'`.
    Text(String),
    /// A whole number.
    Whole(u64),
    /// `True` or `False`.
    Flag(bool),
    /// `None`.
    Nothing,
    /// `[a, b]`.
    List(Vec<Literal>),
    /// `(a, b)`.
    Tuple(Vec<Literal>),
    /// `{'a': b}`.
    Dict(Vec<(Literal, Literal)>),
}

/// How deep values may lie within values.
const DEEPEST: usize = 32;

impl Literal {
    /// Reads one value and nothing behind it; the error is the place, in characters, of what is none.
    pub fn parse(text: &str) -> Result<Literal, usize> {
        let mut parser = Parser { text, rest: text };
        let value = parser.value(0);
        parser.blanks();
        value.filter(|_| parser.rest.is_empty()).ok_or_else(|| parser.at())
    }

    /// The text, where it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Literal::Text(text) => Some(text),
            _ => None,
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    rest: &'t str,
}

impl Parser<'_> {
    fn at(&self) -> usize {
        self.text[..self.text.len() - self.rest.len()].chars().count()
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.blanks();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn value(&mut self, depth: usize) -> Option<Literal> {
        if depth > DEEPEST {
            return None;
        }
        if self.eat("{") {
            let entry = |parser: &mut Self| {
                let key = parser.value(depth + 1)?;
                parser.eat(":").then_some(())?;
                Some((key, parser.value(depth + 1)?))
            };
            return self.items("}", entry).map(|(entries, _)| Literal::Dict(entries));
        }
        if self.eat("[") {
            return self.items("]", |parser| parser.value(depth + 1)).map(|(items, _)| Literal::List(items));
        }
        if self.eat("(") {
            let (mut items, comma) = self.items(")", |parser| parser.value(depth + 1))?;
            // Without a comma, parentheses only group.
            return if items.len() == 1 && !comma { items.pop() } else { Some(Literal::Tuple(items)) };
        }
        for (word, value) in
            [("True", Literal::Flag(true)), ("False", Literal::Flag(false)), ("None", Literal::Nothing)]
        {
            if self.eat(word) {
                return Some(value);
            }
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
            let number = self.rest[..end].parse().ok()?;
            self.rest = &self.rest[end..];
            // Python 2 wrote long numbers like this.
            self.rest = self.rest.strip_prefix('L').unwrap_or(self.rest);
            return Some(Literal::Whole(number));
        }
        self.rest = self.rest.strip_prefix(['u', 'b']).unwrap_or(self.rest);
        self.string().map(Literal::Text)
    }

    /// Items between commas up to `end`, and whether a comma stands behind the last one.
    fn items<T>(&mut self, end: &str, item: impl Fn(&mut Self) -> Option<T>) -> Option<(Vec<T>, bool)> {
        let (mut items, mut comma) = (Vec::new(), false);
        while !self.eat(end) {
            if !items.is_empty() && !comma {
                return None;
            }
            items.push(item(self)?);
            comma = self.eat(",");
        }
        Some((items, comma))
    }

    fn string(&mut self) -> Option<String> {
        let quote = self.rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let mut text = String::new();
        let mut chars = self.rest[1..].char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                _ if c == quote => {
                    self.rest = &self.rest[1 + at + 1..];
                    return Some(text);
                }
                '\\' => {
                    let (_, escape) = chars.next()?;
                    let mut code = |digits| {
                        let hex: String = chars.by_ref().take(digits).map(|(_, c)| c).collect();
                        let hex = Some(hex).filter(|hex| hex.chars().count() == digits)?;
                        char::from_u32(u32::from_str_radix(&hex, 16).ok()?)
                    };
                    text.push(match escape {
                        '\\' | '\'' | '"' => escape,
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        'x' => code(2)?,
                        'u' => code(4)?,
                        'U' => code(8)?,
                        _ => return None,
                    });
                }
                _ => text.push(c),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_kinds() {
        let text = |text: &str| Literal::Text(text.into());
        let parsed =
            Literal::parse("{'a': (1, 20L,), \"b'\" : [], 'c':[True,(None)],u'd\\'\\x41\\u00fc':(6,) , } \n");
        let expected = Literal::Dict(vec![
            (text("a"), Literal::Tuple(vec![Literal::Whole(1), Literal::Whole(20)])),
            (text("b'"), Literal::List(vec![])),
            (text("c"), Literal::List(vec![Literal::Flag(true), Literal::Nothing])),
            (text("d'Aü"), Literal::Tuple(vec![Literal::Whole(6)])),
        ]);
        assert_eq!(parsed, Ok(expected));
        assert_eq!(Literal::parse("()"), Ok(Literal::Tuple(vec![])));
    }

    #[test]
    fn what_is_no_value_is_refused_where_it_stands() {
        for (text, at) in [
            ("", 0),
            ("{'a' 1}", 5),
            ("[1 2]", 3),
            ("'open", 0),
            ("1 x", 2),
            ("(1", 2),
            ("99999999999999999999", 0),
            ("'\\x4'", 0),
            ("'\\ud800'", 0),
            ("-1", 0),
            ("['ü', ?]", 6),
        ] {
            assert_eq!(Literal::parse(text), Err(at), "{text}");
        }
        assert_eq!(Literal::parse(&"[".repeat(1_000_000)), Err(DEEPEST + 1));
    }
}
