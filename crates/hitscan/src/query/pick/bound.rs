//! How near to the cursor anything in a box can be drawn.

use glam::DVec3;

use crate::root::sqrt;
use crate::view::{Lens, Linear};

/// More than the roundings of a coordinate of a point that is drawn, for one unit of its terms: those of a box's corner, and of
/// a point on an edge between two others: 2^-46.
const ROUNDING: f64 = 1.0 / (1u64 << 46) as f64;

/// A distance from the cursor, in its unit, that no point of the box is drawn within, rounding included; `None` where
/// nothing of it lies between the near and the far plane.
///
/// The picture of a box lies within those of its corners, as long as all of them are in front of the eye.
pub(super) fn of_corners(lens: &Lens, low: DVec3, high: DVec3) -> Option<f64> {
    let largest = low.abs().max(high.abs());
    let error = |map: &Linear| ROUNDING * (map.slope.abs().dot(largest) + map.constant.abs());
    let most = |map: &Linear| {
        let end = DVec3::select(map.slope.cmpgt(DVec3::ZERO), high, low);
        map.at(end) + error(map)
    };
    if most(&lens.near) < 0.0 || lens.far.is_some_and(|far| most(&far) < 0.0) {
        return None;
    }
    let errors = [error(&lens.x), error(&lens.y), error(&lens.w)];
    let (mut least, mut greatest) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for corner in 0..8 {
        let end = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
        let point = DVec3::new(end(0), end(1), end(2));
        let w = lens.w.at(point) - errors[2];
        let in_front = w > 0.0;
        if !in_front {
            return Some(0.0);
        }
        for (axis, map) in [lens.x, lens.y].iter().enumerate() {
            let at = map.at(point);
            let place = at / w;
            let margin = (errors[axis] + place.abs() * (2.0 * errors[2])) / w;
            least[axis] = least[axis].min(place - margin);
            greatest[axis] = greatest[axis].max(place + margin);
        }
    }
    let [x, y] = [0, 1].map(|axis| least[axis].max(-greatest[axis]).max(0.0));
    // A hair less, for the roundings of this line and of a distance.
    Some(sqrt(x * x + y * y) * (1.0 - 16.0 * f64::EPSILON))
}
