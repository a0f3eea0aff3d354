//! Rays under way by what they have come to.

use super::IN_FLIGHT;
use crate::bvh::node::Child;

/// Rays that wait for the same kind of step.
#[derive(Clone, Copy)]
pub(super) struct Queue {
    at: [u8; IN_FLIGHT],
    len: usize,
}

impl Queue {
    const EMPTY: Queue = Queue { at: [0; IN_FLIGHT], len: 0 };

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The numbers of the rays.
    #[inline(always)]
    pub fn entries(&self) -> impl Iterator<Item = usize> {
        self.at[..self.len].iter().map(|&at| usize::from(at))
    }

    /// The ray at a place.
    #[inline(always)]
    pub fn at(&self, place: usize) -> usize {
        usize::from(self.at[place % IN_FLIGHT])
    }

    /// Without a branch: the place behind the last is written in any case. No ray is in a queue twice, so there is one.
    #[inline(always)]
    fn push_if(&mut self, at: usize, wanted: bool) {
        self.at[self.len % IN_FLIGHT] = at as u8;
        self.len += usize::from(wanted);
    }
}

/// Every ray under way is in one of them.
pub(super) struct Queues {
    /// At an inner node.
    pub nodes: Queue,
    /// At a leaf.
    pub leaves: Queue,
    /// At the end of their walk.
    pub over: Queue,
}

impl Default for Queues {
    #[inline(always)]
    fn default() -> Queues {
        Queues { nodes: Queue::EMPTY, leaves: Queue::EMPTY, over: Queue::EMPTY }
    }
}

impl Queues {
    /// So many rays at the root, which is an inner node.
    #[inline(always)]
    pub fn at_root(len: usize) -> Queues {
        let nodes = Queue { at: core::array::from_fn(|at| at as u8), len };
        Queues { nodes, ..Queues::default() }
    }

    #[inline(always)]
    pub fn are_empty(&self) -> bool {
        self.nodes.len + self.leaves.len + self.over.len == 0
    }

    /// Puts a ray behind the others that have come to the same.
    #[inline(always)]
    pub fn push(&mut self, at: usize, current: Child) {
        let over = current == Child::EMPTY;
        self.nodes.push_if(at, !current.is_leaf());
        self.leaves.push_if(at, current.is_leaf() & !over);
        self.over.push_if(at, over);
    }
}
