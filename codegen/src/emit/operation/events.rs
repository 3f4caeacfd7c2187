//! Emits the events that an operation causes, made from the records that they are about.

use crate::emit::shared::joined::Place;
use crate::emit::shared::operation_context::each_once;
use crate::emit::shared::{GeneratedName, OperationContext, names};
use crate::model::{EventKind, FieldPath, Recipient, Resource};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The function `events`; `None` if the operation causes none.
pub(super) fn emit(subject: &OperationContext<'_>) -> Option<TokenStream> {
    let model = subject.context.model;
    let caused = model.events_of(subject.surface, subject.operation);
    let causes: Vec<Causing<'_>> = caused
        .map(|(kind, _)| Causing {
            subject,
            kind,
            of: model.resource(&kind.of),
            to: kind.recipients_of(model, subject.surface).collect(),
        })
        .collect();
    if causes.is_empty() {
        return None;
    }
    let parameters = each_once(causes.iter().flat_map(Causing::parameters));
    let pushed = causes.iter().map(Causing::pushed);
    Some(quote! {
        /// The events that it causes, each with its recipient.
        #[must_use]
        pub fn events(#(#parameters),*) -> Vec<(super::super::events::Recipient, super::super::events::Event)> {
            use super::super::events::{Event, Recipient};
            let mut caused = Vec::new();
            #(#pushed)*
            caused
        }
    })
}

struct Causing<'s> {
    subject: &'s OperationContext<'s>,
    kind: &'s EventKind,
    of: &'s Resource,
    to: Vec<&'s Recipient>,
}

impl<'s> Causing<'s> {
    fn record(&self) -> Ident {
        names::value(&self.of.name)
    }

    /// The records that the event needs, and the ids of many recipients.
    fn parameters(&self) -> Vec<TokenStream> {
        let (record, of) = (self.record(), names::of_type(&self.of.name));
        let paths = self.kind.data.iter().map(|member| &member.path);
        let direct = self.to.iter().filter(|to| to.each.is_none());
        let followed = paths
            .chain(direct.map(|to| &to.path))
            .filter_map(|path| self.place(path)?.record());
        let many = self.to.iter().filter(|to| to.each.is_some()).map(|to| {
            let (ids, id) = (ids(to), GeneratedName::Id(&to.caller).ident());
            quote!(#ids: &[#id])
        });
        std::iter::once(quote!(#record: &#of))
            .chain(followed)
            .chain(many)
            .collect()
    }

    fn place(&self, path: &'s FieldPath) -> Option<Place<'s>> {
        if path.ids.is_empty() {
            return None;
        }
        Some(Place::followed(self.subject.context, self.of, &path.ids, &path.field))
    }

    fn value(&self, path: &'s FieldPath) -> TokenStream {
        let field = names::value(&path.field);
        match self.place(path) {
            Some(Place::Record { argument, .. }) => quote!(#argument.#field),
            _ => {
                let record = self.record();
                quote!(#record.#field)
            }
        }
    }

    fn pushed(&self) -> TokenStream {
        let variant = names::of_type(&self.kind.name);
        let members = self.kind.data.iter().map(|member| {
            let (name, value) = (names::value(&member.field.name), self.value(&member.path));
            quote!(#name: #value)
        });
        let to = self.to.iter().map(|to| {
            let caller = names::of_type(&to.caller);
            match &to.each {
                None => {
                    let id = self.value(&to.path);
                    quote!(caused.push((Recipient::#caller(#id), event.clone()));)
                }
                Some(_) => {
                    let ids = ids(to);
                    quote!(caused.extend(#ids.iter().map(|id| (Recipient::#caller(*id), event.clone())));)
                }
            }
        });
        quote! {
            let event = Event::#variant { #(#members,)* };
            #(#to)*
        }
    }
}

/// `human_ids`
fn ids(to: &Recipient) -> Ident {
    format_ident!("{}s", names::snake(&to.path.field))
}
