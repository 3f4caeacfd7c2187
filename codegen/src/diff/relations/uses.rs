//! Finds the operations whose requests carry a declared type, field or view, and those whose answers show it.
//!
//! Built once for a contract, in time linear in its size. A query visits only the users of the declaration.

use crate::model::{Edge, Graph, Model, Node};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The users that a change affects.
#[derive(Clone, Debug, Default)]
pub(crate) struct Audience {
    /// The operations whose requests carry it, as `surface.operation`.
    pub(crate) taken: BTreeSet<String>,
    /// The operations whose answers show it.
    pub(crate) shown: BTreeSet<String>,
    /// Whether it is stored.
    pub(crate) stored: bool,
}

impl Audience {
    /// Those who send a value to one operation.
    pub(crate) fn taken_by(operation: &str) -> Audience {
        Audience {
            taken: BTreeSet::from([operation.to_owned()]),
            ..Audience::default()
        }
    }

    /// Those who receive a value from one operation.
    pub(crate) fn shown_by(operation: &str) -> Audience {
        Audience {
            shown: BTreeSet::from([operation.to_owned()]),
            ..Audience::default()
        }
    }

    /// Whether no operation and no store is affected, for example if only added or removed operations use it.
    pub(crate) fn is_nobody(&self) -> bool {
        !self.stored && self.taken.is_empty() && self.shown.is_empty()
    }

    pub(crate) fn is_taken(&self) -> bool {
        !self.taken.is_empty()
    }

    pub(crate) fn is_shown(&self) -> bool {
        !self.shown.is_empty()
    }

    /// The intersection with another audience; `name` returns the name here of an operation there.
    pub(crate) fn and(&self, other: &Audience, name: impl Fn(&str) -> Option<String>) -> Audience {
        let both = |own: &BTreeSet<String>, others: &BTreeSet<String>| -> BTreeSet<String> {
            let others = others.iter().filter_map(|other| name(other));
            others.filter(|other| own.contains(other)).collect()
        };
        Audience {
            taken: both(&self.taken, &other.taken),
            shown: both(&self.shown, &other.shown),
            stored: self.stored && other.stored,
        }
    }

    /// All operations, whatever their direction.
    pub(crate) fn operations(&self) -> BTreeSet<String> {
        self.taken.union(&self.shown).cloned().collect()
    }
}

/// The users of every declaration of a contract.
pub(crate) struct UseGraph<'m> {
    users: HashMap<Node<'m>, Vec<Edge<'m>>>,
}

impl<'m> UseGraph<'m> {
    /// Collects the users of all declarations.
    pub(crate) fn from_model(model: &'m Model) -> UseGraph<'m> {
        let mut users: HashMap<Node<'m>, Vec<Edge<'m>>> = HashMap::new();
        for edge in Graph::from_model(model).edges {
            users.entry(edge.held).or_default().push(edge);
        }
        UseGraph { users }
    }

    fn users(&self, node: Node<'m>) -> impl Iterator<Item = &Edge<'m>> {
        self.users.get(&node).into_iter().flatten()
    }

    /// The users of a declaration.
    pub(crate) fn audience(&self, node: Node<'m>) -> Audience {
        let mut audience = Audience::default();
        let (mut seen, mut next) = (HashSet::from([node]), vec![node]);
        while let Some(node) = next.pop() {
            match node {
                Node::Field(..) | Node::FieldItself(..) => audience.stored = true,
                Node::Request(surface, name) => drop(audience.taken.insert(format!("{surface}.{name}"))),
                Node::Answer(surface, name) => drop(audience.shown.insert(format!("{surface}.{name}"))),
                _ => {}
            }
            let users = self.users(node).map(|edge| edge.holder);
            next.extend(users.filter(|user| seen.insert(*user)));
        }
        audience
    }

    /// The names by which affected callers know a declaration: the members and parameters that contain it or, if there
    /// are none, the stored fields.
    pub(crate) fn carriers(&self, node: Node<'m>, concerned: &Audience) -> BTreeSet<String> {
        let (mut seen, mut next) = (HashSet::from([node]), vec![node]);
        let (mut members, mut fields) = (BTreeSet::new(), BTreeSet::new());
        while let Some(node) = next.pop() {
            if let Node::Field(resource, field) = node {
                fields.insert(format!("{resource}.{field}"));
            }
            for edge in self.users(node) {
                match edge.name {
                    Some(name) if self.reaches(edge.holder, concerned) => drop(members.insert(name.to_owned())),
                    None if seen.insert(edge.holder) => next.push(edge.holder),
                    _ => {}
                }
            }
        }
        if members.is_empty() { fields } else { members }
    }

    fn reaches(&self, user: Node<'m>, concerned: &Audience) -> bool {
        let audience = self.audience(user);
        !audience.taken.is_disjoint(&concerned.taken) || !audience.shown.is_disjoint(&concerned.shown)
    }
}
