//! The rules for added, removed and renamed members and parameters, by their direction.

use super::declared::Declared;
use super::relation::is_required;
use super::uses::Audience;
use crate::model::{Kind, Type, TypeRule};

/// The rule for an added one.
pub(super) fn added(declared: &Declared<'_>, audience: &Audience, of: &Type) -> &'static str {
    match audience {
        _ if audience.is_taken() && is_required(of) => "required-member-added",
        _ if audience.stored && default_of(declared, of).is_none() => "required-field-added",
        _ if audience.is_taken() => "request-member-added",
        _ if audience.is_shown() => "answer-member-added",
        _ => "field-added",
    }
}

/// The rule for a removed one.
pub(super) fn removed(audience: &Audience) -> &'static str {
    match audience {
        _ if audience.is_taken() => "request-member-removed",
        _ if audience.is_shown() => "answer-member-removed",
        _ => "field-removed",
    }
}

/// The rule for a renamed one.
pub(super) fn renamed(declared: &Declared<'_>, audience: &Audience, of: &Type) -> &'static str {
    match audience {
        _ if audience.is_taken() => "request-member-renamed",
        _ if audience.is_shown() => "answer-member-renamed",
        _ => field_renamed(declared, of),
    }
}

/// The rule for a renamed stored field.
pub(super) fn field_renamed(declared: &Declared<'_>, of: &Type) -> &'static str {
    match default_of(declared, of) {
        Some(_) => "field-renamed",
        None => "required-field-renamed",
    }
}

/// The default of a stored value for records without it, as the contract writes it.
pub(super) fn default_of<'m>(declared: &Declared<'_>, of: &'m Type) -> Option<&'m str> {
    let is_list = of.list || matches!(declared.rule(&of.kind), Some(TypeRule::List { .. }));
    match &of.default {
        Some(default) => Some(default),
        None if of.optional => Some("null"),
        None if is_list => Some("[]"),
        None if of.kind == Kind::Boolean => Some("false"),
        None => None,
    }
}

/// The text for [`added`].
pub(super) fn added_text(name: &str, rule: &str, audience: &Audience) -> String {
    match rule {
        "request-member-added" if audience.is_shown() => format!("`{name}` may be given and is shown, too"),
        "required-member-added" => format!("`{name}` is new and must be given"),
        "required-field-added" => format!("`{name}` is new, and records that are stored have no value for it"),
        "request-member-added" => format!("`{name}` may be given, too"),
        "answer-member-added" => format!("`{name}` is shown, too"),
        _ => format!("`{name}` is stored, too"),
    }
}

/// The text for [`removed`].
pub(super) fn removed_text(name: &str, rule: &str, audience: &Audience) -> String {
    match rule {
        "request-member-removed" if audience.is_shown() => format!("`{name}` is neither taken nor shown any more"),
        "request-member-removed" => format!("`{name}` is not taken any more"),
        "answer-member-removed" => format!("`{name}` is not shown any more"),
        _ => format!("`{name}` is not stored any more"),
    }
}
