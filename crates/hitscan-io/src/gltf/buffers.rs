//! Bytes behind buffer views: the GLB's own chunk, files beside the document, data in the document.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::container::Container;
use super::document::Document;
use crate::error::quoted;
use crate::reading::Reading;
use crate::{ReadError, limits};

/// Buffers, each fetched when a view of it is first asked for: those that hold only pictures, of which no mask is one, never
/// are.
pub(super) struct Buffers<'a> {
    reading: &'a Reading<'a>,
    path: &'a Path,
    document: &'a Document,
    container: &'a Container<'a>,
    fetched: Vec<OnceCell<Vec<u8>>>,
    /// Where each buffer is, once one of a file is asked for.
    sources: OnceCell<Vec<Source>>,
    bytes_read: Cell<u64>,
    replaced: Cell<u64>,
    files_read: RefCell<Vec<PathBuf>>,
}

/// Where the bytes of a buffer are. Buffers of one file share them: thousands may name it.
struct Source {
    /// The first buffer that is there too.
    first: usize,
    /// How many bytes any of them wants, where this is the first.
    length: u64,
}

/// Bytes that tell what a file is.
const SIGNATURE: u64 = 8;

/// A run of bytes, and the distance of elements in it where the document gives one.
pub(super) struct View<'a> {
    pub bytes: &'a [u8],
    pub stride: Option<usize>,
}

impl<'a> Buffers<'a> {
    pub fn new(
        reading: &'a Reading<'a>,
        document: &'a Document,
        container: &'a Container<'a>,
    ) -> Buffers<'a> {
        let fetched = document.buffers.iter().map(|_| OnceCell::new()).collect();
        let (bytes_read, replaced) = (Cell::new(container.length), Cell::new(0));
        let (path, files_read, sources) = (reading.path, RefCell::default(), OnceCell::new());
        Buffers { reading, path, document, container, fetched, sources, bytes_read, replaced, files_read }
    }

    /// The document's file and all that was fetched besides.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.get()
    }

    /// The files beside the document that were fetched, which are needed no more.
    pub fn files_read(self) -> Vec<PathBuf> {
        self.files_read.into_inner()
    }

    /// Refuses sparse accessors that together replace more than all these bytes are meant to hold: few of them are
    /// enough for many accessors.
    pub fn replace(&self, elements: u64) -> Result<(), ReadError> {
        self.replaced.set(self.replaced.get().saturating_add(elements));
        limits::check_replaced(self.path, self.replaced.get(), self.bytes_read())
    }

    pub fn view(&self, number: usize) -> Result<View<'_>, ReadError> {
        let Some(view) = self.document.buffer_views.get(number) else {
            let found =
                format!("buffer view {number} is named, and there are {}", self.document.buffer_views.len());
            return Err(ReadError::invalid(self.path, found, "numbers count from 0"));
        };
        let buffer = self.buffer(view.buffer.value())?;
        let (offset, length) = (view.byte_offset.map_or(0, |offset| offset.0), view.byte_length.0);
        let Some(bytes) = slice(buffer, offset, length) else {
            let found = format!("buffer view {number} has {length} bytes from byte {offset} on");
            let expected = format!("its buffer {} has {}", view.buffer.value(), buffer.len());
            return Err(ReadError::invalid(self.path, found, expected));
        };
        Ok(View { bytes, stride: view.byte_stride.map(|stride| stride.0) })
    }

    fn buffer(&self, number: usize) -> Result<&[u8], ReadError> {
        let Some(buffer) = self.document.buffers.get(number) else {
            let found = format!("buffer {number} is named, and there are {}", self.document.buffers.len());
            return Err(ReadError::invalid(self.path, found, "numbers count from 0"));
        };
        let length = buffer.byte_length.0;
        let data = match (&buffer.uri, self.container.binary) {
            (Some(uri), _) => {
                let sources = self.sources.get_or_init(|| self.sources());
                let first = sources[number].first;
                let length = sources[first].length;
                let cell = &self.fetched[first];
                if cell.get().is_none() {
                    let data = self.fetch(&format!("buffer {number}"), uri, length, |_| true)?;
                    self.bytes_read.set(self.bytes_read.get().saturating_add(data.len() as u64));
                    // Nothing else sets it between the question and here.
                    let _ = cell.set(data);
                }
                cell.get().map_or(&[][..], Vec::as_slice)
            }
            (None, Some(binary)) if number == 0 => binary,
            (None, _) => {
                let found = format!("buffer {number} has no uri");
                return Err(ReadError::invalid(
                    self.path,
                    found,
                    "only the first buffer of a GLB goes without",
                ));
            }
        };
        slice(data, 0, length).ok_or_else(|| {
            let found = format!("buffer {number} has {} bytes", data.len());
            ReadError::invalid(self.path, found, format!("the document says {length}"))
        })
    }

    fn sources(&self) -> Vec<Source> {
        let mut places: HashMap<PathBuf, usize> = HashMap::new();
        let mut sources: Vec<Source> = Vec::with_capacity(self.document.buffers.len());
        for (number, buffer) in self.document.buffers.iter().enumerate() {
            let place = buffer.uri.as_deref().and_then(|uri| self.place(uri));
            let first = place.map_or(number, |place| *places.entry(place).or_insert(number));
            sources.push(Source { first, length: buffer.byte_length.0 });
            sources[first].length = sources[first].length.max(buffer.byte_length.0);
        }
        sources
    }

    /// Where the file behind a URI is, whatever the URI calls it; `None` where it is no file.
    pub fn place(&self, uri: &str) -> Option<PathBuf> {
        is_file(uri).then(|| {
            let place = beside(self.path, uri);
            // One that is not there is told of when it is read.
            fs::canonicalize(&place).unwrap_or(place)
        })
    }

    /// What is behind a URI; of a file at most `length` bytes, and only the first few where `is_wanted` says no to them. `what` is
    /// how errors call it.
    pub fn fetch(
        &self,
        what: &str,
        uri: &str,
        length: u64,
        is_wanted: impl FnOnce(&[u8]) -> bool,
    ) -> Result<Vec<u8>, ReadError> {
        if let Some(data) = uri.strip_prefix("data:") {
            let decoded = data
                .split_once(',')
                .filter(|(kind, _)| kind.ends_with(";base64"))
                .and_then(|(_, text)| base64(text));
            return decoded.ok_or_else(|| {
                let found = format!("{what} has a data URI that does not decode");
                ReadError::invalid(self.path, found, "such data is in base64")
            });
        }
        if uri.contains("://") {
            let feature = format!("{what} at {}", quoted(uri.as_bytes()));
            let remedy = "store it in a file beside the document".to_owned();
            return Err(ReadError::Unsupported { path: self.path.into(), feature, remedy });
        }
        let file = beside(self.path, uri);
        // Messages name the file, on one line.
        if percent_decoded(uri).contains(char::is_control) {
            let found = format!("{what} is at {}", quoted(uri.as_bytes()));
            return Err(ReadError::invalid(self.path, found, "names of files have no control characters"));
        }
        let expected = format!("it is {what} of {}", self.path.display());
        let failed = |source| ReadError::io(&file, &*expected, source);
        let (mut rest, size) = start(&file, length).map_err(failed)?;
        self.files_read.borrow_mut().push(file.clone());
        let mut first = Vec::new();
        rest.by_ref().take(SIGNATURE).read_to_end(&mut first).map_err(failed)?;
        if !is_wanted(&first) {
            return Ok(first);
        }
        self.reading.bytes(first.chain(rest), size, self.bytes_read(), failed)
    }
}

/// The files beside the document that its buffers and images are in, whether they are asked for or not.
pub(super) fn files(path: &Path, document: &Document) -> Vec<PathBuf> {
    let uris = document.buffers.iter().filter_map(|buffer| buffer.uri.as_deref());
    let images = document.images.iter().filter_map(|image| image.sound()?.uri.as_deref());
    uris.chain(images).filter(|uri| is_file(uri)).map(|uri| beside(path, uri)).collect()
}

fn is_file(uri: &str) -> bool {
    !uri.starts_with("data:") && !uri.contains("://")
}

fn beside(path: &Path, uri: &str) -> PathBuf {
    path.with_file_name(percent_decoded(uri))
}

/// The first `length` bytes of a regular file, and how many there are: a document must not make us read a device for ever.
fn start(path: &Path, length: u64) -> io::Result<(impl Read, u64)> {
    // Before it is opened: a pipe that nobody writes to would keep us waiting.
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    Ok((File::open(path)?.take(length), length.min(metadata.len())))
}

/// `length` bytes from `offset` on, where there are as many.
pub(super) fn slice(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let end = usize::try_from(offset.checked_add(length)?).ok()?;
    bytes.get(usize::try_from(offset).ok()?..end)
}

/// The bytes of a base64 text, with or without padding at its end.
fn base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for four in digits.chunks(4) {
        let mut bits = 0u32;
        for place in 0..4 {
            let value = match four.get(place) {
                Some(digit @ b'A'..=b'Z') => digit - b'A',
                Some(digit @ b'a'..=b'z') => digit - b'a' + 26,
                Some(digit @ b'0'..=b'9') => digit - b'0' + 52,
                Some(b'+') => 62,
                Some(b'/') => 63,
                Some(_) => return None,
                None => 0,
            };
            bits = bits << 6 | u32::from(value);
        }
        // Four digits are three bytes, three are two, two are one; a lone digit is not even one.
        let whole = four.len().checked_sub(1).filter(|&whole| whole > 0)?;
        bytes.extend_from_slice(&bits.to_be_bytes()[1..=whole]);
    }
    Some(bytes)
}

/// The name behind `%20` and the like; what is no escape, or no text, stays as it is.
fn percent_decoded(uri: &str) -> String {
    let hex = |digit: u8| char::from(digit).to_digit(16);
    let (mut rest, mut bytes) = (uri.as_bytes(), Vec::with_capacity(uri.len()));
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (b'%', [high, low, after @ ..]) if hex(*high).is_some() && hex(*low).is_some() => {
                bytes.push((hex(*high).unwrap_or(0) * 16 + hex(*low).unwrap_or(0)) as u8);
                rest = after;
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| uri.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{base64, percent_decoded};

    #[test]
    fn base64_decodes_whole_bytes_or_nothing() {
        // The examples of RFC 4648.
        for (text, bytes) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg", "foob"),
            ("Zm9vYmFy", "foobar"),
        ] {
            assert_eq!(base64(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        for text in ["Z", "Zm9vY", "Zm9-", "Zm 9v"] {
            assert_eq!(base64(text), None, "{text}");
        }
    }

    #[test]
    fn percent_escapes_become_bytes() {
        assert_eq!(percent_decoded("my%20room%2Ebin"), "my room.bin");
        assert_eq!(percent_decoded("100%"), "100%");
        assert_eq!(percent_decoded("%e4%bd%a0%zz"), "\u{4f60}%zz");
        assert_eq!(percent_decoded("%ff"), "%ff");
    }
}
