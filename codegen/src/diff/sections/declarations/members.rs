//! The rules for added, removed and renamed members and parameters, by their direction.

use crate::diff::matching::Declared;
use crate::diff::output::Sentence;
use crate::diff::relations::{Audience, is_required};
use crate::model::{Kind, Type, TypeRule};

/// The rule for an added one.
pub(crate) fn added(declared: &Declared<'_>, audience: &Audience, of: &Type) -> &'static str {
    match audience {
        _ if audience.is_taken() && is_required(of) => "required-member-added",
        _ if audience.stored && default_of(declared, of).is_none() => "required-field-added",
        _ if audience.is_taken() => "request-member-added",
        _ if audience.is_shown() => "answer-member-added",
        _ => "field-added",
    }
}

/// The rule for a removed one.
pub(crate) fn removed(audience: &Audience) -> &'static str {
    match audience {
        _ if audience.is_taken() => "request-member-removed",
        _ if audience.is_shown() => "answer-member-removed",
        _ => "field-removed",
    }
}

/// The rule for a renamed one.
pub(crate) fn renamed(declared: &Declared<'_>, audience: &Audience, of: &Type) -> &'static str {
    match audience {
        _ if audience.is_taken() => "request-member-renamed",
        _ if audience.is_shown() => "answer-member-renamed",
        _ => field_renamed(declared, of),
    }
}

/// The rule for a renamed stored field.
pub(crate) fn field_renamed(declared: &Declared<'_>, of: &Type) -> &'static str {
    match default_of(declared, of) {
        Some(_) => "field-renamed",
        None => "required-field-renamed",
    }
}

/// The default of a stored value for records without it, as the contract writes it.
pub(crate) fn default_of<'m>(declared: &Declared<'_>, of: &'m Type) -> Option<&'m str> {
    let is_list = of.list || matches!(declared.rule(&of.kind), Some(TypeRule::List { .. }));
    match &of.default {
        Some(default) => Some(default),
        None if of.optional => Some("null"),
        None if is_list => Some("[]"),
        None if of.kind == Kind::Boolean => Some("false"),
        None => None,
    }
}

/// The message for [`added`].
pub(crate) fn added_text(name: &str, rule: &str, audience: &Audience) -> Sentence {
    let what = match rule {
        "request-member-added" if audience.is_shown() => "now accepted and returned",
        "required-member-added" => "new and required",
        "required-field-added" => "new, and existing records have no value for it",
        "request-member-added" => "now accepted",
        "answer-member-added" => "now returned",
        _ => "now stored",
    };
    Sentence::Is(name.to_owned(), what)
}

/// The message for [`removed`].
pub(crate) fn removed_text(name: &str, rule: &str, audience: &Audience) -> Sentence {
    let what = match rule {
        "request-member-removed" if audience.is_shown() => "no longer accepted or returned",
        "request-member-removed" => "no longer accepted",
        "answer-member-removed" => "no longer returned",
        _ => "no longer stored",
    };
    Sentence::Is(name.to_owned(), what)
}
