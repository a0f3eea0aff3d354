//! The view that `render` and `pick` share: a camera from a file, by name, by options, or one that frames the scene.

use std::path::Path;

use clap::Args;
use hitscan::glam::DVec3;
use hitscan::{Camera, CameraError, MAX_COORDINATE};
use hitscan_io::Model;

use crate::args::{AXES, Size, Up, Vector, words};
use crate::failure::Failure;
use crate::number::exact;
use crate::scene::Loaded;

/// Vertical field of view where none is asked for, in degrees.
const DEFAULT_FOV: f64 = 40.0;

/// Width and height of a picture where none are asked for, in pixels.
pub const DEFAULT_SIZE: [u32; 2] = [1280, 720];

/// From the scene's centre to the default eye, with +Y upwards: from the front, a little from the right and above.
const DEFAULT_SIDE: DVec3 = DVec3::new(0.45, 0.4, 0.8);

/// Where the picture is taken from, and its size.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Camera")]
pub struct ViewArgs {
    /// A .cam file, or the name of a camera in the scene
    #[arg(long, value_name = "FILE.cam|NAME", conflicts_with_all = ["eye", "look", "up"])]
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub camera: Option<String>,
    /// Where the camera stands
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub eye: Option<Vector>,
    /// The point in the middle of the picture [default: the centre of the scene]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub look: Option<Vector>,
    /// Upwards in the picture: an axis or a vector [default: the scene's own]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, hide_possible_values = true)]
    #[arg(value_parser = words(str::parse::<Up>, AXES))]
    pub up: Option<Up>,
    /// Vertical field of view in degrees [default: 40, or the camera's own]
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true, value_parser = crate::args::number)]
    pub fov: Option<f64>,
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", default_value_t = Size(DEFAULT_SIZE), allow_hyphen_values = true)]
    pub size: Size,
}

impl ViewArgs {
    /// The camera asked for; by default the scene's own one of the name `default`, else one that frames the scene.
    pub fn camera(&self, loaded: &Loaded) -> Result<Camera, Failure> {
        let camera = self.any_camera(loaded)?;
        // From farther away there are no rays, and a picture would be empty.
        if let Some(far) = camera.eye().to_array().into_iter().find(|c| c.abs() > MAX_COORDINATE) {
            let given = [
                ("--eye", self.eye.is_some()),
                ("--camera", self.camera.is_some()),
                ("--look", self.look.is_some()),
            ];
            let place = given.into_iter().find_map(|(option, given)| given.then_some(option));
            let what =
                format_args!("the eye is at {far:?}; expected coordinates of at most 2^100").to_string();
            return Err(Failure::new(place.unwrap_or("the default view"), what));
        }
        Ok(camera)
    }

    /// Refuses options that no camera can be made of, by their names.
    fn check(&self) -> Result<(), Failure> {
        let up = self.up.map(|up| up.0);
        let vectors = [("--eye", self.eye.map(|v| v.0)), ("--look", self.look.map(|v| v.0)), ("--up", up)];
        for (option, vector) in vectors {
            let vector = vector.unwrap_or(DVec3::ONE).to_array();
            if let Some((axis, x)) = ["x", "y", "z"].into_iter().zip(vector).find(|(_, x)| !x.is_finite()) {
                let what = format_args!("{axis} is {}; a camera needs finite numbers", exact(x));
                return Err(Failure::new(option, what));
            }
        }
        if up == Some(DVec3::ZERO) {
            return Err(Failure::new("--up", "the vector is 0; expected one of any length but zero"));
        }
        match self.fov {
            Some(fov) if !fov.is_finite() => {
                let what =
                    format_args!("{} is no field of view; expected degrees between 0 and 180", exact(fov));
                Err(Failure::new("--fov", what))
            }
            _ => Ok(()),
        }
    }

    fn any_camera(&self, loaded: &Loaded) -> Result<Camera, Failure> {
        self.check()?;
        let own = match &self.camera {
            Some(name) => Some(named(name, &loaded.model, &loaded.name)?),
            None if self.eye.is_none() && self.look.is_none() && self.up.is_none() => {
                own_default(&loaded.model)
            }
            None => None,
        };
        if let Some(camera) = own {
            return match self.fov {
                Some(fov) => Camera::new(camera.eye(), camera.forward(), camera.up(), fov)
                    .map_err(|error| Failure::new("--fov", error)),
                None => Ok(camera),
            };
        }
        let framing = Framing {
            up: self.up.map_or(loaded.up(), |up| up.0),
            fov: self.fov.unwrap_or(DEFAULT_FOV),
            ..Framing::of(loaded, self.size.0)
        };
        let (eye, look) = framing.eye_and_look(self.eye.map(|v| v.0), self.look.map(|v| v.0));
        Camera::look_at(eye, look, framing.up, framing.fov).map_err(|error| {
            let given = [
                ("--fov", matches!(error, CameraError::FieldOfView { .. })),
                ("--eye", self.eye.is_some()),
                ("--look", self.look.is_some()),
                ("--up", self.up.is_some()),
            ];
            let place = given.into_iter().find_map(|(option, given)| given.then_some(option));
            Failure::new(place.unwrap_or("the default view"), error)
        })
    }
}

/// The view of a picture of this size where no option asks for another.
pub fn default_camera(loaded: &Loaded, size: [u32; 2]) -> Result<Camera, CameraError> {
    own_default(&loaded.model).map_or_else(|| Framing::of(loaded, size).camera(), Ok)
}

fn own_default(model: &Model) -> Option<Camera> {
    model.cameras.iter().find(|camera| camera.name == "default").map(|camera| camera.camera)
}

/// A view of some points.
#[derive(Clone, Debug)]
pub struct Framing {
    /// What has to be in the picture; at least one point.
    pub points: Vec<DVec3>,
    /// What the eye looks at where only the eye is given.
    pub centre: DVec3,
    /// Upwards in the picture, of any length but zero.
    pub up: DVec3,
    /// Vertical field of view in degrees.
    pub fov: f64,
    /// Width over height of the picture.
    pub aspect: f64,
}

impl Framing {
    /// The default view of a whole scene, in a picture of this size.
    pub fn of(loaded: &Loaded, size: [u32; 2]) -> Framing {
        let [width, height] = size.map(f64::from);
        let (low, high) = loaded.bounds();
        let centre = (low + high) * 0.5;
        Framing { points: loaded.sample(), centre, up: loaded.up(), fov: DEFAULT_FOV, aspect: width / height }
    }

    /// The camera from the default side that has all points in its picture, as large as they go.
    pub fn camera(&self) -> Result<Camera, CameraError> {
        let (eye, look) = self.eye_and_look(None, None);
        Camera::look_at(eye, look, self.up, self.fov)
    }

    fn eye_and_look(&self, eye: Option<DVec3>, look: Option<DVec3>) -> (DVec3, DVec3) {
        match (eye, look) {
            (Some(eye), look) => (eye, look.unwrap_or(self.centre)),
            (None, look) => self.fit(look),
        }
    }

    /// Unit vector from the scene to the eye: [`DEFAULT_SIDE`], turned so that its height is along `up`.
    fn towards_eye(&self) -> DVec3 {
        let up = self.up.try_normalize().unwrap_or(DVec3::Y);
        let reference = if up.z.abs() > 0.9 { -DVec3::Y } else { DVec3::Z };
        let right = up.cross(reference).normalize_or(DVec3::X);
        let front = right.cross(up);
        (right * DEFAULT_SIDE.x + up * DEFAULT_SIDE.y + front * DEFAULT_SIDE.z).normalize()
    }

    /// The nearest eye on the default side from which all points are in the picture, with a margin, and the point in
    /// its middle: `look` where that is given.
    ///
    /// A point that lies `x` to the right of `look` and `z` nearer to the eye is inside the right edge of the picture
    /// of an eye `d` away and `s` to the right where `x + z tan <= s + d tan`. Each edge has its most demanding
    /// point; two opposite ones give `d` and `s`.
    fn fit(&self, look: Option<DVec3>) -> (DVec3, DVec3) {
        const MARGIN: f64 = 1.06;
        let back = self.towards_eye();
        let right = self.up.try_normalize().unwrap_or(DVec3::Y).cross(back).normalize_or(DVec3::X);
        let up = back.cross(right);
        let tan_y = libm::tan(self.fov.clamp(1e-3, 179.0).to_radians() * 0.5) / MARGIN;
        let from = look.unwrap_or(self.centre);
        // How far the eye has to be, and how far to the side, for the edges across one axis of the picture.
        let across = |axis: DVec3, tan: f64| {
            let most = |side: f64| {
                let demand = |p: &DVec3| side * (*p - from).dot(axis) + (*p - from).dot(back) * tan;
                self.points.iter().map(demand).fold(f64::NEG_INFINITY, f64::max)
            };
            let (high, low) = (most(1.0), most(-1.0));
            if look.is_some() {
                (high.max(low) / tan, 0.0)
            } else {
                ((high + low) / (2.0 * tan), (high - low) / 2.0)
            }
        };
        let (distance_x, to_right) = across(right, tan_y * self.aspect);
        let (distance_y, upwards) = across(up, tan_y);
        let distance = distance_x.max(distance_y);
        let look = from + right * to_right + up * upwards;
        // A single point still needs a place to be seen from.
        (look + back * if distance > 0.0 { distance } else { 1.0 }, look)
    }
}

/// The camera of a name in the scene, or of a `.cam` file.
pub fn named(name: &str, model: &Model, scene: &str) -> Result<Camera, Failure> {
    if let Some(found) = model.cameras.iter().find(|camera| camera.name == name) {
        return Ok(found.camera);
    }
    if Path::new(name).extension().is_some_and(|extension| extension == "cam") || Path::new(name).exists() {
        return Ok(hitscan_io::read_camera(Path::new(name))?);
    }
    let known: Vec<String> = model.cameras.iter().map(|camera| format!("'{}'", camera.name)).collect();
    let known = if known.is_empty() { "no camera".into() } else { known.join(", ") };
    Err(Failure::new(
        "--camera",
        format_args!("there is no '{name}' in {scene}; it has {known}, or give a .cam file"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framing(points: Vec<DVec3>, up: DVec3) -> Framing {
        let centre = points.iter().sum::<DVec3>() / points.len() as f64;
        Framing { points, centre, up, fov: 40.0, aspect: 16.0 / 9.0 }
    }

    #[test]
    fn all_points_are_in_the_picture_and_reach_its_edges() {
        let points: Vec<DVec3> = (0..8)
            .map(|i| DVec3::new([-3.0, 40.0][i & 1], [10.0, 12.0][i >> 1 & 1], [2.0, 3.0][i >> 2]))
            .collect();
        for up in [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::Y] {
            let camera = framing(points.clone(), up).camera().unwrap();
            let pixels: Vec<[f64; 2]> =
                points.iter().map(|&p| camera.project(p, DEFAULT_SIZE).unwrap().0).collect();
            for [x, y] in &pixels {
                assert!((0.0..1280.0).contains(x) && (0.0..720.0).contains(y), "{up} {x} {y}");
            }
            let span = |axis: usize| {
                let along = pixels.iter().map(|pixel| pixel[axis]);
                along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
            };
            assert!(span(0) > 0.93 * 1280.0 || span(1) > 0.93 * 720.0, "{up}: as large as they go");
        }
    }

    #[test]
    fn a_point_has_a_view() {
        assert!(framing(vec![DVec3::ONE], DVec3::Y).camera().is_ok());
    }
}
