//! Emits the stored records: a struct for each resource, and the values that a new record needs.

use crate::emit::shared::{Context, doc_sentence, many_bools, names, serde};
use crate::model::{Field, Origin, Resource};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let records = context.model.resources.iter().map(|resource| record(context, resource));
    quote!(#(#records)*)
}

fn record(context: &Context<'_>, resource: &Resource) -> TokenStream {
    let name = names::of_type(&resource.name);
    let doc_sentence = doc_sentence(resource.doc.as_deref());
    let doc = format!("A stored {}.{doc_sentence}", resource.noun);
    let fields = resource.fields.iter().map(|field| {
        let stored = context.stored(field);
        // A record without the member has null there.
        let is_null = context
            .when_absent(&field.of)
            .is_some_and(|value| value.to_string() == "None");
        let skipped = is_null.then(serde::omitted);
        quote!(#skipped #stored)
    });
    let reading = context.reading(&name, &resource.fields);
    let seed = context.seed(&resource.name, &resource.noun, &resource.fields);
    let last_uses = resource.fields.iter().filter_map(|field| last_use(&name, field));
    let derive = serde::derive(&quote!(Clone, Debug, PartialEq));
    let many_bools = many_bools(resource.fields.iter().map(|field| &field.of));
    quote! {
        #[doc = #doc]
        #derive
        #many_bools
        pub struct #name { #(#fields,)* }

        #reading

        #seed

        #(#last_uses)*
    }
}

/// For a record that shows when its credential was last used: how late that may be.
fn last_use(of: &Ident, field: &Field) -> Option<TokenStream> {
    let Some(Origin::LastUse { seconds, .. }) = field.origin else {
        return None;
    };
    let name = format_ident!("{}_WITHIN_SECONDS", names::constant(&field.name));
    let doc = format!(
        "`{}`: the maximum seconds by which a later use may be missing.",
        field.name
    );
    let seconds = u64::from(seconds);
    Some(quote! {
        impl #of {
            #[doc = #doc]
            pub const #name: u64 = #seconds;
        }
    })
}
