//! The file that says from where a batch goes on: a line with a checksum, an object of JSON, and what the output's
//! format needs beside.

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::job::Job;
use super::mark::Mark;

/// What the file begins with, and the version of all behind it.
const NAME: &str = "hitscan batch";
const VERSION: &str = "1";

/// From where a batch goes on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// Which batch it is.
    pub job: Job,
    /// How far it is.
    pub mark: Mark,
    /// Bytes of the output that are made of that.
    pub length: u64,
    /// What else the format needs to go on.
    #[serde(skip)]
    pub format: Vec<u8>,
}

impl State {
    /// Whether there is nothing to go on from.
    pub fn is_begin(&self) -> bool {
        self.mark.rows() == 0
    }

    /// As the file holds it.
    pub fn encode(&self) -> Vec<u8> {
        // Our fields have nothing that JSON cannot hold, and its strings no line breaks.
        let json = serde_json::to_vec(self).unwrap_or_default();
        let body = [&json[..], b"\n", &self.format].concat();
        let head = format!("{NAME} {VERSION} {:016x}\n", XxHash3_64::oneshot(&body));
        [head.as_bytes(), &body].concat()
    }

    /// The same back; the error says what is wrong with the bytes.
    pub fn decode(bytes: &[u8]) -> Result<State, String> {
        let damaged = || "is damaged".to_owned();
        let (head, body) = split(bytes).ok_or_else(damaged)?;
        let head =
            std::str::from_utf8(head).ok().and_then(|head| head.strip_prefix(NAME)).ok_or_else(damaged)?;
        let mut words = head.split_ascii_whitespace();
        match words.next() {
            Some(VERSION) => {}
            Some(other) => return Err(format!("has the version {other}, and this hitscan writes {VERSION}")),
            None => return Err(damaged()),
        }
        if words.next() != Some(&format!("{:016x}", XxHash3_64::oneshot(body))) {
            return Err(damaged());
        }
        let (json, format) = split(body).ok_or_else(damaged)?;
        let state: State = serde_json::from_slice(json).map_err(|_| damaged())?;
        Ok(State { format: format.to_vec(), ..state })
    }
}

/// The first line, and what follows it.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b'\n', bytes)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_comes_back_and_damage_is_told() {
        let mut state = State { length: 7, format: b"any\nbytes\xff".to_vec(), ..State::default() };
        state.mark.answered = 5;
        state.mark.tally.first_invalid = Some("a\nb".into());
        let bytes = state.encode();
        let back = State::decode(&bytes).unwrap();
        assert_eq!((back.length, back.mark.rows(), &back.format), (7, 5, &state.format));
        assert_eq!(back.encode(), bytes);
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert!(State::decode(&other).is_err(), "byte {at}");
            assert!(State::decode(&bytes[..at]).is_err(), "{at} bytes");
        }
        let other = String::from_utf8_lossy(&bytes).replacen("batch 1", "batch 12", 1);
        let error = State::decode(other.as_bytes()).unwrap_err();
        assert_eq!(error, "has the version 12, and this hitscan writes 1");
    }
}
