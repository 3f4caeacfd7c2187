//! The rules for added, removed and renamed members and parameters, by their direction.

use crate::diff::matching::Declared;
use crate::diff::output::{Rule, Sentence};
use crate::diff::relations::{Audience, is_required};
use crate::model::{Kind, Type, TypeRule};

/// The rule for an added one.
pub(crate) fn added(declared: &Declared<'_>, audience: &Audience, of: &Type) -> Rule {
    match audience {
        _ if audience.is_taken() && is_required(of) => Rule::RequiredMemberAdded,
        _ if audience.stored && default_of(declared, of).is_none() => Rule::RequiredFieldAdded,
        _ if audience.is_taken() => Rule::RequestMemberAdded,
        _ if audience.is_shown() => Rule::AnswerMemberAdded,
        _ => Rule::FieldAdded,
    }
}

/// The rule for a removed one.
pub(crate) fn removed(audience: &Audience) -> Rule {
    match audience {
        _ if audience.is_taken() => Rule::RequestMemberRemoved,
        _ if audience.is_shown() => Rule::AnswerMemberRemoved,
        _ => Rule::FieldRemoved,
    }
}

/// The rule for a renamed one.
pub(crate) fn renamed(declared: &Declared<'_>, audience: &Audience, of: &Type) -> Rule {
    match audience {
        _ if audience.is_taken() => Rule::RequestMemberRenamed,
        _ if audience.is_shown() => Rule::AnswerMemberRenamed,
        _ => field_renamed(declared, of),
    }
}

/// The rule for a renamed stored field.
pub(crate) fn field_renamed(declared: &Declared<'_>, of: &Type) -> Rule {
    match default_of(declared, of) {
        Some(_) => Rule::FieldRenamed,
        None => Rule::RequiredFieldRenamed,
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
pub(crate) fn added_text(name: &str, rule: Rule, audience: &Audience) -> Sentence {
    let what = match rule {
        Rule::RequestMemberAdded if audience.is_shown() => "now accepted and returned",
        Rule::RequiredMemberAdded => "new and required",
        Rule::RequiredFieldAdded => "new, and existing records have no value for it",
        Rule::RequestMemberAdded => "now accepted",
        Rule::AnswerMemberAdded => "now returned",
        _ => "now stored",
    };
    Sentence::Is(name.to_owned(), what)
}

/// The message for [`removed`].
pub(crate) fn removed_text(name: &str, rule: Rule, audience: &Audience) -> Sentence {
    let what = match rule {
        Rule::RequestMemberRemoved if audience.is_shown() => "no longer accepted or returned",
        Rule::RequestMemberRemoved => "no longer accepted",
        Rule::AnswerMemberRemoved => "no longer returned",
        _ => "no longer stored",
    };
    Sentence::Is(name.to_owned(), what)
}
