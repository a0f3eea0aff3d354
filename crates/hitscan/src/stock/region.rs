//! The memory of a saved scene: read into pages of our own, or the file itself.
#![allow(unsafe_code, reason = "files as memory, and types that are plain numbers")]

use core::ptr::NonNull;
use std::fs::File;
use std::io;
use std::sync::Arc;
use std::vec::Vec;

use bytemuck::{Pod, Zeroable};
use memmap2::Mmap;

use super::{Home, Stock};
use crate::heightfield::Ranges;

// SAFETY: sixteen numbers in a row, `repr(C)`, as large as its alignment, so without padding; any bits are numbers.
unsafe impl Zeroable for Ranges<u16> {}
// SAFETY: as above.
unsafe impl Pod for Ranges<u16> {}
// SAFETY: as above, twice as large.
unsafe impl Zeroable for Ranges<f32> {}
// SAFETY: as above.
unsafe impl Pod for Ranges<f32> {}

const _: () = assert!(size_of::<Ranges<u16>>() == 32 && size_of::<Ranges<f32>>() == 64);

/// The alignment of a region, and of everything in a saved scene: that of a node.
pub(crate) const ALIGNMENT: usize = 64;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; ALIGNMENT]);

/// The bytes of a saved scene, which nobody writes any more.
pub(crate) struct Region(Bytes);

enum Bytes {
    Read { lines: Vec<Line>, length: usize },
    Mapped(Mmap),
}

impl Region {
    /// Private memory that `fill` writes: zeroes at first, on large pages where it is large.
    ///
    /// # Errors
    /// Those of `fill`, and memory that is not there.
    pub fn filled<E>(
        length: usize,
        no_memory: impl FnOnce() -> E,
        fill: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<Region, E> {
        let count = length.div_ceil(ALIGNMENT);
        let Ok(zeroed) = bytemuck::try_zeroed_slice_box::<Line>(count) else { return Err(no_memory()) };
        let mut lines = Vec::from(zeroed);
        lines.clear();
        crate::simd::pages::prefer_large(&mut lines);
        // SAFETY: all of them are the zeroes that the allocation gave, and the advice changed none.
        unsafe { lines.set_len(count) };
        fill(&mut bytemuck::cast_slice_mut(&mut lines)[..length])?;
        Ok(Region(Bytes::Read { lines, length }))
    }

    /// A file as memory.
    ///
    /// # Safety
    /// Nobody may write to the file or cut it as long as the region lives.
    ///
    /// # Errors
    /// Those of the system.
    // SAFETY: the caller's promise is all that the mapping asks for.
    pub unsafe fn mapped(file: &File) -> io::Result<Region> {
        // SAFETY: promised by the caller.
        unsafe { Mmap::map(file) }.map(|map| Region(Bytes::Mapped(map)))
    }

    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Bytes::Read { lines, length } => &bytemuck::cast_slice(lines)[..*length],
            Bytes::Mapped(map) => map,
        }
    }
}

impl<T: Pod> Stock<T> {
    /// The part of a region from `offset` to `end` as a list; `None` where it is none: outside, not aligned, or not a
    /// whole number of values.
    pub fn within(region: &Arc<Region>, offset: usize, end: usize) -> Option<Stock<T>> {
        let values: &[T] = bytemuck::try_cast_slice(region.bytes().get(offset..end)?).ok()?;
        let (start, len) = (NonNull::from(values).cast(), values.len());
        // Plain values at a place that does not move: that of a vector in the region, or of a mapping.
        Some(Stock { start, len, home: Home::Shared(region.clone()) })
    }
}
