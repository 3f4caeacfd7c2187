//! Tests of a body: the whole body, the presence of each member, and the value of each member.

use crate::emit::shared::names;
use crate::emit::tests::shared::Subject;
use crate::emit::tests::shared::cells::Cells;
use crate::emit::tests::shared::misspelt::misspelt;
use crate::emit::tests::shared::rule::{Rule, counted};
use crate::emit::tests::shared::states::moved_member;
use crate::emit::tests::shared::values::Place;
use crate::model::{Body, BodyMember, Field, Kind, Model, States, Type, TypeRule};
use crate::step::Step;
use quote::quote;

pub(super) fn add(subject: &Subject<'_>, cells: &mut Cells<'_>) {
    let operation = subject.operation;
    let Some(body) = subject.model.body(operation) else {
        let rule = Rule::new("it takes no body, and reads none", operation.at);
        cells.accepts("body_is_ignored", &rule, quote!(.ignores_body()));
        return;
    };
    whole(subject, body, cells);
    let fields: Vec<Given<'_>> = body
        .members
        .iter()
        .map(|member| Given::of_body(body.partial, member))
        .collect();
    let root = Root {
        model: subject.model,
        place: String::new(),
        name: String::new(),
        is: Rule::new("the body", body.at),
        moved: moved(subject),
    };
    root.members(cells, &fields);
    for member in body.members.iter().filter(|_| body.partial) {
        let name = &member.field.name;
        let rule = Rule::new(format!("member `{name}`: enough on its own"), member.field.at);
        cells.accepts(&format!("{name}_alone"), &rule, quote!(.alone(#name).accepted()));
    }
}

/// The tests of a body as a whole.
fn whole(subject: &Subject<'_>, body: &Body, cells: &mut Cells<'_>) {
    let operation = subject.operation;
    let json = Rule::new("a body says that it is `application/json`", body.at);
    cells.rejects(
        "media_types",
        Step::MediaType,
        &json,
        quote!(.rejects_other_media_types()),
    );
    cells.accepts(
        "media_type_in_capitals",
        &json,
        quote!(.accepts_media_type("Application/JSON")),
    );
    cells.accepts(
        "media_type_with_charset",
        &json,
        quote!(.accepts_media_type("application/json; charset=UTF-8")),
    );
    let most = format!("a body of at most {}", counted(operation.max_bytes, "byte"));
    let most = Rule::new(most, operation.places.max_bytes);
    cells.accepts("largest_body", &most, quote!(.accepts_largest_body()));
    cells.rejects("too_large_body", Step::BodySize, &most, quote!(.rejects_large_bodies()));
    let object = Rule::new("a body is one JSON object", body.at);
    cells.rejects("not_json", Step::Decode, &object, quote!(.rejects_what_is_not_json()));
    cells.rejects(
        "not_an_object",
        Step::Decode,
        &object,
        quote!(.rejects_what_is_no_object()),
    );
    if body.partial {
        let any = Rule::new("the body: at least one of its members", body.at);
        cells.rejects("no_member_at_all", Step::Decode, &any, quote!(.emptied().invalid(&[])));
    }
}

/// The member that changes the state, and the states.
fn moved<'s>(subject: &Subject<'s>) -> Option<(&'s str, &'s States)> {
    let (member, _) = moved_member(subject.model, subject.operation)?;
    let (_, states) = subject.operation.transitions.as_ref()?;
    Some((member, subject.model.enumeration(states).states.as_ref()?))
}

/// A member, and how a request may give it.
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

/// An object within a body, with its path.
struct Root<'m> {
    model: &'m Model,
    place: String,
    name: String,
    /// The rule of the object, with the place where its members are declared.
    is: Rule,
    moved: Option<(&'m str, &'m States)>,
}

impl Root<'_> {
    fn members(&self, cells: &mut Cells<'_>, fields: &[Given<'_>]) {
        let known: Vec<&str> = fields.iter().map(|given| given.field.name.as_str()).collect();
        let place = &self.place;
        cells.rejects(
            &self.named("unknown_members"),
            Step::Decode,
            &self.no_others(),
            quote!(.rejects_unknown_members(#place, VOCABULARY)),
        );
        for given in fields {
            self.presence(cells, given, &known);
            let place = self.place_of(given.field);
            place.value(cells, &given.field.of);
            self.items(cells, &place, &given.field.of);
        }
    }

    fn no_others(&self) -> Rule {
        Rule::new(format!("{}: its members, and no others", self.is.words), self.is.at)
    }

    fn presence(&self, cells: &mut Cells<'_>, given: &Given<'_>, known: &[&str]) {
        let of = self.place_of(given.field);
        let Place {
            place, name, member, ..
        } = &of;
        if given.required {
            let calls = quote!(.without(#place).invalid(&[#member]));
            cells.rejects(&format!("{name}_missing"), Step::Decode, &of.rule("required"), calls);
        }
        let null = format!("{name}_null");
        if given.nullable {
            let calls = quote!(.with(#place, null()).accepted());
            cells.accepts(&null, &of.rule("it may be null"), calls);
        } else {
            let calls = quote!(.rejects_null(#place));
            cells.rejects(&null, Step::Decode, &of.rule("not null"), calls);
        }
        let calls = quote!(.twice(#place).invalid(&[#member]));
        cells.rejects(&format!("{name}_twice"), Step::Decode, &of.rule("not twice"), calls);
        if let Some(misspelt) = misspelt(member, known) {
            let spelt = self.place_in(&misspelt);
            cells.rejects(
                &format!("{name}_misspelt"),
                Step::Decode,
                &self.no_others(),
                quote!(.with(#spelt, raw("1")).invalid(&[#misspelt, #member])),
            );
        }
    }

    /// The tests of the items of a list, or of the members of an object.
    fn items(&self, cells: &mut Cells<'_>, place: &Place<'_>, of: &Type) {
        let item = item_of(self.model, of);
        let here = match item {
            Some(_) => format!("{}[0]", place.place),
            None => place.place.clone(),
        };
        let is_item = item.is_some();
        let of = item.unwrap_or_else(|| of.clone());
        let (is, given) = match &of.kind {
            Kind::Object(name) => {
                let object = self.model.object(name);
                let given = object.members.iter().map(Given::of_object).collect();
                (Rule::new(format!("objects.{name}"), object.at), given)
            }
            Kind::Input(name) => {
                let body = &self.model.input(name).body;
                let members = body.members.iter();
                let given: Vec<_> = members.map(|member| Given::of_body(body.partial, member)).collect();
                (Rule::new(format!("inputs.{name}"), body.at), given)
            }
            _ if is_item => return self.plain_item(cells, place, here, &of),
            _ => return,
        };
        let root = Root {
            model: self.model,
            place: here,
            name: place.name.clone(),
            is,
            moved: None,
        };
        root.members(cells, &given);
    }

    /// The tests of an item that is not an object.
    fn plain_item(&self, cells: &mut Cells<'_>, list: &Place<'_>, here: String, of: &Type) {
        let item = Place {
            model: self.model,
            name: format!("{}_item", list.name),
            place: here,
            member: list.member.clone(),
            at: list.at,
            moves: None,
        };
        let place = &item.place;
        let name = format!("{}_null", item.name);
        cells.rejects(
            &name,
            Step::Decode,
            &item.rule("not null"),
            quote!(.rejects_null(#place)),
        );
        item.value(cells, of);
    }

    fn place_of(&self, field: &Field) -> Place<'_> {
        let member = &field.name;
        Place {
            model: self.model,
            place: self.place_in(member),
            name: self.named(member),
            member: member.clone(),
            at: field.at,
            moves: self.moved.filter(|(name, _)| name == member).map(|(_, states)| states),
        }
    }

    fn place_in(&self, member: &str) -> String {
        if self.place.is_empty() {
            member.to_owned()
        } else {
            format!("{}.{member}", self.place)
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

/// The type of the items, if the type is a list.
fn item_of(model: &Model, of: &Type) -> Option<Type> {
    match &of.kind {
        _ if of.list => Some(Type {
            list: false,
            ..of.clone()
        }),
        Kind::Named(name) => match &model.named_type(name).rule {
            TypeRule::List { of, .. } => Some((**of).clone()),
            _ => None,
        },
        _ => None,
    }
}
