//! The answers of some rows, as the lines of an output.

use std::ops::Range;

use hitscan::{Filter, Hit, HitLists, Interval, Rule};

use super::rows::Rows;
use super::subject::Subject;
use crate::args::{Mode, rule_name};
use crate::failure::Failure;
use crate::scene::Loaded;
use crate::sightline::hit_between;
use crate::solids::{Inside, Solids};

/// What is asked of every row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// Which hits a ray has.
    Hits(Mode),
    /// Which solids a point lies in.
    Inside(Rule),
    /// Whether the ends of a line see each other.
    Sight(Pairing),
}

/// Which points are the ends of the lines, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// The first of one list and the first of the other, and so on; one point goes with each of the other list.
    Zip {
        /// Whether each list has more than one.
        many: [bool; 2],
    },
    /// Each of the first list with each of the other, of so many.
    All {
        /// How many points the other list has, at least one.
        others: u64,
    },
}

impl Pairing {
    /// The ends of a line.
    pub fn ends(self, line: u64) -> [u64; 2] {
        match self {
            Pairing::Zip { many } => many.map(|many| if many { line } else { 0 }),
            Pairing::All { others } => [line / others, line % others],
        }
    }
}

impl Asked {
    /// The option that asks it, and its value.
    pub fn option(self) -> (&'static str, String) {
        match self {
            Asked::Hits(mode) => ("--mode", mode.to_string()),
            Asked::Inside(rule) => ("--rule", rule_name(rule).to_owned()),
            Asked::Sight(Pairing::Zip { .. }) => ("--pairs", "zip".to_owned()),
            Asked::Sight(Pairing::All { .. }) => ("--pairs", "all".to_owned()),
        }
    }

    /// What the rows are.
    pub fn of(self) -> Subject {
        match self {
            Asked::Hits(_) | Asked::Sight(_) => Subject::Rays,
            Asked::Inside(_) => Subject::Points,
        }
    }

    /// Whether each row has one line in the answer.
    pub fn is_one_each(self) -> bool {
        !matches!(self, Asked::Hits(Mode::All | Mode::First(_) | Mode::Intervals))
    }

    /// Who answers it for this scene, or why nobody can.
    pub fn prepare(self, loaded: &Loaded) -> Result<Asker<'_>, Failure> {
        let solids = match self {
            Asked::Inside(rule) => {
                if rule == Rule::Winding {
                    // Else each thread that answers might find it out.
                    for named in &loaded.model.meshes {
                        named.mesh.boundary_edges();
                    }
                }
                Some(Solids::new(loaded, rule)?)
            }
            Asked::Hits(_) | Asked::Sight(_) => None,
        };
        Ok(Asker { asked: self, loaded, solids })
    }
}

/// A question, and who answers it.
#[derive(Debug)]
pub struct Asker<'a> {
    /// What is asked.
    pub asked: Asked,
    loaded: &'a Loaded,
    /// Where it is asked for them.
    solids: Option<Solids<'a>>,
}

/// Consecutive rows and what was found for them.
#[derive(Debug)]
pub struct Answers<'a> {
    rows: &'a Rows,
    /// Which rows of `rows`.
    range: Range<usize>,
    /// The number of the first one in its file.
    first: u64,
    asked: Asked,
    found: Found,
}

/// What was found, for each row that is a ray.
#[derive(Debug)]
enum Found {
    Closest(Vec<Option<Hit>>),
    Occluded(Vec<bool>),
    Lists(HitLists),
    Intervals(HitLists<Interval>),
    Inside(Vec<Inside>),
}

/// One line of the output.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Row of the ray or point in its file, or number of the line of sight, from 0.
    pub ray: u64,
    /// The same row in [`Answers::kept`].
    pub row: usize,
    /// What was found.
    pub answer: Answer<'a>,
}

/// What one line says.
#[derive(Clone, Copy, Debug)]
pub enum Answer<'a> {
    /// A hit.
    Hit(&'a Hit),
    /// That there is none.
    Miss,
    /// Whether there is one.
    Occluded(bool),
    /// A piece inside of something.
    Interval(&'a Interval),
    /// What a point lies in.
    Inside(Inside),
    /// What is between two points, which are counted from 0: the first hit, if any.
    Sight([u64; 2], Option<&'a Hit>),
}

impl<'a> Answers<'a> {
    /// Asks the rays among `range` of the rows; `rays` are their places in [`Rows::rays`], and `first` is the number
    /// of the first row in its file.
    pub fn ask(
        rows: &'a Rows,
        range: Range<usize>,
        rays: Range<usize>,
        first: u64,
        asker: &Asker<'_>,
    ) -> Answers<'a> {
        let (scene, rays, filter) = (&asker.loaded.scene, &rows.rays()[rays], &Filter::ALL);
        let asked = asker.asked;
        let found = match (asked, &asker.solids) {
            (Asked::Hits(Mode::Occluded), _) => Found::Occluded(scene.occluded_batch(rays, filter)),
            (Asked::Hits(Mode::All), _) => Found::Lists(scene.all_hits_batch(rays, filter)),
            (Asked::Hits(Mode::First(n)), _) => Found::Lists(scene.first_n_batch(rays, filter, n)),
            (Asked::Hits(Mode::Intervals), _) => Found::Intervals(scene.intervals_batch(rays, filter)),
            (Asked::Inside(_), Some(solids)) => {
                Found::Inside(rays.iter().map(|point| solids.inside(point.origin())).collect())
            }
            (Asked::Sight(_), _) => {
                let mut hits = scene.closest_batch(rays, filter);
                for (hit, ray) in hits.iter_mut().zip(rays) {
                    *hit = hit.map(|hit| hit_between(ray, hit));
                }
                Found::Closest(hits)
            }
            (Asked::Hits(Mode::Closest) | Asked::Inside(_), _) => {
                Found::Closest(scene.closest_batch(rays, filter))
            }
        };
        Answers { rows, range, first, asked, found }
    }

    /// How many hits there are.
    pub fn hits(&self) -> usize {
        match &self.found {
            Found::Closest(hits) => hits.iter().flatten().count(),
            Found::Occluded(occluded) => occluded.iter().filter(|&&occluded| occluded).count(),
            Found::Lists(lists) => lists.hits().len(),
            Found::Intervals(lists) => lists.hits().len(),
            Found::Inside(places) => places.iter().filter(|place| place.solids > 0).count(),
        }
    }

    /// How many rows they answer.
    pub fn rows(&self) -> usize {
        self.range.len()
    }

    /// Gives each line in order.
    pub fn for_each<'s>(&'s self, mut line: impl FnMut(Line<'s>)) {
        let mut next = 0;
        for (row, ray) in self.range.clone().zip(self.first..) {
            let asked = self.rows.valid()[row].then_some(next);
            next += usize::from(asked.is_some());
            let mut say = |answer: Answer<'s>| line(Line { ray, row, answer });
            match &self.found {
                Found::Closest(hits) => {
                    let hit = asked.and_then(|ray| hits[ray].as_ref());
                    say(match self.asked {
                        Asked::Sight(pairing) => Answer::Sight(pairing.ends(ray), hit),
                        Asked::Hits(_) | Asked::Inside(_) => hit.map_or(Answer::Miss, Answer::Hit),
                    });
                }
                Found::Inside(places) => {
                    say(Answer::Inside(asked.map_or(Inside::NOTHING, |point| places[point])));
                }
                Found::Occluded(occluded) => say(Answer::Occluded(asked.is_some_and(|ray| occluded[ray]))),
                Found::Lists(lists) => {
                    let hits = asked.map_or(&[][..], |ray| lists.get(ray));
                    hits.iter().for_each(|hit| say(Answer::Hit(hit)));
                }
                Found::Intervals(lists) => {
                    let pieces = asked.map_or(&[][..], |ray| lists.get(ray));
                    pieces.iter().for_each(|piece| say(Answer::Interval(piece)));
                }
            }
        }
    }

    /// The columns that are carried over, by [`Line::row`].
    pub fn kept(&self) -> &'a [super::cell::Kept] {
        &self.rows.kept
    }
}
