//! Wavefront OBJ.
//!
//! Read: `v` (extra numbers such as colours are ignored), `f` in all its forms (and its old name `fo`), `o`,
//! `usemtl`. Polygons become triangles as `polygon` says. `o` starts a mesh and names it; what stands before the first is named after the file, and objects
//! without faces are left out. A face names only vertices of lines above it, of any object. Texture
//! coordinates, normals, groups, lines, points, curves and unknown statements are passed over: without
//! geometry for rays, or not OBJ as anyone writes it. Numbers are parsed as `f64`; see `origin` for how they are kept.

mod cursor;

use std::collections::HashMap;

use crate::error::quoted;
use crate::indexed::{self, Faces, THREE_CORNERS, stem};
use crate::model::{DEFAULT_MATERIAL, Draft, Node, Parts};
use crate::number::{self, integer};
use crate::numbering::Numbering;
use crate::origin::{Extent, Origin};
use crate::reading::Reading;
use crate::{ReadError, limits};
use cursor::Cursor;

pub(crate) fn read(reading: &Reading<'_>, bytes: Vec<u8>) -> Result<Parts, ReadError> {
    Parser::new(reading, &bytes).parse()
}

/// A mesh whose triangles name vertices of the whole file.
struct Object {
    name: String,
    /// Rows of the file's vertices that it uses, in order.
    vertices: Vec<u32>,
    /// Rows of `vertices`.
    triangles: Vec<[u32; 3]>,
    materials: Vec<u32>,
    /// Of the vertices that it uses.
    extent: Extent,
}

struct Parser<'a> {
    reading: &'a Reading<'a>,
    cursor: Cursor<'a>,
    /// Of the file, in bytes.
    length: usize,
    /// Of the whole file.
    positions: Vec<[f64; 3]>,
    finished: Vec<Object>,
    materials: Vec<String>,
    material_numbers: HashMap<&'a [u8], u32>,
    // The mesh under way:
    name: String,
    /// How many `o` there were, for the names of those without one.
    objects: usize,
    faces: Faces,
    used: Numbering,
    /// The first triangle of each run of one material, and the material.
    material_runs: Vec<(usize, u32)>,
}

impl<'a> Parser<'a> {
    fn new(reading: &'a Reading<'a>, bytes: &'a [u8]) -> Parser<'a> {
        Parser {
            reading,
            cursor: Cursor::new(bytes),
            length: bytes.len(),
            positions: Vec::new(),
            finished: Vec::new(),
            materials: vec![DEFAULT_MATERIAL.to_owned()],
            material_numbers: HashMap::new(),
            name: stem(reading.path),
            objects: 0,
            faces: Faces::of_file(bytes.len()),
            used: Numbering::default(),
            material_runs: vec![(0, 0)],
        }
    }

    fn parse(mut self) -> Result<Parts, ReadError> {
        for statement in 0.. {
            self.reading.go_on(statement)?;
            match self.cursor.word() {
                Some(b"v") => self.vertex()?,
                Some(b"f" | b"fo") => self.face()?,
                Some(b"o") => self.object()?,
                Some(b"usemtl") => self.material(),
                Some(word) if !word[0].is_ascii_alphabetic() => {
                    let found = format!("{} is not a statement", quoted(word));
                    return Err(self.fault(found, "an OBJ line starts with a keyword such as v, f or o"));
                }
                _ => {}
            }
            if !self.cursor.next_statement() {
                break;
            }
        }
        self.finish_mesh()?;
        let mut parts = Parts { materials: self.materials, ..Parts::default() };
        let extents: Vec<Extent> = self.finished.iter().map(|object| object.extent).collect();
        let origins = Origin::of_all(&extents);
        for ((mesh, object), origin) in self.finished.into_iter().enumerate().zip(origins) {
            let Object { name, vertices, triangles, materials, .. } = object;
            let mut local = Vec::with_capacity(vertices.len());
            for (number, &row) in vertices.iter().enumerate() {
                self.reading.go_on(number)?;
                local.push(origin.local(self.positions[row as usize]));
            }
            parts.nodes.push(Node { name: name.clone(), mesh, transform: origin.transform() });
            parts.drafts.push(Draft { name, vertices: local, triangles, materials, ..Draft::default() });
        }
        Ok(parts)
    }

    fn vertex(&mut self) -> Result<(), ReadError> {
        let mut position = [0.0; 3];
        for (axis, value) in position.iter_mut().enumerate() {
            let found = self.cursor.word().map(|word| number::parse(word).ok_or(word));
            *value =
                indexed::coordinate(found, axis).map_err(|(found, expected)| self.fault(found, expected))?;
        }
        if self.positions.len() >= u32::MAX as usize {
            return Err(self.fault("more than 4294967295 vertices", "split the file"));
        }
        self.positions.push(position);
        Ok(())
    }

    fn face(&mut self) -> Result<(), ReadError> {
        while let Some(word) = self.cursor.word() {
            let corner = self.corner(word)?;
            self.faces.corner(corner);
        }
        match self.faces.end(|row| self.positions[row as usize]) {
            Ok(few @ 0..3) => Err(self.fault(format!("face has {}", indexed::corners(few)), THREE_CORNERS)),
            Ok(..=4) => Ok(()),
            Ok(_) => self.reading.go_on(0), // the longest take a while
            Err((found, expected)) => Err(self.fault(format!("face {found}"), expected)),
        }
    }

    /// The row of the vertex that a corner names: `v`, `v/vt`, `v//vn` or `v/vt/vn`.
    fn corner(&mut self, word: &[u8]) -> Result<u32, ReadError> {
        let length = word.iter().position(|&byte| byte == b'/').unwrap_or(word.len());
        let (vertex, others) = word.split_at(length);
        let others_well_formed = others.is_empty()
            || (others.iter().filter(|&&byte| byte == b'/').count() <= 2
                && others.iter().all(|byte| matches!(byte, b'/' | b'-' | b'0'..=b'9')));
        let Some(index) = integer(vertex).filter(|_| others_well_formed) else {
            let found = format!("{} is not a corner of a face", quoted(word));
            return Err(self.fault(found, "a corner is v, v/vt, v//vn or v/vt/vn, in whole numbers"));
        };
        let so_far = self.positions.len() as i64; // less than 2^32
        let row = if index > 0 { index - 1 } else { so_far + index };
        if index == 0 || row < 0 || row >= so_far {
            let found = format!("face names vertex {index}, the file has {so_far} so far");
            return Err(self.fault(found, "vertices count from 1, or backwards from -1"));
        }
        self.used.mark(row as u32);
        Ok(row as u32)
    }

    fn object(&mut self) -> Result<(), ReadError> {
        self.finish_mesh()?;
        let name = self.cursor.rest_of_line();
        self.name = match name {
            b"" => format!("mesh{}", self.objects),
            name => String::from_utf8_lossy(name).into_owned(),
        };
        self.objects += 1;
        Ok(())
    }

    fn material(&mut self) {
        let name = self.cursor.rest_of_line();
        let number = match name {
            b"" => 0,
            name => *self.material_numbers.entry(name).or_insert_with(|| {
                self.materials.push(String::from_utf8_lossy(name).into_owned());
                (self.materials.len() - 1) as u32
            }),
        };
        self.material_runs.push((self.faces.triangles.len(), number));
    }

    /// Moves the triangles since the last `o` into a mesh of their own, if there are any.
    fn finish_mesh(&mut self) -> Result<(), ReadError> {
        let mut triangles = std::mem::take(&mut self.faces.triangles);
        let runs = std::mem::take(&mut self.material_runs);
        let current = runs.last().map_or(0, |&(_, material)| material);
        self.material_runs.push((0, current)); // a material holds on in the next object
        if triangles.is_empty() {
            return Ok(());
        }
        limits::check_mesh(self.reading.path, triangles.len(), || quoted(self.name.as_bytes()))?;
        let vertices = self.used.assign(0).to_vec();
        if !self.used.is_identity() {
            for (number, corner) in triangles.as_flattened_mut().iter_mut().enumerate() {
                self.reading.go_on(number)?;
                *corner = self.used.number(*corner);
            }
        }
        self.used.clear();
        let mut extent = Extent::EMPTY;
        for (number, &row) in vertices.iter().enumerate() {
            self.reading.go_on(number)?;
            extent.include(self.positions[row as usize]);
        }

        let mut materials = Vec::new();
        if runs.iter().any(|&(_, material)| material != 0) {
            let ends = runs.iter().skip(1).map(|&(first, _)| first).chain([triangles.len()]);
            for (&(_, material), end) in runs.iter().zip(ends) {
                materials.resize(end, material);
            }
        }
        triangles.shrink_to_fit();
        let name = std::mem::take(&mut self.name);
        self.finished.push(Object { name, vertices, triangles, materials, extent });
        limits::check_parts(self.reading.path, self.finished.len(), self.length as u64)
    }

    fn fault(&self, found: impl Into<String>, expected: &str) -> ReadError {
        ReadError::syntax(self.reading.path, self.cursor.line, found, expected)
    }
}
