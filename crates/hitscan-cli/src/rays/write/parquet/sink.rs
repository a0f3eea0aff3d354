//! Row groups one behind the other, then the end of the file that says where they are.

use std::io::{self, Write};
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

use super::chunk::Chunk;
use super::schema::{Coding, Plan, schema};
use super::{Columns, Group, ParquetRows, facing, left, plain};
use crate::failure::Failure;
use crate::output::Output;
use crate::rays::columns::Column;
use crate::rays::write::{Batch, Sink};
use crate::resume::mark::Mark;
use crate::resume::state::State;

/// Rows of a row group: a page of a megabyte for each column of numbers.
const ROW_GROUP: usize = 1 << 17;

/// What a Parquet file begins and ends with.
const MAGIC: &[u8] = b"PAR1";

/// Writes row groups.
pub struct ParquetSink {
    output: TrackedWrite<Bytes>,
    schema: SchemaDescPtr,
    properties: Arc<WriterProperties>,
    plans: Vec<Plan>,
    /// Answers of the row group that is being gathered.
    gathered: Vec<Columns>,
    rows: usize,
    /// Memory for more of them.
    spare: Vec<Columns>,
    groups: Vec<RowGroupMetaData>,
    /// Bytes that were written before this batch was gone on with.
    before: u64,
    /// Rows that will come again and have been written.
    again: usize,
    /// Rows that have come, with those that were not to come again.
    come: u64,
    /// How far the batch was last, and how many rows had come.
    mark: (Mark, u64),
    /// The same when the last row group was written, until it is kept.
    at_group: Option<(Mark, u64)>,
}

/// The output as the library knows one.
struct Bytes {
    output: Output,
    /// Why the output took no more.
    failure: Option<Failure>,
}

impl ParquetSink {
    /// Begins a file of the columns that `rows` makes, or goes on behind its row groups.
    pub fn new(output: Output, rows: &ParquetRows<'_>) -> std::result::Result<ParquetSink, Failure> {
        let plans = rows.plans.clone();
        let schema = schema(&plans).map_err(refused)?;
        let is_begun = output.resumed().is_some();
        let State { mark, length: before, format: left, .. } = output.resumed().cloned().unwrap_or_default();
        let (again, groups) = match is_begun {
            true => left::read(&left).map_err(|what| {
                Failure::new(output.place(), format_args!("{what}; expected what --resume left"))
            })?,
            false => (0, Vec::new()),
        };
        let come = rows_of(&groups) - again as u64;
        let mut sink = ParquetSink {
            output: TrackedWrite::new(Bytes { output, failure: None }),
            schema: Arc::new(schema),
            properties: Arc::new(properties(&plans)),
            plans,
            gathered: Vec::new(),
            rows: 0,
            spare: Vec::new(),
            groups,
            before,
            again,
            come,
            mark: (mark, come),
            at_group: None,
        };
        if is_begun {
            return Ok(sink);
        }
        let begun = sink.output.write_all(MAGIC).map_err(ParquetError::from);
        begun.map_err(|error| sink.failed(error)).map(|()| sink)
    }

    /// Writes the row group that was gathered.
    fn write_group(&mut self) -> Result<()> {
        let rows = take(&mut self.rows);
        if rows == 0 {
            return Ok(());
        }
        let ParquetSink { gathered, schema, properties, plans, .. } = self;
        let group = Group::new(gathered, rows);
        let encoded = plans.par_iter().enumerate().map(|(at, plan)| {
            let descriptor = schema.column(at);
            match plan.coding {
                Coding::Plain => plain::encode(&group, at, plan.levels, descriptor),
                Coding::Facing => facing::encode(&group, at, descriptor),
                Coding::Deltas | Coding::Kept => {
                    Chunk::encode(group.answers, at, plan, descriptor, properties.clone())
                }
            }
        });
        let encoded: Vec<Chunk> = encoded.collect::<Result<_>>()?;
        let taken = self.gathered.len();
        for mut columns in self.gathered.drain(..) {
            columns.clear();
            self.spare.push(columns);
        }
        // Batches that were cut have become two.
        self.spare.truncate(taken);
        let mut columns: Vec<ColumnChunkMetaData> = Vec::with_capacity(self.plans.len());
        for chunk in encoded {
            columns.push(chunk.write(&mut self.output, self.before)?);
        }
        let size = columns.iter().map(ColumnChunkMetaData::uncompressed_size).sum();
        let group = RowGroupMetaData::builder(self.schema.clone())
            .set_num_rows(rows as i64)
            .set_total_byte_size(size)
            .set_column_metadata(columns);
        self.groups.push(group.build()?);
        self.at_group = Some(self.mark.clone()).filter(|(mark, _)| mark.rows() > 0);
        Ok(())
    }

    /// The end of the file as far as it is written.
    fn end(&self) -> Result<Vec<u8>> {
        let rows = rows_of(&self.groups) as i64;
        let version = KeyValue::new("hitscan".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        let writer = Some(concat!("hitscan version ", env!("CARGO_PKG_VERSION")).to_owned());
        let file = FileMetaData::new(1, rows, writer, Some(vec![version]), self.schema.clone(), None);
        let metadata = ParquetMetaData::new(file, self.groups.clone());
        let mut end = Vec::new();
        ParquetMetaDataWriter::new_with_tracked(TrackedWrite::new(&mut end), &metadata).finish()?;
        Ok(end)
    }

    /// Writes the end of the file.
    fn write_end(&mut self) -> Result<()> {
        let end = self.end()?;
        self.output.write_all(&end)?;
        Ok(self.output.flush()?)
    }

    /// Adds rows to the row group, which has room for them.
    fn gather(&mut self, columns: Columns) {
        self.rows += columns.rows;
        self.gathered.push(columns);
    }

    /// What is needed to go on behind the last row group, when the first `come` rows will not come again.
    fn left(&mut self, come: u64) -> Result<Vec<u8>> {
        self.output.flush()?;
        Ok(left::write(rows_of(&self.groups) - come, &self.end()?))
    }

    /// Why the library stopped: because the output did.
    fn failed(&mut self, error: ParquetError) -> Failure {
        self.output.inner_mut().failure.take().unwrap_or_else(|| refused(error))
    }
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes).map(|()| bytes.len()).map_err(|failure| {
            self.failure = Some(failure);
            io::ErrorKind::Other.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink<Columns> for ParquetSink {
    fn write(&mut self, batch: &mut Columns) -> std::result::Result<(), Failure> {
        if batch.rows == 0 {
            return Ok(()); // as of a task that a window ended before
        }
        let mut columns = replace(batch, self.spare.pop().unwrap_or_default());
        self.come += columns.rows as u64;
        if self.again > 0 {
            let written = self.again.min(columns.rows);
            self.again -= written;
            columns = columns.split_off(written, &self.plans);
        }
        while self.rows + columns.rows >= ROW_GROUP {
            let rest = columns.split_off(ROW_GROUP - self.rows, &self.plans);
            self.gather(replace(&mut columns, rest));
            self.write_group().map_err(|error| self.failed(error))?;
        }
        if columns.rows > 0 {
            self.gather(columns);
        }
        Ok(())
    }

    fn mark(&mut self, mark: Mark) -> std::result::Result<(), Failure> {
        if let Some(begun) = self.output.inner().output.due()
            && let Some((mark, come)) = self.at_group.take()
        {
            let left = self.left(come).map_err(|error| self.failed(error))?;
            self.output.inner_mut().output.save(begun, &mark, left)?;
        }
        self.mark = (mark, self.come);
        Ok(())
    }

    fn finish(mut self) -> std::result::Result<(), Failure> {
        let written = self.write_group().and_then(|()| self.write_end());
        written.map_err(|error| self.failed(error))?;
        self.output.into_inner().map_err(refused)?.output.finish()
    }
}

fn rows_of(groups: &[RowGroupMetaData]) -> u64 {
    groups.iter().map(|group| group.num_rows() as u64).sum()
}

fn properties(plans: &[Plan]) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::UNCOMPRESSED)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_dictionary_enabled(false)
        .set_data_page_row_count_limit(ROW_GROUP);
    for plan in plans {
        let path = ColumnPath::from(plan.name());
        // Rows are looked up by their ray; the extremes of coordinates tell nobody where to look.
        if plan.coding == Coding::Deltas && plan.name() == Column::Ray.name() {
            properties = properties.set_column_statistics_enabled(path.clone(), EnabledStatistics::Chunk);
        }
        properties = properties.set_column_dictionary_enabled(path.clone(), plan.has_dictionary());
        properties = match plan.coding {
            Coding::Plain | Coding::Facing => properties,
            // A system takes longer to write a byte than this takes to save it.
            Coding::Deltas => properties.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            Coding::Kept => properties.set_column_compression(path, Compression::SNAPPY),
        };
    }
    properties.build()
}

/// What the library would not write; our columns are such that it has no reason to.
fn refused(error: ParquetError) -> Failure {
    Failure::new("output", format_args!("{error}; expected columns that Parquet can hold"))
}

#[cfg(test)]
mod tests {
    use super::super::{Filled, Values};
    use super::*;
    use crate::args::Reading;
    use crate::rays::write::Spec;
    use crate::scene::Loaded;

    #[test]
    fn memory_does_not_grow_with_row_groups_that_end_within_batches() {
        let loaded = Loaded::named("builtin:sphere:1k", Reading::new(None, None, false)).unwrap();
        let rows = ParquetRows::new(Spec { columns: vec![Column::Ray], kept: Vec::new(), loaded: &loaded });
        let path = std::env::temp_dir().join(format!("hitscan-spare-{}.parquet", std::process::id()));
        let output = Output::create(path.to_str(), &[], true).unwrap();
        let mut sink = ParquetSink::new(output, &rows).unwrap();
        const BATCH: usize = 10_000;
        const GROUPS: usize = 30;
        for _ in 0..GROUPS * ROW_GROUP / BATCH {
            let ray = Filled { values: Values::Int64(vec![7; BATCH]), levels: Vec::new(), text: 0 };
            let mut batch = Columns { rows: BATCH, hits: vec![0; BATCH], columns: vec![ray] };
            sink.write(&mut batch).unwrap();
            let most = ROW_GROUP.div_ceil(BATCH) + 1;
            assert!(sink.spare.len() + sink.gathered.len() <= most + 1, "{}", sink.spare.len());
        }
        assert_eq!(sink.groups.len(), GROUPS - 1, "and the last one is not full");
    }
}
