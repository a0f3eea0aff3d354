//! Writing on a thread of its own, so that the disk and the rays are busy at the same time.

use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use super::Output;
use crate::failure::Failure;

/// Texts that may wait to be written. Memory stays within this many, however slow the disk is.
const WAITING: usize = 64;

/// An [`Output`] behind a queue.
#[derive(Debug)]
pub struct Background {
    queue: Option<SyncSender<Vec<u8>>>,
    /// Memory of texts that have been written.
    spare: Receiver<Vec<u8>>,
    thread: Option<JoinHandle<Result<Output, Failure>>>,
}

impl Background {
    /// Starts the thread.
    pub fn new(mut output: Output) -> Background {
        let (queue, texts) = sync_channel::<Vec<u8>>(WAITING);
        let (give_back, spare) = channel();
        let thread = std::thread::spawn(move || {
            for mut text in texts {
                output.write(&text)?;
                text.clear();
                // Nobody needs the memory any more once the batch is over.
                let _ = give_back.send(text);
            }
            Ok(output)
        });
        Background { queue: Some(queue), spare, thread: Some(thread) }
    }

    /// Appends a text, and gives an empty one to fill.
    pub fn write(&mut self, text: Vec<u8>) -> Result<Vec<u8>, Failure> {
        if self.queue.as_ref().is_some_and(|queue| queue.send(text).is_ok()) {
            return Ok(self.spare.try_recv().unwrap_or_default());
        }
        // The thread has ended, and only a failure ends it early.
        self.join().map(|_| Vec::new())
    }

    /// Waits until all is written, and completes the output.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.join()?.finish()
    }

    fn join(&mut self) -> Result<Output, Failure> {
        self.queue = None;
        let ended = self.thread.take().and_then(|thread| thread.join().ok());
        ended.unwrap_or_else(|| {
            Err(Failure::new("output", "its thread ended early; expected it to write all"))
        })
    }
}

impl Drop for Background {
    /// What was given is written; without [`Background::finish`] the file is discarded after that.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
