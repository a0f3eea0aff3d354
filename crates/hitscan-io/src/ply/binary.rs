//! Values as bytes, one after the other.

use std::path::Path;

use super::body::{Values, Wrong};
use super::header::{Element, Scalar, Shape};
use crate::ReadError;

/// In little-endian order, or in big-endian order.
pub(super) struct Binary<'a, const LITTLE: bool> {
    path: &'a Path,
    rest: &'a [u8],
}

impl<'a, const LITTLE: bool> Binary<'a, LITTLE> {
    pub fn new(path: &'a Path, bytes: &'a [u8], body: usize) -> Self {
        Binary { path, rest: bytes.get(body..).unwrap_or_default() }
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Wrong> {
        let (&bytes, rest) = self.rest.split_first_chunk().ok_or(Wrong::Missing)?;
        self.rest = rest;
        Ok(bytes)
    }
}

/// A value of a primitive type in the order of the file.
macro_rules! take {
    ($values:ident, $primitive:ty) => {{
        let bytes = $values.take()?;
        if LITTLE { <$primitive>::from_le_bytes(bytes) } else { <$primitive>::from_be_bytes(bytes) }
    }};
}

impl<const LITTLE: bool> Values for Binary<'_, LITTLE> {
    fn least_row(element: &Element) -> usize {
        let size = |shape| match shape {
            Shape::One(scalar) => scalar.size(),
            Shape::List { length, .. } => length.size(),
        };
        element.properties.iter().map(|property| size(property.shape)).sum()
    }

    fn left(&self) -> usize {
        self.rest.len()
    }

    fn begin_row(&mut self) -> bool {
        true
    }

    fn end_row(&mut self) -> bool {
        true
    }

    #[inline]
    fn number(&mut self, scalar: Scalar) -> Result<f64, Wrong> {
        Ok(match scalar {
            Scalar::F32 => f64::from(take!(self, f32)),
            Scalar::F64 => take!(self, f64),
            whole => self.integer(whole)? as f64, // 32 bits at most
        })
    }

    #[inline]
    fn integer(&mut self, scalar: Scalar) -> Result<i64, Wrong> {
        Ok(match scalar {
            Scalar::I8 => i64::from(take!(self, i8)),
            Scalar::U8 => i64::from(take!(self, u8)),
            Scalar::I16 => i64::from(take!(self, i16)),
            Scalar::U16 => i64::from(take!(self, u16)),
            Scalar::I32 => i64::from(take!(self, i32)),
            Scalar::U32 => i64::from(take!(self, u32)),
            // The header refuses floats where whole numbers belong.
            Scalar::F32 => take!(self, f32) as i64,
            Scalar::F64 => take!(self, f64) as i64,
        })
    }

    #[inline]
    fn skip(&mut self, scalar: Scalar, count: usize) -> Result<(), Wrong> {
        let rest = count.checked_mul(scalar.size()).and_then(|bytes| self.rest.get(bytes..));
        self.rest = rest.ok_or(Wrong::Missing)?;
        Ok(())
    }

    fn fault(&self, found: String, expected: &str) -> ReadError {
        ReadError::invalid(self.path, found, expected)
    }
}
