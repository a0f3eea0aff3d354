//! The answer for one ray, as numbers of Python.

use std::hash::{DefaultHasher, Hash, Hasher};

use hitscan::Face;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The first hit of one ray.
///
/// Attributes
/// ----------
/// t : float
///     The hit lies at ``origin + t * direction``.
/// distance : float
///     ``t`` times the length of the direction, in world units.
/// position : tuple of three floats
///     The hit, on the triangle.
/// normal : tuple of three floats
///     Unit normal by counter-clockwise winding, never flipped towards the ray.
/// u, v : float
///     Weights of the triangle's corners B and C.
/// instance : int
///     Number of the instance; 0 where a mesh was asked.
/// prim : int
///     Row of the mesh's ``faces``.
/// material : int
///     Material of the triangle.
/// facing : int
///     1 where the ray met the front, -1 the back.
#[pyclass(frozen, get_all, eq, module = "hitscan")]
#[derive(Clone, PartialEq)]
pub struct Hit {
    t: f64,
    distance: f64,
    position: Three,
    normal: Three,
    u: f64,
    v: f64,
    instance: u32,
    prim: u32,
    material: u32,
    facing: i8,
}

type Three = (f64, f64, f64);

/// All that a hit is made of, in order.
type Parts = (f64, f64, Three, Three, f64, f64, u32, u32, u32, i8);

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
    #[new]
    fn new(
        t: f64,
        distance: f64,
        position: Three,
        normal: Three,
        u: f64,
        v: f64,
        instance: u32,
        prim: u32,
        material: u32,
        facing: i8,
    ) -> Hit {
        Hit { t, distance, position, normal, u, v, instance, prim, material, facing }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Hit>) -> (Bound<'py, PyType>, Parts) {
        let Hit { t, distance, position, normal, u, v, instance, prim, material, facing } = *slf.get();
        (slf.get_type(), (t, distance, position, normal, u, v, instance, prim, material, facing))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        // Both zeros are equal. The rest follows from these, or nearly.
        ((self.t + 0.0).to_bits(), self.instance, self.prim, self.facing).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let Hit { t, position: (x, y, z), instance, prim, facing, .. } = self;
        format!(
            "Hit(t={t:?}, position=({x:?}, {y:?}, {z:?}), instance={instance}, prim={prim}, facing={facing})"
        )
    }
}
