//! Members of stored resources and of the objects in them. A member can be newer than the stored record, and a member
//! with an initial value need not be given.

use super::{Context, GeneratedName, field_doc, literals, names, serde};
use crate::model::Field;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

/// Above this number of members the reading function needs an `allow` for its length.
const MANY: usize = 20;

impl Context<'_> {
    /// The field of the struct for a member.
    pub(crate) fn stored(&self, field: &Field) -> TokenStream {
        let doc = field_doc(field);
        let (ident, of, renamed) = (
            names::value(&field.name),
            self.owned(&field.of),
            serde::renamed(&field.name),
        );
        quote!(#[doc = #doc] #renamed pub #ident: #of)
    }

    /// The code that reads the struct `owner`. A member that a stored record lacks has the value of
    /// [`Self::when_absent`].
    pub(crate) fn reading(&self, owner: &Ident, fields: &[Field]) -> TokenStream {
        let words: Vec<_> = fields.iter().map(|field| &field.name).collect();
        let idents = fields.iter().map(|field| names::value(&field.name));
        let local: Vec<_> = words.iter().map(|word| names::local(word)).collect();
        let places = (0..fields.len()).map(literals::size);
        let values = fields.iter().zip(&local).map(|(field, local)| self.read(field, local));
        let long = (fields.len() > MANY)
            .then(|| quote!(#[allow(clippy::too_many_lines, reason = "a few lines for each member")]));
        quote! {
            impl<'de> support::serde::Deserialize<'de> for #owner {
                fn deserialize<D: support::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    support::read_stored(deserializer)
                }
            }

            impl<'de> support::Stored<'de> for #owner {
                const MEMBERS: &'static [&'static str] = &[#(#words),*];

                #long
                fn read<A: support::serde::de::MapAccess<'de>>(
                    members: &mut support::StoredMembers<A>,
                ) -> Result<Self, A::Error> {
                    #(let mut #local = None;)*
                    while let Some(place) = members.next_index()? {
                        match place {
                            #(#places => members.read(#words, &mut #local),)*
                            _ => members.skip(),
                        }?;
                    }
                    Ok(Self { #(#idents: #values,)* })
                }
            }
        }
    }

    fn read(&self, field: &Field, local: &Ident) -> TokenStream {
        let word = &field.name;
        match self.when_absent(&field.of) {
            None => quote!(members.required(#word, #local)?),
            Some(value) if is_empty(&value) => quote!(#local.unwrap_or_default()),
            Some(value) if is_made(&value) => quote!(#local.unwrap_or_else(|| #value)),
            Some(value) => quote!(#local.unwrap_or(#value)),
        }
    }

    /// The struct of the fields that a new record needs: those without an initial value.
    pub(crate) fn seed(&self, name: &str, noun: &str, fields: &[Field]) -> TokenStream {
        let (owner, seed) = (names::of_type(name), GeneratedName::Seed(name).ident());
        let open = fields.iter().filter(|field| self.when_new(&field.of).is_none());
        let open: Vec<_> = open.collect();
        let idents = open.iter().map(|field| names::value(&field.name));
        let docs = open.iter().map(|field| field_doc(field));
        let types = open.iter().map(|field| self.owned(&field.of));
        let values = fields.iter().map(|field| {
            let ident = names::value(&field.name);
            let value = self.when_new(&field.of).unwrap_or_else(|| quote!(seed.#ident));
            quote!(#ident: #value)
        });
        let parameter = if open.is_empty() { quote!(_) } else { quote!(seed) };
        let doc = format!("The fields of a new {noun} that have no default.");
        quote! {
            #[doc = #doc]
            #[derive(Clone, Debug)]
            pub struct #seed { #(#[doc = #docs] pub #idents: #types,)* }

            impl From<#seed> for #owner {
                fn from(#parameter: #seed) -> Self {
                    Self { #(#values,)* }
                }
            }
        }
    }
}

/// Whether the value is that of Rust's `Default`.
fn is_empty(value: &TokenStream) -> bool {
    ["None", "false", "Vec :: new ()"].contains(&value.to_string().as_str())
}

/// Whether the value needs a function call.
fn is_made(value: &TokenStream) -> bool {
    value
        .clone()
        .into_iter()
        .any(|token| matches!(token, TokenTree::Group(_)))
}
