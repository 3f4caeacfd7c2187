//! Emits the fixed values of the records that an operation makes.

use crate::emit::shared::{OperationContext, names};
use crate::model::{Effect, Fill};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(subject: &OperationContext<'_>) -> TokenStream {
    let model = subject.context.model;
    let constants = subject.operation.effects.iter().flat_map(|effect| {
        let Effect::Make { resource, fills, .. } = effect else {
            return Vec::new();
        };
        let constant = |(field, fill): &(String, Fill)| {
            let Fill::Literal(text) = fill else { return None };
            let of = &model.resource(resource).field(field).of;
            let (of, value) = subject.context.constant(of, text);
            let name = names::constant(&format!("{resource}_{field}"));
            let doc = format!("`{field}` of the {} that it creates.", model.resource(resource).noun);
            Some(quote!(#[doc = #doc] pub const #name: #of = #value;))
        };
        fills.iter().filter_map(constant).collect()
    });
    quote!(#(#constants)*)
}
