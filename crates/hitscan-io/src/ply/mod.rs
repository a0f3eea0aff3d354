//! PLY, the Stanford triangle format: as text, and as binary of either byte order.
//!
//! Read: the element `vertex` with scalars `x y z` of any type, `face` with a list `vertex_indices` or `vertex_index`,
//! and `tristrips` with such a list, where -1 begins a new strip. Polygons become triangles as `polygon` says.
//! Elements may come in any order; other elements and properties are passed over. Text keeps the digits that it has,
//! whatever type the header gives them. Rows of text have a line each. What follows the last row is passed over, as
//! the format's other readers do.

mod ascii;
mod binary;
mod body;
mod header;

use crate::model::Parts;
use crate::reading::Reading;
use crate::{ReadError, indexed};
use ascii::Ascii;
use binary::Binary;
use header::Encoding;

pub(crate) use header::recognises;

pub(crate) fn read(reading: &Reading<'_>, bytes: Vec<u8>) -> Result<Parts, ReadError> {
    let path = reading.path;
    let header = header::parse(path, &bytes)?;
    let mesh = match header.encoding {
        Encoding::Ascii => body::read(reading, Ascii::new(path, &bytes, header.body), &header),
        Encoding::LittleEndian => {
            body::read(reading, Binary::<true>::new(path, &bytes, header.body), &header)
        }
        Encoding::BigEndian => body::read(reading, Binary::<false>::new(path, &bytes, header.body), &header),
    }?;
    drop(bytes); // positions and triangles are all that is needed
    let body::Mesh { positions, faces } = mesh;
    indexed::one_mesh(reading, |row| positions[row as usize], faces.triangles)
}
