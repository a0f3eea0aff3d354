//! Answers side by side with brute force, on bits.

use hitscan::{Face, Hit};
use hitscan_oracle as oracle;

/// What the law decides about a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    t: u64,
    u: u64,
    v: u64,
    slot: u32,
    prim: u32,
    front: bool,
}

/// Those of an answer.
pub fn of(hit: &Hit) -> Bits {
    let Hit { t, u, v, prim, instance, facing, .. } = *hit;
    Bits {
        t: t.to_bits(),
        u: u.to_bits(),
        v: v.to_bits(),
        slot: instance.slot(),
        prim,
        front: facing == Face::Front,
    }
}

/// Those of brute force; `slots` says where each of its instances stands in the world.
pub fn expected(hit: &oracle::Hit, slots: &[u32]) -> Bits {
    let oracle::Hit { t, u, v, prim, instance, front } = *hit;
    Bits { t: t.to_bits(), u: u.to_bits(), v: v.to_bits(), slot: slots[instance as usize], prim, front }
}
