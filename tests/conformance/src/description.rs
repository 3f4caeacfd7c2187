//! The types of values.

use crate::contract::{leak, leak_all};
use crate::types::{Member, Type};
use codegen::model::{Body, BodyMember, Data, Field, Kind, Model, Operation, Type as Declared, TypeRule, ValueCounts};

fn leak_type(of: Type) -> &'static Type {
    Box::leak(Box::new(of))
}

pub(crate) fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

pub(crate) fn type_of(model: &'static Model, of: &'static Declared) -> &'static Type {
    let item = match &of.kind {
        Kind::Named(name) => rule(model, &model.named_type(name).rule),
        Kind::Enum(name) => Type::Word(leak_all(model.enumeration(name).values.iter().map(String::as_str))),
        Kind::Object(name) => members(&model.object(name).members, |field| member(model, field)),
        Kind::Input(name) => body(model, &model.input(name).body),
        Kind::View(resource, name) => view(model, resource, name),
        Kind::Id(resource) => match model.ids(resource).format() {
            Some(format) => Type::IdText(resource, format),
            None => Type::Id(resource),
        },
        Kind::Stored => Type::Stored,
        Kind::Secret => Type::Secret,
        Kind::Boolean => Type::Boolean,
        Kind::Flag => Type::Flag,
        Kind::Format(format) => Type::Format(format),
        Kind::Timestamp => Type::Timestamp,
        Kind::Cursor => Type::Word(&["now"]),
        Kind::EventNames(caller) => {
            let kinds = model.events_to(caller);
            Type::Word(leak_all(kinds.map(|kind| kind.name.as_str())))
        }
    };
    leak_type(if of.list { list_of(item) } else { item })
}

/// The value of `data`. A secret that is no credential is a text like others.
pub(crate) fn data_of(model: &'static Model, operation: &'static Operation) -> Option<&'static Type> {
    let is_text = |field: &Field| field.of.kind == Kind::Secret && operation.shows_foreign_secret();
    let member = |field: &'static Field| match is_text(field) {
        true => Member::required(&field.name, &Type::Stored),
        false => member_shown(model, &field.name, &field.of),
    };
    Some(leak_type(match operation.data.as_ref()? {
        Data::One { resource, view: name } => view(model, resource, name),
        Data::Many { resource, view: name } => list_of(view(model, resource, name)),
        Data::Counts(counts) => list_of(counted(model, counts)),
        Data::Events => list_of(event(model)),
        Data::Members(fields) => members(fields, member),
    }))
}

/// A value with its number.
fn counted(model: &'static Model, counts: &'static ValueCounts) -> Type {
    let number = Type::Integer {
        min: Some(1),
        max: None,
    };
    Type::Object(leak_all([
        member_shown(model, &counts.value.name, &counts.value.of),
        Member::required(ValueCounts::COUNT, leak_type(number)),
    ]))
}

fn event_names(model: &'static Model) -> &'static [&'static str] {
    leak_all(model.event_kinds().iter().map(|kind| kind.name.as_str()))
}

/// An event in a feed. Its data is that of its kind, which the tests of feeds check.
fn event(model: &'static Model) -> Type {
    let members = [
        ("eventId", Type::Stored),
        ("name", Type::Word(event_names(model))),
        ("timestamp", Type::Timestamp),
        ("data", Type::FreeForm { max_bytes: usize::MAX }),
        ("cursor", Type::Stored),
    ];
    Type::Object(leak_all(
        members
            .into_iter()
            .map(|(name, of)| Member::required(name, leak_type(of))),
    ))
}

/// A body.
pub(crate) fn body_of(model: &'static Model, of: &'static Body) -> &'static Type {
    leak_type(body(model, of))
}

/// A member of an object in a request, or a parameter of a query.
pub(crate) fn member(model: &'static Model, field: &'static Field) -> Member {
    let (name, of) = (&field.name, type_of(model, &field.of));
    match model.default_json(&field.of) {
        Some(default) => Member::optional(name, of).or(leak(default)),
        None if field.of.optional => Member::optional(name, of),
        None => Member::required(name, of),
    }
}

fn members<T>(items: &'static [T], member: impl Fn(&'static T) -> Member) -> Type {
    Type::Object(leak_all(items.iter().map(member)))
}

fn list_of(of: Type) -> Type {
    Type::List {
        of: leak_type(of),
        min: 0,
        max: None,
        unique: None,
    }
}

fn rule(model: &'static Model, rule: &'static TypeRule) -> Type {
    match rule {
        TypeRule::Text {
            min,
            max,
            chars,
            bidi_controls,
            alike: _,
        } => Type::Text {
            min: size(*min),
            max: max.map(size),
            chars: chars.as_deref(),
            bidi_controls: *bidi_controls,
        },
        TypeRule::Number {
            min,
            exclusive_min,
            max,
            decimals,
        } => Type::Number {
            min: *min,
            exclusive_min: *exclusive_min,
            max: *max,
            decimals: *decimals,
        },
        TypeRule::Integer { min, max } => Type::Integer { min: *min, max: *max },
        TypeRule::List { of, min, max, unique } => Type::List {
            of: type_of(model, of),
            min: size(*min),
            max: max.map(size),
            unique: unique.as_deref(),
        },
        TypeRule::FreeForm { max_bytes } => Type::FreeForm {
            max_bytes: size(*max_bytes),
        },
    }
}

fn view(model: &'static Model, resource: &str, name: &str) -> Type {
    members(&model.view(resource, name).members, |member| {
        let shown = member_shown(model, &member.shown, &member.of);
        let is_always_there = !member.omitted;
        Member {
            required: is_always_there,
            nullable: shown.nullable && is_always_there,
            ..shown
        }
    })
}

fn member_shown(model: &'static Model, name: &'static str, of: &'static Declared) -> Member {
    match of.optional {
        true => Member::nullable(name, type_of(model, of)),
        false => Member::required(name, type_of(model, of)),
    }
}

fn body(model: &'static Model, body: &'static Body) -> Type {
    members(&body.members, |member| body_member(model, body, member))
}

fn body_member(model: &'static Model, body: &Body, sent: &'static BodyMember) -> Member {
    let (name, of) = (&sent.field.name, &sent.field.of);
    let member = match (body.partial, sent.required, of.optional) {
        (false, false, _) if of.default.is_some() => self::member(model, &sent.field),
        (true, _, false) => Member {
            required: false,
            ..Member::required(name, type_of(model, of))
        },
        (false, true, _) => Member::required(name, type_of(model, of)),
        _ => Member::optional(name, type_of(model, of)),
    };
    Member {
        nullable: member.nullable && !sent.never_null,
        ..member
    }
}
