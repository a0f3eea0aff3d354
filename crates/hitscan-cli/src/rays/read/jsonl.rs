//! Rays and points as JSON Lines: an object a line, its fields by name, blank lines between them where somebody likes them.
//!
//! `t_min` and `t_max` may be missing or null, which means no limit, and for want of a number `"inf"` or `"-inf"`.
//! Values stay text until it is known what they are for: numbers are rounded once, and correctly, and what is
//! carried over to JSON is what the file says.

use std::fmt;

use hitscan::Ray;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::blocks::Ends;
use super::kinds::{ENOUGH, Kinds, push};
use super::text::{self, Text};
use super::{Input, Request};
use crate::failure::Failure;
use crate::rays::cell::{Kept, KeptField, Kind, Texts, text_of_json};
use crate::rays::fields::{Fields, Row, limit_of_others};
use crate::rays::flaw::Flaw;
use crate::rays::rows::Rows;
use crate::rays::subject::Subject;

/// Looks at the first lines of a file of JSON Lines.
pub fn open(input: Input, request: &Request<'_>) -> Result<Text<Layout>, Failure> {
    let mut lines = input.lines();
    let (place, start) = lines.peek()?;
    let of = request.of;
    let mut names: Vec<String> = of.needed().iter().chain(of.limits()).map(|&name| name.into()).collect();
    for name in request.keep.iter().map(|name| name.trim()) {
        if !names.iter().any(|other| other == name) {
            names.push(name.into());
        }
    }
    let mut fields = Fields::find(of, &names, request.keep).map_err(|error| Failure::new(place, error))?;
    if of == Subject::Rays {
        fields.stray = stray(start, &names);
    }
    let mut layout = Layout { names, fields, kept: Vec::new(), typed: request.typed() };
    layout.kept = layout.look(start).map_err(|error| Failure::new(place, error))?;
    Ok(Text::new(lines, layout, 0))
}

/// Fields of the first object that nobody reads, though others call the limits of a ray so.
fn stray(start: &[u8], known: &[String]) -> Vec<String> {
    let first = start.split(|&byte| byte == b'\n').find(|text| !text.trim_ascii().is_empty());
    let object: Option<serde_json::Map<String, serde_json::Value>> =
        first.and_then(|text| serde_json::from_slice(text).ok());
    let object = object.unwrap_or_default();
    let is_stray = |name: &&String| {
        let limit = limit_of_others(name);
        limit.is_some_and(|limit| !object.contains_key(limit)) && !known.contains(name)
    };
    object.keys().filter(is_stray).cloned().collect()
}

/// Which fields matter. Numbers of fields are places in `names`.
#[derive(Debug)]
pub struct Layout {
    /// Those of a ray with both limits or of a point, then those that are carried over and none of these.
    names: Vec<String>,
    fields: Fields,
    kept: Vec<KeptField>,
    typed: bool,
}

/// Places of a ray's limits in [`Layout::names`].
const T_MIN: usize = 6;
const T_MAX: usize = T_MIN + 1;

impl text::Layout for Layout {
    const ENDS: Ends = Ends::Lines;

    fn stray_limits(&self) -> &[String] {
        &self.fields.stray
    }

    fn kept(&self) -> &[KeptField] {
        &self.kept
    }

    fn no_values(&self, field: &KeptField) -> Kept {
        if self.typed { Kept::new(field.kind) } else { Kept::Json(Texts::default()) }
    }

    fn decode(&self, bytes: &[u8], stop: bool, rows: &mut Rows) {
        let mut object = Object::new(self.fields.of, &self.names);
        for (line, text) in (0..).zip(bytes.split(|&byte| byte == b'\n')) {
            if text.trim_ascii().is_empty() {
                continue;
            }
            let ray = object.read(text).and_then(|()| object.ray(&self.fields));
            let ray = self.keep(&object, ray, rows);
            if !rows.push(ray, line, stop) {
                return;
            }
        }
    }
}

impl Layout {
    /// The fields to carry over, each of which some of the first lines must have. The error reads
    /// `WHAT; WHAT WAS EXPECTED`.
    fn look(&self, bytes: &[u8]) -> Result<Vec<KeptField>, String> {
        let mut object = Object::new(self.fields.of, &self.names);
        let mut columns: Vec<Column> = self.fields.kept.iter().map(|_| Column::new()).collect();
        let mut objects = 0;
        let lines = if columns.is_empty() { 0 } else { ENOUGH };
        for text in bytes.split(|&byte| byte == b'\n').take(lines) {
            if object.read(text).is_ok() {
                objects += 1;
                for (column, &at) in columns.iter_mut().zip(&self.fields.kept) {
                    column.see(object.values[at]);
                }
            }
        }
        let fields = self.fields.kept.iter().zip(columns).map(|(&at, column)| {
            let name = self.names[at].clone();
            if objects > 0 && !column.found {
                return Err(format!(
                    "no object among the first has a '{name}'; --keep needs names of fields in this file"
                ));
            }
            let kind = if self.typed { column.kinds.narrowest() } else { Kind::Text };
            Ok(KeptField { name, kind, width: None, stored: None })
        });
        fields.collect()
    }

    /// Appends the values that are carried over; one that does not fit its column is a flaw of the row.
    fn keep(
        &self,
        object: &Object<'_, '_>,
        mut ray: Result<Ray, Flaw>,
        rows: &mut Rows,
    ) -> Result<Ray, Flaw> {
        for ((values, field), &at) in rows.kept.iter_mut().zip(&self.kept).zip(&self.fields.kept) {
            let value = object.values[at];
            match values {
                Kept::Json(texts) => texts.push(value.unwrap_or("null")),
                Kept::Text(texts) | Kept::Untyped(texts) => {
                    texts.push(&text_of_json(value.unwrap_or("null")))
                }
                Kept::Int(_) | Kept::Float(_) | Kept::Bool(_) => {
                    let text = value.filter(|&value| value != "null").unwrap_or_default();
                    if !push(values, text) && ray.is_ok() {
                        let (column, text) = (field.name.clone(), text.to_owned());
                        ray = Err(Flaw::Kept { column, text, kind: field.kind });
                    }
                }
            }
        }
        ray
    }
}

/// What the first lines say of a field.
struct Column {
    kinds: Kinds,
    /// Whether any object has it, with a value or not.
    found: bool,
}

impl Column {
    fn new() -> Column {
        Column { kinds: Kinds::new(), found: false }
    }

    fn see(&mut self, value: Option<&str>) {
        self.found |= value.is_some();
        if let Some(value) = value.filter(|&value| value != "null") {
            self.kinds.see(value);
        }
    }
}

/// The values of one line's object as the file writes them.
struct Object<'n, 'b> {
    /// What it should be.
    of: Subject,
    names: &'n [String],
    /// For each name.
    values: Vec<Option<&'b str>>,
    /// A name that the line has twice.
    twice: Option<usize>,
}

impl<'n, 'b> Object<'n, 'b> {
    fn new(of: Subject, names: &'n [String]) -> Object<'n, 'b> {
        Object { of, names, values: vec![None; names.len()], twice: None }
    }

    /// Takes the values of a line.
    fn read(&mut self, text: &'b [u8]) -> Result<(), Flaw> {
        self.values.fill(None);
        self.twice = None;
        let mut json = serde_json::Deserializer::from_slice(text);
        let read = self.deserialize(&mut json).and_then(|()| json.end());
        let flaw = match (read, self.twice) {
            (Ok(()), None) => return Ok(()),
            (Ok(()), Some(name)) => {
                let one = self.of.one();
                format!("two fields are named '{}'; {one} needs each name once", self.names[name])
            }
            (Err(error), _) if error.classify() == Category::Data => {
                let (one, fields) = (self.of.one(), self.of.fields());
                format!("no object; {one} is an object with {fields}")
            }
            (Err(error), _) => {
                let message = error.to_string();
                let reason = message.split(" at line ").next().unwrap_or_default();
                format!("no JSON at column {} ({reason}); expected an object a line", error.column())
            }
        };
        self.values.fill(None);
        Err(Flaw::Syntax(flaw))
    }

    fn ray(&self, fields: &Fields) -> Result<Ray, Flaw> {
        match self.of.needed().iter().zip(&self.values).find(|(_, value)| value.is_none()) {
            Some((name, _)) => {
                Err(Flaw::Syntax(format!("there is no {name}; {} needs finite numbers", self.of.one())))
            }
            None => fields.ray(self),
        }
    }
}

impl Row for Object<'_, '_> {
    fn number(&self, field: usize) -> Option<f64> {
        // A point has no limits, and nobody asks for the number of a field that is carried over.
        match (field, self.values[field].unwrap_or("null")) {
            (T_MIN | T_MAX, "\"inf\"") => Some(f64::INFINITY),
            (T_MIN | T_MAX, "\"-inf\"") => Some(f64::NEG_INFINITY),
            (_, text) => fast_float2::parse(text).ok().filter(|number: &f64| number.is_finite()),
        }
    }

    fn is_missing(&self, field: usize) -> bool {
        self.values[field].is_none_or(|value| value == "null")
    }

    fn text(&self, field: usize) -> String {
        self.values[field].unwrap_or("null").to_owned()
    }
}

impl<'b> DeserializeSeed<'b> for &mut Object<'_, 'b> {
    type Value = ();

    fn deserialize<D: Deserializer<'b>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'b> Visitor<'b> for &mut Object<'_, 'b> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'b>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key_seed(Name(self.names))? {
            let Some(name) = name else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value: &RawValue = map.next_value()?;
            if self.values[name].replace(value.get()).is_some() {
                self.twice.get_or_insert(name);
            }
        }
        Ok(())
    }
}

/// Finds the place of a name among those that matter.
struct Name<'n>(&'n [String]);

impl<'b> DeserializeSeed<'b> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'b>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|other| other == name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        let known = Subject::Rays.needed().iter().chain(Subject::Rays.limits());
        known.chain(&["id"]).map(|&name| name.into()).collect()
    }

    #[test]
    fn values_stay_as_they_are_written() {
        let names = names();
        let mut object = Object::new(Subject::Rays, &names);
        let line = br#" {"dx":1e400, "id" : {"a": [1, "}"]} ,"o\u0078":-0.10,"other":[[]],"ox2":1}"#;
        object.read(line).unwrap();
        assert_eq!((object.values[0], object.values[3]), (Some("-0.10"), Some("1e400")));
        assert_eq!((object.values[8], object.values[1]), (Some(r#"{"a": [1, "}"]}"#), None));
        assert_eq!((object.number(0), object.number(3)), (Some(-0.1), None));
        assert!(object.is_missing(T_MIN) && object.is_missing(T_MAX) && !object.is_missing(0));
    }

    #[test]
    fn lines_that_are_no_objects() {
        let names = names();
        let deep = [b"{\"id\":".as_slice(), &b"[".repeat(1_000_000), b"}"].concat();
        for (line, message) in [
            (&b"[1]"[..], "no object; a ray is an object with ox, oy, oz, dx, dy and dz"),
            (b"7", "no object; a ray is an object with ox, oy, oz, dx, dy and dz"),
            (b"{\"ox\":1", "no JSON at column 7 (EOF while parsing an object); expected an object a line"),
            (b"{\"ox\":NaN}", "no JSON at column 7 (expected value); expected an object a line"),
            (b"{} {}", "no JSON at column 4 (trailing characters); expected an object a line"),
            (b"{\"ox\":1,\"ox\":1}", "two fields are named 'ox'; a ray needs each name once"),
            (&deep, "no JSON at column 1000007 (expected value); expected an object a line"),
            (
                b"{\"id\":\"\xff\"}",
                "no JSON at column 8 (invalid unicode code point); expected an object a line",
            ),
        ] {
            let flaw = Object::new(Subject::Rays, &names).read(line).unwrap_err();
            assert_eq!(flaw.to_string(), message);
        }
    }

    #[test]
    fn null_is_a_field_without_a_value() {
        let mut column = Column::new();
        column.see(None);
        assert!(!column.found);
        ["1", "null", "-20"].iter().for_each(|&value| column.see(Some(value)));
        assert_eq!((column.found, column.kinds.narrowest()), (true, Kind::Int));
        let mut column = Column::new();
        column.see(Some("null"));
        assert_eq!((column.found, column.kinds.narrowest()), (true, Kind::Text));
    }
}
