//! Tests of a body: the whole body, the presence of each member, and the value of each member.

use crate::contract::{Operation, Transitions};
use crate::invalid_requests::JSON_MEDIA_TYPES;
use crate::suite::leak;
use crate::suite::trials::misspelt::misspelt;
use crate::suite::trials::rule::{Rule, counted};
use crate::suite::trials::values::Place;
use crate::suite::trials::{Trials, calls};
use crate::value::{null, raw};
use codegen::model::{Body, BodyMember, Field, Kind, Model, Type, TypeRule};
use codegen::names;
use codegen::step::Step;

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    let Some(body) = operation.declared_body() else {
        if let Some(file) = &operation.declared.file {
            let rule = Rule::new("a file says which type it has, one of those that it may have", file.at);
            trials.rejects(
                "media_types",
                Step::MediaType,
                &rule,
                calls!(.rejects_other_file_types()),
            );
            let rule = Rule::new("a file is not empty", file.at);
            let most = Rule::new(
                format!("at most {}", counted(operation.declared.max_bytes, "byte")),
                file.at,
            );
            trials.rejects("too_large_file", Step::BodySize, &most, calls!(.rejects_large_bodies()));
            trials.rejects("empty_file", Step::Decode, &rule, calls!(.rejects_an_empty_file()));
            return;
        }
        let rule = Rule::new("it takes no body, and reads none", operation.declared.at);
        trials.accepts("body_is_ignored", &rule, calls!(.ignores_body()));
        return;
    };
    whole(operation, body, trials);
    let fields: Vec<Given> = body
        .members
        .iter()
        .map(|member| Given::of_body(body.partial, member))
        .collect();
    let root = Root {
        model: operation.contract.model,
        place: "",
        name: String::new(),
        is: Rule::new("the body", body.at),
        moved: operation.transitions.as_ref(),
        vocabulary: operation.contract.vocabulary,
    };
    root.members(trials, &fields);
    for member in body.members.iter().filter(|_| body.partial) {
        let name = &member.field.name;
        let rule = Rule::new(format!("member `{name}`: enough on its own"), member.field.at);
        trials.accepts(&format!("{name}_alone"), &rule, calls!(.alone(name).accepted()));
    }
}

/// The tests of a body as a whole.
fn whole(operation: &Operation, body: &Body, trials: &mut Trials) {
    let declared = operation.declared;
    let json = Rule::new("a body says that it is `application/json`, and is not encoded", body.at);
    trials.rejects(
        "media_types",
        Step::MediaType,
        &json,
        calls!(.rejects_other_media_types()),
    );
    for (name, declared) in JSON_MEDIA_TYPES {
        trials.accepts(name, &json, calls!(.accepts_media_type(declared)));
    }
    let most = format!("a body of at most {}", counted(declared.max_bytes, "byte"));
    let most = Rule::new(most, declared.max_bytes_at);
    trials.accepts("largest_body", &most, calls!(.accepts_largest_body()));
    trials.rejects("too_large_body", Step::BodySize, &most, calls!(.rejects_large_bodies()));
    let object = Rule::new("a body is one JSON object", body.at);
    trials.invalid("not_json", &object, calls!(.rejects_what_is_not_json()));
    trials.invalid("not_an_object", &object, calls!(.rejects_what_is_no_object()));
    if body.may_be_absent() {
        let none = Rule::new("the body: none of its members is required", body.at);
        trials.accepts("no_body", &none, calls!(.without_body()));
    }
    if body.partial {
        let any = Rule::new("the body: at least one of its members", body.at);
        trials.invalid("no_member_at_all", &any, calls!(.emptied().invalid(&[])));
    }
}

/// A member, and how a request may give it.
struct Given {
    field: &'static Field,
    required: bool,
    nullable: bool,
}

impl Given {
    fn of_body(partial: bool, member: &'static BodyMember) -> Self {
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

    fn of_object(field: &'static Field) -> Self {
        let required = !field.of.optional && field.of.default.is_none();
        Self {
            field,
            required,
            nullable: !required,
        }
    }
}

/// An object within a body, with its path.
struct Root {
    model: &'static Model,
    place: &'static str,
    name: String,
    /// The rule of the object, with the place where its members are declared.
    is: Rule,
    moved: Option<&'static Transitions>,
    vocabulary: &'static [&'static str],
}

impl Root {
    fn members(&self, trials: &mut Trials, fields: &[Given]) {
        let known: Vec<&str> = fields.iter().map(|given| given.field.name.as_str()).collect();
        let (place, vocabulary) = (self.place, self.vocabulary);
        trials.invalid(
            &self.named("unknown_members"),
            &self.no_others(),
            calls!(.rejects_unknown_members(place, vocabulary)),
        );
        for given in fields {
            self.presence(trials, given, &known);
            let place = self.place_of(given.field);
            place.value(trials, &given.field.of);
            self.items(trials, &place, &given.field.of);
        }
    }

    fn no_others(&self) -> Rule {
        Rule::new(format!("{}: its members, and no others", self.is.words), self.is.at)
    }

    fn presence(&self, trials: &mut Trials, given: &Given, known: &[&str]) {
        let of = self.place_of(given.field);
        let (place, name, member) = (of.place, &of.name, of.member);
        if given.required {
            let calls = calls!(.without(place).invalid(&[member]));
            trials.invalid(&format!("{name}_missing"), &of.rule("required"), calls);
        }
        let name_of_null = format!("{name}_null");
        if given.nullable {
            let calls = calls!(.with(place, null()).accepted());
            trials.accepts(&name_of_null, &of.rule("it may be null"), calls);
        } else {
            let calls = calls!(.rejects_null(place));
            trials.invalid(&name_of_null, &of.rule("not null"), calls);
        }
        let calls = calls!(.twice(place).invalid(&[member]));
        trials.invalid(&format!("{name}_twice"), &of.rule("not twice"), calls);
        if let Some(misspelt) = misspelt(member, known).map(leak) {
            let spelt = self.place_in(misspelt);
            trials.invalid(
                &format!("{name}_misspelt"),
                &self.no_others(),
                calls!(.with(spelt, raw("1")).invalid(&[misspelt, member])),
            );
        }
    }

    /// The tests of the items of a list, or of the members of an object.
    fn items(&self, trials: &mut Trials, place: &Place, of: &'static Type) {
        let item = item_of(self.model, of);
        let here = match item {
            Some(_) => leak(format!("{}[0]", place.place)),
            None => place.place,
        };
        let is_item = item.is_some();
        let of = item.unwrap_or(of);
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
            _ if is_item => return self.plain_item(trials, place, here, of),
            _ => return,
        };
        let root = Root {
            model: self.model,
            place: here,
            name: place.name.clone(),
            is,
            moved: None,
            vocabulary: self.vocabulary,
        };
        root.members(trials, &given);
    }

    /// The tests of an item that is not an object.
    fn plain_item(&self, trials: &mut Trials, list: &Place, here: &'static str, of: &'static Type) {
        let item = Place {
            model: self.model,
            name: format!("{}_item", list.name),
            place: here,
            member: list.member,
            at: list.at,
            moves: None,
        };
        let place = item.place;
        let name = format!("{}_null", item.name);
        trials.invalid(&name, &item.rule("not null"), calls!(.rejects_null(place)));
        item.value(trials, of);
    }

    fn place_of(&self, field: &'static Field) -> Place {
        let member = &field.name;
        Place {
            model: self.model,
            place: self.place_in(member),
            name: self.named(member),
            member,
            at: field.at,
            moves: self.moved.filter(|moves| moves.member == member),
        }
    }

    fn place_in(&self, member: &'static str) -> &'static str {
        if self.place.is_empty() {
            member
        } else {
            leak(format!("{}.{member}", self.place))
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
fn item_of(model: &'static Model, of: &'static Type) -> Option<&'static Type> {
    match &of.kind {
        _ if of.list => Some(Box::leak(Box::new(Type {
            list: false,
            ..of.clone()
        }))),
        Kind::Named(name) => match &model.named_type(name).rule {
            TypeRule::List { of, .. } => Some(of),
            _ => None,
        },
        _ => None,
    }
}
