//! Numbers for people: five digits, thousands apart, units. Files get all digits instead: see `rays::write`.

use hitscan::glam::DVec3;

/// Five significant digits, never fewer than the whole part has, no trailing zeros: `0.33333`, `1234.5`, `1234567`.
pub fn digits(x: f64) -> String {
    digits_of(x, x.abs())
}

/// The same with as many digits behind the point as five digits of `measure` have.
fn digits_of(x: f64, measure: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".into() } else { x.to_string().to_lowercase() };
    }
    if !(1e-4..1e9).contains(&x.abs()) {
        let (mantissa, exponent) = split_exponent(&format!("{x:.4e}"));
        return format!("{}e{exponent}", trim(&mantissa));
    }
    // No digits beyond those of an f64.
    let most = (15.0 - x.abs().log10().floor()).max(0.0);
    let decimals = (4.0 - measure.log10().floor()).clamp(0.0, most) as usize;
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

/// A point or a direction that somebody typed, with the fewest digits that read back: `(1.5, 0, -2.25)`.
pub fn given(p: DVec3) -> String {
    // There is but one zero for people.
    let [x, y, z] = p.to_array().map(|x| exact(x + 0.0));
    format!("({x}, {y}, {z})")
}

/// A computed direction for people. Beside the others, a coordinate below single precision turns it by nothing.
pub fn direction(d: DVec3) -> String {
    let least = d.abs().max_element() * SINGLE;
    let [x, y, z] = d.to_array().map(|x| digits(if x.abs() < least { 0.0 } else { x }));
    format!("({x}, {y}, {z})")
}

/// How points on something are told.
#[derive(Clone, Copy, Debug)]
pub struct Grain {
    /// The longest of its sides.
    size: f64,
    /// On each axis, what is nothing beside the thing itself.
    nothing: DVec3,
}

impl Grain {
    /// Of a thing with these sides; `largest` is the longest side of the largest mesh in it.
    ///
    /// The corners of a mesh are of single precision, which is the finer the smaller it is, wherever it stands: a metre of
    /// water at the coordinates of a map is no zero. An axis is measured by its own side, but for one that is flat: what it
    /// has there is the rounding of a turn.
    pub fn new(sides: DVec3, largest: f64) -> Grain {
        let flat = largest * SINGLE;
        let nothing = sides.to_array().map(|side| if side > flat { side * SINGLE } else { flat });
        Grain { size: sides.max_element(), nothing: nothing.into() }
    }

    /// A point on it: five digits of each coordinate, or as many behind the point as four digits of its size have.
    pub fn place(&self, p: DVec3) -> String {
        // At the origin itself all coordinates may be rounding.
        let rounding = if self.size.is_finite() { self.size * 1e-12 } else { 0.0 };
        let near = p.abs().max_element() * SINGLE;
        let coordinate = |axis: usize| {
            let (x, nothing) = (p[axis], self.nothing[axis].min(near).max(rounding));
            // Four digits of the size are as fine as five of one that is ten times as large.
            let measure = if self.size > 0.0 { x.abs().min(10.0 * self.size) } else { x.abs() };
            if x.abs() < nothing { "0".to_owned() } else { digits_of(x, measure) }
        };
        format!("({}, {}, {})", coordinate(0), coordinate(1), coordinate(2))
    }
}

/// What single precision does not hold beside 1.
const SINGLE: f64 = 1e-7;

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
        assert_eq!(direction(DVec3::new(-8.4e-9, 0.2, 1e-7)), "(0, 0.2, 1e-7)");
    }

    #[test]
    fn what_was_typed_stays_as_it_was() {
        assert_eq!(given(DVec3::new(1.5, -0.0, -2.25)), "(1.5, 0, -2.25)");
        assert_eq!(given(DVec3::new(1e20, 0.2, 1e-12)), "(1e20, 0.2, 1e-12)");
        assert_eq!(given(DVec3::new(500_000.3, 5_200_000.7, 9.0)), "(500000.3, 5200000.7, 9)");
    }

    #[test]
    fn places_are_as_fine_as_what_they_are_on() {
        let on = |size: f64| Grain::new(DVec3::splat(size), size);
        assert_eq!(on(1.0).place(DVec3::new(-8.4e-9, 0.2, 1e-7)), "(0, 0.2, 1e-7)");
        assert_eq!(on(0.4).place(DVec3::new(0.0, 0.0, -3.4694e-18)), "(0, 0, 0)");
        assert_eq!(on(f64::INFINITY).place(DVec3::new(0.0, 0.0, 3e-9)), "(0, 0, 3e-9)");
        let quay = DVec3::new(466_010.0, 5_244_010.0, 0.4);
        assert_eq!(on(100.0).place(quay), "(466010, 5244010, 0.4)");
        assert_eq!(on(100.0).place(DVec3::new(466_010.0, 5_244_010.0, 6e-6)), "(466010, 5244010, 0)");
        // Digits of the thing, not of the coordinate.
        let third = DVec3::new(500_000.0 + 1.0 / 3.0, 5_200_000.0 + 2.0 / 3.0, 0.0);
        assert_eq!(on(0.25).place(third), "(500000.3333, 5200000.6667, 0)");
        assert_eq!(on(3.0).place(third), "(500000.333, 5200000.667, 0)");
        assert_eq!(on(0.8).place(DVec3::new(3.93551, 0.592381, -2.97859)), "(3.9355, 0.59238, -2.9786)");
        assert_eq!(on(5e4).place(third), "(500000, 5200001, 0)");
    }

    #[test]
    fn an_axis_is_measured_by_its_own_side() {
        let far = Grain::new(DVec3::new(1e7, 1.7, 1.0), 1.4);
        assert_eq!(far.place(DVec3::new(10_000_011.41, 1.0, -0.5)), "(10000011, 1, -0.5)");
        // A plane that was turned by single precision.
        let plane = Grain::new(DVec3::new(10.0, 8e-7, 10.0), 10.0);
        assert_eq!(plane.place(DVec3::new(5.0, 4e-7, 0.25)), "(5, 0, 0.25)");
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
