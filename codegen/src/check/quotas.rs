//! Rules about quotas.

use super::lookup::{entry, find, operations};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::Spec;

/// `quota`: a quota on a resource that its `per` does not own.
pub(super) fn quota_owner(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (_, quota) in &spec.quotas {
        let Some((declared, counted)) = entry(&spec.resources, &quota.of.text) else {
            continue;
        };
        let is_known = find(&spec.resources, &quota.per.text).is_some();
        if is_known && find(&counted.owner, &quota.per.text).is_none() {
            let message = format!("a `{}` does not own a `{}`", quota.per.text, quota.of.text);
            let help = format!(
                "declare `{}` with `owner: {{ {}: field }}`",
                quota.of.text, quota.per.text
            );
            let diagnostic = Diagnostic::new(Rule::Quota, quota.per.at, message).help(help);
            diagnostics.push(diagnostic.declared(declared));
        }
    }
}

/// `quota`: an endpoint with a quota whose owner is neither the caller nor found by a guard.
pub(super) fn quota_caller(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let Some(name) = &operation.endpoint.quota else {
            continue;
        };
        let Some((declared, quota)) = entry(&spec.quotas, &name.text) else {
            continue;
        };
        let holder = &quota.per.text;
        let is_unknown = operation.surface.credential.is_some() && operation.credential().is_none();
        let is_unknown = is_unknown || find(&spec.resources, holder).is_none();
        let calls = is_unknown || operation.caller().is_some_and(|caller| caller.text == *holder);
        if !calls && !operation.existing().any(|resource| resource.text == *holder) {
            let message = format!(
                "`{}` is counted per `{holder}`, but the caller is not one and no guard finds one",
                name.text
            );
            let diagnostic = Diagnostic::new(Rule::Quota, name.at, message).declared(declared);
            diagnostics.push(diagnostic.help(format!("add `exists {holder}` to `guards`, or leave `quota` out")));
        }
    }
}
