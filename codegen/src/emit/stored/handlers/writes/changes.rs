//! Emits changes of records, their ends, and new credentials of theirs.

use crate::emit::shared::keeping::digest_of;
use crate::emit::shared::writing::{after, digest, ended, id_of, in_parents, secret};
use crate::emit::shared::{OperationContext, names};
use crate::model::{Effect, Origin, Target};
use proc_macro2::TokenStream;
use quote::quote;

/// The effects on records that are there, ends last; and the move to another state.
pub(super) fn emit(subject: &OperationContext<'_>) -> TokenStream {
    let effects = || subject.operation.effects.iter();
    let changed = effects().filter_map(|effect| match effect {
        Effect::Change { resource, target, .. } => Some((resource, target)),
        _ => None,
    });
    let moved = subject
        .operation
        .transitions
        .as_ref()
        .map(|moved| moved.resource.clone());
    let moved = moved.map(|resource| (resource.clone(), Target::Found(resource)));
    let all = changed.chain(moved.iter().map(|(resource, target)| (resource, target)));
    let mut changes: Vec<(&String, &Target)> = Vec::new();
    for one in all {
        if !changes.contains(&one) {
            changes.push(one);
        }
    }
    let changes = changes
        .into_iter()
        .map(|(resource, target)| change(subject, resource, target));
    let renewed = effects().filter_map(|effect| match effect {
        Effect::Renew { credential, target, .. } => Some(renew(subject, credential, target, true)),
        Effect::Revoke { credential, target, .. } => Some(renew(subject, credential, target, false)),
        _ => None,
    });
    let ended = effects().filter_map(|effect| match effect {
        Effect::End { resource, .. } => Some(end(subject, resource)),
        _ => None,
    });
    quote!(#(#changes)* #(#renewed)* #(#ended)*)
}

fn change(subject: &OperationContext<'_>, resource: &str, target: &Target) -> TokenStream {
    let (record, id, after) = (
        names::of_type(resource),
        id_of(subject, target),
        after(subject, resource),
    );
    // A caller's rights may have changed.
    let mut callers = subject
        .context
        .model
        .credentials
        .iter()
        .filter_map(|one| one.caller.as_ref());
    let is_caller = callers.any(|caller| caller.resource == *resource);
    let awaited = is_caller.then(|| quote!(tx.await_everywhere();));
    quote! {{
        let former: #record = tx.existing(#id)?;
        let record = { #after };
        if record != former {
            tx.replace(&former, &record)?;
        }
        #awaited
    }}
}

fn end(subject: &OperationContext<'_>, resource: &str) -> TokenStream {
    let (record, ended) = (names::of_type(resource), ended(resource));
    let id = id_of(subject, &Target::Found(resource.to_owned()));
    let parents = in_parents(
        subject,
        subject.context.model.resource(resource),
        &ended,
        &quote!(Counted),
        &quote!(removed_from),
    );
    quote! {
        let #ended: #record = tx.existing(#id)?;
        tx.delete(&#ended)?;
        #parents
        tx.await_everywhere();
    }
}

/// Replaces the credential of a record by a new one, or ends it.
fn renew(subject: &OperationContext<'_>, credential: &str, target: &Target, is_new: bool) -> TokenStream {
    let model = subject.context.model;
    let credential = model.credential(credential);
    let (resource, of_digest) = digest_of(model, credential).expect("checked: its record has a digest");
    let (record, id, secret) = (
        names::of_type(&resource.name),
        id_of(subject, target),
        secret(&credential.name),
    );
    let module = names::value(&credential.name);
    let values = resource.fields.iter().filter_map(|field| {
        let name = names::value(&field.name);
        let is = |of: &String| *of == credential.name;
        let value = match &field.origin {
            Some(Origin::Digest(of) | Origin::Start(of)) if is(of) && !is_new => quote!(None),
            Some(Origin::Digest(_)) if field.name == of_digest.name => digest(&secret, field.of.optional),
            Some(Origin::Start(of)) if is(of) => quote!(super::#module::abbreviate(&#secret)),
            Some(Origin::LastUse { credential: of, .. }) if is(of) => quote!(None),
            _ => return None,
        };
        Some(quote!(record.#name = #value;))
    });
    quote! {{
        let former: #record = tx.existing(#id)?;
        let mut record = former.clone();
        #(#values)*
        if record != former {
            tx.replace(&former, &record)?;
        }
        tx.await_everywhere();
    }}
}
