//! Holes that are painted, not modelled: an alpha image on a mesh, and the alpha from which on there is something.
//!
//! A fence, a leaf or a grating is often two triangles with a picture of it. A crossing of such a triangle counts where the
//! picture is opaque enough: the crossing's texture coordinates are interpolated from those of the corners, the image is
//! sampled there, and the alpha is compared with a threshold, as glTF 2.0 says of `alphaMode: MASK` (The Khronos Group: glTF
//! 2.0 Specification, 2021, "Alpha Coverage" and "Samplers").
//!
//! All of it is `f64` in a fixed order of operations, so it is the same on every machine; the alpha is rounded to `f32`
//! once, before it is compared. There are no mipmaps: which of them to take is a question of pixels, and a ray has none.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::attribute::Attribute;
use crate::error::{CutoutError, MeshError};
use crate::intersect::watertight::Crossing;
use crate::mesh::{Mesh, MeshData};

/// What an image is outside of `[0, 1]`, along one axis.
///
/// ```
/// use hitscan::{Cutout, Wrap};
/// let half = Cutout::new(2, 1, vec![255, 0], 0.5)?;
/// let beyond = [Wrap::Repeat, Wrap::MirroredRepeat, Wrap::ClampToEdge].map(|u| half.clone().wrap(u, u).keeps([1.25, 0.0]));
/// assert_eq!(beyond, [true, false, false]);
/// # Ok::<(), hitscan::CutoutError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// It begins again.
    #[default]
    Repeat,
    /// It begins again, every other time mirrored.
    MirroredRepeat,
    /// Its outermost texels go on for ever.
    ClampToEdge,
}

/// What an image is between the centres of its texels.
///
/// ```
/// use hitscan::{Cutout, Sampling};
/// let ramp = Cutout::new(2, 1, vec![0, 255], 0.5)?;
/// let middle = [Sampling::Nearest, Sampling::Linear].map(|sampling| ramp.clone().sampling(sampling).alpha([0.5, 0.5]));
/// assert_eq!(middle, [1.0, 0.5]);
/// # Ok::<(), hitscan::CutoutError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// The texel that the place lies in; on the line between two, the one of the higher number.
    #[default]
    Nearest,
    /// The four nearest texels, by how near their centres are: first along each row, then between the two rows.
    Linear,
}

/// An alpha image with the threshold from which on a surface is there. Cheap to clone: clones share the image.
///
/// ```
/// use hitscan::{Cutout, Wrap};
/// let stripes = Cutout::new(2, 1, vec![255, 0], 0.5)?; // opaque on the left, nothing on the right
/// assert!(stripes.keeps([0.25, 0.5]) && !stripes.keeps([0.75, 0.5]));
/// assert!(stripes.keeps([1.25, 0.5])); // it repeats
/// let clamped = stripes.wrap(Wrap::ClampToEdge, Wrap::ClampToEdge);
/// assert!(clamped.keeps([-7.0, 0.5]) && !clamped.keeps([1.25, 0.5]));
/// # Ok::<(), hitscan::CutoutError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Cutout {
    width: u32,
    height: u32,
    /// Row by row.
    alpha: Arc<[u8]>,
    threshold: f32,
    factor: f32,
    /// Along u and along v.
    wrap: [Wrap; 2],
    sampling: Sampling,
}

/// Without what each texel is.
impl fmt::Debug for Cutout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cutout")
            .field("size", &[self.width, self.height])
            .field("threshold", &self.threshold)
            .field("factor", &self.factor)
            .field("wrap", &self.wrap)
            .field("sampling", &self.sampling)
            .finish_non_exhaustive()
    }
}

impl Cutout {
    /// An image of `width` times `height` texels with its alpha, 0 to 255 for 0 to 1, row by row from the top: the texture
    /// coordinates `(0, 0)` are the outer corner of the first texel, `(1, 1)` that of the last. The surface is there where
    /// the alpha is at least `threshold`: everywhere for 0, and for more than 1 only where a [`factor`](Cutout::factor) takes the alpha there. It repeats, and is sampled by the nearest
    /// texel.
    ///
    /// # Errors
    /// An image without texels, another number of values than texels, a threshold that is negative or not finite.
    ///
    /// ```
    /// use hitscan::Cutout;
    /// assert!(Cutout::new(1, 1, vec![51], 0.2)?.keeps([0.0, 0.0])); // 51 of 255 is 0.2
    /// let error = Cutout::new(4, 4, vec![0; 15], 0.5).unwrap_err();
    /// assert_eq!(error.to_string(), "15 values of alpha for an image of 4 x 4; each texel needs one");
    /// # Ok::<(), hitscan::CutoutError>(())
    /// ```
    pub fn new(
        width: u32,
        height: u32,
        alpha: impl Into<Arc<[u8]>>,
        threshold: f32,
    ) -> Result<Cutout, CutoutError> {
        let alpha = alpha.into();
        if width == 0 || height == 0 {
            return Err(CutoutError::Empty { width, height });
        }
        if alpha.len() as u64 != u64::from(width) * u64::from(height) {
            return Err(CutoutError::Size { width, height, found: alpha.len() });
        }
        let threshold = checked("threshold", threshold)?;
        let (wrap, sampling) = ([Wrap::Repeat; 2], Sampling::Nearest);
        Ok(Cutout { width, height, alpha, threshold, factor: 1.0, wrap, sampling })
    }

    /// The same image with another end along u (columns) and v (rows).
    ///
    /// ```
    /// use hitscan::{Cutout, Wrap};
    /// let half = Cutout::new(2, 1, vec![255, 0], 0.5)?; // the left half is there
    /// assert!(half.keeps([1.25, 0.0]));
    /// assert!(!half.wrap(Wrap::ClampToEdge, Wrap::Repeat).keeps([1.25, 0.0])); // ends with its last column
    /// # Ok::<(), hitscan::CutoutError>(())
    /// ```
    #[must_use]
    pub fn wrap(mut self, u: Wrap, v: Wrap) -> Cutout {
        self.wrap = [u, v];
        self
    }

    /// The same image, sampled otherwise.
    ///
    /// ```
    /// use hitscan::{Cutout, Sampling};
    /// let ramp = Cutout::new(2, 1, vec![0, 255], 0.5)?;
    /// assert_eq!(ramp.alpha([0.4, 0.5]), 0.0);
    /// let smooth = ramp.sampling(Sampling::Linear).alpha([0.4, 0.5]);
    /// assert!((smooth - 0.3).abs() < 1e-6);
    /// # Ok::<(), hitscan::CutoutError>(())
    /// ```
    #[must_use]
    pub fn sampling(mut self, sampling: Sampling) -> Cutout {
        self.sampling = sampling;
        self
    }

    /// The same image with its alpha multiplied by a factor, before it is compared: that of a material's colour.
    ///
    /// # Errors
    /// A factor that is negative or not finite.
    ///
    /// ```
    /// use hitscan::Cutout;
    /// let glass = Cutout::new(1, 1, vec![255], 0.5)?.factor(0.25)?;
    /// assert_eq!((glass.alpha([0.5, 0.5]), glass.keeps([0.5, 0.5])), (0.25, false));
    /// # Ok::<(), hitscan::CutoutError>(())
    /// ```
    pub fn factor(mut self, factor: f32) -> Result<Cutout, CutoutError> {
        self.factor = checked("factor", factor)?;
        Ok(self)
    }

    /// The values of the texels, shared by clones.
    #[cfg(feature = "std")]
    pub(crate) fn image(&self) -> &Arc<[u8]> {
        &self.alpha
    }

    /// What the alpha is multiplied by.
    #[cfg(feature = "std")]
    pub(crate) fn strength(&self) -> f32 {
        self.factor
    }

    /// The ends along u and along v.
    #[cfg(feature = "std")]
    pub(crate) fn wraps(&self) -> [Wrap; 2] {
        self.wrap
    }

    /// What lies between the texels.
    #[cfg(feature = "std")]
    pub(crate) fn samples(&self) -> Sampling {
        self.sampling
    }

    /// Columns and rows of texels.
    ///
    /// ```
    /// assert_eq!(hitscan::Cutout::new(3, 2, vec![255; 6], 0.5)?.size(), [3, 2]);
    /// # Ok::<(), hitscan::CutoutError>(())
    /// ```
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// The alpha from which on the surface is there.
    ///
    /// ```
    /// assert_eq!(hitscan::Cutout::new(1, 1, vec![255], 0.25)?.threshold(), 0.25);
    /// # Ok::<(), hitscan::CutoutError>(())
    /// ```
    pub fn threshold(&self) -> f32 {
        self.threshold
    }

    /// The alpha at a place: 0 to 1 times the factor, in `f64`, and rounded once at the end, so that 51 of 255 is 0.2. Whole
    /// periods are taken off a coordinate before it is counted in texels, so any number will do; one that is not finite
    /// counts as 0.
    ///
    /// ```
    /// use hitscan::{Cutout, Sampling, Wrap};
    /// let ramp = Cutout::new(2, 1, vec![0, 255], 0.5)?.sampling(Sampling::Linear);
    /// assert_eq!(ramp.alpha([0.5, 0.5]), 0.5); // half way between the centres
    /// assert_eq!(ramp.alpha([0.0, 0.5]), 0.5); // and so on the seam of its repetition
    /// assert_eq!(ramp.wrap(Wrap::ClampToEdge, Wrap::Repeat).alpha([0.0, 0.5]), 0.0);
    /// # Ok::<(), hitscan::CutoutError>(())
    /// ```
    pub fn alpha(&self, uv: [f64; 2]) -> f32 {
        let [columns, rows] = [self.width, self.height].map(i64::from);
        let [u, v] = self.wrap;
        let (x, y) = (u.place(uv[0], columns), v.place(uv[1], rows));
        let texel = |x: f64, y: f64| {
            // Whole numbers, at most one beyond two periods, of which a period has fewer than 2^32.
            let (column, row) = (u.texel(x as i64, columns), v.texel(y as i64, rows));
            f64::from(self.alpha[(row * columns + column) as usize])
        };
        let sample = match self.sampling {
            Sampling::Nearest => texel(libm::floor(x), libm::floor(y)),
            Sampling::Linear => {
                let (x, y) = (x - 0.5, y - 0.5);
                let (left, top) = (libm::floor(x), libm::floor(y));
                let across = |row: f64| {
                    let (first, second) = (texel(left, row), texel(left + 1.0, row));
                    first + (second - first) * (x - left)
                };
                let (first, second) = (across(top), across(top + 1.0));
                first + (second - first) * (y - top)
            }
        };
        (sample / 255.0 * f64::from(self.factor)) as f32
    }

    /// Whether the surface is there.
    ///
    /// ```
    /// let fence = hitscan::Cutout::new(2, 1, vec![255, 0], 0.5)?; // a board and a gap
    /// assert!(fence.keeps([0.25, 0.5]) && !fence.keeps([0.75, 0.5]));
    /// # Ok::<(), hitscan::CutoutError>(())
    /// ```
    pub fn keeps(&self, uv: [f64; 2]) -> bool {
        self.alpha(uv) >= self.threshold
    }
}

fn checked(what: &'static str, value: f32) -> Result<f32, CutoutError> {
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err(CutoutError::Factor { what, value }) }
}

impl Wrap {
    /// Where a coordinate lies, in texels, brought near the image by whole periods, which rounds nothing but numbers just
    /// below 0.
    fn place(self, coordinate: f64, texels: i64) -> f64 {
        let coordinate = if coordinate.is_finite() { coordinate } else { 0.0 };
        let near = match self {
            Wrap::Repeat => coordinate - libm::floor(coordinate),
            Wrap::MirroredRepeat => coordinate - 2.0 * libm::floor(coordinate / 2.0),
            Wrap::ClampToEdge => coordinate.clamp(0.0, 1.0),
        };
        near * texels as f64
    }

    /// The texel that stands for one of any number.
    fn texel(self, number: i64, texels: i64) -> i64 {
        match self {
            Wrap::Repeat => number.rem_euclid(texels),
            Wrap::MirroredRepeat => {
                let number = number.rem_euclid(2 * texels);
                number.min(2 * texels - 1 - number)
            }
            Wrap::ClampToEdge => number.clamp(0, texels - 1),
        }
    }
}

impl Mesh {
    /// The same mesh with texture coordinates, one pair a vertex: where on an image of [`Mesh::with_cutout`] it lies. Any
    /// finite numbers; images repeat or end as [`Wrap`] says.
    ///
    /// # Errors
    /// [`MeshError::UvCount`] where the list is not as long as the list of vertices, [`MeshError::Uv`] for a coordinate that is
    /// not finite.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let mesh = mesh.with_uvs(vec![[0.0, 0.0], [4.0, 0.0], [0.0, -2.0]])?;
    /// assert_eq!(mesh.uv(0, 0.5, 0.25), Some([2.0, -0.5]));
    /// let error = mesh.with_uvs(vec![[0.0; 2]; 2]).unwrap_err();
    /// assert_eq!(error.to_string(), "2 texture coordinates for 3 vertices; each vertex needs a pair");
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn with_uvs(mut self, uvs: Vec<[f32; 2]>) -> Result<Mesh, MeshError> {
        let vertices = self.data.vertices.len();
        if uvs.len() != vertices {
            return Err(MeshError::UvCount { uvs: uvs.len(), vertices });
        }
        if let Some(at) = uvs.as_flattened().iter().position(|value| !value.is_finite()) {
            let (vertex, axis, value) = (at / 2, ['u', 'v'][at % 2], uvs.as_flattened()[at]);
            return Err(MeshError::Uv { vertex, axis, value });
        }
        Arc::make_mut(&mut self.data).uvs = uvs.into();
        Ok(self)
    }

    /// The same mesh with holes in the triangles of one material (0 where there are no materials): where the image is
    /// not opaque enough, a ray goes through. Each material may have one; a second one takes the place of the first.
    ///
    /// A crossing in a hole is no hit for any question that a ray asks: `closest`, `occluded`, `all_hits`, `first_n`,
    /// `intervals` and `pick`, single and in batches, of the mesh, of scenes that hold it and of their past. Every answer is that of a
    /// [`Filter::judge`] which ignores those crossings: the image is asked before the filter's closure, which sees none of
    /// them. As with filters it is crossings that are judged, not geometry: a triangle with holes still closes its mesh.
    ///
    /// What asks about geometry rather than along a ray sees whole triangles: `closest_point`, `signed_distance`, `contains`,
    /// `winding_number`, overlaps and sweeps, whose ball or box would rarely fit through a painted hole.
    ///
    /// [`Filter::judge`]: crate::Filter::judge
    ///
    /// A material that no triangle has is no error, and cuts nothing.
    ///
    /// # Errors
    /// [`MeshError::MissingUvs`] where [`Mesh::with_uvs`] was not called before.
    ///
    /// ```
    /// use hitscan::{Cutout, Filter, Mesh, Ray};
    /// let corners = [[0.0f32, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    /// let fence = Mesh::new(corners, [[0u32, 1, 2], [0, 2, 3]])?
    ///     .with_uvs(vec![[0.0, 1.0], [2.0, 1.0], [2.0, 0.0], [0.0, 0.0]])?
    ///     .with_cutout(0, Cutout::new(2, 1, vec![255, 0], 0.5)?)?; // boards and gaps, half a metre each
    /// let shot = |x: f64| Ray::new([x, 0.5, 3.0], [0.0, 0.0, -1.0]).unwrap();
    /// assert!(fence.occluded(&shot(0.25), &Filter::ALL) && !fence.occluded(&shot(0.75), &Filter::ALL));
    /// assert!(fence.closest_point([0.75, 0.5, 1.0]).is_some_and(|nearest| nearest.distance == 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "alpha test")]
    #[doc(alias = "alpha mask")]
    pub fn with_cutout(mut self, material: u32, cutout: Cutout) -> Result<Mesh, MeshError> {
        // A mesh without vertices has all the coordinates that it needs.
        if self.data.uvs.len() != self.data.vertices.len() {
            return Err(MeshError::MissingUvs { material });
        }
        let cutouts = &mut Arc::make_mut(&mut self.data).cutouts;
        match cutouts.binary_search_by_key(&material, |&(of, _)| of) {
            Ok(row) => cutouts[row].1 = cutout,
            Err(row) => cutouts.insert(row, (material, cutout)),
        }
        Ok(self)
    }

    /// The texture coordinates, as given; empty where there are none.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// assert!(mesh.uvs().is_empty());
    /// assert_eq!(mesh.with_uvs(vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])?.uvs()[1], [1.0, 0.0]);
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn uvs(&self) -> &[[f32; 2]] {
        &self.data.uvs
    }

    /// The texture coordinates at a place of a triangle, by the weights of its corners B and C as a [`Hit`](crate::Hit) has
    /// them: `((1 - u - v) A + u B) + v C` in `f64`. `None` where the mesh has none, or no such triangle.
    ///
    /// ```
    /// use hitscan::Mesh;
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// assert_eq!(mesh.uv(0, 0.5, 0.25), None);
    /// let mesh = mesh.with_uvs(vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])?;
    /// assert_eq!((mesh.uv(0, 0.5, 0.25), mesh.uv(1, 0.5, 0.25)), (Some([2.0, 1.0]), None));
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub fn uv(&self, prim: u32, u: f64, v: f64) -> Option<[f64; 2]> {
        let known = (prim as usize) < self.data.triangles.len() && !self.data.uvs.is_empty();
        known.then(|| self.data.uv(prim, u, v))
    }

    /// The images that cut holes, with the materials that have them, in ascending order.
    ///
    /// ```
    /// use hitscan::{Cutout, Mesh};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?.with_uvs(vec![[0.0; 2]; 3])?;
    /// let mesh = mesh.with_cutout(7, Cutout::new(1, 1, vec![255], 0.5)?)?;
    /// assert_eq!(mesh.cutouts().map(|(material, image)| (material, image.size())).collect::<Vec<_>>(), [(7, [1, 1])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cutouts(&self) -> impl ExactSizeIterator<Item = (u32, &Cutout)> {
        self.data.cutouts.iter().map(|(material, cutout)| (*material, cutout))
    }
}

impl MeshData {
    /// Whether a crossing goes through a hole.
    #[inline(always)]
    pub fn cuts(&self, prim: u32, crossing: &Crossing) -> bool {
        !self.cutouts.is_empty() && {
            let (u, v) = crossing.barycentrics();
            self.cuts_at(prim, u, v)
        }
    }

    /// Whether a place of a triangle is a hole. Not inlined: few meshes have any.
    #[inline(never)]
    pub fn cuts_at(&self, prim: u32, u: f64, v: f64) -> bool {
        let material = self.material(prim);
        match self.cutouts.binary_search_by_key(&material, |&(of, _)| of) {
            Ok(row) => !self.cutouts[row].1.keeps(self.uv(prim, u, v)),
            Err(_) => false,
        }
    }

    /// The texture coordinates at a place of a triangle of a mesh that has some.
    fn uv(&self, prim: u32, u: f64, v: f64) -> [f64; 2] {
        let corners = self.triangles[prim as usize].map(|vertex| self.uvs[vertex as usize]);
        Attribute::mix(corners, [(1.0 - u) - v, u, v])
    }
}
