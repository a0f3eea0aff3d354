//! A mesh in a grid of cells that are inside, outside or unknown, through which a ray marches cell by cell.
//!
//! A cell that no triangle touches lies in one piece inside or outside of the mesh, and the ray passes it without a test.
//! Only in the others, which are *unknown*, are triangles tested. The cell where the ray begins comes first, so the first
//! hit that no cell ahead can beat is final.
//!
//! Sources: Amanatides, Woo, A Fast Voxel Traversal Algorithm for Ray Tracing, 1987, for the march; Sanchez-Crespo, Core
//! Techniques and Algorithms in Game Programming, 2003, chapter 22 (3DDDA), for the three kinds of cells. `march` says what
//! both leave out.
//!
//! A [`Grid`] answers with the bits of the [`Mesh`] that it was made of. It is there for those who know it by name, for
//! [`Grid::contains`], which most points answer with one look-up, and to measure the tree against, which finds the closest
//! hit faster. Its memory comes on top of the tree's, which it keeps: [`Grid::stats`] says how much. How long it
//! takes to build is for the caller to measure.

mod axes;
mod classify;
mod fill;
mod limits;
mod march;
mod overlap;

pub use limits::{GridError, GridLimits};

use alloc::vec::Vec;
use core::mem::size_of;

use crate::filter::Filter;
use crate::hit::Hit;
use crate::mesh::Mesh;
use crate::query::{AnyHit, ClosestHit, ask};
use crate::ray::Ray;
use axes::Axes;
use fill::Lists;

/// What is known of a cell of a [`Grid`].
///
/// ```
/// use hitscan::Mesh;
/// use hitscan::grid::{Cell, Grid, GridLimits};
/// let tetrahedron = Mesh::new(
///     [[0.0f32, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]],
///     [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
/// )?;
/// let grid = Grid::with_resolution(&tetrahedron, [8; 3], GridLimits::default())?;
/// let kinds = [[1.5, 1.5, 1.5], [0.5, 0.5, 0.5], [6.5, 6.5, 6.5]].map(|p| grid.cell_at(p));
/// assert_eq!(kinds, [Cell::Inside, Cell::Unknown, Cell::Outside]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// No triangle touches it, and all of it lies outside; also all that lies beyond the grid.
    Outside,
    /// No triangle touches it, and all of it lies inside of a closed mesh.
    Inside,
    /// A triangle may touch it.
    #[doc(alias = "DONT_KNOW")]
    Unknown,
}

/// A grid's size.
///
/// ```
/// use hitscan::Mesh;
/// use hitscan::grid::{Grid, GridLimits};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]], [[0u32, 1, 2]])?;
/// let stats = Grid::with_resolution(&mesh, [4, 4, 1], GridLimits::default())?.stats();
/// assert_eq!((stats.outside, stats.inside, stats.unknown), (3, 0, 13)); // corners touch on the diagonal
/// assert_eq!((stats.cells(), stats.references), (16, 13));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GridStats {
    /// Cells along x, y and z; all 0 where there is nothing to hit.
    pub resolution: [u32; 3],
    /// Cells that are known to lie outside.
    pub outside: usize,
    /// Cells that are known to lie inside.
    pub inside: usize,
    /// Cells with triangles.
    pub unknown: usize,
    /// Entries in the lists of all cells: each leaf of the mesh's tree, which holds up to eight triangles, as often as the
    /// cells that one of them touches.
    pub references: usize,
    /// Bytes of the grid's cells and lists. The mesh and its tree, which the grid shares, are not included.
    pub bytes: usize,
}

impl GridStats {
    /// Cells of all three kinds.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::grid::{Grid, GridLimits};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [[0u32, 1, 2]])?;
    /// let stats = Grid::with_resolution(&mesh, [2, 3, 4], GridLimits::default())?.stats();
    /// assert_eq!(stats.cells(), 24);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cells(&self) -> usize {
        self.outside + self.inside + self.unknown
    }
}

/// A mesh in a grid of cells. It shares the mesh's triangles.
///
/// ```
/// use hitscan::grid::{Cell, Grid};
/// use hitscan::{Filter, Mesh, Ray};
/// let tetrahedron = Mesh::new(
///     [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
///     [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
/// )?;
/// let grid = Grid::new(&tetrahedron);
/// let ray = Ray::new([0.25, 0.25, 2.0], [0.0, 0.0, -1.0])?;
/// assert_eq!(grid.closest(&ray, &Filter::ALL), tetrahedron.closest(&ray, &Filter::ALL)); // on every bit
/// assert!(grid.contains([0.2, 0.2, 0.2]) && !grid.contains([0.9, 0.9, 0.9]));
/// assert_eq!(grid.cell_at([9.0, 9.0, 9.0]), Cell::Outside);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "3DDDA")]
#[doc(alias = "voxel")]
#[derive(Clone, Debug)]
pub struct Grid {
    mesh: Mesh,
    axes: Axes,
    lists: Lists,
    /// One bit a cell: known to lie inside.
    inside: Vec<u64>,
    is_closed: bool,
}

impl Grid {
    /// The mesh in a grid of about four cells a triangle, as near to cubes as may be, at most 512 along an axis. Halved along
    /// each axis until the lists have no more than 32 entries for each leaf of the mesh's tree, so that the memory stays in
    /// proportion to the mesh whatever its triangles are like.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::grid::Grid;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [[0u32, 1, 2]])?;
    /// assert_eq!(Grid::new(&mesh).stats().resolution, [2, 2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(mesh: &Mesh) -> Grid {
        let most = fill::leaves(&mesh.data).count() * 32;
        let mut resolution = limits::resolution_for(mesh);
        loop {
            let axes = Axes::new(mesh, resolution);
            // One cell holds each leaf once, which no limit refuses.
            if let Ok(lists) = fill::fill(&mesh.data, &axes, most) {
                return Grid::of(mesh, axes, lists);
            }
            resolution = resolution.map(|cells| (cells / 2).max(1));
        }
    }

    /// The mesh in a grid of `x, y, z` cells over its bounds. Where two neighbouring planes between cells would be the same
    /// `f32`, there is one cell less, and a mesh that is flat along an axis has one cell there.
    ///
    /// # Errors
    /// [`GridError`]: an axis without cells, or more than the limits allow.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::grid::{Grid, GridLimits};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [[0u32, 1, 2]])?;
    /// assert_eq!(Grid::with_resolution(&mesh, [2, 3, 4], GridLimits::default())?.stats().resolution, [2, 3, 4]);
    /// let error = Grid::with_resolution(&mesh, [2, 0, 4], GridLimits::default()).unwrap_err();
    /// assert_eq!(error.to_string(), "resolution: 0 cells along y; a grid needs at least 1 along each axis");
    /// let few = GridLimits { cells: 20, ..GridLimits::default() };
    /// assert!(Grid::with_resolution(&mesh, [2, 3, 4], few).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_resolution(mesh: &Mesh, resolution: [u32; 3], limits: GridLimits) -> Result<Grid, GridError> {
        limits.check(resolution)?;
        let axes = Axes::new(mesh, resolution);
        let lists = fill::fill(&mesh.data, &axes, limits.references)?;
        Ok(Grid::of(mesh, axes, lists))
    }

    fn of(mesh: &Mesh, axes: Axes, lists: Lists) -> Grid {
        let is_closed = mesh.open_edge().is_none();
        let inside = classify::inside(mesh, &axes, &lists, is_closed);
        Grid { mesh: mesh.clone(), axes, lists, inside, is_closed }
    }

    /// The mesh that it was made of.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::grid::Grid;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [[0u32, 1, 2]])?;
    /// assert_eq!(Grid::new(&mesh).mesh().triangles(), [[0, 1, 2]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// How large it is.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::grid::Grid;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [[0u32, 1, 2]])?;
    /// let stats = Grid::new(&mesh).stats();
    /// assert_eq!((stats.cells(), stats.inside), (8, 0)); // one triangle encloses nothing
    /// assert!(stats.references >= 4 && stats.bytes >= 4 * (stats.cells() + stats.references));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stats(&self) -> GridStats {
        let cells = self.axes.cells();
        let unknown = (0..cells).filter(|&cell| !self.lists.is_empty(cell)).count();
        let inside = self.inside.iter().map(|bits| bits.count_ones() as usize).sum();
        GridStats {
            resolution: self.axes.resolution().map(|n| n as u32),
            outside: cells - unknown - inside,
            inside,
            unknown,
            references: self.lists.references(),
            bytes: self.lists.bytes() + self.axes.bytes() + self.inside.len() * size_of::<u64>(),
        }
    }

    /// Whether the mesh is closed: each edge, by the positions of its ends, has an even number of triangles. (Those with two
    /// corners at one position are left out.) Only a closed mesh has cells inside.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::grid::Grid;
    /// let tetrahedron = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]],
    ///     [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    /// )?;
    /// assert!(Grid::new(&tetrahedron).is_closed());
    /// let open = Mesh::new(tetrahedron.vertices().to_vec(), tetrahedron.triangles()[1..].to_vec())?;
    /// assert!(!Grid::new(&open).is_closed());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The kind of the cell that holds a point; of two cells that share it, either. Beyond the grid, and for a
    /// coordinate that is not a number, outside.
    ///
    /// An open mesh has no inside, so all its cells without triangles count as outside.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::grid::{Cell, Grid};
    /// let open = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [[0u32, 1, 2]])?;
    /// let grid = Grid::new(&open);
    /// assert_eq!(grid.cell_at([0.0, 0.0, 0.0]), Cell::Unknown); // a corner
    /// assert_eq!(grid.cell_at([0.0, 2.0, 0.0]), Cell::Outside);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cell_at(&self, point: impl Into<[f64; 3]>) -> Cell {
        match self.axes.cell_of(point.into()) {
            None => Cell::Outside,
            Some(cell) if !self.lists.is_empty(cell) => Cell::Unknown,
            Some(cell) if self.inside[cell / 64] >> (cell % 64) & 1 == 1 => Cell::Inside,
            Some(_) => Cell::Outside,
        }
    }

    /// [`Mesh::closest`] of the mesh, on every bit and for every filter, by marching through the cells. A filter's closure
    /// may be called for one triangle in several cells.
    ///
    /// ```
    /// use hitscan::grid::Grid;
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]; 2])?;
    /// let ray = Ray::new([0.25, 0.25, 2.0], [0.0, 0.0, -1.0])?;
    /// let hit = Grid::new(&mesh).closest(&ray, &Filter::ALL).unwrap();
    /// assert_eq!((hit.t, hit.prim), (2.0, 0)); // of two triangles at one t the lower
    /// assert!(Grid::new(&mesh).closest(&ray.with_range(0.0, 1.5)?, &Filter::ALL).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest(&self, ray: &Ray, filter: &Filter<'_>) -> Option<Hit> {
        ask(self, ClosestHit, ray, filter)
    }

    /// [`Mesh::occluded`] of the mesh: exactly when [`Grid::closest`] finds something.
    ///
    /// ```
    /// use hitscan::grid::Grid;
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let sight = Ray::between([0.2, 0.2, 1.0], [0.2, 0.2, -1.0])?;
    /// assert!(Grid::new(&mesh).occluded(&sight, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn occluded(&self, ray: &Ray, filter: &Filter<'_>) -> bool {
        ask(self, AnyHit, ray, filter)
    }

    /// [`Mesh::contains`] of the mesh, for every point: from the cell where that is known, else from the mesh. Points
    /// on the surface belong to it.
    ///
    /// An open mesh has no inside that cells could know, so the mesh answers, by its own definition.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// use hitscan::grid::Grid;
    /// let tetrahedron = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ///     [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    /// )?;
    /// let grid = Grid::new(&tetrahedron);
    /// assert!(grid.contains([0.1, 0.1, 0.1]) && grid.contains([0.5, 0.5, 0.0]));
    /// assert!(!grid.contains([0.5, 0.5, 1e-300]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contains(&self, point: impl Into<[f64; 3]>) -> bool {
        let point = point.into();
        match self.cell_at(point) {
            _ if !self.is_closed => self.mesh.contains(point),
            Cell::Outside => false,
            Cell::Inside => true,
            Cell::Unknown => self.mesh.contains(point),
        }
    }
}
