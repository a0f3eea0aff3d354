//! Heightmaps: samples become ground. Malformed files are in `heightmap_errors.rs`.

use crate::support::Folder;
use crate::support::tiff::{Kind, Tiff};
use hitscan::{Face, Facing, Filter, Ray};
use hitscan_io::{Model, Options, ReadError, Up};
use png::{BitDepth, ColorType};
use tiff::encoder::{Compression, DeflateLevel, Predictor, TiffEncoder, colortype};

/// Heights of five columns and four rows, all different and exact in 8 bits.
const HEIGHTS: [f64; 20] = [
    7.0, 40.0, 99.0, 3.0, 250.0, //
    12.0, 41.0, 0.0, 88.0, 17.0, //
    255.0, 63.0, 64.0, 65.0, 130.0, //
    1.0, 2.0, 190.0, 77.0, 5.0,
];
const COLUMNS: usize = 5;
const ROWS: usize = 4;

fn open(
    folder: &Folder,
    name: &str,
    bytes: impl AsRef<[u8]>,
    options: Options<'_>,
) -> Result<Model, ReadError> {
    hitscan_io::open_with(folder.write(name, bytes), &options)
}

fn as_is(folder: &Folder, name: &str, tiff: &Tiff) -> Model {
    open(folder, name, tiff.bytes(), Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// What stands highest above a point of the ground; it has to turn its front upwards.
fn ground(model: &Model, a: f64, b: f64) -> Option<f64> {
    const ABOVE: f64 = 1e5;
    let (origin, down) = match model.up {
        Up::Y => ([a, ABOVE, b], [0.0, -1.0, 0.0]),
        Up::Z => ([a, b, ABOVE], [0.0, 0.0, -1.0]),
    };
    let hit = model.scene().closest(&Ray::new(origin, down).unwrap(), &Filter::ALL)?;
    assert_eq!(hit.facing, Face::Front, "above {a}, {b}");
    Some(hit.position[model.up.axis()])
}

/// The height between samples: bilinear on the two triangles of a cell, which meet on the diagonal from its upper
/// right to its lower left corner.
fn between(heights: &[f64], column: f64, row: f64) -> f64 {
    let (c, r) = (column.floor().min(COLUMNS as f64 - 2.0), row.floor().min(ROWS as f64 - 2.0));
    let (x, y) = (column - c, row - r);
    let at = |dx: usize, dy: usize| heights[(r as usize + dy) * COLUMNS + c as usize + dx];
    if x + y <= 1.0 {
        at(0, 0) + x * (at(1, 0) - at(0, 0)) + y * (at(0, 1) - at(0, 0))
    } else {
        at(1, 1) + (1.0 - x) * (at(0, 1) - at(1, 1)) + (1.0 - y) * (at(1, 0) - at(1, 1))
    }
}

/// Compares the ground with the heights at all samples, where it is exact, and between them.
fn compare(model: &Model, heights: &[f64], place: impl Fn(f64, f64) -> [f64; 2]) {
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let [a, b] = place(column as f64, row as f64);
            assert_eq!(ground(model, a, b), Some(heights[row * COLUMNS + column]), "sample {column}, {row}");
        }
    }
    for row in 0..=4 * (ROWS - 1) {
        for column in 0..=4 * (COLUMNS - 1) {
            let (column, row) = (column as f64 / 4.0, row as f64 / 4.0);
            let [a, b] = place(column, row);
            let (found, expected) = (ground(model, a, b).unwrap(), between(heights, column, row));
            assert!((found - expected).abs() < 1e-4, "{found}, not {expected} at {column}, {row}");
        }
    }
}

/// A PNG of these pixels, in rows of `COLUMNS`.
fn png(
    colour: ColorType,
    depth: BitDepth,
    data: &[u8],
    set: impl Fn(&mut png::Encoder<'_, &mut Vec<u8>>),
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, COLUMNS as u32, ROWS as u32);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    set(&mut encoder);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    drop(writer);
    bytes
}

const fn measures(cell: f64, low: f64, high: f64) -> Options<'static> {
    Options { cell: Some(cell), relief: Some([low, high]), ..Options::new() }
}

#[test]
fn png_pixels_are_samples_on_x_and_z() {
    let folder = Folder::new("heights-png");
    let place = |column: f64, row: f64| [column * 2.0, row * 2.0];
    let eight: Vec<u8> = HEIGHTS.iter().map(|&height| height as u8).collect();
    let grey = png(ColorType::Grayscale, BitDepth::Eight, &eight, |_| {});
    let model = open(&folder, "hills.png", &grey, measures(2.0, 0.0, 255.0)).unwrap();
    assert_eq!((model.up, model.triangles()), (Up::Y, 2 * 4 * 3));
    assert_eq!((model.meshes[0].name.as_str(), model.nodes[0].name.as_str()), ("hills", "hills"));
    assert_eq!(model.materials, [hitscan_io::DEFAULT_MATERIAL]);
    compare(&model, &HEIGHTS, place);

    // Shades that a relief maps to whole numbers: 257 steps for each of 8 bits.
    let sixteen: Vec<u8> = HEIGHTS.iter().flat_map(|&height| (height as u16 * 257).to_be_bytes()).collect();
    let both = |channel: usize, alpha: bool| -> Vec<u8> {
        eight.iter().flat_map(|&v| [v; 3].into_iter().take(channel).chain(alpha.then_some(9))).collect()
    };
    for (name, colour, depth, data) in [
        ("deep.png", ColorType::Grayscale, BitDepth::Sixteen, sixteen),
        ("alpha.png", ColorType::GrayscaleAlpha, BitDepth::Eight, both(1, true)),
        ("grey-in-rgb.png", ColorType::Rgb, BitDepth::Eight, both(3, false)),
        ("grey-in-rgba.png", ColorType::Rgba, BitDepth::Eight, both(3, true)),
    ] {
        let model =
            open(&folder, name, png(colour, depth, &data, |_| {}), measures(2.0, 0.0, 255.0)).unwrap();
        compare(&model, &HEIGHTS, place);
    }
    let palette: Vec<u8> = (0..=255).flat_map(|v| [255 - v; 3]).collect();
    let inverse: Vec<u8> = eight.iter().map(|&v| 255 - v).collect();
    let indexed = png(ColorType::Indexed, BitDepth::Eight, &inverse, |e| e.set_palette(palette.clone()));
    compare(&open(&folder, "palette.png", indexed, measures(2.0, 0.0, 255.0)).unwrap(), &HEIGHTS, place);
}

#[test]
fn png_relief_reaches_both_ends_at_every_depth() {
    let folder = Folder::new("heights-relief");
    let [low, high] = [-0.1, 2963.7];
    for (depth, bits) in [
        (BitDepth::One, 1),
        (BitDepth::Two, 2),
        (BitDepth::Four, 4),
        (BitDepth::Eight, 8),
        (BitDepth::Sixteen, 16),
    ] {
        // The first sample is black, all others are white.
        let mut data = vec![255; (COLUMNS * bits).div_ceil(8) * ROWS];
        if bits < 8 {
            data[0] >>= bits;
        } else {
            data[..bits / 8].fill(0);
        }
        for [low, high] in [[low, high], [high, low]] {
            let file = png(ColorType::Grayscale, depth, &data, |_| {});
            let model = open(&folder, "ends.png", file, measures(1.0, low, high)).unwrap();
            let vertices = model.meshes[0].mesh.vertices();
            assert_eq!((vertices[0][1], vertices[1][1]), (low as f32, high as f32), "{bits} bits");
        }
    }
    // A step in the middle: 5 of 15.
    let data = [0x5f, 0xff, 0xff].repeat(ROWS);
    let file = png(ColorType::Grayscale, BitDepth::Four, &data, |_| {});
    let model = open(&folder, "step.png", file, measures(1.0, 0.0, 30.0)).unwrap();
    assert_eq!(model.meshes[0].mesh.vertices()[0], [0.0, 10.0, 0.0]);
}

#[test]
fn png_pixels_without_alpha_are_holes() {
    let folder = Folder::new("heights-alpha");
    let hole = 6; // column 1, row 1
    let data: Vec<u8> = HEIGHTS
        .iter()
        .enumerate()
        .flat_map(|(at, &height)| [height as u8, if at == hole { 0 } else { 1 }])
        .collect();
    let alpha = png(ColorType::GrayscaleAlpha, BitDepth::Eight, &data, |_| {});
    let data: Vec<u8> = HEIGHTS.iter().map(|&height| height as u8).collect();
    // Shade 41 is transparent, and only that sample has it.
    let key = png(ColorType::Grayscale, BitDepth::Eight, &data, |e| e.set_trns(&[0u8, 41][..]));
    for (name, file) in [("alpha.png", alpha), ("key.png", key)] {
        let model = open(&folder, name, file, measures(1.0, 0.0, 255.0)).unwrap();
        assert_eq!(model.triangles(), 24 - 6, "{name}");
        assert_eq!(model.meshes[0].mesh.vertices().len(), 19, "{name}");
        assert_eq!(ground(&model, 1.0, 1.0), None, "{name}");
        // The far half of the first cell has no corner in the hole, the near half of the fourth neither.
        assert_eq!(ground(&model, 0.25, 0.25), Some(7.0 + 0.25 * 33.0 + 0.25 * 5.0), "{name}");
        assert_eq!(ground(&model, 0.75, 0.75), None, "{name}");
        assert!(ground(&model, 1.75, 1.75).is_some() && ground(&model, 1.25, 1.25).is_none(), "{name}");
    }
}

#[test]
fn geotiff_samples_of_every_kind_in_strips_and_tiles() {
    let folder = Folder::new("heights-kinds");
    let place = |column: f64, row: f64| [1000.0 + 2.0 * (column + 0.5), 3000.0 - 2.0 * (row + 0.5)];
    for (bits, kind) in [
        (8, Kind::Unsigned as fn(u16) -> Kind),
        (16, Kind::Unsigned),
        (32, Kind::Unsigned),
        (64, Kind::Unsigned),
        (16, Kind::Signed),
        (32, Kind::Signed),
        (64, Kind::Signed),
        (16, Kind::Float),
        (32, Kind::Float),
        (64, Kind::Float),
    ] {
        for (big_endian, big) in [(false, false), (true, false), (false, true), (true, true)] {
            let mut tiff = Tiff::of(5, 4, kind(bits), &HEIGHTS, big_endian).at(1000.0, 3000.0, 2.0);
            tiff.big = big;
            let model = as_is(&folder, "strip.tif", &tiff);
            assert_eq!((model.up, model.triangles()), (Up::Z, 24));
            assert_eq!((model.meshes[0].name.as_str(), model.nodes[0].name.as_str()), ("strip", "strip"));
            compare(&model, &HEIGHTS, place);
            let tiles = tiff.tiled(2, 3);
            assert_eq!(tiles.chunks.len(), 6);
            compare(&as_is(&folder, "tiles.tiff", &tiles), &HEIGHTS, place);
        }
    }
    let below: Vec<f64> = HEIGHTS.iter().map(|height| (height / 2.0).floor() - 128.0).collect();
    for bits in [8, 16, 32, 64] {
        let tiff = Tiff::new(5, 4, Kind::Signed(bits), &below).at(1000.0, 3000.0, 2.0);
        compare(&as_is(&folder, "below.tif", &tiff), &below, place);
    }
}

#[test]
fn geotiff_compressions_and_predictors() {
    let folder = Folder::new("heights-compressions");
    let samples: Vec<f32> = HEIGHTS.iter().map(|&height| height as f32).collect();
    for compression in [
        Compression::Uncompressed,
        Compression::Lzw,
        Compression::Deflate(DeflateLevel::Balanced),
        Compression::Packbits,
    ] {
        for predictor in [Predictor::None, Predictor::Horizontal] {
            let mut bytes = std::io::Cursor::new(Vec::new());
            let mut encoder =
                TiffEncoder::new(&mut bytes).unwrap().with_compression(compression).with_predictor(predictor);
            let whole: Vec<u16> = HEIGHTS.iter().map(|&height| height as u16).collect();
            encoder.write_image::<colortype::Gray16>(5, 4, &whole).unwrap();
            let options = Options { cell: Some(0.5), relief: None, ..Options::new() };
            let model = open(&folder, "a.tif", bytes.into_inner(), options).unwrap();
            compare(&model, &HEIGHTS, |column, row| [0.5 * column, -0.5 * row]);
        }
        let mut bytes = std::io::Cursor::new(Vec::new());
        let mut encoder = TiffEncoder::new_big(&mut bytes).unwrap().with_compression(compression);
        encoder.write_image::<colortype::Gray32Float>(5, 4, &samples).unwrap();
        let options = Options { cell: Some(0.5), relief: None, ..Options::new() };
        let model = open(&folder, "b.tif", bytes.into_inner(), options).unwrap();
        compare(&model, &HEIGHTS, |column, row| [0.5 * column, -0.5 * row]);
    }
}

#[test]
fn geotiff_places_samples_as_its_fields_say() {
    let folder = Folder::new("heights-places");
    let plain = Tiff::new(5, 4, Kind::Float(32), &HEIGHTS);
    let placed = plain.clone().at(1000.0, 3000.0, 4.0);
    let point = [(1024, 1), (1025, 2), (3076, 9001)];

    compare(&as_is(&folder, "area.tif", &placed), &HEIGHTS, |c, r| [1002.0 + 4.0 * c, 2998.0 - 4.0 * r]);
    let points = placed.clone().keys(&point);
    compare(&as_is(&folder, "point.tif", &points), &HEIGHTS, |c, r| [1000.0 + 4.0 * c, 3000.0 - 4.0 * r]);
    let unknown = placed.clone().without(34735);
    compare(&as_is(&folder, "unknown.tif", &unknown), &HEIGHTS, |c, r| [1002.0 + 4.0 * c, 2998.0 - 4.0 * r]);
    // A tiepoint within the raster, a second one that does not matter, and cells that are not square.
    let tie = placed.clone().keys(&point).doubles(33550, &[4.0, 0.5, 0.0]);
    let tie = tie.doubles(33922, &[2.0, 1.0, 0.0, 100.0, 200.0, 0.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0]);
    compare(&as_is(&folder, "tie.tif", &tie), &HEIGHTS, |c, r| [92.0 + 4.0 * c, 200.5 - 0.5 * r]);
    // South up, then a rotation, then a reflection.
    let south = placed.clone().doubles(33550, &[4.0, -4.0, 0.0]);
    compare(&as_is(&folder, "south.tif", &south), &HEIGHTS, |c, r| [1002.0 + 4.0 * c, 3002.0 + 4.0 * r]);
    for [a, b, c, d] in [[3.0, 4.0, 4.0, -3.0], [3.0, -4.0, 4.0, 3.0], [0.0, 2.0, 2.0, 0.0]] {
        let matrix = [a, b, 0.0, 500.0, c, d, 0.0, 700.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let turned = plain.clone().doubles(34264, &matrix).keys(&point);
        let place = |column: f64, row: f64| [500.0 + a * column + b * row, 700.0 + c * column + d * row];
        compare(&as_is(&folder, "turned.tif", &turned), &HEIGHTS, place);
        let area = turned.keys(&[(1024, 1), (1025, 1)]);
        compare(&as_is(&folder, "area.tif", &area), &HEIGHTS, |c, r| place(c + 0.5, r + 0.5));
    }
    // Degrees, with the size of a cell.
    let degrees = placed.keys(&[(1024, 2), (1025, 1)]);
    let options = Options { cell: Some(25.0), relief: None, ..Options::new() };
    let model = open(&folder, "degrees.tif", degrees.bytes(), options).unwrap();
    compare(&model, &HEIGHTS, |c, r| [25.0 * c, -25.0 * r]);
}

/// The size of a cell takes the place of a scale, and of nothing else: rows and columns run where the file has them run.
#[test]
fn geotiff_cells_keep_their_directions() {
    let folder = Folder::new("heights-directions");
    const DEGREES: [(u16, u16); 2] = [(1024, 2), (1025, 1)];
    const FEET: [(u16, u16); 3] = [(1024, 1), (1025, 1), (3076, 9003)];
    let options = Options { cell: Some(25.0), relief: None, ..Options::new() };
    let with = |keys: &[(u16, u16)], [a, b, c, d]: [f64; 4]| {
        let matrix = [a, b, 0.0, 7.0, c, d, 0.0, 47.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let tiff = Tiff::new(5, 4, Kind::Float(32), &HEIGHTS).doubles(34264, &matrix).keys(keys);
        open(&folder, "a.tif", tiff.bytes(), options).unwrap()
    };
    // To the south, to the north, to the west, and rows that are columns.
    const S: f64 = 1.0 / 3600.0;
    for [a, b, c, d] in
        [[1.0, 0.0, 0.0, -1.0], [1.0, 0.0, 0.0, 1.0], [-1.0, 0.0, 0.0, -1.0], [0.0, 1.0, -1.0, 0.0f64]]
    {
        let model = with(&DEGREES, [a, b, c, d].map(|step| S * step));
        compare(&model, &HEIGHTS, |column, row| {
            [25.0 * (a * column + b * row), 25.0 * (c * column + d * row)]
        });
        let raster = model.raster.unwrap();
        assert_eq!((raster.column(), raster.row()), ([25.0 * a, 25.0 * c], [25.0 * b, 25.0 * d]));
    }
    // Rounding turns nothing.
    with(&DEGREES, [S, 1e-12 * S, 0.0, -S]);
    // Feet are as long in all directions, so that what is turned is known too; cells need not be square in the file.
    let model = with(&FEET, [3.0, 8.0, 4.0, -6.0]);
    compare(&model, &HEIGHTS, |c, r| [15.0 * c + 20.0 * r, 20.0 * c - 15.0 * r]);
}

#[test]
fn geotiff_keeps_a_tenth_of_a_millimetre_of_a_northing() {
    let folder = Folder::new("heights-utm");
    let tiff = Tiff::new(5, 4, Kind::Float(64), &HEIGHTS).at(466_123.456, 5_248_321.987, 0.5);
    let model = as_is(&folder, "utm.tif", &tiff);
    for (row, column) in [(0, 0), (1, 3), (3, 4)] {
        let (x, y) = (466_123.456 + 0.5 * (column as f64 + 0.5), 5_248_321.987 - 0.5 * (row as f64 + 0.5));
        let vertex = model.meshes[0].mesh.vertices()[row * COLUMNS + column];
        let found = model.nodes[0].transform.point(vertex.map(f64::from));
        let off = [found[0] - x, found[1] - y, found[2] - HEIGHTS[row * COLUMNS + column]];
        assert!(off.iter().all(|off| off.abs() < 1e-4), "{off:?}");
    }
    let found = ground(&model, 466_124.706 + 0.125, 5_248_321.237 - 0.125).unwrap();
    assert!((found - between(&HEIGHTS, 2.25, 1.25)).abs() < 0.05, "{found}");
}

#[test]
fn geotiff_samples_without_data_are_holes() {
    let folder = Folder::new("heights-holes");
    let whole = |value: f64| {
        let mut heights = HEIGHTS;
        heights[6] = value;
        heights
    };
    let float = |bits, value| Tiff::new(5, 4, Kind::Float(bits), &whole(value)).at(0.0, 4.0, 1.0);
    let lowest = f64::from(f32::MIN);
    for (name, tiff) in [
        ("nan.tif", float(32, f64::NAN)),
        ("nan-named.tif", float(64, f64::NAN).text(42113, "nan")),
        ("inf.tif", float(32, f64::NEG_INFINITY)),
        ("number.tif", float(32, -9999.0).text(42113, "-9999")),
        ("blanks.tif", float(64, -9999.0).text(42113, " -9.999e3 ")),
        ("lowest.tif", float(32, lowest).text(42113, "-3.4028234663852886e+38")),
        ("rounded.tif", float(32, lowest).text(42113, "-3.4028235e+38")),
        ("tenth.tif", float(32, f64::from(0.1f32)).text(42113, "0.1")),
        // The half next to it is -10000.
        ("half.tif", float(16, -9999.0).text(42113, "-9999")),
        ("beyond-halves.tif", float(16, lowest).text(42113, "-3.4028234663852886e+38")),
        (
            "whole.tif",
            Tiff::new(5, 4, Kind::Signed(16), &whole(-32768.0)).at(0.0, 4.0, 1.0).text(42113, "-32768"),
        ),
    ] {
        let model = as_is(&folder, name, &tiff);
        assert_eq!(model.triangles(), 24 - 6, "{name}");
        assert_eq!(model.meshes[0].mesh.vertices().len(), 19, "{name}");
        assert_eq!(ground(&model, 1.5, 2.5), None, "{name}");
        assert_eq!(ground(&model, 2.5, 2.5), Some(0.0), "{name}");
    }
}

/// As GDAL has it: a piece that a sparse file leaves out has no data where the file says what that is, and 0 elsewhere.
#[test]
fn geotiff_pieces_that_are_left_out() {
    let folder = Folder::new("heights-sparse");
    let sparse = |kind| {
        let mut tiff = Tiff::new(5, 4, kind, &HEIGHTS).at(0.0, 4.0, 1.0).tiled(3, 2);
        tiff.chunks[1] = None;
        tiff
    };
    let zeros = |zero: f64| {
        let mut heights = HEIGHTS;
        [3, 4, 8, 9].into_iter().for_each(|at| heights[at] = zero);
        heights
    };
    let model = as_is(&folder, "zeros.tif", &sparse(Kind::Float(32)));
    compare(&model, &zeros(0.0), |c, r| [c + 0.5, 3.5 - r]);
    for no_data in ["-9999", "nan", "0"] {
        let model = as_is(&folder, "holes.tif", &sparse(Kind::Float(32)).text(42113, no_data));
        assert_eq!((ground(&model, 3.5, 3.5), ground(&model, 2.5, 3.5)), (None, Some(99.0)), "{no_data}");
    }
    // Through the relief, as other samples.
    let tiff = sparse(Kind::Unsigned(8)).bytes();
    let options = Options { relief: Some([20.0, 275.0]), ..Options::new() };
    let model = open(&folder, "relief.tif", tiff, options).unwrap();
    compare(&model, &zeros(0.0).map(|height| height + 20.0), |c, r| [c + 0.5, 3.5 - r]);
}

/// Rows of a tile stand a whole tile apart, also where the image ends within it; only the last may end with the image.
#[test]
fn geotiff_tiles_may_end_with_the_image() {
    let folder = Folder::new("heights-edges");
    let mut tiff = Tiff::new(5, 4, Kind::Float(32), &HEIGHTS).at(0.0, 4.0, 1.0).tiled(3, 2);
    for (chunk, length) in [(1, 20), (3, 20)] {
        tiff.chunks[chunk].as_mut().unwrap().truncate(length);
    }
    compare(&as_is(&folder, "edge.tif", &tiff), &HEIGHTS, |c, r| [c + 0.5, 3.5 - r]);
}

#[test]
fn geotiff_relief_is_for_shares() {
    let folder = Folder::new("heights-shares");
    for bits in [8, 16, 32] {
        let largest = 2f64.powi(bits.into()) - 1.0;
        let shares = HEIGHTS.map(|height| if height > 100.0 { largest } else { 0.0 });
        let tiff = Tiff::new(5, 4, Kind::Unsigned(bits), &shares);
        let model = open(&folder, "game.tif", tiff.bytes(), measures(2.0, -5.0, 35.0)).unwrap();
        let heights = HEIGHTS.map(|height| if height > 100.0 { 35.0 } else { -5.0 });
        compare(&model, &heights, |c, r| [2.0 * c, -2.0 * r]);
    }
}

#[test]
fn triangles_are_numbered_row_by_row_and_can_be_culled() {
    let folder = Folder::new("heights-order");
    let model = as_is(&folder, "a.tif", &Tiff::new(5, 4, Kind::Float(32), &HEIGHTS).at(0.0, 4.0, 1.0));
    let scene = model.scene();
    let prim = |x: f64, y: f64, filter: &Filter<'_>| {
        let down = Ray::new([x, y, 1e3], [0.0, 0.0, -1.0]).unwrap();
        scene.closest(&down, filter).map(|hit| hit.prim)
    };
    assert_eq!(prim(0.6, 3.4, &Filter::ALL), Some(0));
    assert_eq!(prim(1.4, 2.6, &Filter::ALL), Some(1));
    assert_eq!(prim(1.6, 3.4, &Filter::ALL), Some(2));
    assert_eq!(prim(0.6, 2.4, &Filter::ALL), Some(8));
    assert_eq!(prim(0.6, 2.4, &Filter::ALL.facing(Facing::Back)), None);
}

#[test]
fn bytes_without_a_name_are_recognised() {
    let folder = Folder::new("heights-bytes");
    let tiff = Tiff::new(5, 4, Kind::Float(32), &HEIGHTS).at(0.0, 4.0, 1.0).bytes();
    let model = hitscan_io::read("standard input", tiff, &Options::default()).unwrap();
    assert_eq!(model.up, Up::Z);
    let data: Vec<u8> = HEIGHTS.iter().map(|&height| height as u8).collect();
    let file = png(ColorType::Grayscale, BitDepth::Eight, &data, |_| {});
    let model = hitscan_io::read("standard input", file.clone(), &measures(1.0, 0.0, 1.0)).unwrap();
    assert_eq!(model.meshes[0].name, "standard input");
    // The extension's case does not matter.
    assert!(open(&folder, "A.PNG", file, measures(1.0, 0.0, 1.0)).is_ok());
}

#[test]
fn a_map_of_the_samples_stands_where_they_do() {
    let folder = Folder::new("heightmap-raster");
    let placed =
        Tiff::new(COLUMNS as u32, ROWS as u32, Kind::Unsigned(8), &HEIGHTS).at(500_000.0, 5_000_000.0, 4.0);
    let named = placed.clone().text(34737, "a name|");
    let foreign = placed.clone().text(34737, "Österreich|");
    let point = placed.clone().keys(&[(1024, 1), (1025, 2), (3076, 9001)]);
    let turned = placed.clone().without(33550).without(33922);
    let turned = turned
        .doubles(34264, &[0.0, 3.0, 0.0, 7.0, -2.0, 0.5, 0.0, 9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    for (name, tiff) in
        [("area", placed), ("point", point), ("turned", turned), ("named", named), ("foreign", foreign)]
    {
        let model = as_is(&folder, &format!("{name}.tif"), &tiff);
        let raster = model.raster.clone().expect("a heightmap has one");
        assert_eq!(raster.size(), [COLUMNS, ROWS]);
        let values = HEIGHTS.map(|height| 255 - height as u8);
        let map = raster.geotiff(&values, None).unwrap();
        let again = open(&folder, "map.tif", &map, Options::default()).unwrap();
        // Of all fields, those that the reader does not use too.
        assert_eq!(again.raster, Some(raster.clone()), "{name}");
        assert_eq!(map, raster.geotiff(&values, None).unwrap());
        compare(&again, &HEIGHTS.map(|height| 255.0 - height), |column, row| {
            [0, 1].map(|axis| {
                let [first, along, down] =
                    [raster.place(0, 0), raster.column(), raster.row()].map(|at| at[axis]);
                first + column * along + row * down
            })
        });
    }
    // A grid of one's own, and a PNG, whose y is z.
    let own = hitscan_io::Raster::new([COLUMNS, ROWS], [1.5, -2.0], [0.5, 0.0], [0.0, 0.25]);
    let values = HEIGHTS.map(|height| height as u8);
    let again =
        open(&folder, "own.tif", own.geotiff(&values, Some(99)).unwrap(), Options::default()).unwrap();
    let raster = again.raster.expect("a heightmap has one");
    assert_eq!((raster.place(0, 0), raster.place(4, 3)), ([1.5, -2.0], [3.5, -1.25]));
    assert_eq!((raster.cell_area(), raster.column(), raster.row()), (0.125, [0.5, 0.0], [0.0, 0.25]));
    assert_eq!(again.meshes[0].mesh.vertices().len(), 19, "99 is a hole");
}
