//! Names that the generated code needs for itself, or makes of other names.

use super::naming::keys;
use crate::report::Report;
use crate::spec::{Span, Spec, Word};

/// Names of types that the generated code has already.
const TYPES: &[&str] = &[
    "A",
    "Answer",
    "App",
    "Arc",
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
    "Faults",
    "Found",
    "Gate",
    "GateSettings",
    "Hash",
    "Members",
    "Number",
    "OpenObject",
    "Operation",
    "Owned",
    "Page",
    "Path",
    "Peer",
    "Query",
    "Refusal",
    "Request",
    "Response",
    "Rest",
    "Routed",
    "Success",
    "Timestamp",
    "Value",
];

/// Names that every Rust program knows, and the generated code uses.
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

/// Names of modules that the generated code has already.
const MODULES: [&str; 11] = [
    "bodies", "decode", "envelope", "errors", "guards", "limits", "quotas", "serde", "std", "support", "warp",
];

/// `reserved-name`: a name that the generated code needs for something else.
pub(super) fn reserved_name(spec: &Spec, reports: &mut Vec<Report>) {
    let operations = spec.surfaces.iter().flat_map(|(_, surface)| keys(&surface.endpoints));
    for word in keys(&spec.credentials).chain(keys(&spec.surfaces)).chain(operations) {
        if MODULES.contains(&word.text.as_str()) {
            let message = format!(
                "`{}` is a module of the generated code: another name is needed",
                word.text
            );
            reports.push(Report::new("reserved-name", word.at, message));
        }
    }
    for word in declared_types(spec) {
        if let Some((what, at)) = taken(spec, &word.text) {
            let message = format!("`{}` is also {what}: another name is needed", word.text);
            let report = Report::new("reserved-name", word.at, message);
            reports.push(report.related(at, "which is declared here"));
        }
    }
    reserved_traits(spec, reports);
    reserved_functions(spec, reports);
}

fn declared_types(spec: &Spec) -> impl Iterator<Item = &Word> {
    let parts = keys(&spec.enums).chain(keys(&spec.objects)).chain(keys(&spec.inputs));
    parts.chain(keys(&spec.resources))
}

/// What has this name already, or will have it, and where that comes from.
fn taken(spec: &Spec, name: &str) -> Option<(String, Span)> {
    let elsewhere = |what: &str| Some((what.to_owned(), Span::default()));
    if TYPES.contains(&name) {
        return elsewhere("a type of the generated code");
    }
    if PRELUDE.contains(&name) {
        return elsewhere("a name that Rust itself has");
    }
    made_of(spec, name)
}

/// An operation makes a trait.
fn reserved_traits(spec: &Spec, reports: &mut Vec<Report>) {
    for word in spec.surfaces.iter().flat_map(|(_, surface)| keys(&surface.endpoints)) {
        let name = pascal(&word.text);
        let declared = declared_types(spec).find(|declared| declared.text == name);
        let what = declared
            .map(|declared| (format!("`{}`", declared.text), declared.at))
            .or_else(|| taken(spec, &name));
        if let Some((what, at)) = what {
            let message = format!(
                "the operation `{}` makes a trait `{name}`, which is also {what}: another name is needed",
                word.text
            );
            let report = Report::new("reserved-name", word.at, message);
            reports.push(report.related(at, "which is declared here"));
        }
    }
}

/// A row makes a function, and with a resource a variant; a limit makes a field.
fn reserved_functions(spec: &Spec, reports: &mut Vec<Report>) {
    let mut report = |word: &Word, what: String, at: Span| {
        let message = format!("`{}` is also {what}: another name is needed", word.text);
        let report = Report::new("reserved-name", word.at, message);
        reports.push(report.related(at, "which is declared here"));
    };
    for word in keys(&spec.errors).filter(|word| word.text == "failure") {
        report(word, "a function of the generated code".to_owned(), Span::default());
    }
    for word in keys(&spec.limits).filter(|word| ["enabled", "observer"].contains(&word.text.as_str())) {
        report(word, "a field of the generated code".to_owned(), Span::default());
    }
    for (word, _) in spec.errors.iter().filter(|(_, row)| row.step.text == "rule") {
        let made = spec
            .errors
            .iter()
            .filter(|(_, row)| matches!(row.step.text.as_str(), "exists" | "owner"));
        let twin = made.into_iter().find(|(row, _)| {
            keys(&spec.resources)
                .any(|resource| pascal(&word.text) == format!("{}{}", pascal(&row.text), resource.text))
        });
        if let Some((row, _)) = twin {
            let what = format!("what is made of the row `{}` for a resource", row.text);
            report(word, what, row.at);
        }
    }
}

/// What has this name in Rust because of another name of the contract, and where that stands.
fn made_of(spec: &Spec, name: &str) -> Option<(String, Span)> {
    let of_credential = keys(&spec.credentials).find_map(|credential| {
        let made = pascal(&credential.text);
        let is_made = name == format!("{made}Caller") || name == format!("Admit{made}");
        is_made.then(|| {
            (
                format!("what is made of the credential `{}`", credential.text),
                credential.at,
            )
        })
    });
    let of_resource = spec.resources.iter().find_map(|(resource, of)| {
        let made = &resource.text;
        let of_it = ["Find{}", "Owned{}", "{}Id", "{}Seed"].map(|form| form.replace("{}", made));
        if of_it.iter().any(|one| one == name) {
            return Some((format!("what is made of the resource `{made}`"), resource.at));
        }
        let view = of
            .views
            .iter()
            .find(|(view, _)| name == format!("{made}{}", pascal(&view.text)))?;
        Some((format!("the view `{}` of `{made}`", view.0.text), view.0.at))
    });
    let of_object = spec.objects.iter().find_map(|(object, _)| {
        let is_seed = name.strip_suffix("Seed") == Some(object.text.as_str());
        is_seed.then(|| (format!("what is made of the object `{}`", object.text), object.at))
    });
    of_credential.or(of_resource).or(of_object)
}

/// A name as a type's.
pub(super) fn pascal(snake: &str) -> String {
    let upper = |part: &str| {
        let mut letters = part.chars();
        letters
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .chain(letters)
            .collect::<String>()
    };
    snake.split('_').map(upper).collect()
}
