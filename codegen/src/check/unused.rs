//! What is declared and never used.

use super::lookup::{has, operations};
use super::uses::uses;
use crate::report::{Report, add_new};
use crate::spec::{BodyUse, Spec, Word};
use std::collections::HashSet;

/// Reports the entries that are not used, unless names that should be among them have been reported as unknown.
fn report<'s, T: 's>(
    (rule, what, unknown): (&'static str, &str, &[&str]),
    table: impl IntoIterator<Item = &'s (Word, T)>,
    is_used: impl Fn(&str) -> bool,
    reports: &mut Vec<Report>,
) {
    if reports.iter().any(|report| unknown.contains(&report.rule)) {
        return;
    }
    let unused = table.into_iter().filter(|(name, _)| !is_used(&name.text));
    let report = |(name, _): &(Word, T)| {
        let message = format!("the {what} `{}` is never used", name.text);
        Report::new(rule, name.at, message).help("use it or remove it")
    };
    add_new(unused.map(report), reports);
}

/// What is reported of a type that is misspelled where it is used.
const TYPES: &[&str] = &["unknown-type", "unknown-enum", "unknown-input"];

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
pub(super) fn types(spec: &Spec, reports: &mut Vec<Report>) {
    let used = type_names(spec);
    report(
        ("unused-type", "type", TYPES),
        &spec.types,
        |name| used.contains(name),
        reports,
    );
}

/// `unused-enum`
pub(super) fn enums(spec: &Spec, reports: &mut Vec<Report>) {
    let used = type_names(spec);
    report(
        ("unused-enum", "enum", TYPES),
        &spec.enums,
        |name| used.contains(name),
        reports,
    );
}

/// `unused-object`
pub(super) fn objects(spec: &Spec, reports: &mut Vec<Report>) {
    let used = type_names(spec);
    report(
        ("unused-object", "object", TYPES),
        &spec.objects,
        |name| used.contains(name),
        reports,
    );
}

/// `unused-input`
pub(super) fn inputs(spec: &Spec, reports: &mut Vec<Report>) {
    let mut used = type_names(spec);
    used.extend(operations(spec).filter_map(|operation| match &operation.endpoint.body {
        Some(BodyUse::Named(name)) => Some(name.text.as_str()),
        _ => None,
    }));
    report(
        ("unused-input", "input", TYPES),
        &spec.inputs,
        |name| used.contains(name),
        reports,
    );
}

/// `unused-view`
pub(super) fn views(spec: &Spec, reports: &mut Vec<Report>) {
    let used = type_names(spec);
    for (resource, of) in &spec.resources {
        let is_used = |view: &str| used.contains(format!("{}.{view}", resource.text).as_str());
        report(
            ("unused-view", "view", &["unknown-view", "unknown-resource"]),
            &of.views,
            is_used,
            reports,
        );
    }
}

/// `unused-field`: what is looked up for views and is in none. (A stored field may be for the handlers only.)
pub(super) fn joined_fields(spec: &Spec, reports: &mut Vec<Report>) {
    for (_, resource) in &spec.resources {
        let is_shown = |name: &str| {
            let mut sources = resource.views.iter().flat_map(|(_, view)| view);
            sources.any(|field| field.source.text.split("[]").next() == Some(name))
        };
        report(
            ("unused-field", "joined field", &["unknown-field"]),
            &resource.joined,
            is_shown,
            reports,
        );
    }
}

/// `unused-limit`
pub(super) fn limits(spec: &Spec, reports: &mut Vec<Report>) {
    let counted = super::limits::asks_for_credentials(spec);
    let is_used = |name: &str| {
        let is_listed = spec.surfaces.iter().any(|(_, surface)| has(&surface.limits, name));
        let limit = super::lookup::find(&spec.limits, name);
        is_listed || limit.is_some_and(|limit| limit.counts.is_some() && counted)
    };
    report(
        ("unused-limit", "limit", &["unknown-limit"]),
        &spec.limits,
        is_used,
        reports,
    );
}

/// `unused-limit-headers`: headers of limits where no surface has any.
pub(super) fn limit_headers(spec: &Spec, reports: &mut Vec<Report>) {
    let any_limit = spec.limits.iter().any(|(_, limit)| limit.counts.is_none());
    if let (Some((first, _)), false) = (spec.limit_headers.first(), any_limit) {
        let message = "there are no limits that could report themselves";
        reports.push(Report::new("unused-limit-headers", first.at, message));
    }
}

/// `unused-quota`: a quota that nobody counts.
pub(super) fn quotas(spec: &Spec, reports: &mut Vec<Report>) {
    let counted: Vec<&str> = operations(spec)
        .filter_map(|operation| operation.endpoint.quota.as_ref())
        .map(|word| word.text.as_str())
        .collect();
    report(
        ("unused-quota", "quota", &["unknown-quota"]),
        &spec.quotas,
        |name| counted.contains(&name),
        reports,
    );
}

/// `unused-credential`
pub(super) fn credentials(spec: &Spec, reports: &mut Vec<Report>) {
    let mut asked = spec
        .surfaces
        .iter()
        .filter_map(|(_, surface)| surface.credential.as_ref());
    let asked: Vec<&str> = asked.by_ref().map(|word| word.text.as_str()).collect();
    report(
        ("unused-credential", "credential", &["unknown-credential"]),
        &spec.credentials,
        |name| asked.contains(&name),
        reports,
    );
}
