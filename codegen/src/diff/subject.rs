//! What a sentence is about: the members and parameters that clients know, which the type that changed is not.

use super::Comparison;
use super::uses::{Audience, Thing};
use super::words::listed;

/// The names by which those concerned know something that is declared.
pub(super) struct Subject {
    names: Vec<String>,
}

impl Subject {
    /// Of a thing in the new contract, where it is called `declared`.
    pub(super) fn of<'m>(
        comparison: &Comparison<'m>,
        thing: Thing<'m>,
        concerned: &Audience,
        declared: &str,
    ) -> Subject {
        let mut names: Vec<String> = comparison.uses.carriers(thing, concerned).into_iter().collect();
        if names.is_empty() {
            names.push(declared.to_owned());
        }
        Subject { names }
    }

    /// Of one member or parameter.
    pub(super) fn named(name: &str) -> Subject {
        Subject {
            names: vec![name.to_owned()],
        }
    }

    /// The one name that there is, or else that by which it is declared.
    pub(super) fn or<'s>(&'s self, declared: &'s str) -> &'s str {
        match self.names.as_slice() {
            [one] => one,
            _ => declared,
        }
    }

    /// All of them, in backticks.
    pub(super) fn said(&self) -> String {
        match self.names.as_slice() {
            [others @ .., last] if !others.is_empty() => {
                format!("{} and `{last}`", listed(others.iter().map(String::as_str)))
            }
            names => listed(names.iter().map(String::as_str)),
        }
    }

    /// The items of each, where they are lists.
    pub(super) fn items(&self) -> Subject {
        Subject {
            names: self.names.iter().map(|name| format!("{name}[]")).collect(),
        }
    }

    /// `is` or `are`.
    pub(super) fn is(&self) -> &'static str {
        if self.names.len() == 1 { "is" } else { "are" }
    }

    /// The same in front of what each one of them is.
    pub(super) fn is_each(&self) -> &'static str {
        if self.names.len() == 1 { "is" } else { "are each" }
    }

    /// What is done with the values.
    pub(super) fn verb(&self, concerned: &Audience) -> &'static str {
        match (concerned.is_taken(), concerned.is_shown(), self.names.len() == 1) {
            (true, true, true) => "takes and shows",
            (true, true, false) => "take and show",
            (true, false, true) => "takes",
            (true, false, false) => "take",
            (false, true, true) => "shows",
            (false, true, false) => "show",
            (false, false, true) => "holds",
            (false, false, false) => "hold",
        }
    }
}
