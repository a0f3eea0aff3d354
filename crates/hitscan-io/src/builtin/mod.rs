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
//!     "builtin:teapot: no such built-in scene; the built-in scenes are range, terrain, sphere, atrium, hairball, soup"
//! );
//! # Ok::<(), hitscan_io::ReadError>(())
//! ```

mod atrium;
mod figure;
mod hairball;
mod lattice;
mod noise;
mod place;
pub mod range;
mod revolve;
mod size;
mod soup;
mod sphere;
mod surface;
mod terrain;

#[cfg(test)]
mod closed;

use std::path::PathBuf;

use hitscan::{Camera, Transform, Watch};

use crate::{DEFAULT_MATERIAL, Model, NamedCamera, Node, Options, Parts, ReadError};

/// The built-in scenes, in the order in which errors list them.
///
/// ```
/// assert!(hitscan_io::builtin::NAMES.contains(&"terrain"));
/// ```
pub const NAMES: [&str; 6] = ["range", "terrain", "sphere", "atrium", "hairball", "soup"];

/// A scene that is made in any size.
struct Sized {
    /// Makes it with about so many triangles.
    parts: fn(usize, Watch<'_>) -> Parts,
    /// The sizes that it has.
    range: std::ops::RangeInclusive<usize>,
    /// Its size where none is given.
    triangles: usize,
}

/// The scene of a name, where that has sizes.
fn sized(name: &str) -> Option<Sized> {
    let (parts, range, triangles): (fn(usize, Watch<'_>) -> Parts, _, _) = match name {
        "terrain" => (terrain::parts, size::ANY, 100_000),
        "sphere" => (|triangles, _| sphere::parts(triangles), size::ANY, 100_000),
        "atrium" => (|triangles, _| atrium::parts(triangles), atrium::FEWEST..=size::MOST, 500_000),
        "hairball" => (|triangles, _| hairball::parts(triangles), size::ANY, 250_000),
        "soup" => (|triangles, _| soup::parts(triangles), size::ANY, 100_000),
        _ => return None,
    };
    Some(Sized { parts, range, triangles })
}

/// The scene for the text after `builtin:`.
///
/// - `range`: a shooting range with a building, a fence, plates, cans, crates and a statue, as it is at the
///   second of two frames; see [`range`] for the first.
/// - `terrain[:SIZE]`: rolling hills, a square of 1000 m; 100k triangles where no size is given.
/// - `sphere[:SIZE]`: a closed sphere of radius 1 around the origin; 100k.
/// - `atrium[:SIZE]`: a hall of two storeys around a court, with columns, vaults, curtains, lanterns and plants:
///   walls of two triangles beside ornament of thousands; 500k, at least 100k.
/// - `hairball[:SIZE]`: long thin hairs wound into a ball of radius 1, which no box fits; 250k.
/// - `soup[:SIZE]`: random triangles of all sizes in a cube of 10 m; 100k.
///
/// `SIZE` is about how many triangles there are: `5000`, `250k`, `1.5M`. Every scene has a camera named `default`.
///
/// # Errors
/// [`ReadError::Builtin`] for a name that does not exist, and for a size that is not one, or that the scene
/// does not have.
///
/// ```
/// let sphere = hitscan_io::builtin::build("sphere:5k")?;
/// assert!((4_000..6_000).contains(&sphere.triangles()));
/// let error = hitscan_io::builtin::build("sphere:many").unwrap_err();
/// assert!(error.to_string().starts_with("builtin:sphere:many: the size is not one"), "{error}");
/// # Ok::<(), hitscan_io::ReadError>(())
/// ```
pub fn build(name_and_size: &str) -> Result<Model, ReadError> {
    Ok(made(name_and_size, parts(name_and_size, Watch::new())?))
}

/// The model of lists that nobody watches.
fn made(name_and_size: &str, parts: Parts) -> Model {
    let path = PathBuf::from(format!("builtin:{name_and_size}"));
    parts.build(&path, &Options::new()).expect("built-in surfaces are finite and indexed right")
}

/// The lists of a scene. Of one whose making was ended meanwhile they mean nothing; its building ends at once.
pub(crate) fn parts(name_and_size: &str, watch: Watch<'_>) -> Result<Parts, ReadError> {
    let (name, size) = match name_and_size.split_once(':') {
        Some((name, size)) => (name, Some(size)),
        None => (name_and_size, None),
    };
    let refuse = |found: String, expected: String| ReadError::Builtin {
        name: name_and_size.to_owned(),
        found,
        expected,
    };
    if let Some(Sized { parts, range, triangles }) = sized(name) {
        return match size.map(|size| size::parse(size, &range)) {
            None => Ok(parts(triangles, watch)),
            Some(Some(triangles)) => Ok(parts(triangles, watch)),
            Some(None) => Err(refuse("the size is not one".to_owned(), size::expected(name, &range))),
        };
    }
    match name {
        "range" if size.is_some() => {
            Err(refuse("this scene has one size".to_owned(), "write builtin:range".to_owned()))
        }
        "range" => Ok(range::parts(range::Frame::Second)),
        _ => Err(refuse(
            "no such built-in scene".to_owned(),
            format!("the built-in scenes are {}", NAMES.join(", ")),
        )),
    }
}

/// About how many triangles a built-in scene of any size will have, by the text after `builtin:`.
pub(crate) fn triangles(name_and_size: &str) -> Option<usize> {
    let (name, size) = name_and_size.split_once(':').unwrap_or((name_and_size, ""));
    let Sized { range, triangles, .. } = sized(name)?;
    Some(size::parse(size, &range).unwrap_or(triangles))
}

/// The one camera of a built-in scene, upright: where it stands, what it looks at, and its vertical angle in degrees.
fn default_camera(eye: [f64; 3], look: [f64; 3], fov: f64) -> NamedCamera {
    let camera = Camera::look_at(eye, look, [0.0, 1.0, 0.0], fov).expect("the default view is a camera");
    NamedCamera { name: "default".to_owned(), camera }
}

/// A single mesh; its materials count from 1.
fn single(name: &str, materials: &[&str], surface: surface::Surface, camera: NamedCamera) -> Parts {
    Parts {
        drafts: vec![surface.draft(name)],
        nodes: vec![Node { name: name.to_owned(), mesh: 0, transform: Transform::IDENTITY }],
        materials: [DEFAULT_MATERIAL].iter().chain(materials).map(|&name| name.to_owned()).collect(),
        cameras: vec![camera],
        ..Parts::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NamedMesh;

    fn refusal(name: &str) -> String {
        build(name).unwrap_err().to_string()
    }

    #[test]
    fn refusals_say_what_exists() {
        assert_eq!(
            refusal(""),
            "builtin:: no such built-in scene; the built-in scenes are range, terrain, sphere, atrium, hairball, soup"
        );
        assert_eq!(refusal("range:5"), "builtin:range:5: this scene has one size; write builtin:range");
        for name in ["terrain", "soup"] {
            for size in ["", "x", "-5", "0", "1e5", "5kk", "3", "1000M", "nan", "inf", "٣k"] {
                assert_eq!(
                    refusal(&format!("{name}:{size}")),
                    format!(
                        "builtin:{name}:{size}: the size is not one; \
                         a size is a number of triangles from 20 to 30M, as in {name}:5000, {name}:250k, {name}:1.5M"
                    )
                );
            }
        }
        assert_eq!(
            refusal("atrium:99k"),
            "builtin:atrium:99k: the size is not one; \
             a size is a number of triangles from 100k to 30M, as in atrium:100k, atrium:250k, atrium:1.5M"
        );
    }

    #[test]
    fn sizes_are_met_about() {
        for name in NAMES.into_iter().filter(|name| sized(name).is_some()) {
            let Sized { range, triangles, .. } = sized(name).unwrap();
            let sizes = [("", triangles), (":20", 20), (":5000", 5000), (":50k", 50_000), (":250k", 250_000)];
            for (size, triangles) in sizes.into_iter().filter(|(_, triangles)| range.contains(triangles)) {
                let found = build(&format!("{name}{size}")).unwrap().triangles() as f64 / triangles as f64;
                let near = if triangles < 50_000 { 0.9..1.1 } else { 0.985..1.015 };
                assert!(near.contains(&found), "{name}{size}: {found}");
            }
        }
    }

    #[test]
    fn every_triangle_can_be_hit() {
        for name in ["terrain:20k", "sphere:20k", "atrium:100k", "atrium:700k", "hairball:50k", "soup:50k"] {
            for NamedMesh { name: mesh, mesh: triangles } in build(name).unwrap().meshes {
                let counts = triangles.counts();
                assert_eq!((counts.repeated_corner, counts.zero_area), (0, 0), "{name}: {mesh}");
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
            ("atrium:100k", 0x1a9bea6182b11ce7),
            ("atrium:300k", 0x638d291d17a308ac),
            ("hairball:20k", 0x2265d44fa6ffac1e),
            ("soup:20k", 0x9db0da0db3429d93),
        ] {
            let found = fingerprint(&build(name).unwrap());
            assert_eq!(found, expected, "{name}: {found:#018x}");
        }
    }
}
