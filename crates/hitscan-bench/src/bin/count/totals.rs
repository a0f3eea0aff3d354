//! The work of all rays of one kind, added up.

use std::iter::Sum;

use hitscan::bvh::Cost;
use hitscan::{Filter, Hit, Mesh, Ray, Scene};
use rayon::prelude::*;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    Closest,
    Occluded,
    AllHits,
}

impl Query {
    pub const ALL: [Query; 3] = [Query::Closest, Query::Occluded, Query::AllHits];

    /// As the tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Query::Closest => "closest",
            Query::Occluded => "occluded",
            Query::AllHits => "all hits",
        }
    }
}

/// What counts its work.
pub trait Counted: Sync {
    fn closest_cost(&self, ray: &Ray) -> (Option<Hit>, Cost);
    fn occluded_cost(&self, ray: &Ray) -> (bool, Cost);
    fn all_hits_cost(&self, ray: &Ray) -> (Vec<Hit>, Cost);
}

macro_rules! counted {
    ($kind:ident) => {
        impl Counted for $kind {
            fn closest_cost(&self, ray: &Ray) -> (Option<Hit>, Cost) {
                self.closest_cost(ray, &Filter::ALL)
            }
            fn occluded_cost(&self, ray: &Ray) -> (bool, Cost) {
                self.occluded_cost(ray, &Filter::ALL)
            }
            fn all_hits_cost(&self, ray: &Ray) -> (Vec<Hit>, Cost) {
                self.all_hits_cost(ray, &Filter::ALL)
            }
        }
    };
}

counted!(Mesh);
counted!(Scene);

/// Sums over rays, by the names of [`Cost`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub rays: u64,
    /// Rays that hit, or hits where all are asked for.
    pub hits: u64,
    pub instances: u64,
    pub nodes: u64,
    pub children: u64,
    pub leaves: u64,
    pub tests: u64,
    pub pops: u64,
}

impl Totals {
    pub fn of(target: &impl Counted, query: Query, rays: &[Ray]) -> Totals {
        let one = |ray: &Ray| {
            let (hits, cost) = match query {
                Query::Closest => {
                    let (hit, cost) = target.closest_cost(ray);
                    (u64::from(hit.is_some()), cost)
                }
                Query::Occluded => {
                    let (blocked, cost) = target.occluded_cost(ray);
                    (u64::from(blocked), cost)
                }
                Query::AllHits => {
                    let (hits, cost) = target.all_hits_cost(ray);
                    (hits.len() as u64, cost)
                }
            };
            Totals::new(hits, cost)
        };
        rays.par_iter().map(one).sum()
    }

    /// Of one ray.
    fn new(hits: u64, cost: Cost) -> Totals {
        Totals {
            rays: 1,
            hits,
            instances: cost.instances.into(),
            nodes: cost.nodes.into(),
            children: cost.children.into(),
            leaves: cost.leaves.into(),
            tests: cost.tests.into(),
            pops: cost.pops.into(),
        }
    }
}

impl Sum for Totals {
    fn sum<I: Iterator<Item = Totals>>(all: I) -> Totals {
        all.fold(Totals::default(), |a, b| Totals {
            rays: a.rays + b.rays,
            hits: a.hits + b.hits,
            instances: a.instances + b.instances,
            nodes: a.nodes + b.nodes,
            children: a.children + b.children,
            leaves: a.leaves + b.leaves,
            tests: a.tests + b.tests,
            pops: a.pops + b.pops,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan::{Instance, Transform, World};

    /// One triangle: a root with one box, and a leaf.
    fn triangle() -> Mesh {
        Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]]).unwrap()
    }

    /// Through the triangle, through its box alone, and past both.
    fn rays() -> [Ray; 3] {
        [[0.25, 0.25], [0.9, 0.9], [3.0, 3.0]].map(|[x, y]| Ray::new([x, y, 1.0], [0.0, 0.0, -1.0]).unwrap())
    }

    #[test]
    fn a_triangle_is_counted_by_hand() {
        let expected = |pops| Totals {
            rays: 3,
            hits: 1,
            instances: 0,
            nodes: 3,
            // The third ray meets no box.
            children: 2,
            leaves: 2,
            // The second is refused before the exact test.
            tests: 1,
            pops,
        };
        assert_eq!(Totals::of(&triangle(), Query::Closest, &rays()), expected(3));
        assert_eq!(Totals::of(&triangle(), Query::AllHits, &rays()), expected(3));
        // Where something is in the way, the walk ends without another pop.
        assert_eq!(Totals::of(&triangle(), Query::Occluded, &rays()), expected(2));
    }

    #[test]
    fn two_places_of_a_triangle_are_counted_by_hand() {
        let mut world = World::new();
        let mesh = triangle();
        for z in [0.0, -5.0] {
            world.insert(Instance::new(&mesh).at(Transform::translation([0.0, 0.0, z]).unwrap()));
        }
        let through = &rays()[..1];
        let totals = Totals::of(&world.commit(), Query::AllHits, through);
        assert_eq!((totals.rays, totals.hits, totals.instances), (1, 2, 2));
        // The scene's root with two boxes, and each mesh's root with one.
        assert_eq!((totals.nodes, totals.children, totals.leaves, totals.tests), (3, 4, 2, 2));
        // Behind both instances, and behind each one's leaf.
        assert_eq!(totals.pops, 4);
        let near = Totals::of(&mesh, Query::Closest, &[]);
        assert_eq!(near, Totals::default());
    }
}
