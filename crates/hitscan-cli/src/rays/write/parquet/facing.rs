//! The column of the sides that were hit, with a dictionary of two words.
//!
//! The library's encoder looks each word up by its hash; two words need one bit each, as do the levels.

use hitscan::Face;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::errors::Result;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::{Columns, Values};
use crate::rays::columns::side;

/// The words in the order of their indices.
const WORDS: [Face; 2] = [Face::Front, Face::Back];

/// Encodes the column `column` of some answers into `bytes`.
pub fn encode(
    answers: &[Columns],
    column: usize,
    descriptor: ColumnDescPtr,
    bytes: &mut Vec<u8>,
) -> Result<ColumnChunkMetaData> {
    let rows: usize = answers.iter().map(|answers| answers.hits.len()).sum();
    let levels = bits(answers.iter().flat_map(|answers| answers.hits.iter().map(|&level| level == 1)), rows);
    let sides = || {
        answers.iter().filter_map(|answers| match &answers.columns[column].values {
            Values::Facing(sides) => Some(sides),
            _ => None,
        })
    };
    let hits = sides().map(Vec::len).sum();
    let indices = bits(sides().flatten().map(|&side| side == WORDS[1]), hits);

    let words = WORDS.map(side);
    let mut dictionary = Vec::new();
    for word in words {
        dictionary.extend((word.len() as u32).to_le_bytes());
        dictionary.extend(word.as_bytes());
    }
    let mut data = Vec::with_capacity(levels.len() + indices.len() + 5);
    data.extend((levels.len() as u32).to_le_bytes());
    data.extend(levels);
    data.push(1); // bits of an index
    data.extend(indices);

    bytes.clear();
    let mut sink = TrackedWrite::new(&mut *bytes);
    let mut pages = SerializedPageWriter::new(&mut sink);
    let size = dictionary.len();
    let dictionary = Page::DictionaryPage {
        buf: dictionary.into(),
        num_values: words.len() as u32,
        encoding: Encoding::PLAIN,
        is_sorted: false,
    };
    let dictionary = pages.write_page(CompressedPage::new(dictionary, size))?;
    let size = data.len();
    let data = Page::DataPage {
        buf: data.into(),
        num_values: rows as u32,
        encoding: Encoding::RLE_DICTIONARY,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    };
    let data = pages.write_page(CompressedPage::new(data, size))?;
    pages.close()?;
    ColumnChunkMetaData::builder(descriptor)
        .set_compression(Compression::UNCOMPRESSED)
        .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY])
        .set_num_values(rows as i64)
        .set_total_compressed_size((dictionary.compressed_size + data.compressed_size) as i64)
        .set_total_uncompressed_size((dictionary.uncompressed_size + data.uncompressed_size) as i64)
        .set_dictionary_page_offset(Some(dictionary.offset as i64))
        .set_data_page_offset(data.offset as i64)
        .build()
}

/// One bit-packed run of Parquet's hybrid encoding: its length in groups of eight, then the bits, low ones first.
fn bits(values: impl Iterator<Item = bool>, count: usize) -> Vec<u8> {
    let groups = count.div_ceil(8);
    let mut out = Vec::with_capacity(groups + 5);
    let mut header = groups << 1 | 1;
    while header >= 0x80 {
        out.push(header as u8 | 0x80);
        header >>= 7;
    }
    out.push(header as u8);
    let (mut byte, mut filled) = (0, 0);
    for value in values {
        byte |= u8::from(value) << filled;
        filled += 1;
        if filled == 8 {
            out.push(byte);
            (byte, filled) = (0, 0);
        }
    }
    if filled > 0 {
        out.push(byte);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_stand_in_groups_of_eight() {
        let run = |text: &str| bits(text.bytes().map(|bit| bit == b'1'), text.len());
        assert_eq!(run("10000001"), [0b11, 0x81]);
        assert_eq!(run("110000001"), [0b101, 0x03, 0x01]);
        assert_eq!(run(""), [0b01]);
        assert_eq!(bits(std::iter::repeat_n(true, 1 << 10), 1 << 10)[..3], [0x81, 0x02, 0xff]);
    }
}
