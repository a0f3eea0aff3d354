//! `render`: a picture of a scene.

use std::time::Instant;

use clap::ValueHint;

use crate::args::{Common, Reading, SCENE_HELP, file_name};
use crate::failure::{Failure, tell};
use crate::output::{Output, refuse_other_formats};
use crate::picture::{self, Shade, View};
use crate::scene::{DEFAULT_SCENE, Loaded};
use crate::view::ViewArgs;

/// Options of `render`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Shades:
  lit     sun, sky and shadows
  normal  the direction of the surface: x red, y green, z blue
  depth   how far away it is
  id      which instance it is; in a scene of one, which triangle
  hits    how many surfaces are crossed behind the pixel
  cost    how many boxes and triangles were looked at to find it

Examples:
  hitscan render -o range.png
  hitscan render part.glb -o part.png --shade normal --size 640x480
  hitscan render part.glb -o top.png --eye 0,9,0 --look 0,0,0 --up +Z

Without a camera the scene's own one named 'default' is taken, else one that has \
the whole scene in the picture.")]
pub struct Args {
    /// As its user typed it.
    #[arg(value_name = "SCENE", help = SCENE_HELP, default_value = DEFAULT_SCENE)]
    #[arg(value_hint = ValueHint::FilePath, value_parser = file_name)]
    scene: String,
    #[command(flatten)]
    reading: Reading,
    /// The PNG file to write, or - for standard output
    #[arg(short, long, value_name = "PNG", value_hint = ValueHint::FilePath)]
    #[arg(value_parser = file_name)]
    output: String,
    /// What a pixel's colour says: lit, normal, depth, id, hits or cost
    #[arg(long, value_enum, value_name = "SHADE", default_value = "lit", hide_possible_values = true)]
    shade: Shade,
    /// Refuse to replace a file that exists
    #[arg(long)]
    no_clobber: bool,
    #[command(flatten)]
    view: ViewArgs,
}

/// Draws the scene into a file.
pub fn run(args: &Args, common: Common) -> Result<(), Failure> {
    // First what may fail, before anybody waits.
    let what = "pictures are written as png; expected a name that ends in .png";
    refuse_other_formats(&args.output, "png", what)?;
    // A camera's name in the scene is that of no file, most often.
    let inputs: Vec<&str> =
        [Some(&args.scene), args.view.camera.as_ref()].into_iter().flatten().map(String::as_str).collect();
    let mut output = Output::create(Some(&args.output), &inputs, !args.no_clobber)?;
    let loaded = Loaded::named(&args.scene, args.reading)?;
    output.spare(&loaded.model.files)?;
    let camera = args.view.camera(&loaded)?;
    let view = View {
        scene: &loaded.scene,
        model: &loaded.model,
        camera: &camera,
        up: args.view.up.map_or(loaded.up(), |up| up.0),
        size: args.view.size.0,
    };
    let start = Instant::now();
    let rendered = picture::render(&view, args.shade);
    let seconds = start.elapsed().as_secs_f64();
    rendered.picture.write(&mut output)?;
    let place = output.place().to_owned();
    output.finish()?;
    if !common.quiet {
        let [width, height] = view.size;
        let millions = rendered.rays as f64 / 1e6;
        let rate = millions / seconds.max(1e-9);
        tell(format_args!(
            "{place}: {width}x{height}, {millions:.2} M rays in {seconds:.2} s, {rate:.2} M rays/s"
        ));
    }
    Ok(())
}
