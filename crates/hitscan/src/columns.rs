//! Rays as columns of numbers that nobody has looked at yet: from files, sensors and other languages.

use core::fmt;

use thiserror::Error;

use crate::error::RayError;
use crate::ray::Ray;

/// What a column holds: `f32`, which is taken exactly, or `f64`.
///
/// ```
/// use hitscan::{Columns, Number};
/// fn first<N: Number>(columns: &[Vec<N>; 6]) -> f64 {
///     Columns::new(columns.each_ref().map(|column| &column[..])).unwrap().ray(0).unwrap().dir().x
/// }
/// assert_eq!(first(&[[1.0f32], [0.0], [0.0], [0.1], [0.0], [0.0]].map(Vec::from)), f64::from(0.1f32));
/// assert_eq!(first(&[[1.0f64], [0.0], [0.0], [0.1], [0.0], [0.0]].map(Vec::from)), 0.1);
/// ```
pub trait Number: Copy + Into<f64> + Send + Sync + fmt::Debug {}

impl Number for f32 {}
impl Number for f64 {}

/// The rays of a batch as columns, one number a ray in each: origin x, y, z and direction x, y, z, as [`Ray::new`] takes them, with a
/// range where [`Columns::with_range`] gives one.
///
/// What the numbers are is not looked at before they are asked about: `closest_columns`, `occluded_columns`, `all_hits_columns` and
/// `first_n_columns` of a [`Mesh`](crate::Mesh), a [`Heightfield`](crate::heightfield::Heightfield) and a [`Scene`](crate::Scene) answer each
/// sound row as its ray alone, on every bit, and give a bad one the status [`Status::Invalid`]. [`Columns::ray`] tells why.
///
/// ```
/// use hitscan::{Columns, Filter, Mesh, Status};
/// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0u32, 1, 2]])?;
/// let (x, y, z) = ([0.25f32, f32::NAN, 3.0], [0.25; 3], [1.0; 3]);
/// let (zero, down) = ([0.0; 3], [-1.0; 3]);
/// let rays = Columns::new([&x, &y, &z, &zero, &zero, &down])?;
///
/// let mut records = Vec::new();
/// mesh.closest_columns(&rays, &Filter::ALL, &mut records);
/// assert_eq!(records.iter().map(|record| record.status()).collect::<Vec<_>>(), [Status::Hit, Status::Invalid, Status::Miss]);
/// assert_eq!(records[0].t, 1.0);
/// assert_eq!(rays.ray(1).unwrap_err().to_string(), "ox is NaN; a ray needs finite numbers");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a, N> {
    numbers: [&'a [N]; 6],
    range: Option<[&'a [N]; 2]>,
}

/// Columns of different lengths.
///
/// ```
/// let error = hitscan::Columns::new([&[0.0f64; 3][..], &[0.0; 3], &[0.0; 2], &[0.0; 3], &[0.0; 3], &[1.0; 3]]).unwrap_err();
/// assert_eq!(error.to_string(), "column oz has 2 numbers; it needs 3, as many as ox");
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("column {column} has {found} numbers; it needs {expected}, as many as ox")]
#[non_exhaustive]
pub struct ColumnsError {
    /// `oy`, `oz`, `dx`, `dy`, `dz`, `t_min` or `t_max`.
    pub column: &'static str,
    /// How many numbers it has.
    pub found: usize,
    /// How many it needs.
    pub expected: usize,
}

/// What became of a row of [`Columns`].
///
/// ```
/// use hitscan::{HitRecord, Status};
/// assert_eq!(HitRecord::INVALID.status(), Status::Invalid);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Its ray hits something.
    Hit,
    /// Its ray hits nothing, or is asked for none of its hits.
    Miss,
    /// It is no ray: [`Columns::ray`] tells why.
    Invalid,
}

impl<'a, N: Number> Columns<'a, N> {
    /// Rays from these origins in these directions: the columns `ox`, `oy`, `oz`, `dx`, `dy`, `dz`.
    ///
    /// # Errors
    /// [`ColumnsError`], the first column that is not as long as the first one.
    ///
    /// ```
    /// use hitscan::{Columns, ColumnsError};
    /// let (zero, one) = ([0.0f32; 3], [1.0f32; 3]);
    /// assert_eq!(Columns::new([&zero, &zero, &zero, &zero, &zero, &one])?.len(), 3);
    /// let error = Columns::new([&zero, &zero, &zero, &zero, &zero, &one[..2]]).unwrap_err();
    /// assert_eq!((error.column, error.found, error.expected), ("dz", 2, 3));
    /// # Ok::<(), ColumnsError>(())
    /// ```
    pub fn new(numbers: [&'a [N]; 6]) -> Result<Columns<'a, N>, ColumnsError> {
        let expected = numbers[0].len();
        for (column, numbers) in ["ox", "oy", "oz", "dx", "dy", "dz"].into_iter().zip(numbers) {
            check(column, numbers.len(), expected)?;
        }
        Ok(Columns { numbers, range: None })
    }

    /// The same rays with `t` in `[t_min, t_max]`, both included, as [`Ray::with_range`] takes them; without, from 0 on.
    ///
    /// # Errors
    /// [`ColumnsError`], as [`Columns::new`].
    ///
    /// ```
    /// let line = [&[0.0f64][..], &[0.0], &[0.0], &[0.0], &[0.0], &[2.0]];
    /// let rays = hitscan::Columns::new(line)?.with_range(&[-1.0], &[f64::INFINITY])?;
    /// assert_eq!(rays.ray(0)?.t_min(), -1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_range(self, t_min: &'a [N], t_max: &'a [N]) -> Result<Columns<'a, N>, ColumnsError> {
        check("t_min", t_min.len(), self.len())?;
        check("t_max", t_max.len(), self.len())?;
        Ok(Columns { range: Some([t_min, t_max]), ..self })
    }

    /// How many rows there are.
    ///
    /// ```
    /// let column = [1.0f64; 5];
    /// assert_eq!(hitscan::Columns::new([&column[..]; 6])?.len(), 5);
    /// # Ok::<(), hitscan::ColumnsError>(())
    /// ```
    pub fn len(&self) -> usize {
        self.numbers[0].len()
    }

    /// Whether there are no rows.
    ///
    /// ```
    /// assert!(hitscan::Columns::new([&[0.0f64; 0][..]; 6])?.is_empty());
    /// # Ok::<(), hitscan::ColumnsError>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ray of a row, or why it is none.
    ///
    /// # Errors
    /// As [`Ray::new`] and [`Ray::with_range`].
    ///
    /// # Panics
    /// Where `row` is not below [`Columns::len`].
    ///
    /// ```
    /// use hitscan::{Columns, RayError};
    /// let (zero, up) = ([0.0f64; 2], [2.0, 0.0]);
    /// let rays = Columns::new([&zero[..], &zero, &zero, &zero, &zero, &up])?;
    /// assert_eq!(rays.ray(0).map(|ray| ray.dir().z), Ok(2.0));
    /// assert_eq!(rays.ray(1), Err(RayError::ZeroDirection));
    /// # Ok::<(), hitscan::ColumnsError>(())
    /// ```
    pub fn ray(&self, row: usize) -> Result<Ray, RayError> {
        let [origin, dir] = self.origin_and_dir(row);
        let [t_min, t_max] = self.range(row);
        Ray::new(origin, dir)?.with_range(t_min, t_max)
    }

    /// The ray of a row, where it is one.
    #[inline]
    pub(crate) fn checked(&self, row: usize) -> Option<Ray> {
        let ([origin, dir], [t_min, t_max]) = (self.origin_and_dir(row), self.range(row));
        Ray::checked(origin, dir, t_min, t_max)
    }

    #[inline]
    fn origin_and_dir(&self, row: usize) -> [[f64; 3]; 2] {
        let [ox, oy, oz, dx, dy, dz] = self.numbers.map(|column| column[row].into());
        [[ox, oy, oz], [dx, dy, dz]]
    }

    #[inline]
    fn range(&self, row: usize) -> [f64; 2] {
        self.range.map_or([0.0, f64::INFINITY], |range| range.map(|column| column[row].into()))
    }
}

fn check(column: &'static str, found: usize, expected: usize) -> Result<(), ColumnsError> {
    if found == expected { Ok(()) } else { Err(ColumnsError { column, found, expected }) }
}
