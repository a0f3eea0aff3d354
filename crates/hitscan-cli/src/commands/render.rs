//! `render`: a picture of a scene.

use crate::args::Common;
use crate::failure::Failure;
use crate::scene::{DEFAULT_SCENE, Loaded};
use crate::view::ViewArgs;

/// Options of `render`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[arg(default_value = DEFAULT_SCENE)]
    scene: String,
    #[command(flatten)]
    view: ViewArgs,
    #[arg(short, long)]
    output: String,
}

/// Answers.
pub fn run(args: &Args, _common: Common) -> Result<(), Failure> {
    let loaded = Loaded::open(&args.scene)?;
    args.view.camera(&loaded)?;
    Err(Failure::new(
        &args.output,
        "pictures are not drawn here yet; expected the other half of this command",
    ))
}
