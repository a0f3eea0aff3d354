//! How a mesh is built, and what that may take.

use crate::bvh::{self, Preset};
use crate::watch::Watch;

/// How [`Mesh::build`](crate::Mesh::build) builds: with which [`Preset`], watched by whom, within how much memory. A preset alone stands for itself.
///
/// ```
/// use hitscan::{Build, Mesh, MeshError, Preset};
/// let (vertices, triangles) = ([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]; 1000]);
/// let needs = Build::bytes_for(vertices.len(), triangles.len());
/// assert!(Mesh::build(Build::new().preset(Preset::Best).memory(needs), vertices, triangles).is_ok());
/// let error = Mesh::build(Build::new().memory(needs - 1), vertices, triangles).unwrap_err();
/// assert_eq!(error, MeshError::Memory { needs, budget: needs - 1 });
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Build<'a> {
    pub(crate) preset: Preset,
    pub(crate) watch: Watch<'a>,
    pub(crate) memory: Option<u64>,
}

impl<'a> Build<'a> {
    /// As [`Mesh::new`](crate::Mesh::new) builds: balanced, unwatched, in all the memory that there is.
    ///
    /// ```
    /// use hitscan::{Build, Mesh};
    /// let triangle = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let (plain, built) = (Mesh::new(triangle, [[0u32, 1, 2]])?, Mesh::build(Build::new(), triangle, [[0u32, 1, 2]])?);
    /// assert_eq!(plain.stats(), built.stats());
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    pub const fn new() -> Build<'a> {
        Build { preset: Preset::Balanced, watch: Watch::new(), memory: None }
    }

    /// How good the tree is to be.
    ///
    /// ```
    /// use hitscan::{Build, Mesh, Preset};
    /// let triangle = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// assert!(Mesh::build(Build::new().preset(Preset::Fast), triangle, [[0u32, 1, 2]]).is_ok());
    /// assert!(Mesh::build(Preset::Fast, triangle, [[0u32, 1, 2]]).is_ok()); // the same in short
    /// ```
    pub const fn preset(mut self, preset: Preset) -> Build<'a> {
        self.preset = preset;
        self
    }

    /// Who watches: the build tells how far it is, and stops within 50 ms where it is cancelled.
    ///
    /// ```
    /// use hitscan::{Build, Cancel, Mesh, MeshError, Watch};
    /// let cancel = Cancel::new();
    /// cancel.cancel(); // as another thread would, in the middle of it
    /// let build = Build::new().watch(Watch::new().cancel(&cancel));
    /// let triangle = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// assert_eq!(Mesh::build(build, triangle, [[0u32, 1, 2]]).unwrap_err(), MeshError::Cancelled);
    /// ```
    pub const fn watch(mut self, watch: Watch<'a>) -> Build<'a> {
        self.watch = watch;
        self
    }

    /// The most bytes that the mesh may take while it is built. More is refused before the work begins, with what it would need; the lists
    /// themselves are there by then, and count.
    ///
    /// ```
    /// use hitscan::{Build, Mesh};
    /// let triangle = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// assert!(Mesh::build(Build::new().memory(1 << 20), triangle, [[0u32, 1, 2]]).is_ok());
    /// assert!(Mesh::build(Build::new().memory(1 << 10), triangle, [[0u32, 1, 2]]).is_err());
    /// ```
    pub const fn memory(mut self, bytes: u64) -> Build<'a> {
        self.memory = Some(bytes);
        self
    }

    /// The most bytes that a build of so many vertices and triangles takes at once, those of the lists themselves included: what
    /// [`Build::memory`] is compared with. Fewer where neighbours share leaves well, as they do in most meshes.
    ///
    /// ```
    /// assert_eq!(hitscan::Build::bytes_for(0, 0), 65_536);
    /// assert_eq!(hitscan::Build::bytes_for(usize::MAX, usize::MAX), u64::MAX);
    /// ```
    pub const fn bytes_for(vertices: usize, triangles: usize) -> u64 {
        bvh::bytes_for(vertices, triangles)
    }
}

impl From<Preset> for Build<'_> {
    fn from(preset: Preset) -> Self {
        Build::new().preset(preset)
    }
}
