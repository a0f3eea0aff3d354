//! Pictures of the tests with a sphere.

use hitscan::Ray;
use hitscan::intersect::{self, Stage, sphere_triangle_three_stages};
use hitscan::shape::{Sphere, Triangle};

use super::Drawn;
use super::canvas::{Canvas, EXIT, FAINT, FILL, HIT, INK, RAY, View, by};

pub fn ray_sphere() -> Drawn {
    let ball = Sphere::new([0.0; 3], 1.0)?;
    let (mut canvas, view) = (Canvas::new(540.0, 290.0), View::flat(95.0, [230.0, 160.0]));
    canvas.circle(view.at(ball.centre()), view.radius(ball.radius()), FILL, INK);
    canvas.dot(view.at(ball.centre()), INK);
    for height in [1.3, 1.0, 0.35, -0.3] {
        let start = if height < 0.0 { -0.5 } else { -2.1 };
        let ray = Ray::new([start, height, 0.0], [0.5, 0.0, 0.0])?;
        let (from, to) = (view.at(ray.origin()), view.at([1.75, height, 0.0]));
        canvas.arrow(from, to, RAY);
        canvas.dot(from, RAY);
        let chord = intersect::ray_sphere(&ray, &ball);
        let words = match chord {
            None => "none".to_owned(),
            Some(chord) => {
                for t in chord.span.crossings(&ray) {
                    let colour = if t == chord.span.enter { HIT } else { EXIT };
                    let at = view.at(ray.at(t));
                    canvas.dot(at, colour);
                    canvas.text(by(at, 6.0, 18.0), colour, &format!("{t:.2}"));
                }
                match (chord.solutions(), chord.span.starts_inside(&ray)) {
                    (1, _) => "one: it touches".to_owned(),
                    (_, true) => "from inside".to_owned(),
                    _ => format!("two, chord {:.2}", chord.length),
                }
            }
        };
        canvas.text(by(to, 8.0, 4.0), INK, &words);
    }
    Ok(canvas)
}

pub fn sphere_triangle() -> Drawn {
    let floor = Triangle::new([-2.4, -1.5, 0.0], [2.4, -1.6, 0.0], [0.4, 2.4, 0.0])?;
    let (mut canvas, view) = (Canvas::new(560.0, 330.0), View::above(72.0, [270.0, 205.0]));
    let corners = floor.corners().map(|corner| view.at(corner));
    canvas.polygon(&corners, FILL, INK);
    for (corner, name, right, down) in
        [(corners[0], "A", -16.0, 8.0), (corners[1], "B", -20.0, 12.0), (corners[2], "C", 10.0, 0.0)]
    {
        canvas.text(by(corner, right, down), INK, name);
    }
    for (centre, radius) in [
        ([2.75, -1.35, 0.3], 0.62),
        ([-0.6, -1.85, 0.25], 0.5),
        ([0.35, 0.35, 0.45], 0.6),
        ([-1.9, 1.5, 0.7], 0.45),
    ] {
        let ball = Sphere::new(centre, radius)?;
        let stage = sphere_triangle_three_stages(&ball, &floor);
        let contact = intersect::sphere_triangle(&ball, &floor);
        let at = view.at(centre);
        let outline = if stage.is_some() { HIT } else { FAINT };
        canvas.circle(at, view.radius(radius), "none", outline);
        let words = match stage {
            Some(Stage::Corner(i)) => format!("1: corner {}", ["A", "B", "C"][i]),
            Some(Stage::Edge(i)) => format!("2: edge {}", ["AB", "BC", "CA"][i]),
            Some(Stage::Face) => "3: face".to_owned(),
            None => "no contact".to_owned(),
        };
        canvas.label(by(at, 0.0, -view.radius(radius) - 8.0), outline, &words);
        let nearest = floor.closest_point(centre);
        match contact {
            Some(contact) => {
                canvas.arrow(view.at(contact.point), view.at(contact.point + contact.normal * 0.55), RAY);
                canvas.dot(view.at(contact.point), HIT);
                let under = by(at, 0.0, view.radius(radius) + 16.0);
                canvas.label(under, RAY, &format!("depth {:.2}", contact.depth));
            }
            None => {
                canvas.dashed(at, view.at(nearest), FAINT);
                canvas.dot(view.at(nearest), FAINT);
            }
        }
    }
    Ok(canvas)
}
