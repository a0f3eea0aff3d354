//! What is known of a row's answer, by name, and the arrays that it goes into.

use hitscan::glam::DVec3;
use hitscan::{ClosestPoint, Face, Hit, HitRecord, InstanceId, Interval, reserve_ahead};
use numpy::{Element, PyArray, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::apart::{self, Span};
use crate::batch::Split;

/// What columns hold that are no whole numbers: `f64`, or those rounded to the nearest `f32`, the `t` of hits to a finite one.
#[derive(Clone, Copy, Debug)]
pub enum Precision {
    Double,
    Single,
}

impl<'py> FromPyObject<'_, 'py> for Precision {
    type Error = PyErr;
    /// Of how many bytes a number has.
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Precision> {
        match object.extract()? {
            8 => Ok(Precision::Double),
            4 => Ok(Precision::Single),
            other => Err(PyValueError::new_err(format!("numbers of {other} bytes; expected 4 or 8"))),
        }
    }
}

/// One thing that an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    T,
    Distance,
    Position,
    Normal,
    U,
    V,
    Instance,
    Prim,
    Material,
    Facing,
    Enter,
    Exit,
    Thickness,
}

impl Field {
    pub fn named(name: &str) -> PyResult<Field> {
        Ok(match name {
            "t" => Field::T,
            "distance" => Field::Distance,
            "position" => Field::Position,
            "normal" => Field::Normal,
            "u" => Field::U,
            "v" => Field::V,
            "instance" => Field::Instance,
            "prim" => Field::Prim,
            "material" => Field::Material,
            "facing" => Field::Facing,
            "enter" => Field::Enter,
            "exit" => Field::Exit,
            "thickness" => Field::Thickness,
            _ => return Err(PyValueError::new_err(format!("there is no column {name:?}"))),
        })
    }

    /// Whether a [`HitRecord`] knows it.
    pub fn is_recorded(self) -> bool {
        matches!(self, Field::T | Field::U | Field::V | Field::Instance | Field::Prim | Field::Facing)
    }

    /// Whether it is three numbers.
    fn is_vector(self) -> bool {
        matches!(self, Field::Position | Field::Normal)
    }

    fn grown(self, precision: Precision) -> Grown {
        match (self, precision) {
            (Field::Instance | Field::Material, _) => Grown::Int32s(Vec::new()),
            (Field::Prim, _) => Grown::Int64s(Vec::new()),
            (Field::Facing, _) => Grown::Int8s(Vec::new()),
            (Field::Position | Field::Normal, Precision::Double) => Grown::DoubleVectors(Vec::new()),
            (Field::Position | Field::Normal, Precision::Single) => Grown::SingleVectors(Vec::new()),
            (_, Precision::Double) => Grown::Doubles(Vec::new()),
            (_, Precision::Single) => Grown::Singles(Vec::new()),
        }
    }
}

/// A part of an array that is written.
pub enum Column<'a> {
    Doubles(&'a mut [f64]),
    Singles(&'a mut [f32]),
    DoubleVectors(&'a mut [[f64; 3]]),
    SingleVectors(&'a mut [[f32; 3]]),
    Int64s(&'a mut [i64]),
    Int32s(&'a mut [i32]),
    Int8s(&'a mut [i8]),
    Bools(&'a mut [bool]),
}

fn cut<'a, T>(all: &mut &'a mut [T], rows: usize) -> &'a mut [T] {
    let (first, rest) = std::mem::take(all).split_at_mut(rows);
    *all = rest;
    first
}

impl Split for Column<'_> {
    fn split(&mut self, rows: usize) -> Self {
        match self {
            Column::Doubles(all) => Column::Doubles(cut(all, rows)),
            Column::Singles(all) => Column::Singles(cut(all, rows)),
            Column::DoubleVectors(all) => Column::DoubleVectors(cut(all, rows)),
            Column::SingleVectors(all) => Column::SingleVectors(cut(all, rows)),
            Column::Int64s(all) => Column::Int64s(cut(all, rows)),
            Column::Int32s(all) => Column::Int32s(cut(all, rows)),
            Column::Int8s(all) => Column::Int8s(cut(all, rows)),
            Column::Bools(all) => Column::Bools(cut(all, rows)),
        }
    }
}

/// Parts of several arrays.
impl Split for Vec<(Field, Column<'_>)> {
    fn split(&mut self, rows: usize) -> Self {
        self.iter_mut().map(|(field, column)| (*field, column.split(rows))).collect()
    }
}

/// An array that is written, as long as nobody else uses it.
pub enum Written<'py> {
    Doubles(PyReadwriteArrayDyn<'py, f64>),
    Singles(PyReadwriteArrayDyn<'py, f32>),
    Int64s(PyReadwriteArrayDyn<'py, i64>),
    Int32s(PyReadwriteArrayDyn<'py, i32>),
    Int8s(PyReadwriteArrayDyn<'py, i8>),
    Bools(PyReadwriteArrayDyn<'py, bool>),
}

/// Borrows an array to be written beside `used`, and adds it there.
fn borrowed<'py, T: Element>(
    name: &str,
    array: &Bound<'py, PyAny>,
    used: &mut Vec<Span>,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let refused = |why: &dyn std::fmt::Display| PyValueError::new_err(format!("{name}: {why}"));
    let array = array.cast::<PyArrayDyn<T>>().map_err(|_| {
        PyTypeError::new_err(format!("{name}: expected an array of {}", std::any::type_name::<T>()))
    })?;
    if !(array.is_c_contiguous() && array.is_aligned()) {
        return Err(refused(&"expected an aligned array in C order"));
    }
    let span = Span::of(name, array.data(), array.len());
    // First, as this knows what the other array is called.
    apart::check(&span, used)?;
    used.push(span);
    array.try_readwrite().map_err(|error| refused(&format_args!("the array is in use or read-only: {error}")))
}

impl<'py> Written<'py> {
    /// The one array of an answer, beside what is `read`.
    pub fn bools(array: &Bound<'py, PyAny>, mut read: Vec<Span>) -> PyResult<Written<'py>> {
        borrowed("out", array, &mut read).map(Written::Bools)
    }

    pub fn counts(array: &Bound<'py, PyAny>, mut read: Vec<Span>) -> PyResult<Written<'py>> {
        borrowed("out", array, &mut read).map(Written::Int64s)
    }

    pub fn floats(array: &Bound<'py, PyAny>, mut read: Vec<Span>) -> PyResult<Written<'py>> {
        borrowed("out", array, &mut read).map(Written::Doubles)
    }

    /// Its numbers, for so many rows.
    pub fn column(&mut self, width: usize, rows: usize) -> PyResult<Column<'_>> {
        let column = match self {
            Written::Doubles(array) => match (width, array.as_slice_mut()?) {
                (3, numbers) => Column::DoubleVectors(numbers.as_chunks_mut().0),
                (_, numbers) => Column::Doubles(numbers),
            },
            Written::Singles(array) => match (width, array.as_slice_mut()?) {
                (3, numbers) => Column::SingleVectors(numbers.as_chunks_mut().0),
                (_, numbers) => Column::Singles(numbers),
            },
            Written::Int64s(array) => Column::Int64s(array.as_slice_mut()?),
            Written::Int32s(array) => Column::Int32s(array.as_slice_mut()?),
            Written::Int8s(array) => Column::Int8s(array.as_slice_mut()?),
            Written::Bools(array) => Column::Bools(array.as_slice_mut()?),
        };
        let found = match &column {
            Column::Doubles(column) => column.len(),
            Column::Singles(column) => column.len(),
            Column::DoubleVectors(column) => column.len(),
            Column::SingleVectors(column) => column.len(),
            Column::Int64s(column) => column.len(),
            Column::Int32s(column) => column.len(),
            Column::Int8s(column) => column.len(),
            Column::Bools(column) => column.len(),
        };
        if found != rows {
            return Err(PyValueError::new_err(format!("out: an array of {found} rows for {rows} questions")));
        }
        Ok(column)
    }
}

/// The arrays of several columns.
pub struct Room<'py>(Vec<(Field, Written<'py>)>);

impl<'py> Room<'py> {
    /// Of a dictionary, by the names of columns, beside what is `read`.
    pub fn new(out: &Bound<'py, PyDict>, read: Vec<Span>) -> PyResult<Room<'py>> {
        let mut used = read;
        let each = |(name, array): (Bound<'py, PyAny>, Bound<'py, PyAny>)| {
            let name: String = name.extract()?;
            let field = Field::named(&name)?;
            let name = format!("out['{name}']");
            let written = match field {
                Field::Prim => Written::Int64s(borrowed(&name, &array, &mut used)?),
                Field::Instance | Field::Material => Written::Int32s(borrowed(&name, &array, &mut used)?),
                Field::Facing => Written::Int8s(borrowed(&name, &array, &mut used)?),
                _ if array.cast::<PyArrayDyn<f32>>().is_ok() => {
                    Written::Singles(borrowed(&name, &array, &mut used)?)
                }
                _ => Written::Doubles(borrowed(&name, &array, &mut used)?),
            };
            Ok((field, written))
        };
        out.iter().map(each).collect::<PyResult<_>>().map(Room)
    }

    /// Whether records know all of it.
    pub fn are_recorded(&self) -> bool {
        self.0.iter().all(|(field, _)| field.is_recorded())
    }

    /// Their columns, for so many rows.
    pub fn columns(&mut self, rows: usize) -> PyResult<Vec<(Field, Column<'_>)>> {
        let mut columns = Vec::with_capacity(self.0.len());
        for (field, written) in &mut self.0 {
            let width = if field.is_vector() { 3 } else { 1 };
            columns.push((*field, written.column(width, rows)?));
        }
        Ok(columns)
    }
}

/// A column that grows.
pub enum Grown {
    Doubles(Vec<f64>),
    Singles(Vec<f32>),
    DoubleVectors(Vec<[f64; 3]>),
    SingleVectors(Vec<[f32; 3]>),
    Int64s(Vec<i64>),
    Int32s(Vec<i32>),
    Int8s(Vec<i8>),
}

/// The same call for all kinds of columns.
macro_rules! grown {
    ($column:expr, $list:ident => $call:expr) => {
        match $column {
            Grown::Doubles($list) => $call,
            Grown::Singles($list) => $call,
            Grown::DoubleVectors($list) => $call,
            Grown::SingleVectors($list) => $call,
            Grown::Int64s($list) => $call,
            Grown::Int32s($list) => $call,
            Grown::Int8s($list) => $call,
        }
    };
}

impl Grown {
    /// Forgets all, and makes room for so many rows.
    fn renew(&mut self, rows: usize) -> Column<'_> {
        fn renewed<T: Clone + Default>(list: &mut Vec<T>, rows: usize) -> &mut [T] {
            list.truncate(rows);
            list.resize(rows, T::default());
            list
        }
        match self {
            Grown::Doubles(list) => Column::Doubles(renewed(list, rows)),
            Grown::Singles(list) => Column::Singles(renewed(list, rows)),
            Grown::DoubleVectors(list) => Column::DoubleVectors(renewed(list, rows)),
            Grown::SingleVectors(list) => Column::SingleVectors(renewed(list, rows)),
            Grown::Int64s(list) => Column::Int64s(renewed(list, rows)),
            Grown::Int32s(list) => Column::Int32s(renewed(list, rows)),
            Grown::Int8s(list) => Column::Int8s(renewed(list, rows)),
        }
    }

    fn append(&mut self, other: &Grown, steps: [usize; 2]) {
        fn append<T: Copy>(all: &mut Vec<T>, more: &[T], steps: [usize; 2]) {
            reserve_ahead(all, more.len(), steps);
            all.extend_from_slice(more);
        }
        match (self, other) {
            (Grown::Doubles(all), Grown::Doubles(more)) => append(all, more, steps),
            (Grown::Singles(all), Grown::Singles(more)) => append(all, more, steps),
            (Grown::DoubleVectors(all), Grown::DoubleVectors(more)) => append(all, more, steps),
            (Grown::SingleVectors(all), Grown::SingleVectors(more)) => append(all, more, steps),
            (Grown::Int64s(all), Grown::Int64s(more)) => append(all, more, steps),
            (Grown::Int32s(all), Grown::Int32s(more)) => append(all, more, steps),
            (Grown::Int8s(all), Grown::Int8s(more)) => append(all, more, steps),
            // Both were made for the same field.
            _ => {}
        }
    }

    /// The array that takes over the memory.
    fn into_array(mut self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        grown!(&mut self, list => list.shrink_to_fit());
        Ok(match self {
            Grown::Doubles(list) => PyArray::from_vec(py, list).into_any(),
            Grown::Singles(list) => PyArray::from_vec(py, list).into_any(),
            Grown::DoubleVectors(list) => vectors(py, list)?,
            Grown::SingleVectors(list) => vectors(py, list)?,
            Grown::Int64s(list) => PyArray::from_vec(py, list).into_any(),
            Grown::Int32s(list) => PyArray::from_vec(py, list).into_any(),
            Grown::Int8s(list) => PyArray::from_vec(py, list).into_any(),
        })
    }
}

/// The array that takes over the memory of vectors.
fn vectors<T: Element>(py: Python<'_>, list: Vec<[T; 3]>) -> PyResult<Bound<'_, PyAny>> {
    let rows = list.len();
    Ok(PyArray::from_vec(py, list.into_flattened()).reshape([rows, 3])?.into_any())
}

/// Columns that grow together.
pub struct Table(Vec<(Field, Grown)>);

impl Table {
    pub fn new(fields: impl Iterator<Item = Field>, precision: Precision) -> Table {
        Table(fields.map(|field| (field, field.grown(precision))).collect())
    }

    /// Forgets all, and holds these answers.
    pub fn hold<A: Answer>(&mut self, answers: &[A]) {
        let columns = self.0.iter_mut().map(|(field, grown)| (*field, grown.renew(answers.len())));
        write(answers, columns.collect());
    }

    /// Appends all of another; with it, so many steps of all are done.
    pub fn append(&mut self, other: &Table, steps: [usize; 2]) {
        for ((_, all), (_, more)) in self.0.iter_mut().zip(&other.0) {
            all.append(more, steps);
        }
    }

    /// The arrays, in the order of the fields.
    pub fn into_arrays(self, py: Python<'_>) -> PyResult<Vec<Bound<'_, PyAny>>> {
        self.0.into_iter().map(|(_, column)| column.into_array(py)).collect()
    }
}

/// What is written into columns.
pub trait Answer: Sized {
    /// Writes one field of each answer into its row; nothing where the answers do not have it.
    fn write(rows: &(impl Rows<Self> + ?Sized), field: Field, column: Column<'_>);

    /// The number of a row without an answer, where it is no whole one.
    fn none(_: Field) -> f64 {
        f64::NAN
    }
}

/// Answers, each with its row.
pub trait Rows<A> {
    /// How many rows there are, with and without answers.
    fn count(&self) -> usize;
    fn each(&self, act: impl FnMut(usize, &A));
}

impl<A> Rows<A> for [A] {
    fn count(&self) -> usize {
        self.len()
    }

    fn each(&self, mut act: impl FnMut(usize, &A)) {
        for (row, answer) in self.iter().enumerate() {
            act(row, answer);
        }
    }
}

/// A row that may have no answer.
pub trait Row {
    type Answer: Answer;
    fn answer(&self) -> Option<&Self::Answer>;
}

impl<A: Answer> Row for Option<A> {
    type Answer = A;
    fn answer(&self) -> Option<&A> {
        self.as_ref()
    }
}

impl Row for HitRecord {
    type Answer = HitRecord;
    fn answer(&self) -> Option<&HitRecord> {
        self.is_hit().then_some(self)
    }
}

/// Those of up to 64 rows that have an answer, a bit for each: no column has to foretell which have one.
struct Answered<'a, R> {
    rows: &'a [R],
    bits: u64,
}

impl<'a, R: Row> Answered<'a, R> {
    fn new(rows: &'a [R]) -> Answered<'a, R> {
        let bit = |(row, answer): (usize, &R)| u64::from(answer.answer().is_some()) << row;
        Answered { rows, bits: rows.iter().enumerate().map(bit).sum() }
    }

    fn are_all(&self) -> bool {
        self.bits.count_ones() as usize == self.rows.len()
    }
}

impl<R: Row> Rows<R::Answer> for Answered<'_, R> {
    fn count(&self) -> usize {
        self.rows.len()
    }

    fn each(&self, mut act: impl FnMut(usize, &R::Answer)) {
        if self.are_all() {
            for (row, answer) in self.rows.iter().enumerate() {
                answer.answer().into_iter().for_each(|answer| act(row, answer));
            }
            return;
        }
        let mut rest = self.bits;
        while rest != 0 {
            let row = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if let Some(answer) = self.rows[row].answer() {
                act(row, answer);
            }
        }
    }
}

fn put<A, T>(column: &mut [T], rows: &(impl Rows<A> + ?Sized), of: impl Fn(&A) -> T) {
    let column = &mut column[..rows.count()];
    rows.each(|row, answer| column[row] = of(answer));
}

impl Column<'_> {
    /// Writes one number of each answer.
    fn numbers<A>(self, rows: &(impl Rows<A> + ?Sized), of: impl Fn(&A) -> f64) {
        match self {
            Column::Doubles(column) => put(column, rows, of),
            Column::Singles(column) => put(column, rows, |answer| of(answer) as f32),
            _ => {}
        }
    }

    /// Writes where on its ray each answer is: infinite is what a miss has, and so no hit by being rounded.
    fn times<A>(self, rows: &(impl Rows<A> + ?Sized), of: impl Fn(&A) -> f64) {
        match self {
            Column::Singles(column) => {
                put(column, rows, |answer| (of(answer) as f32).clamp(f32::MIN, f32::MAX))
            }
            column => column.numbers(rows, of),
        }
    }

    /// Writes one vector of each answer.
    fn vectors<A>(self, rows: &(impl Rows<A> + ?Sized), of: impl Fn(&A) -> DVec3) {
        match self {
            Column::DoubleVectors(column) => put(column, rows, |answer| of(answer).to_array()),
            Column::SingleVectors(column) => put(column, rows, |answer| of(answer).as_vec3().to_array()),
            _ => {}
        }
    }

    /// Writes what rows without an answer have.
    fn fill(&mut self, none: f64) {
        match self {
            Column::Doubles(column) => column.fill(none),
            Column::Singles(column) => column.fill(none as f32),
            Column::DoubleVectors(column) => column.fill([none; 3]),
            Column::SingleVectors(column) => column.fill([none as f32; 3]),
            Column::Int64s(column) => column.fill(-1),
            Column::Int32s(column) => column.fill(-1),
            Column::Int8s(column) => column.fill(0),
            Column::Bools(column) => column.fill(false),
        }
    }
}

/// A number that NumPy has signed. What has more than 2^31 of anything does not fit in memory; a material, which is a mere name, is
/// told as the largest where it is beyond.
fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn side(face: Face) -> i8 {
    match face {
        Face::Front => 1,
        Face::Back => -1,
    }
}

fn instance(id: InstanceId) -> i32 {
    signed(id.slot())
}

impl Answer for HitRecord {
    fn write(rows: &(impl Rows<HitRecord> + ?Sized), field: Field, column: Column<'_>) {
        match (field, column) {
            (Field::T, column) => column.times(rows, |hit| hit.t),
            (Field::U, column) => column.numbers(rows, |hit| hit.u),
            (Field::V, column) => column.numbers(rows, |hit| hit.v),
            (Field::Instance, Column::Int32s(column)) => put(column, rows, |hit| instance(hit.instance)),
            (Field::Prim, Column::Int64s(column)) => put(column, rows, |hit| hit.prim.into()),
            (Field::Facing, Column::Int8s(column)) => put(column, rows, |hit| side(hit.facing)),
            _ => {}
        }
    }

    fn none(field: Field) -> f64 {
        Hit::none(field)
    }
}

impl Answer for Hit {
    fn write(rows: &(impl Rows<Hit> + ?Sized), field: Field, column: Column<'_>) {
        match (field, column) {
            (Field::T, column) => column.times(rows, |hit| hit.t),
            (Field::Distance, column) => column.numbers(rows, |hit| hit.distance),
            (Field::Position, column) => column.vectors(rows, |hit| hit.position),
            (Field::Normal, column) => column.vectors(rows, |hit| hit.normal),
            (Field::U, column) => column.numbers(rows, |hit| hit.u),
            (Field::V, column) => column.numbers(rows, |hit| hit.v),
            (Field::Instance, Column::Int32s(column)) => put(column, rows, |hit| instance(hit.instance)),
            (Field::Prim, Column::Int64s(column)) => put(column, rows, |hit| hit.prim.into()),
            (Field::Material, Column::Int32s(column)) => put(column, rows, |hit| signed(hit.material)),
            (Field::Facing, Column::Int8s(column)) => put(column, rows, |hit| side(hit.facing)),
            _ => {}
        }
    }

    fn none(field: Field) -> f64 {
        if field == Field::T { f64::INFINITY } else { f64::NAN }
    }
}

impl Answer for Interval {
    fn write(rows: &(impl Rows<Interval> + ?Sized), field: Field, column: Column<'_>) {
        match (field, column) {
            (Field::Enter, column) => column.numbers(rows, |piece| piece.enter),
            (Field::Exit, column) => column.numbers(rows, |piece| piece.exit),
            (Field::Thickness, column) => column.numbers(rows, |piece| piece.thickness),
            (Field::Instance, Column::Int32s(column)) => put(column, rows, |piece| instance(piece.instance)),
            (Field::Material, Column::Int32s(column)) => put(column, rows, |piece| signed(piece.material)),
            _ => {}
        }
    }
}

impl Answer for ClosestPoint {
    fn write(rows: &(impl Rows<ClosestPoint> + ?Sized), field: Field, column: Column<'_>) {
        match (field, column) {
            (Field::Distance, column) => column.numbers(rows, |nearest| nearest.distance),
            (Field::Position, column) => column.vectors(rows, |nearest| nearest.position),
            (Field::U, column) => column.numbers(rows, |nearest| nearest.u),
            (Field::V, column) => column.numbers(rows, |nearest| nearest.v),
            (Field::Instance, Column::Int32s(column)) => {
                put(column, rows, |nearest| instance(nearest.instance))
            }
            (Field::Prim, Column::Int64s(column)) => put(column, rows, |nearest| nearest.prim.into()),
            _ => {}
        }
    }

    fn none(field: Field) -> f64 {
        if field == Field::Distance { f64::INFINITY } else { f64::NAN }
    }
}

/// As many rows as are written column by column: each column reads them once more, from the nearest cache.
const AT_ONCE: usize = 64;

/// Writes answers into columns.
pub fn write<A: Answer>(answers: &[A], mut columns: Vec<(Field, Column<'_>)>) {
    for rows in answers.chunks(AT_ONCE) {
        for (field, column) in &mut columns {
            A::write(rows, *field, column.split(rows.len()));
        }
    }
}

/// The same where some rows have no answer.
pub fn write_answered<R: Row>(rows: &[R], mut columns: Vec<(Field, Column<'_>)>) {
    for rows in rows.chunks(AT_ONCE) {
        let answered = Answered::new(rows);
        for (field, column) in &mut columns {
            let mut column = column.split(rows.len());
            if !answered.are_all() {
                column.fill(R::Answer::none(*field));
            }
            R::Answer::write(&answered, *field, column);
        }
    }
}
