//! Emits the quotas.

use crate::emit::shared::{Context, literals, names};
use crate::model::{Model, QuotaOf, Resource};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let quotas = model.quotas.iter().map(|quota| {
        let (name, max) = (names::constant(&quota.name), literals::count(quota.max));
        let doc = format!("At most this many {}.", quota.noun);
        let counts = quota.only.as_ref().zip(quota.records()).map(|(only, of)| {
            let (name, record) = (names::value(&quota.name), names::of_type(of));
            let doc = format!("Whether a record counts: `{only}`.");
            let holds = context.holds(only, model.resource(of), &quote!(record));
            quote!(#[doc = #doc] #[must_use] pub fn #name(record: &#record) -> bool { #holds })
        });
        quote!(#[doc = #doc] pub const #name: i64 = #max; #counts)
    });
    let has_conditions = model.quotas.iter().any(|quota| quota.only.is_some());
    let uses = has_conditions.then(|| {
        quote! {
            #[allow(clippy::wildcard_imports, reason = "a condition uses any type of the contract")]
            use super::*;
        }
    });
    let of_files = model.resources.iter().filter_map(|resource| of_files(model, resource));
    quote! {
        #(#of_files)*

        /// How much an owner may have, or make within a period.
        pub mod quotas {
            #uses
            #(#quotas)*
        }
    }
}

/// The method that says towards which quotas the content of a record counts, if it counts at all.
fn of_files(model: &Model, resource: &Resource) -> Option<TokenStream> {
    let makers = model.operations().map(|(_, operation)| operation);
    let makers: Vec<_> = makers
        .filter(|one| one.file.is_some() && one.makes(&resource.name))
        .collect();
    let quotas = model.quotas.iter().filter(|quota| quota.of == QuotaOf::FileBytes);
    let quotas = quotas.filter(|quota| makers.iter().any(|maker| maker.counts_towards(&quota.name)));
    let counted: Vec<TokenStream> = quotas
        .filter_map(|quota| {
            let (_, field) = resource.owner.iter().find(|(owner, _)| *owner == quota.per)?;
            let (ident, name) = (names::value(field), &quota.name);
            Some(match resource.field(field).of.optional {
                true => quote!(self.#ident.map(|owner| (#name, support::Key::bytes(&owner)))),
                false => quote!(Some((#name, support::Key::bytes(&self.#ident)))),
            })
        })
        .collect();
    let record = names::of_type(&resource.name);
    (!counted.is_empty()).then(|| {
        quote! {
            impl #record {
                /// The quotas towards which its content counts, each with the key of the owner for whom it counts.
                pub fn counted_for(&self) -> impl Iterator<Item = (&'static str, support::KeyBytes)> + use<> {
                    [#(#counted),*].into_iter().flatten()
                }
            }
        }
    })
}
