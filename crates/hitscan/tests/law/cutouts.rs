//! Painted holes: every query on a mesh with cutouts says what the same query says through a closure that samples the same
//! images by itself.

use std::collections::BTreeMap;

use hitscan::{
    Candidate, Cutout, CutoutError, Facing, Filter, Hit, HitLists, Instance, InstanceId, Mesh, MeshError,
    Outcome, Ray, Sampling, Verdict, World, Wrap,
};
use hitscan_oracle::brute::Placed;
use hitscan_oracle::meshes::all;
use hitscan_oracle::rays::Shooter;
use hitscan_oracle::{Rng, TriMesh, placements, rng};

use crate::compare::Target;
use crate::support::{all_bits, kernels, mesh, on_kernel, ray, transform};

/// An image as the test keeps it: what [`Cutout`] is told, sampled in the plainest way.
#[derive(Clone, Debug)]
struct Image {
    size: [usize; 2],
    alpha: Vec<u8>,
    threshold: f32,
    factor: f32,
    wrap: [Wrap; 2],
    sampling: Sampling,
}

const WRAPS: [Wrap; 3] = [Wrap::Repeat, Wrap::MirroredRepeat, Wrap::ClampToEdge];

impl Image {
    fn random(rng: &mut Rng) -> Image {
        let size = [1 + rng.below(5), 1 + rng.below(5)];
        Image {
            size,
            alpha: (0..size[0] * size[1]).map(|_| rng.pick(&[0, 51, 128, 204, 255])).collect(),
            threshold: rng.pick(&[0.0, 0.2, 0.5, 0.5, 0.8, 1.0, 2.0]),
            factor: rng.pick(&[1.0, 1.0, 0.5, 3.0]),
            wrap: [rng.pick(&WRAPS), rng.pick(&WRAPS)],
            sampling: rng.pick(&[Sampling::Nearest, Sampling::Linear]),
        }
    }

    fn cutout(&self) -> Cutout {
        let [width, height] = self.size.map(|texels| texels as u32);
        let cutout = Cutout::new(width, height, self.alpha.clone(), self.threshold).unwrap();
        cutout.wrap(self.wrap[0], self.wrap[1]).sampling(self.sampling).factor(self.factor).unwrap()
    }

    /// The texel of any number along an axis, by counting periods.
    fn texel(&self, axis: usize, number: f64) -> usize {
        let texels = self.size[axis] as i64;
        let number = number as i64;
        let (period, rest) = (number.div_euclid(texels), number.rem_euclid(texels));
        let place = match self.wrap[axis] {
            Wrap::Repeat => rest,
            Wrap::MirroredRepeat if period % 2 == 0 => rest,
            Wrap::MirroredRepeat => texels - 1 - rest,
            Wrap::ClampToEdge => number.max(0).min(texels - 1),
        };
        place as usize
    }

    fn alpha(&self, uv: [f64; 2]) -> f64 {
        let at = |axis: usize| {
            let c = uv[axis];
            let near = match self.wrap[axis] {
                Wrap::Repeat => c - c.floor(),
                Wrap::MirroredRepeat => c - (c / 2.0).floor() * 2.0,
                Wrap::ClampToEdge => c.clamp(0.0, 1.0),
            };
            near * self.size[axis] as f64
        };
        let value =
            |x: f64, y: f64| f64::from(self.alpha[self.texel(1, y) * self.size[0] + self.texel(0, x)]);
        let (x, y) = (at(0), at(1));
        if self.sampling == Sampling::Nearest {
            return value(x.floor(), y.floor()) / 255.0;
        }
        let (left, top) = ((x - 0.5).floor(), (y - 0.5).floor());
        let (right, down) = ((x - 0.5) - left, (y - 0.5) - top);
        let mix = |from: f64, to: f64, share: f64| from + (to - from) * share;
        let above = mix(value(left, top), value(left + 1.0, top), right);
        let below = mix(value(left, top + 1.0), value(left + 1.0, top + 1.0), right);
        mix(above, below, down) / 255.0
    }

    fn keeps(&self, uv: [f64; 2]) -> bool {
        (self.alpha(uv) * f64::from(self.factor)) as f32 >= self.threshold
    }
}

/// What a mesh is painted with.
#[derive(Clone, Debug)]
struct Paint {
    triangles: Vec<[u32; 3]>,
    uvs: Vec<[f32; 2]>,
    materials: Vec<u32>,
    images: BTreeMap<u32, Image>,
}

impl Paint {
    fn random(mesh: &TriMesh, rng: &mut Rng) -> Paint {
        let scale = rng.pick(&[1.0, 3.0, 40.0]);
        let uv = |rng: &mut Rng| match rng.below(60) {
            0 => rng.pick(&[1e30, -1e30, f32::MAX, f32::MIN]),
            1 => rng.pick(&[0.0, -0.0, 1.0, -1.0, 0.5, f32::MIN_POSITIVE, -1e-30]),
            _ => rng.range(-scale, scale) as f32,
        };
        // Material 3, and now and then others, have none; material 9 has no triangles.
        let mut images = vec![0, 1, 2, 9];
        images.retain(|_| !rng.one_in(6));
        Paint {
            triangles: mesh.triangles.clone(),
            uvs: mesh.vertices.iter().map(|_| [uv(rng), uv(rng)]).collect(),
            materials: mesh.triangles.iter().map(|_| rng.below(4) as u32).collect(),
            // Material 3, and now and then others, have none; material 9 has no triangles.
            images: images.into_iter().map(|material| (material, Image::random(rng))).collect(),
        }
    }

    /// The mesh without holes, and the same with them.
    fn meshes(&self, of: &TriMesh, rng: &mut Rng) -> [Mesh; 2] {
        let plain = mesh(of).with_materials(self.materials.clone()).unwrap();
        let mut cut = plain.clone().with_uvs(self.uvs.clone()).unwrap();
        let mut images: Vec<(u32, &Image)> = self.images.iter().map(|(&m, image)| (m, image)).collect();
        rng.shuffle(&mut images);
        for (material, image) in images {
            if rng.one_in(4) {
                // Replaced by the next.
                cut = cut.with_cutout(material, Cutout::new(1, 1, vec![0], 1.0).unwrap()).unwrap();
            }
            cut = cut.with_cutout(material, image.cutout()).unwrap();
        }
        assert!(cut.cutouts().map(|(material, _)| material).eq(self.images.keys().copied()));
        [plain, cut]
    }

    fn is_hole(&self, prim: u32, u: f64, v: f64) -> bool {
        let Some(image) = self.images.get(&self.materials[prim as usize]) else { return false };
        let corners = self.triangles[prim as usize].map(|corner| self.uvs[corner as usize]);
        let w = (1.0 - u) - v;
        let at = |axis: usize| {
            let [a, b, c] = corners.map(|uv| f64::from(uv[axis]));
            (w * a + u * b) + v * c
        };
        !image.keeps([at(0), at(1)])
    }
}

fn hit_bits(hits: &[Option<Hit>]) -> Vec<Vec<crate::support::Bits>> {
    hits.iter().map(|hit| all_bits(hit.as_slice())).collect()
}

fn list_bits(lists: &HitLists) -> Vec<Vec<crate::support::Bits>> {
    lists.iter().map(all_bits).collect()
}

/// What a closure of the caller's own says, beside the holes.
fn other(c: &Candidate) -> Verdict {
    match c.prim % 7 {
        0 => Verdict::Ignore,
        1 => Verdict::Stop,
        _ => Verdict::Accept,
    }
}

/// Compares each query on what has holes with the same on what has none, through a closure that knows them. Says how many
/// crossings it saw in holes.
fn assert_same<T: Target>(
    cut: &T,
    plain: &T,
    rays: &[Ray],
    is_hole: &(dyn Fn(&Candidate) -> bool + Sync),
) -> usize {
    let holes = |c: &Candidate| if is_hole(c) { Verdict::Ignore } else { Verdict::Accept };
    let both = |c: &Candidate| if is_hole(c) { Verdict::Ignore } else { other(c) };
    let pairs = [
        (Filter::ALL, Filter::new().judge(&holes)),
        (Filter::new().facing(Facing::Front), Filter::new().facing(Facing::Front).judge(&holes)),
        (Filter::new().judge(&other), Filter::new().judge(&both)),
    ];
    let mut through = 0;
    for isa in kernels() {
        let (cut, plain) = (&on_kernel(cut, isa), &on_kernel(plain, isa));
        for (filter, judged) in &pairs {
            for ray in rays {
                let expected = plain.all_hits(ray, judged);
                let context = || format!("{isa}, {ray:?}");
                assert_eq!(all_bits(&cut.all_hits(ray, filter)), all_bits(&expected), "{}", context());
                assert_eq!(cut.closest(ray, filter), expected.first().copied(), "{}", context());
                assert_eq!(cut.closest_cost(ray, filter), expected.first().copied(), "{}", context());
                assert_eq!(cut.occluded(ray, filter), !expected.is_empty(), "{}", context());
                let two = &expected[..expected.len().min(2)];
                assert_eq!(cut.first_n(ray, filter, 2), two, "{}", context());
                through += plain.all_hits(ray, filter).len().saturating_sub(expected.len());
            }
            let closest = plain.closest_batch(rays, judged);
            assert_eq!(hit_bits(&cut.closest_batch(rays, filter)), hit_bits(&closest), "{isa}");
            assert_eq!(cut.occluded_batch(rays, filter), plain.occluded_batch(rays, judged), "{isa}");
            let all = plain.all_hits_batch(rays, judged);
            assert_eq!(list_bits(&cut.all_hits_batch(rays, filter)), list_bits(&all), "{isa}");
            let two = plain.first_n_batch(rays, judged, 2);
            assert_eq!(list_bits(&cut.first_n_batch(rays, filter, 2)), list_bits(&two), "{isa}");
            let (mut records, mut expected) = (Vec::new(), Vec::new());
            cut.closest_records(rays, filter, &mut records);
            plain.closest_records(rays, judged, &mut expected);
            assert_eq!(records, expected, "{isa}");
        }
    }
    // Each kernel saw the same.
    through / kernels().count()
}

/// Rays of every kind at a mesh, and some of a picture of it, which go through the tree side by side.
fn rays_at(of: &TriMesh, count: usize, rng: &mut Rng) -> Vec<Ray> {
    let mut rays: Vec<Ray> = Shooter::new(of).rays(count, rng).iter().map(ray).collect();
    let (middle, size) = (of.middle(), of.half_size().max(1e-3));
    let eye: [f64; 3] = std::array::from_fn(|i| middle[i] + size * [0.3, 0.2, 2.5][i]);
    for i in 0..64 {
        let dir = [0.1 + 0.02 * f64::from(i % 8), 0.1 + 0.02 * f64::from(i / 8), -1.0];
        rays.extend(Ray::new(eye, [-dir[0], -dir[1], dir[2]]));
    }
    rays
}

fn meshes(rng: &mut Rng) -> Vec<TriMesh> {
    let mut meshes = all(rng);
    meshes.retain(|mesh| mesh.triangles.len() <= 700);
    meshes
}

#[test]
fn a_mesh_with_holes_is_one_with_a_closure() {
    let mut rng = Rng::new(rng::seed(651));
    let (mut through, mut asked) = (0, 0);
    for of in meshes(&mut rng) {
        for _ in 0..3 {
            let paint = Paint::random(&of, &mut rng);
            let [plain, cut] = paint.meshes(&of, &mut rng);
            let rays = rays_at(&of, 40, &mut rng);
            through += assert_same(&cut, &plain, &rays, &|c| paint.is_hole(c.prim, c.u, c.v));
            asked += rays.len();
            for ray in &rays {
                let holes = |c: &Candidate| match paint.is_hole(c.prim, c.u, c.v) {
                    true => Verdict::Ignore,
                    false => Verdict::Accept,
                };
                let judged = Filter::new().judge(&holes);
                assert_eq!(cut.intervals(ray, &Filter::ALL), plain.intervals(ray, &judged), "{ray:?}");
                let why = cut.explain(ray, &Filter::ALL);
                for (hit, outcome) in &why.crossings {
                    let in_range = ray.t_min() <= hit.t && hit.t <= ray.t_max();
                    let is_hole = paint.is_hole(hit.prim, hit.u, hit.v);
                    assert_eq!(*outcome == Outcome::Cutout, in_range && is_hole, "{ray:?}");
                    assert_eq!(*outcome == Outcome::Hit, in_range && !is_hole, "{ray:?}");
                }
            }
        }
    }
    assert!(through > asked / 4, "{through} crossings in holes of {asked} rays");
}

/// Worlds of several painted meshes, mirrored ones among them, and what they were at an earlier tick.
#[test]
fn worlds_and_their_past() {
    let mut rng = Rng::new(rng::seed(652));
    let all = meshes(&mut rng);
    let mut through = 0;
    for _ in 0..16 {
        let [mut plain, mut cut] = [World::new(), World::new()];
        let (mut paints, mut rays) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            let of = &all[rng.below(all.len())];
            let paint = Paint::random(of, &mut rng);
            let placement = placements::random(&mut rng, 10.0, 1.0, 3.0);
            let [without, with] = paint.meshes(of, &mut rng);
            plain.insert(Instance::new(without).at(transform(&placement)));
            cut.insert(Instance::new(with).at(transform(&placement)));
            rays.extend(world_rays(&Placed { mesh: of, placement }, &mut rng));
            paints.push(paint);
        }
        let is_hole = |c: &Candidate| paints[c.instance.slot() as usize].is_hole(c.prim, c.u, c.v);
        let plain = plain.commit();
        through += assert_same(&cut.commit(), &plain, &rays, &is_hole);

        cut.keep(2);
        cut.record(7).unwrap();
        let past = cut.history().at(7.0).unwrap();
        let holes = |c: &Candidate| if is_hole(c) { Verdict::Ignore } else { Verdict::Accept };
        for ray in &rays {
            let judged = Filter::new().judge(&holes);
            assert_eq!(past.all_hits(ray, &Filter::ALL), plain.all_hits(ray, &judged));
            assert_eq!(past.intervals(ray, &Filter::ALL), plain.intervals(ray, &judged));
        }
    }
    assert!(through > 1000, "{through} crossings in holes");
}

fn world_rays(placed: &Placed<'_>, rng: &mut Rng) -> Vec<Ray> {
    let rays = Shooter::new(placed.mesh).rays(24, rng);
    let moved = rays.iter().filter_map(|ray| {
        let tip = placed.placement.point(std::array::from_fn(|i| ray.origin[i] + ray.dir[i]));
        Ray::between(placed.placement.point(ray.origin), tip).ok()
    });
    moved.filter_map(|ray| ray.with_range(f64::NEG_INFINITY, f64::INFINITY).ok()).collect()
}

/// What is painted on a mesh moves with it.
#[test]
fn a_refit_keeps_what_is_painted() {
    let mut rng = Rng::new(rng::seed(653));
    for from in meshes(&mut rng) {
        let mut to = from.clone();
        for vertex in &mut to.vertices {
            *vertex = vertex.map(|c| c + rng.range(-0.1, 0.1) as f32);
        }
        let paint = Paint::random(&from, &mut rng);
        let [_, mut moved] = paint.meshes(&from, &mut rng);
        let shared = moved.clone();
        moved.refit(to.vertices.clone()).unwrap();
        let [_, anew] = paint.meshes(&to, &mut rng);
        for ray in rays_at(&to, 40, &mut rng) {
            assert_eq!(moved.all_hits(&ray, &Filter::ALL), anew.all_hits(&ray, &Filter::ALL), "{ray:?}");
        }
        assert_eq!(shared.cutouts().len(), moved.cutouts().len());
        assert_eq!(shared.uvs(), moved.uvs());
    }
}

fn quad(uvs: [[f32; 2]; 4]) -> Mesh {
    let corners = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    Mesh::new(corners, [[0u32, 1, 2], [0, 2, 3]]).unwrap().with_uvs(uvs.to_vec()).unwrap()
}

fn down(x: f64, y: f64) -> Ray {
    Ray::new([x, y, 1.0], [0.0, 0.0, -1.0]).unwrap()
}

const WHOLE: [[f32; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

/// Which of a row of places are there, of a row of texels. Worked out by hand from the figures in the specifications.
#[test]
fn wraps_are_what_the_specification_draws() {
    let row = |wrap| {
        let image = Cutout::new(4, 1, vec![255, 255, 0, 255], 0.5).unwrap().wrap(wrap, wrap);
        let place = |i: i32| (f64::from(i) + 0.5) / 4.0;
        (-8..12).map(|i| if image.keeps([place(i), 0.5]) { '#' } else { '.' }).collect::<String>()
    };
    assert_eq!(row(Wrap::Repeat), "##.###.###.###.###.#");
    assert_eq!(row(Wrap::MirroredRepeat), "##.##.####.##.####.#");
    assert_eq!(row(Wrap::ClampToEdge), "##########.#########");
}

#[test]
fn thresholds_below_and_above_everything() {
    for alpha in [0, 128, 255] {
        let mesh = |threshold| {
            quad(WHOLE).with_cutout(0, Cutout::new(1, 1, vec![alpha], threshold).unwrap()).unwrap()
        };
        assert!(mesh(0.0).occluded(&down(0.3, 0.6), &Filter::ALL));
        assert!(!mesh(2.0).occluded(&down(0.3, 0.6), &Filter::ALL));
    }
}

#[test]
fn coordinates_of_any_size() {
    let image = |wrap| Cutout::new(3, 3, vec![255; 9], 0.5).unwrap().wrap(wrap, wrap);
    for wrap in WRAPS {
        for huge in [1e30, -1e30, f32::MAX, f32::MIN] {
            let mesh = quad([[huge, -huge], [huge, 0.0], [0.0, 0.0], [0.0, huge]]);
            let mesh = mesh.with_cutout(0, image(wrap)).unwrap();
            assert!(
                mesh.occluded(&down(0.3, 0.6), &Filter::ALL) && mesh.occluded(&down(0.6, 0.3), &Filter::ALL)
            );
        }
        for not_finite in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for sampling in [Sampling::Nearest, Sampling::Linear] {
                assert_eq!(image(wrap).sampling(sampling).alpha([not_finite, 0.5]), 1.0);
            }
        }
    }
}

/// A shot exactly at a seam of two triangles is judged on the one that takes it, and no hole opens beside it.
#[test]
fn seams_stay_closed() {
    let half = Cutout::new(2, 1, vec![255, 255], 0.5).unwrap();
    let mesh = quad(WHOLE).with_cutout(0, half).unwrap();
    for i in 0..=64 {
        let at = f64::from(i) / 64.0;
        assert_eq!(mesh.all_hits(&down(at, at), &Filter::ALL).len(), 1, "{at}");
        assert_eq!(mesh.all_hits(&down(at, 0.0), &Filter::ALL).len(), 1, "{at}");
    }
}

#[test]
fn geometry_is_whole() {
    let nothing = Cutout::new(1, 1, vec![0], 0.5).unwrap();
    let mesh = quad(WHOLE).with_cutout(0, nothing).unwrap();
    assert!(!mesh.occluded(&down(0.25, 0.5), &Filter::ALL));
    assert_eq!(mesh.closest_point([0.25, 0.5, 1.0]).map(|nearest| nearest.distance), Some(1.0));
    assert!(mesh.open_edge().is_some());
    let why = mesh.explain(&down(0.25, 0.5), &Filter::ALL);
    assert_eq!((why.hit, why.crossings[0].1, why.near_miss), (None, Outcome::Cutout, None));
    assert_eq!(why.crossings[0].1.reason(), "through a hole of the triangle's cutout");
    let mut world = World::new();
    world.insert(&mesh);
    let why = world.commit().explain(&down(0.25, 0.5), &Filter::new().skip(InstanceId::first(0), 1));
    assert_eq!(why.crossings[0].1, Outcome::Skipped);
}

#[test]
fn what_is_refused() {
    assert_eq!(Cutout::new(0, 4, vec![], 0.5), Err(CutoutError::Empty { width: 0, height: 4 }));
    let error = Cutout::new(u32::MAX, u32::MAX, vec![0], 0.5);
    assert_eq!(error, Err(CutoutError::Size { width: u32::MAX, height: u32::MAX, found: 1 }));
    for bad in [-0.1, f32::INFINITY, f32::NAN] {
        let refused = |cutout| matches!(cutout, Err(CutoutError::Factor { .. }));
        assert!(refused(Cutout::new(1, 1, vec![0], bad)));
        assert!(refused(Cutout::new(1, 1, vec![0], 0.5).unwrap().factor(bad)));
    }
    let bare = Mesh::new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
    let image = Cutout::new(1, 1, vec![0], 0.5).unwrap();
    let error = bare.clone().with_cutout(3, image).unwrap_err();
    assert_eq!(error, MeshError::MissingUvs { material: 3 });
    assert_eq!(
        error.to_string(),
        "the cutout of material 3 has no texture coordinates; each vertex needs a pair"
    );
    let error = bare.clone().with_uvs(vec![[0.0, 0.0], [1.0, f32::NAN], [0.0, 0.0]]).unwrap_err();
    assert_eq!(error.to_string(), "vertex 1: the texture coordinate v is NaN; a mesh needs finite ones");
    assert_eq!(bare.uv(0, 0.2, 0.2), None);
}
