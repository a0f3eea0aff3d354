//! Pictures of the tests of a ray and a triangle.

use hitscan::Ray;
use hitscan::glam::DVec3;
use hitscan::intersect::{self, CollisionMatrix, Inclusion, Segment, ray_triangle_through_plane};
use hitscan::shape::Triangle;

use super::Drawn;
use super::canvas::{Canvas, EXIT, FAINT, FILL, HIT, INK, RAY, View, by, mix};

pub fn ray_triangle() -> Drawn {
    let triangle = Triangle::new([-2.0, -1.5, 0.0], [2.2, -0.6, 0.3], [-0.9, 2.4, 0.6])?;
    let ray = Ray::new([0.9, -0.9, 3.0], [-0.45, 0.35, -1.5])?;
    let hit = intersect::ray_triangle(&ray, &triangle).ok_or("the ray misses its triangle")?;
    let (mut canvas, view) = (Canvas::new(520.0, 300.0), View::above(72.0, [250.0, 200.0]));
    let [a, b, c] = triangle.corners();
    canvas.polygon(&[view.at(a), view.at(b), view.at(c)], FILL, INK);
    // Along u, then along v: the way from A to the crossing.
    let point = triangle.point(hit.u, hit.v);
    let along_u = triangle.point(hit.u, 0.0);
    canvas.arrow(view.at(a), view.at(along_u), EXIT);
    canvas.arrow(view.at(along_u), view.at(point), HIT);
    canvas.text(by(view.at(along_u), -120.0, 24.0), EXIT, &format!("u = {:.3} of AB", hit.u));
    canvas.text(
        by(mix(view.at(along_u), view.at(point), 0.5), 30.0, 16.0),
        HIT,
        &format!("v = {:.3} of AC", hit.v),
    );
    canvas.line(view.at(ray.origin()), view.at(point), RAY, 2.0);
    canvas.arrow(view.at(point), view.at(ray.at(hit.t * 1.35)), RAY);
    canvas.dot(view.at(ray.origin()), RAY);
    canvas.dot(view.at(point), HIT);
    canvas.text(by(view.at(ray.origin()), 10.0, 4.0), RAY, "O, and D is the step of t = 1");
    canvas.text(
        by(mix(view.at(ray.origin()), view.at(point), 0.5), 10.0, 0.0),
        RAY,
        &format!("t = {:.3}", hit.t),
    );
    for (corner, name, right, down) in [(a, "A", -16.0, 6.0), (b, "B", 8.0, 6.0), (c, "C", -2.0, -8.0)] {
        canvas.text(by(view.at(corner), right, down), INK, name);
    }
    Ok(canvas)
}

pub fn collision_matrix() -> Drawn {
    let triangle = Triangle::new([-1.6, -1.2, 0.0], [1.6, -1.2, 0.0], [-1.2, 1.8, 0.3])?;
    let matrix = CollisionMatrix::new(&triangle)?;
    let path = Segment::new([0.2, -1.4, 1.7], [-0.6, 0.6, -0.9])?;
    let hit = matrix.hit(&path).ok_or("the segment misses its triangle")?;
    let to_local = matrix.transform();
    let (mut canvas, view) = (Canvas::new(520.0, 310.0), View::above(78.0, [215.0, 190.0]));
    let [a, b, c] = triangle.corners();
    canvas.polygon(&[view.at(a), view.at(b), view.at(c)], FILL, INK);
    // The axes, as the matrix itself has them: where its inverse takes the unit vectors.
    let to_world = to_local.inverse();
    let [x, y] = [DVec3::X, DVec3::Y].map(|axis| view.at(to_world.transform_point3(axis)));
    let normal = to_world.transform_vector3(DVec3::Z);
    let z = view.at(a + normal * (1.7 / normal.length()));
    canvas.arrow(view.at(a), x, EXIT);
    canvas.arrow(view.at(a), y, HIT);
    canvas.arrow(view.at(a), z, INK);
    canvas.text(by(x, 8.0, 6.0), EXIT, "a = B − A  (1, 0, 0)");
    canvas.text(by(y, 14.0, 6.0), HIT, "b = C − A  (0, 1, 0)");
    canvas.text(by(z, 8.0, 4.0), INK, "c = a × b");
    canvas.text(by(view.at(a), -18.0, 12.0), INK, "A");
    let point = path.start() + (path.end() - path.start()) * hit.t;
    canvas.line(view.at(path.start()), view.at(point), RAY, 2.0);
    canvas.dashed(view.at(point), view.at(path.end()), RAY);
    for (end, name, [right, down]) in [(path.start(), "j", [-96.0, -14.0]), (path.end(), "k", [-150.0, 24.0])]
    {
        let local = to_local.transform_point3(end);
        canvas.dot(view.at(end), RAY);
        let sign = if local.z < 0.0 { "−" } else { "+" };
        let words = format!("{name}′ = ({:.2}, {:.2}, {sign}{:.2})", local.x, local.y, local.z.abs());
        canvas.text(by(view.at(end), right, down), RAY, &words.replace('-', "−"));
    }
    canvas.dot(view.at(point), HIT);
    let words = format!("u = {:.2}, v = {:.2}, t = {:.2}", hit.u, hit.v, hit.t);
    canvas.text(by(view.at(point), 10.0, 5.0), INK, &words);
    Ok(canvas)
}

/// The corners of the flat pictures.
const FLAT: [[f64; 3]; 3] = [[-1.6, -1.0, 0.0], [1.7, -0.8, 0.0], [-0.2, 1.5, 0.0]];

/// Whether a test through the plane takes a point in.
fn takes(inclusion: Inclusion, point: [f64; 3]) -> Result<bool, Box<dyn std::error::Error>> {
    let [a, b, c] = FLAT;
    let down = Ray::new([point[0], point[1], 1.0], [0.0, 0.0, -1.0])?;
    Ok(ray_triangle_through_plane(&down, &Triangle::new(a, b, c)?, inclusion).is_some())
}

pub fn angle_sum() -> Drawn {
    let mut canvas = Canvas::new(560.0, 280.0);
    for (point, middle) in [([-0.1, -0.2, 0.0], [140.0, 150.0]), ([1.15, 0.8, 0.0], [410.0, 150.0])] {
        let view = View::flat(72.0, middle);
        let corners = FLAT.map(|corner| view.at(corner));
        let inside = takes(Inclusion::AngleSum, point)?;
        let colour = if inside { HIT } else { FAINT };
        canvas.polygon(&corners, FILL, INK);
        let eye = view.at(point);
        let sights = FLAT.map(|corner| DVec3::from(corner) - DVec3::from(point));
        let mut sum = 0.0;
        for i in 0..3 {
            let (u, v) = (sights[i], sights[(i + 1) % 3]);
            let angle = u.cross(v).length().atan2(u.dot(v)).to_degrees();
            sum += angle;
            canvas.line(eye, corners[i], colour, 1.5);
            let half = (u.normalize() + v.normalize()).normalize();
            let away = if inside { 34.0 } else { [56.0, -28.0, 52.0][i] };
            canvas.label(by(eye, half.x * away, 4.0 - half.y * away), colour, &format!("{angle:.0}°"));
        }
        canvas.dot(eye, colour);
        let verdict = if inside { "inside" } else { "outside" };
        canvas.label([middle[0], 262.0], colour, &format!("sum {sum:.0}°: {verdict}"));
    }
    Ok(canvas)
}

pub fn crossing_count() -> Drawn {
    let (mut canvas, view) = (Canvas::new(520.0, 250.0), View::flat(72.0, [220.0, 140.0]));
    canvas.polygon(&FLAT.map(|corner| view.at(corner)), FILL, INK);
    for point in [[-0.5, 0.35, 0.0], [-1.9, -0.35, 0.0], [1.5, 0.9, 0.0]] {
        let inside = takes(Inclusion::CrossingCount, point)?;
        let colour = if inside { HIT } else { RAY };
        let crossings = outline_crossings(point);
        canvas.arrow(view.at(point), view.at([3.3, point[1], 0.0]), colour);
        for x in &crossings {
            canvas.dot(view.at([*x, point[1], 0.0]), INK);
        }
        canvas.dot(view.at(point), colour);
        let verdict = if inside { "inside" } else { "outside" };
        canvas.label(
            by(view.at([3.3, point[1], 0.0]), 0.0, -8.0),
            colour,
            &format!("{}: {verdict}", crossings.len()),
        );
    }
    Ok(canvas)
}

/// Where the half-line to the right of a point meets the outline.
fn outline_crossings(point: [f64; 3]) -> Vec<f64> {
    let mut found = Vec::new();
    for i in 0..3 {
        let (from, to) = (FLAT[i], FLAT[(i + 1) % 3]);
        if (from[1] <= point[1]) != (to[1] <= point[1]) {
            let part = (point[1] - from[1]) / (to[1] - from[1]);
            let x = from[0] + (to[0] - from[0]) * part;
            found.extend((x > point[0]).then_some(x));
        }
    }
    found
}
