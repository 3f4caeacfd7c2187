//! Emits the named request bodies.

use crate::emit::shared::{Context, GeneratedName, body, doc, names};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let inputs = context.model.inputs.iter().map(|input| {
        let name = names::of_type(&input.name);
        let rest = GeneratedName::Rest(&input.name).ident();
        let doc = doc(&input.name, None);
        body::body_struct(context, &name, &rest, &doc, &input.body)
    });
    quote!(#(#inputs)*)
}
