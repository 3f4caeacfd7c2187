//! Examples of validation errors in a request.

use super::Scope;
use crate::model::{Field, Kind, Operation, TypeRule};

impl Scope<'_> {
    /// An example validation error of a request: its member or parameter, and the service's text.
    pub(super) fn fault(&self, operation: &Operation) -> (Option<String>, String) {
        if let Some(fault) = self.fault_of_body(operation) {
            return fault;
        }
        let bounded = operation.query.iter().find_map(|field| self.bounded(field));
        let ids = operation.path.iter().find(|field| matches!(field.of.kind, Kind::Id(_)));
        match (bounded, ids) {
            (Some((name, min, max)), _) => (Some(name.to_owned()), format!("`{name}` must be from {min} to {max}")),
            (None, Some(field)) => (Some(field.name.clone()), format!("`{}` must be an integer", field.name)),
            (None, None) => (None, "`verbose` is not known here".to_owned()),
        }
    }

    fn fault_of_body(&self, operation: &Operation) -> Option<(Option<String>, String)> {
        let body = self.model.body(operation)?;
        let required = body.members.iter().find(|member| member.required);
        Some(match required.map(|member| &member.field.name) {
            Some(name) => (Some(name.clone()), format!("`{name}` is required")),
            None if body.partial => {
                let names = body.members.iter().map(|member| format!("`{}`", member.field.name));
                let names = names.collect::<Vec<_>>().join(", ");
                let text = format!("the body must have at least one of {names}");
                (body.resource.clone(), text)
            }
            None => (None, "the body must be an object, not a list".to_owned()),
        })
    }

    /// A whole number with two bounds.
    fn bounded<'f>(&self, field: &'f Field) -> Option<(&'f str, i64, i64)> {
        let Kind::Named(name) = &field.of.kind else { return None };
        match self.model.named_type(name).rule {
            TypeRule::Integer {
                min: Some(min),
                max: Some(max),
            } => Some((&field.name, min, max)),
            _ => None,
        }
    }
}
