//! The grid says what the tree says, on every bit: closest hit, occlusion, point in solid.

use hitscan::grid::{Cell, Grid, GridError, GridLimits};
use hitscan::{Containment, Facing, Filter, InstanceId, Isa, Mesh, Ray, Verdict};
use hitscan_oracle::meshes::{
    all, all_solids, any_sizes, grid_soup, icosphere, integer_box, needles, soup, stitched_box,
};
use hitscan_oracle::rays::Shooter;
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::compare::step;
use crate::support::{bits, kernels, mesh, on_kernel, ray};

/// The default grid, one cell, thin layers, and cells smaller than most triangles.
const RESOLUTIONS: [Option<[u32; 3]>; 5] =
    [None, Some([1, 1, 1]), Some([2, 3, 5]), Some([1, 1, 40]), Some([17, 16, 15])];

fn grid(mesh: &Mesh, resolution: Option<[u32; 3]>) -> Grid {
    let Some(resolution) = resolution else { return Grid::new(mesh) };
    Grid::with_resolution(mesh, resolution, GridLimits::default())
        .unwrap_or_else(|error| panic!("{resolution:?}: {error}"))
}

/// The ray as it is, and with ends exactly on its hits and just beside them.
fn intervals(mesh: &Mesh, ray: Ray) -> Vec<Ray> {
    let whole = ray.with_range(f64::NEG_INFINITY, f64::INFINITY).unwrap();
    let mut rays = vec![ray, whole];
    let hits = mesh.all_hits(&whole, &Filter::ALL);
    if let (Some(first), Some(last)) = (hits.first(), hits.last()) {
        let middle = hits[hits.len() / 2].t;
        for (low, high) in [
            (first.t.next_up(), f64::INFINITY),
            (middle, middle),
            (f64::NEG_INFINITY, middle.next_down()),
            (last.t, f64::INFINITY),
        ] {
            rays.extend(ray.with_range(low, high));
        }
    }
    rays
}

fn assert_equal(grid: &Grid, name: &str, ray: &Ray, filter: &Filter<'_>) {
    let (expected, got) = (grid.mesh().closest(ray, filter), grid.closest(ray, filter));
    let context =
        || format!("{}, {name} in {:?}: {ray:?} {filter:?}", grid.mesh().isa(), grid.stats().resolution);
    assert_eq!(got.as_ref().map(bits), expected.as_ref().map(bits), "{}", context());
    assert_eq!(got, expected, "{}", context());
    assert_eq!(grid.occluded(ray, filter), expected.is_some(), "{}", context());
}

/// Each grid marches with one kernel; the kernels take turns over all grids of a test.
struct Marches {
    kernels: Vec<Isa>,
    turn: usize,
}

impl Marches {
    fn new() -> Marches {
        Marches { kernels: kernels().collect(), turn: 0 }
    }

    fn assert_agree(&mut self, oracle_mesh: &TriMesh, rays: &[hitscan_oracle::Ray]) {
        let mesh = mesh(oracle_mesh);
        let rays: Vec<Ray> =
            rays.iter().step_by(step()).flat_map(|case| intervals(&mesh, ray(case))).collect();
        for resolution in RESOLUTIONS {
            let grid = grid(&on_kernel(&mesh, self.kernels[self.turn % self.kernels.len()]), resolution);
            self.turn += 1;
            for ray in &rays {
                assert_equal(&grid, &oracle_mesh.name, ray, &Filter::ALL);
            }
        }
    }
}

fn allowed(rays: Vec<hitscan_oracle::Ray>) -> Vec<hitscan_oracle::Ray> {
    rays.into_iter().filter(|ray| Ray::new(ray.origin, ray.dir).is_ok()).collect()
}

#[test]
fn every_kind_of_ray_on_every_mesh() {
    let mut rng = Rng::new(rng::seed(1501));
    let mut marches = Marches::new();
    for mesh in all(&mut rng) {
        marches.assert_agree(&mesh, &Shooter::new(&mesh).rays(180, &mut rng));
    }
}

#[test]
fn every_size_and_place() {
    let mut rng = Rng::new(rng::seed(1502));
    let mut marches = Marches::new();
    for mesh in all(&mut rng).iter().filter(|mesh| mesh.triangles.len() <= 1000) {
        let sizes = [1e-45f32, 1e-38, 1e-30, 1e-20, 1e-12, 1e6, 1e15, 1e28];
        let sized = sizes.map(|factor| mesh.scaled(factor));
        let moved = [[0.1f32, 0.2, 0.3], [-12.3, 456.7, 0.0], [1e5, -1e5, 99_999.5]].map(|by| mesh.moved(by));
        for mesh in sized.into_iter().chain(moved).filter(|mesh| mesh.half_size() > 0.0) {
            marches.assert_agree(&mesh, &allowed(Shooter::new(&mesh).rays(24, &mut rng)));
        }
    }
}

#[test]
fn soups_and_slivers() {
    let mut rng = Rng::new(rng::seed(1503));
    let mut marches = Marches::new();
    for n in [1, 2, 9, 65, 300] {
        for mesh in [soup(n, &mut rng), grid_soup(n, &mut rng), needles(n, &mut rng)] {
            marches.assert_agree(&mesh, &Shooter::new(&mesh).rays(60, &mut rng));
        }
    }
}

#[test]
fn sizes_of_every_kind_together() {
    let mut rng = Rng::new(rng::seed(1509));
    let mut marches = Marches::new();
    for n in [1, 3, 9, 40] {
        for _ in 0..4 {
            let mesh = any_sizes(n, &mut rng);
            marches.assert_agree(&mesh, &allowed(Shooter::new(&mesh).rays(48, &mut rng)));
        }
    }
}

#[test]
fn every_filter() {
    let mut rng = Rng::new(rng::seed(1504));
    let odd = |candidate: &hitscan::Candidate| {
        if candidate.prim % 2 == 1 { Verdict::Accept } else { Verdict::Ignore }
    };
    for oracle_mesh in all(&mut rng) {
        let mesh = mesh(&oracle_mesh);
        let grid = Grid::new(&mesh);
        for case in Shooter::new(&oracle_mesh).rays(60, &mut rng) {
            let ray = ray(&case);
            let skip = mesh.closest(&ray, &Filter::ALL).map_or(0, |hit| hit.prim);
            for filter in [
                Filter::new().facing(Facing::Front),
                Filter::new().facing(Facing::Back),
                Filter::new().skip(InstanceId::first(0), skip),
                Filter::new().mask(0),
                Filter::new().judge(&odd),
            ] {
                assert_equal(&grid, &oracle_mesh.name, &ray, &filter);
            }
        }
    }
}

/// Points in and around a mesh: anywhere, on its features, on the planes of cells, and beyond.
fn points(oracle_mesh: &TriMesh, rng: &mut Rng) -> Vec<[f64; 3]> {
    let (low, high) = oracle_mesh.bounds();
    let shooter = Shooter::new(oracle_mesh);
    let mut points: Vec<[f64; 3]> = vec![low, high, [f64::NAN, 0.0, 0.0], [f64::INFINITY, 0.0, 0.0]];
    for _ in 0..150 {
        points.push(std::array::from_fn(|i| low[i] + (high[i] - low[i]) * rng.range(-0.1, 1.1)));
        points.push(std::array::from_fn(|i| low[i] + (high[i] - low[i]) * rng.int(-1, 9) as f64 / 8.0));
        let feature = shooter.feature(rng);
        points.push(feature);
        points.push(feature.map(|c| if rng.one_in(2) { c.next_up() } else { c.next_down() }));
    }
    points
}

#[test]
fn points_are_where_the_mesh_says() {
    let mut rng = Rng::new(rng::seed(1505));
    let mut known = 0;
    for oracle_mesh in all(&mut rng) {
        for factor in [1.0, 1e-20, 1e15] {
            let oracle_mesh = oracle_mesh.scaled(factor);
            let mesh = mesh(&oracle_mesh);
            let points = points(&oracle_mesh, &mut rng);
            for grid in RESOLUTIONS.map(|resolution| grid(&mesh, resolution)) {
                for &point in &points {
                    let context =
                        || format!("{} in {:?}: {point:?}", oracle_mesh.name, grid.stats().resolution);
                    let expected = mesh.containment(point);
                    assert_eq!(grid.contains(point), expected != Containment::Outside, "{}", context());
                    match grid.cell_at(point) {
                        Cell::Unknown => {}
                        Cell::Inside => assert_eq!(expected, Containment::Inside, "{}", context()),
                        Cell::Outside if grid.is_closed() => {
                            assert_eq!(expected, Containment::Outside, "{}", context())
                        }
                        Cell::Outside => assert_ne!(expected, Containment::Surface, "{}", context()),
                    }
                    known += usize::from(grid.cell_at(point) == Cell::Inside);
                }
            }
        }
    }
    assert!(known > 1000, "only {known} points in cells that are known to lie inside");
}

/// For points off the surface, the count of a ray's crossings is that of any direction.
#[test]
fn inside_is_an_odd_number_of_crossings() {
    let mut rng = Rng::new(rng::seed(1506));
    for solid in all_solids() {
        let mesh = mesh(&solid.mesh);
        let grid = Grid::new(&mesh);
        assert!(grid.is_closed(), "{}", solid.mesh.name);
        let (low, high) = solid.mesh.bounds();
        for _ in 0..200 {
            let point: [f64; 3] = std::array::from_fn(|i| rng.range(low[i] - 0.1, high[i] + 0.1));
            // What is rounded on the way into a mesh must not matter.
            if grid.cell_at(point) != Cell::Unknown {
                let ray = Ray::new(point, [0.0, 1.0, 0.0]).unwrap();
                let crossings = mesh.all_hits(&ray, &Filter::ALL).len();
                assert_eq!(grid.contains(point), crossings % 2 == 1, "{}: {point:?}", solid.mesh.name);
            }
        }
    }
}

#[test]
fn cells_are_counted_by_kind() {
    let cube = mesh(&integer_box([0, 0, 0], [8, 8, 8], 8).mesh);
    let stats = Grid::with_resolution(&cube, [8, 8, 8], GridLimits::default()).unwrap().stats();
    assert_eq!(stats.resolution, [8, 8, 8]);
    // The outermost layer touches the surface.
    assert_eq!((stats.outside, stats.inside, stats.unknown), (0, 6 * 6 * 6, 8 * 8 * 8 - 6 * 6 * 6));
    let ball = mesh(&icosphere(3).mesh);
    let stats = Grid::with_resolution(&ball, [32, 32, 32], GridLimits::default()).unwrap().stats();
    let part = stats.inside as f64 / stats.cells() as f64;
    assert!((0.3..std::f64::consts::PI / 6.0).contains(&part), "{stats:?}");
    assert!(stats.outside > stats.cells() / 4, "{stats:?}");
    assert_eq!(stats.cells(), 32 * 32 * 32);
    assert!(stats.bytes >= 4 * (stats.cells() + stats.references), "{stats:?}");
}

#[test]
fn a_room_inside_a_solid_is_outside() {
    let shell =
        integer_box([-8, -8, -8], [8, 8, 8], 2).mesh.with(&integer_box([-4, -4, -4], [4, 4, 4], 2).mesh);
    let grid = Grid::with_resolution(&mesh(&shell), [16; 3], GridLimits::default()).unwrap();
    assert_eq!(grid.cell_at([0.5, 0.5, 0.5]), Cell::Outside);
    assert_eq!(grid.cell_at([6.5, 0.5, 0.5]), Cell::Inside);
    assert!(grid.contains([6.5, 0.5, 0.5]) && !grid.contains([0.5, 0.5, 0.5]));
}

#[test]
fn only_closed_meshes_have_an_inside() {
    let mut rng = Rng::new(rng::seed(1507));
    let mut open = icosphere(2).mesh;
    open.triangles.pop();
    let grid = Grid::new(&mesh(&open));
    assert!(!grid.is_closed());
    assert_eq!(grid.stats().inside, 0);
    for point in points(&open, &mut rng) {
        assert_eq!(grid.contains(point), grid.mesh().contains(point), "{point:?}");
    }
    assert!(Grid::new(&mesh(&stitched_box(5).mesh)).is_closed(), "stitched by triangles without area");
}

#[test]
fn an_empty_mesh_has_no_cells() {
    let no_triangles: [[u32; 3]; 0] = [];
    let mesh = Mesh::new([[0.0f32; 3]], no_triangles).unwrap();
    for grid in [Grid::new(&mesh), Grid::with_resolution(&mesh, [4; 3], GridLimits::default()).unwrap()] {
        assert_eq!((grid.stats().cells(), grid.stats().references), (0, 0));
        let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
        assert!(grid.closest(&ray, &Filter::ALL).is_none() && !grid.occluded(&ray, &Filter::ALL));
        assert!(!grid.contains([0.0; 3]));
        assert_eq!(grid.cell_at([0.0; 3]), Cell::Outside);
    }
}

#[test]
fn limits_are_kept() {
    let ball = mesh(&icosphere(2).mesh);
    let refused = |resolution, limits| Grid::with_resolution(&ball, resolution, limits).unwrap_err();
    let (cells, references) = (1000, 300);
    let limits = GridLimits { cells, references };
    assert_eq!(refused([1, 1, 0], limits), GridError::NoCells { axis: 'z' });
    assert_eq!(
        refused([10, 10, 11], limits),
        GridError::TooManyCells { resolution: [10, 10, 11], limit: cells }
    );
    let most = GridLimits { cells: usize::MAX, references: usize::MAX };
    assert_eq!(
        refused([u32::MAX; 3], most),
        GridError::TooManyCells { resolution: [u32::MAX; 3], limit: u32::MAX as usize - 1 }
    );
    assert_eq!(refused([10; 3], limits), GridError::TooManyReferences { limit: references });
    assert_eq!(
        refused([10; 3], limits).to_string(),
        "grid: its lists would have more than 300 entries; a coarser resolution needs fewer"
    );
}

/// Triangles that each span all of the mesh would fill every cell.
#[test]
fn the_default_stays_in_proportion_to_the_mesh() {
    let mut rng = Rng::new(rng::seed(1508));
    let mut large = TriMesh::new("large", Vec::new(), Vec::new());
    for i in 0..2000u32 {
        large.vertices.extend([(); 3].map(|()| rng.in_cube(1.0).map(|c| c as f32)));
        large.triangles.push([3 * i, 3 * i + 1, 3 * i + 2]);
    }
    let mesh = mesh(&large);
    let stats = Grid::new(&mesh).stats();
    assert!(stats.references <= 32 * mesh.stats().leaves, "{stats:?}");
}
