//! What text and binary formats share: coordinates, faces, and meshes of positions and triangles that name them.

use std::path::Path;

use hitscan::{MAX_COORDINATE, Transform};

use crate::error::quoted;
use crate::model::{DEFAULT_MATERIAL, Draft, Node, Parts};
use crate::numbering::Numbering;
use crate::origin::{Extent, Origin};
use crate::polygon::{self, Allowance};
use crate::reading::Reading;
use crate::text::{Fault, Words};
use crate::{ReadError, limits};

/// What a coordinate should be.
const THREE_NUMBERS: &str = "a vertex needs three finite numbers x y z";

/// What the file's only mesh is called: the file's name without its extension.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The parts of a file with one mesh and one place for it, both named after the file; neither where there are no
/// triangles. Corners are as for [`draft`].
pub(crate) fn one_mesh(
    reading: &Reading<'_>,
    position: impl Fn(u32) -> [f64; 3],
    triangles: Vec<[u32; 3]>,
) -> Result<Parts, ReadError> {
    let mut parts = Parts { materials: vec![DEFAULT_MATERIAL.to_owned()], ..Parts::default() };
    if triangles.is_empty() {
        return Ok(parts);
    }
    let name = stem(reading.path);
    limits::check_mesh(reading.path, triangles.len(), || quoted(name.as_bytes()))?;
    let (draft, transform) = draft(reading, name, position, triangles, Vec::new())?;
    parts.nodes.push(Node { name: draft.name.clone(), mesh: 0, transform });
    parts.drafts.push(draft);
    Ok(parts)
}

/// A mesh around an origin of its own, and its place in the file. Corners are rows of a list, whose `position`s are
/// finite and at most 2^100 from 0; those that no triangle names are left out.
pub(crate) fn draft(
    reading: &Reading<'_>,
    name: String,
    position: impl Fn(u32) -> [f64; 3],
    mut triangles: Vec<[u32; 3]>,
    materials: Vec<u32>,
) -> Result<(Draft, Transform), ReadError> {
    let mut used = Numbering::default();
    for (number, &corner) in triangles.as_flattened().iter().enumerate() {
        reading.go_on(number)?;
        used.mark(corner);
    }
    let rows = used.assign(0).to_vec();
    if !used.is_identity() {
        for (number, corner) in triangles.as_flattened_mut().iter_mut().enumerate() {
            reading.go_on(number)?;
            *corner = used.number(*corner);
        }
    }
    drop(used);
    let mut extent = Extent::EMPTY;
    for (number, &row) in rows.iter().enumerate() {
        reading.go_on(number)?;
        extent.include(position(row));
    }
    let origin = Origin::of(&extent);
    let mut vertices = Vec::with_capacity(rows.len());
    for (number, &row) in rows.iter().enumerate() {
        reading.go_on(number)?;
        vertices.push(origin.local(position(row)));
    }
    triangles.shrink_to_fit();
    Ok((Draft { name, vertices, triangles, materials, ..Draft::default() }, origin.transform()))
}

/// The next three numbers of the line, as a vertex.
#[inline]
pub(crate) fn position(words: &mut Words<'_>) -> Result<[f64; 3], Fault> {
    let mut position = [0.0; 3];
    for axis in 0..3 {
        position[axis] = coordinate(words.number_in_line(), axis)
            .map_err(|(found, expected)| words.fault(found, expected))?;
    }
    Ok(position)
}

/// Coordinate `axis` of a vertex out of what stands in its place: a number, a word that is none, or nothing. Or what is
/// wrong with it, and what was expected.
#[inline]
pub(crate) fn coordinate(
    found: Option<Result<f64, &[u8]>>,
    axis: usize,
) -> Result<f64, (String, &'static str)> {
    match found {
        Some(Ok(value)) => check_coordinate(value, axis).map(|()| value),
        Some(Err(word)) => Err((format!("{} is {}", name(axis), quoted(word)), THREE_NUMBERS)),
        None => Err((format!("vertex has {axis} of 3 coordinates"), THREE_NUMBERS)),
    }
}

/// Whether a coordinate is one; what is wrong with it otherwise, and what was expected.
#[inline]
pub(crate) fn check_coordinate(value: f64, axis: usize) -> Result<(), (String, &'static str)> {
    if value.abs() <= MAX_COORDINATE {
        return Ok(());
    }
    Err(match value.is_finite() {
        true => (format!("{} is {value:e}", name(axis)), "coordinates reach 2^100 at most"),
        false => (format!("{} is {}", name(axis), value.to_string().to_lowercase()), THREE_NUMBERS),
    })
}

fn name(axis: usize) -> char {
    ['x', 'y', 'z'][axis]
}

/// What a face of fewer corners should have.
pub(crate) const THREE_CORNERS: &str = "a face needs at least 3";

/// `1 corner`, `2 corners`.
pub(crate) fn corners(count: usize) -> String {
    format!("{count} corner{}", if count == 1 { "" } else { "s" })
}

/// The triangles of a file's faces, as they come.
pub(crate) struct Faces {
    pub triangles: Vec<[u32; 3]>,
    /// Of all of the file's polygons.
    pub allowance: Allowance,
    /// The first corner of the face under way, and the one before the next.
    first: u32,
    previous: u32,
    corners: usize,
}

impl Faces {
    /// Of a file of so many bytes.
    pub fn of_file(bytes: usize) -> Faces {
        let allowance = Allowance::for_file(bytes);
        Faces { triangles: Vec::new(), allowance, first: 0, previous: 0, corners: 0 }
    }

    /// Adds a corner to the face under way: from the third on, each makes a triangle with the first and the one before.
    #[inline]
    pub fn corner(&mut self, corner: u32) {
        match self.corners {
            0 => self.first = corner,
            1 => {}
            _ => self.triangles.push([self.first, self.previous, corner]),
        }
        self.previous = corner;
        self.corners += 1;
    }

    /// Ends the face, and gives the number of its corners; fewer than 3 make no triangle. What [`polygon::cut`] says of it.
    #[inline]
    pub fn end(&mut self, position: impl Fn(u32) -> [f64; 3]) -> Result<usize, (String, &'static str)> {
        let corners = self.end_as_fan();
        if corners > 3 {
            let first = self.triangles.len() - (corners - 2);
            polygon::cut(&mut self.triangles[first..], position, &mut self.allowance)?;
        }
        Ok(corners)
    }

    /// Ends the face before there are positions to see how it has to be cut.
    #[inline]
    pub fn end_as_fan(&mut self) -> usize {
        std::mem::take(&mut self.corners)
    }
}
