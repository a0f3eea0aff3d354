//! Terrain as samples of height on a grid: the answers of its triangle mesh, bit for bit, in a fraction of the memory.
//!
//! A [`Heightfield`] keeps its samples, 16 bits or `f32` each, and a pyramid of the lowest and the highest sample of blocks of
//! cells. Corners, triangles, boxes and neighbours are computed where a ray needs them, by the formulas that
//! [`Heightfield::to_mesh`] uses, and go through the same tests: so the rules at edges and corners, the order of hits and
//! the numbers of triangles are those of the mesh. Terrain of 16 bits takes about 3.2 bytes a sample, its mesh some
//! 130.
//!
//! - A cell between four samples is two triangles, split from its upper right to its lower left corner, with their fronts
//!   upwards: `2 * cell` and `2 * cell + 1`, where cells are counted row by row, `cell = row * (columns - 1) + column`. A hole
//!   keeps its two numbers, and in the mesh two triangles of one corner, which are never hit.
//! - Columns run along +X; rows along +Z where Y is up, along +Y where Z is up: see [`Up`].
//! - The outermost samples, and those around a hole, are hit, as free borders are.
//!
//! `ground` has the places and the numbering, `sample` the heights, `holes` the cells that are left out; `pyramid` makes boxes
//! of them for the walk, `block` the triangles of a leaf, and `surface` looks up single points.

mod block;
mod builder;
mod error;
mod ground;
mod holes;
mod pyramid;
mod sample;
#[cfg(feature = "std")]
mod saved;
mod search;
mod surface;
mod walk;

pub use builder::HeightfieldBuilder;
pub use error::HeightfieldError;
pub use ground::Up;
pub use sample::HeightScale;

use alloc::sync::Arc;
use core::fmt;

use crate::bvh::slab::Frame;
use crate::error::MeshError;
use crate::mesh::{MAX_TRIANGLES, Mesh};
use crate::simd::{Isa, Kernel};
use crate::stock::Stock;
use glam::Vec3;
use ground::{Ground, corners_of};
use holes::Holes;
use pyramid::Pyramid;
#[cfg(feature = "std")]
pub(crate) use pyramid::Ranges;
use sample::Sample;
#[cfg(feature = "std")]
pub(crate) use saved::{LEAST, Told, read};

/// Most samples of a [`Heightfield`] along an axis.
///
/// ```
/// use hitscan::heightfield::{Heightfield, MAX_SIDE};
/// assert!(Heightfield::builder(MAX_SIDE + 1, 2).build_f32(vec![0.0; 2 * (MAX_SIDE + 1)]).is_err());
/// ```
pub const MAX_SIDE: usize = 1 << 16;

/// Terrain: heights on a grid of samples, checked, with the pyramid that answers for them. Cheap to clone: clones share
/// everything.
///
/// It answers what it is asked about a ray as the [`Mesh`] of [`to_mesh`](Self::to_mesh) does, on every bit, and in its own frame. In a
/// [`Scene`](crate::Scene) it is met by all questions, also those that it has no method for, in the same way, except that it encloses
/// nothing: no point lies in it.
///
/// ```
/// use hitscan::heightfield::Heightfield;
/// use hitscan::{Filter, Ray};
/// // A ridge: three columns along x, two rows along z.
/// let ridge = Heightfield::builder(3, 2).build_f32([0.0, 2.0, 0.0, 0.0, 2.0, 0.0])?;
/// let ray = Ray::new([0.5, 9.0, 0.25], [0.0, -1.0, 0.0])?;
/// let hit = ridge.closest(&ray, &Filter::ALL).expect("the ground is there");
/// assert_eq!((hit.t, hit.position.y, hit.prim), (8.0, 1.0, 0));
/// assert_eq!(Some(hit), ridge.to_mesh()?.closest(&ray, &Filter::ALL));
/// assert_eq!(ridge.height_at(0.5, 0.25), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "terrain")]
#[doc(alias = "heightmap")]
#[derive(Clone)]
pub struct Heightfield {
    data: Arc<Data>,
    pub(crate) kernel: Kernel,
}

/// How much there is, not all of it.
impl fmt::Debug for Heightfield {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Heightfield")
            .field("columns", &self.data.ground.columns)
            .field("rows", &self.data.ground.rows)
            .field("up", &self.data.ground.up)
            .field("bounds", &self.bounds())
            .finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct Data {
    ground: Ground,
    holes: Holes,
    heights: Heights,
    /// The largest absolute coordinate of any corner of the mesh, also of one that no triangle uses.
    reach: f32,
    frame: Frame,
    bounds: Option<[[f32; 3]; 2]>,
}

/// Samples of either type.
#[derive(Debug)]
enum Heights {
    U16(Relief<u16>),
    F32(Relief<f32>),
}

/// Samples and what they need to be heights, with their pyramid.
#[derive(Debug)]
struct Relief<S: Sample> {
    /// Row by row.
    samples: Stock<S>,
    scale: S::Scale,
    pyramid: Pyramid<S>,
}

impl Heightfield {
    /// How many samples there are along x.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// let terrain = Heightfield::builder(3, 2).build_f32([0.0; 6])?;
    /// assert_eq!((terrain.columns(), terrain.rows()), (3, 2));
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn columns(&self) -> usize {
        self.data.ground.columns
    }

    /// How many rows of samples there are.
    ///
    /// ```
    /// let terrain = hitscan::heightfield::Heightfield::builder(3, 2).build_f32([0.0; 6])?;
    /// assert_eq!(terrain.rows(), 2);
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn rows(&self) -> usize {
        self.data.ground.rows
    }

    /// Which axis is up.
    ///
    /// ```
    /// use hitscan::heightfield::{Heightfield, Up};
    /// assert_eq!(Heightfield::builder(2, 2).build_f32([0.0; 4])?.up(), Up::Y);
    /// assert_eq!(Heightfield::builder(2, 2).up(Up::Z).build_f32([0.0; 4])?.up(), Up::Z);
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn up(&self) -> Up {
        self.data.ground.up
    }

    /// The height of one sample; `None` where it has none, and beyond the last column or row.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// let terrain = Heightfield::builder(2, 2).build_f32([5.0, 6.0, 7.0, f32::NAN])?;
    /// assert_eq!((terrain.height(1, 0), terrain.height(1, 1), terrain.height(2, 0)), (Some(6.0), None, None));
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn height(&self, column: usize, row: usize) -> Option<f32> {
        let Ground { columns, rows, .. } = self.data.ground;
        (column < columns && row < rows).then(|| self.data.heights.height(row * columns + column)).flatten()
    }

    /// Where one sample stands, in `f32`: the corner of the mesh, on every bit. `None` where it has no height, and beyond
    /// the last column or row.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// let terrain = Heightfield::builder(2, 2).spacing([0.1, 10.0]).build_f32([5.0, 6.0, 7.0, 8.0])?;
    /// assert_eq!(terrain.vertex(1, 1).unwrap().to_array(), [0.1, 8.0, 10.0]);
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn vertex(&self, column: usize, row: usize) -> Option<Vec3> {
        let height = self.height(column, row)?;
        Some(self.data.ground.point([column, row], height).into())
    }

    /// Whether a cell is left out: by its mark, or because one of its corners has no height. Beyond the last cell, all is.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// let terrain = Heightfield::builder(3, 2).build_f32([f32::NAN, 0.0, 0.0, 0.0, 0.0, 0.0])?;
    /// assert_eq!([0, 1, 2].map(|column| terrain.is_hole(column, 0)), [true, false, true]);
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn is_hole(&self, column: usize, row: usize) -> bool {
        let [across, down] = self.data.ground.cells();
        column >= across || row >= down || self.data.holes.has(self.data.ground.cell([column, row]))
    }

    /// The smallest box around all triangles, as its lowest and highest corner; `None` where all cells are holes.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// let terrain = Heightfield::builder(3, 2).holes([true, false]).build_f32([9.0, 1.0, 2.0, 9.0, 3.0, 4.0])?;
    /// let (low, high) = terrain.bounds().unwrap();
    /// assert_eq!((low.to_array(), high.to_array()), ([1.0, 1.0, 0.0], [2.0, 4.0, 1.0]));
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        self.data.bounds.map(|[low, high]| (low.into(), high.into()))
    }

    /// Bytes that it takes, samples and pyramid together. Clones share them.
    ///
    /// ```
    /// use hitscan::heightfield::{HeightScale, Heightfield};
    /// let plain = Heightfield::builder(512, 512).build_u16(vec![0; 512 * 512], HeightScale::default())?;
    /// assert!(plain.bytes() as f64 <= 3.5 * 512.0 * 512.0);
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn bytes(&self) -> usize {
        let Data { ground, holes, heights, .. } = &*self.data;
        size_of::<Data>() + ground.bytes() + holes.bytes() + heights.bytes()
    }

    /// The same terrain as a mesh: a vertex for each sample, row by row, and two triangles for each cell. A sample without a
    /// height stands at height 0 there, where nothing is hit.
    ///
    /// # Errors
    /// [`MeshError::TooManyTriangles`] beyond [`MAX_TRIANGLES`], those of 4097 x 4097 samples.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// let terrain = Heightfield::builder(3, 2).holes([false, true]).build_f32([0.0; 6])?;
    /// let mesh = terrain.to_mesh()?;
    /// assert_eq!(mesh.triangles(), [[0, 3, 1], [1, 3, 4], [1, 1, 1], [1, 1, 1]]);
    /// assert_eq!(mesh.counts().hittable(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_mesh(&self) -> Result<Mesh, MeshError> {
        let Data { ground, holes, heights, .. } = &*self.data;
        let [across, down] = ground.cells();
        let triangles = 2 * across * down;
        if triangles > MAX_TRIANGLES {
            return Err(MeshError::TooManyTriangles { triangles });
        }
        let number = |[column, row]: [usize; 2]| row * ground.columns + column;
        let samples = (0..ground.rows).flat_map(|row| (0..ground.columns).map(move |column| [column, row]));
        let vertices = samples.map(|spot| ground.point(spot, heights.height(number(spot)).unwrap_or(0.0)));
        let cells = (0..down).flat_map(|row| (0..across).map(move |column| [column, row]));
        let triangles = cells.flat_map(|cell| {
            let corners = corners_of(cell).map(|corner| number(corner) as u32);
            let is_hole = holes.has(ground.cell(cell));
            [0, 1].map(|half| if is_hole { [corners[0]; 3] } else { ground.wind(corners, half) })
        });
        let mesh = Mesh::new(vertices, triangles)?;
        Ok(Mesh { kernel: self.kernel, ..mesh })
    }

    /// The same heightfield, walked by another instruction set. The answers are the same on every bit; this is for tests
    /// and measurements. `None` where this machine does not have it.
    ///
    /// ```
    /// use hitscan::{Isa, heightfield::Heightfield};
    /// let plain = Heightfield::builder(2, 2).build_f32([0.0; 4])?.with_isa(Isa::Scalar);
    /// assert_eq!(plain.map(|terrain| terrain.isa()), Some(Isa::Scalar)); // every machine has it
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn with_isa(&self, isa: Isa) -> Option<Heightfield> {
        Some(Heightfield { data: self.data.clone(), kernel: Kernel::of(isa)? })
    }

    /// The instruction set that walks this heightfield.
    ///
    /// ```
    /// use hitscan::{Isa, heightfield::Heightfield};
    /// assert_eq!(Heightfield::builder(2, 2).build_f32([0.0; 4])?.isa(), Isa::best());
    /// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
    /// ```
    pub fn isa(&self) -> Isa {
        self.kernel.isa()
    }
}

impl Heights {
    /// The height of a sample that has one.
    fn height(&self, sample: usize) -> Option<f32> {
        match self {
            Heights::U16(relief) => relief.height(sample),
            Heights::F32(relief) => relief.height(sample),
        }
    }

    /// The lowest and the highest height of all cells, of which there is one.
    fn range(&self) -> [f32; 2] {
        let [a, b] = match self {
            Heights::U16(relief) => relief.range(),
            Heights::F32(relief) => relief.range(),
        };
        [a.min(b), a.max(b)]
    }

    fn bytes(&self) -> usize {
        match self {
            Heights::U16(relief) => relief.bytes(),
            Heights::F32(relief) => relief.bytes(),
        }
    }
}

impl<S: Sample> Relief<S> {
    fn height(&self, sample: usize) -> Option<f32> {
        let sample = self.samples[sample];
        sample.is_data(&self.scale).then(|| sample.height(&self.scale))
    }

    fn range(&self) -> [f32; 2] {
        self.pyramid.range().map(|sample| sample.height(&self.scale))
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.samples) + self.pyramid.bytes()
    }
}
