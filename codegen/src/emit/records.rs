//! What is stored and how it is shown: a struct for each resource, an encoder for each of its views.

use super::{Context, names};
use crate::model::{Field, Resource, Source, Type, View, ViewMember};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let records = context.model.resources.iter().map(|resource| record(context, resource));
    let views = context
        .model
        .resources
        .iter()
        .flat_map(|resource| resource.views.iter().map(|view| emit_view(context, resource, view)));
    quote!(#(#records)* #(#views)*)
}

fn record(context: &Context<'_>, resource: &Resource) -> TokenStream {
    let name = names::of_type(&resource.name);
    let doc = format!("A stored {}. {}", resource.noun, context.place(resource.at));
    let fields = resource.fields.iter().map(|field| {
        let (ident, word) = (names::value(&field.name), &field.name);
        let of = context.owned(&field.of);
        let doc = format!("`{word}` {}", context.place(field.at));
        let default = context.when_absent(&field.of).map(|_| {
            let function = format!("{name}::absent_{}", names::snake(word));
            quote!(#[serde(default = #function)])
        });
        quote!(#[doc = #doc] #[serde(rename = #word)] #default pub #ident: #of)
    });
    let defaults = resource.fields.iter().filter_map(|field| absent(context, field));
    let seed = seed(context, resource);
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq, support::serde::Serialize, support::serde::Deserialize)] #[serde(crate = "support::serde")]
        pub struct #name { #(#fields,)* }

        /// What a record that was stored before a field came has in its place.
        impl #name { #(#defaults)* }

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
        "What it takes to make a {}; its other fields have their defaults, a state its first.",
        resource.noun
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
    let value = context.when_absent(&field.of)?;
    let function = format_ident!("absent_{}", names::snake(&field.name));
    let of = context.owned(&field.of);
    Some(quote!(fn #function() -> #of { #value }))
}

fn emit_view(context: &Context<'_>, resource: &Resource, view: &View) -> TokenStream {
    let marker = names::view(&resource.name, &view.name);
    let row = format_ident!("{marker}Row");
    let record = names::of_type(&resource.name);
    let method = names::value(&view.name);
    let doc = format!(
        "The `{}` view of {} {}.",
        view.name,
        names::with_article(&resource.noun),
        context.place(resource.at)
    );
    let row_doc = format!("The members of [`{marker}`].");
    let method_doc = format!("Shows it as [`{marker}`]; what is not stored is given.");
    let lifetime = quote!('a);
    let members = view.members.iter().map(|member| {
        let (ident, word) = (names::value(&member.shown), &member.shown);
        let of = shown_type(context, resource, member, &lifetime);
        quote!(#[serde(rename = #word)] #ident: #of)
    });
    let values = view.members.iter().map(|member| {
        let (ident, value) = (names::value(&member.shown), shown_value(context, resource, member));
        if ident == value.to_string() {
            quote!(#ident)
        } else {
            quote!(#ident: #value)
        }
    });
    let elided = quote!();
    let arguments = view.members.iter().filter_map(|member| match &member.source {
        Source::Joined(field) => {
            let (ident, of) = (names::value(field), context.lent(&member.of, &elided));
            Some(quote!(#ident: #of))
        }
        _ => None,
    });
    let borrows = view.members.iter().any(|member| !context.is_copy(&member.of));
    let phantom = (!borrows).then(|| quote!(#[serde(skip)] borrowed: std::marker::PhantomData<&'a ()>,));
    let phantom_value = (!borrows).then(|| quote!(borrowed: std::marker::PhantomData,));
    quote! {
        #[doc = #doc]
        #[derive(Clone, Copy, Debug)]
        pub enum #marker {}

        #[doc = #row_doc]
        #[derive(Debug, support::serde::Serialize)] #[serde(crate = "support::serde")]
        pub struct #row<'a> { #(#members,)* #phantom }

        impl support::View for #marker {
            type Row<'a> = #row<'a>;
        }

        impl #record {
            #[doc = #method_doc]
            pub fn #method(&self, #(#arguments),*) -> support::Encoded<#marker> {
                support::Encoded::encode(&#row { #(#values,)* #phantom_value })
            }
        }
    }
}

fn shown_type(context: &Context<'_>, resource: &Resource, member: &ViewMember, lifetime: &TokenStream) -> TokenStream {
    match &member.source {
        Source::Joined(_) => context.lent(&member.of, lifetime),
        Source::Each(..) => {
            let item = context.lent(
                &Type {
                    list: false,
                    ..member.of.clone()
                },
                lifetime,
            );
            quote!(Vec<#item>)
        }
        Source::Stored(name) if context.is_copy(&member.of) => context.owned(&resource.field(name).of),
        Source::Stored(name) => {
            let of = context.owned(&resource.field(name).of);
            quote!(&#lifetime #of)
        }
    }
}

fn shown_value(context: &Context<'_>, resource: &Resource, member: &ViewMember) -> TokenStream {
    match &member.source {
        Source::Joined(name) => {
            let name = names::value(name);
            quote!(#name)
        }
        Source::Each(list, part) => {
            let (list, part) = (names::value(list), names::value(part));
            let copy = context.is_copy(&Type {
                list: false,
                ..member.of.clone()
            });
            let item = if copy { quote!(item.#part) } else { quote!(&item.#part) };
            quote!(self.#list.iter().map(|item| #item as _).collect())
        }
        Source::Stored(name) => {
            let copy = context.is_copy(&resource.field(name).of);
            let name = names::value(name);
            if copy { quote!(self.#name) } else { quote!(&self.#name) }
        }
    }
}
