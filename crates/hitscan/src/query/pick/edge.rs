//! The point of an edge that is drawn nearest to the cursor.

use glam::DVec3;

use super::Outlined;
use crate::root::sqrt;
use crate::view::Lens;

/// A corner and where it is drawn, relative to the cursor: at `x / w`, `y / w`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    point: DVec3,
    x: f64,
    y: f64,
    w: f64,
    /// Not below 0 where it is between both planes.
    planes: [f64; 2],
}

impl Drawn {
    pub fn new(lens: &Lens, point: DVec3) -> Drawn {
        let planes = [lens.near.at(point), lens.far.map_or(0.0, |far| far.at(point))];
        Drawn { point, x: lens.x.at(point), y: lens.y.at(point), w: lens.w.at(point), planes }
    }

    /// Whether it comes first in the one order in which the ends of an edge are taken, whoever it belongs to.
    fn comes_first(&self, other: &Drawn) -> bool {
        let by = |axis: usize| self.point[axis].total_cmp(&other.point[axis]);
        by(0).then(by(1)).then(by(2)).is_le()
    }

    fn between(&self, other: &Drawn, part: f64) -> Drawn {
        if part == 0.0 {
            return *self;
        }
        if part == 1.0 {
            return *other;
        }
        let mix = |a: f64, b: f64| a + (b - a) * part;
        Drawn {
            point: self.point + (other.point - self.point) * part,
            x: mix(self.x, other.x),
            y: mix(self.y, other.y),
            w: mix(self.w, other.w),
            planes: self.planes,
        }
    }
}

/// The point of the edge between two corners that is drawn nearest to the cursor, and its part of the way from the
/// first to the second; `None` where none of it lies between the near and the far plane.
///
/// The line of both is `(a, b, c)`, their cross product, and its point nearest to the cursor is where `b x - a y` is 0. That is
/// linear along the edge, so the point is found without a division by a `w`, which is 0 at the eye.
pub(super) fn nearest(from: &Drawn, to: &Drawn) -> Option<(Outlined, f64)> {
    if !from.comes_first(to) {
        return nearest(to, from).map(|(outlined, part)| (outlined, 1.0 - part));
    }
    let (mut first, mut last) = (0.0f64, 1.0f64);
    for (start, end) in from.planes.into_iter().zip(to.planes) {
        match (start < 0.0, end < 0.0) {
            (true, true) => return None,
            (true, false) => first = first.max(start / (start - end)),
            (false, true) => last = last.min(start / (start - end)),
            (false, false) => {}
        }
    }
    if first > last {
        return None;
    }
    let (a, b) = (from.y * to.w - from.w * to.y, from.w * to.x - from.x * to.w);
    let [start, end] = [from, to].map(|at| b * at.x - a * at.y);
    let foot = start / (start - end);
    // Outside of the edge it may lie beyond the eye, where the picture says nothing of which end is nearer; seen end on it is
    // no number.
    let foot = (first < foot && foot < last).then_some(foot);
    let mut best: Option<(Outlined, f64, f64)> = None;
    for part in [Some(first), Some(last), foot].into_iter().flatten() {
        let at = from.between(to, part);
        let is_drawn = at.w > 0.0; // false for what is not a number
        if !is_drawn {
            continue;
        }
        let offset = [at.x / at.w, at.y / at.w];
        let distance = sqrt(offset[0] * offset[0] + offset[1] * offset[1]);
        // Of equally near ones the nearest to the eye.
        if best.as_ref().is_none_or(|(known, w, _)| (distance, at.w) < (known.distance, *w)) {
            best = Some((Outlined { offset, distance, point: at.point }, at.w, part));
        }
    }
    best.map(|(outlined, _, part)| (outlined, part))
}
