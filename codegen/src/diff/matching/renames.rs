//! The names that have changed between two contracts.

use crate::model::Kind;
use std::collections::HashMap;

/// The namespace of a declared name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Namespace {
    Type,
    Enum,
    Object,
    Input,
    Resource,
}

/// The kind of an element inside a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MemberKind {
    /// A value of an enumeration.
    Value,
    /// A member of an object.
    Member,
    /// A stored field of a resource.
    Field,
    /// A joined field of a resource.
    Joined,
    /// A view of a resource.
    View,
}

/// The new names of renamed elements by their old ones.
#[derive(Default)]
pub(crate) struct Renames<'m> {
    pub(crate) declared: HashMap<(Namespace, &'m str), &'m str>,
    pub(crate) inside: HashMap<(MemberKind, &'m str, &'m str), &'m str>,
    /// The objects of the items of stored lists, by resource and field of the old contract.
    pub(crate) items: HashMap<(&'m str, &'m str), &'m str>,
}

impl<'m> Renames<'m> {
    /// The new name of a declaration; the old one if it is not renamed.
    pub(crate) fn declared<'n>(&'n self, sort: Namespace, old: &'n str) -> &'n str {
        self.declared.get(&(sort, old)).copied().unwrap_or(old)
    }

    /// The new name of an element inside a declaration; both are given by their old names.
    pub(crate) fn inside<'n>(&'n self, part: MemberKind, owner: &'n str, old: &'n str) -> &'n str {
        self.inside.get(&(part, owner, old)).copied().unwrap_or(old)
    }

    /// The new name of a resource.
    pub(crate) fn resource<'n>(&'n self, old: &'n str) -> &'n str {
        self.declared(Namespace::Resource, old)
    }

    /// The new name of an enumeration.
    pub(crate) fn enumeration<'n>(&'n self, old: &'n str) -> &'n str {
        self.declared(Namespace::Enum, old)
    }

    /// The new name of a field of a resource, stored or joined.
    pub(crate) fn field<'n>(&'n self, resource: &'n str, old: &'n str) -> &'n str {
        let stored = self.inside(MemberKind::Field, resource, old);
        if stored == old {
            self.inside(MemberKind::Joined, resource, old)
        } else {
            stored
        }
    }

    /// The new name of a member that a view takes from each item of a stored list.
    pub(crate) fn part_of_items<'n>(&'n self, resource: &'n str, field: &'n str, part: &'n str) -> &'n str {
        let object = self.items.get(&(resource, field));
        object.map_or(part, |object| self.inside(MemberKind::Member, object, part))
    }

    /// Whether a kind of the old contract has this name in the new one.
    pub(crate) fn are_same(&self, old: &Kind, new: &Kind) -> bool {
        match (old, new) {
            (Kind::Named(old), Kind::Named(new)) => self.declared(Namespace::Type, old) == new,
            (Kind::Enum(old), Kind::Enum(new)) => self.declared(Namespace::Enum, old) == new,
            (Kind::Object(old), Kind::Object(new)) => self.declared(Namespace::Object, old) == new,
            (Kind::Input(old), Kind::Input(new)) => self.declared(Namespace::Input, old) == new,
            (Kind::Id(old), Kind::Id(new)) => self.resource(old) == new,
            (Kind::View(resource, view), Kind::View(new_resource, new_view)) => {
                self.resource(resource) == new_resource && self.inside(MemberKind::View, resource, view) == new_view
            }
            (old, new) => old == new,
        }
    }
}
