//! The notation of types, in the contract's own words.

use crate::documents::shared::words;
use crate::model::{Body, Field, Kind, NamedType, Type, TypeRule};

/// `slug?`, `[Skill]`, `page_size = 20`
pub(super) fn in_request(of: &Type) -> String {
    let listed = listed(of);
    match (&of.default, of.optional) {
        (Some(default), _) => format!("{listed} = {default}"),
        (None, true) => format!("{listed}?"),
        (None, false) => listed,
    }
}

/// A member of an answer: always present, possibly null.
pub(super) fn in_response(of: &Type) -> String {
    listed(of) + if of.optional { "?" } else { "" }
}

/// `title: title, category: slug?`
pub(super) fn members(fields: &[Field]) -> String {
    let fields = fields
        .iter()
        .map(|field| format!("{}: {}", field.name, in_request(&field.of)));
    fields.collect::<Vec<_>>().join(", ")
}

fn listed(of: &Type) -> String {
    let single = match &of.kind {
        Kind::Named(name) | Kind::Enum(name) | Kind::Object(name) | Kind::Input(name) => name.as_str(),
        Kind::View(resource, _) => resource,
        Kind::Id(resource) => return in_list(&format!("{resource}.id"), of.list),
        Kind::Stored => "text",
        Kind::Secret => "secret",
        Kind::Boolean => "boolean",
        Kind::Flag => "flag",
        Kind::Format(format) => format.name,
        Kind::Timestamp => "timestamp",
        Kind::Cursor => "cursor",
        Kind::EventNames(_) => "event_names",
    };
    in_list(single, of.list)
}

fn in_list(single: &str, is_list: bool) -> String {
    if is_list {
        format!("[{single}]")
    } else {
        single.to_owned()
    }
}

/// The values that a named type allows.
pub(super) fn allowed(named: &NamedType) -> String {
    match &named.rule {
        TypeRule::Text {
            min,
            max,
            chars,
            bidi_controls,
            alike: _,
        } => text(*min, *max, chars.as_deref(), *bidi_controls),
        TypeRule::Number {
            min,
            exclusive_min,
            max,
            decimals,
        } => {
            let lower = min.map(|min| from(min, max.is_some()));
            let lower = exclusive_min.map(|above| format!("above {above}")).or(lower);
            let places = decimals.map(|most| format!("at most {most} decimal places"));
            let to = to(min.is_some());
            joined("number", [lower, max.map(|max| format!("{to} {max}"))], places)
        }
        TypeRule::Integer { min, max } => {
            let to = to(min.is_some());
            let lower = min.map(|min| from(min, max.is_some()));
            joined("whole number", [lower, max.map(|max| format!("{to} {max}"))], None)
        }
        TypeRule::List { of, min, max, unique } => {
            let to = to(*min > 0);
            let bounds = [
                (*min > 0).then(|| match max {
                    Some(_) => format!("from {min}"),
                    None => format!("at least {min} {}", if *min == 1 { "item" } else { "items" }),
                }),
                max.map(|max| format!("{to} {max} items")),
            ];
            let unique = unique.as_ref();
            let unique = unique.map(|member| format!("no two with the same `{member}`"));
            let comma = if bounds.iter().any(Option::is_some) { "," } else { "" };
            joined(&format!("list of {}{comma}", in_response(of)), bounds, unique)
        }
        TypeRule::FreeForm { max_bytes } => {
            format!("object with any members, up to {max_bytes} bytes as JSON")
        }
    }
}

fn text(min: u64, max: Option<u64>, chars: Option<&str>, bidi_controls: bool) -> String {
    let is_exact = max == Some(min);
    let least = (min > 1 && !is_exact).then(|| format!("from {min}"));
    let upper = match (is_exact, min > 1) {
        (true, _) => "of",
        (false, true) => "to",
        (false, false) => "of up to",
    };
    let most = max.map(|max| format!("{} {max} characters", upper));
    let least = match most {
        None => (min > 1).then(|| format!("of at least {min} characters")),
        Some(_) => least,
    };
    let others = [
        chars.map(|chars| format!("only from {}", words::code(chars))),
        (min == 0).then(|| "may be empty".to_owned()),
        (!bidi_controls).then(|| "no bidirectional controls".to_owned()),
    ];
    let others: Vec<String> = others.into_iter().flatten().collect();
    let others = (!others.is_empty()).then(|| others.join(", "));
    joined("text", [least, most], others)
}

/// `from 1` if an upper bound follows, or `of at least 1`
fn from(min: impl std::fmt::Display, has_max: bool) -> String {
    if has_max {
        format!("from {min}")
    } else {
        format!("of at least {min}")
    }
}

/// `from 1 to 5`, or `up to 5`
fn to(is_after_from: bool) -> &'static str {
    if is_after_from { "to" } else { "up to" }
}

/// `number from 0 to 5, at most 2 decimal places`
fn joined(kind: &str, bounds: [Option<String>; 2], more: Option<String>) -> String {
    let bounds: Vec<String> = bounds.into_iter().flatten().collect();
    let bounded = std::iter::once(kind.to_owned())
        .chain(bounds)
        .collect::<Vec<_>>()
        .join(" ");
    std::iter::once(bounded).chain(more).collect::<Vec<_>>().join(", ")
}

/// The members of a body: `title: title, category: slug?`.
pub(super) fn body(body: &Body) -> String {
    let members = body.members.iter().map(|member| {
        let Field { name, of, .. } = &member.field;
        let of = match (body.partial, member.required) {
            (true, _) => in_response(of),
            (false, true) => listed(of),
            (false, false) => in_request(of),
        };
        format!("{name}: {of}")
    });
    members.collect::<Vec<_>>().join(", ")
}
