//! One column of a row group: its pages, and what the end of the file says of them.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl, get_column_writer};
use parquet::data_type::{DataType, FixedLenByteArray};
use parquet::errors::Result;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::schema::{Levels, Plan};
use super::{Columns, Filled, Values};

/// Encoded values of a column, wherever in the file they will stand.
pub struct Chunk {
    pages: Vec<CompressedPage>,
    metadata: ColumnChunkMetaData,
}

impl Chunk {
    /// Encodes a column of some answers as the library does, to whom it comes all at once: where a page of texts ends
    /// depends on how they come.
    pub fn encode(
        answers: &[Columns],
        column: usize,
        plan: &Plan,
        descriptor: ColumnDescPtr,
        properties: WriterPropertiesPtr,
    ) -> Result<Chunk> {
        let pages = Arc::new(Mutex::new(Vec::new()));
        let mut writer = get_column_writer(descriptor, properties, Box::new(Gathered(pages.clone())));
        let Filled { values, levels, .. } = Filled::all(answers, column, plan);
        let levels = (plan.levels != Levels::Required).then_some(levels.as_slice());
        match (&mut writer, &values) {
            (ColumnWriter::BoolColumnWriter(writer), Values::Bool(values)) => {
                append(writer, values, levels)?;
            }
            (ColumnWriter::Int32ColumnWriter(writer), Values::Int32(values)) => {
                append(writer, values, levels)?;
            }
            (ColumnWriter::Int64ColumnWriter(writer), Values::Int64(values)) => {
                append(writer, values, levels)?;
            }
            (ColumnWriter::FloatColumnWriter(writer), Values::Float(values)) => {
                append(writer, values, levels)?;
            }
            (ColumnWriter::DoubleColumnWriter(writer), Values::Double(values)) => {
                append(writer, values, levels)?;
            }
            (ColumnWriter::ByteArrayColumnWriter(writer), Values::Bytes(values)) => {
                append(writer, values, levels)?;
            }
            (ColumnWriter::FixedLenByteArrayColumnWriter(writer), Values::Fixed(values)) => {
                let values: Vec<FixedLenByteArray> = values.iter().cloned().map(Into::into).collect();
                append(writer, &values, levels)?;
            }
            _ => {}
        }
        let metadata = writer.close()?.metadata;
        let pages = std::mem::take(&mut *pages.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Chunk { pages, metadata })
    }

    /// A page of `rows` values, made by ourselves; in front of it the dictionary, where its values are indices.
    pub fn of_page(
        descriptor: ColumnDescPtr,
        rows: usize,
        data: Vec<u8>,
        dictionary: Option<Dictionary>,
    ) -> Result<Chunk> {
        let encoding = if dictionary.is_some() { Encoding::RLE_DICTIONARY } else { Encoding::PLAIN };
        let mut encodings = vec![encoding, Encoding::RLE];
        let mut pages = Vec::new();
        if let Some(Dictionary { bytes, values }) = dictionary {
            encodings.push(Encoding::PLAIN);
            let size = bytes.len();
            let page = Page::DictionaryPage {
                buf: bytes.into(),
                num_values: values,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            };
            pages.push(CompressedPage::new(page, size));
        }
        let size = data.len();
        let page = Page::DataPage {
            buf: data.into(),
            num_values: rows as u32,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        pages.push(CompressedPage::new(page, size));
        let metadata = ColumnChunkMetaData::builder(descriptor)
            .set_compression(Compression::UNCOMPRESSED)
            .set_encodings(encodings)
            .set_num_values(rows as i64)
            .build()?;
        Ok(Chunk { pages, metadata })
    }

    /// Writes the pages, and gives what the end of the file says of them there; so many bytes of the file are not of
    /// this writer.
    pub fn write<W: Write + Send>(
        self,
        output: &mut TrackedWrite<W>,
        before: u64,
    ) -> Result<ColumnChunkMetaData> {
        let mut pages = SerializedPageWriter::new(output);
        let (mut compressed, mut uncompressed) = (0, 0);
        let (mut dictionary, mut data) = (None, None);
        for page in self.pages {
            let kind = match page.compressed_page() {
                Page::DictionaryPage { .. } => &mut dictionary,
                Page::DataPage { .. } | Page::DataPageV2 { .. } => &mut data,
            };
            let written = pages.write_page(page)?;
            kind.get_or_insert((before + written.offset) as i64);
            compressed += written.compressed_size as i64;
            uncompressed += written.uncompressed_size as i64;
        }
        self.metadata
            .into_builder()
            .set_total_compressed_size(compressed)
            .set_total_uncompressed_size(uncompressed)
            .set_dictionary_page_offset(dictionary)
            .set_data_page_offset(data.unwrap_or_default())
            .build()
    }
}

/// The values that the indices of a page stand for.
pub struct Dictionary {
    /// As they are stored.
    pub bytes: Vec<u8>,
    /// How many there are.
    pub values: u32,
}

/// Takes pages from the library. It has them out of its hands only as a box, hence the shared list.
struct Gathered(Arc<Mutex<Vec<CompressedPage>>>);

impl PageWriter for Gathered {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec> {
        let mut spec = PageWriteSpec::new();
        spec.page_type = page.page_type();
        spec.num_values = page.num_values();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(page);
        Ok(spec)
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}

fn append<T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<()> {
    writer.write_batch(values, levels, None).map(|_| ())
}
