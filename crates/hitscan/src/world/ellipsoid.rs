//! The way out of an ellipsoid.
//!
//! An ellipsoid is what a matrix makes of the ball of radius 1. Its semi-axes are the matrix's columns, turned by pairs until all are at
//! right angles to each other (Hestenes, Inversion of Matrices by Biorthogonalization and Related Results, 1958), which keeps the digits
//! of the short ones. In their frame the nearest point of the surface follows from one equation in one unknown, also from inside
//! (Eberly, Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid, 2013).

use glam::{DMat3, DVec3};

use crate::halving::halved;
use crate::root::sqrt;
use crate::shape::plane::{length, unit};
use crate::square::{ROUNDS, turn};

/// The semi-axes of an ellipsoid around the origin.
pub(crate) struct Ellipsoid {
    /// Unit vectors at right angles to each other.
    axes: [DVec3; 3],
    /// How far it reaches along each.
    reach: [f64; 3],
    /// Which of them is the shortest.
    shortest: usize,
}

/// A height, in units of the reach, that is not told from none: what divides it, rounded to as many digits, would not be a normal number.
const LEAST: f64 = f64::MIN_POSITIVE / f64::EPSILON;

impl Ellipsoid {
    /// `None` where the matrix leaves the ball no volume.
    pub fn new(matrix: DMat3) -> Option<Ellipsoid> {
        let size = (0..3).map(|i| matrix.col(i).abs().max_element()).fold(0.0, f64::max);
        // Brought to a size whose squares are numbers.
        let mut columns = [0, 1, 2].map(|i| matrix.col(i) / size);
        for _ in 0..ROUNDS {
            let mut is_square = true;
            for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                let (a, b) = (columns[i], columns[j]);
                let (aa, ab, bb) = (a.length_squared(), a.dot(b), b.length_squared());
                let Some([cosine, sine]) = turn(aa, ab, bb) else { continue };
                is_square = false;
                (columns[i], columns[j]) = (a * cosine - b * sine, a * sine + b * cosine);
            }
            if is_square {
                break;
            }
        }
        let reach = columns.map(|column| length(column) * size);
        let shortest = (0..3).min_by(|&i, &j| reach[i].total_cmp(&reach[j]))?;
        let [Ok(x), Ok(y), Ok(z)] = columns.map(unit) else { return None };
        (reach[shortest] > 0.0).then_some(Ellipsoid { axes: [x, y, z], reach, shortest })
    }

    /// One that is as wide as that of a matrix in all directions across another one, and widest along it: in the plane across it lies
    /// what is nearest to a point there.
    pub fn across(matrix: DMat3, along: DVec3) -> Option<Ellipsoid> {
        let (right, up) = along.any_orthonormal_pair();
        let rows = [right, up].map(|side| matrix.transpose() * side);
        let first = length(rows[0]);
        let lean = rows[1].dot(rows[0] / first);
        let height = length(rows[0].cross(rows[1])) / first;
        let columns = [right * first + up * lean, up * height];
        Ellipsoid::new(DMat3::from_cols(columns[0], columns[1], along * (first + lean.abs() + height)))
    }

    /// The normals, outwards, in whose directions the way out is least nearby for a point: the first, in which it is least of all, and one
    /// towards the other end of the shortest axis, where there is such a one. Of two that are equally near the first is along that axis.
    pub fn ways_out(&self, point: DVec3) -> (DVec3, Option<DVec3>) {
        let seen = Seen::new(self, point);
        let nearest = seen.normal(seen.nearest(), 1.0).unwrap_or(self.axes[self.shortest]);
        (nearest, seen.behind().and_then(|surface| seen.normal(surface, -1.0)))
    }
}

/// A point as an ellipsoid sees it.
struct Seen<'a> {
    of: &'a Ellipsoid,
    /// Along the semi-axes.
    along: [f64; 3],
    /// The same in units of the reach, without signs.
    scaled: [f64; 3],
    /// The squares of the reaches, in units of the least.
    squares: [f64; 3],
}

/// A point of the surface along the semi-axes, in units of the reach.
type OnSurface = [f64; 3];

impl Seen<'_> {
    fn new(of: &Ellipsoid, point: DVec3) -> Seen<'_> {
        let (reach, least) = (of.reach, of.reach[of.shortest]);
        let along = of.axes.map(|axis| point.dot(axis));
        let scaled = |i: usize| {
            let scaled = along[i].abs() / reach[i];
            if scaled < LEAST { 0.0 } else { scaled }
        };
        Seen {
            of,
            along,
            scaled: core::array::from_fn(scaled),
            squares: reach.map(|reach| (reach / least) * (reach / least)),
        }
    }

    /// The place whose normal leads to the point, along one axis. The length of that way follows from the shift: at 1 it is none, below that
    /// the point is inside, and at 0 or less it is beyond the middle.
    fn at(&self, i: usize, shift: f64) -> f64 {
        match self.scaled[i] {
            0.0 => 0.0,
            scaled => self.squares[i] * scaled / (shift + (self.squares[i] - 1.0)),
        }
    }

    /// The square of how far from the middle that place is: 1 on the surface.
    fn out(&self, shift: f64) -> f64 {
        (0..3).map(|i| self.at(i, shift) * self.at(i, shift)).sum()
    }

    fn surface(&self, shift: f64) -> OnSurface {
        core::array::from_fn(|i| self.at(i, shift))
    }

    /// Where in the plane across the shortest axis the point lies, if it does and so far inside that both ends of that axis are as near.
    fn across(&self) -> Option<OnSurface> {
        let shortest = self.of.shortest;
        let rest = 1.0 - self.out(0.0);
        (self.scaled[shortest] == 0.0 && rest > 0.0)
            .then(|| core::array::from_fn(|i| if i == shortest { sqrt(rest) } else { self.at(i, 0.0) }))
    }

    /// The place nearest to the point.
    fn nearest(&self) -> OnSurface {
        self.across().unwrap_or_else(|| {
            let far = (0..3).map(|i| self.squares[i] * self.scaled[i]).fold(0.0, f64::max);
            let low = self.scaled[self.of.shortest];
            self.surface(halved(low, 2.0 * far, |shift| self.out(shift) > 1.0))
        })
    }

    /// The one towards the other end of the shortest axis that is nearer than all beside it.
    fn behind(&self) -> Option<OnSurface> {
        if let Some(across) = self.across() {
            return Some(across);
        }
        let shortest = self.of.shortest;
        let least =
            (0..3).filter(|&i| i != shortest).map(|i| self.squares[i] - 1.0).fold(f64::INFINITY, f64::min);
        // It grows towards both ends.
        let grows = |shift: f64| {
            let slope = |i: usize| {
                let at = self.at(i, shift);
                at * at / (shift + (self.squares[i] - 1.0))
            };
            (0..3).map(slope).sum::<f64>() < 0.0
        };
        let valley = halved(-least, 0.0, |shift| !grows(shift));
        let is_inside = self.out(valley) < 1.0; // false for what is not a number
        is_inside.then(|| self.surface(halved(valley, 0.0, |shift| self.out(shift) < 1.0)))
    }

    /// The normal at a place; `side` is -1 where it is beyond the middle.
    fn normal(&self, place: OnSurface, side: f64) -> Option<DVec3> {
        let Ellipsoid { axes, reach, shortest } = *self.of;
        let normal = (0..3).map(|i| {
            let sign = libm::copysign(1.0, self.along[i]) * if i == shortest { side } else { 1.0 };
            axes[i] * (place[i].abs() * sign * (reach[shortest] / reach[i]))
        });
        unit(normal.sum()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan_oracle::Rng;

    /// The surface at a distance along a normal holds the point, and no other of a fine net of normals is nearer.
    #[test]
    fn no_other_normal_is_nearer() {
        let mut rng = Rng::new(0x9e37);
        let mut others = 0;
        let mut vector = || DVec3::from(rng.in_cube(1.0));
        for axes in [[1.0, 0.9, 0.8], [1.0, 0.3, 0.1], [1.0, 0.1, 0.03], [1.0, 1e-3, 1e-6], [1.0, 1.0, 0.01]]
        {
            for size in [1.0, 1e30, 1e-30] {
                let turn = [unit(vector()).unwrap(), unit(vector()).unwrap()];
                let turn = DMat3::from_cols(turn[0], turn[0].any_orthonormal_vector(), turn[1]);
                let matrix = turn * DMat3::from_diagonal(DVec3::from(axes) * size);
                let ellipsoid = Ellipsoid::new(matrix).unwrap();
                for round in 0..200 {
                    // Inside, near the surface, outside, in the middle and beside it.
                    let far = [0.3, 0.999_999, 1.5, 0.0, 1e-9][round % 5];
                    let point = matrix * (unit(vector()).unwrap() * far);
                    // Least where the surface is nearest, also from outside, where it is the distance below 0.
                    let way = |normal: DVec3| length(matrix.transpose() * normal) - normal.dot(point);
                    let (normal, behind) = ellipsoid.ways_out(point);
                    let sizes = length(matrix.x_axis) + length(matrix.y_axis) + length(matrix.z_axis);
                    for spread in [1.0, 1e-2, 1e-4].into_iter().flat_map(|spread| [spread; 50]) {
                        let other = unit(normal + vector() * spread).unwrap();
                        let by = way(normal) - way(other);
                        assert!(by < sizes * 1e-14, "{axes:?} {size} {far}: {:e}", by / sizes);
                    }
                    // Nearer than what is right beside it.
                    let Some(behind) = behind else { continue };
                    others += 1;
                    for _ in 0..50 {
                        let other = unit(behind + vector() * 1e-5).unwrap();
                        let by = way(behind) - way(other);
                        assert!(by < sizes * 1e-14, "{axes:?} {size} {far}, behind: {:e}", by / sizes);
                    }
                }
            }
        }
        assert!(others > 500, "{others}");
    }
}
