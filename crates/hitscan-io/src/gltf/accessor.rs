//! Typed elements in buffer views, every offset checked before the first is read.

use std::path::Path;

use ::gltf::json::accessor::{ComponentType, Type, sparse::Sparse};
use ::gltf::json::validation::Checked;

use super::buffers::{Buffers, View};
use super::document::Document;
use crate::{ReadError, limits};

/// What a primitive uses an accessor for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// Three numbers, as floats or quantized.
    Positions,
    /// Whole numbers without a sign.
    Indices,
    /// Two numbers, as floats or quantized.
    TexCoords,
    /// Four whole numbers without a sign.
    Joints,
    /// Four numbers, as floats or quantized to `[0, 1]`.
    Weights,
    /// Sixteen floats, column by column.
    Matrices,
    /// One float.
    Times,
    /// Four numbers, as floats or quantized.
    Rotations,
    /// Four numbers, the last of which is alpha, as floats or quantized to `[0, 1]`.
    Colours,
}

/// Elements of one accessor. All reads below `count` are in bounds.
pub(super) struct Accessor<'a> {
    pub count: usize,
    component: ComponentType,
    normalized: bool,
    /// `None` stands for zeros.
    rows: Option<Rows<'a>>,
    /// Ascending, the elements that have other values than `rows` says.
    replaced: Vec<u32>,
    replacements: Option<Rows<'a>>,
}

/// Elements of `size` bytes each, `stride` bytes apart.
struct Rows<'a> {
    bytes: &'a [u8],
    stride: usize,
    size: usize,
}

impl Rows<'_> {
    fn row(&self, number: usize) -> &[u8] {
        &self.bytes[number * self.stride..][..self.size]
    }
}

impl<'a> Accessor<'a> {
    pub fn open(
        path: &Path,
        document: &Document,
        buffers: &'a Buffers<'a>,
        number: usize,
        role: Role,
    ) -> Result<Accessor<'a>, ReadError> {
        let Some(accessor) = document.accessors.get(number) else {
            let found = format!("accessor {number} is named, and there are {}", document.accessors.len());
            return Err(ReadError::invalid(path, found, "numbers count from 0"));
        };
        let component = match &accessor.component_type {
            Checked::Valid(component) => Some(component.0),
            Checked::Invalid => None,
        };
        let (Some(component), true) =
            (component.filter(|&component| role.takes(component)), role.has_type(&accessor.type_))
        else {
            return Err(ReadError::invalid(
                path,
                format!("accessor {number} has the wrong type"),
                role.expected(),
            ));
        };
        let at = Place { path, buffers, number };
        let size = component.size() * role.components();
        let rows = match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
                Some(at.rows(view.value(), offset, accessor.count.0, size)?)
            }
            None if accessor.sparse.is_none() && role != Role::Indices => {
                if let Some(error) = document.compressed(path) {
                    return Err(error);
                }
                None
            }
            None => None,
        };
        let (replaced, replacements) = match &accessor.sparse {
            Some(sparse) => {
                let (replaced, replacements) = at.replacements(sparse, accessor.count.0, size)?;
                (replaced, Some(replacements))
            }
            None => (Vec::new(), None),
        };
        if rows.is_none() {
            // Now that the file with the replacements counts as well.
            limits::check_implied_zeros(path, number, accessor.count.0, buffers.bytes_read())?;
        }
        // Checked against bytes that exist, so it fits.
        let count = accessor.count.0 as usize;
        Ok(Accessor { count, component, normalized: accessor.normalized, rows, replaced, replacements })
    }

    /// The first components of element `number`. Normalised integers map to `[-1, 1]` or `[0, 1]`.
    pub fn floats<const N: usize>(&self, number: usize) -> [f32; N] {
        let Some(row) = self.row(number) else { return [0.0; N] };
        if self.component == ComponentType::F32 {
            return std::array::from_fn(|axis| f32::from_le_bytes(array(row, axis)));
        }
        std::array::from_fn(|axis| {
            let (value, largest) = match self.component {
                ComponentType::I8 => (f64::from(i8::from_le_bytes(array(row, axis))), 127.0),
                ComponentType::I16 => (f64::from(i16::from_le_bytes(array(row, axis))), 32767.0),
                ComponentType::U16 => (f64::from(u16::from_le_bytes(array(row, axis))), 65535.0),
                _ => (f64::from(u8::from_le_bytes(array(row, axis))), 255.0),
            };
            // The lowest signed value has no positive twin and stands for -1 as well.
            if self.normalized { f64::max(value / largest, -1.0) as f32 } else { value as f32 }
        })
    }

    /// The first components of element `number`, whole and without a sign.
    pub fn whole<const N: usize>(&self, number: usize) -> [u32; N] {
        let Some(row) = self.row(number) else { return [0; N] };
        std::array::from_fn(|component| match self.component {
            ComponentType::U8 => u32::from(u8::from_le_bytes(array(row, component))),
            ComponentType::U16 => u32::from(u16::from_le_bytes(array(row, component))),
            _ => u32::from_le_bytes(array(row, component)),
        })
    }

    /// All elements as indices.
    pub fn indices(&self) -> Vec<u32> {
        let index = |number| {
            let Some(row) = self.row(number) else { return 0 };
            match self.component {
                ComponentType::U8 => u32::from(row[0]),
                ComponentType::U16 => u32::from(u16::from_le_bytes(array(row, 0))),
                _ => u32::from_le_bytes(array(row, 0)),
            }
        };
        (0..self.count).map(index).collect()
    }

    /// Each three elements in a row as the corners of a triangle.
    pub fn append_triangles(&self, triangles: &mut Vec<[u32; 3]>) {
        fn append<const N: usize>(
            elements: &[[u8; N]],
            index: impl Fn([u8; N]) -> u32,
            triangles: &mut Vec<[u32; 3]>,
        ) {
            triangles.extend(elements.as_chunks().0.iter().map(|corners: &[[u8; N]; 3]| corners.map(&index)));
        }
        if let (ComponentType::U32, Some(elements)) = (self.component, self.tight()) {
            append(elements, u32::from_le_bytes, triangles);
        } else if let (ComponentType::U16, Some(elements)) = (self.component, self.tight()) {
            append(elements, |element| u32::from(u16::from_le_bytes(element)), triangles);
        } else {
            triangles.extend_from_slice(self.indices().as_chunks().0);
        }
    }

    /// All elements as the bytes of their coordinates, where they are floats one after the other.
    pub fn tight_floats(&self) -> Option<&[[[u8; 4]; 3]]> {
        let floats = self.tight::<4>().filter(|_| self.component == ComponentType::F32)?;
        Some(floats.as_chunks().0)
    }

    /// All components of `N` bytes, where nothing is between them and nothing is replaced.
    fn tight<const N: usize>(&self) -> Option<&[[u8; N]]> {
        let rows = self.rows.as_ref().filter(|rows| rows.stride == rows.size && self.replaced.is_empty())?;
        Some(rows.bytes[..self.count * rows.size].as_chunks().0)
    }

    fn row(&self, number: usize) -> Option<&[u8]> {
        if let Some(replacements) = &self.replacements
            && let Ok(place) = self.replaced.binary_search_by(|&row| (row as usize).cmp(&number))
        {
            return Some(replacements.row(place));
        }
        self.rows.as_ref().map(|rows| rows.row(number))
    }
}

impl Role {
    fn components(self) -> usize {
        match self {
            Role::Positions => 3,
            Role::Indices | Role::Times => 1,
            Role::TexCoords => 2,
            Role::Joints | Role::Weights | Role::Rotations | Role::Colours => 4,
            Role::Matrices => 16,
        }
    }

    fn has_type(self, found: &Checked<Type>) -> bool {
        let kind = match self {
            Role::Positions => Type::Vec3,
            Role::Indices | Role::Times => Type::Scalar,
            Role::TexCoords => Type::Vec2,
            Role::Joints | Role::Weights | Role::Rotations | Role::Colours => Type::Vec4,
            Role::Matrices => Type::Mat4,
        };
        *found == Checked::Valid(kind)
    }

    fn takes(self, component: ComponentType) -> bool {
        use ComponentType::{F32, I8, I16, U8, U16, U32};
        match self {
            Role::Positions | Role::TexCoords | Role::Rotations => {
                matches!(component, F32 | I8 | U8 | I16 | U16)
            }
            Role::Joints => matches!(component, U8 | U16),
            Role::Weights | Role::Colours => matches!(component, F32 | U8 | U16),
            Role::Matrices | Role::Times => component == F32,
            Role::Indices => matches!(component, U8 | U16 | U32),
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Role::Positions => "positions are VEC3 of floats, or of bytes or shorts",
            Role::Indices => "indices are SCALAR of unsigned bytes, shorts or ints",
            Role::TexCoords => "texture coordinates are VEC2 of floats, or of bytes or shorts",
            Role::Joints => "joints are VEC4 of unsigned bytes or shorts",
            Role::Weights => "weights are VEC4 of floats, or of unsigned bytes or shorts",
            Role::Matrices => "matrices are MAT4 of floats",
            Role::Times => "times are SCALAR of floats",
            Role::Rotations => "rotations are VEC4 of floats, or of bytes or shorts",
            Role::Colours => "colours are VEC3 or VEC4 of floats, or of unsigned bytes or shorts",
        }
    }
}

/// The accessor under construction, for errors.
struct Place<'a, 'p> {
    path: &'p Path,
    buffers: &'a Buffers<'a>,
    number: usize,
}

impl<'a> Place<'a, '_> {
    /// `count` elements from `offset` in a view, which must hold the last one whole.
    fn rows(&self, view: usize, offset: u64, count: u64, size: usize) -> Result<Rows<'a>, ReadError> {
        let View { bytes, stride } = self.buffers.view(view)?;
        let stride = stride.unwrap_or(size);
        if stride < size {
            let found = format!("accessor {} has elements of {size} bytes, {stride} apart", self.number);
            return Err(ReadError::invalid(self.path, found, "elements do not overlap"));
        }
        let end = match count {
            0 => Some(offset),
            _ => (count - 1)
                .checked_mul(stride as u64)
                .and_then(|last| last.checked_add(size as u64))
                .and_then(|length| length.checked_add(offset)),
        };
        match end.filter(|&end| end <= bytes.len() as u64) {
            Some(_) => Ok(Rows { bytes: &bytes[offset as usize..], stride, size }),
            None => {
                let found = format!("accessor {} has {count} elements from byte {offset} on", self.number);
                let expected = format!("its buffer view {view} has {} bytes", bytes.len());
                Err(ReadError::invalid(self.path, found, expected))
            }
        }
    }

    fn replacements(
        &self,
        sparse: &Sparse,
        count: u64,
        size: usize,
    ) -> Result<(Vec<u32>, Rows<'a>), ReadError> {
        let fault = |found: &str, expected: &str| {
            ReadError::invalid(self.path, format!("accessor {}: {found}", self.number), expected)
        };
        let component = match &sparse.indices.component_type {
            Checked::Valid(component) => component.0,
            Checked::Invalid => {
                return Err(fault("its sparse indices have the wrong type", Role::Indices.expected()));
            }
        };
        let (indices, values) = (&sparse.indices, &sparse.values);
        let rows =
            self.rows(indices.buffer_view.value(), indices.byte_offset.0, sparse.count.0, component.size())?;
        self.buffers.replace(sparse.count.0)?;
        let indices = Accessor {
            count: sparse.count.0 as usize,
            component,
            normalized: false,
            rows: Some(rows),
            replaced: Vec::new(),
            replacements: None,
        };
        let replaced = indices.indices();
        if !replaced.is_sorted_by(|a, b| a < b)
            || replaced.last().is_some_and(|&last| u64::from(last) >= count)
        {
            return Err(fault(
                "its sparse indices do not ascend within its count",
                "each names one element, in order",
            ));
        }
        let values = self.rows(values.buffer_view.value(), values.byte_offset.0, sparse.count.0, size)?;
        Ok((replaced, values))
    }
}

/// The bytes of one component of an element.
fn array<const N: usize>(row: &[u8], component: usize) -> [u8; N] {
    std::array::from_fn(|i| row[component * N + i])
}
