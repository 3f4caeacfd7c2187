//! What reading a contract yields besides its sections: diagnostics, and the names in it.

use super::grammar::{Name, Uses};
use crate::diagnostic::Diagnostic;
use crate::span::{Span, Word};

/// Collects diagnostics and names while a contract is read.
#[derive(Default)]
pub struct Reader {
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) names: Names,
}

/// The names of a contract with their kinds. Fields, members and values of enums are among them, but not what they belong
/// to. A name that could not be read is empty.
#[derive(Clone, Default)]
pub struct Names {
    pub(crate) declared: Vec<(Name, Word)>,
    pub(crate) used: Vec<(Name, Word)>,
    pub(crate) types: Vec<UsedType>,
}

/// A name where a type is expected.
#[derive(Clone)]
pub(crate) struct UsedType {
    pub(crate) name: Word,
    pub(crate) list: bool,
    /// Where it is used. The items of a list type count as members of a body.
    pub(crate) place: Uses,
}

impl Reader {
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn uses(&mut self, kind: Name, name: &Word) {
        self.names.used.push((kind, name.clone()));
    }

    pub(crate) fn uses_type(&mut self, name: &Word, list: bool, place: Uses) {
        let name = name.clone();
        self.names.types.push(UsedType { name, list, place });
    }
}

impl Names {
    /// The declared names of a kind.
    pub(crate) fn declared(&self, kind: Name) -> impl Iterator<Item = &Word> {
        of(&self.declared, kind)
    }

    /// The names that refer to a kind, except where a type is expected.
    pub(crate) fn used(&self, kind: Name) -> impl Iterator<Item = &Word> {
        of(&self.used, kind)
    }

    /// Keeps the names at some positions.
    pub(crate) fn retain(&mut self, keep: impl Fn(Span) -> bool) {
        self.declared.retain(|(_, name)| keep(name.at));
        self.used.retain(|(_, name)| keep(name.at));
        self.types.retain(|used| keep(used.name.at));
    }
}

fn of(names: &[(Name, Word)], kind: Name) -> impl Iterator<Item = &Word> {
    let of_kind = names.iter().filter(move |(other, _)| *other == kind);
    of_kind.map(|(_, name)| name)
}
