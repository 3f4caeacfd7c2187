//! Events: what callers learn without asking again, who gets it, and what causes it.

use super::{Enum, Field, Graph, Model, Node, Operation, Span, Surface, Target};
use std::collections::HashSet;

/// The events of the contract.
#[derive(Clone, Debug)]
pub struct Events {
    /// How long an event is kept.
    pub keep_seconds: u64,
    /// Maximum number of events of one recipient that are kept.
    pub max: u64,
    /// Maximum number of recipients of one event.
    pub recipients: u64,
    /// The kinds, in the order of the contract.
    pub kinds: Vec<EventKind>,
    /// Position in the file.
    pub at: Span,
}

/// A kind of event.
#[derive(Clone, Debug)]
pub struct EventKind {
    /// Its name on the wire.
    pub name: String,
    /// What has happened.
    pub doc: Option<String>,
    /// The resource of the record that it is about.
    pub of: String,
    /// Who gets it.
    pub to: Vec<Recipient>,
    /// What causes it. Without one, the service itself does.
    pub causes: Vec<Cause>,
    /// The members of its data.
    pub data: Vec<EventMember>,
    /// Position in the file.
    pub at: Span,
}

/// Who gets an event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Recipient {
    /// The resource that calls.
    pub caller: String,
    /// For each record of this resource, by its field with the id of the event's record.
    pub each: Option<(String, String)>,
    /// The field with the id of the recipient.
    pub path: FieldPath,
}

/// A field of a record, or of records that it names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldPath {
    /// Fields with ids, and the resource that each leads to.
    pub ids: Vec<(String, String)>,
    /// The field of the last resource.
    pub field: String,
}

/// An endpoint that causes an event.
#[derive(Clone, Debug)]
pub struct Cause {
    /// Its surface.
    pub surface: String,
    /// Its name.
    pub operation: String,
    /// The record that the event is about.
    pub target: Target,
    /// Position in the file.
    pub at: Span,
}

/// A member of the data of an event.
#[derive(Clone, Debug)]
pub struct EventMember {
    /// Its name and type.
    pub field: Field,
    /// Its source.
    pub path: FieldPath,
}

/// The parameters of a feed.
#[derive(Clone, Debug)]
pub struct Feed {
    /// The cursor.
    pub after: String,
    /// The kinds to list.
    pub types: Option<String>,
    /// The maximum number of events.
    pub size: String,
    /// The seconds to wait.
    pub wait: Option<String>,
    /// The default of `wait` as a tool.
    pub tool_wait: Option<u64>,
    /// Position in the file.
    pub at: Span,
}

/// As in a contract: `book_id.keeper_id`.
impl std::fmt::Display for FieldPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.ids.iter().try_for_each(|(id, _)| write!(f, "{id}."))?;
        f.write_str(&self.field)
    }
}

impl Feed {
    /// The members beside `data`, in order.
    pub const SIBLINGS: [&'static str; 3] = ["cursor", "has_more", "truncated"];
}

impl EventKind {
    /// Those who get it if this operation of a surface causes it: not the kind of caller that the surface serves.
    pub fn recipients_of<'e>(
        &'e self,
        model: &Model,
        surface: &Surface,
    ) -> impl Iterator<Item = &'e Recipient> + use<'e> {
        let credential = model.credential_of(surface);
        let caller = credential
            .and_then(|one| one.caller.as_ref())
            .map(|caller| caller.resource.clone());
        self.to.iter().filter(move |to| Some(&to.caller) != caller.as_ref())
    }

    /// Whether callers of this resource can get it.
    pub fn reaches(&self, model: &Model, caller: &str) -> bool {
        let is_theirs = |to: &&Recipient| to.caller == caller;
        if self.causes.is_empty() {
            return self.to.iter().any(|to| is_theirs(&to));
        }
        self.causes.iter().any(|cause| {
            let surface = model.surface(&cause.surface);
            self.recipients_of(model, surface).any(|to| is_theirs(&to))
        })
    }
}

impl Model {
    /// The kinds of events.
    pub fn event_kinds(&self) -> &[EventKind] {
        self.events.as_ref().map_or(&[], |events| &events.kinds)
    }

    /// The surface with this name.
    pub fn surface(&self, name: &str) -> &Surface {
        super::find(&self.surfaces, |surface| surface.name == name)
    }

    /// The kinds of events that callers of a surface can get.
    pub fn events_for<'m>(&'m self, surface: &Surface) -> impl Iterator<Item = &'m EventKind> {
        let caller = self.credential_of(surface).and_then(|one| one.caller.as_ref());
        let caller = caller.map(|caller| caller.resource.clone()).unwrap_or_default();
        self.events_to(caller)
    }

    /// The kinds of events that callers of this resource can get.
    pub fn events_to(&self, caller: impl AsRef<str>) -> impl Iterator<Item = &EventKind> {
        let kinds = self.event_kinds().iter();
        kinds.filter(move |kind| kind.reaches(self, caller.as_ref()))
    }

    /// The kinds of events of which callers of a surface can have some sent to them: those that a body names.
    pub fn events_sent_for<'m>(&'m self, surface: &'m Surface) -> impl Iterator<Item = &'m EventKind> {
        let takes = |one: &&Enum| one.is_of_events && self.takes(surface, one);
        let names: HashSet<&str> = self
            .enums
            .iter()
            .filter(takes)
            .flat_map(|one| &one.values)
            .map(String::as_str)
            .collect();
        self.events_for(surface)
            .filter(move |kind| names.contains(kind.name.as_str()))
    }

    /// Whether a body of an operation of this surface has a value of this enum.
    pub fn takes(&self, surface: &Surface, of: &Enum) -> bool {
        let graph = Graph::from_model(self);
        let writes = |name: &str| {
            surface
                .operations
                .iter()
                .any(|one| one.name == name && one.body.is_some())
        };
        let held = graph.held_by(|node| matches!(node, Node::Request(of, name) if *of == surface.name && writes(name)));
        held.contains(&Node::Enum(&of.name))
    }

    /// The events that an operation causes, each with the record that it is about.
    pub fn events_of<'m>(
        &'m self,
        surface: &Surface,
        operation: &Operation,
    ) -> impl Iterator<Item = (&'m EventKind, &'m Target)> {
        let (surface, operation) = (surface.name.clone(), operation.name.clone());
        self.event_kinds().iter().filter_map(move |kind| {
            let is_it = |cause: &&Cause| cause.surface == surface && cause.operation == operation;
            kind.causes.iter().find(is_it).map(|cause| (kind, &cause.target))
        })
    }

    /// The resources whose records get events, in the order of the contract.
    pub fn recipients(&self) -> Vec<&str> {
        let gets = |resource: &&str| {
            let mut to = self.event_kinds().iter().flat_map(|kind| &kind.to);
            to.any(|to| to.caller == **resource)
        };
        self.resources
            .iter()
            .map(|resource| resource.name.as_str())
            .filter(gets)
            .collect()
    }

    /// The members of all events, each once.
    pub fn event_members(&self) -> Vec<&Field> {
        let mut members: Vec<&Field> = Vec::new();
        for member in self.event_kinds().iter().flat_map(|kind| &kind.data) {
            if !members.iter().any(|known| known.name == member.field.name) {
                members.push(&member.field);
            }
        }
        members
    }
}
