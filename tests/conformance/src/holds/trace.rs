//! Where a contract shows what a write made, changed or took away, as `codegen` writes it down.

use crate::contract::Operation;

/// An operation that shows what another one wrote.
#[derive(Debug)]
pub struct Trace {
    /// The operation that shows it.
    pub operation: &'static Operation,
    /// Who asks it.
    pub reader: Reader,
    /// The resources that its path names, and how their ids are known.
    pub named: &'static [(&'static str, Landing)],
    /// Where in its `data` the things are.
    pub rows: Rows,
    /// The member with a thing's id, where it is shown.
    pub id: Option<&'static str>,
    /// How the ids of what was written are known.
    pub landing: Landing,
    /// The member of the write's body that lists what was written, where it is more than one.
    pub items: Option<&'static str>,
    /// The members that the write decides.
    pub members: &'static [Shown],
    /// Members of the write's own `data`, and the members that show them again.
    pub told: &'static [(&'static str, &'static str)],
    /// Whether nobody but the caller, and whoever knows the resources that are named, changes what it shows.
    pub is_apart: bool,
}

/// Who asks for what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Whoever wrote it.
    Writer,
    /// Anyone who can call the operation.
    Anyone,
    /// Whoever has the credential that the write made, where that is one of the operation's kind.
    Newcomer,
}

/// Where things are in an answer's `data`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// The one thing is the whole of it.
    Whole,
    /// It is a list of them.
    All,
    /// They are listed in this member.
    In(&'static str),
}

/// How an id is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// This member of the write's `data` is the id, or a list of them.
    InData(&'static str),
    /// The write named this resource.
    Named(&'static str),
    /// It is the caller's own.
    Own,
}

/// A member of a view that the write decides.
#[derive(Debug)]
pub struct Shown {
    /// Its name in the body; `None` where the body cannot give it.
    pub member: Option<&'static str>,
    /// Its name in the view.
    pub shown: &'static str,
    /// What it is when the body did not give it, as JSON; `None`: what it was before.
    pub otherwise: Option<&'static str>,
}

impl Shown {
    /// One that is shown as it was given.
    pub const fn given(member: &'static str, shown: &'static str) -> Self {
        Self {
            member: Some(member),
            shown,
            otherwise: None,
        }
    }

    /// One that a new resource starts with.
    pub const fn initial(shown: &'static str, value: &'static str) -> Self {
        Self {
            member: None,
            shown,
            otherwise: Some(value),
        }
    }

    /// The same with this value when it is not given.
    pub const fn or(self, value: &'static str) -> Self {
        Self {
            otherwise: Some(value),
            ..self
        }
    }
}
