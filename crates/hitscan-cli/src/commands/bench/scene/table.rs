//! The report for people.

use hitscan::Isa;

use super::Report;
use super::rates::{Form, Question, Rate};
use super::rays::Kind;
use super::spread::Spread;
use crate::number::{bytes, count, counted};
use crate::table::{Table, printable};

/// Trees, then a row for each kind of rays and each question.
pub fn text(report: &Report<'_>) -> String {
    let threads = counted(report.threads, "thread");
    let placed = if report.instances == report.meshes {
        String::new()
    } else {
        format!(", {}", counted(report.instances, "instance"))
    };
    format!(
        "{} on {}, {threads}\n{} in {}{placed}\n\n{}\n{}\n{}",
        printable(report.scene),
        printable(&report.machine),
        counted(report.triangles, "triangle"),
        counted(report.meshes, "mesh"),
        trees(report),
        legend(report),
        rates(report),
    )
}

fn trees(report: &Report<'_>) -> Table {
    let columns = [
        "trees",
        ">build",
        ">M tri/s",
        ">spread",
        ">memory",
        ">B/tri",
        ">nodes",
        ">leaves",
        ">depth",
        ">SAH cost",
        ">M rays/s",
    ];
    let mut table = Table::new(columns);
    for tree in &report.trees {
        let seconds = tree.build_seconds.median;
        table.row([
            tree.preset.to_owned(),
            if seconds < 1.0 { format!("{:.3} s", seconds) } else { format!("{seconds:.2} s") },
            format!("{:.2}", report.triangles as f64 / 1e6 / seconds),
            percent(&tree.build_seconds),
            bytes(tree.bytes),
            format!("{:.1}", tree.bytes_per_triangle),
            count(tree.nodes),
            count(tree.leaves),
            tree.depth.to_string(),
            format!("{:.1}", tree.sah_cost),
            rate(tree.closest),
        ]);
    }
    table
}

fn legend(report: &Report<'_>) -> String {
    let best = report.instruction_set;
    let all = if report.threads > 1 { format!(", then on {}", report.threads) } else { String::new() };
    format!(
        "million rays a second, median of {} rounds; calls of one ray by each instruction set;\n\
         batch: one call for all rays, {best}, on one thread{all}\n",
        report.rounds
    )
}

fn rates(report: &Report<'_>) -> Table {
    let sets: Vec<&str> = Isa::ALL.iter().filter(|isa| isa.is_available()).map(|isa| isa.name()).collect();
    let threads = (report.threads > 1).then(|| format!(">{} threads", report.threads));
    let heads = ["rays", "question", ">hits"].map(String::from).into_iter();
    let heads = heads.chain(sets.iter().map(|set| format!(">{set}"))).chain([">batch".to_owned()]);
    let mut table = Table::new(heads.chain(threads).chain([">spread".to_owned()]));
    let Some(preset) = report.trees.first().map(|tree| tree.preset) else { return table };
    for kind in Kind::ALL.map(Kind::name) {
        for question in Question::ALL {
            let of_row =
                |rate: &&Rate| (rate.preset, rate.kind, rate.question) == (preset, kind, question.name());
            let row: Vec<&Rate> = report.rates.iter().filter(of_row).collect();
            let Some(first) = row.first() else { continue };
            let calls = sets.iter().map(|set| (Form::Calls, *set));
            let batches = [Form::Batch, Form::AllThreads].map(|form| (form, report.instruction_set));
            let cells = calls.chain(batches).filter_map(|(form, set)| {
                let mut cells = row.iter();
                let cell = cells.find(|rate| rate.form == form.name() && rate.instruction_set == set)?;
                Some(rate(cell.million_rays_per_second.median))
            });
            let spreads = row.iter().map(|rate| rate.million_rays_per_second);
            let widest = spreads.max_by(|a, b| a.width().total_cmp(&b.width()));
            let widest = widest.as_ref().map(percent).unwrap_or_default();
            let is_first = question == Question::ALL[0];
            let names = [if is_first { kind } else { "" }, question.name()].map(String::from);
            let names = names.into_iter().chain([hits(question, first)]);
            table.row(names.chain(cells).chain([widest]));
        }
    }
    table
}

/// The share of rays that hit, or how many hits a ray has.
fn hits(question: Question, rate: &Rate) -> String {
    let share = rate.hits as f64 / rate.rays.max(1) as f64;
    match question {
        Question::Closest | Question::Occluded => format!("{:.0} %", 100.0 * share),
        Question::AllHits | Question::FirstEight => format!("{share:.2} each"),
    }
}

/// Three digits of million rays a second, as far as they mean something.
fn rate(millions: f64) -> String {
    match millions {
        0.0..10.0 => format!("{millions:.2}"),
        10.0..100.0 => format!("{millions:.1}"),
        _ => format!("{millions:.0}"),
    }
}

/// How far apart rounds are, where there are several.
fn percent(spread: &Spread) -> String {
    if spread.rounds > 1 { format!("±{:.0} %", 100.0 * spread.width()) } else { "once".to_owned() }
}
