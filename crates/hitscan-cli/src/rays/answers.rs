//! The answers of some rows, as the lines of an output.

use std::ops::Range;

use hitscan::{Filter, Hit, HitLists, Interval};

use super::rows::Rows;
use crate::args::Mode;
use crate::scene::Loaded;

/// Consecutive rows and what was found for them.
#[derive(Debug)]
pub struct Answers<'a> {
    rows: &'a Rows,
    /// Which rows of `rows`.
    range: Range<usize>,
    /// The number of the first one in its file.
    first: u64,
    found: Found,
}

/// What was found, for each row that is a ray.
#[derive(Debug)]
enum Found {
    Closest(Vec<Option<Hit>>),
    Occluded(Vec<bool>),
    Lists(HitLists),
    Intervals(HitLists<Interval>),
}

/// One line of the output.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Row of the ray in its file, from 0.
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
}

impl<'a> Answers<'a> {
    /// Asks the rays among `range` of the rows; `rays` are their places in [`Rows::rays`], and `first` is the number
    /// of the first row in its file.
    pub fn ask(
        rows: &'a Rows,
        range: Range<usize>,
        rays: Range<usize>,
        first: u64,
        mode: Mode,
        loaded: &Loaded,
    ) -> Answers<'a> {
        let (scene, rays, filter) = (&loaded.scene, &rows.rays()[rays], &Filter::ALL);
        let found = match mode {
            Mode::Closest => Found::Closest(scene.closest_batch(rays, filter)),
            Mode::Occluded => Found::Occluded(scene.occluded_batch(rays, filter)),
            Mode::All => Found::Lists(scene.all_hits_batch(rays, filter)),
            Mode::First(n) => Found::Lists(scene.first_n_batch(rays, filter, n)),
            Mode::Intervals => Found::Intervals(scene.intervals_batch(rays, filter)),
        };
        Answers { rows, range, first, found }
    }

    /// How many hits there are.
    pub fn hits(&self) -> usize {
        match &self.found {
            Found::Closest(hits) => hits.iter().flatten().count(),
            Found::Occluded(occluded) => occluded.iter().filter(|&&occluded| occluded).count(),
            Found::Lists(lists) => lists.hits().len(),
            Found::Intervals(lists) => lists.hits().len(),
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
                    say(asked.and_then(|ray| hits[ray].as_ref()).map_or(Answer::Miss, Answer::Hit));
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
