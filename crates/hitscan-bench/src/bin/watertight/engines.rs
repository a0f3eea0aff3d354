//! Who is asked: whether a ray hits, and which triangles it crosses.

use hitscan::{Face, Filter, Mesh, Ray};
use hitscan_bench::peers::embree::{self, Embree, Outline};
use hitscan_bench::peers::parry;
use parry3d::shape::{CompositeShapeRef, TriMesh};

/// One engine with its tree over one mesh.
pub trait Engine {
    fn name(&self) -> &'static str;
    /// Whether each ray hits something, by the call for the closest hit.
    fn hits(&self, rays: &[Ray]) -> Vec<bool>;
    /// For each ray how many more fronts than backs it crosses.
    fn sums(&self, rays: &[Ray]) -> Vec<i32>;
}

/// Ours, and all peers.
///
/// # Errors
/// What a peer refuses.
pub fn all<'a>(mesh: &'a Mesh, embree: Option<&'static Embree>) -> Result<Vec<Box<dyn Engine + 'a>>, String> {
    let mut all: Vec<Box<dyn Engine + 'a>> = vec![Box::new(mesh)];
    if let Some(library) = embree {
        for (name, robust) in [(embree::FAST, false), (embree::ROBUST, true)] {
            let outline = Outline::new(library, mesh, robust)?;
            all.push(Box::new(Theirs { name, outline, mesh }));
        }
    }
    all.push(Box::new(Stepping { tree: parry::tri_mesh(mesh)?, mesh }));
    Ok(all)
}

/// Which side of a triangle a direction meets: 1 for its front, -1 for its back, 0 along it or without area.
fn side(mesh: &Mesh, prim: u32, ray: &Ray) -> i32 {
    let [a, b, c] = mesh.triangles()[prim as usize]
        .map(|index| hitscan::glam::DVec3::from(mesh.vertices()[index as usize].map(f64::from)));
    let along = (b - a).cross(c - a).dot(ray.dir());
    i32::from(along < 0.0) - i32::from(along > 0.0)
}

impl Engine for &Mesh {
    fn name(&self) -> &'static str {
        "hitscan"
    }

    fn hits(&self, rays: &[Ray]) -> Vec<bool> {
        self.closest_batch(rays, &Filter::ALL).iter().map(Option::is_some).collect()
    }

    fn sums(&self, rays: &[Ray]) -> Vec<i32> {
        let lists = self.all_hits_batch(rays, &Filter::ALL);
        let side = |facing| if facing == Face::Front { 1 } else { -1 };
        lists.iter().map(|hits| hits.iter().map(|hit| side(hit.facing)).sum()).collect()
    }
}

/// Embree: the filter hands out all crossings.
struct Theirs<'a> {
    name: &'static str,
    outline: Outline,
    mesh: &'a Mesh,
}

impl Engine for Theirs<'_> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn hits(&self, rays: &[Ray]) -> Vec<bool> {
        self.outline.hits(rays)
    }

    fn sums(&self, rays: &[Ray]) -> Vec<i32> {
        let crossings = self.outline.crossings(rays);
        let sum =
            |(prims, ray): (&Vec<u32>, &Ray)| prims.iter().map(|&prim| side(self.mesh, prim, ray)).sum();
        crossings.iter().zip(rays).map(sum).collect()
    }
}

/// parry3d, which knows the closest hit alone: the next ray begins two rounding errors of its coordinates behind the last one's
/// hit, and a hit of the same triangle again does not count.
struct Stepping<'a> {
    tree: TriMesh,
    mesh: &'a Mesh,
}

impl Engine for Stepping<'_> {
    fn name(&self) -> &'static str {
        "parry3d"
    }

    fn hits(&self, rays: &[Ray]) -> Vec<bool> {
        let hit = |ray: &Ray| {
            let (ray, far) = parry::ray(ray);
            CompositeShapeRef(&self.tree).cast_local_ray(&ray, far, false).is_some()
        };
        rays.iter().map(hit).collect()
    }

    fn sums(&self, rays: &[Ray]) -> Vec<i32> {
        rays.iter().map(|ray| self.sum(ray)).collect()
    }
}

impl Stepping<'_> {
    /// More steps than any line through a mesh of the suite takes.
    const MOST_STEPS: usize = 256;

    fn sum(&self, asked: &Ray) -> i32 {
        let (mut ray, far) = parry::ray(asked);
        let (mut at, mut last, mut sum) = (0.0, None, 0);
        for _ in 0..Self::MOST_STEPS {
            let found = CompositeShapeRef(&self.tree).cast_local_ray_and_get_normal(&ray, far, false);
            let Some((prim, hit)) = found else { break };
            if last != Some(prim) {
                sum += side(self.mesh, prim, asked);
                last = Some(prim);
            }
            at += f64::from(hit.time_of_impact);
            let reach = (asked.origin() + asked.dir() * at).abs().max_element();
            at += 2.0 * f64::from(f32::EPSILON) * reach / asked.dir().abs().max_element();
            ray.origin = parry::vector(asked.origin() + asked.dir() * at);
        }
        sum
    }
}
