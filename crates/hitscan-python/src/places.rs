//! Questions about points.

use std::fmt;
use std::iter;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use hitscan::{Buffer, ClosestPoint, Filter, InstanceId, MAX_COORDINATE, OpenInstanceError, Rule, Scene};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers::{self, Column, Room, Written};
use crate::apart::Span;
use crate::batch::{self, Flaw, How, Questions, Task};
use crate::errors::refused;
use crate::mesh::Mesh;
use crate::points::{Given, Points, named};
use crate::target::Target;

/// Points that are asked about.
struct Asked<'a>(Points<'a>);

/// Why a point is none.
pub struct Bad {
    axis: char,
    value: f64,
}

impl Bad {
    /// The first coordinate that is no number or beyond `most`.
    pub fn of(point: [f64; 3], most: f64) -> Option<Bad> {
        let mut axes = ['x', 'y', 'z'].into_iter().zip(point);
        let bad = |value: f64| value.is_nan() || value.abs() > most;
        axes.find(|&(_, value)| bad(value)).map(|(axis, value)| Bad { axis, value })
    }
}

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bad { axis, value } = self;
        if value.is_finite() {
            write!(f, "{axis} is {value:e}; a point needs coordinates of at most 2^100")
        } else {
            write!(f, "{axis} is {value}; a point needs finite numbers")
        }
    }
}

impl Questions for Asked<'_> {
    type Question = [f64; 3];
    type Memory = Vec<[f64; 3]>;

    fn count(&self) -> usize {
        self.0.count
    }

    fn read(&self, rows: Range<usize>, points: &mut Vec<[f64; 3]>, take: impl FnMut(Option<[f64; 3]>)) {
        self.0.read(rows, points);
        // No comparison holds for NaN.
        let sound =
            |point: &[f64; 3]| point.iter().all(|value| value.abs() <= MAX_COORDINATE).then_some(*point);
        points.iter().map(sound).for_each(take);
    }

    fn flaw(&self, row: usize) -> Option<Flaw> {
        let bad = Bad::of(self.0.get(row), MAX_COORDINATE)?;
        Some(Flaw { argument: "points", row, why: bad.to_string() })
    }
}

/// Points of a task: nearer to each other than any rays, and mostly slower to answer.
const MOST: usize = 256;
/// The same where each point may look at many edges.
const FEW: usize = 8;
/// Edges that all points of such a task look at: some hundredths of a second.
const LOOKS: usize = 1 << 22;
/// The same where a mesh is asked about all together: the nearer they lie to each other, the more they have in common.
const MANY: usize = 1 << 16;

/// Points of a task that looks at the boundary of a mesh, which is known.
fn around(mesh: &hitscan::Mesh) -> usize {
    (LOOKS / (mesh.boundary_edges() + 1)).clamp(FEW, MANY)
}

fn rule(name: &str) -> PyResult<Rule> {
    match name {
        "parity" => Ok(Rule::Parity),
        "winding" => Ok(Rule::Winding),
        _ => Err(PyValueError::new_err(format!("rule is {name:?}; expected 'parity' or 'winding'"))),
    }
}

/// What a point lies in: in a mesh, or in anything of a scene.
struct Inside<'a> {
    target: &'a Target,
    rule: Rule,
    filter: Filter<'a>,
    /// The first error, with its point's row.
    error: Mutex<Option<(usize, OpenInstanceError)>>,
}

impl<'a> Inside<'a> {
    /// Finds out first what the rule needs to know of meshes.
    fn new(
        py: Python<'_>,
        how: &How,
        target: &'a Target,
        rule: Rule,
        filter: Filter<'a>,
    ) -> PyResult<Inside<'a>> {
        target.know(py, rule, how.threads)?;
        if let Target::Mesh(mesh, _) = target {
            // Says so also where there are no points.
            mesh.contains_by([f64::NAN; 3], rule).map_err(|error| refused("rule", None, error))?;
        }
        Ok(Inside { target, rule, filter, error: Mutex::new(None) })
    }

    /// For each point of a task; outside from an error on.
    fn of(&self, task: &Task<[f64; 3]>, holding: &mut Buffer<InstanceId>) -> Vec<bool> {
        let mut answers = match self.target {
            // It is closed.
            Target::Mesh(mesh, _) if task.questions.len() > batch::FEW => {
                mesh.contains_by_batch(&task.questions, self.rule).unwrap_or_default()
            }
            Target::Mesh(mesh, _) => {
                let holds = |&point: &[f64; 3]| mesh.contains_by(point, self.rule).unwrap_or_default();
                task.questions.iter().map(holds).collect()
            }
            Target::Scene(scene, _) => self.of_scene(scene, task, holding),
        };
        task.spread(&mut answers, &false);
        answers
    }

    /// The same of a scene.
    fn of_scene(&self, scene: &Scene, task: &Task<[f64; 3]>, holding: &mut Buffer<InstanceId>) -> Vec<bool> {
        let mut answers = Vec::with_capacity(task.rows());
        for (question, &point) in task.questions.iter().enumerate() {
            match scene.containing_into(point, self.rule, &self.filter, holding) {
                Ok(()) => answers.push(!holding.is_empty()),
                Err(error) => {
                    let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
                    let row = task.row(question);
                    if first.as_ref().is_none_or(|&(known, _)| row < known) {
                        *first = Some((row, error));
                    }
                    break;
                }
            }
        }
        answers.resize(task.questions.len(), false);
        answers
    }

    /// Points of a task.
    fn most(&self) -> usize {
        match (self.rule, self.target) {
            (Rule::Parity, Target::Mesh(..)) => MANY,
            (Rule::Parity, Target::Scene(..)) => MOST,
            (Rule::Winding, Target::Mesh(mesh, _)) => around(mesh),
            (Rule::Winding, Target::Scene(..)) => FEW,
        }
    }

    /// The first error.
    fn end(self, invalid: usize) -> PyResult<usize> {
        match self.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((row, error)) => Err(refused("points", Some(row), error)),
            None => Ok(invalid),
        }
    }
}

/// Where points lie in memory.
fn spans(points: &Given<'_>) -> Vec<Span> {
    points.spans("points").collect()
}

/// Whether each point lies in something, into an array of `bool`.
#[pyfunction]
pub fn contains(
    py: Python<'_>,
    target: Target,
    given: &Bound<'_, PyAny>,
    asked: (u32, String),
    out: &Bound<'_, PyAny>,
    how: How,
) -> PyResult<usize> {
    let (mask, name) = asked;
    let (target, rule) = (target.shared_with(mask), rule(&name)?);
    let given: Given<'_> = named("points", given)?;
    let points = Asked(given.points(0, 3)?);
    let mut array = Written::bools(out, spans(&given))?;
    let out = array.column(1, points.count())?;
    let inside = Inside::new(py, &how, &target, rule, Filter::new().mask(mask))?;
    let invalid =
        batch::run(py, &how, &points, inside.most(), out, |task, out, holding: &mut Buffer<InstanceId>| {
            let answers = inside.of(task, holding);
            if let Column::Bools(out) = out {
                out.copy_from_slice(&answers);
            }
        })?;
    inside.end(invalid)
}

/// The nearest point of any surface to each point, into the columns of `out`.
#[pyfunction]
pub fn closest_point(
    py: Python<'_>,
    target: Target,
    given: &Bound<'_, PyAny>,
    asked: (f64, u32),
    out: &Bound<'_, PyDict>,
    how: How,
) -> PyResult<usize> {
    let (max_distance, mask) = asked;
    let (target, filter) = (target.shared_with(mask), Filter::new().mask(mask));
    if max_distance.is_nan() || max_distance < 0.0 {
        let message = format!("max_distance is {max_distance}; expected a number from 0 to inf");
        return Err(PyValueError::new_err(message));
    }
    let given: Given<'_> = named("points", given)?;
    let points = Asked(given.points(0, 3)?);
    let mut room = Room::new(out, spans(&given))?;
    let out = room.columns(points.count())?;
    batch::run(py, &how, &points, MOST, out, |task, out, nearest: &mut Vec<Option<ClosestPoint>>| {
        nearest.clear();
        nearest
            .extend(task.questions.iter().map(|&point| target.closest_point(point, max_distance, &filter)));
        task.spread(nearest, &None);
        answers::write_answered(nearest, out);
    })
}

/// How far each point is from any surface, negative inside, into an array of `float64`.
#[pyfunction]
pub fn signed_distance(
    py: Python<'_>,
    target: Target,
    given: &Bound<'_, PyAny>,
    asked: (u32, String),
    out: &Bound<'_, PyAny>,
    how: How,
) -> PyResult<usize> {
    let (mask, name) = asked;
    let (target, rule) = (target.shared_with(mask), rule(&name)?);
    let filter = Filter::new().mask(mask);
    let given: Given<'_> = named("points", given)?;
    let points = Asked(given.points(0, 3)?);
    let mut array = Written::floats(out, spans(&given))?;
    let out = array.column(1, points.count())?;
    let inside = Inside::new(py, &how, &target, rule, filter)?;
    let invalid = batch::run(
        py,
        &how,
        &points,
        inside.most().min(MOST),
        out,
        |task, out, holding: &mut Buffer<InstanceId>| {
            let distance = |&point: &[f64; 3]| {
                target
                    .closest_point(point, f64::INFINITY, &filter)
                    .map_or(f64::INFINITY, |nearest| nearest.distance)
            };
            let mut distances: Vec<f64> = task.questions.iter().map(distance).collect();
            task.spread(&mut distances, &f64::NAN);
            if let Column::Doubles(out) = out {
                for ((out, distance), inside) in out.iter_mut().zip(distances).zip(inside.of(task, holding)) {
                    // Never -0.
                    *out = if inside { 0.0 - distance } else { distance };
                }
            }
        },
    )?;
    inside.end(invalid)
}

/// How often a mesh goes around each point, into an array of `float64`.
#[pyfunction]
pub fn winding_number(
    py: Python<'_>,
    mesh: PyRef<'_, Mesh>,
    given: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
    how: How,
) -> PyResult<usize> {
    let Mesh { mesh, known } = &*mesh;
    let given: Given<'_> = named("points", given)?;
    let points = Asked(given.points(0, 3)?);
    let mut array = Written::floats(out, spans(&given))?;
    let out = array.column(1, points.count())?;
    known.of(py, Rule::Winding, how.threads, || iter::once(mesh))?;
    batch::run(py, &how, &points, around(mesh), out, |task, out, (): &mut ()| {
        let mut windings = if task.questions.len() > batch::FEW {
            mesh.winding_number_batch(&task.questions)
        } else {
            task.questions.iter().map(|&point| mesh.winding_number(point)).collect()
        };
        task.spread(&mut windings, &f64::NAN);
        if let Column::Doubles(out) = out {
            out.copy_from_slice(&windings);
        }
    })
}
