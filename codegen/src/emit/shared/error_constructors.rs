//! The error responses that an operation's handler can give, too, and the calls that create them.

use super::{GeneratedName, OperationContext, names, templates};
use crate::model::{ErrorEntry, Exists, GuardKind, Quota};
use crate::step::Step;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// An error response that the handler can give, too.
pub(crate) struct ErrorConstructor<'r> {
    /// The variant in the operation's error type.
    pub(crate) variant: Ident,
    pub(crate) entry: &'r ErrorEntry,
    /// The enumeration of the states, for an error about a rejected transition.
    pub(crate) states: Option<Ident>,
    /// The expression that creates it.
    pub(crate) call: TokenStream,
}

/// All of them, each once.
pub(crate) fn for_operation<'s>(subject: &OperationContext<'s>) -> Vec<ErrorConstructor<'s>> {
    let (operation, model) = (subject.operation, subject.context.model);
    let ended = ended(subject);
    let guards = operation.guard_kinds();
    let guards = guards.filter(|guard| model.step_that_rejects(guard) == guard.step());
    let guards = guards.map(|guard| match guard {
        GuardKind::Plan(name) => plain(subject.entry(Step::Plan), plan(subject, name)),
        GuardKind::Exists(Exists { resource, .. }) | GuardKind::Owner(resource) => {
            of_resource(subject, resource, guard.step())
        }
    });
    let quotas = operation.quotas.iter().map(|name| quota(subject, model.quota(name)));
    let moved = operation.transitions.iter();
    let moved = moved.map(|moved| transition(subject, &moved.resource, &moved.states));
    let rules = operation.rules.iter().map(|name| rule(model.error(name)));
    let of_writes = [Step::Write, Step::Outcome].into_iter().filter(|_| !subject.is_read());
    let failures = [Step::Available].into_iter().chain(of_writes).chain([Step::Internal]);
    let failures = failures.filter_map(|step| model.error_at(step));
    let failures = failures.map(|entry| plain(entry, templates::error_response(entry, |_| quote!(""))));
    ended
        .into_iter()
        .chain(guards)
        .chain(quotas)
        .chain(moved)
        .chain(rules)
        .chain(failures)
        .collect()
}

/// The errors of a write whose credential or caller ends before it commits.
fn ended<'s>(subject: &OperationContext<'s>) -> Vec<ErrorConstructor<'s>> {
    let Some((credential, caller)) = subject.ending_credential() else {
        return Vec::new();
    };
    let header = &credential.header;
    let entry = subject.entry(Step::Credential);
    let ended = plain(entry, templates::credential_ended(entry, &quote!(#header)));
    let suspended = caller.suspended.as_ref().map(|_| {
        let entry = subject.entry(Step::Suspended);
        plain(entry, templates::error_response(entry, |_| quote!("")))
    });
    [ended].into_iter().chain(suspended).collect()
}

fn plain(entry: &ErrorEntry, call: TokenStream) -> ErrorConstructor<'_> {
    ErrorConstructor {
        variant: names::of_type(&entry.name),
        entry,
        states: None,
        call,
    }
}

/// The error for a resource that does not exist, or that the caller does not own.
fn of_resource<'s>(subject: &OperationContext<'s>, resource: &str, step: Step) -> ErrorConstructor<'s> {
    let (entry, noun, id) = (subject.entry(step), subject.noun(resource), subject.sent_id(resource));
    let call = templates::error_response(entry, |name| if name == "noun" { quote!(#noun) } else { quote!(#id) });
    ErrorConstructor {
        variant: GeneratedName::ErrorResponse(&entry.name, resource).ident(),
        ..plain(entry, call)
    }
}

/// The error for a quota that the request would exceed.
pub(crate) fn quota<'s>(subject: &OperationContext<'s>, quota: &Quota) -> ErrorConstructor<'s> {
    let (entry, max, noun) = (subject.entry(Step::Quota), names::constant(&quota.name), &quota.noun);
    let call = templates::error_response(entry, |name| match name {
        "max" => quote!(quotas::#max),
        _ => quote!(#noun),
    });
    ErrorConstructor {
        variant: quota_variant(subject, quota),
        ..plain(entry, call)
    }
}

/// The variant for a quota: the name of the error if the operation has no other quota.
pub(crate) fn quota_variant(subject: &OperationContext<'_>, quota: &Quota) -> Ident {
    let entry = subject.entry(Step::Quota);
    match subject.operation.quotas.len() {
        1 => names::of_type(&entry.name),
        _ => GeneratedName::ErrorResponse(&entry.name, &quota.name).ident(),
    }
}

fn transition<'s>(subject: &OperationContext<'s>, resource: &str, states: &str) -> ErrorConstructor<'s> {
    let entry = subject.entry(Step::Transition);
    let (noun, id) = (subject.noun(resource), subject.sent_id(resource));
    let call = templates::error_response(entry, |name| match name {
        "noun" => quote!(#noun),
        "id" => quote!(#id),
        "from" => quote!(from.as_str()),
        _ => quote!(to.as_str()),
    });
    ErrorConstructor {
        states: Some(names::of_type(states)),
        ..plain(entry, call)
    }
}

fn rule(entry: &ErrorEntry) -> ErrorConstructor<'_> {
    let call = templates::error_response(entry, |placeholder| {
        let field = names::value(placeholder);
        quote!(path.#field)
    });
    plain(entry, call)
}

/// The call for a caller of another plan.
pub(crate) fn plan(subject: &OperationContext<'_>, plan: &str) -> TokenStream {
    templates::error_response(subject.entry(Step::Plan), |_| quote!(#plan))
}
