//! `cast --rays` from and to Parquet: the same answers as from and to CSV, to the bit.

use std::fs::File;

use crate::common::parquet::{Data, file};
use crate::common::{CUBE, Folder};
use parquet::basic::{Compression, Encoding};
use parquet::data_type::Int96;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

/// Six columns of numbers.
const DOUBLES: &str = "required double ox; required double oy; required double oz;
    required double dx; required double dy; required double dz;";

/// Rays around the unit cube, column by column; the same ones each time.
fn rays(count: usize) -> Vec<Vec<f64>> {
    let mut state = 0x9a7_5eed_u64;
    let mut uniform = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut columns = vec![Vec::new(); 6];
    for _ in 0..count {
        let origin: [f64; 3] = std::array::from_fn(|_| uniform() * 6.0 - 2.5);
        for axis in 0..3 {
            columns[axis].push(origin[axis]);
            columns[3 + axis].push(uniform() * 1.5 - 0.25 - origin[axis]);
        }
    }
    columns
}

fn doubles(columns: &[Vec<f64>]) -> Vec<Data> {
    columns.iter().map(|column| Data::Double(column.iter().copied().map(Some).collect())).collect()
}

fn csv(columns: &[Vec<f64>]) -> String {
    let row = |row: usize| columns.iter().map(|column| column[row].to_string()).collect::<Vec<_>>().join(",");
    let rows: String = (0..columns[0].len()).map(|at| row(at) + "\n").collect();
    "ox,oy,oz,dx,dy,dz\n".to_owned() + &rows
}

fn plain() -> WriterPropertiesBuilder {
    WriterProperties::builder()
}

/// The rows of a Parquet file, as the library reads them.
fn rows(folder: &Folder, name: &str) -> Vec<Vec<(String, Field)>> {
    let reader = SerializedFileReader::new(File::open(folder.path(name)).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().into_columns());
    rows.collect()
}

/// Asserts that a Parquet file and a CSV file say the same, floats to the bit.
fn assert_same(folder: &Folder, parquet: &str, csv: &str) -> usize {
    let text = folder.read(csv);
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows = rows(folder, parquet);
    for (row, line) in rows.iter().zip(lines.by_ref()) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(row.len(), cells.len(), "{line}");
        for (((name, field), cell), expected) in row.iter().zip(cells).zip(&names) {
            assert_eq!(name, expected);
            match field {
                Field::Null => assert_eq!(cell, "", "{name}: {line}"),
                Field::Double(x) => assert_eq!(x.to_bits(), cell.parse::<f64>().unwrap().to_bits(), "{name}"),
                Field::Int(x) => assert_eq!(x.to_string(), cell, "{name}: {line}"),
                Field::Long(x) => assert_eq!(x.to_string(), cell, "{name}: {line}"),
                Field::Bool(x) => assert_eq!(x.to_string(), cell, "{name}: {line}"),
                Field::Str(x) => assert_eq!(x, cell, "{name}: {line}"),
                other => panic!("{name}: {other:?}"),
            }
        }
    }
    assert_eq!(lines.next(), None);
    rows.len()
}

#[test]
fn every_mode_answers_as_csv_does() {
    let folder = Folder::new("parquet-modes");
    folder.write("box.obj", CUBE);
    let columns = rays(3_000);
    folder.write("rays.csv", csv(&columns));
    folder.write("rays.parquet", file(DOUBLES, &doubles(&columns), 3_000, 1_000, plain()));
    for mode in ["closest", "occluded", "all", "first:1"] {
        for from in ["rays.csv", "rays.parquet"] {
            for to in ["hits.csv", "hits.parquet"] {
                let ran = folder.run(&["cast", "box.obj", "--rays", from, "--mode", mode, "-o", to]);
                assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{mode}");
            }
            assert!(assert_same(&folder, "hits.parquet", "hits.csv") > 1_000, "{mode}");
        }
    }
    let some = ["--columns", "nz,facing,ray,prim"];
    for to in ["hits.csv", "hits.parquet"] {
        let args = ["cast", "box.obj", "--rays", "rays.parquet", "-o", to];
        assert_eq!(folder.run(&[&args[..], &some].concat()).code, Some(0));
    }
    assert_same(&folder, "hits.parquet", "hits.csv");
}

#[test]
fn columns_have_types_and_misses_are_null() {
    let folder = Folder::new("parquet-types");
    folder.write("box.obj", CUBE);
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0.5,0.25,2,0,0,-1\n5,5,5,1,0,0\n");
    assert_eq!(folder.run(&["cast", "box.obj", "--rays", "rays.csv", "-o", "hits.parquet"]).code, Some(0));
    let reader = SerializedFileReader::new(File::open(folder.path("hits.parquet")).unwrap()).unwrap();
    let mut schema = Vec::new();
    let metadata = reader.metadata().file_metadata();
    parquet::schema::printer::print_schema(&mut schema, metadata.schema());
    let lines = [
        "message hits {",
        "  REQUIRED INT64 ray;",
        "  REQUIRED DOUBLE t;",
        "  OPTIONAL DOUBLE x;",
        "  OPTIONAL DOUBLE y;",
        "  OPTIONAL DOUBLE z;",
        "  OPTIONAL DOUBLE distance;",
        "  OPTIONAL DOUBLE u;",
        "  OPTIONAL DOUBLE v;",
        "  OPTIONAL INT32 mesh;",
        "  OPTIONAL INT32 instance;",
        "  REQUIRED INT32 prim;",
        "  OPTIONAL BYTE_ARRAY facing (STRING);",
        "  OPTIONAL DOUBLE nx;",
        "  OPTIONAL DOUBLE ny;",
        "  OPTIONAL DOUBLE nz;",
        "}",
    ];
    assert_eq!(String::from_utf8(schema).unwrap().lines().collect::<Vec<_>>(), lines);
    let key = &metadata.key_value_metadata().unwrap()[0];
    assert_eq!((key.key.as_str(), key.value.as_deref()), ("hitscan", Some(env!("CARGO_PKG_VERSION"))));
    let rows = rows(&folder, "hits.parquet");
    let values = |row: usize| rows[row].iter().map(|(_, field)| field.clone()).collect::<Vec<_>>();
    assert_eq!(values(0)[..3], [Field::Long(0), Field::Double(1.0), Field::Double(0.5)]);
    assert_eq!((&values(0)[10], &values(0)[11]), (&Field::Int(2), &Field::Str("front".into())));
    let mut miss = vec![Field::Null; 15];
    (miss[0], miss[1], miss[10]) = (Field::Long(1), Field::Double(f64::INFINITY), Field::Int(-1));
    assert_eq!(values(1), miss);
}

#[test]
fn codecs_encodings_and_row_groups_change_nothing() {
    let folder = Folder::new("parquet-codecs");
    folder.write("box.obj", CUBE);
    let count = 2_000;
    let columns = rays(count);
    folder.write("rays.csv", csv(&columns));
    let expected = folder.run(&["cast", "box.obj", "--rays", "rays.csv"]).out;
    let optional = DOUBLES.replace("required", "optional");
    for (schema, group, options) in [
        (DOUBLES, count, plain().set_dictionary_enabled(false)),
        (DOUBLES, 7, plain().set_compression(Compression::SNAPPY)),
        (&optional, 999, plain().set_compression(Compression::GZIP(Default::default()))),
        (&optional, 1_000, plain().set_compression(Compression::ZSTD(Default::default()))),
        (
            DOUBLES,
            500,
            plain().set_compression(Compression::LZ4_RAW).set_writer_version(WriterVersion::PARQUET_2_0),
        ),
        (&optional, 500, plain().set_compression(Compression::LZ4).set_data_page_row_count_limit(33)),
        (DOUBLES, count, plain().set_dictionary_enabled(false).set_encoding(Encoding::BYTE_STREAM_SPLIT)),
    ] {
        folder.write("rays.parquet", file(schema, &doubles(&columns), count, group, options));
        let ran = folder.run(&["cast", "box.obj", "--rays", "rays.parquet"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        assert!(ran.out == expected, "{group}");
    }
}

#[test]
fn codecs_that_are_not_read_are_told_before_any_output() {
    let folder = Folder::new("parquet-no-codec");
    folder.write("box.obj", CUBE);
    let bytes = file(DOUBLES, &doubles(&rays(9)), 9, 5, plain());
    // What the file says of the first column in each of its row groups: its path of one name, then its codec, 0 for none.
    let said = b"\x19\x18\x02ox\x15\x00";
    let places: Vec<usize> = memchr::memmem::find_iter(&bytes, said).collect();
    assert_eq!(places.len(), 2);
    for (number, name) in [(4u8, "brotli"), (3, "lzo")] {
        let mut other = bytes.clone();
        other[places[1] + said.len() - 1] = 2 * number;
        folder.write("rays.parquet", &other);
        let ran = folder.run(&["cast", "box.obj", "--rays", "rays.parquet"]);
        let what = format!("column 'ox' is compressed with {name}, which is not read");
        let remedy = "write it with zstd, snappy, gzip, lz4 or none";
        assert_eq!(ran.err, format!("hitscan: rays.parquet: {what}; {remedy}\n"));
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    }
}

#[test]
fn more_rows_than_a_slice_and_a_row_group() {
    let folder = Folder::new("parquet-many");
    folder.write("box.obj", CUBE);
    let count = 300_000;
    let columns = rays(count);
    folder.write("rays.parquet", file(DOUBLES, &doubles(&columns), count, count, plain()));
    let args = ["cast", "box.obj", "--rays", "rays.parquet", "--columns", "ray,t,prim,facing", "-o"];
    for to in ["hits.csv", "hits.parquet"] {
        assert_eq!(folder.run(&[&args[..], &[to]].concat()).code, Some(0));
    }
    assert_eq!(assert_same(&folder, "hits.parquet", "hits.csv"), count);
    let alone = folder.run(&[&args[..], &["one.parquet", "--threads", "1"]].concat());
    assert_eq!(alone.code, Some(0));
    assert_same(&folder, "one.parquet", "hits.csv");
}

#[test]
fn answers_longer_than_a_window() {
    let folder = Folder::new("parquet-long");
    // So many sheets behind each other that the answers of some tasks fill a window before its last one begins.
    let sheet = |z: usize| format!("v -1 -1 -{z}\nv 1 -1 -{z}\nv 0 1 -{z}\nf -3 -2 -1\n");
    folder.write("sheets.obj", (0..200).map(sheet).collect::<String>());
    // Short answers are expected after the first rays, which hit nothing.
    let mut columns = vec![vec![9.0; 12_000]; 6];
    for axis in 0..3 {
        columns[axis][200..].fill([0.0, 0.0, 1.0][axis]);
        columns[3 + axis].fill([0.0, 0.0, -1.0][axis]);
    }
    folder.write("rays.parquet", file(DOUBLES, &doubles(&columns), 12_000, 12_000, plain()));
    let args = ["cast", "sheets.obj", "--rays", "rays.parquet", "--mode", "all", "-o", "hits.parquet"];
    let ran = folder.run(&[&args[..], &["--columns", "ray,t", "--threads", "1"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let reader = SerializedFileReader::new(File::open(folder.path("hits.parquet")).unwrap()).unwrap();
    let groups = reader.metadata().row_groups();
    assert_eq!(groups.iter().map(|group| group.num_rows()).sum::<i64>(), 11_800 * 200);
}

#[test]
fn any_type_of_number_makes_a_ray() {
    let folder = Folder::new("parquet-numbers");
    folder.write("box.obj", CUBE);
    let schema = "optional double t_max; required fixed_len_byte_array(2) dz (FLOAT16); required float ox;
        required int32 oy (DECIMAL(5,2)); required int64 oz (INTEGER(64,false)); required int32 dx;
        required fixed_len_byte_array(9) dy (DECIMAL(20,3)); required binary t_min (DECIMAL(30,1));
        repeated int32 more; optional group nested { repeated int32 ox; }";
    let columns = [
        Data::Double(vec![Some(f64::INFINITY), Some(1.0)]),
        Data::Fixed(vec![Some(vec![0x00, 0xbc]), Some(vec![0x00, 0xb8])]),
        Data::Float(vec![Some(0.5), Some(0.5)]),
        Data::Int32(vec![Some(25), Some(75)]),
        Data::Int64(vec![Some(2), Some(2)]),
        Data::Int32(vec![Some(0), Some(0)]),
        Data::Fixed(vec![Some(vec![0; 9]), Some(vec![0xff; 9])]),
        Data::Bytes(vec![Some(vec![0]), Some(vec![0xff, 0xf6])]),
        Data::Nothing,
        Data::Nothing,
    ];
    folder.write("rays.parquet", file(schema, &columns, 2, 2, plain()));
    let args = ["cast", "box.obj", "--rays", "rays.parquet", "--columns", "t,x,y,z", "--mode", "closest"];
    let ran = folder.run(&args);
    assert_eq!((ran.err.as_str(), ran.out.as_str()), ("", "t,x,y,z\n1,0.5,0.25,1\ninf,,,\n"));
    for (columns, message) in [
        ("more", "column 'more' is nested; expected one value a row"),
        ("nested", "column 'nested' is nested; expected one value a row"),
    ] {
        let ran = folder.run(&["cast", "box.obj", "--rays", "rays.parquet", "--keep", columns]);
        assert_eq!((ran.code, ran.err), (Some(1), format!("hitscan: rays.parquet: {message}\n")));
    }
}

/// A row of each type that can be carried over, twice; no values in the third.
fn kept_columns() -> (String, Vec<Data>) {
    let mut at = Int96::new();
    at.set_data(0, 0, 2_440_588 + 20_778); // Julian day of 2026-11-21, midnight
    let text = |text: &str| Some(text.as_bytes().to_vec());
    let schema = format!(
        "{DOUBLES} optional boolean flag; optional int32 i32; optional int64 u64 (INTEGER(64,false));
        optional int32 day (DATE); optional int64 time (TIME(MICROS,true));
        optional int64 utc (TIMESTAMP(MILLIS,true)); optional int64 local (TIMESTAMP(NANOS,false));
        optional int96 old; optional float f32; optional double f64; optional fixed_len_byte_array(2) f16 (FLOAT16);
        optional binary name (STRING); optional binary raw; optional fixed_len_byte_array(16) uuid (UUID);
        optional int32 price (DECIMAL(5,2)); optional fixed_len_byte_array(9) sum (DECIMAL(20,3));"
    );
    let twice = |column: Data| match column {
        Data::Bool(v) => Data::Bool(vec![v[0], v[0], None]),
        Data::Int32(v) => Data::Int32(vec![v[0], v[0], None]),
        Data::Int64(v) => Data::Int64(vec![v[0], v[0], None]),
        Data::Int96(v) => Data::Int96(vec![v[0], v[0], None]),
        Data::Float(v) => Data::Float(vec![v[0], v[0], None]),
        Data::Double(v) => Data::Double(vec![v[0], v[0], None]),
        Data::Bytes(v) => Data::Bytes(vec![v[0].clone(), v[0].clone(), None]),
        Data::Fixed(v) => Data::Fixed(vec![v[0].clone(), v[0].clone(), None]),
        Data::Nothing => Data::Nothing,
    };
    let ray = [0.5, 0.25, 2.0, 0.0, 0.0, -1.0].map(|x| Data::Double(vec![Some(x); 3]));
    let kept = [
        Data::Bool(vec![Some(true)]),
        Data::Int32(vec![Some(-7)]),
        Data::Int64(vec![Some(-1)]),
        Data::Int32(vec![Some(20_778)]),
        Data::Int64(vec![Some(42_327_250_000)]),
        Data::Int64(vec![Some(1_795_261_527_250)]),
        Data::Int64(vec![Some(-1)]),
        Data::Int96(vec![Some(at)]),
        Data::Float(vec![Some(0.1)]),
        Data::Double(vec![Some(0.1)]),
        Data::Fixed(vec![Some(vec![0x00, 0x3e])]),
        Data::Bytes(vec![text("a, \"b\"")]),
        Data::Bytes(vec![text("raw")]),
        Data::Fixed(vec![Some((0..16).collect())]),
        Data::Int32(vec![Some(-1_250)]),
        Data::Fixed(vec![Some(vec![0, 0, 0, 0, 0, 0, 0, 0x30, 0x39])]),
    ];
    (schema, ray.into_iter().chain(kept.map(twice)).collect())
}

const KEPT: &str = "flag,i32,u64,day,time,utc,local,old,f32,f64,f16,name,raw,uuid,price,sum";

#[test]
fn kept_columns_are_words_in_text() {
    let folder = Folder::new("parquet-kept-text");
    folder.write("box.obj", CUBE);
    let (schema, columns) = kept_columns();
    folder.write("rays.parquet", file(&schema, &columns, 3, 2, plain()));
    let args = ["cast", "box.obj", "--rays", "rays.parquet", "--columns", "prim", "--keep", KEPT];
    let ran = folder.run(&args);
    let row = "2,true,-7,18446744073709551615,2026-11-21,11:45:27.250,2026-11-21T11:45:27.250Z,\
        1969-12-31T23:59:59.999999999,2026-11-21T00:00:00,0.1,0.1,1.5,\"a, \"\"b\"\"\",raw,\
        00010203-0405-0607-0809-0a0b0c0d0e0f,-12.50,12.345\n";
    let expected = format!("prim,{KEPT}\n{row}{row}2,,,,,,,,,,,,,,,,\n");
    assert_eq!((ran.err.as_str(), ran.out), ("", expected));
    let json = folder.run(&[&args[..], &["--format", "jsonl"]].concat());
    let last = json.out.lines().last().unwrap();
    assert!(last.starts_with(r#"{"prim":2,"flag":null,"i32":null,"u64":null,"day":null,"#), "{last}");
    let first = json.out.lines().next().unwrap();
    for part in
        [r#""u64":18446744073709551615,"#, r#""day":"2026-11-21","#, r#""f32":0.1,"#, r#""price":-12.50,"#]
    {
        assert!(first.contains(part), "{part}: {first}");
    }
}

#[test]
fn kept_columns_stay_what_they_are_in_parquet() {
    let folder = Folder::new("parquet-kept");
    folder.write("box.obj", CUBE);
    let (schema, columns) = kept_columns();
    folder.write("rays.parquet", file(&schema, &columns, 3, 2, plain()));
    let args = ["cast", "box.obj", "--rays", "rays.parquet", "-o", "hits.parquet", "--columns", "prim"];
    let ran = folder.run(&[&args[..], &["--keep", KEPT]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let (before, after) = (rows(&folder, "rays.parquet"), rows(&folder, "hits.parquet"));
    assert_eq!(after.len(), 3);
    for (before, after) in before.iter().zip(&after) {
        for ((name, was), (new, is)) in before[6..].iter().zip(&after[1..]) {
            // Times of old writers come as times of today, in nanoseconds.
            if name == "old" && *was != Field::Null {
                assert_eq!(is, &Field::Long(20_778 * 86_400_000_000_000), "{name}");
            } else {
                assert_eq!((name, was), (new, is));
            }
        }
    }
    let fields = |name: &str, from: usize| -> Vec<_> {
        let reader = SerializedFileReader::new(File::open(folder.path(name)).unwrap()).unwrap();
        reader.metadata().file_metadata().schema().get_fields()[from..].to_vec()
    };
    for (was, is) in fields("rays.parquet", 6).iter().zip(fields("hits.parquet", 1)) {
        if was.name() == "old" {
            assert!(format!("{is:?}").contains("is_adjusted_to_u_t_c: false, unit: NANOS"), "{is:?}");
        } else {
            assert_eq!(*was, is);
        }
    }
}

#[test]
fn columns_of_csv_get_types() {
    let folder = Folder::new("parquet-from-csv");
    folder.write("box.obj", CUBE);
    let text = "id,ok,name,weight,ox,oy,oz,dx,dy,dz\n\
        7,true,a,0.5,0.5,0.25,2,0,0,-1\n,false,,,0.5,0.25,2,0,0,-1\n";
    folder.write("rays.csv", text);
    let args = ["cast", "box.obj", "--rays", "rays.csv", "-o", "hits.parquet", "--columns", "ray"];
    let ran = folder.run(&[&args[..], &["--keep", "id,ok,name,weight"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let rows = rows(&folder, "hits.parquet");
    let values = |row: usize| rows[row].iter().map(|(_, field)| field.clone()).collect::<Vec<_>>();
    let text = |text: &str| Field::Str(text.into());
    assert_eq!(values(0), [Field::Long(0), Field::Long(7), Field::Bool(true), text("a"), Field::Double(0.5)]);
    assert_eq!(values(1), [Field::Long(1), Field::Null, Field::Bool(false), text(""), Field::Null]);
}

#[test]
fn no_rays_are_a_file_without_rows() {
    let folder = Folder::new("parquet-none");
    folder.write("box.obj", CUBE);
    folder.write("rays.parquet", file(DOUBLES, &doubles(&rays(0)), 0, 1, plain()));
    let ran = folder.run(&["cast", "box.obj", "--rays", "rays.parquet", "-o", "hits.parquet"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(rows(&folder, "hits.parquet").len(), 0);
}

#[test]
fn standard_streams_and_files_without_extension() {
    let folder = Folder::new("parquet-streams");
    folder.write("box.obj", CUBE);
    let columns = rays(2_000);
    let bytes = file(DOUBLES, &doubles(&columns), 2_000, 300, plain());
    folder.write("rays", &bytes);
    let ran = folder.run(&["cast", "box.obj", "--rays", "rays", "-o", "hits.parquet"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let expected = folder.run(&["cast", "box.obj", "--rays", "rays"]).out;
    assert!(folder.run_with_input(&["cast", "box.obj", "--rays", "-"], &bytes).out == expected);
    // Through a pipe comes what a file holds.
    let mut command = folder.command(&["cast", "box.obj", "--rays", "-", "--format", "parquet"]);
    command.stdin(File::open(folder.path("rays")).unwrap());
    let piped = command.output().unwrap();
    assert_eq!((piped.status.code(), piped.stderr.as_slice()), (Some(0), &b""[..]));
    assert!(piped.stdout == std::fs::read(folder.path("hits.parquet")).unwrap());
    assert_eq!(folder.files(), ["box.obj", "hits.parquet", "rays"]);
}

#[test]
fn rows_that_are_no_rays() {
    let folder = Folder::new("parquet-invalid");
    folder.write("box.obj", CUBE);
    let schema = DOUBLES.replace("required", "optional") + "optional int32 t_max; optional binary name;";
    let mut columns = [0.5, 0.25, 2.0, 0.0, 0.0, -1.0].map(|x| vec![Some(x); 7]);
    columns[4][6] = None;
    columns[0][3] = Some(f64::NAN);
    columns[5][4] = Some(0.0);
    let mut t_max = vec![Some(5); 7];
    t_max[5] = None; // no limit
    let mut name = vec![Some(b"a".to_vec()); 7];
    name[2] = Some(vec![0xff]);
    let columns = columns.into_iter().map(Data::Double).chain([Data::Int32(t_max), Data::Bytes(name)]);
    let columns: Vec<Data> = columns.collect();
    folder.write("rays.parquet", file(&schema, &columns, 7, 3, plain()));
    let args = ["cast", "box.obj", "--rays", "rays.parquet", "--columns", "ray,prim"];
    let remedy = "(--invalid miss reports it as a miss)";
    let flaw = "row 3: ox is nan; a ray needs finite numbers";
    let ran = folder.run(&args);
    assert_eq!((ran.code, ran.err), (Some(1), format!("hitscan: rays.parquet: {flaw} {remedy}\n")));
    assert_eq!(ran.out, "ray,prim\n0,2\n1,2\n2,2\n");
    let ran = folder.run(&[&args[..], &["--keep", "name"]].concat());
    let kept = "row 2: name is not UTF-8; text is kept as UTF-8";
    assert_eq!((ran.code, ran.err), (Some(1), format!("hitscan: rays.parquet: {kept} {remedy}\n")));
    let ran = folder.run(&[&args[..], &["--invalid", "miss"]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "ray,prim\n0,2\n1,2\n2,2\n3,-1\n4,-1\n5,2\n6,-1\n"));
    assert_eq!(
        ran.err,
        format!("hitscan: rays.parquet: {flaw} (3 invalid rows in all, counted as misses)\n")
    );
    for (row, message) in [
        (4, "dx, dy and dz are 0; a ray needs a direction of any length but zero"),
        (6, "dy is null; a ray needs finite numbers"),
    ] {
        let mut columns = columns.clone();
        for column in &mut columns {
            match column {
                Data::Double(values) => {
                    let good = values[0];
                    values[..row].fill(good);
                }
                Data::Int32(values) => values[..row].fill(Some(5)),
                _ => {}
            }
        }
        folder.write("rays.parquet", file(&schema, &columns, 7, 7, plain()));
        let ran = folder.run(&args);
        assert_eq!(ran.err, format!("hitscan: rays.parquet: row {row}: {message} {remedy}\n"));
    }
}

#[test]
fn files_that_are_none() {
    let folder = Folder::new("parquet-bad");
    folder.write("box.obj", CUBE);
    let whole = file(DOUBLES, &doubles(&rays(50)), 50, 50, plain().set_dictionary_enabled(false));
    let with = |schema: &str, column: Data| {
        let mut columns = doubles(&rays(1));
        columns[0] = column;
        file(&DOUBLES.replace("required double ox;", schema), &columns, 1, 1, plain())
    };
    let mut zeros = whole.clone();
    zeros[4..40].fill(0);
    let end = whole.len();
    let mut longer = whole.clone();
    longer[end - 8..end - 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let half = [&whole[..end / 2], &100u32.to_le_bytes(), b"PAR1"].concat();
    let twice = DOUBLES.replace("required double oy;", "required double ox;");
    let text = Data::Bytes(vec![Some(b"1".to_vec())]);
    let expected = "expected Apache Parquet";
    for (name, bytes, message) in [
        ("empty", Vec::new(), format!(": the file is empty; {expected}")),
        ("short", b"PAR1".to_vec(), format!(": Parquet file too small. Size is 4 but need 8; {expected}")),
        ("text", csv(&rays(2)).into_bytes(), format!(": Invalid Parquet file. Corrupt footer; {expected}")),
        ("cut", whole[..end - 9].to_vec(), format!(": Invalid Parquet file. Corrupt footer; {expected}")),
        (
            "none",
            file("required double a;", &doubles(&rays(1)[..1]), 1, 1, plain()),
            ": there is no column 'ox' in 'a'; a ray file names its columns, ox,oy,oz,dx,dy,dz among them"
                .into(),
        ),
        (
            "twice",
            file(&twice, &doubles(&rays(1)), 1, 1, plain()),
            ": two columns are named 'ox'; a ray file needs each name once".into(),
        ),
        (
            "words",
            with("required binary ox (STRING);", text.clone()),
            ": column 'ox' holds text (BYTE_ARRAY); a ray needs numbers".into(),
        ),
        (
            "bytes",
            with("required binary ox;", text),
            ": column 'ox' holds bytes (BYTE_ARRAY); a ray needs numbers".into(),
        ),
        (
            "flags",
            with("required boolean ox;", Data::Bool(vec![Some(true)])),
            ": column 'ox' holds true and false (BOOLEAN); a ray needs numbers".into(),
        ),
        (
            "days",
            with("required int32 ox (DATE);", Data::Int32(vec![Some(1)])),
            ": column 'ox' holds dates (INT32); a ray needs numbers".into(),
        ),
        (
            "times",
            with("required int64 ox (TIMESTAMP(MILLIS,true));", Data::Int64(vec![Some(1)])),
            ": column 'ox' holds times (INT64); a ray needs numbers".into(),
        ),
        (
            "lists",
            with("repeated int32 ox;", Data::Nothing),
            ": column 'ox' is nested; expected one value a row".into(),
        ),
        (
            "longer",
            longer,
            format!(": Parquet file too small. Size is {end} but need 4294967303; {expected}"),
        ),
        ("half", half, format!(": Unexpected list/set element type 14; {expected}")),
        (
            "zeros",
            zeros,
            ": row group 0, column 'ox': Required field type_ is missing; expected an undamaged file".into(),
        ),
    ] {
        let name = format!("{name}.parquet");
        folder.write(&name, bytes);
        let ran = folder.run(&["cast", "box.obj", "--rays", &name, "-o", "out.parquet"]);
        assert_eq!((ran.code, ran.err), (Some(1), format!("hitscan: {name}{message}\n")));
    }
    folder.write("rays.parquet", &whole);
    let ran = folder.run(&["cast", "box.obj", "--rays", "rays.parquet", "--keep", "id"]);
    let message =
        "hitscan: rays.parquet: there is no column 'id'; --keep needs names of columns in this file\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), message));
    assert!(!folder.files().iter().any(|name| name == "out.parquet" || name.ends_with(".tmp")));
}

/// A dictionary says a megabyte hundreds of times in a few bytes: what is kept of it would take all memory.
#[test]
fn long_texts_that_take_no_room_in_a_file_are_refused() {
    let folder = Folder::new("parquet-dictionary");
    folder.write("box.obj", CUBE);
    let rows = 300;
    let schema = ["ox", "oy", "oz", "dx", "dy", "dz"].map(|name| format!("required float {name}; "));
    let schema = schema.concat() + "required binary id (UTF8);";
    let mut columns: Vec<Data> = (0..6).map(|_| Data::Float(vec![Some(1.0); rows])).collect();
    columns.push(Data::Bytes(vec![Some(vec![b'a'; 1 << 20]); rows]));
    let properties = WriterProperties::builder().set_dictionary_page_size_limit(16 << 20);
    let bytes = file(&schema, &columns, rows, rows, properties);
    assert!(bytes.len() < 3 << 20, "{} bytes", bytes.len());
    folder.write("rays.parquet", bytes);
    let ran = folder.run(&["cast", "box.obj", "--rays", "rays.parquet", "-o", "hits.csv", "--keep", "id"]);
    let message = "hitscan: rays.parquet: row group 0: 300 rows have 300 MB of 'id'; expected no more than 256 MB in so many\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), message));
    let ran = folder.run(&["cast", "box.obj", "--rays", "rays.parquet", "-o", "hits.csv", "-q"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "nobody asks for it");
}

#[test]
fn damaged_bytes_are_a_line() {
    let folder = Folder::new("parquet-damage");
    folder.write("box.obj", CUBE);
    let (schema, columns) = kept_columns();
    let mut state = 0xdead_beef_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut refused = 0;
    for round in 0..150 {
        let codecs = [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW];
        let mut bytes = file(&schema, &columns, 3, 2, plain().set_compression(codecs[round % 3]));
        for _ in 0..1 + random(4) {
            let at = random(bytes.len());
            bytes[at] = [random(256) as u8, 0xff, 0][random(3)];
        }
        folder.write("rays.parquet", &bytes);
        let args = ["cast", "box.obj", "--rays", "rays.parquet", "--keep", KEPT, "-o", "hits.parquet"];
        let ran = folder.run(&[&args[..], &["--invalid", "miss", "-q"]].concat());
        let line = ran.err.starts_with("hitscan: rays.parquet: ") && ran.err.lines().count() == 1;
        assert!(ran.code == Some(0) && ran.err.is_empty() || ran.code == Some(1) && line, "{round}: {ran:?}");
        refused += usize::from(ran.code == Some(1));
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn text_stays_text() {
    let folder = Folder::new("parquet-text");
    folder.write("box.obj", CUBE);
    let ray = [0.5, 0.25, 2.0, 0.0, 0.0, -1.0].map(|number| Data::Double(vec![Some(number)]));
    let bytes = |bytes: &[u8]| Data::Bytes(vec![Some(bytes.to_vec())]);
    let kept = [bytes(b"12e3"), bytes(b"4811907"), Data::Fixed(vec![Some(vec![0x12, 0xe3])])];
    let price = Data::Int32(vec![Some(-1250)]);
    let columns: Vec<Data> = ray.into_iter().chain(kept).chain([price]).collect();
    let schema =
        ["ox", "oy", "oz", "dx", "dy", "dz"].map(|name| format!("required double {name}; ")).concat()
            + "optional binary commit (UTF8); optional binary raw; optional fixed_len_byte_array(2) hash; \
           optional int32 price (DECIMAL(9,2));";
    folder.write("rays.parquet", file(&schema, &columns, 1, 1, plain()));
    let keep = ["--columns", "prim", "--keep", "commit,raw,hash,price", "--format"];
    let told = |format| {
        folder.run(&[&["cast", "box.obj", "--rays", "rays.parquet"], &keep[..], &[format]].concat()).out
    };
    assert_eq!(
        told("jsonl"),
        "{\"prim\":2,\"commit\":\"12e3\",\"raw\":\"4811907\",\"hash\":\"12e3\",\"price\":-12.50}\n"
    );
    assert_eq!(told("csv"), "prim,commit,raw,hash,price\n2,12e3,4811907,12e3,-12.50\n");
}

#[test]
fn digits_around_an_e_are_a_name() {
    let folder = Folder::new("parquet-commits");
    folder.write("box.obj", CUBE);
    let text = "commit,weight,ox,oy,oz,dx,dy,dz\n\
        12e3,1.5e3,0.5,0.25,2,0,0,-1\n4811907,2,0.5,0.25,2,0,0,-1\n7e10,1e-3,0.5,0.25,2,0,0,-1\n";
    folder.write("rays.csv", text);
    let args = ["cast", "box.obj", "--rays", "rays.csv", "-o", "hits.parquet", "--columns", "ray"];
    let ran = folder.run(&[&args[..], &["--keep", "commit,weight"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let rows = rows(&folder, "hits.parquet");
    let column = |at: usize| rows.iter().map(|row| row[at].1.clone()).collect::<Vec<_>>();
    assert_eq!(column(1), ["12e3", "4811907", "7e10"].map(|text| Field::Str(text.into())));
    assert_eq!(column(2), [1500.0, 2.0, 0.001].map(Field::Double));
}
