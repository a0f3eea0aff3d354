//! Writing on a thread of its own, so that the disk and the rays are busy at the same time.

use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use super::{Batch, Sink};
use crate::failure::Failure;
use crate::resume::mark::Mark;

/// A [`Sink`] behind a queue of one window of batches: one is made, one waits, one is written, however slow the
/// disk is.
#[derive(Debug)]
pub struct Background<B, S> {
    queue: Option<SyncSender<(Vec<B>, Mark)>>,
    /// Memory of windows that have been written.
    spare: Receiver<Vec<B>>,
    thread: Option<JoinHandle<Result<S, Failure>>>,
}

impl<B: Batch, S: Sink<B>> Background<B, S> {
    /// Starts the thread.
    pub fn new(mut sink: S) -> Background<B, S> {
        let (queue, windows) = sync_channel::<(Vec<B>, Mark)>(1);
        let (give_back, spare) = channel();
        let thread = std::thread::spawn(move || {
            for (mut window, mark) in windows {
                for batch in &mut window {
                    sink.write(batch)?;
                    batch.clear();
                }
                sink.mark(mark)?;
                // Nobody needs the memory any more once the work is over.
                let _ = give_back.send(window);
            }
            Ok(sink)
        });
        Background { queue: Some(queue), spare, thread: Some(thread) }
    }

    /// Appends the batches of a window, with which the whole is as far as the mark says, and gives empty ones to fill.
    pub fn write(&mut self, window: Vec<B>, mark: Mark) -> Result<Vec<B>, Failure> {
        if self.queue.as_ref().is_some_and(|queue| queue.send((window, mark)).is_ok()) {
            return Ok(self.spare.try_recv().unwrap_or_default());
        }
        // The thread has ended, and only a failure ends it early.
        self.join().map(|_| Vec::new())
    }

    /// Waits until all is written, and completes the output.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.join()?.finish()
    }

    fn join(&mut self) -> Result<S, Failure> {
        self.queue = None;
        let ended = self.thread.take().and_then(|thread| thread.join().ok());
        ended.unwrap_or_else(|| {
            Err(Failure::new("output", "its thread ended early; expected it to write all"))
        })
    }
}

impl<B, S> Drop for Background<B, S> {
    /// What was given is written; without [`Background::finish`] the file is discarded after that.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
