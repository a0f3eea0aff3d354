//! Ray and triangle, by every algorithm, one at a time and many at a time.

use hitscan::Ray;
use hitscan::intersect::{
    CollisionMatrix, HitColumns, Inclusion, MatrixColumns, Precision, TriangleColumns, WatertightPlace,
    WatertightRay, line_triangle, ray_triangle_moeller_trumbore, ray_triangle_moeller_trumbore_one_sided,
    ray_triangle_through_plane, ray_triangles_collision_matrix, ray_triangles_moeller_trumbore,
    ray_triangles_moeller_trumbore_one_sided, ray_triangles_through_plane,
};
use hitscan::shape::Triangle;

use super::inputs::{Kind, Rng, towards, triangle};
use super::measure::{self, Algorithm, Forms, Hits, LANES, Row, alone, each, one_by_one};
use crate::truth;
use crate::watertight::as_a_mesh;

/// One ray and 16 triangles, in every form in which algorithms keep them.
struct Group {
    ray: Ray,
    triangles: Vec<Triangle>,
    matrices: Vec<CollisionMatrix>,
    doubles: Blocks<f64>,
    singles: Blocks<f32>,
    watertight: Vec<(WatertightRay, [[f32; 3]; 3])>,
    /// Exactly: of the ray, of the ray from the front, and of its line.
    truth: [Hits; 3],
}

/// 8 and 16 at a time.
struct Blocks<T> {
    eight: Vec<TriangleColumns<T, 8>>,
    sixteen: Vec<TriangleColumns<T, 16>>,
    matrices_of_eight: Vec<MatrixColumns<T, 8>>,
    matrices_of_sixteen: Vec<MatrixColumns<T, 16>>,
}

impl<T: Precision> Blocks<T> {
    fn new(triangles: &[Triangle], matrices: &[CollisionMatrix]) -> Blocks<T> {
        Blocks {
            eight: TriangleColumns::blocks(triangles),
            sixteen: TriangleColumns::blocks(triangles),
            matrices_of_eight: matrices.chunks(8).map(MatrixColumns::new).collect(),
            matrices_of_sixteen: matrices.chunks(16).map(MatrixColumns::new).collect(),
        }
    }
}

impl Group {
    fn new(kind: Kind, rng: &mut Rng) -> Option<Group> {
        let target = kind.place(rng);
        let ray = towards(target, rng)?;
        let mut triangles = Vec::new();
        while triangles.len() < LANES {
            triangles.extend(triangle(kind, &ray, target, rng));
        }
        let matrices: Result<Vec<CollisionMatrix>, _> = triangles.iter().map(CollisionMatrix::new).collect();
        let matrices = matrices.ok()?;
        let exact: Vec<truth::Crossing> =
            triangles.iter().map(|triangle| truth::ray_triangle(&ray, triangle)).collect();
        Some(Group {
            doubles: Blocks::new(&triangles, &matrices),
            singles: Blocks::new(&triangles, &matrices),
            watertight: triangles.iter().map(|triangle| as_a_mesh(&ray, triangle)).collect(),
            truth: [
                each(|i| exact[i].ray),
                each(|i| exact[i].ray && exact[i].det > 0.0),
                each(|i| exact[i].line),
            ],
            ray,
            triangles,
            matrices,
        })
    }
}

/// What blocks found, as bits.
#[inline(always)]
fn bits<T: Precision, const N: usize>(all: &mut Hits, block: usize, found: &HitColumns<T, N>) {
    for (lane, t) in found.t().iter().enumerate() {
        *all |= Hits::from(*t < T::INFINITY) << (block * N + lane);
    }
}

/// The three forms of a test whose blocks are asked by one function.
macro_rules! forms {
    ($one:expr, $many:ident $(, $inclusion:expr)?; $precision:ident . $eight:ident, $sixteen:ident) => {
        [$one, Some(|group| forms!(@ group, $many $(, $inclusion)?; $precision . $eight)),
            Some(|group| forms!(@ group, $many $(, $inclusion)?; $precision . $sixteen))]
    };
    (@ $group:ident, $many:ident $(, $inclusion:expr)?; $precision:ident . $blocks:ident) => {{
        let mut all = 0;
        $many(&$group.ray, &$group.$precision.$blocks $(, $inclusion)?, |block, found| {
            bits(&mut all, block, found);
        });
        all
    }};
}

/// A test of one ray and one triangle.
macro_rules! one {
    ($test:expr) => {
        Some(|group| alone(|i| $test(&group.ray, &group.triangles[i]).is_some()))
    };
}

/// The rows of all algorithms.
pub fn rows(seed: u64) -> Vec<Row> {
    measure::rows(&algorithms(), &measure::groups(seed, Group::new))
}

fn algorithms() -> Vec<Algorithm<Group>> {
    use ray_triangle_through_plane as plane;
    use ray_triangles_collision_matrix as matrices;
    use ray_triangles_moeller_trumbore as cramer;
    use ray_triangles_moeller_trumbore_one_sided as front;
    use ray_triangles_through_plane as planes;
    let algorithm = |name, forms: Forms<Group>, truth: fn(&Group) -> Hits| Algorithm {
        pair: "ray, triangle",
        name,
        forms,
        truth,
    };
    let closed: fn(&Group) -> Hits = |group| group.truth[0];
    let from_front: fn(&Group) -> Hits = |group| group.truth[1];
    let of_line: fn(&Group) -> Hits = |group| group.truth[2];
    let matrix: Option<fn(&Group) -> Hits> =
        Some(|group| alone(|i| group.matrices[i].hit(&group.ray).is_some()));
    let line: Forms<Group> = one_by_one!(|group, i| line_triangle(&group.ray, &group.triangles[i]).is_some());
    let watertight: Forms<Group> = one_by_one!(|group, i| {
        let (ray, corners) = &group.watertight[i];
        let found = ray.trace(*corners);
        found.place != WatertightPlace::Miss && found.in_interval
    });
    const EDGES: Inclusion = Inclusion::EdgeFunctions;
    const WEIGHTS: Inclusion = Inclusion::Barycentric;
    const CROSSINGS: Inclusion = Inclusion::CrossingCount;
    const ANGLES: Inclusion = Inclusion::AngleSum;
    vec![
        algorithm(
            "Moeller-Trumbore",
            forms!(one!(ray_triangle_moeller_trumbore), cramer; doubles.eight, sixteen),
            closed,
        ),
        algorithm("Moeller-Trumbore, f32 lanes", forms!(None, cramer; singles.eight, sixteen), closed),
        algorithm(
            "Moeller-Trumbore, one-sided",
            forms!(one!(ray_triangle_moeller_trumbore_one_sided), front; doubles.eight, sixteen),
            from_front,
        ),
        algorithm("line query", line, of_line),
        algorithm(
            "collision matrix",
            forms!(matrix, matrices; doubles.matrices_of_eight, matrices_of_sixteen),
            closed,
        ),
        algorithm(
            "collision matrix, f32 lanes",
            forms!(None, matrices; singles.matrices_of_eight, matrices_of_sixteen),
            closed,
        ),
        algorithm(
            "plane, edge functions",
            forms!(one!(|ray, triangle| plane(ray, triangle, EDGES)), planes, EDGES; doubles.eight, sixteen),
            closed,
        ),
        algorithm(
            "plane, edge functions, f32 lanes",
            forms!(None, planes, EDGES; singles.eight, sixteen),
            closed,
        ),
        algorithm(
            "plane, barycentric",
            forms!(one!(|ray, triangle| plane(ray, triangle, WEIGHTS)), planes, WEIGHTS; doubles.eight, sixteen),
            closed,
        ),
        algorithm(
            "plane, crossing count",
            forms!(one!(|ray, triangle| plane(ray, triangle, CROSSINGS)), planes, CROSSINGS; doubles.eight, sixteen),
            closed,
        ),
        algorithm(
            "plane, angle sum",
            forms!(one!(|ray, triangle| plane(ray, triangle, ANGLES)), planes, ANGLES; doubles.eight, sixteen),
            closed,
        ),
        algorithm("watertight recipe, f32", watertight, closed),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_an_algorithm_answer_alike_and_random_rays_rightly() {
        for (kind, seed) in Kind::ALL.into_iter().flat_map(|kind| (0..40).map(move |seed| (kind, seed))) {
            let Some(group) = Group::new(kind, &mut Rng::new(seed)) else { continue };
            for algorithm in algorithms() {
                let answers: Vec<Hits> = algorithm.forms.iter().flatten().map(|form| form(&group)).collect();
                let name = algorithm.name;
                assert!(
                    answers.iter().all(|hits| *hits == answers[0]),
                    "{name} {kind:?} {seed}: {answers:x?}"
                );
                if kind == Kind::Random {
                    assert_eq!(answers[0], (algorithm.truth)(&group), "{name} {seed}");
                }
            }
            let [ray, front, line] = group.truth;
            assert!(front & !ray == 0 && ray & !line == 0);
            assert!(kind != Kind::Random || (ray != 0 && ray != Hits::MAX), "both answers occur");
        }
    }
}
