//! The hits of one ray, as a table for people or with every digit for programs.

use std::collections::HashMap;

use hitscan::glam::DVec3;
use hitscan::{Face, Hit, InstanceId, Interval, Ray};
use serde::Serialize;

use crate::args::{Format, Mode};
use crate::failure::Failure;
use crate::number::{counted, digits, direction, metres};
use crate::output::print;
use crate::rays::answers::{Answer, Asked};
use crate::rays::columns::{Column, side};
use crate::rays::write::csv;
use crate::scene::Loaded;
use crate::table::Table;

/// A hit as JSON tells it.
#[derive(Debug, Serialize)]
pub struct HitRecord<'a> {
    t: f64,
    distance: f64,
    position: [f64; 3],
    normal: [f64; 3],
    facing: &'static str,
    u: f64,
    v: f64,
    mesh: usize,
    mesh_name: &'a str,
    instance: u32,
    node_name: &'a str,
    prim: u32,
    material: u32,
    material_name: Option<&'a str>,
    /// From the entry that this exit ends; `null` for entries, and for exits from something the ray began in.
    thickness: Option<f64>,
}

/// A ray as JSON tells it.
#[derive(Debug, Serialize)]
pub struct RayRecord {
    origin: [f64; 3],
    dir: [f64; 3],
    t_min: f64,
    /// `null` where the ray has no end.
    t_max: Option<f64>,
}

impl From<&Ray> for RayRecord {
    fn from(ray: &Ray) -> RayRecord {
        RayRecord {
            origin: ray.origin().to_array(),
            dir: ray.dir().to_array(),
            t_min: ray.t_min(),
            t_max: Some(ray.t_max()).filter(|t| t.is_finite()),
        }
    }
}

/// The fields of a hit where there is none.
#[derive(Debug, Default, Serialize)]
pub struct Miss {
    t: (),
    distance: (),
    position: (),
    normal: (),
    facing: (),
    u: (),
    v: (),
    mesh: (),
    mesh_name: (),
    instance: (),
    node_name: (),
    prim: i32,
    material: (),
    material_name: (),
    thickness: (),
}

impl Miss {
    /// The one that there is.
    pub fn new() -> Miss {
        Miss { prim: -1, ..Miss::default() }
    }
}

impl<'a> HitRecord<'a> {
    /// One hit; its thickness is known from the list that it is in.
    pub fn new(loaded: &'a Loaded, hit: &Hit, thickness: Option<f64>) -> HitRecord<'a> {
        HitRecord {
            t: hit.t,
            distance: hit.distance,
            position: hit.position.to_array(),
            normal: hit.normal.to_array(),
            facing: side(hit.facing),
            u: hit.u,
            v: hit.v,
            mesh: loaded.node(hit.instance).mesh,
            mesh_name: &loaded.mesh(hit.instance).name,
            instance: hit.instance.slot(),
            node_name: &loaded.node(hit.instance).name,
            prim: hit.prim,
            material: hit.material,
            material_name: loaded.model.materials.get(hit.material as usize).map(String::as_str),
            thickness,
        }
    }
}

/// A ray that is answered.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The ray.
    pub ray: &'a Ray,
    /// The same in words.
    pub words: &'a str,
}

/// Prints the hits of a ray.
pub fn hits(loaded: &Loaded, question: Question<'_>, hits: &[Hit], format: Format) -> Result<(), Failure> {
    let Question { ray, words } = question;
    let thickness = thickness(hits, |hit| enters(loaded, hit));
    let records =
        || hits.iter().zip(&thickness).map(|(hit, &thickness)| HitRecord::new(loaded, hit, thickness));
    match format {
        Format::Table => print(&table(loaded, words, hits, &thickness)),
        Format::Csv => print(&rows(loaded, Mode::All, hits.iter().map(Answer::Hit))),
        Format::Json => {
            #[derive(Serialize)]
            struct Answer<'a> {
                ray: RayRecord,
                hits: Vec<HitRecord<'a>>,
            }
            json(&Answer { ray: ray.into(), hits: records().collect() })
        }
        Format::JsonLines => print(&records().map(|record| line(&record)).collect::<String>()),
    }
}

/// Prints the first hit of a ray. In the formats of one row a ray there is one of a miss too, as in a batch.
pub fn closest(
    loaded: &Loaded,
    question: Question<'_>,
    hit: Option<&Hit>,
    format: Format,
) -> Result<(), Failure> {
    match (hit, format) {
        (None, Format::Csv) => print(&rows(loaded, Mode::Closest, [Answer::Miss].into_iter())),
        (None, Format::JsonLines) => print(&line(&Miss::new())),
        (hit, _) => hits(loaded, question, hit.map_or(&[], std::slice::from_ref), format),
    }
}

/// The answers to one ray as CSV.
fn rows<'a>(loaded: &Loaded, mode: Mode, answers: impl Iterator<Item = Answer<'a>>) -> String {
    let columns = Column::of(Asked::Hits(mode));
    let mut text = Vec::new();
    csv::header(columns, &[], &mut text);
    for answer in answers {
        csv::row(columns.iter().map(|column| column.cell(0, answer, loaded)), &mut text);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Prints where a ray is inside of something.
pub fn intervals(
    loaded: &Loaded,
    question: Question<'_>,
    pieces: &[Interval],
    format: Format,
) -> Result<(), Failure> {
    let Question { ray, words } = question;
    #[derive(Serialize)]
    struct Piece<'a> {
        enter: f64,
        /// `null` where it has no end.
        exit: Option<f64>,
        thickness: Option<f64>,
        mesh: usize,
        mesh_name: &'a str,
        instance: u32,
        node_name: &'a str,
        material: u32,
        material_name: Option<&'a str>,
    }
    let material = |id: u32| loaded.model.materials.get(id as usize).map(String::as_str);
    let records = || {
        pieces.iter().map(|piece| Piece {
            enter: piece.enter,
            exit: Some(piece.exit).filter(|t| t.is_finite()),
            thickness: Some(piece.thickness).filter(|t| t.is_finite()),
            mesh: loaded.node(piece.instance).mesh,
            mesh_name: &loaded.mesh(piece.instance).name,
            instance: piece.instance.slot(),
            node_name: &loaded.node(piece.instance).name,
            material: piece.material,
            material_name: material(piece.material),
        })
    };
    match format {
        Format::Table if pieces.is_empty() => print(&nothing(loaded, words)),
        Format::Table => {
            let mut table = Table::new([">#", ">enter", ">exit", "object", "material", ">thickness"]);
            for (i, piece) in pieces.iter().enumerate() {
                table.row([
                    (i + 1).to_string(),
                    digits(piece.enter),
                    digits(piece.exit),
                    loaded.object(piece.instance),
                    material(piece.material).unwrap_or_default().to_owned(),
                    metres(piece.thickness),
                ]);
            }
            print(&format!("{table}{} {words}\n", counted(pieces.len(), "interval")))
        }
        Format::Csv => print(&rows(loaded, Mode::Intervals, pieces.iter().map(Answer::Interval))),
        Format::Json => {
            #[derive(Serialize)]
            struct Answer<'a> {
                ray: RayRecord,
                intervals: Vec<Piece<'a>>,
            }
            json(&Answer { ray: ray.into(), intervals: records().collect() })
        }
        Format::JsonLines => print(&records().map(|record| line(&record)).collect::<String>()),
    }
}

/// Prints whether a ray hits anything.
pub fn occluded(occluded: bool, format: Format) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Answer {
        occluded: bool,
    }
    match format {
        Format::Table => print(if occluded { "occluded\n" } else { "free\n" }),
        Format::Csv => print(&format!("ray,occluded\n0,{occluded}\n")),
        Format::Json => json(&Answer { occluded }),
        Format::JsonLines => print(&line(&Answer { occluded })),
    }
}

/// Prints an object of JSON, indented.
pub fn json(value: &impl Serialize) -> Result<(), Failure> {
    print(&json_text(value)?)
}

/// An object of JSON, indented, with a line break at its end.
pub fn json_text(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::new("--json", error))?;
    Ok(text + "\n")
}

/// An object on one line.
pub fn line(value: &impl Serialize) -> String {
    // Our records have nothing that JSON cannot hold.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

fn table(loaded: &Loaded, words: &str, hits: &[Hit], thickness: &[Option<f64>]) -> String {
    if hits.is_empty() {
        return nothing(loaded, words);
    }
    let mut table =
        Table::new([">#", ">t", ">distance", "position", "side", "object", ">prim", ">thickness"]);
    for (i, (hit, thickness)) in hits.iter().zip(thickness).enumerate() {
        table.row([
            (i + 1).to_string(),
            digits(hit.t),
            metres(hit.distance),
            loaded.place(hit.instance, hit.position),
            crossing(loaded, hit).to_owned(),
            loaded.object(hit.instance),
            hit.prim.to_string(),
            thickness.map(metres).unwrap_or_default(),
        ]);
    }
    format!("{table}{} {words}\n", counted(hits.len(), "hit"))
}

/// What is said of a ray that finds nothing.
fn nothing(loaded: &Loaded, words: &str) -> String {
    format!("miss: nothing {words}; the scene fills {}\n", loaded.extent())
}

/// A computed ray without an end, in words.
pub fn computed(loaded: &Loaded, ray: &Ray) -> String {
    format!("from {} along {}", loaded.grain().place(ray.origin()), direction(ray.dir()))
}

/// What a ray does at a side of a solid.
pub fn crossing(loaded: &Loaded, hit: &Hit) -> &'static str {
    if enters(loaded, hit) { "entry" } else { "exit" }
}

/// Whether a ray comes into a solid. A mirror image is as solid as what it mirrors, but its fronts look inwards.
fn enters(loaded: &Loaded, hit: &Hit) -> bool {
    (hit.facing == Face::Front) != loaded.node(hit.instance).transform.mirrored()
}

/// For each exit the way since the last open entry into the same instance.
fn thickness(hits: &[Hit], enters: impl Fn(&Hit) -> bool) -> Vec<Option<f64>> {
    let mut open: HashMap<InstanceId, Vec<DVec3>> = HashMap::new();
    let through = hits.iter().map(|hit| {
        let entries = open.entry(hit.instance).or_default();
        if enters(hit) {
            entries.push(hit.position);
            return None;
        }
        entries.pop().map(|entry| entry.distance(hit.position))
    });
    through.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan::{Filter, Instance, Mesh, Transform, World};

    #[test]
    fn thickness_is_measured_within_one_instance() {
        // Two sheets that face each other make a slab of thickness 1; another slab begins inside the first.
        let quad = |z: f32, up: bool| {
            let (a, b, c) = ([-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]);
            if up { [a, b, c] } else { [a, c, b] }
        };
        let corners: Vec<[f32; 3]> = quad(1.0, true).into_iter().chain(quad(0.0, false)).collect();
        let slab = Mesh::new(corners, [[0u32, 1, 2], [3, 4, 5]]).unwrap();
        let mut world = World::new();
        world.insert(&slab);
        world.insert(Instance::new(&slab).at(Transform::translation([0.0, 0.0, -0.25]).unwrap()));
        let ray = Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]).unwrap();
        let hits = world.commit().all_hits(&ray, &Filter::ALL);
        let thickness = |hits: &[Hit]| thickness(hits, |hit| hit.facing == Face::Front);
        assert_eq!(thickness(&hits), [None, None, Some(1.0), Some(1.0)]);
        assert_eq!(thickness(&hits[2..]), [None, None], "a ray that begins inside");
    }
}
