//! Emits the stored records: a struct for each resource, and the values that a new record needs.

use crate::emit::shared::{Context, doc_sentence, names, serde};
use crate::model::Resource;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let records = context.model.resources.iter().map(|resource| record(context, resource));
    quote!(#(#records)*)
}

fn record(context: &Context<'_>, resource: &Resource) -> TokenStream {
    let name = names::of_type(&resource.name);
    let doc_sentence = doc_sentence(resource.doc.as_deref());
    let doc = format!("A stored {}.{doc_sentence}", resource.noun);
    let fields = resource.fields.iter().map(|field| context.stored(field));
    let reading = context.reading(&name, &resource.fields);
    let seed = context.seed(&resource.name, &resource.noun, &resource.fields);
    let derive = serde::derive(&quote!(Clone, Debug, PartialEq));
    quote! {
        #[doc = #doc]
        #derive
        pub struct #name { #(#fields,)* }

        #reading

        #seed
    }
}
