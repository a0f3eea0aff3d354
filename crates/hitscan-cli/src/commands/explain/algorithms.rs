//! What each algorithm computes, from the library's own traces.

use hitscan::glam::DVec3;
use hitscan::intersect::{
    CollisionMatrix, Inclusion, Segment, TriangleHit, TriangleSums, WatertightPlace, line_triangle,
    ray_triangle_moeller_trumbore, ray_triangle_moeller_trumbore_one_sided, ray_triangle_through_plane,
    ray_triangle_through_plane_trace,
};
use hitscan::shape::Triangle;
use hitscan::{Filter, Mesh, Ray};
use serde::Serialize;

use crate::aim;
use crate::failure::Failure;
use crate::truth;
use crate::watertight::as_a_mesh;

/// What one algorithm says, and why.
#[derive(Debug, Serialize)]
pub struct Explained {
    pub algorithm: &'static str,
    pub hit: bool,
    /// Why it is a miss, in a few words.
    pub reason: Option<&'static str>,
    /// In the algorithm's own unit, positive against the normal; none where it has none.
    pub determinant: Option<f64>,
    /// Of A, B and C; none for a parallel ray.
    pub weights: Option<[f64; 3]>,
    pub t: Option<f64>,
    /// Which side the line meets.
    pub facing: Option<&'static str>,
    /// What else it looks at.
    pub values: Vec<Value>,
}

/// A named value, or one for each corner.
#[derive(Debug, Serialize)]
pub struct Value {
    pub what: &'static str,
    pub numbers: Vec<f64>,
}

impl Explained {
    /// In words.
    pub fn verdict(&self) -> String {
        match (self.hit, self.reason) {
            (true, _) => "hit".to_owned(),
            (false, None) => "miss".to_owned(),
            (false, Some(reason)) => format!("miss, {reason}"),
        }
    }

    fn new(algorithm: &'static str, sums: &TriangleSums, hit: Option<TriangleHit>) -> Explained {
        let weights = sums.weights.map(|weight| weight / sums.det.abs());
        Line { det: sums.det, weights, t: sums.t }.explained(algorithm, hit.is_some(), sums.inside)
    }

    fn with(mut self, what: &'static str, numbers: impl Into<Vec<f64>>) -> Explained {
        // Never -0.
        let numbers = numbers.into().into_iter().map(|x| x + 0.0).collect();
        self.values.push(Value { what, numbers });
        self
    }
}

/// What all algorithms have.
struct Line {
    det: f64,
    weights: [f64; 3],
    t: f64,
}

impl Line {
    fn explained(&self, algorithm: &'static str, hit: bool, inside: bool) -> Explained {
        let crosses = self.det != 0.0;
        let reason = match (hit, crosses, inside) {
            (true, ..) => None,
            (_, false, _) => Some("parallel or no area"),
            (_, _, false) => Some("outside"),
            (_, _, true) => Some("beyond the ends"),
        };
        Explained {
            algorithm,
            hit,
            reason,
            determinant: Some(self.det + 0.0),
            weights: crosses.then(|| self.weights.map(|weight| weight + 0.0)),
            t: Some(self.t + 0.0).filter(|t| t.is_finite()),
            facing: crosses.then_some(if self.det > 0.0 { "front" } else { "back" }),
            values: Vec::new(),
        }
    }
}

/// Every algorithm's answer; exact arithmetic comes first. `to` is where the ray ends, if it does.
pub fn explained(triangle: &Triangle, ray: &Ray, to: Option<DVec3>) -> Result<Vec<Explained>, Failure> {
    let mut all = vec![exact(triangle, ray)];
    all.extend(moeller_trumbore(triangle, ray));
    all.push(collision_matrix(triangle, ray, to)?);
    all.extend(Inclusion::ALL.map(|inclusion| through_plane(triangle, ray, inclusion)));
    all.push(watertight(triangle, ray)?);
    Ok(all)
}

fn exact(triangle: &Triangle, ray: &Ray) -> Explained {
    let truth = truth::ray_triangle(ray, triangle);
    let line = Line { det: truth.det, weights: truth.weights, t: truth.t };
    line.explained("exact arithmetic", truth.ray, truth.line)
}

/// What the weights are before they are divided.
const WEIGHTS: &str = "weights times |determinant|";

fn moeller_trumbore(triangle: &Triangle, ray: &Ray) -> [Explained; 3] {
    let sums = TriangleSums::moeller_trumbore(ray, triangle);
    let hit = ray_triangle_moeller_trumbore(ray, triangle);
    let front = ray_triangle_moeller_trumbore_one_sided(ray, triangle);
    let mut one_sided = Explained::new("Moeller-Trumbore, one-sided", &sums, front);
    if front.is_none() && hit.is_some() {
        one_sided.reason = Some("from behind");
    }
    let line = Explained::new("line query", &sums, line_triangle(ray, triangle));
    [Explained::new("Moeller-Trumbore", &sums, hit).with(WEIGHTS, sums.weights), one_sided, line]
}

/// Of both ends where there are two: a segment needs no direction, which rounds.
fn collision_matrix(triangle: &Triangle, ray: &Ray, to: Option<DVec3>) -> Result<Explained, Failure> {
    let segment = to.map(|to| Segment::new(ray.origin(), to)).transpose();
    let segment = segment.map_err(|error| aim::failure(error, "--to"))?;
    let name = "collision matrix";
    let Ok(matrix) = CollisionMatrix::new(triangle) else {
        let none = Line { det: 0.0, weights: [f64::NAN; 3], t: f64::NAN };
        return Ok(Explained { determinant: None, ..none.explained(name, false, false) });
    };
    let (trace, hit, second) = match segment {
        Some(path) => (matrix.trace(&path), matrix.hit(&path), "height of --to"),
        None => (matrix.trace(ray), matrix.hit(ray), "slope of --dir"),
    };
    let mut found = Explained::new(name, &trace.sums, hit);
    let [start, end] = trace.heights;
    let one_side = start != 0.0 && end != 0.0 && (start > 0.0) == (end > 0.0);
    if !found.hit && segment.is_some() && one_side {
        found.reason = Some("both ends on one side");
    }
    Ok(found.with("height of --from", [start]).with(second, [end]).with(WEIGHTS, trace.sums.weights))
}

/// What is known of a line that is parallel to the plane, too.
const SLOPE: &str = "slope, n . D";
const HEIGHT: &str = "height, n . (O - A)";

fn through_plane(triangle: &Triangle, ray: &Ray, inclusion: Inclusion) -> Explained {
    let trace = ray_triangle_through_plane_trace(ray, triangle, inclusion);
    let hit = ray_triangle_through_plane(ray, triangle, inclusion);
    let found = |name| Explained::new(name, &trace.sums, hit);
    let mut found = match inclusion {
        Inclusion::Barycentric => found("plane, barycentric").with(WEIGHTS, trace.sums.weights),
        Inclusion::CrossingCount => found("plane, crossing count")
            .with("edges that a half-line crosses", [trace.crossings as f64])
            .with("lies on the outline: 1, else 0", [f64::from(u8::from(trace.on_outline))]),
        Inclusion::AngleSum => {
            let sum: f64 = trace.angles.iter().sum();
            found("plane, angle sum")
                .with("angles in radians", trace.angles)
                .with("their sum", [sum])
                .with("less a full turn", [sum - std::f64::consts::TAU])
        }
        _ => found("plane, edge functions")
            .with(SLOPE, [trace.slope])
            .with(HEIGHT, [trace.height])
            .with("edge values", trace.edge_values),
    };
    if trace.slope == 0.0 {
        // Where the line meets no plane, there is no point whose place in the triangle could be looked at.
        found.values.retain(|value| [SLOPE, HEIGHT].contains(&value.what));
    }
    found
}

/// By a mesh of this triangle alone, all of whose edges are borders.
fn watertight(triangle: &Triangle, ray: &Ray) -> Result<Explained, Failure> {
    let (in_f32, corners) = as_a_mesh(ray, triangle);
    let mesh = Mesh::new(corners, [[0u32, 1, 2]]).map_err(|error| Failure::new("--triangle", error))?;
    let trace = in_f32.trace(corners);
    let hit = mesh.closest(ray, &Filter::ALL).is_some();
    let weights = trace.edge_values.map(|value| value / trace.det);
    let line = Line { det: trace.det, weights, t: trace.t };
    let found = line.explained("watertight recipe, f32", hit, trace.place != WatertightPlace::Miss);
    Ok(found.with("edge values", trace.edge_values))
}
