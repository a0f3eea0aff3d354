//! Convex hull: the intersection of half-spaces, or the smallest convex solid around points.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::DVec3;

use super::hull::{edges, enclose, faces, meeting, quickhull};
use super::{Plane, ShapeError, checked_point};
use crate::exact::{Big, Bounded, Number, Vector, difference, dot, normal, rounded, vector};
use crate::intersect::HalfSpaces;
use crate::ray::{MAX_COORDINATE, Ray};

/// A solid with flat faces that holds every segment between two of its points; its surface belongs to it.
///
/// ```
/// use hitscan::shape::{ConvexHull, Plane};
/// let cube = ConvexHull::from_points([
///     [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0],
///     [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.5, 0.5, 0.5],
/// ])?;
/// assert_eq!((cube.planes().len(), cube.corners().len()), (6, 8)); // the ninth point is inside
/// assert!(cube.contains([1.0, 1.0, 0.5]) && !cube.contains([1.0, 1.1, 0.5]));
/// # Ok::<(), hitscan::shape::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexHull {
    planes: Vec<Plane>,
    corners: Vec<DVec3>,
    /// The box around the corners, where there are any.
    bounds: Option<(DVec3, DVec3)>,
    /// What decides, one for each plane.
    faces: Vec<Face>,
    /// Triangles that cover the surface.
    triangles: Vec<[DVec3; 3]>,
    /// Where two faces meet.
    edges: Vec<edges::Edge>,
}

/// One half-space, as it is tested.
#[derive(Clone, Debug, PartialEq)]
enum Face {
    /// The plane itself is the truth.
    Equation,
    /// Three points are, counter-clockwise from outside. Their normal, as large as is handy, and what it is off by.
    Points { corners: [DVec3; 3], normal: DVec3, error: DVec3 },
}

/// How far away a corner may be where planes meet, 2^200: the exact tests have to hold products of six differences.
pub(super) const FARTHEST: f64 = {
    let far = (1u128 << 100) as f64;
    far * far
};

/// Why a hull with a corner beyond it is refused.
pub(super) const TOO_FAR: ShapeError =
    ShapeError::Hull { what: "has a corner beyond 2^200, where its planes meet" };

impl ConvexHull {
    /// The points that lie behind all of these planes. A plane may bound nothing; faces are known by their places in the
    /// list, and redundant planes are kept.
    ///
    /// # Errors
    /// [`ShapeError::HullPlane`] for a plane whose offset is beyond 2^100, and
    /// [`ShapeError::Hull`] where the planes leave a direction open or where no point lies strictly behind all of them:
    /// half-spaces without a common volume. Both are decided exactly, for the normals and offsets as [`Plane`] holds them.
    /// [`ShapeError::Hull`] as well where planes at small angles leave a corner beyond 2^200.
    ///
    /// ```
    /// use hitscan::shape::{ConvexHull, Plane};
    /// let walls = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]
    ///     .map(|n| Plane::from_equation(n, -1.0).expect("a normal"));
    /// let error = ConvexHull::from_planes(walls).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the hull is unbounded, its planes leave a direction open; a convex hull needs an inside of finite size"
    /// );
    /// let floor = Plane::from_equation([0.0, 0.0, -1.0], -1.0)?;
    /// let cube = ConvexHull::from_planes(walls.into_iter().chain([floor]))?;
    /// assert!(cube.contains([1.0, -1.0, 1.0]) && !cube.contains([0.0, 0.0, -1.1]));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn from_planes(planes: impl IntoIterator<Item = Plane>) -> Result<ConvexHull, ShapeError> {
        let planes: Vec<Plane> = planes.into_iter().collect();
        for (plane, offset) in planes.iter().map(Plane::offset).enumerate() {
            if offset.abs() > MAX_COORDINATE {
                return Err(ShapeError::HullPlane { plane, offset });
            }
        }
        enclose::check(&planes)?;
        let faces = planes.iter().map(|_| Face::Equation).collect();
        let triangles = meeting::surface(&planes)?;
        let edges = edges_between(&planes, &triangles);
        Ok(ConvexHull { planes, corners: Vec::new(), bounds: None, faces, triangles, edges })
    }

    /// The smallest convex solid around points, by quickhull. Points inside, on faces and given more than once are
    /// allowed, and every point given is in the hull, exactly; triangles in one plane become one face.
    ///
    /// # Errors
    /// [`ShapeError::HullPoint`], and [`ShapeError::Hull`] where all points lie in one plane, on a line or at one
    /// place, which is decided exactly.
    ///
    /// ```
    /// use hitscan::shape::ConvexHull;
    /// let flat = ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
    /// assert_eq!(
    ///     flat.unwrap_err().to_string(),
    ///     "the hull is flat, its points lie in one plane; a convex hull needs an inside of finite size"
    /// );
    /// ```
    #[doc(alias = "quickhull")]
    pub fn from_points<P: Into<[f64; 3]>>(
        points: impl IntoIterator<Item = P>,
    ) -> Result<ConvexHull, ShapeError> {
        let points: Vec<DVec3> = points.into_iter().map(|point| point.into().into()).collect();
        for (point, coordinates) in points.iter().enumerate() {
            if let Err(ShapeError::Coordinate { axis, value, .. }) = checked_point(*coordinates, "a point") {
                return Err(ShapeError::HullPoint { point, axis, value });
            }
        }
        let triangles = quickhull::build(&points)?;
        let outline = faces::merge(&points, &triangles);
        let edges = edges::between(&points, &triangles, &outline.face_of);
        let triangles = triangles.iter().map(|triangle| triangle.map(|i| points[i])).collect();
        let corners = outline.corners;
        let lowest = corners.iter().copied().reduce(DVec3::min);
        let bounds = lowest.zip(corners.iter().copied().reduce(DVec3::max));
        let mut hull =
            ConvexHull { planes: Vec::new(), corners, bounds, faces: Vec::new(), triangles, edges };
        for corners in outline.triangles {
            let (plane, face) = face_through(corners)?;
            hull.planes.push(plane);
            hull.faces.push(face);
        }
        Ok(hull)
    }

    /// The planes of the faces, normals outwards; of a hull of points, as `f64` rounds them.
    ///
    /// ```
    /// use hitscan::shape::ConvexHull;
    /// let corner = ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
    /// assert!(corner.planes().iter().all(|plane| plane.signed_distance([0.2, 0.2, 0.2]) < 0.0));
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// The points that are corners of the hull, in the order in which they were given; empty for a hull of planes, which
    /// does without.
    ///
    /// ```
    /// use hitscan::shape::ConvexHull;
    /// let tetrahedron = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let hull = ConvexHull::from_points(tetrahedron.into_iter().chain([[0.25; 3], [0.5, 0.5, 0.0]]))?;
    /// assert_eq!(hull.corners().len(), 4);
    /// # Ok::<(), hitscan::shape::ShapeError>(())
    /// ```
    pub fn corners(&self) -> &[DVec3] {
        &self.corners
    }

    /// Triangles that cover the surface: of a hull of points, between these, exactly; of a hull of planes, between the points
    /// where they meet, as `f64` rounds them.
    pub(crate) fn surface(&self) -> &[[DVec3; 3]] {
        &self.triangles
    }

    /// Where two faces meet, once for each of them. What a file says of a surface may name faces that there are not.
    pub(crate) fn edges(&self) -> &[edges::Edge] {
        &self.edges
    }

    /// The lowest and the highest corner of the box around a hull of points.
    pub(crate) fn bounds(&self) -> Option<(DVec3, DVec3)> {
        self.bounds
    }

    /// How far a point lies outside of the plane of a face, times some positive factor, with its sign certain where
    /// [`Bounded`] says so.
    #[inline]
    pub(crate) fn quick_height(&self, face: usize, point: DVec3) -> Bounded {
        match &self.faces[face] {
            Face::Equation => {
                let plane = &self.planes[face];
                match Bounded::quick_dot(plane.normal(), point) {
                    Some(product) => product + plane.offset().into(),
                    None => height_over(plane, point),
                }
            }
            Face::Points { corners, normal, error } => Bounded::quick_dot(*normal, point - corners[0])
                .unwrap_or_else(|| dot(&bounded(*normal, *error), &difference(point, corners[0]))),
        }
    }

    /// The same without rounding.
    pub(crate) fn exact_height(&self, face: usize, point: DVec3) -> Big {
        match &self.faces[face] {
            Face::Equation => height_over(&self.planes[face], point),
            Face::Points { corners, .. } => dot(&normal(*corners), &difference(point, corners[0])),
        }
    }
}

/// What a hull is made of, where it was computed before.
#[cfg(feature = "std")]
pub(crate) struct HullParts<'a> {
    /// Those that it was made of; all others follow from `faces`.
    pub planes: &'a [Plane],
    /// Three corners of each face; none where it was made of planes.
    pub faces: Vec<[DVec3; 3]>,
    pub corners: &'a [DVec3],
    pub triangles: &'a [[DVec3; 3]],
}

#[cfg(feature = "std")]
impl ConvexHull {
    pub(crate) fn parts(&self) -> HullParts<'_> {
        let corners_of = |face: &Face| match face {
            Face::Equation => None,
            Face::Points { corners, .. } => Some(*corners),
        };
        let faces = self.faces.iter().filter_map(corners_of).collect();
        HullParts { planes: &self.planes, faces, corners: &self.corners, triangles: &self.triangles }
    }

    /// The hull of these parts; whether they belong together is not looked at.
    pub(crate) fn of_parts(parts: HullParts<'_>) -> Result<ConvexHull, ShapeError> {
        let HullParts { planes, faces, corners, triangles } = parts;
        for &point in corners.iter().chain(faces.as_flattened()) {
            checked_point(point, "a corner")?;
        }
        if !triangles.as_flattened().iter().all(|point| point.abs().max_element() <= FARTHEST) {
            return Err(TOO_FAR); // for NaN as well
        }
        let lowest = corners.iter().copied().reduce(DVec3::min);
        let bounds = lowest.zip(corners.iter().copied().reduce(DVec3::max));
        let edges = if faces.is_empty() {
            edges_between(planes, triangles)
        } else {
            let (points, numbered) = edges::numbered(triangles);
            let outline = faces::merge(&points, &numbered);
            edges::between(&points, &numbered, &outline.face_of)
        };
        let (corners, triangles) = (corners.to_vec(), triangles.to_vec());
        let mut hull =
            ConvexHull { planes: planes.to_vec(), corners, bounds, faces: Vec::new(), triangles, edges };
        if (planes.is_empty() && faces.is_empty()) || bounds.is_none() != faces.is_empty() {
            return Err(ShapeError::Hull { what: "has no faces, or no corners for them" });
        }
        for (plane, offset) in planes.iter().map(Plane::offset).enumerate() {
            if offset.abs() > MAX_COORDINATE {
                return Err(ShapeError::HullPlane { plane, offset });
            }
            hull.faces.push(Face::Equation);
        }
        for corners in faces {
            let (plane, face) = face_through(corners)?;
            hull.planes.push(plane);
            hull.faces.push(face);
        }
        Ok(hull)
    }
}

/// The edges of the hull of these planes, by triangles that cover its surface: each is held against each plane. None where that would take
/// long, as it may for what a file says; to compute a hull of so many planes takes minutes.
fn edges_between(planes: &[Plane], triangles: &[[DVec3; 3]]) -> Vec<edges::Edge> {
    const MOST: usize = 1 << 26;
    if planes.len().saturating_mul(triangles.len()) > MOST {
        return Vec::new();
    }
    let face_of: Vec<usize> = triangles.iter().map(|corners| edges::face_of(planes, corners)).collect();
    let (points, triangles) = edges::numbered(triangles);
    edges::between(&points, &triangles, &face_of)
}

/// The plane of a face through three corners, and what is exact about it.
fn face_through(corners: [DVec3; 3]) -> Result<(Plane, Face), ShapeError> {
    let (normal, error) = rounded_normal(corners);
    Ok((Plane::new(normal, corners[0])?, Face::Points { corners, normal, error }))
}

impl HalfSpaces for ConvexHull {
    fn count(&self) -> usize {
        self.faces.len()
    }

    #[inline]
    fn quick(&self, plane: usize, ray: &Ray) -> (Bounded, Bounded) {
        let (normal, error) = match &self.faces[plane] {
            Face::Equation => (self.planes[plane].normal(), DVec3::ZERO),
            Face::Points { normal, error, .. } => (*normal, *error),
        };
        let slope = Bounded::quick_dot(normal, ray.dir())
            .unwrap_or_else(|| dot(&bounded(normal, error), &vector(ray.dir())));
        (self.quick_height(plane, ray.origin()), slope)
    }

    fn exact(&self, plane: usize, ray: &Ray) -> (Big, Big) {
        let normal: Vector<Big> = match &self.faces[plane] {
            Face::Equation => vector(self.planes[plane].normal()),
            Face::Points { corners, .. } => normal(*corners),
        };
        (self.exact_height(plane, ray.origin()), dot(&normal, &vector(ray.dir())))
    }
}

/// The normal of three points times a power of two, and what each component is off by; 0 where it is exact, as on a grid.
fn rounded_normal(corners: [DVec3; 3]) -> (DVec3, DVec3) {
    let exact: Vector<Big> = normal(corners);
    let (normal, shift) = rounded(&exact);
    let error = core::array::from_fn(|i| {
        let rest = exact[i].scaled(shift) - Big::from(normal[i]);
        let is_rounded = rest.sign() != Ordering::Equal;
        if is_rounded { normal[i].abs() * f64::EPSILON + f64::MIN_POSITIVE } else { 0.0 }
    });
    (normal, DVec3::from_array(error))
}

fn bounded(v: DVec3, error: DVec3) -> Vector<Bounded> {
    core::array::from_fn(|i| Bounded::new(v[i], error[i]))
}

/// `n . p + D`.
pub(crate) fn height_over<N: Number>(plane: &Plane, point: DVec3) -> N {
    dot::<N>(&vector(plane.normal()), &vector(point)) + N::from(plane.offset())
}
