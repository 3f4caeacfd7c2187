//! What is stored: a struct for each resource, and what it takes to make one.

use crate::emit::shared::{Context, names, serde};
use crate::model::{Field, Resource};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let records = context.model.resources.iter().map(|resource| record(context, resource));
    quote!(#(#records)*)
}

fn record(context: &Context<'_>, resource: &Resource) -> TokenStream {
    let name = names::of_type(&resource.name);
    let doc = format!("A stored {}. {}", resource.noun, context.place(resource.at));
    let fields = resource.fields.iter().map(|field| {
        let (ident, word) = (names::value(&field.name), &field.name);
        let of = context.owned(&field.of);
        let doc = format!("`{word}` {}", context.place(field.at));
        let default = context.when_absent(&field.of).map(|value| {
            if is_empty(&value) {
                return quote!(#[serde(default)]);
            }
            let function = format!("{name}::absent_{}", names::snake(word));
            quote!(#[serde(default = #function)])
        });
        let renamed = serde::renamed(word);
        quote!(#[doc = #doc] #renamed #default pub #ident: #of)
    });
    let defaults = resource.fields.iter().filter_map(|field| absent(context, field));
    let defaults: Vec<_> = defaults.collect();
    let absent = (!defaults.is_empty()).then(|| {
        quote! {
            /// What a record that was stored before a field came has in its place.
            impl #name { #(#defaults)* }
        }
    });
    let (seed, stored) = (seed(context, resource), serde::stored());
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq)]
        #stored
        pub struct #name { #(#fields,)* }

        #absent

        #seed
    }
}

/// What it takes to make a record: the fields that have no value of their own.
fn seed(context: &Context<'_>, resource: &Resource) -> TokenStream {
    let name = names::of_type(&resource.name);
    let seed = format_ident!("{name}Seed");
    let open = context.left_open(resource, &[]);
    let fields = open.iter().map(|field| names::value(&field.name));
    let docs = open.iter().map(|field| format!("`{}`", field.name));
    let types = open.iter().map(|field| context.owned(&field.of));
    let values = resource.fields.iter().map(|field| {
        let ident = names::value(&field.name);
        let value = context.when_new(&field.of).unwrap_or_else(|| quote!(seed.#ident));
        quote!(#ident: #value)
    });
    let doc = format!(
        "What it takes to make {}; its other fields have their defaults, a state its first.",
        names::with_article(&resource.noun)
    );
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug)]
        pub struct #seed { #(#[doc = #docs] pub #fields: #types,)* }

        impl From<#seed> for #name {
            fn from(seed: #seed) -> Self {
                Self { #(#values,)* }
            }
        }
    }
}

fn absent(context: &Context<'_>, field: &Field) -> Option<TokenStream> {
    let value = context.when_absent(&field.of).filter(|value| !is_empty(value))?;
    let function = format_ident!("absent_{}", names::snake(&field.name));
    let of = context.owned(&field.of);
    Some(quote!(fn #function() -> #of { #value }))
}

/// Whether it is what Rust's `Default` gives.
fn is_empty(value: &TokenStream) -> bool {
    ["None", "false", "Vec :: new ()"].contains(&value.to_string().as_str())
}
