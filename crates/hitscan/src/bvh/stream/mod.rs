//! Many rays at once through one mesh, or several at one place: several are under way, and each takes a step in turn, so that the machine works on
//! one while another waits for memory or for a chain of additions. In registers, a step has no branch on whether it hit none,
//! one or up to four boxes, since nobody could foretell it: what is left for later, and what comes next, are found with the
//! same instructions. Leaves are tested in stages, for the same reason: see [`Sieve`].

mod rays;
mod sieve;
mod walker;
mod way;

use alloc::vec::Vec;

use crate::bvh::node::Child;
use crate::filter::Filter;
use crate::query::{Collector, Question, Sink, Target};
use crate::ray::Ray;
use crate::simd::lanes::{IN_FLIGHT, Lanes};
use crate::simd::stack::{Order, Stack};
use rays::Rays;
use sieve::Sieve;
use walker::Walker;
pub(crate) use way::{Direct, Entered, Way};

/// Of so many rays the steps are counted, where one crossing answers the question. The others may then be walked one by one, if the
/// machine will foretell their walks: to put rays in turn costs more than that would bring.
const SAMPLE: usize = 128;

/// Whether the sample's rays, of which so many hit, took steps that the next ones will take too: none hit, and they visited no more than
/// three nodes and a half; or any crossing will do, nearly all hit or few, and they visited no more than two.
fn are_foretold<Q: Question>(steps: usize, hit: usize) -> bool {
    let any_will_do = !<Q::Collector as Collector>::Order::NEAREST_FIRST;
    let alike = !(SAMPLE / 4..=SAMPLE * 3 / 4).contains(&hit);
    (hit == 0 && steps <= SAMPLE * 7 / 2) || (any_will_do && alike && steps <= 2 * SAMPLE)
}

/// Answers the question for each ray that waits; leaves some waiting where one by one is quicker.
#[inline(always)]
pub(crate) fn stream<'a, L: Lanes, T: Target, Q: Question, W: Way>(
    lanes: L,
    way: &W,
    target: &T,
    question: Q,
    waiting: &mut impl Iterator<Item = (usize, &'a Ray)>,
    filter: &'a Filter<'a>,
    answers: &mut impl Sink<Q>,
) {
    const { assert!(L::IN_FLIGHT <= IN_FLIGHT, "rays and sieve have room for them") };
    let mut stacks = Stack::<<Q::Collector as Collector>::Order>::many(L::IN_FLIGHT, Child::EMPTY.word());
    let mut walkers: Vec<Walker<'a, '_, Q::Collector, W>> = Vec::with_capacity(L::IN_FLIGHT);
    for ((number, ray), stack) in waiting.by_ref().take(L::IN_FLIGHT).zip(&mut stacks) {
        answers.fetch(lanes, number);
        walkers.push(Walker::new(lanes, way, question, number, ray, filter, stack));
    }
    let walkers = &mut walkers[..];
    let mut sieve = Sieve::new();
    // All of them, and those that are not at an inner node, as the root is.
    let (mut under_way, mut beyond) = (Rays::first(walkers.len()), Rays::default());
    let (mut steps, mut ended, mut hit, mut one_by_one) = (0, 0, 0, false);
    while !under_way.is_empty() {
        let (nodes, mut over) = (under_way.without(beyond), Rays::default());
        // At what leads into another tree, and at the end of one.
        let (mut entering, mut leaving) = (Rays::default(), Rays::default());
        for at in beyond.numbers() {
            let Walker { current, within, .. } = &walkers[at];
            let is_outermost = way.is_outermost(*within);
            over.note(at, *current == Child::EMPTY && is_outermost);
            if W::LEADS_ON {
                entering.note(at, *current != Child::EMPTY && way.mesh(*within).is_none());
                leaving.note(at, *current == Child::EMPTY && !is_outermost);
            }
        }
        let leaves = core::mem::take(&mut beyond).without(over).without(entering).without(leaving);
        steps += nodes.len();
        for at in nodes.numbers() {
            let walker = &mut walkers[at];
            walker.step(lanes, way.nodes(walker.within));
            walker.fetch(lanes, way);
            beyond.note(at, walker.current.is_leaf());
        }
        sieve.test(lanes, way, walkers, leaves);
        for at in leaves.numbers() {
            let walker = &mut walkers[at];
            walker.pop(lanes);
            walker.fetch(lanes, way);
            beyond.note(at, walker.current.is_leaf());
        }
        for at in entering.numbers() {
            let walker = &mut walkers[at];
            walker.enter(lanes, way);
            walker.fetch(lanes, way);
            beyond.note(at, walker.current.is_leaf());
        }
        for at in leaving.numbers() {
            let walker = &mut walkers[at];
            walker.leave(lanes, way);
            walker.fetch(lanes, way);
            beyond.note(at, walker.current.is_leaf());
        }
        for at in over.numbers() {
            let walker = &mut walkers[at];
            let ray = walker.probe.ray;
            answers.put(target, walker.number, ray, &mut walker.probe.collector);
            if let Some(has_found) = walker.probe.collector.has_found() {
                (ended, hit) = (ended + 1, hit + usize::from(has_found));
                if ended == SAMPLE {
                    one_by_one = are_foretold::<Q>(steps, hit);
                }
            }
            if !one_by_one && let Some((number, ray)) = waiting.next() {
                walker.turn_to(lanes, way, question, number, ray);
                answers.fetch(lanes, number);
                over = over.without(Rays::one(at));
            }
        }
        under_way = under_way.without(over);
    }
}
