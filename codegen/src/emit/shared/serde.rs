//! The serde attributes of stored and shown types: derives, and the contract's names for their members.

use super::names;
use proc_macro2::TokenStream;
use quote::quote;

/// Derives these traits and `Serialize`.
pub(crate) fn derive(traits: &TokenStream) -> TokenStream {
    quote! {
        #[derive(#traits, support::serde::Serialize)]
        #[serde(crate = "support::serde")]
    }
}

/// The attribute of a member that is left out without a value.
pub(crate) fn omitted() -> TokenStream {
    quote!(#[serde(skip_serializing_if = "Option::is_none")])
}

/// The attribute with the contract's name of a member, if the Rust name differs.
pub(crate) fn renamed(word: &str) -> Option<TokenStream> {
    (names::snake(word) != word).then(|| quote!(#[serde(rename = #word)]))
}
