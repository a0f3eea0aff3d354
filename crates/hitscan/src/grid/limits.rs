//! How fine a grid may be, and why one is refused.

use thiserror::Error;

use crate::mesh::Mesh;

/// How much a [`Grid`](super::Grid) of a given resolution may take.
///
/// ```
/// use hitscan::grid::GridLimits;
/// assert_eq!(GridLimits::default(), GridLimits { cells: 1 << 26, references: 1 << 28 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridLimits {
    /// Cells, each of about 4 bytes. At most 2^32 - 2, whatever is asked for.
    pub cells: usize,
    /// Entries in the lists of all cells, each of 4 bytes: see [`GridStats::references`](super::GridStats::references). At
    /// most 2^32 - 1, whatever is asked for.
    pub references: usize,
}

impl Default for GridLimits {
    fn default() -> GridLimits {
        GridLimits { cells: 1 << 26, references: 1 << 28 }
    }
}

/// Why a [`Grid`](super::Grid) was refused.
///
/// ```
/// use hitscan::Mesh;
/// use hitscan::grid::{Grid, GridError, GridLimits};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [[0u32, 1, 2]])?;
/// let few = GridLimits { cells: 20, ..GridLimits::default() };
/// let error = Grid::with_resolution(&mesh, [2, 3, 4], few).unwrap_err();
/// assert_eq!(error, GridError::TooManyCells { resolution: [2, 3, 4], limit: 20 });
/// assert_eq!(error.to_string(), "resolution: 2 x 3 x 4 cells; the limit is 20");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum GridError {
    /// No cells along an axis.
    #[error("resolution: 0 cells along {axis}; a grid needs at least 1 along each axis")]
    NoCells {
        /// `x`, `y` or `z`.
        axis: char,
    },
    /// More cells than the limit.
    #[error("resolution: {} x {} x {} cells; the limit is {limit}", .resolution[0], .resolution[1], .resolution[2])]
    TooManyCells {
        /// What was asked for.
        resolution: [u32; 3],
        /// The limit that it exceeds.
        limit: usize,
    },
    /// The lists of the cells would be longer than the limit.
    #[error("grid: its lists would have more than {limit} entries; a coarser resolution needs fewer")]
    TooManyReferences {
        /// The limit that they exceed.
        limit: usize,
    },
}

impl GridLimits {
    pub(super) fn check(&self, resolution: [u32; 3]) -> Result<(), GridError> {
        for (axis, cells) in ['x', 'y', 'z'].into_iter().zip(resolution) {
            if cells == 0 {
                return Err(GridError::NoCells { axis });
            }
        }
        // Cells are numbered, and their lists end one number later.
        let limit = self.cells.min(u32::MAX as usize - 1);
        let cells: u128 = resolution.into_iter().map(u128::from).product();
        if cells > limit as u128 { Err(GridError::TooManyCells { resolution, limit }) } else { Ok(()) }
    }
}

/// Most cells along an axis that are chosen without being asked for.
const MOST: f64 = 512.0;

/// Cells a triangle.
const DENSITY: f64 = 4.0;

/// About [`DENSITY`] cells for each triangle that can be hit.
pub(super) fn resolution_for(mesh: &Mesh) -> [u32; 3] {
    let Some((low, high)) = mesh.bounds() else { return [1; 3] };
    let size = high.as_dvec3() - low.as_dvec3();
    // Sides of a box of the same shape with the longest 1; what is flatter than a cell would be is as good as a cell.
    let sides = (size / size.max_element()).max(glam::DVec3::splat(1.0 / MOST)).to_array();
    let cells = DENSITY * mesh.counts().hittable() as f64;
    let scale = libm::cbrt(cells / (sides[0] * sides[1] * sides[2]));
    sides.map(|side| libm::round(side * scale).clamp(1.0, MOST) as u32)
}
