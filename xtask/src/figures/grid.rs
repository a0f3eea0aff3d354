//! Pictures of a concave solid: inside and outside, and a march through cells.

use hitscan::glam::DVec3;
use hitscan::grid::{Cell, Grid, GridLimits};
use hitscan::intersect::ray_aabb;
use hitscan::shape::Aabb;
use hitscan::{Containment, Filter, Mesh, MeshError, Ray};

use super::Drawn;
use super::canvas::{Canvas, FILL, FOUND, HIT, INK, P, RAY, View, by};

/// A solid like a U, seen from the front, and the triangles of that side.
const OUTLINE: [[f32; 2]; 8] =
    [[0.2, 0.0], [5.9, 0.3], [6.0, 4.0], [4.1, 3.9], [3.9, 1.6], [2.1, 1.4], [1.9, 3.6], [0.0, 3.8]];
const FRONT: [[u32; 3]; 6] = [[0, 6, 7], [0, 5, 6], [0, 4, 5], [0, 1, 4], [1, 3, 4], [1, 2, 3]];

/// That outline between z = -1 and z = 1, closed.
fn solid() -> Result<Mesh, MeshError> {
    let at = |z: f32| OUTLINE.map(move |[x, y]| [x, y, z]);
    let corners = at(1.0).into_iter().chain(at(-1.0));
    let back = FRONT.map(|[a, b, c]| [a + 8, c + 8, b + 8]);
    let sides = (0..8u32).flat_map(|i| {
        let j = (i + 1) % 8;
        [[i, i + 8, j + 8], [i, j + 8, j]]
    });
    Mesh::new(corners, FRONT.into_iter().chain(back).chain(sides))
}

fn outline(view: &View) -> Vec<P> {
    OUTLINE.map(|[x, y]| view.at([f64::from(x), f64::from(y), 0.0])).into()
}

pub fn jordan() -> Drawn {
    let mesh = solid()?;
    let (mut canvas, view) = (Canvas::new(520.0, 340.0), View::flat(56.0, [90.0, 290.0]));
    canvas.polygon(&outline(&view), FILL, INK);
    for (number, point) in
        [[0.6, 2.2, 0.0], [1.55, -0.5, 0.0], [2.6, 2.5, 0.0], [3.6, -0.5, 0.0], [5.0, 0.8, 0.0]]
            .into_iter()
            .enumerate()
    {
        let inside = mesh.containment(point) == Containment::Inside;
        let colour = if inside { HIT } else { RAY };
        let up = Ray::new(point, [0.0, 1.0, 0.0])?;
        let hits = mesh.all_hits(&up, &Filter::ALL);
        let tip = view.at([point[0], 4.5, 0.0]);
        canvas.arrow(view.at(point), tip, colour);
        for hit in &hits {
            canvas.circle(view.at(hit.position), 4.0, "#fdfcf9", INK);
        }
        canvas.dot(view.at(point), colour);
        let verdict = if inside { "inside" } else { "outside" };
        canvas.label(
            by(tip, 0.0, -8.0 - 14.0 * (number % 2) as f64),
            colour,
            &format!("{}: {verdict}", hits.len()),
        );
    }
    Ok(canvas)
}

/// Cells along x and y; three along z, of which the middle one is drawn.
const CELLS: [u32; 3] = [16, 11, 3];

pub fn march() -> Drawn {
    let mesh = solid()?;
    let grid = Grid::with_resolution(&mesh, CELLS, GridLimits::default())?;
    let ray = Ray::new([1.55, 4.6, 0.0], [0.62, -1.0, 0.0])?;
    let hit = grid.closest(&ray, &Filter::ALL).ok_or("the ray misses its mesh")?;
    let (low, high) = bounds();
    let size = (high - low) / DVec3::from(CELLS.map(f64::from));
    let (mut canvas, view) = (Canvas::new(520.0, 390.0), View::flat(70.0, [50.0, 350.0]));
    let mut visited = Vec::new();
    for y in 0..CELLS[1] {
        for x in 0..CELLS[0] {
            let from = low + size * DVec3::new(f64::from(x), f64::from(y), 1.0);
            let (to, middle) = (from + size, from + size * 0.5);
            let fill = match grid.cell_at(middle) {
                Cell::Outside => "#ffffff",
                Cell::Inside => FILL,
                Cell::Unknown => FOUND,
            };
            let corners = [[from.x, from.y], [to.x, from.y], [to.x, to.y], [from.x, to.y]];
            canvas.polygon(&corners.map(|[x, y]| view.at([x, y, 0.0])), fill, "#d5dbe0");
            if let Some(through) = ray_aabb(&ray, &Aabb::new(from, to)?)
                && through.span.enter <= hit.t
            {
                visited.push((through.span.enter, middle));
            }
        }
    }
    canvas.polygon(&outline(&view), "none", INK);
    canvas.line(view.at(ray.origin()), view.at(hit.position), RAY, 2.0);
    visited.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (number, (_, middle)) in visited.iter().enumerate() {
        canvas.small(by(view.at(*middle), 0.0, 4.0), INK, &format!("{}", number + 1));
    }
    canvas.dot(view.at(ray.origin()), RAY);
    canvas.dot(view.at(hit.position), HIT);
    for (i, (fill, words)) in
        [("#ffffff", "outside"), (FILL, "inside"), (FOUND, "unknown: triangles are tested here")]
            .into_iter()
            .enumerate()
    {
        let at = [60.0 + 95.0 * i as f64, 372.0];
        canvas.polygon(&[at, by(at, 12.0, 0.0), by(at, 12.0, -12.0), by(at, 0.0, -12.0)], fill, INK);
        canvas.text(by(at, 18.0, -1.0), INK, words);
    }
    Ok(canvas)
}

/// Of the solid, which is that of its grid.
fn bounds() -> (DVec3, DVec3) {
    let axis = |i: usize| OUTLINE.map(|corner| f64::from(corner[i]));
    let low = |i: usize| axis(i).into_iter().fold(f64::INFINITY, f64::min);
    let high = |i: usize| axis(i).into_iter().fold(f64::NEG_INFINITY, f64::max);
    (DVec3::new(low(0), low(1), -1.0), DVec3::new(high(0), high(1), 1.0))
}
