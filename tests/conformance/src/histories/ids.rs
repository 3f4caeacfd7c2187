//! Ids of records: how they are sent and shown, and those that no server uses.

use codegen::Model;
use codegen::model::{Field, Ids, RecordId};
use serde_json::Value;

/// A number that no server uses: nearly the largest one.
const UNUSED: i64 = (1 << 53) - 3;

/// An id that no server uses.
pub(crate) fn unused(form: Ids) -> RecordId {
    match form {
        Ids::Numbers => RecordId::Number(UNUSED),
        Ids::UuidV4 | Ids::UuidV7 => form.from_bits(u128::MAX),
    }
}

/// The same of a parameter of a path.
pub(crate) fn unused_of(model: &Model, parameter: &Field) -> RecordId {
    unused(model.ids_of(&parameter.of.kind).unwrap_or(Ids::Numbers))
}

/// The id that a member of a body has. UUIDs are read in lower and upper case.
pub(crate) fn of_json(value: &Value) -> Option<RecordId> {
    match value {
        Value::String(text) => Ids::UuidV4.read(text),
        value => value.as_i64().map(RecordId::Number),
    }
}

/// The id in a path or query.
pub(crate) fn of_text(text: &str) -> Option<RecordId> {
    Ids::Numbers.read(text).or_else(|| Ids::UuidV4.read(text))
}

/// An id as a member of a body has it.
pub(crate) fn json(id: RecordId) -> String {
    match id {
        RecordId::Number(number) => number.to_string(),
        RecordId::Uuid(_) => format!("\"{id}\""),
    }
}
