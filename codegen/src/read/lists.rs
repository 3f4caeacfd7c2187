//! Reads the entries of `filters`, and `pages`.

use super::members::Members;
use super::words::{clipped, word, words};
use crate::diagnostic::{Diagnostic, Rule};
use crate::language::Form;
use crate::matching::Matching;
use crate::nearest::nearest;
use crate::spec::{Filter, FilterBy, Pages, Word};
use crate::yaml::Node;

pub(super) fn filters(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Vec<Filter> {
    let written = words(node, form, diagnostics);
    written.iter().filter_map(|word| filter(word, diagnostics)).collect()
}

pub(super) fn pages(node: &Node, form: &'static Form, diagnostics: &mut Vec<Diagnostic>) -> Pages {
    let mut m = Members::of(node, form, diagnostics);
    let pages = Pages {
        size: m.value("size", word),
        offset: m.given("offset", word),
        number: m.given("number", word),
        total: m.given("total", word),
        at: node.head,
    };
    m.done();
    pages
}

/// The caller in a filter.
const CALLER: &str = "$caller";
/// The operator between a field and its fixed value.
const IS: &str = "is";

/// `tag = tags`, `$caller = owner_id`, `status is open`.
fn filter(whole: &Word, diagnostics: &mut Vec<Diagnostic>) -> Option<Filter> {
    let part = |text: &str| whole.part(text);
    let parts: Vec<&str> = whole.text.split_whitespace().collect();
    let (by, field) = match parts.as_slice() {
        [field, IS, value] => (FilterBy::Value(part(value)), field),
        [CALLER, "=", field] => (FilterBy::Caller(part(parts[0])), field),
        [parameter, sign, field] if !parameter.starts_with('$') && Matching::parse(sign).is_some() => {
            (FilterBy::Parameter(part(parameter), Matching::parse(sign)?), field)
        }
        parts => {
            diagnostics.push(bad_filter(whole, parts));
            return None;
        }
    };
    Some(Filter {
        by,
        field: part(field),
        at: whole.at,
    })
}

/// The diagnostic for an invalid filter: at the wrong word, if there is just one.
fn bad_filter(whole: &Word, parts: &[&str]) -> Diagnostic {
    let diagnostic = |at: &str, message: String| Diagnostic::new(Rule::BadFilter, whole.part(at).at, message);
    match parts {
        [CALLER, sign, _] => diagnostic(
            sign,
            format!("`{CALLER}` can only be compared with `=`, not with `{sign}`"),
        ),
        [name, sign, _] if name.starts_with('$') && Matching::parse(sign).is_some() => {
            let message = format!("`{}` is unknown", clipped(name));
            diagnostic(name, message).help(format!("`{CALLER}` is the id of the caller"))
        }
        [_, sign, _] => {
            let known = Matching::ALL.iter().map(|(_, word)| *word).chain([IS]);
            let meant = foreign_sign(sign).or_else(|| nearest(sign, known));
            let diagnostic = diagnostic(sign, format!("`{}` is not a comparison of filters", clipped(sign)));
            diagnostic.help(match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => SIGNS.to_owned(),
            })
        }
        _ => Diagnostic::new(
            Rule::BadFilter,
            whole.at,
            format!("`{}` is not a filter", clipped(&whole.text)),
        )
        .help(SIGNS),
    }
}

const SIGNS: &str = "a filter is `parameter = field`, with `=`, `<=`, `>=`, `within` or `implies`; `$caller = field`; \
                     or `field is value`";

/// The operators of other languages, and what to write instead.
fn foreign_sign(sign: &str) -> Option<&'static str> {
    match sign {
        "==" | "eq" | "equals" | "in" => Some("="),
        "<" | "=<" | "lte" => Some("<="),
        ">" | "=>" | "gte" => Some(">="),
        "like" | "contains" | "~" => Some("within"),
        "->" => Some("implies"),
        _ => None,
    }
}
