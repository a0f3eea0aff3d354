//! The things on the range, each in its own frame.

use hitscan::glam::DVec3;

use super::Material::{
    self, Aluminium, Black, Concrete, DarkWood, Marble, Orange, Red, Steel, White, Wire, Wood,
};
use crate::builtin::lattice::Lattice;
use crate::builtin::noise::fractal;
use crate::builtin::revolve::Ring;
use crate::builtin::surface::Surface;

/// Hills around a flat lane.
pub(super) fn ground() -> Surface {
    let mut surface = Surface::of(Material::Grass as u32);
    surface.heights(-85.0, 85.0, 190, |x, z| {
        // How far outside of the flat rectangle.
        let out = DVec3::new((x - 8.0).abs() - 19.0, 0.0, (z + 2.0).abs() - 13.5).max(DVec3::ZERO).length();
        let t = (out / 38.0).min(1.0);
        let rise = t * t * (3.0 - 2.0 * t);
        let rolling = 4.4 + 6.5 * fractal(x / 42.0 + 3.7, z / 42.0, 5, 5);
        let meadow = 0.05 * fractal(x / 5.0, z / 5.0, 3, 9);
        rise * rolling + meadow.min(0.0)
    });
    surface
}

/// A slab from the origin towards +x and +z, `height` above the ground and as deep below it.
pub(super) fn slab(material: Material, length: f64, height: f64, width: f64) -> Surface {
    let mut surface = Surface::of(material as u32);
    surface.cuboid(DVec3::new(0.0, -0.1, 0.0), DVec3::new(length, height, width));
    surface
}

/// A soda can of the usual size, standing on the origin, with bevelled rims and a painted side.
pub(super) fn can(paint: Material) -> Surface {
    let (metal, paint, white) = (Aluminium as u32, paint as u32, White as u32);
    let mut surface = Surface::default();
    surface.revolve(
        &[
            Ring::new(0.0235, 0.0, metal),
            Ring::new(0.0265, 0.0035, metal),
            Ring::new(0.0331, 0.0130, paint),
            Ring::new(0.0331, 0.0560, white),
            Ring::new(0.0331, 0.0720, paint),
            Ring::new(0.0331, 0.1040, metal),
            Ring::new(0.0262, 0.1165, metal),
            Ring::new(0.0272, 0.1195, metal),
            Ring::new(0.0262, 0.1220, metal),
            Ring::new(0.0240, 0.1190, metal),
        ],
        40,
    );
    surface
}

/// Height of the bench's top.
pub(super) const BENCH_HEIGHT: f64 = 0.86;

/// A bench along x: two boards on trestles, standing on the origin.
pub(super) fn bench() -> Surface {
    let mut surface = Surface::of(Wood as u32);
    let top = BENCH_HEIGHT;
    for z in [-0.23, 0.01] {
        surface.cuboid(DVec3::new(-1.05, top - 0.045, z), DVec3::new(1.05, top, z + 0.22));
    }
    surface.material = DarkWood as u32;
    for x in [-0.8, 0.8] {
        surface.cuboid(DVec3::new(x - 0.04, top - 0.115, -0.22), DVec3::new(x + 0.04, top - 0.045, 0.22));
        for side in [-1.0, 1.0] {
            surface.warped_cuboid(|u, v, w| {
                let lean = 0.12 + 0.12 * (1.0 - v);
                DVec3::new(x + (u - 0.5) * 0.07, v * (top - 0.06), side * lean + (w - 0.5) * 0.06)
            });
        }
        surface.cuboid(DVec3::new(x - 0.02, 0.22, -0.2), DVec3::new(x + 0.02, 0.28, 0.2));
    }
    surface
}

/// A crate of 80 cm, standing on the origin: beams along its edges, planks between them.
pub(super) fn crate_box() -> Surface {
    let mut surface = Surface::of(Wood as u32);
    let (half, beam, pocket, groove) = (0.4, 0.085, 0.022, 0.034);
    let (inner, floor, bottom) = (half - beam, half - pocket, half - groove);
    // Planks lie along x or z; the grooves between them run the same way on opposite faces.
    let gaps: Vec<[f64; 2]> = [-0.1575, 0.0, 0.1575].map(|at| [at - 0.006, at + 0.006]).into();
    let mut planes = vec![-half, -floor, -bottom, -inner, inner, bottom, floor, half];
    planes.extend(gaps.iter().flatten());
    let heights = planes.iter().map(|plane| plane + half).collect();
    Lattice::new([planes.clone(), heights, planes]).fill(&mut surface, |p| {
        let q = (p - DVec3::Y * half).to_array();
        if q.iter().filter(|c| c.abs() > inner).count() >= 2 {
            return true;
        }
        let out = (0..3).max_by(|&a, &b| q[a].abs().total_cmp(&q[b].abs())).unwrap_or(0);
        let across = q[[1, 0, 1][out]];
        let depth = q[out].abs();
        depth < bottom || (depth < floor && !gaps.iter().any(|gap| (gap[0]..gap[1]).contains(&across)))
    });
    surface
}

/// A plate across the shots, standing on the origin, `thickness` along x.
pub(super) fn plate(material: Material, thickness: f64) -> Surface {
    let mut surface = Surface::of(material as u32);
    let half = DVec3::new(thickness * 0.5, 0.0, 0.42);
    surface.cuboid(-half, half + DVec3::Y * 1.0);
    surface
}

/// What holds a plate: a wooden foot with two cheeks.
pub(super) fn plate_foot() -> Surface {
    let mut surface = Surface::of(DarkWood as u32);
    surface.cuboid(DVec3::new(-0.16, 0.0, -0.48), DVec3::new(0.16, 0.3, 0.48));
    surface.material = Wood as u32;
    for side in [-1.0, 1.0] {
        let x = side * 0.055;
        surface.cuboid(DVec3::new(x - 0.025, 0.3, -0.48), DVec3::new(x + 0.025, 0.42, 0.48));
    }
    surface
}

/// A round target across the shots, around the origin, of five rings; its front looks along -x after
/// a turn.
pub(super) fn target() -> Surface {
    let mut surface = Surface::default();
    let (white, red, wood) = (White as u32, Red as u32, Wood as u32);
    let mut rings =
        vec![Ring::new(0.44, 0.0, wood), Ring::new(0.45, 0.006, wood), Ring::new(0.45, 0.03, white)];
    for (radius, material) in [(0.36, red), (0.27, white), (0.18, red), (0.09, Black as u32)] {
        rings.push(Ring::new(radius, 0.03, material));
    }
    surface.revolve(&rings, 64);
    surface
}

/// Two legs and a crossbar for a target whose centre is 1.25 m up.
pub(super) fn target_stand() -> Surface {
    let mut surface = Surface::of(DarkWood as u32);
    for z in [-0.3, 0.3] {
        surface.warped_cuboid(|u, v, w| {
            let lean = z * (1.25 - 0.35 * v);
            DVec3::new((u - 0.5) * 0.05, v * 1.6, lean + (w - 0.5) * 0.05)
        });
    }
    surface
        .warped_cuboid(|u, v, w| DVec3::new(0.62 * (1.0 - v) + (u - 0.5) * 0.05, v * 1.45, (w - 0.5) * 0.05));
    surface.cuboid(DVec3::new(-0.035, 0.5, -0.36), DVec3::new(0.035, 0.56, 0.36));
    surface
}

/// Height of the middle of a post's lamp.
pub(super) const LAMP_HEIGHT: f64 = 1.62;

/// A post with a lamp on top, standing on the origin.
pub(super) fn post() -> Surface {
    let mut surface = Surface::default();
    let (foot, pole, lamp) = (Concrete as u32, Steel as u32, Orange as u32);
    let mut rings = vec![
        Ring::new(0.16, 0.0, foot),
        Ring::new(0.16, 0.08, foot),
        Ring::new(0.14, 0.10, foot),
        Ring::new(0.038, 0.10, pole),
    ];
    let radius = 0.1;
    let steps = 16;
    rings.push(Ring::new(0.038, LAMP_HEIGHT - 0.0925, lamp));
    for step in 3..steps {
        let angle = std::f64::consts::PI * f64::from(step) / f64::from(steps);
        rings.push(Ring::new(radius * libm::sin(angle), LAMP_HEIGHT - radius * libm::cos(angle), lamp));
    }
    surface.revolve(&rings, 32);
    surface
}

/// A round pedestal, standing on the origin.
pub(super) fn pedestal() -> Surface {
    let mut surface = Surface::default();
    let stone = Material::Stone as u32;
    let rings = [
        (0.66, 0.0),
        (0.66, 0.14),
        (0.64, 0.16),
        (0.60, 0.16),
        (0.58, 0.20),
        (0.53, 0.24),
        (0.50, 0.30),
        (0.48, 0.34),
        (0.48, 0.72),
        (0.50, 0.76),
        (0.55, 0.80),
        (0.60, 0.82),
        (0.61, 0.84),
        (0.61, PEDESTAL_HEIGHT - 0.02),
        (0.59, PEDESTAL_HEIGHT),
    ];
    surface.revolve(&rings.map(|(radius, height)| Ring::new(radius, height, stone)), 72);
    surface
}

/// Where the statue stands.
pub(super) const PEDESTAL_HEIGHT: f64 = 0.94;

/// The statue, standing on the origin.
pub(super) fn statue() -> Surface {
    crate::builtin::figure::figure(Marble as u32)
}

/// A ball of radius 1 around the origin.
pub(super) fn ball(material: Material) -> Surface {
    let mut surface = Surface::of(material as u32);
    surface.sphere(1.0, 24);
    surface
}

/// Length and height of a fence panel.
pub(super) const PANEL: [f64; 2] = [2.4, 1.84];

/// A panel of chain link in the x-y plane, from the origin towards +x and +y: upright wires that zigzag in front
/// and behind, each hooked into its neighbours, between two rails.
pub(super) fn fence_panel() -> Surface {
    let mut surface = Surface::of(Wire as u32);
    let (diamond, thickness) = (0.08, 0.003);
    let wires = (PANEL[0] / diamond) as u32;
    let bends = ((PANEL[1] - 0.08) / (diamond * 0.5)) as u32;
    let reach = diamond * 0.5 + thickness * 1.2;
    for wire in 0..wires {
        let middle = (f64::from(wire) + 0.5) * diamond;
        let mut path = Vec::with_capacity(2 * bends as usize);
        for half in 0..=2 * bends {
            let y = 0.05 + f64::from(half) * diamond * 0.25;
            // Bends are at even numbers; between them the wire is in front on its way right, behind on its way left.
            let right = (half / 2 + wire) % 2 == 0;
            let side = if right { 1.0 } else { -1.0 };
            path.push(if half % 2 == 0 {
                DVec3::new(middle + side * reach, y, 0.0)
            } else {
                DVec3::new(middle, y, side * thickness * 1.5)
            });
        }
        surface.wire(&path, thickness, 5, DVec3::Z);
    }
    surface.material = Steel as u32;
    for y in [0.05, PANEL[1] - 0.03] {
        surface.wire(&[DVec3::new(0.0, y, 0.0), DVec3::new(PANEL[0], y, 0.0)], 0.014, 10, DVec3::Z);
    }
    surface
}

/// A fence post, standing on the origin.
pub(super) fn fence_post() -> Surface {
    let mut surface = Surface::default();
    let steel = Steel as u32;
    let rings = [(0.03, -0.2), (0.03, 1.93), (0.036, 1.93), (0.036, 1.95), (0.022, 1.985)];
    surface.revolve(&rings.map(|(radius, height)| Ring::new(radius, height, steel)), 20);
    surface
}

/// The device on the bench that points: a small box with a barrel along +x, around the origin.
pub(super) fn pointer() -> Surface {
    let mut surface = Surface::of(Black as u32);
    surface.cuboid(DVec3::new(-0.11, -0.035, -0.035), DVec3::new(0.09, 0.035, 0.035));
    surface.cuboid(DVec3::new(-0.03, -0.1, -0.02), DVec3::new(0.03, -0.034, 0.02));
    surface.material = Steel as u32;
    surface.wire(&[DVec3::new(0.08, 0.0, 0.0), DVec3::new(0.14, 0.0, 0.0)], 0.02, 16, DVec3::Y);
    surface
}
