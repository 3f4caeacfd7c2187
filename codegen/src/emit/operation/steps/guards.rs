//! Emits the checks before the handler: plan, existence, ownership.

use crate::emit::shared::{OperationContext, error_constructors, names};
use crate::model::Exists;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn plan(subject: &OperationContext<'_>) -> TokenStream {
    let Some(plan) = &subject.operation.plan else {
        return quote!();
    };
    let plans = subject.caller().and_then(|caller| caller.plan.as_ref());
    let (_, plans) = plans.expect("checked: the caller has a plan");
    let (plans, plan) = (names::of_type(plans), names::of_type(plan));
    let error_response = error_constructors::plan(subject);
    quote! {
        if caller.plan != #plans::#plan {
            return Err(#error_response);
        }
    }
}

pub(super) fn look_ups(subject: &OperationContext<'_>) -> TokenStream {
    let exists = subject.operation.exists.iter();
    exists.map(|exists| look_up(subject, exists)).collect()
}

fn look_up(subject: &OperationContext<'_>, exists: &Exists) -> TokenStream {
    let (record, found) = (names::of_type(&exists.resource), names::value(&exists.resource));
    let (id, sent) = (subject.id(&exists.resource), subject.sent_id(&exists.resource));
    let within = exists.parent.as_ref().map(|(parent, _)| {
        let method = format_ident!("of_{}", names::snake(parent));
        let parent = subject.id(parent);
        quote!(.#method(#parent, &#sent)?)
    });
    quote!(let #found = Found::<#record>::look_up(app, #id, &#sent).await? #within;)
}

pub(super) fn claims(subject: &OperationContext<'_>) -> TokenStream {
    let owned = subject.operation.owned.iter();
    owned.map(|resource| claim(subject, resource)).collect()
}

fn claim(subject: &OperationContext<'_>, resource: &str) -> TokenStream {
    let (record, found, owned) = (names::of_type(resource), names::value(resource), names::owned(resource));
    let caller = &subject.caller().expect("checked: only a caller owns").resource;
    let method = format_ident!("claim_by_{}", names::snake(caller));
    let sent = subject.sent_id(resource);
    quote!(let #owned = Owned::<#record>::#method(&#found, caller.id, &#sent)?;)
}
