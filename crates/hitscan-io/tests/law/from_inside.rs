//! No ray escapes from inside a closed mesh, asked alone and where it stands in its scene.

use hitscan::{Filter, Isa, Ray, Scene};
use hitscan_oracle::brute::Placed;
use hitscan_oracle::closed::{is_closed, point_inside, welded};
use hitscan_oracle::suite::{Case, outline};
use hitscan_oracle::{Rng, rng};

use crate::compare::{Target, kernels, on_kernel, ray, share};
use crate::crossings::{assert_no_faults, signed_crossings};
use crate::is_long;
use crate::subject::{Subject, subjects};

/// A debug build takes one point of the outlines in so many; an odd number, since two points of each edge alternate.
const STEP: usize = if cfg!(debug_assertions) { 11 } else { 1 };

/// Rays from inside each instance through the whole scene, at most.
const RAYS_PER_INSTANCE: usize = if cfg!(debug_assertions) { 200 } else { 2_000 };

/// Rays at edges and corners of all scenes, at least; the built-in ones alone have more than a million.
fn least() -> usize {
    match (is_long(), cfg!(debug_assertions)) {
        (true, _) => 100_000_000,
        (false, true) => 100_000,
        (false, false) => 1_000_000,
    }
}

/// A closed mesh of a scene.
struct Closed {
    /// Row of the model's meshes.
    row: usize,
    /// Welded.
    case: Case,
    inside: [f64; 3],
    /// How many times the outline goes around `inside`.
    depth: i32,
    /// Points of it.
    outline: Vec<[f64; 3]>,
}

/// The closed meshes of a scene; all others are open.
fn closed_meshes(subject: &Subject, rng: &mut Rng) -> Vec<Closed> {
    let mut closed = Vec::new();
    for (row, mesh) in subject.meshes.iter().enumerate() {
        let welded = welded(mesh);
        if is_closed(&welded) {
            let found = point_inside(&welded, rng);
            let (inside, depth) = found.unwrap_or_else(|| panic!("{}: no line goes inside", welded.name));
            let outline = outline(&welded, rng).into_iter().step_by(STEP).collect();
            let case = Case { mesh: welded, inside: Some((inside, depth)) };
            closed.push(Closed { row, case, inside, depth, outline });
        }
    }
    assert_eq!(subject.meshes.len() - closed.len(), subject.open_meshes, "{}: open meshes", subject.name);
    closed
}

/// The kernels, each of which takes its share of the rays; the shares change from round to round.
struct Shares {
    kernels: Vec<Isa>,
    round: usize,
}

impl Shares {
    /// Hands the target on each kernel, and the rays that it is asked.
    fn deal<T: Target, R>(&self, target: &T, rays: &[R], mut ask: impl FnMut(&T, &[R])) {
        for (number, &isa) in self.kernels.iter().enumerate() {
            let turn = (number + self.round) % self.kernels.len();
            ask(&on_kernel(target, isa), share(rays, turn, self.kernels.len()));
        }
    }
}

/// Asks the mesh in its own frame; gives how many rays were traced.
fn assert_tight(subject: &Subject, closed: &Closed, shares: &Shares, rng: &mut Rng) -> usize {
    let mesh = &subject.model.meshes[closed.row].mesh;
    let name = format!("{}, {}", subject.name, subject.meshes[closed.row].name);
    let mut aimed = closed.case.aim(&closed.outline, rng);
    let some: Vec<[f64; 3]> = closed.outline.iter().step_by(3).copied().collect();
    aimed.append(&mut closed.case.lines(&some, rng));
    shares.deal(mesh, &aimed, |mesh, aimed| assert_no_faults(mesh, &name, aimed));
    aimed.len()
}

/// Asks the scene from inside one of its instances; gives how many rays were traced.
fn assert_tight_in_scene(
    scene: &Scene,
    instance: usize,
    placed: &Placed<'_>,
    closed: &Closed,
    shares: &Shares,
) -> usize {
    let Placed { mesh, placement } = placed;
    // A mirrored outline is inside out.
    let depth = if placement.determinant() < 0.0 { -closed.depth } else { closed.depth };
    let inside = placement.point(closed.inside);
    let towards = |&point: &[f64; 3]| ray(&hitscan_oracle::Ray::towards(inside, placement.point(point)));
    let step = closed.outline.len().div_ceil(RAYS_PER_INSTANCE) | 1;
    let out: Vec<Ray> = closed.outline.iter().step_by(step).map(towards).collect();
    shares.deal(scene, &out, |scene, out| {
        let isa = scene.isa();
        let all = scene.all_hits_batch(out, &Filter::ALL);
        let occluded = scene.occluded_batch(out, &Filter::ALL);
        for (i, ray) in out.iter().enumerate() {
            let own = all.get(i).iter().filter(|hit| hit.instance.slot() as usize == instance);
            assert_eq!(signed_crossings(own), -depth, "{isa}, {} {instance}: {ray:?}", mesh.name);
            assert!(occluded[i], "{isa}, {} {instance}: {ray:?}", mesh.name);
        }
    });
    out.len()
}

/// Asks the closed meshes of a scene, alone and where they stand; gives how many rays were traced.
fn assert_scene_is_tight(subject: &Subject, shares: &Shares, rng: &mut Rng) -> usize {
    let closed = closed_meshes(subject, rng);
    let alone: usize = closed.iter().map(|closed| assert_tight(subject, closed, shares, rng)).sum();
    let (scene, placed) = (subject.scene(), subject.placed());
    let mut in_scene = 0;
    for closed in &closed {
        for (instance, placed) in placed.iter().enumerate() {
            if subject.model.nodes[instance].mesh == closed.row {
                in_scene += assert_tight_in_scene(&scene, instance, placed, closed, shares);
            }
        }
    }
    eprintln!(
        "{}: {alone} rays from inside and through its {} closed meshes, {in_scene} more in the scene; \
         skipped: {} open meshes",
        subject.name,
        closed.len(),
        subject.open_meshes
    );
    assert!(closed.is_empty() || (alone > 0 && in_scene > 0), "{}: rays were traced", subject.name);
    alone + in_scene
}

#[test]
fn no_ray_escapes_from_inside() {
    let mut rng = Rng::new(rng::seed(903));
    let mut shares = Shares { kernels: kernels().collect(), round: 0 };
    let mut traced = 0;
    // Each round has points inside and on edges of its own.
    while traced < least() {
        traced += subjects().map(|subject| assert_scene_is_tight(&subject, &shares, &mut rng)).sum::<usize>();
        shares.round += 1;
    }
    eprintln!("{traced} rays at edges and corners, shared out among {:?}", shares.kernels);
}
