//! The tree's parts: wide nodes and leaf blocks.

use bytemuck::{Pod, Zeroable};

use crate::simd::block::Stride;

/// Children of a node, and triangles of a leaf at most.
pub(crate) const WIDTH: usize = 8;

/// An inner node: the boxes of up to eight children, plane by plane, and what they are.
///
/// Empty places have a box that no ray meets (from `+inf` to `-inf`).
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Node {
    /// Lowest x, y, z, then highest x, y, z.
    pub planes: [[f32; WIDTH]; 6],
    pub children: [Child; WIDTH],
    /// Zeroes to the end of the cache line, so that a node is nothing but numbers.
    rest: [u32; WIDTH],
}

impl Node {
    pub fn empty() -> Node {
        let mut planes = [[f32::INFINITY; WIDTH]; 6];
        planes[3..].fill([f32::NEG_INFINITY; WIDTH]);
        Node { planes, children: [Child::EMPTY; WIDTH], rest: [0; WIDTH] }
    }

    pub fn set(&mut self, place: usize, bounds: &Bounds, child: Child) {
        for axis in 0..3 {
            self.planes[axis][place] = bounds.low[axis];
            self.planes[3 + axis][place] = bounds.high[axis];
        }
        self.children[place] = child;
    }

    pub fn child_bounds(&self, place: usize) -> Bounds {
        let corner =
            |first: usize| core::array::from_fn(|i| if i < 3 { self.planes[first + i][place] } else { 0.0 });
        Bounds { low: corner(0), high: corner(3) }
    }

    /// Bits of the places whose boxes hold a point.
    pub fn places_at(&self, point: [f32; 3]) -> u32 {
        let mut places = 0;
        // All of each, without branches: eight at once.
        for place in 0..WIDTH {
            let mut inside = true;
            for axis in 0..3 {
                let (low, high) = (self.planes[axis][place], self.planes[3 + axis][place]);
                inside &= (low <= point[axis]) & (point[axis] <= high);
            }
            places |= u32::from(inside) << place;
        }
        places
    }

    /// The places that hold a child.
    pub fn occupied(&self) -> impl Iterator<Item = usize> {
        (0..WIDTH).filter(|&place| self.children[place] != Child::EMPTY)
    }
}

/// What stands in a node's place: an inner node, or a leaf.
///
/// Bit 31 marks a leaf. Below it, an inner child has its index; the meaning of a leaf's 31 bits is its
/// owner's: [`LeafRef`] in the tree of a mesh, an instance in the tree of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct Child(u32);

impl Child {
    /// No valid child: a leaf at an offset that no builder reaches.
    pub const EMPTY: Child = Child(u32::MAX);
    /// Marks a leaf.
    pub const LEAF: u32 = 1 << 31;

    pub fn inner(index: usize) -> Child {
        debug_assert!(index < Self::LEAF as usize);
        Child(index as u32)
    }

    pub fn leaf(payload: u32) -> Child {
        debug_assert!(payload < Self::LEAF);
        Child(payload | Self::LEAF)
    }

    #[inline(always)]
    pub fn word(self) -> u32 {
        self.0
    }

    #[inline(always)]
    pub fn from_word(word: u32) -> Child {
        Child(word)
    }

    /// The words of a node's children, where they stand: of a copy, a walk would have to wait for what it just stored.
    #[inline(always)]
    pub fn words(children: &[Child; WIDTH]) -> &[u32; WIDTH] {
        bytemuck::cast_ref(children)
    }

    #[inline(always)]
    pub fn is_leaf(self) -> bool {
        self.0 & Self::LEAF != 0
    }

    /// The payload of a leaf, or the index of an inner node.
    #[inline(always)]
    pub fn split(self) -> Result<u32, usize> {
        if self.0 & Self::LEAF != 0 { Ok(self.0 & !Self::LEAF) } else { Err(self.0 as usize) }
    }
}

/// Where a leaf begins, in rows, and how many triangles it holds. What is there is its tree's [`Layout`](super::layout::Layout).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeafRef {
    pub row: usize,
    pub count: usize,
}

impl LeafRef {
    #[inline(always)]
    pub fn from_payload(payload: u32) -> LeafRef {
        LeafRef { row: (payload >> 3) as usize, count: (payload & 7) as usize + 1 }
    }

    pub fn payload(self) -> u32 {
        debug_assert!((1..=WIDTH).contains(&self.count) && self.row < 1 << 28);
        (self.row as u32) << 3 | (self.count as u32 - 1)
    }

    /// How many numbers each plane of its block has: 4 for up to four triangles, else 8.
    #[inline(always)]
    pub fn stride(self) -> Stride {
        if self.count <= 4 { Stride::Four } else { Stride::Eight }
    }

    /// Bits of the lanes that hold a triangle.
    #[inline(always)]
    pub fn lanes(self) -> u32 {
        (2 << (self.count - 1)) - 1
    }
}

/// A box, with a fourth lane that nothing reads, so that it is handled in whole registers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub low: [f32; 4],
    pub high: [f32; 4],
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds::EMPTY
    }
}

impl Bounds {
    pub const EMPTY: Bounds = Bounds { low: [f32::INFINITY; 4], high: [f32::NEG_INFINITY; 4] };

    #[inline(always)]
    pub fn grow(&mut self, other: &Bounds) {
        for i in 0..4 {
            self.low[i] = if other.low[i] < self.low[i] { other.low[i] } else { self.low[i] };
            self.high[i] = if other.high[i] > self.high[i] { other.high[i] } else { self.high[i] };
        }
    }

    #[inline(always)]
    pub fn grow_point(&mut self, p: [f32; 4]) {
        self.grow(&Bounds { low: p, high: p });
    }

    /// Whether it is that of an empty place, which no ray meets.
    pub fn is_empty(&self) -> bool {
        (0..3).all(|i| self.low[i] == f32::INFINITY && self.high[i] == f32::NEG_INFINITY)
    }

    pub fn contains(&self, other: &Bounds) -> bool {
        (0..3).all(|i| self.low[i] <= other.low[i] && other.high[i] <= self.high[i])
    }
}
