//! The envelope: the members of a success and of an error, with examples.

use super::Scope;
use super::error_examples::ErrorExample;
use super::headers::REQUEST_ID;
use super::names::Direction;
use super::schema::{Extent, Of, Schema, SchemaMember, Text};
use crate::documents::shared::{examples, lists, words};
use crate::json::{Json, JsonObject};
use crate::model::{EnvelopeValue, Operation, Surface};

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
        let members = self.model.error.iter().map(|(name, value)| {
            let of: Schema = match value {
                EnvelopeValue::Literal(json) => Of::Constant(literal(json)).into(),
                EnvelopeValue::Placeholder { name, .. } => match name.as_str() {
                    "code" => {
                        let rows = self.all_errors().into_iter().map(|row| row.name.clone());
                        Schema::from(Of::Words(rows.collect())).described(words::member(name))
                    }
                    "status" => {
                        let status = Of::Integer {
                            min: Some(400),
                            max: Some(599),
                        };
                        Schema::from(status).described(words::member(name))
                    }
                    _ => Schema::from(Of::Text(Text::default())).described(words::member(name)),
                },
            };
            SchemaMember {
                name: name.to_string(),
                of,
                required: true,
            }
        });
        let schema = Schema::from(Of::Object {
            members: members.collect(),
            extent: Extent::Open,
        });
        schema.described("Why a request was rejected.")
    }

    pub(super) fn error_body(&self, example: &ErrorExample<'_>) -> Json {
        let members = self.model.error.iter().map(|(name, value)| {
            let value = match value {
                EnvelopeValue::Literal(json) => literal(json),
                EnvelopeValue::Placeholder { name, .. } => match name.as_str() {
                    "code" => (&example.error.name).into(),
                    "status" => example.error.status.into(),
                    "request_id" => REQUEST_ID.into(),
                    _ => (&example.text).into(),
                },
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
