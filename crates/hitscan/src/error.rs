//! What was wrong with an input: each error says which element, and what was expected.

use alloc::format;
use alloc::string::String;
use core::fmt;

use glam::Vec3;
use thiserror::Error;

use crate::query::OpenEdge;

/// Why a [`Ray`](crate::Ray) was refused.
///
/// ```
/// use hitscan::{Ray, RayError};
/// assert_eq!(Ray::new([0.0; 3], [0.0; 3]), Err(RayError::ZeroDirection));
/// let error = Ray::new([0.0, f64::INFINITY, 0.0], [1.0, 0.0, 0.0]).unwrap_err();
/// assert_eq!(error.to_string(), "oy is inf; a ray needs finite numbers");
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum RayError {
    /// A component is NaN or infinite.
    #[error("{field} is {value}; a ray needs finite numbers")]
    NonFinite {
        /// `ox`, `oy`, `oz`, `dx`, `dy` or `dz`; `bx`, `by` or `bz` for the end of a segment, `pixel x` or `pixel y` for a place in a
        /// picture.
        field: &'static str,
        /// The value found there.
        value: f64,
    },
    /// The origin, or the end of a segment, lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE).
    #[error("{field} is {value:e}; the ends of a ray need coordinates of at most 2^100")]
    OriginTooFar {
        /// `ox`, `oy` or `oz`; `bx`, `by` or `bz` for the end of a segment.
        field: &'static str,
        /// The value found there.
        value: f64,
    },
    /// The direction is `(0, 0, 0)`.
    #[error("the direction is zero; a ray needs a direction of any length but zero")]
    ZeroDirection,
    /// Both ends of a segment are the same point.
    #[error("both ends are the same point; a segment needs two")]
    ZeroLength,
    /// The direction is so long or so short that `t` could not be represented.
    #[error("the direction's largest component is {largest:e}; it needs to lie between 2^-200 and 2^200")]
    DirectionOutOfRange {
        /// The largest absolute component.
        largest: f64,
    },
    /// `t_min > t_max`, or one of them is NaN.
    #[error("the range of t is [{}, {}]; it needs t_min <= t_max", Short(*.t_min), Short(*.t_max))]
    EmptyRange {
        /// The lower end.
        t_min: f64,
        /// The upper end.
        t_max: f64,
    },
    /// A picture without pixels, which no camera's ray goes through.
    #[error("the picture has {} x {} pixels; a ray needs a picture to go through", .size[0], .size[1])]
    NoPicture {
        /// Its width and its height.
        size: [u32; 2],
    },
}

/// A number as it is written, with an exponent where it would take hundreds of zeros.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Short(x) = *self;
        if x == 0.0 || !x.is_finite() || (1e-5..1e16).contains(&x.abs()) {
            write!(f, "{x}")
        } else {
            write!(f, "{x:e}")
        }
    }
}

/// Why [`Rule::Parity`](crate::Rule::Parity) was refused: the mesh has a gap, and a ray through it would count wrongly.
///
/// ```
/// use hitscan::{Mesh, Rule};
/// let sheet = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.5, 0.0]], [[0u32, 1, 2]]).unwrap();
/// let error = sheet.contains_by([0.0; 3], Rule::Parity).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the mesh is open at the edge from (0.0, 0.0, 0.0) to (1.0, 0.0, 0.0) of triangle 0, which an odd number of \
///      triangles use; parity needs a closed mesh, take the winding number"
/// );
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error(
    "the mesh is open at the edge from {from} to {to} of triangle {prim}, which an odd number of triangles use; \
     parity needs a closed mesh, take the winding number",
    from = Place(.edge.from), to = Place(.edge.to), prim = .edge.prim
)]
pub struct OpenMeshError {
    /// The first gap: the first open edge of the lowest triangle that has one.
    pub edge: OpenEdge,
}

/// Why a [`Scene`](crate::Scene) cannot say by parity what a point lies in.
///
/// ```
/// use hitscan::{Filter, Mesh, Rule, World};
/// let mut world = World::new();
/// let sheet = world.insert(&Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?);
/// let error = world.commit().containing([0.2, 0.2, 0.0], Rule::Parity, &Filter::ALL).unwrap_err();
/// assert_eq!((error.id, error.error.edge.prim), (sheet, 0));
/// # Ok::<(), hitscan::MeshError>(())
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
#[error("instance {} (generation {}): {error}", id.slot(), id.generation())]
pub struct OpenInstanceError {
    /// The first instance that is asked and open.
    pub id: crate::hit::InstanceId,
    /// Where it is open.
    pub error: OpenMeshError,
}

/// A position as messages write it, with a point in each number.
struct Place(Vec3);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place(at) = self;
        write!(f, "({:?}, {:?}, {:?})", at.x, at.y, at.z)
    }
}

/// Why a [`Mesh`](crate::Mesh) was refused.
///
/// ```
/// use hitscan::{Mesh, MeshError};
/// let error = Mesh::new([[0.0f32; 3]; 3], [[0u32, 1, 3]]).unwrap_err();
/// assert!(matches!(error, MeshError::IndexOutOfRange { .. }), "{error}");
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// A vertex coordinate is NaN or infinite.
    #[error("vertex {vertex}: {axis} is {value}; a mesh needs finite coordinates")]
    NonFinite {
        /// Row of the vertex list.
        vertex: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// The value found there.
        value: f32,
    },
    /// A vertex coordinate lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE).
    #[error("vertex {vertex}: {axis} is {value:e}; a mesh needs coordinates of at most 2^100")]
    TooFar {
        /// Row of the vertex list.
        vertex: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// The value found there.
        value: f32,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {index}; the mesh has {}", numbered(*.vertices))]
    IndexOutOfRange {
        /// Row of the triangle list.
        triangle: usize,
        /// The index found there.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// More triangles than a tree can address.
    #[error("{triangles} triangles; a mesh holds at most {}", crate::MAX_TRIANGLES)]
    TooManyTriangles {
        /// How many were given.
        triangles: usize,
    },
    /// A refit with another number of vertices than the mesh has.
    #[error("{found} vertices for a mesh of {expected}; a refit needs as many as there were")]
    VertexCount {
        /// How many were given.
        found: usize,
        /// How many the mesh has.
        expected: usize,
    },
    /// The list of materials is not as long as the list of triangles.
    #[error("{materials} materials for {triangles} triangles; each triangle needs one")]
    MaterialCount {
        /// How many materials were given.
        materials: usize,
        /// How many triangles the mesh has.
        triangles: usize,
    },
    /// The list of texture coordinates is not as long as the list of vertices.
    #[error("{uvs} texture coordinates for {vertices} vertices; each vertex needs a pair")]
    UvCount {
        /// How many pairs were given.
        uvs: usize,
        /// How many vertices the mesh has.
        vertices: usize,
    },
    /// A texture coordinate is NaN or infinite.
    #[error("vertex {vertex}: the texture coordinate {axis} is {value}; a mesh needs finite ones")]
    Uv {
        /// Row of the vertex list.
        vertex: usize,
        /// `u` or `v`.
        axis: char,
        /// The value found there.
        value: f32,
    },
    /// The build was ended by a [`Cancel`](crate::Cancel).
    #[error("the build was cancelled before it was done")]
    Cancelled,
    /// The build would need more memory than it may take.
    #[error("the build needs up to {needs} bytes of memory; its limit is {budget}")]
    Memory {
        /// The most that it would take.
        needs: u64,
        /// The limit that was given.
        budget: u64,
    },
    /// A cutout on a mesh that has no texture coordinates.
    #[error("the cutout of material {material} has no texture coordinates; each vertex needs a pair")]
    MissingUvs {
        /// The material.
        material: u32,
    },
}

impl From<crate::Cancelled> for MeshError {
    fn from(_: crate::Cancelled) -> Self {
        MeshError::Cancelled
    }
}

/// Why a [`Cutout`](crate::Cutout) was refused.
///
/// ```
/// use hitscan::{Cutout, CutoutError};
/// assert_eq!(Cutout::new(0, 2, vec![], 0.5).unwrap_err(), CutoutError::Empty { width: 0, height: 2 });
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum CutoutError {
    /// An image without columns or rows.
    #[error("the image has {width} x {height} texels; a cutout needs one at least")]
    Empty {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// Another number of values than texels.
    #[error("{found} values of alpha for an image of {width} x {height}; each texel needs one")]
    Size {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// How many values were given.
        found: usize,
    },
    /// A threshold or a factor that is negative, infinite or NaN.
    #[error("the {what} is {value}; it needs to be finite and at least 0")]
    Factor {
        /// `threshold` or `factor`.
        what: &'static str,
        /// The value given.
        value: f32,
    },
}

/// Why a [`Skin`](crate::Skin) was refused, or a pose of it.
///
/// ```
/// use hitscan::{Skin, SkinError, glam::DAffine3};
/// let error = Skin::new([[0.0f32; 3]], [[(0, 0.0)]], [DAffine3::IDENTITY]).unwrap_err();
/// assert_eq!(error, SkinError::Unweighted { vertex: 0 });
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum SkinError {
    /// The vertices, at rest or posed, are such that a mesh would refuse them.
    #[error(transparent)]
    Vertices(#[from] MeshError),
    /// Not as many lists of influences as vertices.
    #[error("{found} lists of influences for {vertices} vertices; each vertex needs one")]
    InfluenceCount {
        /// How many were given.
        found: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A vertex follows a joint that does not exist.
    #[error("vertex {vertex} follows joint {joint}; the skin has {}", numbered(*.joints))]
    Joint {
        /// Row of the vertex list.
        vertex: usize,
        /// The joint found there.
        joint: u32,
        /// How many joints there are.
        joints: usize,
    },
    /// A weight is negative, infinite or NaN.
    #[error("vertex {vertex}: the weight of joint {joint} is {weight}; it needs to be finite and at least 0")]
    Weight {
        /// Row of the vertex list.
        vertex: usize,
        /// The joint.
        joint: u32,
        /// The value found there.
        weight: f32,
    },
    /// All weights of a vertex are 0.
    #[error("vertex {vertex} follows no joint; its weights need to add up to 1")]
    Unweighted {
        /// Row of the vertex list.
        vertex: usize,
    },
    /// A pose with another number of joints than the skin has.
    #[error("{found} joint matrices for a skin of {expected} joints; each joint needs one")]
    JointCount {
        /// How many matrices were given.
        found: usize,
        /// How many joints the skin has.
        expected: usize,
    },
    /// A matrix with a number that is NaN or infinite.
    #[error("the {what} of joint {joint} has numbers that are not finite; a skin needs finite ones")]
    NonFinite {
        /// `inverse bind matrix` or `joint matrix`.
        what: &'static str,
        /// Which joint.
        joint: usize,
    },
}

/// Why a [`Transform`](crate::Transform) was refused.
///
/// ```
/// use hitscan::{Transform, TransformError};
/// let error = Transform::translation([0.0, f64::INFINITY, 0.0]).unwrap_err();
/// assert_eq!(error, TransformError::OutOfRange { row: 1, column: 3, value: f64::INFINITY });
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum TransformError {
    /// An entry is NaN or infinite, or lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE).
    #[error("row {row}, column {column} is {value:e}; a placement needs finite entries of at most 2^100")]
    OutOfRange {
        /// 0 to 2.
        row: usize,
        /// 0 to 2 for the matrix, 3 for the translation.
        column: usize,
        /// The value found there.
        value: f64,
    },
    /// The matrix has no inverse that `f64` can compute, or one with entries beyond 2^100.
    #[error(
        "the matrix is singular or close to it (determinant {determinant:e}); a placement needs an inverse"
    )]
    Singular {
        /// Its determinant, as computed.
        determinant: f64,
    },
    /// A matrix of four rows whose last is not that of a placement: it projects, or is transposed.
    #[error(
        "the last row is {last:?}; a placement has 0, 0, 0, 1 there, and its translation in the last column"
    )]
    NotAffine {
        /// What was found there.
        last: [f64; 4],
    },
}

/// Why a [`Camera`](crate::Camera) was refused.
///
/// ```
/// use hitscan::{Camera, CameraError};
/// let wide = Camera::new([0.0; 3], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0], 180.0);
/// assert_eq!(wide, Err(CameraError::FieldOfView { degrees: 180.0 }));
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum CameraError {
    /// A number is NaN or infinite.
    #[error("the camera's {what} is not finite; a camera needs finite numbers")]
    NonFinite {
        /// `eye`, `target`, `forward`, `right`, `up` or `field of view`.
        what: &'static str,
    },
    /// Looking nowhere, or along `up`.
    #[error("the camera looks along its up vector or nowhere; forward and up need different directions")]
    NoDirection,
    /// The vertical field of view is not in `(0, 180)` degrees.
    #[error("the field of view is {} degrees; it needs to lie between 0 and 180", Short(*.degrees))]
    FieldOfView {
        /// The value given.
        degrees: f64,
    },
}

/// Why a cursor gave no ray, or nothing to pick or to select by.
///
/// ```
/// use hitscan::glam::DMat4;
/// use hitscan::{DepthRange, PickError, Viewport};
/// let window = Viewport::new([0.0, 0.0], [800.0, 600.0], DepthRange::ZeroToOne)?;
/// let error = window.ray([9.0, 9.0], &DMat4::IDENTITY, &DMat4::ZERO).unwrap_err();
/// assert_eq!(error, PickError::Singular { which: "projection" });
/// assert_eq!(error.to_string(), "the projection matrix has no inverse; picking needs one that can be undone");
/// # Ok::<(), PickError>(())
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum PickError {
    /// A number is NaN or infinite.
    #[error("{what} is or holds {value}; picking needs finite numbers")]
    NonFinite {
        /// Which number, or which matrix.
        what: &'static str,
        /// The value found there.
        value: f64,
    },
    /// A viewport without an area.
    #[error("{what} is {value:?}; a viewport needs sizes above 0")]
    Size {
        /// Width or height.
        what: &'static str,
        /// The value given.
        value: f64,
    },
    /// A matrix that cannot be undone.
    #[error("the {which} matrix has no inverse; picking needs one that can be undone")]
    Singular {
        /// `view` or `projection`.
        which: &'static str,
    },
    /// A view matrix whose last row is not `0 0 0 1`: transposed, or multiplied by the projection.
    #[error(
        "the view matrix's last row is not 0 0 0 1; a view turns, moves and scales, and is stored by columns"
    )]
    NotAffine,
    /// The near plane is not in front of the camera, or lies behind the far plane.
    #[error(
        "at depth {near} the projection gives w = {w:e}; the near plane lies there, so the depth range is another one"
    )]
    Depth {
        /// Where the depth range has the near plane.
        near: f64,
        /// What the inverse of the projection gives there; positive for a near plane.
        w: f64,
    },
    /// The ray itself.
    #[error("the camera's ray: {0}")]
    Ray(#[source] RayError),
    /// A distance in pixels that is below 0.
    #[error("the radius is {radius:?}; picking needs 0 or more")]
    Radius {
        /// The value given.
        radius: f64,
    },
    /// A rectangle or an outline that encloses nothing.
    #[error("{what}; a selection needs an area")]
    Area {
        /// What is wrong.
        what: &'static str,
    },
}

/// Why values at vertices have none at a hit.
///
/// ```
/// use hitscan::{AttributeError, Filter, Mesh, Ray};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
/// let hit = mesh.closest(&Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])?, &Filter::ALL).unwrap();
/// assert_eq!(mesh.interpolate(&hit, &[1.0f32; 2]), Err(AttributeError::Count { found: 2, expected: 3 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttributeError {
    /// Not one value for each vertex.
    #[error("{found} values for a mesh of {expected} vertices; each vertex needs one")]
    Count {
        /// Values given.
        found: usize,
        /// Vertices of the mesh.
        expected: usize,
    },
    /// A hit on something else.
    #[error(
        "the hit is on triangle {prim}, the mesh has {triangles}; a hit needs to be on the mesh that is asked"
    )]
    Prim {
        /// The triangle that was hit.
        prim: u32,
        /// Triangles of the mesh.
        triangles: usize,
    },
}

/// A name of an instance that is not there: it was removed, or is another world's.
///
/// ```
/// use hitscan::{InstanceId, StaleInstance, World};
/// let nobody = InstanceId::first(3);
/// assert_eq!(World::new().remove(nobody).unwrap_err(), StaleInstance { id: nobody });
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "instance {} (generation {}) is not there; it needs to be one that was not removed",
    id.slot(),
    id.generation()
)]
pub struct StaleInstance {
    /// The name.
    pub id: crate::hit::InstanceId,
}

/// Why a [`History`](crate::History) has no answer, or no room for a tick.
///
/// ```
/// use hitscan::{HistoryError, World};
/// assert_eq!(World::new().history().at(7.0).unwrap_err(), HistoryError::Empty { tick: 7.0 });
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum HistoryError {
    /// A time that is not kept any more, not yet, or is no number.
    #[error("tick {tick} is not kept; the history holds {first} to {last}")]
    NotKept {
        /// The time that was asked for, in ticks.
        tick: f64,
        /// The oldest that is kept.
        first: u64,
        /// The newest.
        last: u64,
    },
    /// Nothing is kept.
    #[error(
        "tick {tick} is not kept; the history is empty, and needs room by World::keep and a tick by World::record"
    )]
    Empty {
        /// The time that was asked for, in ticks.
        tick: f64,
    },
    /// A tick that was recorded after a later one.
    #[error("tick {tick} comes after tick {last}; ticks need to be recorded in their order")]
    Order {
        /// The tick that was refused.
        tick: u64,
        /// The newest that is kept.
        last: u64,
    },
}

/// How many there are of what counts from 0, with their numbers.
fn numbered(count: usize) -> String {
    match count.checked_sub(1) {
        Some(last) => format!("{count} (0 to {last})"),
        None => "none".into(),
    }
}
