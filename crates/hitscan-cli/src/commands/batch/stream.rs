//! Chunks of rows in, batches of answers out, in memory that grows with neither.
//!
//! One thread reads ahead, all threads decode the parts of a chunk, ask the rays and encode the answers, and one
//! thread writes. Rays with many hits make long answers, so the rows are answered in windows that are measured by
//! the bytes which the window before them took. Where rays that hit nothing are followed by rays that hit much, that
//! measure is wrong by any factor: a task that has become too long then stops, and the rows behind it are answered
//! again in the next window.

use std::mem::swap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::failure::Failure;
use crate::rays::answers::{Answers, Asker};
use crate::rays::read::{Chunk, Source};
use crate::rays::rows::Rows;
use crate::rays::write::{Batch, Encode};

/// Bytes of answers that one task may make, and all tasks of a window.
const TASK_BYTES: usize = 2 << 20;
const WINDOW_BYTES: usize = 32 << 20;

/// Bytes at which a task stops because its answers are longer than they were measured to be.
const LONG_TASK_BYTES: usize = 4 * TASK_BYTES;

/// Time after which a window ends where answers are kept, so that slow ones too are kept as they come.
const WINDOW_TIME: Duration = Duration::from_millis(200);

/// Rays of one task: enough to outweigh the hand-over, few enough to share the work evenly.
const TASK_RAYS: usize = 1024;

/// Rays of one task while nothing is known about their answers.
const FIRST_RAYS: usize = 64;

/// Rays whose lists of hits are made before a task looks how long its answers are.
const STEP_RAYS: usize = 16;

/// A [`Source`] that is read on a thread of its own.
pub struct ReadAhead {
    chunks: Receiver<Box<dyn Chunk>>,
    thread: Option<JoinHandle<Result<(), Failure>>>,
}

impl ReadAhead {
    /// Starts the thread, which keeps one chunk ready.
    pub fn new(mut source: Box<dyn Source>) -> ReadAhead {
        let (send, chunks) = sync_channel(1);
        let thread = std::thread::spawn(move || {
            while let Some(chunk) = source.next()? {
                if send.send(chunk).is_err() {
                    break; // nobody needs the rest
                }
            }
            Ok(())
        });
        ReadAhead { chunks, thread: Some(thread) }
    }

    /// The next chunk where it has been read already.
    pub fn ready(&mut self) -> Option<Box<dyn Chunk>> {
        self.chunks.try_recv().ok()
    }

    /// The next chunk, waited for; `None` at the end.
    pub fn next(&mut self) -> Result<Option<Box<dyn Chunk>>, Failure> {
        if let Ok(chunk) = self.chunks.recv() {
            return Ok(Some(chunk));
        }
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(None),
            Some(Ok(ended)) => ended.map(|()| None),
            Some(Err(_)) => Err(Failure::new("input", "its thread ended early; expected it to read all")),
        }
    }
}

/// What is asked of every ray, and how it is answered.
pub struct Question<'a, E> {
    /// Who answers.
    pub asker: Asker<'a>,
    /// The rows of the output.
    pub encoder: E,
    /// Whether answers are kept while the batch runs.
    pub keeps: bool,
}

/// Rows of a part of a chunk whose answers are encoded as one batch.
struct Task<'r> {
    /// Where the rows come from, for the cursor.
    part: usize,
    rows: &'r Rows,
    range: Range<usize>,
    /// Places of the range's rays in [`Rows::rays`].
    rays: Range<usize>,
    /// The number of the first row in its file.
    first: u64,
}

/// How long the answers are.
#[derive(Debug, Default)]
pub struct Measure {
    /// Bytes of one ray's answer, by the task of the last window that had the most.
    bytes_per_ray: Option<usize>,
}

impl Measure {
    /// Rays of a task, and tasks of a window.
    fn window(&self) -> (usize, usize) {
        let threads = rayon::current_num_threads();
        match self.bytes_per_ray {
            None => (FIRST_RAYS, 2 * threads),
            Some(bytes) => {
                let rays = (TASK_BYTES / bytes.max(1)).clamp(1, TASK_RAYS);
                (rays, (WINDOW_BYTES / (rays * bytes).max(1)).clamp(threads, 1 << 16))
            }
        }
    }
}

/// The rows of a chunk; their memory is used again.
#[derive(Default)]
pub struct Decoded {
    memory: Vec<Rows>,
    /// How many of `memory` are parts of the chunk.
    parts: usize,
    /// How much of the input the chunk was; `None` where there is no chunk.
    size: Option<u64>,
}

impl Decoded {
    /// Goes on to the next chunk: to that in `ahead`, which then has none, or to one that is still to be read. False
    /// at the end of the input.
    pub fn advance(
        &mut self,
        ahead: &mut Decoded,
        chunks: &mut ReadAhead,
        stop: bool,
    ) -> Result<bool, Failure> {
        self.size = None;
        swap(self, ahead);
        if self.size.is_none()
            && let Some(chunk) = chunks.next()?
        {
            self.take(chunk, stop);
        }
        Ok(self.size.is_some())
    }

    /// Decodes all parts of a chunk; up to the first that has a flaw where `stop` is set.
    pub fn take(&mut self, chunk: Box<dyn Chunk>, stop: bool) {
        self.size = Some(chunk.size());
        self.parts = chunk.parts();
        if self.memory.len() < self.parts {
            self.memory.resize_with(self.parts, Rows::default);
        }
        let rows = &mut self.memory[..self.parts];
        rows.par_iter_mut().enumerate().for_each(|(part, rows)| {
            rows.clear();
            chunk.decode(part, stop, rows);
        });
        if stop && let Some(flawed) = rows.iter().position(|rows| rows.flaw.is_some()) {
            self.parts = flawed + 1;
        }
    }

    /// The rows of each part.
    pub fn parts(&self) -> &[Rows] {
        &self.memory[..self.parts]
    }

    /// How much of the input the chunk was, in the units of [`Source::size`].
    pub fn size(&self) -> u64 {
        self.size.unwrap_or_default()
    }
}

impl<E: Encode> Question<'_, E> {
    /// Answers decoded parts behind their first `answered` rows; `first` is the number of the first of all. Gives how
    /// many hits there are. `take` is given the batches of a window, and how far the parts have been answered with it.
    ///
    /// A row with a flaw where `stop` is set, the last one, is left out.
    pub fn answer(
        &self,
        parts: &[Rows],
        first: u64,
        answered: usize,
        stop: bool,
        measure: &mut Measure,
        mut take: impl FnMut(Vec<E::Batch>, &Done) -> Result<Vec<E::Batch>, Failure>,
    ) -> Result<usize, Failure> {
        let mut cursor = Cursor { parts, stop, part: 0, row: 0, ray: 0, first };
        let mut all = Done { rows: cursor.skip(answered), hits: 0 };
        if all.rows != answered {
            let what = format_args!(
                "{answered} rows were answered of a piece of the input that has {}; expected the same pieces as before",
                all.rows
            );
            return Err(Failure::new("--resume", what));
        }
        let mut batches: Vec<E::Batch> = Vec::new();
        loop {
            let (rays, tasks) = measure.window();
            let tasks: Vec<Task<'_>> = std::iter::from_fn(|| cursor.task(rays)).take(tasks).collect();
            if tasks.is_empty() {
                return Ok(all.hits);
            }
            batches.resize_with(tasks.len(), E::Batch::default);
            let mut done = vec![Done::default(); tasks.len()];
            let (bytes, mut begun) = (AtomicUsize::new(0), None);
            // The bridge hands tasks out in their order, so that those which are left over are the last ones. The first is
            // always handed out, however late the threads come.
            let work = tasks.iter().zip(&mut batches).zip(&mut done);
            let work = work.take_while(|_| {
                let is_over = self.keeps && begun.get_or_insert_with(Instant::now).elapsed() >= WINDOW_TIME;
                !is_over && bytes.load(Ordering::Relaxed) < WINDOW_BYTES
            });
            work.par_bridge().for_each(|((task, batch), done)| *done = self.work(task, batch, &bytes));

            let whole =
                tasks.iter().zip(&done).take_while(|(task, done)| done.rows == task.range.len()).count();
            if let Some(cut) = tasks.get(whole) {
                cursor.go_back(cut, done[whole].rows);
                batches.truncate(whole + 1);
                done.truncate(whole + 1);
            }
            let asked = done.iter().zip(&batches).filter(|(done, _)| done.rows > 0);
            let per_ray = asked.map(|(done, batch)| batch.bytes().div_ceil(done.rows)).max();
            measure.bytes_per_ray = per_ray.or(measure.bytes_per_ray);
            all.hits += done.iter().map(|done| done.hits).sum::<usize>();
            all.rows += done.iter().map(|done| done.rows).sum::<usize>();
            batches = take(std::mem::take(&mut batches), &all)?;
        }
    }
}

/// How far a task has come, or the parts of a chunk.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// Rows that are answered.
    pub rows: usize,
    /// Hits of those that are answered now.
    pub hits: usize,
}

impl<E: Encode> Question<'_, E> {
    /// Answers a task, or as much of it as is not too long; `window` counts the bytes of all tasks.
    fn work(&self, task: &Task<'_>, batch: &mut E::Batch, window: &AtomicUsize) -> Done {
        batch.clear();
        let Task { rows, range, rays, first, .. } = task;
        let step = if self.asker.asked.is_one_each() { range.len() } else { STEP_RAYS };
        let (mut done, mut ray) = (Done::default(), rays.start);
        while done.rows < range.len() && batch.bytes() < LONG_TASK_BYTES {
            let start = range.start + done.rows;
            let part = start..(start + step).min(range.end);
            let valid = rows.valid()[part.clone()].iter().filter(|&&valid| valid).count();
            let (number, rays) = (first + done.rows as u64, ray..ray + valid);
            let answers = Answers::ask(rows, part.clone(), rays, number, &self.asker);
            self.encoder.encode(&answers, batch);
            done.rows += part.len();
            done.hits += answers.hits();
            ray += valid;
        }
        // What comes behind a task that was cut would be answered in vain.
        let rest = if done.rows < range.len() { WINDOW_BYTES } else { 0 };
        window.fetch_add(batch.bytes() + rest, Ordering::Relaxed);
        done
    }
}

/// How far the rows of a chunk have been handed out.
struct Cursor<'r> {
    parts: &'r [Rows],
    stop: bool,
    part: usize,
    row: usize,
    ray: usize,
    first: u64,
}

impl<'r> Cursor<'r> {
    /// Goes on behind the first `rows` of a task.
    fn go_back(&mut self, task: &Task<'_>, rows: usize) {
        let done = task.range.start..task.range.start + rows;
        self.part = task.part;
        self.row = done.end;
        self.ray = task.rays.start + task.rows.valid()[done].iter().filter(|&&valid| valid).count();
        self.first = task.first + rows as u64;
    }

    /// Leaves out the next rows; how many there were.
    fn skip(&mut self, rows: usize) -> usize {
        let mut skipped = 0;
        while skipped < rows
            && let Some(task) = self.task(rows - skipped)
        {
            skipped += task.range.len();
        }
        skipped
    }

    /// The next rows, of one part and no more than `most`.
    fn task(&mut self, most: usize) -> Option<Task<'r>> {
        loop {
            let rows = self.parts.get(self.part)?;
            let end = if self.stop { rows.rays().len() } else { rows.len() };
            if self.row >= end {
                (self.part, self.row, self.ray) = (self.part + 1, 0, 0);
                continue;
            }
            let range = self.row..(self.row + most).min(end);
            let valid = rows.valid()[range.clone()].iter().filter(|&&valid| valid).count();
            let rays = self.ray..self.ray + valid;
            let task = Task { part: self.part, rows, range: range.clone(), rays, first: self.first };
            self.first += range.len() as u64;
            (self.row, self.ray) = (range.end, self.ray + valid);
            return Some(task);
        }
    }
}
