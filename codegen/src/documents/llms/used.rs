//! The types of the contract that the operations of a text use. Unused types are left out.

use crate::documents::shared::selection::Selection;
use crate::model::{Body, BodyUse, Data, Field, Kind, Model, Source, Type, TypeRule, ViewMember};
use std::collections::BTreeSet;

/// The names of used declarations.
pub(super) struct Used<'m> {
    model: &'m Model,
    pub(super) types: BTreeSet<&'m str>,
    pub(super) enums: BTreeSet<&'m str>,
    pub(super) objects: BTreeSet<&'m str>,
    pub(super) inputs: BTreeSet<&'m str>,
    /// Resources, and their fields that requests or answers carry.
    pub(super) fields: BTreeSet<(&'m str, &'m str)>,
    /// Resources, and their members that are shown under another name.
    pub(super) renamed: Vec<(&'m str, &'m ViewMember)>,
    views: BTreeSet<(&'m str, &'m str)>,
    built_in: Vec<&'m Kind>,
}

impl<'m> Used<'m> {
    pub(super) fn by(part: &Selection<'m>) -> Self {
        let mut used = Self {
            model: part.model,
            types: BTreeSet::new(),
            enums: BTreeSet::new(),
            objects: BTreeSet::new(),
            inputs: BTreeSet::new(),
            fields: BTreeSet::new(),
            renamed: Vec::new(),
            views: BTreeSet::new(),
            built_in: Vec::new(),
        };
        for (_, operation) in part.operations() {
            used.see_fields(&operation.path);
            used.see_fields(&operation.query);
            match &operation.body {
                Some(BodyUse::Named(name)) => used.see_input(name),
                Some(BodyUse::Inline(body)) => used.see_body(body),
                None => {}
            }
            match &operation.data {
                Some(Data::One { resource, view } | Data::Many { resource, view }) => used.see_view(resource, view),
                Some(Data::Members(fields)) => used.see_fields(fields),
                None => {}
            }
        }
        used
    }

    /// Whether any value is of this kind, such as a date.
    pub(super) fn has(&self, kind: &Kind) -> bool {
        self.built_in.contains(&kind)
    }

    /// Whether any value is a text.
    pub(super) fn has_texts(&self) -> bool {
        let mut named = self.types.iter().map(|name| self.model.named_type(name));
        named.any(|named| matches!(named.rule, TypeRule::Text { .. }))
    }

    fn see_fields(&mut self, fields: &'m [Field]) {
        for field in fields {
            self.see(&field.of);
        }
    }

    fn see_input(&mut self, name: &'m str) {
        if self.inputs.insert(name) {
            self.see_body(&self.model.input(name).body);
        }
    }

    fn see_body(&mut self, body: &'m Body) {
        for member in &body.members {
            self.see(&member.field.of);
            if let (Some(resource), true) = (&body.resource, member.of_record) {
                self.fields.insert((resource, &member.field.name));
            }
        }
    }

    fn see_view(&mut self, resource: &'m str, view: &'m str) {
        if !self.views.insert((resource, view)) {
            return;
        }
        let mut views = self.model.resource(resource).views.iter();
        for member in views
            .find(|one| one.name == view)
            .into_iter()
            .flat_map(|view| &view.members)
        {
            self.see(&member.of);
            match &member.source {
                Source::Stored(field) | Source::Joined(field) if *field == member.shown => {
                    self.fields.insert((resource, field));
                }
                _ => self.see_renamed(resource, member),
            }
        }
    }

    fn see_renamed(&mut self, resource: &'m str, member: &'m ViewMember) {
        let is_known = |(known, other): &(&str, &ViewMember)| *known == resource && other.shown == member.shown;
        if !self.renamed.iter().any(is_known) {
            self.renamed.push((resource, member));
        }
    }

    fn see(&mut self, of: &'m Type) {
        match &of.kind {
            Kind::Named(name) if self.types.insert(name) => {
                if let TypeRule::List { of, .. } = &self.model.named_type(name).rule {
                    self.see(of);
                }
            }
            Kind::Enum(name) => {
                self.enums.insert(name);
                self.enums.extend(self.model.enumeration(name).part_of.as_deref());
            }
            Kind::Object(name) if self.objects.insert(name) => self.see_fields(&self.model.object(name).members),
            Kind::Input(name) => self.see_input(name),
            Kind::View(resource, view) => self.see_view(resource, view),
            Kind::Named(_) | Kind::Object(_) => {}
            kind => self.built_in.push(kind),
        }
    }
}
