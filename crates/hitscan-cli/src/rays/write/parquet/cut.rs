//! Answers cut and joined, so that a file is the same however its rows came.

use super::schema::{Levels, Plan};
use super::{Columns, Filled, Values};

impl Columns {
    /// Takes out what is behind the first rows.
    pub fn split_off(&mut self, rows: usize, plans: &[Plan]) -> Columns {
        let there = |levels: &[i16]| levels[..rows].iter().filter(|&&level| level == 1).count();
        let hits = there(&self.hits);
        let columns = self.columns.iter_mut().zip(plans).map(|(filled, plan)| {
            let values = match plan.levels {
                Levels::Required => rows,
                Levels::Hits => hits,
                Levels::Own => there(&filled.levels),
            };
            let levels = if plan.levels == Levels::Own { filled.levels.split_off(rows) } else { Vec::new() };
            // How long texts are matters to whoever makes them only.
            Filled { values: filled.values.split_off(values), levels, text: 0 }
        });
        let columns = columns.collect();
        let rest = Columns { rows: self.rows - rows, hits: self.hits.split_off(rows), columns };
        self.rows = rows;
        rest
    }
}

impl Filled {
    /// A column of all answers.
    pub fn all(answers: &[Columns], column: usize, plan: &Plan) -> Filled {
        let mut all = Filled::new(plan);
        for answers in answers {
            let filled = &answers.columns[column];
            all.values.extend(&filled.values);
            match plan.levels {
                Levels::Required => {}
                Levels::Hits => all.levels.extend_from_slice(&answers.hits),
                Levels::Own => all.levels.extend_from_slice(&filled.levels),
            }
        }
        all
    }
}

impl Values {
    /// Takes out what is behind the first ones.
    fn split_off(&mut self, at: usize) -> Values {
        match self {
            Values::Bool(all) => Values::Bool(all.split_off(at)),
            Values::Int32(all) => Values::Int32(all.split_off(at)),
            Values::Int64(all) => Values::Int64(all.split_off(at)),
            Values::Float(all) => Values::Float(all.split_off(at)),
            Values::Double(all) => Values::Double(all.split_off(at)),
            Values::Bytes(all) => Values::Bytes(all.split_off(at)),
            Values::Fixed(all) => Values::Fixed(all.split_off(at)),
            Values::Facing(all) => Values::Facing(all.split_off(at)),
            Values::Four(all) => Values::Four(all.split_off(at)),
            Values::Eight(all) => Values::Eight(all.split_off(at)),
        }
    }

    /// Appends values of the same kind.
    fn extend(&mut self, more: &Values) {
        match (self, more) {
            (Values::Bool(all), Values::Bool(more)) => all.extend_from_slice(more),
            (Values::Int32(all), Values::Int32(more)) => all.extend_from_slice(more),
            (Values::Int64(all), Values::Int64(more)) => all.extend_from_slice(more),
            (Values::Float(all), Values::Float(more)) => all.extend_from_slice(more),
            (Values::Double(all), Values::Double(more)) => all.extend_from_slice(more),
            (Values::Bytes(all), Values::Bytes(more)) => all.extend_from_slice(more),
            (Values::Fixed(all), Values::Fixed(more)) => all.extend_from_slice(more),
            (Values::Facing(all), Values::Facing(more)) => all.extend_from_slice(more),
            (Values::Four(all), Values::Four(more)) => all.extend_from_slice(more),
            (Values::Eight(all), Values::Eight(more)) => all.extend_from_slice(more),
            // A column has one kind, that of its plan.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rays::cell::{KeptField, Kind};
    use crate::rays::columns::Column;

    #[test]
    fn what_is_cut_and_joined_is_what_it_was() {
        let field = KeptField { name: "id".into(), kind: Kind::Int, width: None, stored: None };
        let plans = [Plan::of_answer(Column::Ray), Plan::of_answer(Column::Mesh), Plan::of_kept(&field)];
        assert_eq!(plans.each_ref().map(|plan| plan.levels), [Levels::Required, Levels::Hits, Levels::Own]);
        for cut in 0..=5 {
            let column = |values, levels: &[i16]| Filled { values, levels: levels.to_vec(), text: 0 };
            let mut first = Columns {
                rows: 5,
                hits: vec![1, 0, 0, 1, 1],
                columns: vec![
                    column(Values::Int64(vec![0, 1, 2, 3, 4]), &[]),
                    column(Values::Int32(vec![7, 8, 9]), &[]),
                    column(Values::Int64(vec![-1, -2]), &[0, 1, 0, 1, 0]),
                ],
            };
            let rest = first.split_off(cut, &plans);
            assert_eq!((first.rows, rest.rows), (cut, 5 - cut));
            let both = [first, rest];
            let all: Vec<Filled> =
                plans.iter().enumerate().map(|(at, plan)| Filled::all(&both, at, plan)).collect();
            assert!(matches!(&all[0].values, Values::Int64(all) if all == &[0, 1, 2, 3, 4]));
            assert!(matches!(&all[1].values, Values::Int32(all) if all == &[7, 8, 9]));
            assert!(matches!(&all[2].values, Values::Int64(all) if all == &[-1, -2]));
            assert_eq!(
                (&all[1].levels[..], &all[2].levels[..]),
                (&[1, 0, 0, 1, 1][..], &[0, 1, 0, 1, 0][..])
            );
        }
    }
}
