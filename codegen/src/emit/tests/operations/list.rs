//! The facts about a list and its items that the conformance library gets.

use crate::emit::shared::literals::option;
use crate::emit::shared::{Context, names};
use crate::emit::tests::shared::lists::{Creation, Listed, Moving, Origin, filter_name, is_told, listed};
use crate::emit::tests::shared::shapes::reference;
use crate::model::{Filter, FilterBy, Kind, Matching, Operation, Source, Surface};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn emit(context: &Context<'_>, surface: &Surface, operation: &Operation) -> Option<TokenStream> {
    let model = context.model;
    let list = listed(model, surface, operation)?;
    let (resource, id) = (&list.resource.name, list.id);
    let known = list.view.members.iter().filter(|member| match &list.creation {
        Some(_) => list.is_known(model, &member.source),
        None => matches!(member.source, Source::Stored(_)),
    });
    let shows = known.map(|member| {
        let (shown, source) = (&member.shown, source(&member.source));
        quote!((#shown, #source))
    });
    let order = operation
        .sort
        .iter()
        .map(|(field, reversed)| sort_key(&list, field, *reversed));
    let filters = operation.filters.iter().map(|one| filter(context, operation, one));
    let filters = option(is_told(model, surface, operation).then(|| quote!(&[#(#filters),*])));
    let creator = option(list.creation.as_ref().map(creator));
    Some(quote! {
        List {
            resource: #resource,
            id: #id,
            shows: &[#(#shows),*],
            order: &[#(#order),*],
            filters: #filters,
            creator: #creator,
        }
    })
}

fn source(source: &Source) -> TokenStream {
    match source {
        Source::Stored(field) | Source::Joined(field) => quote!(Source::of(#field)),
        Source::Each(field, member) => quote!(Source::each(#field, #member)),
    }
}

fn sort_key(list: &Listed<'_>, field: &str, reversed: bool) -> TokenStream {
    let of = reference(&list.resource.field(field).of);
    let shows = |source: &Source| matches!(source, Source::Stored(stored) if stored == field);
    let shown = list.view.members.iter().find(|member| shows(&member.source));
    let shown = option(shown.map(|member| &member.shown));
    quote!(SortKey { field: #field, view_member: #shown, of: #of, is_reversed: #reversed })
}

fn filter(context: &Context<'_>, operation: &Operation, filter: &Filter) -> TokenStream {
    let (name, rule, place) = (
        filter_name(operation, filter),
        filter.to_string(),
        context.at(filter.at),
    );
    let source = source(&filter.field);
    let by = match &filter.by {
        FilterBy::Query(parameter, matching) => {
            let matching = matching_of(*matching);
            quote!(FilterBy::Query(#parameter, #matching))
        }
        FilterBy::Path(parameter) => quote!(FilterBy::Path(#parameter)),
        FilterBy::Caller => quote!(FilterBy::Caller),
        FilterBy::Value(value) => {
            let is_word = matches!(filter.of.kind, Kind::Enum(_));
            let json = if is_word { format!("\"{value}\"") } else { value.clone() };
            quote!(FilterBy::Value(#json))
        }
    };
    quote!(Filter { name: #name, rule: #rule, at: #place, by: #by, source: #source })
}

fn matching_of(matching: Matching) -> TokenStream {
    let ident = format_ident!("{}", format!("{matching:?}"));
    quote!(Matching::#ident)
}

fn creator(creation: &Creation<'_>) -> TokenStream {
    let (operation, id) = (static_of(creation.surface, creation.operation), creation.id);
    let fields = creation.fields.iter().map(|(field, origin)| {
        let (field, origin) = (&field.name, origin_of(origin));
        quote!((#field, #origin))
    });
    let may_repeat = creation.operation.rules.is_empty();
    let mover = option(creation.moving.as_ref().map(mover));
    quote! {
        Creator {
            operation: #operation,
            id: #id,
            fields: &[#(#fields),*],
            may_repeat: #may_repeat,
            mover: #mover,
        }
    }
}

fn origin_of(origin: &Origin<'_>) -> TokenStream {
    match origin {
        Origin::Id => quote!(Origin::Id),
        Origin::Member(member, otherwise) => {
            let (name, otherwise) = (&member.field.name, option(otherwise.as_ref()));
            quote!(Origin::Member(#name, #otherwise))
        }
        Origin::Caller => quote!(Origin::Caller),
        Origin::Named(resource) => quote!(Origin::Named(#resource)),
        Origin::Always(json) => quote!(Origin::Always(#json)),
    }
}

fn mover(moving: &Moving<'_>) -> TokenStream {
    let (operation, member, field) = (static_of(moving.surface, moving.operation), moving.member, moving.field);
    let ways = moving.ways.iter().map(|way| quote!(&[#(#way),*]));
    quote! {
        Mover { operation: #operation, member: #member, field: #field, ways: &[#(#ways),*] }
    }
}

/// The path of an operation's static from the static of another operation.
fn static_of(surface: &Surface, operation: &Operation) -> TokenStream {
    let (surface, operation) = (names::value(&surface.name), names::value(&operation.name));
    quote!(&super::super::#surface::#operation::OPERATION)
}
