//! Whole registers out of nodes and leaf blocks, at offsets that a ray chooses once.
#![allow(unsafe_code, reason = "loads whose offsets their types keep in range")]

use glam::Vec3A;

use super::lanes::Lanes;

/// Rows of a leaf block that are looked at: nine planes of up to eight triangles. A block of four ends halfway, and what
/// follows in the arena is read and masked out.
pub(crate) const BLOCK_ROWS: usize = 9;

/// One of three axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis(u32);

impl Axis {
    pub const ALL: [Axis; 3] = [Axis(0), Axis(1), Axis(2)];

    #[inline(always)]
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// Which axes of the mesh are `x`, `y` and `z` of the ray: four words, as instructions take them that permute a vector.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(crate) struct Turn {
    pub kx: Axis,
    pub ky: Axis,
    pub kz: Axis,
    fourth: Axis,
}

impl Turn {
    pub const fn to(kx: Axis, ky: Axis, kz: Axis) -> Turn {
        Turn { kx, ky, kz, fourth: kz }
    }

    /// The components of a vector along `kx`, `ky`, `kz`. The vector is written to memory once for all of them.
    #[inline(always)]
    pub fn pick(&self, vector: Vec3A) -> Vec3A {
        let components = vector.as_ref();
        // SAFETY: an `Axis` is below 3.
        let one = |axis: Axis| unsafe { *components.get_unchecked(axis.number()) };
        Vec3A::new(one(self.kx), one(self.ky), one(self.kz))
    }
}

/// How many numbers a plane of a leaf block has: 4 or 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stride {
    Four,
    Eight,
}

impl Stride {
    #[inline(always)]
    pub fn numbers(self) -> usize {
        1 << self.shift()
    }

    /// Multiplies by it, as a shift to the left.
    #[inline(always)]
    fn shift(self) -> usize {
        2 + self as usize
    }
}

/// One of the six planes of a node: its lowest x, y, z, then its highest, by where it begins, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plane(usize);

/// The planes of a node as rays of one octant meet them: first along each axis, then last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Planes([Plane; 6]);

/// Bytes of a plane.
const PLANE: usize = 32;

static OCTANTS: [Planes; 8] = {
    let mut octants = [Planes([Plane(0); 6]); 8];
    let mut octant = 0;
    while octant < 8 {
        let mut axis = 0;
        while axis < 3 {
            let upper_first = octant >> axis & 1 == 1;
            octants[octant].0[axis] = Plane(if upper_first { axis + 3 } else { axis } * PLANE);
            octants[octant].0[axis + 3] = Plane(if upper_first { axis } else { axis + 3 } * PLANE);
            axis += 1;
        }
        octant += 1;
    }
    octants
};

impl Planes {
    /// For directions that run backwards along the axes of these bits.
    #[inline(always)]
    pub fn new(backwards: u32) -> &'static Planes {
        &OCTANTS[(backwards & 7) as usize]
    }

    #[inline(always)]
    pub fn first(&self, axis: usize) -> Plane {
        self.0[axis]
    }

    #[inline(always)]
    pub fn last(&self, axis: usize) -> Plane {
        self.0[axis + 3]
    }
}

#[inline(always)]
pub(crate) fn load_plane<L: Lanes>(lanes: L, planes: &[[f32; 8]; 6], plane: Plane) -> L::F {
    // SAFETY: `Plane`s are made in `OCTANTS` alone, of an axis below 3 and 0 or 3, so one begins with the first to the sixth
    // of the six rows of 32 bytes, and all of that row lies in `planes`.
    lanes.load(unsafe { &*planes.as_ptr().byte_add(plane.0).cast() })
}

/// The plane of one child.
#[inline(always)]
pub(crate) fn pick_plane(planes: &[[f32; 8]; 6], plane: Plane, child: usize) -> f32 {
    // SAFETY: as in `load_plane`: one of the six rows; a child's number is below 8.
    unsafe { *planes.as_ptr().byte_add(plane.0).cast::<f32>().add(child & 7) }
}

/// One coordinate of one corner of all triangles of a block.
#[inline(always)]
pub(crate) fn load_corner<const CORNER: usize, L: Lanes>(
    lanes: L,
    block: &[f32; 8 * BLOCK_ROWS],
    axis: Axis,
    stride: Stride,
) -> L::F {
    // SAFETY: at most plane 3 * 2 + 2, each of at most 8 numbers: they begin at 64 at the latest, and end at 72.
    lanes.load(unsafe { &*plane::<CORNER>(block, axis, stride).cast::<[f32; 8]>() })
}

/// The same of one triangle, whose lane is below 8.
#[inline(always)]
pub(crate) fn corner<const CORNER: usize>(
    block: &[f32; 8 * BLOCK_ROWS],
    axis: Axis,
    stride: Stride,
    lane: usize,
) -> f32 {
    // SAFETY: as in `load_corner`: a plane begins at 64 at the latest, and a lane is below 8.
    unsafe { *plane::<CORNER>(block, axis, stride).add(lane & 7) }
}

/// Where one coordinate of one corner begins. In two steps, so that the first is shared by the axes, the second by the
/// corners.
#[inline(always)]
fn plane<const CORNER: usize>(block: &[f32; 8 * BLOCK_ROWS], axis: Axis, stride: Stride) -> *const f32 {
    const { assert!(CORNER < 3) };
    let shift = stride.shift();
    block.as_ptr().wrapping_add((3 * CORNER) << shift).wrapping_add(axis.number() << shift)
}
