//! The events that an operation causes, and the records that they are made from.

use super::joined::Place;
use super::{GeneratedName, OperationContext, names};
use crate::model::{EventKind, FieldPath, Recipient, Resource};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashSet;

/// The events that an operation causes.
pub(crate) struct Caused<'s>(Vec<Causing<'s>>);

/// A kind of them.
pub(crate) struct Causing<'s> {
    subject: &'s OperationContext<'s>,
    pub(crate) kind: &'s EventKind,
    of: &'s Resource,
    pub(crate) to: Vec<&'s Recipient>,
}

/// What a function takes that makes the events.
pub(crate) enum Parameter<'s> {
    /// The record that an event is about.
    Record,
    /// A record that it leads to.
    Followed(&'s FieldPath, Place<'s>),
    /// The ids of many recipients, with the name of the parameter.
    Each(&'s Recipient, Ident),
}

impl<'s> Caused<'s> {
    /// `None` if the operation causes none.
    pub(crate) fn by(subject: &'s OperationContext<'s>) -> Option<Self> {
        let model = subject.context.model;
        let caused = model.events_of(subject.surface, subject.operation);
        let causes: Vec<Causing<'s>> = caused
            .map(|(kind, _)| Causing {
                subject,
                kind,
                of: model.resource(&kind.of),
                to: kind.recipients_of(model, subject.surface).collect(),
            })
            .collect();
        (!causes.is_empty()).then_some(Self(causes))
    }

    pub(crate) fn kinds(&self) -> &[Causing<'s>] {
        &self.0
    }

    /// The parameters as they are declared, each once.
    pub(crate) fn parameters(&self) -> Vec<(TokenStream, Parameter<'s>)> {
        let mut seen = HashSet::new();
        let all = self.0.iter().flat_map(Causing::parameters);
        all.filter(|(declared, _)| seen.insert(declared.to_string())).collect()
    }
}

impl<'s> Causing<'s> {
    /// The name of the record that the event is about.
    pub(crate) fn record(&self) -> Ident {
        names::value(&self.of.name)
    }

    /// The records that the event needs, and the ids of many recipients.
    fn parameters(&self) -> Vec<(TokenStream, Parameter<'s>)> {
        let (record, of) = (self.record(), names::of_type(&self.of.name));
        let paths = self.kind.data.iter().map(|member| &member.path);
        let direct = self.to.iter().filter(|to| to.each.is_none());
        let followed = paths.chain(direct.map(|to| &to.path)).filter_map(|path| {
            let place = self.place(path)?;
            Some((place.record()?, Parameter::Followed(path, place)))
        });
        let many = self.to.iter().filter(|to| to.each.is_some()).map(|to| {
            let (ids, id) = (ids(to), GeneratedName::Id(&to.caller).ident());
            (quote!(#ids: &[#id]), Parameter::Each(to, ids))
        });
        std::iter::once((quote!(#record: &#of), Parameter::Record))
            .chain(followed)
            .chain(many)
            .collect()
    }

    /// Where the value of a path is. `None`: in the record itself.
    pub(crate) fn place(&self, path: &'s FieldPath) -> Option<Place<'s>> {
        if path.ids.is_empty() {
            return None;
        }
        Some(Place::followed(self.subject.context, self.of, &path.ids, &path.field))
    }
}

/// `human_ids`
pub(crate) fn ids(to: &Recipient) -> Ident {
    format_ident!("{}s", names::snake(&to.path.field))
}
