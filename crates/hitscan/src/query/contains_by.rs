//! Whether a point lies in a mesh, by a rule that the caller chooses.

use alloc::vec::Vec;

use glam::DVec3;

use crate::error::OpenMeshError;
use crate::mesh::Mesh;

/// What it means to lie inside of a mesh.
///
/// ```
/// use hitscan::{Mesh, Rule};
/// let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let without_floor = Mesh::new(corners, [[0u32, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// assert!(without_floor.contains_by([0.2, 0.2, 0.3], Rule::Parity).is_err());
/// assert_eq!(without_floor.contains_by([0.1, 0.1, 0.5], Rule::Winding), Ok(true));
/// assert_eq!(without_floor.contains_by([0.2, 0.2, -0.3], Rule::Winding), Ok(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// A ray from the point crosses the surface an odd number of times. Exact, fast, and blind to windings; but through a hole
    /// it says anything, so an open mesh is refused. What the surface encloses twice is outside.
    Parity,
    /// The [winding number](Mesh::winding_number) is at least one half, or at most minus one half: the surface takes up more
    /// than half of the sphere around the point, fronts less backs. For models with holes, overlaps and stray triangles, as most
    /// are, whose windings agree. What the surface encloses twice is inside. As exact and as fast as [`Rule::Parity`] for a mesh whose
    /// triangles run along each edge as often one way as back. Other edges take some nanoseconds each, and nearer to one of them than
    /// some `1e-15` of the mesh's largest coordinate rounding decides.
    Winding,
}

impl Mesh {
    /// Whether a point lies inside of the mesh or exactly on its surface, by a [`Rule`]; in the mesh's own frame. A point with
    /// a coordinate that is not a number or infinite is outside.
    ///
    /// [`Rule::Parity`] first makes sure that the mesh is closed, as [`Mesh::open_edge`] does: the first call sorts all
    /// edges, and later ones know. Then it answers as [`Mesh::contains`], which does not make sure. The first call by
    /// [`Rule::Winding`] sorts all edges, too, as [`Mesh::winding_number`] does.
    ///
    /// # Errors
    /// [`OpenMeshError`] for [`Rule::Parity`] and an open mesh.
    ///
    /// ```
    /// use hitscan::{Mesh, Rule};
    /// let tetrahedron = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ///     [[0u32, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    /// )?;
    /// for rule in [Rule::Parity, Rule::Winding] {
    ///     assert_eq!(tetrahedron.contains_by([0.2, 0.2, 0.2], rule), Ok(true));
    ///     assert_eq!(tetrahedron.contains_by([0.5, 0.5, 0.0], rule), Ok(true)); // on an edge
    ///     assert_eq!(tetrahedron.contains_by([0.5, 0.5, 0.5], rule), Ok(false));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contains_by(&self, point: impl Into<[f64; 3]>, rule: Rule) -> Result<bool, OpenMeshError> {
        self.check_rule(rule)?;
        let point = DVec3::from(point.into());
        Ok(match rule {
            Rule::Parity => self.contains(point),
            Rule::Winding => self.winding_at(point, is_inside),
        })
    }

    /// [`Mesh::contains_by`] for each point, on all cores with the feature `rayon`.
    ///
    /// # Errors
    /// As [`Mesh::contains_by`].
    ///
    /// ```
    /// use hitscan::{Mesh, Rule};
    /// let sheet = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// assert!(sheet.contains_by_batch(&[[0.0; 3]], Rule::Parity).is_err());
    /// assert_eq!(sheet.contains_by_batch(&[[0.2, 0.2, 0.0], [0.2, 0.2, -0.1]], Rule::Winding)?, [true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contains_by_batch<P: Into<[f64; 3]> + Copy + Sync>(
        &self,
        points: &[P],
        rule: Rule,
    ) -> Result<Vec<bool>, OpenMeshError> {
        self.check_rule(rule)?;
        Ok(match rule {
            Rule::Parity => self.contains_batch(points),
            Rule::Winding => self.winding_batch(points, is_inside),
        })
    }

    /// Finds out what a rule needs to know of all edges.
    pub(crate) fn know(&self, rule: Rule) {
        match rule {
            Rule::Parity => drop(self.open_edge()),
            Rule::Winding => drop(self.boundary_edges()),
        }
    }

    fn check_rule(&self, rule: Rule) -> Result<(), OpenMeshError> {
        match rule {
            Rule::Parity => self.open_edge().map_or(Ok(()), |edge| Err(OpenMeshError { edge })),
            Rule::Winding => Ok(()),
        }
    }
}

/// Exactly on a triangle the winding number says nothing.
fn is_inside(touched: bool, winding: f64) -> bool {
    touched || winding.abs() >= 0.5
}
