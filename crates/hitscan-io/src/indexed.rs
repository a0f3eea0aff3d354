//! A file that is one mesh: positions, and triangles that name them.

use std::path::Path;

use hitscan::{MAX_COORDINATE, MAX_TRIANGLES, MeshError};

use crate::ReadError;
use crate::error::quoted;
use crate::model::{DEFAULT_MATERIAL, Draft, Node, Parts};
use crate::numbering::Numbering;
use crate::origin::{Extent, Origin};
use crate::text::{Fault, Words};

/// What a coordinate should be.
pub(crate) const THREE_NUMBERS: &str = "a vertex needs three finite numbers x y z";

/// What the file's only mesh is called: the file's name without its extension.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The parts of a file with one mesh and one place for it. Corners are rows of `positions`; those that no triangle
/// names are left out.
pub(crate) fn one_mesh(path: &Path, positions: &[[f64; 3]], mut triangles: Vec<[u32; 3]>) -> Parts {
    let mut parts = Parts { materials: vec![DEFAULT_MATERIAL.to_owned()], ..Parts::default() };
    if triangles.is_empty() {
        return parts;
    }
    let mut used = Numbering::default();
    for &corner in triangles.as_flattened() {
        used.mark(corner);
    }
    let rows = used.assign(0).to_vec();
    if !used.is_identity() {
        for corner in triangles.as_flattened_mut() {
            *corner = used.number(*corner);
        }
    }
    drop(used);
    let corners = || rows.iter().map(|&row| positions[row as usize]);
    let extent = Extent::of(corners());
    let origin = Origin::of(&extent, &extent);
    let vertices = corners().map(|corner| origin.local(corner)).collect();
    triangles.shrink_to_fit();
    let name = stem(path);
    parts.nodes.push(Node { name: name.clone(), mesh: 0, transform: origin.transform() });
    parts.drafts.push(Draft { name, vertices, triangles, materials: Vec::new() });
    parts
}

/// The next three numbers of the line, as a vertex.
#[inline]
pub(crate) fn position(words: &mut Words<'_>) -> Result<[f64; 3], Fault> {
    let mut position = [0.0; 3];
    for axis in 0..3 {
        position[axis] = coordinate(words, axis)?;
    }
    Ok(position)
}

/// The next number of the line, as coordinate `axis` of a vertex.
#[inline]
pub(crate) fn coordinate(words: &mut Words<'_>, axis: usize) -> Result<f64, Fault> {
    match words.number_in_line() {
        Some(Ok(value)) => match check_coordinate(value, axis) {
            Ok(()) => Ok(value),
            Err((found, expected)) => Err(words.fault(found, expected)),
        },
        Some(Err(word)) => Err(words.fault(format!("{} is {}", name(axis), quoted(word)), THREE_NUMBERS)),
        None => Err(words.fault(format!("vertex has {axis} of 3 coordinates"), THREE_NUMBERS)),
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

/// The triangles of a file's faces, as they come.
#[derive(Default)]
pub(crate) struct Faces {
    pub triangles: Vec<[u32; 3]>,
    /// The first corner of the face under way, and the one before the next.
    first: u32,
    previous: u32,
    corners: usize,
}

impl Faces {
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

    /// Ends the face, and gives the number of its corners; fewer than 3 make no triangle.
    pub fn end(&mut self) -> usize {
        std::mem::take(&mut self.corners)
    }

    /// The error for more triangles than a mesh holds.
    pub fn check_count(&self, path: &Path) -> Result<(), ReadError> {
        if self.triangles.len() <= MAX_TRIANGLES {
            return Ok(());
        }
        let source = MeshError::TooManyTriangles { triangles: self.triangles.len() };
        Err(ReadError::Mesh { path: path.into(), mesh: quoted(stem(path).as_bytes()), source })
    }
}
