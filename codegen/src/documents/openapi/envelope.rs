//! The envelope: the members of a success and of an error, with examples.

use super::Scope;
use super::error_examples::ErrorExample;
use super::headers::REQUEST_ID;
use super::names::Direction;
use super::schema::{Extent, Of, Schema, SchemaMember, Text};
use super::validation_errors::FaultExample;
use crate::documents::shared::{examples, lists, words};
use crate::fault_codes;
use crate::json::{Json, JsonObject};
use crate::model::{EnvelopeValue, Operation, Surface, Word};

impl Scope<'_> {
    /// The members of a success for a member of the envelope, each with an example.
    pub(super) fn success_members(
        &self,
        (surface, operation): (&Surface, &Operation),
        name: &str,
        value: &EnvelopeValue,
    ) -> Vec<(SchemaMember, Json)> {
        let (what, optional) = match value {
            EnvelopeValue::Literal(json) => {
                let json = literal(json);
                return vec![member(name, Of::Constant(json.clone()), json)];
            }
            EnvelopeValue::Placeholder { name, optional } => (name.as_str(), *optional),
            // Only errors have such members.
            EnvelopeValue::Object(_) => return Vec::new(),
        };
        match (what, &operation.data, &operation.message) {
            ("data", Some(data), _) => {
                let (schema, example) = self.data(surface, operation, data);
                vec![member(name, schema, example)]
            }
            ("message", _, Some(message)) => {
                let schema = Schema::from(Of::Text(Text::default())).described(words::member("message"));
                vec![member(name, schema, message.into())]
            }
            ("data" | "message", ..) if optional => Vec::new(),
            ("data", None, _) => vec![member(name, Of::Null, Json::null())],
            ("message", _, None) => vec![member(name, Of::Constant("".into()), "".into())],
            _ => operation
                .siblings
                .iter()
                .map(|sibling| self.sibling(operation, sibling))
                .collect(),
        }
    }

    fn sibling(&self, operation: &Operation, name: &str) -> (SchemaMember, Json) {
        let example = examples::sibling(self.model, operation, name);
        match operation.query.iter().find(|field| field.name == name) {
            Some(field) => {
                let of = self
                    .value(&field.of, Direction::Response)
                    .with_description(field.doc.as_deref());
                member(name, of, example)
            }
            None if operation.feed.is_some() => member(name, self.feed_sibling(name), example),
            None => {
                let number = Schema::from(Of::Integer {
                    min: Some(0),
                    max: None,
                });
                let description = lists::of_pages(operation, name);
                let number = Schema { description, ..number };
                member(name, number, example)
            }
        }
    }

    /// The body of every error.
    pub(super) fn error(&self) -> Schema {
        self.members_of_error(&self.model.error)
            .described("Why a request was rejected.")
    }

    fn members_of_error(&self, members: &[(Word, EnvelopeValue)]) -> Schema {
        let members = members.iter().map(|(name, value)| {
            let (of, required) = match value {
                EnvelopeValue::Literal(json) => (Of::Constant(literal(json)).into(), true),
                EnvelopeValue::Object(members) => (self.members_of_error(members), true),
                EnvelopeValue::Placeholder { name, optional } => {
                    let of = Schema::from(self.placeholder_of_error(name)).described(words::member(name));
                    (of, !*optional)
                }
            };
            SchemaMember {
                name: name.to_string(),
                of,
                required,
            }
        });
        Schema::from(Of::Object {
            members: members.collect(),
            extent: Extent::Open,
        })
    }

    fn placeholder_of_error(&self, placeholder: &str) -> Of {
        let formatted = |format| {
            Of::Text(Text {
                format: Some(format),
                ..Text::default()
            })
        };
        match placeholder {
            "code" => Of::Words(self.all_errors().into_iter().map(|row| row.name.clone()).collect()),
            "status" => Of::Integer {
                min: Some(400),
                max: Some(599),
            },
            "time" => formatted("date-time"),
            "path" => formatted("uri-reference"),
            "faults" => Of::List {
                of: Box::new(self.fault_of_error()),
                min: 0,
                max: None,
                unique: false,
            },
            _ => Of::Text(Text::default()),
        }
    }

    fn fault_of_error(&self) -> Schema {
        let members = self.model.fault.iter().map(|(name, value)| {
            let of: Schema = match (value, value.placeholder().map(|word| word.as_str())) {
                (EnvelopeValue::Literal(json), _) => Of::Constant(literal(json)).into(),
                (_, placeholder) => {
                    let placeholder = placeholder.unwrap_or_default();
                    let of = match placeholder {
                        "code" => Of::Words(fault_codes::ALL.iter().map(|code| code.name.to_owned()).collect()),
                        _ => Of::Text(Text::default()),
                    };
                    Schema::from(of).described(words::member_of_fault(placeholder))
                }
            };
            SchemaMember {
                name: name.to_string(),
                of,
                required: true,
            }
        });
        Schema::from(Of::Object {
            members: members.collect(),
            extent: Extent::Open,
        })
    }

    pub(super) fn error_body(&self, example: &ErrorExample<'_>) -> Json {
        self.example_members(&self.model.error, example)
    }

    fn example_members(&self, members: &[(Word, EnvelopeValue)], example: &ErrorExample<'_>) -> Json {
        let members = members.iter().filter_map(|(name, value)| {
            let value = match value {
                EnvelopeValue::Literal(json) => literal(json),
                EnvelopeValue::Object(members) => self.example_members(members, example),
                EnvelopeValue::Placeholder { name, optional } => match name.as_str() {
                    "code" => (&example.error.name).into(),
                    "status" => example.error.status.into(),
                    "title" => (&example.error.title).into(),
                    "request_id" => REQUEST_ID.into(),
                    "path" => (&example.path).into(),
                    "time" => (examples::TIMESTAMP.to_owned() + "Z").into(),
                    "faults" => match (&example.fault, optional) {
                        (None, true) => return None,
                        (fault, _) => Json::List(fault.iter().map(|fault| self.example_of_fault(fault)).collect()),
                    },
                    _ => (&example.text).into(),
                },
            };
            Some((name.to_string(), value))
        });
        members.collect::<JsonObject>().into()
    }

    fn example_of_fault(&self, fault: &FaultExample) -> Json {
        let mut coded = fault.code.split(';');
        let [place, code] = [coded.next(), coded.next()].map(Option::unwrap_or_default);
        let members = self.model.fault.iter().map(|(name, value)| {
            let value = match (value, value.placeholder().map(|word| word.as_str())) {
                (EnvelopeValue::Literal(json), _) => literal(json),
                (_, Some("code")) => code.into(),
                (_, Some("place")) => place.into(),
                _ => (&fault.text).into(),
            };
            (name.to_string(), value)
        });
        members.collect::<JsonObject>().into()
    }
}

fn member(name: &str, of: impl Into<Schema>, example: Json) -> (SchemaMember, Json) {
    let member = SchemaMember {
        name: name.to_owned(),
        of: of.into(),
        required: true,
    };
    (member, example)
}

/// The value of a scalar's JSON text.
fn literal(json: &str) -> Json {
    let Some(text) = json.strip_prefix('"').and_then(|json| json.strip_suffix('"')) else {
        return Json::Plain(json.to_owned());
    };
    let mut out = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (_, true) => match letters.next() {
                Some('u') => {
                    let digits: String = letters.by_ref().take(4).collect();
                    out.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
                }
                other => out.extend(other),
            },
            (letter, false) => out.push(letter),
        }
    }
    Json::Text(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_what_it_says() {
        assert_eq!(literal("true"), Json::Plain("true".to_owned()));
        assert_eq!(literal(r#""a \"b\"\u0009\\""#), Json::from("a \"b\"\t\\"));
    }
}
