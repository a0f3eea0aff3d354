//! Animations of nodes. Those of anything else, such as the weights of morph targets, are passed over.

use std::path::Path;

use serde::Deserialize;

use super::accessor::{Accessor, Role};
use super::buffers::Buffers;
use super::document::Document;
use super::held::Held;
use super::{label, name_or};
use crate::error::quoted;
use crate::rig::{Animation, Channel, Part, Way};
use crate::{ReadError, limits};

#[derive(Deserialize)]
pub(super) struct AnimationOfFile {
    name: Option<String>,
    #[serde(default)]
    channels: Vec<ChannelOfFile>,
    #[serde(default)]
    samplers: Vec<Keys>,
}

#[derive(Deserialize)]
struct ChannelOfFile {
    sampler: usize,
    target: Target,
}

#[derive(Deserialize)]
struct Target {
    node: Option<usize>,
    path: String,
}

#[derive(Deserialize)]
struct Keys {
    input: usize,
    output: usize,
    interpolation: Option<String>,
}

/// The animations of a document.
pub(super) fn read(
    path: &Path,
    document: &Document,
    buffers: &Buffers<'_>,
) -> Result<Vec<Animation>, ReadError> {
    let mut reader = Reader { path, document, buffers, keys: 0 };
    let animations = document.animations.iter().enumerate();
    let read = |(number, animation): (usize, &Held<AnimationOfFile>)| {
        reader.animation(number, animation.get(path, || format!("animation {number}"))?)
    };
    animations.map(read).collect()
}

struct Reader<'a> {
    path: &'a Path,
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    /// So far, over all animations: channels may share what few bytes hold.
    keys: u64,
}

impl Reader<'_> {
    fn animation(&mut self, number: usize, animation: &AnimationOfFile) -> Result<Animation, ReadError> {
        let mut channels = Vec::new();
        for (row, channel) in animation.channels.iter().enumerate() {
            let place = format!("{}, channel {row}", label("animation", number, &animation.name));
            channels.extend(self.channel(animation, channel, &place)?);
        }
        let last = |channel: &Channel| channel.times.last().copied().map_or(0.0, f64::from);
        let duration = channels.iter().map(last).fold(0.0, f64::max);
        Ok(Animation { name: name_or(&animation.name, || format!("animation{number}")), duration, channels })
    }

    /// The keys of a channel; `None` where it moves no node.
    fn channel(
        &mut self,
        animation: &AnimationOfFile,
        channel: &ChannelOfFile,
        place: &str,
    ) -> Result<Option<Channel>, ReadError> {
        let fault = |found: String, expected: &str| {
            ReadError::invalid(self.path, format!("{place}: {found}"), expected)
        };
        let (part, role) = match channel.target.path.as_str() {
            "translation" => (Part::Translation, Role::Positions),
            "rotation" => (Part::Rotation, Role::Rotations),
            "scale" => (Part::Scale, Role::Positions),
            _ => return Ok(None),
        };
        let Some(joint) = channel.target.node else { return Ok(None) };
        let Some(node) = self.document.nodes.get(joint) else {
            let found = format!("it names node {joint}, and there are {}", self.document.nodes.len());
            return Err(fault(found, "numbers count from 0"));
        };
        if node.matrix.is_some() {
            let found = format!("{} has a matrix", label("node", joint, &node.name));
            return Err(fault(found, "what moves has a translation, a rotation and a scale"));
        }
        let Some(keys) = animation.samplers.get(channel.sampler) else {
            let found =
                format!("it names sampler {}, and there are {}", channel.sampler, animation.samplers.len());
            return Err(fault(found, "numbers count from 0"));
        };
        let way = match keys.interpolation.as_deref() {
            None | Some("LINEAR") => Way::Linear,
            Some("STEP") => Way::Step,
            Some("CUBICSPLINE") => Way::Spline,
            Some(other) => {
                let found = format!("its interpolation is {}", quoted(other.as_bytes()));
                return Err(fault(found, "it is LINEAR, STEP or CUBICSPLINE"));
            }
        };
        let open = |accessor, role| Accessor::open(self.path, self.document, self.buffers, accessor, role);
        let (input, output) = (open(keys.input, Role::Times)?, open(keys.output, role)?);
        let values_a_key = if way == Way::Spline { 3 } else { 1 };
        if input.count == 0 || output.count / values_a_key < input.count {
            let found = format!("it has {} times and {} values", input.count, output.count);
            return Err(fault(found, "each time has its value, and a spline's two tangents beside it"));
        }
        self.keys = self.keys.saturating_add((input.count * values_a_key) as u64);
        limits::check_keys(self.path, self.keys, self.buffers.bytes_read())?;
        let times: Vec<f32> = (0..input.count).map(|key| input.floats::<1>(key)[0]).collect();
        if !times.iter().all(|time| time.is_finite()) || !times.is_sorted_by(|a, b| a < b) {
            return Err(fault("its times do not ascend".to_owned(), "keys are in order, at finite times"));
        }
        let value = |row: usize| {
            let [x, y, z] = output.floats::<3>(row);
            if part == Part::Rotation { output.floats::<4>(row) } else { [x, y, z, 0.0] }
        };
        let values: Vec<[f32; 4]> = (0..input.count * values_a_key).map(value).collect();
        if let Some(row) = values.iter().position(|value| !value.iter().all(|c| c.is_finite())) {
            return Err(fault(format!("value {row} is {:?}", values[row]), "keys are finite"));
        }
        let mut keyed = values.iter().skip(values_a_key / 2).step_by(values_a_key);
        if part == Part::Rotation && keyed.any(|value| *value == [0.0; 4]) {
            return Err(fault("a rotation is 0".to_owned(), "a rotation is a unit quaternion x y z w"));
        }
        Ok(Some(Channel { joint, part, way, times, values }))
    }
}
