//! What the command line says about a scene because its file does not.

/// Measures of a heightmap. A PNG holds grey values and needs both. A GeoTIFF says both itself; it needs a cell
/// where its coordinates are degrees or others than metres, and takes a relief where its samples are unsigned.
/// A measure that a file does not need is refused.
///
/// ```
/// let options = hitscan_io::Options { cell: Some(30.0), relief: Some([0.0, 2500.0]) };
/// let error = hitscan_io::open_with("builtin:sphere", &options).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "builtin:sphere: the size of a cell is given; only heightmaps (.png .tif .tiff) have cells"
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Distance between neighbouring samples, in metres: finite and above 0.
    pub cell: Option<f64>,
    /// Heights in metres of 0 and of the largest value that a pixel can have; the first may be the higher one.
    pub relief: Option<[f64; 2]>,
}
