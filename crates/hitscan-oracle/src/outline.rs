//! How far a line passes from a triangle's outline, and how far the recipe can be wrong.
//!
//! The recipe rounds each sheared corner. With `u = 2^-24` and a corner whose largest coordinate relative to the
//! origin is `m`: the difference, the quotient, the product and the last difference err by at most
//! `u(|x| + 3|Sx z| + |x| + |z|) <= 6um` along each axis of the plane, up to terms in `u^2`, so the corner moves by less
//! than `9um`. Every point of the outline moves less than the worst corner does. A line that passes
//! farther than that from the outline is therefore on the same side of it before and after rounding.

/// Distance of the line from the triangle's outline, measured in the plane across the largest component of `dir`, along
/// which corners are projected. Computed in `f64`: right to some 15 digits.
pub fn distance(origin: [f64; 3], dir: [f64; 3], corners: [[f32; 3]; 3]) -> f64 {
    let kz = (0..3).fold(0, |k, i| if dir[i].abs() > dir[k].abs() { i } else { k });
    let (kx, ky) = ((kz + 1) % 3, (kz + 2) % 3);
    let flat = relative(origin, corners)
        .map(|r| [r[kx] - dir[kx] * (r[kz] / dir[kz]), r[ky] - dir[ky] * (r[kz] / dir[kz])]);
    (0..3).map(|i| to_segment(flat[i], flat[(i + 1) % 3])).fold(f64::INFINITY, f64::min)
}

/// How far the recipe's outline can lie from the exact one for a ray that enters the mesh as it is: origin and direction
/// are `f32`, and the origin lies within four reaches. Holds where nothing underflows.
pub fn error_of_near_ray(origin: [f64; 3], corners: [[f32; 3]; 3]) -> f64 {
    let m = relative(origin, corners).iter().flatten().fold(0.0f64, |m, c| m.max(c.abs()));
    9.0 * f64::from(f32::EPSILON) / 2.0 * m
}

/// How far the recipe's outline can lie from the exact one for any ray that passes a mesh of this reach R within R, from
/// up to `1e8 R`.
///
/// A moved origin has coordinates of at most `3.8R`, so it lies within `4.8R` of every corner along each axis: corners
/// err by `43uR`, the origin's rounding moves them by `12uR`, that of the direction by `14uR`, and the arithmetic
/// in `f64`, some `2^-50` of the distance, by `4uR`. Together they stay below `2^-17 R`.
pub fn error_of_any_ray(reach: f64) -> f64 {
    reach / f64::from(1 << 17)
}

fn relative(origin: [f64; 3], corners: [[f32; 3]; 3]) -> [[f64; 3]; 3] {
    corners.map(|corner| std::array::from_fn(|i| f64::from(corner[i]) - origin[i]))
}

/// Distance of (0, 0) from a segment.
fn to_segment(p: [f64; 2], q: [f64; 2]) -> f64 {
    let along = [q[0] - p[0], q[1] - p[1]];
    let length_sq = along[0] * along[0] + along[1] * along[1];
    let part = -(p[0] * along[0] + p[1] * along[1]) / length_sq;
    let part = if length_sq == 0.0 { 0.0 } else { part.clamp(0.0, 1.0) };
    (p[0] + part * along[0]).hypot(p[1] + part * along[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_the_projected_outline() {
        let triangle = [[0.0, 0.0, 1.0], [8.0, 0.0, 1.0], [0.0, 8.0, 1.0]];
        let at = |x: f64, y: f64| distance([x, y, 5.0], [0.0, 0.0, -0.5], triangle);
        assert_eq!(at(1.0, 2.0), 1.0);
        assert_eq!(at(-3.0, -4.0), 5.0);
        assert_eq!(at(4.0, 4.0), 0.0);
        assert_eq!(at(9.0, 0.0), 1.0);
    }
}
