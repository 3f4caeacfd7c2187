//! The answers: the envelope around each success, and the error responses of each operation by their status.

use super::Scope;
use super::error_examples::ErrorExample;
use super::names::{Component, Direction};
use super::schema::{Extent, Of, Schema, SchemaMember, Text};
use crate::documents::shared::{examples, patterns, words};
use crate::json::{Json, JsonObject};
use crate::model::{Data, Field, Kind, Operation, Owner, SuccessBody, Surface, ValueCounts};
use crate::names::{pascal, with_article};
use std::collections::BTreeMap;

/// An answer of an operation, with its name if several operations share it.
pub(super) struct DocumentedAnswer {
    pub(super) status: u16,
    pub(super) name: String,
    pub(super) json: Json,
}

impl Scope<'_> {
    /// The error responses of an operation by their status.
    pub(super) fn error_responses(&self, surface: &Surface, operation: &Operation) -> Vec<DocumentedAnswer> {
        let examples = self.error_examples(surface, operation);
        let mut by_status: BTreeMap<u16, Vec<&ErrorExample<'_>>> = BTreeMap::new();
        for example in &examples {
            by_status.entry(example.error.status).or_default().push(example);
        }
        let answers = by_status.into_iter().map(|(status, examples)| {
            let names = examples.iter().map(|one| pascal(&one.error.name) + &pascal(&one.about));
            let name = names.collect::<Vec<_>>().join("Or");
            DocumentedAnswer {
                status,
                name,
                json: self.rejected(operation, &examples),
            }
        });
        answers.collect()
    }

    fn rejected(&self, operation: &Operation, examples: &[&ErrorExample<'_>]) -> Json {
        let mut lines: Vec<String> = Vec::new();
        for example in examples {
            let line = format!("`{}`: {}", example.error.name, words::meaning_and_help(example.error));
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        let bodies = examples.iter().map(|example| {
            let body = JsonObject::new().with("summary", words::meaning(example.error));
            (
                example.name.clone(),
                body.with("value", self.error_body(example)).into(),
            )
        });
        let schema = Schema::reference(self.names.name(&Component::Error).to_owned());
        let content = JsonObject::new().with("schema", self.write(&schema));
        let content = content.with("examples", bodies.collect::<JsonObject>());
        let description = match lines.as_slice() {
            [line] => line.clone(),
            lines => lines.iter().map(|line| format!("- {line}\n")).collect(),
        };
        let headers = self.headers_of(operation, examples);
        let media_type = self.model.error_media_type.as_deref();
        answer(description.trim_end().to_owned(), headers, Some(content), media_type).into()
    }

    /// The success of an operation.
    pub(super) fn success(&self, surface: &Surface, operation: &Operation) -> Json {
        let content = self.success_body(surface, operation).map(|(schema, example)| {
            JsonObject::new()
                .with("schema", self.write(&schema))
                .with("example", example)
        });
        let description = operation
            .message
            .clone()
            .unwrap_or_else(|| self.success_description(operation));
        let links = Some(self.links(surface, operation)).filter(|links| !links.is_empty());
        let answer = answer(description, self.headers_of_success(operation), content, None);
        answer.maybe("links", links).into()
    }

    /// The body of a success, and an example of it.
    fn success_body(&self, surface: &Surface, operation: &Operation) -> Option<(Schema, Json)> {
        match (operation.success_body(), &operation.data) {
            (SuccessBody::Envelope, _) => Some(self.enveloped(surface, operation)),
            (SuccessBody::Data, Some(data)) => Some(self.data(surface, operation, data)),
            _ => None,
        }
    }

    fn enveloped(&self, surface: &Surface, operation: &Operation) -> (Schema, Json) {
        let mut members = Vec::new();
        let mut example = JsonObject::new();
        for (name, value) in &self.model.success {
            for (member, value) in self.success_members((surface, operation), name, value) {
                example = example.with(member.name.as_str(), value);
                members.push(member);
            }
        }
        let schema = Schema::from(Of::Object {
            members,
            extent: Extent::Open,
        });
        (schema, example.into())
    }

    /// The description of a success without a message.
    fn success_description(&self, operation: &Operation) -> String {
        let noun = |resource: &str| with_article(&self.model.resource(resource).noun);
        match &operation.data {
            Some(Data::One { resource, .. }) => words::capitalised(&noun(resource)),
            Some(Data::Many { resource, .. }) => format!("A list; each item is {}", noun(resource)),
            Some(Data::Events) => "Events, the oldest first".to_owned(),
            Some(Data::Counts(counts)) => format!(
                "A list; each item is a `{}` and the number of records with it, the most frequent first",
                counts.value.name
            ),
            Some(Data::Members(_)) | None => "Done".to_owned(),
        }
    }

    /// The `data` of a success, and an example of it.
    pub(super) fn data(&self, surface: &Surface, operation: &Operation, data: &Data) -> (Schema, Json) {
        let view = |resource: &String, view: &String| crate::model::Type {
            kind: Kind::View(resource.clone(), view.clone()),
            list: matches!(data, Data::Many { .. }),
            optional: false,
            default: None,
            example: None,
            has_states: false,
        };
        let schema = match data {
            Data::One { resource, view: name } | Data::Many { resource, view: name } => {
                self.value(&view(resource, name), Direction::Response)
            }
            Data::Members(fields) => self.data_members(surface, operation, fields),
            Data::Counts(counts) => self.counts(counts),
            Data::Events => self.events(),
        };
        let example = examples::data(&self.part, operation);
        (schema, example.unwrap_or_else(Json::null))
    }

    fn data_members(&self, surface: &Surface, operation: &Operation, fields: &[Field]) -> Schema {
        let owner = Owner::Operation(&surface.name, &operation.name);
        let members = fields.iter().map(|field| match field.of.kind {
            Kind::Secret => SchemaMember {
                name: field.name.clone(),
                of: self.secret(Some(operation)).with_description(field.doc.as_deref()),
                required: true,
            },
            _ => self.response_member(&field.name, &field.of, field.doc.as_deref()),
        });
        let members = members.map(|member| self.with_text(owner, member));
        Of::Object {
            members: members.collect(),
            extent: Extent::Open,
        }
        .into()
    }

    fn counts(&self, counts: &ValueCounts) -> Schema {
        let value = &counts.value;
        let number = Schema::from(Of::Integer {
            min: Some(1),
            max: None,
        });
        let members = vec![
            self.response_member(&value.name, &value.of, value.doc.as_deref()),
            SchemaMember {
                name: ValueCounts::COUNT.to_owned(),
                of: number.described("How many records have it."),
                required: true,
            },
        ];
        let row = Of::Object {
            members,
            extent: Extent::Open,
        };
        Of::List {
            of: Box::new(row.into()),
            min: 0,
            max: Some(counts.max.into()),
            unique: false,
        }
        .into()
    }

    /// A credential that is shown once.
    pub(super) fn secret(&self, operation: Option<&Operation>) -> Schema {
        let kinds = self.secrets(operation);
        let pattern = (!kinds.is_empty()).then(|| patterns::secret(&kinds));
        let schema = Schema::from(Of::Text(Text {
            pattern,
            ..Text::default()
        }));
        let schema = schema.described("A credential. It is shown only once.");
        schema.extended("x-secret", true)
    }
}

fn answer(
    description: String,
    headers: JsonObject,
    content: Option<JsonObject>,
    media_type: Option<&str>,
) -> JsonObject {
    let answer = JsonObject::new().with("description", description);
    let headers = Some(headers).filter(|headers| !headers.is_empty());
    let answer = answer.maybe("headers", headers);
    let content = content.map(|content| JsonObject::new().with(media_type.unwrap_or("application/json"), content));
    answer.maybe("content", content)
}
