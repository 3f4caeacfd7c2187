//! Examples of validation errors in a request.

use super::Scope;
use crate::model::{Field, Kind, Operation, TypeRule};

impl Scope<'_> {
    /// An example validation error of a request: its member or parameter, and the service's text.
    pub(super) fn fault(&self, operation: &Operation) -> FaultExample {
        if let Some(fault) = self.fault_of_body(operation) {
            return fault;
        }
        let bounded = operation.query.iter().find_map(|field| self.bounded(field));
        let ids = operation.path.iter().find(|field| matches!(field.of.kind, Kind::Id(_)));
        match (bounded, ids) {
            (Some((name, min, max)), _) => FaultExample::of(
                name,
                format!("must be from {min} to {max}"),
                &format!("range;{min};{max}"),
            ),
            (None, Some(field)) => match self.model.format(&field.of.kind) {
                Some(format) => FaultExample::of(&field.name, format!("must be {}", format.demand), format.codes.1),
                None => FaultExample::of(&field.name, "must be an integer", "type;integer"),
            },
            (None, None) => FaultExample {
                about: None,
                text: "`verbose` is not known here".to_owned(),
                code: ";unknown".to_owned(),
            },
        }
    }

    fn fault_of_body(&self, operation: &Operation) -> Option<FaultExample> {
        let body = self.model.body(operation)?;
        let required = body.members.iter().find(|member| member.required);
        let names = || body.members.iter().map(|member| member.field.name.as_str());
        Some(match required.map(|member| &member.field.name) {
            Some(name) => FaultExample::of(name, "is required", "required"),
            None if body.partial => {
                let quoted: Vec<String> = names().map(|name| format!("`{name}`")).collect();
                let bare: Vec<&str> = names().collect();
                FaultExample {
                    about: body.resource.clone(),
                    text: format!("the body must have at least one of {}", quoted.join(", ")),
                    code: format!(";any;{}", bare.join(";")),
                }
            }
            None => FaultExample {
                about: None,
                text: "the body must be an object, not a list".to_owned(),
                code: ";type;object".to_owned(),
            },
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

/// An example of a validation error.
pub(super) struct FaultExample {
    /// What distinguishes it from those of other operations.
    pub(super) about: Option<String>,
    pub(super) text: String,
    pub(super) code: String,
}

impl FaultExample {
    /// The error of a parameter, or of a member of the body.
    fn of(name: &str, text: impl std::fmt::Display, code: &str) -> Self {
        Self {
            about: Some(name.to_owned()),
            text: format!("`{name}` {text}"),
            code: format!("{name};{code}"),
        }
    }
}
