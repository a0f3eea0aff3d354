//! Terrain as samples, with holes.

use hitscan::heightfield::{HeightScale, Heightfield};
use hitscan_oracle::{Rng, TriMesh};

use super::{Part, Things};

/// Samples of 16 bits: hills by sums of random steps, and places without a height.
pub fn heightfield() -> Part {
    const NONE: u16 = u16::MAX;
    let (columns, rows) = (301, 257);
    let mut rng = Rng::new(71);
    let mut steps = |count: usize| -> Vec<i64> {
        let sums = (0..count).scan(20_000, |height, _| {
            *height += rng.int(-200, 200);
            Some(*height)
        });
        sums.collect()
    };
    let (along, down) = (steps(columns), steps(rows));
    let mut samples = Vec::with_capacity(columns * rows);
    for height in down {
        for other in &along {
            let rough = rng.int(-150, 150);
            samples.push(if rng.one_in(97) {
                NONE
            } else {
                (height + other + rough).clamp(0, 60_000) as u16
            });
        }
    }
    let scale = HeightScale { offset: -40.0, scale: 1.0 / 512.0, no_data: Some(NONE) };
    let field = Heightfield::builder(columns, rows).origin([-75.0, 31.25]).spacing([0.5, 0.625]);
    let field = field.build_u16(samples, scale).expect("samples that fit");
    let mesh = field.to_mesh().expect("few triangles");
    let target = TriMesh::new("heightfield", mesh.vertices().to_vec(), mesh.triangles().to_vec());
    Part { name: "heightfield", things: Things::Heightfield(field), target, offset: [0.0; 3], seed: 7 }
}
