//! Parts of a document that most readers never ask for.

use std::path::Path;

use ::gltf::json::{Value, deserialize::from_value};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::ReadError;

/// A part of the document, or what is wrong with it: that is an error only where the part is used.
pub(super) struct Held<T>(Result<T, String>);

impl<T> Held<T> {
    /// The part; `name` is how the error calls it.
    pub fn get(&self, path: &Path, name: impl FnOnce() -> String) -> Result<&T, ReadError> {
        self.0.as_ref().map_err(|error| {
            let expected = "such parts are as glTF 2.0 lays them out";
            ReadError::invalid(path, format!("{}: {error}", name()), expected)
        })
    }

    /// The part, if it is sound.
    pub fn sound(&self) -> Option<&T> {
        self.0.as_ref().ok()
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Held<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Held<T>, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok(Held(from_value(value).map_err(|error| error.to_string().replace(char::is_control, " "))))
    }
}
