//! Vertices that follow joints: what makes a figure walk.
//!
//! Linear blend skinning: each vertex goes where its joints take it, by weights (Magnenat-Thalmann, Laperrière, Thalmann:
//! Joint-Dependent Local Deformations for Hand Animation and Object Grasping, 1988), with joints and weights as glTF 2.0 has
//! them (The Khronos Group: glTF 2.0 Specification, 2021, "Skins").

use alloc::vec::Vec;

use glam::DAffine3;

use crate::bvh::parallel::list;
use crate::error::SkinError;
use crate::mesh::check_vertices;

/// The vertices of a mesh, each with joints that move it, and the weights of these.
///
/// [`Skin::pose`] gives the vertices for the places of the joints, and [`Mesh::refit`](crate::Mesh::refit) takes them:
/// ```
/// use hitscan::glam::{DAffine3, DQuat, DVec3};
/// use hitscan::{Filter, Mesh, Ray, Skin};
/// // An arm of two bones along x, one unit each; the elbow is at x = 1.
/// let corners = [[0.0f32, -0.1, 0.0], [0.0, 0.1, 0.0], [1.0, -0.1, 0.0], [1.0, 0.1, 0.0], [2.0, -0.1, 0.0], [2.0, 0.1, 0.0]];
/// let mut arm = Mesh::new(corners, [[0u32, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]])?;
/// let (upper, both, lower) = (vec![(0, 1.0)], vec![(0, 0.5), (1, 0.5)], vec![(1, 1.0)]);
/// let influences = [&upper, &upper, &both, &both, &lower, &lower];
/// let elbow = DVec3::new(1.0, 0.0, 0.0);
/// let skin = Skin::new(corners, influences, [DAffine3::IDENTITY, DAffine3::from_translation(-elbow)])?;
///
/// let bent = DAffine3::from_rotation_translation(DQuat::from_rotation_z(0.5 * std::f64::consts::PI), elbow);
/// arm.refit(skin.pose(&[DAffine3::IDENTITY, bent])?)?;
/// let hand = Ray::new([1.0, 0.9, 1.0], [0.0, 0.0, -1.0])?; // straight up from the elbow
/// assert!(arm.occluded(&hand, &Filter::ALL));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Skin {
    rest: Vec<[f32; 3]>,
    /// Where each vertex's influences begin; one more at the end.
    starts: Vec<usize>,
    /// Joints and weights; those of a vertex add up to 1.
    influences: Vec<(u32, f64)>,
    inverse_binds: Vec<[[f64; 4]; 3]>,
}

impl Skin {
    /// `vertices` as they are in the rest pose, in the mesh's own frame; for each the joints that move it, with their weights;
    /// and for each joint the inverse of its place in the rest pose: what takes a vertex into the joint's frame.
    ///
    /// Weights of a vertex that do not add up to 1 are divided by their sum, which rounding in files makes necessary.
    ///
    /// # Errors
    /// Vertices that a mesh refuses, another number of lists than vertices, a joint that does not exist, a weight that is
    /// negative or not finite, a vertex whose weights are all 0, matrices with numbers that are not finite.
    ///
    /// ```
    /// use hitscan::{Skin, SkinError, glam::DAffine3};
    /// let thirds = [[(0, 1.0), (1, 2.0)]]; // made to add up to 1
    /// assert!(Skin::new([[1.0f32, 0.0, 0.0]], thirds, [DAffine3::IDENTITY; 2]).is_ok());
    /// let error = Skin::new([[1.0f32, 0.0, 0.0]], [[(7, 1.0)]], [DAffine3::IDENTITY; 2]).unwrap_err();
    /// assert_eq!(error, SkinError::Joint { vertex: 0, joint: 7, joints: 2 });
    /// ```
    pub fn new<V: Into<[f32; 3]>, I: AsRef<[(u32, f32)]>>(
        vertices: impl IntoIterator<Item = V>,
        influences: impl IntoIterator<Item = I>,
        inverse_binds: impl Into<Vec<DAffine3>>,
    ) -> Result<Skin, SkinError> {
        let rest: Vec<[f32; 3]> = vertices.into_iter().map(Into::into).collect();
        check_vertices(&rest)?;
        let inverse_binds = inverse_binds.into();
        check_finite(&inverse_binds, "inverse bind matrix")?;
        let joints = inverse_binds.len();
        let mut starts = Vec::with_capacity(rest.len() + 1);
        let mut all = Vec::new();
        for (vertex, list) in influences.into_iter().enumerate() {
            starts.push(all.len());
            let mut sum = 0.0;
            for &(joint, weight) in list.as_ref() {
                if joint as usize >= joints {
                    return Err(SkinError::Joint { vertex, joint, joints });
                }
                if !(weight.is_finite() && weight >= 0.0) {
                    return Err(SkinError::Weight { vertex, joint, weight });
                }
                if weight > 0.0 {
                    sum += f64::from(weight);
                    all.push((joint, f64::from(weight)));
                }
            }
            if sum == 0.0 {
                return Err(SkinError::Unweighted { vertex });
            }
            for (_, weight) in all.iter_mut().skip(starts[vertex]) {
                *weight /= sum;
            }
        }
        if starts.len() != rest.len() {
            return Err(SkinError::InfluenceCount { found: starts.len(), vertices: rest.len() });
        }
        starts.push(all.len());
        let inverse_binds = inverse_binds.iter().map(rows).collect();
        Ok(Skin { rest, starts, influences: all, inverse_binds })
    }

    /// Where the vertices are with the joints here: for each joint, what takes its frame into that of the mesh. In `f64`, each
    /// coordinate rounded once; on all cores with the feature `rayon`, and the same bits on any number of them.
    ///
    /// # Errors
    /// Another number of matrices than joints, matrices with numbers that are not finite, vertices that come to lie beyond 2^100.
    ///
    /// ```
    /// use hitscan::glam::{DAffine3, DVec3};
    /// use hitscan::Skin;
    /// let skin = Skin::new([[1.0f32, 0.0, 0.0]], [[(0, 0.25), (1, 0.75)]], [DAffine3::IDENTITY; 2])?;
    /// let raised = DAffine3::from_translation(DVec3::new(0.0, 4.0, 0.0));
    /// assert_eq!(skin.pose(&[DAffine3::IDENTITY, raised])?, [[1.0, 3.0, 0.0]]);
    /// let error = skin.pose(&[raised]).unwrap_err();
    /// assert_eq!(error.to_string(), "1 joint matrices for a skin of 2 joints; each joint needs one");
    /// # Ok::<(), hitscan::SkinError>(())
    /// ```
    pub fn pose(&self, joints: &[DAffine3]) -> Result<Vec<[f32; 3]>, SkinError> {
        let expected = self.inverse_binds.len();
        if joints.len() != expected {
            return Err(SkinError::JointCount { found: joints.len(), expected });
        }
        check_finite(joints, "joint matrix")?;
        let moves: Vec<[[f64; 4]; 3]> =
            joints.iter().zip(&self.inverse_binds).map(|(joint, bind)| product(&rows(joint), bind)).collect();
        let vertices = list(self.rest.len(), |vertex| {
            let [x, y, z] = self.rest[vertex].map(f64::from);
            let mut sum = [0.0; 3];
            for &(joint, weight) in &self.influences[self.starts[vertex]..self.starts[vertex + 1]] {
                for (sum, row) in sum.iter_mut().zip(&moves[joint as usize]) {
                    *sum += weight * (((row[0] * x + row[1] * y) + row[2] * z) + row[3]);
                }
            }
            // What is too far for `f32` is said to be too far, not to be no number.
            sum.map(|c| c.clamp(-f64::from(f32::MAX), f64::from(f32::MAX)) as f32)
        });
        check_vertices(&vertices)?;
        Ok(vertices)
    }

    /// The vertices in the rest pose, as given.
    ///
    /// ```
    /// use hitscan::{Skin, glam::DAffine3};
    /// let skin = Skin::new([[1.0f32, 2.0, 3.0]], [[(0, 1.0)]], [DAffine3::IDENTITY])?;
    /// assert_eq!(skin.vertices(), [[1.0, 2.0, 3.0]]);
    /// # Ok::<(), hitscan::SkinError>(())
    /// ```
    pub fn vertices(&self) -> &[[f32; 3]] {
        &self.rest
    }

    /// How many joints there are.
    ///
    /// ```
    /// use hitscan::{Skin, glam::DAffine3};
    /// let skin = Skin::new([[1.0f32, 2.0, 3.0]], [[(0, 1.0)]], [DAffine3::IDENTITY; 4])?;
    /// assert_eq!(skin.joints(), 4);
    /// # Ok::<(), hitscan::SkinError>(())
    /// ```
    pub fn joints(&self) -> usize {
        self.inverse_binds.len()
    }
}

fn check_finite(matrices: &[DAffine3], what: &'static str) -> Result<(), SkinError> {
    match matrices.iter().position(|matrix| !matrix.is_finite()) {
        Some(joint) => Err(SkinError::NonFinite { what, joint }),
        None => Ok(()),
    }
}

/// Rows of an affine map, the translation last.
fn rows(map: &DAffine3) -> [[f64; 4]; 3] {
    let (m, t) = (map.matrix3.transpose().to_cols_array_2d(), map.translation.to_array());
    core::array::from_fn(|row| [m[row][0], m[row][1], m[row][2], t[row]])
}

/// The map that does the second, then the first, in a fixed order of operations.
fn product(a: &[[f64; 4]; 3], b: &[[f64; 4]; 3]) -> [[f64; 4]; 3] {
    core::array::from_fn(|i| {
        core::array::from_fn(|j| {
            let sum = (a[i][0] * b[0][j] + a[i][1] * b[1][j]) + a[i][2] * b[2][j];
            if j == 3 { sum + a[i][3] } else { sum }
        })
    })
}
