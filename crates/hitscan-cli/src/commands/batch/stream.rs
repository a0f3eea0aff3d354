//! Chunks of rows in, batches of answers out, in memory that grows with neither.
//!
//! One thread reads ahead, all threads decode the parts of a chunk, ask the rays and encode the answers, and one
//! thread writes. Rays with many hits make long answers, so the rows are answered in windows that are measured by
//! the bytes which the window before them took.

use std::ops::Range;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::JoinHandle;

use rayon::prelude::*;

use crate::args::Mode;
use crate::failure::Failure;
use crate::rays::answers::Answers;
use crate::rays::read::{Chunk, Source};
use crate::rays::rows::Rows;
use crate::rays::write::{Batch, Encode};
use crate::scene::Loaded;

/// Bytes of answers that one task may make, and all tasks of a window.
const TASK_BYTES: usize = 2 << 20;
const WINDOW_BYTES: usize = 32 << 20;

/// Rays of one task: enough to outweigh the hand-over, few enough to share the work evenly.
const TASK_RAYS: usize = 1024;

/// Rays of one task while nothing is known about their answers.
const FIRST_RAYS: usize = 64;

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

    /// The next chunk; `None` at the end.
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
    /// Which hits.
    pub mode: Mode,
    /// Of which scene.
    pub loaded: &'a Loaded,
    /// The rows of the output.
    pub encoder: E,
}

/// Rows of a part of a chunk whose answers are encoded as one batch.
struct Task<'r> {
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

/// Decodes all parts of a chunk, up to the first that has a flaw where `stop` is set.
pub fn decode<'p>(chunk: &dyn Chunk, stop: bool, memory: &'p mut Vec<Rows>) -> &'p [Rows] {
    let parts = chunk.parts();
    if memory.len() < parts {
        memory.resize_with(parts, Rows::default);
    }
    let rows = &mut memory[..parts];
    rows.par_iter_mut().enumerate().for_each(|(part, rows)| {
        rows.clear();
        chunk.decode(part, stop, rows);
    });
    let flawed = if stop { rows.iter().position(|rows| rows.flaw.is_some()) } else { None };
    &rows[..flawed.map_or(parts, |last| last + 1)]
}

impl<E: Encode> Question<'_, E> {
    /// Answers decoded parts; `first` is the number of their first row. Gives how many hits there are.
    ///
    /// A row with a flaw where `stop` is set, the last one, is left out.
    pub fn answer(
        &self,
        parts: &[Rows],
        first: u64,
        stop: bool,
        measure: &mut Measure,
        mut take: impl FnMut(Vec<E::Batch>) -> Result<Vec<E::Batch>, Failure>,
    ) -> Result<usize, Failure> {
        let mut cursor = Cursor { parts, stop, part: 0, row: 0, ray: 0, first };
        let mut hits = 0;
        let mut batches: Vec<E::Batch> = Vec::new();
        loop {
            let (rays, tasks) = measure.window();
            let tasks: Vec<Task<'_>> = std::iter::from_fn(|| cursor.task(rays)).take(tasks).collect();
            if tasks.is_empty() {
                return Ok(hits);
            }
            batches.resize_with(tasks.len(), E::Batch::default);
            let found: Vec<(usize, usize)> = tasks
                .par_iter()
                .zip(&mut batches)
                .map(|(task, batch)| {
                    batch.clear();
                    let Task { rows, range, rays, first } = task;
                    let answers =
                        Answers::ask(rows, range.clone(), rays.clone(), *first, self.mode, self.loaded);
                    self.encoder.encode(&answers, batch);
                    (answers.hits(), batch.bytes().div_ceil(range.len()))
                })
                .collect();
            hits += found.iter().map(|(hits, _)| hits).sum::<usize>();
            measure.bytes_per_ray = found.iter().map(|&(_, bytes)| bytes).max();
            batches = take(std::mem::take(&mut batches))?;
        }
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
            let task =
                Task { rows, range: range.clone(), rays: self.ray..self.ray + valid, first: self.first };
            self.first += range.len() as u64;
            (self.row, self.ray) = (range.end, self.ray + valid);
            return Some(task);
        }
    }
}
