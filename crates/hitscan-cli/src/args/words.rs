//! Values that are one of some words, which a shell can complete.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};

/// A parser with the words that it knows. What it says of others stays its own, and it may take more than these: a vector where
/// the words are axes.
#[derive(Clone)]
pub struct Words<P> {
    parser: P,
    words: &'static [&'static str],
}

/// The formats of rays and their answers, and of the answer of one.
pub const FORMATS: &[&str] = &["table", "csv", "json", "jsonl", "npy", "parquet"];

/// The axes that a direction may be.
pub const AXES: &[&str] = &["+X", "-X", "+Y", "-Y", "+Z", "-Z"];

/// A parser and what completions offer for it, instead of the files that they offer for all else.
pub fn words<P: TypedValueParser>(parser: P, words: &'static [&'static str]) -> Words<P> {
    Words { parser, words }
}

impl<P: TypedValueParser> TypedValueParser for Words<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<P::Value, clap::Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.words.iter().map(PossibleValue::new)))
    }
}
