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
    reserve_ahead(list, more, [1, 1]);
}

/// Makes room for `more` values, with which `steps[0]` of `steps[1]` steps in all are done (rays, rows, whatever there is as much work
/// for), and at once for what the other steps will add if they are like these, and a quarter more: a list that outgrows its
/// memory is copied to another place. On large pages where that is much.
///
/// What is not needed in the end costs addresses alone, on systems that hand out memory when it is written. No more than 1 GiB is
/// asked for ahead; where the system refuses, there is room for `more`. Steps of 0 count as 1.
///
/// # Panics
/// As [`Vec::reserve`] does, where a list of so many values cannot be.
///
/// ```
/// let mut answers: Vec<u8> = Vec::new();
/// hitscan::reserve_ahead(&mut answers, 1000, [1, 20]);
/// assert!(answers.capacity() >= 20_000);
/// ```
pub fn reserve_ahead<T>(list: &mut Vec<T>, more: usize, steps: [usize; 2]) {
    if list.capacity() - list.len() >= more {
        return;
    }
    let [done, all] = steps.map(|steps| steps.max(1) as f64);
    // As a float, which ends at the largest `usize`.
    let guess = (list.len().saturating_add(more) as f64 * MARGIN * (all / done)) as usize;
    let ahead = guess.min(MOST / size_of::<T>().max(1)).saturating_sub(list.len());
    if done >= all || list.try_reserve(ahead.max(more)).is_err() {
        list.reserve(more);
    }
    prefer_large_pages(list);
}

/// How much more room is made than steps that are alike would need.
const MARGIN: f64 = 1.25;
/// Bytes of a list that are asked for ahead at most.
const MOST: usize = 1 << 30;

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

    #[test]
    fn room_is_made_for_what_is_to_come_but_not_for_any_amount() {
        let mut list: Vec<u32> = Vec::new();
        reserve_ahead(&mut list, 100, [10, 1000]);
        let room = list.capacity();
        assert!((10_000..20_000).contains(&room), "{room}");
        // As much as fits is taken as it is, and all but what is needed may be refused.
        list.resize(room, 0);
        reserve_ahead(&mut list, 1, [1000, 1000]);
        assert!((room + 1..=4 * room).contains(&list.capacity()));
        reserve_ahead(&mut list, 1 << 20, [1, usize::MAX]);
        assert!((1 << 20..=(MOST / 4).max(1 << 21)).contains(&list.capacity()));
    }
}
