//! Everything in a scene that touches a sphere or a box.

use alloc::vec::Vec;

use glam::DVec3;

use super::admits;
use super::sweep::sweep_solid;
use crate::bvh::nearest::{Boxes, NEVER};
use crate::bvh::node::WIDTH;
use crate::exact::sign_of;
use crate::filter::Filter;
use crate::hit::{Face, InstanceId};
use crate::intersect::{
    Motion, Polytope, capsule_reaches_polytope, gaps_sq, sphere_touches_triangle, triangle_aabb, triangle_obb,
};
use crate::query::batch::each;
use crate::query::{Buffer, reach_of_obb, reaching};
use crate::scene::Scene;
use crate::shape::convex::height_over;
use crate::shape::{Aabb, Capsule, Obb, Plane, Sphere, Triangle};
use crate::simd::stack::AnyOrder;
use crate::world::placing::Solid;
use crate::world::top::search::{At, WorldSearch};

/// A triangle or a shape of a scene that touches something.
///
/// ```
/// use hitscan::shape::{Plane, Sphere};
/// use hitscan::{Filter, World};
/// let mut world = World::new();
/// let ground = world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
/// let touched = world.commit().overlap_sphere(&Sphere::new([0.0, 1.0, 0.0], 1.0)?, &Filter::ALL);
/// assert_eq!((touched.len(), touched[0].instance, touched[0].prim), (1, ground, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Overlap {
    /// Which instance.
    pub instance: InstanceId,
    /// Which of its triangles; 0 for a shape, which is named once.
    pub prim: u32,
}

/// A part of space that is asked about.
pub(crate) trait Region {
    /// Where coordinates are seen from.
    fn about(&self) -> DVec3;
    /// A box around it, as seen from there.
    fn bounds(&self) -> (DVec3, DVec3);
    /// Takes out of the bounds of boxes that the box around it reaches those that it does not reach itself.
    #[inline(always)]
    fn refine(&self, _boxes: &Boxes<f64>, _bounds: &mut [f64; WIDTH]) {}
    fn touches_triangle(&self, triangle: &Triangle) -> bool;
    fn touches_solid(&self, solid: &Solid<'_>) -> bool;
}

struct Touched<'a, R> {
    region: &'a R,
    bounds: (DVec3, DVec3),
    filter: &'a Filter<'a>,
    found: &'a mut Vec<Overlap>,
}

impl<R> Touched<'_, R> {
    fn offer(&mut self, at: &At<'_>, prim: u32) {
        if admits(self.filter, at, prim, Face::Front, 0.0, [0.0; 2]) {
            self.found.push(Overlap { instance: at.id, prim });
        }
    }
}

impl<R: Region> WorldSearch for Touched<'_, R> {
    type Order = AnyOrder;

    fn about(&self) -> DVec3 {
        self.region.about()
    }

    fn filter(&self) -> &Filter<'_> {
        self.filter
    }

    #[inline(always)]
    fn bounds(&self, boxes: &Boxes<f64>) -> [f64; WIDTH] {
        let (low, high) = self.bounds;
        let mut bounds = reaching(low, high, boxes);
        self.region.refine(boxes, &mut bounds);
        bounds
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        0.0
    }

    fn triangle(&mut self, at: &At<'_>, prim: u32, triangle: &Triangle) {
        if self.region.touches_triangle(triangle) {
            self.offer(at, prim);
        }
    }

    fn solid(&mut self, at: &At<'_>, solid: &Solid<'_>) {
        if self.region.touches_solid(solid) {
            self.offer(at, 0);
        }
    }
}

/// Everything that touches a part of space, by instance, then by `prim`. Sides play no part: what is touched counts as its front.
fn overlapping(scene: &Scene, region: &impl Region, filter: &Filter<'_>, touched: &mut Buffer<Overlap>) {
    let (filter, found) = (&filter.facing(crate::Facing::Both), &mut touched.answers);
    found.clear();
    scene.top.search(scene.kernel, &mut Touched { region, bounds: region.bounds(), filter, found });
    found.sort_unstable();
}

/// A sphere as seen from its centre.
struct Around {
    about: DVec3,
    sphere: Sphere,
}

impl Region for Around {
    fn about(&self) -> DVec3 {
        self.about
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        // More than what the sum with another radius, and what a gap and its square, are rounded by.
        let reach = DVec3::splat(self.sphere.radius() * (1.0 + 64.0 * f64::EPSILON));
        (-reach, reach)
    }

    #[inline(always)]
    fn refine(&self, boxes: &Boxes<f64>, bounds: &mut [f64; WIDTH]) {
        let reach = self.sphere.radius() * (1.0 + 64.0 * f64::EPSILON);
        // Where squares are neither too large nor lost.
        if (1e-100..1e100).contains(&reach) {
            let squares = gaps_sq(DVec3::ZERO, 1.0, boxes);
            for lane in 0..WIDTH {
                bounds[lane] = if squares[lane] > reach * reach { NEVER } else { bounds[lane] };
            }
        }
    }

    fn touches_triangle(&self, triangle: &Triangle) -> bool {
        sphere_touches_triangle(&self.sphere, triangle)
    }

    fn touches_solid(&self, solid: &Solid<'_>) -> bool {
        let radius = self.sphere.radius();
        let grown = |other: f64| Sphere::derived(DVec3::ZERO, radius + other);
        match solid {
            Solid::Ball(ball) => grown(ball.radius()).contains(ball.centre()),
            Solid::Pill(capsule) => {
                let segment = Triangle::derived([capsule.a(), capsule.b(), capsule.b()]);
                sphere_touches_triangle(&grown(capsule.radius()), &segment)
            }
            Solid::Uneven(target) => target.touches_ball(DVec3::ZERO, radius),
            Solid::Block(block) => block.touches_ball(radius),
            Solid::Flat(_) => {
                // One that rests at exactly the touching distance is not in the way of a motion, so it is made larger by
                // the least bit.
                let larger = Capsule::derived(DVec3::ZERO, DVec3::ZERO, radius.next_up());
                sweep_solid(&larger, &Motion::NONE, solid).is_some()
            }
        }
    }
}

impl Region for Aabb {
    fn about(&self) -> DVec3 {
        DVec3::ZERO
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        (self.low(), self.high())
    }

    fn touches_triangle(&self, triangle: &Triangle) -> bool {
        triangle_aabb(triangle, self)
    }

    fn touches_solid(&self, solid: &Solid<'_>) -> bool {
        polytope_touches(self, solid, |triangle| triangle_aabb(triangle, self))
    }
}

impl Region for Obb {
    fn about(&self) -> DVec3 {
        DVec3::ZERO
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        reach_of_obb(self)
    }

    fn touches_triangle(&self, triangle: &Triangle) -> bool {
        triangle_obb(triangle, self)
    }

    fn touches_solid(&self, solid: &Solid<'_>) -> bool {
        polytope_touches(self, solid, |triangle| triangle_obb(triangle, self))
    }
}

/// Whether a solid with flat faces touches a shape; `touches` says it of a triangle.
pub(crate) fn polytope_touches(
    region: &impl Polytope,
    solid: &Solid<'_>,
    touches: impl Fn(&Triangle) -> bool,
) -> bool {
    let rests_on = |capsule: Capsule| {
        let larger = Capsule::derived(capsule.a(), capsule.b(), capsule.radius().next_up());
        capsule_reaches_polytope(&larger, region)
    };
    match solid {
        Solid::Ball(sphere) => rests_on(Capsule::derived(sphere.centre(), sphere.centre(), sphere.radius())),
        Solid::Pill(capsule) => rests_on(*capsule),
        Solid::Flat(plane) => {
            let spans = |triangle: &Triangle| triangle.corners().map(|corner| side_of(plane, corner));
            let (mut below, mut above) = (false, false);
            region.each_triangle(&mut |triangle| {
                for side in spans(triangle) {
                    below |= side.is_le();
                    above |= side.is_ge();
                }
            });
            below && above
        }
        Solid::Block(block) => {
            some_triangle(block, touches)
                || some_triangle(region, |triangle| block.holds(triangle.corners()[0]))
        }
        Solid::Uneven(target) => target.touches(region),
    }
}

fn some_triangle(of: &impl Polytope, holds: impl Fn(&Triangle) -> bool) -> bool {
    let mut some = false;
    of.each_triangle(&mut |triangle| some = some || holds(triangle));
    some
}

fn side_of(plane: &Plane, point: DVec3) -> core::cmp::Ordering {
    sign_of!(height_over(plane, point))
}

impl Scene {
    /// Every triangle and every shape that touches a sphere, its surface included, by instance, then by `prim`; empty where none
    /// does.
    ///
    /// Each triangle is judged as [`sphere_triangle`](crate::intersect::sphere_triangle) judges it, in its place as seen from the sphere's centre; a shape is a
    /// solid, and touched from inside too; a plane is a surface. A sphere inside of a closed mesh that reaches no triangle
    /// touches none: ask [`Scene::containing`]. A sphere or a capsule that its transform stretches unevenly is touched to about 2^-24 of the
    /// sizes; by less than 2^-20 of itself it counts as round, and as large as where it is largest. Of the [`Filter`], the mask counts, what is skipped (a shape as a whole, whichever face is named), and the closure, which
    /// sees `t` as 0 and every side as the front.
    ///
    /// ```
    /// use hitscan::shape::{Aabb, Sphere};
    /// use hitscan::{Filter, Mesh, World};
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let mut world = World::new();
    /// let quad = world.insert(&quad);
    /// let crate_ = world.insert(Aabb::new([3.0, 0.0, 1.0], [5.0, 2.0, 3.0])?);
    /// let blast = Sphere::new([3.0, 1.0, 0.0], 1.0)?;
    /// let touched = world.commit().overlap_sphere(&blast, &Filter::ALL);
    /// let touched: Vec<_> = touched.iter().map(|touched| (touched.instance, touched.prim)).collect();
    /// assert_eq!(touched, [(quad, 0), (crate_, 0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_sphere(&self, sphere: &Sphere, filter: &Filter<'_>) -> Vec<Overlap> {
        Buffer::filled(|touched| self.overlap_sphere_into(sphere, filter, touched))
    }

    /// [`Scene::overlap_sphere`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Filter, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let (scene, mut touched) = (world.commit(), Buffer::new());
    /// scene.overlap_sphere_into(&Sphere::new([1.5, 0.0, 0.0], 1.0)?, &Filter::ALL, &mut touched);
    /// assert_eq!(touched.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_sphere_into(&self, sphere: &Sphere, filter: &Filter<'_>, touched: &mut Buffer<Overlap>) {
        let centred = Sphere::derived(DVec3::ZERO, sphere.radius());
        overlapping(self, &Around { about: sphere.centre(), sphere: centred }, filter, touched);
    }

    /// The same for a box along the world's axes, by [`triangle_aabb`] for triangles in their places, rounded to `f64`.
    ///
    /// ```
    /// use hitscan::shape::{Aabb, Sphere};
    /// use hitscan::{Filter, World};
    /// let mut world = World::new();
    /// let ball = world.insert(Sphere::new([2.0, 0.0, 0.0], 1.0)?);
    /// let scene = world.commit();
    /// let zone = Aabb::new([-1.0; 3], [1.0; 3])?;
    /// assert_eq!(scene.overlap_aabb(&zone, &Filter::ALL)[0].instance, ball); // they touch
    /// assert!(scene.overlap_aabb(&Aabb::new([-1.0; 3], [0.9, 1.0, 1.0])?, &Filter::ALL).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_aabb(&self, bounds: &Aabb, filter: &Filter<'_>) -> Vec<Overlap> {
        Buffer::filled(|touched| self.overlap_aabb_into(bounds, filter, touched))
    }

    /// [`Scene::overlap_aabb`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Filter, World, shape::{Aabb, Sphere}};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let (scene, mut touched) = (world.commit(), Buffer::new());
    /// scene.overlap_aabb_into(&Aabb::new([0.0; 3], [1.0; 3])?, &Filter::ALL, &mut touched);
    /// assert_eq!(touched.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_aabb_into(&self, bounds: &Aabb, filter: &Filter<'_>, touched: &mut Buffer<Overlap>) {
        overlapping(self, bounds, filter, touched);
    }

    /// The same for an oriented box, by [`triangle_obb`].
    ///
    /// ```
    /// use hitscan::glam::{DMat3, DVec3};
    /// use hitscan::shape::{Obb, Sphere};
    /// use hitscan::{Filter, World};
    /// let mut world = World::new();
    /// let ball = world.insert(Sphere::new([0.0, 2.5, 0.0], 1.0)?);
    /// let turned = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z); // a quarter turn
    /// let plank = Obb::new([0.0; 3], turned, [2.0, 0.5, 0.1])?;
    /// assert_eq!(world.commit().overlap_obb(&plank, &Filter::ALL)[0].instance, ball);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_obb(&self, bounds: &Obb, filter: &Filter<'_>) -> Vec<Overlap> {
        Buffer::filled(|touched| self.overlap_obb_into(bounds, filter, touched))
    }

    /// [`Scene::overlap_obb`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Filter, World, shape::{Obb, Sphere}};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let (scene, mut touched) = (world.commit(), Buffer::new());
    /// scene.overlap_obb_into(&Obb::new([1.5, 0.0, 0.0], hitscan::glam::DMat3::IDENTITY, [1.0; 3])?, &Filter::ALL, &mut touched);
    /// assert_eq!(touched.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_obb_into(&self, bounds: &Obb, filter: &Filter<'_>, touched: &mut Buffer<Overlap>) {
        overlapping(self, bounds, filter, touched);
    }

    /// [`Scene::overlap_sphere`] for each sphere, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::shape::{Plane, Sphere};
    /// use hitscan::{Filter, World};
    /// let mut world = World::new();
    /// world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    /// let spheres = [Sphere::new([0.0, 0.5, 0.0], 1.0)?, Sphere::new([0.0, 1.5, 0.0], 1.0)?];
    /// let touched = world.commit().overlap_sphere_batch(&spheres, &Filter::ALL);
    /// assert_eq!((touched[0].len(), touched[1].len()), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_sphere_batch(&self, spheres: &[Sphere], filter: &Filter<'_>) -> Vec<Vec<Overlap>> {
        each(spheres, |sphere| self.overlap_sphere(sphere, filter))
    }

    /// [`Scene::overlap_aabb`] for each box, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::shape::{Aabb, Plane};
    /// use hitscan::{Filter, World};
    /// let mut world = World::new();
    /// world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    /// let boxes = [Aabb::new([0.0; 3], [1.0; 3])?, Aabb::new([0.0, 0.5, 0.0], [1.0; 3])?];
    /// let touched = world.commit().overlap_aabb_batch(&boxes, &Filter::ALL);
    /// assert_eq!((touched[0].len(), touched[1].len()), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_aabb_batch(&self, boxes: &[Aabb], filter: &Filter<'_>) -> Vec<Vec<Overlap>> {
        each(boxes, |bounds| self.overlap_aabb(bounds, filter))
    }

    /// [`Scene::overlap_obb`] for each box, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::glam::DMat3;
    /// use hitscan::shape::{Obb, Plane};
    /// use hitscan::{Filter, World};
    /// let mut world = World::new();
    /// world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    /// let boxes = [[0.0, 0.5, 0.0], [0.0, 1.5, 0.0]].map(|at| Obb::new(at, DMat3::IDENTITY, [1.0; 3]));
    /// let boxes: Vec<Obb> = boxes.into_iter().collect::<Result<_, _>>()?;
    /// let touched = world.commit().overlap_obb_batch(&boxes, &Filter::ALL);
    /// assert_eq!((touched[0].len(), touched[1].len()), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_obb_batch(&self, boxes: &[Obb], filter: &Filter<'_>) -> Vec<Vec<Overlap>> {
        each(boxes, |bounds| self.overlap_obb(bounds, filter))
    }
}
