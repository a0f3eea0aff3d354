//! `cast --rays` with NPY: in and out as CSV to the bit, in every layout that NumPy writes.

use std::collections::HashMap;
use std::process::Stdio;

use crate::common::rays::{csv, rays};
use crate::common::{CUBE, Folder};
use serde_json::value::RawValue;

/// An array as NumPy writes it, in version 1 of the format.
fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let fortran = if fortran { "True" } else { "False" };
    let mut dict = format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}");
    while (10 + dict.len() + 1) % 64 != 0 {
        dict.push(' ');
    }
    dict.push('\n');
    let length = u16::try_from(dict.len()).unwrap().to_le_bytes();
    [b"\x93NUMPY\x01\0", &length[..], dict.as_bytes(), data].concat()
}

fn table(rays: &[[f64; 6]]) -> Vec<u8> {
    let data: Vec<u8> = rays.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
    npy("'<f8'", false, &format!("({}, 6)", rays.len()), &data)
}

/// One value of a structure.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Whole(i64),
    /// By its bits.
    Float(u64),
    Text(String),
}

/// The fields of an array that the command wrote, and its rows.
fn read(bytes: &[u8]) -> (Vec<(String, String)>, Vec<Vec<Value>>) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\0");
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let (header, mut data) = (std::str::from_utf8(&bytes[10..start]).unwrap(), &bytes[start..]);
    assert!(start % 64 == 0 && header.ends_with('\n'));
    let (descr, rest) =
        header.strip_prefix("{'descr': [").unwrap().split_once("], 'fortran_order': False, ").unwrap();
    let fields: Vec<(String, String)> = descr
        .trim_matches(['(', ')'])
        .split("), (")
        .map(|field| {
            let (name, kind) = field.split_once(", ").unwrap();
            (name.trim_matches('\'').into(), kind.trim_matches('\'').into())
        })
        .collect();
    let count = rest.strip_prefix("'shape': (").unwrap().split_once(",), }").unwrap().0.parse().unwrap();
    let mut rows = Vec::new();
    for _ in 0..count {
        let row = fields.iter().map(|(_, kind)| {
            let mut take = |size: usize| {
                let (value, rest) = data.split_at(size);
                data = rest;
                value
            };
            match kind.as_str() {
                "<i8" => Value::Whole(i64::from_le_bytes(take(8).try_into().unwrap())),
                "<f8" => Value::Float(u64::from_le_bytes(take(8).try_into().unwrap())),
                "|i1" | "|b1" => Value::Whole(i64::from(take(1)[0] as i8)),
                text => {
                    let width: usize = text.strip_prefix("<U").unwrap().parse().unwrap();
                    let chars =
                        take(4 * width).as_chunks::<4>().0.iter().map(|code| u32::from_le_bytes(*code));
                    Value::Text(
                        chars
                            .take_while(|&code| code != 0)
                            .map(|code| char::from_u32(code).unwrap())
                            .collect(),
                    )
                }
            }
        });
        rows.push(row.collect());
    }
    assert!(data.is_empty());
    (fields, rows)
}

/// What the command leaves on standard output, which is not text.
fn bytes(folder: &Folder, args: &[&str]) -> Vec<u8> {
    let output = folder.command(args).stdin(Stdio::null()).output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    output.stdout
}

#[test]
fn every_format_has_the_same_answers_to_the_bit() {
    let folder = Folder::new("npy-formats");
    folder.write("box.obj", CUBE);
    let rays = rays(5_000, 0xa11);
    folder.write("rays.csv", csv(&rays));
    folder.write("rays.npy", table(&rays));
    for mode in ["closest", "occluded", "all", "first:1"] {
        let args = ["cast", "box.obj", "--rays", "rays.csv", "--mode", mode];
        let ran = |more: &[&str]| {
            let ran = folder.run(&[&args[..], more].concat());
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{mode}");
            ran.out
        };
        let csv = ran(&[]);
        assert_eq!(folder.run(&["cast", "box.obj", "--rays", "rays.npy", "--mode", mode]).out, csv);
        ran(&["-o", "out.npy"]);
        let (fields, rows) = read(&std::fs::read(folder.path("out.npy")).unwrap());
        let lines = ran(&["--format", "jsonl"]);
        let array: Vec<HashMap<String, Box<RawValue>>> =
            serde_json::from_str(&ran(&["--format", "json"])).unwrap();
        let mut text = csv.lines();
        let header: Vec<&str> = text.next().unwrap().split(',').collect();
        assert_eq!(header, fields.iter().map(|(name, _)| name).collect::<Vec<_>>());
        assert!(rows.len() > 2_000);
        assert_eq!(
            (text.clone().count(), array.len(), lines.lines().count()),
            (rows.len(), rows.len(), rows.len())
        );
        for (((text, line), object), row) in text.zip(lines.lines()).zip(array).zip(rows) {
            let line: HashMap<String, Box<RawValue>> = serde_json::from_str(line).unwrap();
            for (((name, cell), (_, kind)), value) in header.iter().zip(text.split(',')).zip(&fields).zip(row)
            {
                let json = line[*name].get();
                assert_eq!(json, object[*name].get());
                let (npy, in_json) = match (kind.as_str(), cell) {
                    ("<f8", "") => (Value::Float(f64::NAN.to_bits()), None),
                    ("<f8", "inf") => (Value::Float(f64::INFINITY.to_bits()), None),
                    ("<f8", _) => {
                        let bits = cell.parse::<f64>().unwrap().to_bits();
                        (Value::Float(bits), Some(json.parse::<f64>().unwrap().to_bits() == bits))
                    }
                    ("<i8", "") => (Value::Whole(-1), None),
                    ("<i8", _) => (Value::Whole(cell.parse().unwrap()), Some(json == cell)),
                    ("|b1", _) => (Value::Whole(i64::from(cell == "true")), Some(json == cell)),
                    ("|i1", "") => (Value::Whole(-1), None),
                    ("|i1", "front") => (Value::Whole(0), Some(json == "\"front\"")),
                    ("|i1", "back") => (Value::Whole(1), Some(json == "\"back\"")),
                    other => panic!("{other:?}"),
                };
                assert_eq!(value, npy, "{name} of {text}");
                assert!(in_json.unwrap_or(json == "null"), "{name} is {cell} and {json}");
            }
        }
    }
}

#[test]
fn every_layout_is_read() {
    let folder = Folder::new("npy-layouts");
    folder.write("box.obj", CUBE);
    let rays = rays(150_000, 0x1a);
    folder.write("rays.csv", csv(&rays));
    let args = |name| ["cast", "box.obj", "--rays", name, "--columns", "t,prim"];
    let expected = folder.run(&args("rays.csv")).out;
    assert_eq!(expected.lines().count(), 150_001);
    let columns = || (0..6).flat_map(|column| rays.iter().map(move |ray| ray[column]));
    let little: Vec<u8> = columns().flat_map(f64::to_le_bytes).collect();
    let big: Vec<u8> = columns().flat_map(f64::to_be_bytes).collect();
    let rows_big: Vec<u8> = rays.as_flattened().iter().flat_map(|number| number.to_be_bytes()).collect();
    // Fields in another order, between others and padding.
    let structures: Vec<u8> = rays
        .iter()
        .flat_map(|[ox, oy, oz, dx, dy, dz]| {
            let (first, second) =
                ([*dz, *ox].map(f64::to_le_bytes), [*oy, *oz, *dx, *dy].map(f64::to_be_bytes));
            [&[1, 0, 0, 0, 0, 0, 0, 0], first.as_flattened(), &[7; 6], second.as_flattened()].concat()
        })
        .collect();
    let descr = "[('ok', '|b1'), ('', '|V7'), ('dz', '<f8'), (('Origin', 'ox'), '<f8'), ('rgb', '<u2', (3,)), \
        ('oy', '>f8'), ('oz', '>f8'), ('dx', '>f8'), ('dy', '>f8')]";
    for (name, file) in [
        ("c.npy", table(&rays)),
        ("big.npy", npy("'>f8'", false, "(150000, 6)", &rows_big)),
        ("fortran.npy", npy("'<f8'", true, "(150000, 6)", &little)),
        ("fortran-big.npy", npy("'>f8'", true, "(150000L, 6L)", &big)),
        ("structures.npy", npy(descr, false, "(150000,)", &structures)),
    ] {
        folder.write(name, &file);
        let ran = folder.run(&args(name));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{name}");
        assert!(ran.out == expected, "{name}");
        let piped = folder.run_with_input(&args("-"), &file);
        if name.starts_with("fortran") {
            let message = "hitscan: standard input: is in Fortran order, which a pipe cannot give row by row; \
                expected a file, or rows in C order (numpy.ascontiguousarray)\n";
            assert_eq!((piped.code, piped.err.as_str(), piped.out.as_str()), (Some(1), message, ""));
        } else {
            assert!(piped.out == expected, "{name}");
        }
    }
    // Versions 2 and 3 have a longer length.
    let one = table(&rays);
    for version in [2, 3] {
        let longer = [b"\x93NUMPY", &[version, 0][..], &one[8..10], &[0, 0], &one[10..]].concat();
        assert!(folder.run_with_input(&args("-"), &longer).out == expected);
    }
}

#[test]
fn numbers_of_all_types_are_rays() {
    let folder = Folder::new("npy-types");
    folder.write("box.obj", CUBE);
    let args = ["cast", "box.obj", "--rays", "-", "--columns", "t,x,y"];
    let expected = "t,x,y\n0.25,0.5,0.25\n0.25,0.5,0.25\n".to_owned();
    let rays = [[0i8, 0, 2, 2, 1, -4], [0, 0, 3, 2, 1, -8]];
    fn data<const N: usize>(rays: [[i8; 6]; 2], to_bytes: impl Fn(i8) -> [u8; N]) -> Vec<u8> {
        rays.as_flattened().iter().flat_map(|&number| to_bytes(number)).collect()
    }
    for (descr, data) in [
        ("'|i1'", data(rays, i8::to_le_bytes)),
        ("'<i2'", data(rays, |number| i16::from(number).to_le_bytes())),
        ("'>i4'", data(rays, |number| i32::from(number).to_be_bytes())),
        ("'<i8'", data(rays, |number| i64::from(number).to_le_bytes())),
        ("'<f4'", data(rays, |number| f32::from(number).to_le_bytes())),
        ("'>f4'", data(rays, |number| f32::from(number).to_be_bytes())),
        (
            "'<f2'",
            data(rays, |number| match number {
                0 => [0, 0],
                1 => [0, 0x3c],
                2 => [0, 0x40],
                3 => [0, 0x42],
                -4 => [0, 0xc4],
                _ => [0, 0xc8],
            }),
        ),
    ] {
        let ran = folder.run_with_input(&args, &npy(descr, false, "(2, 6)", &data));
        assert_eq!((ran.code, ran.out, ran.err.as_str()), (Some(0), expected.clone(), ""), "{descr}");
    }
    let limited: Vec<u8> =
        [0.5, 0.25, 2.0, 0.0, 0.0, -1.0, 1.5, f64::INFINITY].map(f64::to_le_bytes).concat();
    let ran = folder.run_with_input(&args, &npy("'<f8'", false, "(1, 8)", &limited));
    assert_eq!(ran.out, "t,x,y\n2,0.5,0.25\n");
}

#[test]
fn kept_columns_keep_their_types() {
    let folder = Folder::new("npy-keep");
    folder.write("box.obj", CUBE);
    let descr = "[('ok', '|b1'), ('id', '>u4'), ('time', '<f4'), ('name', '|S5'), ('word', '<U2'), ('o', '<f8', (3,)), \
        ('ox', '|i1'), ('oy', '|i1'), ('oz', '|i1'), ('dx', '|i1'), ('dy', '|i1'), ('dz', '|i1')]";
    let row = |ok: u8, id: u32, time: f32, name: &[u8; 5], word: [char; 2], dz: i8| {
        let word = word.map(|c| u32::from(c).to_le_bytes());
        let ray = [0, 0, 2, 0, 0, dz as u8];
        [&[ok][..], &id.to_be_bytes(), &time.to_le_bytes(), name, word.as_flattened(), &[0; 24], &ray]
            .concat()
    };
    let data =
        [row(1, u32::MAX, 0.1, b"a\"b\0\0", ['ü', '\0'], -1), row(0, 7, f32::NAN, b"hello", ['x', 'y'], 1)];
    folder.write("rays.npy", npy(descr, false, "(2,)", &data.concat()));
    let args =
        ["cast", "box.obj", "--rays", "rays.npy", "--columns", "prim", "--keep", "ok,id,time,name,word,oz"];
    let text = folder.run(&args);
    assert_eq!((text.code, text.err.as_str()), (Some(0), ""));
    assert_eq!(
        text.out,
        "prim,ok,id,time,name,word,oz\n3,true,4294967295,0.10000000149011612,\"a\"\"b\",ü,2\n-1,false,7,NaN,hello,xy,2\n"
    );
    let json = folder.run(&[&args[..], &["--format", "jsonl"]].concat());
    assert_eq!(
        json.out,
        "{\"prim\":3,\"ok\":true,\"id\":4294967295,\"time\":0.10000000149011612,\"name\":\"a\\\"b\",\"word\":\"ü\",\"oz\":2}\n\
         {\"prim\":-1,\"ok\":false,\"id\":7,\"time\":null,\"name\":\"hello\",\"word\":\"xy\",\"oz\":2}\n"
    );
    // The number of rows is known, so that a pipe can be given it.
    let npy = bytes(&folder, &[&args[..], &["--format", "npy"]].concat());
    let (fields, rows) = read(&npy);
    let kinds: Vec<&str> = fields.iter().map(|(_, kind)| kind.as_str()).collect();
    assert_eq!(kinds, ["<i8", "|b1", "<i8", "<f8", "<U5", "<U2", "<i8"]);
    let (whole, text) = (Value::Whole, |text: &str| Value::Text(text.into()));
    let time = Value::Float(f64::from(0.1f32).to_bits());
    assert_eq!(rows[0], [whole(3), whole(1), whole(4_294_967_295), time, text("a\"b"), text("ü"), whole(2)]);
    assert_eq!(rows[1][..3], [whole(-1), whole(0), whole(7)]);
    assert!(matches!(rows[1][3], Value::Float(bits) if f64::from_bits(bits).is_nan()));
    // A file has the same bytes as the pipe.
    assert_eq!(folder.run(&[&args[..], &["-o", "out.npy"]].concat()).code, Some(0));
    assert_eq!(std::fs::read(folder.path("out.npy")).unwrap(), npy);
    let refused = folder.run(&[&args[..6], &["--keep", "o"]].concat());
    let message =
        "hitscan: rays.npy: o is of the type 'an array'; --keep needs numbers, bool or fixed text\n";
    assert_eq!((refused.code, refused.err.as_str()), (Some(1), message));
}

#[test]
fn kept_text_of_other_files_becomes_numbers_or_is_refused() {
    let folder = Folder::new("npy-keep-text");
    folder.write("box.obj", CUBE);
    let rays = "ox,oy,oz,dx,dy,dz,it's,time,ok,name\n\
        0,0,2,0,0,-1,3,0.5,true,a\n0,0,2,0,0,1,,,,b\n0,0,2,0,0,1,-4,inf,False,\n";
    let lines = "{\"ox\":0,\"oy\":0,\"oz\":2,\"dx\":0,\"dy\":0,\"dz\":-1,\"it's\":3,\"time\":5e-1,\"ok\":true,\"name\":\"a\"}\n\
        {\"ox\":0,\"oy\":0,\"oz\":2,\"dx\":0,\"dy\":0,\"dz\":1,\"it's\":null,\"ok\":null,\"name\":1}\n\
        {\"ox\":0,\"oy\":0,\"oz\":2,\"dx\":0,\"dy\":0,\"dz\":1,\"it's\":-4,\"time\":2,\"ok\":false}\n";
    for (file, text, last) in [("rays.csv", rays, f64::INFINITY), ("rays.jsonl", lines, 2.0)] {
        folder.write(file, text);
        let args = ["cast", "box.obj", "--rays", file, "--columns", "ray", "-o", "out.npy", "--keep"];
        let ran = folder.run(&[&args[..], &["it's,time,ok"]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let (fields, rows) = read(&std::fs::read(folder.path("out.npy")).unwrap());
        assert_eq!(fields[1], ("it\\'s".to_owned(), "<i8".to_owned()));
        let (whole, float) = (Value::Whole, |number: f64| Value::Float(number.to_bits()));
        assert_eq!(rows[0], [whole(0), whole(3), float(0.5), whole(1)]);
        assert_eq!(rows[1], [whole(1), whole(-1), float(f64::NAN), whole(-1)]);
        assert_eq!(rows[2], [whole(2), whole(-4), float(last), whole(0)]);
        let ran = folder.run(&[&args[..], &["name"]].concat());
        let message = "hitscan: --keep: 'name' holds text of any length or nothing, and NPY has no type for that; \
            expected numbers, or another format\n";
        assert_eq!((ran.code, ran.err.as_str()), (Some(1), message), "the file decides it");
    }
    // A later value that does not fit the first ones.
    folder.write(
        "rays.csv",
        "ox,oy,oz,dx,dy,dz,id\n".to_owned() + &"0,0,2,0,0,-1,3\n".repeat(10_000) + "0,0,2,0,0,-1,x\n",
    );
    let ran = folder.run(&["cast", "box.obj", "--rays", "rays.csv", "--keep", "id", "-o", "kept.npy"]);
    let message = "hitscan: rays.csv:10002: id is 'x'; the column held whole numbers so far (--invalid miss reports it as a miss)\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), message));
    assert!(!folder.files().contains(&"kept.npy".to_owned()));
}

#[test]
fn pipes_need_the_number_of_rows() {
    let folder = Folder::new("npy-pipe");
    folder.write("box.obj", CUBE);
    let rays = rays(3_000, 3);
    folder.write("rays.csv", csv(&rays));
    folder.write("rays.npy", table(&rays));
    let args = |rays, mode| ["cast", "box.obj", "--rays", rays, "--mode", mode, "--format", "npy"];
    for mode in ["closest", "occluded"] {
        let (_, rows) = read(&bytes(&folder, &args("rays.npy", mode)));
        assert_eq!(rows.len(), 3_000);
    }
    let message = "hitscan: --format: NPY begins with its number of rows, which a pipe or a device needs to know at once; \
        expected -o FILE or another format\n";
    for (rays, mode) in [("rays.csv", "closest"), ("rays.npy", "all"), ("rays.npy", "first:1")] {
        let ran = folder.run(&args(rays, mode));
        assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (Some(2), message, ""));
    }
}

#[test]
fn no_rays_are_an_empty_array() {
    let folder = Folder::new("npy-none");
    folder.write("box.obj", CUBE);
    for (name, file) in [
        ("c.npy", npy("'<f8'", false, "(0, 6)", b"")),
        ("fortran.npy", npy("'<f8'", true, "(0, 6)", b"")),
        ("none.csv", b"ox,oy,oz,dx,dy,dz\n".to_vec()),
    ] {
        folder.write(name, file);
        let ran = folder.run(&["cast", "box.obj", "--rays", name, "--mode", "all", "-o", "out.npy"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let (fields, rows) = read(&std::fs::read(folder.path("out.npy")).unwrap());
        assert_eq!((fields.len(), rows.len()), (15, 0));
    }
}

#[test]
fn bad_rows_are_named() {
    let folder = Folder::new("npy-rows");
    folder.write("box.obj", CUBE);
    let good = [0.5, 0.25, 2.0, 0.0, 0.0, -1.0, 0.0, f64::INFINITY];
    let with = |at: usize, number: f64| {
        let mut ray = good;
        ray[at] = number;
        ray
    };
    let zero = with(5, -0.0);
    let backwards = {
        let mut ray = with(6, 3.0);
        ray[7] = 2.0;
        ray
    };
    for (ray, message) in [
        (with(4, f64::NAN), "dy is nan; a ray needs finite numbers"),
        (with(0, f64::NEG_INFINITY), "ox is -inf; a ray needs finite numbers"),
        (with(7, f64::NAN), "t_max is nan; expected a number, -inf or inf"),
        (zero, "dx, dy and dz are 0; a ray needs a direction of any length but zero"),
        (backwards, "t_min is 3 and t_max is 2; a ray needs t_min <= t_max"),
    ] {
        // Behind the rows that one thread takes at a time, and more than once.
        let mut rays = vec![good; 6_000];
        rays[5_000] = ray;
        rays[5_999] = ray;
        let data: Vec<u8> = rays.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
        folder.write("rays.npy", npy("'<f8'", false, "(6000, 8)", &data));
        let args = ["cast", "box.obj", "--rays", "rays.npy", "--columns", "prim"];
        let ran = folder.run(&args);
        let expected =
            format!("hitscan: rays.npy: row 5000: {message} (--invalid miss reports it as a miss)\n");
        assert_eq!((ran.code, ran.err), (Some(1), expected));
        assert_eq!(ran.out, "prim\n".to_owned() + &"2\n".repeat(5_000));
        let ran = folder.run(&[&args[..], &["--invalid", "miss"]].concat());
        let expected =
            format!("hitscan: rays.npy: row 5000: {message} (2 invalid rows in all, counted as misses)\n");
        assert_eq!((ran.code, ran.err), (Some(0), expected));
        assert_eq!(
            ran.out,
            "prim\n".to_owned() + &"2\n".repeat(5_000) + "-1\n" + &"2\n".repeat(998) + "-1\n"
        );
    }
    let descr = "[('id', '<u8'), ('ox', '|i1'), ('oy', '|i1'), ('oz', '|i1'), ('dx', '|i1'), ('dy', '|i1'), ('dz', '|i1')]";
    let row = [&u64::MAX.to_le_bytes()[..], &[0, 0, 2, 0, 0, 255]].concat();
    folder.write("rays.npy", npy(descr, false, "(1,)", &row));
    let ran = folder.run(&["cast", "box.obj", "--rays", "rays.npy", "--keep", "id"]);
    let message = "hitscan: rays.npy: row 0: id is 18446744073709551615; --keep needs whole numbers below 2^63 \
        (--invalid miss reports it as a miss)\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), message));
}

#[test]
fn text_that_is_none_is_a_bad_row() {
    let folder = Folder::new("npy-no-text");
    folder.write("box.obj", CUBE);
    // Latin-1, and half of a pair of UTF-16.
    for (dtype, text, code) in [("|S4", *b"M\xfcn\0", "UTF-8"), ("<U1", 0xd800u32.to_le_bytes(), "Unicode")] {
        let descr = format!(
            "[('name', '{dtype}'), ('ox', '|i1'), ('oy', '|i1'), ('oz', '|i1'), ('dx', '|i1'), ('dy', '|i1'), ('dz', '|i1')]"
        );
        let rows: Vec<u8> =
            [*b"a\0\0\0", text].iter().flat_map(|name| [&name[..], &[0, 0, 2, 0, 0, 255]].concat()).collect();
        folder.write("rays.npy", npy(&descr, false, "(2,)", &rows));
        let args = ["cast", "box.obj", "--rays", "rays.npy", "--columns", "prim", "--keep", "name"];
        let what = format!("hitscan: rays.npy: row 1: name is not {code}; text is kept as UTF-8");
        let ran = folder.run(&args);
        assert_eq!((ran.code, ran.err), (Some(1), format!("{what} (--invalid miss reports it as a miss)\n")));
        let ran = folder.run(&[&args[..], &["--invalid", "miss"]].concat());
        assert_eq!(
            (ran.code, ran.err),
            (Some(0), format!("{what} (1 invalid row in all, counted as a miss)\n"))
        );
        // What is not carried over is nobody's business.
        assert_eq!(folder.run(&args[..6]).out, "prim\n3\n3\n");
    }
}

#[test]
fn malformed_files_are_named() {
    let folder = Folder::new("npy-malformed");
    folder.write("box.obj", CUBE);
    let f8 = |shape: &str| npy("'<f8'", false, shape, &[0; 96]);
    let of = |descr: &str| npy(descr, false, "(2, 6)", &[0; 96]);
    let good = f8("(2, 6)");
    let header = |text: &str| {
        let length = (text.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\0", &length[..], text.as_bytes()].concat()
    };
    let shape = "expected (n, 6) numbers, (n, 8) with t_min and t_max, or (n,) structures";
    let saved = "expected what numpy.save writes";
    for (file, message) in [
        (b"ox,oy\n1,2\n".to_vec(), "does not begin as a NPY file; expected an array as numpy.save writes it"),
        (good[..7].to_vec(), "ends within its header; expected an array as numpy.save writes it"),
        (good[..60].to_vec(), "ends within its header; expected an array as numpy.save writes it"),
        (b"\x93NUMPY\x09\0\0\0\0\0".to_vec(), "is NPY version 9; expected version 1, 2 or 3"),
        (
            b"\x93NUMPY\x02\0\xff\xff\xff\xff".to_vec(),
            "has a header of 4294967295 bytes; expected no more than 1048576",
        ),
        (header("{'descr' '<f8'}"), &format!("the header is not understood at character 9; {saved}")),
        (header("('<f8',)"), &format!("the header is no dict; {saved}")),
        (
            header("{'descr': '<f8', 'shape': (2, 6)}"),
            &format!("the header has not one 'fortran_order'; {saved}"),
        ),
        (
            npy("'<f8', 'descr': '<f4'", false, "(2, 6)", b""),
            &format!("the header has not one 'descr'; {saved}"),
        ),
        (f8("12"), &format!("shape is no tuple; {saved}")),
        (f8("(2, 'x')"), &format!("shape holds no whole numbers; {saved}")),
        (f8("(2, 7)"), &format!("the array has the shape (2, 7); {shape}")),
        (f8("(12,)"), &format!("the array has the shape (12,); {shape}")),
        (f8("()"), &format!("the array has the shape (); {shape}")),
        (
            npy("[('ox', '<f8')]", false, "(2, 6)", &[0; 96]),
            &format!("the array has the shape (2, 6) of structures; {shape}"),
        ),
        (
            npy("[('ox', '<f8')]", false, "(12,)", &[0; 96]),
            "there is no column 'oy' in 'ox'; a ray file names its columns, ox,oy,oz,dx,dy,dz among them",
        ),
        (
            npy("[('ox', '<f8'), ('ox', '<f8')]", false, "(6,)", &[0; 96]),
            "two columns are named 'ox'; a ray file needs each name once",
        ),
        (of("'|O'"), "the type '|O' is not read; expected numbers, bool or fixed text"),
        (of("'<c8'"), "ox is of the type '<c8'; a ray needs numbers of up to 8 bytes"),
        (of("'<f16'"), "ox is of the type '<f16'; a ray needs numbers of up to 8 bytes"),
        (of("'|b1'"), "ox is of the type '|b1'; a ray needs numbers of up to 8 bytes"),
        (of("'|S8'"), "ox is of the type '|S8'; a ray needs numbers of up to 8 bytes"),
        (of("3"), "the header has Whole(3) where a field is due; expected fields as NumPy writes them"),
        (
            f8("(18446744073709551615, 6)"),
            "the array has the shape (18446744073709551615, 6) of 48 bytes a row; expected a table that fits on a disk",
        ),
        (f8("(3, 6)"), "has 2 of 3 rows; expected as many as the header promises"),
        (
            f8("(300000000000000000, 6)"),
            "has 2 of 300000000000000000 rows; expected as many as the header promises",
        ),
        (f8("(1, 6)"), "goes on behind its last row; expected one array and nothing else"),
    ] {
        folder.write("rays.npy", &file);
        let args = ["cast", "box.obj", "--input-format", "npy", "--rays"];
        let ran = folder.run(&[&args[..], &["rays.npy"]].concat());
        assert_eq!(
            (ran.code, ran.err, ran.out.as_str()),
            (Some(1), format!("hitscan: rays.npy: {message}\n"), "")
        );
        let piped = folder.run_with_input(&[&args[..], &["-", "--invalid", "miss", "-q"]].concat(), &file);
        assert_eq!((piped.code, piped.err), (Some(1), format!("hitscan: standard input: {message}\n")));
    }
}

#[test]
fn text_stays_text() {
    let folder = Folder::new("npy-text");
    folder.write("box.obj", CUBE);
    let descr = "[('commit', '<U6'), ('name', '|S4'), ('ox', '|i1'), ('oy', '|i1'), ('oz', '|i1'), ('dx', '|i1'), \
        ('dy', '|i1'), ('dz', '|i1')]";
    let row = |commit: &str, name: &[u8; 4]| {
        let mut chars: Vec<u8> = commit.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        chars.resize(24, 0);
        [&chars[..], name, &[0, 0, 2, 0, 0, 255]].concat()
    };
    let data = [row("12e3", b"7\0\0\0"), row("4811", b"1e5\0"), row("-0.5", b"true")].concat();
    folder.write("rays.npy", npy(descr, false, "(3,)", &data));
    let args = ["cast", "box.obj", "--rays", "rays.npy", "--columns", "prim", "--keep", "commit,name"];
    let ran = folder.run(&[&args[..], &["--format", "jsonl"]].concat());
    assert_eq!(
        ran.out,
        "{\"prim\":3,\"commit\":\"12e3\",\"name\":\"7\"}\n{\"prim\":3,\"commit\":\"4811\",\"name\":\"1e5\"}\n\
         {\"prim\":3,\"commit\":\"-0.5\",\"name\":\"true\"}\n"
    );
    // A file of text has no types of its own: what looks like a number is one.
    assert_eq!(folder.run(&args).out, "prim,commit,name\n3,12e3,7\n3,4811,1e5\n3,-0.5,true\n");
    folder.write("rays.csv", "ox,oy,oz,dx,dy,dz,commit\n0,0,2,0,0,-1,4811\n0,0,2,0,0,-1,a\n");
    let args = ["cast", "box.obj", "--rays", "rays.csv", "--columns", "prim", "--keep", "commit"];
    let ran = folder.run(&[&args[..], &["--format", "jsonl"]].concat());
    assert_eq!(ran.out, "{\"prim\":3,\"commit\":4811}\n{\"prim\":3,\"commit\":\"a\"}\n");
}
