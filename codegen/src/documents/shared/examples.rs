//! Example values: each is valid for its type and derived from the name of its member.

use super::selection::Selection;
use super::words::spaced;
use crate::json::{Json, JsonObject, list, number};
use crate::model::{
    AnswerFrom, BodyMember, Class, Credential, Data, EventKind, Field, HeaderPart, Kind, Model, Operation, Origin,
    RecordId, ResponseHeader, Target, Transitions, Type, TypeRule, ValueCounts,
};

/// An example time.
pub(crate) const TIMESTAMP: &str = "2026-11-21T09:30:00";

/// A value of this type for a member of this name.
pub(crate) fn value(model: &Model, of: &Type, name: &str) -> Json {
    let single = written(model, of).unwrap_or_else(|| single(model, of, name));
    if of.list { list(vec![single]) } else { single }
}

/// The example that the contract gives.
fn written(model: &Model, of: &Type) -> Option<Json> {
    let example = of.example.as_ref()?;
    match &of.kind {
        Kind::Stored => Some(example.into()),
        Kind::Named(name) => as_ruled(model, &model.named_type(name).rule, example),
        Kind::Format(_) | Kind::Enum(_) => Some(example.into()),
        Kind::Boolean | Kind::Flag => example.parse::<bool>().ok().map(Json::from),
        Kind::Id(resource) => model.ids(resource).read(example).map(id_json),
        _ => None,
    }
}

fn as_ruled(model: &Model, rule: &TypeRule, example: &str) -> Option<Json> {
    match rule {
        TypeRule::Text { .. } => Some(example.into()),
        TypeRule::Number { .. } => example.parse().ok().map(number),
        TypeRule::Integer { .. } => example.parse::<i64>().ok().map(Json::from),
        TypeRule::List { of, .. } => match &of.kind {
            Kind::Named(name) => {
                let item = as_ruled(model, &model.named_type(name).rule, example);
                item.map(|item| list(vec![item]))
            }
            _ => None,
        },
        TypeRule::FreeForm { .. } => None,
    }
}

fn single(model: &Model, of: &Type, name: &str) -> Json {
    match &of.kind {
        Kind::Named(named) => ruled(model, &model.named_type(named).rule, name, of.default.as_deref()),
        Kind::Stored => spaced(name).into(),
        Kind::Secret => secret(model.credentials.first()).into(),
        Kind::Boolean | Kind::Flag => true.into(),
        Kind::Format(format) => format.values[0].into(),
        Kind::Timestamp => TIMESTAMP.into(),
        Kind::Cursor => "now".into(),
        Kind::EventNames(caller) => {
            let names = model.events_to(caller).map(|kind| Json::from(&kind.name));
            list(names.take(1).collect())
        }
        Kind::Id(resource) => id_json(id(model, resource)),
        Kind::Enum(name) => model.enumeration(name).values.first().map_or(Json::null(), Json::from),
        Kind::Object(name) => {
            let members = model.object(name).members.iter();
            let members = members.map(|member| (member.name.clone(), value(model, &member.of, &member.name)));
            members.collect::<JsonObject>().into()
        }
        Kind::Input(name) => body(model, &model.input(name).body.members),
        Kind::View(resource, view) => view_example(model, resource, view),
    }
}

/// A view with all its members.
pub(crate) fn view_example(model: &Model, resource: &str, view: &str) -> Json {
    let members = model.view(resource, view).members.iter().map(|member| {
        let value =
            start(model, resource, member.source.field()).unwrap_or_else(|| shown(model, &member.of, &member.shown));
        (member.shown.clone(), value)
    });
    members.collect::<JsonObject>().into()
}

/// The value of a member of an answer: its example, its default, or one that is made up. A list has an item.
fn shown(model: &Model, of: &Type, name: &str) -> Json {
    let default = model.default_of(of).filter(|_| of.example.is_none());
    let default = default.filter(|default| !matches!(default, Json::List(_)));
    default.unwrap_or_else(|| value(model, of, name))
}

/// What is shown of a record's own credential, if the field is that.
fn start(model: &Model, resource: &str, field: &str) -> Option<Json> {
    let fields = &model.resource(resource).fields;
    match &fields.iter().find(|one| one.name == field)?.origin {
        Some(Origin::Start(credential)) => {
            let credential = model.credential(credential);
            Some(credential.shown_of(&secret(Some(credential))).into())
        }
        _ => None,
    }
}

/// A body with all its members.
fn body(model: &Model, members: &[BodyMember]) -> Json {
    let members = members.iter().map(|member| &member.field);
    let members = members.map(|field| (field.name.clone(), value(model, &field.of, &field.name)));
    members.collect::<JsonObject>().into()
}

/// The value of a parameter: that of the example, the default, or one that is made up.
pub(crate) fn parameter(model: &Model, operation: &Operation, field: &Field, name: &str) -> Json {
    let of = operation.exemplified(field);
    let default = model.default_of(&of).filter(|_| of.example.is_none());
    default.unwrap_or_else(|| value(model, &of, name))
}

/// The body of a request with all its members. A state in it is one that can be reached.
pub(crate) fn request(model: &Model, operation: &Operation) -> Option<Json> {
    let body = model.body(operation)?;
    Some(request_of(model, operation, &mut body.members.iter()))
}

/// The body of a request with these members.
pub(crate) fn request_of(model: &Model, operation: &Operation, members: &mut dyn Iterator<Item = &BodyMember>) -> Json {
    let members = members.map(|member| {
        let Field { name, of, .. } = &member.field;
        let moved = moved(model, operation, &of.kind).filter(|_| !operation.exemplifies(&member.field));
        let value = || value(model, &operation.exemplified(&member.field), name);
        (name.clone(), moved.map_or_else(value, Json::from))
    });
    members.collect::<JsonObject>().into()
}

/// For an operation that sets one of these states: the first state that can follow the initial one.
fn moved<'m>(model: &'m Model, operation: &Operation, kind: &Kind) -> Option<&'m String> {
    let (Some(Transitions { states: whole, .. }), Kind::Enum(name)) = (&operation.transitions, kind) else {
        return None;
    };
    let (offered, whole) = (model.enumeration(name), model.enumeration(whole));
    let states = whole.states.as_ref()?;
    let is_of_states = offered.name == whole.name || offered.part_of.as_ref() == Some(&whole.name);
    let next = |to: &&String| match &states.transitions {
        None => **to != states.initial,
        Some(moves) => moves
            .iter()
            .any(|(from, next)| *from == states.initial && next.contains(to)),
    };
    offered.values.iter().filter(|_| is_of_states).find(next)
}

/// The number of the event in examples.
const CURSOR: &str = "1042";

/// The id of the event in examples.
pub(crate) const EVENT_ID: &str = "evt_5Yk0bW8mQzR2xT7nVc4LpD";

/// An event as a feed shows it.
pub(crate) fn event(model: &Model, kind: &EventKind) -> JsonObject {
    let data = kind.data.iter().map(|member| {
        let Field { name, of, .. } = &member.field;
        (name.clone(), value(model, of, name))
    });
    JsonObject::new()
        .with("eventId", EVENT_ID)
        .with("name", &kind.name)
        .with("timestamp", TIMESTAMP)
        .with("data", data.collect::<JsonObject>())
        .with("cursor", CURSOR)
}

/// The data of an answer, with the credential that it hands out.
pub(crate) fn data(part: &Selection<'_>, operation: &Operation) -> Option<Json> {
    let model = part.model;
    let example_of = |resource: &String, name: &String| view_example(model, resource, name);
    let data = match operation.data.as_ref()? {
        Data::One { resource, view } => example_of(resource, view),
        Data::Many { resource, view } => list(vec![example_of(resource, view)]),
        Data::Events => {
            let kinds: Vec<&EventKind> = part.events().collect();
            list(kinds.first().map(|kind| event(model, kind)).into_iter().collect())
        }
        Data::Counts(counts) => {
            let value = shown(model, &counts.value.of, &counts.value.name);
            let row = JsonObject::new()
                .with(&counts.value.name, value)
                .with(ValueCounts::COUNT, 3_u32);
            list(vec![row])
        }
        Data::Members(fields) => {
            let members = fields.iter().enumerate().map(|(place, field)| {
                let of_record = match operation.answers.get(place) {
                    Some(AnswerFrom::Field(Target::Made(resource) | Target::Found(resource), field)) => {
                        start(model, resource, field)
                    }
                    _ => None,
                };
                let example = of_record.unwrap_or_else(|| match field.of.kind {
                    Kind::Secret => secret(part.secrets(Some(operation)).first().copied()).into(),
                    _ => shown(model, &field.of, &field.name),
                });
                (field.name.clone(), example)
            });
            members.collect::<JsonObject>().into()
        }
    };
    Some(data)
}

/// The value of a header of a success whose data is the example.
pub(crate) fn header(part: &Selection<'_>, operation: &Operation, header: &ResponseHeader) -> Json {
    let data = data(part, operation);
    let value = |piece: &HeaderPart| match piece {
        HeaderPart::Text(text) => text.into(),
        HeaderPart::Member(name, _) => {
            let members = match &data {
                Some(Json::Object(members)) => members.iter().find(|(known, _)| known == name),
                _ => None,
            };
            members.map_or_else(Json::null, |(_, value)| value.clone())
        }
        HeaderPart::Parameter(name) => {
            let field = operation.path.iter().find(|field| field.name == *name);
            field.map_or_else(Json::null, |field| parameter(part.model, operation, field, name))
        }
        HeaderPart::Total => 1_u64.into(),
    };
    match header.parts.as_slice() {
        [only] => value(only),
        parts => Json::Text(parts.iter().map(|piece| in_header(&value(piece))).collect()),
    }
}

/// A value as a header shows it.
pub(crate) fn in_header(value: &Json) -> String {
    match value {
        Json::Text(text) => text.clone(),
        value => value.compact(),
    }
}

/// The value of a member beside the data of an answer: the request's parameter, or else a number.
pub(crate) fn sibling(model: &Model, operation: &Operation, name: &str) -> Json {
    if operation.feed.is_some() {
        return if name == "cursor" { CURSOR.into() } else { false.into() };
    }
    match operation.query.iter().find(|field| field.name == name) {
        Some(field) => {
            let default = model.default_of(&field.of);
            default.unwrap_or_else(|| value(model, &field.of, name))
        }
        None => 1_u64.into(),
    }
}

/// The id of a resource, different for each kind of resource.
pub(crate) fn id(model: &Model, resource: &str) -> RecordId {
    let place = model.resources.iter().position(|one| one.name == resource);
    let number = place.map_or(1, |place| place + 1);
    match model.ids(resource).example() {
        RecordId::Number(_) => RecordId::Number(i64::try_from(number).unwrap_or(1)),
        RecordId::Uuid(bits) => RecordId::Uuid(bits + number as u128),
    }
}

/// An id as JSON.
fn id_json(id: RecordId) -> Json {
    match id {
        RecordId::Number(number) => number.into(),
        RecordId::Uuid(_) => id.to_string().into(),
    }
}

/// A dummy credential, which no caller can have.
pub(crate) fn secret(of: Option<&Credential>) -> String {
    let random = |of: &Credential| "x".repeat(usize::try_from(of.random).unwrap_or_default());
    of.map_or_else(|| "x".repeat(40), |of| format!("{}{}", of.prefix, random(of)))
}

fn ruled(model: &Model, rule: &TypeRule, name: &str, default: Option<&str>) -> Json {
    match rule {
        TypeRule::Text { min, max, chars, .. } => match (default, chars) {
            (Some(default), _) => default.into(),
            (None, Some(chars)) => of_chars(&Class::parse(chars), name, *min, *max).into(),
            (None, None) => text(name, *min, *max).into(),
        },
        TypeRule::Number {
            min,
            exclusive_min,
            max,
            decimals,
        } => {
            let within = |value: f64| {
                min.is_none_or(|min| value >= min)
                    && exclusive_min.is_none_or(|above| value > above)
                    && max.is_none_or(|max| value <= max)
                    && (decimals.is_none_or(|most| most > 0) || value.fract() == 0.0)
            };
            let bounds = [*max, *min].into_iter().flatten();
            let mut values = [120.0, 40.0, 12.5, 4.5, 2.0, 0.5, 0.0].into_iter().chain(bounds);
            number(values.find(|value| within(*value)).unwrap_or_default())
        }
        TypeRule::Integer { min, max } => {
            let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
            let values = [20, 3, 1, 0, min];
            let found = values.into_iter().find(|value| (min..=max).contains(value));
            found.unwrap_or(min).into()
        }
        TypeRule::List { of, min, .. } => {
            let items = (0..(*min).max(1)).map(|_| value(model, of, name.strip_suffix('s').unwrap_or(name)));
            Json::List(items.collect())
        }
        TypeRule::FreeForm { max_bytes } => {
            let object = Json::from(JsonObject::new().with("any", "member"));
            let fits = u64::try_from(object.compact().len()).is_ok_and(|bytes| bytes <= *max_bytes);
            if fits { object } else { JsonObject::new().into() }
        }
    }
}

fn text(name: &str, min: u64, max: Option<u64>) -> String {
    fit(&spaced(name), 'x', min, max)
}

fn of_chars(class: &Class, name: &str, min: u64, max: Option<u64>) -> String {
    let dashed = name.replace('_', "-");
    let ways = [
        name.to_owned(),
        dashed.clone(),
        dashed.to_uppercase(),
        name.to_uppercase(),
        "0123456789".to_owned(),
    ];
    let whole = ways.iter().find(|way| way.chars().all(|c| class.has(c)));
    let some = ways
        .iter()
        .map(|way| way.chars().filter(|c| class.has(*c)).collect::<String>());
    let found = whole
        .cloned()
        .or_else(|| some.max_by_key(String::len))
        .unwrap_or_default();
    let filler = class.ranges().first().map_or('x', |(first, _)| *first);
    fit(&found, filler, min, max)
}

/// The text, cut or filled to the allowed number of characters.
fn fit(text: &str, filler: char, min: u64, max: Option<u64>) -> String {
    let [min, max] = [min.max(1), max.unwrap_or(u64::MAX)].map(|bound| usize::try_from(bound).unwrap_or(usize::MAX));
    let mut fitted: String = text.chars().take(max).collect();
    if fitted.len() < text.len()
        && let Some((whole, _)) = fitted.rsplit_once(' ')
    {
        fitted = whole.to_owned();
    }
    let missing = min.saturating_sub(fitted.chars().count());
    fitted.extend(std::iter::repeat_n(filler, missing));
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_fits_its_bounds_and_its_characters() {
        assert_eq!(text("poster_name", 1, Some(100)), "Poster name");
        assert_eq!(text("poster_name", 1, Some(4)), "Post");
        assert_eq!(text("bio", 6, None), "Bioxxx");
        let class = |class: &str, name: &str, min, max| of_chars(&Class::parse(class), name, min, max);
        assert_eq!(class("a-z0-9_-", "category", 1, Some(64)), "category");
        assert_eq!(class("A-Z0-9-", "station_code", 3, Some(12)), "STATION-CODE");
        assert_eq!(class("0-9+", "phone", 5, Some(20)), "0123456789");
        assert_eq!(class("0-9:", "opens", 5, Some(5)), "01234");
        assert_eq!(class("#", "opens", 2, Some(5)), "##");
    }
}
