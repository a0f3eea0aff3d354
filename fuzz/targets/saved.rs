//! Saved scenes: whatever a file says, it is refused or answers everything, without a panic.
//!
//! The first byte chooses a sound file, and the others change words of it, whose checksums are then made right again; or
//! the others are the file.
#![no_main]

#[path = "../../crates/hitscan/tests/saved/support.rs"]
#[allow(dead_code)]
mod support;

use std::sync::LazyLock;

use hitscan::Ray;
use hitscan_oracle::Rng;
use libfuzzer_sys::fuzz_target;

/// Sound files of each kind, and rays to ask them.
static KNOWN: LazyLock<(Vec<Vec<u8>>, Vec<Ray>)> = LazyLock::new(|| {
    let mut rng = Rng::new(1031);
    (support::sound(&mut rng), support::rays(&mut rng, 2))
});

/// First bytes from this one on say that the others are the file.
const AS_IT_IS: u8 = 0xf0;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let (files, rays) = &*KNOWN;
    if first >= AS_IT_IS {
        support::opens_and_answers(rest, rays);
        return;
    }
    let mut file = files[usize::from(first) % files.len()].clone();
    let sections = support::sections(&file);
    for change in rest.chunks_exact(7) {
        let (.., range) = &sections[usize::from(change[0]) % sections.len()];
        if range.len() >= 4 {
            let word = usize::from(u16::from_le_bytes([change[1], change[2]])) % (range.len() / 4);
            file[range.start + 4 * word..][..4].copy_from_slice(&change[3..7]);
        }
    }
    support::mend(&mut file);
    support::opens_and_answers(&file, rays);
});
