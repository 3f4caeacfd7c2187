//! The names and expressions that the emitters of writes share: records that the operation finds, makes and ends, as they are before
//! and after it.

use super::keeping::stored;
use super::{OperationContext, names};
use crate::model::{Effect, Kind, Origin, Resource, Target};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote};

/// The member of the request with a record that a guard has found.
pub(crate) fn found(subject: &OperationContext<'_>, resource: &str) -> Ident {
    match subject.operation.claims(resource) {
        true => names::owned(resource),
        false => names::value(resource),
    }
}

/// The id of a record that the operation knows.
pub(crate) fn id_of(subject: &OperationContext<'_>, target: &Target) -> TokenStream {
    match target {
        Target::Caller => quote!(request.caller.id),
        Target::Made(resource) => new_id(resource).into_token_stream(),
        Target::Found(resource) => {
            let found = found(subject, resource);
            quote!(request.#found.id)
        }
    }
}

/// `id_booking`: the id of a new record.
pub(crate) fn new_id(resource: &str) -> Ident {
    format_ident!("id_{}", names::snake(resource))
}

/// `new_booking`: a new record.
pub(crate) fn new_record(resource: &str) -> Ident {
    format_ident!("new_{}", names::snake(resource))
}

/// `secret_api_key`: a new credential.
pub(crate) fn secret(credential: &str) -> Ident {
    format_ident!("secret_{}", names::snake(credential))
}

/// `ids_booking`: the ids of several new records.
pub(crate) fn new_ids(resource: &str) -> Ident {
    format_ident!("ids_{}", names::snake(resource))
}

/// `ended_booking`: a record that the operation ends.
pub(crate) fn ended(resource: &str) -> Ident {
    format_ident!("ended_{}", names::snake(resource))
}

/// The digest of a new credential, as a record has it.
pub(crate) fn digest(secret: &Ident, is_optional: bool) -> TokenStream {
    let digest = quote!(support::Digest::from_secret(&#secret).to_hex());
    match is_optional {
        true => quote!(Some(#digest)),
        false => digest,
    }
}

/// A record after the effects of the operation.
pub(crate) fn current(subject: &OperationContext<'_>, target: &Target) -> TokenStream {
    let resource = resource_of(subject, target);
    let is_it = |effect: &Effect| matches!(effect, Effect::End { resource: of, .. } if *of == resource);
    if matches!(target, Target::Found(_)) && subject.operation.effects.iter().any(is_it) {
        let ended = ended(&resource);
        return quote!(#ended.clone());
    }
    let (record, id) = (names::of_type(&resource), id_of(subject, target));
    let model = subject.context.model;
    let key = match (target, model.stored_in(model.resource(&resource))) {
        // No guard finds a record that is stored by its parent.
        (Target::Made(_), Some(parent)) => {
            let (new, parent) = (new_record(&resource), names::value(parent));
            quote!((#new.#parent, #id))
        }
        _ => id,
    };
    quote!(tx.existing::<super::#record>(#key)?)
}

/// The resource of a record that the operation knows.
pub(crate) fn resource_of(subject: &OperationContext<'_>, target: &Target) -> String {
    match target {
        Target::Made(resource) | Target::Found(resource) => resource.clone(),
        Target::Caller => subject.caller().expect("checked: there is a caller").resource.clone(),
    }
}

/// The field with the state that the operation changes, the record, its id, the states, and the member of the body with the new
/// one.
pub(crate) fn move_of(subject: &OperationContext<'_>) -> Option<[TokenStream; 5]> {
    let moved = subject.operation.transitions.as_ref()?;
    let model = subject.context.model;
    let states = model.enumeration(&moved.states).states.as_ref()?;
    let (record, field) = (names::of_type(&moved.resource), names::value(&states.of.1));
    let body = model.body(subject.operation)?;
    let member = body.members.iter().find(|member| match &member.field.of.kind {
        Kind::Enum(name) => *name == moved.states || model.enumeration(name).part_of.as_ref() == Some(&moved.states),
        _ => false,
    })?;
    let (to, of) = (names::value(&member.field.name), names::of_type(&moved.states));
    let id = id_of(subject, &Target::Found(moved.resource.clone()));
    Some([quote!(#field), quote!(#record), id, quote!(#of), quote!(#to)])
}

/// The record of a resource after the change, from `former`, and from `to` if its state moves.
pub(crate) fn after(subject: &OperationContext<'_>, resource: &str) -> TokenStream {
    let model = subject.context.model;
    let is_changed = |effect: &Effect| matches!(effect, Effect::Change { resource: of, .. } if of == resource);
    let has_change = subject.operation.effects.iter().any(is_changed);
    let body = model.body(subject.operation).filter(|_| has_change);
    let state = move_of(subject).filter(|_| {
        subject
            .operation
            .transitions
            .as_ref()
            .is_some_and(|one| one.resource == resource)
    });
    let moved = state.as_ref().map(|[field, ..]| quote!(record.#field = to;));
    let moved_field = state.as_ref().map(|[field, ..]| field.to_string());
    let applied = body.filter(|body| body.partial && body.resource.as_deref() == Some(resource));
    let applied = applied.map(|_| quote!(request.body.clone().apply(&mut record);));
    let others = body.into_iter().flat_map(|body| {
        let is_applied = body.partial && body.resource.as_deref() == Some(resource);
        let others = body
            .members
            .iter()
            .filter(move |member| !(is_applied && member.of_record));
        others.map(|member| {
            let is_option = member.field.of.optional && !member.required;
            (body.partial, is_option, &member.field)
        })
    });
    let others = others.filter(|(_, _, member)| {
        let mut fields = model.resource(resource).fields.iter();
        fields.any(|field| field.name == member.name && field.name != "id")
            && moved_field.as_deref() != Some(names::value(&member.name).to_string().as_str())
    });
    let others = others.map(|(is_partial, is_option, member)| {
        let name = names::value(&member.name);
        match (is_partial, is_option) {
            (true, _) => quote!(if let Some(value) = request.body.#name.clone() { record.#name = value; }),
            (false, true) => quote!(if let Some(value) = request.body.#name.clone() { record.#name = value.into(); }),
            (false, false) => quote!(record.#name = request.body.#name.clone().into();),
        }
    });
    quote! {
        let mut record = former.clone();
        #applied
        #(#others)*
        #moved
        record
    }
}

/// The resources that count records of this one or show the latest of them, and the field with their id.
fn parents<'m>(
    subject: &OperationContext<'m>,
    resource: &'m Resource,
) -> impl Iterator<Item = (&'m Resource, &'m str, bool)> {
    let all = stored(subject.context.model);
    all.filter_map(move |parent| {
        let via = parent.fields.iter().find_map(|field| match &field.origin {
            Some(Origin::Count { resource: of, via, .. } | Origin::Latest { resource: of, via, .. })
                if *of == resource.name =>
            {
                Some(via.as_str())
            }
            _ => None,
        })?;
        Some((parent, via, resource.field(via).of.optional))
    })
}

/// Includes a record in what its parents state, or counts it no more.
pub(crate) fn in_parents(
    subject: &OperationContext<'_>,
    resource: &Resource,
    record: &Ident,
    of: &TokenStream,
    change: &TokenStream,
) -> TokenStream {
    let parents = parents(subject, resource).map(|(parent, field, is_optional)| {
        let (parent, field) = (names::of_type(&parent.name), names::value(field));
        let id = match is_optional {
            true => quote!(#record.#field),
            false => quote!(Some(#record.#field)),
        };
        quote! {
            if let Some(id) = #id {
                let former: #parent = tx.existing(id)?;
                let mut parent = former.clone();
                support::derived::#of::<#parent>::#change(&#record, &mut parent);
                if parent != former {
                    tx.replace(&former, &parent)?;
                }
            }
        }
    });
    quote!(#(#parents)*)
}
