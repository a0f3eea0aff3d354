//! What is needed to go on behind the row groups of a file: where they are, as its end would say it, and how many of
//! their rows will come again, because a row group ends in the middle of what is answered at once.

use parquet::file::metadata::{ParquetMetaDataOptions, ParquetMetaDataReader, RowGroupMetaData};

use crate::rays::read::parquet::damage::guarded;

/// What stands behind the metadata: its length, and the file's signature.
const TAIL: usize = 8;

/// `again` rows will come again, and `end` would be the end of the file.
pub fn write(again: u64, end: &[u8]) -> Vec<u8> {
    [&again.to_le_bytes(), end].concat()
}

/// The same back; the error reads `WHAT; WHAT WAS EXPECTED`.
pub fn read(bytes: &[u8]) -> Result<(usize, Vec<RowGroupMetaData>), String> {
    let parts = bytes.split_first_chunk().and_then(|(again, end)| Some((again, end.split_last_chunk::<TAIL>()?.0)));
    let (again, metadata) = parts.ok_or("row groups are not known; expected what --resume left")?;
    // As it was written, and not what most readers need of it.
    let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
    let metadata =
        guarded(|| ParquetMetaDataReader::decode_metadata_with_options(metadata, Some(&options)))?;
    let groups = metadata.row_groups().to_vec();
    let rows: u64 = groups.iter().map(|group| u64::try_from(group.num_rows()).unwrap_or(0)).sum();
    let again = u64::from_le_bytes(*again);
    match usize::try_from(again) {
        Ok(again) if again as u64 <= rows => Ok((again, groups)),
        _ => Err(format!("{again} of {rows} rows come again; expected what --resume left")),
    }
}
