//! Samples as they are stored, and the heights that they stand for: the one formula that mesh, pyramid and queries share.

use bytemuck::Pod;

/// How `u16` samples stand for heights: `height = offset + scale * sample`, computed in `f64` with one product and one sum,
/// and rounded to `f32` once.
///
/// ```
/// use hitscan::heightfield::{HeightScale, Heightfield};
/// // Decimetres from 100 below the sea on, and 0 where nobody measured.
/// let scale = HeightScale { offset: -100.0, scale: 0.1, no_data: Some(0) };
/// let terrain = Heightfield::builder(3, 2).build_u16([1000, 1010, 0, 1020, 1030, 0], scale)?;
/// assert_eq!((terrain.height(1, 0), terrain.height(2, 0)), (Some(1.0), None));
/// assert_eq!(HeightScale::default(), HeightScale { offset: 0.0, scale: 1.0, no_data: None });
/// # Ok::<(), hitscan::heightfield::HeightfieldError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightScale {
    /// The height of sample 0. Finite.
    pub offset: f64,
    /// The height of one step. Finite; below 0 for depths, and 0 for a plain.
    pub scale: f64,
    /// The sample that stands for a place without a height: all cells around it are holes.
    pub no_data: Option<u16>,
}

impl Default for HeightScale {
    /// Samples are heights, all of them.
    fn default() -> Self {
        HeightScale { offset: 0.0, scale: 1.0, no_data: None }
    }
}

/// What samples are stored as.
pub(crate) trait Sample: Pod + PartialOrd + Send + Sync {
    /// What they need to become heights.
    type Scale: Copy + Send + Sync;
    /// The lowest and the highest of no samples: the other way round, and changed by any.
    const NOTHING: [Self; 2];
    /// Whether it has a height.
    fn is_data(self, scale: &Self::Scale) -> bool;
    /// The height of one that has one. Grows or falls with the sample, never both.
    fn height(self, scale: &Self::Scale) -> f32;
}

impl Sample for u16 {
    type Scale = HeightScale;
    const NOTHING: [u16; 2] = [u16::MAX, 0];

    #[inline(always)]
    fn is_data(self, scale: &HeightScale) -> bool {
        scale.no_data != Some(self)
    }

    #[inline(always)]
    fn height(self, scale: &HeightScale) -> f32 {
        (scale.offset + scale.scale * f64::from(self)) as f32
    }
}

impl Sample for f32 {
    type Scale = ();
    const NOTHING: [f32; 2] = [f32::INFINITY, f32::NEG_INFINITY];

    #[inline(always)]
    fn is_data(self, _: &()) -> bool {
        !self.is_nan()
    }

    #[inline(always)]
    fn height(self, _: &()) -> f32 {
        self
    }
}

/// A range of samples with one more in it.
#[inline(always)]
pub(super) fn grown<S: Sample>([low, high]: [S; 2], sample: S) -> [S; 2] {
    [if sample < low { sample } else { low }, if sample > high { sample } else { high }]
}
