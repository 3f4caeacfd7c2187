//! Emits the quotas.

use crate::emit::shared::{Context, names};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let quotas = model.quotas.iter().map(|quota| {
        let (name, max) = (names::constant(&quota.name), Literal::u64_unsuffixed(quota.max));
        let doc = format!("At most this many {}.", quota.noun);
        let counts = quota.only.as_ref().map(|only| {
            let (name, record) = (names::value(&quota.name), names::of_type(&quota.of));
            let doc = format!("Whether a record counts: `{only}`.");
            let holds = context.holds(only, model.resource(&quota.of), &quote!(record));
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
        /// How many records an owner may have.
        pub mod quotas {
            #uses
            #(#quotas)*
        }
    }
}
