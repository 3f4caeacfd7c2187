//! Rules about idempotency keys.

use super::lookup::operations;
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{KeyUse, Spec};

/// `unused-idempotency`: `idempotency` where no keys are taken.
pub(super) fn unused(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for operation in operations(spec) {
        let Some(own) = &operation.endpoint.idempotency else {
            continue;
        };
        let name = &operation.name.text;
        let (message, help) = match &spec.idempotency {
            None => (
                format!("`{name}` takes no idempotency keys, since the contract has no `idempotency`"),
                "declare the header in `idempotency`, or remove this",
            ),
            Some(_) if operation.endpoint.can_take_keys(operation.surface) => continue,
            Some(_) => (
                format!("`{name}` takes no idempotency keys"),
                "remove this: only a POST that `makes` records takes keys, with a `credential`, and with a map of \
                 members as `data` or none",
            ),
        };
        diagnostics.push(Diagnostic::new(Rule::UnusedIdempotency, own.at(), message).help(help));
    }
    let Some(keys) = &spec.idempotency else { return };
    let could = |keys: &KeyUse| matches!(keys, KeyUse::Kept(_));
    let is_used = operations(spec)
        .any(|operation| operation.takes_keys() || operation.endpoint.idempotency.as_ref().is_some_and(could));
    if !is_used {
        let message = "no endpoint takes idempotency keys";
        let help = "remove `idempotency`: only a POST that `makes` records takes keys, with a `credential`, and with a \
            map of members as `data` or none";
        diagnostics.push(Diagnostic::new(Rule::UnusedIdempotency, keys.at, message).help(help));
    }
}

/// `credential-header`: the key is in a header that carries a credential.
pub(super) fn header(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let Some(keys) = &spec.idempotency else { return };
    let is_same = |name: &str| name.eq_ignore_ascii_case(&keys.header.text);
    if let Some((name, credential)) = spec.credentials.iter().find(|(_, of)| is_same(&of.header.text)) {
        let message = format!("`{}` carries the credential `{}`", keys.header.text, name.text);
        let diagnostic = Diagnostic::new(Rule::HeaderName, keys.header.at, message);
        diagnostics.push(diagnostic.related(credential.header.at, "its header"));
    }
}
