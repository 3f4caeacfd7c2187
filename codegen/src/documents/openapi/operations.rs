//! Operations: their paths, parameters, bodies and answers.

use super::names::Component;
use super::schema::{Of, Schema, Text};
use super::{Scope, Version};
use crate::documents::shared::{descriptions, examples, idempotency, lists, words};
use crate::json::{Json, JsonObject, list};
use crate::model::{Alike, BodyUse, Data, Field, Kind, Operation, Owner, Segment, Surface};
use std::collections::BTreeMap;

/// The names of answers that several operations share, by the text of the answer.
pub(super) type SharedParameters = BTreeMap<String, String>;

impl<'m> Scope<'m> {
    /// All paths, in the order of the contract.
    pub(super) fn paths(&self, shared: &SharedParameters) -> JsonObject {
        let mut paths: Vec<(String, JsonObject)> = Vec::new();
        for (surface, operation) in self.operations() {
            let (path, operation_json) = (path(surface, operation), self.operation(surface, operation, shared));
            let place = paths.iter().position(|(known, _)| *known == path).unwrap_or_else(|| {
                paths.push((path, self.other_methods(surface, operation)));
                paths.len() - 1
            });
            let item = std::mem::take(&mut paths[place].1);
            paths[place].1 = item.with(operation.method.to_lowercase(), operation_json);
        }
        paths.into_iter().map(|(path, item)| (path, item.into())).collect()
    }

    fn operation(&self, surface: &Surface, operation: &Operation, shared: &SharedParameters) -> JsonObject {
        let security = surface
            .credential
            .iter()
            .map(|name| JsonObject::new().with(name.as_str(), Json::List(Vec::new())));
        let object = JsonObject::new()
            .with("operationId", words::operation_id(surface, operation))
            .with("summary", words::summary(operation))
            .with("description", descriptions::operation(self.model, surface, operation))
            .with("tags", list(vec![self.tag(surface, operation)]))
            .with("security", list(security.collect()))
            .listing("parameters", self.parameters(surface, operation))
            .maybe("requestBody", self.request_body(surface, operation));
        let object = object.with("responses", self.responses(surface, operation, shared));
        object.and(self.operation_extensions(surface, operation))
    }

    fn responses(&self, surface: &Surface, operation: &Operation, shared: &SharedParameters) -> JsonObject {
        let successes = match &operation.content_of {
            Some(resource) => self.file_answers(operation, resource),
            None => vec![(operation.status.to_string(), self.success(surface, operation))],
        };
        let errors = self.error_responses(surface, operation).into_iter().map(|answer| {
            let json = match shared.get(&answer.json.compact()) {
                Some(name) => JsonObject::new()
                    .with("$ref", format!("#/components/responses/{name}"))
                    .into(),
                None => answer.json,
            };
            (answer.status.to_string(), json)
        });
        successes.into_iter().chain(errors).collect()
    }

    fn parameters(&self, surface: &Surface, operation: &Operation) -> Vec<JsonObject> {
        let of_path = path_parameters(surface, operation).into_iter();
        let of_path = of_path.map(|(name, field)| self.parameter_object((surface, operation), name, "path", field));
        let of_query = operation
            .query
            .iter()
            .map(|field| self.parameter_object((surface, operation), &field.name, "query", field));
        let others = self
            .key_parameter(operation)
            .into_iter()
            .chain(self.file_parameters(operation));
        of_path.chain(of_query).chain(others).collect()
    }

    /// The header of the idempotency key. It has no example: a key that many examples share would be reused.
    fn key_parameter(&self, operation: &Operation) -> Option<JsonObject> {
        let keys = self.model.idempotency.as_ref()?;
        let purpose = idempotency::of_operation(operation)?;
        let schema = Schema::from(Of::Text(Text {
            pattern: Some(idempotency::PATTERN.to_owned()),
            ..Text::default()
        }));
        let object = JsonObject::new().with("name", &keys.header.text).with("in", "header");
        Some(object.with("description", purpose).with("schema", self.write(&schema)))
    }

    fn parameter_object(
        &self,
        (surface, operation): (&Surface, &Operation),
        name: &str,
        place: &str,
        field: &Field,
    ) -> JsonObject {
        let owner = Owner::Operation(&surface.name, &operation.name);
        let is_required = place == "path" || (!field.of.optional && field.of.default.is_none());
        let example = examples::parameter(self.model, operation, field, name);
        let is_listed = matches!(field.of.kind, Kind::EventNames(_));
        let (alike, synonyms) = lists::texts(self.model, operation, name);
        let synonyms = synonyms.iter().map(|group| list(group.clone()));
        JsonObject::new()
            .with("name", name)
            .with("in", place)
            .maybe("required", is_required.then_some(true))
            .maybe("description", descriptions::parameter(self.model, operation, field))
            .maybe("style", is_listed.then_some("form"))
            .maybe("explode", is_listed.then_some(false))
            .with("schema", self.write(&self.parameter(&field.of)))
            .with("example", example)
            .maybe("x-text", self.text_of(&owner.names_of(&field.name)))
            .maybe("x-compared", (alike != Alike::Exact).then_some(alike.as_str()))
            .listing("x-synonyms", synonyms.collect())
    }

    fn request_body(&self, surface: &Surface, operation: &Operation) -> Option<JsonObject> {
        if let Some(file) = &operation.file {
            let content = file_content(self.version, file.types.iter().map(String::as_str));
            return Some(JsonObject::new().with("required", true).with("content", content));
        }
        let body = self.model.body(operation)?;
        let schema = match &operation.body {
            Some(BodyUse::Named(name)) => {
                Schema::reference(self.names.name(&Component::Input(name.clone())).to_owned())
            }
            _ => self.body(self.model.body_owner(surface, operation), body),
        };
        let content = JsonObject::new().with("schema", self.write(&schema));
        let content = content.maybe("example", examples::request(self.model, operation));
        let object = JsonObject::new().with("required", !body.may_be_absent());
        Some(object.with("content", JsonObject::new().with("application/json", content)))
    }

    /// The tag of an operation: its surface if the document has several, else the noun of its subject.
    pub(super) fn tag(&self, surface: &'m Surface, operation: &Operation) -> &'m str {
        if self.surfaces.len() > 1 {
            return &surface.name;
        }
        let about = self.about(operation);
        about.map_or(&surface.name, |resource| &self.model.resource(&resource).noun)
    }

    /// The main resource of an operation. In order of preference: the one that it returns, whose state it changes, that
    /// its body creates or changes, or that a guard finds.
    pub(super) fn about(&self, operation: &Operation) -> Option<String> {
        let of_data = match &operation.data {
            Some(Data::One { resource, .. } | Data::Many { resource, .. }) => Some(resource.clone()),
            Some(Data::Counts(counts)) => Some(counts.resource.clone()),
            Some(Data::Members(fields)) => fields.iter().find_map(|field| match &field.of.kind {
                Kind::Id(resource) => Some(resource.clone()),
                _ => None,
            }),
            Some(Data::Events) | None => None,
        };
        let moved = operation.transitions.as_ref().map(|moved| moved.resource.clone());
        let changed = self.model.body(operation).and_then(|body| body.resource.clone());
        let named = operation.exists().last().map(|exists| exists.resource.clone());
        of_data
            .or(moved)
            .or(changed)
            .or_else(|| operation.owned().next().map(str::to_owned))
            .or(named)
    }
}

/// The content of a body or an answer that is a file of one of these types ("Considerations for File Uploads": without a schema
/// in OpenAPI 3.1, with the format `binary` in 3.0).
pub(super) fn file_content<'t>(version: Version, types: impl Iterator<Item = &'t str>) -> JsonObject {
    let content = match version {
        Version::V3_1 => JsonObject::new(),
        Version::V3_0 => {
            let schema = JsonObject::new().with("type", "string").with("format", "binary");
            JsonObject::new().with("schema", schema)
        }
    };
    types.map(|one| (one.to_owned(), content.clone().into())).collect()
}

fn parameter(segment: &Segment) -> Option<&String> {
    match segment {
        Segment::Literal(_) => None,
        Segment::Parameter(name) => Some(name),
    }
}

/// The operations of the same path, whatever the names of its parameters.
pub(super) fn alike<'s>(surface: &'s Surface, operation: &Operation) -> Vec<&'s Operation> {
    let is_alike = |(a, b): (&Segment, &Segment)| match (a, b) {
        (Segment::Literal(a), Segment::Literal(b)) => a == b,
        (Segment::Parameter(_), Segment::Parameter(_)) => true,
        _ => false,
    };
    let are_alike = |other: &&Operation| {
        let (here, there) = (&operation.segments, &other.segments);
        here.len() == there.len() && here.iter().zip(there).all(is_alike)
    };
    surface.operations.iter().filter(are_alike).collect()
}

/// The parameters of an operation's path with their names in a document.
pub(super) fn path_parameters<'s>(surface: &'s Surface, operation: &'s Operation) -> Vec<(&'s str, &'s Field)> {
    let names = parameter_names(surface, operation);
    let parameters = operation.path.iter().map(|field| {
        let mut parameters = operation.segments.iter().filter_map(parameter);
        let place = parameters.position(|name| *name == field.name);
        (place.map_or(field.name.as_str(), |place| names[place]), field)
    });
    parameters.collect()
}

/// The names of the path's parameters. OpenAPI allows one name for each, so the first operation's are used.
fn parameter_names<'s>(surface: &'s Surface, operation: &Operation) -> Vec<&'s str> {
    let first = alike(surface, operation).into_iter().next();
    let segments = first.into_iter().flat_map(|first| &first.segments);
    segments.filter_map(parameter).map(String::as_str).collect()
}

/// The whole path, parameters written `{name}`.
fn path(surface: &Surface, operation: &Operation) -> String {
    let mut names = parameter_names(surface, operation).into_iter();
    let segments = operation.segments.iter().map(|segment| match segment {
        Segment::Literal(text) => format!("/{text}"),
        Segment::Parameter(name) => format!("/{{{}}}", names.next().unwrap_or(name)),
    });
    let path = format!("{}{}", surface.base, segments.collect::<String>());
    if path.is_empty() { "/".to_owned() } else { path }
}
