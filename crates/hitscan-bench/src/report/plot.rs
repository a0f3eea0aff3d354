//! Bars of ratios: one group a form, one bar a scene, a thick line where its bar is.

use std::fmt::Write as _;

use super::summary::Line;
use super::svg::{RIGHT, WIDTH, sheet};
use super::table::short;

/// Sizes in pixels.
const LEFT: f64 = 230.0;
const TOP: f64 = 50.0;
const THICK: f64 = 11.0;
const GAP: f64 = 14.0;
/// Room that a value takes behind its bar.
const LABEL: f64 = 24.0;

const COLOURS: [&str; 6] = ["#3b6fb6", "#6fa8dc", "#93c47d", "#e0a458", "#b56576", "#8e7cc3"];

/// The lines of ratios against Embree, in which more is better.
pub fn svg(title: &str, lines: &[Line], scenes: &[&'static str]) -> String {
    let lines: Vec<&Line> = lines.iter().filter(|line| !line.less).collect();
    let values = lines.iter().flat_map(|line| {
        line.scenes.iter().map(|(_, value)| *value).chain([line.bar, line.reach.unwrap_or(line.bar)])
    });
    let most = values.fold(1.0, f64::max).ceil();
    let x = |value: f64| LEFT + value / most * (WIDTH - LEFT - RIGHT);
    let group = THICK * scenes.len() as f64;
    let height = TOP + (group + GAP) * lines.len() as f64 + 30.0;
    let mut svg = sheet(title, height);
    for (number, scene) in scenes.iter().enumerate() {
        let at = LEFT + 110.0 * number as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{at}\" y=\"12\" width=\"10\" height=\"10\" fill=\"{}\"/><text x=\"{}\" y=\"21\">{}</text>",
            COLOURS[number % COLOURS.len()],
            at + 15.0,
            short(scene)
        );
    }
    for tick in 0..=most as u32 {
        let (at, end) = (x(f64::from(tick)), height - 28.0);
        let dash = if tick == 1 { "" } else { " stroke-dasharray=\"2 4\"" };
        let _ = writeln!(
            svg,
            "<path d=\"M{at:.1} {} V{end:.1}\" stroke=\"#999999\"{dash}/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
            TOP - 10.0,
            end + 16.0
        );
    }
    for (number, line) in lines.iter().enumerate() {
        let top = TOP + (group + GAP) * number as f64;
        let middle = top + group / 2.0 + 4.0;
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{middle:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 10.0,
            line.name
        );
        let bar = x(line.bar);
        for (scene, value) in &line.scenes {
            let place = scenes.iter().position(|name| name == scene).unwrap_or(0);
            let y = top + THICK * place as f64;
            let end = x(*value);
            // Not across the black stroke; what lies across the lines of the scale stands out in white.
            let label = if (end..end + LABEL).contains(&bar) { bar + 4.0 } else { end + 3.0 };
            let _ = writeln!(
                svg,
                "<rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{}\" fill=\"{}\"/>\
                 <text x=\"{label:.1}\" y=\"{:.1}\" font-size=\"9\" paint-order=\"stroke\" stroke=\"white\" stroke-width=\"2\">\
                 {value:.2}</text>",
                end - LEFT,
                THICK - 1.0,
                COLOURS[place % COLOURS.len()],
                y + THICK - 2.0
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{bar:.1} {:.1} v{:.1}\" stroke=\"#333333\" stroke-width=\"2.5\"/>",
            top - 3.0,
            group + 5.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}
