//! The check that a found record is not hidden from the caller: its names, and how an operation calls it.

use super::{GeneratedName, names};
use crate::model::{Hidden, HiddenExcept, Model, Resource, Surface};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashSet;

/// The check of a found record in an operation of this surface. `None` if its callers see all.
pub(crate) fn check(model: &Model, surface: &Surface, resource: &str, sent: &TokenStream) -> Option<TokenStream> {
    let hidden = model.hidden_from(surface, resource)?;
    let shown = shown_to(model, surface);
    let has_exceptions = exceptions(model, surface, hidden).next().is_some();
    let is_owner = model.owner_field(surface, model.resource(resource)).is_some();
    let app = has_exceptions.then(|| quote!(app,));
    let caller = (has_exceptions || is_owner).then(|| quote!(caller.id,));
    let awaited = has_exceptions.then(|| quote!(.await));
    Some(quote!(.#shown(#app #caller &#sent)#awaited?))
}

/// The traits that the check needs.
pub(crate) fn needed(model: &Model, surface: &Surface, resource: &str) -> Vec<Ident> {
    let hidden = model.hidden_from(surface, resource).into_iter();
    let needed = hidden.flat_map(|hidden| exceptions(model, surface, hidden));
    needed
        .map(|except| GeneratedName::Has(&except.resource, resource).ident())
        .collect()
}

/// What lets callers of a surface see a hidden record that they do not own.
pub(crate) fn exceptions<'m>(
    model: &'m Model,
    surface: &Surface,
    hidden: &'m Hidden,
) -> impl Iterator<Item = &'m HiddenExcept> {
    let caller = model
        .credential_of(surface)
        .and_then(|credential| credential.caller.as_ref());
    caller
        .into_iter()
        .flat_map(|caller| hidden.exceptions_for(&caller.resource))
}

/// `shown_to_reader`, or `shown_to_all` where requests have no credential.
pub(crate) fn shown_to(model: &Model, surface: &Surface) -> Ident {
    let caller = model
        .credential_of(surface)
        .and_then(|credential| credential.caller.as_ref());
    let caller = caller.map_or("all".to_owned(), |caller| names::snake(&caller.resource));
    format_ident!("shown_to_{caller}")
}

/// `has_loan_of_book`
pub(crate) fn method(resource: &Resource, except: &HiddenExcept) -> Ident {
    format_ident!(
        "has_{}_of_{}",
        names::snake(&except.resource),
        names::snake(&resource.name)
    )
}

/// The surfaces from whose callers guards hide records of a resource.
pub(crate) fn viewers<'m>(model: &'m Model, resource: &'m Resource) -> Vec<(&'m Surface, &'m Hidden)> {
    let finding = model
        .operations()
        .filter(|(_, operation)| operation.finds(&resource.name));
    let viewers = finding.filter_map(|(surface, _)| Some((surface, model.hidden_from(surface, &resource.name)?)));
    viewers.collect()
}

/// What lets callers see hidden records that guards find, each once.
pub(crate) fn all_exceptions(model: &Model) -> Vec<(&Resource, &HiddenExcept)> {
    let resources = model.resources.iter();
    let all = resources.flat_map(|resource| {
        let of_each = viewers(model, resource).into_iter();
        of_each
            .flat_map(move |(surface, hidden)| exceptions(model, surface, hidden).map(move |except| (resource, except)))
    });
    let mut seen = HashSet::new();
    let is_first = |(resource, except): &(&Resource, &HiddenExcept)| {
        seen.insert(GeneratedName::Has(&except.resource, &resource.name).name())
    };
    all.filter(is_first).collect()
}
