//! Who holds, takes and shows what: the declarations and the operations of a contract as a graph.

use super::{Body, BodyUse, Data, Field, Kind, Model, Operation, Resource, Source, Surface, Type, TypeRule, View};
use std::collections::{HashMap, HashSet};

/// A declaration, a part of one, or what an operation takes or shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node<'m> {
    /// A named type.
    Type(&'m str),
    /// An enumeration.
    Enum(&'m str),
    /// An object.
    Object(&'m str),
    /// A member of an object.
    Member(&'m str, &'m str),
    /// A named request body.
    Input(&'m str),
    /// A view of a resource.
    View(&'m str, &'m str),
    /// A stored field of a resource, with everything in its values.
    Field(&'m str, &'m str),
    /// The same without the contents of its items: a view may show only a part of those.
    FieldItself(&'m str, &'m str),
    /// The same, for uses where a request may set it to null.
    FieldNull(&'m str, &'m str),
    /// The same, for uses where a request may leave it out.
    FieldDefault(&'m str, &'m str),
    /// A joined field of a resource.
    Joined(&'m str, &'m str),
    /// A kind without a declaration, such as a date.
    BuiltIn(&'m Kind),
    /// The requests of an operation, by its surface and its name.
    Request(&'m str, &'m str),
    /// The answers of an operation, by its surface and its name.
    Answer(&'m str, &'m str),
}

/// A use of one node by another.
#[derive(Clone, Copy)]
pub struct Edge<'m> {
    /// The user.
    pub holder: Node<'m>,
    /// What it uses.
    pub held: Node<'m>,
    /// The name for it in requests and answers, if the user determines that name.
    pub name: Option<&'m str>,
}

/// All uses in a contract.
pub struct Graph<'m> {
    /// In the order of the contract.
    pub edges: Vec<Edge<'m>>,
}

impl<'m> Graph<'m> {
    /// Collects all uses, in time linear in the size of the contract.
    pub fn from_model(model: &'m Model) -> Graph<'m> {
        let mut graph = Graph { edges: Vec::new() };
        for named in &model.types {
            if let TypeRule::List { of, .. } = &named.rule {
                graph.value(Node::Type(&named.name), of, None);
            }
        }
        for object in &model.objects {
            for field in &object.members {
                let member = Node::Member(&object.name, &field.name);
                graph.add(Node::Object(&object.name), member, None);
                graph.value(member, &field.of, Some(&field.name));
            }
        }
        for input in &model.inputs {
            graph.body(Node::Input(&input.name), &input.body);
        }
        for resource in &model.resources {
            graph.resource(model, resource);
        }
        for surface in &model.surfaces {
            for operation in &surface.operations {
                graph.operation(model, surface, operation);
            }
        }
        graph
    }

    /// The users that `is_meant` selects, and everything that they hold.
    pub fn held_by(&self, is_meant: impl Fn(&Node<'m>) -> bool) -> HashSet<Node<'m>> {
        let mut held: HashMap<Node<'m>, Vec<Node<'m>>> = HashMap::new();
        for edge in &self.edges {
            held.entry(edge.holder).or_default().push(edge.held);
        }
        let mut next: Vec<Node<'m>> = held.keys().copied().filter(is_meant).collect();
        let mut seen = HashSet::new();
        while let Some(node) = next.pop() {
            if seen.insert(node) {
                next.extend(held.get(&node).into_iter().flatten());
            }
        }
        seen
    }

    fn add(&mut self, holder: Node<'m>, held: Node<'m>, name: Option<&'m str>) {
        self.edges.push(Edge { holder, held, name });
    }

    fn value(&mut self, holder: Node<'m>, of: &'m Type, name: Option<&'m str>) {
        let held = match &of.kind {
            Kind::Named(name) => Node::Type(name),
            Kind::Enum(name) => Node::Enum(name),
            Kind::Object(name) => Node::Object(name),
            Kind::Input(name) => Node::Input(name),
            Kind::View(resource, view) => Node::View(resource, view),
            kind => Node::BuiltIn(kind),
        };
        self.add(holder, held, name);
    }

    fn values(&mut self, holder: Node<'m>, fields: &'m [Field]) {
        for field in fields {
            self.value(holder, &field.of, Some(&field.name));
        }
    }

    fn resource(&mut self, model: &'m Model, resource: &'m Resource) {
        let of = resource.name.as_str();
        for field in &resource.fields {
            let whole = Node::Field(of, &field.name);
            self.value(whole, &field.of, None);
            self.add(whole, Node::FieldItself(of, &field.name), None);
        }
        for field in &resource.joined {
            self.value(Node::Joined(of, &field.name), &field.of, None);
        }
        for view in &resource.views {
            self.view(model, resource, view);
        }
    }

    fn view(&mut self, model: &'m Model, resource: &'m Resource, view: &'m View) {
        let holder = Node::View(&resource.name, &view.name);
        for member in &view.members {
            let name = Some(member.shown.as_str());
            match &member.source {
                Source::Stored(field) => self.add(holder, Node::Field(&resource.name, field), name),
                Source::Joined(field) => self.add(holder, Node::Joined(&resource.name, field), name),
                Source::Each(field, part) => {
                    self.add(holder, Node::FieldItself(&resource.name, field), name);
                    if let Some(object) = model.items(&resource.field(field).of) {
                        self.add(holder, Node::Member(&object.name, part), name);
                    }
                }
            }
        }
    }

    fn body(&mut self, holder: Node<'m>, body: &'m Body) {
        for member in &body.members {
            let field = member.field.name.as_str();
            match (&body.resource, member.of_record) {
                (Some(resource), true) => {
                    self.add(holder, Node::Field(resource, field), Some(field));
                    if body.partial {
                        self.add(holder, Node::FieldNull(resource, field), Some(field));
                    } else if !member.required {
                        self.add(holder, Node::FieldDefault(resource, field), Some(field));
                    }
                }
                _ => self.value(holder, &member.field.of, Some(field)),
            }
        }
    }

    fn operation(&mut self, model: &'m Model, surface: &'m Surface, operation: &'m Operation) {
        let request = Node::Request(&surface.name, &operation.name);
        let answer = Node::Answer(&surface.name, &operation.name);
        self.values(request, &operation.path);
        self.values(request, &operation.query);
        match &operation.body {
            Some(BodyUse::Named(name)) => self.add(request, Node::Input(name), None),
            Some(BodyUse::Inline(body)) => self.body(request, body),
            None => {}
        }
        match &operation.data {
            Some(Data::One { resource, view } | Data::Many { resource, view }) => {
                self.add(answer, Node::View(resource, view), None);
            }
            Some(Data::Members(members)) => self.values(answer, members),
            Some(Data::Counts(counts)) => self.value(answer, &counts.value.of, Some(&counts.value.name)),
            Some(Data::Events) => {
                let members = model.event_kinds().iter().flat_map(|kind| &kind.data);
                members.for_each(|member| self.value(answer, &member.field.of, Some(&member.field.name)));
            }
            None => {}
        }
    }
}
