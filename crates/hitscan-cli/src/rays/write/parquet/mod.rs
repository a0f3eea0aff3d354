//! Answers as Apache Parquet.
//!
//! Answers become columns on any thread. The sink gathers those of a row group, encodes its columns in parallel and
//! writes them: forward only, so that pipes are served too, and in memory of one row group.

mod bits;
mod chunk;
mod cut;
mod facing;
mod left;
mod plain;
mod schema;
mod sink;

pub use sink::ParquetSink;

use half::f16;
use hitscan::{Face, Hit, InstanceId, Interval};
use parquet::data_type::ByteArray;

use super::{Batch, Encode, Spec};
use crate::rays::answers::{Answer, Answers};
use crate::rays::cell::{Cell, Kept, text_of_json};
use crate::rays::columns::Column;
use schema::{Levels, Plan};

/// Makes columns of answers.
pub struct ParquetRows<'a> {
    spec: Spec<'a>,
    plans: Vec<Plan>,
}

/// Answers as columns.
#[derive(Debug, Default)]
pub struct Columns {
    rows: usize,
    /// Whether something was found in each row: the level of what a miss has no value in.
    hits: Vec<i16>,
    columns: Vec<Filled>,
}

/// A column and what is in it so far.
#[derive(Debug)]
struct Filled {
    values: Values,
    /// Whether each row has a value, where the column has levels of its own.
    levels: Vec<i16>,
    /// How long its texts are.
    text: usize,
}

/// The values of a column, those that there are.
#[derive(Debug)]
enum Values {
    Bool(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Bytes(Vec<ByteArray>),
    /// The same, and the file gives each the same length.
    Fixed(Vec<ByteArray>),
    /// Sides of triangles.
    Facing(Vec<Face>),
    /// The bytes of numbers of four, as they are stored.
    Four(Vec<[u8; 4]>),
    /// The bytes of numbers of eight, as they are stored.
    Eight(Vec<[u8; 8]>),
}

/// Answers of a row group.
struct Group<'a> {
    answers: &'a [Columns],
    rows: usize,
    /// Which rows are hits, as a page of values that a miss has not begins.
    levels: Vec<u8>,
}

/// One line of the output.
struct Row<'a> {
    answer: Answer<'a>,
    ray: u64,
    /// Its row in the columns that are carried over.
    row: usize,
}

impl<'a> ParquetRows<'a> {
    /// For these columns.
    pub fn new(spec: Spec<'a>) -> ParquetRows<'a> {
        let answer = spec.columns.iter().map(|&column| Plan::of_answer(column));
        let plans = answer.chain(spec.kept.iter().map(Plan::of_kept)).collect();
        ParquetRows { spec, plans }
    }

    /// Appends the values of a column of the answer; `hits` are those of the rows that are any.
    fn answer(&self, column: Column, rows: &[Row<'_>], hits: &[&Hit], values: &mut Values) {
        let int = |id: u32| i32::try_from(id).unwrap_or(i32::MAX);
        let mut of_hits = |value: fn(&Hit) -> f64| {
            if let Values::Eight(all) = &mut *values {
                all.extend(hits.iter().map(|hit| value(hit).to_le_bytes()));
            }
        };
        match column {
            Column::X => return of_hits(|hit| hit.position.x),
            Column::Y => return of_hits(|hit| hit.position.y),
            Column::Z => return of_hits(|hit| hit.position.z),
            Column::Distance => return of_hits(|hit| hit.distance),
            Column::U => return of_hits(|hit| hit.u),
            Column::V => return of_hits(|hit| hit.v),
            Column::Nx => return of_hits(|hit| hit.normal.x),
            Column::Ny => return of_hits(|hit| hit.normal.y),
            Column::Nz => return of_hits(|hit| hit.normal.z),
            _ => {}
        }
        match (column, values) {
            (Column::Ray, Values::Int64(all)) => all.extend(rows.iter().map(|row| row.ray as i64)),
            (Column::T, Values::Eight(all)) => {
                let t = |row: &Row<'_>| row.hit().map_or(f64::INFINITY, |hit| hit.t);
                all.extend(rows.iter().map(|row| t(row).to_le_bytes()));
            }
            (Column::Prim, Values::Four(all)) => {
                let prim = |row: &Row<'_>| row.hit().map_or(-1, |hit| int(hit.prim));
                all.extend(rows.iter().map(|row| prim(row).to_le_bytes()));
            }
            (Column::Point, Values::Int64(all)) => all.extend(rows.iter().map(|row| row.ray as i64)),
            (Column::From | Column::To, Values::Int64(all)) => {
                let end = usize::from(column == Column::To);
                all.extend(rows.iter().filter_map(Row::ends).map(|ends| ends[end] as i64));
            }
            (Column::Visible, Values::Bool(all)) => {
                all.extend(rows.iter().map(|row| row.hit().is_none()));
            }
            (Column::Inside, Values::Bool(all)) => {
                all.extend(rows.iter().map(|row| row.instance().is_some()));
            }
            (Column::Solids, Values::Int32(all)) => {
                let solids = |row: &Row<'_>| match row.answer {
                    Answer::Inside(place) => i32::try_from(place.solids).unwrap_or(i32::MAX),
                    _ => 0,
                };
                all.extend(rows.iter().map(solids));
            }
            (Column::Occluded, Values::Bool(all)) => {
                all.extend(rows.iter().map(|row| matches!(row.answer, Answer::Occluded(true))));
            }
            (Column::Instance, Values::Int32(all)) => {
                all.extend(rows.iter().filter_map(Row::instance).map(|id| int(id.slot())));
            }
            (Column::Mesh, Values::Int32(all)) => {
                let mesh = |id: InstanceId| self.spec.loaded.node(id).mesh;
                let ids = rows.iter().filter_map(Row::instance);
                all.extend(ids.map(|id| i32::try_from(mesh(id)).unwrap_or(i32::MAX)));
            }
            (Column::Material, Values::Int64(all)) => {
                all.extend(rows.iter().filter_map(Row::interval).map(|piece| i64::from(piece.material)));
            }
            (Column::Enter | Column::Exit | Column::Thickness, Values::Eight(all)) => {
                let value = |piece: &Interval| match column {
                    Column::Enter => piece.enter,
                    Column::Exit => piece.exit,
                    _ => piece.thickness,
                };
                all.extend(rows.iter().filter_map(Row::interval).map(|piece| value(piece).to_le_bytes()));
            }
            (Column::Facing, Values::Facing(all)) => all.extend(hits.iter().map(|hit| hit.facing)),
            _ => {}
        }
    }
}

impl<'a> Group<'a> {
    fn new(answers: &'a [Columns], rows: usize) -> Group<'a> {
        let hits = answers.iter().flat_map(|answers| answers.hits.iter().map(|&level| level == 1));
        let run = bits::run(hits, rows);
        let levels = [&(run.len() as u32).to_le_bytes()[..], &run].concat();
        Group { answers, rows, levels }
    }
}

impl<'a> Row<'a> {
    fn hit(&self) -> Option<&'a Hit> {
        match self.answer {
            Answer::Hit(hit) => Some(hit),
            Answer::Sight(_, hit) => hit,
            Answer::Miss | Answer::Occluded(_) | Answer::Interval(_) | Answer::Inside(_) => None,
        }
    }

    /// Both ends of a line of sight.
    fn ends(&self) -> Option<[u64; 2]> {
        if let Answer::Sight(ends, _) = self.answer { Some(ends) } else { None }
    }

    fn interval(&self) -> Option<&'a Interval> {
        if let Answer::Interval(piece) = self.answer { Some(piece) } else { None }
    }

    /// What was found.
    fn instance(&self) -> Option<InstanceId> {
        match self.answer {
            Answer::Inside(place) => place.innermost,
            _ => self.hit().map(|hit| hit.instance).or_else(|| self.interval().map(|piece| piece.instance)),
        }
    }
}

impl Encode for ParquetRows<'_> {
    type Batch = Columns;

    fn encode(&self, answers: &Answers<'_>, batch: &mut Columns) {
        if batch.columns.len() != self.plans.len() {
            batch.columns = self.plans.iter().map(Filled::new).collect();
        }
        let mut rows = Vec::with_capacity(answers.rows());
        answers.for_each(|line| rows.push(Row { answer: line.answer, ray: line.ray, row: line.row }));
        batch.rows += rows.len();
        batch.hits.extend(rows.iter().map(|row| i16::from(row.instance().is_some())));
        let hits: Vec<&Hit> = rows.iter().filter_map(Row::hit).collect();
        let (of_answer, of_kept) = batch.columns.split_at_mut(self.spec.columns.len());
        for (&column, filled) in self.spec.columns.iter().zip(of_answer) {
            self.answer(column, &rows, &hits, &mut filled.values);
        }
        let plans = &self.plans[self.spec.columns.len()..];
        for ((kept, plan), filled) in answers.kept().iter().zip(plans).zip(of_kept) {
            filled.carry(kept, plan, &rows);
        }
    }
}

impl Filled {
    fn new(plan: &Plan) -> Filled {
        Filled { values: Values::new(plan), levels: Vec::new(), text: 0 }
    }

    /// Appends the values of a column that is carried over.
    fn carry(&mut self, kept: &Kept, plan: &Plan, rows: &[Row<'_>]) {
        for row in rows {
            let cell = kept.cell(row.row);
            if let Cell::Text(text) | Cell::Json(text) = cell {
                self.text += text.len();
            }
            let there = self.values.push(cell, plan.hex);
            if plan.levels == Levels::Own {
                self.levels.push(i16::from(there));
            }
        }
    }
}

impl Values {
    /// Appends a value; false where there is none.
    fn push(&mut self, cell: Cell<'_>, hex: bool) -> bool {
        match (self, cell) {
            (Values::Bool(all), Cell::Bool(flag)) => all.push(flag),
            // Of a number that came from 32 bits.
            (Values::Int32(all), Cell::Int(number)) => all.push(number as i32),
            (Values::Int64(all), Cell::Int(number)) => all.push(number),
            (Values::Float(all), Cell::Float(number)) => all.push(number as f32),
            (Values::Double(all), Cell::Float(number)) => all.push(number),
            (Values::Bytes(all) | Values::Fixed(all), Cell::Text(text)) if hex => {
                all.push(from_hex(text).into())
            }
            (Values::Bytes(all), Cell::Text(text)) => all.push(text.as_bytes().to_vec().into()),
            (Values::Bytes(_), Cell::Json("null")) => return false,
            (Values::Bytes(all), Cell::Json(value)) => {
                all.push(text_of_json(value).as_bytes().to_vec().into())
            }
            // Half precision is the one number that is stored as bytes.
            (Values::Fixed(all), Cell::Float(number)) => {
                all.push(f16::from_f64(number).to_le_bytes().to_vec().into());
            }
            _ => return false,
        }
        true
    }

    fn clear(&mut self) {
        match self {
            Values::Bool(all) => all.clear(),
            Values::Int32(all) => all.clear(),
            Values::Int64(all) => all.clear(),
            Values::Float(all) => all.clear(),
            Values::Double(all) => all.clear(),
            Values::Bytes(all) | Values::Fixed(all) => all.clear(),
            Values::Facing(all) => all.clear(),
            Values::Four(all) => all.clear(),
            Values::Eight(all) => all.clear(),
        }
    }

    /// The bytes of numbers, as they are stored.
    fn plain(&self) -> &[u8] {
        match self {
            Values::Four(all) => all.as_flattened(),
            Values::Eight(all) => all.as_flattened(),
            _ => &[],
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Values::Bool(all) => all.len(),
            Values::Facing(all) => all.len(),
            Values::Four(_) | Values::Eight(_) => self.plain().len(),
            Values::Int32(all) => 4 * all.len(),
            Values::Int64(all) => 8 * all.len(),
            Values::Float(all) => 4 * all.len(),
            Values::Double(all) => 8 * all.len(),
            Values::Bytes(all) | Values::Fixed(all) => size_of::<ByteArray>() * all.len(),
        }
    }
}

impl Batch for Columns {
    fn clear(&mut self) {
        self.rows = 0;
        self.hits.clear();
        for column in &mut self.columns {
            column.values.clear();
            column.levels.clear();
            column.text = 0;
        }
    }

    fn bytes(&self) -> usize {
        let column = |column: &Filled| column.values.bytes() + 2 * column.levels.len() + column.text;
        2 * self.hits.len() + self.columns.iter().map(column).sum::<usize>()
    }
}

/// Bytes from two digits each.
fn from_hex(text: &str) -> Vec<u8> {
    let digit = |digit: u8| (digit as char).to_digit(16).unwrap_or_default() as u8;
    text.as_bytes().chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}
