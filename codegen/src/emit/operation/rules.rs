//! Emits when the rules of an operation reject a request, as far as a field of one record decides it.

use crate::emit::shared::{OperationContext, names};
use crate::model::Condition;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(subject: &OperationContext<'_>) -> TokenStream {
    let model = subject.context.model;
    let rules = subject.operation.rules.iter().filter_map(|rule| {
        let Some(Condition::Field { resource, is }) = &model.error(rule).when else {
            return None;
        };
        let (name, record) = (format_ident!("is_{}", names::snake(rule)), names::of_type(resource));
        let holds = subject.context.holds(is, model.resource(resource), &quote!(record));
        let doc = format!("Whether the response is the error `{rule}`: `{resource}.{is}`.");
        Some(quote! {
            #[doc = #doc]
            #[must_use]
            pub fn #name(record: &#record) -> bool {
                #holds
            }
        })
    });
    quote!(#(#rules)*)
}
