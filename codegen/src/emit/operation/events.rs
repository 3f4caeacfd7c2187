//! Emits the events that an operation causes, made from the records that they are about.

use crate::emit::shared::caused::{Caused, Causing, ids};
use crate::emit::shared::joined::Place;
use crate::emit::shared::{OperationContext, names};
use crate::model::FieldPath;
use proc_macro2::TokenStream;
use quote::quote;

/// The function `events`; `None` if the operation causes none.
pub(super) fn emit(subject: &OperationContext<'_>) -> Option<TokenStream> {
    let caused = Caused::by(subject)?;
    let parameters = caused.parameters().into_iter().map(|(declared, _)| declared);
    let pushed = caused.kinds().iter().map(pushed);
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

fn value<'s>(causing: &Causing<'s>, path: &'s FieldPath) -> TokenStream {
    let field = names::value(&path.field);
    match causing.place(path) {
        Some(Place::Record { argument, .. }) => quote!(#argument.#field),
        _ => {
            let record = causing.record();
            quote!(#record.#field)
        }
    }
}

fn pushed(causing: &Causing<'_>) -> TokenStream {
    let variant = names::of_type(&causing.kind.name);
    let members = causing.kind.data.iter().map(|member| {
        let (name, value) = (names::value(&member.field.name), value(causing, &member.path));
        quote!(#name: #value)
    });
    let to = causing.to.iter().map(|to| {
        let caller = names::of_type(&to.caller);
        match &to.each {
            None => {
                let id = value(causing, &to.path);
                quote!(to.push(Recipient::#caller(#id));)
            }
            Some(_) => {
                let ids = ids(to);
                quote!(to.extend(#ids.iter().copied().map(Recipient::#caller));)
            }
        }
    });
    let event = quote!(Event::#variant { #(#members,)* });
    if let [alone] = causing.to.as_slice()
        && alone.each.is_none()
    {
        let (caller, id) = (names::of_type(&alone.caller), value(causing, &alone.path));
        return quote! {
            let event = #event;
            caused.push((Recipient::#caller(#id), event));
        };
    }
    quote! {
        let event = #event;
        let mut to = Vec::new();
        #(#to)*
        caused.extend(support::feed::each_once(to).map(|to| (to, event.clone())));
    }
}
