//! One local ray and one triangle: the recipe and the acceptance rule, before neighbours are looked at.

use crate::entry::LocalRay;

/// What the geometry of one ray and one triangle says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Touch {
    /// Never hit, whatever the neighbours are.
    Miss,
    /// The ray, or the ray moved by `(e, e^2)`, goes through.
    Accepted(Crossing),
    /// The ray lies exactly inside the edge opposite to this corner, and the moved ray misses.
    OnEdge(usize, Crossing),
    /// The ray lies exactly on this corner, and the moved ray misses.
    OnCorner(usize, Crossing),
}

/// Where the ray crosses the triangle's plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Local parameter.
    pub t: f64,
    /// Weight of corner B.
    pub u: f64,
    /// Weight of corner C.
    pub v: f64,
    /// Whether the corners run counter-clockwise as the local ray sees them.
    pub counter_clockwise: bool,
}

/// A corner in the sheared frame, where the ray is the z axis.
type Sheared = [f32; 3];

/// The recipe for a triangle, corner by corner and edge by edge.
pub fn touch(ray: &LocalRay, corners: [[f32; 3]; 3]) -> Touch {
    let d = ray.dir;
    let mut kz = 0;
    for axis in [1, 2] {
        if d[axis].abs() > d[kz].abs() {
            kz = axis;
        }
    }
    let (mut kx, mut ky) = ((kz + 1) % 3, (kz + 2) % 3);
    if d[kz] < 0.0 {
        std::mem::swap(&mut kx, &mut ky);
    }
    let (sx, sy) = (d[kx] / d[kz], d[ky] / d[kz]);
    let [a, b, c]: [Sheared; 3] = corners.map(|corner| {
        let r: [f32; 3] = std::array::from_fn(|i| corner[i] - ray.origin[i]);
        [r[kx] - sx * r[kz], r[ky] - sy * r[kz], r[kz]]
    });

    let (u, v, w) = (edge(c, b), edge(a, c), edge(b, a));
    let det = (u + v) + w;
    let (az, bz, cz) = (f64::from(a[2]), f64::from(b[2]), f64::from(c[2]));
    let crossing = Crossing {
        t: ((u * az + v * bz) + w * cz) / (det * f64::from(d[kz])) + 0.0,
        u: v / det + 0.0,
        v: w / det + 0.0,
        counter_clockwise: det > 0.0,
    };
    if det == 0.0 || det.is_nan() {
        return Touch::Miss;
    }
    let moved = [moved_sign(c, b), moved_sign(a, c), moved_sign(b, a)];
    if moved == [1, 1, 1] || moved == [-1, -1, -1] {
        return Touch::Accepted(crossing);
    }
    let values = [u, v, w].map(sign);
    for corner in 0..3 {
        let [here, next, last] = [corner, (corner + 1) % 3, (corner + 2) % 3].map(|i| values[i]);
        if here == 0 && next != 0 && next == last {
            return Touch::OnEdge(corner, crossing);
        }
        if here != 0 && next == 0 && last == 0 {
            return Touch::OnCorner(corner, crossing);
        }
    }
    Touch::Miss
}

/// The value of the edge P->Q; its sign is exact.
fn edge(p: Sheared, q: Sheared) -> f64 {
    f64::from(p[0]) * f64::from(q[1]) - f64::from(p[1]) * f64::from(q[0])
}

/// The sign of the edge P->Q for the moved ray.
fn moved_sign(p: Sheared, q: Sheared) -> i32 {
    match sign(edge(p, q)) {
        0 => match sign(f64::from(p[1]) - f64::from(q[1])) {
            0 => sign(f64::from(q[0]) - f64::from(p[0])),
            by_y => by_y,
        },
        by_value => by_value,
    }
}

/// -1, 0 or 1; something else, that agrees with nothing, for what is not a number.
fn sign(x: f64) -> i32 {
    match x.partial_cmp(&0.0) {
        Some(order) => order as i32,
        None => 7,
    }
}
