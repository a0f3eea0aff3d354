//! `bench`: how fast and how right the answers of this machine are.

mod each_test;
mod grid;
mod inputs;
mod measure;
mod points;
mod scene;
mod solids;
mod triangles;

use clap::ValueHint;

use crate::args::{Common, Reading, SCENE_HELP, file_name, seconds};
use crate::failure::Failure;
use crate::scene::DEFAULT_SCENE;

/// Options of `bench`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hitscan bench                              the shooting range
  hitscan bench builtin:atrium:1M
  hitscan bench part.glb --camera front --seconds 60
  hitscan bench part.glb --json > part.json
  hitscan bench --tests

A scene is built and asked as a program would. All forms ask the same rays, and \
their hits are counted: a difference fails the run. Rounds of all rows take \
turns; a number is the median of the rounds, its spread how far the middle half \
of them lies from it. Nothing else should run meanwhile. Trees are built by each \
preset, and the rows below ask those of the first. Of trees, memory has \
what a mesh keeps of corners and triangles too, the SAH cost is how many nodes \
and leaves a ray through a mesh's box is expected to visit, and M rays/s is the \
mean over the rays below, closest hits in calls of one.

  primary   through the pixels of a square picture from the scene's camera
  bounce    from what that picture shows, in a random direction
  shadow    segments from there to a lamp above the camera's sight
  segments  between random points of the scene's box
  columns   a grid of parallel rays downwards

  closest, occluded, all hits, first 8   what is asked of each ray
  scalar, avx2, ...  calls of one ray, by each instruction set of this machine
  batch              one call for all rays, on one thread
  N threads          the same on all of them

With --tests: a test is one ray, or one point, and one shape. Nanoseconds are \
those of the best of many alternating rounds, on the random inputs, half of \
which are hits. \"ns\": each test waits for the answer of the one before, as \
where a program asks and then decides; \"8\" and \"16\": so many that do not \
wait for each other, the time of each, as lanes where the algorithm has them, \
else one after the other. A wrong answer is a hit where exact arithmetic says \
miss, or the reverse, counted per million. Inputs come from a fixed seed and are \
the same everywhere:

  random    rays through a shape or beside it, half of them each
  edges     aimed at an edge or a silhouette, within the rounding of f64
  grazing   almost within the triangle's plane; exactly along a face, as f64
            rounds it; a tangent from far away
  slivers   triangles, boxes and hulls 1e-9 thin, aimed at
  far       as edges, a million sizes away from the origin of coordinates;
            coordinates are coarse there, and what they say is the truth

Lanes of f32 round the coordinates first, and so does the watertight recipe, \
the one of scenes; their wrong answers are held against the f64 coordinates. \
That recipe also gives an edge to one of the two triangles that share it, \
which counts as a wrong answer here: the truth is the closed triangle.

At the end, meshes in a grid beside meshes in a tree: what each takes to build \
and to keep, and the time of a question; their answers are the same.")]
pub struct Args {
    /// As its user typed it.
    #[arg(value_name = "SCENE", help = SCENE_HELP, default_value = DEFAULT_SCENE)]
    #[arg(value_hint = ValueHint::FilePath, value_parser = file_name)]
    scene: String,
    #[command(flatten)]
    reading: Reading,
    /// Where primary rays start: a .cam file, or a camera's name in the scene
    #[arg(long, value_name = "FILE.cam|NAME", value_hint = ValueHint::FilePath)]
    camera: Option<String>,
    /// About how long to measure; longer is more exact
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    #[arg(allow_hyphen_values = true)]
    seconds: f64,
    /// Each intersection test alone: its time and its wrong answers; the grid
    #[arg(long, conflicts_with_all = ["scene", "trust", "cell", "relief", "camera", "seconds"])]
    tests: bool,
    /// Every digit, as JSON
    #[arg(long)]
    json: bool,
}

/// Measures and prints.
pub fn run(args: &Args, common: Common) -> Result<(), Failure> {
    if args.tests { each_test::run(args.json) } else { scene::run(args, common) }
}
