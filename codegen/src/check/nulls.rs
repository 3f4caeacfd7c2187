//! `nulls`: resources whose members all have a value.

use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::Spec;

/// `bad-value`: what becomes of members without a value, where there are none.
pub(super) fn without_effect(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for (name, resource) in &spec.resources {
        let mut members = resource.fields.iter().chain(&resource.joined);
        if let Some(nulls) = resource
            .nulls
            .as_ref()
            .filter(|_| !members.any(|(_, used)| used.optional))
        {
            let message = format!("every member of `{}` has a value", name.text);
            let help = "remove `nulls`, or mark what may lack a value: `price: price?`";
            diagnostics.push(Diagnostic::new(Rule::BadValue, nulls.at, message).help(help));
        }
    }
}
