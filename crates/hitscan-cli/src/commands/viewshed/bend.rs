//! The earth is round: what is far from the eye lies lower.
//!
//! Each vertex sinks by `C d^2 / (2 R)`, as in GDAL's viewshed, where `d` is how far it is from the eye over the ground, `R`
//! the radius of the earth at the equator by WGS 84, and `C` the share that is left when light bends along.

use hitscan::SignedAxis;
use hitscan_io::{NamedMesh, Node, Raster};

use super::see::Seen;
use crate::args::Place;
use crate::failure::Failure;
use crate::number::{count, counted};
use crate::scene::Loaded;

/// In metres.
const EARTH_RADIUS: f64 = 6_378_137.0;

/// The most triangles of all instances together: what memory holds, where each has a mesh of its own.
const MOST_TRIANGLES: usize = 1 << 27;

/// The scene as it lies around the place of the eye. Each node gets a mesh of its own.
pub fn bent(loaded: Loaded, eye: Place, up: SignedAxis, share: f64) -> Result<Loaded, Failure> {
    let Loaded { name, reading, mut model, .. } = loaded;
    check_size(model.nodes.len(), model.triangles())?;
    let mut meshes = Vec::with_capacity(model.nodes.len());
    let mut nodes = Vec::with_capacity(model.nodes.len());
    for node in &model.nodes {
        let NamedMesh { name, mesh } = &model.meshes[node.mesh];
        let lowered = |vertex: &[f32; 3]| {
            let world = node.transform.point(vertex.map(f64::from));
            let sunk = world - up.vector() * drop_at(up.others().map(|axis| world[axis]), eye, share);
            (node.transform.inverse() * (sunk - node.transform.offset())).as_vec3().to_array()
        };
        let vertices: Vec<[f32; 3]> = mesh.vertices().iter().map(lowered).collect();
        let mut mesh = mesh.clone();
        mesh.refit(vertices).map_err(|error| Failure::new("--curvature", error))?;
        nodes.push(Node { mesh: meshes.len(), ..node.clone() });
        meshes.push(NamedMesh { name: name.clone(), mesh });
    }
    (model.meshes, model.nodes) = (meshes, nodes);
    let scene = model.scene();
    Ok(Loaded { name, reading, model, scene })
}

/// The answer as it lies in the file: what was sunk is lifted again. Distances stay what was measured.
pub fn straighten(seen: &mut Seen, raster: &Raster, eye: Place, up: SignedAxis, share: f64) {
    let columns = raster.size()[0].max(1);
    for (cell, height) in seen.heights.iter_mut().enumerate() {
        let drop = drop_at(raster.place(cell % columns, cell / columns), eye, share);
        *height = (f64::from(*height) + drop) as f32;
    }
    if let Some(farthest) = &mut seen.farthest {
        let at = up.others().map(|axis| farthest.at[axis]);
        farthest.at += up.vector() * drop_at(at, eye, share);
    }
}

/// Refuses a scene whose instances are too many or too large to have a mesh each.
fn check_size(instances: usize, triangles: usize) -> Result<(), Failure> {
    if triangles <= MOST_TRIANGLES {
        return Ok(());
    }
    let what =
        format_args!("{} with {} triangles together", counted(instances, "instance"), count(triangles));
    Err(Failure::new("--curvature", format_args!("{what}; expected {} at most", count(MOST_TRIANGLES))))
}

/// How far a place sinks.
fn drop_at(place: [f64; 2], eye: Place, share: f64) -> f64 {
    let (da, db) = (place[0] - eye.at[0], place[1] - eye.at[1]);
    share * (da * da + db * db) / (2.0 * EARTH_RADIUS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kilometre_is_eight_centimetres() {
        let eye = Place { at: [100.0, 0.0], height: None };
        assert_eq!(drop_at([100.0, 0.0], eye, 1.0), 0.0);
        let drop = drop_at([100.0, 1000.0], eye, 1.0);
        assert!((drop - 0.078_393).abs() < 1e-6, "{drop}");
        assert_eq!(drop_at([700.0, 800.0], eye, 0.5), 0.5 * drop);
    }

    #[test]
    fn too_many_triangles_are_refused() {
        assert!(check_size(2, MOST_TRIANGLES).is_ok());
        let Err(Failure::Failed(message)) = check_size(2, MOST_TRIANGLES + 1) else { panic!("accepted") };
        let expected =
            "--curvature: 2 instances with 134,217,729 triangles together; expected 134,217,728 at most";
        assert_eq!(message, expected);
    }
}
