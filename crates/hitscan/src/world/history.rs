//! The past of a world: where everything was, tick by tick, to be asked as the present is.

use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::instance::Instance;
use super::interpolate::between;
use super::slots::Slots;
use super::top::Top;
use crate::error::HistoryError;
use crate::hit::InstanceId;
use crate::scene::Scene;

/// The last ticks of a world, for lag compensation: what a player with a delay of 100 ms aimed at is where it was then.
///
/// [`World::record`](crate::World::record) adds a tick, [`World::history`](crate::World::history) gives what is kept so far: it stays as it is, is cheap to
/// clone, and any thread may ask it while the world goes on. Geometry is shared with the world; a tick takes
/// [`BYTES_PER_INSTANCE`](History::BYTES_PER_INSTANCE) for each instance. A mesh that is refitted at each tick is kept as it was at each.
///
/// ```
/// use hitscan::shape::Sphere;
/// use hitscan::{Filter, Ray, Transform, World};
/// let mut world = World::new();
/// world.keep(64); // a second at 64 ticks
/// let head = world.insert(Sphere::new([0.0; 3], 0.25)?);
/// for tick in 0..100 {
///     world.set_transform(head, Transform::translation([tick as f64, 0.0, 0.0])?)?; // running along x
///     world.record(tick)?;
/// }
/// let history = world.history();
///
/// // The shooter saw the world between two ticks.
/// let then = history.at(90.5)?;
/// let shot = Ray::new([90.5, 0.0, 5.0], [0.0, 0.0, -1.0])?;
/// assert_eq!(then.closest(&shot, &Filter::ALL).map(|hit| (hit.instance, hit.t)), Some((head, 4.75)));
/// assert!(!world.commit().occluded(&shot, &Filter::ALL)); // gone by now
///
/// let error = history.at(20.0).unwrap_err();
/// assert_eq!(error.to_string(), "tick 20 is not kept; the history holds 36 to 99");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct History {
    moments: VecDeque<Arc<Moment>>,
}

/// One tick.
#[derive(Debug)]
struct Moment {
    tick: u64,
    /// By slot.
    states: Vec<State>,
}

/// One instance at one tick.
#[derive(Debug)]
struct State {
    id: InstanceId,
    instance: Instance,
}

impl History {
    /// Bytes that each instance takes a tick, apart from its geometry, which is shared.
    ///
    /// ```
    /// use hitscan::History;
    /// // 64 ticks of 100 bodies with 20 parts each.
    /// assert!(64 * 100 * 20 * History::BYTES_PER_INSTANCE < 64 << 20);
    /// ```
    pub const BYTES_PER_INSTANCE: usize = size_of::<State>();

    /// The ticks that are kept, the oldest first.
    ///
    /// ```
    /// use hitscan::{Transform, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.keep(2);
    /// let ball = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// for tick in 0..3 {
    ///     world.set_transform(ball, Transform::translation([10.0 * tick as f64, 0.0, 0.0])?)?;
    ///     world.record(tick)?;
    /// }
    /// assert_eq!(world.history().ticks().collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ticks(&self) -> impl ExactSizeIterator<Item = u64> {
        self.moments.iter().map(|moment| moment.tick)
    }

    /// Everything as it was at a time, in ticks: a scene like any other, with the instances' own names.
    ///
    /// Between two ticks, what is there in both is between its two places: turned along the shortest arc, moved and stretched
    /// evenly. Masks, materials and geometry, also that of a mesh that was refitted, are those of the tick before. What was inserted is there from its
    /// tick on, what was removed until the tick in which it is missing, and what was
    /// [teleported](crate::World::teleport), or mirrored, stays where it was until its tick.
    ///
    /// Ticks above 2^53 are as exact as `f64` has them.
    ///
    /// Each call builds a tree over all instances that there were, some two microseconds for each: what never moves is better kept in a
    /// world of its own.
    ///
    /// # Errors
    /// A time that is not a number, or lies outside of the ticks that are kept.
    ///
    /// ```
    /// use hitscan::{Filter, Ray, Transform, World, shape::Sphere};
    /// let mut world = World::new();
    /// world.keep(2);
    /// let ball = world.insert(Sphere::new([0.0; 3], 1.0)?);
    /// for tick in 0..3 {
    ///     world.set_transform(ball, Transform::translation([10.0 * tick as f64, 0.0, 0.0])?)?;
    ///     world.record(tick)?;
    /// }
    /// let half_way = Ray::new([15.0, 9.0, 0.0], [0.0, -1.0, 0.0])?;
    /// assert!(world.history().at(1.5)?.occluded(&half_way, &Filter::ALL));
    /// assert!(world.history().at(0.5).is_err()); // no longer kept
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(&self, tick: f64) -> Result<Scene, HistoryError> {
        let (Some(first), Some(last)) = (self.moments.front(), self.moments.back()) else {
            return Err(HistoryError::Empty { tick });
        };
        let kept = tick >= first.tick as f64 && tick <= last.tick as f64; // false for NaN
        if !kept {
            return Err(HistoryError::NotKept { tick, first: first.tick, last: last.tick });
        }
        let next = self.moments.partition_point(|moment| moment.tick as f64 <= tick);
        let (before, after) = (&self.moments[next - 1], self.moments.get(next));
        let mut slots = Slots::default();
        for State { id, instance } in &before.states {
            let mut instance = instance.clone();
            if let Some(after) = after {
                let part = (tick - before.tick as f64) / (after.tick - before.tick) as f64;
                if let Some(place) = after.place_of(*id, &instance, part) {
                    instance.transform = place;
                }
            }
            slots.put_as(*id, instance);
        }
        let mut top = Top::default();
        // Not as the first of its world: a tree for many rays takes longer than the few that the past is asked.
        top.renew(&slots, 1, Some(&Top::default()));
        Ok(Scene::new(Arc::new(top)))
    }

    /// Adds a tick, and drops the oldest of more than `most`.
    pub(super) fn record(&mut self, tick: u64, slots: &Slots, most: usize) -> Result<(), HistoryError> {
        if let Some(last) = self.moments.back().map(|moment| moment.tick).filter(|&last| last >= tick) {
            return Err(HistoryError::Order { tick, last });
        }
        let state = |(id, instance): (InstanceId, &Instance)| State { id, instance: instance.clone() };
        let mut states: Vec<State> = slots.iter().map(state).collect();
        // Kept for long, so without the room that it grew by.
        states.shrink_to_fit();
        self.moments.push_back(Arc::new(Moment { tick, states }));
        self.drop_beyond(most);
        Ok(())
    }

    pub(super) fn drop_beyond(&mut self, most: usize) {
        while self.moments.len() > most {
            self.moments.pop_front();
        }
    }
}

impl Moment {
    /// Where an instance was at `part` of the way here; `None` where it did not come from where it was before.
    fn place_of(&self, id: InstanceId, before: &Instance, part: f64) -> Option<crate::Transform> {
        let place = self.states.binary_search_by_key(&id, |state| state.id).ok()?;
        let after = &self.states[place].instance;
        if after.teleported { None } else { between(&before.transform, &after.transform, part) }
    }
}
