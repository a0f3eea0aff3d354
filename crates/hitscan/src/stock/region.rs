//! The memory of a saved scene: read into pages of our own, or the file itself.
#![allow(unsafe_code, reason = "files as memory, and types that are plain numbers")]

use core::ptr::NonNull;
use std::fs::File;
use std::io;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use memmap2::{Mmap, MmapMut};

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

/// The bytes of a saved scene, which nobody writes any more.
pub(crate) enum Region {
    Own(MmapMut),
    File(Mmap),
}

impl Region {
    /// Private memory of at least one byte that `fill` writes: zeroes at first, on large pages where it is large.
    ///
    /// # Errors
    /// Those of `fill`, and memory that is not there.
    pub fn filled<E>(
        length: usize,
        no_memory: impl Fn() -> E,
        fill: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<Region, E> {
        // Fresh from the system, so that nobody writes the zeroes, and each thread claims the pages that it fills.
        let mut memory = MmapMut::map_anon(length).map_err(|_| no_memory())?;
        // Where there are none, nothing changes.
        #[cfg(target_os = "linux")]
        if length >= crate::simd::pages::WORTH {
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        fill(&mut memory)?;
        Ok(Region::Own(memory))
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
        unsafe { Mmap::map(file) }.map(Region::File)
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Region::Own(memory) => memory,
            Region::File(memory) => memory,
        }
    }
}

impl<T: Pod> Stock<T> {
    /// The part of a region from `offset` to `end` as a list; `None` where it is none: outside, not aligned, or not a
    /// whole number of values.
    pub fn within(region: &Arc<Region>, offset: usize, end: usize) -> Option<Stock<T>> {
        let values: &[T] = bytemuck::try_cast_slice(region.bytes().get(offset..end)?).ok()?;
        let (start, len) = (NonNull::from(values).cast(), values.len());
        // Plain values at a place that does not move, in pages that nobody writes while the region lives.
        Some(Stock { start, len, home: Home::Shared(region.clone()) })
    }
}
