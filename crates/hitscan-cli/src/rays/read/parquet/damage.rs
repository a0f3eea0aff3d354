//! The library's refusals and its panics on damaged bytes, as messages.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use parquet::errors::{ParquetError, Result};

thread_local! {
    /// Whether a panic of this thread is expected.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Does work of the library on bytes of a file; the error is what is wrong with them.
///
/// The library is written for files that its own kind wrote, and asserts where others return an error. What was
/// being read when it panicked must not be used again.
pub fn guarded<T>(work: impl FnOnce() -> Result<T>) -> std::result::Result<T, String> {
    static SILENCE: Once = Once::new();
    SILENCE.call_once(|| {
        let report = take_hook();
        set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                report(panic);
            }
        }));
    });
    GUARDED.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(false);
    match done {
        Ok(done) => done.map_err(|error| reason(&error)),
        Err(_) => Err("the bytes contradict each other".into()),
    }
}

/// An error in one line, without the library's name for it.
fn reason(error: &ParquetError) -> String {
    let text = match error {
        ParquetError::General(text) | ParquetError::NYI(text) | ParquetError::EOF(text) => text.clone(),
        ParquetError::External(error) => error.to_string(),
        other => other.to_string(),
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
