//! Who calls, and how often.

use crate::emit::shared::{Subject, names, templates};
use crate::model::{Counts, Per};
use crate::step::Step;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

pub(super) fn admit(subject: &Subject<'_>) -> TokenStream {
    let Some(credential) = subject.credential() else {
        return quote!();
    };
    let module = names::value(&credential.name);
    // Who calls for a resource is known by its noun and id, and anybody else by the credential.
    let (kind, id) = match &credential.caller {
        Some(caller) => (subject.noun(&caller.resource), quote!(Some(caller.id.get()))),
        None => (credential.name.as_str(), quote!(None)),
    };
    // The module not by its plain name, which an operation may have, too.
    quote! {
        let caller = super::super::#module::admitted(app, gate, &exchange.headers, exchange.peer).await?;
        exchange.admitted(#kind, #id);
    }
}

pub(super) fn suspended(subject: &Subject<'_>) -> TokenStream {
    let caller = subject.caller();
    if caller.is_none_or(|caller| caller.suspended.is_none()) {
        return quote!();
    }
    let refusal = templates::refuse(subject.row(Step::Suspended), |_| quote!(""));
    quote! {
        if caller.suspended {
            return Err(#refusal);
        }
    }
}

pub(super) fn limit(subject: &Subject<'_>) -> TokenStream {
    let Some(limit) = &subject.operation.limit else {
        return quote!();
    };
    let check = format_ident!("check_{}", names::snake(limit));
    if let Counts::Methods { per: Per::Address, .. } = subject.context.model.limit(limit).counts {
        return quote!(gate.#check(exchange, exchange.peer)?;);
    }
    let kind = caller_kind(subject);
    let number = match subject.caller() {
        Some(_) => quote!(caller.limited_by.get()),
        None => quote!(0),
    };
    quote!(gate.#check(exchange, (#kind, #number))?;)
}

/// Tells callers of different credentials apart, whose ids may be the same.
fn caller_kind(subject: &Subject<'_>) -> Literal {
    let credentials = &subject.context.model.credentials;
    let credential = subject.surface.credential.as_deref();
    let kind = credentials.iter().position(|one| Some(one.name.as_str()) == credential);
    Literal::u16_unsuffixed(kind.and_then(|kind| u16::try_from(kind).ok()).unwrap_or(u16::MAX))
}
