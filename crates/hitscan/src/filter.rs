//! What a query may hit: data first, a closure for the rest.

use core::fmt;

use crate::hit::{Face, InstanceId};

/// Which sides of triangles count.
///
/// ```
/// use hitscan::{Facing, Filter, Mesh, Ray};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
/// let from_behind = Ray::new([0.25, 0.25, -1.0], [0.0, 0.0, 1.0])?;
/// let is_hit = |facing| mesh.occluded(&from_behind, &Filter::new().facing(facing));
/// assert_eq!([Facing::Both, Facing::Front, Facing::Back].map(is_hit), [true, false, true]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Facing {
    /// Both sides.
    #[default]
    Both,
    /// Only front sides (counter-clockwise towards the ray's origin).
    Front,
    /// Only back sides.
    Back,
}

impl Facing {
    pub(crate) fn admits(self, face: Face) -> bool {
        match self {
            Facing::Both => true,
            Facing::Front => face == Face::Front,
            Facing::Back => face == Face::Back,
        }
    }
}

/// What a [`Filter`]'s closure answers about one crossing.
///
/// ```
/// use hitscan::{Candidate, Filter, Mesh, Ray, Verdict};
/// let sheets = [0.0f32, 1.0, 2.0].map(|z| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]]);
/// let glass = Mesh::new(sheets.into_iter().flatten(), [[6u32, 7, 8], [3, 4, 5], [0, 1, 2]])?;
/// let down = Ray::new([0.25, 0.25, 9.0], [0.0, 0.0, -1.0])?;
/// // Through the first pane, into the second, and no further.
/// let judge = |hit: &Candidate| [Verdict::Ignore, Verdict::Stop, Verdict::Accept][hit.prim as usize];
/// let hits = glass.all_hits(&down, &Filter::new().judge(&judge));
/// assert_eq!(hits.iter().map(|hit| hit.prim).collect::<Vec<_>>(), [1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// It counts.
    Accept,
    /// As if it were not there.
    Ignore,
    /// It counts, and nothing behind it does: a wall that ends the shot. Of several such crossings the first decides, by
    /// the order of hits, in whatever order they are judged.
    Stop,
}

/// One crossing, as a [`Filter`]'s closure sees it. The fields mean what they mean in [`Hit`](crate::Hit).
///
/// ```
/// use hitscan::{Candidate, Filter, Mesh, Ray, Verdict};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
/// let ray = Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0])?;
/// let lower_half = |hit: &Candidate| if hit.v < 0.4 { Verdict::Accept } else { Verdict::Ignore };
/// assert!(!mesh.occluded(&ray, &Filter::new().judge(&lower_half)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// Parameter along the ray.
    pub t: f64,
    /// Weight of corner B.
    pub u: f64,
    /// Weight of corner C.
    pub v: f64,
    /// Which triangle or face.
    pub prim: u32,
    /// Which instance of the world.
    pub instance: InstanceId,
    /// The side that the ray met.
    pub facing: Face,
}

/// What a query may hit. Everything that is data works alike in single and batch form.
///
/// A filter judges crossings, not geometry: an ignored triangle still closes its mesh, so leaving one
/// out never opens a seam in its neighbours.
///
/// ```
/// use hitscan::{Facing, Filter, Mesh, Ray, Verdict};
/// let quad = Mesh::new(
///     [[0.0f32, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]],
///     [[0u32, 1, 2], [0, 2, 3]],
/// ).unwrap();
/// let ray = Ray::new([1.5, 0.5, 1.0], [0.0, 0.0, -1.0]).unwrap();
/// assert!(quad.occluded(&ray, &Filter::ALL));
/// assert!(!quad.occluded(&ray, &Filter::new().facing(Facing::Back)));
/// let hole = |c: &hitscan::Candidate| if c.prim == 0 { Verdict::Ignore } else { Verdict::Accept };
/// assert!(!quad.occluded(&ray, &Filter::new().judge(&hole)));
/// ```
///
/// A bullet that goes through glass and ends in the wall:
/// ```
/// use hitscan::shape::{Aabb, Plane};
/// use hitscan::{Candidate, Filter, Ray, Verdict, World};
/// let mut world = World::new();
/// let pane = world.insert(Aabb::new([2.0, -9.0, -9.0], [2.1, 9.0, 9.0])?);
/// world.insert(Plane::new([-1.0, 0.0, 0.0], [5.0, 0.0, 0.0])?);
/// world.insert(Plane::new([-1.0, 0.0, 0.0], [8.0, 0.0, 0.0])?);
/// let glass = |c: &Candidate| if c.instance == pane { Verdict::Accept } else { Verdict::Stop };
/// let bullet = Ray::new([0.0; 3], [1.0, 0.0, 0.0])?;
/// let hits = world.commit().all_hits(&bullet, &Filter::new().judge(&glass));
/// assert_eq!(hits.iter().map(|hit| hit.t).collect::<Vec<_>>(), [2.0, 2.1, 5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Filter<'a> {
    mask: u32,
    facing: Facing,
    skip: Option<Skip>,
    judge: Option<&'a (dyn Fn(&Candidate) -> Verdict + Sync)>,
    /// Whether masks and cutouts play no part.
    everything: bool,
}

/// What is left out by name.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Skip {
    Prim(InstanceId, u32),
    Instance(InstanceId),
}

impl Filter<'static> {
    /// Everything counts.
    ///
    /// ```
    /// use hitscan::{Filter, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// assert!(world.commit().occluded(&Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0])?, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const ALL: Filter<'static> =
        Filter { mask: u32::MAX, facing: Facing::Both, skip: None, judge: None, everything: false };

    /// Everything counts, also what no mask admits, and what a cutout leaves out.
    pub(crate) const EVERYTHING: Filter<'static> = Filter { everything: true, ..Filter::ALL };

    /// A filter that lets everything count, to narrow down.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])?;
    /// assert_eq!(mesh.closest(&ray, &Filter::new()), mesh.closest(&ray, &Filter::ALL));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn new() -> Filter<'static> {
        Filter::ALL
    }
}

impl<'a> Filter<'a> {
    /// Only instances with `instance.mask & mask != 0`. A mesh asked directly has the mask `u32::MAX`.
    ///
    /// ```
    /// use hitscan::{Filter, Instance, Ray, World, shape::Sphere};
    /// const GLASS: u32 = 0b01;
    /// const WALLS: u32 = 0b10;
    /// let mut world = World::new();
    /// world.insert(Instance::new(Sphere::new([4.0, 0.0, 0.0], 1.0)?).mask(GLASS));
    /// let wall = world.insert(Instance::new(Sphere::new([9.0, 0.0, 0.0], 1.0)?).mask(WALLS));
    /// let (scene, shot) = (world.commit(), Ray::new([0.0; 3], [1.0, 0.0, 0.0])?);
    /// assert_eq!(scene.closest(&shot, &Filter::new().mask(WALLS)).map(|hit| hit.instance), Some(wall));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn mask(mut self, mask: u32) -> Self {
        self.mask = mask;
        self
    }

    /// Only these sides.
    ///
    /// ```
    /// use hitscan::{Facing, Filter, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.insert(Sphere::new([4.0, 0.0, 0.0], 1.0)?);
    /// let (scene, shot) = (world.commit(), Ray::new([0.0; 3], [1.0, 0.0, 0.0])?);
    /// let t = |facing| scene.closest(&shot, &Filter::new().facing(facing)).map(|hit| hit.t);
    /// assert_eq!([Facing::Both, Facing::Front, Facing::Back].map(t), [Some(3.0), Some(3.0), Some(5.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn facing(mut self, facing: Facing) -> Self {
        self.facing = facing;
        self
    }

    /// Not this triangle, or this face of a shape, wherever a ray meets it. A mesh asked directly is instance 0. To questions about
    /// nearest points, balls and boxes a shape has no faces: they pass by the whole of it. Which solids hold a point
    /// ([`Scene::containing`](crate::Scene::containing)) does not ask for faces: there [`skip_instance`](Filter::skip_instance) alone counts.
    ///
    /// A ray that goes on from a hit wants a `t_min` above 0 instead, since it may also begin on the neighbours of its triangle, and a ball
    /// is left through the face that it was entered by: see [`Ray::with_range`](crate::Ray::with_range).
    ///
    /// ```
    /// use hitscan::{Filter, InstanceId, Mesh, Ray};
    /// let corners = [0.0f32, 1.0].map(|z| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]]);
    /// let sheets = Mesh::new(corners.into_iter().flatten(), [[0u32, 1, 2], [3, 4, 5]])?;
    /// let down = Ray::new([0.25, 0.25, 9.0], [0.0, 0.0, -1.0])?;
    /// let upper = sheets.closest(&down, &Filter::ALL).unwrap();
    /// let below = sheets.closest(&down, &Filter::new().skip(InstanceId::first(0), upper.prim)).unwrap();
    /// assert_eq!((upper.prim, below.prim), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn skip(mut self, instance: InstanceId, prim: u32) -> Self {
        self.skip = Some(Skip::Prim(instance, prim));
        self
    }

    /// Nothing of this instance, whatever is asked: the shooter. Instead of what [`skip`](Filter::skip) names, if both are called.
    ///
    /// ```
    /// use hitscan::{Filter, Ray, World, shape::Sphere};
    /// let mut world = World::new();
    /// let (me, you) = (world.insert(Sphere::new([0.0; 3], 1.0)?), world.insert(Sphere::new([9.0, 0.0, 0.0], 1.0)?));
    /// let (scene, shot) = (world.commit(), Ray::new([0.0; 3], [1.0, 0.0, 0.0])?);
    /// assert_eq!(scene.closest(&shot, &Filter::ALL).map(|hit| hit.instance), Some(me));
    /// assert_eq!(scene.closest(&shot, &Filter::new().skip_instance(me)).map(|hit| hit.instance), Some(you));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn skip_instance(mut self, instance: InstanceId) -> Self {
        self.skip = Some(Skip::Instance(instance));
        self
    }

    /// Only what the closure accepts, up to where it says [`Verdict::Stop`]. It may be called in any order, more than once for one triangle,
    /// from several threads in a batch, and for crossings that are not part of the answer. The material at a crossing is
    /// [`Instance::material_of`](crate::Instance::material_of).
    ///
    /// ```
    /// use hitscan::{Candidate, Filter, Mesh, Ray, Verdict};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
    /// // A round hole around the middle: barycentrics tell where on the triangle the crossing is.
    /// let hole = |hit: &Candidate| match (hit.u - 1.0 / 3.0).hypot(hit.v - 1.0 / 3.0) < 0.1 {
    ///     true => Verdict::Ignore,
    ///     false => Verdict::Accept,
    /// };
    /// let is_hit = |x: f64| mesh.occluded(&Ray::new([x, 0.3, 1.0], [0.0, 0.0, -1.0]).unwrap(), &Filter::new().judge(&hole));
    /// assert!(is_hit(0.1) && !is_hit(0.3));
    /// # Ok::<(), hitscan::MeshError>(())
    /// ```
    #[must_use]
    pub fn judge<'b>(self, judge: &'b (dyn Fn(&Candidate) -> Verdict + Sync)) -> Filter<'b>
    where
        'a: 'b,
    {
        Filter { judge: Some(judge), ..self }
    }

    /// Whether an instance with this mask may be hit at all.
    pub(crate) fn admits_mask(&self, mask: u32) -> bool {
        self.everything || self.mask & mask != 0
    }

    /// Whether an instance of this name, with this mask, may be hit at all.
    #[inline(always)]
    pub(crate) fn admits_instance(&self, instance: InstanceId, mask: u32) -> bool {
        self.admits_mask(mask) && self.skip != Some(Skip::Instance(instance))
    }

    /// Whether holes count like what surrounds them.
    pub(crate) fn admits_everything(&self) -> bool {
        self.everything
    }

    /// Whether nothing but the side tells whether a crossing counts that is not in a hole.
    pub(crate) fn is_plain(&self) -> bool {
        self.skip.is_none() && self.judge.is_none()
    }

    /// Whether a side counts.
    pub(crate) fn admits_side(&self, face: Face) -> bool {
        self.facing.admits(face)
    }

    /// Whether a crossing counts, as far as data says.
    #[inline(always)]
    pub(crate) fn admits_data(&self, face: Face, instance: InstanceId, prim: u32) -> bool {
        self.facing.admits(face)
            && match self.skip {
                None => true,
                Some(Skip::Prim(skipped, face)) => skipped != instance || face != prim,
                Some(Skip::Instance(skipped)) => skipped != instance,
            }
    }

    /// Whether something of an instance is skipped.
    pub(crate) fn skips(&self, instance: InstanceId) -> bool {
        matches!(self.skip, Some(Skip::Prim(skipped, _) | Skip::Instance(skipped)) if skipped == instance)
    }

    /// What the closure says about a crossing; without one it counts.
    #[inline(always)]
    pub(crate) fn judged(&self, candidate: impl FnOnce() -> Candidate) -> Verdict {
        self.judge.map_or(Verdict::Accept, |judge| judge(&candidate()))
    }
}

impl Default for Filter<'_> {
    fn default() -> Self {
        Filter::ALL
    }
}

impl fmt::Debug for Filter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter")
            .field("mask", &format_args!("{:#x}", self.mask))
            .field("facing", &self.facing)
            .field("skip", &self.skip)
            .field("judge", &self.judge.map(|_| "closure"))
            .finish()
    }
}
