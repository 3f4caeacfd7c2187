//! Values of fields: what an unset field has, and which fields have the same type.

use codegen::model::{Field, Kind, Model, Type};

/// The value of an unset field, as JSON.
pub(crate) fn untouched(model: &Model, field: &Field) -> Option<String> {
    if let Some(default) = model.default_json(&field.of) {
        return Some(default);
    }
    if field.of.optional {
        return Some("null".to_owned());
    }
    match &field.of.kind {
        _ if field.of.list => Some("[]".to_owned()),
        Kind::Enum(name) if field.of.has_states => model
            .enumeration(name)
            .states
            .as_ref()
            .map(|states| format!("\"{}\"", states.initial)),
        _ => None,
    }
}

/// Whether values of one type are values of the other. A body may leave out members that are always stored.
pub(crate) fn is_same(one: &Type, other: &Type) -> bool {
    one.kind == other.kind && one.list == other.list
}
