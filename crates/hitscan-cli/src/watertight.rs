//! A ray and a triangle as a mesh of that triangle alone sees them.

use hitscan::Ray;
use hitscan::intersect::WatertightRay;
use hitscan::shape::Triangle;

/// The ray in the form of the recipe by which meshes answer, and the corners in `f32`.
pub fn as_a_mesh(ray: &Ray, triangle: &Triangle) -> (WatertightRay, [[f32; 3]; 3]) {
    let corners = triangle.corners().map(|corner| corner.as_vec3().to_array());
    let reach = corners.iter().flatten().fold(0.0f32, |reach, x| reach.max(x.abs()));
    (WatertightRay::new(ray, f64::from(reach)), corners)
}
