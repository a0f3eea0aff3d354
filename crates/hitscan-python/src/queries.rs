//! Questions about rays.

use hitscan::{Buffer, Hit as Answer, HitLists, HitRecord, Interval, Ray};
use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers::{self, Column, Room, Written};
use crate::apart::Span;
use crate::batch::{self, FEW, How, MOST, Questions};
use crate::filter::Sides;
use crate::heights::{Fallen, Places};
use crate::hit::Hit;
use crate::lists::{Lists, Scratch, Wanted};
use crate::one::One;
use crate::points::{Given, Scalar, named};
use crate::rays::{Rays, Sights};
use crate::target::Target;

/// Rays as Python gives them: origins and directions, or both in six columns; and their limits.
pub struct Asked<'py> {
    origins: Given<'py>,
    directions: Option<Given<'py>>,
    t_min: Scalar<'py>,
    t_max: Scalar<'py>,
    spread: Spread,
}

/// How many rays there are, and with how many in a row a row of each of the four arrays goes.
type Spread = (usize, [usize; 4]);

/// Four arguments, the second of which may be missing, and how they are spread.
type Four<'py> = (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>, Bound<'py, PyAny>, Bound<'py, PyAny>, Spread);

impl<'py> FromPyObject<'_, 'py> for Asked<'py> {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Asked<'py>> {
        let (origins, directions, t_min, t_max, spread): Four<'py> = object.extract()?;
        Ok(Asked {
            origins: named("origins", &origins)?,
            directions: directions.map(|directions| named("directions", &directions)).transpose()?,
            t_min: named("t_min", &t_min)?,
            t_max: named("t_max", &t_max)?,
            spread,
        })
    }
}

impl Asked<'_> {
    /// Where they lie.
    fn spans(&self) -> Vec<Span> {
        let Asked { origins, directions, t_min, t_max, .. } = self;
        let directions = directions.iter().flat_map(|directions| directions.spans("directions"));
        origins
            .spans("origins")
            .chain(directions)
            .chain(t_min.span("t_min"))
            .chain(t_max.span("t_max"))
            .collect()
    }

    fn rays(&self) -> PyResult<Rays<'_>> {
        let &Asked { ref origins, ref directions, ref t_min, ref t_max, spread } = self;
        let (origins, directions) = match directions {
            Some(directions) => (origins.points(0, 3)?, directions.points(0, 3)?),
            None => (origins.points(0, 6)?, origins.points(3, 6)?),
        };
        let (count, [a, b, c, d]) = spread;
        Ok(Rays {
            origins: origins.spread("origins", count, a)?,
            directions: directions.spread("directions", count, b)?,
            t_min: t_min.limit("t_min", count, c)?,
            t_max: t_max.limit("t_max", count, d)?,
        })
    }
}

/// The first hit of each ray, into the columns of `out`.
#[pyfunction]
pub fn closest(
    py: Python<'_>,
    target: Target,
    asked: Asked<'_>,
    filter: Sides,
    out: &Bound<'_, PyDict>,
    how: How,
) -> PyResult<usize> {
    let Sides(filter) = filter;
    let rays = asked.rays()?;
    let mut room = Room::new(out, asked.spans())?;
    let is_recorded = room.are_recorded() && rays.count() > FEW;
    let out = room.columns(rays.count())?;
    if is_recorded {
        batch::run(py, &how, &rays, MOST, out, |task, out, records: &mut Vec<HitRecord>| {
            target.closest_records(&task.questions, &filter, records);
            task.spread(records, &HitRecord::MISS);
            answers::write_answered(records, out);
        })
    } else {
        batch::run(py, &how, &rays, MOST, out, |task, out, hits: &mut Vec<Option<Answer>>| {
            target.closest_batch(&task.questions, &filter, hits);
            task.spread(hits, &None);
            answers::write_answered(hits, out);
        })
    }
}

/// Whether each ray hits anything, into an array of `bool`.
#[pyfunction]
pub fn occluded(
    py: Python<'_>,
    target: Target,
    asked: Asked<'_>,
    filter: Sides,
    out: &Bound<'_, PyAny>,
    how: How,
) -> PyResult<usize> {
    let Sides(filter) = filter;
    let rays = asked.rays()?;
    let mut array = Written::bools(out, asked.spans())?;
    let out = array.column(1, rays.count())?;
    batch::run(py, &how, &rays, MOST, out, |task, out, answers: &mut Vec<bool>| {
        target.occluded_batch(&task.questions, &filter, answers);
        task.spread(answers, &false);
        if let Column::Bools(out) = out {
            out.copy_from_slice(answers);
        }
    })
}

/// How many hits each ray has, into an array of `int64`.
#[pyfunction]
pub fn count(
    py: Python<'_>,
    target: Target,
    asked: Asked<'_>,
    filter: Sides,
    out: &Bound<'_, PyAny>,
    how: How,
) -> PyResult<usize> {
    let Sides(filter) = filter;
    let rays = asked.rays()?;
    let mut array = Written::counts(out, asked.spans())?;
    let out = array.column(1, rays.count())?;
    batch::run(py, &how, &rays, MOST, out, |task, out, lists: &mut HitLists<HitRecord>| {
        let mut counts: Vec<i64> = if task.rows() <= FEW {
            let (counts, _) = target.few_lists(&task.questions, &filter, None);
            counts.into_iter().map(|count| count as i64).collect()
        } else {
            target.records(&task.questions, &filter, None, lists);
            lists.iter().map(|hits| hits.len() as i64).collect()
        };
        task.spread(&mut counts, &0);
        if let Column::Int64s(out) = out {
            out.copy_from_slice(&counts);
        }
    })
}

/// All hits of each ray, as a dictionary of `offsets` and columns, with how many rays were bad.
#[pyfunction]
pub fn all_hits<'py>(
    py: Python<'py>,
    target: Target,
    rays: Asked<'_>,
    filter: Sides,
    columns: Wanted,
    how: How,
) -> PyResult<(Bound<'py, PyDict>, usize)> {
    hit_lists(py, &target, &rays, filter, None, &columns, how)
}

/// The first `n` hits of each ray, in the same form.
#[pyfunction]
pub fn first_n<'py>(
    py: Python<'py>,
    target: Target,
    rays: Asked<'_>,
    filter: Sides,
    n: usize,
    columns: Wanted,
    how: How,
) -> PyResult<(Bound<'py, PyDict>, usize)> {
    hit_lists(py, &target, &rays, filter, Some(n), &columns, how)
}

fn hit_lists<'py>(
    py: Python<'py>,
    target: &Target,
    rays: &Asked<'_>,
    filter: Sides,
    n: Option<usize>,
    columns: &Wanted,
    how: How,
) -> PyResult<(Bound<'py, PyDict>, usize)> {
    let Sides(filter) = filter;
    let rays = rays.rays()?;
    let is_recorded = columns.are_recorded() && rays.count() > FEW;
    let lists = Lists::new(columns, rays.count())?;
    let invalid = if is_recorded {
        batch::run(py, &how, &rays, MOST, (), |task, (), memory: &mut (HitLists<HitRecord>, Scratch)| {
            let (records, scratch) = memory;
            target.records(&task.questions, &filter, n, records);
            lists.put(task, records.iter().map(<[_]>::len), records.hits(), scratch);
        })
    } else {
        batch::run(py, &how, &rays, MOST, (), |task, (), memory: &mut (HitLists, Scratch)| {
            let (hits, scratch) = memory;
            if task.rows() <= FEW {
                let (counts, hits) = target.few_lists(&task.questions, &filter, n);
                return lists.put(task, counts.into_iter(), &hits, scratch);
            }
            target.lists(&task.questions, &filter, n, hits);
            lists.put(task, hits.iter().map(<[_]>::len), hits.hits(), scratch);
        })
    }?;
    Ok((lists.into_arrays(py)?, invalid))
}

/// The pieces of each ray that lie in solids, in the same form.
#[pyfunction]
pub fn intervals<'py>(
    py: Python<'py>,
    target: Target,
    rays: Asked<'_>,
    filter: Sides,
    columns: Wanted,
    how: How,
) -> PyResult<(Bound<'py, PyDict>, usize)> {
    #[derive(Default)]
    struct Memory {
        one: Buffer<Interval>,
        all: Vec<Interval>,
        counts: Vec<usize>,
        scratch: Scratch,
    }
    let Sides(filter) = filter;
    let rays = rays.rays()?;
    let lists = Lists::new(&columns, rays.count())?;
    let invalid = batch::run(py, &how, &rays, MOST, (), |task, (), memory: &mut Memory| {
        let Memory { one, all, counts, scratch } = memory;
        all.clear();
        counts.clear();
        for ray in &task.questions {
            target.intervals_into(ray, &filter, one);
            all.extend_from_slice(one);
            counts.push(one.len());
        }
        lists.put(task, counts.iter().copied(), all, scratch);
    })?;
    Ok((lists.into_arrays(py)?, invalid))
}

/// Whether one point sees another, into an array of `bool`. The points come with how many pairs there are, and with how many
/// in a row each eye and each target goes.
#[pyfunction]
pub fn sight(
    py: Python<'_>,
    target: Target,
    points: (Bound<'_, PyAny>, Bound<'_, PyAny>, usize, [usize; 2]),
    filter: Sides,
    out: &Bound<'_, PyAny>,
    how: How,
) -> PyResult<usize> {
    let Sides(filter) = filter;
    let (eyes, targets, count, [each_eye, each_target]) = points;
    let (eyes, targets): (Given<'_>, Given<'_>) = (named("eyes", &eyes)?, named("targets", &targets)?);
    let read: Vec<Span> = eyes.spans("eyes").chain(targets.spans("targets")).collect();
    let sights = Sights {
        eyes: eyes.points(0, 3)?.spread("eyes", count, each_eye)?,
        targets: targets.points(0, 3)?.spread("targets", count, each_target)?,
    };
    let mut array = Written::bools(out, read)?;
    let out = array.column(1, sights.count())?;
    batch::run(py, &how, &sights, MOST, out, |task, out, memory: &mut (Vec<Ray>, Vec<bool>)| {
        let (rays, blocked) = memory;
        rays.clear();
        rays.extend(task.questions.iter().flatten());
        target.occluded_batch(rays, &filter, blocked);
        let mut blocked = blocked.iter();
        let sees = |ray: &Option<Ray>| ray.is_none() || blocked.next() == Some(&false);
        let mut visible: Vec<bool> = task.questions.iter().map(sees).collect();
        task.spread(&mut visible, &false);
        if let Column::Bools(out) = out {
            out.copy_from_slice(&visible);
        }
    })
}

/// The ground at places, into the columns of `out`. The places come with the axis that is up, its sign, a height for each
/// place, and with how many in a row each height goes.
#[pyfunction]
pub fn heights(
    py: Python<'_>,
    target: Target,
    places: (Bound<'_, PyAny>, usize, f64, Option<Bound<'_, PyAny>>, usize),
    filter: Sides,
    out: &Bound<'_, PyDict>,
    how: How,
) -> PyResult<usize> {
    let Sides(filter) = filter;
    let (places, axis, sign, below, after) = places;
    let places: Given<'_> = named("places", &places)?;
    let below: Option<Scalar<'_>> = below.map(|below| named("below", &below)).transpose()?;
    let below_spans = below.as_ref().and_then(|below| below.span("below"));
    let read: Vec<Span> = places.spans("places").chain(below_spans).collect();
    let places = Places::new(&target, places.points(0, 2)?, (axis, sign), below.as_ref(), after)?;
    let mut room = Room::new(out, read)?;
    let out = room.columns(places.count())?;
    batch::run(py, &how, &places, MOST, out, |task, out, memory: &mut (Fallen, Vec<Option<Answer>>)| {
        let (memory, hits) = memory;
        places.ask(&task.questions, &target, &filter, memory, hits);
        task.spread(hits, &None);
        answers::write_answered(hits, out);
    })
}

/// The first hit of one ray. The interpreter's lock is kept: to let go of it and wait for it again takes longer than
/// most answers.
#[pyfunction]
pub fn closest_one(
    target: Target,
    origin: &Bound<'_, PyAny>,
    direction: &Bound<'_, PyAny>,
    t_min: &Bound<'_, PyAny>,
    t_max: &Bound<'_, PyAny>,
    mask: &Bound<'_, PyAny>,
    facing: &Bound<'_, PyAny>,
) -> PyResult<Option<Hit>> {
    let One { ray, filter } = One::new(origin, direction, [t_min, t_max], mask, facing)?;
    Ok(target.closest(&ray, &filter).map(|hit: Answer| Hit::of(&hit)))
}

/// Whether one ray hits anything, with the lock as well.
#[pyfunction]
pub fn occluded_one(
    target: Target,
    origin: &Bound<'_, PyAny>,
    direction: &Bound<'_, PyAny>,
    t_min: &Bound<'_, PyAny>,
    t_max: &Bound<'_, PyAny>,
    mask: &Bound<'_, PyAny>,
    facing: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let One { ray, filter } = One::new(origin, direction, [t_min, t_max], mask, facing)?;
    Ok(target.occluded(&ray, &filter))
}
