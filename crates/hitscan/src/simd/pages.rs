//! Large pages under large arenas, since a ray that jumps through 100 MB of 4 KB pages looks up an address at nearly every node; and
//! under long lists of answers.
#![allow(unsafe_code, reason = "advice to the operating system about memory that a vector owns")]

use alloc::vec::Vec;

/// From how many bytes on it is worth a call: two pages of 2 MB.
#[cfg(all(target_os = "linux", feature = "std"))]
pub(crate) const WORTH: usize = 4 << 20;

/// Asks for pages of 2 MB under a list where its room is large; where the system has none, or is not asked, nothing changes.
/// Linux alone needs to be asked, and by default grants it.
///
/// For a list of millions that is about to be filled: a system hands memory out when it is first written, and for pages of 4 KB that
/// takes as long as many an answer. Batches ask for their own lists.
///
/// ```
/// let mut answers: Vec<f64> = Vec::with_capacity(3_000_000);
/// hitscan::prefer_large_pages(&mut answers);
/// answers.resize(3_000_000, 1.0);
/// assert_eq!(answers.iter().sum::<f64>(), 3e6);
/// ```
#[inline]
pub fn prefer_large_pages<T>(list: &mut Vec<T>) {
    #[cfg(all(target_os = "linux", feature = "std"))]
    {
        const PAGE: usize = 4096;
        let (start, bytes) = (list.as_mut_ptr(), list.capacity() * size_of::<T>());
        if bytes < WORTH {
            return;
        }
        // From where its first page begins: advice about a part would split what the system can move in one piece when the
        // list grows.
        let skipped = start.addr() % PAGE;
        let first = start.cast::<u8>().wrapping_sub(skipped);
        // SAFETY: pages that the list's memory lies on. This advice changes no content and no access of any page, whoever owns
        // what else is on the first and the last; a refusal is no error for us.
        let _ = unsafe { libc::madvise(first.cast(), skipped + bytes, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(all(target_os = "linux", feature = "std")))]
    let _ = list;
}

/// Makes room for so many more, on large pages where that is much.
#[inline]
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve(more);
        prefer_large_pages(list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_any_size_are_what_they_were() {
        for room in [0, 1, 5000, 3 << 20, 9 << 20] {
            let mut list: Vec<u8> = Vec::with_capacity(room);
            prefer_large_pages(&mut list);
            list.resize(room, 7);
            assert!(list.iter().all(|&byte| byte == 7) && list.capacity() >= room);
        }
        let mut units = alloc::vec![(); 10];
        prefer_large_pages(&mut units);
        assert_eq!(units.len(), 10);
    }
}
