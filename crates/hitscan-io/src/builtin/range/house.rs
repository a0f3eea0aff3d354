//! The building: walls with thickness and openings, a roof, a chimney, a door that stands open.

use hitscan::glam::DVec3;

use super::Material;
use crate::builtin::lattice::Lattice;
use crate::builtin::surface::Surface;

/// Half the length along x and z, outside.
const HALF: [f64; 2] = [2.6, 2.0];
/// Of the walls.
const THICKNESS: f64 = 0.22;
const WALL_HEIGHT: f64 = 2.5;
/// The ridge's underside above the top of the walls.
const RISE: f64 = 1.25;

/// An opening: lowest and highest corner across the wall and upwards.
struct Opening {
    across: [f64; 2],
    up: [f64; 2],
}

/// In the wall at +z, which faces the range.
pub(super) const DOOR: [f64; 2] = [-0.35, 0.85];
const FRONT: [Opening; 3] = [
    Opening { across: DOOR, up: [0.0, 2.08] },
    Opening { across: [-1.95, -0.95], up: [0.95, 1.95] },
    Opening { across: [1.35, 2.15], up: [0.95, 1.95] },
];
const BACK: [Opening; 1] = [Opening { across: [-0.95, 0.95], up: [0.95, 1.95] }];
const SIDE: [Opening; 1] = [Opening { across: [-0.5, 0.5], up: [0.95, 1.95] }];

impl Opening {
    fn contains(&self, across: f64, up: f64) -> bool {
        (self.across[0]..self.across[1]).contains(&across) && (self.up[0]..self.up[1]).contains(&up)
    }
}

/// Four walls as one solid around the origin, standing on y = 0.
pub(super) fn walls() -> Surface {
    let [x, z] = HALF;
    let mut planes = [
        vec![-x, -x + THICKNESS, x - THICKNESS, x],
        vec![0.0, WALL_HEIGHT],
        vec![-z, -z + THICKNESS, z - THICKNESS, z],
    ];
    for (openings, axis) in [(&FRONT[..], 0), (&BACK, 0), (&SIDE, 2)] {
        for opening in openings {
            planes[axis].extend(opening.across);
            planes[1].extend(opening.up);
        }
    }
    let mut surface = Surface::of(Material::Plaster as u32);
    Lattice::new(planes).fill(&mut surface, |p| {
        if p.x.abs() < x - THICKNESS && p.z.abs() < z - THICKNESS {
            return false;
        }
        let openings = if p.z > z - THICKNESS {
            &FRONT[..]
        } else if p.z < THICKNESS - z {
            &BACK
        } else {
            return !SIDE.iter().any(|opening| opening.contains(p.z, p.y));
        };
        !openings.iter().any(|opening| opening.contains(p.x, p.y))
    });
    surface
}

/// The roof of two slopes with its ridge along x; its own z axis is the ridge.
pub(super) fn roof() -> Surface {
    let mut surface = Surface::of(Material::RoofTiles as u32);
    let [length, half] = HALF;
    let slope = RISE / half;
    let (overhang, thickness) = (0.38, 0.17);
    // A little into the walls, so that no light comes in between.
    let apex = WALL_HEIGHT + RISE - 0.1;
    let eave = (half + overhang, apex - slope * (half + overhang));
    surface.prism(
        &[
            [0.0, apex],
            [eave.0, eave.1],
            [eave.0, eave.1 + thickness],
            [0.0, apex + thickness],
            [-eave.0, eave.1 + thickness],
            [-eave.0, eave.1],
        ],
        -length - 0.3,
        length + 0.3,
    );
    surface
}

/// The triangle of wall under one end of the roof, in its own x-y plane.
pub(super) fn gable() -> Surface {
    let mut surface = Surface::of(Material::Plaster as u32);
    let half = HALF[1];
    surface.prism(&[[-half, WALL_HEIGHT], [half, WALL_HEIGHT], [0.0, WALL_HEIGHT + RISE]], 0.0, THICKNESS);
    surface
}

/// Where the gables stand along the ridge.
pub(super) const GABLES: [f64; 2] = [-HALF[0], HALF[0] - THICKNESS];

/// A floor inside the walls, 12 cm above the ground.
pub(super) fn floor() -> Surface {
    let mut surface = Surface::of(Material::DarkWood as u32);
    let inside = DVec3::new(HALF[0] - THICKNESS, 0.0, HALF[1] - THICKNESS);
    surface.cuboid(DVec3::new(-inside.x, 0.0, -inside.z), inside + DVec3::Y * 0.12);
    surface
}

/// The chimney, through the roof.
pub(super) fn chimney() -> Surface {
    let mut surface = Surface::of(Material::Brick as u32);
    let planes = [-0.32, -0.26, -0.14, 0.14, 0.26, 0.32].to_vec();
    let lattice = Lattice::new([planes.clone(), vec![2.6, 4.2, 4.35], planes]);
    lattice.fill(&mut surface, |p| {
        let out = p.x.abs().max(p.z.abs());
        let outside = if p.y > 4.2 { 0.32 } else { 0.26 };
        out < outside && !(out < 0.14 && p.y > 4.2)
    });
    surface
}

/// The door's leaf, with its hinge on the y axis.
pub(super) fn door() -> Surface {
    let mut surface = Surface::of(Material::Green as u32);
    let width = DOOR[1] - DOOR[0] - 0.04;
    let planes = [
        vec![0.0, 0.16, width * 0.5 - 0.07, width * 0.5 + 0.07, width - 0.16, width],
        vec![0.03, 0.22, 0.95, 1.10, 1.88, 2.06],
        vec![-0.03, -0.015, 0.015, 0.03],
    ];
    Lattice::new(planes).fill(&mut surface, |p| {
        // Four panels are recessed on both sides.
        let rail = !(0.16..width - 0.16).contains(&p.x)
            || (p.x - width * 0.5).abs() < 0.07
            || !(0.22..1.88).contains(&p.y)
            || (0.95..1.10).contains(&p.y);
        rail || p.z.abs() < 0.015
    });
    surface
}

/// A window's frame with a cross, 1 m by 1 m around the origin, in the x-y plane.
pub(super) fn window() -> Surface {
    let mut surface = Surface::of(Material::White as u32);
    let planes = vec![-0.5, -0.43, -0.025, 0.025, 0.43, 0.5];
    Lattice::new([planes.clone(), planes, vec![-0.04, 0.04]])
        .fill(&mut surface, |p| p.x.abs().max(p.y.abs()) > 0.43 || p.x.abs().min(p.y.abs()) < 0.025);
    surface
}

/// Where windows sit: across the wall, height, depth, their width, and whether in a side wall.
pub(super) fn windows() -> [([f64; 3], f64, bool); 5] {
    let (front, side) = (HALF[1] - 0.1, HALF[0] - 0.1);
    [
        ([-1.45, 1.45, front], 1.0, false),
        ([1.75, 1.45, front], 0.8, false),
        ([0.0, 1.45, -front], 1.9, false),
        ([side, 1.45, 0.0], 1.0, true),
        ([-side, 1.45, 0.0], 1.0, true),
    ]
}
