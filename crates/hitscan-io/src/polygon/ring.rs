//! Ears cut off what is left of a polygon in the plane.

use hitscan::glam::DVec2;
use robust::{Coord, orient2d};

use super::SLACK;

/// Slits end in corners that hide ears; how often it is looked for the ears behind them.
const ROUNDS: usize = 16;

/// What is left of a polygon in the plane.
pub(super) struct Ring {
    points: Vec<Coord<f64>>,
    next: Vec<usize>,
    previous: Vec<usize>,
    /// Of each corner with its neighbours: twice the area of the triangle, above zero where it is convex.
    turn: Vec<f64>,
    kind: Vec<Kind>,
    /// Those that became tips, and may be something else by now.
    tips: Vec<usize>,
    left: usize,
    /// All that are not convex, and some that are no longer: only these can be in the way of an ear.
    blockers: Vec<usize>,
    slack: f64,
    /// How near to an edge is on it.
    near: f64,
    /// Up to which turn a corner is not taken for convex by those that it may be in the way of.
    straight: f64,
}

/// What a corner is, in the order in which they go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The outline turns back there. What is behind it goes before it is taken for an ear.
    Tip,
    Ear,
    /// On the line between its neighbours, or as near to it as [`SLACK`] says.
    OnLine,
    Other,
}

impl Ring {
    /// What is so near to an edge counts as on it, as a part of the polygon's size.
    pub fn new(points: Vec<Coord<f64>>, near: f64) -> Ring {
        let count = points.len();
        let size = size(&points);
        let mut ring = Ring {
            next: (1..count).chain([0]).collect(),
            previous: [count - 1].into_iter().chain(0..count - 1).collect(),
            turn: Vec::new(),
            kind: vec![Kind::Other; count],
            tips: Vec::new(),
            left: count,
            blockers: Vec::new(),
            slack: size * size * SLACK,
            near: size * near,
            straight: size * size * near,
            points,
        };
        ring.turn = (0..count).map(|corner| ring.turn_at(corner)).collect();
        ring.blockers = (0..count).filter(|&corner| ring.is_in_the_way(corner)).collect();
        ring
    }

    /// The triangles, as rows of the points; `None` where the outline crosses itself.
    pub fn cut(mut self) -> Option<Vec<[usize; 3]>> {
        let mut triangles = Vec::with_capacity(self.left - 2);
        let mut at = 0;
        for _ in 0..ROUNDS {
            for _ in 0..self.left {
                self.name(at);
                at = self.next[at];
            }
            let before = self.left;
            while self.left > 3 {
                let tip = std::iter::from_fn(|| self.tips.pop()).find(|&tip| self.kind[tip] == Kind::Tip);
                let corner = tip.unwrap_or_else(|| self.first(at));
                if self.kind[corner] == Kind::Other {
                    break;
                }
                triangles.push([self.previous[corner], corner, self.next[corner]]);
                at = self.remove(corner);
            }
            if self.left == 3 {
                triangles.push([self.previous[at], at, self.next[at]]);
                return (self.turn[at] >= -self.slack).then_some(triangles);
            }
            if self.left == before {
                break;
            }
        }
        None
    }

    /// The corner to go next where there is no tip: the first of the best kind, from this one on.
    fn first(&self, from: usize) -> usize {
        let (mut first, mut corner) = (from, from);
        for _ in 1..self.left {
            if self.kind[first] == Kind::Ear {
                break;
            }
            corner = self.next[corner];
            if self.kind[corner] < self.kind[first] {
                first = corner;
            }
        }
        first
    }

    /// Takes a corner out, and gives the one to go on from: behind the next, since ears side by side make slivers.
    fn remove(&mut self, corner: usize) -> usize {
        let (previous, next) = (self.previous[corner], self.next[corner]);
        (self.next[previous], self.previous[next]) = (next, previous);
        (self.turn[corner], self.kind[corner]) = (f64::INFINITY, Kind::Other); // in nobody's way
        self.left -= 1;
        for corner in [previous, next] {
            let was_in_the_way = self.is_in_the_way(corner);
            self.turn[corner] = self.turn_at(corner);
            if !was_in_the_way && self.is_in_the_way(corner) {
                self.blockers.push(corner); // a tip hid it
            }
        }
        self.name(previous);
        self.name(next);
        self.next[next]
    }

    fn name(&mut self, corner: usize) {
        self.kind[corner] = self.kind_of(corner);
        if self.kind[corner] == Kind::Tip {
            self.tips.push(corner);
        }
    }

    fn kind_of(&self, corner: usize) -> Kind {
        let [before, here, behind] =
            [self.previous[corner], corner, self.next[corner]].map(|corner| self.points[corner]);
        let goes_on =
            (before.x - here.x) * (behind.x - here.x) + (before.y - here.y) * (behind.y - here.y) < 0.0;
        match self.turn[corner] {
            0.0 if !goes_on => Kind::Tip,
            turn if turn > 0.0 && self.is_free(corner) => Kind::Ear,
            turn if turn.abs() <= self.slack => Kind::OnLine,
            _ => Kind::Other,
        }
    }

    fn turn_at(&self, corner: usize) -> f64 {
        let [a, b, c] = [self.previous[corner], corner, self.next[corner]].map(|corner| self.points[corner]);
        orient2d(a, b, c)
    }

    fn is_in_the_way(&self, corner: usize) -> bool {
        self.turn[corner] <= self.straight
    }

    /// Whether nothing of the rest lies inside of a convex corner's triangle.
    fn is_free(&self, corner: usize) -> bool {
        let rows = [self.previous[corner], corner, self.next[corner]];
        let [a, b, c] = rows.map(|row| self.points[row]);
        let (left, right) = (a.x.min(b.x).min(c.x) - self.near, a.x.max(b.x).max(c.x) + self.near);
        let (low, high) = (a.y.min(b.y).min(c.y) - self.near, a.y.max(b.y).max(c.y) + self.near);
        !self.blockers.iter().any(|&row| {
            let Coord { x, y } = self.points[row];
            let is_near = x >= left && x <= right && y >= low && y <= high;
            is_near && self.is_in_the_way(row) && !rows.contains(&row) && self.enters(row, [a, b, c])
        })
    }

    /// Whether the outline is inside of a triangle at a corner, or goes inside from there.
    fn enters(&self, corner: usize, [a, b, c]: [Coord<f64>; 3]) -> bool {
        let side = |from: Coord<f64>, to: Coord<f64>, point| {
            let side = orient2d(from, to, point);
            let is_on = side.abs() <= self.near * DVec2::new(to.x - from.x, to.y - from.y).length();
            if is_on { 0.0 } else { side }
        };
        let sides = |p: Coord<f64>| [side(a, b, p), side(b, c, p), side(c, a, p)];
        let here = sides(self.points[corner]);
        let goes_inside = |to: usize| {
            here.iter().zip(sides(self.points[to])).all(|(&here, there)| here > 0.0 || there > 0.0)
        };
        here.iter().all(|&side| side >= 0.0)
            && (here.iter().all(|&side| side > 0.0)
                || goes_inside(self.previous[corner])
                || goes_inside(self.next[corner]))
    }
}

/// The longer side of the box around these.
pub(super) fn size(points: &[Coord<f64>]) -> f64 {
    let side = |of: fn(&Coord<f64>) -> f64| {
        let all = || points.iter().map(of);
        all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min)
    };
    f64::max(side(|point| point.x), side(|point| point.y))
}
