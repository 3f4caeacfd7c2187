//! Maps every declared type, field and view to the operations whose requests carry it and to those whose answers show
//! it.
//!
//! Built once for a contract, in time linear in its size. A query visits only the users of the declaration.

use crate::diff::matching::{Declared, name_of};
use crate::model::{Body, BodyUse, Data, Field, Kind, Model, Operation, Resource, Source, Type, TypeRule, View};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A declaration or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Thing<'m> {
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
}

/// A user of a declaration.
#[derive(Clone, Copy)]
enum User<'m> {
    Thing(Thing<'m>),
    Request(usize),
    Answer(usize),
}

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

/// A user, with its name for the declaration in requests and answers, if the user determines that name.
type Carrier<'m> = (User<'m>, Option<&'m str>);

/// The users of every declaration of a contract.
pub(crate) struct UseGraph<'m> {
    users: HashMap<Thing<'m>, Vec<Carrier<'m>>>,
    operations: Vec<String>,
}

impl<'m> UseGraph<'m> {
    /// Collects the users of all declarations.
    pub(crate) fn of(model: &'m Model, declared: &Declared<'m>) -> UseGraph<'m> {
        let mut uses = UseGraph {
            users: HashMap::new(),
            operations: Vec::new(),
        };
        for named in &model.types {
            if let TypeRule::List { of, .. } = &named.rule {
                uses.value(of, (User::Thing(Thing::Type(&named.name)), None));
            }
        }
        for object in &model.objects {
            for member in &object.members {
                let thing = Thing::Member(&object.name, &member.name);
                uses.add(thing, (User::Thing(Thing::Object(&object.name)), None));
                uses.value(&member.of, (User::Thing(thing), Some(&member.name)));
            }
        }
        for input in &model.inputs {
            uses.body(&input.body, User::Thing(Thing::Input(&input.name)));
        }
        for resource in &model.resources {
            uses.resource(declared, resource);
        }
        for surface in &model.surfaces {
            for operation in &surface.operations {
                uses.operation(operation);
                uses.operations.push(name_of(surface, operation));
            }
        }
        uses
    }

    fn add(&mut self, thing: Thing<'m>, carrier: Carrier<'m>) {
        self.users.entry(thing).or_default().push(carrier);
    }

    fn value(&mut self, of: &'m Type, carrier: Carrier<'m>) {
        let thing = match &of.kind {
            Kind::Named(name) => Thing::Type(name),
            Kind::Enum(name) => Thing::Enum(name),
            Kind::Object(name) => Thing::Object(name),
            Kind::Input(name) => Thing::Input(name),
            Kind::View(resource, view) => Thing::View(resource, view),
            Kind::Stored | Kind::Secret | Kind::Boolean | Kind::Flag | Kind::Date | Kind::Timestamp | Kind::Id(_) => {
                return;
            }
        };
        self.add(thing, carrier);
    }

    fn values(&mut self, fields: &'m [Field], user: User<'m>) {
        for field in fields {
            self.value(&field.of, (user, Some(&field.name)));
        }
    }

    fn resource(&mut self, declared: &Declared<'m>, resource: &'m Resource) {
        for field in &resource.fields {
            let thing = Thing::Field(&resource.name, &field.name);
            self.value(&field.of, (User::Thing(thing), None));
            let itself = Thing::FieldItself(&resource.name, &field.name);
            self.add(itself, (User::Thing(thing), None));
        }
        for field in &resource.joined {
            let thing = Thing::Joined(&resource.name, &field.name);
            self.value(&field.of, (User::Thing(thing), None));
        }
        for view in &resource.views {
            self.view(declared, resource, view);
        }
    }

    fn view(&mut self, declared: &Declared<'m>, resource: &'m Resource, view: &'m View) {
        for member in &view.members {
            let user = User::Thing(Thing::View(&resource.name, &view.name));
            let user = (user, Some(member.shown.as_str()));
            match &member.source {
                Source::Stored(field) => self.add(Thing::Field(&resource.name, field), user),
                Source::Joined(field) => self.add(Thing::Joined(&resource.name, field), user),
                Source::Each(field, part) => {
                    self.add(Thing::FieldItself(&resource.name, field), user);
                    if let Some(object) = declared.items(&resource.field(field).of) {
                        self.add(Thing::Member(&object.name, part), user);
                    }
                }
            }
        }
    }

    fn body(&mut self, body: &'m Body, user: User<'m>) {
        for member in &body.members {
            match (&body.resource, member.of_record) {
                (Some(resource), true) => {
                    let carrier = (user, Some(member.field.name.as_str()));
                    self.add(Thing::Field(resource, &member.field.name), carrier);
                    if body.partial {
                        self.add(Thing::FieldNull(resource, &member.field.name), carrier);
                    } else if !member.required {
                        self.add(Thing::FieldDefault(resource, &member.field.name), carrier);
                    }
                }
                _ => self.value(&member.field.of, (user, Some(&member.field.name))),
            }
        }
    }

    fn operation(&mut self, operation: &'m Operation) {
        let index = self.operations.len();
        let (request, answer) = (User::Request(index), User::Answer(index));
        self.values(&operation.path, request);
        self.values(&operation.query, request);
        match &operation.body {
            Some(BodyUse::Named(name)) => self.add(Thing::Input(name), (request, None)),
            Some(BodyUse::Inline(body)) => self.body(body, request),
            None => {}
        }
        match &operation.data {
            Some(Data::One { resource, view } | Data::Many { resource, view }) => {
                self.add(Thing::View(resource, view), (answer, None));
            }
            Some(Data::Members(members)) => self.values(members, answer),
            None => {}
        }
    }

    /// The users of a declaration.
    pub(crate) fn audience(&self, thing: Thing<'m>) -> Audience {
        let mut audience = Audience::default();
        let (mut seen, mut next) = (HashSet::from([thing]), vec![thing]);
        while let Some(thing) = next.pop() {
            audience.stored |= matches!(thing, Thing::Field(..) | Thing::FieldItself(..));
            for (user, _) in self.users.get(&thing).into_iter().flatten() {
                match user {
                    User::Thing(user) if seen.insert(*user) => next.push(*user),
                    User::Thing(_) => {}
                    User::Request(index) => drop(audience.taken.insert(self.operations[*index].clone())),
                    User::Answer(index) => drop(audience.shown.insert(self.operations[*index].clone())),
                }
            }
        }
        audience
    }

    /// The names by which affected callers know a declaration: the members and parameters that contain it or, if there
    /// are none, the stored fields.
    pub(crate) fn carriers(&self, thing: Thing<'m>, concerned: &Audience) -> BTreeSet<String> {
        let (mut seen, mut next) = (HashSet::from([thing]), vec![thing]);
        let (mut members, mut fields) = (BTreeSet::new(), BTreeSet::new());
        while let Some(thing) = next.pop() {
            if let Thing::Field(resource, field) = thing {
                fields.insert(format!("{resource}.{field}"));
            }
            for (user, name) in self.users.get(&thing).into_iter().flatten() {
                match (user, name) {
                    (_, Some(name)) if self.reaches(user, concerned) => drop(members.insert((*name).to_owned())),
                    (User::Thing(user), None) if seen.insert(*user) => next.push(*user),
                    _ => {}
                }
            }
        }
        if members.is_empty() { fields } else { members }
    }

    fn reaches(&self, user: &User<'m>, concerned: &Audience) -> bool {
        match user {
            User::Request(index) => concerned.taken.contains(&self.operations[*index]),
            User::Answer(index) => concerned.shown.contains(&self.operations[*index]),
            User::Thing(thing) => {
                let audience = self.audience(*thing);
                !audience.taken.is_disjoint(&concerned.taken) || !audience.shown.is_disjoint(&concerned.shown)
            }
        }
    }
}
