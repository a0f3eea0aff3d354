//! Who is measured: ours and the peers, each on the same triangles and the same bits of the same rays.

mod bvh;
pub mod embree;
mod obvhs;
pub mod ours;
pub mod parry;
pub mod per_ray;

use hitscan::{Isa, Mesh, Ray};
use rayon::ThreadPool;

use crate::forms::{Form, Query};
use crate::measure::{Plan, Run, Timing, rounds};
use embree::Embree;

/// One way to answer the rays of a form; everything that can be made before the clock starts is.
pub trait Session: Run {
    /// Of the last run, for each ray: `t` of the closest hit, or infinity; for occlusion 0 or infinity; for lists how
    /// many hits.
    fn answers(&self) -> Vec<f64>;
}

/// A session and who it is.
pub struct Rival<'a> {
    /// As the tables call it.
    pub name: &'static str,
    /// What it is asked.
    pub session: Box<dyn Session + 'a>,
}

/// A build, or something that is built again for each run.
pub trait Build: Run {
    /// Bytes of the last one, vertices and indices included; `None` where it does not tell.
    ///
    /// # Errors
    /// Why there is none.
    fn bytes(&self) -> Result<Option<usize>, String>;
}

/// A build and whose it is.
pub struct Builder<'a> {
    /// As the tables call it.
    pub name: &'static str,
    /// What it builds.
    pub build: Box<dyn Build + 'a>,
}

/// Threads that measure: whatever is held against something else runs in the same ones, called from within them.
pub struct Team {
    pool: ThreadPool,
    /// How many.
    pub threads: usize,
}

impl Team {
    /// So many threads.
    ///
    /// # Errors
    /// Threads that the system does not give.
    pub fn new(threads: usize) -> Result<Team, rayon::ThreadPoolBuildError> {
        Ok(Team { pool: rayon::ThreadPoolBuilder::new().num_threads(threads).build()?, threads })
    }

    /// [`rounds`] in these threads.
    pub fn rounds(&self, runs: &mut [&mut dyn Run], plan: &Plan) -> Vec<Timing> {
        self.pool.install(|| rounds(runs, plan))
    }
}

/// Everybody, with their trees over one mesh.
pub struct Peers {
    ours: ours::Ours,
    embree: Option<embree::Scenes>,
    parry: parry::Parry,
    obvhs: obvhs::Obvhs,
    bvh: bvh::BinaryTree,
}

impl Peers {
    /// An instruction set may be forced on ours, and on Embree where it is AVX2.
    ///
    /// # Errors
    /// A machine without the instruction set, and what a peer refuses.
    pub fn new(mesh: &Mesh, forced: Option<Isa>, embree: Option<&'static Embree>) -> Result<Peers, String> {
        let isa = forced.unwrap_or(mesh.isa());
        let ours = mesh.with_isa(isa).ok_or_else(|| format!("{isa} is not available here"))?;
        Ok(Peers {
            ours: ours::Ours(ours),
            embree: embree.map(|library| embree::Scenes::new(library, mesh, forced)).transpose()?,
            parry: parry::Parry::new(mesh)?,
            obvhs: obvhs::Obvhs::new(mesh),
            bvh: bvh::BinaryTree::new(mesh),
        })
    }

    /// Who answers a form, ours first.
    pub fn rivals<'a>(&'a self, rays: &'a [Ray], form: Form) -> Vec<Rival<'a>> {
        let mut all = vec![Rival { name: "hitscan", session: self.ours.session(rays, form) }];
        if let Some(embree) = &self.embree {
            all.extend(embree.rivals(rays, form));
        }
        if matches!(form.query, Query::Closest | Query::Occluded) {
            all.push(Rival { name: "parry3d", session: self.parry.session(rays, form) });
            all.push(Rival { name: "obvhs", session: self.obvhs.session(rays, form) });
            // All that it shares out are boxes: the slowest by far, so it shows itself once.
            if form.is_single() {
                all.push(Rival { name: "bvh", session: self.bvh.session(rays, form) });
            }
        }
        all
    }
}

/// Who builds, ours first.
///
/// # Errors
/// What Embree reports.
pub fn builds<'a>(
    mesh: &'a Mesh,
    forced: Option<Isa>,
    embree: Option<&'static Embree>,
    threads: usize,
) -> Result<Vec<Builder<'a>>, String> {
    let mut all = vec![Builder { name: "hitscan", build: ours::build(mesh) }];
    if let Some(library) = embree {
        let build = embree::build(library, mesh, forced, threads)?;
        all.push(Builder { name: embree::FAST, build });
    }
    all.push(Builder { name: "parry3d", build: parry::build(mesh) });
    all.push(Builder { name: "obvhs", build: obvhs::build(mesh) });
    all.push(Builder { name: "bvh", build: bvh::build(mesh) });
    Ok(all)
}

/// A tree that is made by a function.
struct Built<T, F> {
    make: F,
    weigh: fn(&T) -> Option<usize>,
    last: Option<T>,
}

impl<'a, T: Send + 'a, F: Fn() -> T + Send + 'a> Built<T, F> {
    fn boxed(make: F, weigh: fn(&T) -> Option<usize>) -> Box<dyn Build + 'a> {
        Box::new(Built { make, weigh, last: None })
    }
}

impl<T: Send, F: Fn() -> T + Send> Run for Built<T, F> {
    fn reset(&mut self) {
        self.last = None;
    }

    fn run(&mut self) {
        self.last = Some((self.make)());
    }
}

impl<T: Send, F: Fn() -> T + Send> Build for Built<T, F> {
    fn bytes(&self) -> Result<Option<usize>, String> {
        Ok(self.last.as_ref().and_then(self.weigh))
    }
}

/// Whether what runs here has one thread alone, and nobody to share work with.
fn is_alone() -> bool {
    rayon::current_num_threads() == 1
}

/// Where a ray ends, for peers whose numbers are `f32`.
fn far(ray: &Ray) -> f32 {
    ray.t_max() as f32
}
