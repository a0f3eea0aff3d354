//! Lines that are hard on convex solids: aimed at corners, edges and faces, along them, from them and from inside.

use hitscan::Ray;
use hitscan_oracle::Rng;
use hitscan_oracle::solids::{Passage, Ratio};

/// A ray without ends behind, as plain arrays.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub origin: [f64; 3],
    pub dir: [f64; 3],
}

impl Line {
    /// The whole line: every answer about it is one about the solid alone.
    pub fn ray(&self) -> Ray {
        Ray::new(self.origin, self.dir)
            .and_then(|ray| ray.with_range(f64::NEG_INFINITY, f64::INFINITY))
            .unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }
}

/// Lines at a box of features between `low` and `high`: coordinates are often equal to one of theirs, directions often
/// along axes, diagonals or at one of the corners.
pub fn line_at(rng: &mut Rng, low: [f64; 3], high: [f64; 3]) -> Line {
    let near = |rng: &mut Rng| -> [f64; 3] {
        std::array::from_fn(|i| {
            let size = high[i] - low[i];
            match rng.below(6) {
                0 => low[i],
                1 => high[i],
                2 => low[i] + 0.5 * size,
                3 => rng.range(low[i], high[i]),
                _ => rng.range(low[i] - 2.0 * size, high[i] + 2.0 * size),
            }
        })
    };
    let origin = near(rng);
    let target = near(rng);
    let dir = match rng.below(4) {
        0 => std::array::from_fn(|_| rng.pick(&[-1.0, -0.0, 0.0, 1.0])),
        1 => rng.direction(),
        _ => std::array::from_fn(|i| target[i] - origin[i]),
    };
    let dir = if dir == [0.0; 3] { [0.0, 1.0, 0.0] } else { dir };
    let length = rng.pick(&[1.0, 1.0, 3.0, 0.1]);
    Line { origin, dir: dir.map(|c| c * length) }
}

/// A line on whole numbers, through some point of the grid up to `reach`.
pub fn grid_line(rng: &mut Rng, reach: i64) -> Line {
    let whole = |rng: &mut Rng, n: i64| std::array::from_fn(|_| rng.int(-n, n) as f64);
    let target: [f64; 3] = whole(rng, reach);
    loop {
        let (dir, steps): ([f64; 3], f64) = (whole(rng, 3), rng.int(-4, 4) as f64);
        if dir != [0.0; 3] {
            return Line { origin: std::array::from_fn(|i| target[i] - steps * dir[i]), dir };
        }
    }
}

/// Compares a span with the exact one, to `2^-bits` of each end; 53 bits are those of the nearest number.
pub fn assert_span_is_near(enter: f64, exit: f64, exact: &Passage, bits: u32, what: &str) {
    assert_near(enter, &exact.enter, bits, what);
    assert_near(exit, &exact.exit, bits, what);
    assert!(enter <= exit, "{what}: {enter} above {exit}");
}

fn assert_near(t: f64, exact: &Ratio, bits: u32, what: &str) {
    assert!(exact.is_near(t, bits), "{what}: {t:e} is not within 2^-{bits} of {exact:?}");
    assert!(t != 0.0 || t.is_sign_positive(), "{what}: -0");
}

/// Multiplies a line and what it is aimed at.
pub const SCALES: [f64; 4] = [1.0, 1e-20, 1e15, 1e-6];

/// A number of any size, from the smallest one to 2^99, or 0.
pub fn number(rng: &mut Rng) -> f64 {
    let size = rng.power_of_two(-1020, 98) * rng.range(1.0, 2.0);
    rng.pick(&[size, -size, size, -size, 0.0, 1.0, f64::from_bits(1), -f64::MIN_POSITIVE])
}

/// Three of them.
pub fn point(rng: &mut Rng) -> [f64; 3] {
    [(); 3].map(|()| number(rng))
}
