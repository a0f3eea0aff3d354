//! The answer for one ray, as numbers of Python.

use hitscan::Face;
use pyo3::prelude::*;

/// The first hit of one ray.
#[pyclass(frozen, get_all, module = "hitscan")]
pub struct Hit {
    t: f64,
    distance: f64,
    position: (f64, f64, f64),
    normal: (f64, f64, f64),
    u: f64,
    v: f64,
    instance: u32,
    prim: u32,
    material: u32,
    facing: i8,
}

impl Hit {
    pub fn of(hit: &hitscan::Hit) -> Hit {
        Hit {
            t: hit.t,
            distance: hit.distance,
            position: hit.position.into(),
            normal: hit.normal.into(),
            u: hit.u,
            v: hit.v,
            instance: hit.instance.slot(),
            prim: hit.prim,
            material: hit.material,
            facing: if hit.facing == Face::Front { 1 } else { -1 },
        }
    }
}

#[pymethods]
impl Hit {
    fn __repr__(&self) -> String {
        let Hit { t, position: (x, y, z), instance, prim, facing, .. } = self;
        format!(
            "Hit(t={t:?}, position=({x:?}, {y:?}, {z:?}), instance={instance}, prim={prim}, facing={facing})"
        )
    }
}
