//! Rays and triangles to test with: one kind of trouble a function, from seeds.

use hitscan::Ray;
use hitscan::shape::Triangle;
use hitscan_oracle::Rng;
use hitscan_oracle::triangle::Case;

/// A kind of trouble, and how to make a case of it.
pub struct Kind {
    pub name: &'static str,
    pub make: fn(&mut Rng) -> Trial,
}

/// A ray and a triangle, as the library and as the oracle want them.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    pub ray: Ray,
    pub triangle: Triangle,
}

impl Trial {
    pub fn case(&self) -> Case {
        Case {
            origin: self.ray.origin().to_array(),
            dir: self.ray.dir().to_array(),
            corners: self.triangle.corners().map(|corner| corner.to_array()),
        }
    }
}

type Point = [f64; 3];

/// Random input of every kind that the library promises a bound for.
pub const KINDS: &[Kind] = &[
    Kind { name: "generic", make: |rng| aimed(rng, 10.0, 1.0, inside_or_near) },
    Kind { name: "edge-aimed", make: |rng| aimed(rng, 10.0, 1.0, on_edge) },
    Kind { name: "corner-aimed", make: |rng| aimed(rng, 10.0, 1.0, on_corner) },
    Kind { name: "grazing", make: grazing },
    Kind { name: "parallel", make: parallel },
    Kind { name: "sliver", make: sliver },
    Kind { name: "degenerate", make: degenerate },
    Kind { name: "far from the origin of coordinates", make: far_away },
    Kind { name: "from afar", make: |rng| aimed(rng, 1e9, 1.0, on_edge) },
    Kind { name: "tiny", make: |rng| aimed(rng, 1e-19, 1e-20, inside_or_near) },
    Kind { name: "tiny, on edges", make: |rng| aimed(rng, 1e-19, 1e-20, on_edge) },
    Kind { name: "huge", make: |rng| aimed(rng, 1e16, 1e15, inside_or_near) },
    Kind { name: "huge, on edges", make: |rng| aimed(rng, 1e16, 1e15, on_edge) },
    Kind { name: "at the limit of coordinates", make: |rng| aimed(rng, 1e30, 1e30, on_edge) },
    Kind { name: "ends touch", make: ends_touch },
    Kind { name: "starts inside the plane", make: starts_inside },
];

/// Coordinates that are whole numbers up to `reach`, aimed so that touching is common.
pub fn on_grid(rng: &mut Rng, reach: i64) -> Trial {
    loop {
        let mut point = || -> Point { std::array::from_fn(|_| rng.int(-reach, reach) as f64) };
        let corners = [point(), point(), point()];
        let (start, anywhere) = (point(), point());
        let end = match rng.below(4) {
            0 => anywhere,
            1 => corners[rng.below(3)],
            // In line with a corner, beyond or before it.
            2 => {
                let c = corners[rng.below(3)];
                std::array::from_fn(|i| (start[i] + c[i]) / 2.0)
            }
            _ => {
                let (p, q) = (corners[0], corners[1]);
                std::array::from_fn(|i| (p[i] + q[i]) / 2.0)
            }
        };
        if let Some(trial) = trial(rng, start, end, corners) {
            return trial;
        }
    }
}

/// A ray through two points, or the segment between them.
fn trial(rng: &mut Rng, start: Point, end: Point, [a, b, c]: [Point; 3]) -> Option<Trial> {
    let ray = Ray::between(start, end).ok()?;
    let ray = match rng.below(3) {
        0 => ray,
        1 => Ray::new(ray.origin(), ray.dir()).ok()?,
        _ => ray.with_range(f64::NEG_INFINITY, f64::INFINITY).ok()?,
    };
    Some(Trial { ray, triangle: Triangle::new(a, b, c).ok()? })
}

fn blend(corners: [Point; 3], weights: Point) -> Point {
    std::array::from_fn(|i| {
        (corners[0][i] * weights[0] + corners[1][i] * weights[1]) + corners[2][i] * weights[2]
    })
}

fn inside_or_near(rng: &mut Rng) -> Point {
    let (u, v) = (rng.range(-0.2, 1.2), rng.range(-0.2, 1.2));
    [1.0 - u - v, u, v]
}

fn on_edge(rng: &mut Rng) -> Point {
    let along = rng.range(-0.1, 1.1);
    let mut weights = [along, 1.0 - along, 0.0];
    rng.shuffle(&mut weights);
    weights
}

fn on_corner(rng: &mut Rng) -> Point {
    let mut weights = [1.0, 0.0, 0.0];
    rng.shuffle(&mut weights);
    weights
}

/// From within `reach` of a triangle of some size through, or to, a point of its plane.
fn aimed(rng: &mut Rng, reach: f64, size: f64, weights: fn(&mut Rng) -> Point) -> Trial {
    loop {
        let corners = std::array::from_fn(|_| rng.in_cube(size));
        let start = rng.in_cube(reach);
        let target = blend(corners, weights(rng));
        let through = rng.pick(&[1.0, 1.0, 0.9, 1.1, 2.0]);
        let end = std::array::from_fn(|i| start[i] + (target[i] - start[i]) * through);
        if let Some(trial) = trial(rng, start, end, corners) {
            return trial;
        }
    }
}

/// Almost along the plane.
fn grazing(rng: &mut Rng) -> Trial {
    loop {
        let corners: [Point; 3] = std::array::from_fn(|_| rng.in_cube(1.0));
        let target = blend(corners, inside_or_near(rng));
        let other = blend(corners, [rng.range(-3.0, 3.0), rng.range(-3.0, 3.0), 1.0]);
        let lift = rng.any_size(1e-16, 1e-3);
        let start = std::array::from_fn(|i| other[i] + rng.range(-lift, lift));
        let end = std::array::from_fn(|i| target[i] + rng.range(-lift, lift));
        if let Some(trial) = trial(rng, start, end, corners) {
            return trial;
        }
    }
}

/// Exactly along the plane, within or beside it.
fn parallel(rng: &mut Rng) -> Trial {
    loop {
        let axis = rng.below(3);
        let level = rng.range(-1.0, 1.0);
        let mut flat = |z: f64| {
            let mut p = rng.in_cube(1.0);
            p[axis] = z;
            p
        };
        let corners = [flat(level), flat(level), flat(level)];
        let beside = rng_level(level, &mut flat);
        let (start, end) = (flat(beside), flat(beside));
        if let Some(trial) = trial(rng, start, end, corners) {
            return trial;
        }
    }
}

/// The level itself or another one.
fn rng_level(level: f64, flat: &mut impl FnMut(f64) -> Point) -> f64 {
    let p = flat(level);
    if p[0] + p[1] + p[2] < level { level } else { level + 0.5 }
}

/// A corner a billionth beside the line of the other two.
fn sliver(rng: &mut Rng) -> Trial {
    loop {
        let (a, b) = (rng.in_cube(1.0), rng.in_cube(1.0));
        let (along, beside) = (rng.range(-0.5, 1.5), rng.any_size(1e-14, 1e-3));
        let c = std::array::from_fn(|i| a[i] + (b[i] - a[i]) * along + rng.range(-beside, beside));
        let corners = [a, b, c];
        let target = blend(corners, inside_or_near(rng));
        let start = rng.in_cube(3.0);
        if let Some(trial) = trial(rng, start, target, corners) {
            return trial;
        }
    }
}

/// Corners in a row or at one place.
fn degenerate(rng: &mut Rng) -> Trial {
    loop {
        let mut point = || -> Point { std::array::from_fn(|_| rng.int(-8, 8) as f64) };
        let (a, step, start) = (point(), point(), point());
        let (i, j) = (rng.int(-2, 2) as f64, rng.int(-2, 2) as f64);
        let corners = [a, blend([a, step, a], [1.0, i, 0.0]), blend([a, step, a], [1.0, j, 0.0])];
        let end = if rng.one_in(2) { corners[rng.below(3)] } else { rng.in_cube(8.0) };
        if let Some(trial) = trial(rng, start, end, corners) {
            return trial;
        }
    }
}

/// Small and close to each other, far from (0, 0, 0).
fn far_away(rng: &mut Rng) -> Trial {
    loop {
        let place = rng.in_cube(1e7);
        let mut near = || {
            let p = rng.in_cube(1.0);
            std::array::from_fn(|i| place[i] + p[i])
        };
        let (corners, start) = ([near(), near(), near()], near());
        let weights = on_edge(rng);
        let target = blend(corners, weights);
        if let Some(trial) = trial(rng, start, target, corners) {
            return trial;
        }
    }
}

/// The path ends, or starts, on the triangle.
fn ends_touch(rng: &mut Rng) -> Trial {
    loop {
        let corners = std::array::from_fn(|_| rng.in_cube(1.0));
        let touching = blend(corners, [0.25, 0.25, 0.5]);
        let other = rng.in_cube(2.0);
        let (start, end) = if rng.one_in(2) { (touching, other) } else { (other, touching) };
        let [a, b, c] = corners;
        if let (Ok(ray), Ok(triangle)) = (Ray::between(start, end), Triangle::new(a, b, c)) {
            return Trial { ray, triangle };
        }
    }
}

/// From a point of the plane that `f64` holds exactly, away from it.
fn starts_inside(rng: &mut Rng) -> Trial {
    loop {
        let mut flat = || -> Point { [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.0] };
        let (corners, start) = ([flat(), flat(), flat()], flat());
        let [a, b, c] = corners;
        let ray = Ray::new(start, rng.direction()).ok();
        if let (Some(ray), Ok(triangle)) = (ray, Triangle::new(a, b, c)) {
            return Trial { ray, triangle };
        }
    }
}
