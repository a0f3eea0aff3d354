//! Files of rays and of points, as the command reads them: any bytes give rows or a failure.
//!
//! The first byte chooses the format, what the rows are, and what they are for.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some((&choice, bytes)) = data.split_first() {
        hitscan_cli::read_rays(bytes, choice);
    }
});
