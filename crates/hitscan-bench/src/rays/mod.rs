//! Rays by code: each workload gives the same bits on every machine, since elementary functions come from `libm`,
//! randomness from integers, and the hits that rays start from keep the library's law.

mod bounce;
mod columns;
mod lidar;
mod miss;
mod primary;
pub mod random;
mod segments;
mod shadow;

use hitscan::Ray;
use hitscan::glam::DVec3;

use crate::scenes::Loaded;

/// Which rays are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// One through each pixel, in squares of 8 x 8 whose pixels follow the Z-order: any 16 in a row are 4 x 4.
    PrimaryTiles,
    /// One through each pixel, line by line.
    PrimaryLines,
    /// Diffuse rays from where the rays of the generation before hit, in the order of the pixels; 1 to 4.
    Bounce(u32),
    /// From what the camera sees to a lamp on the way there.
    Shadow,
    /// Between random points of the scene's box.
    Segments,
    /// A grid of parallel rays downwards through the scene's box.
    Columns,
    /// 64 channels that turn around the camera's place.
    Lidar,
    /// Rays that enter the scene's box and hit nothing.
    Miss,
}

impl Workload {
    /// All of them, in the order of the tables.
    pub const ALL: [Workload; 11] = [
        Workload::PrimaryTiles,
        Workload::PrimaryLines,
        Workload::Bounce(1),
        Workload::Bounce(2),
        Workload::Bounce(3),
        Workload::Bounce(4),
        Workload::Shadow,
        Workload::Segments,
        Workload::Columns,
        Workload::Lidar,
        Workload::Miss,
    ];

    /// As the tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Workload::PrimaryTiles => "primary, tiles",
            Workload::PrimaryLines => "primary, lines",
            Workload::Bounce(1) => "bounce 1",
            Workload::Bounce(2) => "bounce 2",
            Workload::Bounce(3) => "bounce 3",
            Workload::Bounce(_) => "bounce 4",
            Workload::Shadow => "shadow",
            Workload::Segments => "segments",
            Workload::Columns => "columns",
            Workload::Lidar => "lidar",
            Workload::Miss => "all miss",
        }
    }

    /// Whether neighbours in the list have little in common.
    pub fn is_incoherent(self) -> bool {
        matches!(self, Workload::Bounce(_) | Workload::Segments)
    }

    /// Whether neighbours in the list start at one point and leave side by side.
    pub fn is_primary(self) -> bool {
        matches!(self, Workload::PrimaryTiles | Workload::PrimaryLines)
    }
}

/// About `side * side` rays; `side` is a multiple of 8. All numbers are `f32` values, so that every peer gets the
/// same bits. Empty where the scene has no such rays.
pub fn record(workload: Workload, scene: &Loaded, side: u32) -> Vec<Ray> {
    match workload {
        Workload::PrimaryTiles => primary::tiles(scene, side),
        Workload::PrimaryLines => primary::lines(scene, side),
        Workload::Bounce(generation) => bounce::rays(scene, side, generation),
        Workload::Shadow => shadow::rays(scene, side),
        Workload::Segments => segments::rays(scene, side),
        Workload::Columns => columns::rays(scene, side),
        Workload::Lidar => lidar::rays(scene, side),
        Workload::Miss => miss::rays(scene, side),
    }
}

/// The side of a square of rays, as a command line says it.
///
/// # Errors
/// What is no multiple of 8 from 8 to 4096, in one line.
pub fn side(text: &str) -> Result<u32, String> {
    let side = text.parse().ok().filter(|&side| (8..=4096).contains(&side) && side % 8 == 0);
    side.ok_or_else(|| format!("--side {text}: a multiple of 8 from 8 to 4096 is expected"))
}

/// A ray of `f32` values; `None` where no direction is left.
fn rounded(origin: DVec3, dir: DVec3) -> Option<Ray> {
    Ray::from_f32(origin.as_vec3(), dir.as_vec3()).ok()
}

/// The same ray, asked up to `t = 1` alone.
fn up_to_one(ray: Ray) -> Option<Ray> {
    ray.with_range(0.0, 1.0).ok()
}

/// The lowest and the highest corner of the scene's box.
fn bounds(scene: &Loaded) -> [DVec3; 2] {
    scene.mesh.bounds().map_or([DVec3::ZERO; 2], |(low, high)| [low.as_dvec3(), high.as_dvec3()])
}
