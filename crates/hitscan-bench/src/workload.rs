//! Recorded rays on known scenes, with the number that hit.

use std::path::{Path, PathBuf};

use hitscan::glam::DVec3;
use hitscan::{Camera, Face, Filter, Mesh, Ray, Scene};
use hitscan_io::{Model, ReadError};

/// Pixels of the camera whose rays begin a workload.
const SIZE: [u32; 2] = [640, 480];

/// Which rays are asked.
#[derive(Clone, Copy)]
pub enum Rays {
    /// One through each pixel, line by line.
    Primary,
    /// Three generations of diffuse bounces, each in the order of the pixels that it came from.
    Bounce,
}

/// A scene, its rays and the number of them that hit.
pub struct Workload {
    pub name: &'static str,
    /// A file in `../shared/scenes`, or a built-in scene.
    pub scene: &'static str,
    rays: Rays,
    pub hits: Hits,
}

/// How many rays hit: all triangles as one mesh, whose corners are rounded to world space, and the scene as it is.
#[derive(Clone, Copy)]
pub struct Hits {
    pub mesh: usize,
    pub scene: usize,
}

const fn both(hits: usize) -> Hits {
    Hits { mesh: hits, scene: hits }
}

pub const WORKLOADS: &[Workload] = &[
    Workload { name: "kitchen/primary", scene: "kitchen.glb", rays: Rays::Primary, hits: both(307_200) },
    Workload { name: "kitchen/bounce", scene: "kitchen.glb", rays: Rays::Bounce, hits: both(921_341) },
    Workload { name: "coffee/primary", scene: "coffee.glb", rays: Rays::Primary, hits: both(307_200) },
    Workload { name: "coffee/bounce", scene: "coffee.glb", rays: Rays::Bounce, hits: both(230_171) },
    Workload {
        name: "range/bounce",
        scene: "builtin:range",
        rays: Rays::Bounce,
        hits: Hits { mesh: 114_506, scene: 114_507 },
    },
    Workload { name: "terrain/bounce", scene: "builtin:terrain:1M", rays: Rays::Bounce, hits: both(66_668) },
];

/// A workload ready to run: the scene as it is, and all its triangles in world space as one mesh.
pub struct Loaded {
    pub mesh: Mesh,
    pub scene: Scene,
    pub rays: Vec<Ray>,
}

impl Workload {
    /// The scene's file, or the built-in name.
    pub fn file(&self) -> PathBuf {
        if self.scene.starts_with("builtin:") {
            return PathBuf::from(self.scene);
        }
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/scenes")).join(self.scene)
    }

    /// `None` where the scene's file is absent.
    pub fn load(&self) -> Result<Option<Loaded>, ReadError> {
        let (model, camera) = if self.scene.starts_with("builtin:") {
            let model = hitscan_io::open(self.scene)?;
            let camera = model.cameras[0].camera;
            (model, camera)
        } else {
            let file = self.file();
            if !file.exists() {
                return Ok(None);
            }
            (
                hitscan_io::open(&file.to_string_lossy())?,
                hitscan_io::read_camera(&file.with_extension("cam"))?,
            )
        };
        let mesh = flatten(&model);
        let scene = model.scene();
        let rays = record(&mesh, &camera, self.rays);
        Ok(Some(Loaded { mesh, scene, rays }))
    }
}

/// All triangles of a model in world space.
fn flatten(model: &Model) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for node in &model.nodes {
        let mesh = &model.meshes[node.mesh].mesh;
        let first = vertices.len() as u32;
        let place = |v: &[f32; 3]| node.transform.point(v.map(f64::from)).as_vec3().to_array();
        vertices.extend(mesh.vertices().iter().map(place));
        triangles.extend(mesh.triangles().iter().map(|t| t.map(|index| index + first)));
    }
    Mesh::new(vertices, triangles).expect("a checked model stays valid in world space")
}

/// The rays of a workload, rounded to `f32` so that every peer gets the same bits.
fn record(mesh: &Mesh, camera: &Camera, rays: Rays) -> Vec<Ray> {
    let pixel = |i: u32| [f64::from(i % SIZE[0]) + 0.5, f64::from(i / SIZE[0]) + 0.5];
    let primary: Vec<Ray> = (0..SIZE[0] * SIZE[1])
        .filter_map(|i| camera.ray(pixel(i), SIZE).ok())
        .filter_map(|ray| rounded(ray.origin(), ray.dir()))
        .collect();
    match rays {
        Rays::Primary => primary,
        Rays::Bounce => {
            let mut random = Random(1);
            let mut all = Vec::new();
            let mut last = primary;
            for _ in 0..3 {
                last = last.iter().filter_map(|ray| bounce(mesh, ray, &mut random)).collect();
                all.extend_from_slice(&last);
            }
            all
        }
    }
}

/// A ray from where `ray` hits, in a direction of a cosine distribution about the normal there.
fn bounce(mesh: &Mesh, ray: &Ray, random: &mut Random) -> Option<Ray> {
    let hit = mesh.closest(ray, &Filter::ALL)?;
    let normal = if hit.facing == Face::Front { hit.normal } else { -hit.normal };
    let (z, angle) = (2.0 * random.unit() - 1.0, core::f64::consts::TAU * random.unit());
    let around = libm::sqrt(1.0 - z * z);
    let on_sphere = DVec3::new(around * libm::cos(angle), around * libm::sin(angle), z);
    rounded(hit.position + normal * (1e-4 * hit.distance), normal + on_sphere)
}

fn rounded(origin: DVec3, dir: DVec3) -> Option<Ray> {
    Ray::from_f32(origin.as_vec3(), dir.as_vec3()).ok()
}

/// Knuth's 64-bit linear congruential generator: the same rays everywhere.
struct Random(u64);

impl Random {
    /// In `[0, 1)`.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
