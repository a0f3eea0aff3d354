//! Saved scenes that the user answers for.
#![allow(unsafe_code, reason = "--trust is a promise that only the user can give")]

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook};
use std::sync::OnceLock;

use hitscan::saved::{OpenError, Saved};

use crate::failure::Failure;

/// The file that is trusted.
static FILE: OnceLock<String> = OnceLock::new();

/// Takes a file as memory. Of one that was changed, any question may panic from here on, which [`guarded`] tells.
pub fn map(name: &str) -> Result<Saved, OpenError> {
    if FILE.set(name.to_owned()).is_ok() {
        set_hook(Box::new(|_| {}));
    }
    // SAFETY: with --trust the user promises, as its help says, that nobody changes the file while the command runs.
    unsafe { Saved::map(name) }
}

/// Does the work of a command. Where that panics over a file that is trusted, nobody but the file can be blamed: its contents were
/// not checked, and to check them would be to open it without --trust.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let Some(file) = FILE.get() else { resume_unwind(panic) };
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no more is known");
        let expected = "expected a file as it was saved; without --trust it is checked";
        Err(Failure::new(file, format_args!("contradicts itself ({text}); {expected}")))
    })
}
