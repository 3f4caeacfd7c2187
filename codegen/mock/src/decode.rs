//! Decodes the input of a request (path, query, body) by the declared types, and finds all faults of it.

mod members;
mod scalars;

use crate::faults::Faults;
use crate::text;
use crate::value::{self, Value};
use codegen::model::{Alike, Body, Field, Kind, Model, Operation, Segment, Type, TypeRule};
use members::Members;
use std::collections::HashSet;

/// The decoded input of a request. Absent members have their defaults, or null; in a partial body they are missing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Input {
    pub(crate) path: Vec<(String, Value)>,
    pub(crate) query: Vec<(String, Value)>,
    pub(crate) body: Vec<(String, Value)>,
    /// The notation of each parameter of the path, and of each number in the body.
    sent: Vec<(String, String)>,
    /// The members of the body that have a value.
    given: Vec<String>,
}

impl Input {
    /// A member of the body.
    pub(crate) fn member(&self, name: &str) -> Option<&Value> {
        found(&self.body, name)
    }

    /// Whether a member of the body changes something: it has a value, or it is null in a body where that is one.
    pub(crate) fn is_given(&self, name: &str, is_partial: bool) -> bool {
        is_partial || self.given.iter().any(|known| known == name)
    }

    /// A parameter of the query; `None` without a value.
    pub(crate) fn query(&self, name: &str) -> Option<&Value> {
        found(&self.query, name).filter(|value| **value != Value::Null)
    }

    /// A parameter of the path.
    pub(crate) fn path(&self, name: &str) -> Option<&Value> {
        found(&self.path, name)
    }

    /// An id as it was sent, for the texts of errors.
    pub(crate) fn sent_id(&self, name: &str) -> String {
        const LONGEST: usize = 64;
        let sent = self.sent.iter().find(|(known, _)| known == name);
        let sent = sent.map(|(_, literal)| literal.as_str()).unwrap_or_default();
        match sent.get(..LONGEST) {
            Some(first) if first.len() < sent.len() => format!("{first}..."),
            _ => sent.to_owned(),
        }
    }
}

fn found<'v>(values: &'v [(String, Value)], name: &str) -> Option<&'v Value> {
    values.iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

/// Decodes the input of an operation.
///
/// # Errors
/// All faults in one text.
pub(crate) fn input(
    model: &Model,
    operation: &Operation,
    segments: &[String],
    query: Option<&str>,
    body: &[u8],
) -> Result<Input, String> {
    let decoder = Decoder { model };
    let (mut faults, mut input) = (Faults::default(), Input::default());
    for field in &operation.path {
        let here = Segment::Parameter(field.name.clone());
        let index = operation.segments.iter().position(|segment| *segment == here);
        let raw = index.and_then(|index| segments.get(index)).cloned().unwrap_or_default();
        input.sent.push((field.name.clone(), raw.clone()));
        let decoded = faults.within(&field.name, |faults| decoder.value(&field.of, Value::Raw(raw), faults));
        input.path.extend(decoded.map(|value| (field.name.clone(), value)));
    }
    input.query = decoder.query(operation, query, &mut faults);
    if let Some(declared) = model.body(operation) {
        match value::parse(body) {
            Err(error) => faults.sentence(format!("the body is not valid JSON: {error}")),
            Ok(value) => {
                if let Value::Object(members) = &value {
                    for (name, value) in members.iter().filter(|(_, value)| *value != Value::Null) {
                        input.given.push(name.clone());
                        if let Value::Number(literal) = value {
                            input.sent.push((name.clone(), literal.clone()));
                        }
                    }
                }
                input.body = decoder.body(declared, value, &mut faults).unwrap_or_default();
            }
        }
    }
    faults.text().map_or(Ok(input), Err)
}

struct Decoder<'m> {
    model: &'m Model,
}

impl Decoder<'_> {
    fn query(&self, operation: &Operation, raw: Option<&str>, faults: &mut Faults) -> Vec<(String, Value)> {
        let names = operation.query.iter().map(|field| field.name.as_str());
        let mut members = Members::of_query(raw.unwrap_or_default(), names.collect(), faults);
        let mut decoded = Vec::new();
        for field in &operation.query {
            decoded.extend(self.take(&mut members, field, &field.of, faults));
        }
        for (lower, upper) in &operation.constraints {
            let number = |name| found(&decoded, name).and_then(Value::as_number);
            if let (Some(least), Some(most)) = (number(lower), number(upper))
                && least > most
            {
                faults.add_of(lower, &format!("must not be above `{upper}`"));
            }
        }
        decoded
    }

    fn body(&self, body: &Body, value: Value, faults: &mut Faults) -> Option<Vec<(String, Value)>> {
        let names: Vec<&str> = body.members.iter().map(|member| member.field.name.as_str()).collect();
        let mut members = Members::of_object(value, names.clone(), faults)?;
        if body.partial && members.is_empty() {
            let names = text::quoted(names.into_iter());
            faults.add(&format!("must have at least one of {names}"));
        }
        let mut decoded = Vec::new();
        for member in &body.members {
            let field = &member.field;
            decoded.extend(if body.partial {
                let is_null = |faults: &mut Faults| match field.of.optional {
                    true => Some(Value::Null),
                    false => fault(faults, &field.name, "must not be null"),
                };
                self.patch(&mut members, field, faults, is_null)
            } else if member.required {
                let of = Type {
                    default: None,
                    optional: false,
                    ..field.of.clone()
                };
                self.take(&mut members, field, &of, faults)
            } else {
                self.take(&mut members, field, &field.of, faults)
            });
        }
        Some(decoded)
    }

    /// A member that may be absent, but which is not: with a value, or with what null is here.
    fn patch(
        &self,
        members: &mut Members,
        field: &Field,
        faults: &mut Faults,
        null: impl FnOnce(&mut Faults) -> Option<Value>,
    ) -> Option<(String, Value)> {
        let value = match members.take(&field.name)? {
            Value::Null => null(faults),
            value => faults.within(&field.name, |faults| self.value(&field.of, value, faults)),
        };
        value.map(|value| (field.name.clone(), value))
    }

    /// A member that is required, or has a default, or is null when it is absent.
    fn take(&self, members: &mut Members, field: &Field, of: &Type, faults: &mut Faults) -> Option<(String, Value)> {
        let absent = |faults: &mut Faults| match self.default(of) {
            Some(default) => Some(default),
            None if of.optional => Some(Value::Null),
            None => fault(faults, &field.name, "is required"),
        };
        if members.is_absent(&field.name) {
            return absent(faults).map(|value| (field.name.clone(), value));
        }
        // Null is the same as absence, except that a required member says so.
        let null = |faults: &mut Faults| match of.default.is_some() || of.optional {
            true => absent(faults),
            false => fault(faults, &field.name, "must not be null"),
        };
        self.patch(members, field, faults, null)
    }

    fn default(&self, of: &Type) -> Option<Value> {
        default(self.model, of)
    }

    /// A value of a type.
    fn value(&self, of: &Type, value: Value, faults: &mut Faults) -> Option<Value> {
        if of.list {
            return self.list(&of.kind, (0, None), value, faults);
        }
        self.single(&of.kind, value, faults)
    }

    fn single(&self, kind: &Kind, value: Value, faults: &mut Faults) -> Option<Value> {
        match kind {
            Kind::Named(name) => match &self.model.named_type(name).rule {
                TypeRule::List { of, min, max, unique } => {
                    let items = self.list(&of.kind, (*min, *max), value, faults)?;
                    if let Some(member) = unique {
                        differ(items.items(), member, faults);
                    }
                    Some(items)
                }
                rule => scalars::of_rule(rule, value, faults),
            },
            Kind::Enum(name) => scalars::choice(&self.model.enumeration(name).values, value, faults),
            Kind::Object(name) => {
                let fields = &self.model.object(name).members;
                let names = fields.iter().map(|field| field.name.as_str()).collect();
                let mut members = Members::of_object(value, names, faults)?;
                let decoded = fields
                    .iter()
                    .map(|field| self.take(&mut members, field, &field.of, faults));
                let decoded: Vec<_> = decoded.collect();
                Some(Value::Object(decoded.into_iter().collect::<Option<_>>()?))
            }
            Kind::Input(name) => {
                let body = &self.model.input(name).body;
                let decoded = self.body(body, value, faults)?;
                let is_whole = body.partial || decoded.len() == body.members.len();
                is_whole.then_some(Value::Object(decoded))
            }
            kind => scalars::of_kind(kind, value, faults),
        }
    }

    fn list(&self, kind: &Kind, (min, max): (u64, Option<u64>), value: Value, faults: &mut Faults) -> Option<Value> {
        let Value::List(items) = value else {
            return scalars::mismatch(faults, "a list", &value);
        };
        let count = items.len() as u64;
        let is_short = count >= min && max.is_none_or(|max| count <= max);
        if !is_short {
            faults.add(&scalars::length((min, max), "item", count));
        }
        let most = max.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
        let decoded = items.into_iter().take(most).enumerate();
        let decoded = decoded.map(|(index, item)| faults.within_item(index, |faults| self.single(kind, item, faults)));
        let decoded: Vec<_> = decoded.collect();
        let decoded: Vec<Value> = decoded.into_iter().collect::<Option<_>>()?;
        is_short.then_some(Value::List(decoded))
    }
}

/// Finds items whose member is that of an earlier item.
fn differ(items: &[Value], member: &str, faults: &mut Faults) {
    let mut seen = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        let key = item.member(member).unwrap_or(item).as_text().unwrap_or_default();
        if !seen.insert(text::form(key, Alike::NfkcCasefold)) {
            faults.within_item(index, |faults| faults.add_of(member, "must not be in the list twice"));
        }
    }
}

fn fault<T>(faults: &mut Faults, member: &str, what: &str) -> Option<T> {
    faults.add_of(member, what);
    None
}

/// The default of a type.
pub(crate) fn default(model: &Model, of: &Type) -> Option<Value> {
    let json = model.default_json(of)?;
    let value = value::parse(json.as_bytes()).ok()?;
    Some(match value.as_number().filter(|_| !matches!(value, Value::Text(_))) {
        Some(number) => Value::number(number),
        None => value,
    })
}
