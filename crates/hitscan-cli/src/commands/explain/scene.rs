//! Why a ray hits what it hits in a scene, or nothing.

use hitscan::{Explanation, Filter, NearMiss, Ray};
use serde::Serialize;

use crate::args::SceneArg;
use crate::failure::Failure;
use crate::number::{counted, digits, metres};
use crate::output::print;
use crate::report::{self, HitRecord, RayRecord, crossing};
use crate::scene::Loaded;
use crate::table::Table;

/// Answers; `words` are those of the ray.
pub fn run(scene: &SceneArg, ray: &Ray, words: &str, json: bool) -> Result<(), Failure> {
    let loaded = Loaded::open(scene)?;
    let why = loaded.scene.explain(ray, &Filter::ALL);
    if json { report::json(&record(&loaded, ray, &why)) } else { print(&text(&loaded, words, &why)) }
}

fn text(loaded: &Loaded, words: &str, why: &Explanation) -> String {
    let mut text = format!("the line {words}\n\n");
    if !why.crossings.is_empty() {
        let mut table = Table::new([">t", ">distance", "position", "side", "object", ">prim", "outcome"]);
        for (hit, outcome) in &why.crossings {
            table.row([
                digits(hit.t),
                metres(hit.distance),
                loaded.place(hit.instance, hit.position),
                crossing(loaded, hit).to_owned(),
                loaded.object(hit.instance),
                hit.prim.to_string(),
                outcome.reason().to_owned(),
            ]);
        }
        text += &format!("{table}\n");
    }
    let cost = &why.cost;
    text += &format!(
        "work: {}, {}, {}, {}\n",
        counted(cost.instances as usize, "instance"),
        counted(cost.nodes as usize, "node"),
        counted(cost.leaves as usize, "leaf block"),
        counted(cost.tests as usize, "exact test")
    );
    text += &match (&why.hit, &why.near_miss) {
        (Some(hit), _) => format!("hit: {} at t = {}\n", loaded.object(hit.instance), digits(hit.t)),
        (None, Some(near)) => format!("miss: {}\n", passes(loaded, near)),
        (None, None) => "miss: nothing within the ray's range\n".to_owned(),
    };
    text
}

fn passes(loaded: &Loaded, near: &NearMiss) -> String {
    let NearMiss { gap, t, position, prim, instance, .. } = *near;
    let (t, object) = (digits(t), loaded.object(instance));
    if gap == 0.0 {
        // By the law of edges; what is nearer than f64 can tell looks the same.
        return format!(
            "the nearest is triangle {prim} of {object}, which the ray touches at t = {t}, at {}: \
             along an edge, at a corner or in the plane, where it counts as passing beside",
            loaded.place(instance, position)
        );
    }
    let gap = metres(gap);
    format!(
        "the nearest is triangle {prim} of {object}, {gap} beside the ray at t = {t}, at {}",
        loaded.place(instance, position)
    )
}

fn record<'a>(loaded: &'a Loaded, ray: &Ray, why: &'a Explanation) -> impl Serialize + use<'a> {
    #[derive(Serialize)]
    struct Crossing<'a> {
        outcome: &'static str,
        #[serde(flatten)]
        hit: HitRecord<'a>,
    }
    #[derive(Serialize)]
    struct Near<'a> {
        gap: f64,
        t: f64,
        position: [f64; 3],
        prim: u32,
        instance: u32,
        node_name: &'a str,
    }
    #[derive(Serialize)]
    struct Answer<'a> {
        ray: RayRecord,
        hit: Option<HitRecord<'a>>,
        crossings: Vec<Crossing<'a>>,
        near_miss: Option<Near<'a>>,
        instances: u32,
        nodes: u32,
        leaves: u32,
        tests: u32,
    }
    let crossings = why
        .crossings
        .iter()
        .map(|(hit, outcome)| Crossing { outcome: outcome.reason(), hit: HitRecord::new(loaded, hit, None) });
    Answer {
        ray: ray.into(),
        hit: why.hit.as_ref().map(|hit| HitRecord::new(loaded, hit, None)),
        crossings: crossings.collect(),
        near_miss: why.near_miss.map(|near| Near {
            gap: near.gap,
            t: near.t,
            position: near.position.to_array(),
            prim: near.prim,
            instance: near.instance.slot(),
            node_name: &loaded.node(near.instance).name,
        }),
        instances: why.cost.instances,
        nodes: why.cost.nodes,
        leaves: why.cost.leaves,
        tests: why.cost.tests,
    }
}
