//! Emits how records are stored: their keys, and their rows in the indexes that the lists of the contract need.

use crate::emit::shared::{Context, GeneratedName, names};
use crate::model::{Index, Nulls, Resource};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let stored = context.model.resources.iter().filter(|one| one.stored_id().is_some());
    let records = stored.map(|resource| indexed(context, resource));
    quote!(#(#records)*)
}

fn indexed(context: &Context<'_>, resource: &Resource) -> TokenStream {
    let (record, id) = (
        names::of_type(&resource.name),
        GeneratedName::Id(&resource.name).ident(),
    );
    let parent = context.model.stored_in(resource).map(|field| resource.field(field));
    let (key_type, key) = match parent {
        Some(parent) => {
            let (of, name) = (context.owned(&parent.of), names::value(&parent.name));
            (quote!((#of, #id)), quote!((self.#name, self.id)))
        }
        None => (quote!(#id), quote!(self.id)),
    };
    let columns = parent.into_iter().chain([resource.field("id")]).map(|field| {
        let ids = context.model.ids_of(&field.of.kind).expect("keys consist of ids");
        Context::column(ids, &field.name)
    });
    let indexes = context.model.indexes(resource);
    let fields = indexes.iter().map(ToString::to_string);
    let places = || (0..indexes.len()).map(Literal::usize_unsuffixed);
    let (at_rows, rows) = (places(), indexes.iter().map(|index| row(context, resource, index)));
    let (of_unique, of_others): (Vec<_>, Vec<_>) = indexes.iter().enumerate().partition(|(_, index)| index.is_unique);
    let unique = of_unique.iter().map(|(place, _)| Literal::usize_unsuffixed(*place));
    let unique = (!of_unique.is_empty()).then(|| quote!(#(#unique)|* => { let _ = row; support::Key::read(value) }));
    let at_keys = of_others.iter().map(|(place, _)| Literal::usize_unsuffixed(*place));
    let keys = of_others.iter().map(|(_, index)| key_of_row(context, resource, index));
    let at = if indexes.is_empty() { quote!(_) } else { quote!(index) };
    let (row_name, value_name) = match (indexes.is_empty(), unique.is_some()) {
        (true, _) => (quote!(_), quote!(_)),
        (false, false) => (quote!(row), quote!(_)),
        (false, true) => (quote!(row), quote!(value)),
    };
    let body = match indexes.is_empty() {
        true => quote!(None),
        false => quote! {
            let mut row = support::index::Row::default();
            match index {
                #(#at_rows => { #rows })*
                _ => return None,
            }
            Some(row)
        },
    };
    let read = match indexes.is_empty() {
        true => quote!(None),
        false => quote!(match index { #unique #(#at_keys => { #keys })* _ => None }),
    };
    quote! {
        impl support::index::Indexed for #record {
            type Key = #key_type;
            type Id = #id;
            const COLUMNS: &'static [support::key::Column] = &[#(#columns),*];
            const INDEXES: &'static [&'static str] = &[#(#fields),*];

            fn key(&self) -> Self::Key {
                #key
            }

            fn row(&self, #at: usize) -> Option<support::index::Row> {
                #body
            }

            fn of_row(#at: usize, #row_name: &[u8], #value_name: &[u8]) -> Option<Self::Key> {
                #read
            }
        }
    }
}

/// Writes the parts of a row.
fn row(context: &Context<'_>, resource: &Resource, index: &Index) -> TokenStream {
    let only = index.only.as_ref().map(|only| {
        let holds = context.holds(only, resource, &quote!(self));
        quote!(if !(#holds) { return None; })
    });
    let parts = index.parts.iter().map(|key| {
        let (field, descends) = (resource.field(&key.field), key.descends);
        let name = names::value(&field.name);
        let is_there = key.nulls.filter(|_| key.moves_nulls()).map(|nulls| {
            let is_after = match nulls {
                Nulls::First => quote!(is_some),
                Nulls::Last => quote!(is_none),
            };
            quote!(support::index::write(&self.#name.#is_after(), false, &mut row.key);)
        });
        // Records without the value may be many.
        match index.is_unique && field.of.optional {
            true => quote!(support::index::write(self.#name.as_ref()?, #descends, &mut row.key);),
            false => quote!(#is_there support::index::write(&self.#name, #descends, &mut row.key);),
        }
    });
    let value = index
        .is_unique
        .then(|| quote!(row.value = support::Key::bytes(&support::index::Indexed::key(self));));
    quote!(#only #(#parts)* #value)
}

/// Reads the key of the record that has a row, which ends with its id.
fn key_of_row(context: &Context<'_>, resource: &Resource, index: &Index) -> TokenStream {
    let parent = context.model.stored_in(resource);
    let (last, others) = index.parts.split_last().expect("an index has the id at least");
    let skipped = others.iter().map(|key| {
        let (field, descends) = (resource.field(&key.field), key.descends);
        let of = context.owned(&field.of);
        let is_there = key
            .moves_nulls()
            .then(|| quote!(support::index::skip::<bool>(&mut rest, false)?;));
        match parent == Some(field.name.as_str()) {
            true => quote! {
                let mut parent = rest;
                support::index::skip::<#of>(&mut rest, #descends)?;
                parent = &parent[..parent.len() - rest.len()];
            },
            false => quote!(#is_there support::index::skip::<#of>(&mut rest, #descends)?;),
        }
    });
    let descends = last.descends;
    let id = quote!(support::index::last(rest, #descends));
    let key = match parent {
        Some(_) => quote!(Some((support::Key::read(parent)?, #id?))),
        None => id,
    };
    let mutable = (!others.is_empty()).then(|| quote!(mut));
    quote! {
        let #mutable rest = row;
        #(#skipped)*
        #key
    }
}
