//! The compiled half of the Python package `hitscan`: arrays in, arrays out.
//!
//! What people see is Python, in `python/hitscan`: it checks shapes and types, makes the arrays that answers go into,
//! and names them. This half gets contiguous arrays of `f32` or `f64` in this machine's byte order, and fills others.
//!
//! - A question is asked in [`batch`]: rows are handed out to workers, one task of up to a thousand at a time, while
//!   the thread that asked waits without the interpreter's lock and looks after Ctrl-C and the progress bar ([`wait`]).
//! - Workers are pools of threads that are kept ([`pools`]), never the global pool, which would not survive a `fork`.
//! - No panic is reachable: what Rust refuses becomes an exception in [`errors`].

mod answers;
mod apart;
mod batch;
mod camera;
mod errors;
mod filter;
mod heights;
mod hit;
mod known;
mod lists;
mod load;
mod mesh;
mod one;
mod places;
mod points;
mod pools;
mod queries;
mod rays;
mod scene;
mod shapes;
mod target;
mod trusted;
mod wait;
mod world;

use pyo3::prelude::*;

/// The compiled half of `hitscan`.
#[pymodule]
mod _hitscan {
    #[pymodule_export]
    use crate::camera::camera;
    #[pymodule_export]
    use crate::hit::Hit;
    #[pymodule_export]
    use crate::load::load;
    #[pymodule_export]
    use crate::mesh::Mesh;
    #[pymodule_export]
    use crate::places::{closest_point, contains, signed_distance, winding_number};
    #[pymodule_export]
    use crate::queries::{
        all_hits, closest, closest_one, count, first_n, heights, intervals, occluded, occluded_one, sight,
    };
    #[pymodule_export]
    use crate::scene::Scene;
    #[pymodule_export]
    use crate::shapes::Shape;
    #[pymodule_export]
    use crate::world::World;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
