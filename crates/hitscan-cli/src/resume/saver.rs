//! States of a batch on their way to the disk, on a thread of its own: neither rays nor rows wait for it.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::interrupt::{self, Unfinished};

/// From one state to the next it is as long as this at least, and so many times as long as a state takes to save.
const REST: Duration = Duration::from_millis(100);
const REST_FOR_WORK: u32 = 20;

/// What the pace says while a state is being saved.
const BUSY: u64 = u64::MAX;

/// A state to save.
pub struct Saving {
    /// The state's bytes.
    pub state: Vec<u8>,
    /// What an interruption says once it is saved.
    pub words: Option<String>,
    /// When its making began.
    pub begun: Instant,
}

/// Where states go.
#[derive(Clone, Debug)]
pub struct Places {
    /// The output that they speak of.
    pub partial: PathBuf,
    /// Their name, and the one under which each is written.
    pub state: PathBuf,
    pub unfinished: PathBuf,
    /// Who may use all of them, where the system does not decide.
    pub permissions: Option<Permissions>,
}

/// The thread.
#[derive(Debug)]
pub struct Saver {
    states: Option<SyncSender<Saving>>,
    thread: Option<JoinHandle<Result<(), Failure>>>,
    /// Milliseconds from the last state to the next, or [`BUSY`].
    pace: Arc<AtomicU64>,
    last: Instant,
}

impl Saver {
    /// Starts the thread. `output`, which messages call `place`, is flushed before a state speaks of it.
    pub fn new(output: File, place: String, places: Places) -> Saver {
        let (send, states) = sync_channel(1);
        let pace = Arc::new(AtomicU64::new(REST.as_millis() as u64));
        let told = pace.clone();
        let thread = std::thread::spawn(move || {
            let ended = save_all(&states, &output, &place, &places, &told);
            // Whoever asks for the next one learns of it then, because nobody takes that one.
            drop(states);
            told.store(0, Ordering::Release);
            ended
        });
        Saver { states: Some(send), thread: Some(thread), pace, last: Instant::now() }
    }

    /// Whether it is time for the next state.
    pub fn is_due(&self) -> bool {
        let pace = self.pace.load(Ordering::Acquire);
        pace != BUSY && self.last.elapsed() >= Duration::from_millis(pace)
    }

    /// Takes a state that is due.
    pub fn take(&mut self, saving: Saving) -> Result<(), Failure> {
        self.last = Instant::now();
        self.pace.store(BUSY, Ordering::Release);
        match &self.states {
            Some(states) if states.send(saving).is_ok() => Ok(()),
            _ => self.end(),
        }
    }

    /// Waits until all is saved; why something was not.
    pub fn end(&mut self) -> Result<(), Failure> {
        self.states = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(ended)) => ended,
            Some(Err(_)) => Err(Failure::new("--resume", "its thread ended early; expected it to keep all")),
            None => Ok(()),
        }
    }
}

impl Drop for Saver {
    fn drop(&mut self) {
        // Where it matters, somebody has asked for the reason.
        let _ = self.end();
    }
}

fn save_all(
    states: &Receiver<Saving>,
    output: &File,
    place: &str,
    places: &Places,
    pace: &AtomicU64,
) -> Result<(), Failure> {
    for saving in states {
        output.sync_data().map_err(|error| Failure::writing(place, &error))?;
        let saved = save(places, &saving.state, |unfinished| {
            // From now on there is something to go on from.
            unfinished.forget(&places.partial);
            unfinished.forget(&places.state);
            unfinished.say(saving.words);
        });
        saved.map_err(|error| Failure::writing(places.state.display(), &error))?;
        let rest = (saving.begun.elapsed() * REST_FOR_WORK).max(REST);
        pace.store(rest.as_millis() as u64, Ordering::Release);
    }
    Ok(())
}

/// Puts a state in the place of the one before it; an interruption finds both this and what comes of it done, or neither.
pub fn save(places: &Places, state: &[u8], then: impl FnOnce(&mut Unfinished)) -> io::Result<()> {
    let Places { unfinished: path, state: name, permissions, .. } = places;
    let written = interrupt::create(path).and_then(|mut file| {
        if let Some(permissions) = permissions {
            file.set_permissions(permissions.clone())?;
        }
        file.write_all(state)?;
        file.sync_data()?;
        drop(file);
        interrupt::uninterrupted(|unfinished| {
            std::fs::rename(path, name)?;
            unfinished.forget(path);
            then(unfinished);
            Ok(())
        })
    });
    if written.is_err() {
        interrupt::discard(path);
    }
    written
}
