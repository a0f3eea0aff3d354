//! Row groups one behind the other, then the end of the file that says where they are.

use std::mem::{replace, take};
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::TrackedWrite;
use parquet::schema::types::{ColumnPath, SchemaDescPtr};
use rayon::prelude::*;

use super::schema::{Plan, schema};
use super::{Columns, ParquetRows, chunk, facing};
use crate::failure::Failure;
use crate::output::Output;
use crate::rays::columns::Column;
use crate::rays::write::{Batch, Sink};

/// Rows of a row group: a page of a megabyte for each column of numbers.
const ROW_GROUP: usize = 1 << 17;

/// What a Parquet file begins and ends with.
const MAGIC: &[u8] = b"PAR1";

/// Writes row groups.
pub struct ParquetSink {
    output: Output,
    /// Bytes written.
    written: u64,
    schema: SchemaDescPtr,
    properties: Arc<WriterProperties>,
    plans: Vec<Plan>,
    /// Answers of the row group that is being gathered.
    gathered: Vec<Columns>,
    rows: usize,
    /// Memory for more of them.
    spare: Vec<Columns>,
    /// Memory for the bytes of each column.
    bytes: Vec<Vec<u8>>,
    groups: Vec<RowGroupMetaData>,
}

impl ParquetSink {
    /// Begins a file of the columns that `rows` makes.
    pub fn new(mut output: Output, rows: &ParquetRows<'_>) -> std::result::Result<ParquetSink, Failure> {
        let plans = rows.plans.clone();
        let schema = schema(&plans).map_err(refused)?;
        output.write(MAGIC)?;
        Ok(ParquetSink {
            output,
            written: MAGIC.len() as u64,
            schema: Arc::new(schema),
            properties: Arc::new(properties(&plans)),
            bytes: vec![Vec::new(); plans.len()],
            plans,
            gathered: Vec::new(),
            rows: 0,
            spare: Vec::new(),
            groups: Vec::new(),
        })
    }

    /// Writes the row group that was gathered.
    fn write_group(&mut self) -> std::result::Result<(), Failure> {
        let rows = replace(&mut self.rows, 0);
        if rows == 0 {
            return Ok(());
        }
        let ParquetSink { gathered, schema, properties, plans, bytes, .. } = self;
        let encoded: Result<Vec<_>> = bytes
            .par_iter_mut()
            .enumerate()
            .map(|(at, bytes)| {
                let (plan, descriptor) = (&plans[at], schema.column(at));
                if plan.facing {
                    return facing::encode(gathered, at, descriptor, bytes);
                }
                chunk::encode(gathered, at, plan.levels, descriptor, properties.clone(), bytes)
            })
            .collect();
        for mut columns in self.gathered.drain(..) {
            columns.clear();
            self.spare.push(columns);
        }
        let mut columns: Vec<ColumnChunkMetaData> = Vec::with_capacity(self.bytes.len());
        for (metadata, bytes) in encoded.map_err(refused)?.into_iter().zip(&self.bytes) {
            columns.push(chunk::located(metadata, self.written).map_err(refused)?);
            self.output.write(bytes)?;
            self.written += bytes.len() as u64;
        }
        let size = columns.iter().map(ColumnChunkMetaData::uncompressed_size).sum();
        let group = RowGroupMetaData::builder(self.schema.clone())
            .set_num_rows(rows as i64)
            .set_total_byte_size(size)
            .set_column_metadata(columns);
        self.groups.push(group.build().map_err(refused)?);
        Ok(())
    }
}

impl Sink<Columns> for ParquetSink {
    fn write(&mut self, batch: &mut Columns) -> std::result::Result<(), Failure> {
        if batch.rows == 0 {
            return Ok(()); // as of a task that a window ended before
        }
        self.rows += batch.rows;
        self.gathered.push(replace(batch, self.spare.pop().unwrap_or_default()));
        if self.rows >= ROW_GROUP { self.write_group() } else { Ok(()) }
    }

    fn finish(mut self) -> std::result::Result<(), Failure> {
        self.write_group()?;
        let rows = self.groups.iter().map(RowGroupMetaData::num_rows).sum();
        let version = KeyValue::new("hitscan".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        let writer = Some(concat!("hitscan version ", env!("CARGO_PKG_VERSION")).to_owned());
        let file = FileMetaData::new(1, rows, writer, Some(vec![version]), self.schema.clone(), None);
        let metadata = ParquetMetaData::new(file, take(&mut self.groups));
        let mut end = Vec::new();
        let tracked = TrackedWrite::new(&mut end);
        ParquetMetaDataWriter::new_with_tracked(tracked, &metadata).finish().map_err(refused)?;
        self.output.write(&end)?;
        self.output.finish()
    }
}

fn properties(plans: &[Plan]) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::UNCOMPRESSED)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_dictionary_enabled(false)
        .set_data_page_row_count_limit(ROW_GROUP);
    // Rows are looked up by their ray; the extremes of coordinates tell nobody where to look.
    let ray = ColumnPath::from(Column::Ray.name());
    properties = properties.set_column_statistics_enabled(ray, EnabledStatistics::Chunk);
    // Numbers that go up by one take no space so, and small ones a quarter: a system takes longer to write a byte
    // than this takes to save it.
    for column in [Column::Ray, Column::Mesh, Column::Instance] {
        let path = ColumnPath::from(column.name());
        properties = properties.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
    }
    for plan in plans {
        let path = ColumnPath::from(plan.name());
        properties = properties.set_column_dictionary_enabled(path.clone(), plan.has_dictionary());
        if plan.repeats() {
            properties = properties.set_column_compression(path, Compression::SNAPPY);
        }
    }
    properties.build()
}

/// What the library would not write; our columns are such that it has no reason to.
fn refused(error: ParquetError) -> Failure {
    Failure::new("output", format_args!("{error}; expected columns that Parquet can hold"))
}
