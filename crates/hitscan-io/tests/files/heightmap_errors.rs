//! Heightmaps that are refused, and what is said about each: one line, `WHERE: WHAT; WHAT WAS EXPECTED`.

use crate::support::Folder;
use crate::support::png::{chunk, header, picture};
use crate::support::tiff::{Kind, Tiff, Values};
use hitscan_io::{Model, Options, ReadError};

const NONE: Options<'static> = Options { cell: None, relief: None, ..Options::new() };
const BOTH: Options<'static> = Options { cell: Some(1.0), relief: Some([0.0, 10.0]), ..Options::new() };
const CELL: Options<'static> = Options { cell: Some(1.0), relief: None, ..Options::new() };
const RELIEF: Options<'static> = Options { cell: None, relief: Some([0.0, 10.0]), ..Options::new() };

/// Opens each file of a table and compares the error's text, without the file's name at its beginning.
fn refuses(test: &str, extension: &str, table: Vec<(Vec<u8>, Options<'_>, &str)>) {
    let folder = Folder::new(test);
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    for (row, (bytes, options, text)) in table.into_iter().enumerate() {
        let name = format!("{row}.{extension}");
        let result: Result<Model, ReadError> = hitscan_io::open_with(folder.write(&name, bytes), &options);
        found.push(match result {
            Ok(_) => format!("{name}: was read"),
            Err(error) => folder.text(&error),
        });
        expected.push(format!("{name}: {text}"));
    }
    assert_eq!(found, expected);
}

#[test]
fn png_files() {
    let grey = header(2, 2, 8, 0);
    let sound = picture(grey, &[0, 1, 2, 0, 3, 4]);
    let with = |cell, low, high| Options { cell: Some(cell), relief: Some([low, high]), ..Options::new() };
    let changed = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        bytes
    };
    refuses(
        "png-errors",
        "png",
        vec![
            (
                sound.clone(),
                NONE,
                "a PNG has no measures and none are given; --cell METRES is the distance between pixels, \
                 --relief LO,HI are the heights of black and of white",
            ),
            (
                sound.clone(),
                RELIEF,
                "the size of a cell is not given; --cell METRES is the distance between pixels",
            ),
            (
                sound.clone(),
                CELL,
                "the relief is not given; --relief LO,HI are the heights of black and of white",
            ),
            (
                sound.clone(),
                with(-1.0, 0.0, 1.0),
                "the size of a cell is -1; it needs to lie above 0, and at or below 2^100",
            ),
            (
                sound.clone(),
                with(f64::NAN, 0.0, 1.0),
                "the size of a cell is NaN; it needs to lie above 0, and at or below 2^100",
            ),
            (
                sound.clone(),
                with(1.0, 0.0, f64::INFINITY),
                "the relief is 0,inf; it needs two heights, at most 2^100 from 0",
            ),
            (
                sound.clone(),
                with(2e30, 0.0, 1.0),
                "the size of a cell is 2000000000000000000000000000000; it needs to lie above 0, and at or below 2^100",
            ),
            (
                picture(header(3, 2, 8, 0), &[0, 1, 2, 3, 0, 4, 5, 6]),
                with(1e30, 0.0, 1.0),
                "a corner is at 2e30; coordinates reach 2^100 at most",
            ),
            (vec![], BOTH, "the file is empty; a scene needs a triangle with an area"),
            (b"\xff\xd8\xff\xe0".to_vec(), BOTH, "not a PNG; a PNG begins with the bytes 89 50 4E 47"),
            (
                picture(header(1, 9, 8, 0), &[0, 0].repeat(9)),
                BOTH,
                "1 x 9 samples; a heightmap needs 2 columns and 2 rows at least",
            ),
            (
                picture(header(9, 1, 8, 0), &[0; 10]),
                BOTH,
                "9 x 1 samples; a heightmap needs 2 columns and 2 rows at least",
            ),
            (
                picture(header(0, 2, 8, 0), &[]),
                BOTH,
                "Invalid image dimensions; the PNG is damaged, save it again",
            ),
            (
                picture(header(4097, 4098, 8, 0), &[]),
                BOTH,
                "4097 x 4098 samples make 33562624 triangles; a mesh holds 33554432, those of 4097 x 4097 samples; \
                 make the picture smaller or cut it",
            ),
            (
                picture(header(60_000, 60_000, 16, 0), &[]),
                BOTH,
                "60000 x 60000 samples make 7199760002 triangles; a mesh holds 33554432, those of 4097 x 4097 samples; \
                 make the picture smaller or cut it",
            ),
            (
                picture(header(4096, 4096, 16, 6), &[0; 99]),
                BOTH,
                "IDAT or fDAT chunk does not have enough data for image; the PNG is damaged, save it again",
            ),
            (
                picture(header(2, 2, 8, 2), &[0, 1, 1, 1, 2, 2, 2, 0, 3, 3, 3, 4, 5, 4]),
                BOTH,
                "pixel 1,1 is the colour 4,5,4; a heightmap has shades of grey alone",
            ),
            (
                picture(header(2, 2, 16, 6), &[0, 0, 1, 0, 1, 0, 2, 0, 0].repeat(4)),
                BOTH,
                "pixel 0,0 is the colour 1,1,2; a heightmap has shades of grey alone",
            ),
            (
                picture(header(2, 2, 8, 4), &[0, 7, 0, 7, 0, 0, 7, 0, 7, 0]),
                BOTH,
                "no triangles; a scene needs a triangle with an area",
            ),
            (
                picture(header(2, 2, 3, 0), &[]),
                BOTH,
                "Invalid bit depth 3; the PNG is damaged, save it again",
            ),
            (
                picture(header(2, 2, 8, 3), &[0; 6]),
                BOTH,
                "Missing palette of indexed image; the PNG is damaged, save it again",
            ),
            (
                sound[..50].to_vec(),
                BOTH,
                "the file ends before its last pixel; the PNG is damaged, save it again",
            ),
            (
                sound[..20].to_vec(),
                BOTH,
                "the file ends before its last pixel; the PNG is damaged, save it again",
            ),
            (
                picture(grey, &[0, 1, 2]),
                BOTH,
                "IDAT or fDAT chunk does not have enough data for image; the PNG is damaged, save it again",
            ),
            (
                picture(grey, &[9, 1, 2, 0, 3, 4]),
                BOTH,
                "Unknown filter method 9; the PNG is damaged, save it again",
            ),
            (changed(18), BOTH, "a checksum is wrong; the PNG is damaged, save it again"),
            (
                [&sound[..33], &chunk(b"IEND", &[])].concat(),
                BOTH,
                "IDAT or fdAT chunk is missing; the PNG is damaged, save it again",
            ),
        ],
    );
}

#[test]
fn geotiff_files() {
    const SAMPLES: [f64; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let bare = || Tiff::new(3, 2, Kind::Float(32), &SAMPLES);
    let sound = || bare().at(1000.0, 2000.0, 10.0);
    let whole = || Tiff::new(3, 2, Kind::Unsigned(16), &SAMPLES);
    let cut = |tiff: Tiff, length: usize| tiff.bytes()[..length].to_vec();
    let second = |tag: u16, value: u32| {
        let mut tiff = sound();
        tiff.second = Some([(tag, Values::Longs(vec![value]))].into());
        tiff.bytes()
    };
    let twice = {
        // The last field, 34735, becomes a second width.
        let (mut bytes, tag) = (sound().bytes(), 34735u16.to_le_bytes());
        let at = bytes.windows(2).rposition(|pair| pair == tag).unwrap();
        bytes[at..at + 2].copy_from_slice(&256u16.to_le_bytes());
        bytes
    };
    // As many bytes as there are samples, which stand farther apart.
    let mut edge = Tiff::new(5, 2, Kind::Float(32), &[1.0; 10]).at(0.0, 0.0, 1.0).tiled(3, 2);
    edge.chunks[1].as_mut().unwrap().truncate(16);
    // Directories that lead back to the first: of itself, and of the one behind it.
    let back = |mut bytes: Vec<u8>| {
        let (first, end) = ([bytes[4], bytes[5], bytes[6], bytes[7]], bytes.len() - 4);
        bytes[end..].copy_from_slice(&first);
        bytes
    };
    let (ring, longer_ring) = (back(sound().bytes()), back(second(254, 1)));
    // Literals, so that each row's text lives as long as those that stand alone.
    macro_rules! damaged {
        ($text:literal) => {
            concat!($text, "; the TIFF is damaged or incomplete")
        };
    }
    macro_rules! metres {
        ($text:literal) => {
            concat!($text, "; heights need to be metres, as gdal_calc makes them")
        };
    }
    macro_rules! warp {
        ($text:literal) => {
            concat!(
                $text,
                "; gdalwarp -t_srs EPSG:NUMBER makes them metres, or --cell METRES is the distance between samples"
            )
        };
    }
    refuses(
        "tiff-errors",
        "tif",
        vec![
            // What the options say.
            (bare().bytes(), NONE, "no georeference; --cell METRES is the distance between samples"),
            (
                sound().bytes(),
                CELL,
                "the size of a cell is given, and the file has its own; leave out --cell",
            ),
            (
                sound().bytes(),
                RELIEF,
                "a relief is given, and the samples are heights themselves; leave out --relief",
            ),
            (
                Tiff::new(3, 2, Kind::Signed(16), &SAMPLES).bytes(),
                BOTH,
                "a relief is given, and the samples are heights themselves; leave out --relief",
            ),
            // Coordinates.
            (sound().keys(&[(1024, 2)]).bytes(), NONE, warp!("the coordinates are degrees")),
            (
                sound().keys(&[(1024, 3)]).bytes(),
                NONE,
                warp!("the coordinates are counted from the middle of the earth"),
            ),
            (
                sound().keys(&[(1024, 1), (3076, 9003)]).bytes(),
                NONE,
                warp!("the coordinates are in US survey feet"),
            ),
            (
                sound().keys(&[(1024, 1), (3076, 9014)]).bytes(),
                NONE,
                warp!("the coordinates are in the unit EPSG:9014"),
            ),
            (
                sound().keys(&[(1024, 1), (3076, 32767), (3077, 1)]).doubles(34736, &[9.0, 0.3]).bytes(),
                NONE,
                warp!("the coordinates are in a unit of 0.3 m"),
            ),
            (sound().keys(&[(1024, 1), (4099, 9002)]).bytes(), NONE, metres!("the heights are in feet")),
            (
                sound().without(33922).bytes(),
                NONE,
                "a pixel scale without a tiepoint; a georeference has both",
            ),
            (
                sound().without(33550).bytes(),
                NONE,
                "a georeference of ground control points is not read; gdalwarp -t_srs EPSG:NUMBER writes a pixel scale",
            ),
            (
                sound().doubles(33550, &[10.0, 0.0, 0.0]).bytes(),
                NONE,
                "the pixel scale puts all samples on a line or a point; a map needs two directions",
            ),
            (
                bare().doubles(34264, &[1.0; 16]).bytes(),
                NONE,
                "the transformation puts all samples on a line or a point; a map needs two directions",
            ),
            (sound().doubles(33550, &[10.0]).bytes(), NONE, damaged!("field 33550 has no 3 finite numbers")),
            (
                sound().at(f64::NAN, 0.0, 1.0).bytes(),
                NONE,
                damaged!("field 33922 has no 6 finite numbers"),
            ),
            (
                sound().at(0.0, 2e30, 1.0).bytes(),
                NONE,
                "a corner is at 2e30; coordinates reach 2^100 at most",
            ),
            (
                bare()
                    .doubles(34264, &[3.0, 4.0, 0.0, 7.0, 4.0, -3.0, 0.0, 47.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0])
                    .keys(&[(1024, 2)])
                    .bytes(),
                CELL,
                "rows are turned against the axes, and the coordinates are degrees; gdalwarp -t_srs EPSG:NUMBER makes \
                 them metres, --cell METRES tells no directions",
            ),
            // Samples.
            (
                sound().shorts(277, &[3]).bytes(),
                NONE,
                "3 bands; a heightmap has one, gdal_translate -b 1 keeps the first",
            ),
            (
                sound().shorts(262, &[0]).bytes(),
                NONE,
                "grey from white to black is not read; gdal_translate -co PHOTOMETRIC=MINISBLACK writes plain numbers",
            ),
            (
                sound().shorts(262, &[3]).bytes(),
                NONE,
                "a palette is not read; gdal_translate -co PHOTOMETRIC=MINISBLACK writes plain numbers",
            ),
            (
                sound().shorts(259, &[50000]).bytes(),
                NONE,
                "ZSTD compression is not read; gdal_translate -co COMPRESS=DEFLATE writes another",
            ),
            (
                sound().shorts(259, &[34887]).bytes(),
                NONE,
                "LERC compression is not read; gdal_translate -co COMPRESS=DEFLATE writes another",
            ),
            (
                sound().shorts(259, &[7]).bytes(),
                NONE,
                "JPEG compression is not read; gdal_translate -co COMPRESS=DEFLATE writes another",
            ),
            (
                sound().shorts(259, &[777]).bytes(),
                NONE,
                "compression 777 is not read; gdal_translate -co COMPRESS=DEFLATE writes another",
            ),
            (
                sound().shorts(258, &[12]).shorts(339, &[1]).bytes(),
                NONE,
                "an image of 12-bit unsigned integers is not read; gdal_translate -ot Float32 writes another",
            ),
            (
                sound().shorts(339, &[6]).bytes(),
                NONE,
                "an image of 32-bit samples of format 6 is not read; gdal_translate -ot Float32 writes another",
            ),
            (
                sound().text(42113, "none").bytes(),
                NONE,
                "the value for no data is \"none\"; it is a number or nan",
            ),
            (
                sound().text(42112, "<GDALMetadata><Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.01</Item></GDALMetadata>").bytes(),
                NONE,
                "a band's scale is not read; gdal_translate -unscale -ot Float32 applies it",
            ),
            (
                sound().text(42112, "<Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-100</Item>").bytes(),
                NONE,
                "a band's offset is not read; gdal_translate -unscale -ot Float32 applies it",
            ),
            (
                sound().text(42112, "<Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">ft</Item>").bytes(),
                NONE,
                metres!("the heights are in \"ft\""),
            ),
            (
                second(254, 4),
                NONE,
                "a mask is not read; gdalwarp -dstnodata -9999 marks the samples themselves",
            ),
            (
                Tiff::new(2, 2, Kind::Float(32), &[1.0, 2.0, 3.0, f64::from(f32::MIN)]).at(0.0, 0.0, 1.0).bytes(),
                NONE,
                "the height at column 1, row 1 is -3.4028234663852886e38; heights reach 2^100 at most, \
                 gdal_edit -a_nodata tells the value of holes",
            ),
            (
                Tiff::new(2, 2, Kind::Float(32), &[7.0; 4]).at(0.0, 0.0, 1.0).text(42113, "7").bytes(),
                NONE,
                "no triangles; a scene needs a triangle with an area",
            ),
            // Sizes.
            (
                Tiff::new(6, 1, Kind::Float(32), &SAMPLES).at(0.0, 0.0, 1.0).bytes(),
                NONE,
                "6 x 1 samples; a heightmap needs 2 columns and 2 rows at least",
            ),
            (
                sound().longs(256, &[u32::MAX]).longs(257, &[u32::MAX]).bytes(),
                NONE,
                "4294967295 x 4294967295 samples make 36893488113059364872 triangles; a mesh holds 33554432, \
                 those of 4097 x 4097 samples; gdal_translate -outsize or -srcwin makes it smaller",
            ),
            (sound().without(256).bytes(), NONE, "no width or height; an image has both"),
            (
                sound().longs(322, &[1 << 31]).longs(323, &[16]).bytes(),
                NONE,
                "tiles of 2147483648 x 16 samples; a tile has 1 to 65536 columns and rows",
            ),
            (
                sound().longs(256, &[2]).longs(257, &[20_000]).longs(322, &[65_536]).longs(323, &[512]).bytes(),
                NONE,
                "tiles of 65536 x 512 pad 2 x 20000 samples to 1310720000; at most 1073741824 are decoded",
            ),
            // Damage.
            (b"PK\x03\x04 and so on".to_vec(), NONE, "not a TIFF; a TIFF begins with II or MM and the number 42, or 43 for a BigTIFF"),
            (cut(sound(), 6), NONE, damaged!("the file ends within a directory")),
            (cut(sound(), sound().bytes().len() - 9), NONE, damaged!("the file ends within a directory")),
            (twice, NONE, damaged!("field 256 is there twice")),
            (sound().longs(273, &[u32::MAX]).bytes(), NONE, damaged!("strip 0 ends early")),
            (sound().longs(279, &[20]).bytes(), NONE, damaged!("strip 0 has 20 of 24 bytes")),
            (edge.bytes(), NONE, damaged!("tile 1 has 16 of 20 bytes")),
            (ring, NONE, damaged!("the directory at byte 144 is there twice")),
            (longer_ring, NONE, damaged!("the directory at byte 144 is there twice")),
            (whole().shorts(259, &[8]).bytes(), CELL, damaged!("strip 0 is not read: corrupt deflate stream")),
            (sound().shorts(256, &[3]).text(257, "2").bytes(), NONE, damaged!("field 257 is not a whole number")),
            (
                sound().longs(278, &[1]).bytes(),
                NONE,
                damaged!("the directory is no TIFF's: inconsistent sizes encountered"),
            ),
            (
                sound().without(262).bytes(),
                NONE,
                damaged!("the directory is not read: unknown photometric interpretation"),
            ),
        ],
    );
}

#[test]
fn other_formats_have_no_cells() {
    let folder = Folder::new("no-cells");
    let path = folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for options in [CELL, RELIEF] {
        let text = folder.text(&hitscan_io::open_with(&path, &options).unwrap_err());
        assert!(text.ends_with("; only heightmaps (.png .tif .tiff) have cells"), "{text}");
    }
}
