//! Lists in memory of their own, or in a region that many lists share: that of a saved scene.
//!
//! Whoever reads a list sees a pointer and a length, wherever it lies, so walks pay nothing for the choice. Lists in a
//! region are never written: to change one is to copy it out first.
//!
//! All that is `unsafe` about files that are memory is here, down to the calls whose callers promise what nobody can check.
#![allow(unsafe_code, reason = "one pointer for two kinds of owners, and files as memory")]

#[cfg(feature = "std")]
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::ptr::NonNull;

#[cfg(feature = "std")]
pub(crate) use file::Region;

/// A list that does not grow.
pub(crate) struct Stock<T> {
    /// The first of `len` initialised values, which live as long as `home` does and which, unless that is `Own`, nobody
    /// writes.
    start: NonNull<T>,
    len: usize,
    home: Home,
}

/// Who owns a list's memory.
enum Home {
    /// The list, as a vector with room for so many did.
    Own { capacity: usize },
    /// This one and others.
    #[cfg(feature = "std")]
    Shared(Arc<Region>),
}

// SAFETY: a `Stock` owns its values as a vector does, or shares them read-only with a region that is `Send` and `Sync`.
unsafe impl<T: Send + Sync> Send for Stock<T> {}
// SAFETY: as above; a shared `Stock` only gives out shared references.
unsafe impl<T: Send + Sync> Sync for Stock<T> {}

impl<T> Stock<T> {
    /// All values, to be changed; those of a region are copied first.
    pub fn to_mut(&mut self) -> &mut [T]
    where
        T: Clone,
    {
        #[cfg(feature = "std")]
        if let Home::Shared(_) = self.home {
            *self = self.to_vec().into();
        }
        // SAFETY: the values are the list's own now, which is borrowed exclusively.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T> Deref for Stock<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: by the promise of `start`; `home` lives as long as the borrow of `self`.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T> From<Vec<T>> for Stock<T> {
    fn from(list: Vec<T>) -> Stock<T> {
        let mut list = ManuallyDrop::new(list);
        // SAFETY: a vector's pointer is never null.
        let start = unsafe { NonNull::new_unchecked(list.as_mut_ptr()) };
        Stock { start, len: list.len(), home: Home::Own { capacity: list.capacity() } }
    }
}

impl<T> Drop for Stock<T> {
    fn drop(&mut self) {
        match self.home {
            Home::Own { capacity } => {
                // SAFETY: taken apart in `from`, from a vector of this capacity that was not dropped; the length never changes.
                let list = unsafe { Vec::from_raw_parts(self.start.as_ptr(), self.len, capacity) };
                drop(list);
            }
            #[cfg(feature = "std")]
            Home::Shared(_) => {}
        }
    }
}

impl<T: Clone> Clone for Stock<T> {
    fn clone(&self) -> Stock<T> {
        match &self.home {
            Home::Own { .. } => self.to_vec().into(),
            #[cfg(feature = "std")]
            Home::Shared(region) => {
                Stock { start: self.start, len: self.len, home: Home::Shared(region.clone()) }
            }
        }
    }
}

impl<T> Default for Stock<T> {
    fn default() -> Stock<T> {
        Vec::new().into()
    }
}

impl<T: fmt::Debug> fmt::Debug for Stock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&**self).finish()
    }
}

impl<'a, T> IntoIterator for &'a Stock<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(feature = "std")]
mod file {
    //! The memory of a saved scene: read into pages of our own, or the file itself; and the trusted way to open one.

    use core::ptr::NonNull;
    use std::fs::File;
    use std::io;
    use std::path::Path;
    use std::sync::Arc;

    use bytemuck::{Pod, Zeroable};
    use memmap2::{Mmap, MmapMut};

    use super::{Home, Stock};
    use crate::heightfield::Ranges;
    use crate::saved::{OpenError, Saved};
    use crate::scene::Scene;

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

    impl Saved {
        /// [`Scene::map`], with the notes.
        ///
        /// # Safety
        /// As [`Scene::map`].
        ///
        /// # Errors
        /// As [`Scene::map`].
        ///
        /// ```
        /// use hitscan::saved::{Notes, Saved};
        /// use hitscan::{World, shape::Sphere};
        /// let mut world = World::new();
        /// world.insert(Sphere::new([0.0; 3], 1.0)?);
        /// let path = std::env::temp_dir().join(format!("mapped-{}.hitscan", std::process::id()));
        /// Saved { scene: world.commit(), notes: Notes::new() }.save(&path)?;
        /// // SAFETY: nobody else knows the file.
        /// let mapped = unsafe { Saved::map(&path) }?;
        /// assert_eq!(mapped.scene.iter().count(), 1);
        /// # drop(mapped);
        /// # std::fs::remove_file(path)?;
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        // SAFETY: the caller's promise is handed on.
        pub unsafe fn map(path: impl AsRef<Path>) -> Result<Saved, OpenError> {
            let file = File::open(path)?;
            // SAFETY: promised by the caller for as long as the scene lives, which is what the region lives for.
            let region = unsafe { Region::mapped(&file) }?;
            Saved::of_trusted(region)
        }
    }

    impl Scene {
        /// Opens a saved scene as memory, unread: the trusted call. Pages are read when a query first needs them and are shared by all
        /// processes that map the file, so that a scene of any size is there at once.
        ///
        /// Checked are the header, the table of sections, the description, the tree over the instances, cutouts and notes. Large lists, those of
        /// meshes and heightfields, are not looked at but for their lengths, and a few nodes of meshes that all stand at one place: where a file is not as this library wrote it, queries may
        /// answer wrongly, panic, not end or overflow the stack. [`Scene::open`] looks at everything.
        ///
        /// # Safety
        /// The file has to stay as it is for as long as the scene, or a mesh or a heightfield that came from it, is there: nobody,
        /// no other process either, may write to it or cut it. [`Scene::save`] under the same name keeps that promise: it makes another file, and this
        /// one goes on to exist without a name. That a file was checked once, by whatever means, does not hinder another process from changing
        /// it afterwards.
        ///
        /// # Errors
        /// [`OpenError`]: what [`Scene::open`] refuses, as far as it is looked at.
        ///
        /// ```
        /// use hitscan::{Filter, Ray, Scene, World, shape::Sphere};
        /// # let folder = tempfile::tempdir()?;
        /// # let path = folder.path().join("ball.hitscan");
        /// let mut world = World::new();
        /// world.insert(Sphere::new([0.0; 3], 1.0)?);
        /// world.commit().save(&path)?;
        /// // SAFETY: the file is ours, and nobody else knows it.
        /// let scene = unsafe { Scene::map(&path) }?;
        /// assert!(scene.occluded(&Ray::new([0.0, 0.0, 9.0], [0.0, 0.0, -1.0])?, &Filter::ALL));
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        // SAFETY: the caller's promise is handed on.
        pub unsafe fn map(path: impl AsRef<Path>) -> Result<Scene, OpenError> {
            // SAFETY: promised by the caller.
            unsafe { Saved::map(path) }.map(|saved| saved.scene)
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn a_list_of_its_own_is_what_the_vector_was() {
        let mut list = Vec::with_capacity(9);
        list.extend([vec![1], vec![2, 3]]);
        let mut stock: Stock<Vec<i32>> = list.into();
        let twin = stock.clone();
        stock.to_mut()[0].push(7);
        assert_eq!((&stock[..], &twin[..]), (&[vec![1, 7], vec![2, 3]][..], &[vec![1], vec![2, 3]][..]));
        assert!(Stock::<u8>::default().is_empty() && Stock::from(vec![(); 3]).len() == 3);
    }

    #[test]
    #[cfg(feature = "std")]
    fn a_list_in_a_region_outlives_its_maker_and_is_copied_to_be_changed() {
        let fill = |bytes: &mut [u8]| {
            bytes.copy_from_slice(&[1, 0, 0, 0, 2, 0, 0, 0, 3, 0]);
            Ok(())
        };
        let region = Arc::new(Region::filled(10, || (), fill).expect("memory"));
        let mut stock: Stock<u32> = Stock::within(&region, 0, 8).expect("two numbers");
        assert!(Stock::<u32>::within(&region, 2, 6).is_none(), "not aligned");
        assert!(Stock::<u32>::within(&region, 0, 10).is_none(), "not whole");
        assert!(Stock::<u16>::within(&region, 8, 12).is_none(), "outside");
        drop(region);
        let twin = stock.clone();
        assert_eq!(stock.as_ptr(), twin.as_ptr());
        stock.to_mut()[1] = 9;
        assert_eq!((&stock[..], &twin[..]), (&[1, 9][..], &[1, 2][..]));
    }
}
