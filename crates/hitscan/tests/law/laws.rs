//! Laws that need no oracle: what a change of the question must do to the answer.

use hitscan::glam::DVec3;
use hitscan::{Candidate, Face, Filter, Hit, Mesh, Verdict};
use hitscan_oracle::brute::Placed;
use hitscan_oracle::meshes::{all, all_solids};
use hitscan_oracle::rays::{KINDS, Kind, Shooter};
use hitscan_oracle::{Ray, Rng, TriMesh, placements, rng};

use crate::support::{Bits, all_bits, bits, kernels, mesh, on_kernel, ray, scene};

/// Asks the same on every kernel and gives the one answer.
fn all_hits(mesh: &Mesh, oracle_ray: &Ray) -> Vec<Hit> {
    let ray = ray(oracle_ray);
    let answers: Vec<Vec<Hit>> =
        kernels().map(|isa| on_kernel(mesh, isa).all_hits(&ray, &Filter::ALL)).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{oracle_ray:?}: {answers:?}");
    answers.into_iter().next().unwrap_or_default()
}

#[test]
fn a_power_of_two_scales_nothing_but_positions() {
    let mut rng = Rng::new(rng::seed(801));
    for oracle_mesh in all(&mut rng) {
        let built = mesh(&oracle_mesh);
        for exponent in [-40, -1, 3, 40] {
            let factor = f64::powi(2.0, exponent);
            let scaled = mesh(&oracle_mesh.scaled(factor as f32));
            // Directions with components of 1e-30 underflow when scaled, which the law leaves out.
            for kind in KINDS.into_iter().filter(|&kind| kind != Kind::Grazing) {
                let ray = Shooter::new(&oracle_mesh).ray(kind, &mut rng);
                let moved = Ray { origin: ray.origin.map(|c| c * factor), ..ray };
                let both = Ray { dir: ray.dir.map(|c| c * factor), ..moved };
                let hits = all_hits(&built, &ray);
                assert_eq!(
                    all_bits(&all_hits(&scaled, &both)),
                    all_bits(&hits),
                    "{}: {ray:?}",
                    oracle_mesh.name
                );
                // With the direction as it was, `t` scales.
                let longer: Vec<Hit> = all_hits(&scaled, &moved);
                let expected: Vec<f64> = hits.iter().map(|hit| hit.t * factor).collect();
                let found: Vec<f64> = longer.iter().map(|hit| hit.t).collect();
                assert_eq!(found, expected, "{}: {ray:?}", oracle_mesh.name);
            }
        }
    }
}

/// A hit without its row, which permutations change.
fn without_row(hits: &[Hit], row: impl Fn(u32) -> u32) -> Vec<(u64, u64, u64, u32, bool)> {
    let mut all: Vec<_> = hits
        .iter()
        .map(|h| (h.t.to_bits(), h.u.to_bits(), h.v.to_bits(), row(h.prim), h.facing == Face::Front))
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn permuting_triangles_permutes_rows() {
    let mut rng = Rng::new(rng::seed(802));
    // On border corners the lowest row is hit, so only closed meshes keep every hit.
    for solid in all_solids() {
        let built = mesh(&solid.mesh);
        let (permuted, old_rows) = solid.mesh.permuted(&mut rng);
        let permuted = mesh(&permuted);
        for ray in Shooter::new(&solid.mesh).rays(120, &mut rng) {
            let expected = without_row(&all_hits(&built, &ray), |row| row);
            let found = without_row(&all_hits(&permuted, &ray), |row| old_rows[row as usize]);
            assert_eq!(found, expected, "{}: {ray:?}", solid.mesh.name);
        }
    }
}

#[test]
fn the_numbering_of_vertices_does_not_matter() {
    let mut rng = Rng::new(rng::seed(803));
    for oracle_mesh in all(&mut rng) {
        let (built, apart) = (mesh(&oracle_mesh), mesh(&oracle_mesh.unshared()));
        for ray in Shooter::new(&oracle_mesh).rays(120, &mut rng) {
            assert_eq!(all_hits(&apart, &ray), all_hits(&built, &ray), "{}: {ray:?}", oracle_mesh.name);
        }
    }
}

#[test]
fn turning_triangles_over_turns_facing() {
    let mut rng = Rng::new(rng::seed(804));
    for oracle_mesh in all(&mut rng) {
        let mut turned = oracle_mesh.clone();
        turned.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        let (built, turned) = (mesh(&oracle_mesh), mesh(&turned));
        for ray in Shooter::new(&oracle_mesh).rays(120, &mut rng) {
            let key = |front: bool, hits: &[Hit]| -> Vec<(u32, bool)> {
                let mut all: Vec<_> =
                    hits.iter().map(|hit| (hit.prim, (hit.facing == Face::Front) == front)).collect();
                all.sort_unstable();
                all
            };
            // The interval may cut off a `t` that another order of sums rounds to the other side.
            let (there, back) = (all_hits(&built, &ray.line()), all_hits(&turned, &ray.line()));
            assert_eq!(key(false, &back), key(true, &there), "{}: {ray:?}", oracle_mesh.name);
        }
    }
}

#[test]
fn the_longer_the_interval_the_more_hits() {
    let mut rng = Rng::new(rng::seed(805));
    for oracle_mesh in all(&mut rng) {
        let built = mesh(&oracle_mesh);
        for ray in Shooter::new(&oracle_mesh).rays(60, &mut rng) {
            let whole = all_hits(&built, &ray.line());
            for _ in 0..4 {
                let (a, b) = (rng.range(-1.0, 2.0), rng.range(-1.0, 2.0));
                let (low, high) = (a.min(b), a.max(b));
                let part = all_hits(&built, &ray.within(low, high));
                let expected: Vec<Hit> =
                    whole.iter().copied().filter(|hit| low <= hit.t && hit.t <= high).collect();
                assert_eq!(part, expected, "{}: {ray:?} in [{low}, {high}]", oracle_mesh.name);
            }
        }
    }
}

#[test]
fn a_judge_removes_hits_and_nothing_else() {
    let mut rng = Rng::new(rng::seed(806));
    for oracle_mesh in all(&mut rng) {
        let built = mesh(&oracle_mesh);
        for oracle_ray in Shooter::new(&oracle_mesh).rays(60, &mut rng) {
            let ray = ray(&oracle_ray);
            let judge = |c: &Candidate| if c.prim % 3 == 1 { Verdict::Ignore } else { Verdict::Accept };
            let filter = Filter::new().judge(&judge);
            let wanted: Vec<Bits> =
                all_hits(&built, &oracle_ray).iter().filter(|hit| hit.prim % 3 != 1).map(bits).collect();
            for isa in kernels() {
                let built = on_kernel(&built, isa);
                let context = format!("{isa}, {}: {ray:?}", oracle_mesh.name);
                assert_eq!(all_bits(&built.all_hits(&ray, &filter)), wanted, "{context}");
                assert_eq!(
                    built.closest(&ray, &filter).as_ref().map(bits),
                    wanted.first().copied(),
                    "{context}"
                );
                assert_eq!(built.occluded(&ray, &filter), !wanted.is_empty(), "{context}");
                let two = &wanted[..wanted.len().min(2)];
                assert_eq!(all_bits(&built.first_n(&ray, &filter, 2)), two, "{context}");
            }
        }
    }
}

/// What a hit says beyond the law's bits: where it is, and which way its triangle looks.
#[test]
fn positions_lie_on_the_triangle_and_normals_across_it() {
    let mut rng = Rng::new(rng::seed(807));
    let mut sides = 0;
    for oracle_mesh in all(&mut rng) {
        let placement = placements::random(&mut rng, 20.0, 3.0, 10.0);
        let built = scene(&[Placed { mesh: &oracle_mesh, placement }]);
        for kind in KINDS {
            let local = Shooter::new(&oracle_mesh).ray(kind, &mut rng);
            let tip = placement.point(std::array::from_fn(|i| local.origin[i] + local.dir[i]));
            let question = ray(&Ray::towards(placement.point(local.origin), tip));
            for hit in built.all_hits(&question, &Filter::ALL) {
                let context = format!("{}: {question:?}: {hit:?}", oracle_mesh.name);
                let [a, b, c] = oracle_mesh.corners(hit.prim as usize).map(|corner| corner.map(f64::from));
                let (u, v) = (hit.u, hit.v);
                assert!(
                    (0.0..=1.0).contains(&u) && (0.0..=1.0).contains(&v) && u + v <= 1.0 + 1e-15,
                    "{context}"
                );
                let point =
                    placement.point(std::array::from_fn(|i| (1.0 - u - v) * a[i] + u * b[i] + v * c[i]));
                let size = point.iter().fold(30.0f64, |m, c| m.max(c.abs()));
                let off = (0..3).fold(0.0f64, |m, i| m.max((hit.position[i] - point[i]).abs()));
                assert!(off <= 1e-13 * size, "{context}: off by {off}");
                assert!((hit.normal.length() - 1.0).abs() < 1e-12, "{context}");
                assert_eq!(hit.distance, hit.t * question.dir().length(), "{context}");

                let [a, b, c] = [a, b, c].map(|corner| DVec3::from(placement.point(corner)));
                let cross = (b - a).cross(c - a);
                let longest = (b - a).length().max((c - a).length()).max((c - b).length());
                // Slivers have no direction left to compare.
                if cross.length() > 1e-6 * longest * longest {
                    assert!(cross.normalize().dot(hit.normal) > 0.999, "{context}");
                    let against = hit.normal.dot(question.dir()) / question.dir().length();
                    if against.abs() > 1e-3 && kind != Kind::Far {
                        assert_eq!(hit.facing == Face::Front, against < 0.0, "{context}");
                        sides += 1;
                    }
                }
            }
        }
    }
    assert!(sides > 30, "{sides}");
}

/// Triangles with one box that a ray crosses from the last row to the first: each comes before all that were met. With the square
/// of their number this would take minutes.
#[test]
fn the_first_n_of_many_are_the_first_of_all() {
    let n = 200_000u32;
    let mut vertices = vec![[-1.0f32, -1.0, 0.0], [1.0, -1.0, 1.0]];
    vertices.extend((0..n).map(|row| [0.0, 1.0, row as f32 / n as f32]));
    let pile = mesh(&TriMesh::new("pile", vertices, (0..n).map(|row| [0, 1, 2 + row]).collect()));
    let ray = hitscan::Ray::new([0.0, 0.0, 9.0], [0.0, 0.0, -1.0]).unwrap();
    let ends = |candidate: &Candidate| if candidate.prim == 7 { Verdict::Stop } else { Verdict::Accept };
    for isa in kernels() {
        let pile = on_kernel(&pile, isa);
        for filter in [Filter::ALL, Filter::ALL.judge(&ends)] {
            let all = pile.all_hits(&ray, &filter);
            for n in [1, 63, 64, 65, 66, 1_000, 99_999, n as usize, usize::MAX] {
                let first = pile.first_n(&ray, &filter, n);
                assert_eq!(first, all[..n.min(all.len())], "{isa}, first {n}");
                if n == 1_000 {
                    let lists = pile.first_n_batch(&[ray; 2], &filter, n);
                    assert!(lists.iter().all(|list| *list == first), "{isa}, batch");
                }
            }
        }
    }
}
