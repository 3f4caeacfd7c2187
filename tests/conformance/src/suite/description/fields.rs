//! Values of fields: what an unset field has, and which fields have the same type.

use crate::suite::leak;
use codegen::model::{Field, Kind, Model, Type};

/// The value of an unset field, as JSON.
pub(crate) fn untouched(model: &Model, field: &Field) -> Option<&'static str> {
    if let Some(default) = model.default_json(&field.of) {
        return Some(leak(default));
    }
    match &field.of.kind {
        _ if field.of.optional => Some("null"),
        _ if field.of.list => Some("[]"),
        Kind::Enum(name) if field.of.has_states => {
            let states = model.enumeration(name).states.as_ref();
            states.map(|states| leak(format!("\"{}\"", states.initial)))
        }
        _ => None,
    }
}

/// Whether values of one type are values of the other. A body may leave out members that are always stored.
pub(crate) fn is_same(one: &Type, other: &Type) -> bool {
    one.kind == other.kind && one.list == other.list
}
