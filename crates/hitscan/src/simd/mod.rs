//! Instruction sets: which there are, which one walks, and the few lane operations that differ.
//!
//! The walk is written once, over [`Lanes`](lanes::Lanes); a kernel is that code compiled with the features of one
//! instruction set: on x86-64 of those that can be looked for, which takes the standard library, or that the compiler is told of.
//! This folder and `stock.rs` hold all the `unsafe` code of the crate.

use alloc::string::String;
use core::fmt;
use core::ops::ControlFlow;

use thiserror::Error;

pub(crate) mod append;
#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
mod avx2;
#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx512f")))]
mod avx512;
pub(crate) mod block;
pub(crate) mod boxes;
pub(crate) mod lanes;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon;
pub(crate) mod pages;
pub(crate) mod row;
pub(crate) mod scalar;
pub(crate) mod sixteen;
pub(crate) mod stack;

/// Work that a kernel does: called once with the lanes of the chosen instruction set, and inlined there.
pub(crate) trait Task {
    type Output;
    fn run<L: lanes::Lanes>(self, lanes: L) -> Self::Output;
}

/// An instruction set that can walk trees. All give the same answers, bit for bit.
///
/// ```
/// use hitscan::Isa;
/// let here: Vec<&str> = Isa::ALL.iter().filter(|isa| isa.is_available()).map(|isa| isa.name()).collect();
/// assert!(here.contains(&"scalar") && here.contains(&Isa::best().name()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Isa {
    /// Plain Rust, on every machine.
    Scalar,
    /// 8 lanes of AArch64 with NEON, as two times four.
    Neon,
    /// 8 lanes of x86-64 with AVX2, FMA, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// The same with AVX-512 F, VL, DQ and BW: more registers, compares into masks, compression.
    Avx512,
}

/// Why `HITSCAN_ISA` was refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum IsaError {
    /// Not the name of an instruction set: what it is instead.
    #[error("HITSCAN_ISA: '{0}' is not an instruction set; it needs to be one of scalar, neon, avx2, avx512")]
    Unknown(String),
    /// This machine does not have it.
    #[error("HITSCAN_ISA: this machine does not have {0}; leave it out to use the best that there is")]
    Unavailable(Isa),
}

impl Isa {
    /// All of them, those of one architecture slowest first.
    ///
    /// ```
    /// use hitscan::Isa;
    /// assert!(Isa::ALL.contains(&Isa::best()));
    /// ```
    pub const ALL: &'static [Isa] = &[Isa::Scalar, Isa::Neon, Isa::Avx2, Isa::Avx512];

    /// The one that meshes and scenes are made with: what `HITSCAN_ISA` names where it is set to something
    /// that this machine has, else the fastest that it has. Decided once in a process.
    ///
    /// ```
    /// use hitscan::Isa;
    /// assert!(Isa::best().is_available());
    /// ```
    pub fn best() -> Isa {
        Kernel::best().isa()
    }

    /// What the environment variable `HITSCAN_ISA` asks for: `scalar`, `neon`, `avx2` or `avx512`; `None` where it is not set.
    ///
    /// # Errors
    /// A value that names no instruction set, or one that this machine does not have.
    ///
    /// ```
    /// use hitscan::Isa;
    /// // What it asks for is taken.
    /// assert!(Isa::from_env()?.is_none_or(|isa| isa == Isa::best()));
    /// # Ok::<(), hitscan::IsaError>(())
    /// ```
    #[cfg(feature = "std")]
    pub fn from_env() -> Result<Option<Isa>, IsaError> {
        let Some(value) = std::env::var_os("HITSCAN_ISA") else { return Ok(None) };
        let isa = Isa::ALL.iter().copied().find(|isa| value == isa.name());
        let isa = isa.ok_or_else(|| IsaError::Unknown(value.to_string_lossy().into_owned()))?;
        if isa.is_available() { Ok(Some(isa)) } else { Err(IsaError::Unavailable(isa)) }
    }

    /// Whether this machine can run it.
    ///
    /// ```
    /// use hitscan::Isa;
    /// assert!(Isa::Scalar.is_available()); // every machine has it
    /// assert!(!(Isa::Neon.is_available() && Isa::Avx2.is_available()));
    /// ```
    pub fn is_available(self) -> bool {
        Kernel::of(self).is_some()
    }

    /// Its name, as `HITSCAN_ISA` takes it.
    ///
    /// ```
    /// use hitscan::Isa;
    /// assert_eq!([Isa::Scalar, Isa::Avx512].map(Isa::name), ["scalar", "avx512"]);
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Isa::Scalar => "scalar",
            Isa::Neon => "neon",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
        }
    }

    fn fastest() -> Isa {
        Isa::ALL.iter().copied().rev().find(|isa| isa.is_available()).unwrap_or(Isa::Scalar)
    }
}

/// An instruction set that this machine was seen to have, so that nobody has to look again for each ray.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kernel {
    Scalar,
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    Neon,
    #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
    Avx2(avx2::Avx2),
    #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx512f")))]
    Avx512(avx512::Avx512),
}

impl Kernel {
    /// Of [`Isa::best`].
    pub(crate) fn best() -> Kernel {
        let of = |isa| Kernel::of(isa).unwrap_or(Kernel::Scalar);
        #[cfg(feature = "std")]
        {
            static BEST: std::sync::OnceLock<Kernel> = std::sync::OnceLock::new();
            *BEST.get_or_init(|| of(Isa::from_env().ok().flatten().unwrap_or_else(Isa::fastest)))
        }
        #[cfg(not(feature = "std"))]
        of(Isa::fastest())
    }

    /// `None` where this machine does not have it.
    pub(crate) fn of(isa: Isa) -> Option<Kernel> {
        match isa {
            Isa::Scalar => Some(Kernel::Scalar),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            Isa::Neon => Some(Kernel::Neon),
            #[cfg(not(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")))]
            Isa::Neon => None,
            #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
            Isa::Avx2 => avx2::Avx2::detect().map(Kernel::Avx2),
            #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx512f")))]
            Isa::Avx512 => avx512::Avx512::detect().map(Kernel::Avx512),
            #[cfg(not(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2"))))]
            Isa::Avx2 => None,
            #[cfg(not(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx512f"))))]
            Isa::Avx512 => None,
        }
    }

    pub(crate) fn isa(self) -> Isa {
        match self {
            Kernel::Scalar => Isa::Scalar,
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            Kernel::Neon => Isa::Neon,
            #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
            Kernel::Avx2(_) => Isa::Avx2,
            #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx512f")))]
            Kernel::Avx512(_) => Isa::Avx512,
        }
    }

    /// Runs a task, compiled for this instruction set.
    #[inline]
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            // Once for each task, wherever it is asked for.
            Kernel::Scalar => lanes::Lanes::apart(scalar::Scalar, task),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
            Kernel::Neon => neon::run(neon::Neon, task),
            #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2")))]
            Kernel::Avx2(lanes) => avx2::run(lanes, task),
            #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx512f")))]
            Kernel::Avx512(lanes) => avx512::run(lanes, task),
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a visit of a walk answers: go on, or end the query here.
pub(crate) type Flow = ControlFlow<()>;

#[cfg(test)]
mod tests {
    use core::array;

    use super::row::Row;
    use super::sixteen::{Row16, Sixteen};
    use super::*;

    #[test]
    fn the_fastest_available_set_is_chosen() {
        assert!(Isa::Scalar.is_available());
        assert!(Isa::fastest().is_available());
        assert!(Isa::ALL.iter().rev().find(|isa| isa.is_available()) == Some(&Isa::fastest()));
    }

    #[test]
    #[cfg(feature = "std")]
    fn the_environment_asks_for_something_that_is_there() {
        assert!(Isa::from_env().is_ok(), "a misspelt HITSCAN_ISA would test another kernel");
        assert_eq!(Isa::best(), Isa::from_env().ok().flatten().unwrap_or(Isa::fastest()));
    }

    #[test]
    fn a_task_runs_on_the_set_that_was_asked_for() {
        struct Name;
        impl Task for Name {
            type Output = Isa;
            fn run<L: lanes::Lanes>(self, _: L) -> Isa {
                L::ISA
            }
        }
        each_kernel(|kernel| assert_eq!(kernel.run(Name), kernel.isa()));
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
            assert_eq!(Kernel::of(isa).unwrap().isa(), isa);
        }
    }

    /// What sixteen rays are set up with, on each instruction set.
    #[test]
    fn numbers_of_many_rays_stand_side_by_side() {
        struct SideBySide;
        impl Task for SideBySide {
            type Output = ();
            fn run<L: lanes::Lanes>(self, lanes: L) {
                // Between two `f32`, on one, too large for any and the smallest.
                let numbers = [0.1, -3.0, 1e300, 5e-324, f64::INFINITY, -0.0, 1.0 + 2f64.powi(-30), 1e-40];
                let narrow = lanes.sixteen().narrow(&numbers).0;
                assert_eq!(narrow.map(f32::to_bits), numbers.map(|number| (number as f32).to_bits()));
                let rows = array::from_fn(|row| Row(array::from_fn(|i| (8 * row + i) as f32)));
                for (i, column) in lanes.sixteen().columns(&rows).iter().enumerate() {
                    assert_eq!(column.0, array::from_fn(|row| (8 * row + i) as f32));
                }
            }
        }
        each_kernel(|kernel| kernel.run(SideBySide));
    }

    #[test]
    fn doubles_are_compared_lane_by_lane() {
        struct Compare;
        impl Task for Compare {
            type Output = ();
            fn run<L: lanes::Lanes>(self, lanes: L) {
                let a = [1.0, 2.0, f64::NAN, -0.0, f64::NEG_INFINITY, 3.0, 5.0, 1.0 + f64::EPSILON];
                let b = [1.0, 1.0, 0.0, 0.0, f64::INFINITY, f64::NAN, 6.0, 1.0];
                assert_eq!(lanes.le_doubles(&a, &b), 0b0101_1001);
                assert_eq!(lanes.le_doubles(&b, &a), 0b1000_1011);
            }
        }
        each_kernel(|kernel| kernel.run(Compare));
    }

    #[test]
    fn numbers_are_put_where_the_mask_has_bits() {
        struct Put;
        impl Task for Put {
            type Output = ();
            fn run<L: lanes::Lanes>(self, lanes: L) {
                let (from, into) = ([f64::NAN, 1.0, -0.0, 3.0, 4.0, 5.0, 6.0, f64::INFINITY], [9.5; 8]);
                for mask in 0u32..256 {
                    // Bits beyond the lanes mean nothing.
                    let beyond = mask | 0xffff_5a00;
                    let has = |lane: usize| mask >> lane & 1 == 1;
                    let mut doubles = into;
                    lanes.put_doubles(beyond, &from, &mut doubles);
                    let expected: [f64; 8] = array::from_fn(|i| if has(i) { from[i] } else { into[i] });
                    assert_eq!(doubles.map(f64::to_bits), expected.map(f64::to_bits), "{mask:08b}");
                    let mut words: [u32; 8] = array::from_fn(|i| i as u32);
                    lanes.put_word(beyond, u32::MAX, &mut words);
                    assert_eq!(words, array::from_fn(|i| if has(i) { u32::MAX } else { i as u32 }));
                    let mut row = Row16(array::from_fn(|i| i as f32));
                    lanes.sixteen().put(mask << 4 | mask << 20, -1.0, &mut row);
                    let put = |i: usize| (4..12).contains(&i) && has(i - 4);
                    assert_eq!(row.0, array::from_fn(|i| if put(i) { -1.0 } else { i as f32 }), "{mask:08b}");
                }
            }
        }
        each_kernel(|kernel| kernel.run(Put));
    }

    #[test]
    fn the_outermost_lane_is_found_wherever_it_is() {
        struct Outermost;
        impl Task for Outermost {
            type Output = ();
            fn run<L: lanes::Lanes>(self, lanes: L) {
                for place in 0..8 {
                    let mut numbers: [f32; 8] = array::from_fn(|i| i as f32 - 3.5);
                    numbers[place] = -9.0;
                    assert_eq!(lanes.least(lanes.load(&numbers)), -9.0, "{place}");
                    numbers[place] = f32::INFINITY;
                    assert_eq!(lanes.largest(lanes.load(&numbers)), f32::INFINITY, "{place}");
                    assert_eq!(lanes.least(lanes.load(&numbers)), if place == 0 { -2.5 } else { -3.5 });
                }
            }
        }
        each_kernel(|kernel| kernel.run(Outermost));
    }

    fn each_kernel(mut run: impl FnMut(Kernel)) {
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
            run(Kernel::of(isa).unwrap());
        }
    }
}
