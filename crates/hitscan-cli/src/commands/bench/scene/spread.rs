//! Several measurements of one thing: their median, and how far they lie apart.

use serde::Serialize;

/// The median and the middle half of some rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub median: f64,
    /// A quarter of the rounds is below, a quarter above.
    pub quartiles: [f64; 2],
    pub rounds: usize,
}

impl Spread {
    /// Of at least one number.
    pub fn of(mut rounds: Vec<f64>) -> Spread {
        rounds.sort_by(f64::total_cmp);
        // Between two rounds where none is in that place.
        let at = |share: f64| {
            let place = share * rounds.len().saturating_sub(1) as f64;
            let (low, high) = (place.floor() as usize, place.ceil() as usize);
            let value = |i: usize| rounds.get(i).copied().unwrap_or(f64::NAN);
            value(low) + (value(high) - value(low)) * place.fract()
        };
        Spread { median: at(0.5), quartiles: [at(0.25), at(0.75)], rounds: rounds.len() }
    }

    /// The same of a quantity that is `factor` over this one, as a rate is over a time.
    pub fn inverse(self, factor: f64) -> Spread {
        let [low, high] = self.quartiles.map(|x| factor / x);
        Spread { median: factor / self.median, quartiles: [high, low], rounds: self.rounds }
    }

    /// How far the quartiles are from the median, as a share of it: the farther one.
    pub fn width(&self) -> f64 {
        let [low, high] = self.quartiles;
        (self.median - low).max(high - self.median) / self.median
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_the_rounds_counts() {
        let spread = Spread::of(vec![9.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(spread, Spread { median: 4.0, quartiles: [3.0, 5.0], rounds: 5 });
        assert_eq!(spread.width(), 0.25);
        assert_eq!(Spread::of(vec![1.0, 2.0]).median, 1.5);
        assert_eq!(Spread::of(vec![2.0]).inverse(8.0).quartiles, [4.0, 4.0]);
    }
}
