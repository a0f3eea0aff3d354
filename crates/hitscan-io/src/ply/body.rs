//! Rows of elements to vertices and triangles, whatever the encoding.

use std::ops::Range;
use std::path::Path;

use super::header::{Element, Header, Meaning, Role, Scalar, Shape};
use crate::error::quoted;
use crate::indexed::{self, Faces, THREE_CORNERS, stem};
use crate::reading::Reading;
use crate::{ReadError, limits, polygon};

/// The values of one encoding, in file order.
pub(super) trait Values {
    /// The fewest bytes that a row of these properties takes.
    fn least_row(element: &Element) -> usize;

    /// Bytes that were not read yet.
    fn left(&self) -> usize;

    /// Goes to the next row; false where the file ends before it.
    fn begin_row(&mut self) -> bool;

    /// Ends a row; false where it has more values than were read.
    fn end_row(&mut self) -> bool;

    /// The next value of the row as a number.
    fn number(&mut self, scalar: Scalar) -> Result<f64, Wrong>;

    /// The next value of the row as a whole number.
    fn integer(&mut self, scalar: Scalar) -> Result<i64, Wrong>;

    /// Passes over values.
    fn skip(&mut self, scalar: Scalar, count: usize) -> Result<(), Wrong>;

    /// An error at the last value.
    fn fault(&self, found: String, expected: &str) -> ReadError;
}

/// Why there is no value.
pub(super) enum Wrong {
    /// The row, or the file, ends before it.
    Missing,
    /// This stands there, in quotes.
    NoNumber(String),
}

pub(super) struct Mesh {
    pub positions: Vec<[f64; 3]>,
    pub faces: Faces,
}

pub(super) fn read<V: Values>(reading: &Reading<'_>, values: V, header: &Header) -> Result<Mesh, ReadError> {
    let mesh = Mesh { positions: Vec::new(), faces: Faces::of_file(values.left()) };
    let mut body = Body { reading, values, vertices: header.vertices, mesh, uncut: Vec::new() };
    for element in header.elements.iter().filter(|element| !element.properties.is_empty()) {
        body.check_claim(reading.path, element)?;
        match element.role {
            Role::Vertices => reading.reserve(&mut body.mesh.positions, element.count)?,
            Role::Faces => {
                limits::check_mesh(reading.path, element.count, || quoted(stem(reading.path).as_bytes()))?;
                reading.reserve(&mut body.mesh.faces.triangles, element.count)?
            }
            Role::Strips | Role::Other => {}
        }
        for row in 0..element.count {
            reading.go_on(row)?;
            body.row(element, row)?;
        }
    }
    let Body { mesh: Mesh { positions, mut faces }, uncut, .. } = body;
    for Uncut { row, triangles } in uncut {
        reading.go_on(0)?;
        let position = |vertex: u32| positions[vertex as usize];
        let cut = polygon::cut(&mut faces.triangles[triangles], position, &mut faces.allowance);
        cut.map_err(|(found, expected)| {
            ReadError::invalid(reading.path, format!("face {row} {found}"), expected)
        })?;
    }
    Ok(Mesh { positions, faces })
}

struct Body<'a, V> {
    reading: &'a Reading<'a>,
    values: V,
    /// How many there are, by the header: faces may come first.
    vertices: usize,
    mesh: Mesh,
    uncut: Vec<Uncut>,
}

/// A polygon that came before its vertices.
struct Uncut {
    row: usize,
    triangles: Range<usize>,
}

impl<V: Values> Body<'_, V> {
    /// Holds the number of rows against the bytes that are there, before memory is taken for them.
    fn check_claim(&self, path: &Path, element: &Element) -> Result<(), ReadError> {
        let (least, left) = (V::least_row(element), self.values.left());
        if element.count.checked_mul(least).is_some_and(|bytes| bytes <= left) {
            return Ok(());
        }
        let rows = if element.count == 1 { "row" } else { "rows" };
        let found = format!("element {} claims {} {rows}", element.label, element.count);
        let expected = format!("the bytes that are left hold {} at most", left / least.max(1));
        Err(ReadError::invalid(path, found, expected))
    }

    #[inline]
    fn row(&mut self, element: &Element, row: usize) -> Result<(), ReadError> {
        if !self.values.begin_row() {
            let found =
                format!("the file ends after {row} of {} rows of element {}", element.count, element.label);
            return Err(self.values.fault(found, "each has a line"));
        }
        let mut position = [0.0; 3];
        for property in &element.properties {
            match (property.shape, property.meaning) {
                (Shape::One(scalar), Meaning::Coordinate(axis)) => {
                    position[axis] = self.coordinate(element, row, axis, scalar)?;
                }
                (Shape::One(scalar), _) => {
                    self.values.skip(scalar, 1).map_err(|wrong| self.wrong(element, row, wrong))?;
                }
                (Shape::List { length, item }, meaning) => {
                    let count = self.length(element, row, length)?;
                    match (meaning, element.role) {
                        (Meaning::Corners, Role::Faces) => self.face(element, row, count, item)?,
                        (Meaning::Corners, _) => self.strip(element, row, count, item)?,
                        _ => {
                            self.values.skip(item, count).map_err(|wrong| self.wrong(element, row, wrong))?
                        }
                    }
                }
            }
        }
        if element.role == Role::Vertices {
            self.mesh.positions.push(position);
        }
        if !self.values.end_row() {
            let found = format!("{} {row} has more values than the header names", element.label);
            return Err(self.values.fault(found, "each row has a line"));
        }
        Ok(())
    }

    #[inline]
    fn coordinate(
        &mut self,
        element: &Element,
        row: usize,
        axis: usize,
        scalar: Scalar,
    ) -> Result<f64, ReadError> {
        let value = self.values.number(scalar).map_err(|wrong| self.wrong(element, row, wrong))?;
        match indexed::check_coordinate(value, axis) {
            Ok(()) => Ok(value),
            Err((found, expected)) => Err(self.values.fault(format!("vertex {row}: {found}"), expected)),
        }
    }

    #[inline]
    fn length(&mut self, element: &Element, row: usize, scalar: Scalar) -> Result<usize, ReadError> {
        let length = self.values.integer(scalar).map_err(|wrong| self.wrong(element, row, wrong))?;
        usize::try_from(length).map_err(|_| {
            let found = format!("{} {row} has a list of {length} values", element.label);
            self.values.fault(found, "lengths are 0 or more")
        })
    }

    #[inline]
    fn face(&mut self, element: &Element, row: usize, count: usize, item: Scalar) -> Result<(), ReadError> {
        if count < 3 {
            let found = format!("face {row} has {}", indexed::corners(count));
            return Err(self.values.fault(found, THREE_CORNERS));
        }
        for _ in 0..count {
            let index = self.values.integer(item).map_err(|wrong| self.wrong(element, row, wrong))?;
            let corner = self.vertex(element, row, index)?;
            self.mesh.faces.corner(corner);
        }
        let Mesh { positions, faces } = &mut self.mesh;
        if positions.len() == self.vertices {
            return match faces.end(|vertex| positions[vertex as usize]) {
                Ok(..=4) => Ok(()),
                Ok(_) => self.reading.go_on(0), // the longest take a while
                Err((found, expected)) => Err(self.values.fault(format!("face {row} {found}"), expected)),
            };
        }
        faces.end_as_fan();
        if count > 3 {
            let end = faces.triangles.len();
            self.uncut.push(Uncut { row, triangles: end - (count - 2)..end });
        }
        Ok(())
    }

    /// Every other triangle of a strip is turned, so that all keep the winding of the first.
    fn strip(&mut self, element: &Element, row: usize, count: usize, item: Scalar) -> Result<(), ReadError> {
        let mut corners = [0; 2];
        let mut so_far = 0;
        for _ in 0..count {
            let index = self.values.integer(item).map_err(|wrong| self.wrong(element, row, wrong))?;
            if index == -1 {
                so_far = 0;
                continue;
            }
            let corner = self.vertex(element, row, index)?;
            let [a, b] = corners;
            match so_far {
                0 | 1 => {}
                turned if turned % 2 == 1 => self.mesh.faces.triangles.push([b, a, corner]),
                _ => self.mesh.faces.triangles.push([a, b, corner]),
            }
            corners = [b, corner];
            so_far += 1;
        }
        Ok(())
    }

    #[inline]
    fn vertex(&self, element: &Element, row: usize, index: i64) -> Result<u32, ReadError> {
        match u32::try_from(index) {
            Ok(vertex) if (vertex as usize) < self.vertices => Ok(vertex),
            _ => {
                let found =
                    format!("{} {row} names vertex {index}, the file has {}", element.label, self.vertices);
                Err(self.values.fault(found, "vertices count from 0"))
            }
        }
    }

    #[cold]
    fn wrong(&self, element: &Element, row: usize, wrong: Wrong) -> ReadError {
        let name = &element.label;
        match wrong {
            Wrong::Missing => {
                let expected = "it has the values that the header names";
                self.values.fault(format!("{name} {row} is cut off"), expected)
            }
            Wrong::NoNumber(word) => {
                self.values.fault(format!("{name} {row} has {word}"), "a number of its property's type")
            }
        }
    }
}
