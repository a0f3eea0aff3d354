//! The round outline of a ball or a capsule around the cursor, where something else hides what is under it.
//!
//! A capsule is drawn as what lies between its two end balls: its outline is parts of their ellipses and two lines that touch both.
//! The way out is shortest at one of the places where the outline is at a right angle to it: the shortest ways out of an ellipse, of
//! which there are two, or the foot of the cursor on a line. Those that lie on the outline are compared.

use glam::{DMat3, DVec2, DVec3};

use super::Outlined;
use super::round::{Ball, is_whole};
use crate::root::sqrt;
use crate::view::{Lens, Linear};
use crate::world::ellipsoid::Ellipsoid;

/// The point of a ball's or a capsule's outline that is drawn nearest to the cursor inside of it; `None` where the cursor is not, and
/// where the shape is cut open, as [`super::round::nearest`] says.
pub(super) fn nearest(lens: &Lens, a: DVec3, b: DVec3, radius: f64) -> Option<Outlined> {
    if !is_whole(lens, a, b, radius) {
        return None;
    }
    let ends = [Ball::new(lens, a, radius)?, Ball::new(lens, b, radius)?];
    let [from_a, from_b] = ends.each_ref().map(ways_out);
    let of_end = |end: usize, normal: DVec2| {
        let [this, other] = [&ends[end], &ends[1 - end]];
        let (distance, at) = edge(this, normal);
        let is_outline = distance >= 0.0 && (a == b || edge(other, normal).0 <= distance);
        let outlined = || Outlined {
            offset: at.to_array(),
            distance: at.length(),
            point: this.touched(normal, normal.dot(at)),
        };
        is_outline.then(outlined)
    };
    let around_a = from_a.into_iter().flatten().filter_map(|normal| of_end(0, normal));
    let around_b = from_b.into_iter().flatten().filter_map(|normal| of_end(1, normal));
    let beside = sides(lens, &ends[0], b - a).into_iter().flatten();
    around_a
        .chain(around_b)
        .chain(beside)
        .filter(|outlined| outlined.point.is_finite() && outlined.distance.is_finite())
        .min_by(|one, other| one.distance.total_cmp(&other.distance))
}

/// The normals of an ellipse at the places where the way out is shorter than beside them.
fn ways_out(ball: &Ball) -> [Option<DVec2>; 2] {
    let Ball { axes, reach, middle, .. } = ball;
    let [right, up] = [0, 1].map(|i| (axes[i] * reach[i]).extend(0.0));
    // Across the picture it is so wide that no way out leads there.
    let drawn = Ellipsoid::new(DMat3::from_cols(right, up, DVec3::Z * (2.0 * (reach[0] + reach[1]))));
    let Some(drawn) = drawn else { return [None; 2] };
    let (first, second) = drawn.ways_out((-*middle).extend(0.0));
    [Some(first), second].map(|normal| normal.map(|normal| normal.truncate().normalize()))
}

/// The line that touches an ellipse from outside, by its normal: how far from the cursor it is, and where it touches.
fn edge(ball: &Ball, normal: DVec2) -> (f64, DVec2) {
    let Ball { axes, reach, middle, .. } = ball;
    let along = [0, 1].map(|i| reach[i] * axes[i].dot(normal));
    let out = sqrt(along[0] * along[0] + along[1] * along[1]);
    let at = axes[0] * (reach[0] * along[0] / out) + axes[1] * (reach[1] * along[1] / out);
    (middle.dot(normal) + out, *middle + at)
}

/// The feet of the cursor on both lines that touch a capsule from the one end to the other, where they lie between those.
///
/// A line `l` of the picture is that of a plane through the eye with the normal `l.x X + l.y Y + l.z W`, by the maps to the picture. The
/// plane holds the way `along` the axis, so `l` is a sum of two that do; it touches the ball, which leaves a
/// quadratic equation for their shares. With the line of the axis itself as the first, one root is on either side of it.
fn sides(lens: &Lens, ball: &Ball, along: DVec3) -> [Option<Outlined>; 2] {
    let of = |value: &dyn Fn(&Linear) -> f64, maps: [&Linear; 3]| DVec3::from_array(maps.map(value));
    let maps = [&ball.x, &ball.y, &ball.w];
    let centre = of(&|map| map.constant, maps);
    let way = of(&|map| map.slope.dot(along), [&lens.x, &lens.y, &lens.w]);
    let axis = centre.cross(way).normalize();
    let across = axis.cross(way.normalize());
    let plane = |line: DVec3| ball.x.slope * line.x + ball.y.slope * line.y + ball.w.slope * line.z;
    let (first, second) = (plane(axis), plane(across));
    // a s^2 + 2 b s + c = 0
    let (a, b) = (first.length_squared(), first.dot(second));
    let c = second.length_squared() - across.dot(centre) * across.dot(centre);
    let root = sqrt(b * b - a * c);
    let q = -(b + if b < 0.0 { -root } else { root });
    [q / a, c / q].map(|share| {
        let line = axis * share + across;
        // Outwards.
        let line = if line.dot(centre) < 0.0 { line } else { -line };
        let length = line.truncate().length();
        let (normal, distance) = (line.truncate() / length, -line.z / length);
        let touched = ball.touched(normal, distance);
        let foot = |map: &DVec2| DVec2::new(-normal.y, normal.x).dot(*map);
        let start = foot(&DVec2::new(lens.x.at(touched), lens.y.at(touched)));
        let part = -start / foot(&way.truncate());
        let is_between = (0.0..=1.0).contains(&part) && distance >= 0.0; // false for what is not a number
        let offset = normal * distance;
        is_between.then(|| Outlined { offset: offset.to_array(), distance, point: touched + along * part })
    })
}
