//! Compares `credentials`: how callers authenticate.
//!
//! An added or removed credential is reported by the surfaces that require it, or is part of an added or removed
//! surface.

use super::headers;
use crate::diff::matching::{match_by, operations};
use crate::diff::output::{Comparison, PathPair, Rule};
use crate::model::{Caller, Credential};
use std::collections::BTreeSet;

pub(crate) fn compare(comparison: &mut Comparison<'_>) {
    for (old, new) in both(comparison) {
        compare_credential(comparison, old, new);
    }
}

/// The new name of a credential that is in both contracts.
pub(crate) fn renamed<'m>(comparison: &Comparison<'m>, old: &str) -> Option<&'m str> {
    let both = both(comparison).into_iter();
    both.filter(|(one, _)| one.name == old)
        .map(|(_, new)| new.name.as_str())
        .next()
}

/// The credentials that are in both contracts: matched by name, then by header.
fn both<'m>(comparison: &Comparison<'m>) -> Vec<(&'m Credential, &'m Credential)> {
    let (old, new) = (comparison.old, comparison.new);
    let mut credentials = match_by(&old.credentials, &new.credentials, |one| one.name.as_str());
    let content = |one: &Credential| Some((one.header.to_lowercase(), one.prefix.clone()));
    let renamed = credentials.take_renamed(content, content);
    [credentials.kept, renamed].concat()
}

fn compare_credential(comparison: &mut Comparison<'_>, old: &Credential, new: &Credential) {
    let Credential {
        name,
        doc,
        header,
        caller,
        prefix,
        realms: _,
        random,
        shown,
        at: _,
    } = new;
    let place = PathPair::same("credentials").under(&old.name, name);
    let asking = operations(comparison.new, |surface, _| surface.credential.as_ref() == Some(name));
    if *name != old.name {
        let message = format!("the credential `{}` is renamed to `{name}`", old.name);
        comparison.between(Rule::CredentialRenamed, &place, BTreeSet::new(), message);
    }
    comparison.described_by_doc(&place, name, (&old.doc, doc));
    if header.to_lowercase() != old.header.to_lowercase() {
        let message = format!(
            "the credential `{name}` is sent in the header `{header}`, was `{}`",
            old.header
        );
        comparison.between(
            Rule::CredentialHeaderChanged,
            &place.join("header"),
            asking.clone(),
            message,
        );
    }
    if *prefix != old.prefix {
        let message = format!(
            "new credentials for `{header}` begin with `{prefix}`, was `{}`",
            old.prefix
        );
        comparison.between(
            Rule::CredentialPrefixChanged,
            &place.join("prefix"),
            asking.clone(),
            message,
        );
    }
    realms(comparison, &place, (old, new), &asking);
    if *random != old.random {
        let message = format!(
            "new credentials for `{header}` have {random} characters after the prefix, was {}",
            old.random
        );
        comparison.between(
            Rule::CredentialLengthChanged,
            &place.join("random_chars"),
            asking.clone(),
            message,
        );
    }
    if *shown != old.shown {
        let characters = |shown: Option<u64>| shown.map_or_else(|| "no".to_owned(), |most| most.to_string());
        let (is, was) = (characters(*shown), characters(old.shown));
        let message = format!("lists can show {is} characters of a new credential for `{header}`, was {was}");
        comparison.between(
            Rule::CredentialShownChanged,
            &place.join("shown_chars"),
            BTreeSet::new(),
            message,
        );
    }
    compare_callers(comparison, &place, (old.caller.as_ref(), caller.as_ref()), &asking);
}

/// Compares what distinguishes callers of a realm. Realms are matched by their values.
fn realms(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    (old, new): (&Credential, &Credential),
    asking: &BTreeSet<String>,
) {
    let values: BTreeSet<&String> = [old, new]
        .iter()
        .flat_map(|one| &one.realms)
        .map(|realm| &realm.value)
        .collect();
    for value in values {
        let place = place.join("realms").join(value);
        let (was, is) = (old.prefix_in(value), new.prefix_in(value));
        if was != is && (old.prefix == new.prefix || was != old.prefix || is != new.prefix) {
            let message = format!(
                "new credentials for `{}` in the realm `{value}` begin with `{is}`, was `{was}`",
                new.header
            );
            comparison.between(
                Rule::CredentialPrefixChanged,
                &place.join("prefix"),
                asking.clone(),
                message,
            );
        }
        let headers = |one: &Credential| one.realm(value).map(|realm| realm.headers.clone()).unwrap_or_default();
        headers::compare(
            comparison,
            &place.join("headers"),
            (&headers(old), &headers(new)),
            asking,
        );
    }
}

fn compare_callers(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    (old, new): (Option<&Caller>, Option<&Caller>),
    operations: &BTreeSet<String>,
) {
    let names = comparison.names;
    let resource = |caller: Option<&Caller>| caller.map(|caller| caller.resource.clone());
    let was = resource(old).map(|name| names.resource(&name).to_owned());
    if was != resource(new) {
        let message = format!(
            "the caller is {}, was {}",
            or_nobody(resource(new)),
            or_nobody(resource(old))
        );
        let place = place.join("caller");
        comparison.between(Rule::CredentialCallerChanged, &place, operations.clone(), message);
        return;
    }
    let Some((old, new)) = old.zip(new) else { return };
    let Caller {
        resource,
        limited_by,
        plan,
        suspended: _,
    } = new;
    let field = |name: &String| names.field(&old.resource, name).to_owned();
    if names.resource(&old.limited_by) != limited_by {
        let message = format!(
            "limits count requests for each `{limited_by}`, was for each `{}`",
            old.limited_by
        );
        let place = place.join("limited_by");
        comparison.between(Rule::CredentialCountingChanged, &place, operations.clone(), message);
    }
    // The field determines the enumeration.
    let (was, is) = (
        old.plan.as_ref().map(|(name, _)| name),
        plan.as_ref().map(|(name, _)| name),
    );
    if was.map(field).as_ref() != is {
        let message = format!(
            "the plan of a `{resource}` is in {}, was in {}",
            or_nothing(is),
            or_nothing(was)
        );
        comparison.between(
            Rule::CredentialPlanChanged,
            &place.join("plan"),
            operations.clone(),
            message,
        );
    }
    compare_suspended(comparison, &place.join("suspended"), (old, new), operations);
}

/// Compares the fields that suspend a caller.
fn compare_suspended(
    comparison: &mut Comparison<'_>,
    place: &PathPair,
    (old, new): (&Caller, &Caller),
    operations: &BTreeSet<String>,
) {
    let (names, resource, operations) = (comparison.names, &new.resource, operations.clone());
    match (&old.suspended, &new.suspended) {
        (None, Some(is)) => {
            let message = format!("a `{resource}` is suspended if `{is}` is true, was never suspended");
            comparison.added(Rule::SuspensionAdded, &place.new, operations, message);
        }
        (Some(was), None) => {
            let message = format!("a `{resource}` is never suspended, was suspended if `{was}` was true");
            comparison.removed(Rule::SuspensionRemoved, &place.old, operations, message);
        }
        (Some(was), Some(is)) if names.field(&old.resource, was) != is => {
            let message = format!("a `{resource}` is suspended if `{is}` is true, was if `{was}`");
            comparison.between(Rule::SuspensionChanged, place, operations, message);
        }
        _ => {}
    }
}

fn or_nobody(resource: Option<String>) -> String {
    resource.map_or_else(|| "not identified".to_owned(), |name| format!("a `{name}`"))
}

fn or_nothing(field: Option<&String>) -> String {
    field.map_or_else(|| "no field".to_owned(), |name| format!("`{name}`"))
}
