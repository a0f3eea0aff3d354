//! Damaged files of every format: any bytes give rows or a failure, at once and without a panic.

use std::io;

use super::{Input, Request};
use crate::rays::format::Format;
use crate::rays::rows::Rows;
use crate::rays::subject::Subject;

/// Rows of a file that is not read any further.
const MANY: usize = 1 << 16;

/// Reads bytes as a file of rays or points, as the fuzzer's `choice` has it, and throws away what comes.
///
/// # Panics
/// Where the readers contradict themselves.
pub fn read_rays(bytes: &[u8], choice: u8) {
    let pick = |shift: u8, among: &[Format]| among[usize::from(choice >> shift & 3) % among.len()];
    let format = pick(0, &[Format::Csv, Format::JsonLines, Format::Npy, Format::Parquet]);
    let output = pick(2, &[Format::Csv, Format::Npy, Format::Json]);
    let of = if choice & 16 == 0 { Subject::Rays } else { Subject::Points };
    let keep: &[String] = if choice & 32 == 0 { &[] } else { &["id".to_owned()] };
    let _ = read(bytes, of, format, output, keep);
}

/// How many rows of a file are rays, and how many are none; `None` where it is refused.
fn read(
    bytes: &[u8],
    of: Subject,
    format: Format,
    output: Format,
    keep: &[String],
) -> Option<(usize, usize)> {
    let request = Request { name: "no such file", of, format: Some(format), keep, output };
    for size in [None, Some(bytes.len() as u64)] {
        let reader = Box::new(io::Cursor::new(bytes.to_vec()));
        let input = Input { place: "damaged".into(), start: Vec::new(), reader, size };
        let mut source = request.read(input).ok()?;
        let (mut rays, mut others, mut rows) = (0, 0, Rows::default());
        while let Some(chunk) = source.next().ok()? {
            for part in 0..chunk.parts() {
                rows.clear();
                chunk.decode(part, false, &mut rows);
                assert_eq!(rows.flaw.is_some(), rows.invalid() > 0);
                rays += rows.rays().len();
                others += rows.invalid();
            }
            if format != Format::Parquet {
                assert!(rays + others <= bytes.len(), "a row has one byte at least");
            } else if rays + others > MANY {
                return None; // a few bytes may stand for millions of rows
            }
        }
        if size.is_some() {
            return Some((rays, others));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: &[u8] =
    b"ox,oy,oz,dx,dy,dz,t_max,id\n0,0,2,0,0,-1,inf,1\n0.5,1e3,-2,0,1,-1,2,\"a\"\"b\nc\"\n\n1,2,3,4,5,6,7,\n";

    const LINES: &[u8] = b"{\"ox\":0,\"oy\":0,\"oz\":2,\"dx\":0,\"dy\":0,\"dz\":-1,\"id\":[1,{\"a\":\"\\u00fc\"}]}\n\n\
    {\"t_max\":\"inf\",\"ox\":5e-1,\"oy\":1e3,\"oz\":-2,\"dx\":0,\"dy\":1,\"dz\":-1,\"id\":null,\"t_min\":-0.5}\n";

    fn npy(descr: &str, shape: &str, row: &[u8]) -> Vec<u8> {
        let dict = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n");
        let length = (dict.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\0", &length[..], dict.as_bytes(), row, row, row].concat()
    }

    #[test]
    fn damage_is_refused_or_told() {
        let structure = "[('id', '<u8'), ('', '|V1'), ('ox', '<f8'), ('oy', '>f4'), ('oz', '<i2'), ('dx', '|u1'), ('dy', '|i1'), ('dz', '<f2'), ('s', '<U1')]";
        let row = [
            &[1u8; 8][..],
            &[0],
            &1f64.to_le_bytes(),
            &2f32.to_be_bytes(),
            &[3, 0, 4, 5, 0, 0x3c, 65, 0, 0, 0],
        ]
        .concat();
        let table = npy("'<f4'", "(3, 6)", &[0x3f; 24]);
        let structures = npy(structure, "(3,)", &row);
        let id = ["id".to_owned()];
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let mut random = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) as usize % below
        };
        for (whole, format, keep, rays) in [
            (CSV, Format::Csv, &id[..], 3),
            (LINES, Format::JsonLines, &id, 2),
            (&table, Format::Npy, &[], 3),
            (&structures, Format::Npy, &id, 3),
        ] {
            assert_eq!(read(whole, Subject::Rays, format, Format::Csv, keep), Some((rays, 0)), "{format:?}");
            let mut refused = 0;
            for round in 0..4_000 {
                let mut bytes = whole.to_vec();
                for _ in 0..1 + random(3) {
                    let at = random(bytes.len());
                    match random(5) {
                        0 => bytes[at] ^= 1 << random(8),
                        1 => bytes[at] = b"\0\xff\"'{}[](),:0-9\n"[random(16)],
                        2 => bytes.truncate(at.max(1)),
                        3 => drop(bytes.drain(at..bytes.len().min(at + random(9)))),
                        _ => bytes.insert(at, bytes[random(bytes.len())]),
                    }
                    if bytes.is_empty() {
                        bytes.push(b'\n');
                    }
                }
                refused += usize::from(
                    read(&bytes, Subject::Rays, format, [Format::Csv, Format::Npy][round % 2], keep)
                        != Some((rays, 0)),
                );
            }
            assert!((400..4_000).contains(&refused), "{format:?}: {refused} of 4000");
        }
    }

    #[test]
    fn a_page_that_announces_what_is_not_there_is_refused() {
        let whole = include_bytes!("../../../../../fuzz/seeds/rays/parquet");
        // The fuzzer's choice comes first, then the file, whose first page follows its first four bytes.
        let (choice, whole) = whole.split_first().expect("a seed");
        read_rays(whole, *choice);
        // Lists of 2^31 - 1 numbers, truth values or identifiers, and a map of truth values, as a field that no page has. Such a list of
        // numbers once ended in the same refusal, after 2^31 calls of the system; that none is made is what the test of `strict` holds.
        for [field, element, after] in [[0xf9, 0xf7, 0], [0xf9, 0xf1, 0], [0xf9, 0xfd, 0], [0xfb, 0xff, 0x11]]
        {
            let mut bytes = whole.to_vec();
            bytes[4..12].copy_from_slice(&[field, element, 0xff, 0xff, 0xff, 0xff, 0x07, after]);
            assert_eq!(read(&bytes, Subject::Rays, Format::Parquet, Format::Csv, &[]), None);
        }
    }
}
