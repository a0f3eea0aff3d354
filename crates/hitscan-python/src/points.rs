//! Arrays of points as they lie in Python's memory: rows of three or six, or columns; of `f32` or `f64`.

use std::num::NonZero;
use std::ops::Range;

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::Borrowed;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::apart::Span;
use crate::errors;

/// An array that is read while the interpreter does something else, as one list of numbers.
pub enum Array<'py> {
    F32(PyReadonlyArrayDyn<'py, f32>),
    F64(PyReadonlyArrayDyn<'py, f64>),
}

/// The numbers of an array.
#[derive(Clone, Copy)]
pub enum Numbers<'a> {
    F32(&'a [f32]),
    F64(&'a [f64]),
}

impl<'py> FromPyObject<'_, 'py> for Array<'py> {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Array<'py>> {
        if let Ok(array) = object.cast::<PyArrayDyn<f64>>() {
            return Ok(Array::F64(borrowed(&array)?));
        }
        match object.cast::<PyArrayDyn<f32>>() {
            Ok(array) => Ok(Array::F32(borrowed(&array)?)),
            Err(_) => Err(PyTypeError::new_err(
                "expected an array of float32 or float64 in this machine's byte order",
            )),
        }
    }
}

/// An array that nobody writes, with its numbers one after the other in the order of C: others could be had as a list
/// too, in another order.
fn borrowed<'py, T: Element>(array: &Bound<'py, PyArrayDyn<T>>) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    if !(array.is_c_contiguous() && array.is_aligned()) {
        return Err(PyValueError::new_err("expected an aligned array in C order"));
    }
    array.try_readonly().map_err(|error| PyValueError::new_err(format!("an array is in use: {error}")))
}

impl Array<'_> {
    fn numbers(&self) -> PyResult<Numbers<'_>> {
        Ok(match self {
            Array::F32(array) => Numbers::F32(array.as_slice()?),
            Array::F64(array) => Numbers::F64(array.as_slice()?),
        })
    }

    fn span(&self, name: &str) -> Span {
        match self {
            Array::F32(array) => Span::of(name, array.data(), array.len()),
            Array::F64(array) => Span::of(name, array.data(), array.len()),
        }
    }

    /// How many numbers a row has.
    fn width(&self) -> usize {
        let shape = match self {
            Array::F32(array) => array.shape(),
            Array::F64(array) => array.shape(),
        };
        shape.last().copied().unwrap_or(1)
    }
}

impl Numbers<'_> {
    fn len(self) -> usize {
        match self {
            Numbers::F32(numbers) => numbers.len(),
            Numbers::F64(numbers) => numbers.len(),
        }
    }

    pub fn get(self, index: usize) -> f64 {
        match self {
            Numbers::F32(numbers) => numbers[index].into(),
            Numbers::F64(numbers) => numbers[index],
        }
    }
}

/// An argument whose errors name it.
pub fn named<'a, 'py, T: FromPyObject<'a, 'py, Error = PyErr>>(
    name: &str,
    argument: &'a Bound<'py, PyAny>,
) -> PyResult<T> {
    let py = argument.py();
    argument
        .extract()
        .map_err(|error: PyErr| errors::named(&error, py, &format!("{name}: {}", error.value(py))))
}

/// Points, as an argument: an array of rows, or a tuple of columns.
pub enum Given<'py> {
    Rows(Array<'py>),
    Columns(Vec<Array<'py>>),
}

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Given<'py>> {
        match object.cast::<PyTuple>() {
            Ok(columns) => {
                columns.iter().map(|column| column.extract()).collect::<PyResult<_>>().map(Given::Columns)
            }
            Err(_) => object.extract().map(Given::Rows),
        }
    }
}

/// Points of `N` numbers each.
#[derive(Clone, Copy)]
pub struct Points<'a, const N: usize = 3> {
    layout: Layout<'a, N>,
    /// Which of them goes with a question.
    turns: Turns,
    /// For how many questions there are some.
    pub count: usize,
}

/// Who goes with which question, where an array is repeated: each of `own` rows for `after` questions, all over again.
#[derive(Clone, Copy)]
pub enum Turns {
    /// The first with the first, and so on.
    Each,
    Repeated {
        own: NonZero<usize>,
        after: NonZero<usize>,
    },
}

impl Turns {
    /// Of so many rows for so many questions, each for `after` ones.
    ///
    /// # Errors
    /// Rows that do not come out even.
    fn new(name: &str, own: usize, count: usize, after: usize) -> PyResult<Turns> {
        match (NonZero::new(own), NonZero::new(after)) {
            _ if own == count => Ok(Turns::Each),
            (Some(own), Some(after)) if count.is_multiple_of(own.get().saturating_mul(after.get())) => {
                Ok(Turns::Repeated { own, after })
            }
            _ => {
                let message =
                    format!("{name} has {own} rows for {count} questions; expected ones that go together");
                Err(PyValueError::new_err(message))
            }
        }
    }

    #[inline(always)]
    fn row(self, question: usize) -> usize {
        match self {
            Turns::Each => question,
            Turns::Repeated { own, after } => question / after % own,
        }
    }
}

/// Where their numbers are.
#[derive(Clone, Copy)]
enum Layout<'a, const N: usize> {
    /// In rows of so many numbers, of which the point's are those from `first` on.
    Rows {
        numbers: Numbers<'a>,
        width: usize,
        first: usize,
    },
    Columns([Numbers<'a>; N]),
    /// One point for all.
    One([f64; N]),
}

/// Points as they lie in rows that are as wide as those of rays, one of them for each question.
pub enum Packed<'a> {
    SixSingles(&'a [[f32; 6]]),
    SixDoubles(&'a [[f64; 6]]),
    ThreeSingles(&'a [[f32; 3]]),
    ThreeDoubles(&'a [[f64; 3]]),
}

impl Given<'_> {
    /// Where it lies.
    pub fn spans<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Span> + 'a {
        let arrays = match self {
            Given::Rows(array) => std::slice::from_ref(array),
            Given::Columns(arrays) => arrays,
        };
        arrays.iter().map(move |array| array.span(name))
    }

    /// The points that begin at a column. `width` is how many columns there are to be.
    pub fn points<const N: usize>(&self, first: usize, width: usize) -> PyResult<Points<'_, N>> {
        let wrong = || PyValueError::new_err(format!("expected {width} columns"));
        match self {
            Given::Rows(array) => {
                if array.width() != width || first + N > width {
                    return Err(wrong());
                }
                let numbers = array.numbers()?;
                let (layout, count) = (Layout::Rows { numbers, width, first }, numbers.len() / width);
                Ok(Points { layout, turns: Turns::Each, count })
            }
            Given::Columns(arrays) => {
                let own = arrays.get(first..first + N).filter(|_| arrays.len() == width).ok_or_else(wrong)?;
                let numbers: Vec<Numbers<'_>> = own.iter().map(Array::numbers).collect::<PyResult<_>>()?;
                let count = numbers[0].len();
                if numbers.iter().any(|column| column.len() != count) {
                    return Err(PyValueError::new_err("expected columns of one length"));
                }
                let layout = Layout::Columns(std::array::from_fn(|axis| numbers[axis]));
                Ok(Points { layout, turns: Turns::Each, count })
            }
        }
    }
}

impl<'a, const N: usize> Points<'a, N> {
    /// The same for so many questions: one point goes with all of them, and each of several with `after` in a row.
    pub fn spread(self, name: &str, count: usize, after: usize) -> PyResult<Points<'a, N>> {
        if self.count == 1 {
            return Ok(Points { layout: Layout::One(self.get(0)), turns: Turns::Each, count });
        }
        Ok(Points { turns: Turns::new(name, self.count, count, after)?, count, ..self })
    }

    /// The row of the array that goes with a question.
    pub fn row(&self, question: usize) -> usize {
        match self.layout {
            Layout::One(_) => 0,
            _ => self.turns.row(question),
        }
    }

    /// The point that goes with a question.
    pub fn get(&self, question: usize) -> [f64; N] {
        let row = self.turns.row(question);
        match self.layout {
            Layout::Rows { numbers, width, first } => {
                std::array::from_fn(|axis| numbers.get(row * width + first + axis))
            }
            Layout::Columns(columns) => columns.map(|numbers| numbers.get(row)),
            Layout::One(point) => point,
        }
    }

    /// The rows that go with some questions, where they lie as [`Packed`] says.
    pub fn packed(&self, rows: Range<usize>) -> Option<Packed<'a>> {
        let (Layout::Rows { numbers, width, .. }, Turns::Each) = (self.layout, self.turns) else {
            return None;
        };
        match (numbers, width) {
            (Numbers::F32(numbers), 6) => numbers.as_chunks().0.get(rows).map(Packed::SixSingles),
            (Numbers::F64(numbers), 6) => numbers.as_chunks().0.get(rows).map(Packed::SixDoubles),
            (Numbers::F32(numbers), 3) => numbers.as_chunks().0.get(rows).map(Packed::ThreeSingles),
            (Numbers::F64(numbers), 3) => numbers.as_chunks().0.get(rows).map(Packed::ThreeDoubles),
            _ => None,
        }
    }

    /// Those that go with some questions, in place of what the list held.
    pub fn read(&self, rows: Range<usize>, points: &mut Vec<[f64; N]>) {
        points.clear();
        if let Turns::Repeated { .. } = self.turns {
            return points.extend(rows.map(|question| self.get(question)));
        }
        match self.layout {
            Layout::Rows { numbers: Numbers::F32(numbers), width, first } => {
                read_rows(&numbers[rows.start * width..rows.end * width], width, first, points);
            }
            Layout::Rows { numbers: Numbers::F64(numbers), width, first } => {
                read_rows(&numbers[rows.start * width..rows.end * width], width, first, points);
            }
            Layout::Columns(columns) => {
                points.resize(rows.len(), [0.0; N]);
                for (axis, numbers) in columns.into_iter().enumerate() {
                    match numbers {
                        Numbers::F32(numbers) => read_column(&numbers[rows.clone()], axis, points),
                        Numbers::F64(numbers) => read_column(&numbers[rows.clone()], axis, points),
                    }
                }
            }
            Layout::One(point) => points.resize(rows.len(), point),
        }
    }
}

fn read_rows<T: Copy + Into<f64>, const N: usize>(
    numbers: &[T],
    width: usize,
    first: usize,
    points: &mut Vec<[f64; N]>,
) {
    if width == N {
        // By itself, so that numbers are loaded together.
        points.extend(numbers.as_chunks::<N>().0.iter().map(|row| row.map(T::into)));
    } else {
        let rows = numbers.chunks_exact(width);
        points.extend(rows.map(|row| std::array::from_fn(|axis| row[first + axis].into())));
    }
}

fn read_column<T: Copy + Into<f64>, const N: usize>(numbers: &[T], axis: usize, points: &mut [[f64; N]]) {
    for (point, &number) in points.iter_mut().zip(numbers) {
        point[axis] = number.into();
    }
}

/// A number that goes with each question, or one for all.
pub enum Scalar<'py> {
    One(f64),
    Each(Array<'py>),
}

impl<'py> FromPyObject<'_, 'py> for Scalar<'py> {
    type Error = PyErr;
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Scalar<'py>> {
        if object.cast::<PyUntypedArray>().is_ok() {
            return object.extract().map(Scalar::Each);
        }
        object.extract().map(Scalar::One)
    }
}

/// The same, ready to be read.
#[derive(Clone, Copy)]
pub enum Limit<'a> {
    One(f64),
    Each(Numbers<'a>, Turns),
}

impl Scalar<'_> {
    /// Where it lies, if it is an array.
    pub fn span(&self, name: &str) -> Option<Span> {
        match self {
            Scalar::One(_) => None,
            Scalar::Each(array) => Some(array.span(name)),
        }
    }

    /// Numbers for so many questions, each for `after` in a row.
    pub fn limit(&self, name: &str, count: usize, after: usize) -> PyResult<Limit<'_>> {
        match self {
            Scalar::One(value) => Ok(Limit::One(*value)),
            Scalar::Each(array) => {
                let numbers = array.numbers()?;
                Ok(Limit::Each(numbers, Turns::new(name, numbers.len(), count, after)?))
            }
        }
    }
}

impl Limit<'_> {
    /// The row of the array that goes with a question.
    pub fn row(self, question: usize) -> usize {
        match self {
            Limit::One(_) => 0,
            Limit::Each(_, turns) => turns.row(question),
        }
    }

    #[inline(always)]
    pub fn get(self, question: usize) -> f64 {
        match self {
            Limit::One(value) => value,
            Limit::Each(numbers, turns) => numbers.get(turns.row(question)),
        }
    }
}
