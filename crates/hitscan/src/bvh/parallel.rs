//! Work shared out among threads with the feature `rayon`, done one after the other without it. The results are the same.

use alloc::vec::Vec;

use crate::simd::pages::prefer_large_pages;
use crate::watch::{Cancelled, Job};

/// Both at once.
pub(crate) fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "rayon")]
    return rayon::join(a, b);
    #[cfg(not(feature = "rayon"))]
    (a(), b())
}

/// Does something to all.
pub(crate) fn each<T: Send>(all: &mut [T], work: &(impl Fn(&mut T) + Sync)) {
    match all {
        [] => {}
        [one] => work(one),
        _ => {
            let (low, high) = all.split_at_mut(all.len() / 2);
            join(|| each(low, work), || each(high, work));
        }
    }
}

/// Small things that one thread does in one go.
const AT_ONCE: usize = 4096;

/// What `make` makes of the numbers from 0 on, on large pages where it is large. Also fresh memory is claimed by all
/// threads: for large lists that takes as long as writing them.
pub(crate) fn list<T: Send>(count: usize, make: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    let mut list = Vec::with_capacity(count);
    prefer_large_pages(&mut list);
    relist(&mut list, count, make);
    list
}

/// The same piece by piece, each of so many bytes that they are claimed within a few milliseconds.
///
/// # Errors
/// Where the job is stopped.
pub(crate) fn watched_list<T: Send>(
    count: usize,
    make: impl Fn(usize) -> T + Sync + Send,
    job: &Job<'_>,
) -> Result<Vec<T>, Cancelled> {
    const PIECE: usize = 16 << 20;
    let mut list = Vec::with_capacity(count);
    prefer_large_pages(&mut list);
    let piece = PIECE / size_of::<T>().max(1);
    while list.len() < count {
        job.go_on()?;
        let (begin, end) = (list.len(), (list.len() + piece).min(count));
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            list.par_extend((begin..end).into_par_iter().with_min_len(AT_ONCE).map(&make));
        }
        #[cfg(not(feature = "rayon"))]
        list.extend((begin..end).map(&make));
    }
    Ok(list)
}

/// The same in a list whose memory is used again.
pub(crate) fn relist<T: Send>(list: &mut Vec<T>, count: usize, make: impl Fn(usize) -> T + Sync + Send) {
    #[cfg(feature = "rayon")]
    if count > AT_ONCE {
        use rayon::prelude::*;
        (0..count).into_par_iter().with_min_len(AT_ONCE).map(make).collect_into_vec(list);
        return;
    }
    list.clear();
    list.extend((0..count).map(make));
}

/// What `find` finds in parts of a list, merged.
pub(crate) fn merged<T: Sync, R: Send>(
    list: &[T],
    find: &(impl Fn(&[T]) -> R + Sync),
    merge: &(impl Fn(R, R) -> R + Sync),
) -> R {
    if list.len() <= AT_ONCE {
        return find(list);
    }
    let (low, high) = list.split_at(list.len() / 2);
    let (a, b) = join(|| merged(low, find, merge), || merged(high, find, merge));
    merge(a, b)
}
