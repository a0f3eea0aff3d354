//! Where things stand: placements from metres and degrees.

use hitscan::Transform;
use hitscan::glam::{DMat3, DVec3};

/// A placement under construction; steps apply in the order in which they are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    matrix: DMat3,
    at: DVec3,
}

impl Place {
    /// Where its own coordinates put it.
    pub fn here() -> Place {
        Place { matrix: DMat3::IDENTITY, at: DVec3::ZERO }
    }

    /// A translation.
    pub fn at(x: f64, y: f64, z: f64) -> Place {
        Place { matrix: DMat3::IDENTITY, at: DVec3::new(x, y, z) }
    }

    /// Turned counter-clockwise around an axis through its own origin, in degrees.
    pub fn turned(self, axis: DVec3, degrees: f64) -> Place {
        let radians = degrees * (std::f64::consts::PI / 180.0);
        let (sin, cos) = (libm::sin(radians), libm::cos(radians));
        let DVec3 { x, y, z } = axis.normalize();
        let rest = 1.0 - cos;
        let turn = DMat3::from_cols(
            DVec3::new(cos + x * x * rest, y * x * rest + z * sin, z * x * rest - y * sin),
            DVec3::new(x * y * rest - z * sin, cos + y * y * rest, z * y * rest + x * sin),
            DVec3::new(x * z * rest + y * sin, y * z * rest - x * sin, cos + z * z * rest),
        );
        Place { matrix: turn * self.matrix, ..self }
    }

    /// Scaled along its own axes; a negative factor mirrors.
    pub fn scaled(self, x: f64, y: f64, z: f64) -> Place {
        Place { matrix: self.matrix * DMat3::from_diagonal(DVec3::new(x, y, z)), ..self }
    }

    /// The placement, which is invertible unless a scale was 0.
    pub fn transform(self) -> Transform {
        Transform::new(self.matrix, self.at).expect("built-in placements are finite and invertible")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_follow_the_right_hand() {
        let place = Place::at(10.0, 0.0, 0.0).turned(DVec3::Y, 90.0).scaled(2.0, 1.0, 1.0).transform();
        assert!((place.point([1.0, 0.0, 0.0]) - DVec3::new(10.0, 0.0, -2.0)).length() < 1e-12);
        let place = Place::here().turned(DVec3::X, 90.0).transform();
        assert!((place.point([0.0, 1.0, 0.0]) - DVec3::Z).length() < 1e-12);
    }
}
