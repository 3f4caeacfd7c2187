//! Texts of which there is one only: `when: taken Reader.email`.

use super::{Condition, Effect, Field, Fill, Model, Operation, Target};

/// Where a request has the value of a field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given<'m> {
    /// The member of the body, a list: one record for each item, which has the value.
    pub each: Option<&'m str>,
    /// The member of the body, or of the item.
    pub member: &'m str,
    /// The record that is changed. `None`: it is new.
    pub changes: Option<&'m Target>,
}

impl Model {
    /// Where a request of this operation has the value that it gives to a field. `None`: it gives none.
    pub fn given<'m>(&'m self, operation: &'m Operation, resource: &str, field: &str) -> Option<Given<'m>> {
        operation.decisive_effects().iter().find_map(|effect| match effect {
            Effect::Make {
                resource: of,
                each,
                fills,
                ..
            } if of == resource => match fills.iter().find(|(name, _)| name == field)? {
                (_, Fill::Member(member)) => Some(Given {
                    each: each.as_deref(),
                    member,
                    changes: None,
                }),
                _ => None,
            },
            Effect::Change {
                resource: of, target, ..
            } if of == resource => {
                let mut members = self.body(operation)?.members.iter();
                let member = members.find(|member| member.field.name == field)?;
                Some(Given {
                    each: None,
                    member: &member.field.name,
                    changes: Some(target),
                })
            }
            _ => None,
        })
    }

    /// The rules of this operation about texts of which there is one only, and where a request has such a text.
    pub fn unique_texts<'m>(&'m self, operation: &'m Operation) -> impl Iterator<Item = (&'m Condition, Given<'m>)> {
        let rules = operation.rules.iter().filter_map(|rule| self.error(rule).when.as_ref());
        rules.filter_map(|when| match when {
            Condition::Taken { resource, field } => Some((when, self.given(operation, resource, field)?)),
            _ => None,
        })
    }

    /// Whether there is one record only with each text of this field.
    pub fn is_unique_text(&self, resource: &str, field: &str) -> bool {
        self.unique_fields(resource).any(|unique| unique.name == field)
    }

    /// The fields of a resource whose texts are unique.
    pub(super) fn unique_fields<'m>(&'m self, resource: &'m str) -> impl Iterator<Item = &'m Field> + use<'m> {
        self.errors.iter().filter_map(move |error| match error.when.as_ref()? {
            Condition::Taken { resource: of, field } if of == resource => Some(self.resource(of).field(field)),
            _ => None,
        })
    }
}
