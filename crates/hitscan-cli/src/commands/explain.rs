//! `explain`: why a ray hits what it hits in a scene, or nothing; or what every algorithm makes of one segment and one
//! triangle, side by side.

mod algorithms;
mod scene;

use hitscan::shape::Triangle;
use serde::Serialize;

use crate::aim;
use crate::args::{Reading, SceneArg, Vector};
use crate::failure::Failure;
use crate::number::{counted, digits, given};
use crate::output::print;
use crate::report;
use crate::table::Table;
use algorithms::{Explained, explained};

/// Options of `explain`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan explain part.glb --from 0,5,0 --dir 0,-1,0
  hitscan explain --triangle 0,0,0 4,0,0 0,4,0 --from 1,2,3 --to 1,2,-1
  hitscan explain --triangle 0,0,0 1,0,0 0,1,0 --from 0.1,0.9,1 --to 0.1,0.9,-1
  hitscan explain --triangle 0,0,0 1,0,0 0,1,0 --from 0,0,0 --to 1,1,0 --json

Of a scene it tells every surface on the ray's whole line and why it counts or \
not, how much work the answer was, and where nothing is hit the nearest triangle \
and by how much it is missed.

In the second example of a triangle the ray passes 2^-55 beside an edge, as 0.1 and 0.9 are \
in f64: some algorithms round that away. In the third it runs within the \
triangle's plane, which the textbooks call a miss. The first row is computed \
without rounding, from the direction that f64 has for the difference of the \
ends; the watertight recipe is the one that scenes answer by.")]
#[command(group(clap::ArgGroup::new("aim").required(true).args(["to", "dir"])))]
#[command(group(clap::ArgGroup::new("what").required(true).args(["scene", "triangle"])))]
pub struct Args {
    /// A file, - or builtin:NAME[:SIZE]
    #[arg(value_name = "SCENE", value_hint = clap::ValueHint::FilePath)]
    #[arg(value_parser = crate::args::file_name)]
    scene: Option<String>,
    #[command(flatten)]
    reading: Reading,
    /// The corners A, B and C of a triangle instead, counter-clockwise as seen from the front
    #[arg(long, num_args = 3, value_names = ["A", "B", "C"], allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["trust", "cell", "relief"])]
    triangle: Vec<Vector>,
    /// Where the ray starts, t = 0
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    from: Vector,
    /// Where it ends, t = 1
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    to: Option<Vector>,
    /// Its direction, of any length; it goes on without end
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    dir: Option<Vector>,
    /// Every digit, as JSON
    #[arg(long)]
    json: bool,
}

/// Answers.
pub fn run(args: &Args) -> Result<(), Failure> {
    let ray = aim::ray(args.from.0, args.to, args.dir, "expected --to or --dir")?;
    if let Some(scene) = &args.scene {
        let scene = SceneArg { scene: scene.clone(), reading: args.reading };
        let words = aim::told(args.from.0, args.to, args.dir);
        return scene::run(&scene, &ray, &words, args.json);
    }
    let [a, b, c] = args.triangle[..] else {
        let given = counted(args.triangle.len(), "corner");
        return Err(Failure::usage("--triangle", format_args!("{given} are given; expected A B C once")));
    };
    let triangle = Triangle::new(a.0, b.0, c.0).map_err(|error| Failure::new("--triangle", error))?;
    let to = args.to.map(|to| to.0);
    let algorithms = explained(&triangle, &ray, to)?;
    if args.json {
        #[derive(Serialize)]
        struct Answer<'a> {
            triangle: [[f64; 3]; 3],
            from: [f64; 3],
            /// `null` where the ray has no end.
            to: Option<[f64; 3]>,
            dir: [f64; 3],
            area: f64,
            algorithms: &'a [Explained],
        }
        return report::json(&Answer {
            triangle: triangle.corners().map(|corner| corner.to_array()),
            from: args.from.0.to_array(),
            to: to.map(|to| to.to_array()),
            dir: ray.dir().to_array(),
            area: triangle.area(),
            algorithms: &algorithms,
        });
    }
    print(&text(&triangle, args, &algorithms))
}

fn text(triangle: &Triangle, args: &Args, algorithms: &[Explained]) -> String {
    let [a, b, c] = triangle.corners().map(given);
    let ray = aim::told(args.from.0, args.to, args.dir);
    let mut text = format!("triangle {a} {b} {c}, {ray}\n\n");
    let mut summary =
        Table::new(["algorithm", ">determinant", ">1-u-v", ">u", ">v", ">t", "side", "verdict"]);
    for found in algorithms {
        let number = |x: Option<f64>| x.map_or("-".to_owned(), digits);
        let [first, u, v] = found.weights.map_or([None; 3], |weights| weights.map(Some));
        let cells = [found.determinant, first, u, v, found.t].map(number);
        let side = found.facing.unwrap_or("-").to_owned();
        summary.row([found.algorithm.to_owned()].into_iter().chain(cells).chain([side, found.verdict()]));
    }
    text += &format!("{summary}\n");
    let mut values = Table::new(["algorithm", "it looks at", ">A", ">B", ">C"]);
    for found in algorithms {
        for (index, value) in found.values.iter().enumerate() {
            let name = if index == 0 { found.algorithm } else { "" };
            let cells = value.numbers.iter().map(|&x| digits(x));
            values.row([name.to_owned(), value.what.to_owned()].into_iter().chain(cells));
        }
    }
    text + &values.to_string() + "\n" + &conclusion(algorithms)
}

/// The last line: who differs from exact arithmetic.
fn conclusion(algorithms: &[Explained]) -> String {
    let Some((exact, others)) = algorithms.split_first() else { return String::new() };
    let differ: Vec<&str> =
        others.iter().filter(|found| found.hit != exact.hit).map(|found| found.algorithm).collect();
    let verdict = exact.verdict();
    if differ.is_empty() {
        return format!("verdict: {verdict}; all {} agree\n", counted(others.len(), "algorithm"));
    }
    let count = format!("{} of {} differ", differ.len(), others.len());
    format!("verdict: {verdict}; {count}: {}\n", differ.join("; "))
}
