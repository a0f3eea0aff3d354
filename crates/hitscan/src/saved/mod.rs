//! Saved scenes: `.hitscan` files, which hold everything that answers, trees too, and are used without a rebuild.
//!
//! A file is one layout for all kernels and machines that count from the lowest byte on, at 64 or 32 bits. It is self-contained, names its version, its
//! length and a checksum for each of its sections, and the same scene gives the same bytes. `docs/saved.md` has the format, field by
//! field.
//!
//! There are two ways to open one, which differ in whom they trust:
//! - [`Scene::open`] reads the file into private memory and checks all of it before use: whatever the bytes are, queries end,
//!   and do not panic. Boxes of nodes that are too small, leaves that have a triangle twice, and corners of leaves that are not the mesh's are not
//!   looked for; a file that was made so on purpose hides its triangles, as one without them would. [`Scene::check`] finds them.
//! - [`Scene::map`] takes the file as memory, without reading it: for files of one's own. It is `unsafe`, since
//!   another process that changes or cuts the file changes what is being asked.
//!
//! What else a program knows of its scene it keeps beside it as [`Notes`]. A mesh is saved as the scene that holds it.

pub(crate) mod bytes;
mod error;
pub(crate) mod layout;
mod mesh;
mod notes;
pub(crate) mod read;
mod shapes;
mod tree;
pub(crate) mod write;

use std::fs::File;
use std::io::Write;
use std::path::Path;

pub use error::{NoteError, OpenError, SaveError};
pub use notes::{MAX_NOTE, Notes};

use crate::scene::Scene;
use crate::stock::Region;

/// A scene and what is kept beside it.
///
/// ```
/// use hitscan::saved::{Notes, Saved};
/// use hitscan::{World, shape::Sphere};
/// let mut world = World::new();
/// world.insert(Sphere::new([0.0; 3], 1.0)?);
/// let mut notes = Notes::new();
/// notes.set("names", *b"ball")?;
/// let mut file = Vec::new();
/// Saved { scene: world.commit(), notes }.write(&mut file)?;
///
/// let saved = Saved::read(&file)?;
/// assert_eq!(saved.notes.get("names"), Some(&b"ball"[..]));
/// let mut again = Vec::new();
/// saved.write(&mut again)?;
/// assert_eq!(file, again);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Saved {
    /// What answers.
    pub scene: Scene,
    /// Bytes under names.
    pub notes: Notes,
}

impl Saved {
    /// [`Scene::save`], with the notes.
    ///
    /// # Errors
    /// As [`Scene::save`].
    ///
    /// ```
    /// use hitscan::saved::{Notes, Saved};
    /// use hitscan::{World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let mut notes = Notes::new();
    /// notes.set("unit", *b"metre")?;
    /// let path = std::env::temp_dir().join(format!("saved-{}.hitscan", std::process::id()));
    /// Saved { scene: world.commit(), notes }.save(&path)?;
    /// assert_eq!(Saved::open(&path)?.notes.get("unit"), Some(&b"metre"[..]));
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        write::replace(path.as_ref(), |file| self.write(file))
    }

    /// Writes the bytes of the file anywhere.
    ///
    /// # Errors
    /// Those of the writer, and [`SaveError`].
    ///
    /// ```
    /// use hitscan::saved::{Notes, Saved};
    /// use hitscan::{World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let mut bytes = Vec::new();
    /// Saved { scene: world.commit(), notes: Notes::new() }.write(&mut bytes)?;
    /// assert!(hitscan::saved::recognises(&bytes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, out: &mut impl Write) -> Result<(), SaveError> {
        write::write(&self.scene, &self.notes, out)
    }

    /// [`Scene::open`], with the notes.
    ///
    /// # Errors
    /// As [`Scene::open`].
    ///
    /// ```
    /// use hitscan::saved::{OpenError, Saved};
    /// let missing = Saved::open("there/is/no/such.hitscan");
    /// assert!(matches!(missing, Err(OpenError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound));
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Saved, OpenError> {
        read::file(&File::open(path)?)
    }

    /// The same of bytes in memory, which are copied and checked.
    ///
    /// # Errors
    /// As [`Scene::open`].
    ///
    /// ```
    /// use hitscan::saved::{Notes, Saved};
    /// use hitscan::{World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let mut bytes = Vec::new();
    /// Saved { scene: world.commit(), notes: Notes::new() }.write(&mut bytes)?;
    /// assert_eq!(Saved::read(&bytes)?.scene.iter().count(), 1);
    /// let last = bytes.len() - 1;
    /// bytes[last] ^= 1;
    /// assert!(Saved::read(&bytes).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Saved, OpenError> {
        read::bytes(bytes)
    }

    pub(crate) fn of_trusted(region: Region) -> Result<Saved, OpenError> {
        read::trusted(region)
    }
}

/// Whether bytes begin as a saved scene does.
///
/// ```
/// assert!(!hitscan::saved::recognises(b"ply\n"));
/// ```
pub fn recognises(bytes: &[u8]) -> bool {
    bytes.starts_with(&layout::MAGIC)
}

impl Scene {
    /// Writes the scene to a file, trees and all: what [`Scene::open`] and [`Scene::map`] answer for with the same bits.
    ///
    /// Kept are the instances under their names, with what they are, where they stand, masks and materials. Meshes, images and hulls that several
    /// share are written once. The instruction set is not kept. The same scene gives the same bytes, and so does a scene that was opened.
    ///
    /// The file is written beside its name, flushed to the disk and then given the name: a crash or a full disk leaves what was
    /// there before.
    ///
    /// # Errors
    /// [`SaveError`]: what the system could not do, a big-endian machine.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray, Scene, World};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("pane.hitscan");
    /// let mut world = World::new();
    /// world.insert(&Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?);
    /// let scene = world.commit();
    /// scene.save(&path)?;
    /// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])?;
    /// assert_eq!(Scene::open(&path)?.closest(&ray, &Filter::ALL), scene.closest(&ray, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        Saved { scene: self.clone(), notes: Notes::new() }.save(path)
    }

    /// Reads a saved scene into private memory, which clones of its meshes share, and checks everything before use that could make a
    /// query panic, or not end: lengths, checksums and every number that a walk is led by. The [module](crate::saved) says what is left.
    /// On all cores with the feature `rayon`. What the file becomes afterwards is of no matter.
    ///
    /// # Errors
    /// [`OpenError`]: which section of the file, what is wrong with it, and what was expected.
    ///
    /// ```
    /// use hitscan::Scene;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("none.hitscan");
    /// hitscan::World::new().commit().save(&path)?;
    /// let bytes = std::fs::read(&path)?;
    /// std::fs::write(&path, &bytes[..bytes.len() - 1])?;
    /// let error = Scene::open(&path).unwrap_err();
    /// assert_eq!(error.to_string(), "has 191 bytes; expected 192, as its header says");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Scene, OpenError> {
        Saved::open(path).map(|saved| saved.scene)
    }
}
