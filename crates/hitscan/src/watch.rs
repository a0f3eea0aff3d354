//! Watching long work: how far it is, and an end to it before it is done.

use alloc::sync::Arc;
use core::fmt;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Ends long work from elsewhere: another thread, a signal, a button. Clones are the same token.
///
/// ```
/// use hitscan::{Build, Cancel, Mesh, MeshError, Watch};
/// let cancel = Cancel::new();
/// cancel.clone().cancel();
/// let build = Build::new().watch(Watch::new().cancel(&cancel));
/// let stopped = Mesh::build(build, [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]);
/// assert_eq!(stopped.unwrap_err(), MeshError::Cancelled);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// One that nobody has used yet.
    ///
    /// ```
    /// assert!(!hitscan::Cancel::new().is_cancelled());
    /// ```
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Ends all work that watches this token, now and later: within 50 ms for meshes of some million triangles and batches of some million rays,
    /// whose memory is claimed in one go, and mostly within one.
    ///
    /// ```
    /// let cancel = hitscan::Cancel::new();
    /// let button = cancel.clone(); // the same token
    /// std::thread::spawn(move || button.cancel()).join().unwrap();
    /// assert!(cancel.is_cancelled());
    /// ```
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was used.
    ///
    /// ```
    /// let cancel = hitscan::Cancel::new();
    /// cancel.cancel();
    /// assert!(cancel.is_cancelled());
    /// ```
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Work that was ended by a [`Cancel`] before it was done; nothing of it is left.
///
/// ```
/// assert_eq!(hitscan::Cancelled.to_string(), "cancelled before it was done");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cancelled before it was done")
    }
}

impl core::error::Error for Cancelled {}

/// How far work has come.
///
/// ```
/// use std::sync::Mutex;
/// use hitscan::{Progress, Watch};
/// let last = Mutex::new(None);
/// let tell = |progress: Progress| *last.lock().unwrap() = Some(progress.done * 100 / progress.total);
/// Watch::new().progress(&tell).tell(3, 4);
/// assert_eq!(last.into_inner().unwrap(), Some(75));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// What is done.
    pub done: usize,
    /// All that there is to do: rays of a batch, or steps of a build, of which each triangle takes a few.
    pub total: usize,
}

/// Who watches long work: a token that ends it, and somebody to tell how far it is.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use hitscan::{Filter, Mesh, Progress, Ray, Watch};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
/// let rays = vec![Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])?; 10_000];
/// let most = AtomicUsize::new(0);
/// let tell = |progress: Progress| _ = most.fetch_max(progress.done, Ordering::Relaxed);
/// let hits = mesh.watched(Watch::new().progress(&tell)).closest_batch(&rays, &Filter::ALL)?;
/// assert_eq!((hits.len(), most.into_inner()), (10_000, 10_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    cancel: Option<&'a Cancel>,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

impl<'a> Watch<'a> {
    /// Nobody.
    ///
    /// ```
    /// assert!(!hitscan::Watch::new().is_cancelled());
    /// ```
    pub const fn new() -> Watch<'a> {
        Watch { cancel: None, progress: None }
    }

    /// The token that ends the work.
    ///
    /// ```
    /// use hitscan::{Cancel, Watch};
    /// let cancel = Cancel::new();
    /// let watch = Watch::new().cancel(&cancel);
    /// cancel.cancel();
    /// assert!(watch.is_cancelled());
    /// ```
    pub const fn cancel(mut self, cancel: &'a Cancel) -> Watch<'a> {
        self.cancel = Some(cancel);
        self
    }

    /// Who is told, up to about a hundred times from begin to end, the last time that all is done; where there is nothing to do, nobody is told. By any of the threads that
    /// work, so two calls may come at once, or in the wrong order; and it is the work that waits for them.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    /// use hitscan::{Progress, Watch};
    /// let done = AtomicUsize::new(0);
    /// let tell = |progress: Progress| done.store(progress.done, Ordering::Relaxed);
    /// Watch::new().progress(&tell).tell(3, 10);
    /// assert_eq!(done.into_inner(), 3);
    /// ```
    pub const fn progress(mut self, progress: &'a (dyn Fn(Progress) + Sync)) -> Watch<'a> {
        self.progress = Some(progress);
        self
    }

    /// Whether the work is to end: for work that is built upon this library, and is watched with it.
    ///
    /// ```
    /// use hitscan::{Cancel, Watch};
    /// fn longest(words: &[&str], watch: Watch<'_>) -> Option<usize> {
    ///     words.iter().map(|word| (!watch.is_cancelled()).then_some(word.len())).try_fold(0, |most, len| Some(most.max(len?)))
    /// }
    /// let cancel = Cancel::new();
    /// assert_eq!(longest(&["a", "bcd"], Watch::new().cancel(&cancel)), Some(3));
    /// cancel.cancel();
    /// assert_eq!(longest(&["a", "bcd"], Watch::new().cancel(&cancel)), None);
    /// ```
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(Cancel::is_cancelled)
    }

    /// The same work without anybody to tell: for a part of it that does not know how large the whole is.
    ///
    /// ```
    /// use hitscan::{Progress, Watch};
    /// let tell = |_: Progress| panic!("told");
    /// Watch::new().progress(&tell).untold().tell(1, 2);
    /// ```
    pub const fn untold(mut self) -> Watch<'a> {
        self.progress = None;
        self
    }

    /// Tells whoever wants to know how far the work is.
    ///
    /// ```
    /// use std::sync::Mutex;
    /// use hitscan::{Progress, Watch};
    /// let told = Mutex::new(Vec::new());
    /// let tell = |progress: Progress| told.lock().unwrap().push((progress.done, progress.total));
    /// (1..=3).for_each(|done| Watch::new().progress(&tell).tell(done, 3));
    /// assert_eq!(*told.lock().unwrap(), [(1, 3), (2, 3), (3, 3)]);
    /// ```
    pub fn tell(&self, done: usize, total: usize) {
        if let Some(progress) = self.progress {
            progress(Progress { done, total });
        }
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let progress = self.progress.map(|_| "a closure");
        f.debug_struct("Watch").field("cancel", &self.cancel).field("progress", &progress).finish()
    }
}

/// How often somebody is told.
const TOLD: usize = 100;

/// Work that is watched.
pub(crate) struct Job<'a> {
    watch: Watch<'a>,
    total: usize,
    done: AtomicUsize,
}

impl<'a> Job<'a> {
    /// Work that nobody watches.
    pub const fn unwatched() -> Job<'static> {
        Job::new(Watch::new(), 0)
    }

    /// So many steps of it.
    pub const fn new(watch: Watch<'a>, total: usize) -> Job<'a> {
        Job { watch, total, done: AtomicUsize::new(0) }
    }

    /// Whether anybody is told, or may end it.
    pub fn is_watched(&self) -> bool {
        self.watch.cancel.is_some() || self.watch.progress.is_some()
    }

    /// Whether it is to end.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.watch.is_cancelled()
    }

    /// The same as a result.
    pub fn go_on(&self) -> Result<(), Cancelled> {
        if self.stopped() { Err(Cancelled) } else { Ok(()) }
    }

    /// So many more steps are done.
    #[inline]
    pub fn advance(&self, steps: usize) {
        if let Some(progress) = self.watch.progress {
            let before = self.done.fetch_add(steps, Ordering::Relaxed);
            let (done, part) = ((before + steps).min(self.total), self.total / TOLD + 1);
            if before / part != done / part || done == self.total {
                progress(Progress { done, total: self.total });
            }
        }
    }

    /// Nothing is left to do.
    pub fn finish(&self) {
        if let Some(progress) = self.watch.progress
            && self.done.swap(self.total, Ordering::Relaxed) < self.total
        {
            progress(Progress { done: self.total, total: self.total });
        }
    }
}
