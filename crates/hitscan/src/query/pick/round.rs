//! The round outlines of balls and capsules.
//!
//! A ball is drawn as an ellipse, whatever its placement stretches it to. The lines that touch it are known without solving
//! anything: the dual conic `D = H Q H^T` of the ball's dual quadric `Q`, with `H` the map to the picture (Hartley, Zisserman, Multiple
//! View Geometry in Computer Vision, 2nd edition, 2004, section 8.3). The point of the ellipse nearest to the cursor follows from
//! one equation in one unknown (Eberly, Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid, 2013), by halving
//! an interval until nothing is left of it. A capsule is the balls along its axis, of which one is drawn nearest: the distance
//! has one valley along the axis, since what is drawn within some distance of the cursor is convex in space.

use glam::{DVec2, DVec3};

use super::Outlined;
use crate::halving::halved;
use crate::root::sqrt;
use crate::square::{ROUNDS, turn};
use crate::view::{Lens, Linear};

/// How many times the way along a capsule is cut by the golden section: below 2^-60 of it is left.
const CUTS: usize = 90;
/// The golden section of 1.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The point of a ball's or a capsule's outline that is drawn nearest to the cursor; `None` where the cursor is inside of it ([`super::inside`]), and
/// where a part of the shape lies before the near plane or beyond the far one, so that it is cut open.
pub(super) fn nearest(lens: &Lens, a: DVec3, b: DVec3, radius: f64) -> Option<Outlined> {
    if !is_whole(lens, a, b, radius) {
        return None;
    }
    let ball = |part: f64| Ball::new(lens, a + (b - a) * part, radius);
    let mut best = ball(0.0)?.nearest()?;
    if a == b {
        return Some(best);
    }
    let mut better = |outlined: Outlined| {
        if outlined.distance < best.distance {
            best = outlined;
        }
        outlined.distance
    };
    better(ball(1.0)?.nearest()?);
    let (mut low, mut high) = (0.0, 1.0);
    let (mut left, mut right) = (1.0 - GOLDEN, GOLDEN);
    let mut at_left = better(ball(left)?.nearest()?);
    let mut at_right = better(ball(right)?.nearest()?);
    for _ in 0..CUTS {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - (high - low) * GOLDEN;
            at_left = better(ball(left)?.nearest()?);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + (high - low) * GOLDEN;
            at_right = better(ball(right)?.nearest()?);
        }
    }
    Some(best)
}

/// Whether all of a ball or a capsule lies between the near and the far plane.
pub(super) fn is_whole(lens: &Lens, a: DVec3, b: DVec3, radius: f64) -> bool {
    let is_before = |plane: &Linear| {
        let reach = plane.slope.length() * radius;
        plane.at(a) >= reach && plane.at(b) >= reach
    };
    is_before(&lens.near) && lens.far.is_none_or(|far| is_before(&far))
}

/// A ball as it is drawn: an ellipse.
pub(super) struct Ball {
    centre: DVec3,
    radius: f64,
    /// The maps to the picture, of the offset from the centre in units of the radius.
    pub x: Linear,
    pub y: Linear,
    pub w: Linear,
    pub middle: DVec2,
    /// Unit vectors at right angles to each other, and how far it reaches along each.
    pub axes: [DVec2; 2],
    pub reach: [f64; 2],
}

impl Ball {
    /// `None` where it reaches behind the eye.
    pub fn new(lens: &Lens, centre: DVec3, radius: f64) -> Option<Ball> {
        let around = |map: &Linear| Linear::new(map.slope * radius, map.at(centre));
        let (x, y, w) = (around(&lens.x), around(&lens.y), around(&lens.w));
        // The dual conic, but for its sign, which makes its last entry positive.
        let dual = |a: &Linear, b: &Linear| a.constant * b.constant - a.slope.dot(b.slope);
        let depth = dual(&w, &w);
        let in_front = w.constant > 0.0 && depth > 0.0;
        if !in_front {
            return None;
        }
        // Relative to where the centre is drawn, so that nothing cancels far from the cursor.
        let place = DVec2::new(x.constant, y.constant) / w.constant;
        let (dx, dy) = (x.slope - w.slope * place.x, y.slope - w.slope * place.y);
        let lean = DVec2::new(dx.dot(w.slope), dy.dot(w.slope)) / depth;
        // The rows of what makes the ellipse of a ball of four dimensions. They are turned until they are at a right angle, so that the short
        // axis of one that is seen edge on keeps its digits.
        let root = sqrt(depth);
        let mut rows = [(dx / root).extend(lean.x), (dy / root).extend(lean.y)];
        let mut axes = [DVec2::X, DVec2::Y];
        for _ in 0..ROUNDS {
            let [a, b] = rows;
            let Some([cosine, sine]) = turn(a.length_squared(), a.dot(b), b.length_squared()) else { break };
            rows = [a * cosine - b * sine, a * sine + b * cosine];
            axes = [axes[0] * cosine - axes[1] * sine, axes[0] * sine + axes[1] * cosine];
        }
        let reach = rows.map(|row| row.length());
        // Rounding leaves no less of it.
        let least = f64::EPSILON * reach[0].max(reach[1]);
        Some(Ball {
            centre,
            radius,
            x,
            y,
            w,
            middle: place - lean,
            axes,
            reach: reach.map(|reach| reach.max(least)),
        })
    }

    /// The point of the outline nearest to the cursor; `None` where that is inside.
    fn nearest(&self) -> Option<Outlined> {
        let (axes, reach) = (self.axes, self.reach);
        let to = axes.map(|axis| -axis.dot(self.middle));
        // The normal at the place that a shift leads to, and how far out that is: 1 on the outline.
        let step = |shift: f64| [0, 1].map(|i| to[i] / (reach[i] * reach[i] + shift));
        let out = |step: [f64; 2]| DVec2::new(reach[0] * step[0], reach[1] * step[1]).length_squared();
        let is_outside = out(step(0.0)) > 1.0; // false for what is not a number
        if !is_outside {
            return None;
        }
        let far = DVec2::from(reach).length() * DVec2::from(to).length();
        let away = step(halved(0.0, far, |shift| out(step(shift)) > 1.0));
        let at = self.middle
            + axes[0] * (reach[0] * reach[0] * away[0])
            + axes[1] * (reach[1] * reach[1] * away[1]);
        let away = axes[0] * away[0] + axes[1] * away[1];
        let normal = away / away.length();
        let point = self.touched(normal, normal.dot(at));
        point.is_finite().then(|| Outlined { offset: at.to_array(), distance: at.length(), point })
    }

    /// Where the plane through the eye and a line of the picture touches the ball, if the line touches its outline.
    pub fn touched(&self, normal: DVec2, height: f64) -> DVec3 {
        let touching = self.x.slope * normal.x + self.y.slope * normal.y - self.w.slope * height;
        self.centre + touching * (self.radius / touching.length())
    }
}
