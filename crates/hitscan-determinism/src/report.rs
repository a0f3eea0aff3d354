//! What comes out.

use std::fmt;

use hitscan::Ray;
use hitscan_oracle::Rng;
use hitscan_oracle::rays::Shooter;

use crate::Path;
use crate::digest::Digest;
use crate::parts::{Part, parts};

/// Rays that are held and asked together; a part of what the hash is of, since each question is asked of a block of them.
const BLOCK: usize = 1 << 14;

/// One part's rays and the hash of their answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The part's name.
    pub part: &'static str,
    /// How many rays.
    pub rays: u64,
    /// How many of them hit.
    pub hits: u64,
    /// How many crossings their lists have: those of all hits, and of the first few.
    pub crossings: u64,
    /// The hash of all their answers.
    pub hash: u128,
}

/// What the rays of all parts found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// A row for each part, in their order.
    pub rows: Vec<Row>,
}

impl Report {
    /// How many rays.
    pub fn rays(&self) -> u64 {
        self.rows.iter().map(|row| row.rays).sum()
    }

    /// The hash of all answers: that of the parts' hashes, in their order.
    pub fn hash(&self) -> u128 {
        let mut digest = Digest::new();
        self.rows.iter().for_each(|row| digest.nested(row.hash));
        digest.value()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |part: &str, rays: u64, hits: u64, crossings: u64, hash: u128| {
            writeln!(f, "{part:<12} {rays:>9} rays {hits:>9} hit {crossings:>10} crossings {hash:032x}")
        };
        for Row { part, rays, hits, crossings, hash } in &self.rows {
            line(part, *rays, *hits, *crossings, *hash)?;
        }
        let sum = |of: fn(&Row) -> u64| self.rows.iter().map(of).sum();
        line("all", self.rays(), sum(|row| row.hits), sum(|row| row.crossings), self.hash())
    }
}

/// Asks so many rays, dealt to all parts, on one way to the answers.
pub fn report(rays: u64, path: &Path) -> Report {
    let parts = parts();
    let count = parts.len() as u64;
    let rows = (0..).zip(parts).map(|(i, make)| {
        let part = make();
        row(&part, rays * (i + 1) / count - rays * i / count, path)
    });
    Report { rows: rows.collect() }
}

fn row(part: &Part, rays: u64, path: &Path) -> Row {
    let subject = path.lead(&part.things);
    let shooter = Shooter::new(&part.target);
    let (mut rng, mut digest) = (Rng::new(part.seed), Digest::new());
    let mut left = rays;
    while left > 0 {
        let block = left.min(BLOCK as u64);
        let rays: Vec<Ray> = shooter.rays(block as usize, &mut rng).iter().map(|ray| part.ray(ray)).collect();
        subject.ask(&rays, path.calls, &mut digest);
        left -= block;
    }
    Row { part: part.name, rays, hits: digest.hits, crossings: digest.crossings, hash: digest.value() }
}
