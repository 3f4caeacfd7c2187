//! Requests that would be refused: what could be wrong with one, and a move that the states do not allow.

use super::Scope;
use crate::model::{Enum, Field, Kind, Operation, TypeRule};

impl<'m> Scope<'m> {
    /// What could be wrong with a request: with which member or parameter, and as the service would say it.
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

    /// A move that an operation offers and its states do not allow.
    pub(super) fn refused_move(&self, operation: &Operation) -> Option<(&'m str, &'m str)> {
        let (_, whole) = operation.transitions.as_ref()?;
        let whole = self.model.enumeration(whole);
        let transitions = whole.states.as_ref()?.transitions.as_ref()?;
        let offered = self.offered(operation, whole);
        let is_allowed = |from: &String, to: &String| {
            let row = transitions.iter().find(|(state, _)| state == from);
            from == to || row.is_some_and(|(_, next)| next.contains(to))
        };
        // From the last states few ways lead on.
        let states = whole.values.iter().rev();
        let mut moves = states.flat_map(|from| offered.values.iter().map(move |to| (from, to)));
        let refused = moves.find(|(from, to)| !is_allowed(from, to));
        refused.map(|(from, to)| (from.as_str(), to.as_str()))
    }

    /// The states that an operation offers: all, or a part of them.
    fn offered(&self, operation: &Operation, whole: &'m Enum) -> &'m Enum {
        let members = self.model.body(operation).into_iter().flat_map(|body| &body.members);
        let mut enums = members.filter_map(|member| match &member.field.of.kind {
            Kind::Enum(name) => Some(self.model.enumeration(name)),
            _ => None,
        });
        let is_of_states = |one: &&Enum| one.name == whole.name || one.part_of.as_ref() == Some(&whole.name);
        enums.find(is_of_states).unwrap_or(whole)
    }
}
