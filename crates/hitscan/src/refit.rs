//! Meshes that move: new places for the vertices, and what that does to the tree.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::bvh;
use crate::bvh::crop::Known;
use crate::bvh::slab::Frame;
use crate::bvh::wear::Wear;
use crate::error::MeshError;
use crate::mesh::{Mesh, check_vertices};
use crate::query::{Boundary, Closed};
use crate::watch::Watch;

/// What a [`Mesh::refit`] did to the tree.
///
/// ```
/// use hitscan::Mesh;
/// // A row of triangles, each at some place.
/// let row = |place: &dyn Fn(u32) -> u32| -> Vec<[f32; 3]> {
///     let corners = |x: f32| [[x, 0.0, 0.0], [x + 0.5, 0.0, 0.0], [x, 0.5, 0.0]];
///     (0..256).flat_map(|i| corners(place(i) as f32)).collect()
/// };
/// let mut flock = Mesh::new(row(&|i| i), (0..256u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]))?;
/// let flown = flock.refit(row(&|i| i + 7))?;
/// assert_eq!((flown.ratio, flown.rebuild), (1.0, false)); // neighbours stay together
/// let mixed = flock.refit(row(&|i| 97 * i % 256))?;
/// assert!(mixed.ratio > 1.3 && mixed.rebuild);
/// flock.rebuild();
/// assert_eq!(flock.refit(row(&|i| 97 * i % 256))?.ratio, 1.0);
/// # Ok::<(), hitscan::MeshError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Refit {
    /// What the tree costs rays now over what it cost when it was built, counted in boxes: 1 is as good as new, less is better.
    /// Of two such ratios the larger one: for rays through all of the mesh, and for rays that stay where it is crowded. Infinite
    /// where the tree was built of triangles without extent.
    pub ratio: f64,
    /// Whether [`Mesh::rebuild`] would pay: `ratio` is above 1.3. Answers are right in any case.
    pub rebuild: bool,
    /// Whether the tree was built anew, since it could not keep its shape; `ratio` is then 1.
    pub rebuilt: bool,
}

impl Mesh {
    /// Moves the vertices and keeps the triangles: for what bends, sways or walks, frame by frame. As good as a new mesh of
    /// the same vertices: every answer has the same bits.
    ///
    /// One pass over the tree, on all cores with the feature `rayon`: it takes a fraction of a build. In place where this is the
    /// only one; where clones of the mesh, worlds or scenes hold it too, they keep what they have, and this one gets a copy of
    /// everything first, which takes about as long as the pass. Materials, texture coordinates and cutouts stay. A scene sees
    /// the moved mesh when a new [`World`](crate::World) of it is committed; drop the old one first, and nothing is copied.
    ///
    /// The tree keeps its shape, so it is as good as ever where neighbours stay together, and gets worse
    /// the more they part: answers stay right and take longer. What comes back tells how much longer, and whether it is time
    /// for [`Mesh::rebuild`]. A triangle that had two corners at one position when the tree was
    /// built, and now has three, is in no leaf yet: then this builds anew by itself, and takes as long.
    ///
    /// # Errors
    /// Another number of vertices than before, coordinates that are not finite or exceed 2^100. The mesh is then unchanged.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mut flag = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let before = flag.clone();
    /// let moved = flag.refit([[0.0f32, 0.0, 0.5], [1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])?;
    /// assert_eq!((moved.ratio, moved.rebuild), (1.0, false));
    /// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])?;
    /// assert_eq!(flag.closest(&ray, &Filter::ALL).unwrap().t, 0.5);
    /// assert_eq!(before.closest(&ray, &Filter::ALL).unwrap().t, 1.0);
    /// let error = flag.refit([[0.0f32; 3]]).unwrap_err();
    /// assert_eq!(error.to_string(), "1 vertices for a mesh of 3; a refit needs as many as there were");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refit<V: Into<[f32; 3]>>(
        &mut self,
        vertices: impl IntoIterator<Item = V>,
    ) -> Result<Refit, MeshError> {
        let mut vertices: Vec<[f32; 3]> = vertices.into_iter().map(Into::into).collect();
        vertices.shrink_to_fit();
        let expected = self.data.vertices.len();
        if vertices.len() != expected {
            return Err(MeshError::VertexCount { found: vertices.len(), expected });
        }
        let reach = check_vertices(&vertices)?;
        let keeps = self.data.tree.keeps(&vertices, &self.data.triangles);
        let data = Arc::make_mut(&mut self.data);
        (data.vertices, data.reach, data.frame) = (vertices.into(), reach, Frame::new(reach));
        (data.closed, data.boundary, data.crop) = (Closed::default(), Boundary::default(), Known::default());
        if !keeps {
            self.rebuild();
            return Ok(Refit { ratio: 1.0, rebuild: false, rebuilt: true });
        }
        let ratio;
        (data.counts, ratio) = data.tree.refit(&data.vertices, &data.triangles);
        Ok(Refit { ratio, rebuild: Wear::is_worn(ratio), rebuilt: false })
    }

    /// Builds the tree anew of the vertices where they are now, with the [`Preset`](crate::Preset) that the mesh was built
    /// with: after many a [`Mesh::refit`], rays are then as fast as in a new mesh. No answer changes. Takes as long as
    /// [`Mesh::new`]; what clones, worlds and scenes hold stays as it is.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mut mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])?;
    /// let before = mesh.closest(&ray, &Filter::ALL);
    /// mesh.rebuild();
    /// assert_eq!(mesh.closest(&ray, &Filter::ALL), before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rebuild(&mut self) {
        let data = Arc::make_mut(&mut self.data);
        // Nobody ends it.
        if let Ok(built) = bvh::build(data.preset, &data.vertices, &data.triangles, Watch::new()) {
            (data.tree, data.counts) = built;
        }
    }
}
