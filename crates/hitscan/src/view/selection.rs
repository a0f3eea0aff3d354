//! Rectangles and lassos drawn into a picture, as parts of the world.
//!
//! A lasso is cut by vertical lines through its corners and through its crossings with itself. Between two of these, its edges
//! run from left to right without meeting, and what lies between the first and the second, the third and the fourth, is inside by
//! the even-odd rule: a piece of four corners, behind which a frustum lies. What touches the lasso touches a piece. What is
//! inside touches nothing that bounds it either: the walls behind its edges, and the ends of the pieces at the near and the far plane.

use alloc::vec::Vec;

use super::frustum::Line;
use super::{View, finite};
use crate::error::PickError;
use crate::shape::Frustum;

/// How much of a thing has to be in a [`Selection`].
///
/// ```
/// use hitscan::{Camera, Coverage, Filter, World, shape::Sphere};
/// let mut world = World::new();
/// let ball = world.insert(Sphere::new([0.0; 3], 0.5)?);
/// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
/// let half = view.rectangle([320.0, 0.0], [640.0, 480.0])?; // what is to the right of the middle
/// let scene = world.commit();
/// assert_eq!(scene.select(&half, Coverage::Touching, &Filter::ALL), [ball]);
/// assert!(scene.select(&half, Coverage::Inside, &Filter::ALL).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Coverage {
    /// Some of it; touching is enough.
    #[doc(alias = "crossing selection")]
    #[default]
    Touching,
    /// All of it, from the near to the far plane, without touching the outline.
    #[doc(alias = "window selection")]
    Inside,
}

/// What lies behind a rectangle or a lasso in a picture: see [`View::rectangle`] and [`View::lasso`].
///
/// ```
/// use hitscan::{Camera, Coverage, Filter, World, shape::Sphere};
/// let mut world = World::new();
/// let ball = world.insert(Sphere::new([0.0; 3], 0.5)?);
/// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
/// let around = view.lasso([[200.0, 120.0], [440.0, 120.0], [320.0, 460.0]])?;
/// assert_eq!(world.commit().select(&around, Coverage::Inside, &Filter::ALL), [ball]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// Together, all of it.
    pub(crate) pieces: Vec<Frustum>,
    /// What parts it from the rest: flat.
    pub(crate) walls: Vec<Frustum>,
}

impl View {
    /// What is drawn in the rectangle between two opposite corners, to select by.
    ///
    /// # Errors
    /// As [`View::frustum`].
    ///
    /// ```
    /// use hitscan::{Camera, Coverage, Filter, World, shape::Sphere};
    /// let mut world = World::new();
    /// let [left, right] = [-2.0, 2.0].map(|x| Sphere::new([x, 0.0, 0.0], 0.5).map(|ball| world.insert(ball)));
    /// let scene = world.commit();
    /// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
    /// let box_ = view.rectangle([190.0, 180.0], [420.0, 300.0])?; // around the left one, across the right one
    /// assert_eq!(scene.select(&box_, Coverage::Touching, &Filter::ALL), [left.clone()?, right?]);
    /// assert_eq!(scene.select(&box_, Coverage::Inside, &Filter::ALL), [left?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "marquee")]
    pub fn rectangle(&self, corner: [f64; 2], opposite: [f64; 2]) -> Result<Selection, PickError> {
        let piece = self.frustum(corner, opposite)?;
        let ([a, b], [c, d]) = (corner, opposite);
        let corners = [[a, b], [c, b], [c, d], [a, d]];
        self.selection(alloc::vec![piece], &corners)
    }

    /// What is drawn inside of a closed outline, to select by: its corners in the unit of cursors, the last joined to the first. It may
    /// cross itself; inside is what an odd number of edges parts from the rest (the even-odd rule).
    ///
    /// As long as it has few corners, say some hundred, as an outline drawn by hand after a thinning: each costs a part of
    /// the question, and finding where it crosses itself takes the square of their number.
    ///
    /// # Errors
    /// As [`View::ray`], and [`PickError::Area`] for less than three corners, or an outline that goes around nothing: along one line, or twice around everything.
    ///
    /// ```
    /// use hitscan::{Camera, Coverage, Filter, World, shape::Sphere};
    /// let mut world = World::new();
    /// let balls = [-2.0, 0.0, 2.0].map(|x| Sphere::new([x, 0.0, 0.0], 0.5).map(|ball| world.insert(ball)));
    /// let scene = world.commit();
    /// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
    /// // A horseshoe around the outer two, over the one in the middle.
    /// let lasso = [[150.0, 100.0], [490.0, 100.0], [490.0, 300.0], [360.0, 300.0], [360.0, 150.0], [280.0, 150.0],
    ///     [280.0, 300.0], [150.0, 300.0]];
    /// let lasso = view.lasso(lasso)?;
    /// assert_eq!(scene.select(&lasso, Coverage::Touching, &Filter::ALL), [balls[0].clone()?, balls[2].clone()?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lasso(&self, outline: impl IntoIterator<Item = [f64; 2]>) -> Result<Selection, PickError> {
        let outline: Vec<[f64; 2]> = outline.into_iter().collect();
        for &corner in &outline {
            finite(corner)?;
        }
        if outline.len() < 3 {
            return Err(PickError::Area { what: "the lasso has less than three corners" });
        }
        let edges: Vec<Edge> = edges_of(&outline).filter_map(Edge::new).collect();
        let mut pieces = Vec::new();
        for cuts in cuts(&outline, &edges).windows(2) {
            let [left, right] = [cuts[0], cuts[1]];
            let mut between: Vec<&Edge> =
                edges.iter().filter(|edge| edge.from[0] <= left && edge.to[0] >= right).collect();
            let middle = 0.5 * (left + right);
            between.sort_by(|a, b| a.at(middle).total_cmp(&b.at(middle)));
            for pair in between.chunks_exact(2) {
                let [upper, lower] = [pair[0], pair[1]];
                if upper.at(middle) == lower.at(middle) {
                    continue;
                }
                let corners = [
                    [left, upper.at(left)],
                    [right, upper.at(right)],
                    [right, lower.at(right)],
                    [left, lower.at(left)],
                ];
                let lines = [
                    Line::right_of(left),
                    Line::right_of(right).turned(),
                    Line::through(upper.from, upper.to),
                    Line::through(lower.from, lower.to).turned(),
                ];
                pieces.push(self.piece(corners, lines)?);
            }
        }
        if pieces.is_empty() {
            return Err(PickError::Area { what: "the lasso goes around nothing" });
        }
        self.selection(pieces, &outline)
    }

    fn selection(&self, pieces: Vec<Frustum>, outline: &[[f64; 2]]) -> Result<Selection, PickError> {
        let mut walls: Vec<Frustum> = pieces.iter().flat_map(|piece| self.caps(piece)).collect();
        for [from, to] in edges_of(outline).filter(|[from, to]| from != to) {
            walls.push(self.wall(from, to)?);
        }
        Ok(Selection { pieces, walls })
    }
}

fn edges_of(outline: &[[f64; 2]]) -> impl Iterator<Item = [[f64; 2]; 2]> {
    (0..outline.len()).map(|i| [outline[i], outline[(i + 1) % outline.len()]])
}

/// An edge that is not vertical, from left to right.
struct Edge {
    from: [f64; 2],
    to: [f64; 2],
}

impl Edge {
    fn new([a, b]: [[f64; 2]; 2]) -> Option<Edge> {
        match a[0].total_cmp(&b[0]) {
            _ if a[0] == b[0] => None,
            core::cmp::Ordering::Less => Some(Edge { from: a, to: b }),
            _ => Some(Edge { from: b, to: a }),
        }
    }

    /// Its `y` at an `x` between its ends.
    fn at(&self, x: f64) -> f64 {
        if x == self.to[0] {
            return self.to[1];
        }
        self.from[1] + (self.to[1] - self.from[1]) * ((x - self.from[0]) / (self.to[0] - self.from[0]))
    }

    /// Where it crosses another one.
    fn crossing(&self, other: &Edge) -> Option<f64> {
        let (left, right) = (self.from[0].max(other.from[0]), self.to[0].min(other.to[0]));
        if left >= right {
            return None;
        }
        let [start, end] = [left, right].map(|x| self.at(x) - other.at(x));
        if start == end || (start < 0.0) == (end < 0.0) {
            return None;
        }
        Some((left + (right - left) * (start / (start - end))).clamp(left, right))
    }
}

/// The `x` of all corners and of all crossings, in ascending order.
fn cuts(outline: &[[f64; 2]], edges: &[Edge]) -> Vec<f64> {
    let mut cuts: Vec<f64> = outline.iter().map(|corner| corner[0]).collect();
    for (number, edge) in edges.iter().enumerate() {
        cuts.extend(edges[number + 1..].iter().filter_map(|other| edge.crossing(other)));
    }
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    cuts
}
