//! Emits the checks before the handler: plan, existence, ownership.

use crate::emit::shared::{OperationContext, error_constructors, hidden, names};
use crate::model::{Exists, GuardKind};
use crate::step::Step;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The guards that a step checks.
pub(super) fn of_step(subject: &OperationContext<'_>, step: Step) -> TokenStream {
    let guards = subject.operation.guard_kinds();
    let guards = guards.filter(|guard| guard.step() == step);
    let checks = guards.map(|guard| match guard {
        GuardKind::Plan(plan) => check_plan(subject, plan),
        GuardKind::Exists(exists) => look_up(subject, exists),
        GuardKind::Owner(resource) => claim(subject, resource),
    });
    checks.collect()
}

fn check_plan(subject: &OperationContext<'_>, plan: &str) -> TokenStream {
    let plans = subject.caller().and_then(|caller| caller.plan.as_ref());
    let (_, plans) = plans.expect("checked: the caller has a plan");
    let (plans, name) = (names::of_type(plans), names::of_type(plan));
    let error_response = error_constructors::plan(subject, plan);
    quote! {
        if caller.plan != #plans::#name {
            return Err(#error_response);
        }
    }
}

fn look_up(subject: &OperationContext<'_>, exists: &Exists) -> TokenStream {
    let (record, found) = (names::of_type(&exists.resource), names::value(&exists.resource));
    let (id, sent) = (subject.id(&exists.resource), subject.sent_id(&exists.resource));
    let within = exists.parent.as_ref().map(|(parent, _)| {
        let method = format_ident!("of_{}", names::snake(parent));
        let parent = subject.id(parent);
        quote!(.#method(#parent, &#sent)?)
    });
    let in_realm = subject.realm_seen(&exists.resource).map(|realm| match realm.through {
        Some(_) => quote!(.in_realm(app, caller.realm, &#sent).await?),
        None => quote!(.in_realm(caller.realm, &#sent)?),
    });
    let (model, surface) = (subject.context.model, subject.surface);
    let shown = hidden::check(model, surface, &exists.resource, &quote!(#sent));
    let look_up = quote!(Found::<#record>::look_up(app, #id, &#sent).await? #within #in_realm #shown);
    match exists.is_optional {
        true => quote!(let #found = match #id { Some(#id) => Some(#look_up), None => None };),
        false => quote!(let #found = #look_up;),
    }
}

fn claim(subject: &OperationContext<'_>, resource: &str) -> TokenStream {
    let (record, found, owned) = (names::of_type(resource), names::value(resource), names::owned(resource));
    let caller = &subject.caller().expect("checked: only a caller owns").resource;
    let method = format_ident!("claim_by_{}", names::snake(caller));
    let sent = subject.sent_id(resource);
    match subject.operation.may_lack(resource) {
        true => quote! {
            let #owned = match &#found {
                Some(#found) => Some(Owned::<#record>::#method(#found, caller.id, &#sent)?),
                None => None,
            };
        },
        false => quote!(let #owned = Owned::<#record>::#method(&#found, caller.id, &#sent)?;),
    }
}
