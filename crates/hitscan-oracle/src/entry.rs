//! The entry of a world ray into the frame of one mesh, operation by operation as the law states it.

use crate::rays::Ray;

/// A ray in a mesh's frame, rounded to `f32`.
#[derive(Clone, Copy, Debug)]
pub struct LocalRay {
    /// Where it starts.
    pub origin: [f32; 3],
    /// Where it goes.
    pub dir: [f32; 3],
    t0: f64,
    scale: f64,
}

/// `world = matrix * local + translation`, rows of the matrix first.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// Rows of the matrix.
    pub matrix: [[f64; 3]; 3],
    /// The translation.
    pub translation: [f64; 3],
}

impl Placement {
    /// The placement that changes nothing.
    pub const IDENTITY: Placement =
        Placement { matrix: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation: [0.0; 3] };

    /// The determinant of the matrix, expanded along row 0.
    pub fn determinant(&self) -> f64 {
        let [a, b, c] = self.matrix;
        dot(a, cross(b, c))
    }

    /// Rows of the inverse matrix: the adjugate over the determinant.
    pub fn inverse(&self) -> [[f64; 3]; 3] {
        let [a, b, c] = self.matrix;
        let columns = [cross(b, c), cross(c, a), cross(a, b)];
        let determinant = self.determinant();
        std::array::from_fn(|row| std::array::from_fn(|column| columns[column][row] / determinant))
    }

    /// A local point in world space.
    pub fn point(&self, local: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| dot(self.matrix[i], local) + self.translation[i])
    }
}

/// The ray in the frame of a mesh of this reach (its largest absolute coordinate).
pub fn enter(ray: &Ray, placement: &Placement, reach: f32) -> LocalRay {
    let inverse = placement.inverse();
    let offset = std::array::from_fn(|i| ray.origin[i] - placement.translation[i]);
    let p = inverse.map(|row| dot(row, offset));
    let mut q = inverse.map(|row| dot(row, ray.dir));

    let mut scale = 1.0;
    let limit = 2f64.powi(100);
    // What it would be rounded to decides, not what it is.
    let rounded = f64::from(largest(q) as f32);
    if rounded > limit || rounded < 1.0 / limit {
        // The power of two that brings the largest component into [1, 2).
        let exponent = (largest(q).to_bits() >> 52) as i32 - 1023;
        scale = 2f64.powi(-exponent);
        q = q.map(|c| c * scale);
    }

    let r = f64::from(reach);
    let t0 = if largest(p) > 4.0 * r { -dot(p, q) / dot(q, q) - 2.0 * r / largest(q) } else { 0.0 };
    let origin = std::array::from_fn(|i| (p[i] + t0 * q[i]) as f32);
    LocalRay { origin, dir: q.map(|c| c as f32), t0, scale }
}

impl LocalRay {
    /// World `t` of a local one.
    pub fn world_t(&self, local: f64) -> f64 {
        (self.t0 + local) * self.scale
    }
}

fn largest(v: [f64; 3]) -> f64 {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_rays_are_rounded_and_nothing_else() {
        let ray = Ray::new([0.1, 4.0, 0.0], [0.0, 0.3, 0.0]);
        let local = enter(&ray, &Placement::IDENTITY, 1.0);
        assert_eq!((local.origin, local.dir), ([0.1, 4.0, 0.0], [0.0, 0.3, 0.0]));
        assert_eq!(local.world_t(2.5), 2.5);
    }

    #[test]
    fn rays_beyond_four_reaches_start_anew_two_reaches_before_the_middle() {
        let ray = Ray::new([0.0, -1e9, 0.25], [0.0, 0.5, 0.0]);
        let local = enter(&ray, &Placement::IDENTITY, 8.0);
        assert_eq!(local.origin, [0.0, -16.0, 0.25]);
        assert_eq!(local.world_t(32.0), 2e9);
    }

    #[test]
    fn directions_that_are_rounded_to_the_least_plain_one_are_not_scaled() {
        let ray = Ray::new([0.0; 3], [2f64.powi(-100) * (1.0 - 2f64.powi(-30)), 0.0, 0.0]);
        assert_eq!(enter(&ray, &Placement::IDENTITY, 8.0).dir, [2f32.powi(-100), 0.0, 0.0]);
    }

    #[test]
    fn very_long_and_short_directions_are_scaled_by_a_power_of_two() {
        for exponent in [-150, 150] {
            let ray = Ray::new([0.0; 3], [1.5 * 2f64.powi(exponent), 2f64.powi(exponent - 3), 0.0]);
            let local = enter(&ray, &Placement::IDENTITY, 8.0);
            assert_eq!(local.dir, [1.5, 0.125, 0.0]);
            assert_eq!(local.world_t(3.0), 3.0 / 2f64.powi(exponent));
        }
    }

    #[test]
    fn the_inverse_undoes_the_placement() {
        let placement = Placement {
            matrix: [[0.0, 2.0, 0.0], [0.0, 0.0, -4.0], [0.5, 1.0, 0.0]],
            translation: [1.0, -2.0, 3.0],
        };
        assert_eq!(placement.determinant(), -4.0);
        let world = placement.point([3.0, 5.0, 7.0]);
        let ray = Ray::new(world, placement.matrix.map(|row| row[2]));
        let local = enter(&ray, &placement, 100.0);
        assert_eq!((local.origin, local.dir), ([3.0, 5.0, 7.0], [0.0, 0.0, 1.0]));
    }
}
