//! What is needed to go on behind the row groups of a file: where they are, as its end would say it, and how many of
//! their rows will come again, because a row group ends in the middle of what is answered at once.

use parquet::errors::Result;
use parquet::file::metadata::{
    ColumnChunkMetaData, ParquetMetaDataOptions, ParquetMetaDataReader, RowGroupMetaData,
};
use parquet::file::statistics::Statistics;

use crate::rays::read::parquet::damage::guarded;

/// What stands behind the metadata: its length, and the file's signature.
const TAIL: usize = 8;

/// `again` rows will come again, and `end` would be the end of the file.
pub fn write(again: u64, end: &[u8]) -> Vec<u8> {
    [&again.to_le_bytes(), end].concat()
}

/// The same back; the error says what is wrong with the bytes.
pub fn read(bytes: &[u8]) -> std::result::Result<(usize, Vec<RowGroupMetaData>), String> {
    let parts =
        bytes.split_first_chunk().and_then(|(again, end)| Some((again, end.split_last_chunk::<TAIL>()?.0)));
    let (again, metadata) = parts.ok_or("its row groups are not known")?;
    // As it was written, and not what most readers need of it.
    let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
    let metadata = guarded(|| ParquetMetaDataReader::decode_metadata_with_options(metadata, Some(&options)))?;
    let groups = metadata.row_groups().iter().map(as_written).collect::<Result<Vec<_>>>();
    let groups = groups.map_err(|error| error.to_string())?;
    let rows: u64 = groups.iter().map(|group| u64::try_from(group.num_rows()).unwrap_or(0)).sum();
    let again = u64::from_le_bytes(*again);
    match usize::try_from(again) {
        Ok(again) if again as u64 <= rows => Ok((again, groups)),
        _ => Err(format!("{again} rows come again, and there are {rows}")),
    }
}

/// The library numbers the groups that it reads; and it writes extremes in the fields of its first versions too, and
/// forgets it when it reads them. Numbers of rays are the only ones that are written.
fn as_written(group: &RowGroupMetaData) -> Result<RowGroupMetaData> {
    let column = |column: &ColumnChunkMetaData| match column.statistics() {
        Some(Statistics::Int64(extremes)) => {
            let extremes = extremes.clone().with_backwards_compatible_min_max(true);
            column.clone().into_builder().set_statistics(Statistics::Int64(extremes)).build()
        }
        _ => Ok(column.clone()),
    };
    let columns = group.columns().iter().map(column).collect::<Result<_>>()?;
    RowGroupMetaData::builder(group.schema_descr_ptr())
        .set_num_rows(group.num_rows())
        .set_total_byte_size(group.total_byte_size())
        .set_column_metadata(columns)
        .build()
}
