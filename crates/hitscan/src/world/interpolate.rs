//! A placement between two others: turned along the shortest arc, moved and stretched evenly.
//!
//! A matrix is a turn times a stretch (Shoemake, Duff: Matrix animation and polar decomposition, 1992); the turns are
//! interpolated on the sphere of quaternions (Shoemake: Animating rotation with quaternion curves, 1985), the stretches and the
//! translations evenly. So every matrix in between can be undone where both are mirrored or neither is.

use glam::{DMat3, DQuat, DVec3};

use crate::root::sqrt;
use crate::transform::Transform;

/// The placement at `part` of the way from `a` to `b`; `None` where there is none in between, as from a hand to its
/// mirror image. `part` lies between 0 and 1.
pub(super) fn between(a: &Transform, b: &Transform, part: f64) -> Option<Transform> {
    if part == 0.0 || a == b {
        return Some(*a);
    }
    if a.mirrored() != b.mirrored() {
        return None;
    }
    let offset = a.offset() + (b.offset() - a.offset()) * part;
    if a.matrix() == b.matrix() {
        return Transform::new(a.matrix(), offset).ok();
    }
    let (turn_a, stretch_a) = polar(a.matrix(), a.mirrored())?;
    let (turn_b, stretch_b) = polar(b.matrix(), b.mirrored())?;
    let stretch = stretch_a + (stretch_b - stretch_a) * part;
    let turn = DMat3::from_quat(slerp(DQuat::from_mat3(&turn_a), DQuat::from_mat3(&turn_b), part));
    Transform::new(turn * stretch, offset).ok()
}

/// Steps after which the iteration has come as near as `f64` can: it doubles its digits in each once it is near, and halves
/// the distance, on a scale of powers, before.
const STEPS: usize = 64;

/// The nearest turn to a matrix, and what is left, which has no turn in it: their product is the matrix, whose sign is
/// turned first where it is mirrored.
fn polar(matrix: DMat3, mirrored: bool) -> Option<(DMat3, DMat3)> {
    let upright = if mirrored { matrix * -1.0 } else { matrix };
    let mut turn = upright;
    for _ in 0..STEPS {
        let back = turn.inverse().transpose();
        // Scaled so that sizes far from 1 do not take long (Higham: Computing the polar decomposition, 1986).
        let scale = sqrt(size(back) / size(turn));
        let next = (turn * scale + back * (1.0 / scale)) * 0.5;
        let moved = size(next - turn);
        turn = next;
        if moved <= 4.0 * f64::EPSILON {
            break;
        }
    }
    let stretch = turn.transpose() * matrix;
    (turn.is_finite() && stretch.is_finite()).then_some((turn, stretch))
}

/// The largest sum of absolute values in a column.
fn size(m: DMat3) -> f64 {
    let sum = |v: DVec3| v.x.abs() + v.y.abs() + v.z.abs();
    sum(m.x_axis).max(sum(m.y_axis)).max(sum(m.z_axis))
}

/// Along the shorter of the two arcs, at even speed.
fn slerp(a: DQuat, b: DQuat, part: f64) -> DQuat {
    let dot = a.dot(b);
    let (b, dot) = if dot < 0.0 { (-b, -dot) } else { (b, dot) };
    // From the chord, which is exact for small angles where the cosine is not.
    let chord = (a - b).length();
    let angle = 2.0 * libm::atan2(chord, (a + b).length());
    let sine = libm::sin(angle);
    let mixed = if dot >= 1.0 || sine == 0.0 {
        a * (1.0 - part) + b * part
    } else {
        a * (libm::sin((1.0 - part) * angle) / sine) + b * (libm::sin(part * angle) / sine)
    };
    mixed.normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: DMat3, b: DMat3) -> bool {
        size(a - b) < 1e-12
    }

    #[test]
    fn a_turn_is_halved() {
        let turn = |angle: f64| DMat3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), angle);
        let place = |angle: f64| Transform::new(turn(angle), [angle, 0.0, 0.0]).unwrap();
        for angle in [1e-9, 0.5, 3.0, -2.0] {
            let half = between(&place(0.0), &place(angle), 0.5).unwrap();
            assert!(near(half.matrix(), turn(angle / 2.0)), "{angle}");
            assert_eq!(half.offset().x, angle / 2.0);
        }
    }

    #[test]
    fn stretches_and_mirrors_stay_what_they_are() {
        let shear = DMat3::from_cols(
            DVec3::new(2.0, 0.0, 0.0),
            DVec3::new(0.5, 1.0, 0.0),
            DVec3::new(0.0, 0.3, 1e-3),
        );
        for sign in [1.0, -1.0] {
            let a = Transform::new(shear * sign, [0.0; 3]).unwrap();
            let turn = DMat3::from_rotation_y(1.0);
            let b = Transform::new(turn * shear * sign, [0.0; 3]).unwrap();
            let half = between(&a, &b, 0.5).unwrap();
            assert!(near(half.matrix(), DMat3::from_rotation_y(0.5) * shear * sign));
            assert_eq!(half.mirrored(), sign < 0.0);
        }
        let mirror = Transform::new(DMat3::from_diagonal(DVec3::new(1.0, -1.0, 1.0)), [0.0; 3]).unwrap();
        assert_eq!(between(&Transform::IDENTITY, &mirror, 0.5), None);
    }

    #[test]
    fn sizes_far_from_one_are_no_obstacle() {
        for size in [1e-25, 1e25] {
            let a = Transform::new(DMat3::from_diagonal(DVec3::splat(size)), [0.0; 3]).unwrap();
            let b = Transform::new(DMat3::from_rotation_z(1.0) * size, [0.0; 3]).unwrap();
            let half = between(&a, &b, 0.5).unwrap();
            assert!(near(half.matrix() * (1.0 / size), DMat3::from_rotation_z(0.5)), "{size}");
        }
    }
}
