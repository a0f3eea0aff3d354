//! The collision matrices of a whole mesh, as columns.

use alloc::vec::Vec;

use glam::Vec3;

use super::super::TriangleHit;
use super::super::columns::{BlockTest, HitColumns, Lane, Precision, dot, visit};
use super::motion::{Motion, in_range};
use super::path::{Ends, Path};
use super::{CollisionError, CollisionMatrix};
use crate::mesh::Mesh;
use crate::shape::Triangle;
use crate::simd::lanes::Lanes;
use crate::simd::{Kernel, Task};
use crate::transform::Transform;

/// Up to `N` collision matrices, a column for each entry; lanes without one are never hit.
///
/// ```
/// use hitscan::intersect::{CollisionMatrix, MatrixColumns, Segment, ray_triangles_collision_matrix};
/// use hitscan::shape::Triangle;
/// let pane = CollisionMatrix::new(&Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?)?;
/// let block = MatrixColumns::<f32, 8>::new(&[pane]);
/// let path = Segment::new([1.0, 2.0, 3.0], [1.0, 2.0, -1.0])?;
/// ray_triangles_collision_matrix(&path, &[block], |_, hits| {
///     assert_eq!(hits.get(0).map(|hit| hit.t), Some(0.75));
///     assert!(hits.get(1).is_none());
/// });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixColumns<T, const N: usize> {
    /// `rows[row][column][lane]`.
    rows: [[[T; N]; 3]; 3],
    det: [T; N],
    anchor: [[T; N]; 3],
}

impl<T: Precision, const N: usize> MatrixColumns<T, N> {
    /// The first `N` of these matrices, each entry rounded to the nearest `T`.
    ///
    /// ```
    /// use hitscan::intersect::MatrixColumns;
    /// assert_eq!(MatrixColumns::<f64, 16>::new(&[]), MatrixColumns::new(&[]));
    /// ```
    pub fn new(matrices: &[CollisionMatrix]) -> Self {
        let none = [T::default(); N];
        let mut columns = MatrixColumns { rows: [[none; 3]; 3], det: none, anchor: [none; 3] };
        for (lane, matrix) in matrices.iter().take(N).enumerate() {
            columns.set(lane, matrix.rows, matrix.anchor);
            columns.det[lane] = T::nearest(matrix.det);
        }
        columns
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, rows: [[f64; 3]; 3], anchor: [f64; 3]) {
        for axis in 0..3 {
            for row in 0..3 {
                self.rows[row][axis][lane] = T::nearest(rows[row][axis]);
            }
            self.anchor[axis][lane] = T::nearest(anchor[axis]);
        }
    }

    #[inline(always)]
    fn row(&self, row: usize, lane: usize) -> [T; 3] {
        // Through references: by value whole columns would be copied for each lane.
        let [x, y, z] = &self.rows[row];
        [x[lane], y[lane], z[lane]]
    }

    #[inline(always)]
    fn anchor(&self, lane: usize) -> [T; 3] {
        let [x, y, z] = &self.anchor;
        [x[lane], y[lane], z[lane]]
    }
}

/// [`CollisionMatrix::hit`] for `N` triangles at once, block after block; `each` gets the number of the block and
/// what was found in it. Lanes of `f64` hold the same bits. A block whose triangles all lie beside their planes'
/// crossings of the path is left after the third coordinates.
///
/// ```
/// use hitscan::intersect::{CollisionMatrix, MatrixColumns, ray_triangles_collision_matrix};
/// use hitscan::shape::Triangle;
/// use hitscan::Ray;
/// let pane = CollisionMatrix::new(&Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?)?;
/// let blocks = [MatrixColumns::<f64, 16>::new(&[pane; 16]), MatrixColumns::new(&[pane; 3])];
/// let mut count = 0;
/// ray_triangles_collision_matrix(&Ray::new([1.0; 3], [0.0, 0.0, -1.0])?, &blocks, |_, hits| {
///     count += hits.iter().count();
/// });
/// assert_eq!(count, 19);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ray_triangles_collision_matrix<T: Precision, const N: usize>(
    path: &impl Path,
    blocks: &[MatrixColumns<T, N>],
    each: impl FnMut(usize, &HitColumns<T, N>),
) {
    visit::<Heights, _, _, _, N>(&path.ends(), blocks, each);
}

struct Heights;

impl<T: Precision, const N: usize> BlockTest<Ends<T>, MatrixColumns<T, N>, T, N> for Heights {
    #[inline(always)]
    fn test(ends: &Ends<T>, block: &MatrixColumns<T, N>) -> HitColumns<T, N> {
        let mut hits = HitColumns::miss();
        let (mut start_z, mut end_z, mut t) = ([T::default(); N], [T::default(); N], [T::INFINITY; N]);
        for lane in 0..N {
            let (start, end) = ends.seen_from(block.anchor(lane));
            let row = block.row(2, lane);
            (start_z[lane], end_z[lane]) = (dot(row, start), dot(row, end));
            let at = start_z[lane] / ends.side(start_z[lane], end_z[lane]);
            let crosses = ends.may_cross(start_z[lane], end_z[lane]) & ends.admits(at);
            t[lane] = if crosses { at } else { T::INFINITY };
        }
        if t.iter().all(|&t| t == T::INFINITY) {
            return hits;
        }
        for lane in 0..N {
            let (start, end) = ends.seen_from(block.anchor(lane));
            let side = ends.side(start_z[lane], end_z[lane]);
            let sign = if side < T::default() { -T::ONE } else { T::ONE };
            let along = |row: [T; 3]| (dot(row, end) * start_z[lane] - dot(row, start) * end_z[lane]) * sign;
            let (u, v) = (along(block.row(0, lane)), along(block.row(1, lane)));
            let det = side * sign * block.det[lane];
            let zero = T::default();
            // Sound: neither overflowed nor, with the weights, underflowed to 0.
            let sound = (det > zero) & (det <= T::MAX);
            let inside = (u >= zero) & (v >= zero) & (u + v <= det) & sound;
            let t = if inside { t[lane] } else { T::INFINITY };
            hits.set(lane, Lane { t, u, v, side: det * sign });
        }
        hits
    }
}

/// The collision matrices of a list of triangles, `N` in a block: kept with a model, moved with its object, asked
/// `N` at a time.
///
/// ```
/// use hitscan::intersect::{CollisionMatrices, Segment};
/// use hitscan::shape::Triangle;
/// use hitscan::Transform;
/// let wall = |x: f64| Triangle::new([x, 0.0, 0.0], [x, 8.0, 0.0], [x, 0.0, 8.0]);
/// let model = CollisionMatrices::<8>::new(&[wall(0.0)?, wall(2.0)?])?;
/// let placed = model.moved(&Transform::translation([10.0, 0.0, 0.0])?)?;
/// let shot = Segment::new([20.0, 2.0, 2.0], [0.0, 2.0, 2.0])?;
/// let (triangle, hit) = placed.closest(&shot, |_, _, _| true).expect("it goes through both");
/// assert_eq!((triangle, hit.t), (1, 0.4));
/// // A hole where the first corner weighs less than a half: a look-up in a texture, say.
/// let with_hole = |triangle: usize, u: f64, v: f64| !(triangle == 1 && u + v >= 0.5);
/// assert_eq!(placed.closest(&shot, with_hole).map(|(triangle, _)| triangle), Some(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionMatrices<const N: usize = 8> {
    blocks: Vec<MatrixColumns<f64, N>>,
    len: usize,
}

impl<const N: usize> CollisionMatrices<N> {
    /// The matrices of these triangles.
    ///
    /// # Errors
    /// [`CollisionError::Degenerate`], with the number of the first such triangle.
    ///
    /// ```
    /// use hitscan::intersect::{CollisionError, CollisionMatrices};
    /// use hitscan::shape::Triangle;
    /// let pane = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
    /// let line = Triangle::new([0.0; 3], [1.0; 3], [2.0; 3])?;
    /// let refused = CollisionMatrices::<16>::new(&[pane, pane, line]);
    /// assert_eq!(refused, Err(CollisionError::Degenerate { triangle: 2 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(triangles: &[Triangle]) -> Result<Self, CollisionError> {
        let numbered = triangles.iter().enumerate();
        let matrix = |(index, triangle): (usize, &Triangle)| {
            CollisionMatrix::of(triangle.corners()).ok_or(CollisionError::Degenerate { triangle: index })
        };
        Ok(Self::of(&numbered.map(matrix).collect::<Result<Vec<_>, _>>()?))
    }

    /// The matrices of the triangles of a mesh, in their order, and the numbers of those without an area, which are
    /// never hit.
    ///
    /// ```
    /// use hitscan::intersect::{CollisionMatrices, Segment};
    /// use hitscan::Mesh;
    /// let corners = [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [2.0, 0.0, 0.0]];
    /// let mesh = Mesh::new(corners, [[0u32, 1, 3], [0, 1, 2]])?;
    /// let (matrices, without_area) = CollisionMatrices::<8>::from_mesh(&mesh);
    /// assert_eq!(without_area, [0]);
    /// let shot = Segment::new([1.0, 2.0, 3.0], [1.0, 2.0, -1.0])?;
    /// assert_eq!(matrices.closest(&shot, |_, _, _| true).map(|(triangle, _)| triangle), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_mesh(mesh: &Mesh) -> (Self, Vec<usize>) {
        let corner = |index: u32| Vec3::from(mesh.vertices()[index as usize]).as_dvec3();
        let matrices: Vec<Option<CollisionMatrix>> =
            mesh.triangles().iter().map(|corners| CollisionMatrix::of(corners.map(corner))).collect();
        let numbered = matrices.iter().enumerate();
        let without_area = numbered.filter(|(_, matrix)| matrix.is_none()).map(|(index, _)| index).collect();
        let filled: Vec<CollisionMatrix> =
            matrices.into_iter().map(|matrix| matrix.unwrap_or(CollisionMatrix::GAP)).collect();
        (Self::of(&filled), without_area)
    }

    fn of(matrices: &[CollisionMatrix]) -> Self {
        const { assert!(N > 0, "a block needs lanes") };
        CollisionMatrices {
            blocks: matrices.chunks(N).map(MatrixColumns::new).collect(),
            len: matrices.len(),
        }
    }

    /// How many triangles there are.
    ///
    /// ```
    /// use hitscan::intersect::CollisionMatrices;
    /// use hitscan::shape::Triangle;
    /// let pane = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
    /// assert_eq!(CollisionMatrices::<8>::new(&[pane; 20])?.len(), 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    ///
    /// ```
    /// use hitscan::intersect::CollisionMatrices;
    /// use hitscan::shape::Triangle;
    /// let pane = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
    /// assert!(CollisionMatrices::<8>::new(&[])?.is_empty());
    /// assert!(!CollisionMatrices::<8>::new(&[pane])?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The matrices, `N` in a block; number `i` is lane `i % N` of block `i / N`.
    ///
    /// ```
    /// use hitscan::intersect::{CollisionMatrices, Segment, ray_triangles_collision_matrix};
    /// use hitscan::shape::Triangle;
    /// let pane = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
    /// let model = CollisionMatrices::<8>::new(&[pane; 20])?;
    /// assert_eq!(model.blocks().len(), 3);
    /// let mut hits = 0;
    /// let path = Segment::new([0.25, 0.25, 1.0], [0.25, 0.25, -1.0])?;
    /// ray_triangles_collision_matrix(&path, model.blocks(), |_, found| hits += found.iter().count());
    /// assert_eq!(hits, 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn blocks(&self) -> &[MatrixColumns<f64, N>] {
        &self.blocks
    }

    /// The first triangle along a path whose crossing counts, and where it is crossed; at equal `t` the lower
    /// number wins. `counts` gets the number of a triangle and `u` and `v` of a crossing, and answers false where
    /// there is a hole. It may be asked about crossings further along than the answer.
    ///
    /// ```
    /// use hitscan::intersect::{CollisionMatrices, Segment};
    /// use hitscan::shape::Triangle;
    /// let fence = Triangle::new([0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0])?;
    /// let fences = CollisionMatrices::<8>::new(&[fence])?;
    /// let solid = |_: usize, u: f64, _: f64| (u * 8.0).fract() < 0.5; // boards along an edge, as wide as their gaps
    /// let through = |x: f64| Segment::new([x, 1.0, 1.0], [x, 1.0, -1.0]);
    /// assert!(fences.closest(&through(2.25)?, solid).is_some());
    /// assert!(fences.closest(&through(2.75)?, solid).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest(
        &self,
        path: &impl Path,
        mut counts: impl FnMut(usize, f64, f64) -> bool,
    ) -> Option<(usize, TriangleHit)> {
        let mut best: Option<(usize, TriangleHit)> = None;
        ray_triangles_collision_matrix(path, &self.blocks, |block, hits| {
            for (lane, &t) in hits.t().iter().enumerate() {
                if t < best.map_or(f64::INFINITY, |(_, hit)| hit.t)
                    && let Some(hit) = hits.get(lane)
                    && counts(block * N + lane, hit.u, hit.v)
                {
                    best = Some((block * N + lane, hit));
                }
            }
        });
        best
    }

    /// All crossings that count, in order of `t`, and at equal `t` of the triangles' numbers; `counts` is that of
    /// [`CollisionMatrices::closest`].
    ///
    /// ```
    /// use hitscan::intersect::{CollisionMatrices, Segment};
    /// use hitscan::shape::Triangle;
    /// let wall = |x: f64| Triangle::new([x, 0.0, 0.0], [x, 8.0, 0.0], [x, 0.0, 8.0]);
    /// let walls = CollisionMatrices::<8>::new(&[wall(3.0)?, wall(1.0)?, wall(4.0)?])?;
    /// let shot = Segment::new([0.0, 2.0, 2.0], [4.0, 2.0, 2.0])?; // ends on the last wall
    /// let hits = walls.all_hits(&shot, |_, _, _| true);
    /// let found: Vec<(usize, f64)> = hits.iter().map(|(triangle, hit)| (*triangle, hit.t)).collect();
    /// assert_eq!(found, [(1, 0.25), (0, 0.75), (2, 1.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all_hits(
        &self,
        path: &impl Path,
        mut counts: impl FnMut(usize, f64, f64) -> bool,
    ) -> Vec<(usize, TriangleHit)> {
        let mut found = Vec::new();
        ray_triangles_collision_matrix(path, &self.blocks, |block, hits| {
            let numbered = hits.iter().map(|(lane, hit)| (block * N + lane, hit));
            found.extend(numbered.filter(|(triangle, hit)| counts(*triangle, hit.u, hit.v)));
        });
        // Stable: equal `t` stay in the order of the triangles.
        found.sort_by(|(_, a), (_, b)| a.t.total_cmp(&b.t));
        found
    }

    /// The matrices of the triangles that a placement has moved: [`CollisionMatrix::moved`] for all, bit for bit.
    ///
    /// # Errors
    /// Those of [`CollisionMatrix::moved`], with the number of the first triangle.
    ///
    /// ```
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::intersect::CollisionMatrices;
    /// use hitscan::shape::Triangle;
    /// use hitscan::{Ray, Transform};
    /// let pane = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
    /// let model = CollisionMatrices::<8>::new(&[pane])?;
    /// let wider = Transform::new(DMat3::from_diagonal(DVec3::new(4.0, 1.0, 1.0)), [0.0; 3])?;
    /// let ray = Ray::new([2.0, 0.25, 1.0], [0.0, 0.0, -1.0])?;
    /// assert!(model.closest(&ray, |_, _, _| true).is_none());
    /// assert!(model.moved(&wider)?.closest(&ray, |_, _, _| true).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moved(&self, by: &Transform) -> Result<Self, CollisionError> {
        self.by(Motion::general(by))
    }

    /// The same for a rigid motion: [`CollisionMatrix::moved_rigid`] for all, bit for bit.
    ///
    /// # Errors
    /// Those of [`CollisionMatrix::moved_rigid`], with the number of the first triangle.
    ///
    /// ```
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::intersect::{CollisionError, CollisionMatrices};
    /// use hitscan::shape::Triangle;
    /// use hitscan::Transform;
    /// let pane = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
    /// let model = CollisionMatrices::<8>::new(&[pane])?;
    /// assert!(model.moved_rigid(&Transform::translation([5.0, 0.0, 0.0])?).is_ok());
    /// let wider = Transform::new(DMat3::from_diagonal(DVec3::new(4.0, 1.0, 1.0)), [0.0; 3])?;
    /// let refused = model.moved_rigid(&wider);
    /// assert_eq!(refused, Err(CollisionError::NotRigid { first: 0, second: 0, dot: 16.0 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moved_rigid(&self, by: &Transform) -> Result<Self, CollisionError> {
        self.by(Motion::rigid(by)?)
    }

    fn by(&self, motion: Motion) -> Result<Self, CollisionError> {
        let mut moved = self.clone();
        let stuck = Kernel::best().run(Move { blocks: &mut moved.blocks, motion, len: self.len });
        match stuck {
            None => Ok(moved),
            Some(triangle) => Err(CollisionError::OutOfRange { triangle }),
        }
    }
}

/// Moves all blocks, and gives the number of the first triangle that leaves the range.
struct Move<'a, const N: usize> {
    blocks: &'a mut [MatrixColumns<f64, N>],
    motion: Motion,
    len: usize,
}

impl<const N: usize> Task for Move<'_, N> {
    type Output = Option<usize>;
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Option<usize> {
        let mut stuck = None;
        for (index, block) in self.blocks.iter_mut().enumerate() {
            let mut fits = [true; N];
            for lane in 0..N {
                let rows = [block.row(0, lane), block.row(1, lane), block.row(2, lane)];
                let (rows, anchor) = self.motion.apply(rows, block.anchor(lane));
                block.set(lane, rows, anchor);
                fits[lane] = in_range(rows, anchor) | (block.det[lane] == 0.0); // or a gap
            }
            let used = N.min(self.len - index * N);
            let first = fits[..used].iter().position(|&fits| !fits);
            stuck = stuck.or(first.map(|lane| index * N + lane));
        }
        stuck
    }
}
