//! Heightfields beside their rays: single points of the surface, what is refused, and how much memory they take.

use hitscan::heightfield::{HeightScale, Heightfield, HeightfieldError, MAX_SIDE, Up};
use hitscan::{Filter, MeshError, Ray};
use hitscan_oracle as oracle;
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::compare::{Bits, expected_bits, ray, step};
use crate::heightfield::{Samples, Terrain};
use crate::support::{all_bits, kernels, on_kernel};

fn random(columns: usize, rows: usize, rng: &mut Rng) -> Terrain {
    let samples = (0..columns * rows).map(|_| rng.range(-9.0, 9.0) as f32).collect();
    let mut terrain = Terrain::new("random", columns, rows, Samples::F32(samples));
    (terrain.origin, terrain.spacing) = ([-3.3, 7.0], [0.7, 1.9]);
    terrain
}

#[test]
fn heights_are_those_of_samples_and_straight_between_them() {
    let mut rng = Rng::new(rng::seed(1611));
    let terrain = random(9, 7, &mut rng);
    let field = terrain.field();
    let corner = |column: usize, row: usize| terrain.corner(column, row).map(f64::from);
    for (column, row) in (0..9).flat_map(|column| (0..7).map(move |row| (column, row))) {
        let [x, y, z] = corner(column, row);
        assert_eq!(field.height_at(x, z), Some(y), "sample {column}, {row}");
        // Along the edges to the next sample, the diagonal and both halves.
        for part in [0.25, 0.5, 0.7] {
            let close = |at: [f64; 2], expected: f64| {
                let got = field.height_at(at[0], at[1]).unwrap();
                assert!((got - expected).abs() < 1e-13 * 20.0, "{at:?}: {got} for {expected}");
            };
            let mix = |a: f64, b: f64| a + part * (b - a);
            if column < 8 {
                let [x1, y1, _] = corner(column + 1, row);
                close([mix(x, x1), z], mix(y, y1));
            }
            if row < 6 {
                let [_, y1, z1] = corner(column, row + 1);
                close([x, mix(z, z1)], mix(y, y1));
            }
            if column < 8 && row < 6 {
                let ([x1, y1, _], [_, y2, z2]) = (corner(column + 1, row), corner(column, row + 1));
                close([mix(x, x1), mix(z2, z)], mix(y2, y1));
                let y3 = corner(column + 1, row + 1)[1];
                close([x + 0.25 * (x1 - x), z + 0.25 * (z2 - z)], 0.5 * y + 0.25 * y1 + 0.25 * y2);
                close([x + 0.75 * (x1 - x), z + 0.75 * (z2 - z)], 0.5 * y3 + 0.25 * y1 + 0.25 * y2);
            }
        }
    }
}

/// Cells on both sides of an edge give the same bits there, whichever answers.
#[test]
fn heights_on_edges_belong_to_both_cells() {
    let mut rng = Rng::new(rng::seed(1612));
    let terrain = random(6, 6, &mut rng);
    let whole = terrain.field();
    for cell in 0..25 {
        let mut alone = terrain.clone();
        alone.holes = (0..25).map(|other| other != cell).collect();
        let alone = alone.field();
        let (column, row) = (cell % 5, cell / 5);
        let ([x0, _, z0], [x1, _, z1]) = (terrain.corner(column, row), terrain.corner(column + 1, row + 1));
        let mix = |a: f32, b: f32, part: f64| f64::from(a) + part * (f64::from(b) - f64::from(a));
        for _ in 0..200 {
            let part = rng.unit();
            let (x, z) = (mix(x0, x1, part), mix(z0, z1, part));
            for (a, b) in [(x, f64::from(z0)), (x, f64::from(z1)), (f64::from(x0), z), (f64::from(x1), z)] {
                let heights = [&whole, &alone].map(|field| field.height_at(a, b).map(f64::to_bits));
                assert!(heights[0].is_some() && heights[0] == heights[1], "cell {cell} at ({a}, {b})");
            }
        }
    }
}

#[test]
fn heights_and_normals_are_those_that_a_ray_finds() {
    let mut rng = Rng::new(rng::seed(1613));
    for up in [Up::Y, Up::Z] {
        let samples = (0..80).map(|_| rng.below(50) as u16).collect();
        let scale = HeightScale { offset: -3.0, scale: 0.25, no_data: Some(7) };
        let mut terrain = Terrain::new("steps", 10, 8, Samples::U16(samples, scale));
        terrain.up = up;
        let field = terrain.field();
        for (i, j) in (0..=144).flat_map(|i| (0..=112).map(move |j| (i, j))) {
            let (a, b) = (f64::from(i) / 16.0, f64::from(j) / 16.0);
            let place = |height: f64| if up == Up::Y { [a, height, b] } else { [a, b, height] };
            let ray = Ray::between(place(20.0), place(-20.0)).unwrap();
            let hit = field.closest(&ray, &Filter::ALL);
            let height = hit.map(|hit| if up == Up::Y { hit.position.y } else { hit.position.z });
            assert_eq!(field.height_at(a, b).is_some(), height.is_some(), "({a}, {b}) {up:?}");
            if let (Some(hit), Some(height)) = (hit, height) {
                assert!((field.height_at(a, b).unwrap() - height).abs() < 1e-12, "({a}, {b}) {up:?}");
                if i % 16 != 0 && j % 16 != 0 && (i + j) % 16 != 0 {
                    assert_eq!(field.normal_at(a, b), Some(hit.normal), "({a}, {b}) {up:?}");
                }
            }
        }
    }
}

/// On an edge or a corner the lowest number that is there answers.
#[test]
fn normals_on_edges_are_those_of_the_lowest_triangle() {
    let mut rng = Rng::new(rng::seed(1614));
    let mut terrain = random(4, 4, &mut rng);
    (terrain.origin, terrain.spacing) = ([0.0; 2], [1.0; 2]);
    let inside = |field: &Heightfield, prim: usize| {
        let (column, row) = ((prim / 2 % 3) as f64, (prim / 6) as f64);
        let part = if prim.is_multiple_of(2) { 0.25 } else { 0.75 };
        field.normal_at(column + part, row + part)
    };
    let field = terrain.field();
    // The sample between four cells, an edge along rows, one along columns, a diagonal, the last sample.
    for (at, prim) in [((1.0, 1.0), 1), ((1.0, 0.5), 1), ((0.5, 1.0), 1), ((1.5, 1.5), 8), ((3.0, 3.0), 17)] {
        assert_eq!(field.normal_at(at.0, at.1), inside(&field, prim), "{at:?}");
    }
    terrain.holes = vec![true, true, false, false, false, false, false, false, false];
    let field = terrain.field();
    for (at, prim) in [((1.0, 1.0), 6), ((0.5, 1.0), 6), ((2.0, 0.5), 4)] {
        assert_eq!(field.normal_at(at.0, at.1), inside(&field, prim), "{at:?}");
    }
    assert_eq!(field.normal_at(0.5, 0.5), None);
}

#[test]
fn there_is_no_height_outside() {
    let field = Terrain::new("plain", 3, 2, Samples::F32(vec![1.0; 6])).field();
    for (a, b) in [(0.0, 0.0), (2.0, 1.0), (2.0, 0.0), (1.0, 0.5)] {
        assert_eq!(field.height_at(a, b), Some(1.0), "({a}, {b})");
    }
    let beyond = [-f64::MIN_POSITIVE, 2.0f64.next_up(), f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e300];
    for a in beyond {
        assert_eq!((field.height_at(a, 0.5), field.normal_at(a, 0.5)), (None, None), "{a}");
        assert_eq!(field.height_at(0.5, a), None, "{a}");
    }
    assert_eq!(field.height_at(0.5, 1.0f64.next_up()), None);
}

#[test]
fn terrain_of_16_bits_takes_three_and_a_half_bytes_a_sample() {
    for [columns, rows] in [[2048, 2048], [1025, 1500], [777, 2049]] {
        let count = columns * rows;
        let samples: Vec<u16> = (0..count).map(|i| (i * 7919 % 65_521) as u16).collect();
        let holes = (0..(columns - 1) * (rows - 1)).map(|cell| cell % 9 == 0);
        let field = Heightfield::builder(columns, rows).holes(holes);
        let field = field.build_u16(samples, HeightScale::default()).unwrap();
        let bytes = field.bytes() as f64 / count as f64;
        println!("{columns} x {rows}: {bytes} bytes a sample, holes included");
        assert!((3.0..=3.5).contains(&bytes), "{columns} x {rows}: {bytes} bytes a sample");
    }
}

/// The largest terrain that is promised: in its bytes, and with the hits of brute force on the cells around a ray.
#[test]
fn sixteen_thousand_samples_square() {
    if step() > 1 {
        println!("skipped: the short form builds no terrain of half a gigabyte");
        return;
    }
    let mut rng = Rng::new(rng::seed(1641));
    let side = 16_384;
    let samples = (0..side * side).map(|i| {
        // Hills of all widths, the narrowest a sample wide.
        let (column, row) = ((i % side) as u32, (i / side) as u32);
        let hill = |width: u32, height: u32| (column / width + row / width * 3) % 7 * height;
        (hill(1024, 6000) + hill(64, 700) + hill(1, 60)) as u16
    });
    let scale = HeightScale { offset: -100.0, scale: 0.125, no_data: None };
    let mut terrain = Terrain::new("largest", side, side, Samples::U16(samples.collect(), scale));
    terrain.spacing = [0.5, 0.75];
    let field = terrain.field();
    let bytes = field.bytes() as f64 / (side * side) as f64;
    println!("{side} x {side}: {bytes} bytes a sample");
    assert!(bytes <= 3.5, "{bytes} bytes a sample");

    // Nothing refers to the last corner, but a mesh reaches as far as its vertices.
    let (window, last) = (24, terrain.corner(side - 1, side - 1));
    for round in 0..300 {
        // At two ends first.
        let mut first = || if round < 4 { round % 2 * (side - window) } else { rng.below(side - window) };
        let [column, row] = [first(), first()];
        let corners = (0..window * window).map(|i| terrain.corner(column + i % window, row + i / window));
        let cells = (0..(window - 1) * (window - 1)).map(|i| (i % (window - 1), i / (window - 1)));
        let triangles = cells.clone().flat_map(|(across, down)| {
            let a = (down * window + across) as u32;
            let [b, c, d] = [a + 1, a + window as u32, a + window as u32 + 1];
            [[a, c, b], [b, c, d]]
        });
        let numbers: Vec<u32> = cells
            .map(|(across, down)| ((row + down) * (side - 1) + column + across) as u32)
            .flat_map(|cell| [2 * cell, 2 * cell + 1])
            .collect();
        let around = TriMesh::new("a window", corners.chain([last]).collect(), triangles.collect());
        // From over one place of the window to under another.
        let mut over = |height: f64| {
            let mut along = |first: usize, spacing: f64| spacing * (first as f64 + rng.range(0.0, 23.0));
            [along(column, 0.5), height, along(row, 0.75)]
        };
        let case = oracle::Ray::towards(over(10_000.0), over(-200.0)).within(0.0, 1.0);
        let mut expected = oracle::brute::all_hits_of_mesh(&around, &case);
        expected.iter_mut().for_each(|hit| hit.prim = numbers[hit.prim as usize]);
        let expected: Vec<Bits> = expected.iter().map(expected_bits).collect();
        assert!(!expected.is_empty(), "the ground is between");
        for isa in kernels() {
            let hits = on_kernel(&field, isa).all_hits(&ray(&case), &Filter::ALL);
            assert_eq!(all_bits(&hits), expected, "{isa}, {case:?}");
        }
    }
}

fn refused(columns: usize, rows: usize, samples: Vec<f32>) -> HeightfieldError {
    Heightfield::builder(columns, rows).build_f32(samples).unwrap_err()
}

#[test]
fn what_is_refused_says_where_and_why() {
    let square = || Heightfield::builder(2, 2);
    let flat = [0.0f32; 4];
    let mut steep = vec![0.0f32; 12];
    steep[7] = f32::NEG_INFINITY;
    let far = 2.0f64.powi(101);
    let scaled =
        |offset, scale| square().build_u16([0, 1, 2, 3], HeightScale { offset, scale, no_data: None });
    for (error, message) in [
        (refused(1, 5, vec![0.0; 5]), "1 x 5 samples; a heightfield needs at least 2 columns and 2 rows"),
        (refused(0, 0, vec![]), "0 x 0 samples; a heightfield needs at least 2 columns and 2 rows"),
        (
            refused(MAX_SIDE + 1, 2, vec![]),
            "65537 x 2 samples; a heightfield has at most 65536 along an axis, and 2^31 - 1 cells",
        ),
        (
            refused(MAX_SIDE, MAX_SIDE, vec![]),
            "65536 x 65536 samples; a heightfield has at most 65536 along an axis, and 2^31 - 1 cells",
        ),
        (
            refused(3, 4, vec![0.0; 11]),
            "11 samples for 3 columns and 4 rows; a heightfield of that size needs 12",
        ),
        (
            square().holes([true, false]).build_f32(flat).unwrap_err(),
            "2 marks of holes for 1 cells; each cell needs one",
        ),
        (
            square().spacing([-1.0, 1.0]).build_f32(flat).unwrap_err(),
            "the spacing of columns is -1.0; a heightfield needs one above 0 and at most 2^100",
        ),
        (
            square().spacing([1.0, f64::NAN]).build_f32(flat).unwrap_err(),
            "the spacing of rows is NaN; a heightfield needs one above 0 and at most 2^100",
        ),
        (
            square().spacing([1.0, far]).build_f32(flat).unwrap_err(),
            "the spacing of rows is 2.535301200456459e30; a heightfield needs one above 0 and at most 2^100",
        ),
        (
            square().origin([f64::INFINITY, 0.0]).build_f32(flat).unwrap_err(),
            "column 0 stands at inf; a heightfield needs finite coordinates of at most 2^100",
        ),
        (
            square().origin([0.0, far / 2.0]).spacing([1.0, far / 4.0]).build_f32(flat).unwrap_err(),
            "row 1 stands at 1.901475900342344e30; a heightfield needs finite coordinates of at most 2^100",
        ),
        (
            square().origin([2e7, 0.0]).build_f32(flat).unwrap_err(),
            "column 1 stands at 20000000.0 in f32, where column 0 stands; a heightfield needs a spacing that f32 can tell apart there",
        ),
        (
            refused(3, 4, steep),
            "column 1, row 2: the height is -inf; a heightfield needs heights of at most 2^100",
        ),
        (
            scaled(0.0, 1e30).unwrap_err(),
            "column 0, row 1: the height is 2e30; a heightfield needs heights of at most 2^100",
        ),
        (
            scaled(f64::NAN, 1.0).unwrap_err(),
            "the offset of heights is NaN; a heightfield needs a finite one",
        ),
        (
            scaled(0.0, f64::INFINITY).unwrap_err(),
            "the scale of heights is inf; a heightfield needs a finite one",
        ),
    ] {
        assert_eq!(error.to_string(), message);
    }
    // What has no height need not be near, and the largest field of two columns is not too large.
    let sentinel = HeightScale { offset: 0.0, scale: 1e26, no_data: Some(65_535) };
    assert!(square().build_u16([0, 1, 2, 65_535], sentinel).is_ok());
    assert!(Heightfield::builder(2, MAX_SIDE).build_f32(vec![0.0; 2 * MAX_SIDE]).is_ok());
}

#[test]
fn a_mesh_has_a_limit_that_a_heightfield_has_not() {
    let (columns, rows) = (4098, 4098);
    let field = Heightfield::builder(columns, rows)
        .build_u16(vec![9; columns * rows], HeightScale::default())
        .unwrap();
    assert_eq!(
        field.to_mesh().unwrap_err(),
        MeshError::TooManyTriangles { triangles: 2 * (columns - 1) * (rows - 1) }
    );
    let last = Ray::new([4097.0, 20.0, 4097.0], [0.0, -1.0, 0.0]).unwrap();
    let hit = field.closest(&last, &Filter::ALL).unwrap();
    assert_eq!((hit.t, hit.prim as usize), (11.0, 2 * (columns - 1) * (rows - 1) - 1));
}
