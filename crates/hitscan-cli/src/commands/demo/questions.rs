//! The questions, their answers, and what to draw for them.

use std::time::Instant;

use hitscan::glam::{DVec2, DVec3};
use hitscan::{Candidate, Face, Filter, Hit, InstanceId, Ray, Verdict};
use hitscan_io::{Model, Node, Raster};

use super::Range;
use super::pictures::{LIDAR, SHOTS, SIZE, VIEWSHED};
use crate::args::Place;
use crate::commands::height::Ground;
use crate::commands::viewshed::map;
use crate::commands::viewshed::see::{self, Cell, End};
use crate::failure::Failure;
use crate::number::{count, digits, metres};
use crate::picture::Picture;
use crate::progress::Progress;

/// One row of the table.
#[derive(Debug)]
pub struct Answer {
    /// What kind of question, after its number in the picture.
    pub question: &'static str,
    /// The question in words and numbers.
    pub asked: String,
    /// The answer in words and numbers.
    pub answer: String,
    /// The picture that shows it.
    pub picture: &'static str,
    /// What to draw there.
    pub marks: Vec<Mark>,
    /// That picture itself, where it is not of the range.
    pub drawn: Option<Picture>,
}

/// Something to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// A straight line.
    Line(DVec3, DVec3),
    /// Where something was entered or met.
    Entry(DVec3),
    /// Where something was left.
    Exit(DVec3),
    /// A position in the picture.
    CrossHair([f64; 2]),
    /// The question's number, at pixels to the right of and below a point.
    Number(DVec3, [f64; 2]),
    /// A hit of the lidar.
    Echo(DVec3),
}

use Mark::{CrossHair, Echo, Entry, Exit, Line, Number};

/// Where the bullet is at the two frames.
const BULLET: [DVec3; 2] = [DVec3::new(-0.90, 1.655, 4.95), DVec3::new(5.2, 1.80, 3.55)];
/// Where the laser stands and what it is aimed at.
const LASER: [DVec3; 2] = [DVec3::new(-0.4, 1.0, 4.6), DVec3::new(1.75, 2.24, -1.5)];
/// The cursor, in a picture of [`SIZE`].
pub const CURSOR: [f64; 2] = [660.5, 321.5];
/// The head of a walker in the building.
const WALKER: DVec3 = DVec3::new(0.62, 1.82, -6.9);
/// Above everything.
const SKY: f64 = 100.0;
/// The shot through the plates.
const PLATES: [DVec3; 2] = [DVec3::new(1.9, 0.95, 3.2), DVec3::new(8.3, 0.95, 3.2)];
/// The posts between which one wants to see.
const POSTS: [&str; 2] = ["post A", "post C"];
/// Height of the lamp on a post.
const LAMP: f64 = 1.62;
/// The shot of which only the first surfaces count.
const THROUGH: [DVec3; 2] = [DVec3::new(0.4, 0.78, -0.62), DVec3::new(8.3, 0.28, 0.82)];
/// The lidar, above post A, and its rays.
const SENSOR: DVec3 = DVec3::new(-1.3, 1.78, 0.6);
const RINGS: u32 = 100;
const STEPS: u32 = 1000;

/// From the middle of the can to the end at which it is shot.
const RIM: f64 = 0.067;
/// A point in the blue ball.
const WITHIN: DVec3 = DVec3::new(3.4, 0.6, -0.05);
/// Where the look-out stands on the roof, above whatever is there, and how far apart the cells are.
const LOOK_OUT: [f64; 2] = [0.62, -6.9];
const LOOK_OUT_HEIGHT: f64 = 1.7;
const LOOK_OUT_CELL: f64 = 0.5;

/// Every question once.
pub fn all(range: &Range) -> Result<Vec<Answer>, Failure> {
    Ok(vec![
        bullet(range)?,
        laser(range)?,
        cursor(range)?,
        walker(range)?,
        topmost(range)?,
        plates(range)?,
        sight(range)?,
        first_three(range)?,
        lidar(range)?,
        within(range)?,
        past(range)?,
        look_out(range)?,
    ])
}

/// The can's flight is a translation, so in the can's own frame the bullet's path is straight too: it starts as
/// much further as the can moves. That is exact; a target that also turns needs a sweep.
fn bullet(range: &Range) -> Result<Answer, Failure> {
    let can = find(&range.now.model, "can 6")?;
    let flight = offset(&range.now.model, can) - offset(&range.before, can);
    let [from, to] = BULLET;
    let path = between(from + flight, to)?;
    let only_can = |c: &Candidate| if c.instance == can { Verdict::Accept } else { Verdict::Ignore };
    let hit = range.now.scene.closest(&path, &Filter::new().judge(&only_can));
    let length = from.distance(to);
    let mut marks = vec![Line(from, to), Entry(from), Entry(to), Number(from, [-20.0, -2.0])];
    let answer = hit.map_or(NOTHING.to_owned(), |hit| {
        marks.push(Entry(from.lerp(to, hit.t)));
        format!("{} at t = {}, after {}", range.name(&hit), digits(hit.t), metres(hit.t * length))
    });
    Ok(Answer {
        question: "1 bullet between frames",
        asked: format!("{} a frame, at a flying can", metres(length)),
        answer,
        picture: SHOTS,
        marks,
        drawn: None,
    })
}

fn laser(range: &Range) -> Result<Answer, Failure> {
    let [from, at] = LASER;
    let device = find(&range.now.model, "pointer")?;
    let not_itself = |c: &Candidate| if c.instance == device { Verdict::Ignore } else { Verdict::Accept };
    let ray = towards(from, (at - from).normalize())?;
    let hit = range.now.scene.closest(&ray, &Filter::new().judge(&not_itself));
    let mut marks = vec![Number(from.lerp(at, 0.05), [22.0, -8.0])];
    let answer = hit.map_or(NOTHING.to_owned(), |hit| {
        marks.extend([Line(from, hit.position), Entry(hit.position)]);
        let [x, y, z] = hit.normal.to_array().map(|c| format!("{c:.2}"));
        format!("{} at {}, normal {x},{y},{z}", range.name(&hit), metres(hit.distance))
    });
    Ok(Answer {
        question: "2 laser sight",
        asked: "the first surface, not the laser".to_owned(),
        answer,
        picture: SHOTS,
        marks,
        drawn: None,
    })
}

fn cursor(range: &Range) -> Result<Answer, Failure> {
    let camera = range.camera()?;
    let ray = camera.ray(CURSOR, SIZE).map_err(|error| Failure::new("demo", error))?;
    let hit = range.now.scene.closest(&ray, &Filter::ALL);
    let mut marks = vec![CrossHair(CURSOR)];
    let answer = hit.map_or(NOTHING.to_owned(), |hit| {
        marks.push(Number(hit.position, [26.0, 22.0]));
        format!("{}, triangle {}, at {}", range.name(&hit), count(hit.prim as usize), metres(hit.distance))
    });
    let asked = format!("pixel {},{} of {} x {}", CURSOR[0], CURSOR[1], SIZE[0], SIZE[1]);
    Ok(Answer { question: "3 object under the cursor", asked, answer, picture: SHOTS, marks, drawn: None })
}

fn walker(range: &Range) -> Result<Answer, Failure> {
    let hit = range.now.scene.closest(&towards(WALKER, -DVec3::Y)?, &Filter::ALL);
    let mut marks = vec![Number(WALKER, [20.0, -6.0])];
    let answer = hit.map_or(NOTHING.to_owned(), |hit| {
        marks.extend([Line(WALKER, hit.position), Entry(hit.position)]);
        format!("{} at height {}", range.name(&hit), metres(hit.position.y))
    });
    let asked = format!("from the head, {}, in the house", metres(WALKER.y));
    Ok(Answer { question: "4 ground under a walker", asked, answer, picture: SHOTS, marks, drawn: None })
}

fn topmost(range: &Range) -> Result<Answer, Failure> {
    let sky = DVec3::new(WALKER.x, SKY, WALKER.z);
    let hit = range.now.scene.closest(&towards(sky, -DVec3::Y)?, &Filter::ALL);
    let mut marks = Vec::new();
    let answer = hit.map_or(NOTHING.to_owned(), |hit| {
        let above = hit.position + DVec3::Y * 0.8;
        marks.extend([Line(above, hit.position), Entry(hit.position), Number(above, [0.0, -16.0])]);
        format!("{} at height {}", range.name(&hit), metres(hit.position.y))
    });
    let asked = "the same place, from the sky".to_owned();
    Ok(Answer { question: "5 topmost surface", asked, answer, picture: SHOTS, marks, drawn: None })
}

fn plates(range: &Range) -> Result<Answer, Failure> {
    let [from, to] = PLATES;
    let ray = between(from, to)?;
    let hits = range.now.scene.all_hits(&ray, &Filter::ALL);
    let through: Vec<f64> = hits
        .chunks_exact(2)
        .filter(|pair| {
            pair[0].instance == pair[1].instance
                && pair[0].facing == Face::Front
                && pair[1].facing == Face::Back
        })
        .map(|pair| (pair[1].distance - pair[0].distance) * 1e3)
        .collect();
    let thickness: Vec<String> = through.iter().map(|mm| format!("{mm:.3}")).collect();
    let mut marks = vec![Line(from, to), Number(from, [-8.0, 20.0])];
    marks.extend(hits.iter().map(|hit| match hit.facing {
        Face::Front => Entry(hit.position),
        Face::Back => Exit(hit.position),
    }));
    Ok(Answer {
        question: "6 every entry and exit",
        asked: format!("{} of flight through the plates", metres(from.distance(to))),
        answer: format!("{} plates: {} mm", thickness.len(), thickness.join(", ")),
        picture: SHOTS,
        marks,
        drawn: None,
    })
}

fn sight(range: &Range) -> Result<Answer, Failure> {
    let model = &range.now.model;
    let posts = [find(model, POSTS[0])?, find(model, POSTS[1])?];
    let [from, to] = posts.map(|post| offset(model, post) + DVec3::Y * LAMP);
    let others = |c: &Candidate| if posts.contains(&c.instance) { Verdict::Ignore } else { Verdict::Accept };
    let filter = Filter::new().judge(&others);
    let ray = between(from, to)?;
    let mut marks = vec![Line(from, to), Number(from.lerp(to, 0.12), [4.0, -20.0])];
    let answer = if range.now.scene.occluded(&ray, &filter) {
        range.now.scene.closest(&ray, &filter).map_or(NOTHING.to_owned(), |hit| {
            marks.push(Entry(hit.position));
            format!("no: {} is in the way at {}", range.name(&hit), metres(hit.distance))
        })
    } else {
        "yes".to_owned()
    };
    Ok(Answer {
        question: "7 line of sight",
        asked: format!("from {} to {}, {}", POSTS[0], POSTS[1], metres(from.distance(to))),
        answer,
        picture: SHOTS,
        marks,
        drawn: None,
    })
}

fn first_three(range: &Range) -> Result<Answer, Failure> {
    let [from, to] = THROUGH;
    let hits = range.now.scene.first_n(&between(from, to)?, &Filter::ALL, 3);
    let end = hits.last().map_or(to, |hit| hit.position);
    let mut marks = vec![Line(from, end), Number(from, [-16.0, -14.0])];
    let mut told = Vec::new();
    for hit in &hits {
        marks.push(if hit.facing == Face::Front { Entry(hit.position) } else { Exit(hit.position) });
        // Out of what was entered last needs no name.
        told.push(match hit.facing {
            Face::Front => format!("into {}", range.name(hit)),
            Face::Back => "out again".to_owned(),
        });
    }
    Ok(Answer {
        question: "8 first 3 hits",
        asked: format!("{} across the lawn", metres(from.distance(to))),
        answer: told.join(", "),
        picture: SHOTS,
        marks,
        drawn: None,
    })
}

fn lidar(range: &Range) -> Result<Answer, Failure> {
    let mut rays = Vec::with_capacity((RINGS * STEPS) as usize);
    for ring in 0..RINGS {
        let pitch = DVec2::from_angle((-42.0 + 62.0 * f64::from(ring) / f64::from(RINGS)).to_radians());
        for step in 0..STEPS {
            let heading = DVec2::from_angle(std::f64::consts::TAU * f64::from(step) / f64::from(STEPS));
            rays.push(towards(SENSOR, DVec3::new(heading.x * pitch.x, pitch.y, heading.y * pitch.x))?);
        }
    }
    let start = Instant::now();
    let hits = range.now.scene.closest_batch(&rays, &Filter::ALL);
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    let mut marks = vec![Number(SENSOR, [-22.0, -12.0])];
    marks.extend(hits.iter().flatten().map(|hit| Echo(hit.position)));
    let found = marks.len() - 1;
    Ok(Answer {
        question: "9 a batch: lidar",
        asked: format!("{} rays all around", count(rays.len())),
        answer: format!("{} hit, {:.1} M rays/s", count(found), rays.len() as f64 / seconds / 1e6),
        picture: LIDAR,
        marks,
        drawn: None,
    })
}

fn within(range: &Range) -> Result<Answer, Failure> {
    let closed = |model: &Model, node: usize| model.meshes[model.nodes[node].mesh].mesh.open_edge().is_none();
    let model = &range.now.model;
    let solids: Vec<usize> = (0..model.nodes.len()).filter(|&node| closed(model, node)).collect();
    let around = solids.iter().filter(|&&node| {
        let Node { mesh, transform, .. } = &model.nodes[node];
        model.meshes[*mesh].mesh.contains((transform.inverse() * (WITHIN - transform.offset())).to_array())
    });
    let names: Vec<&str> = around.map(|&node| model.nodes[node].name.as_str()).collect();
    let answer =
        if names.is_empty() { "outside of all".to_owned() } else { format!("in {}", names.join(", ")) };
    Ok(Answer {
        question: "10 inside of what",
        asked: format!("a point and {} closed things", count(solids.len())),
        answer,
        picture: SHOTS,
        marks: vec![Entry(WITHIN), Number(WITHIN, [2.0, -26.0])],
        drawn: None,
    })
}

/// The shooter saw the can half-way between the two frames, and by now it has flown on.
fn past(range: &Range) -> Result<Answer, Failure> {
    let can = find(&range.now.model, "can 6")?;
    let failed = |error: &dyn std::fmt::Display| Failure::new("demo", error);
    let mut world = range.before.to_world();
    world.keep(2);
    world.record(0).map_err(|error| failed(&error))?;
    for (row, node) in (0..).zip(&range.now.model.nodes) {
        world.set_transform(InstanceId::first(row), node.transform).map_err(|error| failed(&error))?;
    }
    world.record(1).map_err(|error| failed(&error))?;
    let then = world.history().at(0.5).map_err(|error| failed(&error))?;
    let middle = |model: &Model| model.nodes[can.slot() as usize].transform.point([0.0, 0.06, 0.0]);
    // At the end that the can's flight takes away.
    let flight = middle(&range.now.model) - middle(&range.before);
    let aim = middle(&range.before) + flight * 0.5 - flight.normalize() * RIM;
    let shot = towards(BULLET[0], aim - BULLET[0])?;
    let told = |hit: Option<Hit>| hit.map_or(NOTHING.to_owned(), |hit| range.name(&hit).to_owned());
    let [before, now] = [then.closest(&shot, &Filter::ALL), world.commit().closest(&shot, &Filter::ALL)];
    let answer = format!("then {}, now {}", told(before), told(now));
    Ok(Answer {
        question: "11 a shot at the past",
        asked: "at the can as it was 1/120 s ago".to_owned(),
        answer,
        picture: SHOTS,
        marks: before
            .map(|hit| vec![Line(BULLET[0], hit.position), Number(hit.position, [16.0, 18.0])])
            .unwrap_or_default(),
        drawn: None,
    })
}

fn look_out(range: &Range) -> Result<Answer, Failure> {
    let loaded = &range.now;
    let ground = Ground::new(loaded, None);
    let place = Place { at: LOOK_OUT, height: None };
    let eye = End::standing(&ground, place, LOOK_OUT_HEIGHT)
        .ok_or_else(|| Failure::new("demo", "the range has no roof; it needs one"))?;
    let (low, high) = loaded.bounds();
    let count_of = |side: f64| (side / LOOK_OUT_CELL).ceil() as usize;
    let first = [low.x + 0.5 * LOOK_OUT_CELL, low.z + 0.5 * LOOK_OUT_CELL];
    let size = [count_of(high.x - low.x), count_of(high.z - low.z)];
    let raster = Raster::new(size, first, [LOOK_OUT_CELL, 0.0], [0.0, LOOK_OUT_CELL]);
    let question = see::Question { loaded, ground, eye, from: place.at, to_height: 0.0, limit: 0.0 };
    let seen = question.ask(&raster, &Progress::new(None, true));
    let number = |kind: Cell| seen.cells.iter().filter(|&&cell| cell == kind).count();
    let (visible, hidden) = (number(Cell::Seen), number(Cell::Hidden));
    let part = 100.0 * visible as f64 / (visible + hidden).max(1) as f64;
    let area = (visible as f64 * raster.cell_area()).round() as usize;
    let picture = map::draw(&map::Map { seen: &seen, raster: &raster, eye: LOOK_OUT, limit: 0.0 });
    Ok(Answer {
        question: "12 what a look-out sees",
        asked: format!("{} places, from the roof", count(seen.cells.len())),
        answer: format!("{} m2 of ground, {part:.1} %", count(area)),
        picture: VIEWSHED,
        marks: vec![Entry(eye.at), Number(eye.at, [0.0, -18.0])],
        drawn: Some(picture),
    })
}

/// What the table says for a miss.
const NOTHING: &str = "nothing";

impl Range {
    /// The camera of the pictures.
    pub fn camera(&self) -> Result<hitscan::Camera, Failure> {
        let camera = self.now.model.cameras.first();
        camera
            .map(|named| named.camera)
            .ok_or_else(|| Failure::new("demo", "the range has no camera; it needs one"))
    }

    fn name(&self, hit: &Hit) -> &str {
        &self.now.node(hit.instance).name
    }
}

fn find(model: &Model, name: &str) -> Result<InstanceId, Failure> {
    let row = model.nodes.iter().position(|node| node.name == name);
    row.map(|row| InstanceId::first(row as u32))
        .ok_or_else(|| Failure::new("demo", format_args!("the range has no {name}; it needs one")))
}

fn offset(model: &Model, instance: InstanceId) -> DVec3 {
    model.nodes[instance.slot() as usize].transform.offset()
}

fn between(from: DVec3, to: DVec3) -> Result<Ray, Failure> {
    Ray::between(from, to).map_err(|error| Failure::new("demo", error))
}

fn towards(from: DVec3, dir: DVec3) -> Result<Ray, Failure> {
    Ray::new(from, dir).map_err(|error| Failure::new("demo", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a point is inside an instance: an odd number of its surfaces lie on any way out.
    fn inside(model: &Model, instance: InstanceId, p: DVec3) -> bool {
        let only = |c: &Candidate| if c.instance == instance { Verdict::Accept } else { Verdict::Ignore };
        let ray = Ray::new(p, [0.3, 0.9, 0.2]).unwrap();
        model.scene().all_hits(&ray, &Filter::new().judge(&only)).len() % 2 == 1
    }

    #[test]
    fn the_bullet_is_in_the_can_at_neither_frame_and_hits_it_between() {
        let range = Range::new();
        let can = find(&range.now.model, "can 6").unwrap();
        assert!(!inside(&range.before, can, BULLET[0]));
        assert!(!inside(&range.now.model, can, BULLET[1]));
        let middle = range.now.model.nodes[can.slot() as usize].transform.point([0.0, 0.06, 0.0]);
        assert!(inside(&range.now.model, can, middle), "the test for inside works");
        let row = bullet(&range).unwrap();
        assert!(row.answer.starts_with("can 6 at t = 0."), "{}", row.answer);
    }

    #[test]
    fn the_shot_goes_in_and_out_of_four_plates() {
        let row = plates(&Range::new()).unwrap();
        assert_eq!(row.answer, "4 plates: 2.000, 50.000, 8.000, 20.000 mm");
        let order: Vec<bool> = row.marks[2..].iter().map(|mark| matches!(mark, Entry(_))).collect();
        assert_eq!(order, [true, false, true, false, true, false, true, false]);
    }

    #[test]
    fn the_walker_stands_on_the_floor_under_the_roof() {
        let range = Range::new();
        assert_eq!(walker(&range).unwrap().answer, "house floor at height 0.12 m");
        assert!(topmost(&range).unwrap().answer.starts_with("house roof at height 3."));
    }

    #[test]
    fn the_other_answers() {
        let range = Range::new();
        assert!(laser(&range).unwrap().answer.starts_with("statue at 6."));
        assert!(cursor(&range).unwrap().answer.starts_with("crate 3, triangle "));
        assert!(sight(&range).unwrap().answer.starts_with("no: statue is in the way at "));
        assert_eq!(within(&range).unwrap().answer, "in blue ball");
        assert!(past(&range).unwrap().answer.starts_with("then can 6, now "));
        assert!(!past(&range).unwrap().answer.ends_with("can 6"));
        let row = look_out(&range).unwrap();
        assert_eq!(row.drawn.map(|picture| picture.size), Some([1020, 1020]), "{}", row.answer);
        assert_eq!(first_three(&range).unwrap().answer, "into blue ball, out again, into crate 5");
        let row = lidar(&range).unwrap();
        assert!(row.marks.len() > 70_000 && row.marks.len() < 100_000, "{}", row.marks.len());
    }
}
