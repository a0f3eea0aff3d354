//! A part of a block: its rows as rays, their answers as rows.

use csv::{ByteRecord, ReaderBuilder};
use hitscan::{Filter, Hit, Ray};
use rayon::prelude::*;

use crate::args::Mode;
use crate::rays::blocks::Block;
use crate::rays::layout::{Flaw, Layout};
use crate::rays::write::Rows;
use crate::scene::Loaded;

/// What is asked of every ray, and how it is answered.
#[derive(Debug)]
pub struct Question<'a> {
    /// Which hits.
    pub mode: Mode,
    /// Of which scene.
    pub loaded: &'a Loaded,
    /// What the rows of the input mean.
    pub layout: Layout,
    /// The rows of the output.
    pub rows: Rows<'a>,
}

/// Rays of one piece of a block, and what became of them.
#[derive(Debug, Default)]
pub struct Piece {
    rays: Vec<Ray>,
    /// Whether each row is a ray.
    valid: Vec<bool>,
    /// What is carried over from each row, with the end of each.
    kept: Vec<u8>,
    kept_ends: Vec<usize>,
    /// The first row that is no ray, with its line in the piece, from 1.
    pub flaw: Option<(u64, Flaw)>,
    /// The answers, as rows.
    pub text: Vec<u8>,
    /// Hits among the answers.
    pub hits: usize,
}

impl Question<'_> {
    /// Answers a block on all threads; `rays` is how many rows came before it. Where `stop` is set, the last of the
    /// pieces given back may have a flaw, and nothing behind it is asked.
    pub fn ask<'p>(
        &self,
        block: &Block<'_>,
        pieces: &'p mut Vec<Piece>,
        rays: usize,
        stop: bool,
    ) -> &'p mut [Piece] {
        let ranges = &block.pieces;
        if pieces.len() < ranges.len() {
            pieces.resize_with(ranges.len(), Piece::default);
        }
        let pieces = &mut pieces[..ranges.len()];
        pieces.par_iter_mut().zip(ranges).for_each(|(piece, range)| {
            piece.parse(&block.bytes[range.clone()], &self.layout, stop);
        });
        let flawed = if stop { pieces.iter().position(|piece| piece.flaw.is_some()) } else { None };
        let pieces = &mut pieces[..flawed.map_or(ranges.len(), |last| last + 1)];
        let starts = pieces.iter().scan(rays, |next, piece| {
            let start = *next;
            *next += piece.rows();
            Some(start as u64)
        });
        let starts: Vec<u64> = starts.collect();
        pieces.par_iter_mut().zip(starts).for_each(|(piece, start)| piece.answer(start, self));
        pieces
    }
}

impl Piece {
    /// How many rows it has, rays or not.
    pub fn rows(&self) -> usize {
        self.valid.len()
    }

    /// How many of them are no rays.
    pub fn invalid(&self) -> usize {
        self.valid.len() - self.rays.len()
    }

    /// Rows to rays; up to the first row that is none where `stop` is set.
    fn parse(&mut self, bytes: &[u8], layout: &Layout, stop: bool) {
        self.rays.clear();
        self.valid.clear();
        self.kept.clear();
        self.kept_ends.clear();
        self.flaw = None;
        let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
        let mut row = ByteRecord::new();
        // Reading from memory cannot fail, and rows of any length are allowed here.
        while reader.read_byte_record(&mut row).unwrap_or(false) {
            let ray = layout.ray(&row);
            self.valid.push(ray.is_ok());
            match ray {
                Ok(ray) => self.rays.push(ray),
                Err(flaw) => {
                    if self.flaw.is_none() {
                        self.flaw = Some((row.position().map_or(1, csv::Position::line), flaw));
                    }
                    if stop {
                        self.valid.pop();
                        return;
                    }
                }
            }
            if layout.kept() > 0 {
                layout.keep(&row, &mut self.kept);
                self.kept_ends.push(self.kept.len());
            }
        }
    }

    /// Rays to rows of text; the first ray has the number `start`.
    fn answer(&mut self, start: u64, question: &Question<'_>) {
        let Piece { rays, valid, kept, kept_ends, text, hits, .. } = self;
        text.clear();
        *hits = 0;
        let Question { mode, loaded, rows, .. } = question;
        let (scene, filter) = (&loaded.scene, &Filter::ALL);
        let kept = |row: usize| match kept_ends.get(row) {
            Some(&end) => &kept[if row == 0 { 0 } else { kept_ends[row - 1] }..end],
            None => &[],
        };
        // The rows, each with the number of its ray among those that are rays.
        let mut next = 0;
        let numbered = valid.iter().enumerate().map(|(row, &valid)| {
            let ray = valid.then_some(next);
            next += usize::from(valid);
            (row, start + row as u64, ray)
        });
        match mode {
            Mode::Closest => {
                let answers = scene.closest_batch(rays, filter);
                for (row, number, ray) in numbered {
                    match ray.and_then(|ray| answers[ray].as_ref()) {
                        Some(hit) => {
                            rows.hit(number, hit, kept(row), text);
                            *hits += 1;
                        }
                        None => rows.miss(number, kept(row), text),
                    }
                }
            }
            Mode::Occluded => {
                let answers = scene.occluded_batch(rays, filter);
                for (row, number, ray) in numbered {
                    let occluded = ray.is_some_and(|ray| answers[ray]);
                    rows.occluded(number, occluded, kept(row), text);
                    *hits += usize::from(occluded);
                }
            }
            Mode::All | Mode::First(_) => {
                let answers = match mode {
                    Mode::First(n) => scene.first_n_batch(rays, filter, *n),
                    _ => scene.all_hits_batch(rays, filter),
                };
                for (row, number, ray) in numbered {
                    let list: &[Hit] = ray.map_or(&[], |ray| answers.get(ray));
                    for hit in list {
                        rows.hit(number, hit, kept(row), text);
                    }
                    *hits += list.len();
                }
            }
        }
    }
}
