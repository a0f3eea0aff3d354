//! From what a user types to a model: the format by extension or by the first bytes, and the bytes.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

use hitscan::Build;

#[cfg(feature = "fbx")]
use crate::fbx;
use crate::model::{Model, Parts};
use crate::reading::Reading;
use crate::{Options, ReadError, builtin, gltf, heightmap, obj, off, ply, saved, stl};

/// Reads a whole file, given as bytes so that they can be dropped as soon as they are not needed.
#[derive(Clone, Copy)]
enum Reader {
    Mesh(fn(&Reading<'_>, Vec<u8>) -> Result<Parts, ReadError>),
    /// Has its trees already; gives its lists to those who want them.
    Saved,
    /// Takes what the command line says about heightmaps.
    Heights(fn(&Reading<'_>, Vec<u8>, &Options<'_>) -> Result<Parts, ReadError>),
}

/// A format that is read.
struct Format {
    /// In lower case.
    extensions: &'static [&'static str],
    reader: Reader,
    /// Whether a file that begins like this is of the format.
    recognises: fn(&[u8]) -> bool,
}

/// In the order in which errors list them, and in which bytes without a name are tried.
const FORMATS: &[Format] = &[
    Format { extensions: &["gltf", "glb"], reader: Reader::Mesh(gltf::read), recognises: gltf::recognises },
    Format { extensions: &["hitscan"], reader: Reader::Saved, recognises: saved::recognises },
    Format { extensions: &["ply"], reader: Reader::Mesh(ply::read), recognises: ply::recognises },
    Format { extensions: &["off"], reader: Reader::Mesh(off::read), recognises: off::recognises },
    Format {
        extensions: &["png"],
        reader: Reader::Heights(heightmap::read_png),
        recognises: heightmap::recognises_png,
    },
    Format {
        extensions: &["tif", "tiff"],
        reader: Reader::Heights(heightmap::read_geotiff),
        recognises: heightmap::recognises_geotiff,
    },
    #[cfg(feature = "fbx")]
    Format { extensions: &["fbx"], reader: Reader::Mesh(fbx::read), recognises: fbx::recognises },
    // Its binary kind is known by its length alone: behind those that begin with a name.
    Format { extensions: &["stl"], reader: Reader::Mesh(stl::read), recognises: stl::recognises },
    // Last: text of any kind could be OBJ.
    Format { extensions: &["obj"], reader: Reader::Mesh(obj::read), recognises: |_| true },
];

/// Reads a scene, by its path or its name: a file whose extension says the format (`.gltf .glb .hitscan .ply .off .png .tif .tiff .stl .obj`, in
/// any case, and `.fbx` with the feature `fbx`), or `builtin:NAME[:SIZE]`.
///
/// Trees are built on all cores; the model does not depend on how many there are.
///
/// ```
/// let error = hitscan_io::open("attic.glb").unwrap_err();
/// assert_eq!(error.to_string(), "attic.glb: no such file; a scene is a file or builtin:NAME");
/// ```
///
/// # Errors
/// See [`ReadError`]; a scene that no ray can hit is one.
pub fn open(scene: impl AsRef<OsStr>) -> Result<Model, ReadError> {
    open_with(scene, &Options::default())
}

/// [`open`], with what the file does not say.
///
/// # Errors
/// As [`open`], and for options that do not concern this scene.
///
/// ```
/// use hitscan_io::{Options, open_with};
/// let little = Options { memory: Some(1 << 20), ..Options::new() };
/// assert!(open_with("builtin:sphere:1k", &little).is_ok());
/// assert!(open_with("builtin:sphere:1M", &little).is_err()); // and says what it would take
/// ```
pub fn open_with(scene: impl AsRef<OsStr>, options: &Options<'_>) -> Result<Model, ReadError> {
    let path = Path::new(scene.as_ref());
    if let Some(name_and_size) = built_in(path) {
        return made(name_and_size, path, options)?.build(path, options);
    }
    let (reader, length) = reader_of(path)?;
    match reader {
        Reader::Saved => {
            refuse_options(path, options)?;
            Reading::new(path, options).check_memory("the file takes", length)?;
            saved::open(path)
        }
        reader => draft_of(reader, path, length, options)?.build(path, options),
    }
}

/// [`open_with`] without the trees: what [`Parts::build`] makes a model of. Of what is built in, the lists of its meshes.
///
/// ```
/// let parts = hitscan_io::draft("builtin:sphere:1k", &hitscan_io::Options::default())?;
/// assert_eq!((parts.drafts.len(), parts.nodes.len()), (1, 1));
/// # Ok::<(), hitscan_io::ReadError>(())
/// ```
///
/// # Errors
/// As [`open_with`], except that parts without a triangle to hit are no error.
pub fn draft(scene: impl AsRef<OsStr>, options: &Options<'_>) -> Result<Parts, ReadError> {
    let path = Path::new(scene.as_ref());
    if let Some(name_and_size) = built_in(path) {
        return made(name_and_size, path, options);
    }
    let (reader, length) = reader_of(path)?;
    draft_of(reader, path, length, options)
}

/// The lists of a scene that is made by code, where there is memory for it.
fn made(name_and_size: &str, path: &Path, options: &Options<'_>) -> Result<Parts, ReadError> {
    refuse_options(path, options)?;
    let triangles = builtin::triangles(name_and_size);
    let needs = triangles.map_or(0, |triangles| Build::bytes_for(3 * triangles, triangles));
    Reading::new(path, options).check_memory("the scene and its trees take", needs)?;
    builtin::parts(name_and_size, options.watch)
}

/// The name and the size of a scene that is no file.
fn built_in(scene: &Path) -> Option<&str> {
    scene.to_str()?.strip_prefix("builtin:")
}

/// The reader of a file that is there, and how many bytes it has.
fn reader_of(path: &Path) -> Result<(Reader, u64), ReadError> {
    // A misspelt name is a missing file first, whatever its extension.
    let metadata = fs::metadata(path).map_err(|source| missing(path, source))?;
    if metadata.is_dir() {
        return Err(missing(path, io::ErrorKind::IsADirectory.into()));
    }
    by_extension(path).map(|reader| (reader, metadata.len())).ok_or_else(|| unread(path))
}

fn draft_of(reader: Reader, path: &Path, length: u64, options: &Options<'_>) -> Result<Parts, ReadError> {
    let failed = |source| missing(path, source);
    let file = fs::File::open(path).map_err(failed)?;
    run(reader, path, Reading::new(path, options).bytes(file, length, 0, failed)?, options)
}

fn missing(path: &Path, source: io::Error) -> ReadError {
    ReadError::io(path, "a scene is a file or builtin:NAME", source)
}

/// Whether the name of a scene is that of a saved one, which has its trees.
///
/// ```
/// assert!(hitscan_io::is_saved("town.hitscan") && !hitscan_io::is_saved("town.glb"));
/// ```
pub fn is_saved(scene: impl AsRef<OsStr>) -> bool {
    matches!(by_extension(Path::new(scene.as_ref())), Some(Reader::Saved))
}

/// Whether the name of a scene is that of a heightmap, whose cells [`Options`] can measure.
///
/// ```
/// assert!(hitscan_io::has_cells("map.TIF") && !hitscan_io::has_cells("part.obj"));
/// ```
pub fn has_cells(scene: impl AsRef<OsStr>) -> bool {
    matches!(by_extension(Path::new(scene.as_ref())), Some(Reader::Heights(_)))
}

/// [`has_cells`] of bytes that are not a file: their beginning says it, as it does for [`read`].
///
/// ```
/// assert!(hitscan_io::bytes_have_cells(b"\x89PNG\r\n\x1a\n...") && !hitscan_io::bytes_have_cells(b"v 0 0 0"));
/// ```
pub fn bytes_have_cells(bytes: &[u8]) -> bool {
    matches!(by_beginning(bytes), Some(Reader::Heights(_)))
}

/// Makes a model of bytes that are not a file: their beginning says the format. `name` is what errors call them.
///
/// ```
/// let bytes = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n".to_vec();
/// let error = hitscan_io::read("standard input", bytes, &hitscan_io::Options::default()).unwrap_err();
/// let expected = "standard input:4: face names vertex 9, the file has 3 so far; vertices count from 1, or backwards from -1";
/// assert_eq!(error.to_string(), expected);
/// ```
///
/// # Errors
/// As [`open_with`].
pub fn read(name: &str, bytes: Vec<u8>, options: &Options<'_>) -> Result<Model, ReadError> {
    let path = Path::new(name);
    if let Some(Reader::Saved) = by_beginning(&bytes) {
        refuse_options(path, options)?;
        return saved::read(path, &bytes);
    }
    parse(name, bytes, options)?.build(path, options)
}

/// [`read`] without the trees: for those who want a file's triangles and not its answers to rays.
///
/// ```
/// let bytes = b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n".to_vec();
/// let parts = hitscan_io::parse("pane", bytes, &hitscan_io::Options::default())?;
/// assert_eq!(parts.drafts[0].triangles, [[0, 1, 2]]);
/// assert_eq!(parts.drafts[0].vertices[1], [1.0, 0.0, 0.0]);
/// # Ok::<(), hitscan_io::ReadError>(())
/// ```
///
/// # Errors
/// As [`open_with`], except that parts without a triangle to hit are no error.
pub fn parse(name: &str, bytes: Vec<u8>, options: &Options<'_>) -> Result<Parts, ReadError> {
    let path = Path::new(name);
    let reader = by_beginning(&bytes).ok_or_else(|| ReadError::UnknownFormat { path: path.into() })?;
    run(reader, path, bytes, options)
}

fn run(reader: Reader, path: &Path, bytes: Vec<u8>, options: &Options<'_>) -> Result<Parts, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::invalid(path, "the file is empty", "a scene needs a triangle with an area"));
    }
    let reading = &Reading::new(path, options);
    reading.go_on(0)?;
    match reader {
        Reader::Saved => {
            refuse_options(path, options)?;
            saved::read(path, &bytes).map(Model::into_parts)
        }
        Reader::Mesh(read) => {
            refuse_options(path, options)?;
            read(reading, bytes)
        }
        Reader::Heights(read) => read(reading, bytes, options),
    }
}

/// For scenes that are no heightmaps.
fn refuse_options(path: &Path, options: &Options<'_>) -> Result<(), ReadError> {
    let given = match options {
        Options { cell: Some(_), .. } => "the size of a cell is given",
        Options { relief: Some(_), .. } => "a relief is given",
        Options { cell: None, relief: None, .. } => return Ok(()),
    };
    Err(ReadError::invalid(path, given, "only heightmaps (.png .tif .tiff) have cells"))
}

/// Why there is no reader for this name.
fn unread(path: &Path) -> ReadError {
    let has = |known: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(known));
    if has("fbx") {
        let remedy = "install with --features fbx, or convert the file to glTF".to_owned();
        return ReadError::NotBuiltIn { path: path.into(), format: "FBX", remedy };
    }
    if has("3mf") {
        let remedy = "convert the file to glTF".to_owned();
        return ReadError::Unsupported { path: path.into(), feature: "3MF".to_owned(), remedy };
    }
    ReadError::UnknownFormat { path: path.into() }
}

/// `.gltf .glb .ply`
pub(crate) fn known_extensions() -> String {
    let extensions = FORMATS.iter().flat_map(|format| format.extensions);
    extensions.map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(" ")
}

fn by_extension(path: &Path) -> Option<Reader> {
    let extension = path.extension()?;
    let known =
        |format: &&Format| format.extensions.iter().any(|known| extension.eq_ignore_ascii_case(known));
    FORMATS.iter().find(known).map(|format| format.reader)
}

fn by_beginning(bytes: &[u8]) -> Option<Reader> {
    FORMATS.iter().find(|format| (format.recognises)(bytes)).map(|format| format.reader)
}
