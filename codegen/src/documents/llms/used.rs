//! The declarations of the contract that the operations of a text use. Unused ones are left out.

use crate::documents::shared::selection::Selection;
use crate::model::{Enum, Graph, Kind, Model, Node, Resource, Source, TypeRule, ViewMember};
use std::collections::HashSet;

/// What the operations hold.
pub(super) struct Used<'m> {
    model: &'m Model,
    nodes: HashSet<Node<'m>>,
    /// Resources, and their fields that requests or answers carry.
    fields: HashSet<(&'m str, &'m str)>,
}

impl<'m> Used<'m> {
    pub(super) fn by(part: &Selection<'m>) -> Self {
        let graph = Graph::from_model(part.model);
        let is_here = |name: &str| part.surfaces.iter().any(|surface| surface.name == name);
        let nodes = graph.held_by(|node| match node {
            Node::Request(surface, _) | Node::Answer(surface, _) => is_here(surface),
            _ => false,
        });
        let used = graph.edges.iter().filter(|edge| nodes.contains(&edge.holder));
        let fields = used.filter_map(|edge| match edge.held {
            Node::Field(resource, field) | Node::Joined(resource, field) if edge.name == Some(field) => {
                Some((resource, field))
            }
            _ => None,
        });
        Self {
            model: part.model,
            fields: fields.collect(),
            nodes,
        }
    }

    pub(super) fn has(&self, node: Node<'_>) -> bool {
        self.nodes.contains(&node)
    }

    /// Whether any value is of this kind, such as a date.
    pub(super) fn has_kind(&self, kind: &Kind) -> bool {
        self.has(Node::BuiltIn(kind))
    }

    /// Whether any value is one of an enumeration, or of a part of it.
    pub(super) fn has_enum(&self, one: &Enum) -> bool {
        let mut parts = self
            .model
            .enums
            .iter()
            .filter(|part| part.part_of.as_ref() == Some(&one.name));
        self.has(Node::Enum(&one.name)) || parts.any(|part| self.has(Node::Enum(&part.name)))
    }

    /// Whether any value is a text.
    pub(super) fn has_texts(&self) -> bool {
        let texts = self
            .model
            .types
            .iter()
            .filter(|named| matches!(named.rule, TypeRule::Text { .. }));
        texts.map(|named| Node::Type(&named.name)).any(|node| self.has(node))
    }

    /// Whether requests or answers carry a field of a resource.
    pub(super) fn has_field(&self, resource: &str, field: &str) -> bool {
        self.fields.contains(&(resource, field))
    }

    /// Whether answers leave out members of a resource that have no value.
    pub(super) fn omits_members(&self, resource: &Resource) -> bool {
        let mut views = resource.views.iter();
        views.any(|view| {
            self.has(Node::View(&resource.name, &view.name)) && view.members.iter().any(|member| member.omitted)
        })
    }

    /// The members of a resource that are shown under another name.
    pub(super) fn renamed(&self, resource: &'m Resource) -> Vec<&'m ViewMember> {
        let views = resource
            .views
            .iter()
            .filter(|view| self.has(Node::View(&resource.name, &view.name)));
        let mut renamed: Vec<&ViewMember> = Vec::new();
        for member in views.flat_map(|view| &view.members) {
            let is_renamed =
                matches!(&member.source, Source::Stored(field) | Source::Joined(field) if *field != member.shown);
            if is_renamed && !renamed.iter().any(|other| other.shown == member.shown) {
                renamed.push(member);
            }
        }
        renamed
    }
}
