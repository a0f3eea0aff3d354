//! The earth is round: what is far from the eye lies lower.
//!
//! Each vertex sinks by `C d^2 / (2 R)`, as in GDAL's viewshed, where `d` is how far it is from the eye over the ground, `R`
//! the radius of the earth at the equator by WGS 84, and `C` the share that is left when light bends along.

use hitscan::glam::DVec3;
use hitscan_io::{NamedMesh, Node};

use crate::args::{Axis, Place};
use crate::failure::Failure;
use crate::scene::Loaded;

/// In metres.
const EARTH_RADIUS: f64 = 6_378_137.0;

/// The scene as it lies around the place of the eye. Each node gets a mesh of its own.
pub fn bent(loaded: Loaded, eye: Place, up: Axis, share: f64) -> Result<Loaded, Failure> {
    let Loaded { name, heightmap, mut model, .. } = loaded;
    let mut meshes = Vec::with_capacity(model.nodes.len());
    let mut nodes = Vec::with_capacity(model.nodes.len());
    for node in &model.nodes {
        let NamedMesh { name, mesh } = &model.meshes[node.mesh];
        let lowered = |vertex: &[f32; 3]| {
            let world = node.transform.point(vertex.map(f64::from));
            let sunk = world - up.vector() * drop_at(world, eye, up, share);
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
    Ok(Loaded { name, heightmap, model, scene })
}

/// How far a point sinks.
fn drop_at(point: DVec3, eye: Place, up: Axis, share: f64) -> f64 {
    let [a, b] = up.ground();
    let (da, db) = (point[a] - eye.at[0], point[b] - eye.at[1]);
    share * (da * da + db * db) / (2.0 * EARTH_RADIUS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kilometre_is_eight_centimetres() {
        let eye = Place { at: [100.0, 0.0], height: None };
        let up = Axis { index: 1, sign: 1.0 };
        assert_eq!(drop_at(DVec3::new(100.0, 7.0, 0.0), eye, up, 1.0), 0.0);
        let drop = drop_at(DVec3::new(100.0, 7.0, 1000.0), eye, up, 1.0);
        assert!((drop - 0.078_393).abs() < 1e-6, "{drop}");
        assert_eq!(drop_at(DVec3::new(700.0, 0.0, 800.0), eye, up, 0.5), 0.5 * drop);
    }
}
