//! The plan: what stands where, and how finely it is cut.

use hitscan::glam::DVec3;

use super::object::{Frame, Object};
use super::{arcade, cloth, column, court, gallery, iron, plants, stone};

/// From the middle of one column to the next.
pub(super) const BAY: f64 = 3.0;

/// From the arcade to the wall behind it: vaults are as wide as they are long.
pub(super) const DEPTH: f64 = BAY;

/// Bays of the court's long sides, and of its short ones.
pub(super) const BAYS: [u32; 2] = [8, 4];

/// Heights, from the bottom upwards.
pub(super) const FLOOR: f64 = 0.15;
pub(super) const SPRING: f64 = 3.7;
pub(super) const LOWER_TOP: f64 = 5.35;
pub(super) const UPPER_FLOOR: f64 = 5.8;
pub(super) const RAIL: f64 = 6.75;
pub(super) const UPPER_SPRING: f64 = 8.9;
pub(super) const UPPER_TOP: f64 = 10.6;

/// A side of the court: `x` along it, `z` into the court, from the middle of its first column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub name: &'static str,
    pub frame: Frame,
    pub bays: u32,
}

impl Side {
    /// From its first column to that of the next side.
    pub fn length(&self) -> f64 {
        f64::from(self.bays) * BAY
    }

    /// The frame of a bay, from the middle of its first column.
    pub fn bay(&self, bay: u32) -> Frame {
        self.frame.at(f64::from(bay) * BAY, 0.0, 0.0)
    }

    /// Whether it is one of the two long ones.
    pub fn is_long(&self) -> bool {
        self.bays == BAYS[0]
    }
}

/// The four sides, each starting at the corner where the one before ends.
fn sides() -> [Side; 4] {
    let [long, short] = BAYS.map(|bays| f64::from(bays) * BAY / 2.0);
    let side = |name, x, z, along: DVec3, bays| {
        let frame = Frame { origin: DVec3::new(x, 0.0, z), x: along, z: along.cross(DVec3::Y) };
        Side { name, frame, bays }
    };
    [
        side("east", short, -long, DVec3::Z, BAYS[0]),
        side("south", short, long, -DVec3::X, BAYS[1]),
        side("west", -short, long, -DVec3::Z, BAYS[0]),
        side("north", -short, -long, DVec3::X, BAYS[1]),
    ]
}

/// The hall under construction.
pub(super) struct Hall {
    detail: f64,
    objects: Vec<Object>,
}

impl Hall {
    /// Adds a thing, made in a frame of its own.
    pub fn add(&mut self, name: String, frame: Frame, make: impl FnOnce(&mut Object)) {
        let mut object = Object::new(name, self.objects.len(), self.detail, frame);
        make(&mut object);
        self.objects.push(object);
    }
}

/// Everything, cut so finely that there are about so many triangles.
pub(super) fn objects_of(triangles: usize) -> Vec<Object> {
    let count = |objects: &[Object]| objects.iter().map(Object::triangles).sum::<usize>();
    // More detail never means fewer triangles. In the end the range is far below what one rounding decides.
    let (mut low, mut high) = (0.0, 16.0);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if count(&objects(middle)) <= triangles {
            low = middle;
        } else {
            high = middle;
        }
    }
    objects(low)
}

fn objects(detail: f64) -> Vec<Object> {
    let mut hall = Hall { detail, objects: Vec::new() };
    court::add(&mut hall);
    for side in &sides() {
        stone::add(&mut hall, side);
        gallery::add(&mut hall, side);
        for bay in 0..side.bays {
            let name = |thing: &str| format!("{} {thing} {}", side.name, bay + 1);
            let frame = side.bay(bay);
            for (storey, foot, height, radius, spring, top) in [
                ("lower", FLOOR, SPRING - FLOOR, 0.27, SPRING, LOWER_TOP),
                ("upper", RAIL, UPPER_SPRING - RAIL, 0.2, UPPER_SPRING, UPPER_TOP),
            ] {
                hall.add(name(&format!("{storey} column")), frame.at(0.0, foot, 0.0), |object| {
                    column::column(object, height, radius);
                });
                hall.add(name(&format!("{storey} arch")), frame, |object| {
                    arcade::arch(object, spring, top);
                });
            }
            hall.add(name("balustrade"), frame.at(0.0, UPPER_FLOOR, 0.0), arcade::balustrade);
        }
        cloth::add(&mut hall, side);
        iron::add(&mut hall, side);
        plants::add(&mut hall, side);
    }
    hall.objects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hall_has_as_many_triangles_as_were_asked_for() {
        for triangles in [super::super::FEWEST, 222_222, 333_333, 1_000_000, 5_000_000, 30_000_000] {
            let found: usize = objects_of(triangles).iter().map(Object::triangles).sum();
            let share = found as f64 / triangles as f64;
            assert!((0.99..=1.0).contains(&share), "{triangles}: {found}");
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<String> = objects(1.0).into_iter().map(|object| object.name).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
