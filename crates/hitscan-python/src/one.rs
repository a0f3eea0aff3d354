//! The arguments of a question about one ray, which come as they are, without arrays: errors name them.

use std::borrow::Cow;

use hitscan::{Filter, Ray};
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::{named, refused};
use crate::filter;

/// A ray and what counts for it.
pub struct One {
    pub ray: Ray,
    pub filter: Filter<'static>,
}

impl One {
    pub fn new(
        origin: &Bound<'_, PyAny>,
        direction: &Bound<'_, PyAny>,
        [t_min, t_max]: [&Bound<'_, PyAny>; 2],
        mask: &Bound<'_, PyAny>,
        facing: &Bound<'_, PyAny>,
    ) -> PyResult<One> {
        let ray = Ray::new(three("origin", origin)?, three("direction", direction)?);
        let (t_min, t_max) = (number("t_min", t_min)?, number("t_max", t_max)?);
        let ray = ray.and_then(|ray| ray.with_range(t_min, t_max));
        let ray = ray.map_err(|error| refused("ray", None, error))?;
        Ok(One { ray, filter: filter::of(bits(mask)?, &side(facing)?)? })
    }
}

fn three(name: &str, value: &Bound<'_, PyAny>) -> PyResult<[f64; 3]> {
    // NumPy would drop the imaginary parts.
    if value.cast::<PyUntypedArray>().is_ok_and(|array| array.dtype().kind() == b'c') {
        return Err(PyTypeError::new_err(format!("{name} has complex numbers; expected three real ones")));
    }
    value.extract().map_err(|error| {
        named(&error, value.py(), &format!("{name}: {}; expected three numbers", error.value(value.py())))
    })
}

fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    value.extract().map_err(|error: PyErr| {
        named(&error, value.py(), &format!("{name}: {}; expected a number", error.value(value.py())))
    })
}

fn bits(mask: &Bound<'_, PyAny>) -> PyResult<u32> {
    mask.extract()
        .map_err(|error: PyErr| named(&error, mask.py(), &format!("mask is {mask}; expected 32 bits")))
}

fn side<'a>(facing: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, str>> {
    let Ok(word) = facing.cast::<PyString>() else {
        let message = format!("facing is {}; expected 'both', 'front' or 'back'", facing.repr()?);
        return Err(PyTypeError::new_err(message));
    };
    Ok(word.to_string_lossy())
}
