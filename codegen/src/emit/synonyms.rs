//! Emits the texts that mean the same.

use crate::emit::shared::{Context, names};
use proc_macro2::TokenStream;
use quote::quote;

/// A module with a constant for each field, if there is any.
pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let all = &context.model.synonyms;
    if all.is_empty() {
        return TokenStream::new();
    }
    let constants = all.iter().map(|one| {
        let name = names::constant(&format!("{}_{}", one.resource, one.field));
        let doc = format!("Of `{}.{}`.", one.resource, one.field);
        let groups = one.groups.iter().map(|group| quote!(&[#(#group),*]));
        quote!(#[doc = #doc] pub const #name: &[&[&str]] = &[#(#groups),*];)
    });
    quote! {
        /// Texts that mean the same, in groups.
        pub mod synonyms { #(#constants)* }
    }
}
