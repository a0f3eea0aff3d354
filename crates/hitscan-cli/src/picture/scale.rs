//! Which numbers a scale has: 1, 2 and 5 times powers of ten, or equal steps of such a number.

/// 1, 2 or 5 times a power of ten, the largest that is no more than a length.
pub fn round_below(length: f64) -> f64 {
    let power = libm::pow(10.0, libm::floor(libm::log10(length.max(f64::MIN_POSITIVE))));
    let digit = [5.0, 2.0].into_iter().find(|digit| digit * power <= length).unwrap_or(1.0);
    digit * power
}

/// The numbers between two that are above 0: 1, 2 and 5 times powers of ten, or equal steps where there are too few of these.
pub fn numbers_between(near: f64, far: f64) -> Vec<f64> {
    let decades = near.log10().floor() as i32..=far.log10().ceil() as i32;
    let round = decades.flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
    let numbers: Vec<f64> = round.filter(|number| (near..=far).contains(number)).collect();
    if numbers.len() >= 3 {
        return numbers;
    }
    // Three steps or more.
    let most = (far - near) / 3.0;
    if most <= far * 1e-6 {
        return vec![far];
    }
    let step = round_below(most);
    ((near / step).ceil() as i64..=(far / step).floor() as i64).map(|n| n as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_round() {
        assert_eq!([round_below(0.7), round_below(49.0), round_below(1000.0)], [0.5, 20.0, 1000.0]);
    }

    #[test]
    fn a_scale_has_numbers_whatever_it_spans() {
        assert_eq!(numbers_between(0.9, 120.0), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        assert_eq!(numbers_between(10.0, 12.0), [10.0, 10.5, 11.0, 11.5, 12.0]);
        assert_eq!(numbers_between(2.01, 4.1), [2.5, 3.0, 3.5, 4.0]);
        assert_eq!(numbers_between(1234.0, 1236.5), [1234.0, 1234.5, 1235.0, 1235.5, 1236.0, 1236.5]);
        assert_eq!(numbers_between(3.0, 3.0), [3.0]);
    }
}
