//! Where the planes of a hull meet: its corners, as `f64` rounds them, and the surface between them.
//!
//! Two planes meet in a line, of which the others leave an edge; its ends are corners. An edge or a corner that rounding makes of
//! several planes through one point is as long as that rounding, and does no harm.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::OnceCell;

use glam::DVec3;

use super::quickhull;
use crate::exact::{Big, Vector, cross, dot, rounded, vector};
use crate::shape::convex::{FARTHEST, TOO_FAR};
use crate::shape::plane::length;
use crate::shape::{Plane, ShapeError};

/// Where the squared sine of the angle of two planes is less, 2^-8, rounding takes too much from their line, and it is computed without.
const NARROW: f64 = 1.0 / 256.0;

/// Where the sine of the angle of a line and a plane is less, 2^-20, rounding takes too much from the place where they meet, or even from
/// the way in which the line goes through, and both are computed without.
const FLAT: f64 = 1.0 / (1u64 << 20) as f64;

/// What rounding moves a line by, as a part of its distance from the origin of coordinates and of that of the plane: 2^-47. Where the
/// planes leave nothing of a line, they are pushed out by as much, so that a solid thinner than that keeps its edges.
const SLACK: f64 = 1.0 / (1u64 << 47) as f64;

/// Triangles that cover the surface of the solid behind these planes, which has a volume and an end.
///
/// # Errors
/// [`ShapeError::Hull`] where planes meet too far away.
pub(crate) fn surface(planes: &[Plane]) -> Result<Vec<[DVec3; 3]>, ShapeError> {
    let mut corners: Vec<DVec3> = Vec::new();
    for (i, first) in planes.iter().enumerate() {
        for second in &planes[i + 1..] {
            corners.extend(edge(first, second, planes).into_iter().flatten());
        }
    }
    // False for NaN as well; no corners are all too far away.
    if corners.is_empty() || !corners.iter().all(|corner| corner.abs().max_element() <= FARTHEST) {
        return Err(TOO_FAR);
    }
    Ok(match quickhull::build(&corners) {
        Ok(triangles) => triangles.iter().map(|triangle| triangle.map(|i| corners[i])).collect(),
        // As thin as rounding: whatever lies between corners in a plane lies in a triangle of the first one.
        Err(_) => {
            let pairs = (0..corners.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
            pairs.map(|(i, j)| [corners[0], corners[i], corners[j]]).collect()
        }
    })
}

/// The part of the line of two planes that lies behind all the others.
fn edge(first: &Plane, second: &Plane, planes: &[Plane]) -> Option<[DVec3; 2]> {
    let line = Line::of(first, second)?;
    // The same plane given twice does not cut its own edges.
    let others = || planes.iter().filter(|&plane| plane != first && plane != second);
    let part = part(&line, others, 0.0).or_else(|| part(&line, others, SLACK))?;
    Some(part.map(|t| line.at(t)))
}

/// What is left of a line behind planes that are pushed out by a part of their distance.
fn part<'a, I: Iterator<Item = &'a Plane>>(
    line: &Line<'_>,
    others: impl Fn() -> I,
    pushed: f64,
) -> Option<[f64; 2]> {
    let slope = |plane: &Plane| plane.normal().dot(line.along);
    let mut part = [f64::NEG_INFINITY, f64::INFINITY];
    for plane in others().filter(|&plane| slope(plane).abs() >= FLAT) {
        let height = plane.signed_distance(line.foot) - pushed * distance(plane, line.foot);
        part = cut(part, height, slope(plane))?;
    }
    for plane in others().filter(|&plane| slope(plane).abs() < FLAT) {
        let ends = part.map(|t| line.at(t));
        if ends.iter().all(|end| end.is_finite()) {
            let over = ends.map(|end| (plane.signed_distance(end), SLACK * distance(plane, end)));
            if over.iter().all(|&(height, slack)| height > slack) {
                return None;
            }
            if over.iter().all(|&(height, slack)| height < -slack) {
                continue;
            }
        }
        // Pushed out, it would meet the line far away.
        let (height, slope) = line.meeting(plane);
        part = cut(part, height, slope)?;
    }
    Some(part)
}

/// How far from the origin of coordinates a plane and a point are, of which a part is lost to rounding.
fn distance(plane: &Plane, point: DVec3) -> f64 {
    plane.offset().abs() + point.abs().max_element()
}

/// What a plane leaves of a part of a line, from its height where the line counts 0, and how much more it is for each unit of the line. A
/// part as short as its ends are rounded may have them the wrong way round.
fn cut([enter, exit]: [f64; 2], height: f64, slope: f64) -> Option<[f64; 2]> {
    if slope == 0.0 {
        return (height <= 0.0).then_some([enter, exit]);
    }
    let t = -height / slope;
    let [enter, exit] = if slope < 0.0 { [enter.max(t), exit] } else { [enter, exit.min(t)] };
    let is_left = enter <= exit || enter - exit <= SLACK * enter.abs().max(exit.abs());
    is_left.then_some([enter, exit])
}

/// The line in which two planes meet.
struct Line<'a> {
    planes: [&'a Plane; 2],
    /// The point nearest to the origin of coordinates.
    foot: DVec3,
    /// Of length 1.
    along: DVec3,
    /// Where it was asked for: most lines do without.
    exact: OnceCell<Box<Exact>>,
}

impl<'a> Line<'a> {
    /// `None` where both are parallel, exactly, or meet only beyond [`FARTHEST`].
    fn of(first: &'a Plane, second: &'a Plane) -> Option<Line<'a>> {
        let planes = [first, second];
        let (m, n) = (first.normal(), second.normal());
        let along = m.cross(n);
        let square = along.length_squared();
        let exact = OnceCell::new();
        let (foot, along) = if square >= NARROW {
            ((m * second.offset() - n * first.offset()).cross(along) / square, along)
        } else {
            let Exact { foot, along, square } = &**exact.get_or_init(|| Exact::of(planes));
            if square.sign().is_eq() {
                return None;
            }
            (foot.map(|component| component.ratio(square)).into(), rounded(along).0)
        };
        let is_near = foot.abs().max_element() <= FARTHEST; // false for NaN
        is_near.then(|| Line { planes, foot, along: along / length(along), exact })
    }

    fn at(&self, t: f64) -> DVec3 {
        self.foot + self.along * t
    }

    /// How far the foot is in front of a plane, and how much more each unit of the line is, however little that is.
    #[cold]
    fn meeting(&self, plane: &Plane) -> (f64, f64) {
        let Exact { foot, along, square } = &**self.exact.get_or_init(|| Exact::of(self.planes));
        let normal: Vector<Big> = vector(plane.normal());
        let height = dot(&normal, foot) + Big::from(plane.offset()) * *square;
        let (scaled, shift) = rounded(along);
        let slope = dot(&normal, along).scaled(shift);
        (height.ratio(square), slope.ratio(&Big::from(length(scaled))))
    }
}

/// The line of two planes without rounding: a vector along it, its squared length, and by that times too large the foot.
struct Exact {
    foot: Vector<Big>,
    along: Vector<Big>,
    square: Big,
}

impl Exact {
    fn of(planes: [&Plane; 2]) -> Box<Exact> {
        let [m, n] = planes.map(|plane| vector::<Big>(plane.normal()));
        let [c, d] = planes.map(|plane| Big::from(plane.offset()));
        let along = cross(&m, &n);
        let between: Vector<Big> = core::array::from_fn(|i| m[i] * d - n[i] * c);
        Box::new(Exact { foot: cross(&between, &along), along, square: dot(&along, &along) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_of_a_cube_and_of_one_with_a_cut_corner() {
        let faces = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
        let mut planes: Vec<Plane> =
            faces.iter().map(|&n| Plane::from_equation(n, -1.0).expect("a plane")).collect();
        let area = |planes: &[Plane]| -> f64 {
            surface(planes)
                .expect("corners")
                .iter()
                .map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length())
                .sum()
        };
        assert!((area(&planes) - 24.0).abs() < 1e-12);
        // A plane that only touches an edge, and one given twice, change nothing.
        planes.push(Plane::from_equation([1.0, 1.0, 0.0], -2.0).expect("a plane"));
        planes.push(planes[0]);
        assert!((area(&planes) - 24.0).abs() < 1e-12);
        planes.push(Plane::from_equation([1.0, 1.0, 1.0], -2.0).expect("a plane"));
        // Three corners of 1/2 go, and an equilateral triangle of side sqrt 2 comes.
        let expected = 24.0 - 1.5 + 3f64.sqrt() / 2.0;
        assert!((area(&planes) - expected).abs() < 1e-12, "{}", area(&planes));
    }
}
