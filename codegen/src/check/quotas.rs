//! Rules about quotas.

use super::lookup::{LocatedOperation, entry, find, operations};
use crate::diagnostic::{Diagnostic, Rule};
use crate::model::FILE_BYTES;
use crate::syntax::{Quota, QuotaOf, Spec, Word};

const COUNTS: &str = "body_bytes";

/// `quota`: a quota with the maximum 0, or with keys that contradict each other.
pub(super) fn quota_form(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, quota) in &spec.quotas {
        if quota.max.value == 0.0 {
            let message = format!("with `max: 0`, `{}` rejects every request", name.text);
            diagnostics.push(Diagnostic::new(Rule::Quota, quota.max.at, message));
        }
        if quota.window.is_some() && quota.only.is_some() {
            let message = format!("`{}` counts what requests make, whatever becomes of it", name.text);
            let help = "remove `where`, or remove `within` to count the records that there are";
            diagnostics.push(Diagnostic::new(Rule::Quota, name.at, message).help(help));
        }
        let QuotaOf::Other(counts) = &quota.of else { continue };
        if counts.text == FILE_BYTES {
            if quota.window.is_some() {
                let message = format!(
                    "`{}` counts bytes of files as long as there are their records",
                    name.text
                );
                let help = "remove `within`, or count `body_bytes`";
                diagnostics.push(Diagnostic::new(Rule::Quota, counts.at, message).help(help));
            }
        } else if counts.text != COUNTS {
            let message = format!("a quota can count `{COUNTS}` or `{FILE_BYTES}`, not `{}`", counts.text);
            let diagnostic = Diagnostic::new(Rule::Quota, counts.at, message);
            diagnostics.push(diagnostic.propose(&counts.text, [COUNTS, FILE_BYTES]));
        } else if quota.window.is_none() {
            let message = format!("`{}` counts bytes of bodies without an end", name.text);
            let help = "add the period in which they are counted, such as `within: 1d`";
            diagnostics.push(Diagnostic::new(Rule::Quota, counts.at, message).help(help));
        }
    }
}

/// `quota`: a quota on a resource that its `per` does not own.
pub(super) fn quota_owner(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, quota) in &spec.quotas {
        let Some((declared, counted)) = quota.of.records().and_then(|of| entry(&spec.resources, &of.text)) else {
            continue;
        };
        if find(&spec.resources, &quota.per.text).is_none() {
            continue;
        }
        let per = &quota.per.text;
        let (is_owner, message, help) = match counted.distinct.as_ref().filter(|_| quota.window.is_some()) {
            Some(list) => (
                list.text.split_once('.').is_some_and(|(resource, _)| resource == per),
                format!("the list `{}` is not one of a `{per}`", list.text),
                "count them for the resource whose list it is".to_owned(),
            ),
            None => (
                find(&counted.owner, per).is_some(),
                format!("a `{per}` does not own a `{}`", declared.text),
                format!("declare `{}` with `owner: {{ {per}: field }}`", declared.text),
            ),
        };
        if !is_owner {
            let diagnostic = Diagnostic::new(Rule::Quota, quota.per.at, message).help(help);
            diagnostics.push(diagnostic.declared(declared));
        }
    }
}

/// `quota`: an endpoint with a quota that it cannot count towards, or whose owner is neither the caller nor found by a
/// guard.
pub(super) fn quota_of_endpoint(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        for name in &operation.endpoint.quotas {
            if let Some((declared, quota)) = entry(&spec.quotas, &name.text) {
                diagnostics.extend(counts_nothing(spec, &operation, name, quota));
                diagnostics.extend(unknown_owner(spec, &operation, (name, declared), quota));
            }
        }
    }
}

fn counts_nothing(spec: &Spec, operation: &LocatedOperation<'_>, name: &Word, quota: &Quota) -> Option<Diagnostic> {
    let endpoint = operation.endpoint;
    let method = endpoint.method.text.as_str();
    if matches!(method, "GET" | "DELETE") {
        let message = format!("a quota counts what is created, but a {method} creates nothing");
        return Some(Diagnostic::new(Rule::Quota, name.at, message));
    }
    let of = quota.of.records().and_then(|of| find(&spec.resources, &of.text));
    let is_of_files = matches!(&quota.of, QuotaOf::Other(counts) if counts.text == FILE_BYTES);
    let has_counted = match quota.of.records() {
        None if is_of_files => endpoint.file.is_some(),
        None => endpoint.takes_body(),
        Some(_) => of.is_none_or(|of| of.distinct.is_none()) || endpoint.body.is_some(),
    };
    (!has_counted).then(|| {
        let message = format!("`{}` counts what is in the body, but the endpoint has none", name.text);
        Diagnostic::new(Rule::Quota, name.at, message)
    })
}

fn unknown_owner(
    spec: &Spec,
    operation: &LocatedOperation<'_>,
    (name, declared): (&Word, &Word),
    quota: &Quota,
) -> Option<Diagnostic> {
    let holder = &quota.per.text;
    let is_unknown = operation.surface.credential.is_some() && operation.credential().is_none();
    let is_unknown = is_unknown || find(&spec.resources, holder).is_none();
    let calls = is_unknown || operation.caller().is_some_and(|caller| caller.text == *holder);
    (!calls && !operation.always_finds(holder)).then(|| {
        let message = format!(
            "`{}` is counted per `{holder}`, but the caller is not one and no guard finds one",
            name.text
        );
        let diagnostic = Diagnostic::new(Rule::Quota, name.at, message).declared(declared);
        diagnostic.help(format!("{}, or leave `quota` out", operation.help_to_find(holder)))
    })
}
