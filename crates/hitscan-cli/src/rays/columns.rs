//! The columns of an answer.

use crate::args::Mode;

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
        }
    }

    /// All columns of a mode's answers.
    pub fn of(mode: Mode) -> &'static [Column] {
        match mode {
            Mode::Occluded => &OF_OCCLUSION,
            Mode::Closest | Mode::All | Mode::First(_) => &OF_HITS,
        }
    }

    /// The columns named, in the order named; the error reads `WHAT; WHAT WAS EXPECTED`.
    pub fn choose(mode: Mode, names: &[String]) -> Result<Vec<Column>, String> {
        let known = Column::of(mode);
        let mut chosen = Vec::new();
        for name in names {
            let Some(&column) = known.iter().find(|column| column.name() == name.trim()) else {
                let known: Vec<&str> = known.iter().map(|column| column.name()).collect();
                return Err(format!(
                    "there is no '{name}' in this mode; expected some of {}",
                    known.join(",")
                ));
            };
            if chosen.contains(&column) {
                return Err(format!("'{name}' is named twice; expected each column once"));
            }
            chosen.push(column);
        }
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_by_name() {
        let names = |text: &str| text.split(',').map(String::from).collect::<Vec<_>>();
        assert_eq!(Column::choose(Mode::All, &names("t,ray")), Ok(vec![Column::T, Column::Ray]));
        assert!(
            Column::choose(Mode::Occluded, &names("t"))
                .unwrap_err()
                .ends_with("expected some of ray,occluded")
        );
        assert!(Column::choose(Mode::All, &names("t,t")).is_err());
    }
}
