//! Random placements: rotated, sheared, mirrored and unevenly scaled.

use crate::entry::Placement;
use crate::rng::Rng;

/// A rotation, a scaling whose factors lie within `[size / condition, size]` and reach both ends, and another rotation,
/// mirrored half of the time; then a translation by up to `far` along each axis.
pub fn random(rng: &mut Rng, condition: f64, size: f64, far: f64) -> Placement {
    let mut factors = [size, size / condition, size * rng.range(1.0 / condition, 1.0)];
    rng.shuffle(&mut factors);
    if rng.one_in(2) {
        factors[0] = -factors[0];
    }
    let (after, before) = (rotation(rng), rotation(rng));
    let matrix = std::array::from_fn(|i| {
        std::array::from_fn(|j| (0..3).map(|k| after[i][k] * factors[k] * before[k][j]).sum())
    });
    Placement { matrix, translation: rng.in_cube(far) }
}

/// Axes swapped and turned, and a translation by whole numbers: nothing rounds on a grid.
pub fn on_grid(rng: &mut Rng) -> Placement {
    let mut axes = [0, 1, 2];
    rng.shuffle(&mut axes);
    let mut matrix = [[0.0; 3]; 3];
    for (row, axis) in axes.into_iter().enumerate() {
        matrix[row][axis] = rng.pick(&[1.0, -1.0, 2.0, 0.5]);
    }
    Placement { matrix, translation: [(); 3].map(|()| rng.int(-4, 4) as f64) }
}

/// Three directions at right angles, right-handed.
fn rotation(rng: &mut Rng) -> [[f64; 3]; 3] {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let x = rng.direction();
    loop {
        let z = cross(x, rng.direction());
        let length_sq = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
        if length_sq > 0.01 {
            let z = z.map(|c| c / length_sq.sqrt());
            return [x, cross(z, x), z];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_have_the_condition_that_was_asked_for() {
        let mut rng = Rng::new(3);
        for _ in 0..100 {
            let placement = random(&mut rng, 1000.0, 2.0, 10.0);
            let norm = |m: [[f64; 3]; 3]| m.iter().flatten().map(|c| c * c).sum::<f64>().sqrt();
            let condition = norm(placement.matrix) * norm(placement.inverse());
            assert!((1000.0..3000.0).contains(&condition), "{condition}");
        }
    }
}
