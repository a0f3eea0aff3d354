//! The columns of an output and their types.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::errors::Result;
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};

use super::Values;
use crate::rays::cell::{KeptField, Kind};
use crate::rays::columns::Column;

/// How a column is stored.
#[derive(Clone, Debug)]
pub struct Plan {
    name: String,
    physical: Physical,
    text: bool,
    /// The type of a column that was Parquet before.
    stored: Option<TypePtr>,
    pub levels: Levels,
    pub coding: Coding,
    /// Whether its values come as digits of bytes.
    pub hex: bool,
}

/// How values become pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// As they stand in memory.
    Plain,
    /// The sides of triangles, as indices of a dictionary.
    Facing,
    /// Numbers by their differences: those that go up by one take no space so, and small ones a quarter.
    Deltas,
    /// Compressed, since values that somebody wants to see again often repeat; texts with a dictionary.
    Kept,
}

/// Which rows have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// All.
    Required,
    /// Those with a hit.
    Hits,
    /// Each column by itself.
    Own,
}

impl Plan {
    /// For a column of the answer.
    pub fn of_answer(column: Column) -> Plan {
        let levels = match column {
            Column::Ray | Column::T | Column::Prim | Column::Occluded => Levels::Required,
            Column::Enter | Column::Exit | Column::Thickness | Column::Material => Levels::Required,
            Column::Point | Column::Inside | Column::Solids => Levels::Required,
            Column::From | Column::To | Column::Visible => Levels::Required,
            _ => Levels::Hits,
        };
        let physical = match (column, column.kind()) {
            (Column::Ray | Column::Point | Column::From | Column::To, _) => Physical::INT64,
            // Any number that somebody gave.
            (Column::Material, _) => Physical::INT64,
            (_, Kind::Int) => Physical::INT32,
            (_, kind) => physical(kind),
        };
        let text = column.kind() == Kind::Text;
        let coding = match column {
            Column::Ray | Column::Mesh | Column::Instance | Column::Material => Coding::Deltas,
            Column::Point | Column::Solids | Column::From | Column::To => Coding::Deltas,
            Column::Facing => Coding::Facing,
            Column::Occluded | Column::Inside | Column::Visible => Coding::Kept,
            _ => Coding::Plain,
        };
        Plan { name: column.name().to_owned(), physical, text, stored: None, levels, coding, hex: false }
    }

    /// For a column that is carried over: as it was stored, or in the type of its kind.
    pub fn of_kept(field: &KeptField) -> Plan {
        let stored = field.stored.as_ref().map(|stored| stored.kind.clone());
        let required = stored.as_ref().is_some_and(|kind| !kind.is_optional());
        Plan {
            name: field.name.clone(),
            physical: stored.as_ref().map_or_else(|| physical(field.kind), |kind| kind.get_physical_type()),
            text: field.kind == Kind::Text,
            stored,
            levels: if required { Levels::Required } else { Levels::Own },
            coding: Coding::Kept,
            hex: field.stored.as_ref().is_some_and(|stored| stored.hex),
        }
    }

    /// The name of the column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether values repeat so much that a dictionary pays.
    pub fn has_dictionary(&self) -> bool {
        self.physical == Physical::BYTE_ARRAY
    }

    fn field(&self) -> Result<TypePtr> {
        if let Some(stored) = &self.stored {
            return Ok(stored.clone());
        }
        let repetition =
            if self.levels == Levels::Required { Repetition::REQUIRED } else { Repetition::OPTIONAL };
        let field = Type::primitive_type_builder(&self.name, self.physical)
            .with_repetition(repetition)
            .with_logical_type(self.text.then_some(LogicalType::String));
        field.build().map(Arc::new)
    }
}

/// The schema of all columns.
pub fn schema(plans: &[Plan]) -> Result<SchemaDescriptor> {
    let fields = plans.iter().map(Plan::field).collect::<Result<_>>()?;
    let root = Type::group_type_builder("hits").with_fields(fields).build()?;
    Ok(SchemaDescriptor::new(Arc::new(root)))
}

fn physical(kind: Kind) -> Physical {
    match kind {
        Kind::Int => Physical::INT64,
        Kind::Float => Physical::DOUBLE,
        Kind::Bool => Physical::BOOLEAN,
        Kind::Text => Physical::BYTE_ARRAY,
    }
}

impl Values {
    /// None yet, of a column's type.
    pub fn new(plan: &Plan) -> Values {
        match plan.physical {
            _ if plan.coding == Coding::Facing => Values::Facing(Vec::new()),
            Physical::DOUBLE if plan.coding == Coding::Plain => Values::Eight(Vec::new()),
            Physical::INT32 if plan.coding == Coding::Plain => Values::Four(Vec::new()),
            Physical::BOOLEAN => Values::Bool(Vec::new()),
            Physical::INT32 => Values::Int32(Vec::new()),
            // Times of 96 bits get 64 where they are carried over.
            Physical::INT64 | Physical::INT96 => Values::Int64(Vec::new()),
            Physical::FLOAT => Values::Float(Vec::new()),
            Physical::DOUBLE => Values::Double(Vec::new()),
            Physical::BYTE_ARRAY => Values::Bytes(Vec::new()),
            Physical::FIXED_LEN_BYTE_ARRAY => Values::Fixed(Vec::new()),
        }
    }
}
