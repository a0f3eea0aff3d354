//! The scenes: files of `../shared/scenes`, skipped where that folder is absent, and built-in ones.

use std::error::Error;
use std::path::{Path, PathBuf};

use hitscan::glam::DVec3;
use hitscan::{Camera, Mesh, Scene};
use hitscan_io::Model;

/// What is measured, in the order of the tables. Another scene is one more line here, and its counts of hits.
pub const SCENES: &[&str] =
    &["kitchen.glb", "coffee.glb", "nefertiti.obj", "builtin:terrain:1M", "builtin:atrium:1M"];

/// A scene in the two ways that questions are asked of it, with what its rays are made from.
pub struct Loaded {
    /// One of [`SCENES`], or what was opened.
    pub name: &'static str,
    /// All triangles in world space as one mesh, whose corners are rounded to `f32`: what every peer gets.
    pub mesh: Mesh,
    /// The scene as its file places it.
    pub scene: Scene,
    /// Where primary rays and scanners start.
    pub camera: Camera,
    /// The axis that points upwards, 0 to 2.
    pub up: usize,
}

/// Where a scene's file is, or its built-in name.
pub fn file(name: &str) -> PathBuf {
    if name.starts_with("builtin:") {
        return PathBuf::from(name);
    }
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/scenes")).join(name)
}

/// Reads a scene; `None` where its file is absent.
///
/// # Errors
/// A file that cannot be read, or a scene without triangles.
pub fn load(name: &'static str) -> Result<Option<Loaded>, Box<dyn Error>> {
    let file = file(name);
    if !name.starts_with("builtin:") && !file.exists() {
        return Ok(None);
    }
    open(name, &file).map(Some)
}

/// Reads any scene: a file, or a built-in one.
///
/// # Errors
/// A file that cannot be read, or a scene without triangles.
pub fn open(name: &'static str, file: &Path) -> Result<Loaded, Box<dyn Error>> {
    let model = hitscan_io::open(file)?;
    let mesh = flatten(&model)?;
    let beside = file.with_extension("cam");
    let camera = match model.cameras.first() {
        _ if beside.exists() => hitscan_io::read_camera(&beside)?,
        Some(named) => named.camera,
        None => framing(&mesh, model.up.axis())?,
    };
    Ok(Loaded { name, scene: model.scene(), camera, up: model.up.axis(), mesh })
}

/// All triangles of a model in world space.
fn flatten(model: &Model) -> Result<Mesh, Box<dyn Error>> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for node in &model.nodes {
        let mesh = &model.meshes[node.mesh].mesh;
        let first = u32::try_from(vertices.len())?;
        let place = |v: &[f32; 3]| node.transform.point(v.map(f64::from)).as_vec3().to_array();
        vertices.extend(mesh.vertices().iter().map(place));
        triangles.extend(mesh.triangles().iter().map(|t| t.map(|index| index + first)));
    }
    Ok(Mesh::new(vertices, triangles)?)
}

/// A camera that sees all of a mesh, from the front, a little from the right and from above.
fn framing(mesh: &Mesh, up: usize) -> Result<Camera, Box<dyn Error>> {
    let (low, high) = mesh.bounds().ok_or("a scene without triangles")?;
    let (low, high) = (low.as_dvec3(), high.as_dvec3());
    let (middle, size) = ((low + high) / 2.0, (high - low).length());
    let mut eye = middle + DVec3::new(0.6, 0.6, 0.6) * size;
    let mut upwards = DVec3::ZERO;
    upwards[up] = 1.0;
    eye[up] = middle[up] + 0.35 * size;
    eye[if up == 1 { 2 } else { 1 }] = middle[if up == 1 { 2 } else { 1 }] + 1.1 * size;
    Ok(Camera::look_at(eye, middle, upwards, 32.0)?)
}
