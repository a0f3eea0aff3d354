//! Work shared out among threads with the feature `rayon`, done one after the other without it. The results are the same.
//!
//! Compiled once for each kind of list, not for each use: what hands work to another thread is larger than most work.

use alloc::vec::Vec;
use core::ops::Range;

use crate::simd::append::append;
use crate::simd::pages::prefer_large_pages;
use crate::watch::{Cancelled, Job};

/// How many threads there are for it.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// Both at once.
pub(crate) fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "rayon")]
    {
        let (mut a, mut b) = (Some(a), Some(b));
        let (mut of_a, mut of_b) = (None, None);
        both(&mut || of_a = a.take().map(|a| a()), &mut || of_b = b.take().map(|b| b()));
        let (Some(of_a), Some(of_b)) = (of_a, of_b) else { unreachable!("both were called") };
        (of_a, of_b)
    }
    #[cfg(not(feature = "rayon"))]
    (a(), b())
}

#[cfg(feature = "rayon")]
fn both(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    rayon::join(a, b);
}

/// Does something to all.
pub(crate) fn each<T: Send>(all: &mut [T], work: &(dyn Fn(&mut T) + Sync)) {
    match all {
        [] => {}
        [one] => work(one),
        _ => {
            let (low, high) = all.split_at_mut(all.len() / 2);
            join(|| each(low, work), || each(high, work));
        }
    }
}

/// Answers questions in tasks of so many, but for the last, each answer in its question's place.
pub(crate) fn in_tasks<Q: Sync, A: Send>(
    questions: &[Q],
    answers: &mut [A],
    task: usize,
    work: &(dyn Fn(&[Q], &mut [A]) + Sync),
) {
    let mut tasks: Vec<(&[Q], &mut [A])> = questions.chunks(task).zip(answers.chunks_mut(task)).collect();
    each(&mut tasks, &|(questions, answers)| work(questions, answers));
}

/// Small things that one thread does in one go.
const AT_ONCE: usize = 4096;

/// What `make` makes of the numbers from 0 on, on large pages where it is large. Also fresh memory is claimed by all
/// threads: for large lists that takes as long as writing them.
pub(crate) fn list<T: Copy + Send>(count: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut list = Vec::with_capacity(count);
    prefer_large_pages(&mut list);
    relist(&mut list, count, make);
    list
}

/// The same in a list whose memory is used again.
pub(crate) fn relist<T: Copy + Send>(list: &mut Vec<T>, count: usize, make: impl Fn(usize) -> T + Sync) {
    list.clear();
    go_on(list, 0..count, &make);
}

/// [`list`] piece by piece, each of so many bytes that they are claimed within a few milliseconds.
///
/// # Errors
/// Where the job is stopped.
pub(crate) fn watched_list<T: Copy + Send>(
    count: usize,
    make: impl Fn(usize) -> T + Sync,
    job: &Job<'_>,
) -> Result<Vec<T>, Cancelled> {
    const PIECE: usize = 16 << 20;
    let mut list = Vec::with_capacity(count);
    prefer_large_pages(&mut list);
    let piece = PIECE / size_of::<T>().max(1);
    while list.len() < count {
        job.go_on()?;
        let begin = list.len();
        go_on(&mut list, begin..(begin + piece).min(count), &make);
    }
    Ok(list)
}

/// Appends what `make` makes of these numbers.
fn go_on<T: Copy + Send>(list: &mut Vec<T>, numbers: Range<usize>, make: &(impl Fn(usize) -> T + Sync)) {
    if numbers.len() <= AT_ONCE {
        list.extend(numbers.map(make));
        return;
    }
    let parts: Vec<Range<usize>> =
        numbers.clone().step_by(AT_ONCE).map(|from| from..(from + AT_ONCE).min(numbers.end)).collect();
    append(list, &parts, [1, 1], Range::len, |numbers, room| {
        for number in numbers.clone() {
            room.push(make(number));
        }
    });
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
