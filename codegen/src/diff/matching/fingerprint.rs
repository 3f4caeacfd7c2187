//! Fingerprints of declarations: equal declarations have equal texts.

use super::renames::{Namespace, Renames};
use crate::model::{Body, Enum, Field, Kind, Resource, Source, Type, TypeRule, View};

/// Writes declarations as text, so that equal ones have equal texts. Known renames are applied.
#[derive(Clone, Copy)]
pub(crate) struct Fingerprint<'n, 'm> {
    /// The known renames, for a declaration of the old contract.
    pub(crate) names: Option<&'n Renames<'m>>,
}

impl Fingerprint<'_, '_> {
    fn name<'s>(&'s self, sort: Namespace, name: &'s str) -> &'s str {
        self.names.map_or(name, |names| names.declared(sort, name))
    }

    fn field<'s>(&'s self, resource: &'s str, field: &'s str) -> &'s str {
        self.names.map_or(field, |names| names.field(resource, field))
    }

    fn kind(&self, kind: &Kind) -> String {
        match kind {
            Kind::Named(name) => format!("type {}", self.name(Namespace::Type, name)),
            Kind::Enum(name) => format!("enum {}", self.name(Namespace::Enum, name)),
            Kind::Object(name) => format!("object {}", self.name(Namespace::Object, name)),
            Kind::Input(name) => format!("input {}", self.name(Namespace::Input, name)),
            Kind::Id(name) => format!("id {}", self.name(Namespace::Resource, name)),
            Kind::View(name, view) => format!("view {} {view}", self.name(Namespace::Resource, name)),
            other => format!("{other:?}"),
        }
    }

    pub(crate) fn of(&self, of: &Type) -> String {
        let Type {
            kind,
            list,
            optional,
            default,
            example: _,
            has_states: _,
        } = of;
        format!("{} {list} {optional} {default:?}", self.kind(kind))
    }

    pub(crate) fn rule(&self, rule: &TypeRule) -> String {
        match rule {
            TypeRule::List { of, min, max, unique } => format!("list {} {min} {max:?} {unique:?}", self.of(of)),
            other => format!("{other:?}"),
        }
    }

    pub(crate) fn enumeration(&self, one: &Enum) -> String {
        let mut values: Vec<&String> = one.values.iter().collect();
        values.sort();
        let whole = one.part_of.as_ref().map(|whole| self.name(Namespace::Enum, whole));
        format!("{values:?} {whole:?}")
    }

    pub(crate) fn fields(&self, fields: &[Field]) -> String {
        let mut lines: Vec<String> = fields
            .iter()
            .map(|field| format!("{} {}", field.name, self.of(&field.of)))
            .collect();
        lines.sort();
        lines.join("\n")
    }

    pub(crate) fn body(&self, body: &Body) -> String {
        let resource = body
            .resource
            .as_deref()
            .map(|name| self.name(Namespace::Resource, name));
        let mut lines: Vec<String> = body
            .members
            .iter()
            .map(|member| {
                // Requests carry the name, whatever the field.
                let name = &member.field.name;
                let of = self.of(&member.field.of);
                format!("{name} {of} {} {}", member.of_record, member.required)
            })
            .collect();
        lines.sort();
        format!("{resource:?} {} {}", body.partial, lines.join("\n"))
    }

    pub(crate) fn view(&self, resource: &str, view: &View) -> String {
        let mut lines: Vec<String> = view
            .members
            .iter()
            .map(|member| {
                let source = match &member.source {
                    Source::Stored(field) | Source::Joined(field) => self.field(resource, field).to_owned(),
                    Source::Each(field, part) => {
                        let part = self
                            .names
                            .map_or(part.as_str(), |names| names.part_of_items(resource, field, part));
                        format!("{} {part}", self.field(resource, field))
                    }
                };
                format!("{} {source}", member.shown)
            })
            .collect();
        lines.sort();
        lines.join("\n")
    }

    /// The stored fields and look-ups of a resource, without its name. Its noun, its privacy and its views are separate
    /// changes.
    pub(crate) fn resource(&self, resource: &Resource) -> String {
        let own = format!("id {} ", self.name(Namespace::Resource, &resource.name));
        let fields = |fields: &[Field]| self.fields(fields).replace(&own, "id itself ");
        format!("{}\n{}", fields(&resource.fields), fields(&resource.joined))
    }
}
