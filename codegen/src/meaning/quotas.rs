//! Checks that no caller can evade a quota: by making a record count again that did not count.

use crate::diagnostic::{Diagnostic, Rule};
use crate::model::Model;

/// `quota`: an endpoint that can make a record of its caller count again, without the quota.
pub(super) fn check_evaded(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for (surface, operation) in model.operations() {
        let caller = model.credential_of(surface).and_then(|one| one.caller.as_ref());
        for quota in &model.quotas {
            let is_callers = caller.is_some_and(|caller| caller.resource == quota.per);
            if is_callers && !operation.counts_towards(&quota.name) && model.can_count_again(operation, quota) {
                let message = format!(
                    "`{}` can make a `{}` count towards `{}` again, without its quota",
                    operation.name, quota.of, quota.name
                );
                let diagnostic = Diagnostic::new(Rule::Quota, operation.at, message);
                let diagnostic = diagnostic.related(quota.at, "the quota");
                diagnostics.push(diagnostic.help(format!("add `quota: {}`", quota.name)));
            }
        }
    }
}
