//! The types of values: every rule, at every place where it is allowed.

use super::{has_all, model, operations};
use codegen::model::{Data, Field, Kind, Model, Type, TypeRule};

/// Every use of a type, with its place.
fn uses(model: &Model) -> Vec<(&'static str, &Type)> {
    let objects = model.objects.iter().flat_map(|object| &object.members);
    let resources = || model.resources.iter();
    let stored = resources().flat_map(|resource| &resource.fields);
    let joined = resources().flat_map(|resource| &resource.joined);
    let of_operations = operations(model).into_iter().flat_map(|operation| {
        let members = model.body(operation).into_iter().flat_map(|body| &body.members);
        let answered = match &operation.data {
            Some(Data::Members(members)) => members.as_slice(),
            _ => &[],
        };
        placed("path", &operation.path)
            .chain(placed("query", &operation.query))
            .chain(placed("body", members.map(|member| &member.field)))
            .chain(placed("answer", answered))
    });
    placed("object", objects)
        .chain(placed("stored", stored))
        .chain(placed("joined", joined))
        .chain(of_operations)
        .collect()
}

fn placed<'m>(
    place: &'static str,
    fields: impl IntoIterator<Item = &'m Field>,
) -> impl Iterator<Item = (&'static str, &'m Type)> {
    fields.into_iter().map(move |field| (place, &field.of))
}

fn kind(of: &Type) -> &'static str {
    match of.kind {
        Kind::Named(_) => "named",
        Kind::Stored => "string",
        Kind::Secret => "secret",
        Kind::Boolean => "boolean",
        Kind::Flag => "flag",
        Kind::Format(format) => format.name,
        Kind::Timestamp => "timestamp",
        Kind::Cursor => "cursor",
        Kind::EventNames(_) => "event_names",
        Kind::Id(_) => "id",
        Kind::Enum(_) => "enum",
        Kind::Object(_) => "object",
        Kind::Input(_) => "input",
        Kind::View(..) => "view",
    }
}

#[test]
fn lists_of_every_kind_and_numbers_without_bounds_are_there() {
    let model = model();
    let forms = model.types.iter().filter_map(|named| match &named.rule {
        TypeRule::List { of, .. } => Some(format!("list of {}", kind(of))),
        TypeRule::Number {
            min: None,
            exclusive_min: None,
            max: None,
            decimals: None,
        } => Some("number without bounds".to_owned()),
        _ => None,
    });
    let wanted = [
        "list of object",
        "list of enum",
        "list of input",
        "number without bounds",
    ];
    has_all(forms, wanted.map(str::to_owned));
}

#[test]
fn every_type_stands_wherever_it_may() {
    let model = model();
    let found = uses(&model).into_iter().map(|(place, of)| {
        let list = if of.list { "list of " } else { "" };
        format!("{place}: {list}{}", kind(of))
    });
    let wanted = [
        "stored: named",
        "stored: string",
        "stored: boolean",
        "stored: date",
        "stored: timestamp",
        "stored: id",
        "stored: enum",
        "stored: object",
        "stored: list of object",
        "object: named",
        "object: boolean",
        "object: timestamp",
        "object: enum",
        "object: object",
        "joined: named",
        "joined: list of view",
        "path: id",
        "query: named",
        "query: boolean",
        "query: flag",
        "query: date",
        "query: id",
        "query: enum",
        "body: named",
        "body: boolean",
        "body: date",
        "body: id",
        "body: enum",
        "body: object",
        "answer: named",
        "answer: id",
        "answer: list of id",
        "answer: string",
        "answer: secret",
        "answer: timestamp",
        "answer: boolean",
        "answer: enum",
    ];
    has_all(found, wanted.map(str::to_owned));
}

#[test]
fn every_type_is_optional_or_has_a_default_somewhere() {
    let model = model();
    let form = |of: &Type| match (&of.default, of.optional) {
        (Some(default), _) => format!("{} = {default}", kind(of)),
        (None, true) => format!("{}?", kind(of)),
        (None, false) => kind(of).to_owned(),
    };
    let wanted = [
        "named?",
        "date?",
        "timestamp?",
        "id?",
        "enum?",
        "object?",
        "boolean?",
        "named = 08:00",
        "named = 1",
        "named = 0",
        "named = []",
        "enum = small",
        "boolean = false",
        "flag = false",
    ];
    has_all(
        uses(&model).into_iter().map(|(_, of)| form(of)),
        wanted.map(str::to_owned),
    );
}
