//! The header: which elements there are, how many rows each has, and what a row holds.

use std::collections::HashSet;
use std::path::Path;

use crate::ReadError;
use crate::error::quoted;
use crate::number::integer;
use crate::text::{Fault, Words, is_space};

pub(super) struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// Rows of the element `vertex`; 0 where there is none.
    pub vertices: usize,
    /// Where the first row begins.
    pub body: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

pub(super) struct Element {
    /// The name where it is a plain word, as errors tell it; in quotes otherwise.
    pub label: String,
    pub count: usize,
    pub properties: Vec<Property>,
    pub role: Role,
    /// Where its line is, for faults.
    at: usize,
}

/// What the rows of an element are to geometry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Vertices,
    Faces,
    Strips,
    Other,
}

pub(super) struct Property {
    pub shape: Shape,
    pub meaning: Meaning,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    One(Scalar),
    List { length: Scalar, item: Scalar },
}

/// What geometry does with a property.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Coordinate of this axis.
    Coordinate(usize),
    /// Corners of a face or a strip.
    Corners,
    Nothing,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn parse(name: &[u8]) -> Option<Scalar> {
        Some(match name {
            b"char" | b"int8" => Scalar::I8,
            b"uchar" | b"uint8" => Scalar::U8,
            b"short" | b"int16" => Scalar::I16,
            b"ushort" | b"uint16" => Scalar::U16,
            b"int" | b"int32" => Scalar::I32,
            b"uint" | b"uint32" => Scalar::U32,
            b"float" | b"float32" => Scalar::F32,
            b"double" | b"float64" => Scalar::F64,
            _ => return None,
        })
    }

    /// In bytes.
    pub fn size(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }

    fn is_whole(self) -> bool {
        !matches!(self, Scalar::F32 | Scalar::F64)
    }
}

const TYPES: &str = "types are char uchar short ushort int uint float double, or int8 to float64";

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Header, ReadError> {
    let mut words = Words::new(bytes, None);
    if words.next_word() != Some(b"ply") {
        return Err(words.fault("the file does not begin with ply", "a PLY file does").in_file(path, bytes));
    }
    // Where lines end with a lone return, a line feed behind the header is data.
    let lines_end_with_both = {
        let first_line_end = bytes.iter().position(|&byte| byte == b'\r' || byte == b'\n').unwrap_or(0);
        bytes[first_line_end..].starts_with(b"\r\n")
    };
    let mut lines = Lines { path, bytes, words, encoding: None, elements: Vec::new(), names: HashSet::new() };
    lines.parse()?;
    let Lines { words, encoding, elements, .. } = lines;
    let fault = |found: &str, expected: &str| words.fault(found, expected).in_file(path, bytes);
    let Some(encoding) = encoding else {
        return Err(fault("the header has no format", "its second line is format and the encoding"));
    };
    let mut vertices = None;
    for element in &elements {
        element.check().map_err(|fault| fault.in_file(path, bytes))?;
        if element.role == Role::Vertices {
            vertices = Some(element.count);
        }
    }
    let vertices =
        vertices.ok_or_else(|| fault("the header has no element vertex", "a mesh has vertices"))?;
    let rest = &bytes[words.at..];
    let blanks = rest.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
    let line_end = match &rest[blanks..] {
        [b'\r', b'\n', ..] if lines_end_with_both => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    };
    Ok(Header { encoding, elements, vertices, body: words.at + blanks + line_end })
}

struct Lines<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    words: Words<'a>,
    encoding: Option<Encoding>,
    elements: Vec<Element>,
    /// Those of elements with 0, those of the properties of element `k`, counted from 1, with `k`. A header may have a
    /// million of them: none is compared with all the others.
    names: HashSet<(usize, &'a [u8])>,
}

impl<'a> Lines<'a> {
    /// Reads up to `end_header`.
    fn parse(&mut self) -> Result<(), ReadError> {
        loop {
            let Some(keyword) = self.words.next_word() else {
                return Err(self.fault("the header has no end", "it ends with end_header"));
            };
            match keyword {
                b"format" => self.format()?,
                b"element" => self.element()?,
                b"property" => self.property()?,
                b"comment" | b"obj_info" => {}
                b"end_header" => return Ok(()),
                other => {
                    let found = format!("{} is no line of a header", quoted(other));
                    let expected = "they are format, comment, obj_info, element, property, end_header";
                    return Err(self.fault(found, expected));
                }
            }
            self.words.skip_line();
        }
    }

    fn format(&mut self) -> Result<(), ReadError> {
        let encoding = self.words.next_in_line().unwrap_or_default();
        let known = match encoding {
            b"ascii" => Encoding::Ascii,
            b"binary_little_endian" => Encoding::LittleEndian,
            b"binary_big_endian" => Encoding::BigEndian,
            other => {
                let found = format!("the format is {}", quoted(other));
                return Err(self.fault(found, "formats are ascii, binary_little_endian, binary_big_endian"));
            }
        };
        if self.encoding.is_some_and(|before| before != known) {
            return Err(self.fault("the format is given twice", "a file has one"));
        }
        self.encoding = Some(known);
        match self.words.next_in_line() {
            Some(b"1.0") => Ok(()),
            version => Err(ReadError::Unsupported {
                path: self.path.into(),
                feature: format!("PLY version {}", quoted(version.unwrap_or_default())),
                remedy: "export it as PLY 1.0".to_owned(),
            }),
        }
    }

    fn element(&mut self) -> Result<(), ReadError> {
        const EXPECTED: &str = "an element has a name and a number of rows";
        let name = self.words.next_in_line().unwrap_or_default();
        let at = self.words.start;
        let is_plain = name.len() <= 40 && name.iter().all(|&b| b.is_ascii_alphanumeric() || b == b'_');
        let label = match is_plain {
            true => String::from_utf8_lossy(name).into_owned(),
            false => quoted(name),
        };
        let word = self.words.next_in_line().unwrap_or_default();
        let Some(count) = integer(word).and_then(|count| usize::try_from(count).ok()) else {
            let found = format!("element {label} has {} rows", quoted(word));
            return Err(self.fault(found, EXPECTED));
        };
        if !self.names.insert((0, name)) {
            return Err(Fault::new(
                at,
                format!("element {label} stands twice"),
                "each has a name of its own",
            )
            .in_file(self.path, self.bytes));
        }
        let role = match name {
            b"vertex" => Role::Vertices,
            b"face" => Role::Faces,
            b"tristrips" => Role::Strips,
            _ => Role::Other,
        };
        self.elements.push(Element { label, count, properties: Vec::new(), role, at });
        Ok(())
    }

    fn property(&mut self) -> Result<(), ReadError> {
        let first = self.words.next_in_line().unwrap_or_default();
        let shape = if first == b"list" {
            let length = self.scalar()?;
            if !length.is_whole() {
                return Err(self.fault("the length of a list is a float", "lengths are whole numbers"));
            }
            Shape::List { length, item: self.scalar()? }
        } else {
            Shape::One(self.known_scalar(first)?)
        };
        let Some(name) = self.words.next_in_line() else {
            return Err(self.fault("a property has no name", "a property has a type and a name"));
        };
        let owner = self.elements.len();
        let Some(element) = self.elements.last_mut() else {
            return Err(self.fault("a property stands before any element", "properties follow their element"));
        };
        if !self.names.insert((owner, name)) {
            let found = format!("element {} has two properties {}", element.label, quoted(name));
            return Err(self.fault(found, "each has a name of its own"));
        }
        let meaning = match (element.role, shape, name) {
            (Role::Vertices, Shape::One(_), b"x") => Meaning::Coordinate(0),
            (Role::Vertices, Shape::One(_), b"y") => Meaning::Coordinate(1),
            (Role::Vertices, Shape::One(_), b"z") => Meaning::Coordinate(2),
            (Role::Faces | Role::Strips, Shape::List { item, .. }, b"vertex_indices" | b"vertex_index")
                if element.properties.iter().all(|property| property.meaning != Meaning::Corners) =>
            {
                if !item.is_whole() {
                    let found = format!("{} are floats", String::from_utf8_lossy(name));
                    return Err(self.fault(found, "numbers of vertices are whole"));
                }
                Meaning::Corners
            }
            _ => Meaning::Nothing,
        };
        element.properties.push(Property { shape, meaning });
        Ok(())
    }

    fn scalar(&mut self) -> Result<Scalar, ReadError> {
        let word = self.words.next_in_line().unwrap_or_default();
        self.known_scalar(word)
    }

    fn known_scalar(&self, word: &[u8]) -> Result<Scalar, ReadError> {
        Scalar::parse(word).ok_or_else(|| self.fault(format!("{} is no type", quoted(word)), TYPES))
    }

    /// An error at the last word.
    fn fault(&self, found: impl Into<String>, expected: &str) -> ReadError {
        self.words.fault(found, expected).in_file(self.path, self.bytes)
    }
}

impl Element {
    /// Whether the properties that its role needs are there.
    fn check(&self) -> Result<(), Fault> {
        let has = |meaning| self.properties.iter().any(|property| property.meaning == meaning);
        match self.role {
            Role::Vertices => {
                for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
                    if !has(Meaning::Coordinate(axis)) {
                        let found = format!("element vertex has no property {name}");
                        return Err(Fault::new(self.at, found, "a vertex has x, y and z"));
                    }
                }
                Ok(())
            }
            Role::Faces | Role::Strips if self.count > 0 && !has(Meaning::Corners) => {
                let found = format!("element {} has no list vertex_indices", self.label);
                Err(Fault::new(self.at, found, "it names the vertices of each row"))
            }
            _ => Ok(()),
        }
    }
}

/// Whether bytes begin like a PLY file.
pub(crate) fn recognises(bytes: &[u8]) -> bool {
    bytes.strip_prefix(b"ply").is_some_and(|rest| rest.first().is_some_and(|&byte| is_space(byte)))
}
