//! Small worlds, each query on each instruction set against brute force: the test `bytes` of the law, with strings that grow.
#![no_main]

#[path = "../../crates/hitscan/tests/law/bytes.rs"]
#[allow(dead_code)]
mod bytes;
#[path = "../../crates/hitscan/tests/law/compare.rs"]
#[allow(dead_code)]
mod compare;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    bytes::assert_agrees(bytes);
});
