//! Which members of a view a write determines: those in its request, those in its answer, and initial values of a new
//! resource.
//!
//! A member of a body is a field of the written resource if the body declares it (`resource`), or if both have the same
//! name and type: a name has one meaning in a contract.

use super::written::Written;
use crate::contract::Operation;
use crate::invariants::{ExpectedMember, IdOrigin};
use crate::suite::description::fields::{is_same, untouched};
use codegen::model::{Body, BodyMember, Data, Effect, Field, Fill, Input, Kind, Model, Origin, Source, Type, View};

/// The named body of the items, for a list of this type.
pub(super) fn input_of_items(model: &'static Model, of: &'static Type) -> Option<&'static Input> {
    match model.item_kind(of)? {
        Kind::Input(name) => Some(model.input(name)),
        _ => None,
    }
}

/// The members that show what the request gave, or the initial value.
pub(super) fn decided(write: &Operation, written: &Written, view: &'static View) -> Vec<ExpectedMember> {
    if !written.is_subject {
        return Vec::new();
    }
    let model = write.contract.model;
    let body = write.declared_body();
    let body = match (written.items, body) {
        (Some(items), Some(body)) => {
            let member = body.members.iter().find(|member| member.field.name == items);
            member.and_then(|member| Some(&input_of_items(model, &member.field.of)?.body))
        }
        (_, body) => body,
    };
    let is_new = matches!(written.id_origin, IdOrigin::InData(_));
    stored(written, view)
        .filter_map(|(field, shown)| {
            let given = body.and_then(|body| given(write, body, field));
            let given = given.filter(|member| is_stored(write, written, field, member));
            let is_free = given.is_some() || !body.is_some_and(|body| has_namesake(body, field));
            let starts = is_new && is_free && body.is_some_and(|body| body.resource.is_some());
            let starts = starts && !is_used_to_read(model, written, field);
            let otherwise = starts.then(|| untouched(model, field)).flatten();
            (given.is_some() || otherwise.is_some()).then_some(ExpectedMember {
                member: given,
                view_member: shown,
                otherwise,
            })
        })
        .collect()
}

/// Whether the field says when the record's own credential was used: who reads the record may have used it.
fn is_used_to_read(model: &Model, written: &Written, field: &Field) -> bool {
    let Some(Origin::LastUse { credential, .. }) = &field.origin else {
        return false;
    };
    let caller = model.credential(credential).caller.as_ref();
    caller.is_some_and(|caller| caller.resource == written.resource.name)
}

/// The members of the answer that the view shows, too, each with its name there.
pub(super) fn told(write: &Operation, written: &Written, view: &'static View) -> Vec<(&'static str, &'static str)> {
    let (Some(Data::Members(members)), true) = (&write.declared.data, written.is_subject && written.items.is_none())
    else {
        return Vec::new();
    };
    stored(written, view)
        .filter_map(|(field, shown)| {
            let is_it = |member: &&Field| member.name == field.name && is_same(&member.of, &field.of);
            let told = members.iter().find(is_it).filter(|told| told.of.kind != own(written))?;
            Some((told.name.as_str(), shown))
        })
        .collect()
}

fn own(written: &Written) -> Kind {
    Kind::Id(written.resource.name.clone())
}

/// The stored fields that the view shows, each with its name there.
fn stored(written: &Written, view: &'static View) -> impl Iterator<Item = (&'static Field, &'static str)> {
    let resource = written.resource;
    view.members.iter().filter_map(move |member| match &member.source {
        Source::Stored(stored) => Some((resource.field(stored), member.shown.as_str())),
        _ => None,
    })
}

/// The member of the body that gives the field.
fn given(write: &Operation, body: &'static Body, field: &Field) -> Option<&'static str> {
    let moves = write.declared.transitions.as_ref().zip(write.transitions.as_ref());
    let by_move = moves.filter(|(moved, _)| field.of.kind == Kind::Enum(moved.states.clone()));
    let is_it = |member: &&BodyMember| {
        member.field.name == field.name && (member.of_record || is_same(&member.field.of, &field.of))
    };
    let given = body.members.iter().find(is_it).map(|member| member.field.name.as_str());
    given.or(by_move.map(|(_, moves)| moves.member))
}

/// Whether the effects of the operation, if it declares any, store the member of the body in the field.
fn is_stored(write: &Operation, written: &Written, field: &Field, member: &str) -> bool {
    let model = write.contract.model;
    let is_state = model.enums.iter().filter_map(|one| one.states.as_ref());
    let mut is_state = is_state.filter(|states| states.of == (written.resource.name.clone(), field.name.clone()));
    let is_moved = write.declared.transitions.is_some() && is_state.next().is_some();
    let stores = |effect: &Effect| match effect {
        Effect::Make { resource, fills, .. } => {
            let fill = fills
                .iter()
                .find(|(known, _)| *known == field.name)
                .map(|(_, fill)| fill);
            let is_body = |fill: &Fill| matches!(fill, Fill::Member(from) if from == member);
            *resource == written.resource.name && fill.is_some_and(is_body)
        }
        Effect::Change { resource, .. } => *resource == written.resource.name,
        Effect::End { .. } | Effect::Renew { .. } | Effect::Revoke { .. } => false,
    };
    let effects = &write.declared.effects;
    effects.is_empty() || is_moved || effects.iter().any(stores)
}

fn has_namesake(body: &Body, field: &Field) -> bool {
    body.members.iter().any(|member| member.field.name == field.name)
}
