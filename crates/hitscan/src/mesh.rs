//! Checked triangles with their tree: what rays are asked about.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::build::Build;
use crate::bvh::crop::Known;
use crate::bvh::parallel::merged;
use crate::bvh::slab::Frame;
use crate::bvh::{self, Bvh, Preset};
use crate::cutout::Cutout;
use crate::error::MeshError;
use crate::hit::{Hit, HitRecord};
use crate::query::{Boundary, Closed};
use crate::ray::{MAX_COORDINATE, Ray};
use crate::root::sqrt;
use crate::shape::Triangle;
use crate::simd::{Isa, Kernel};
use crate::stock::Stock;
use crate::transform::Transform;
use glam::{DVec3, Vec3};

/// Most triangles that one mesh holds: 2^25, so that a leaf of the worst tree can still be addressed.
///
/// ```
/// assert_eq!(hitscan::MAX_TRIANGLES, 33_554_432);
/// ```
pub const MAX_TRIANGLES: usize = 1 << 25;

/// Triangles in their own frame, checked, with the tree that answers for them. Cheap to clone: clones share
/// everything.
///
/// ```
/// use hitscan::{Filter, Mesh, Ray};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
/// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]).unwrap();
/// assert_eq!(mesh.closest(&ray, &Filter::ALL).unwrap().t, 1.0);
/// ```
#[derive(Clone)]
pub struct Mesh {
    pub(crate) data: Arc<MeshData>,
    pub(crate) kernel: Kernel,
}

/// How much there is, not all of it.
impl fmt::Debug for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mesh")
            .field("vertices", &self.vertices().len())
            .field("triangles", &self.triangles().len())
            .field("bounds", &self.bounds())
            .finish_non_exhaustive()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct MeshData {
    pub vertices: Stock<[f32; 3]>,
    pub triangles: Stock<[u32; 3]>,
    /// One for each triangle, or empty where all are 0.
    pub materials: Stock<u32>,
    /// One for each vertex, or empty.
    pub uvs: Stock<[f32; 2]>,
    /// By material, in ascending order; empty unless there are texture coordinates.
    pub cutouts: Vec<(u32, Cutout)>,
    /// The largest absolute coordinate of any vertex.
    pub reach: f32,
    pub counts: MeshCounts,
    /// How the tree was built.
    pub preset: Preset,
    pub tree: Bvh,
    /// How large it is, as the box test wants to know it.
    pub frame: Frame,
    /// Whether it is closed, once somebody asked.
    pub closed: Closed,
    /// Its boundary, likewise.
    pub boundary: Boundary,
    /// How much of its box is empty, likewise.
    pub crop: Known,
}

/// How many triangles a [`Mesh`] has, and how many of them are degenerate.
///
/// ```
/// use hitscan::Mesh;
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2], [0, 0, 1]])?;
/// assert_eq!((mesh.counts().triangles, mesh.counts().repeated_corner), (2, 1));
/// # Ok::<(), hitscan::MeshError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MeshCounts {
    /// All triangles, as given.
    pub triangles: usize,
    /// Triangles with two corners at one position: kept in the numbering, never hit.
    pub repeated_corner: usize,
    /// Triangles of zero area with three distinct corners: kept and judged by the rule, since they may stitch
    /// a T-junction. A ray hits one only where rounding into its frame gives it an area.
    pub zero_area: usize,
}

impl MeshCounts {
    /// Triangles that a ray may hit: all without a repeated corner.
    ///
    /// ```
    /// let mesh = hitscan::Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2], [0, 1, 1]])?;
    /// assert_eq!((mesh.counts().triangles, mesh.counts().hittable()), (2, 1));
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn hittable(&self) -> usize {
        self.triangles - self.repeated_corner
    }
}

impl Mesh {
    /// Checks the triangles and builds their tree, on all cores with the feature `rayon`; the tree does not
    /// depend on how many there are.
    ///
    /// `triangles` holds rows of three indices into `vertices`. An empty mesh, or one of degenerate
    /// triangles only, is allowed and never hit: see [`Mesh::counts`].
    ///
    /// Vertices are `f32`, fine enough for what is near to where they count from: of coordinates of a map, 6 million metres from it, they
    /// leave half a metre. Subtract a place near to the mesh in `f64` first, and stand the mesh there by its
    /// [`Instance::at`](crate::Instance::at).
    ///
    /// # Errors
    /// Coordinates that are not finite or exceed 2^100, indices out of range, more than [`MAX_TRIANGLES`].
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let error = Mesh::new([[0.0f32; 3]; 3], [[0u32, 1, 7]]).unwrap_err();
    /// assert_eq!(error.to_string(), "triangle 0 names vertex 7; the mesh has 3 (0 to 2)");
    /// ```
    ///
    /// Lists that are kept, and lists of plain numbers:
    /// ```
    /// use hitscan::Mesh;
    /// let (corners, faces) = (vec![[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0u32, 1, 2]]);
    /// let mesh = Mesh::new(corners.iter().copied(), faces.iter().copied())?;
    /// let (positions, indices) = ([0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], [0u32, 1, 2]);
    /// let same = Mesh::new(positions.as_chunks::<3>().0.iter().copied(), indices.as_chunks::<3>().0.iter().copied())?;
    /// assert_eq!(mesh.vertices(), same.vertices());
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn new<V: Into<[f32; 3]>, T: Into<[u32; 3]>>(
        vertices: impl IntoIterator<Item = V>,
        triangles: impl IntoIterator<Item = T>,
    ) -> Result<Mesh, MeshError> {
        Mesh::build(Build::new(), vertices, triangles)
    }

    /// The same with another trade of building time for rays, see [`Preset`], or watched and with a limit to its memory: see [`Build`].
    ///
    /// # Errors
    /// As [`Mesh::new`]; [`MeshError::Cancelled`] where it is ended before it is done, and [`MeshError::Memory`] where it would need more
    /// than it may.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Preset, Ray};
    /// let mesh = Mesh::build(
    ///     Preset::Fast,
    ///     [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    ///     [[0u32, 1, 2]],
    /// )?;
    /// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])?;
    /// assert_eq!(mesh.closest(&ray, &Filter::ALL).unwrap().t, 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build<'a, V: Into<[f32; 3]>, T: Into<[u32; 3]>>(
        build: impl Into<Build<'a>>,
        vertices: impl IntoIterator<Item = V>,
        triangles: impl IntoIterator<Item = T>,
    ) -> Result<Mesh, MeshError> {
        let Build { preset, watch, memory } = build.into();
        let mut vertices: Vec<[f32; 3]> = vertices.into_iter().map(Into::into).collect();
        let mut triangles: Vec<[u32; 3]> = triangles.into_iter().map(Into::into).collect();
        // Of iterators that do not know how long they are they have room for up to twice as many.
        vertices.shrink_to_fit();
        triangles.shrink_to_fit();
        if let Some(budget) = memory {
            let needs = Build::bytes_for(vertices.len(), triangles.len());
            if needs > budget {
                return Err(MeshError::Memory { needs, budget });
            }
        }
        let reach = check_vertices(&vertices)?;
        check_triangles(&vertices, &triangles)?;
        let (tree, counts) = bvh::build(preset, &vertices, &triangles, watch)?;
        let frame = Frame::new(reach);
        let (materials, uvs) = (Stock::default(), Stock::default());
        let (cutouts, closed) = (Vec::new(), Closed::default());
        let (boundary, crop) = (Boundary::default(), Known::default());
        let data = MeshData {
            vertices: vertices.into(),
            triangles: triangles.into(),
            materials,
            uvs,
            cutouts,
            reach,
            counts,
            preset,
            tree,
            frame,
            closed,
            boundary,
            crop,
        };
        Ok(Mesh { data: Arc::new(data), kernel: Kernel::best() })
    }

    /// The same mesh with a material number for each triangle, which hits report.
    ///
    /// # Errors
    /// [`MeshError::MaterialCount`] where the list is not as long as the list of triangles.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// assert!(mesh.clone().with_materials(vec![7]).is_ok());
    /// assert!(mesh.with_materials(vec![7, 8]).is_err());
    /// ```
    pub fn with_materials(mut self, materials: Vec<u32>) -> Result<Mesh, MeshError> {
        let triangles = self.data.triangles.len();
        if materials.len() != triangles {
            return Err(MeshError::MaterialCount { materials: materials.len(), triangles });
        }
        Arc::make_mut(&mut self.data).materials = materials.into();
        Ok(self)
    }

    /// The same mesh, walked by another instruction set. The answers are the same on every bit; this is
    /// for tests and measurements. `None` where this machine does not have it.
    ///
    /// ```
    /// use hitscan::{Filter, Isa, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let ray = Ray::new([0.3, 0.3, 1.0], [0.1, 0.0, -1.0])?;
    /// let plain = mesh.with_isa(Isa::Scalar).expect("every machine has it");
    /// assert_eq!(plain.closest(&ray, &Filter::ALL), mesh.closest(&ray, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_isa(&self, isa: Isa) -> Option<Mesh> {
        Some(Mesh { data: self.data.clone(), kernel: Kernel::of(isa)? })
    }

    /// The instruction set that walks this mesh.
    ///
    /// ```
    /// use hitscan::{Isa, Mesh};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// assert_eq!(mesh.isa(), Isa::best());
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn isa(&self) -> Isa {
        self.kernel.isa()
    }

    /// The vertices, as given.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// assert_eq!(mesh.vertices()[1], [1.0, 0.0, 0.0]);
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn vertices(&self) -> &[[f32; 3]] {
        &self.data.vertices
    }

    /// The triangles, as given.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// assert_eq!(mesh.triangles(), [[0, 1, 2]]);
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.data.triangles
    }

    /// A triangle by its number, such as [`Hit::prim`], in the mesh's own frame; `None` where there are not so many.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// assert_eq!(mesh.triangle(0).map(|triangle| triangle.area()), Some(6.0));
    /// assert!(mesh.triangle(1).is_none());
    /// ```
    pub fn triangle(&self, prim: u32) -> Option<Triangle> {
        let corners = self.data.triangles.get(prim as usize)?;
        Some(Triangle::derived(
            corners.map(|corner| self.data.vertices[corner as usize].map(f64::from).into()),
        ))
    }

    /// The material of each triangle, as given; empty where there are none, and all are 0.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// assert!(mesh.materials().is_empty());
    /// assert_eq!(mesh.with_materials(vec![7])?.materials(), [7]);
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn materials(&self) -> &[u32] {
        &self.data.materials
    }

    /// How many triangles there are, and how many of them are degenerate.
    ///
    /// ```
    /// let mesh = hitscan::Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], [[0u32, 1, 2], [0, 1, 1]])?;
    /// let counts = mesh.counts();
    /// assert_eq!((counts.triangles, counts.repeated_corner, counts.zero_area), (2, 1, 1));
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn counts(&self) -> MeshCounts {
        self.data.counts
    }

    /// The smallest box around the triangles that a ray can hit, as its lowest and highest corner; `None`
    /// where there are none.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    /// let (low, high) = mesh.bounds().unwrap();
    /// assert_eq!((low.to_array(), high.to_array()), ([0.0; 3], [3.0, 4.0, 0.0]));
    /// ```
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        self.data.tree.bounds().map(|(low, high)| (low.into(), high.into()))
    }

    /// The tree's size and quality.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// assert_eq!((mesh.stats().triangles, mesh.stats().depth), (1, 1));
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn stats(&self) -> bvh::Stats {
        self.data.tree.stats()
    }

    /// Verifies every invariant of the tree against the triangles.
    ///
    /// # Errors
    /// The first invariant that does not hold: a fault of this library, or a saved file that was edited; never of other input.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// assert!(mesh.check().is_ok());
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn check(&self) -> Result<(), bvh::CheckError> {
        self.data.tree.check(&self.data.vertices, &self.data.triangles)
    }
}

impl MeshData {
    /// The material of a triangle.
    pub fn material(&self, prim: u32) -> u32 {
        self.materials.get(prim as usize).copied().unwrap_or(0)
    }

    /// Everything that a [`Hit`] says beyond what is found on the way, of the triangle with these corners. Without a
    /// transform the mesh stands where its own coordinates put it.
    #[inline(always)]
    pub fn describe(
        &self,
        transform: Option<&Transform>,
        ray: &Ray,
        corners: [[f32; 3]; 3],
        record: &HitRecord,
    ) -> Hit {
        describe(transform, ray, corners, record, self.material(record.prim))
    }
}

/// The same of a triangle of any kind of mesh.
#[inline(always)]
pub(crate) fn describe(
    transform: Option<&Transform>,
    ray: &Ray,
    corners: [[f32; 3]; 3],
    record: &HitRecord,
    material: u32,
) -> Hit {
    // Written out: the compiler may leave `map` and `from_fn` calls within a kernel.
    let wide = |[x, y, z]: [f32; 3]| [f64::from(x), f64::from(y), f64::from(z)];
    let [a, b, c] = [wide(corners[0]), wide(corners[1]), wide(corners[2])];
    let HitRecord { t, u, v, prim, instance, facing } = *record;
    let w = (1.0 - u) - v;
    let local = [
        (w * a[0] + u * b[0]) + v * c[0],
        (w * a[1] + u * b[1]) + v * c[1],
        (w * a[2] + u * b[2]) + v * c[2],
    ];
    let cross = cross(a, b, c);
    // Never -0, as through an identity matrix.
    let (position, normal) = match transform {
        Some(transform) => (transform.point(local), transform.normal(cross)),
        None => (DVec3::from(local) + 0.0, DVec3::from(cross)),
    };
    Hit {
        t,
        distance: t * length(ray.dir()),
        position,
        u,
        v,
        prim,
        instance,
        material,
        normal: unit_normal(normal, ray.dir(), facing) + 0.0,
        facing,
    }
}

/// The normal of a triangle by its winding, as long as twice its area.
#[inline(always)]
pub(crate) fn cross(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> [f64; 3] {
    let (e, f) = (sub(b, a), sub(c, a));
    [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]]
}

/// The unit vector of `normal`; for a triangle without one, against the ray, as `facing` says.
#[inline(always)]
pub(crate) fn unit_normal(normal: DVec3, dir: DVec3, facing: crate::Face) -> DVec3 {
    let size = normal.abs().max_element();
    // Squares of sizes in this range neither over- nor underflow.
    let n = if (1e-100..1e100).contains(&size) {
        normal
    } else if size > 0.0 {
        normal / size
    } else if facing == crate::Face::Front {
        -dir
    } else {
        dir
    };
    n * (1.0 / length(n))
}

#[inline(always)]
pub(crate) fn length(v: DVec3) -> f64 {
    sqrt((v.x * v.x + v.y * v.y) + v.z * v.z)
}

#[inline(always)]
fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Refuses vertices that no query could answer for, and gives the largest absolute coordinate.
pub(crate) fn check_vertices(vertices: &[[f32; 3]]) -> Result<f32, MeshError> {
    // Without its sign, the bits of a number order as its size does, and those of what is no number come last.
    let size = |value: f32| value.to_bits() & (u32::MAX >> 1);
    let largest =
        |vertices: &[[f32; 3]]| vertices.as_flattened().iter().fold(0, |most, &c| most.max(size(c)));
    let reach = f32::from_bits(merged(vertices, &largest, &Ord::max));
    if !reach.is_finite() || f64::from(reach) > MAX_COORDINATE {
        return Err(bad_vertex(vertices));
    }
    Ok(reach)
}

/// Refuses triangles that name no vertices, and too many.
fn check_triangles(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Result<(), MeshError> {
    if triangles.len() > MAX_TRIANGLES {
        return Err(MeshError::TooManyTriangles { triangles: triangles.len() });
    }
    let highest = |triangles: &[[u32; 3]]| triangles.as_flattened().iter().copied().max();
    let outside = merged(triangles, &highest, &Ord::max).filter(|&index| index as usize >= vertices.len());
    match outside {
        Some(index) => Err(bad_index(vertices, triangles, index)),
        None => Ok(()),
    }
}

/// The first vertex that is refused, of which there is one.
fn bad_vertex(vertices: &[[f32; 3]]) -> MeshError {
    let coordinates = vertices.iter().enumerate().flat_map(|(vertex, corner)| {
        ['x', 'y', 'z'].into_iter().zip(corner).map(move |(axis, &value)| (vertex, axis, value))
    });
    let is_bad = |value: f32| !value.is_finite() || f64::from(value.abs()) > MAX_COORDINATE;
    let first = coordinates.into_iter().find(|&(.., value)| is_bad(value));
    let (vertex, axis, value) = first.unwrap_or((0, 'x', f32::NAN));
    if value.is_finite() {
        MeshError::TooFar { vertex, axis, value }
    } else {
        MeshError::NonFinite { vertex, axis, value }
    }
}

/// The first triangle that is refused; `index` is one that does not exist.
fn bad_index(vertices: &[[f32; 3]], triangles: &[[u32; 3]], index: u32) -> MeshError {
    let vertices = vertices.len();
    let corners = triangles.iter().enumerate().flat_map(|(i, corners)| corners.iter().map(move |&c| (i, c)));
    let first = corners.into_iter().find(|&(_, corner)| corner as usize >= vertices);
    let (triangle, index) = first.unwrap_or((0, index));
    MeshError::IndexOutOfRange { triangle, index, vertices }
}
