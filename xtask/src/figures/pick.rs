//! A picture of picking.

use hitscan::glam::DVec3;
use hitscan::glam::dcamera::rh;
use hitscan::intersect::ray_triangle;
use hitscan::shape::Triangle;
use hitscan::{DepthRange, Viewport};

use super::Drawn;
use super::canvas::{Canvas, FAINT, FILL, FOUND, HIT, INK, P, RAY, View, by};

pub fn pick() -> Drawn {
    let size = [400.0, 300.0];
    let eye = DVec3::new(-2.6, -1.0, 0.9);
    let view_matrix = rh::view::look_at_mat4(eye, DVec3::new(1.5, -0.9, 0.6), DVec3::Z);
    let projection = rh::proj::directx::perspective(0.5, size[0] / size[1], 1.3, 5.4);
    let window = Viewport::new([0.0, 0.0], size, DepthRange::ZeroToOne)?;
    let cursor = [262.0, 118.0];
    let ray = window.ray(cursor, &view_matrix, &projection)?;
    let (mut canvas, view) = (Canvas::new(560.0, 345.0), View::above(66.0, [215.0, 160.0]));
    let mut planes: [Vec<P>; 2] = [Vec::new(), Vec::new()];
    for corner in [[0.0, 0.0], [size[0], 0.0], size, [0.0, size[1]]] {
        let edge = window.ray(corner, &view_matrix, &projection)?;
        planes[0].push(view.at(edge.origin()));
        planes[1].push(view.at(edge.at(edge.t_max())));
    }
    let [near, far] = planes;
    canvas.polygon(&far, "none", FAINT);
    for corner in 0..4 {
        canvas.dashed(view.at(eye), near[corner], FAINT);
        canvas.line(near[corner], far[corner], FAINT, 1.0);
    }
    let middle = ray.at(2.1);
    let corner = |x: f64, y: f64| middle + DVec3::new(0.1 * x, -0.8 * x, y);
    let triangle = Triangle::new(corner(-0.8, -0.4), corner(0.9, -0.5), corner(-0.1, 0.9))?;
    let hit = ray_triangle(&ray, &triangle).ok_or("the ray misses its triangle")?;
    canvas.line(view.at(ray.at(hit.t)), view.at(ray.at(ray.t_max())), RAY, 1.5);
    canvas.polygon(&triangle.corners().map(|corner| view.at(corner)), FOUND, INK);
    canvas.line(view.at(ray.origin()), view.at(ray.at(hit.t)), RAY, 2.0);
    canvas.polygon(&near, FILL, INK);
    canvas.dashed(view.at(eye), view.at(ray.origin()), RAY);
    canvas.dot(view.at(eye), INK);
    canvas.text(by(view.at(eye), -24.0, 24.0), INK, "camera");
    canvas.dot(view.at(ray.origin()), RAY);
    canvas.text(by(near[0], -60.0, -12.0), INK, "near plane: the picture");
    canvas.text(by(view.at(ray.origin()), -60.0, 52.0), RAY, &format!("cursor {}, {}", cursor[0], cursor[1]));
    canvas.dot(view.at(ray.at(hit.t)), HIT);
    let words = format!("t = {:.2}, u = {:.2}, v = {:.2}", hit.t, hit.u, hit.v);
    canvas.text(by(view.at(ray.at(hit.t)), 12.0, 4.0), HIT, &words);
    canvas.dot(view.at(ray.at(ray.t_max())), FAINT);
    canvas.text(by(far[0], -110.0, -10.0), FAINT, &format!("far plane: t = {:.2}", ray.t_max()));
    Ok(canvas)
}
