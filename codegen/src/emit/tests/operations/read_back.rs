//! Which operation shows what another one wrote, and as what.

use crate::emit::shared::names;
use crate::emit::tests::shared::shapes::json;
use crate::emit::tests::shared::states::moved_member;
use crate::model::{Data, Exists, Field, IdSource, Kind, Model, Operation, Resource, Source, Surface, View};
use proc_macro2::TokenStream;
use quote::quote;

/// How the operation that shows it is told what to show.
enum Landing {
    InData(String),
    Named,
    Own,
}

pub(super) fn emit(model: &Model, surface: &Surface, write: &Operation) -> Option<TokenStream> {
    let body = model.body(write)?;
    let resource = model.resource(
        body.resource
            .as_ref()
            .or(write.transitions.as_ref().map(|(resource, _)| resource))?,
    );
    let landing = landing(model, surface, write, resource)?;
    let (shown_on, reader, view) = reader(model, surface, write, resource, &landing)?;
    let members = shown(model, write, resource, view, matches!(landing, Landing::InData(_)));
    if members.is_empty() {
        return None;
    }
    let (module, operation) = (names::value(&shown_on.name), names::value(&reader.name));
    let landing = match landing {
        Landing::InData(member) => quote!(Landing::InData(#member)),
        Landing::Named => {
            let name = &resource.name;
            quote!(Landing::Named(#name))
        }
        Landing::Own => quote!(Landing::Own),
    };
    Some(quote! {
        ReadBack { operation: &super::super::#module::#operation::OPERATION, landing: #landing, members: &[#(#members),*] }
    })
}

fn landing(model: &Model, surface: &Surface, write: &Operation, resource: &Resource) -> Option<Landing> {
    let is_id = |field: &&Field| field.of.kind == Kind::Id(resource.name.clone()) && !field.of.list;
    if let Some(Data::Members(members)) = &write.data
        && let Some(member) = members.iter().find(is_id)
    {
        return Some(Landing::InData(member.name.clone()));
    }
    if write.exists.iter().any(|exists| exists.resource == resource.name) {
        return Some(Landing::Named);
    }
    let credential = model.credential(surface.credential.as_ref()?);
    let own = credential
        .caller
        .as_ref()
        .is_some_and(|caller| caller.resource == resource.name);
    (own && write.path.is_empty() && write.data.is_none()).then_some(Landing::Own)
}

/// An operation that shows one such resource by nothing but its id, on the same surface if there is one.
fn reader<'m>(
    model: &'m Model,
    surface: &Surface,
    write: &Operation,
    resource: &'m Resource,
    landing: &Landing,
) -> Option<(&'m Surface, &'m Operation, &'m View)> {
    let own = matches!(landing, Landing::Own);
    let mut found: Vec<_> = model
        .surfaces
        .iter()
        .flat_map(|on| on.operations.iter().map(move |operation| (on, operation)))
        .filter_map(|(on, operation)| {
            let Some(Data::One { resource: shown, view }) = &operation.data else {
                return None;
            };
            let view = resource.views.iter().find(|one| one.name == *view)?;
            let same = on.credential == surface.credential;
            let plain = operation
                .query
                .iter()
                .all(|field| field.of.optional || field.of.default.is_some());
            let named = match operation.exists.as_slice() {
                [] => own && same && operation.path.is_empty(),
                [
                    Exists {
                        resource: found,
                        id: IdSource::Path(_),
                        parent: None,
                    },
                ] => {
                    !own && *found == resource.name && operation.path.len() == 1 && (same || operation.owned.is_empty())
                }
                _ => false,
            };
            let readable = operation.plan.is_none() || operation.plan == write.plan;
            (*shown == resource.name && plain && named && readable).then_some((on, operation, view))
        })
        .collect();
    found.sort_by_key(|(on, ..)| on.name != surface.name);
    found.into_iter().next()
}

/// The members of the view that the write decides.
fn shown(model: &Model, write: &Operation, resource: &Resource, view: &View, creates: bool) -> Vec<TokenStream> {
    let body = model.body(write).expect("called for an operation with a body");
    let moved = write.transitions.as_ref().zip(moved_member(model, write));
    view.members
        .iter()
        .filter_map(|member| {
            let Source::Stored(stored) = &member.source else {
                return None;
            };
            let field = resource.field(stored);
            let of_record = body
                .members
                .iter()
                .find(|one| one.of_record && one.field.name == *stored);
            let other = body
                .members
                .iter()
                .any(|one| !one.of_record && one.field.name == *stored);
            let by_move = moved
                .filter(|((_, states), _)| field.of.kind == Kind::Enum(states.clone()))
                .map(|(_, (name, _))| name);
            let given = of_record.map(|one| one.field.name.as_str()).or(by_move);
            if given.is_none() && (other || !creates) {
                return None;
            }
            let otherwise = if creates { untouched(model, field) } else { None };
            let shown = &member.shown;
            match (given, otherwise) {
                (Some(given), Some(value)) => Some(quote!(Shown::given(#given, #shown).or(#value))),
                (Some(given), None) => Some(quote!(Shown::given(#given, #shown))),
                (None, Some(value)) => Some(quote!(Shown::initial(#shown, #value))),
                (None, None) => None,
            }
        })
        .collect()
}

/// What a field is that nobody gave, as JSON.
fn untouched(model: &Model, field: &Field) -> Option<String> {
    if let Some(default) = &field.of.default {
        return Some(json(model, &field.of, default));
    }
    if field.of.optional {
        return Some("null".to_owned());
    }
    match &field.of.kind {
        _ if field.of.list => Some("[]".to_owned()),
        Kind::Enum(name) if field.of.has_states => model
            .enumeration(name)
            .states
            .as_ref()
            .map(|states| format!("\"{}\"", states.initial)),
        _ => None,
    }
}
