//! How a scene is read: what the command line says because its file does not, and what it may take.

use hitscan::{Preset, Watch};

/// How a scene is read.
///
/// Measures are those of a heightmap. A PNG holds grey values and needs both. A GeoTIFF says both itself; it needs a cell
/// where its coordinates are degrees or others than metres, of which it keeps the directions of rows and columns, and takes a
/// relief where its samples are unsigned. A measure that a file does not need is refused.
///
/// ```
/// use hitscan_io::Options;
/// let options = Options { cell: Some(30.0), relief: Some([0.0, 2500.0]), ..Options::default() };
/// let error = hitscan_io::open_with("builtin:sphere", &options).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "builtin:sphere: the size of a cell is given; only heightmaps (.png .tif .tiff) have cells"
/// );
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Distance between neighbouring samples, in metres: finite and above 0.
    pub cell: Option<f64>,
    /// Heights in metres of 0 and of the largest value that a pixel can have; the first may be the higher one.
    pub relief: Option<[f64; 2]>,
    /// How good the trees are to be; saved scenes have those that they were saved with.
    pub preset: Preset,
    /// Who watches: told of each mesh by its triangles once all are read, and within 50 ms the end where it is cancelled, but for pictures
    /// and FBX files, which are decoded first, and saved scenes, which are taken whole; of built-in scenes, once all is made, about a
    /// second for a million triangles, but for the terrain, whose making ends too.
    pub watch: Watch<'a>,
    /// The most bytes of memory that the file and what is made of it may take. A file that is larger, with those that it names, is not
    /// read, a heightmap of more samples, an image of more texels or an FBX of more memory is not decoded, and trees that would take more are not built; the error says what they need. What is in
    /// between is held to a few times the file, or to 2^22 triangles where that is more.
    pub memory: Option<u64>,
}

impl Options<'_> {
    /// Nothing is said, nobody watches, and all memory may be used: the default.
    ///
    /// ```
    /// let model = hitscan_io::open_with("builtin:sphere:1k", &hitscan_io::Options::new())?;
    /// assert_eq!(model.triangles(), hitscan_io::open("builtin:sphere:1k")?.triangles());
    /// # Ok::<(), hitscan_io::ReadError>(())
    /// ```
    pub const fn new() -> Self {
        Options { cell: None, relief: None, preset: Preset::Balanced, watch: Watch::new(), memory: None }
    }
}
