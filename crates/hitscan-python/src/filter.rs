//! What counts: masks and sides.

use hitscan::{Facing, Filter};
use pyo3::Borrowed;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The filter of a question.
pub fn of(mask: u32, facing: &str) -> PyResult<Filter<'static>> {
    let side = match facing {
        "both" => Facing::Both,
        "front" => Facing::Front,
        "back" => Facing::Back,
        _ => {
            let message = format!("facing is {facing:?}; expected 'both', 'front' or 'back'");
            return Err(PyValueError::new_err(message));
        }
    };
    Ok(Filter::new().mask(mask).facing(side))
}

/// The filter of a batch, from a mask and the name of a side.
pub struct Sides(pub Filter<'static>);

impl<'py> FromPyObject<'_, 'py> for Sides {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Sides> {
        let (mask, facing): (u32, String) = object.extract()?;
        of(mask, &facing).map(Sides)
    }
}
