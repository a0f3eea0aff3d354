//! Numbers for people: five digits, thousands apart, units. Files get all digits instead: see `rays::write`.

use hitscan::glam::DVec3;

/// Five significant digits, never fewer than the whole part has, no trailing zeros: `0.33333`, `1234.5`, `1234567`.
pub fn digits(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".into() } else { x.to_string().to_lowercase() };
    }
    if !(1e-4..1e9).contains(&x.abs()) {
        let (mantissa, exponent) = split_exponent(&format!("{x:.4e}"));
        return format!("{}e{exponent}", trim(&mantissa));
    }
    let decimals = (4.0 - x.abs().log10().floor()).max(0.0) as usize;
    let text = trim(&format!("{x:.decimals$}"));
    if text == "-0" { "0".into() } else { text }
}

/// The same with the unit of length of the world.
pub fn metres(x: f64) -> String {
    format!("{} m", digits(x))
}

/// A number of an option or a file, for messages: its fewest digits that read back, with an exponent where it would take
/// hundreds of zeros.
pub fn exact(x: f64) -> String {
    let text = format!("{x:?}").to_lowercase();
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A point for people: `(1.5, 0, -2.25)`. A coordinate that is nothing beside the others is the rounding of a
/// computed zero, and shown as one.
pub fn point(p: DVec3) -> String {
    shown(p, p.abs().max_element() * 1e-12)
}

/// A direction for people. Beside the others, a coordinate below single precision turns it by nothing.
pub fn direction(d: DVec3) -> String {
    shown(d, d.abs().max_element() * SINGLE)
}

/// A point on something of this size, for people. Its corners are of single precision, which is the finer the smaller it is,
/// wherever it stands: a metre of water at the coordinates of a map is no zero.
pub fn place(p: DVec3, size: f64) -> String {
    // At the origin itself all coordinates may be rounding.
    let nothing = if size.is_finite() { size * 1e-12 } else { 0.0 };
    shown(p, (p.abs().max_element().min(size) * SINGLE).max(nothing))
}

/// The box around something, for people: `(-5, 0, -5) to (5, 4, 5)`.
pub fn extent(low: DVec3, high: DVec3) -> String {
    let size = (high - low).max_element();
    format!("{} to {}", place(low, size), place(high, size))
}

/// What single precision does not hold beside 1.
const SINGLE: f64 = 1e-7;

/// Coordinates, with a zero for what is less than `least`.
fn shown(p: DVec3, least: f64) -> String {
    let coordinate = |x: f64| digits(if x.abs() < least { 0.0 } else { x });
    format!("({}, {}, {})", coordinate(p.x), coordinate(p.y), coordinate(p.z))
}

/// Coordinates as options take them, `1.5,0,-2.25`, off by `step` at most.
pub fn option(coordinates: &[f64], step: f64) -> String {
    let decimals = -step.log10().floor();
    let coordinate = |&x: &f64| {
        if (0.0..=15.0).contains(&decimals) {
            let decimals = decimals as usize;
            let text = trim(&format!("{x:.decimals$}"));
            return if text == "-0" { "0".into() } else { text };
        }
        if step >= 1.0 && x.abs() < 1e15 { format!("{}", x.round() + 0.0) } else { format!("{x:e}") }
    };
    coordinates.iter().map(coordinate).collect::<Vec<_>>().join(",")
}

/// `1443517` as `1,443,517`.
pub fn count(n: usize) -> String {
    let plain = n.to_string();
    let mut grouped = String::new();
    for (i, digit) in plain.chars().enumerate() {
        if i > 0 && (plain.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A count with its noun: `1 hit`, `2 hits`, `3 meshes`.
pub fn counted(n: usize, noun: &str) -> String {
    let (stem, plural) = match noun.strip_suffix("f") {
        Some(stem) => (stem, "ves"),
        None if noun.ends_with("sh") => (noun, "es"),
        None => (noun, "s"),
    };
    if n == 1 { format!("1 {noun}") } else { format!("{} {stem}{plural}", count(n)) }
}

/// A size in memory: `93.4 MB` of 10^6 bytes.
pub fn bytes(n: usize) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{:.1} kB", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", n as f64 / 1e6),
        _ => format!("{:.2} GB", n as f64 / 1e9),
    }
}

fn split_exponent(text: &str) -> (String, String) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    (mantissa.to_owned(), exponent.to_owned())
}

fn trim(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_digits() {
        for (x, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0 / 3.0, "0.33333"),
            (-1234.56789, "-1234.6"),
            (1_234_567.0, "1234567"),
            (99_999.96, "100000"),
            (1.5e-7, "1.5e-7"),
            (2.0e30, "2e30"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "nan"),
        ] {
            assert_eq!(digits(x), text);
        }
        assert_eq!(point(DVec3::new(1.5, 0.0, -2.25)), "(1.5, 0, -2.25)");
        assert_eq!(point(DVec3::new(-8.4e-14, 0.2, 1e-12)), "(0, 0.2, 1e-12)");
        assert_eq!(place(DVec3::new(-8.4e-9, 0.2, 1e-7), 1.0), "(0, 0.2, 1e-7)");
        assert_eq!(place(DVec3::new(0.0, 0.0, -3.4694e-18), 0.4), "(0, 0, 0)");
        assert_eq!(place(DVec3::new(0.0, 0.0, 3e-9), f64::INFINITY), "(0, 0, 3e-9)");
        assert_eq!(direction(DVec3::new(-8.4e-9, 0.2, 1e-7)), "(0, 0.2, 1e-7)");
        let quay = DVec3::new(466_010.0, 5_244_010.0, 0.4);
        assert_eq!([point(quay), place(quay, 100.0)], ["(466010, 5244010, 0.4)"; 2]);
        assert_eq!(place(DVec3::new(466_010.0, 5_244_010.0, 6e-6), 100.0), "(466010, 5244010, 0)");
    }

    #[test]
    fn exact_numbers_are_short() {
        for (x, text) in [
            (3.0, "3"),
            (-0.125, "-0.125"),
            (1e-300, "1e-300"),
            (-2.5e300, "-2.5e300"),
            (0.0, "0"),
            (1e9, "1000000000"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(exact(x), text);
        }
    }

    #[test]
    fn options_are_as_fine_as_they_need_to_be() {
        let p = [512_345.678_912, -0.000_01, 3.0];
        assert_eq!(option(&p, 0.001), "512345.679,0,3");
        assert_eq!(option(&p, 100.0), "512346,0,3");
        assert_eq!(option(&[1e-25, 0.0, -2.5e-24], 1e-28), "1e-25,0e0,-2.5e-24");
    }

    #[test]
    fn counts_and_sizes() {
        assert_eq!(
            (count(7), count(1_000), count(1_443_517)),
            ("7".into(), "1,000".into(), "1,443,517".into())
        );
        assert_eq!((counted(1, "hit"), counted(0, "hit")), ("1 hit".into(), "0 hits".into()));
        assert_eq!((counted(1, "mesh"), counted(2000, "mesh")), ("1 mesh".into(), "2,000 meshes".into()));
        assert_eq!((counted(1, "leaf"), counted(3, "leaf")), ("1 leaf".into(), "3 leaves".into()));
        assert_eq!((bytes(999), bytes(93_412_000)), ("999 B".into(), "93.4 MB".into()));
    }
}
