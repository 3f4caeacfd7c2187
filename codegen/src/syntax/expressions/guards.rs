//! The entries of `guards` and `constraints`.

use crate::diagnostic::{Diagnostic, Rule};
use crate::nearest::nearest;
use crate::span::Word;
use crate::syntax::grammar::Name;
use crate::syntax::read::clipped;
use crate::syntax::reader::Reader;

/// A guard.
#[derive(Clone, Debug)]
pub enum Guard {
    /// `plan verified`
    Plan(Word),
    /// `exists Book`, `exists Copy in Book`
    Exists {
        /// What must exist.
        resource: Word,
        /// The resource that it must belong to.
        parent: Option<Word>,
    },
    /// `owner Book`
    Owner(Word),
}

/// `plan verified`, `exists Book`, `exists Copy in Book`, `owner Book`.
pub(crate) fn guard(whole: &Word, reader: &mut Reader) -> Option<Guard> {
    let mut resource = |text: &str| {
        let name = whole.part(text);
        reader.uses(Name::Resource, &name);
        name
    };
    let parts: Vec<&str> = whole.text.split_whitespace().collect();
    let guard = match parts.as_slice() {
        ["plan", plan] => Guard::Plan(whole.part(plan)),
        ["exists", name] => Guard::Exists {
            resource: resource(name),
            parent: None,
        },
        ["exists", name, "in", parent] => Guard::Exists {
            resource: resource(name),
            parent: Some(resource(parent)),
        },
        ["owner", name] => Guard::Owner(resource(name)),
        _ => {
            reader.report(bad_guard(whole, parts.first().copied().unwrap_or_default()));
            return None;
        }
    };
    Some(guard)
}

/// The diagnostic for an invalid guard: at its first word, if that is misspelled.
fn bad_guard(whole: &Word, kind: &str) -> Diagnostic {
    let diagnostic =
        |at, what: &str| Diagnostic::new(Rule::BadGuard, at, format!("`{}` is not a guard", clipped(what)));
    match nearest(kind, ["plan", "exists", "owner"]) {
        Some(near) if near != kind => diagnostic(whole.part(kind).at, kind).help(format!("did you mean `{near}`?")),
        _ => diagnostic(whole.at, &whole.text)
            .help("a guard is `exists Resource`, `exists Resource in Parent`, `owner Resource` or `plan name`"),
    }
}

/// `minRate <= maxRate`
pub(crate) fn constraint(whole: &Word, reader: &mut Reader) -> Option<(Word, Word)> {
    let name = |text: &str| whole.part(text);
    let parts: Vec<&str> = whole.text.split_whitespace().collect();
    if let [lower, "<=", upper] = parts.as_slice() {
        return Some((name(lower), name(upper)));
    }
    if let [_, sign @ ("<" | ">" | ">=" | "=" | "==" | "!="), _] = parts.as_slice() {
        let message = format!("`{sign}` is not allowed in a constraint");
        let help = "write `lower <= upper`: the first parameter must not be above the second";
        reader.report(Diagnostic::new(Rule::BadConstraint, whole.part(sign).at, message).help(help));
        return None;
    }
    let message = format!("`{}` is not a constraint", clipped(&whole.text));
    let help = "a constraint compares two query parameters: `lower <= upper`";
    reader.report(Diagnostic::new(Rule::BadConstraint, whole.at, message).help(help));
    None
}
