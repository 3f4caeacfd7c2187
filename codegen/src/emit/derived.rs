//! Emits the stored fields that follow from other records: what a record states, and what each other record contributes.

use crate::emit::shared::{Context, names};
use crate::model::{Field, Kind, Origin, Resource};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let stored = context.model.resources.iter().filter(|one| one.stored_id().is_some());
    let records = stored.map(|resource| {
        let (states, facts) = (states(context, resource), facts(context, resource));
        quote!(#states #facts)
    });
    quote!(#(#records)*)
}

/// The stored fields of a resource that follow from other records.
fn derived(resource: &Resource) -> Vec<&Field> {
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

/// The resource whose id a stored field has, if a record of it must exist.
fn named_by(field: &Field) -> Option<&str> {
    match &field.of.kind {
        Kind::Id(resource) if !field.of.list && field.name != "id" && field.origin.is_none() => Some(resource),
        _ => None,
    }
}

/// What a record is beside the others, and what it contributes to each that it names.
fn facts(context: &Context<'_>, resource: &Resource) -> TokenStream {
    let record = names::of_type(&resource.name);
    let name = &resource.name;
    let others = context.model.resources.iter().filter(|other| other.name != *name);
    let is_named = others
        .flat_map(|other| &other.fields)
        .any(|field| named_by(field) == Some(name.as_str()));
    let named = resource.fields.iter().filter_map(|field| {
        let (of, id) = (named_by(field)?, names::value(&field.name));
        // A record of its own kind may come later.
        if of == name {
            return None;
        }
        Some(match field.of.optional {
            true => quote!(if let Some(id) = self.#id { each(#of, &support::Key::bytes(&id)); }),
            false => quote!(each(#of, &support::Key::bytes(&self.#id));),
        })
    });
    let named: Vec<_> = named.collect();
    let each = if named.is_empty() { quote!(_) } else { quote!(each) };
    let digest = resource
        .fields
        .iter()
        .find(|field| matches!(field.origin, Some(Origin::Digest(_))));
    let digest = digest.map_or(quote!(None), |field| {
        let name = names::value(&field.name);
        match field.of.optional {
            true => quote!(self.#name.as_deref()),
            false => quote!(Some(&self.#name)),
        }
    });
    let (mut calls, mut sources) = (Vec::new(), Vec::new());
    for parent in context.model.resources.iter().filter(|one| one.stored_id().is_some()) {
        let fields = derived(parent);
        let from_here = fields.iter().zip(0..).filter_map(|(field, place)| match &field.origin {
            Some(Origin::Count {
                resource: from,
                via,
                only,
            }) if *from == resource.name => {
                let counts = only.as_ref().map(|only| context.holds(only, resource, &quote!(self)));
                Some((via, Contribution::One(counts), place))
            }
            Some(Origin::Latest {
                resource: from,
                via,
                field,
            }) if *from == resource.name => Some((via, Contribution::Latest(resource.field(field)), place)),
            _ => None,
        });
        let from_here: Vec<_> = from_here.collect();
        let Some((via, ..)) = from_here.first() else { continue };
        let (of, id) = (names::of_type(&parent.name), names::value(via));
        let found = |id: TokenStream| quote!(let Some(values) = tallies.found::<#of>(&support::Key::bytes(&#id)));
        let values = match resource.field(via).of.optional {
            true => {
                let values = found(quote!(id));
                quote!(let Some(id) = self.#id && #values)
            }
            false => found(quote!(self.#id)),
        };
        calls.push(quote!(if #values { support::derived::Source::<#of>::include(self, values); }));
        sources.push(source(context, (&record, &of), &from_here));
    }
    let tallies = if calls.is_empty() { quote!(_) } else { quote!(tallies) };
    quote! {
        impl support::derived::Facts for #record {
            const RESOURCE: &'static str = #name;
            const IS_NAMED: bool = #is_named;

            fn named(&self, #each: &mut impl FnMut(&'static str, &[u8])) {
                #(#named)*
            }

            fn digest(&self) -> Option<&str> {
                #digest
            }

            fn tally(&self, #tallies: &mut impl support::derived::Tallies) {
                #(#calls)*
            }
        }

        #(#sources)*
    }
}

/// What a record contributes to a field of its parent.
enum Contribution<'m> {
    /// One more, if this is so of it.
    One(Option<TokenStream>),
    /// Its value of this field.
    Latest(&'m Field),
}

/// `fields`: the field with the parent's id, what the record contributes, and the place of the parent's field.
fn source(
    context: &Context<'_>,
    (record, parent): (&Ident, &Ident),
    fields: &[(&String, Contribution<'_>, usize)],
) -> TokenStream {
    let places = || fields.iter().map(|(.., place)| Literal::usize_unsuffixed(*place));
    let counted = |change: TokenStream| {
        let counted = fields
            .iter()
            .zip(places())
            .filter_map(|((_, contribution, _), place)| match contribution {
                Contribution::One(None) => Some(quote!(values.#place #change;)),
                Contribution::One(Some(counts)) => Some(quote!(if #counts { values.#place #change; })),
                Contribution::Latest(_) => None,
            });
        counted.collect::<TokenStream>()
    };
    let latest = fields.iter().zip(places()).filter_map(|((_, contribution, _), place)| {
        let Contribution::Latest(field) = contribution else {
            return None;
        };
        let name = names::value(&field.name);
        let value = if context.is_copy(&field.of) {
            quote!(self.#name)
        } else {
            quote!(self.#name.clone())
        };
        let value = if field.of.optional { value } else { quote!(Some(#value)) };
        Some(quote!(values.#place = #value;))
    });
    let (more, fewer) = (counted(quote!(+= 1)), counted(quote!(-= 1)));
    let are_counts = fields.iter().all(|(_, one, _)| matches!(one, Contribution::One(_)));
    let counted = are_counts.then(|| {
        quote! {
            impl support::derived::Counted<#parent> for #record {
                fn removed_from(&self, parent: &mut #parent) {
                    let mut values = support::derived::Derived::stated(parent);
                    #fewer
                    support::derived::Derived::state(parent, values);
                }
            }
        }
    });
    quote! {
        impl support::derived::Source<#parent> for #record {
            fn include(&self, values: &mut <#parent as support::derived::Derived>::Values) {
                #more
                #(#latest)*
            }
        }

        #counted
    }
}
