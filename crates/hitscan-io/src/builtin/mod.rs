//! Scenes made by code: the same bits on every machine.
//!
//! Elementary functions come from `libm` and randomness from an integer hash, so a built-in scene is as good as
//! a file. Lengths are metres, `+Y` is up.
//!
//! ```
//! let model = hitscan_io::builtin::build("sphere:5000")?;
//! assert_eq!(model.triangles(), 5120);
//! let error = hitscan_io::builtin::build("teapot").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "builtin:teapot: no such built-in scene; the built-in scenes are range, terrain, sphere"
//! );
//! # Ok::<(), hitscan_io::ReadError>(())
//! ```

mod figure;
mod lattice;
mod noise;
mod place;
pub mod range;
mod revolve;
mod size;
mod sphere;
mod surface;
mod terrain;

#[cfg(test)]
mod closed;

use hitscan::{Camera, Transform};

use crate::{DEFAULT_MATERIAL, Model, NamedCamera, NamedMesh, Node, ReadError, Up};
use size::Size;

/// The built-in scenes, in the order in which errors list them.
pub const NAMES: [&str; 3] = ["range", "terrain", "sphere"];

/// What `terrain` and `sphere` have where no size is given.
const DEFAULT_TRIANGLES: usize = 100_000;

/// The scene for the text after `builtin:`.
///
/// - `range`: a shooting range with a building, a fence, plates, cans, crates and a statue, as it is at the
///   second of two frames; see [`range`] for the first.
/// - `terrain[:SIZE]`: rolling hills, a square of 1000 m.
/// - `sphere[:SIZE]`: a closed sphere of radius 1 around the origin.
///
/// `SIZE` is about how many triangles there are: `5000`, `250k`, `1.5M`; 100k where it is left out. Every scene
/// has a camera named `default`.
///
/// # Errors
/// [`ReadError::Builtin`] for a name that does not exist, and for a size that is not one, or that the scene
/// does not have.
pub fn build(name_and_size: &str) -> Result<Model, ReadError> {
    let (name, size) = match name_and_size.split_once(':') {
        Some((name, size)) => (name, Some(size)),
        None => (name_and_size, None),
    };
    let refuse = |found: String, expected: String| ReadError::Builtin {
        name: name_and_size.to_owned(),
        found,
        expected,
    };
    let triangles = || match size.map(Size::parse) {
        None => Ok(DEFAULT_TRIANGLES),
        Some(Some(Size(triangles))) => Ok(triangles),
        Some(None) => Err(refuse("the size is not one".to_owned(), Size::expected(name))),
    };
    match name {
        "range" if size.is_some() => {
            Err(refuse("this scene has one size".to_owned(), "write builtin:range".to_owned()))
        }
        "range" => Ok(range::model(range::Frame::Second)),
        "terrain" => Ok(terrain::model(triangles()?)),
        "sphere" => Ok(sphere::model(triangles()?)),
        _ => Err(refuse(
            "no such built-in scene".to_owned(),
            format!("the built-in scenes are {}", NAMES.join(", ")),
        )),
    }
}

/// A model of a single mesh, seen by a camera named `default`; its materials count from 1.
fn single(name: &str, materials: &[&str], surface: surface::Surface, camera: Camera) -> Model {
    let materials = [DEFAULT_MATERIAL].iter().chain(materials).map(|&name| name.to_owned()).collect();
    Model {
        meshes: vec![NamedMesh { name: name.to_owned(), mesh: surface.mesh() }],
        nodes: vec![Node { name: name.to_owned(), mesh: 0, transform: Transform::IDENTITY }],
        materials,
        cameras: vec![NamedCamera { name: "default".to_owned(), camera }],
        up: Up::Y,
        files: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(name: &str) -> String {
        build(name).unwrap_err().to_string()
    }

    #[test]
    fn refusals_say_what_exists() {
        assert_eq!(
            refusal(""),
            "builtin:: no such built-in scene; the built-in scenes are range, terrain, sphere"
        );
        assert_eq!(refusal("range:5"), "builtin:range:5: this scene has one size; write builtin:range");
        for size in ["", "x", "-5", "0", "1e5", "5kk", "3", "1000M", "nan", "inf", "٣k"] {
            assert_eq!(
                refusal(&format!("terrain:{size}")),
                format!(
                    "builtin:terrain:{size}: the size is not one; \
                     a size is a number of triangles from 20 to 30M, as in terrain:5000, terrain:250k, terrain:1.5M"
                )
            );
        }
    }

    #[test]
    fn sizes_are_met_about() {
        for name in ["terrain", "sphere"] {
            for (size, triangles) in [("", 100_000.0), (":20", 20.0), (":5000", 5e3), (":250k", 2.5e5)] {
                let found = build(&format!("{name}{size}")).unwrap().triangles() as f64;
                assert!((0.9..1.1).contains(&(found / triangles)), "{name}{size}: {found}");
            }
        }
    }

    #[test]
    fn every_scene_has_a_default_camera() {
        for name in NAMES {
            assert_eq!(build(name).unwrap().cameras[0].name, "default");
        }
    }

    /// FNV-1a over everything that a ray could notice.
    fn fingerprint(model: &Model) -> u64 {
        let mut h = 0xcbf2_9ce4_8422_2325u64;
        let mut word = |word: u64| h = (h ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        for NamedMesh { mesh, .. } in &model.meshes {
            mesh.vertices().iter().flatten().for_each(|c| word(u64::from(c.to_bits())));
            mesh.triangles().iter().flatten().for_each(|&i| word(u64::from(i)));
        }
        for node in &model.nodes {
            word(node.mesh as u64);
            node.transform.matrix().transpose().to_cols_array().iter().for_each(|c| word(c.to_bits()));
            node.transform.offset().to_array().iter().for_each(|c| word(c.to_bits()));
        }
        h
    }

    #[test]
    fn every_machine_makes_the_same_bits() {
        // Changed with a scene on purpose; a change without one is a platform's own arithmetic.
        for (name, expected) in [
            ("range", 0xf1c1510e4fd2ed9e),
            ("terrain:20k", 0x851ef5e27c12a807),
            ("sphere:20k", 0x49322acca17c9c77),
        ] {
            let found = fingerprint(&build(name).unwrap());
            assert_eq!(found, expected, "{name}: {found:#018x}");
        }
    }
}
