//! Memory for answers that are lists, used again from question to question.

use alloc::vec::{self, Vec};
use core::ops::Deref;
use core::slice;

use super::Found;
use super::intervals::Crossings;
use super::scene::Overlap;
use crate::hit::Hit;

/// The answer to a question such as [`Scene::all_hits_into`](crate::Scene::all_hits_into), in memory that the next question uses again: once it is
/// large enough, no question takes any from the heap. A slice of answers to look at; one for each thread that asks.
///
/// ```
/// use hitscan::{Buffer, Filter, Mesh, Ray};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap();
/// let mut hits = Buffer::new();
/// let mut count = 0;
/// for x in [0.1, 0.5, 2.0] {
///     let ray = Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]).unwrap();
///     mesh.all_hits_into(&ray, &Filter::ALL, &mut hits);
///     assert_eq!(&hits[..], mesh.all_hits(&ray, &Filter::ALL));
///     count += hits.len();
/// }
/// assert_eq!(count, 2);
/// ```
#[derive(Clone, Debug)]
pub struct Buffer<A = Hit> {
    pub(super) answers: Vec<A>,
    pub(super) memory: Memory,
}

/// What questions need on the way to their answers. Empty lists take no memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub found: Vec<Found>,
    pub hits: Vec<Hit>,
    pub crossings: Crossings,
    pub overlaps: Vec<Overlap>,
}

impl<A> Buffer<A> {
    /// An empty one, which takes no memory yet.
    ///
    /// ```
    /// assert!(hitscan::Buffer::<hitscan::Hit>::new().is_empty());
    /// ```
    pub const fn new() -> Buffer<A> {
        let crossings = Crossings::new();
        let memory = Memory { found: Vec::new(), hits: Vec::new(), crossings, overlaps: Vec::new() };
        Buffer { answers: Vec::new(), memory }
    }

    /// The answer of a question that writes into one, as a list of its own.
    pub(super) fn filled(ask: impl FnOnce(&mut Buffer<A>)) -> Vec<A> {
        let mut buffer = Buffer::new();
        ask(&mut buffer);
        buffer.answers
    }

    /// The answers as a list of their own.
    ///
    /// ```
    /// use hitscan::{Buffer, Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let ray = Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])?;
    /// let mut hits = Buffer::new();
    /// mesh.all_hits_into(&ray, &Filter::ALL, &mut hits);
    /// assert_eq!(hits.into_vec(), mesh.all_hits(&ray, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_vec(self) -> Vec<A> {
        self.answers
    }
}

impl<A> Default for Buffer<A> {
    fn default() -> Self {
        Buffer::new()
    }
}

impl<A> Deref for Buffer<A> {
    type Target = [A];
    fn deref(&self) -> &[A] {
        &self.answers
    }
}

impl<'a, A> IntoIterator for &'a Buffer<A> {
    type Item = &'a A;
    type IntoIter = slice::Iter<'a, A>;
    fn into_iter(self) -> slice::Iter<'a, A> {
        self.answers.iter()
    }
}

impl<A> IntoIterator for Buffer<A> {
    type Item = A;
    type IntoIter = vec::IntoIter<A>;
    fn into_iter(self) -> vec::IntoIter<A> {
        self.answers.into_iter()
    }
}
