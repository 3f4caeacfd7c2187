//! Decodes the input of a request (path, query, body) by the declared types, and finds all errors of it.

mod members;
mod scalars;

use crate::text;
use crate::validation_errors::{Faults, ValidationErrors};
use crate::value::{self, Value};
use codegen::model::{Alike, Body, Field, Kind, Model, Operation, Segment, Type, TypeRule};
use members::Members;
pub(crate) use scalars::UNKNOWN_CURSOR;
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
        // A UUID is shown in lower case.
        if let Some(Value::Text(uuid)) = self.path(name).or_else(|| self.member(name)) {
            return uuid.clone();
        }
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

/// Decodes the input of an operation. `of_key` is the error of its idempotency key.
///
/// # Errors
/// All errors of the input.
pub(crate) fn input(
    model: &Model,
    operation: &Operation,
    segments: &[String],
    query: Option<&str>,
    (of_key, body): (Option<Faults>, &[u8]),
) -> Result<Input, Faults> {
    let decoder = Decoder { model };
    let (mut errors, mut input) = (ValidationErrors::default(), Input::default());
    for field in &operation.path {
        let here = Segment::Parameter(field.name.clone());
        let index = operation.segments.iter().position(|segment| *segment == here);
        let raw = index.and_then(|index| segments.get(index)).cloned().unwrap_or_default();
        input.sent.push((field.name.clone(), raw.clone()));
        let decoded = errors.within(&field.name, |errors| decoder.value(&field.of, Value::Raw(raw), errors));
        input.path.extend(decoded.map(|value| (field.name.clone(), value)));
    }
    input.query = decoder.query(operation, query, &mut errors);
    for (sentence, code) in of_key.into_iter().flat_map(|of_key| of_key.named) {
        errors.sentence(sentence, code);
    }
    if let Some(declared) = model.body(operation) {
        match value::parse(body) {
            Err(error) => errors.sentence(format!("the body is not valid JSON: {error}"), ";json".to_owned()),
            Ok(value) => {
                if let Value::Object(members) = &value {
                    for (name, value) in members.iter().filter(|(_, value)| *value != Value::Null) {
                        input.given.push(name.clone());
                        if let Value::Number(literal) = value {
                            input.sent.push((name.clone(), literal.clone()));
                        }
                    }
                }
                input.body = decoder.body(declared, value, &mut errors).unwrap_or_default();
            }
        }
    }
    errors.faults().map_or(Ok(input), Err)
}

struct Decoder<'m> {
    model: &'m Model,
}

impl Decoder<'_> {
    fn query(&self, operation: &Operation, raw: Option<&str>, errors: &mut ValidationErrors) -> Vec<(String, Value)> {
        let names = operation.query.iter().map(|field| field.name.as_str());
        let mut members = Members::of_query(raw.unwrap_or_default(), names.collect(), errors);
        let mut decoded = Vec::new();
        for field in &operation.query {
            decoded.extend(self.take(&mut members, field, &field.of, errors));
        }
        for (lower, upper) in &operation.constraints {
            let number = |name| found(&decoded, name).and_then(Value::as_number);
            if let (Some(least), Some(most)) = (number(lower), number(upper))
                && least > most
            {
                errors.add_of(
                    lower,
                    &format!("must not be above `{upper}`"),
                    &format!("order;{upper}"),
                );
            }
        }
        decoded
    }

    fn body(&self, body: &Body, value: Value, errors: &mut ValidationErrors) -> Option<Vec<(String, Value)>> {
        let names: Vec<&str> = body.members.iter().map(|member| member.field.name.as_str()).collect();
        let mut members = Members::of_object(value, names.clone(), errors)?;
        if body.partial && members.is_empty() {
            let code = format!("any;{}", names.join(";"));
            let names = text::quoted(names.into_iter());
            errors.add(&format!("must have at least one of {names}"), &code);
        }
        let mut decoded = Vec::new();
        for member in &body.members {
            let field = &member.field;
            decoded.extend(if body.partial {
                let is_null = |errors: &mut ValidationErrors| match field.of.optional {
                    true => Some(Value::Null),
                    false => error(errors, &field.name, "must not be null", "null"),
                };
                self.patch(&mut members, field, errors, is_null)
            } else if member.never_null && members.is_null(&field.name) {
                members.take(&field.name);
                error(&mut *errors, &field.name, "must not be null", "null")
            } else if member.required {
                let of = Type {
                    default: None,
                    optional: false,
                    ..field.of.clone()
                };
                self.take(&mut members, field, &of, errors)
            } else {
                self.take(&mut members, field, &field.of, errors)
            });
        }
        Some(decoded)
    }

    /// A member that may be absent, but which is not: with a value, or with what null is here.
    fn patch(
        &self,
        members: &mut Members,
        field: &Field,
        errors: &mut ValidationErrors,
        null: impl FnOnce(&mut ValidationErrors) -> Option<Value>,
    ) -> Option<(String, Value)> {
        let value = match members.take(&field.name)? {
            Value::Null => null(errors),
            value => errors.within(&field.name, |errors| self.value(&field.of, value, errors)),
        };
        value.map(|value| (field.name.clone(), value))
    }

    /// A member that is required, or has a default, or is null when it is absent.
    fn take(
        &self,
        members: &mut Members,
        field: &Field,
        of: &Type,
        errors: &mut ValidationErrors,
    ) -> Option<(String, Value)> {
        let absent = |errors: &mut ValidationErrors| match self.default(of) {
            Some(default) => Some(default),
            None if of.optional => Some(Value::Null),
            None => error(errors, &field.name, "is required", "required"),
        };
        if members.is_absent(&field.name) {
            return absent(errors).map(|value| (field.name.clone(), value));
        }
        // Null is the same as absence, except that a required member says so.
        let null = |errors: &mut ValidationErrors| match of.default.is_some() || of.optional {
            true => absent(errors),
            false => error(errors, &field.name, "must not be null", "null"),
        };
        self.patch(members, field, errors, null)
    }

    fn default(&self, of: &Type) -> Option<Value> {
        default(self.model, of)
    }

    /// A value of a type.
    fn value(&self, of: &Type, value: Value, errors: &mut ValidationErrors) -> Option<Value> {
        if of.list {
            return self.list(&of.kind, (0, None), value, errors);
        }
        self.single(&of.kind, value, errors)
    }

    fn single(&self, kind: &Kind, value: Value, errors: &mut ValidationErrors) -> Option<Value> {
        match kind {
            Kind::Named(name) => match &self.model.named_type(name).rule {
                TypeRule::List { of, min, max, unique } => {
                    let items = self.list(&of.kind, (*min, *max), value, errors)?;
                    if let Some(member) = unique {
                        differ(items.items(), member, errors);
                    }
                    Some(items)
                }
                rule => scalars::of_rule(rule, value, errors),
            },
            Kind::Enum(name) => scalars::choice(&self.model.enumeration(name).values, value, errors),
            Kind::Object(name) => {
                let fields = &self.model.object(name).members;
                let names = fields.iter().map(|field| field.name.as_str()).collect();
                let mut members = Members::of_object(value, names, errors)?;
                let decoded = fields
                    .iter()
                    .map(|field| self.take(&mut members, field, &field.of, errors));
                let decoded: Vec<_> = decoded.collect();
                Some(Value::Object(decoded.into_iter().collect::<Option<_>>()?))
            }
            Kind::Input(name) => {
                let body = &self.model.input(name).body;
                let decoded = self.body(body, value, errors)?;
                let is_whole = body.partial || decoded.len() == body.members.len();
                is_whole.then_some(Value::Object(decoded))
            }
            Kind::EventNames(caller) => {
                let names: Vec<&str> = self.model.events_to(caller).map(|kind| kind.name.as_str()).collect();
                scalars::event_names(&names, &value, errors)
            }
            kind if let Some(format) = self.model.format(kind) => scalars::formatted(format, &value, errors),
            kind => scalars::of_kind(kind, value, errors),
        }
    }

    fn list(
        &self,
        kind: &Kind,
        (min, max): (u64, Option<u64>),
        value: Value,
        errors: &mut ValidationErrors,
    ) -> Option<Value> {
        let Value::List(items) = value else {
            return scalars::mismatch(errors, "a list", &value);
        };
        let count = items.len() as u64;
        let is_short = count >= min && max.is_none_or(|max| count <= max);
        if !is_short {
            errors.add(
                &scalars::length((min, max), "item", count),
                &scalars::bounds("items", Some(min), max),
            );
        }
        let most = max.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
        let decoded = items.into_iter().take(most).enumerate();
        let decoded = decoded.map(|(index, item)| errors.within_item(index, |errors| self.single(kind, item, errors)));
        let decoded: Vec<_> = decoded.collect();
        let decoded: Vec<Value> = decoded.into_iter().collect::<Option<_>>()?;
        is_short.then_some(Value::List(decoded))
    }
}

/// Finds items whose member is that of an earlier item.
fn differ(items: &[Value], member: &str, errors: &mut ValidationErrors) {
    let mut seen = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        let key = item.member(member).unwrap_or(item).as_text().unwrap_or_default();
        if !seen.insert(text::form(key, Alike::NfkcCasefold)) {
            errors.within_item(index, |errors| {
                errors.add_of(member, "must not be in the list twice", "duplicate");
            });
        }
    }
}

fn error<T>(errors: &mut ValidationErrors, member: &str, what: &str, code: &str) -> Option<T> {
    errors.add_of(member, what, code);
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
