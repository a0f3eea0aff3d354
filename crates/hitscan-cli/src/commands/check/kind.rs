//! What can be wrong with a mesh.

/// Something that a sound mesh does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A triangle with two corners at one position.
    RepeatedCorner,
    /// A triangle with three distinct corners on a line.
    ZeroArea,
    /// A triangle with the corners of an earlier one, in the same winding.
    Duplicate,
    /// A triangle with the corners of an earlier one, in the opposite winding.
    BackToBack,
    /// A connected chain of border edges: edges with a triangle on one side only.
    Hole,
    /// An edge with more than two triangles.
    NonManifold,
    /// An edge whose two triangles run along it in the same direction.
    Flipped,
}

impl Kind {
    /// All of them, in the order of reports.
    pub const ALL: [Kind; 7] = [
        Kind::RepeatedCorner,
        Kind::ZeroArea,
        Kind::Duplicate,
        Kind::BackToBack,
        Kind::Hole,
        Kind::NonManifold,
        Kind::Flipped,
    ];

    /// Its name in reports for people; the plural has an `s`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::RepeatedCorner => "repeated corner",
            Kind::ZeroArea => "zero area",
            Kind::Duplicate => "duplicate",
            Kind::BackToBack => "back to back",
            Kind::Hole => "hole",
            Kind::NonManifold => "non-manifold edge",
            Kind::Flipped => "flipped edge",
        }
    }

    /// Its name in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Kind::RepeatedCorner => "repeated_corner",
            Kind::ZeroArea => "zero_area",
            Kind::Duplicate => "duplicate",
            Kind::BackToBack => "back_to_back",
            Kind::Hole => "hole",
            Kind::NonManifold => "non_manifold_edge",
            Kind::Flipped => "flipped_edge",
        }
    }
}
