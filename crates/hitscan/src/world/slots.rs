//! Instances under names that are never given out twice.

use alloc::vec::Vec;

use super::instance::Instance;
use crate::error::StaleInstance;
use crate::hit::InstanceId;

/// Instances in slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    slots: Vec<Slot>,
}

/// A place for one instance at a time.
#[derive(Clone, Debug, Default)]
struct Slot {
    /// How many it held before.
    generation: u32,
    instance: Option<Instance>,
}

impl Slots {
    /// How many slots there are, empty ones too.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// The instance of a slot, and its name.
    #[inline(always)]
    pub fn at(&self, slot: u32) -> Option<(InstanceId, &Instance)> {
        let Slot { generation, instance } = self.slots.get(slot as usize)?;
        match instance {
            Some(instance) => Some((InstanceId::new(slot, *generation), instance)),
            None => None,
        }
    }

    /// The instance of a name.
    pub fn get(&self, id: InstanceId) -> Option<&Instance> {
        self.at(id.slot()).filter(|(here, _)| *here == id).map(|(_, instance)| instance)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, id: InstanceId) -> Result<&mut Instance, StaleInstance> {
        let stale = StaleInstance { id };
        let slot = self.slots.get_mut(id.slot() as usize).ok_or(stale)?;
        slot.instance.as_mut().filter(|_| slot.generation == id.generation()).ok_or(stale)
    }

    /// All instances, by their names.
    pub fn iter(&self) -> impl Iterator<Item = (InstanceId, &Instance)> {
        (0..self.slots.len() as u32).filter_map(|slot| self.at(slot))
    }

    /// Puts an instance into an empty slot, or behind the last.
    pub fn put(&mut self, slot: u32, instance: Instance) -> InstanceId {
        if slot as usize == self.slots.len() {
            self.slots.push(Slot::default());
        }
        let place = &mut self.slots[slot as usize];
        place.instance = Some(instance);
        InstanceId::new(slot, place.generation)
    }

    /// Puts an instance where another world has it.
    pub fn put_as(&mut self, id: InstanceId, instance: Instance) {
        let slot = id.slot() as usize;
        if slot >= self.slots.len() {
            self.slots.resize_with(slot + 1, Slot::default);
        }
        self.slots[slot] = Slot { generation: id.generation(), instance: Some(instance) };
    }

    /// Adds a slot as it is: how many instances it held before, and the one that it holds.
    #[cfg(feature = "std")]
    pub fn add(&mut self, generation: u32, instance: Option<Instance>) {
        self.slots.push(Slot { generation, instance });
    }

    /// How many instances a slot held before.
    #[cfg(feature = "std")]
    pub fn generation(&self, slot: u32) -> u32 {
        self.slots.get(slot as usize).map_or(0, |slot| slot.generation)
    }

    /// Does something to all instances.
    pub fn each_mut(&mut self, work: impl FnMut(&mut Instance)) {
        self.slots.iter_mut().filter_map(|slot| slot.instance.as_mut()).for_each(work);
    }

    /// Takes an instance out of its slot; whether the slot may be used again.
    pub fn take(&mut self, id: InstanceId) -> Result<(Instance, bool), StaleInstance> {
        let stale = StaleInstance { id };
        let slot = self.slots.get_mut(id.slot() as usize).ok_or(stale)?;
        if slot.generation != id.generation() {
            return Err(stale);
        }
        let instance = slot.instance.take().ok_or(stale)?;
        // A slot whose names are used up stays empty.
        let next = slot.generation.checked_add(1);
        slot.generation = next.unwrap_or(u32::MAX);
        Ok((instance, next.is_some()))
    }

    /// Becomes the same as others, in memory that it has.
    pub fn copy_from(&mut self, others: &Slots) {
        self.slots.clone_from(&others.slots);
    }
}
