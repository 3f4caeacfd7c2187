//! `misplaced-type`: types that may not be used where they are.

use super::lookup::{TypeTarget, declaration, find, members_of, type_target};
use crate::diagnostic::{Diagnostic, Rule};
use crate::syntax::{Names, Spec, TypeDef, UsedType, Uses};
use std::collections::HashSet;

/// `misplaced-type`: a type that may not be used at this position.
pub(super) fn misplaced_type(spec: &Spec, names: &Names, diagnostics: &mut Vec<Diagnostic>) {
    for used in &names.types {
        if let Some(reason) = misplaced(spec, used) {
            let message = format!("`{}` {reason}", used.name.text);
            let diagnostic = Diagnostic::new(Rule::MisplacedType, used.name.at, message);
            diagnostics.push(diagnostic.declared_if(declaration(spec, &used.name.text)));
        }
    }
}

/// `misplaced-type`: a field in a body whose type requests cannot carry.
pub(super) fn unsent_field(spec: &Spec, diagnostics: &mut Vec<Diagnostic>) {
    for body in super::bodies::all(spec) {
        for (word, used) in super::bodies::of_record(spec, body) {
            if let Some(reason) = not_sent(spec, &used.name.text) {
                let message = format!("`{}` has the type `{}`, which {reason}", word.text, used.name.text);
                let diagnostic = Diagnostic::new(Rule::MisplacedType, word.at, message);
                diagnostics.push(diagnostic.related(used.name.at, "its type"));
            }
        }
    }
}

fn misplaced(spec: &Spec, used: &UsedType) -> Option<&'static str> {
    use TypeTarget::{BuiltIn, Enum, Format, Id, Input, Object, Resource, Type, Unknown, View};
    let meaning = type_target(spec, &used.name.text);
    if let Unknown = meaning {
        return None;
    }
    if let Resource = meaning {
        return Some("is a resource: use its id or one of its views");
    }
    match used.place {
        Uses::Stored | Uses::Joined => match meaning {
            Input(_) => Some("is an input, which is not stored"),
            View if used.place == Uses::Stored => Some("is a view, which is not stored"),
            BuiltIn("flag") => Some("is only for query parameters: use `boolean`"),
            BuiltIn("cursor" | "event_names") => Some(OF_FEEDS),
            BuiltIn("secret") => Some("is only for responses: a secret is returned once and not stored"),
            _ => None,
        },
        Uses::Body => not_sent(spec, &used.name.text),
        Uses::Path => None,
        Uses::Query if used.list => Some("is used for a list, but a query parameter has one value"),
        Uses::Query => match meaning {
            Type(TypeDef::List { .. }) => Some("is a list, but a query parameter has one value"),
            Type(TypeDef::FreeForm { .. }) | Object(_) | Input(_) => {
                Some("is an object, which a query parameter cannot hold")
            }
            Type(_) | Enum(_) | Id | Format(_) | BuiltIn("flag" | "boolean" | "cursor" | "event_names") => None,
            _ => Some("cannot be a query parameter"),
        },
        Uses::Answer => match meaning {
            View => None,
            // A view with this name is reported where it is declared.
            Id if has_view_id(spec, &used.name.text) => None,
            _ => Some("is not a view: `data` is a view such as `Resource.item`, a list of one, or a map of members"),
        },
        Uses::AnswerMember => match meaning {
            Input(_) => Some("is an input, which is not returned"),
            View => Some("is a view: only the whole `data` can be one"),
            BuiltIn("flag") => Some("is only for query parameters: use `boolean`"),
            BuiltIn("cursor" | "event_names") => Some(OF_FEEDS),
            _ => None,
        },
    }
}

/// Where the types of a feed are used.
const OF_FEEDS: &str = "is only for the query of a feed";

fn has_view_id(spec: &Spec, id: &str) -> bool {
    let resource = id.split_once('.').and_then(|(name, _)| find(&spec.resources, name));
    resource.is_some_and(|resource| find(&resource.views, "id").is_some())
}

/// Why a type cannot be a member of a body.
fn not_sent(spec: &Spec, name: &str) -> Option<&'static str> {
    match type_target(spec, name) {
        TypeTarget::BuiltIn("flag") => Some("is only for query parameters: use `boolean`"),
        TypeTarget::BuiltIn("cursor" | "event_names") => Some(OF_FEEDS),
        TypeTarget::Format(_) | TypeTarget::BuiltIn("boolean") => None,
        TypeTarget::BuiltIn(_) => Some("is never read from a request"),
        TypeTarget::View => Some("is a view, which a client does not send"),
        TypeTarget::Object(_) => {
            has_unsent_members(spec, name).then_some("has members that are never read from a request")
        }
        _ => None,
    }
}

/// Whether an object has a member that requests cannot carry, at any depth.
fn has_unsent_members(spec: &Spec, object: &str) -> bool {
    let mut known = HashSet::from([object]);
    let mut waiting = vec![object];
    while let Some(name) = waiting.pop() {
        for (_, used) in members_of(spec, name).unwrap_or_default() {
            let part = used.name.text.as_str();
            match type_target(spec, part) {
                TypeTarget::Object(_) if known.insert(part) => waiting.push(part),
                TypeTarget::Object(_) => {}
                _ if not_sent(spec, part).is_some() => return true,
                _ => {}
            }
        }
    }
    false
}
