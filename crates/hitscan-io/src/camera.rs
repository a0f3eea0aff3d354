//! Camera files: ten numbers.

use std::fs;
use std::path::Path;

use hitscan::Camera;

use crate::ReadError;
use crate::error::quoted;

/// What a camera file holds, in order.
const NUMBERS: &str =
    "a camera is ten numbers: eye x y z, forward x y z, up x y z, vertical field of view in degrees";

/// Reads a `.cam` file: ten numbers between blanks or line ends, eye, forward and up as `x y z` each, then the
/// vertical field of view in degrees.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("hitscan-io-doc-{}.cam", std::process::id()));
/// std::fs::write(&path, "0 1.8 5  0 0 -1  0 1 0  90")?;
/// let camera = hitscan_io::read_camera(&path)?;
/// assert_eq!(camera.eye().to_array(), [0.0, 1.8, 5.0]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ReadError::Io`], [`ReadError::Syntax`] for a word that is not a number, [`ReadError::Invalid`] for more
/// or fewer than ten, [`ReadError::Camera`] for numbers that make no camera.
pub fn read_camera(path: &Path) -> Result<Camera, ReadError> {
    let bytes = fs::read(path).map_err(|source| ReadError::io(path, NUMBERS, source))?;
    let mut numbers: Vec<f64> = Vec::new();
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        for word in text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            let number = str::from_utf8(word).ok().and_then(|word| word.parse().ok());
            let not_one =
                || ReadError::syntax(path, line, format!("{} is not a number", quoted(word)), NUMBERS);
            numbers.push(number.ok_or_else(not_one)?);
        }
    }
    let Ok([ex, ey, ez, fx, fy, fz, ux, uy, uz, fov]) = <[f64; 10]>::try_from(numbers.as_slice()) else {
        return Err(ReadError::invalid(path, format!("{} numbers", numbers.len()), NUMBERS));
    };
    Camera::new([ex, ey, ez], [fx, fy, fz], [ux, uy, uz], fov).map_err(|source| ReadError::Camera {
        path: path.into(),
        camera: None,
        source,
    })
}
