//! What is nearest to a cursor, in pixels: for things too thin to be met by its ray.
//!
//! What is exactly under the cursor is found by its ray. Anything else is looked for by its outline: the edges of triangles and of
//! shapes with flat faces (`edge`, `outline`), and the round outline of balls and capsules (`round`; `inside`, where the cursor is inside of
//! it). Each gives one point, a function of it and of the view alone, and a ray through that point says whether something hides it. Boxes are left out by a bound (`bound`) that no point
//! in them is nearer than, so the tree does not show in the answer.

mod bound;
mod edge;
mod inside;
mod outline;
mod round;

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::mem;

use glam::DVec3;

use crate::bvh::layout::Stored;
use crate::bvh::nearest::{Boxes, Corners, Search, one_by_one};
use crate::bvh::node::WIDTH;
use crate::filter::{Candidate, Filter, Verdict};
use crate::heightfield::Heightfield;
use crate::hit::{Face, Hit, HitRecord, InstanceId};
use crate::mesh::{Mesh, cross, describe};
use crate::query::{AnyHit, Buffer, ClosestHit, Target, ask, describe_shape};
use crate::ray::Ray;
use crate::scene::Scene;
use crate::simd::stack::NearestFirst;
use crate::transform::Transform;
use crate::view::{Aim, Lens};
use crate::world::top::near::Near;
use crate::world::{Geometry, Instance};
use edge::Drawn;

/// What was picked.
///
/// ```
/// use hitscan::{Camera, Filter, Mesh};
/// let pane = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
/// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
/// let picked = pane.pick(&view.aim([330.0, 245.0], 6.0)?, &Filter::ALL).expect("its lower edge is near");
/// assert!((picked.distance - 5.0).abs() < 1e-9 && (picked.pixel[1] - 240.0).abs() < 1e-9);
/// assert!(picked.hit.position.y.abs() < 1e-12 && picked.hit.v.abs() < 1e-12); // on that edge
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Picked {
    /// The point that was picked, as [`View::ray`](crate::View::ray) would hit it at its pixel: on an edge or an outline, where
    /// a ray might as well pass by.
    pub hit: Hit,
    /// Where that point is drawn.
    pub pixel: [f64; 2],
    /// How far that is from the cursor, in the unit of cursors; 0 for what is exactly under it.
    pub distance: f64,
}

impl Picked {
    /// What comes first: what is drawn nearer to the cursor, then what is nearer to the eye, then the lower instance, the front before
    /// the back, and the lower triangle or face.
    fn order(&self, other: &Picked) -> Ordering {
        let tie = |picked: &Picked| (picked.hit.instance, picked.hit.facing, picked.hit.prim);
        let by_distance = self.distance.total_cmp(&other.distance);
        by_distance.then(self.hit.t.total_cmp(&other.hit.t)).then_with(|| tie(self).cmp(&tie(other)))
    }
}

/// How much nearer than a point something is that hides it, as a part of its distance: 2^-18. What touches the point, such as the
/// ground that it stands on, is found a rounding before it or behind it.
const HIDES: f64 = 1.0 - 1.0 / (1 << 18) as f64;

/// A point of an outline: where it is drawn, relative to the cursor, and where it is in the frame of its instance.
#[derive(Clone, Copy, Debug)]
struct Outlined {
    offset: [f64; 2],
    distance: f64,
    point: DVec3,
}

/// The search for what is nearest to the cursor.
struct Finder<'a> {
    aim: &'a Aim,
    filter: &'a Filter<'a>,
    /// Whether something is in the way of a ray.
    occluded: &'a dyn Fn(&Ray, &Filter<'_>) -> bool,
    /// What is farther from the cursor is not wanted.
    limit: f64,
    /// Whether the cursor may be inside of an outline and its ray end before: at something else, where all that is visible is wanted.
    from_inside: bool,
    best: Option<Picked>,
}

impl<'a> Finder<'a> {
    fn new(
        aim: &'a Aim,
        filter: &'a Filter<'a>,
        occluded: &'a dyn Fn(&Ray, &Filter<'_>) -> bool,
    ) -> Finder<'a> {
        Finder { aim, filter, occluded, limit: aim.radius, from_inside: false, best: None }
    }

    /// Takes a point of an outline if it is the best and nothing hides it. `facing` is the side that a ray sees, if any; `touches`
    /// says of a crossing that it is of a surface that ends at the point.
    fn offer(
        &mut self,
        outlined: &Outlined,
        id: InstanceId,
        transform: Option<&Transform>,
        facing: impl FnOnce(&Ray) -> Option<Face>,
        hit: impl FnOnce(&Ray, f64, Face) -> Hit,
        touches: &(dyn Fn(&Candidate) -> bool + Sync),
    ) {
        let Outlined { offset, distance, point } = *outlined;
        let is_near = distance <= self.limit; // false for what is not a number
        if !is_near {
            return;
        }
        let pixel = [0, 1].map(|i| self.aim.cursor[i] + offset[i]);
        // A view gives a ray to every pixel that is finite.
        let Ok(ray) = self.aim.view.ray(pixel) else { return };
        let world = transform.map_or(point, |transform| transform.point(point));
        let t = (world - ray.origin()).dot(ray.dir()) / ray.dir().length_squared();
        let Some(facing) = facing(&ray) else { return };
        let hit = hit(&ray, t, facing);
        let Hit { u, v, prim, .. } = hit;
        if !self.filter.admits_data(facing, id, prim) {
            return;
        }
        let picked = Picked { hit, pixel, distance };
        if self.best.is_some_and(|best| picked.order(&best).is_ge()) {
            return;
        }
        let candidate = Candidate { t, u, v, prim, instance: id, facing };
        if self.filter.judged(|| candidate) == Verdict::Ignore || self.hides(&ray, t, touches) {
            return;
        }
        self.limit = distance;
        self.best = Some(picked);
    }

    /// Whether something that the filter admits lies before a point.
    fn hides(&self, ray: &Ray, t: f64, touches: &(dyn Fn(&Candidate) -> bool + Sync)) -> bool {
        if self.aim.through {
            return false;
        }
        let Ok(before) = ray.with_range(ray.t_min(), (t * HIDES).max(ray.t_min())) else { return false };
        let judge = |candidate: &Candidate| {
            if touches(candidate) { Verdict::Ignore } else { self.filter.judged(|| *candidate) }
        };
        (self.occluded)(&before, &self.filter.judge(&judge))
    }

    /// Looks at the outline of an instance.
    fn instance(&mut self, id: InstanceId, instance: &Instance) {
        if !self.filter.admits_instance(id, instance.mask) {
            return;
        }
        let transform = Some(&instance.transform);
        let lens = self.lens(&instance.transform);
        match &instance.geometry {
            Geometry::Mesh(mesh) => self.mesh(id, transform, lens, mesh),
            Geometry::Heightfield(field) => {
                self.field(id, transform, lens, field, instance.material);
            }
            shape => self.shape(shape, instance, id, &lens),
        }
    }

    /// Looks at the edges of a mesh.
    fn mesh(&mut self, id: InstanceId, transform: Option<&Transform>, lens: Lens, mesh: &Mesh) {
        let corners = |prim: u32| {
            let triangle = mesh.triangles().get(prim as usize)?;
            Some(triangle.map(|index| mesh.vertices()[index as usize]))
        };
        let (corners, material) = (&corners, &|prim: u32| mesh.data.material(prim));
        let cuts = &|prim: u32, u: f64, v: f64| mesh.data.cuts_at(prim, u, v);
        mesh.data.search(
            mesh.kernel,
            &mut OfTriangles { finder: self, lens, id, transform, corners, material, cuts },
        );
    }

    /// Looks at the edges of a heightfield.
    fn field(
        &mut self,
        id: InstanceId,
        transform: Option<&Transform>,
        lens: Lens,
        field: &Heightfield,
        material: u32,
    ) {
        let (corners, material) = (&|prim: u32| field.corners_of(prim), &|_| material);
        let cuts = &|_, _, _| false;
        let mut search = OfTriangles { finder: self, lens, id, transform, corners, material, cuts };
        field.search(field.kernel, &mut search);
    }

    /// Where points of a frame are drawn, relative to the cursor.
    fn lens(&self, transform: &Transform) -> Lens {
        let mut lens = self.aim.view.lens_of(transform);
        let [x, y] = self.aim.cursor;
        lens.x = lens.x.mixed(1.0, lens.w, -x);
        lens.y = lens.y.mixed(1.0, lens.w, -y);
        lens
    }

    /// Looks at the outline of a shape.
    fn shape(&mut self, shape: &Geometry, instance: &Instance, id: InstanceId, lens: &Lens) {
        let transform = &instance.transform;
        let axis = match shape {
            Geometry::Sphere(sphere) => Some((sphere.centre(), sphere.centre(), sphere.radius())),
            Geometry::Capsule(capsule) => Some((capsule.a(), capsule.b(), capsule.radius())),
            _ => None,
        };
        let round = axis.and_then(|(a, b, radius)| {
            let around = || inside::nearest(lens, a, b, radius);
            round::nearest(lens, a, b, radius).or_else(|| self.from_inside.then(around)?)
        });
        let describe = |prim: u32| {
            move |ray: &Ray, t: f64, facing: Face| {
                let record = HitRecord { t, u: 0.0, v: 0.0, prim, instance: id, facing };
                describe_shape(instance, ray, &record)
            }
        };
        if let Some(outlined) = round {
            // Both sides end there, and none of it lies before its own outline.
            let face = shape.face_at(outlined.point);
            let touches = |candidate: &Candidate| candidate.instance == id;
            let side = if self.filter.admits_side(Face::Front) { Face::Front } else { Face::Back };
            self.offer(&outlined, id, Some(transform), |_| Some(side), describe(face), &touches);
        }
        outline::each_edge(shape, &mut |[from, to], prim, normal| {
            let nearest = edge::nearest(&Drawn::new(lens, from), &Drawn::new(lens, to));
            let Some((outlined, ..)) = nearest else { return };
            let facing = |ray: &Ray| side_of(normal, local_dir(Some(transform), ray), false);
            self.offer(&outlined, id, Some(transform), facing, describe(prim), &|_| false);
        });
    }
}

/// The direction of a ray in the frame of an instance.
fn local_dir(transform: Option<&Transform>, ray: &Ray) -> DVec3 {
    transform.map_or(ray.dir(), |transform| transform.inverse_vector(ray.dir().to_array()).into())
}

/// The side of a face that a ray sees; `None` where it runs along the face, or there is no area.
fn side_of(normal: DVec3, dir: DVec3, mirrored: bool) -> Option<Face> {
    let against = normal.dot(dir);
    match (against < 0.0, against > 0.0) {
        (false, false) => None,
        (front, _) => Some(if front == mirrored { Face::Back } else { Face::Front }),
    }
}

/// The search among the triangles of an instance.
struct OfTriangles<'a, 'b> {
    finder: &'a mut Finder<'b>,
    lens: Lens,
    id: InstanceId,
    transform: Option<&'a Transform>,
    corners: &'a (dyn Fn(u32) -> Option<[[f32; 3]; 3]> + Sync),
    material: &'a dyn Fn(u32) -> u32,
    /// Whether a place of a triangle is a hole that is painted on it.
    cuts: &'a dyn Fn(u32, f64, f64) -> bool,
}

impl Search for OfTriangles<'_, '_> {
    type Order = NearestFirst;

    fn bounds(&self, boxes: &Boxes) -> [f64; WIDTH] {
        let wide = |corner: [f32; 3]| corner.map(f64::from).into();
        one_by_one(boxes, |low, high| bound::of_corners(&self.lens, wide(low), wide(high)))
    }

    /// Its edges are drawn as fast as its box.
    fn bounds_of_triangles(&self, _: &Corners) -> [f64; WIDTH] {
        [0.0; WIDTH]
    }

    fn limit(&self) -> f64 {
        self.finder.limit
    }

    /// Looks at the edges of a triangle.
    fn visit(&mut self, stored: &Stored) {
        let OfTriangles { finder, lens, id, transform, corners: corners_of, material, cuts } = self;
        let (id, transform, corners_of) = (*id, *transform, *corners_of);
        let corners = stored.corners.map(|corner| DVec3::from(corner.map(f64::from)));
        let drawn = corners.map(|corner| Drawn::new(lens, corner));
        for first in 0..3 {
            let second = (first + 1) % 3;
            let Some((outlined, part)) = edge::nearest(&drawn[first], &drawn[second]) else { continue };
            let mut weights = [0.0; 3];
            (weights[first], weights[second]) = (1.0 - part, part);
            if cuts(stored.prim, weights[1], weights[2]) {
                continue;
            }
            let ends = [stored.corners[first], stored.corners[second]];
            let touches = |candidate: &Candidate| {
                // Of a corner that is the point itself, or of both ends of the edge.
                let ends_there = |corners: [[f32; 3]; 3]| {
                    (part == 1.0 || corners.contains(&ends[0])) && (part == 0.0 || corners.contains(&ends[1]))
                };
                candidate.instance == id && corners_of(candidate.prim).is_some_and(ends_there)
            };
            let facing = |ray: &Ray| {
                let normal = cross(corners[0].into(), corners[1].into(), corners[2].into());
                let mirrored = transform.is_some_and(Transform::mirrored);
                side_of(normal.into(), local_dir(transform, ray), mirrored)
            };
            let hit = |ray: &Ray, t: f64, facing: Face| {
                let [_, u, v] = weights;
                let record = HitRecord { t, u, v, prim: stored.prim, instance: id, facing };
                describe(transform, ray, stored.corners, &record, material(stored.prim))
            };
            finder.offer(&outlined, id, transform, facing, hit, &touches);
        }
    }
}

/// The instances of a scene near the cursor.
struct OfScene<'a> {
    lens: Lens,
    finder: Finder<'a>,
    /// What was found of each instance, where each is wanted, and how many stand before all that is visited: those under the cursor, by
    /// instance.
    each: Option<(&'a mut Vec<Picked>, usize)>,
}

impl Near for OfScene<'_> {
    fn bound(&self, low: DVec3, high: DVec3) -> Option<f64> {
        bound::of_corners(&self.lens, low, high)
    }

    fn limit(&self) -> f64 {
        self.finder.limit
    }

    fn visit(&mut self, id: InstanceId, instance: &Instance) {
        let Some((each, covered)) = &mut self.each else {
            self.finder.instance(id, instance);
            return;
        };
        if each[..*covered].binary_search_by_key(&id, |picked| picked.hit.instance).is_ok() {
            return;
        }
        let Finder { aim, filter, occluded, .. } = self.finder;
        let mut finder = Finder::new(aim, filter, occluded);
        finder.from_inside = !aim.through;
        finder.instance(id, instance);
        each.extend(finder.best);
    }
}

/// What is under the cursor, or else what a look at the outlines finds.
fn pick<T: Target>(
    target: &T,
    aim: &Aim,
    filter: &Filter<'_>,
    look: impl FnOnce(Finder<'_>, Lens) -> Option<Picked>,
) -> Option<Picked> {
    if let Some(hit) = ask(target, ClosestHit, &aim.ray, filter) {
        return Some(under(aim, hit));
    }
    if !filter.admits_mask(u32::MAX) {
        return None;
    }
    let occluded = |ray: &Ray, filter: &Filter<'_>| ask(target, AnyHit, ray, filter);
    let finder = Finder::new(aim, filter, &occluded);
    let lens = finder.lens(&Transform::IDENTITY);
    look(finder, lens)
}

/// What a ray finds under the cursor.
fn under(aim: &Aim, hit: Hit) -> Picked {
    Picked { hit, pixel: aim.cursor, distance: 0.0 }
}

impl Mesh {
    /// What is under the cursor, or else the visible thing that is drawn nearest to it within the radius: the point of a triangle's
    /// edge. `None` where there is nothing. The view is in the mesh's own frame.
    ///
    /// What [`Mesh::closest`] finds under the cursor has the distance 0 and is the answer. Else each edge of each triangle that can be
    /// hit has one candidate, its point between the near and the far plane that is drawn nearest to the cursor, and the
    /// nearest of those that are visible wins; of equally near ones the nearest to the eye, the lowest instance, the front before the back, the
    /// lowest `prim`. A point is visible if nothing hides it that is nearer by more than 2^-18 of its distance, other than triangles that
    /// share the point's edge or corner. A triangle seen exactly from its edge is not picked. The filter holds for what is picked as for what
    /// hides it, and its closure is asked about that one point; [`Verdict::Stop`] is an acceptance.
    ///
    /// Where nothing is under the cursor, no ray within a smaller distance hits anything either, but for what the near or the
    /// far plane cuts open, and what a [cutout](Mesh::with_cutout) leaves of a triangle: a point in a hole is no candidate, and
    /// the rim of a hole is no edge.
    ///
    /// ```
    /// use hitscan::{Camera, Facing, Filter, Mesh};
    /// // A wire 2 mm thin, 5 m away: a third of a pixel.
    /// let wire = Mesh::new([[-9.0f32, 0.0, 0.0], [9.0, 0.0, 0.0], [9.0, 0.002, 0.0]], [[0u32, 1, 2]])?;
    /// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 60.0)?.view([640, 480])?;
    /// let picked = wire.pick(&view.aim([320.0, 244.0], 5.0)?, &Filter::ALL).expect("it is 4 pixels away");
    /// assert!((picked.distance - 4.0).abs() < 1e-9);
    /// assert!(wire.pick(&view.aim([320.0, 244.0], 3.0)?, &Filter::ALL).is_none());
    /// let backs = Filter::new().facing(Facing::Back);
    /// assert!(wire.pick(&view.aim([320.0, 244.0], 5.0)?, &backs).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pick(&self, aim: &Aim, filter: &Filter<'_>) -> Option<Picked> {
        pick(self, aim, filter, |mut finder, lens| {
            finder.mesh(InstanceId::first(0), None, lens, self);
            finder.best
        })
    }
}

impl Heightfield {
    /// [`Mesh::pick`] of the triangles of this heightfield. The view is in its own frame.
    ///
    /// ```
    /// use hitscan::heightfield::Heightfield;
    /// use hitscan::{Camera, Filter};
    /// let plain = Heightfield::builder(2, 2).build_f32([0.0; 4])?; // from 0 to 1 along x and z
    /// let view = Camera::look_at([0.5, 5.0, 0.5], [0.5, 0.0, 0.5], [0.0, 0.0, -1.0], 90.0)?.view([100, 100])?;
    /// let picked = plain.pick(&view.aim([50.0, 60.0], 6.0)?, &Filter::ALL).expect("its border is near");
    /// assert!((picked.distance - 5.0).abs() < 1e-9 && picked.hit.prim == 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pick(&self, aim: &Aim, filter: &Filter<'_>) -> Option<Picked> {
        pick(self, aim, filter, |mut finder, lens| {
            finder.field(InstanceId::first(0), None, lens, self, 0);
            finder.best
        })
    }
}

impl Scene {
    /// [`Mesh::pick`] of everything in a scene. The view is in world space.
    ///
    /// Boxes and convex hulls are picked by their edges, where two faces meet, balls and capsules by the point of their outline that is drawn nearest to the
    /// cursor, found to rounding; one that is cut open by the near or the far plane, a plane, and a hull of more than some 5,000 planes are picked only where they are under the cursor. Where much is under the cursor, such as the ground, and
    /// thin things before it are looked for, ask [`Scene::pick_all`].
    ///
    /// ```
    /// use hitscan::{Camera, Filter, World, shape::{Capsule, Plane}};
    /// let mut world = World::new();
    /// let pole = world.insert(Capsule::new([1.0, 0.0, 0.0], [1.0, 3.0, 0.0], 0.005)?);
    /// let view = Camera::look_at([0.0, 1.0, 6.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], 60.0)?.view([640, 480])?;
    /// let aim = view.aim([385.0, 200.0], 8.0)?;
    /// let picked = world.commit().pick(&aim, &Filter::ALL).expect("the pole is 4 pixels away");
    /// assert_eq!(picked.hit.instance, pole);
    /// assert!((picked.hit.position.x - 1.0).abs() < 0.005);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pick(&self, aim: &Aim, filter: &Filter<'_>) -> Option<Picked> {
        pick(self, aim, filter, |finder, lens| {
            let mut search = OfScene { lens, finder, each: None };
            self.top.near(self.kernel, &mut search);
            search.finder.best
        })
    }

    /// Every instance that is visible within the radius, each by its point that is nearest to the cursor, the nearest first: what a
    /// click goes through by turns, or a list to choose from. At most one point an instance, that under the cursor at
    /// distance 0. Empty where there is nothing.
    ///
    /// Points and ties as [`Scene::pick`] has them, also where the cursor is inside of an outline whose middle something else hides. Where something comes out from behind another thing, it is not followed to the
    /// place: each edge has its one point, and that is seen or not. [Seeing through](Aim::through) everything, all that is under the cursor comes
    /// first, by its distance from the eye.
    ///
    /// ```
    /// use hitscan::{Camera, Filter, World, shape::{Capsule, Plane}};
    /// let mut world = World::new();
    /// let ground = world.insert(Plane::new([0.0, 1.0, 0.0], [0.0; 3])?);
    /// let pole = world.insert(Capsule::new([1.0, 0.0, 0.0], [1.0, 3.0, 0.0], 0.005)?);
    /// let view = Camera::look_at([0.0, 2.0, 6.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], 60.0)?.view([640, 480])?;
    /// let near = world.commit().pick_all(&view.aim([392.0, 250.0], 8.0)?, &Filter::ALL);
    /// let names: Vec<_> = near.iter().map(|picked| picked.hit.instance).collect();
    /// assert_eq!((names, near[0].distance), (vec![ground, pole], 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pick_all(&self, aim: &Aim, filter: &Filter<'_>) -> Vec<Picked> {
        Buffer::filled(|each| self.pick_all_into(aim, filter, each))
    }

    /// [`Scene::pick_all`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Camera, Filter, World, shape::Sphere};
    /// let mut world = World::new();
    /// let ball = world.insert(Sphere::new([0.0; 3], 0.5)?);
    /// let (scene, mut near) = (world.commit(), Buffer::new());
    /// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
    /// scene.pick_all_into(&view.aim([320.0, 240.0], 3.0)?, &Filter::ALL, &mut near);
    /// assert_eq!((near.len(), near[0].hit.instance), (1, ball));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pick_all_into(&self, aim: &Aim, filter: &Filter<'_>, each: &mut Buffer<Picked>) {
        let Buffer { answers: each, memory } = each;
        each.clear();
        if aim.through {
            let mut hits = Buffer { answers: mem::take(&mut memory.hits), memory: mem::take(memory) };
            self.all_hits_into(&aim.ray, filter, &mut hits);
            each.extend(hits.iter().map(|hit| under(aim, *hit)));
            (*memory, memory.hits) = (hits.memory, hits.answers);
            // The first hit of each instance.
            let first = |Picked { hit: a, .. }: &Picked, Picked { hit: b, .. }: &Picked| {
                a.instance.cmp(&b.instance).then(a.t.total_cmp(&b.t)).then(a.prim.cmp(&b.prim))
            };
            each.sort_unstable_by(first);
            each.dedup_by_key(|picked| picked.hit.instance);
        } else if let Some(hit) = self.closest(&aim.ray, filter) {
            each.push(under(aim, hit));
        }
        let covered = each.len();
        let occluded = |ray: &Ray, filter: &Filter<'_>| self.occluded(ray, filter);
        let finder = Finder::new(aim, filter, &occluded);
        let mut search =
            OfScene { lens: finder.lens(&Transform::IDENTITY), finder, each: Some((each, covered)) };
        self.top.near(self.kernel, &mut search);
        each.sort_unstable_by(Picked::order);
    }
}
