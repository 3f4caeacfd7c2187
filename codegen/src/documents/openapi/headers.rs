//! The headers of answers: those of all answers, of limits, and of errors.

use super::Scope;
use super::error_examples::ErrorExample;
use super::names::Direction;
use super::schema::{Of, Schema, Text};
use crate::documents::shared::{examples, patterns, realms, words};
use crate::fault_codes;
use crate::json::{Json, JsonObject};
use crate::model::{HeaderPart, Limit, Operation, Piece, ResponseHeader, Surface, Template, Type};
use crate::step::Step;

/// An example of a request id.
pub(super) const REQUEST_ID: &str = "5f1c3a9be04d7721";

const CACHE_CONTROL: &str = "Cache-Control";

impl Scope<'_> {
    /// The components: headers that many answers have.
    pub(super) fn header_components(&self) -> JsonObject {
        let model = self.model;
        let of_all = model.headers.iter().map(|(name, template)| {
            let example = filled(template, |_| REQUEST_ID.to_owned());
            let text = match template.placeholders().is_empty() {
                true => "The same in every response.",
                false => words::member("request_id"),
            };
            let header = self.header(text, true, &of_request(template));
            (name.clone(), header.with("example", example).into())
        });
        let of_limits = model.limit_headers.iter().map(|(name, template)| {
            let text = format!(
                "The state of the limit that counted the request: {}. Absent if limits are switched off.",
                placeholder_meanings(template)
            );
            let header = self.header(&text, false, &self.of_limits(template));
            let examples = self.limits().into_iter().map(|limit| {
                let value = example_of(template, limit);
                (limit.name.clone(), JsonObject::new().with("value", value).into())
            });
            (
                name.clone(),
                header.with("examples", examples.collect::<JsonObject>()).into(),
            )
        });
        let credentials = self.surfaces.iter().filter_map(|surface| model.credential_of(surface));
        let of_realms = credentials.flat_map(realms::headers).map(|(name, value, whose)| {
            let text = format!("Only in responses to {whose}.");
            let header = self.header(&text, false, &Of::Constant(value.into()).into());
            (name.to_owned(), header.into())
        });
        let text = "Caches must not store a response to a request with a credential, or with a secret.";
        let of_caches = self.header(text, true, &Of::Constant("no-store".into()).into());
        let of_caches = (CACHE_CONTROL.to_owned(), of_caches.into());
        of_all.chain(of_limits).chain(of_realms).chain([of_caches]).collect()
    }

    /// The surface of an operation.
    fn surface_of(&self, operation: &Operation) -> Option<&Surface> {
        let is_its = |one: &Operation| std::ptr::eq(one, operation);
        let mut surfaces = self.surfaces.iter();
        surfaces.find(|surface| surface.operations.iter().any(is_its)).copied()
    }

    /// Whether answers must not be stored: a success, or error responses all of which come after the credential.
    fn forbids_caches(&self, operation: &Operation, examples: &[&ErrorExample<'_>]) -> bool {
        let Some(surface) = self.surface_of(operation) else {
            return false;
        };
        let is_late = |example: &&ErrorExample<'_>| self.model.forbids_caches_of(example.error, surface, operation);
        self.model.forbids_caches(surface, operation) && examples.iter().all(is_late)
    }

    /// The names of the headers of answers to some callers of an operation.
    fn of_realms(&self, operation: &Operation) -> Vec<String> {
        let surface = self.surface_of(operation);
        let credential = surface.and_then(|surface| self.model.credential_of(surface));
        let headers = credential.into_iter().flat_map(realms::headers);
        headers.map(|(name, ..)| name.to_owned()).collect()
    }

    /// The headers of a success.
    pub(super) fn headers_of_success(&self, operation: &Operation) -> JsonObject {
        let mut headers = self.headers_of(operation, &[]);
        if let Some(keys) = self.model.idempotency.as_ref().filter(|_| operation.replays()) {
            let text = "The response is that of an earlier request with the same idempotency key.";
            let header = self.header(text, false, &Of::Constant("true".into()).into());
            headers = headers.with(keys.replayed.as_str(), header);
        }
        for declared in &operation.headers {
            headers = headers.with(declared.name.as_str(), self.declared_header(operation, declared));
        }
        for nearest in &operation.nearest {
            let text = format!(
                "Names near to `{}`, percent-encoded and separated by commas: if nothing is found and it is not known.",
                nearest.parameter
            );
            let header = self.header(&text, false, &Of::Text(Text::default()).into());
            headers = headers.with(nearest.header.as_str(), header);
        }
        headers
    }

    /// A header that the operation declares. It is always there if none of its values can be null.
    fn declared_header(&self, operation: &Operation, declared: &ResponseHeader) -> JsonObject {
        let (text, of): (String, Schema) = match (&declared.leads_to, declared.parts.first()) {
            (Some(operation), _) => {
                let text = Text {
                    format: Some("uri-reference"),
                    ..Text::default()
                };
                (
                    format!("The path of `{operation}` for what the success is about."),
                    Of::Text(text).into(),
                )
            }
            (None, Some(HeaderPart::Member(name, of))) => {
                let of = Type {
                    optional: false,
                    ..of.clone()
                };
                (
                    format!("The member `{name}` of the data."),
                    self.value(&of, Direction::Response),
                )
            }
            (None, _) => {
                let number = Of::Integer {
                    min: Some(0),
                    max: None,
                };
                ("The number of records on all pages.".to_owned(), number.into())
            }
        };
        let header = self.header(&text, !declared.can_be_absent(), &of);
        header.with("example", examples::header(&self.part, operation, declared))
    }

    /// The headers of an answer: of a success, or of these error responses.
    pub(super) fn headers_of(&self, operation: &Operation, examples: &[&ErrorExample<'_>]) -> JsonObject {
        let reference = |name: &str| {
            let target = format!("#/components/headers/{name}");
            (name.to_owned(), JsonObject::new().with("$ref", target).into())
        };
        let is_counted =
            operation.limit.is_some() && (examples.is_empty() || examples.iter().any(|one| self.is_counted(one)));
        let of_limits = self.model.limit_headers.iter().filter(|_| is_counted);
        let of_all = self
            .model
            .headers
            .iter()
            .chain(of_limits)
            .map(|(name, _)| reference(name));
        let of_realms = self.of_realms(operation);
        let of_realms = of_realms.iter().map(|name| reference(name));
        let of_caches = self
            .forbids_caches(operation, examples)
            .then(|| reference(CACHE_CONTROL));
        let mut headers: JsonObject = of_all.chain(of_realms).chain(of_caches).collect();
        let mut names: Vec<&String> = examples
            .iter()
            .flat_map(|one| &one.headers)
            .map(|(name, ..)| name)
            .collect();
        names.sort();
        names.dedup();
        for name in names {
            headers = headers.with(name.as_str(), self.of_rows(name, examples));
        }
        headers
    }

    /// Whether an error response reports its limit: it does if it comes after the request was counted.
    fn is_counted(&self, example: &ErrorExample<'_>) -> bool {
        let place = |name: &str| self.model.errors.iter().position(|row| row.name == name);
        let limit = self.model.error_at(Step::Limit).and_then(|row| place(&row.name));
        limit.is_some() && place(&example.error.name) >= limit
    }

    fn of_rows(&self, name: &str, examples: &[&ErrorExample<'_>]) -> JsonObject {
        let of_name = examples
            .iter()
            .flat_map(|one| &one.headers)
            .filter(|(known, ..)| known == name);
        let (templates, mut values): (Vec<&Template>, Vec<&String>) =
            of_name.map(|(_, template, value)| (template, value)).unzip();
        let is_of_all = self.model.error_headers.iter().any(|(known, _)| known == name);
        let whole = values.iter().all(|value| value.parse::<u32>().is_ok());
        let schema = match (whole, templates.as_slice()) {
            (true, _) => Of::Integer {
                min: Some(0),
                max: None,
            }
            .into(),
            (false, _) if is_of_all => {
                values.dedup();
                Of::Words(values.iter().map(|value| (*value).clone()).collect()).into()
            }
            (false, [template]) => of_row(template),
            (false, _) => Of::Text(Text::default()).into(),
        };
        let text = match is_of_all {
            true => words::member("code").to_owned(),
            false => headers_of_error(&templates),
        };
        let header = self.header(&text, templates.len() == examples.len(), &schema);
        let first = values.first().map(|value| value.as_str()).unwrap_or_default();
        header.with(
            "example",
            if whole {
                Json::Plain(first.to_owned())
            } else {
                first.into()
            },
        )
    }

    fn header(&self, description: &str, required: bool, schema: &Schema) -> JsonObject {
        let header = JsonObject::new().with("description", description);
        let header = header.maybe("required", required.then_some(true));
        header.with("schema", self.write(schema))
    }

    fn of_limits(&self, template: &Template) -> Schema {
        if let [Piece::Placeholder(name)] = template.0.as_slice()
            && name != "limit"
        {
            return Of::Integer {
                min: Some(0),
                max: None,
            }
            .into();
        }
        let by = self.counted_by();
        let names = self.limits().into_iter().flat_map(|limit| {
            let owners = by.counts_owners(limit).then(|| limit.owner_name());
            std::iter::once(limit.name.clone()).chain(owners)
        });
        let names: Vec<String> = names.map(|name| patterns::escaped(&name)).collect();
        let names = names.join("|");
        let pattern = patterns::template(template, |name| match name {
            "limit" => format!("({names})"),
            _ => "[0-9]+".to_owned(),
        });
        Of::Text(Text {
            pattern: Some(pattern),
            ..Text::default()
        })
        .into()
    }
}

fn of_request(template: &Template) -> Schema {
    let pattern = match template.0.as_slice() {
        [Piece::Placeholder(_)] => None,
        _ => Some(patterns::template(template, |_| ".+".to_owned())),
    };
    Of::Text(Text {
        pattern,
        ..Text::default()
    })
    .into()
}

fn of_row(template: &Template) -> Schema {
    let pattern = patterns::template(template, |name| match name {
        "seconds" | "max_bytes" | "max_seconds" | "max" => "[0-9]+".to_owned(),
        // A number or a UUID.
        "id" => "[0-9a-f-]+".to_owned(),
        _ => ".+".to_owned(),
    });
    Of::Text(Text {
        pattern: Some(pattern),
        ..Text::default()
    })
    .into()
}

/// The example value of a header.
fn example_of(template: &Template, limit: &Limit) -> Json {
    let value = filled(template, |name| match name {
        "limit" => limit.name.clone(),
        "max" => limit.max.to_string(),
        "remaining" => limit.max.saturating_sub(1).to_string(),
        "window_seconds" => limit.window_seconds.to_string(),
        "reset_unix" => "1795260600".to_owned(),
        _ => (limit.window_seconds * 2 / 3).max(1).to_string(),
    });
    let is_number = matches!(template.0.as_slice(), [Piece::Placeholder(name)] if name != "limit");
    if is_number { Json::Plain(value) } else { value.into() }
}

fn filled(template: &Template, value: impl Fn(&str) -> String) -> String {
    template.filled(|name| Some(value(name))).to_string()
}

fn placeholder_meanings(template: &Template) -> String {
    let placeholders = template.placeholders().into_iter();
    let placeholder_meanings = placeholders.map(words::of_limit);
    placeholder_meanings.collect::<Vec<_>>().join(", ")
}

fn headers_of_error(templates: &[&Template]) -> String {
    let mut names = templates.iter().flat_map(|template| template.placeholders());
    match names.next() {
        Some("seconds") => "Seconds to wait before the next attempt.".to_owned(),
        Some("fault_codes") => format!(
            "The validation errors for programs, such as `{}`. `x-fault-codes` explains them.",
            fault_codes::EXAMPLE
        ),
        Some("allow") => "The methods that the path supports.".to_owned(),
        Some(name) => format!("{} of the error response.", words::spaced(name)),
        None => "The same in every response with this error.".to_owned(),
    }
}
