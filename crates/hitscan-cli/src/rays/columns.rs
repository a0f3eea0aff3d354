//! The columns of an answer.

use hitscan::{Face, Hit, Interval};

use super::answers::{Answer, Asked};
use super::cell::{Cell, Kind};
use crate::args::Mode;
use crate::scene::Loaded;
use crate::solids::Inside;

/// One column of an answer, in the order in which they are written by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Row of the ray in its file, from 0.
    Ray,
    /// Parameter along the ray; `inf` for a miss.
    T,
    /// Position.
    X,
    /// Position.
    Y,
    /// Position.
    Z,
    /// `t` in world units.
    Distance,
    /// Weight of the triangle's second corner.
    U,
    /// Weight of the third.
    V,
    /// Row of the mesh in its model.
    Mesh,
    /// Row of the instance in its model.
    Instance,
    /// Row of the triangle in its mesh; -1 for a miss.
    Prim,
    /// `front` or `back`.
    Facing,
    /// Geometric unit normal.
    Nx,
    /// Geometric unit normal.
    Ny,
    /// Geometric unit normal.
    Nz,
    /// `true` or `false`: whether there is any hit.
    Occluded,
    /// Where the ray goes into a solid, in units of its direction.
    Enter,
    /// Where it comes out.
    Exit,
    /// How far that is, in world units.
    Thickness,
    /// Row of the material in its model.
    Material,
    /// Row of the point in its file, from 0.
    Point,
    /// `true` or `false`: whether it lies in a solid.
    Inside,
    /// How many solids it lies in.
    Solids,
    /// Row of the eye in its file, from 0.
    From,
    /// Row of the target in its file, from 0.
    To,
    /// `true` or `false`: whether nothing is between the two.
    Visible,
}

/// What a question about hits can answer.
const OF_HITS: [Column; 15] = [
    Column::Ray,
    Column::T,
    Column::X,
    Column::Y,
    Column::Z,
    Column::Distance,
    Column::U,
    Column::V,
    Column::Mesh,
    Column::Instance,
    Column::Prim,
    Column::Facing,
    Column::Nx,
    Column::Ny,
    Column::Nz,
];

/// What the question whether there is a hit can answer.
const OF_OCCLUSION: [Column; 2] = [Column::Ray, Column::Occluded];

/// What the question where a ray is inside can answer.
const OF_INTERVALS: [Column; 7] = [
    Column::Ray,
    Column::Enter,
    Column::Exit,
    Column::Thickness,
    Column::Mesh,
    Column::Instance,
    Column::Material,
];

/// What the question what a point lies in can answer.
const OF_POINTS: [Column; 5] =
    [Column::Point, Column::Inside, Column::Solids, Column::Mesh, Column::Instance];

/// What the question whether two points see each other can answer.
const OF_SIGHT: [Column; 11] = [
    Column::From,
    Column::To,
    Column::Visible,
    Column::T,
    Column::X,
    Column::Y,
    Column::Z,
    Column::Distance,
    Column::Mesh,
    Column::Instance,
    Column::Prim,
];

impl Column {
    /// Its name in the header.
    pub fn name(self) -> &'static str {
        match self {
            Column::Ray => "ray",
            Column::T => "t",
            Column::X => "x",
            Column::Y => "y",
            Column::Z => "z",
            Column::Distance => "distance",
            Column::U => "u",
            Column::V => "v",
            Column::Mesh => "mesh",
            Column::Instance => "instance",
            Column::Prim => "prim",
            Column::Facing => "facing",
            Column::Nx => "nx",
            Column::Ny => "ny",
            Column::Nz => "nz",
            Column::Occluded => "occluded",
            Column::Enter => "enter",
            Column::Exit => "exit",
            Column::Thickness => "thickness",
            Column::Material => "material",
            Column::Point => "point",
            Column::Inside => "inside",
            Column::Solids => "solids",
            Column::From => "from",
            Column::To => "to",
            Column::Visible => "visible",
        }
    }

    /// What it holds.
    pub fn kind(self) -> Kind {
        match self {
            Column::Ray | Column::Mesh | Column::Instance | Column::Prim | Column::Material => Kind::Int,
            Column::Point | Column::Solids | Column::From | Column::To => Kind::Int,
            Column::Facing => Kind::Text,
            Column::Occluded | Column::Inside | Column::Visible => Kind::Bool,
            _ => Kind::Float,
        }
    }

    /// Its value in the line of a ray. A miss has an infinite `t` and the `prim` -1.
    pub fn cell(self, ray: u64, answer: Answer<'_>, loaded: &Loaded) -> Cell<'static> {
        match (self, answer) {
            (Column::Ray | Column::Point, _) => Cell::Int(ray as i64),
            (_, Answer::Inside(place)) => self.of_place(place, loaded),
            (Column::From, Answer::Sight([from, _], _)) => Cell::Int(from as i64),
            (Column::To, Answer::Sight([_, to], _)) => Cell::Int(to as i64),
            (Column::Visible, Answer::Sight(_, hit)) => Cell::Bool(hit.is_none()),
            (_, Answer::Sight(_, Some(hit))) => self.of_hit(hit, loaded),
            (Column::Occluded, Answer::Occluded(occluded)) => Cell::Bool(occluded),
            (_, Answer::Hit(hit)) => self.of_hit(hit, loaded),
            (_, Answer::Interval(piece)) => self.of_interval(piece, loaded),
            (Column::T, Answer::Miss | Answer::Sight(..)) => Cell::Float(f64::INFINITY),
            (Column::Prim, Answer::Miss | Answer::Sight(..)) => Cell::Int(-1),
            (_, Answer::Miss | Answer::Sight(..) | Answer::Occluded(_)) => Cell::Missing,
        }
    }

    fn of_hit(self, hit: &Hit, loaded: &Loaded) -> Cell<'static> {
        match self {
            Column::T => Cell::Float(hit.t),
            Column::X => Cell::Float(hit.position.x),
            Column::Y => Cell::Float(hit.position.y),
            Column::Z => Cell::Float(hit.position.z),
            Column::Distance => Cell::Float(hit.distance),
            Column::U => Cell::Float(hit.u),
            Column::V => Cell::Float(hit.v),
            Column::Mesh => Cell::Int(loaded.node(hit.instance).mesh as i64),
            Column::Instance => Cell::Int(i64::from(hit.instance.slot())),
            Column::Prim => Cell::Int(i64::from(hit.prim)),
            Column::Facing => Cell::Text(side(hit.facing)),
            Column::Nx => Cell::Float(hit.normal.x),
            Column::Ny => Cell::Float(hit.normal.y),
            Column::Nz => Cell::Float(hit.normal.z),
            _ => Cell::Missing,
        }
    }

    fn of_interval(self, piece: &Interval, loaded: &Loaded) -> Cell<'static> {
        match self {
            Column::Enter => Cell::Float(piece.enter),
            Column::Exit => Cell::Float(piece.exit),
            Column::Thickness => Cell::Float(piece.thickness),
            Column::Mesh => Cell::Int(loaded.node(piece.instance).mesh as i64),
            Column::Instance => Cell::Int(i64::from(piece.instance.slot())),
            Column::Material => Cell::Int(i64::from(piece.material)),
            _ => Cell::Missing,
        }
    }

    fn of_place(self, place: Inside, loaded: &Loaded) -> Cell<'static> {
        match (self, place.innermost) {
            (Column::Inside, _) => Cell::Bool(place.solids > 0),
            (Column::Solids, _) => Cell::Int(place.solids as i64),
            (Column::Mesh, Some(instance)) => Cell::Int(loaded.node(instance).mesh as i64),
            (Column::Instance, Some(instance)) => Cell::Int(i64::from(instance.slot())),
            _ => Cell::Missing,
        }
    }

    /// All columns of the answers to a question.
    pub fn of(asked: Asked) -> &'static [Column] {
        let mode = match asked {
            Asked::Hits(mode) => mode,
            Asked::Inside(_) => return &OF_POINTS,
            Asked::Sight(_) => return &OF_SIGHT,
        };
        match mode {
            Mode::Occluded => &OF_OCCLUSION,
            Mode::Closest | Mode::All | Mode::First(_) => &OF_HITS,
            Mode::Intervals => &OF_INTERVALS,
        }
    }

    /// The columns named, in the order named; the error reads `WHAT; WHAT WAS EXPECTED`.
    pub fn choose(asked: Asked, names: &[String]) -> Result<Vec<Column>, String> {
        let known = Column::of(asked);
        let mut chosen = Vec::new();
        for name in names {
            let Some(&column) = known.iter().find(|column| column.name() == name.trim()) else {
                let known: Vec<&str> = known.iter().map(|column| column.name()).collect();
                let of = if matches!(asked, Asked::Hits(_)) { "this mode" } else { "this answer" };
                return Err(format!("there is no '{name}' in {of}; expected some of {}", known.join(",")));
            };
            if chosen.contains(&column) {
                return Err(format!("'{name}' is named twice; expected each column once"));
            }
            chosen.push(column);
        }
        Ok(chosen)
    }
}

/// The side of a triangle as files name it.
pub fn side(facing: Face) -> &'static str {
    match facing {
        Face::Front => "front",
        Face::Back => "back",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_by_name() {
        let names = |text: &str| text.split(',').map(String::from).collect::<Vec<_>>();
        assert_eq!(Column::choose(Asked::Hits(Mode::All), &names("t,ray")), Ok(vec![Column::T, Column::Ray]));
        assert!(
            Column::choose(Asked::Hits(Mode::Occluded), &names("t"))
                .unwrap_err()
                .ends_with("expected some of ray,occluded")
        );
        assert!(Column::choose(Asked::Hits(Mode::All), &names("t,t")).is_err());
    }
}
