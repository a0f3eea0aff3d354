//! The library and the oracle side by side: the comparison of every query on every kernel.
//!
//! Knows nothing of where the meshes come from: the tests of `hitscan-io` use this file too, on whole scenes.

use hitscan::heightfield::Heightfield;
use hitscan::{Face, Facing, Filter, Hit, HitLists, HitRecord, InstanceId, Isa, Mesh, Ray, Scene};
use hitscan_oracle as oracle;
use hitscan_oracle::brute::Placed;
use hitscan_oracle::entry::Placement;

/// What can be asked: all kinds have the same queries.
pub trait Target: Sized {
    fn with_isa(&self, isa: Isa) -> Option<Self>;
    fn isa(&self) -> Isa;
    fn closest(&self, ray: &Ray, filter: &Filter<'_>) -> Option<Hit>;
    fn closest_cost(&self, ray: &Ray, filter: &Filter<'_>) -> Option<Hit>;
    fn closest_record(&self, ray: &Ray, filter: &Filter<'_>) -> HitRecord;
    fn occluded(&self, ray: &Ray, filter: &Filter<'_>) -> bool;
    fn all_hits(&self, ray: &Ray, filter: &Filter<'_>) -> Vec<Hit>;
    fn first_n(&self, ray: &Ray, filter: &Filter<'_>, n: usize) -> Vec<Hit>;
    fn closest_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> Vec<Option<Hit>>;
    fn occluded_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> Vec<bool>;
    fn all_hits_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> HitLists;
    fn first_n_batch(&self, rays: &[Ray], filter: &Filter<'_>, n: usize) -> HitLists;
    fn closest_records(&self, rays: &[Ray], filter: &Filter<'_>, records: &mut Vec<HitRecord>);
    fn all_hits_records(&self, rays: &[Ray], filter: &Filter<'_>, lists: &mut HitLists<HitRecord>);
    fn first_n_records(&self, rays: &[Ray], filter: &Filter<'_>, n: usize, lists: &mut HitLists<HitRecord>);
    fn describe(&self, ray: &Ray, record: &HitRecord) -> Option<Hit>;
}

macro_rules! target {
    ($kind:ident) => {
        impl Target for $kind {
            fn with_isa(&self, isa: Isa) -> Option<Self> {
                self.with_isa(isa)
            }
            fn isa(&self) -> Isa {
                self.isa()
            }
            fn closest(&self, ray: &Ray, filter: &Filter<'_>) -> Option<Hit> {
                self.closest(ray, filter)
            }
            fn closest_cost(&self, ray: &Ray, filter: &Filter<'_>) -> Option<Hit> {
                self.closest_cost(ray, filter).0
            }
            fn closest_record(&self, ray: &Ray, filter: &Filter<'_>) -> HitRecord {
                self.closest_record(ray, filter)
            }
            fn occluded(&self, ray: &Ray, filter: &Filter<'_>) -> bool {
                self.occluded(ray, filter)
            }
            fn all_hits(&self, ray: &Ray, filter: &Filter<'_>) -> Vec<Hit> {
                self.all_hits(ray, filter)
            }
            fn first_n(&self, ray: &Ray, filter: &Filter<'_>, n: usize) -> Vec<Hit> {
                self.first_n(ray, filter, n)
            }
            fn closest_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> Vec<Option<Hit>> {
                self.closest_batch(rays, filter)
            }
            fn occluded_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> Vec<bool> {
                self.occluded_batch(rays, filter)
            }
            fn all_hits_batch(&self, rays: &[Ray], filter: &Filter<'_>) -> HitLists {
                self.all_hits_batch(rays, filter)
            }
            fn first_n_batch(&self, rays: &[Ray], filter: &Filter<'_>, n: usize) -> HitLists {
                self.first_n_batch(rays, filter, n)
            }
            fn closest_records(&self, rays: &[Ray], filter: &Filter<'_>, records: &mut Vec<HitRecord>) {
                self.closest_records(rays, filter, records);
            }
            fn all_hits_records(&self, rays: &[Ray], filter: &Filter<'_>, lists: &mut HitLists<HitRecord>) {
                self.all_hits_records(rays, filter, lists);
            }
            fn first_n_records(
                &self,
                rays: &[Ray],
                filter: &Filter<'_>,
                n: usize,
                lists: &mut HitLists<HitRecord>,
            ) {
                self.first_n_records(rays, filter, n, lists);
            }
            fn describe(&self, ray: &Ray, record: &HitRecord) -> Option<Hit> {
                self.describe(ray, record)
            }
        }
    };
}

target!(Mesh);
target!(Heightfield);
target!(Scene);

/// What the law decides about a hit, as bits: `t`, `u`, `v`, instance, triangle, front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bits(u64, u64, u64, u32, u32, bool);

pub fn bits(hit: &Hit) -> Bits {
    let Hit { t, u, v, prim, instance, facing, .. } = *hit;
    Bits(t.to_bits(), u.to_bits(), v.to_bits(), instance.slot(), prim, facing == Face::Front)
}

pub fn all_bits(hits: &[Hit]) -> Vec<Bits> {
    hits.iter().map(bits).collect()
}

pub fn expected_bits(hit: &oracle::Hit) -> Bits {
    Bits(hit.t.to_bits(), hit.u.to_bits(), hit.v.to_bits(), hit.instance, hit.prim, hit.front)
}

/// The instruction sets of this machine; every comparison runs on each of them, or on the one that `HITSCAN_ISA` names.
pub fn kernels() -> impl Iterator<Item = Isa> {
    let is_named = std::env::var_os("HITSCAN_ISA").is_some();
    Isa::ALL.iter().copied().filter(move |&isa| isa.is_available() && (!is_named || isa == Isa::best()))
}

/// The part of a list that is one kernel's own: what need not be asked of every kernel is shared out between them.
pub fn share<T>(list: &[T], turn: usize, kernels: usize) -> &[T] {
    &list[list.len() * turn / kernels..list.len() * (turn + 1) / kernels]
}

/// The target walked by one instruction set, which is what it then says.
pub fn on_kernel<T: Target>(target: &T, isa: Isa) -> T {
    let on_kernel = target.with_isa(isa).expect("the instruction set is available");
    assert_eq!(on_kernel.isa(), isa, "the kernel that was asked for");
    on_kernel
}

pub fn ray(ray: &oracle::Ray) -> Ray {
    let built = Ray::new(ray.origin, ray.dir).and_then(|line| line.with_range(ray.t_min, ray.t_max));
    built.unwrap_or_else(|error| panic!("{ray:?}: {error}"))
}

/// One question with the answer of brute force.
struct Case {
    ray: Ray,
    expected: Vec<oracle::Hit>,
}

/// Cases are dealt to the kernels by so many: a number that shares no factor with those of kinds and intervals, so that
/// each kernel gets each kind in each interval.
const DEAL: usize = 7;

/// The short form, of debug builds and where `HITSCAN_SHORT` is set, takes one ray in so many: again a number that shares
/// no factor with those of kinds, and an odd one, since two points of each edge alternate.
pub fn step() -> usize {
    if cfg!(debug_assertions) || std::env::var_os("HITSCAN_SHORT").is_some() { 5 } else { 1 }
}

/// Compares every query on a target that holds these meshes with brute force.
///
/// Every kernel gets every ray, alone and in batches, for the questions that walk in ways of their own: closest, occluded
/// and all hits. What else there is, counts, filters and records, is asked of one kernel each, in turn.
pub fn assert_agrees<T: Target>(target: &T, placed: &[Placed<'_>], rays: &[oracle::Ray]) {
    let name = || placed.iter().map(|placed| placed.mesh.name.as_str()).collect::<Vec<_>>().join(", ");
    let cases: Vec<Case> = rays.iter().step_by(step()).flat_map(|ray| cases_of(placed, ray)).collect();
    let rays: Vec<Ray> = cases.iter().map(|case| case.ray).collect();
    let kernels: Vec<Isa> = kernels().collect();
    for (turn, &isa) in kernels.iter().enumerate() {
        let target = on_kernel(target, isa);
        let singles = Singles::of(&target, &rays);
        for (number, case) in cases.iter().enumerate() {
            let context =
                || format!("{isa}, {:?} at {}\nin instances of {:?}", case.ray, name(), placements(placed));
            let all: Vec<Bits> = case.expected.iter().map(expected_bits).collect();
            singles.assert_case(number, &all, &context);
            if number / DEAL % kernels.len() == turn {
                assert_case(&target, case, &all, &context);
            }
        }
        let context = || format!("{isa}, batch at {}", name());
        singles.assert_batches(&target, &rays, &context);
        assert_records_are_hits(&target, share(&rays, turn, kernels.len()), &context);
    }
}

fn placements(placed: &[Placed<'_>]) -> Vec<Placement> {
    placed.iter().map(|placed| placed.placement).collect()
}

/// The ray as it is, and the same line with intervals that end exactly on its hits, or just before or behind them. The
/// law decides geometry first, so all answers are parts of the one for the whole line.
fn cases_of(placed: &[Placed<'_>], oracle_ray: &oracle::Ray) -> Vec<Case> {
    let line = oracle::all_hits(placed, &oracle_ray.line());
    let mut intervals = vec![(oracle_ray.t_min, oracle_ray.t_max)];
    if let (Some(first), Some(last)) = (line.first(), line.last()) {
        let (first, middle, last) = (first.t, line[line.len() / 2].t, last.t);
        intervals.extend([
            (f64::NEG_INFINITY, f64::INFINITY),
            (f64::NEG_INFINITY, first),
            (f64::NEG_INFINITY, middle.next_down()),
            (middle, middle),
            (middle, last.next_down()),
            (first.next_up(), f64::INFINITY),
            (last, f64::INFINITY),
        ]);
    }
    intervals
        .into_iter()
        .filter(|(t_min, t_max)| t_min <= t_max)
        .map(|(t_min, t_max)| Case {
            ray: ray(&oracle_ray.within(t_min, t_max)),
            expected: line.iter().copied().filter(|hit| t_min <= hit.t && hit.t <= t_max).collect(),
        })
        .collect()
}

fn assert_case<T: Target>(target: &T, case: &Case, all: &[Bits], context: &dyn Fn() -> String) {
    let Case { ray, expected } = case;
    let first = all.first().copied();
    assert_eq!(target.closest_cost(ray, &Filter::ALL).as_ref().map(bits), first, "cost, {}", context());
    for n in [0, 1, 2, 3, all.len(), all.len() + 1] {
        let wanted = &all[..n.min(all.len())];
        assert_eq!(all_bits(&target.first_n(ray, &Filter::ALL, n)), wanted, "first {n}, {}", context());
    }
    for (facing, front) in [(Facing::Front, true), (Facing::Back, false)] {
        let filter = Filter::new().facing(facing);
        let wanted: Vec<Bits> = all.iter().copied().filter(|hit| hit.5 == front).collect();
        assert_filtered(target, ray, &filter, &wanted, context);
    }
    if let Some(skipped) = expected.first() {
        let filter = Filter::new().skip(InstanceId::first(skipped.instance), skipped.prim);
        let wanted = &all[1..];
        assert_filtered(target, ray, &filter, wanted, context);
    }
}

fn assert_filtered<T: Target>(
    target: &T,
    ray: &Ray,
    filter: &Filter<'_>,
    wanted: &[Bits],
    context: &dyn Fn() -> String,
) {
    let first = wanted.first().copied();
    assert_eq!(target.closest(ray, filter).as_ref().map(bits), first, "{filter:?} closest, {}", context());
    assert_eq!(target.occluded(ray, filter), first.is_some(), "{filter:?} occluded, {}", context());
    assert_eq!(all_bits(&target.all_hits(ray, filter)), wanted, "{filter:?} all hits, {}", context());
}

/// The answers to rays that were asked one at a time.
struct Singles {
    closest: Vec<Option<Hit>>,
    occluded: Vec<bool>,
    all: Vec<Vec<Hit>>,
}

impl Singles {
    fn of<T: Target>(target: &T, rays: &[Ray]) -> Singles {
        let filter = Filter::ALL;
        Singles {
            closest: rays.iter().map(|ray| target.closest(ray, &filter)).collect(),
            occluded: rays.iter().map(|ray| target.occluded(ray, &filter)).collect(),
            all: rays.iter().map(|ray| target.all_hits(ray, &filter)).collect(),
        }
    }

    /// The ray of this number has these hits.
    fn assert_case(&self, number: usize, all: &[Bits], context: &dyn Fn() -> String) {
        let first = all.first().copied();
        assert_eq!(all_bits(&self.all[number]), all, "all hits, {}", context());
        assert_eq!(self.closest[number].as_ref().map(bits), first, "closest, {}", context());
        assert_eq!(self.occluded[number], first.is_some(), "occluded, {}", context());
    }

    /// Batches give the same, field by field.
    fn assert_batches<T: Target>(&self, target: &T, rays: &[Ray], context: &dyn Fn() -> String) {
        let filter = Filter::ALL;
        assert!(target.closest_batch(rays, &filter) == self.closest, "closest, {}", context());
        assert!(target.occluded_batch(rays, &filter) == self.occluded, "occluded, {}", context());
        let (all, two) = (target.all_hits_batch(rays, &filter), target.first_n_batch(rays, &filter, 2));
        assert_eq!((all.len(), two.len()), (rays.len(), rays.len()));
        for (i, (ray, hits)) in rays.iter().zip(&self.all).enumerate() {
            assert_eq!(all.get(i), hits, "all hits of {ray:?}, {}", context());
            assert_eq!(two.get(i), &hits[..hits.len().min(2)], "first two of {ray:?}, {}", context());
        }
    }
}

/// Batches give what the single queries give, field by field, and records are the answers that they stand for.
pub fn assert_batches_are_singles<T: Target>(target: &T, rays: &[Ray], context: &dyn Fn() -> String) {
    let singles = Singles::of(target, rays);
    for (ray, hits) in rays.iter().zip(&singles.all) {
        let two = &hits[..hits.len().min(2)];
        assert_eq!(target.first_n(ray, &Filter::ALL, 2), two, "first two of {ray:?}, {}", context());
    }
    singles.assert_batches(target, rays, context);
    assert_records_are_hits(target, rays, context);
}

/// Records are the answers of batches, also in lists that held something else before.
fn assert_records_are_hits<T: Target>(target: &T, rays: &[Ray], context: &dyn Fn() -> String) {
    let filter = Filter::ALL;
    let mut records = vec![HitRecord::MISS; 3];
    target.closest_records(rays, &filter, &mut records);
    let whole: Vec<Option<Hit>> = rays.iter().zip(&records).map(|(ray, r)| target.describe(ray, r)).collect();
    assert!(whole == target.closest_batch(rays, &filter), "closest records, {}", context());
    let single: Vec<HitRecord> = rays.iter().map(|ray| target.closest_record(ray, &filter)).collect();
    assert!(single == records, "closest records one by one, {}", context());
    let mut lists = HitLists::default();
    let whole = |lists: &HitLists<HitRecord>, hits: &HitLists| {
        assert_eq!(lists.offsets(), hits.offsets(), "{}", context());
        for ((ray, records), hits) in rays.iter().zip(lists.iter()).zip(hits.iter()) {
            let described: Vec<Hit> = records.iter().filter_map(|r| target.describe(ray, r)).collect();
            assert_eq!(described, hits, "records of {ray:?}, {}", context());
        }
    };
    target.all_hits_records(rays, &filter, &mut lists);
    whole(&lists, &target.all_hits_batch(rays, &filter));
    target.first_n_records(rays, &filter, 2, &mut lists);
    whole(&lists, &target.first_n_batch(rays, &filter, 2));
}
