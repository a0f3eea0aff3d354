//! Everything in a scene that a frustum, a rectangle or a lasso takes in.

use alloc::vec::Vec;
use core::slice;

use glam::DVec3;

use super::admits;
use super::overlap::{Overlap, polytope_touches};
use crate::bvh::layout::Stored;
use crate::bvh::nearest::{Boxes, NEVER, Search, one_by_one};
use crate::bvh::node::WIDTH;
use crate::filter::{Facing, Filter};
use crate::hit::{Face, InstanceId};
use crate::intersect::{Polytope, box_triangles};
use crate::query::Buffer;
use crate::query::batch::each;
use crate::scene::Scene;
use crate::shape::plane::unit;
use crate::shape::{Frustum, Plane, Triangle};
use crate::simd::stack::{AnyOrder, NearestFirst};
use crate::view::{Coverage, Selection};
use crate::world::placing::{Placing, Solid};
use crate::world::top::search::{At, WorldSearch};
use crate::world::top::{WorldBox, world_box};
use crate::world::{Geometry, Instance};

/// Whether a frustum touches the shape of an instance, as seen from where the frustum is.
fn touches(frustum: &Frustum, instance: &Instance, solid: &Solid<'_>) -> bool {
    match solid {
        Solid::Flat(plane) => crosses(frustum, plane),
        _ => {
            let bounded = Bounded::new(frustum, instance);
            polytope_touches(&bounded, solid, |triangle| frustum.touches(triangle))
        }
    }
}

/// Whether a plane has points of a frustum on both sides, or in itself.
fn crosses(frustum: &Frustum, plane: &Plane) -> bool {
    let heights = frustum.corners(0.0).map(|corner| plane.signed_distance(corner));
    // Edges without an end come to the other side some time.
    let slopes = frustum.endless().unwrap_or_default().map(|along| plane.normal().dot(along));
    let reaches = |sign: f64| {
        heights.iter().any(|height| height * sign >= 0.0) || slopes.iter().any(|slope| slope * sign > 0.0)
    };
    reaches(1.0) && reaches(-1.0)
}

/// A frustum with corners all around: one without an end is cut off behind the instance that is asked about. What else there is
/// plays no part.
struct Bounded<'a> {
    frustum: &'a Frustum,
    corners: [DVec3; 8],
}

impl<'a> Bounded<'a> {
    fn new(frustum: &'a Frustum, instance: &Instance) -> Bounded<'a> {
        let about = frustum.about();
        let depth = world_box(instance)
            .map_or(0.0, |WorldBox { whole: (low, high), .. }| frustum.depth_of(low - about, high - about));
        // In front of the eye and beyond the end of it, by more than all roundings.
        let depth = depth.max(f64::MIN_POSITIVE) * (1.0 + 1.0 / (1 << 20) as f64);
        Bounded { frustum, corners: frustum.corners(depth) }
    }
}

impl Polytope for Bounded<'_> {
    fn holds(&self, point: DVec3) -> bool {
        self.frustum.holds(point, DVec3::ZERO)
    }

    fn each_triangle(&self, visit: &mut dyn FnMut(&Triangle)) {
        box_triangles(self.corners, visit);
    }

    fn each_face(&self, visit: &mut dyn FnMut(DVec3, DVec3)) {
        for plane in self.frustum.planes() {
            let foot = plane.slope * (-plane.constant / plane.slope.length_squared());
            if let Ok(normal) = unit(-plane.slope) {
                visit(normal, foot);
            }
        }
    }
}

/// The search for what some parts of space take in.
struct Taken<'a> {
    about: DVec3,
    pieces: &'a [Frustum],
    /// What it must not touch.
    walls: &'a [Frustum],
    filter: &'a Filter<'a>,
    found: &'a mut Vec<Overlap>,
}

impl<'a> Taken<'a> {
    fn find(
        scene: &Scene,
        about: DVec3,
        pieces: &'a [Frustum],
        walls: &'a [Frustum],
        filter: &'a Filter<'a>,
        found: &'a mut Vec<Overlap>,
    ) {
        found.clear();
        let mut search = Taken { about, pieces, walls, filter, found };
        scene.top.search(scene.kernel, &mut search);
        search.found.sort_unstable();
    }

    fn offer(&mut self, at: &At<'_>, prim: u32) {
        if admits(self.filter, at, prim, Face::Front, 0.0, [0.0; 2]) {
            self.found.push(Overlap { instance: at.id, prim });
        }
    }

    fn has(&self, touches: impl Fn(&Frustum) -> bool) -> bool {
        self.pieces.iter().any(&touches) && !self.walls.iter().any(&touches)
    }
}

impl WorldSearch for Taken<'_> {
    type Order = AnyOrder;

    fn about(&self) -> DVec3 {
        self.about
    }

    fn filter(&self) -> &Filter<'_> {
        self.filter
    }

    fn bounds(&self, boxes: &Boxes<f64>) -> [f64; WIDTH] {
        one_by_one(boxes, |low, high| {
            self.pieces.iter().any(|piece| !piece.misses(low.into(), high.into())).then_some(0.0)
        })
    }

    fn limit(&self) -> f64 {
        0.0
    }

    fn triangle(&mut self, at: &At<'_>, prim: u32, triangle: &Triangle) {
        if self.has(|part| part.touches(triangle)) {
            self.offer(at, prim);
        }
    }

    fn solid(&mut self, at: &At<'_>, solid: &Solid<'_>) {
        if self.has(|part| touches(part, at.instance, solid)) {
            self.offer(at, 0);
        }
    }
}

/// Whether all triangles of an instance are in a selection.
struct All<'a> {
    placing: Placing,
    selection: &'a Selection,
    holds: bool,
}

impl Search for All<'_> {
    type Order = NearestFirst;

    fn bounds(&self, _: &Boxes) -> [f64; WIDTH] {
        [0.0; WIDTH]
    }

    fn limit(&self) -> f64 {
        if self.holds { 0.0 } else { NEVER }
    }

    fn visit(&mut self, stored: &Stored) {
        self.holds =
            self.holds && self.selection.has(&self.placing.triangle(stored.corners), Coverage::Inside);
    }
}

impl Selection {
    /// Where its parts are seen from: the eye.
    pub(crate) fn about(&self) -> DVec3 {
        self.pieces.first().map_or(DVec3::ZERO, Frustum::about)
    }

    /// Whether all of an instance is in it, some of which is.
    fn has_all(&self, instance: &Instance) -> bool {
        let placing = Placing::new(&instance.transform, self.about());
        let mut all = All { placing, selection: self, holds: true };
        match &instance.geometry {
            Geometry::Mesh(mesh) => mesh.data.search(mesh.kernel, &mut all),
            Geometry::Heightfield(field) => field.search(field.kernel, &mut all),
            // In one piece, and it touches no wall; or without an end.
            geometry => all.holds = !matches!(geometry, Geometry::Plane(_)),
        }
        all.holds
    }
}

impl Scene {
    /// Every triangle and every shape that touches a frustum, its surface included, by instance, then by `prim`; empty where none
    /// does. What hides behind something else counts as well.
    ///
    /// Each triangle is judged as [`triangle_frustum`](crate::intersect::triangle_frustum) judges it, in its place as seen from the
    /// eye, rounded to `f64`. A shape is a solid, and touched from inside too, right to rounding; a plane is a surface. The filter counts
    /// as in [`Scene::overlap_sphere`].
    ///
    /// ```
    /// use hitscan::{Camera, Filter, World, shape::{Aabb, Plane, Sphere}};
    /// let mut world = World::new();
    /// let ball = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// let behind = world.insert(Aabb::new([-1.0, -1.0, 8.0], [1.0, 1.0, 9.0])?);
    /// let ground = world.insert(Plane::new([0.0, 1.0, 0.0], [0.0, -50.0, 0.0])?);
    /// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
    /// let seen = world.commit().overlap_frustum(&view.frustum([0.0, 0.0], [640.0, 480.0])?, &Filter::ALL);
    /// let seen: Vec<_> = seen.iter().map(|overlap| overlap.instance).collect();
    /// assert!(seen == [ball, ground] && !seen.contains(&behind)); // the ground far away
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "frustum culling")]
    pub fn overlap_frustum(&self, frustum: &Frustum, filter: &Filter<'_>) -> Vec<Overlap> {
        Buffer::filled(|touched| self.overlap_frustum_into(frustum, filter, touched))
    }

    /// [`Scene::overlap_frustum`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Camera, Filter, World, shape::Sphere};
    /// let mut world = World::new();
    /// let ball = world.insert(Sphere::new([2.0, 0.0, 0.0], 0.5)?);
    /// let (scene, mut touched) = (world.commit(), Buffer::new());
    /// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
    /// scene.overlap_frustum_into(&view.frustum([320.0, 0.0], [640.0, 480.0])?, &Filter::ALL, &mut touched);
    /// assert_eq!((touched.len(), touched[0].instance), (1, ball));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_frustum_into(
        &self,
        frustum: &Frustum,
        filter: &Filter<'_>,
        touched: &mut Buffer<Overlap>,
    ) {
        let filter = &filter.facing(Facing::Both);
        Taken::find(self, frustum.about(), slice::from_ref(frustum), &[], filter, &mut touched.answers);
    }

    /// [`Scene::overlap_frustum`] for each frustum, on all cores with the feature `rayon`.
    ///
    /// ```
    /// use hitscan::{Camera, Filter, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([2.0, 0.0, 0.0], 0.5)?);
    /// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
    /// let left = view.frustum([0.0, 0.0], [320.0, 480.0])?;
    /// let right = view.frustum([320.0, 0.0], [640.0, 480.0])?;
    /// let seen = world.commit().overlap_frustum_batch(&[left, right], &Filter::ALL);
    /// assert_eq!((seen[0].len(), seen[1].len()), (0, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_frustum_batch(&self, frusta: &[Frustum], filter: &Filter<'_>) -> Vec<Vec<Overlap>> {
        each(frusta, |frustum| self.overlap_frustum(frustum, filter))
    }

    /// Every triangle and every shape that a rectangle or a lasso selects, by instance, then by `prim`; empty where there is none.
    /// Else as [`Scene::overlap_frustum`].
    ///
    /// ```
    /// use hitscan::{Camera, Coverage, Filter, Mesh, World};
    /// let quad = [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]];
    /// let mut world = World::new();
    /// let quad = world.insert(&Mesh::new(quad, [[0u32, 1, 2], [0, 2, 3]])?);
    /// let view = Camera::look_at([2.0, 2.0, 5.0], [2.0, 2.0, 0.0], [0.0, 1.0, 0.0], 90.0)?.view([400, 400])?;
    /// let corner = view.rectangle([230.0, 240.0], [300.0, 300.0])?; // the lower right
    /// let found = world.commit().select_triangles(&corner, Coverage::Touching, &Filter::ALL);
    /// assert_eq!((found.len(), found[0].instance, found[0].prim), (1, quad, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select_triangles(
        &self,
        selection: &Selection,
        coverage: Coverage,
        filter: &Filter<'_>,
    ) -> Vec<Overlap> {
        Buffer::filled(|selected| self.select_triangles_into(selection, coverage, filter, selected))
    }

    /// [`Scene::select_triangles`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Camera, Coverage, Filter, World, shape::Sphere};
    /// let mut world = World::new();
    /// let ball = world.insert(Sphere::new([2.0, 0.0, 0.0], 0.5)?);
    /// let (scene, mut selected) = (world.commit(), Buffer::new());
    /// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
    /// let right = view.rectangle([320.0, 0.0], [640.0, 480.0])?;
    /// scene.select_triangles_into(&right, Coverage::Touching, &Filter::ALL, &mut selected);
    /// assert_eq!((selected.len(), selected[0].instance), (1, ball));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select_triangles_into(
        &self,
        selection: &Selection,
        coverage: Coverage,
        filter: &Filter<'_>,
        selected: &mut Buffer<Overlap>,
    ) {
        self.find_selected(selection, coverage, filter, &mut selected.answers);
    }

    fn find_selected(
        &self,
        selection: &Selection,
        coverage: Coverage,
        filter: &Filter<'_>,
        found: &mut Vec<Overlap>,
    ) {
        let walls = match coverage {
            Coverage::Touching => &[],
            Coverage::Inside => &selection.walls[..],
        };
        let filter = &filter.facing(Facing::Both);
        Taken::find(self, selection.about(), &selection.pieces, walls, filter, found);
    }

    /// Every instance that a rectangle or a lasso selects, by slot: of which something is in it, or all that there is. A plane is
    /// never inside. Else as [`Scene::select_triangles`].
    ///
    /// ```
    /// use hitscan::{Camera, Coverage, Filter, World, shape::Capsule};
    /// let mut world = World::new();
    /// let poles = [-1.0, 0.0, 1.0].map(|x| Capsule::new([x, 0.0, 0.0], [x, 2.0, 0.0], 0.1).map(|pole| world.insert(pole)));
    /// let scene = world.commit();
    /// let view = Camera::look_at([0.0, 1.0, 5.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], 60.0)?.view([640, 480])?;
    /// let lasso = view.lasso([[200.0, 100.0], [360.0, 100.0], [360.0, 380.0], [200.0, 380.0]])?;
    /// let inside = scene.select(&lasso, Coverage::Inside, &Filter::ALL);
    /// assert_eq!(inside, [poles[0].clone()?, poles[1].clone()?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "box selection")]
    pub fn select(&self, selection: &Selection, coverage: Coverage, filter: &Filter<'_>) -> Vec<InstanceId> {
        Buffer::filled(|selected| self.select_into(selection, coverage, filter, selected))
    }

    /// [`Scene::select`] into memory that is used again.
    ///
    /// ```
    /// use hitscan::{Buffer, Camera, Coverage, Filter, World, shape::Sphere};
    /// let mut world = World::new();
    /// let ball = world.insert(Sphere::new([2.0, 0.0, 0.0], 0.5)?);
    /// let (scene, mut selected) = (world.commit(), Buffer::new());
    /// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
    /// let right = view.rectangle([320.0, 0.0], [640.0, 480.0])?;
    /// scene.select_into(&right, Coverage::Inside, &Filter::ALL, &mut selected);
    /// assert_eq!(selected[..], [ball]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select_into(
        &self,
        selection: &Selection,
        coverage: Coverage,
        filter: &Filter<'_>,
        selected: &mut Buffer<InstanceId>,
    ) {
        let Buffer { answers: names, memory } = selected;
        names.clear();
        self.find_selected(selection, coverage, filter, &mut memory.overlaps);
        names.extend(memory.overlaps.iter().map(|overlap| overlap.instance));
        names.dedup();
        if coverage == Coverage::Inside {
            names.retain(|&id| self.get(id).is_some_and(|instance| selection.has_all(instance)));
        }
    }
}
