//! Curves over a number that grows by powers: panels one below the other, both axes logarithmic.

use std::fmt::Write as _;

use super::svg::{RIGHT, WIDTH, sheet};

/// Values over sizes.
pub struct Curve {
    pub name: &'static str,
    /// Place in the list of colours: the same rival has the same one in all panels.
    pub colour: usize,
    pub points: Vec<(f64, f64)>,
}

/// One picture.
pub struct Panel {
    pub title: &'static str,
    pub curves: Vec<Curve>,
}

/// Sizes in pixels.
const LEFT: f64 = 70.0;
const TOP: f64 = 46.0;
const HEIGHT: f64 = 170.0;
const BELOW: f64 = 34.0;

const COLOURS: [&str; 3] = ["#3b6fb6", "#6fa8dc", "#e0a458"];

/// A logarithmic axis from one pixel to another.
struct Axis {
    /// Logarithms of the ends.
    range: [f64; 2],
    pixels: [f64; 2],
}

impl Axis {
    /// Holds all values, and its ends are powers of ten, or of ten times two or five.
    fn new(values: impl Iterator<Item = f64>, pixels: [f64; 2]) -> Axis {
        let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low > high { (1.0, 10.0) } else { (low, high) };
        let range = [
            steps(low.log10().floor() as i32 - 1).rfind(|&step| step <= low * (1.0 + 1e-9)).unwrap_or(low),
            steps(high.log10().floor() as i32).find(|&step| step >= high * (1.0 - 1e-9)).unwrap_or(high),
        ];
        let range = if range[0] == range[1] { [range[0], range[1] * 2.0] } else { range };
        Axis { range: range.map(f64::log10), pixels }
    }

    fn at(&self, value: f64) -> f64 {
        let [low, high] = self.range;
        self.pixels[0] + (value.log10() - low) / (high - low) * (self.pixels[1] - self.pixels[0])
    }

    /// Where lines stand: at all round numbers, or at powers of ten alone where those would be many.
    fn ticks(&self) -> Vec<f64> {
        let [low, high] = self.range.map(|log| 10f64.powf(log));
        let first = self.range[0].floor() as i32;
        let last = self.range[1].ceil() as i32;
        let all: Vec<f64> =
            (first..=last).flat_map(|power| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(power))).collect();
        let within = |tick: &f64| *tick >= low * (1.0 - 1e-9) && *tick <= high * (1.0 + 1e-9);
        let all: Vec<f64> = all.into_iter().filter(within).collect();
        if all.len() <= 8 {
            all
        } else {
            all.into_iter().filter(|tick| tick.log10().fract().abs() < 1e-9).collect()
        }
    }
}

/// Round numbers of three decades.
fn steps(power: i32) -> impl DoubleEndedIterator<Item = f64> {
    (power..power + 3).flat_map(|power| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(power)))
}

/// Such as `30 M`, `1 k`, `0.02`.
fn label(value: f64) -> String {
    match value {
        v if v >= 0.999e6 => format!("{:.0} M", v / 1e6),
        v if v >= 0.999e3 => format!("{:.0} k", v / 1e3),
        v if v >= 0.999 => format!("{v:.0}"),
        v => format!("{:.*}", (-v.log10() - 1e-9).ceil().max(1.0) as usize, v),
    }
}

/// All panels below each other.
pub fn svg(title: &str, panels: &[Panel]) -> String {
    let pitch = TOP + HEIGHT + BELOW;
    let height = pitch * panels.len() as f64;
    let mut svg = sheet(title, height);
    for (number, panel) in panels.iter().enumerate() {
        draw(&mut svg, panel, pitch * number as f64);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, panel: &Panel, top: f64) {
    let points = || panel.curves.iter().flat_map(|curve| curve.points.iter().copied());
    let (above, below) = (top + TOP, top + TOP + HEIGHT);
    let x = Axis::new(points().map(|(x, _)| x), [LEFT, WIDTH - RIGHT]);
    let y = Axis::new(points().map(|(_, y)| y), [below, above]);
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{:.1}\" font-weight=\"bold\">{}</text>",
        top + 16.0,
        panel.title
    );
    for tick in x.ticks() {
        let _ = writeln!(
            svg,
            "<path d=\"M{0:.1} {above:.1} V{below:.1}\" stroke=\"#dddddd\"/>\
             <text x=\"{0:.1}\" y=\"{1:.1}\" text-anchor=\"middle\">{2}</text>",
            x.at(tick),
            below + 16.0,
            label(tick)
        );
    }
    for tick in y.ticks() {
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {0:.1} H{1}\" stroke=\"#dddddd\"/>\
             <text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>",
            y.at(tick),
            WIDTH - RIGHT,
            LEFT - 6.0,
            y.at(tick) + 4.0,
            label(tick)
        );
    }
    for (number, curve) in panel.curves.iter().filter(|curve| !curve.points.is_empty()).enumerate() {
        let colour = COLOURS[curve.colour % COLOURS.len()];
        let (at, line) = (LEFT + 170.0 * number as f64, top + 34.0);
        let _ = writeln!(
            svg,
            "<path d=\"M{at} {:.1} h16\" stroke=\"{colour}\" stroke-width=\"3\"/><text x=\"{}\" y=\"{line:.1}\">{}</text>",
            line - 4.0,
            at + 22.0,
            curve.name
        );
        let places: Vec<String> =
            curve.points.iter().map(|&(px, py)| format!("{:.1},{:.1}", x.at(px), y.at(py))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            places.join(" ")
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_hold_their_values_and_end_at_round_numbers() {
        let axis = Axis::new([968.0, 3_000.0, 29_999_000.0].into_iter(), [0.0, 100.0]);
        assert_eq!([axis.at(500.0), axis.at(5e7)].map(f64::round), [0.0, 100.0]);
        assert_eq!(
            axis.ticks().into_iter().map(label).collect::<Vec<_>>(),
            ["1 k", "10 k", "100 k", "1 M", "10 M"]
        );
        let axis = Axis::new([75.0, 118.0].into_iter(), [10.0, 0.0]);
        assert_eq!(axis.ticks().into_iter().map(label).collect::<Vec<_>>(), ["50", "100", "200"]);
        let one = Axis::new([2.0].into_iter(), [0.0, 1.0]);
        assert!(one.at(2.0).is_finite());
    }

    #[test]
    fn labels_are_short() {
        assert_eq!(
            [0.002, 0.05, 0.1, 1.0, 500.0, 2e3, 3e7].map(label),
            ["0.002", "0.05", "0.1", "1", "500", "2 k", "30 M"]
        );
    }

    #[test]
    fn every_curve_is_drawn_in_its_panel() {
        let curve = |points| Curve { name: "a", colour: 0, points };
        let panel =
            || Panel { title: "t", curves: vec![curve(vec![(1e3, 1.0), (1e6, 3.0)]), curve(Vec::new())] };
        let svg = svg("title", &[panel(), panel()]);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
