//! Where on the line of numbers something ends.

/// Where something that holds at one end ceases to hold before the other, by halving until nothing is left.
pub(crate) fn halved(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        let is_between = low < middle && middle < high; // false for what is not a number
        if !is_between {
            return high;
        }
        if holds(middle) { low = middle } else { high = middle }
    }
}
