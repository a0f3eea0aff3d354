//! Worlds with everything in them, what they answer, and files taken apart.

use hitscan::glam::{DMat3, DQuat, DVec3};
use hitscan::heightfield::{HeightScale, Heightfield, Up};
use hitscan::intersect::Motion;
use hitscan::saved::{Notes, Saved};
use hitscan::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Sphere};
use hitscan::{
    Cutout, Filter, Geometry, Instance, Isa, Mesh, Preset, Ray, Rule, Sampling, Scene, Transform, World, Wrap,
};
use hitscan_oracle::Rng;
use hitscan_oracle::meshes::{self, TriMesh};

/// The instruction sets of this machine.
pub fn isas() -> impl Iterator<Item = Isa> {
    Isa::ALL.iter().copied().filter(|isa| isa.is_available())
}

/// Any placement within `far` of the origin.
pub fn place(rng: &mut Rng, far: f64) -> Transform {
    let turn = |rng: &mut Rng| {
        DMat3::from_quat(DQuat::from_axis_angle(DVec3::from(rng.direction()), rng.range(-3.0, 3.0)))
    };
    let mirror = if rng.one_in(3) { -1.0 } else { 1.0 };
    let stretch = DVec3::new(mirror * rng.any_size(0.3, 3.0), rng.any_size(0.3, 3.0), 1.0);
    let matrix = turn(rng) * DMat3::from_diagonal(stretch) * turn(rng);
    Transform::new(matrix, rng.in_cube(far)).expect("far from singular")
}

/// A mesh of random triangles with materials, texture coordinates and cutouts, or without, some degenerate, some moved.
pub fn mesh(rng: &mut Rng, triangles: usize) -> Mesh {
    let preset = rng.pick(Preset::ALL);
    let TriMesh { mut vertices, triangles, .. } = meshes::soup(triangles, rng);
    for corner in vertices.chunks_exact_mut(3).step_by(5) {
        corner[1] = corner[0];
    }
    let corners = vertices.len();
    let count = triangles.len();
    let mut mesh = Mesh::build(preset, vertices.clone(), triangles).unwrap();
    if rng.one_in(2) {
        mesh = mesh.with_materials((0..count).map(|_| rng.below(3) as u32).collect()).unwrap();
    }
    if rng.one_in(2) {
        let uv = |_| [rng.range(-2.0, 2.0) as f32, rng.range(-2.0, 2.0) as f32];
        mesh = mesh.with_uvs((0..corners).map(uv).collect()).unwrap();
        let image: std::sync::Arc<[u8]> = (0..12).map(|_| rng.below(256) as u8).collect();
        for material in 0..2 {
            let cutout = Cutout::new(4, 3, image.clone(), 0.5).unwrap().factor(0.9).unwrap();
            let cutout = cutout.wrap(Wrap::ClampToEdge, Wrap::MirroredRepeat).sampling(Sampling::Linear);
            mesh = mesh.with_cutout(material, cutout).unwrap();
        }
    }
    if rng.one_in(2) {
        vertices.iter_mut().for_each(|corner| corner[0] += 0.01 * corner[1]);
        mesh.refit(vertices).unwrap();
    }
    mesh
}

/// One of everything that a scene can hold, about 1 large.
pub fn geometries(rng: &mut Rng) -> Vec<Geometry> {
    let c = rng.in_cube(1.0);
    let centre = DVec3::from(c);
    let turned = *place(rng, 1.0).matrix().to_cols_array().first().unwrap();
    let axes = DMat3::from_rotation_x(turned);
    let points: Vec<[f64; 3]> = (0..9).map(|_| rng.in_cube(1.0)).collect();
    let cut = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z, DVec3::ONE];
    let planes = cut.map(|normal| Plane::from_equation(normal, -0.9).unwrap());
    let heights: Vec<f32> =
        (0..63).map(|i| if i == 20 { f32::NAN } else { rng.range(-0.5, 0.5) as f32 }).collect();
    let samples: Vec<u16> = (0..63).map(|_| rng.below(99) as u16).collect();
    let scale = HeightScale { offset: -0.5, scale: 0.01, no_data: Some(98) };
    vec![
        Sphere::new(c, 0.7).unwrap().into(),
        Aabb::new(centre - 0.4, centre + 0.7).unwrap().into(),
        Obb::new(c, axes, [0.3, 0.5, 1.0]).unwrap().into(),
        ConvexHull::from_points(points).unwrap().into(),
        ConvexHull::from_planes(planes).unwrap().into(),
        Plane::new(rng.direction(), c).unwrap().into(),
        Capsule::new(c, rng.in_cube(1.0), 0.3).unwrap().into(),
        Heightfield::builder(9, 7).spacing([0.3, 0.3]).build_f32(heights).unwrap().into(),
        Heightfield::builder(7, 9).up(Up::Z).spacing([0.25, 0.3]).build_u16(samples, scale).unwrap().into(),
        mesh(rng, 40).into(),
        Mesh::new([[0.0f32; 3]; 3], [[0u32, 1, 2]]).unwrap().into(),
    ]
}

/// A world with everything in it, some of it several times, and with slots that were used before.
pub fn world(rng: &mut Rng) -> World {
    let mut world = World::new();
    let known = geometries(rng);
    let mut ids = Vec::new();
    for i in 0..3 * known.len() {
        let instance = Instance::new(known[i % known.len()].clone()).at(place(rng, 6.0));
        ids.push(world.insert(instance.mask(1 + rng.below(3) as u32).material(i as u32)));
    }
    for _ in 0..6 {
        let gone = ids.swap_remove(rng.below(ids.len()));
        world.remove(gone).unwrap();
    }
    world.insert(Instance::new(rng.pick(&[Sphere::new([0.0; 3], 0.5).unwrap()])));
    world
}

/// The bytes of its file.
pub fn file(scene: &Scene) -> Vec<u8> {
    file_with(scene, Notes::new())
}

/// The same with notes.
pub fn file_with(scene: &Scene, notes: Notes) -> Vec<u8> {
    let mut bytes = Vec::new();
    Saved { scene: scene.clone(), notes }.write(&mut bytes).unwrap();
    bytes
}

/// Rays from everywhere.
pub fn rays(rng: &mut Rng, count: usize) -> Vec<Ray> {
    (0..count)
        .map(|_| {
            let (from, to) = (rng.in_cube(9.0), rng.in_cube(6.0));
            Ray::new(from, DVec3::from(to) - DVec3::from(from)).unwrap()
        })
        .collect()
}

/// All that it answers about these rays and their origins, in words that tell all bits apart.
pub fn answers(scene: &Scene, rays: &[Ray]) -> Vec<String> {
    let all = Filter::ALL;
    let mut answers = Vec::new();
    for ray in rays {
        let at = ray.at(0.9);
        let ball = Sphere::new(at, 0.4).unwrap();
        answers.push(format!("{:?}", scene.all_hits(ray, &all)));
        answers.push(format!("{:?}", scene.closest(ray, &Filter::new().mask(2))));
        answers.push(format!("{:?} {:?}", scene.occluded(ray, &all), scene.intervals(ray, &all)));
        answers.push(format!("{:?}", scene.closest_point(at, &all)));
        answers.push(format!("{:?}", scene.containing(at, Rule::Parity, &all)));
        answers.push(format!("{:?}", scene.overlap_sphere(&ball, &all)));
        let room = Aabb::new(at - 0.5, at + 0.5).unwrap();
        answers.push(format!("{:?} {:?}", scene.overlap_aabb(&room, &all), scene.first_n(ray, &all, 3)));
        answers.push(format!("{:?}", scene.explain(ray, &all)));
        answers.push(format!("{:?}", scene.containing(at, Rule::Winding, &all)));
        let motion = Motion::new(ray.dir() * 0.3).unwrap();
        answers.push(format!("{:?}", scene.sweep_sphere(&ball, &motion, &all)));
    }
    answers.push(format!("{:?}", scene.closest_batch(rays, &all)));
    answers.push(format!("{:?} {:?}", scene.bounds(), scene.check()));
    // Rays that leave side by side, which meshes answer together.
    let beside = |i: u32| {
        Ray::new([f64::from(i % 4) * 0.1 - 0.2, f64::from(i / 4) * 0.1 - 0.2, 9.0], [0.0, 0.0, -1.0])
    };
    let beside: Vec<Ray> = (0..16).map(|i| beside(i).unwrap()).collect();
    for (id, instance) in scene.iter() {
        if let Some(mesh) = instance.mesh() {
            answers.push(format!("{:?}", mesh.closest_batch(&beside, &all)));
        }
        let mesh = instance.mesh().map(|mesh| (mesh.counts(), mesh.stats(), mesh.bounds()));
        answers.push(format!("{id:?} {:?} {mesh:?}", instance.transform()));
    }
    answers
}

/// Files that differ in what there is in them.
pub fn sound(rng: &mut Rng) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for thing in geometries(rng) {
        let mut world = World::new();
        (0..3).for_each(|_| {
            world.insert(Instance::new(thing.clone()).at(place(rng, 3.0)));
        });
        files.push(file(&world.commit()));
    }
    for count in [3, 30, 300, 1500] {
        let mut world = World::new();
        let mut notes = Notes::new();
        notes.set("one", [1, 2, 3]).unwrap();
        world.insert(mesh(rng, count));
        world.insert(mesh(rng, count / 2));
        files.push(file_with(&world.commit(), notes));
    }
    files
}

/// Opens these bytes as a file of a scene, and where they are one asks it everything, also with its meshes refitted and
/// built again; whether they are one.
pub fn opens_and_answers(file: &[u8], rays: &[Ray]) -> bool {
    let Ok(saved) = Saved::read(file) else { return false };
    answers(&saved.scene, rays);
    for (_, instance) in saved.scene.iter() {
        if let Some(mesh) = instance.mesh() {
            let (mut mesh, vertices) = (mesh.clone(), mesh.vertices().to_vec());
            mesh.refit(vertices).unwrap();
            mesh.rebuild();
        }
    }
    true
}

/// Kind, owner, and where it lies in the file.
pub type Section = (u32, u32, std::ops::Range<usize>);

/// The sections of a file.
pub fn sections(file: &[u8]) -> Vec<Section> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let long = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
    (0..word(16) as usize)
        .map(|row| 64 + 32 * row)
        .map(|at| (word(at), word(at + 4), long(at + 8)..long(at + 8) + long(at + 16)))
        .collect()
}

/// Makes all checksums right again, as one who means harm does.
pub fn mend(file: &mut [u8]) {
    use twox_hash::XxHash3_64;
    let sections = sections(file);
    for (row, (.., range)) in sections.iter().enumerate() {
        let pieces = file[range.clone()].chunks(1 << 18).map(XxHash3_64::oneshot);
        let sums: Vec<u8> = pieces.flat_map(u64::to_le_bytes).collect();
        let at = 64 + 32 * row + 24;
        file[at..at + 8].copy_from_slice(&XxHash3_64::oneshot(&sums).to_le_bytes());
    }
    mend_head(file, sections.len());
}

/// Those of the header and of a table of so many sections.
pub fn mend_head(file: &mut [u8], sections: usize) {
    use twox_hash::XxHash3_64;
    let table = (32 * sections).next_multiple_of(64);
    let sum = XxHash3_64::oneshot(&file[64..64 + table]);
    file[32..40].copy_from_slice(&sum.to_le_bytes());
    let sum = XxHash3_64::oneshot(&file[..56]);
    file[56..64].copy_from_slice(&sum.to_le_bytes());
}
