//! Every shape beside meshes, turned, stretched, sheared and mirrored, as far from the origin as the Earth's surface is from
//! its centre.

use hitscan::glam::{DMat3, DVec3};
use hitscan::heightfield::Heightfield;
use hitscan::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Sphere};
use hitscan::{Cutout, Geometry, Mesh};
use hitscan_oracle::meshes::{icosphere, integer_box};
use hitscan_oracle::{Rng, TriMesh, placements};

use super::{Part, Things, transform};

/// Instances of each thing.
const EACH: usize = 12;

/// A world of all shapes.
pub fn shapes() -> Part {
    let mut rng = Rng::new(81);
    let geometries = geometries(&mut rng);
    let mut target = integer_box([-1; 3], [1; 3], 2).mesh;
    let unit = std::mem::take(&mut target);
    let offset = [4.0e6, -3.0e6, 4.0e6];
    let mut instances = Vec::new();
    for number in 0..EACH * geometries.len() {
        let row = number % geometries.len();
        // Planes have no end: a few of them hide enough.
        if matches!(geometries[row], Geometry::Plane(_)) && number >= 2 * geometries.len() {
            continue;
        }
        let mut placement = placements::random(&mut rng, 6.0, 3.0, 25.0);
        let base = target.vertices.len() as u32;
        let place = |v: &[f32; 3]| placement.point(v.map(f64::from)).map(|c| c as f32);
        target.vertices.extend(unit.vertices.iter().map(place));
        target.triangles.extend(unit.triangles.iter().map(|t| t.map(|index| base + index)));
        placement.translation = std::array::from_fn(|i| placement.translation[i] + offset[i]);
        // The heightfield's have none: so the hashes are those of versions in which it could not have one.
        let has_one = !matches!(geometries[row], Geometry::Heightfield(_));
        let material = if has_one { 100 + number as u32 } else { 0 };
        instances.push((row, transform(&placement), material));
    }
    target.name = "shapes".to_owned();
    Part { name: "shapes", things: Things::World { geometries, instances }, target, offset, seed: 8 }
}

/// One of each kind, about 1 large.
fn geometries(rng: &mut Rng) -> Vec<Geometry> {
    let mesh = |mesh: TriMesh| Mesh::new(mesh.vertices, mesh.triangles).expect("a mesh of the oracle");
    // Pythagorean triples: axes of length 1 at right angles, without a square root.
    let turn = DMat3::from_cols(
        DVec3::new(2.0, 3.0, 6.0) / 7.0,
        DVec3::new(3.0, -6.0, 2.0) / 7.0,
        DVec3::new(6.0, 2.0, -3.0) / 7.0,
    );
    let points: Vec<[f64; 3]> = (0..14).map(|_| rng.in_cube(1.0)).collect();
    let heights: Vec<f32> = (0..42).map(|_| rng.range(-0.5, 0.5) as f32).collect();
    let shapes = "numbers that make a shape";
    vec![
        Sphere::new([0.1, -0.2, 0.3], 0.8).expect(shapes).into(),
        Aabb::new([-0.9, -0.5, -0.7], [0.6, 0.8, 1.0]).expect(shapes).into(),
        Obb::new([0.2, 0.0, -0.1], turn, [0.9, 0.3, 0.6]).expect(shapes).into(),
        ConvexHull::from_points(points).expect(shapes).into(),
        Plane::new([0.2, 1.0, -0.3], [0.0, -0.5, 0.0]).expect(shapes).into(),
        Capsule::new([-0.6, -0.2, 0.1], [0.5, 0.4, -0.3], 0.4).expect(shapes).into(),
        Heightfield::builder(7, 6)
            .origin([-1.0, -1.0])
            .spacing([0.3, 0.4])
            .build_f32(heights)
            .expect(shapes)
            .into(),
        mesh(icosphere(2).mesh).into(),
        mesh(integer_box([-1; 3], [1; 3], 2).mesh).into(),
        fence().into(),
    ]
}

/// A pane with painted holes.
fn fence() -> Mesh {
    let corners = [[-1.0f32, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.25], [-1.0, 1.0, 0.0]];
    let uvs = vec![[0.0, 5.0], [7.0, 5.0], [7.0, 0.0], [0.0, 0.0]];
    let image = vec![255, 200, 90, 0, 255, 10, 128, 127, 64];
    let cutout = Cutout::new(3, 3, image, 0.5).expect("nine pixels");
    let pane = Mesh::new(corners, [[0u32, 1, 2], [0, 2, 3]]).and_then(|mesh| mesh.with_materials(vec![4, 5]));
    let pane = pane.and_then(|mesh| mesh.with_uvs(uvs)).and_then(|mesh| mesh.with_cutout(4, cutout));
    pane.expect("two triangles")
}
