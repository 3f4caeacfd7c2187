//! The subject of a message: the members and parameters that clients know, instead of the changed type.

use super::comparison::Comparison;
use super::words::listed;
use crate::diff::relations::{Audience, Node};

/// The names by which the affected clients know a declaration.
pub(crate) struct ChangeSubject {
    names: Vec<String>,
}

impl ChangeSubject {
    /// The subject for an element of the new contract with the name `declared`.
    pub(crate) fn for_element<'m>(
        comparison: &Comparison<'m>,
        node: Node<'m>,
        concerned: &Audience,
        declared: &str,
    ) -> ChangeSubject {
        let mut names: Vec<String> = comparison.uses.carriers(node, concerned).into_iter().collect();
        if names.is_empty() {
            names.push(declared.to_owned());
        }
        ChangeSubject { names }
    }

    /// The subject for one member or parameter.
    pub(crate) fn named(name: &str) -> ChangeSubject {
        ChangeSubject {
            names: vec![name.to_owned()],
        }
    }

    /// The name if there is exactly one, else the declared name.
    pub(crate) fn or<'s>(&'s self, declared: &'s str) -> &'s str {
        match self.names.as_slice() {
            [one] => one,
            _ => declared,
        }
    }

    /// All names, in backticks.
    pub(crate) fn phrase(&self) -> String {
        match self.names.as_slice() {
            [others @ .., last] if !others.is_empty() => {
                format!("{} and `{last}`", listed(others.iter().map(String::as_str)))
            }
            names => listed(names.iter().map(String::as_str)),
        }
    }

    /// A part of each: `[]` for the items of a list, `.name` for a member.
    pub(crate) fn part(&self, path: &str) -> ChangeSubject {
        ChangeSubject {
            names: self.names.iter().map(|name| format!("{name}{path}")).collect(),
        }
    }

    /// `is` or `are`.
    pub(crate) fn is(&self) -> &'static str {
        if self.names.len() == 1 { "is" } else { "are" }
    }

    /// `is` or `are each`, before a description that holds for each of them.
    pub(crate) fn is_each(&self) -> &'static str {
        if self.names.len() == 1 { "is" } else { "are each" }
    }

    /// The verb for the use of the values.
    pub(crate) fn verb(&self, concerned: &Audience) -> &'static str {
        match (concerned.is_taken(), concerned.is_shown(), self.names.len() == 1) {
            (true, true, true) => "accepts and returns",
            (true, true, false) => "accept and return",
            (true, false, true) => "accepts",
            (true, false, false) => "accept",
            (false, true, true) => "returns",
            (false, true, false) => "return",
            (false, false, true) => "holds",
            (false, false, false) => "hold",
        }
    }
}
