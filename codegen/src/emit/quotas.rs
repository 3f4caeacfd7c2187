//! Emits the quotas.

use crate::emit::shared::{Context, literals, names};
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
    quote! {
        /// How much an owner may have, or make within a period.
        pub mod quotas {
            #uses
            #(#quotas)*
        }
    }
}
