//! The statue: a draped figure that holds up an orb, as the surface where a distance function is zero.
//!
//! Marching tetrahedra (Doi, Koide 1991) on Kuhn's six tetrahedra a cell: a corner of the surface belongs to an
//! edge of the grid and is made once, so the surface is closed and manifold whatever the function.

use std::collections::HashMap;
use std::f64::consts::TAU;

use hitscan::glam::{DVec2, DVec3};
use rayon::prelude::*;

use super::surface::Surface;

/// Edge of a grid cell in metres, for some 100,000 triangles.
const CELL: f64 = 0.0177;

/// Cells along the side of a block; blocks that the surface cannot reach are left out.
const BLOCK: i64 = 8;

/// Lowest and highest block along each axis, around the whole figure.
const BLOCKS: [std::ops::Range<i64>; 3] = [-4..4, -1..16, -4..4];

/// Upper bound of how much [`distance`] changes per metre.
const SLOPE: f64 = 1.6;

/// The figure, 2.2 m tall, standing on the origin and looking along +z.
pub(super) fn figure(material: u32) -> Surface {
    let mut surface = Surface::of(material);
    let mut corners = HashMap::new();
    for (block, values) in blocks() {
        for x in 0..BLOCK {
            for y in 0..BLOCK {
                for z in 0..BLOCK {
                    cell(&mut surface, &mut corners, block, [x, y, z], &values);
                }
            }
        }
    }
    surface
}

/// Blocks near the surface, with the distances at their grid points.
fn blocks() -> Vec<([i64; 3], Vec<f64>)> {
    let mut all = Vec::new();
    for x in BLOCKS[0].clone() {
        for y in BLOCKS[1].clone() {
            for z in BLOCKS[2].clone() {
                all.push([x * BLOCK, y * BLOCK, z * BLOCK]);
            }
        }
    }
    let half = BLOCK as f64 * CELL * 0.5;
    let reach = half * libm::sqrt(3.0) * SLOPE;
    let near = |block: &[i64; 3]| distance(point(*block) + half).abs() <= reach;
    let values = |block: [i64; 3]| {
        let mut values = Vec::with_capacity((BLOCK + 1).pow(3) as usize);
        for x in 0..=BLOCK {
            for y in 0..=BLOCK {
                for z in 0..=BLOCK {
                    values.push(distance(point([block[0] + x, block[1] + y, block[2] + z])));
                }
            }
        }
        (block, values)
    };
    all.into_par_iter().filter(near).map(values).collect()
}

fn point(grid: [i64; 3]) -> DVec3 {
    DVec3::new(grid[0] as f64, grid[1] as f64, grid[2] as f64) * CELL
}

/// An edge of the grid: its lower end, and the steps to its upper end.
type Edge = ([i64; 3], [i64; 3]);

/// Adds the surface within one cell.
fn cell(
    surface: &mut Surface,
    corners: &mut HashMap<Edge, u32>,
    block: [i64; 3],
    at: [i64; 3],
    values: &[f64],
) {
    let side = BLOCK + 1;
    let value = |step: [i64; 3]| {
        values[(((at[0] + step[0]) * side + at[1] + step[1]) * side + at[2] + step[2]) as usize]
    };
    // Around a cell that is all inside or all outside there is nothing to do; most are.
    let inside = (0..8).filter(|c| value([c & 1, c >> 1 & 1, c >> 2]) < 0.0).count();
    if inside == 0 || inside == 8 {
        return;
    }
    let mut corner = |a: [i64; 3], b: [i64; 3]| {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        let base = [0, 1, 2].map(|i| block[i] + at[i] + low[i]);
        let steps = [0, 1, 2].map(|i| high[i] - low[i]);
        *corners.entry((base, steps)).or_insert_with(|| {
            let (d0, d1) = (value(low), value(high));
            // Kept off the ends: corners of different edges never coincide, and slivers stay rare.
            let t = (d0 / (d0 - d1)).clamp(0.06, 0.94);
            let end = [0, 1, 2].map(|i| base[i] + steps[i]);
            surface.vertices.push((point(base) * (1.0 - t) + point(end) * t).to_array().map(|c| c as f32));
            (surface.vertices.len() - 1) as u32
        })
    };
    let mut found: Vec<[u32; 3]> = Vec::new();
    for (order, even) in [
        ([0, 1, 2], true),
        ([1, 2, 0], true),
        ([2, 0, 1], true),
        ([0, 2, 1], false),
        ([2, 1, 0], false),
        ([1, 0, 2], false),
    ] {
        let mut ends = [[0i64; 3]; 4];
        for step in 0..3 {
            ends[step + 1] = ends[step];
            ends[step + 1][order[step]] += 1;
        }
        let mut even = even;
        // Inside first; every swap of two corners turns the tetrahedron over.
        for i in 1..4 {
            let mut j = i;
            while j > 0 && value(ends[j]) < 0.0 && value(ends[j - 1]) >= 0.0 {
                ends.swap(j, j - 1);
                even = !even;
                j -= 1;
            }
        }
        let [a, b, c, d] = ends;
        let mut emit = |[p, q, r]: [u32; 3]| found.push(if even { [p, q, r] } else { [p, r, q] });
        match ends.iter().filter(|&&end| value(end) < 0.0).count() {
            1 => emit([corner(a, b), corner(a, c), corner(a, d)]),
            2 => {
                let [ac, ad, bd, bc] = [corner(a, c), corner(a, d), corner(b, d), corner(b, c)];
                emit([ac, ad, bd]);
                emit([ac, bd, bc]);
            }
            3 => emit([corner(d, a), corner(d, b), corner(d, c)]),
            _ => {}
        }
    }
    for [a, b, c] in found {
        surface.triangle(a, b, c);
    }
}

/// About how far a point is outside of the figure, negative inside.
fn distance(p: DVec3) -> f64 {
    // The weight rests on one leg: hips and shoulders lean to opposite sides.
    let p = p - DVec3::X * (0.028 * libm::sin(p.y * 3.4 - 0.6));
    let v = DVec3::new;
    let torso = [
        limb(p, v(0.0, 0.98, 0.0), 0.150, v(0.0, 1.10, 0.0), 0.118),
        limb(p, v(0.0, 1.10, 0.0), 0.118, v(0.0, 1.32, 0.005), 0.148),
        limb(p, v(-0.165, 1.425, 0.0), 0.066, v(0.165, 1.445, 0.0), 0.066),
        limb(p, v(-0.072, 1.315, 0.085), 0.070, v(-0.068, 1.30, 0.095), 0.062),
        limb(p, v(0.072, 1.315, 0.085), 0.070, v(0.068, 1.30, 0.095), 0.062),
    ];
    let mut body = robe(p);
    for part in torso {
        body = blend(body, part, 0.07);
    }
    // The sash from one shoulder to the other hip, laid over the torso.
    body = blend(body, limb(p, v(-0.15, 1.45, 0.075), 0.032, v(0.02, 1.25, 0.155), 0.034), 0.03);
    body = blend(body, limb(p, v(0.02, 1.25, 0.155), 0.034, v(0.15, 1.02, 0.10), 0.040), 0.03);

    body = blend(body, limb(p, v(0.0, 1.42, 0.0), 0.056, v(0.0, 1.60, 0.012), 0.047), 0.05);
    let mut head = limb(p, v(0.0, 1.655, 0.045), 0.066, v(0.0, 1.735, 0.004), 0.098);
    head = blend(head, limb(p, v(0.0, 1.715, 0.098), 0.008, v(0.0, 1.682, 0.118), 0.013), 0.012);
    head = blend(head, limb(p, v(0.0, 1.755, -0.105), 0.056, v(0.0, 1.72, -0.115), 0.050), 0.02);
    // A wreath around the hair.
    let ring = v(p.x, (p.y - 1.765) * 1.0 + p.z * 0.25, p.z);
    let around = libm::atan2(ring.x, ring.z);
    let leaves = 0.013 + 0.004 * libm::cos(around * 18.0);
    let wreath = DVec2::new(DVec2::new(ring.x, ring.z).length() - 0.096, ring.y).length() - leaves;
    head = blend(head, wreath, 0.01);
    body = blend(body, head, 0.03);

    let raised = blend(
        limb(p, v(0.175, 1.445, 0.0), 0.062, v(0.345, 1.640, 0.045), 0.046),
        limb(p, v(0.345, 1.640, 0.045), 0.045, v(0.300, 1.925, 0.085), 0.030),
        0.02,
    );
    let orb = (p - v(0.292, 2.055, 0.092)).length() - 0.105;
    let lowered = blend(
        limb(p, v(-0.175, 1.425, 0.0), 0.062, v(-0.285, 1.165, -0.02), 0.046),
        limb(p, v(-0.285, 1.165, -0.02), 0.045, v(-0.165, 0.985, 0.165), 0.034),
        0.02,
    );
    body = blend(body, blend(raised, orb, 0.03), 0.04);
    body = blend(body, lowered, 0.035);
    // The plinth that it was cut from.
    let slab = (p.abs() - v(0.36, 0.045, 0.34)).max(DVec3::ZERO).length() - 0.012;
    blend(body, slab, 0.02)
}

/// The gown below the waist: a cone with folds that deepen towards the hem.
fn robe(p: DVec3) -> f64 {
    let waist = 1.06;
    let down = ((waist - p.y) / waist).clamp(0.0, 1.0);
    let (x, z) = (p.x, p.z / 0.88 - 0.02 * down);
    let around = libm::atan2(x, z);
    let radius = DVec2::new(x, z).length();
    let drift = 1.9 * down + 0.5 * libm::sin(around + 1.0);
    let folds = libm::cos(11.0 * around + drift) + 0.45 * libm::cos(5.0 * around - 2.0 * drift);
    // One knee pushes the cloth forward.
    let knee = (p - DVec3::new(0.10, 0.56, 0.165)).length() - 0.10;
    let outline = 0.135
        + 0.185 * down * (0.55 + 0.45 * down)
        + 0.075 * libm::sin(TAU * 0.5 * (down * 2.2).min(1.0)) * 0.6;
    let cone = (radius - outline * (1.0 + 0.085 * folds * libm::pow(down, 0.8))) * 0.8;
    let ends = (p.y - waist).max(-p.y);
    blend(cone.max(ends), knee, 0.16)
}

/// A capsule whose radius runs from `ra` at `a` to `rb` at `b`.
fn limb(p: DVec3, a: DVec3, ra: f64, b: DVec3, rb: f64) -> f64 {
    let (to, along) = (p - a, b - a);
    let t = (to.dot(along) / along.dot(along)).clamp(0.0, 1.0);
    (to - along * t).length() - (ra + (rb - ra) * t)
}

/// The union of two solids, rounded where they are within `width` of each other.
fn blend(a: f64, b: f64, width: f64) -> f64 {
    let near = (width - (a - b).abs()).max(0.0) / width;
    a.min(b) - near * near * width * 0.25
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::closed::assert_closed;

    #[test]
    fn the_figure_is_closed_and_of_some_100_000_triangles() {
        let surface = figure(3);
        assert_closed("figure", &surface);
        let count = surface.triangles.len();
        assert!((90_000..115_000).contains(&count), "{count}");
        assert!(surface.materials.iter().all(|&material| material == 3));
        let height = surface.vertices.iter().fold(0.0f32, |high, v| high.max(v[1]));
        assert!((2.1..2.25).contains(&height), "{height}");
    }
}
