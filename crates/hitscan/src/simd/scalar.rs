//! Lanes in plain Rust: the kernel of every machine, and the one that the others are held against.
#![allow(unsafe_code, reason = "the contract of `Lanes`")]

use super::Task;
use super::lanes::Lanes;
use super::sixteen::Pairs;

#[derive(Clone, Copy)]
pub(crate) struct Scalar;

#[inline(always)]
fn each(f: impl Fn(usize) -> f32) -> [f32; 8] {
    core::array::from_fn(f)
}

#[inline(always)]
fn bits(f: impl Fn(usize) -> bool) -> u32 {
    (0..8).fold(0, |mask, i| mask | u32::from(f(i)) << i)
}

// SAFETY: the spills are those of the trait, which write one slot for each bit.
unsafe impl Lanes for Scalar {
    #[cfg(test)]
    const ISA: super::Isa = super::Isa::Scalar;
    const PARALLEL: bool = false;
    type F = [f32; 8];
    type Sixteen = Pairs<Scalar>;

    #[inline(always)]
    fn sixteen(self) -> Pairs<Scalar> {
        Pairs(self)
    }

    #[inline(never)]
    fn apart<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }

    #[inline(always)]
    fn load(self, from: &[f32; 8]) -> [f32; 8] {
        *from
    }
    #[inline(always)]
    fn splat(self, value: f32) -> [f32; 8] {
        [value; 8]
    }
    #[inline(always)]
    fn store(self, value: [f32; 8]) -> [f32; 8] {
        value
    }
    #[inline(always)]
    fn sub(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        each(|i| a[i] - b[i])
    }
    #[inline(always)]
    fn mul(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        each(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn mul_add_loose(self, a: [f32; 8], b: [f32; 8], c: [f32; 8]) -> [f32; 8] {
        each(|i| a[i] * b[i] + c[i])
    }
    #[inline(always)]
    fn min(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        each(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn max(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        each(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn le(self, a: [f32; 8], b: [f32; 8]) -> u32 {
        bits(|i| a[i] <= b[i])
    }
    #[inline(always)]
    fn lt(self, a: [f32; 8], b: [f32; 8]) -> u32 {
        bits(|i| a[i] < b[i])
    }
}
