//! Members of what is stored, in resources and in the objects that these hold: each is read although it came after the
//! record was written, and nobody need name one that has a value of its own.

use super::{Context, names, serde};
use crate::model::{Field, Kind, Object, Type, TypeRule};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Context<'_> {
    /// The field of the struct `owner` for a member. One that a stored record lacks has there what [`Self::absences`] says.
    pub(crate) fn stored(&self, owner: &Ident, field: &Field, doc: &str) -> TokenStream {
        let (ident, word, of) = (names::value(&field.name), &field.name, self.owned(&field.of));
        let default = self.when_absent(&field.of).map(|value| {
            if is_empty(&value) {
                return quote!(#[serde(default)]);
            }
            let function = format!("{owner}::absent_{}", names::snake(word));
            quote!(#[serde(default = #function)])
        });
        let renamed = serde::renamed(word);
        quote!(#[doc = #doc] #renamed #default pub #ident: #of)
    }

    /// What stands in the place of each member that a record lacks, where that is not what Rust's `Default` gives.
    pub(crate) fn absences(&self, owner: &Ident, fields: &[Field]) -> Option<TokenStream> {
        let functions = fields.iter().filter_map(|field| {
            let value = self.when_absent(&field.of).filter(|value| !is_empty(value))?;
            let function = format_ident!("absent_{}", names::snake(&field.name));
            let of = self.owned(&field.of);
            Some(quote!(fn #function() -> #of { #value }))
        });
        let functions: Vec<_> = functions.collect();
        (!functions.is_empty()).then(|| {
            quote! {
                /// What a record that was stored before a field came has in its place.
                impl #owner { #(#functions)* }
            }
        })
    }

    /// What it takes to make one: the fields that have no value of their own.
    pub(crate) fn seed(&self, owner: &Ident, thing: &str, fields: &[Field]) -> TokenStream {
        let seed = format_ident!("{owner}Seed");
        let open = fields.iter().filter(|field| self.when_new(&field.of).is_none());
        let open: Vec<_> = open.collect();
        let idents = open.iter().map(|field| names::value(&field.name));
        let docs = open.iter().map(|field| format!("`{}`", field.name));
        let types = open.iter().map(|field| self.owned(&field.of));
        let values = fields.iter().map(|field| {
            let ident = names::value(&field.name);
            let value = self.when_new(&field.of).unwrap_or_else(|| quote!(seed.#ident));
            quote!(#ident: #value)
        });
        let given = if open.is_empty() { quote!(_) } else { quote!(seed) };
        let doc = format!("What it takes to make {thing}; its other fields have their defaults, a state its first.");
        quote! {
            #[doc = #doc]
            #[derive(Clone, Debug)]
            pub struct #seed { #(#[doc = #docs] pub #idents: #types,)* }

            impl From<#seed> for #owner {
                fn from(#given: #seed) -> Self {
                    Self { #(#values,)* }
                }
            }
        }
    }

    /// Whether records hold such objects.
    pub(crate) fn is_stored(&self, object: &Object) -> bool {
        let mut fields = self.model.resources.iter().flat_map(|resource| &resource.fields);
        let mut others = self.model.objects.iter().filter(|other| other.name != object.name);
        let holds = |field: &Field| self.holds(&field.of, object);
        fields.any(holds) || others.any(|other| other.members.iter().any(holds) && self.is_stored(other))
    }

    fn holds(&self, of: &Type, object: &Object) -> bool {
        match &of.kind {
            Kind::Object(name) => *name == object.name,
            Kind::Named(name) => match &self.model.named_type(name).rule {
                TypeRule::List { of, .. } => self.holds(of, object),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether it is what Rust's `Default` gives.
fn is_empty(value: &TokenStream) -> bool {
    ["None", "false", "Vec :: new ()"].contains(&value.to_string().as_str())
}
