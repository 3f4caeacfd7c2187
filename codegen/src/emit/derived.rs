//! Emits the stored fields that follow from other records: what a record states, and what each other record contributes.

use crate::emit::shared::{Context, GeneratedName, names};
use crate::model::{Field, Origin, Resource};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let resources = &context.model.resources;
    if resources.iter().all(|resource| derived(resource).is_empty()) {
        return TokenStream::new();
    }
    let parents = resources.iter().filter(|resource| !derived(resource).is_empty());
    let methods = parents.map(|parent| {
        let (name, record) = (names::value(&parent.name), names::of_type(&parent.name));
        let id = GeneratedName::Id(&parent.name).ident();
        let doc = format!("Of the {} with this id, if there is one.", parent.noun);
        quote!(#[doc = #doc] fn #name(&mut self, id: #id) -> Option<&mut <#record as support::derived::Derived>::Values>;)
    });
    let records = resources.iter().map(|resource| {
        let (states, tallied) = (states(context, resource), tallied(context, resource));
        quote!(#states #tallied)
    });
    quote! {
        /// The values of derived fields while all records of a store are read, each kind after those that it names.
        pub trait Tallies { #(#methods)* }

        /// A record that is read.
        pub trait Tallied {
            /// Includes this record in the values that follow from it.
            fn tally(&self, tallies: &mut impl Tallies);
        }

        #(#records)*
    }
}

/// The stored fields of a resource that follow from other records.
fn derived(resource: &Resource) -> Vec<&Field> {
    if resource.distinct.is_some() {
        return Vec::new();
    }
    let is_derived = |field: &&Field| matches!(field.origin, Some(Origin::Count { .. } | Origin::Latest { .. }));
    resource.fields.iter().filter(is_derived).collect()
}

fn states(context: &Context<'_>, resource: &Resource) -> TokenStream {
    let (record, fields) = (names::of_type(&resource.name), derived(resource));
    let types = fields.iter().map(|field| {
        let of = context.present(&field.of);
        if is_count(field) { of } else { quote!(Option<#of>) }
    });
    let sources = fields.iter().map(|field| {
        let (name, source) = (&field.name, field.origin.as_ref().map(ToString::to_string));
        quote!((#name, #source))
    });
    let stated = fields.iter().map(|field| {
        let name = names::value(&field.name);
        let value = if context.is_copy(&field.of) {
            quote!(self.#name)
        } else {
            quote!(self.#name.clone())
        };
        if is_count(field) || field.of.optional {
            value
        } else {
            quote!(Some(#value))
        }
    });
    let stated = (!fields.is_empty()).then(|| quote!((#(#stated,)*)));
    let written = fields.iter().zip(0..).map(|(field, place)| {
        let (name, place) = (names::value(&field.name), Literal::usize_unsuffixed(place));
        match is_count(field) || field.of.optional {
            true => quote!(self.#name = values.#place;),
            false => quote!(if let Some(value) = values.#place { self.#name = value; }),
        }
    });
    let values = if fields.is_empty() {
        quote!((): ())
    } else {
        quote!(values: Self::Values)
    };
    quote! {
        impl support::derived::Derived for #record {
            type Values = (#(#types,)*);
            const SOURCES: &'static [(&'static str, &'static str)] = &[#(#sources),*];

            fn stated(&self) -> Self::Values {
                #stated
            }

            fn state(&mut self, #values) {
                #(#written)*
            }
        }
    }
}

fn is_count(field: &Field) -> bool {
    matches!(field.origin, Some(Origin::Count { .. }))
}

/// What a record contributes to each record that it names.
fn tallied(context: &Context<'_>, resource: &Resource) -> TokenStream {
    let record = names::of_type(&resource.name);
    let (mut calls, mut sources) = (Vec::new(), Vec::new());
    for parent in &context.model.resources {
        let fields = derived(parent);
        let from_here = fields.iter().zip(0..).filter_map(|(field, place)| match &field.origin {
            Some(Origin::Count { resource: from, via }) if *from == resource.name => Some((via, None, place)),
            Some(Origin::Latest {
                resource: from,
                via,
                field,
            }) if *from == resource.name => Some((via, Some(resource.field(field)), place)),
            _ => None,
        });
        let from_here: Vec<_> = from_here.collect();
        let Some((via, ..)) = from_here.first() else { continue };
        let (name, of) = (names::value(&parent.name), names::of_type(&parent.name));
        let id = names::value(via);
        let values = quote!(if let Some(values) = tallies.#name);
        let include = quote!({ support::derived::Source::<#of>::include(self, values); });
        calls.push(match resource.field(via).of.optional {
            true => quote!(if let Some(id) = self.#id { #values(id) #include }),
            false => quote!(#values(self.#id) #include),
        });
        sources.push(source(context, (&record, &of), &from_here));
    }
    let tallies = if calls.is_empty() { quote!(_) } else { quote!(tallies) };
    quote! {
        impl Tallied for #record {
            fn tally(&self, #tallies: &mut impl Tallies) {
                #(#calls)*
            }
        }

        #(#sources)*
    }
}

/// `fields`: the field with the parent's id, the field whose latest value is taken or none to count, and its place.
fn source(
    context: &Context<'_>,
    (record, parent): (&Ident, &Ident),
    fields: &[(&String, Option<&Field>, usize)],
) -> TokenStream {
    let places = || fields.iter().map(|(.., place)| Literal::usize_unsuffixed(*place));
    let included = fields.iter().zip(places()).map(|((_, latest, _), place)| match latest {
        None => quote!(values.#place += 1;),
        Some(field) => {
            let name = names::value(&field.name);
            let value = if context.is_copy(&field.of) {
                quote!(self.#name)
            } else {
                quote!(self.#name.clone())
            };
            let value = if field.of.optional { value } else { quote!(Some(#value)) };
            quote!(values.#place = #value;)
        }
    });
    let are_counts = fields.iter().all(|(_, latest, _)| latest.is_none());
    let places = places();
    let counted = are_counts.then(|| {
        quote! {
            impl support::derived::Counted<#parent> for #record {
                fn removed_from(&self, parent: &mut #parent) {
                    let mut values = support::derived::Derived::stated(parent);
                    #(values.#places -= 1;)*
                    support::derived::Derived::state(parent, values);
                }
            }
        }
    });
    quote! {
        impl support::derived::Source<#parent> for #record {
            fn include(&self, values: &mut <#parent as support::derived::Derived>::Values) {
                #(#included)*
            }
        }

        #counted
    }
}
