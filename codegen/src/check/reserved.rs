//! `reserved-name`: names that the generated code uses itself.

use super::generated_names::{Declaration, declared, generated};
use super::naming::keys;
use crate::diagnostic::{Diagnostic, Rule};
use crate::names::{GeneratedName, pascal};
use crate::syntax::{Span, Spec, Word};
use std::collections::HashMap;

/// Types of the generated code.
const TYPES: &[&str] = &[
    "A",
    "Answer",
    "App",
    "Arc",
    "Available",
    "Body",
    "Bytes",
    "Caller",
    "Clock",
    "Date",
    "Debug",
    "Encoded",
    "Error",
    "Exchange",
    "Failure",
    "FindAnswer",
    "ValidationErrors",
    "Found",
    "Limits",
    "McpCalls",
    "LimitSettings",
    "Hash",
    "Members",
    "Number",
    "OpenObject",
    "Operation",
    "Owned",
    "Page",
    "Path",
    "Peer",
    "PresentedCredential",
    "Query",
    "Counted",
    "ErrorResponse",
    "Request",
    "Response",
    "Rest",
    "Routed",
    "Success",
    "Timestamp",
    "Value",
];

/// Types and traits that the generated code uses from Rust's standard library.
const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Box",
    "Clone",
    "Copy",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
];

/// Modules of the generated code.
const MODULES: [&str; 12] = [
    "bodies", "decode", "envelope", "errors", "events", "guards", "limits", "quotas", "serde", "std", "support", "warp",
];

/// `reserved-name`: a name that the generated code uses for something else.
pub(super) fn reserved_name(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    let operations = || spec.surfaces.iter().flat_map(|(_, surface)| keys(&surface.endpoints));
    for word in keys(&spec.credentials).chain(keys(&spec.surfaces)).chain(operations()) {
        if MODULES.contains(&word.text.as_str()) {
            let message = format!("`{}` is a module of the generated code: choose another name", word.text);
            diagnostics.push(Diagnostic::new(Rule::ReservedName, word.at, message));
        }
    }
    let mut taken = Taken::from_spec(spec);
    for Declaration { word, .. } in declared(spec) {
        if let Some(by) = taken.by(&word.text) {
            diagnostics.push(also(word, &by));
        }
    }
    let declared =
        declared(spec).map(|Declaration { word, .. }| (word.text.clone(), (format!("`{}`", word.text), word.at)));
    taken.0.extend(declared);
    for word in operations() {
        let name = pascal(&word.text);
        if let Some((what, at)) = taken.by(&name) {
            let message = format!(
                "the operation `{}` generates a trait `{name}`, which is also {what}: choose another name",
                word.text
            );
            let diagnostic = Diagnostic::new(Rule::ReservedName, word.at, message);
            diagnostics.push(diagnostic.related(at, "declared here"));
        }
    }
    reserved_functions(spec, diagnostics);
}

/// What uses a name, and where that is declared. The position is unknown if the contract does not declare it.
type By = (String, Span);

fn also(word: &Word, (what, at): &By) -> Diagnostic {
    let message = format!("`{}` is also {what}: choose another name", word.text);
    Diagnostic::new(Rule::ReservedName, word.at, message).related(*at, "declared here")
}

fn elsewhere(what: &str) -> By {
    (what.to_owned(), Span::default())
}

/// Names of types that are in use, and what uses them.
struct Taken(HashMap<String, By>);

impl Taken {
    /// The names that are generated from other names of the contract.
    fn from_spec(spec: &Spec) -> Self {
        let mut taken = HashMap::new();
        for (name, origin) in generated(spec) {
            taken
                .entry(name)
                .or_insert_with(|| (origin.to_string(), origin.word.at));
        }
        Self(taken)
    }

    fn by(&self, name: &str) -> Option<By> {
        if TYPES.contains(&name) {
            return Some(elsewhere("a type of the generated code"));
        }
        if PRELUDE.contains(&name) {
            return Some(elsewhere("a name of Rust's standard library"));
        }
        self.0.get(name).cloned()
    }
}

/// Errors become functions, and errors with a resource become variants too. Limits become fields.
fn reserved_functions(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for word in keys(&spec.errors).filter(|word| word.text == "failure") {
        diagnostics.push(also(word, &elsewhere("a function of the generated code")));
    }
    for word in keys(&spec.limits).filter(|word| {
        [
            "clock",
            "enabled",
            "in_flight",
            "keys",
            "observer",
            "response_bytes",
            "unsent",
            "waits",
        ]
        .contains(&word.text.as_str())
    }) {
        diagnostics.push(also(word, &elsewhere("a field of the generated code")));
    }
    let at = |steps: &'static [&str]| {
        let rows = spec.errors.iter();
        rows.filter(|(_, row)| steps.contains(&row.step.text.as_str()))
            .map(|(word, _)| word)
    };
    let variants = at(&["exists", "owner"]).flat_map(|row| {
        keys(&spec.resources).map(move |resource| (GeneratedName::ErrorResponse(&row.text, &resource.text).name(), row))
    });
    let variants: HashMap<String, &Word> = variants.collect();
    for word in at(&["rule"]) {
        if let Some(row) = variants.get(&pascal(&word.text)) {
            let what = format!("generated from the error `{}` for a resource", row.text);
            diagnostics.push(also(word, &(what, row.at)));
        }
    }
}
