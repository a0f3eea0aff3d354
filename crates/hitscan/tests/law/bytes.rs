//! Small worlds that strings of bytes describe, each query on each instruction set against brute force.
//!
//! The bytes are coordinates on a small lattice, where rays run through corners and along edges, or any numbers at all. The
//! fuzzer `worlds` grows such strings; here they are random, and few enough for an interpreter that checks every access to
//! memory: `cargo xtask sanitize miri`.

use hitscan::glam::{DMat3, DVec3};
use hitscan::shape::{Plane, Sphere};
use hitscan::{Instance, Mesh, Preset, Ray, Transform, World};
use hitscan_oracle as oracle;
use hitscan_oracle::brute::Placed;
use hitscan_oracle::entry::Placement;
use hitscan_oracle::{Rng, TriMesh, rng};

use crate::compare;

/// How many strings are tried.
fn tries() -> usize {
    if cfg!(miri) { 1 } else { 3_000 }
}

#[test]
fn worlds_of_random_bytes_agree() {
    let mut rng = Rng::new(rng::seed(1021));
    let mut worlds = 0;
    for number in 0..tries() {
        // Bytes of 160 and more begin numbers of any kind, of which most are refused.
        let odd = rng.one_in(2);
        let mut byte = || if odd && rng.one_in(60) { rng.below(256) as u8 } else { rng.below(160) as u8 };
        let bytes: Vec<u8> = (0..400).map(|_| byte()).collect();
        println!("string {number}: {bytes:?}");
        worlds += usize::from(assert_agrees(&bytes));
    }
    assert!(worlds > tries() / 3, "{worlds} of {} strings make worlds", tries());
}

/// What is left of the input; zeros behind its end.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        byte
    }

    fn below(&mut self, end: u8) -> u8 {
        self.byte() % end
    }

    fn word<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.byte())
    }

    /// Mostly a place on the lattice.
    fn coordinate(&mut self) -> f64 {
        let byte = self.byte();
        match byte >> 5 {
            0..=4 => f64::from(byte % 9) - 4.0,
            5 => f64::from(byte & 31) / 8.0 - 2.0,
            6 => f64::from(f32::from_le_bytes(self.word())),
            _ => f64::from_le_bytes(self.word()),
        }
    }

    fn point(&mut self) -> [f64; 3] {
        std::array::from_fn(|_| self.coordinate())
    }

    fn mesh(&mut self, number: u8) -> TriMesh {
        let vertices: Vec<[f32; 3]> =
            (0..3 + self.below(10)).map(|_| self.point().map(|c| c as f32)).collect();
        let count = vertices.len() as u8;
        let triangles =
            (0..1 + self.below(16)).map(|_| std::array::from_fn(|_| u32::from(self.below(count))));
        TriMesh::new(&format!("mesh {number}"), vertices.clone(), triangles.collect())
    }

    fn placement(&mut self) -> Placement {
        let mut matrix = [[0.0; 3]; 3];
        match self.below(4) {
            0 => return Placement::IDENTITY,
            1 => matrix = Placement::IDENTITY.matrix,
            2 => {
                // Axes in another order, some of them turned round, by powers of two.
                let first = usize::from(self.below(3));
                for row in 0..3 {
                    let size = 2f64.powi(i32::from(self.below(9)) - 4);
                    matrix[row][(row + first) % 3] = if self.below(2) == 0 { size } else { -size };
                }
            }
            _ => matrix = std::array::from_fn(|_| self.point()),
        }
        Placement { matrix, translation: self.point() }
    }
}

/// Builds the world that the bytes describe, and compares every answer; whether they describe one.
pub fn assert_agrees(bytes: &[u8]) -> bool {
    let mut bytes = Bytes(bytes);
    let preset = Preset::ALL[usize::from(bytes.below(4))];
    let meshes: Vec<TriMesh> = (0..1 + bytes.below(2)).map(|number| bytes.mesh(number)).collect();
    let built: Vec<Mesh> = meshes
        .iter()
        .map_while(|mesh| Mesh::build(preset, mesh.vertices.clone(), mesh.triangles.clone()).ok())
        .collect();
    if built.len() < meshes.len() {
        return false;
    }
    let (mut world, mut placed) = (World::new(), Vec::new());
    for _ in 0..1 + bytes.below(3) {
        let (number, placement) = (usize::from(bytes.below(meshes.len() as u8)), bytes.placement());
        let matrix = DMat3::from_cols_array_2d(&placement.matrix).transpose();
        let Ok(transform) = Transform::new(matrix, DVec3::from(placement.translation)) else { return false };
        world.insert(Instance::new(&built[number]).at(transform));
        placed.push(Placed { mesh: &meshes[number], placement });
    }
    let scene = world.commit();
    scene.check().expect("the trees are sound");
    let mut rays: Vec<oracle::Ray> = (0..1 + bytes.below(6))
        .map(|_| match bytes.below(3) {
            0 => oracle::Ray::towards(bytes.point(), bytes.point()),
            1 => {
                let mesh = placed[0].mesh;
                let vertex = mesh.vertices[usize::from(bytes.below(mesh.vertices.len() as u8))];
                oracle::Ray::towards(bytes.point(), placed[0].placement.point(vertex.map(f64::from)))
            }
            _ => oracle::Ray::new(bytes.point(), bytes.point()),
        })
        .filter(|ray| Ray::new(ray.origin, ray.dir).is_ok())
        .collect();
    // Neighbours of the first, which go through worlds side by side with it.
    if bytes.below(2) == 1
        && let Some(&first) = rays.first()
    {
        let spread = [1.0, 1.0 / 16.0, 1.0 / 256.0][usize::from(bytes.below(3))];
        for _ in 0..bytes.below(32) {
            let aside = bytes.point().map(|c| c * spread);
            let dir = std::array::from_fn(|axis| first.dir[axis] + aside[axis]);
            if Ray::new(first.origin, dir).is_ok() {
                rays.push(oracle::Ray { dir, ..first });
            }
        }
    }
    compare::assert_agrees(&built[0], &[Placed { mesh: &meshes[0], placement: Placement::IDENTITY }], &rays);
    compare::assert_agrees(&scene, &placed, &rays);
    with_shapes(&mut bytes, world, &rays);
    !rays.is_empty()
}

/// The same rays, between limits of any kind, through the same world with shapes and planes without end in it. Brute force knows
/// none of them: many rays together get what each gets alone.
fn with_shapes(bytes: &mut Bytes<'_>, mut world: World, rays: &[oracle::Ray]) {
    for _ in 0..bytes.below(3) {
        let shape = match bytes.below(3) {
            0 => Plane::new(bytes.point(), bytes.point()).map(Instance::new),
            1 => Plane::from_equation(bytes.point(), bytes.coordinate()).map(Instance::new),
            _ => Sphere::new(bytes.point(), bytes.coordinate()).map(Instance::new),
        };
        if let Ok(shape) = shape {
            world.insert(shape);
        }
    }
    let limited = |ray: &oracle::Ray, bytes: &mut Bytes<'_>| {
        let (ray, mut limit) = (compare::ray(ray), |endless| match bytes.below(3) {
            0 => endless,
            _ => bytes.coordinate(),
        });
        ray.with_range(limit(f64::NEG_INFINITY), limit(f64::INFINITY)).unwrap_or(ray)
    };
    let rays: Vec<Ray> = rays.iter().map(|ray| limited(ray, bytes)).collect();
    let scene = world.commit();
    for isa in compare::kernels() {
        let scene = compare::on_kernel(&scene, isa);
        compare::assert_batches_are_singles(&scene, &rays, &|| format!("{isa}, with shapes"));
    }
}
