//! Where the cells are: the planes between them along each axis.

use alloc::vec::Vec;

use crate::mesh::Mesh;

/// The planes along x, y and z, ascending, of which two neighbours bound a layer of cells. They are `f32`, so that a ray
/// meets them where it meets the boxes of a tree. No planes for a mesh without triangles to hit.
#[derive(Clone, Debug, Default)]
pub(super) struct Axes {
    planes: [Vec<f32>; 3],
    /// Layers along each axis.
    resolution: [usize; 3],
}

impl Axes {
    /// At most this many layers between the lowest and the highest coordinate of the mesh.
    pub fn new(mesh: &Mesh, resolution: [u32; 3]) -> Axes {
        let Some((low, high)) = mesh.bounds() else { return Axes::default() };
        let planes: [Vec<f32>; 3] = core::array::from_fn(|axis| {
            let (low, high, layers) = (low[axis], high[axis], resolution[axis]);
            let step = (f64::from(high) - f64::from(low)) / f64::from(layers);
            let mut planes = Vec::new();
            planes.push(low);
            let between = (1..layers).map(|layer| (f64::from(low) + f64::from(layer) * step) as f32);
            for plane in between {
                if planes.last().is_some_and(|&last| last < plane) && plane < high {
                    planes.push(plane);
                }
            }
            planes.push(high);
            planes
        });
        let resolution = [0, 1, 2].map(|axis: usize| planes[axis].len() - 1);
        Axes { planes, resolution }
    }

    /// Layers along each axis.
    pub fn resolution(&self) -> [usize; 3] {
        self.resolution
    }

    pub fn cells(&self) -> usize {
        self.resolution().into_iter().product()
    }

    pub fn planes(&self, axis: usize) -> &[f32] {
        &self.planes[axis]
    }

    /// The number of a cell: x runs fastest.
    #[inline(always)]
    pub fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        let [nx, ny, _] = self.resolution;
        (z * ny + y) * nx + x
    }

    /// The layers of a cell.
    pub fn layers(&self, cell: usize) -> [usize; 3] {
        let [nx, ny, _] = self.resolution;
        [cell % nx, cell / nx % ny, cell / nx / ny]
    }

    /// A cell that holds a point, surface included; none beyond the grid.
    pub fn cell_of(&self, point: [f64; 3]) -> Option<usize> {
        let mut layers = [0; 3];
        for axis in 0..3 {
            let planes = &self.planes[axis];
            let (&low, &high) = (planes.first()?, planes.last()?);
            let is_within = f64::from(low) <= point[axis] && point[axis] <= f64::from(high);
            if !is_within {
                return None; // also what is not a number
            }
            let below = planes.partition_point(|&plane| f64::from(plane) <= point[axis]);
            layers[axis] = below.saturating_sub(1).min(planes.len() - 2);
        }
        Some(self.number(layers))
    }

    /// The middle of a cell.
    pub fn middle(&self, cell: usize) -> [f64; 3] {
        let layers = self.layers(cell);
        core::array::from_fn(|axis| {
            let [low, high] = [0, 1].map(|side: usize| f64::from(self.planes[axis][layers[axis] + side]));
            low + (high - low) * 0.5
        })
    }

    pub fn bytes(&self) -> usize {
        self.planes.iter().map(|planes| planes.len() * size_of::<f32>()).sum()
    }
}
