//! How often a mesh goes around a point: the spherical triangles around it, by their angles.
//!
//! The area of a triangle on the unit sphere is what its three angles have above those of a flat one (Girard). That loses
//! digits for small ones, but is another formula than the library's.

use crate::TriMesh;

type Vector = [f64; 3];

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn angle(a: Vector, b: Vector) -> f64 {
    let across = cross(a, b);
    libm::atan2(dot(across, across).sqrt(), dot(a, b))
}

/// The part of the sphere around the point that a triangle takes up, from -1/2 to 1/2; positive where its back is seen.
fn part(point: Vector, corners: [[f32; 3]; 3]) -> f64 {
    let [a, b, c] = corners.map(|p| -> Vector { std::array::from_fn(|i| f64::from(p[i]) - point[i]) });
    // The angle at a corner is that of the planes that meet there.
    let at = |p: Vector, q: Vector, r: Vector| angle(cross(p, q), cross(p, r));
    let excess = at(a, b, c) + at(b, c, a) + at(c, a, b) - std::f64::consts::PI;
    let size = excess / (4.0 * std::f64::consts::PI);
    let volume = dot(a, cross(b, c));
    if volume > 0.0 {
        size
    } else if volume < 0.0 {
        -size
    } else {
        0.0
    }
}

/// The generalised winding number, within about `n * 1e-14` where the point keeps away from the `n` triangles.
pub fn winding_number(point: Vector, mesh: &TriMesh) -> f64 {
    (0..mesh.triangles.len())
        .filter(|&prim| !mesh.repeats_a_corner(prim))
        .map(|prim| part(point, mesh.corners(prim)))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshes::integer_box;

    #[test]
    fn a_box_goes_around_its_inside_once() {
        let solid = integer_box([-3, -2, -1], [5, 4, 3], 1);
        assert!((winding_number(solid.inside, &solid.mesh) - 1.0).abs() < 1e-12);
        assert!(winding_number([9.0, 1.0, 0.5], &solid.mesh).abs() < 1e-12);
        // One face of six, from the middle of a cube.
        let cube = integer_box([-1; 3], [1; 3], 1);
        let mut lid = cube.mesh.clone();
        lid.triangles.truncate(2);
        assert!((winding_number([0.0; 3], &lid).abs() - 1.0 / 6.0).abs() < 1e-12);
    }
}
