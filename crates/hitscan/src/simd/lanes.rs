//! The few operations on eight `f32` lanes that the walk is written with.

/// Eight lanes of `f32`, as one instruction set has them. The value is the proof that the machine has it.
///
/// Every method is `#[inline(always)]`, because it must end up inside the entry point that is compiled with the
/// instruction set's features.
pub(crate) trait Lanes: Copy {
    #[cfg(test)]
    const ISA: super::Isa;
    type F: Copy;

    fn load(self, from: &[f32; 8]) -> Self::F;
    fn splat(self, value: f32) -> Self::F;
    fn store(self, value: Self::F) -> [f32; 8];
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a * b + c`, rounded once or twice: for conservative box tests only, never for triangles.
    fn mul_add_loose(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// The smaller; either where one is not a number.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// The larger; either where one is not a number.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// Bit `i` where `a[i] <= b[i]`; 0 where one is not a number.
    fn le(self, a: Self::F, b: Self::F) -> u32;
    /// Bit `i` where `a[i] < b[i]`; 0 where one is not a number.
    fn lt(self, a: Self::F, b: Self::F) -> u32;
}
