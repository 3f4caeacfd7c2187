//! The named request bodies.

use crate::emit::shared::{Context, body, names};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let inputs = context.model.inputs.iter().map(|input| {
        let name = names::of_type(&input.name);
        let rest = format_ident!("{name}Rest");
        let doc = format!("`{}` {}", input.name, context.place(input.body.at));
        body::of(context, &name, &rest, &doc, &input.body)
    });
    quote!(#(#inputs)*)
}
