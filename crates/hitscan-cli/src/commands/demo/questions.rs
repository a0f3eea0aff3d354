//! The questions, their answers, and what to draw for them.

use std::time::Instant;

use hitscan::glam::{DVec2, DVec3};
use hitscan::{Candidate, Face, Filter, Hit, InstanceId, Ray, Verdict};
use hitscan_io::Model;

use super::Range;
use super::pictures::{LIDAR, SHOTS, SIZE};
use crate::failure::Failure;
use crate::number::{count, digits, metres};

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
        question: "1 bullet between two frames",
        asked: format!("{} a frame, at a flying can", metres(length)),
        answer,
        picture: SHOTS,
        marks,
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
    Ok(Answer { question: "3 object under the cursor", asked, answer, picture: SHOTS, marks })
}

fn walker(range: &Range) -> Result<Answer, Failure> {
    let hit = range.now.scene.closest(&towards(WALKER, -DVec3::Y)?, &Filter::ALL);
    let mut marks = vec![Number(WALKER, [20.0, -6.0])];
    let answer = hit.map_or(NOTHING.to_owned(), |hit| {
        marks.extend([Line(WALKER, hit.position), Entry(hit.position)]);
        format!("{} at height {}", range.name(&hit), metres(hit.position.y))
    });
    let asked = format!("from the head, {}, in the house", metres(WALKER.y));
    Ok(Answer { question: "4 ground under a walker", asked, answer, picture: SHOTS, marks })
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
    Ok(Answer { question: "5 topmost surface", asked, answer, picture: SHOTS, marks })
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
        assert_eq!(first_three(&range).unwrap().answer, "into blue ball, out again, into crate 5");
        let row = lidar(&range).unwrap();
        assert!(row.marks.len() > 70_000 && row.marks.len() < 100_000, "{}", row.marks.len());
    }
}
