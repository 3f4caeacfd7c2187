//! What is tried with a body: the whole of it, each member's presence, and each member's value.

use crate::emit::shared::names;
use crate::emit::tests::shared::Subject;
use crate::emit::tests::shared::cells::Cells;
use crate::emit::tests::shared::misspelt::misspelt;
use crate::emit::tests::shared::states::moved_member;
use crate::emit::tests::shared::values::Place;
use crate::model::{BodyMember, Field, Kind, Model, States, Type, TypeRule};
use quote::quote;

pub(super) fn add(subject: &Subject<'_>, cells: &mut Cells) {
    let Some(body) = subject.model.body(subject.operation) else {
        cells.add("body_is_ignored", quote!(.ignores_body()));
        return;
    };
    cells.add("media_types", quote!(.refuses_other_media_types()));
    cells.add(
        "media_type_in_capitals",
        quote!(.accepts_media_type("Application/JSON")),
    );
    cells.add(
        "media_type_with_charset",
        quote!(.accepts_media_type("application/json; charset=UTF-8")),
    );
    cells.add("largest_body", quote!(.accepts_largest_body()));
    cells.add("too_large_body", quote!(.refuses_large_bodies()));
    cells.add("not_json", quote!(.refuses_what_is_not_json()));
    cells.add("not_an_object", quote!(.refuses_what_is_no_object()));
    if body.partial {
        cells.add("no_member_at_all", quote!(.emptied().invalid(&[])));
    }
    let fields: Vec<Given<'_>> = body
        .members
        .iter()
        .map(|member| Given::of_body(body.partial, member))
        .collect();
    let root = Root {
        model: subject.model,
        place: String::new(),
        name: String::new(),
        moved: moved(subject),
    };
    root.members(cells, &fields);
    for member in body.members.iter().filter(|_| body.partial) {
        let name = &member.field.name;
        cells.add(&format!("{name}_alone"), quote!(.alone(#name).accepted()));
    }
}

/// The member that moves states, and those.
fn moved<'s>(subject: &Subject<'s>) -> Option<(&'s str, &'s States)> {
    let (member, _) = moved_member(subject.model, subject.operation)?;
    let (_, states) = subject.operation.transitions.as_ref()?;
    Some((member, subject.model.enumeration(states).states.as_ref()?))
}

/// A member, and how it may be given.
struct Given<'m> {
    field: &'m Field,
    required: bool,
    nullable: bool,
}

impl<'m> Given<'m> {
    fn of_body(partial: bool, member: &'m BodyMember) -> Self {
        let nullable = if partial {
            member.field.of.optional
        } else {
            !member.required
        };
        Self {
            field: &member.field,
            required: member.required && !partial,
            nullable,
        }
    }

    fn of_object(field: &'m Field) -> Self {
        let required = !field.of.optional && field.of.default.is_none();
        Self {
            field,
            required,
            nullable: !required,
        }
    }
}

/// An object within a body, by the place where it stands.
struct Root<'m> {
    model: &'m Model,
    place: String,
    name: String,
    moved: Option<(&'m str, &'m States)>,
}

impl Root<'_> {
    fn members(&self, cells: &mut Cells, fields: &[Given<'_>]) {
        let known: Vec<&str> = fields.iter().map(|given| given.field.name.as_str()).collect();
        let place = &self.place;
        cells.add(
            &self.named("unknown_members"),
            quote!(.refuses_unknown_members(#place, VOCABULARY)),
        );
        for given in fields {
            self.presence(cells, given, &known);
            let place = self.place_of(&given.field.name);
            place.value(cells, &given.field.of);
            self.items(cells, &place, &given.field.of);
        }
    }

    fn presence(&self, cells: &mut Cells, given: &Given<'_>, known: &[&str]) {
        let Place {
            place, name, member, ..
        } = self.place_of(&given.field.name);
        if given.required {
            cells.add(&format!("{name}_missing"), quote!(.without(#place).invalid(&[#member])));
        }
        if given.nullable {
            cells.add(&format!("{name}_null"), quote!(.with(#place, null()).accepted()));
        } else {
            cells.add(&format!("{name}_null"), quote!(.refuses_null(#place)));
        }
        cells.add(&format!("{name}_twice"), quote!(.twice(#place).invalid(&[#member])));
        if let Some(misspelt) = misspelt(&member, known) {
            let object = &self.place;
            let spelt = if object.is_empty() {
                misspelt.clone()
            } else {
                format!("{object}.{misspelt}")
            };
            cells.add(
                &format!("{name}_misspelt"),
                quote!(.with(#spelt, raw("1")).invalid(&[#misspelt, #member])),
            );
        }
    }

    /// The tests of what stands in a list, or of the members of an object.
    fn items(&self, cells: &mut Cells, place: &Place<'_>, of: &Type) {
        let item = match &of.kind {
            _ if of.list => Some(Type {
                list: false,
                ..of.clone()
            }),
            Kind::Named(name) => match &self.model.named_type(name).rule {
                TypeRule::List { of, .. } => Some((**of).clone()),
                _ => None,
            },
            _ => None,
        };
        let (here, of) = match item {
            Some(item) => (format!("{}[0]", place.place), item),
            None => (place.place.clone(), of.clone()),
        };
        let root = Root {
            model: self.model,
            place: here.clone(),
            name: place.name.clone(),
            moved: None,
        };
        match &of.kind {
            Kind::Object(name) => {
                let members = &self.model.object(name).members;
                root.members(cells, &members.iter().map(Given::of_object).collect::<Vec<_>>());
            }
            Kind::Input(name) => {
                let body = &self.model.input(name).body;
                let given: Vec<_> = body
                    .members
                    .iter()
                    .map(|member| Given::of_body(body.partial, member))
                    .collect();
                root.members(cells, &given);
            }
            _ if here != place.place => {
                let name = format!("{}_item", place.name);
                cells.add(&format!("{name}_null"), quote!(.refuses_null(#here)));
                Place {
                    model: self.model,
                    place: here,
                    name,
                    member: place.member.clone(),
                    moves: None,
                }
                .value(cells, &of);
            }
            _ => {}
        }
    }

    fn place_of(&self, member: &str) -> Place<'_> {
        let place = if self.place.is_empty() {
            member.to_owned()
        } else {
            format!("{}.{member}", self.place)
        };
        Place {
            model: self.model,
            place,
            name: self.named(member),
            member: member.to_owned(),
            moves: self.moved.filter(|(name, _)| *name == member).map(|(_, states)| states),
        }
    }

    fn named(&self, what: &str) -> String {
        if self.name.is_empty() {
            names::snake(what)
        } else {
            format!("{}_{}", self.name, names::snake(what))
        }
    }
}
