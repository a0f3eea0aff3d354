//! Why a shape was refused.

use thiserror::Error;

/// Why a shape was refused: which value, and what was expected.
///
/// ```
/// use hitscan::shape::{Plane, ShapeError, Sphere};
/// let error = Sphere::new([0.0, f64::NAN, 0.0], 1.0).unwrap_err();
/// assert_eq!(error.to_string(), "the centre: y is NaN; a shape needs finite coordinates of at most 2^100");
/// let flat = Plane::new([0.0; 3], [1.0; 3]);
/// assert_eq!(flat, Err(ShapeError::Normal { x: 0.0, y: 0.0, z: 0.0 }));
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A coordinate is NaN, infinite or beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE).
    #[error("{what}: {axis} is {value:?}; a shape needs finite coordinates of at most 2^100")]
    Coordinate {
        /// Which point or vector of the shape.
        what: &'static str,
        /// `x`, `y` or `z`.
        axis: char,
        /// The value found there.
        value: f64,
    },
    /// The `D` of a plane's equation that is NaN or infinite, or becomes so where the normal is brought to length 1.
    #[error(
        "the plane's D is {d:?}, its normal {length:e} long; a plane needs a quotient of both that is finite"
    )]
    Offset {
        /// The value given.
        d: f64,
        /// The length of the normal that was given with it.
        length: f64,
    },
    /// A normal of length zero, or one so short that `f64` cannot make it a unit vector.
    #[error("the normal is ({x:e}, {y:e}, {z:e}); a plane needs a normal that points somewhere")]
    Normal {
        /// The value found there.
        x: f64,
        /// The value found there.
        y: f64,
        /// The value found there.
        z: f64,
    },
    /// Three points on a line, or two at one place, where a plane through them is needed.
    #[error("the points {a:?}, {b:?} and {c:?} lie on a line; a plane needs three that do not")]
    Collinear {
        /// The first point.
        a: [f64; 3],
        /// The second point.
        b: [f64; 3],
        /// The third point.
        c: [f64; 3],
    },
    /// A radius that is NaN, not above zero or beyond 2^100.
    #[error("the radius is {radius:?}; a sphere or a capsule needs one above 0 and at most 2^100")]
    Radius {
        /// The value given.
        radius: f64,
    },
    /// A box whose upper end does not lie above its lower end.
    #[error("{axis} goes from {low:?} to {high:?}; a box needs low < high on each axis")]
    Bounds {
        /// `x`, `y` or `z`.
        axis: char,
        /// The lower end given.
        low: f64,
        /// The upper end given.
        high: f64,
    },
    /// Half an edge of an oriented box that is NaN, not above zero or beyond 2^100.
    #[error(
        "half the size along axis {axis} is {half:?}; an oriented box needs sizes above 0 and at most 2^100"
    )]
    HalfSize {
        /// 0, 1 or 2.
        axis: usize,
        /// The value given.
        half: f64,
    },
    /// Axes that are not at right angles to each other, or of length zero.
    #[error(
        "axes {first} and {second} are not at right angles or not of length 1 (dot product {dot:e}); an oriented box needs three unit vectors at right angles"
    )]
    Axes {
        /// 0, 1 or 2.
        first: usize,
        /// 0, 1 or 2; the same as `first` where its length is wrong.
        second: usize,
        /// Their dot product.
        dot: f64,
    },
    /// A point of a hull with a coordinate that is NaN, infinite or beyond 2^100.
    #[error("point {point}: {axis} is {value:?}; a convex hull needs finite coordinates of at most 2^100")]
    HullPoint {
        /// Its place in the list.
        point: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// The value found there.
        value: f64,
    },
    /// A plane of a hull that lies beyond 2^100.
    #[error("plane {plane}: its offset is {offset:?}; a convex hull needs offsets of at most 2^100")]
    HullPlane {
        /// Its place in the list.
        plane: usize,
        /// The value found there.
        offset: f64,
    },
    /// Half-spaces or points that enclose no volume, or planes that leave the volume open or meet beyond 2^200.
    #[error("the hull {what}; a convex hull needs an inside of finite size")]
    Hull {
        /// What is wrong.
        what: &'static str,
    },
}
