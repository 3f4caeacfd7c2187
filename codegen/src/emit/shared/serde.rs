//! How stored and shown types are written: what they derive, and the contract's words for their members.

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

/// The contract's word for a member, where it is not the one that Rust has.
pub(crate) fn renamed(word: &str) -> Option<TokenStream> {
    (names::snake(word) != word).then(|| quote!(#[serde(rename = #word)]))
}
