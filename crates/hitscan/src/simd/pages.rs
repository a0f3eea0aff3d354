//! Large pages under large arenas: a ray that jumps through 100 MB of 4 KB pages looks up an address at nearly every node.
#![allow(unsafe_code, reason = "advice to the operating system about memory that a vector owns")]

use alloc::vec::Vec;

/// From how many bytes on it is worth a call: two pages of 2 MB.
#[cfg(all(target_os = "linux", feature = "std"))]
pub(crate) const WORTH: usize = 4 << 20;

/// Asks for pages of 2 MB where a vector's room is large and not yet used; where the system has none, or is not asked,
/// nothing changes. Linux alone needs to be asked, and by default grants it.
#[inline]
pub(crate) fn prefer_large<T>(fresh: &mut Vec<T>) {
    #[cfg(all(target_os = "linux", feature = "std"))]
    {
        const PAGE: usize = 4096;
        let bytes = fresh.spare_capacity_mut();
        let (start, bytes) = (bytes.as_mut_ptr().cast::<u8>(), size_of_val(bytes));
        let skip = start.align_offset(PAGE);
        if bytes < WORTH || skip > bytes {
            return;
        }
        // SAFETY: whole pages of memory that the vector owns, from the first that begins in it. This advice changes no
        // content and no access; a refusal is no error for us.
        let _ = unsafe {
            libc::madvise(start.add(skip).cast(), (bytes - skip) / PAGE * PAGE, libc::MADV_HUGEPAGE)
        };
    }
    #[cfg(not(all(target_os = "linux", feature = "std")))]
    let _ = fresh;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_any_size_are_what_they_were() {
        for room in [0, 1, 5000, 3 << 20, 9 << 20] {
            let mut list: Vec<u8> = Vec::with_capacity(room);
            prefer_large(&mut list);
            list.resize(room, 7);
            assert!(list.iter().all(|&byte| byte == 7) && list.capacity() >= room);
        }
        let mut units = alloc::vec![(); 10];
        prefer_large(&mut units);
        assert_eq!(units.len(), 10);
    }
}
