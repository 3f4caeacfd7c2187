//! The components and their names: the contract's own words, the same in every document of a contract.

use crate::model::{Graph, Kind, Model, Node, TypeRule};
use crate::names::{GeneratedName, pascal};
use std::collections::{BTreeMap, BTreeSet};

/// A part of the contract whose schema is a component.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Component {
    Type(String, Direction),
    Enum(String),
    Object(String, Direction),
    Input(String),
    /// A resource's view.
    View(String, String),
    /// The id of a resource.
    Id(String),
    Timestamp,
    Flag,
    /// The names of all events.
    EventName,
    /// An event in a feed.
    Event,
    /// The body of every error.
    Error,
}

/// The direction of a value. An answer has members that a client may leave out, and may get members that a client may
/// not send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Direction {
    /// In a request.
    Request,
    /// In an answer.
    Response,
}

/// The names of all components that a contract can need.
pub(super) struct ComponentNames<'m> {
    model: &'m Model,
    by_part: BTreeMap<Component, String>,
}

impl<'m> ComponentNames<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let mut names = Self {
            model,
            by_part: BTreeMap::new(),
        };
        let mut taken = BTreeSet::new();
        for (part, wanted) in wanted(model) {
            let name = free(&wanted, &taken);
            taken.insert(name.to_lowercase());
            names.by_part.insert(part, name);
        }
        names
    }

    pub(super) fn name(&self, part: &Component) -> &str {
        self.by_part.get(part).expect("every part of the model has a name")
    }

    /// The part of this name.
    pub(super) fn part(&self, name: &str) -> &Component {
        let mut parts = self.by_part.iter();
        let found = parts.find(|(_, known)| *known == name);
        found.map(|(part, _)| part).expect("references name components")
    }

    /// The named type; both directions share one component if they are the same.
    pub(super) fn named(&self, name: &str, form: Direction) -> Component {
        let differs = differs(self.model, &Kind::Named(name.to_owned()));
        Component::Type(name.to_owned(), if differs { form } else { Direction::Response })
    }

    /// The object; both directions share one component if they are the same.
    pub(super) fn object(&self, name: &str, form: Direction) -> Component {
        let differs = differs(self.model, &Kind::Object(name.to_owned()));
        Component::Object(name.to_owned(), if differs { form } else { Direction::Response })
    }
}

/// A name that is not taken, ignoring case: file systems and some languages do not distinguish case.
fn free(wanted: &str, taken: &BTreeSet<String>) -> String {
    let others = (2..).map(|number| format!("{wanted}{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(others);
    let name = names.find(|name| !taken.contains(&name.to_lowercase()));
    name.expect("there is always another number")
}

/// Every part with its preferred name. The first part with a name gets it.
fn wanted(model: &Model) -> Vec<(Component, String)> {
    let in_responses = in_responses(model);
    let sent_name = |name: &str, kind: &Kind| {
        let is_in_response = in_responses.contains(name) && differs(model, kind);
        pascal(name) + if is_in_response { "Input" } else { "" }
    };
    let mut wanted: Vec<(Component, String)> = vec![(Component::Error, "Error".to_owned())];
    for resource in &model.resources {
        let (name, views) = (&resource.name, &resource.views);
        wanted.push((Component::Id(name.clone()), GeneratedName::Id(name).name()));
        wanted.extend(views.iter().map(|view| {
            let part = Component::View(name.clone(), view.name.clone());
            (part, GeneratedName::View(name, &view.name).name())
        }));
    }
    wanted.extend(
        model
            .enums
            .iter()
            .map(|one| (Component::Enum(one.name.clone()), one.name.clone())),
    );
    wanted.extend(
        model
            .inputs
            .iter()
            .map(|input| (Component::Input(input.name.clone()), input.name.clone())),
    );
    for object in &model.objects {
        let (name, kind) = (&object.name, Kind::Object(object.name.clone()));
        let sent = sent_name(name, &kind);
        if sent != *name || in_responses.contains(name.as_str()) || !differs(model, &kind) {
            wanted.push((Component::Object(name.clone(), Direction::Response), name.clone()));
        }
        wanted.push((Component::Object(name.clone(), Direction::Request), sent));
    }
    for named in &model.types {
        let (name, kind) = (&named.name, Kind::Named(named.name.clone()));
        let sent = sent_name(name, &kind);
        if sent != pascal(name) || in_responses.contains(name.as_str()) || !differs(model, &kind) {
            wanted.push((Component::Type(name.clone(), Direction::Response), pascal(name)));
        }
        wanted.push((Component::Type(name.clone(), Direction::Request), sent));
    }
    wanted.push((Component::Timestamp, "Timestamp".to_owned()));
    wanted.push((Component::Flag, "Flag".to_owned()));
    if !model.event_kinds().is_empty() {
        wanted.push((Component::EventName, "EventName".to_owned()));
        wanted.push((Component::Event, "Event".to_owned()));
    }
    let differing = |part: &Component| match part {
        Component::Type(name, Direction::Request) => differs(model, &Kind::Named(name.clone())),
        Component::Object(name, Direction::Request) => differs(model, &Kind::Object(name.clone())),
        _ => true,
    };
    wanted.retain(|(part, _)| differing(part));
    wanted
}

/// Whether a value differs between request and answer: it is an object, or a list of objects.
fn differs(model: &Model, kind: &Kind) -> bool {
    match kind {
        Kind::Object(_) => true,
        Kind::Named(name) => match &model.named_type(name).rule {
            TypeRule::List { of, .. } => differs(model, &of.kind),
            _ => false,
        },
        _ => false,
    }
}

/// The named types and objects that answers contain.
fn in_responses(model: &Model) -> BTreeSet<&str> {
    let held = Graph::from_model(model).held_by(|node| matches!(node, Node::View(..) | Node::Answer(..)));
    let held = held.into_iter();
    held.filter_map(|node| match node {
        Node::Type(name) | Node::Object(name) => Some(name),
        _ => None,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_assigned_once_whatever_its_case() {
        let taken = BTreeSet::from(["plan".to_owned(), "plan2".to_owned()]);
        assert_eq!(free("Plan", &taken), "Plan3");
        assert_eq!(free("Planet", &taken), "Planet");
    }
}
