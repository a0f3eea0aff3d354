//! What stands before the rows of a NPY file, versions 1.0, 2.0 and 3.0.

use std::io::{ErrorKind, Read};

use super::dtype::{Field, Type, fields};
use super::literal::Literal;
use crate::failure::Failure;
use crate::rays::subject::Subject;

/// The longest header: NumPy itself trusts none of more than 10,000 characters.
const LONGEST: u32 = 1 << 20;

/// The longest row, of which memory holds some.
pub const LONGEST_ROW: usize = 64 << 20;

/// How the rows of a file are laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The fields of a row. In Fortran order, all values of one follow each other.
    pub fields: Vec<Field>,
    /// Bytes of a row.
    pub size: usize,
    /// How many rows there are.
    pub rows: u64,
    /// Whether columns follow each other, not rows.
    pub fortran: bool,
    /// Where the rows begin.
    pub end: u64,
}

impl Header {
    /// Reads it.
    pub fn read(input: &mut dyn Read, place: &str, of: Subject) -> Result<Header, Failure> {
        let wrong = |what: &str| Failure::new(place, what);
        let mut fill = |bytes: &mut [u8]| {
            input.read_exact(bytes).map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof => {
                    wrong("ends within its header; expected an array as numpy.save writes it")
                }
                _ => Failure::reading(place, &error),
            })
        };
        let mut start = [0; 8];
        fill(&mut start)?;
        let [magic @ .., major, _] = start;
        if magic != *b"\x93NUMPY" {
            return Err(wrong("does not begin as a NPY file; expected an array as numpy.save writes it"));
        }
        let (length, before) = match major {
            1 => {
                let mut length = [0; 2];
                fill(&mut length)?;
                (u32::from(u16::from_le_bytes(length)), 10)
            }
            2 | 3 => {
                let mut length = [0; 4];
                fill(&mut length)?;
                (u32::from_le_bytes(length), 12)
            }
            _ => return Err(wrong(&format!("is NPY version {major}; expected version 1, 2 or 3"))),
        };
        if length > LONGEST {
            return Err(wrong(&format!("has a header of {length} bytes; expected no more than {LONGEST}")));
        }
        let mut bytes = vec![0; length as usize];
        fill(&mut bytes)?;
        let text = match major {
            3 => String::from_utf8_lossy(&bytes).into_owned(),
            _ => bytes.iter().map(|&byte| char::from(byte)).collect(),
        };
        let end = before + u64::from(length);
        Header::parse(&text, end, of).map_err(|error| wrong(&error))
    }

    /// The error reads `WHAT; WHAT WAS EXPECTED`.
    fn parse(text: &str, end: u64, of: Subject) -> Result<Header, String> {
        let literal = Literal::parse(text).map_err(|at| {
            format!("the header is not understood at character {at}; expected what numpy.save writes")
        })?;
        let Literal::Dict(entries) = literal else {
            return Err("the header is no dict; expected what numpy.save writes".into());
        };
        let find = |key: &str| {
            let mut found =
                entries.iter().filter(|(name, _)| name.text() == Some(key)).map(|(_, value)| value);
            match (found.next(), found.next()) {
                (Some(value), None) => Ok(value),
                _ => Err(format!("the header has not one '{key}'; expected what numpy.save writes")),
            }
        };
        let Literal::Flag(fortran) = *find("fortran_order")? else {
            return Err("fortran_order is neither True nor False; expected what numpy.save writes".into());
        };
        let shape = match find("shape")? {
            Literal::Tuple(shape) => shape.iter().map(|length| match length {
                Literal::Whole(length) => Some(*length),
                _ => None,
            }),
            _ => return Err("shape is no tuple; expected what numpy.save writes".into()),
        };
        let shape: Option<Vec<u64>> = shape.collect();
        let shape = shape.ok_or("shape holds no whole numbers; expected what numpy.save writes")?;
        let expected = match of {
            Subject::Rays => "expected (n, 6) numbers, (n, 8) with t_min and t_max, or (n,) structures",
            Subject::Points => "expected (n, 3) numbers or (n,) structures",
        };
        let needed = of.needed().len() as u64;
        let widths = [needed, needed + of.limits().len() as u64];
        let shown = || {
            let lengths: Vec<String> = shape.iter().map(u64::to_string).collect();
            let comma = if shape.len() == 1 { "," } else { "" };
            format!("the array has the shape ({}{comma})", lengths.join(", "))
        };
        let descr = find("descr")?;
        let (fields, rows) = match (descr, shape.as_slice()) {
            (Literal::List(descr), &[rows]) => (fields(descr)?.0, rows),
            (Literal::List(_), _) => return Err(format!("{} of structures; {expected}", shown())),
            (descr, &[rows, width]) if widths.contains(&width) => {
                (columns(&Type::of(descr)?, of, width as usize), rows)
            }
            _ => return Err(format!("{}; {expected}", shown())),
        };
        let size = fields.last().map_or(0, |last| last.offset + last.dtype.size);
        if size > LONGEST_ROW || rows.checked_mul(size as u64).and_then(|all| all.checked_add(end)).is_none()
        {
            return Err(format!("{} of {size} bytes a row; expected a table that fits on a disk", shown()));
        }
        // With one field after the other, a list of structures is the same in either order.
        let fortran = fortran && shape.len() == 2;
        Ok(Header { fields, size, rows, fortran, end })
    }

    /// Bytes of all rows.
    pub fn bytes(&self) -> u64 {
        self.rows * self.size as u64
    }
}

/// The columns of an array of numbers have the names that those of any such file have, in their order.
fn columns(dtype: &Type, of: Subject, width: usize) -> Vec<Field> {
    let names = of.needed().iter().chain(of.limits()).take(width).enumerate();
    let field = |(at, name): (usize, &&str)| Field {
        name: (*name).into(),
        offset: at * dtype.size,
        dtype: dtype.clone(),
    };
    names.map(field).collect()
}
