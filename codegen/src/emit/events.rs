//! Emits the events: their kinds, their recipients, and how long they are kept.

use crate::emit::shared::{Context, GeneratedName, doc as doc_of, field_doc, literals, names, serde};
use crate::model::{EventKind, Events, Ids, Kind, Model};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::collections::BTreeSet;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let Some(events) = &context.model.events else {
        return quote!();
    };
    let (constants, name, event, recipient) = (
        constants(events),
        name(context, events),
        event(context, events),
        recipient(context),
    );
    quote! {
        /// Events: what callers learn without asking again.
        pub mod events {
            #[allow(clippy::wildcard_imports, reason = "an event holds values of any type of the contract")]
            use super::*;

            #constants
            #name
            #event
            #recipient
        }
    }
}

fn constants(events: &Events) -> TokenStream {
    let [keep, max, recipients] = [events.keep_seconds, events.max, events.recipients].map(literals::count);
    quote! {
        /// How long an event is kept.
        pub const KEEP_SECONDS: i64 = #keep;
        /// Maximum number of events of one recipient that are kept.
        pub const MAX_KEPT: i64 = #max;
        /// Maximum number of recipients of one event.
        pub const MAX_RECIPIENTS: usize = #recipients;
    }
}

fn name(context: &Context<'_>, events: &Events) -> TokenStream {
    let words: Vec<&String> = events.kinds.iter().map(|kind| &kind.name).collect();
    let variants: Vec<_> = words.iter().map(|word| names::of_type(word)).collect();
    let docs = events.kinds.iter().map(|kind| doc_of(&kind.name, kind.doc.as_deref()));
    let count = literals::size(words.len());
    let decoders = callers_of_feeds(context.model);
    let decoders = decoders.into_iter().map(|caller| decoder(context.model, caller));
    quote! {
        /// The name of a kind of events.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Name {
            #(#[doc = #docs] #variants,)*
        }

        impl Name {
            /// All names, in the contract's order.
            pub const VALUES: [Self; #count] = [#(Self::#variants),*];

            const WORDS: [&'static str; #count] = [#(#words),*];

            /// The name on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                Self::WORDS[self as usize]
            }

            /// The kind with this name on the wire.
            #[must_use]
            pub fn parse(word: &str) -> Option<Self> {
                Self::VALUES.into_iter().find(|name| name.as_str() == word)
            }

            #(#decoders)*
        }
    }
}

/// The resources whose callers select kinds of events in a feed.
fn callers_of_feeds(model: &Model) -> BTreeSet<&String> {
    let fields = model.operations().flat_map(|(_, operation)| &operation.query);
    let callers = fields.filter_map(|field| match &field.of.kind {
        Kind::EventNames(caller) => Some(caller),
        _ => None,
    });
    callers.collect()
}

/// The function that decodes the names of events that these callers can get.
fn decoder(model: &Model, caller: &str) -> TokenStream {
    let variants: Vec<_> = model.events_to(caller).map(|kind| names::of_type(&kind.name)).collect();
    let (count, decode) = (literals::size(variants.len()), names::of_event_names(caller));
    quote! {
        pub(crate) fn #decode(value: support::Value, errors: &mut support::ValidationErrors) -> Option<Vec<Self>> {
            const NAMES: [Name; #count] = [#(Name::#variants),*];
            let places = support::feed::names(value, errors, &NAMES.map(Name::as_str))?;
            Some(places.into_iter().map(|place| NAMES[place]).collect())
        }
    }
}

fn event(context: &Context<'_>, events: &Events) -> TokenStream {
    let derive = serde::derive(&quote!(Clone, Debug, PartialEq));
    let variants = events.kinds.iter().map(|kind| variant(context, kind));
    let named = events.kinds.iter().map(|kind| {
        let variant = names::of_type(&kind.name);
        quote!(Self::#variant { .. } => Name::#variant)
    });
    quote! {
        /// An event. As JSON it is its data.
        #derive
        #[serde(untagged)]
        pub enum Event { #(#variants,)* }

        impl Event {
            /// The name of its kind.
            #[must_use]
            pub const fn name(&self) -> Name {
                match self { #(#named,)* }
            }
        }
    }
}

fn variant(context: &Context<'_>, kind: &EventKind) -> TokenStream {
    let fields = kind.data.iter().map(|member| {
        let (field, doc) = (&member.field, field_doc(&member.field));
        let (name, renamed, of) = (
            names::value(&field.name),
            serde::renamed(&field.name),
            context.owned(&field.of),
        );
        quote!(#[doc = #doc] #renamed #name: #of)
    });
    let (variant, doc) = (names::of_type(&kind.name), doc_of(&kind.name, kind.doc.as_deref()));
    quote!(#[doc = #doc] #variant { #(#fields,)* })
}

fn recipient(context: &Context<'_>) -> TokenStream {
    let recipients = context.model.recipients();
    let variants = recipients.iter().map(|resource| {
        let (variant, id) = (names::of_type(resource), GeneratedName::Id(resource).ident());
        let doc = format!("The feed of this {}.", context.model.resource(resource).noun);
        quote!(#[doc = #doc] #variant(#id))
    });
    let arms = recipients.iter().zip(0_u8..).map(|(resource, place)| {
        let (variant, noun) = (names::of_type(resource), &context.model.resource(resource).noun);
        let (place, text) = (Literal::u8_unsuffixed(place), format!("{noun} {{id}}"));
        [
            quote!(Self::#variant(id) => (#place, support::Key::bytes(&id))),
            quote!(#place => { let (id, rest) = support::Key::split(rest)?; Some((Self::#variant(id), rest)) }),
            quote!(Self::#variant(id) => format!(#text)),
            quote!(Self::#variant(_) => #resource),
        ]
    });
    let arms: Vec<_> = arms.collect();
    let [parts, read, texts, resources] = [0, 1, 2, 3].map(|of| arms.iter().map(|arms| &arms[of]).collect::<Vec<_>>());
    // All recipients have ids of one form.
    let ids = recipients
        .first()
        .map_or(Ids::Numbers, |resource| context.model.ids(resource));
    let column = Context::column(ids, "recipient_id");
    let derive = serde::derive(&quote!(
        Clone,
        Copy,
        Debug,
        PartialEq,
        Eq,
        PartialOrd,
        Ord,
        Hash,
        support::serde::Deserialize
    ));
    quote! {
        /// Whose feed an event is in.
        #derive
        #[serde(rename_all = "snake_case")]
        pub enum Recipient { #(#variants,)* }

        impl Recipient {
            /// The place of the resource among those that have feeds, and the id.
            fn parts(self) -> (u8, support::KeyBytes) {
                match self { #(#parts,)* }
            }
        }

        impl support::Key for Recipient {
            fn write(&self, to: &mut support::KeyBytes) {
                let (place, id) = self.parts();
                to.push(place);
                to.extend_from_slice(&id);
            }

            fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
                let (place, rest) = bytes.split_first()?;
                match place { #(#read)* _ => None }
            }

            fn text(&self) -> String {
                match self { #(#texts,)* }
            }

            fn number(&self) -> Option<i64> {
                None
            }
        }

        impl support::feed::Recipient for Recipient {
            const COLUMNS: &'static [support::key::Column] = &[
                support::key::Column::Small("recipient_kind"),
                #column,
            ];

            fn resource(&self) -> &'static str {
                match self { #(#resources,)* }
            }

            fn record_key(&self) -> support::KeyBytes {
                self.parts().1
            }
        }
    }
}
