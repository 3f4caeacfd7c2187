//! Rules about declarations that are never used.

use super::lookup::operations;
use super::naming::keys;
use super::uses::uses;
use crate::diagnostic::{Diagnostic, Rule, add_new};
use crate::syntax::{BodyUse, Spec, Table, Word};
use std::collections::HashSet;

/// Reports unused names, unless an unknown name has been reported that may be meant for one of them.
fn diagnostic<'s>(
    (rule, what, unknown): (Rule, &str, &[Rule]),
    unused: impl Iterator<Item = &'s Word>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if diagnostics.iter().any(|diagnostic| unknown.contains(&diagnostic.rule)) {
        return;
    }
    let diagnostic = |name: &Word| {
        let message = format!("the {what} `{}` is never used", name.text);
        Diagnostic::new(rule, name.at, message).help("use it or remove it")
    };
    add_new(unused.map(diagnostic), diagnostics);
}

/// The names of a table that are not in `used`.
fn unused<'s, T>(table: &'s Table<T>, used: HashSet<&'s str>) -> impl Iterator<Item = &'s Word> {
    keys(table).filter(move |name| !used.contains(name.text.as_str()))
}

/// Rules that report a misspelled type.
const TYPES: &[Rule] = &[Rule::UnknownType, Rule::UnknownEnum, Rule::UnknownInput];

fn type_names(spec: &Spec) -> HashSet<&str> {
    let mut used: HashSet<&str> = uses(spec).iter().map(|used| used.name.text.as_str()).collect();
    used.extend(
        spec.enums
            .iter()
            .filter_map(|(_, def)| def.of.as_ref())
            .map(|whole| whole.text.as_str()),
    );
    used
}

/// `unused-type`
pub(super) fn types(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let unused = unused(&spec.types, type_names(spec));
    diagnostic((Rule::UnusedType, "type", TYPES), unused, diagnostics);
}

/// `unused-enum`
pub(super) fn enums(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let unused = unused(&spec.enums, type_names(spec));
    diagnostic((Rule::UnusedEnum, "enum", TYPES), unused, diagnostics);
}

/// `unused-object`
pub(super) fn objects(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let unused = unused(&spec.objects, type_names(spec));
    diagnostic((Rule::UnusedObject, "object", TYPES), unused, diagnostics);
}

/// `unused-input`
pub(super) fn inputs(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut used = type_names(spec);
    used.extend(operations(spec).filter_map(|operation| match &operation.endpoint.body {
        Some(BodyUse::Named(name)) => Some(name.text.as_str()),
        _ => None,
    }));
    diagnostic(
        (Rule::UnusedInput, "input", TYPES),
        unused(&spec.inputs, used),
        diagnostics,
    );
}

/// `unused-view`
pub(super) fn views(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let used = type_names(spec);
    let unused = spec.resources.iter().flat_map(|(resource, of)| {
        let is_used = |view: &Word| used.contains(format!("{}.{}", resource.text, view.text).as_str());
        keys(&of.views).filter(move |view| !is_used(view))
    });
    let unknown = [Rule::UnknownView, Rule::UnknownResource];
    diagnostic((Rule::UnusedView, "view", &unknown), unused, diagnostics);
}

/// `unused-field`: a joined field that no view shows. (Handlers may use a stored field, so those are not reported.)
pub(super) fn joined_fields(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let unused = spec.resources.iter().flat_map(|(_, resource)| {
        let members = resource.views.iter().flat_map(|(_, view)| view);
        let shown = members.filter_map(|member| member.source.text.split("[]").next());
        unused(&resource.joined, shown.collect())
    });
    diagnostic(
        (Rule::UnusedField, "joined field", &[Rule::UnknownField]),
        unused,
        diagnostics,
    );
}

/// `unused-limit`
pub(super) fn limits(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let mut used: HashSet<&str> = texts(spec.surfaces.iter().flat_map(|(_, surface)| &surface.limits));
    if super::limits::asks_for_credentials(spec) {
        let counting = spec.limits.iter().filter(|(_, limit)| limit.counts.is_some());
        used.extend(counting.map(|(name, _)| name.text.as_str()));
    }
    diagnostic(
        (Rule::UnusedLimit, "limit", &[Rule::UnknownLimit]),
        unused(&spec.limits, used),
        diagnostics,
    );
}

/// `unused-limit-headers`: headers of limits, and no surface has a limit.
pub(super) fn limit_headers(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let any_limit = spec.limits.iter().any(|(_, limit)| limit.counts.is_none());
    if let (Some((first, _)), false) = (spec.limit_headers.first(), any_limit) {
        let message = "no surface has limits, so these headers are never sent";
        diagnostics.push(Diagnostic::new(Rule::UnusedLimitHeaders, first.at, message));
    }
}

/// `unused-quota`: a quota that no endpoint counts.
pub(super) fn quotas(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let counted = texts(operations(spec).filter_map(|operation| operation.endpoint.quota.as_ref()));
    diagnostic(
        (Rule::UnusedQuota, "quota", &[Rule::UnknownQuota]),
        unused(&spec.quotas, counted),
        diagnostics,
    );
}

/// `unused-credential`
pub(super) fn credentials(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let surfaces = spec.surfaces.iter();
    let asked = texts(surfaces.filter_map(|(_, surface)| surface.credential.as_ref()));
    let unused = unused(&spec.credentials, asked);
    diagnostic(
        (Rule::UnusedCredential, "credential", &[Rule::UnknownCredential]),
        unused,
        diagnostics,
    );
}

fn texts<'s>(words: impl Iterator<Item = &'s Word>) -> HashSet<&'s str> {
    words.map(|word| word.text.as_str()).collect()
}
