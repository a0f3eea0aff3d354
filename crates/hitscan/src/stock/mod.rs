//! Lists in memory of their own, or in a region that many lists share: that of a saved scene.
//!
//! Whoever reads a list sees a pointer and a length, wherever it lies, so walks pay nothing for the choice. Lists in a
//! region are never written: to change one is to copy it out first.
#![allow(unsafe_code, reason = "one pointer for two kinds of owners")]

#[cfg(feature = "std")]
mod map;
#[cfg(feature = "std")]
mod region;

#[cfg(feature = "std")]
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::ptr::NonNull;

#[cfg(feature = "std")]
pub(crate) use region::Region;

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
