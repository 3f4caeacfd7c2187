//! The error responses that an operation's handler can give, too, and the calls that create them.

use super::{GeneratedName, OperationContext, names, templates};
use crate::model::{ErrorEntry, Quota};
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
pub(crate) fn of<'s>(subject: &OperationContext<'s>) -> Vec<ErrorConstructor<'s>> {
    let (operation, model) = (subject.operation, subject.context.model);
    let ended = ended(subject);
    let plan = operation
        .plan
        .iter()
        .map(|_| plain(subject.entry(Step::Plan), plan(subject)));
    let absent = operation.exists.iter().map(|exists| {
        let resource = &exists.resource;
        of_resource(subject.entry(Step::Exists), resource, absent(subject, resource))
    });
    let others = operation.owned.iter().filter(|owned| !model.resource(owned).private);
    let not_owned = others.map(|owned| of_resource(subject.entry(Step::Owner), owned, not_owner(subject, owned)));
    let quota = operation.quota.iter().map(|name| quota(subject, model.quota(name)));
    let moved = operation.transitions.iter();
    let moved = moved.map(|(resource, states)| transition(subject, resource, states));
    let rules = operation.rules.iter().map(|name| rule(model.error(name)));
    let write = model.error_at(Step::Write).filter(|_| !subject.is_read());
    let failures = write.into_iter().chain([subject.entry(Step::Internal)]);
    let failures = failures.map(|entry| plain(entry, templates::error_response(entry, |_| quote!(""))));
    ended
        .into_iter()
        .chain(plan)
        .chain(absent)
        .chain(not_owned)
        .chain(quota)
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
    let ended = plain(entry, templates::error_response(entry, |_| quote!(#header)));
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

fn of_resource<'r>(entry: &'r ErrorEntry, resource: &str, call: TokenStream) -> ErrorConstructor<'r> {
    ErrorConstructor {
        variant: GeneratedName::ErrorResponse(&entry.name, resource).ident(),
        ..plain(entry, call)
    }
}

fn quota<'s>(subject: &OperationContext<'s>, quota: &Quota) -> ErrorConstructor<'s> {
    let (entry, max, noun) = (subject.entry(Step::Quota), names::constant(&quota.name), &quota.noun);
    let call = templates::error_response(entry, |name| {
        if name == "max" {
            quote!(quotas::#max)
        } else {
            quote!(#noun)
        }
    });
    plain(entry, call)
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
pub(crate) fn plan(subject: &OperationContext<'_>) -> TokenStream {
    let plan = subject.operation.plan.as_deref().unwrap_or_default();
    templates::error_response(subject.entry(Step::Plan), |_| quote!(#plan))
}

/// The call for a resource that does not exist.
fn absent(subject: &OperationContext<'_>, resource: &str) -> TokenStream {
    named(subject, resource, Step::Exists)
}

/// The call for a caller who does not own the resource.
fn not_owner(subject: &OperationContext<'_>, resource: &str) -> TokenStream {
    named(subject, resource, Step::Owner)
}

fn named(subject: &OperationContext<'_>, resource: &str, step: Step) -> TokenStream {
    let (noun, id) = (subject.noun(resource), subject.sent_id(resource));
    templates::error_response(subject.entry(step), |name| {
        if name == "noun" { quote!(#noun) } else { quote!(#id) }
    })
}
