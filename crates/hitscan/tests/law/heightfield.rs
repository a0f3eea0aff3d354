//! A heightfield says what its triangles say to brute force, and what its mesh says, on every bit.
//!
//! The triangles are made here, from the documented formulas, without the library.

use hitscan::heightfield::{HeightScale, Heightfield, Up};
use hitscan::{Facing, Filter, InstanceId, Mesh, Ray, Verdict};
use hitscan_oracle as oracle;
use hitscan_oracle::brute::Placed;
use hitscan_oracle::entry::Placement;
use hitscan_oracle::rays::Shooter;
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::compare::{assert_agrees, assert_batches_are_singles, share, step};
use crate::support::{all_bits, kernels, on_kernel, ray};

/// What a heightfield is made of.
#[derive(Clone)]
pub struct Terrain {
    pub name: String,
    pub columns: usize,
    pub rows: usize,
    pub up: Up,
    pub origin: [f64; 2],
    pub spacing: [f64; 2],
    pub samples: Samples,
    /// One a cell, or none.
    pub holes: Vec<bool>,
}

#[derive(Clone)]
pub enum Samples {
    U16(Vec<u16>, HeightScale),
    F32(Vec<f32>),
}

impl Terrain {
    /// One unit apart, at the origin, with Y up.
    pub fn new(name: &str, columns: usize, rows: usize, samples: Samples) -> Terrain {
        let name = format!("{name} {columns} x {rows}");
        let (origin, spacing, holes) = ([0.0; 2], [1.0; 2], Vec::new());
        Terrain { name, columns, rows, up: Up::Y, origin, spacing, samples, holes }
    }

    pub fn field(&self) -> Heightfield {
        let builder = Heightfield::builder(self.columns, self.rows).up(self.up);
        let builder = builder.origin(self.origin).spacing(self.spacing);
        let builder = if self.holes.is_empty() { builder } else { builder.holes(self.holes.iter().copied()) };
        let field = match &self.samples {
            Samples::U16(samples, scale) => builder.build_u16(samples.clone(), *scale),
            Samples::F32(samples) => builder.build_f32(samples.clone()),
        };
        field.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The height of a sample, by the documented formula.
    pub fn height(&self, column: usize, row: usize) -> Option<f32> {
        let place = row * self.columns + column;
        match &self.samples {
            Samples::U16(samples, scale) => (scale.no_data != Some(samples[place]))
                .then(|| (scale.offset + scale.scale * f64::from(samples[place])) as f32),
            Samples::F32(samples) => Some(samples[place]).filter(|height| !height.is_nan()),
        }
    }

    /// Whether a cell is left out.
    pub fn is_hole(&self, column: usize, row: usize) -> bool {
        let marked = self.holes.get(row * (self.columns - 1) + column) == Some(&true);
        let is_empty = |(i, j)| self.height(column + i, row + j).is_none();
        marked || [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().any(is_empty)
    }

    /// The corner of a sample, by the documented formula.
    pub fn corner(&self, column: usize, row: usize) -> [f32; 3] {
        let along =
            |axis: usize, index: usize| (self.origin[axis] + self.spacing[axis] * index as f64) as f32;
        let (a, b) = (along(0, column), along(1, row));
        let height = self.height(column, row).unwrap_or(0.0);
        if self.up == Up::Y { [a, height, b] } else { [a, b, height] }
    }

    /// The documented triangles.
    pub fn triangles(&self) -> TriMesh {
        let spots = |rows: usize, columns: usize| {
            (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
        };
        let vertices = spots(self.rows, self.columns).map(|(column, row)| self.corner(column, row));
        let mut triangles = Vec::new();
        for (column, row) in spots(self.rows - 1, self.columns - 1) {
            let a = (row * self.columns + column) as u32;
            let (b, c, d) = (a + 1, a + self.columns as u32, a + self.columns as u32 + 1);
            triangles.extend(match self.up {
                _ if self.is_hole(column, row) => [[a; 3], [a; 3]],
                Up::Y => [[a, c, b], [b, c, d]],
                Up::Z => [[a, b, c], [b, d, c]],
            });
        }
        TriMesh::new(&self.name, vertices.collect(), triangles)
    }
}

/// Terrain of one size: hills of `f32`, steps of `u16` with large plains, a plateau, and depths with places without data,
/// each with either axis up, and with holes or without.
fn terrains_of(columns: usize, rows: usize, rng: &mut Rng) -> Vec<Terrain> {
    let count = columns * rows;
    let hills: Vec<f32> = (0..count).map(|_| rng.range(-3.0, 3.0) as f32).collect();
    let lattice: Vec<f32> = (0..count).map(|_| rng.int(-2, 2) as f32).collect();
    let steps: Vec<u16> = (0..count).map(|i| (i / 7 % 3 * 100 + rng.below(2)) as u16).collect();
    let depths: Vec<u16> = (0..count).map(|_| rng.below(9) as u16).collect();
    let torn = lattice.iter().map(|&height| if rng.one_in(9) { f32::NAN } else { height }).collect();
    let metres = HeightScale { offset: -1.0, scale: 0.01, no_data: None };
    let sounding = HeightScale { offset: 2.0, scale: -0.37, no_data: Some(4) };
    let mut terrains = vec![
        Terrain::new("hills", columns, rows, Samples::F32(hills)),
        Terrain::new("lattice", columns, rows, Samples::F32(lattice)),
        Terrain::new("steps", columns, rows, Samples::U16(steps, metres)),
        Terrain::new("plateau", columns, rows, Samples::F32(vec![1.5; count])),
        Terrain::new("depths", columns, rows, Samples::U16(depths, sounding)),
        Terrain::new("torn", columns, rows, Samples::F32(torn)),
    ];
    for terrain in &mut terrains {
        terrain.up = rng.pick(&[Up::Y, Up::Z]);
        if rng.one_in(2) {
            terrain.holes = (0..(columns - 1) * (rows - 1)).map(|_| rng.one_in(4)).collect();
        }
        if rng.one_in(2) {
            terrain.origin = [(); 2].map(|()| rng.range(-20.0, 20.0));
            terrain.spacing = [(); 2].map(|()| rng.range(0.1, 3.0));
        }
    }
    terrains
}

/// Samples along both axes: a cell, strips, powers of two and their neighbours, several levels of blocks.
const SIZES: [[usize; 2]; 12] =
    [[2, 2], [2, 3], [3, 2], [3, 3], [2, 40], [70, 2], [4, 5], [5, 4], [9, 5], [17, 16], [10, 33], [33, 18]];

/// Compares the field with brute force on its documented triangles, and its whole hits with those of its mesh.
fn assert_terrain_agrees(terrain: &Terrain, rays: &[oracle::Ray]) {
    let (triangles, field) = (terrain.triangles(), terrain.field());
    let mesh = field.to_mesh().unwrap();
    let bits = |vertices: &[[f32; 3]]| -> Vec<u32> {
        vertices.as_flattened().iter().map(|coordinate| coordinate.to_bits()).collect()
    };
    assert_eq!(bits(mesh.vertices()), bits(&triangles.vertices), "{}", terrain.name);
    assert_eq!(mesh.triangles(), triangles.triangles, "{}", terrain.name);
    assert_eq!(field.bounds(), mesh.bounds(), "{}", terrain.name);
    let rays: Vec<oracle::Ray> =
        rays.iter().copied().filter(|case| Ray::new(case.origin, case.dir).is_ok()).collect();
    assert_agrees(&field, &[Placed { mesh: &triangles, placement: Placement::IDENTITY }], &rays);
    for case in rays.iter().step_by(step()) {
        let ray = ray(case);
        assert_eq!(field.all_hits(&ray, &Filter::ALL), mesh.all_hits(&ray, &Filter::ALL), "{}", terrain.name);
    }
}

/// Rays of all kinds; none where there is nothing to aim at.
fn rays_at(terrain: &Terrain, count: usize, rng: &mut Rng) -> Vec<oracle::Ray> {
    let mut triangles = terrain.triangles();
    let there: Vec<[u32; 3]> = triangles.triangles.iter().copied().filter(|[a, b, _]| a != b).collect();
    if there.is_empty() {
        return vec![oracle::Ray::new([0.5, 9.0, 0.5], [0.0, -1.0, 0.0])];
    }
    triangles.triangles = there;
    Shooter::new(&triangles).rays(count, rng)
}

#[test]
fn every_kind_of_ray_on_every_terrain() {
    let mut rng = Rng::new(rng::seed(1601));
    for [columns, rows] in SIZES {
        for terrain in terrains_of(columns, rows, &mut rng) {
            let rays = rays_at(&terrain, 360, &mut rng);
            assert_terrain_agrees(&terrain, &rays);
        }
    }
}

#[test]
fn every_size_and_place() {
    let mut rng = Rng::new(rng::seed(1602));
    for factor in [1e-42, 1e-38, 1e-30, 1e-20, 1e-9, 1e9, 1e20, 1e28] {
        for [columns, rows] in [[2, 2], [7, 6], [12, 9]] {
            for mut terrain in terrains_of(columns, rows, &mut rng) {
                terrain.name = format!("{} * {factor:e}", terrain.name);
                terrain.origin = terrain.origin.map(|c| c * factor);
                terrain.spacing = terrain.spacing.map(|c| c * factor);
                match &mut terrain.samples {
                    Samples::U16(_, scale) => {
                        (scale.offset, scale.scale) = (scale.offset * factor, scale.scale * factor);
                    }
                    Samples::F32(samples) => samples.iter_mut().for_each(|h| *h *= factor as f32),
                }
                let rays = rays_at(&terrain, 60, &mut rng);
                assert_terrain_agrees(&terrain, &rays);
            }
        }
    }
    // Far from the origin, where columns are a few steps of `f32` apart; flat as paper, and steep as needles.
    for (origin, spacing, relief) in
        [([1e6, -3e6], [0.5, 1.0], 1.0), ([-7.0, 5.0], [1e-3, 1e3], 1e-6), ([0.0, 1.0], [1.0, 1.0], 1e8)]
    {
        for mut terrain in terrains_of(9, 8, &mut rng) {
            (terrain.origin, terrain.spacing) = (origin, spacing);
            if let Samples::F32(samples) = &mut terrain.samples {
                samples.iter_mut().for_each(|height| *height *= relief);
            }
            let rays = rays_at(&terrain, 60, &mut rng);
            assert_terrain_agrees(&terrain, &rays);
        }
    }
}

/// Straight up, down and along both ground axes through samples, edges, diagonals and cells, beside the field too.
#[test]
fn every_line_of_the_lattice() {
    let mut rng = Rng::new(rng::seed(1603));
    for mut terrain in terrains_of(5, 4, &mut rng) {
        (terrain.origin, terrain.spacing, terrain.up) = ([0.0; 2], [1.0; 2], Up::Y);
        let mut rays = Vec::new();
        for (i, j) in (-2..=18).flat_map(|i| (-2..=14).map(move |j| (i, j))) {
            let (x, z) = (f64::from(i) / 4.0, f64::from(j) / 4.0);
            rays.push(oracle::Ray::new([x, 9.0, z], [0.0, -1.0, 0.0]));
            rays.push(oracle::Ray::new([x, -9.0, z], [0.0, 0.5, 0.0]));
            let y = rng.int(-4, 4) as f64 / 2.0;
            rays.push(oracle::Ray::new([-3.0, y, z], [1.0, 0.0, 0.0]));
            rays.push(oracle::Ray::new([x, y, 9.0], [0.0, 0.0, -2.0]));
            rays.push(oracle::Ray::new([x - 9.0, y, z + 9.0], [1.0, 0.0, -1.0]));
            rays.push(oracle::Ray::new([x - 9.0, y, z - 9.0], [1.0, 0.0, 1.0]));
            rays.push(oracle::Ray::new([x, 1.5, z], [1.0, 0.0, 0.0]).line());
        }
        assert_terrain_agrees(&terrain, &rays);
    }
}

/// Every sample, edge and inner point of a field without holes is hit once from above and from below.
#[test]
fn the_last_sample_is_hit() {
    let mut rng = Rng::new(rng::seed(1604));
    for [columns, rows] in [[2, 2], [2, 9], [6, 5], [16, 17]] {
        let samples = (0..columns * rows).map(|_| rng.below(4) as u16).collect();
        let terrain = Terrain::new("steps", columns, rows, Samples::U16(samples, HeightScale::default()));
        let field = terrain.field();
        for isa in kernels() {
            let field = on_kernel(&field, isa);
            for (i, j) in (0..=4 * columns - 4).flat_map(|i| (0..=4 * rows - 4).map(move |j| (i, j))) {
                let (x, z) = (i as f64 / 4.0, j as f64 / 4.0);
                for (y, dir) in [(9.0, -1.0), (-9.0, 0.5)] {
                    let ray = Ray::new([x, y, z], [0.0, dir, 0.0]).unwrap();
                    assert_eq!(
                        field.all_hits(&ray, &Filter::ALL).len(),
                        1,
                        "{isa}, {}: {ray:?}",
                        terrain.name
                    );
                }
            }
            let last = (columns - 1) as f64;
            let beside = Ray::new([f64::from((last as f32).next_up()), 9.0, 0.0], [0.0, -1.0, 0.0]).unwrap();
            assert!(!field.occluded(&beside, &Filter::ALL), "{isa}, {}", terrain.name);
        }
    }
}

/// Larger than brute force can be asked about: the mesh stands for it, which is proven elsewhere.
#[test]
fn large_terrain_says_what_its_mesh_says() {
    let mut rng = Rng::new(rng::seed(1605));
    let (columns, rows) = (301, 190);
    let mut height = 30_000i64;
    let samples: Vec<u16> = (0..columns * rows)
        .map(|_| {
            height = (height + rng.int(-90, 90)).clamp(0, 65_535);
            height as u16
        })
        .collect();
    let scale = HeightScale { offset: -50.0, scale: 1.0 / 256.0, no_data: None };
    let mut terrain = Terrain::new("walk", columns, rows, Samples::U16(samples, scale));
    terrain.spacing = [0.7, 1.1];
    for holes in [false, true] {
        if holes {
            terrain.holes = (0..(columns - 1) * (rows - 1)).map(|_| rng.one_in(50)).collect();
        }
        let (field, triangles) = (terrain.field(), terrain.triangles());
        let mesh = field.to_mesh().unwrap();
        let rays: Vec<Ray> = rays_at(&terrain, 6000, &mut rng).iter().step_by(step()).map(ray).collect();
        let kernels: Vec<_> = kernels().collect();
        for (turn, &isa) in kernels.iter().enumerate() {
            let (field, mesh) = (on_kernel(&field, isa), on_kernel(&mesh, isa));
            let rays = share(&rays, turn, kernels.len());
            for ray in rays {
                let expected = mesh.all_hits(ray, &Filter::ALL);
                let context = || format!("{isa}, {}: {ray:?}", triangles.name);
                assert_eq!(field.all_hits(ray, &Filter::ALL), expected, "{}", context());
                assert_eq!(field.closest(ray, &Filter::ALL), expected.first().copied(), "{}", context());
                assert_eq!(field.occluded(ray, &Filter::ALL), !expected.is_empty(), "{}", context());
            }
            assert_batches_are_singles(&field, rays, &|| format!("{isa}, {}", triangles.name));
        }
    }
}

#[test]
fn every_filter() {
    let mut rng = Rng::new(rng::seed(1606));
    let odd = |candidate: &hitscan::Candidate| {
        if candidate.prim % 2 == 1 && candidate.u < 0.9 { Verdict::Accept } else { Verdict::Ignore }
    };
    for terrain in terrains_of(14, 11, &mut rng) {
        let field = terrain.field();
        let mesh = field.to_mesh().unwrap();
        for case in rays_at(&terrain, 240, &mut rng).iter().step_by(step()) {
            let ray = ray(case);
            let skip = mesh.closest(&ray, &Filter::ALL).map_or(0, |hit| hit.prim);
            for filter in [
                Filter::new().facing(Facing::Front),
                Filter::new().facing(Facing::Back),
                Filter::new().skip(InstanceId::first(0), skip),
                Filter::new().mask(0),
                Filter::new().judge(&odd),
            ] {
                let expected = mesh.all_hits(&ray, &filter);
                let context = || format!("{}: {ray:?} {filter:?}", terrain.name);
                assert_eq!(field.all_hits(&ray, &filter), expected, "{}", context());
                assert_eq!(field.first_n(&ray, &filter, 2), mesh.first_n(&ray, &filter, 2), "{}", context());
                assert_eq!(field.closest(&ray, &filter), expected.first().copied(), "{}", context());
                assert_eq!(field.occluded(&ray, &filter), !expected.is_empty(), "{}", context());
            }
        }
    }
}

/// One hole in each place of a small field: what it uncovers is a border.
#[test]
fn borders_of_holes_are_hit() {
    let (columns, rows) = (4, 4);
    for hole in 0..(columns - 1) * (rows - 1) {
        let samples = (0..columns * rows).map(|i| (i * i % 5) as f32).collect();
        let mut terrain = Terrain::new("hole", columns, rows, Samples::F32(samples));
        terrain.holes = (0..(columns - 1) * (rows - 1)).map(|cell| cell == hole).collect();
        let field = terrain.field();
        let mesh = field.to_mesh().unwrap();
        for (i, j) in (-1..=25).flat_map(|i| (-1..=25).map(move |j| (i, j))) {
            let (x, z) = (f64::from(i) / 8.0, f64::from(j) / 8.0);
            let ray = Ray::new([x, 9.0, z], [0.0, -2.0, 0.0]).unwrap();
            let expected = mesh.all_hits(&ray, &Filter::ALL);
            let holds = |cell: usize| {
                let (column, row) = ((cell % 3) as f64, (cell / 3) as f64);
                (column..=column + 1.0).contains(&x) && (row..=row + 1.0).contains(&z)
            };
            let is_there = (0..9).any(|cell| cell != hole && holds(cell));
            assert_eq!(expected.len(), usize::from(is_there), "({x}, {z}) with hole {hole}");
            assert_eq!(all_bits(&field.all_hits(&ray, &Filter::ALL)), all_bits(&expected), "({x}, {z})");
        }
    }
}

#[test]
fn nothing_but_holes_is_never_hit() {
    let mut terrain = Terrain::new("void", 9, 7, Samples::F32(vec![1.0; 63]));
    terrain.holes = vec![true; 48];
    let nan = Terrain::new("NaN", 9, 7, Samples::F32(vec![f32::NAN; 63]));
    let scale = HeightScale { no_data: Some(3), ..HeightScale::default() };
    let no_data = Terrain::new("no data", 9, 7, Samples::U16(vec![3; 63], scale));
    for terrain in [terrain, nan, no_data] {
        let field = terrain.field();
        assert_eq!(field.bounds(), None, "{}", terrain.name);
        assert_eq!(field.to_mesh().unwrap().counts().hittable(), 0, "{}", terrain.name);
        let ray = Ray::new([0.0, 9.0, 0.0], [0.0, -1.0, 0.0]).unwrap();
        assert!(!field.occluded(&ray, &Filter::ALL) && field.all_hits(&ray, &Filter::ALL).is_empty());
        assert_eq!((field.height_at(1.0, 1.0), field.normal_at(1.0, 1.0)), (None, None));
    }
}

#[test]
fn clones_and_meshes_keep_the_kernel() {
    let terrain = Terrain::new("plain", 3, 3, Samples::F32(vec![0.0; 9]));
    for isa in kernels() {
        let field = on_kernel(&terrain.field(), isa);
        let mesh: Mesh = field.to_mesh().unwrap();
        assert_eq!((field.clone().isa(), mesh.isa()), (isa, isa));
    }
}
