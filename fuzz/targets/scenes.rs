//! Files of scenes in every format: any bytes give a model or an error on one line, in memory of a few times their length.
//!
//! The beginning of the bytes says the format, as it does for the command's standard input.
#![no_main]

use hitscan::{Filter, Ray};
use hitscan_io::Options;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut options = Options::new();
    if bytes.starts_with(b"\x89PNG") || bytes.starts_with(b"II") || bytes.starts_with(b"MM") {
        (options.cell, options.relief) = (Some(1.0), Some([0.0, 9.0]));
    }
    match hitscan_io::read("fuzz", bytes.to_vec(), &options) {
        Err(error) => {
            let text = error.to_string();
            assert!(!text.contains(char::is_control), "{text:?}");
        }
        Ok(model) => {
            let scene = model.scene();
            scene.check().expect("the tree is sound");
            let Some((low, high)) = scene.bounds() else { return };
            let Ok(ray) = Ray::between(low, high) else { return };
            let hits = scene.all_hits(&ray, &Filter::ALL);
            assert_eq!(scene.closest(&ray, &Filter::ALL), hits.first().copied());
        }
    }
});
