//! What moves in a model: the tree of its nodes, the skins that follow them, and the animations that move them.
//!
//! Keys are sampled as glTF 2.0 says (The Khronos Group: glTF 2.0 Specification, 2021, "Animations" and appendix C,
//! "Interpolation"): stepwise, linearly, rotations along the arc between them, or by cubic splines.

use hitscan::Skin;
use hitscan::glam::{DAffine3, DMat3, DVec3};

use crate::Model;

/// The moving parts of a [`Model`]: empty unless a node has a skin.
///
/// ```
/// let model = hitscan_io::open("builtin:sphere:1k")?;
/// assert!(model.rig.skins().is_empty()); // nothing moves
/// # Ok::<(), hitscan_io::ReadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rig {
    pub(crate) joints: Vec<Joint>,
    /// Rows of `joints`, each behind its parent.
    pub(crate) order: Vec<usize>,
    pub(crate) skins: Vec<SkinnedNode>,
    pub(crate) animations: Vec<Animation>,
}

/// A node of the file, as something that skins follow.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The file's name for it, or `node3` after its number in the file.
    pub name: String,
    /// Row of [`Rig::joints`]; `None` for a root.
    pub parent: Option<usize>,
    pub(crate) rest: Local,
}

/// A node's own placement, in its parent's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Local {
    /// Translation, rotation as a quaternion `x y z w`, scale: what animations change.
    Parts([f64; 3], [f64; 4], [f64; 3]),
    Matrix(DAffine3),
}

impl Local {
    pub fn affine(&self) -> DAffine3 {
        match *self {
            Local::Parts(translation, rotation, scale) => affine(translation, rotation, scale),
            Local::Matrix(matrix) => matrix,
        }
    }
}

/// A node whose mesh follows joints.
#[derive(Clone, Debug)]
pub struct SkinnedNode {
    /// The file's name for the skin, or `skin0` after its number in the file.
    pub name: String,
    /// Row of [`Model::nodes`].
    pub node: usize,
    /// Rows of [`Rig::joints`], in the order in which [`Skin::pose`] takes their matrices.
    pub joints: Vec<usize>,
    /// The vertices of the node's mesh with their joints and weights.
    pub skin: Skin,
    /// From the world to the node's frame.
    pub(crate) from_world: DAffine3,
}

/// Keys over time for some joints.
#[derive(Clone, Debug)]
pub struct Animation {
    /// The file's name for it, or `animation0` after its number in the file.
    pub name: String,
    /// When the last key is, in seconds.
    pub duration: f64,
    pub(crate) channels: Vec<Channel>,
}

/// The keys of one part of one joint's placement.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    /// Row of [`Rig::joints`].
    pub joint: usize,
    pub part: Part,
    pub way: Way,
    /// Ascending, in seconds; one at least.
    pub times: Vec<f32>,
    /// One for each time; three for each where the way is a spline: in-tangent, value, out-tangent.
    pub values: Vec<[f32; 4]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Translation,
    Rotation,
    Scale,
}

/// What is between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Step,
    Linear,
    Spline,
}

impl Rig {
    /// The nodes of the file, in its order.
    ///
    /// ```
    /// assert!(hitscan_io::Rig::default().joints().is_empty());
    /// ```
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The nodes with skins, in the order of [`Model::nodes`].
    ///
    /// ```
    /// assert!(hitscan_io::Rig::default().skins().is_empty());
    /// ```
    pub fn skins(&self) -> &[SkinnedNode] {
        &self.skins
    }

    /// The animations, in file order.
    ///
    /// ```
    /// assert!(hitscan_io::Rig::default().animations().is_empty());
    /// ```
    pub fn animations(&self) -> &[Animation] {
        &self.animations
    }

    /// Where each joint is, in world space: at rest, or as an animation has it `time` seconds after its begin. Before the first
    /// key of a joint it is where that says, behind the last one where that says.
    ///
    /// ```
    /// assert!(hitscan_io::Rig::default().places(None, 0.0).is_empty()); // one for each joint
    /// ```
    pub fn places(&self, animation: Option<&Animation>, time: f64) -> Vec<DAffine3> {
        let mut locals: Vec<Local> = self.joints.iter().map(|joint| joint.rest).collect();
        for channel in animation.iter().flat_map(|animation| &animation.channels) {
            if let Some(Local::Parts(translation, rotation, scale)) = locals.get_mut(channel.joint) {
                let [x, y, z, w] = channel.at(time);
                match channel.part {
                    Part::Translation => *translation = [x, y, z],
                    Part::Rotation => *rotation = [x, y, z, w],
                    Part::Scale => *scale = [x, y, z],
                }
            }
        }
        let mut places = vec![DAffine3::IDENTITY; locals.len()];
        for &joint in &self.order {
            let local = locals[joint].affine();
            places[joint] = self.joints[joint].parent.map_or(local, |parent| places[parent] * local);
        }
        places
    }
}

impl Model {
    /// The joint matrices of a skin, at rest or at a time of an animation: [`Rig::places`], in the frame of the node that has the
    /// skin, so that the posed mesh stands in the world where its joints are with the node's transform as it is. They are
    /// for [`Skin::pose`], whose vertices are for [`Mesh::refit`](hitscan::Mesh::refit):
    /// ```no_run
    /// let model = hitscan_io::open("walker.glb")?;
    /// let (skin, walk) = (&model.rig.skins()[0], &model.rig.animations()[0]);
    /// let mut mesh = model.meshes[model.nodes[skin.node].mesh].mesh.clone();
    /// mesh.refit(skin.skin.pose(&model.pose(skin, Some(walk), 0.25))?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pose(&self, skin: &SkinnedNode, animation: Option<&Animation>, time: f64) -> Vec<DAffine3> {
        let places = self.rig.places(animation, time);
        // A skin of another model may name joints that are not here.
        let place = |joint: &usize| places.get(*joint).copied().unwrap_or(DAffine3::IDENTITY);
        skin.joints.iter().map(|joint| skin.from_world * place(joint)).collect()
    }
}

impl Channel {
    /// The value at a time.
    fn at(&self, time: f64) -> [f64; 4] {
        let next = self.times.partition_point(|&key| f64::from(key) <= time);
        let value = |key: usize| {
            let row = if self.way == Way::Spline { 3 * key + 1 } else { key };
            self.values[row].map(f64::from)
        };
        if next == 0 {
            return value(0);
        }
        let last = next - 1;
        if next == self.times.len() || self.way == Way::Step {
            return value(last);
        }
        let [from, to] = [last, next].map(|key| f64::from(self.times[key]));
        let length = to - from;
        let t = (time - from) / length;
        let (a, b) = (value(last), value(next));
        match self.way {
            Way::Spline => {
                let (out, into) =
                    (self.values[3 * last + 2].map(f64::from), self.values[3 * next].map(f64::from));
                let (t2, t3) = (t * t, t * t * t);
                std::array::from_fn(|i| {
                    let ends = (2.0 * t3 - 3.0 * t2 + 1.0) * a[i] + (3.0 * t2 - 2.0 * t3) * b[i];
                    ends + length * ((t3 - 2.0 * t2 + t) * out[i] + (t3 - t2) * into[i])
                })
            }
            _ if self.part == Part::Rotation => slerp(a, b, t),
            _ => std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t),
        }
    }
}

/// Along the shorter arc between two rotations, at an even pace (Shoemake: Animating Rotation with Quaternion Curves, 1985).
fn slerp(a: [f64; 4], b: [f64; 4], t: f64) -> [f64; 4] {
    let unit = |q: [f64; 4]| {
        let length = libm::sqrt(q.iter().map(|c| c * c).sum());
        q.map(|c| c / length)
    };
    let (a, b) = (unit(a), unit(b));
    let cos: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    let side = if cos < 0.0 { -1.0 } else { 1.0 };
    let angle = libm::acos(cos.abs().min(1.0));
    // So near to each other, the arc is straight to the last bit.
    let [from, to] = if angle < 1e-8 {
        [1.0 - t, t]
    } else {
        [1.0 - t, t].map(|share| libm::sin(angle * share) / libm::sin(angle))
    };
    std::array::from_fn(|i| from * a[i] + side * to * b[i])
}

/// Scaled, then turned, then moved. A quaternion of any length turns by its direction; one without length does not turn.
pub(crate) fn affine(translation: [f64; 3], [x, y, z, w]: [f64; 4], scale: [f64; 3]) -> DAffine3 {
    let length_sq = (x * x + y * y) + (z * z + w * w);
    // Dividing by the squared length makes up for quaternions that were rounded on their way here.
    let s = if length_sq > 0.0 { 2.0 / length_sq } else { 0.0 };
    let rotation = DMat3::from_cols(
        DVec3::new(1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
        DVec3::new(s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)),
        DVec3::new(s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)),
    );
    let matrix3 = rotation * DMat3::from_diagonal(scale.into());
    DAffine3 { matrix3, translation: translation.into() }
}
