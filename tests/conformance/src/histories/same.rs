//! Parts of two responses that must be equal.

use codegen::Model;
use codegen::model::Operation;
use serde_json::Value;
use std::collections::HashSet;

/// What differs.
pub(super) type Verdict = Result<(), String>;

/// The names that a text of faults can contain.
pub(super) fn names<'m>(model: &'m Model, operation: Option<&'m Operation>) -> HashSet<&'m str> {
    let Some(operation) = operation else {
        return HashSet::new();
    };
    let body = model.body(operation).into_iter().flat_map(|body| &body.members);
    let own = operation
        .path
        .iter()
        .chain(&operation.query)
        .chain(body.map(|member| &member.field));
    let of_objects = model.objects.iter().flat_map(|object| &object.members);
    own.chain(of_objects).map(|field| field.name.as_str()).collect()
}

/// The words of a text.
pub(super) fn words(text: &str) -> Vec<String> {
    let words = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// The names of the members.
pub(super) fn keys(of: &Value) -> Vec<&String> {
    of.as_object().into_iter().flat_map(serde_json::Map::keys).collect()
}

/// An error if both are not equal.
pub(super) fn same<T: PartialEq + std::fmt::Debug + ?Sized>(what: &str, a: &T, b: &T) -> Verdict {
    if a == b {
        Ok(())
    } else {
        Err(format!("{what}: {a:?} in the model, {b:?} in the subject"))
    }
}
