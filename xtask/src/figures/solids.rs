//! Pictures of the tests of a ray and a plane, a box, a hull.

use hitscan::Ray;
use hitscan::glam::{DMat3, DVec3};
use hitscan::intersect::{self, BoxFace, line_plane};
use hitscan::shape::{Aabb, ConvexHull, Obb, Plane};

use super::Drawn;
use super::canvas::{Canvas, EXIT, FAINT, FILL, FOUND, HIT, INK, P, RAY, View, by, mix};

pub fn ray_plane() -> Drawn {
    let plane = Plane::new([0.0, 1.0, 0.0], [0.0, 0.0, 0.0])?;
    let (mut canvas, view) = (Canvas::new(520.0, 270.0), View::flat(62.0, [235.0, 180.0]));
    let along = DVec3::new(plane.normal().y, -plane.normal().x, 0.0);
    canvas.line(view.at(along * -3.4), view.at(along * 4.2), INK, 2.5);
    canvas.arrow(view.at(along * -2.6), view.at(along * -2.6 + plane.normal()), INK);
    canvas.text(by(view.at(along * -2.6 + plane.normal()), -14.0, -6.0), INK, "n");
    let rays = [
        (Ray::between([-1.7, 2.1, 0.0], [-0.3, -1.0, 0.0])?, 56.0),
        (Ray::between([0.1, 2.4, 0.0], [0.9, 0.9, 0.0])?, 34.0),
        (Ray::between([1.9, 0.8, 0.0], [3.9, 0.8, 0.0])?, -30.0),
    ];
    for (ray, aside) in rays {
        let (from, to) = (view.at(ray.origin()), view.at(ray.at(1.0)));
        let middle = by(mix(from, to, 0.4), aside, if aside < 0.0 { -8.0 } else { 0.0 });
        match (intersect::ray_plane(&ray, &plane), line_plane(&ray, &plane)) {
            (Some(t), _) => {
                canvas.arrow(from, to, RAY);
                canvas.dot(view.at(ray.at(t)), HIT);
                canvas.text(by(view.at(ray.at(t)), 10.0, 20.0), HIT, &format!("t = {t:.3}"));
            }
            (None, Some(t)) => {
                canvas.dashed(to, view.at(ray.at(t)), FAINT);
                canvas.arrow(from, to, RAY);
                canvas.text(by(middle, -14.0, 0.0), RAY, &format!("ends before t = {t:.2}: no hit"));
            }
            (None, None) => {
                canvas.arrow(from, to, RAY);
                canvas.label(middle, RAY, "beside it: no hit");
            }
        }
        canvas.dot(from, RAY);
    }
    Ok(canvas)
}

pub fn ray_aabb() -> Drawn {
    let bounds = Aabb::new([-1.4, -0.8, -1.0], [1.4, 0.9, 1.0])?;
    let ray = Ray::new([-3.0, -1.2, 0.0], [1.0, 0.35, 0.0])?;
    let through = intersect::ray_aabb(&ray, &bounds).ok_or("the ray misses its box")?;
    let (mut canvas, view) = (Canvas::new(560.0, 330.0), View::flat(70.0, [250.0, 155.0]));
    let (low, high) = (bounds.low(), bounds.high());
    canvas.polygon(&rectangle(&view, low, high), FILL, INK);
    for (face, far) in [
        (BoxFace::LowX, [low.x, 2.0]),
        (BoxFace::HighX, [high.x, 2.0]),
        (BoxFace::LowY, [3.9, low.y]),
        (BoxFace::HighY, [3.9, high.y]),
    ] {
        let corner = if face.normal().element_sum() < 0.0 { low } else { high };
        let plane = Plane::new(face.normal(), corner)?;
        let end = DVec3::new(far[0], far[1], 0.0);
        let start =
            if face.axis() == 0 { DVec3::new(end.x, -2.2, 0.0) } else { DVec3::new(-3.3, end.y, 0.0) };
        canvas.dashed(view.at(start), view.at(end), FAINT);
        let t = line_plane(&ray, &plane).ok_or("no axis is beside the ray")?;
        let enters = plane.normal().dot(ray.dir()) < 0.0;
        let at = view.at(ray.at(t));
        let colour = if enters { HIT } else { EXIT };
        canvas.circle(at, 4.0, "#fdfcf9", colour);
        let axis = ["x", "y", "z"][face.axis()];
        let word = if enters { "in" } else { "out" };
        let down = if face == BoxFace::LowY { 22.0 } else { -14.0 };
        canvas.text(by(at, -26.0, down), colour, &format!("{axis} {word} {t:.2}"));
    }
    let [enter, exit] = [through.span.enter, through.span.exit].map(|t| view.at(ray.at(t)));
    canvas.line(view.at(ray.origin()), enter, RAY, 2.0);
    canvas.line(enter, exit, HIT, 4.0);
    canvas.arrow(exit, view.at(ray.at(6.7)), RAY);
    canvas.dot(view.at(ray.origin()), RAY);
    for (at, words, colour) in [(enter, "enter: the last in", HIT), (exit, "exit: the first out", EXIT)] {
        canvas.dot(at, colour);
        canvas.text(by(at, 8.0, 18.0), colour, words);
    }
    Ok(canvas)
}

fn rectangle(view: &View, low: DVec3, high: DVec3) -> [P; 4] {
    [[low.x, low.y], [high.x, low.y], [high.x, high.y], [low.x, high.y]].map(|[x, y]| view.at([x, y, 0.0]))
}

pub fn ray_obb() -> Drawn {
    // A turn by the angle of the triangle with sides 3, 4 and 5.
    let turned = DMat3::from_cols(DVec3::new(0.8, 0.6, 0.0), DVec3::new(-0.6, 0.8, 0.0), DVec3::Z);
    let plank = Obb::new([0.2, 0.1, 0.0], turned, [1.7, 0.7, 1.0])?;
    let ray = Ray::new([-2.8, 1.5, 0.0], [1.0, -0.42, 0.0])?;
    let through = intersect::ray_obb(&ray, &plank).ok_or("the ray misses its box")?;
    let (mut canvas, view) = (Canvas::new(520.0, 290.0), View::flat(72.0, [245.0, 150.0]));
    let at = |x: f64, y: f64| plank.centre() + plank.axes() * (plank.half() * DVec3::new(x, y, 0.0));
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    canvas.polygon(&corners.map(|[x, y]| view.at(at(x, y))), FILL, INK);
    let centre = view.at(plank.centre());
    for (axis, name) in [([1.0, 0.0], "first axis"), ([0.0, 1.0], "second")] {
        let tip = view.at(at(axis[0], axis[1]));
        canvas.arrow(centre, tip, FAINT);
        canvas.text(by(tip, 8.0, -6.0), FAINT, name);
    }
    let [enter, exit] = [through.span.enter, through.span.exit].map(|t| view.at(ray.at(t)));
    canvas.line(view.at(ray.origin()), enter, RAY, 2.0);
    canvas.line(enter, exit, HIT, 4.0);
    canvas.arrow(exit, view.at(ray.at(through.span.exit + 1.2)), RAY);
    canvas.dot(view.at(ray.origin()), RAY);
    for (at, word, t, face, colour, [right, down]) in [
        (enter, "in", through.span.enter, through.entry_face, HIT, [-140.0, 20.0]),
        (exit, "out", through.span.exit, through.exit_face, EXIT, [14.0, -2.0]),
    ] {
        canvas.dot(at, colour);
        canvas.text(by(at, right, down), colour, &format!("{word} at t = {t:.2}, {face:?}"));
    }
    Ok(canvas)
}

pub fn ray_convex() -> Drawn {
    let gem = ConvexHull::from_points([
        [-1.5, -1.2, -0.9],
        [1.4, -1.3, -0.9],
        [1.7, 1.1, -0.9],
        [-1.2, 1.4, -0.9],
        [-0.8, -0.7, 0.9],
        [0.9, -0.8, 0.9],
        [0.8, 0.9, 0.9],
        [-0.9, 0.8, 0.9],
        [0.0, 0.0, 1.5],
    ])?;
    let ray = Ray::new([-1.9, -1.39, 0.79], [1.0, 0.35, -0.35])?;
    let through = intersect::ray_convex(&ray, &gem).ok_or("the ray misses its hull")?;
    let (mut canvas, view) = (Canvas::new(520.0, 320.0), View::above(78.0, [225.0, 185.0]));
    let (enter, exit) = (view.at(ray.at(through.span.enter)), view.at(ray.at(through.span.exit)));
    let outlines: Vec<Vec<P>> = gem.planes().iter().map(|plane| outline(&gem, plane, &view)).collect();
    for front in [false, true] {
        for (face, plane) in gem.planes().iter().enumerate() {
            if (plane.normal().dot(view.towards()) > 0.0) == front {
                let fill = match face {
                    face if face == through.entry_face => FOUND,
                    face if face == through.exit_face => "#d3f0da",
                    _ if front => "none",
                    _ => FILL,
                };
                canvas.polygon(&outlines[face], fill, if front { INK } else { FAINT });
            }
        }
        // What is hidden lies between the far sides and the near ones.
        let hidden = gem.planes()[through.exit_face].normal().dot(view.towards()) <= 0.0;
        if front != hidden {
            canvas.arrow(exit, view.at(ray.at(through.span.exit + 0.9)), RAY);
        }
        if !front {
            canvas.line(enter, exit, HIT, 3.0);
        }
    }
    canvas.line(view.at(ray.origin()), enter, RAY, 2.0);
    canvas.dot(view.at(ray.origin()), RAY);
    for (at, word, t, face, colour, right) in [
        (enter, "in", through.span.enter, through.entry_face, HIT, -70.0),
        (exit, "out", through.span.exit, through.exit_face, EXIT, 8.0),
    ] {
        canvas.dot(at, colour);
        canvas.text(
            by(at, right, if word == "in" { -14.0 } else { 24.0 }),
            colour,
            &format!("{word} at t = {t:.2}, face {face}"),
        );
    }
    Ok(canvas)
}

/// The corners of a face, in order around it.
fn outline(hull: &ConvexHull, plane: &Plane, view: &View) -> Vec<P> {
    let mut corners: Vec<DVec3> =
        hull.corners().iter().copied().filter(|corner| plane.signed_distance(*corner).abs() < 1e-9).collect();
    let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
    let first = (corners[0] - middle).normalize();
    let second = plane.normal().cross(first);
    let angle = |corner: &DVec3| (*corner - middle).dot(second).atan2((*corner - middle).dot(first));
    corners.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    corners.into_iter().map(|corner| view.at(corner)).collect()
}
