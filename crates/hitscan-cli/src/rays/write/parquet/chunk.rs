//! One column of a row group as bytes.

use parquet::column::writer::{ColumnWriter, ColumnWriterImpl, get_column_writer};
use parquet::data_type::{DataType, FixedLenByteArray};
use parquet::errors::Result;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::schema::Levels;
use super::{Columns, Values};

/// Encodes a column of some answers into `bytes`.
pub fn encode(
    answers: &[Columns],
    column: usize,
    levels: Levels,
    descriptor: ColumnDescPtr,
    properties: WriterPropertiesPtr,
    bytes: &mut Vec<u8>,
) -> Result<ColumnChunkMetaData> {
    bytes.clear();
    let mut sink = TrackedWrite::new(&mut *bytes);
    let pages = Box::new(SerializedPageWriter::new(&mut sink));
    let mut writer = get_column_writer(descriptor, properties, pages);
    for answers in answers {
        let filled = &answers.columns[column];
        let levels = match levels {
            Levels::Required => None,
            Levels::Hits => Some(answers.hits.as_slice()),
            Levels::Own => Some(filled.levels.as_slice()),
        };
        match (&mut writer, &filled.values) {
            (ColumnWriter::BoolColumnWriter(writer), Values::Bool(values)) => write(writer, values, levels)?,
            (ColumnWriter::Int32ColumnWriter(writer), Values::Int32(values)) => {
                write(writer, values, levels)?
            }
            (ColumnWriter::Int64ColumnWriter(writer), Values::Int64(values)) => {
                write(writer, values, levels)?
            }
            (ColumnWriter::FloatColumnWriter(writer), Values::Float(values)) => {
                write(writer, values, levels)?
            }
            (ColumnWriter::DoubleColumnWriter(writer), Values::Double(values)) => {
                write(writer, values, levels)?
            }
            (ColumnWriter::ByteArrayColumnWriter(writer), Values::Bytes(values)) => {
                write(writer, values, levels)?;
            }
            (ColumnWriter::FixedLenByteArrayColumnWriter(writer), Values::Fixed(values)) => {
                let values: Vec<FixedLenByteArray> = values.iter().cloned().map(Into::into).collect();
                write(writer, &values, levels)?;
            }
            _ => {}
        }
    }
    let closed = writer.close()?;
    drop(sink);
    Ok(closed.metadata)
}

fn write<T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<()> {
    writer.write_batch(values, levels, None).map(|_| ())
}

/// What the end of the file says of a column whose bytes begin at `offset` in it.
pub fn located(metadata: ColumnChunkMetaData, offset: u64) -> Result<ColumnChunkMetaData> {
    let offset = offset as i64;
    let (dictionary, data) = (metadata.dictionary_page_offset(), metadata.data_page_offset());
    let moved = metadata.into_builder();
    moved
        .set_dictionary_page_offset(dictionary.map(|at| at + offset))
        .set_data_page_offset(data + offset)
        .build()
}
