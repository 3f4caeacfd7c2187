//! The JSON Schema of a tool's arguments. Types are written where they are used, without what the server checks anyway
//! and a model cannot count: patterns of invisible characters, sizes in bytes, decimal places.

use crate::documents::shared::{descriptions, examples, idempotency, patterns};
use crate::json::{Json, JsonObject, list};
use crate::model::{Body, BodyMember, Class, Field, KEY_ARGUMENT, Kind, Model, Operation, Type, TypeRule};

/// The arguments of a tool: the parameters of the path and the query, and the members of the body.
pub(super) fn of_arguments(model: &Model, operation: &Operation) -> JsonObject {
    let parameters = operation.path.iter().chain(&operation.query).map(|field| {
        let doc = descriptions::parameter(model, operation, field);
        (field, is_required(model, field), false, doc)
    });
    let body = model.body(operation);
    let members = body
        .into_iter()
        .flat_map(|body| body.members.iter().map(move |member| of_body(body, member)));
    let members = members.map(|(field, required, nullable)| (field, required, nullable, described(model, field)));
    let arguments: Vec<_> = parameters.chain(members).collect();
    let required = arguments.iter().filter(|(_, required, ..)| *required);
    let required = required.map(|(field, ..)| &field.name).collect();
    let properties = arguments.iter().map(|(field, _, nullable, doc)| {
        let of_tool = operation.tool_default().filter(|(name, _)| *name == field.name);
        let default = of_tool.map(|(_, value)| value.into());
        let default = default.or_else(|| model.default_of(&field.of));
        let schema = of_type(model, &field.of, *nullable)
            .maybe("default", default)
            .maybe("description", doc.clone())
            .maybe("examples", unmentioned(model, operation, field, doc.as_deref()));
        (field.name.clone(), schema.into())
    });
    let key = idempotency::of_operation(operation).map(|purpose| {
        let schema = typed("string")
            .with("pattern", idempotency::PATTERN)
            .with("description", purpose);
        (KEY_ARGUMENT.to_owned(), schema.into())
    });
    let properties: JsonObject = properties.chain(key).collect();
    object(properties, required)
}

fn object(properties: JsonObject, required: Vec<&String>) -> JsonObject {
    JsonObject::new()
        .with("type", "object")
        .with("properties", properties)
        .listing("required", required)
        .with("additionalProperties", false)
}

/// The example of an argument whose description does not mention it.
fn unmentioned(model: &Model, operation: &Operation, field: &Field, doc: Option<&str>) -> Option<Json> {
    let of = operation.exemplified(field);
    let quoted = format!("`{}`", of.example.as_ref()?);
    let is_mentioned = doc.is_some_and(|doc| doc.contains(&quoted));
    (!is_mentioned).then(|| list(vec![examples::value(model, &of, &field.name)]))
}

fn is_required(model: &Model, field: &Field) -> bool {
    !field.of.optional && model.default_of(&field.of).is_none()
}

/// A member of a body, whether it is required, and whether null is a value of it.
fn of_body<'b>(body: &Body, member: &'b BodyMember) -> (&'b Field, bool, bool) {
    let field = &member.field;
    (
        field,
        member.required && !body.partial,
        body.partial && field.of.optional,
    )
}

/// The description of a member, else that of its type.
fn described(model: &Model, field: &Field) -> Option<String> {
    let of_type = || match &field.of.kind {
        Kind::Named(name) => model.named_type(name).doc.clone(),
        Kind::Id(resource) => Some(format!("The id of the {}.", model.resource(resource).noun)),
        _ => None,
    };
    field.doc.clone().or_else(of_type)
}

fn of_type(model: &Model, of: &Type, nullable: bool) -> JsonObject {
    let single = of_kind(model, &of.kind);
    let whole = if of.list { list_of(single) } else { single };
    if !nullable {
        return whole;
    }
    let kinds = whole.iter().map(|(name, value)| match (name.as_str(), value) {
        ("type", Json::Text(kind)) => (name.clone(), list(vec![kind.as_str(), "null"])),
        _ => (name.clone(), value.clone()),
    });
    kinds.collect()
}

fn typed(kind: &str) -> JsonObject {
    JsonObject::new().with("type", kind)
}

fn list_of(items: JsonObject) -> JsonObject {
    typed("array").with("items", items)
}

fn of_kind(model: &Model, kind: &Kind) -> JsonObject {
    match kind {
        Kind::Named(name) => of_rule(model, &model.named_type(name).rule),
        Kind::Boolean | Kind::Flag => typed("boolean"),
        Kind::Format(format) => typed("string").with("format", format.json_schema),
        Kind::Id(resource) => match model.ids(resource).format() {
            Some(format) => typed("string").with("format", format.json_schema),
            None => typed("integer").with("minimum", 1_i64),
        },
        Kind::Enum(name) => {
            let values = model.enumeration(name).values.iter().collect();
            typed("string").listing("enum", values)
        }
        Kind::Object(name) => {
            let members = model.object(name).members.iter();
            of_members(model, members.map(|field| (field, is_required(model, field), false)))
        }
        Kind::Input(name) => {
            let body = &model.input(name).body;
            of_members(model, body.members.iter().map(|member| of_body(body, member)))
        }
        Kind::Cursor => typed("string"),
        Kind::EventNames(caller) => {
            let names = model.events_to(caller).map(|kind| &kind.name).collect();
            list_of(typed("string").listing("enum", names))
        }
        // No request carries them.
        Kind::Stored | Kind::Secret | Kind::Timestamp | Kind::View(..) => typed("string"),
    }
}

fn of_members<'f>(model: &Model, members: impl Iterator<Item = (&'f Field, bool, bool)> + Clone) -> JsonObject {
    let required = members.clone().filter(|(_, required, _)| *required);
    let required = required.map(|(field, ..)| &field.name).collect();
    let properties = members.map(|(field, _, nullable)| {
        let schema = of_type(model, &field.of, nullable).maybe("default", model.default_of(&field.of));
        let schema = schema.maybe("description", described(model, field));
        (field.name.clone(), schema.into())
    });
    object(properties.collect(), required)
}

fn of_rule(model: &Model, rule: &TypeRule) -> JsonObject {
    match rule {
        TypeRule::Text { min, max, chars, .. } => {
            let pattern = chars
                .as_ref()
                .map(|chars| patterns::of_chars(&Class::parse(chars), *min, *max));
            typed("string")
                .maybe("minLength", Some(*min).filter(|min| *min > 0))
                .maybe("maxLength", *max)
                .maybe("pattern", pattern)
        }
        TypeRule::Number {
            min,
            exclusive_min,
            max,
            decimals: _,
        } => typed("number")
            .maybe("minimum", min.map(crate::json::number))
            .maybe("exclusiveMinimum", exclusive_min.map(crate::json::number))
            .maybe("maximum", max.map(crate::json::number)),
        TypeRule::Integer { min, max } => typed("integer").maybe("minimum", *min).maybe("maximum", *max),
        TypeRule::List { of, min, max, .. } => list_of(of_type(model, of, false))
            .maybe("minItems", Some(*min).filter(|min| *min > 0))
            .maybe("maxItems", *max),
        TypeRule::FreeForm { .. } => typed("object"),
    }
}
