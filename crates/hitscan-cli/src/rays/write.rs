//! Hits as rows of text. Floats read back to the same bits, in the fewest digits that do so.

use std::io::Write;

use hitscan::{Face, Hit};

use super::columns::Column;
use super::layout::append_field;
use crate::scene::Loaded;

/// Writes rows of chosen columns.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    columns: Vec<Column>,
    loaded: &'a Loaded,
}

impl<'a> Rows<'a> {
    /// Rows of these columns; hits are those of this scene.
    pub fn new(columns: Vec<Column>, loaded: &'a Loaded) -> Rows<'a> {
        Rows { columns, loaded }
    }

    /// The header; `kept` are the names of columns that are carried over.
    pub fn header(&self, kept: &[String], out: &mut Vec<u8>) {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name()).collect();
        out.extend_from_slice(names.join(",").as_bytes());
        for name in kept {
            out.push(b',');
            append_field(name.trim().as_bytes(), out);
        }
        out.push(b'\n');
    }

    /// The row of a hit; `kept` is appended as it is.
    pub fn hit(&self, ray: u64, hit: &Hit, kept: &[u8], out: &mut Vec<u8>) {
        self.row(kept, out, |column, out| match column {
            Column::Ray => append_integer(ray, out),
            Column::T => append_float(hit.t, out),
            Column::X => append_float(hit.position.x, out),
            Column::Y => append_float(hit.position.y, out),
            Column::Z => append_float(hit.position.z, out),
            Column::Distance => append_float(hit.distance, out),
            Column::U => append_float(hit.u, out),
            Column::V => append_float(hit.v, out),
            Column::Mesh => append_integer(self.loaded.node(hit.instance).mesh as u64, out),
            Column::Instance => append_integer(u64::from(hit.instance.0), out),
            Column::Prim => append_integer(u64::from(hit.prim), out),
            Column::Facing => out.extend_from_slice(side(hit.facing).as_bytes()),
            Column::Nx => append_float(hit.normal.x, out),
            Column::Ny => append_float(hit.normal.y, out),
            Column::Nz => append_float(hit.normal.z, out),
            Column::Occluded => out.extend_from_slice(b"true"),
        });
    }

    /// The row of a ray that hits nothing.
    pub fn miss(&self, ray: u64, kept: &[u8], out: &mut Vec<u8>) {
        self.row(kept, out, |column, out| match column {
            Column::Ray => append_integer(ray, out),
            Column::T => out.extend_from_slice(b"inf"),
            Column::Prim => out.extend_from_slice(b"-1"),
            Column::Occluded => out.extend_from_slice(b"false"),
            _ => {}
        });
    }

    /// The row of a ray of which only this is asked.
    pub fn occluded(&self, ray: u64, occluded: bool, kept: &[u8], out: &mut Vec<u8>) {
        self.row(kept, out, |column, out| match column {
            Column::Ray => append_integer(ray, out),
            _ => out.extend_from_slice(if occluded { b"true" } else { b"false" }),
        });
    }

    fn row(&self, kept: &[u8], out: &mut Vec<u8>, mut cell: impl FnMut(Column, &mut Vec<u8>)) {
        for (i, &column) in self.columns.iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            cell(column, out);
        }
        out.extend_from_slice(kept);
        out.push(b'\n');
    }
}

/// The side of a triangle as files name it.
pub fn side(facing: Face) -> &'static str {
    match facing {
        Face::Front => "front",
        Face::Back => "back",
    }
}

fn append_integer(n: u64, out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = write!(out, "{n}");
}

/// The shortest digits that read back to the same bits; whole numbers without `.0`, as `{}` has them.
fn append_float(x: f64, out: &mut Vec<u8>) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format(x);
    out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_read_back_to_the_same_bits() {
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        let wild = std::iter::repeat_with(move || {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            f64::from_bits(bits)
        });
        let plain = [0.0, -0.0, 1.0, -2.5, 0.1, 1e16, 1e-7, f64::MAX, f64::MIN_POSITIVE, 5e-324];
        for x in plain.into_iter().chain(wild.filter(|x| x.is_finite()).take(10_000)) {
            let mut out = Vec::new();
            append_float(x, &mut out);
            let text = String::from_utf8(out).unwrap();
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), x.to_bits(), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_plain() {
        let text = |x| {
            let mut out = Vec::new();
            append_float(x, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!([text(3.0), text(-0.0), text(0.25)], ["3", "-0", "0.25"]);
    }
}
