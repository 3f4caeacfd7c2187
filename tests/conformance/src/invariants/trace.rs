//! Where a contract shows what a write created, changed or deleted.

use crate::contract::Operation;

/// An operation that shows what another one wrote.
#[derive(Debug)]
pub struct Trace {
    /// The reading operation.
    pub operation: &'static Operation,
    /// The reader.
    pub reader: Reader,
    /// The resources in its path, and the origin of their ids.
    pub named: Vec<(&'static str, IdOrigin)>,
    /// Where the resources are in its `data`.
    pub location: DataLocation,
    /// The member with a resource's id, if it is shown.
    pub id: Option<&'static str>,
    /// The origin of the ids of the written resources.
    pub id_origin: IdOrigin,
    /// The member of the write's body that lists the written resources, if there are several.
    pub items: Option<&'static str>,
    /// The members that the write determines.
    pub members: Vec<ExpectedMember>,
    /// Members of the write's own `data`, and the members that show them again.
    pub repeated_members: Vec<(&'static str, &'static str)>,
    /// Whether the contract declares what the write does.
    pub is_declared: bool,
    /// Whether only the caller, and those who know the named resources, change what it shows.
    pub is_apart: bool,
}

/// Where an operation shows records of a resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The reading operation.
    pub(crate) operation: &'static Operation,
    /// Where the records are in its `data`.
    pub(crate) location: DataLocation,
    /// The member with a record's id, if it is shown.
    pub(crate) id: Option<&'static str>,
}

impl Trace {
    pub(super) fn place(&self) -> Place {
        Place {
            operation: self.operation,
            location: self.location,
            id: self.id,
        }
    }
}

/// Who reads what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The caller that wrote it.
    Writer,
    /// Anyone who can call the operation.
    Anyone,
    /// The holder of the credential that the write created, if the operation accepts its kind.
    Newcomer,
}

/// Where the resources are in an answer's `data`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataLocation {
    /// `data` is the resource.
    Whole,
    /// `data` is a list of resources.
    All,
    /// This member lists the resources.
    In(&'static str),
}

/// The origin of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdOrigin {
    /// This member of the write's `data` is the id, or a list of them.
    InData(&'static str),
    /// The write's request named this resource.
    Named(&'static str),
    /// The resource is the caller's own.
    Own,
}

/// A member of a view that the write determines.
#[derive(Debug)]
pub struct ExpectedMember {
    /// Its name in the body; `None` if the body cannot give it.
    pub member: Option<&'static str>,
    /// Its name in the view.
    pub view_member: &'static str,
    /// Its value when the body does not give it, as JSON; `None`: the earlier value.
    pub otherwise: Option<&'static str>,
}
