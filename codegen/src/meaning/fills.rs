//! What fills the fields of a new record.

use super::Known;
use crate::diagnostic::{Diagnostic, Rule, while_few};
use crate::model::{Field, Fill, Kind, Operation, Resource, Span, Target, TypeRule};
use crate::syntax::{Table, Word};

/// A new record whose fields are being filled.
pub(super) struct Filling<'m, 'k> {
    pub(super) known: &'k Known<'m>,
    pub(super) operation: &'m Operation,
    pub(super) of: &'m Resource,
    /// The resources of which the operation creates records.
    pub(super) made: &'k [&'k str],
    /// The members that fill the fields of the same names: of the body, or of each item.
    pub(super) members: &'k [&'m str],
    /// The members of the body.
    pub(super) body: &'k [&'m str],
}

impl Filling<'_, '_> {
    /// Every stored field with what fills it. `given` are the fields that `makes` lists.
    pub(super) fn all(&self, given: &Table<Word>, at: Span, diagnostics: &mut Vec<Diagnostic>) -> Vec<(String, Fill)> {
        for (name, _) in given {
            super::field(self.of, name, diagnostics);
        }
        let mut fills = Vec::new();
        for field in &self.of.fields {
            let fill = match given.get(&field.name) {
                Some(value) => self.given(field, value, diagnostics),
                None => self.inferred(field, at, diagnostics),
            };
            fills.extend(fill.map(|fill| (field.name.clone(), fill)));
        }
        fills
    }

    fn given(&self, field: &Field, value: &Word, diagnostics: &mut Vec<Diagnostic>) -> Option<Fill> {
        let Some(name) = value.text.strip_prefix('$') else {
            let of_found = self.of_found(field, &value.text);
            return of_found.or_else(|| self.literal(field, value, diagnostics));
        };
        let is_member = self.members.contains(&name) || self.body.contains(&name);
        match name {
            "caller" if self.known.caller.is_some() => Some(Fill::IdOf(Target::Caller)),
            _ if is_member => Some(Fill::Member(name.to_owned())),
            _ => {
                let message = format!("the body has no member `{name}`");
                let diagnostic = Diagnostic::new(Rule::UnknownField, value.at, message);
                diagnostics.push(diagnostic.propose(name, while_few(diagnostics, self.body.iter().copied())));
                None
            }
        }
    }

    /// `Application.bounty_id`: a stored field of the same type, of a record that a guard finds.
    fn of_found(&self, field: &Field, text: &str) -> Option<Fill> {
        let (resource, name) = text.split_once('.')?;
        let is_found = matches!(self.target(resource), Some(Target::Found(_)));
        let declared = self
            .known
            .model
            .resources
            .iter()
            .find(|one| is_found && one.name == resource)?;
        let source = declared.fields.iter().find(|one| one.name == name)?;
        let fits = source.of.kind == field.of.kind
            && source.of.list == field.of.list
            && (field.of.optional || !source.of.optional);
        fits.then(|| Fill::FieldOf {
            resource: resource.to_owned(),
            field: name.to_owned(),
        })
    }

    fn literal(&self, field: &Field, value: &Word, diagnostics: &mut Vec<Diagnostic>) -> Option<Fill> {
        let model = self.known.model;
        let text = value.text.as_str();
        let fits = !field.of.list
            && match &field.of.kind {
                Kind::Enum(name) => model.enumeration(name).values.iter().any(|known| known == text),
                Kind::Boolean => matches!(text, "true" | "false"),
                Kind::Stored => true,
                Kind::Named(name) => match &model.named_type(name).rule {
                    TypeRule::Text { min, max, .. } => {
                        let length = text.chars().count() as u64;
                        (*min..=max.unwrap_or(u64::MAX)).contains(&length)
                    }
                    TypeRule::Integer { .. } => text.parse::<i64>().is_ok(),
                    TypeRule::Number { .. } => text.parse::<f64>().is_ok_and(f64::is_finite),
                    TypeRule::List { .. } | TypeRule::FreeForm { .. } => false,
                },
                _ => false,
            };
        if fits {
            return Some(Fill::Literal(text.to_owned()));
        }
        let message = format!("`{}` cannot be `{text}`", field.name);
        let help = "write a value of the field's type, `$member` for a member of the body, `$caller`, or \
                    `Resource.field` of a record that a guard finds, of the same type";
        diagnostics.push(Diagnostic::new(Rule::BadValue, value.at, message).help(help));
        None
    }

    /// What fills a field that `makes` does not list: the first that applies.
    fn inferred(&self, field: &Field, at: Span, diagnostics: &mut Vec<Diagnostic>) -> Option<Fill> {
        let of = &field.of;
        if field.origin.is_some() {
            return Some(Fill::Origin);
        }
        if field.name == "id" {
            return Some(Fill::Id);
        }
        if self.members.contains(&field.name.as_str()) {
            return Some(Fill::Member(field.name.clone()));
        }
        if let Kind::Id(resource) = &of.kind
            && !of.list
            && let Some(target) = self.target(resource)
        {
            if let Some(other) = self.rival(field, resource) {
                if self.of.fields.iter().any(|one| one.name == other && one.at < field.at) {
                    // It has been reported at the first of them.
                    return None;
                }
                let message = format!(
                    "`{}` and `{other}` of a new `{}` can both be the id of the same `{resource}`",
                    field.name, self.of.name
                );
                let help = "say in `makes` what fills them";
                diagnostics.push(Diagnostic::new(Rule::UnclearId, at, message).help(help));
                return None;
            }
            return Some(Fill::IdOf(target));
        }
        if let Kind::Id(resource) = &of.kind
            && !of.list
            && of.optional
            && let Some(member) = self.known.optional_id(resource)
        {
            return Some(Fill::Member(member.to_owned()));
        }
        if of.has_states {
            return Some(Fill::Initial);
        }
        if of.default.is_some() {
            return Some(Fill::Default);
        }
        if of.optional || of.list {
            return Some(Fill::Nothing);
        }
        if self.operation.undeclared.is_some() {
            return Some(Fill::Undeclared);
        }
        let message = format!(
            "nothing fills `{}` of the `{}` that `{}` creates",
            field.name, self.of.name, self.operation.name
        );
        let help = "add a member to the body, say where the value comes from (`= now`, or in `makes`), or state in \
                    `undeclared` why the contract cannot";
        diagnostics.push(Diagnostic::new(Rule::UnfilledField, at, message).help(help));
        None
    }

    fn target(&self, resource: &str) -> Option<Target> {
        if resource != self.of.name && self.made.contains(&resource) {
            return Some(Target::Made(resource.to_owned()));
        }
        self.known.target(resource)
    }

    /// Another required field with an id of the same resource, which would be filled in the same way.
    fn rival(&self, field: &Field, resource: &str) -> Option<&str> {
        let ids = self.of.fields.iter().filter(|other| {
            super::is_id(other, resource) && other.name != field.name && other.name != "id" && !other.of.optional
        });
        let mut open = ids.filter(|other| other.origin.is_none() && !self.members.contains(&other.name.as_str()));
        open.next().map(|other| other.name.as_str())
    }
}
