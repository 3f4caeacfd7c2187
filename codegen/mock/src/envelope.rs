//! Every response: the envelope of its body, and its headers.

use crate::calendar::timestamp;
use crate::exchange::{Asked, Exchange, Response};
use crate::headers;
use crate::mock::Mock;
use crate::outcome::Answered;
use crate::validation_errors::{Fault, Faults};
use crate::value::Value;
use bytes::Bytes;
use codegen::Model;
use codegen::model::{EnvelopeValue, ErrorEntry, Operation, Piece, SuccessBody, Template, Word};
use codegen::step::Step;
use http::{HeaderName, HeaderValue, StatusCode, header};

/// An error with the values of its placeholders.
#[derive(Debug)]
pub(crate) struct Rejection {
    pub(crate) entry: &'static ErrorEntry,
    pub(crate) values: Vec<(String, String)>,
    /// The faults of an invalid request.
    pub(crate) faults: Vec<Fault>,
}

/// What an error response says, beside the response.
#[derive(Clone, Debug)]
pub(crate) struct Rejected {
    pub(crate) entry: &'static ErrorEntry,
    pub(crate) text: String,
}

/// The error of a step.
pub(crate) fn reject(model: &'static Model, step: Step, values: &[(&str, &str)]) -> Rejection {
    // A checked contract has an error for each step that can reject; the last one is always there.
    let entry = model.error_at(step).or_else(|| model.errors.last());
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Rejection {
        entry: entry.expect("checked: there are errors"),
        values: values.iter().map(owned).collect(),
        faults: Vec::new(),
    }
}

/// The error of an invalid request.
pub(crate) fn invalid(model: &'static Model, faults: Faults) -> Rejection {
    let values = [("faults", &*faults.text()), ("fault_codes", &faults.codes())];
    Rejection {
        faults: faults.named,
        ..reject(model, Step::Decode, &values)
    }
}

/// A template with its placeholders replaced.
pub(crate) fn filled(template: &Template, values: &[(String, String)]) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Placeholder(name) => {
            let value = values.iter().find(|(known, _)| known == name);
            value.map(|(_, value)| value.clone()).unwrap_or_default()
        }
    };
    template.0.iter().map(piece).collect()
}

/// The header of responses that caches must not keep.
pub(crate) fn no_store() -> (String, String) {
    ("cache-control".to_owned(), "no-store".to_owned())
}

impl Mock {
    /// The response of an error.
    pub(crate) fn rejected(&self, rejection: Rejection, asked: &Asked<'_>, headers: &[(String, String)]) -> Response {
        let Rejection { entry, values, faults } = rejection;
        let text = filled(&entry.text, &values);
        let said = Said {
            model: self.model,
            entry,
            text: &text,
            asked,
            faults: &faults,
        };
        let body = said.members(&self.model.error);
        let mut headers = headers.to_vec();
        let media_type = self.model.error_media_type.iter();
        headers.extend(media_type.map(|one| ("content-type".to_owned(), one.clone())));
        let code = [("code".to_owned(), entry.name.clone())];
        let of_all = self.model.error_headers.iter();
        headers.extend(of_all.map(|(name, template)| (name.clone(), filled(template, &code))));
        let own = entry.headers.iter();
        headers.extend(own.map(|(name, template)| (name.clone(), filled(template, &values))));
        let mut response = self.response(entry.status, &body, asked.request_id, &headers);
        response.extensions_mut().insert(Rejected { entry, text });
        response
    }

    /// The response of a success.
    pub(crate) fn succeeded(&self, exchange: &mut Exchange, answered: Answered) -> Response {
        let operation = exchange.operation;
        let body = match operation.success_body() {
            SuccessBody::Envelope => Some(Value::Object(self.enveloped(operation, &answered))),
            SuccessBody::Data => answered.data.clone(),
            // The content of a file is filled in later.
            SuccessBody::Nothing | SuccessBody::File => None,
        };
        let declared = headers::declared(exchange, &answered);
        exchange.headers.extend(answered.headers.into_iter().chain(declared));
        if self.model.forbids_caches(exchange.surface, operation) {
            exchange.headers.push(no_store());
        }
        let body = body.map(|body| Bytes::from(body.to_string()));
        self.respond(
            operation.status,
            body.unwrap_or_default(),
            &exchange.request_id,
            &exchange.headers,
        )
    }

    /// The members of a success in the envelope.
    fn enveloped(&self, operation: &Operation, answered: &Answered) -> Vec<(String, Value)> {
        let mut members = Vec::new();
        for (name, value) in &self.model.success {
            let (what, optional) = match value {
                EnvelopeValue::Literal(json) => {
                    members.push((name.to_string(), literal(json)));
                    continue;
                }
                EnvelopeValue::Placeholder { name, optional } => (name.as_str(), *optional),
                // Only errors have such members.
                EnvelopeValue::Object(_) => continue,
            };
            let value = match what {
                "data" => answered.data.clone().or_else(|| (!optional).then_some(Value::Null)),
                "message" => {
                    let message = operation.message.clone().or_else(|| (!optional).then(String::new));
                    message.map(Value::Text)
                }
                _ => {
                    members.extend(answered.siblings.iter().cloned());
                    None
                }
            };
            members.extend(value.map(|value| (name.to_string(), value)));
        }
        members
    }

    fn response(&self, status: u16, body: &Value, request_id: &str, headers: &[(String, String)]) -> Response {
        self.respond(status, Bytes::from(body.to_string()), request_id, headers)
    }

    /// A response with this body: JSON, or nothing.
    pub(crate) fn respond(&self, status: u16, body: Bytes, request_id: &str, headers: &[(String, String)]) -> Response {
        let mut response = Response::new(body);
        *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let id = [("request_id".to_owned(), request_id.to_owned())];
        let of_all = self.model.headers.iter();
        let of_all = of_all.map(|(name, template)| (name.clone(), filled(template, &id)));
        for (name, value) in headers.iter().cloned().chain(of_all) {
            let name = HeaderName::from_bytes(name.as_bytes());
            if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(&value)) {
                response.headers_mut().insert(name, value);
            }
        }
        if !response.body().is_empty() && !response.headers().contains_key(header::CONTENT_TYPE) {
            let json = HeaderValue::from_static("application/json");
            response.headers_mut().insert(header::CONTENT_TYPE, json);
        }
        response
    }
}

/// What the body of an error response can say.
struct Said<'r> {
    model: &'static Model,
    entry: &'static ErrorEntry,
    text: &'r str,
    asked: &'r Asked<'r>,
    faults: &'r [Fault],
}

impl Said<'_> {
    fn members(&self, declared: &[(Word, EnvelopeValue)]) -> Value {
        let member = |(name, value): &(Word, EnvelopeValue)| {
            let value = match value {
                EnvelopeValue::Literal(json) => Some(literal(json)),
                EnvelopeValue::Object(members) => Some(self.members(members)),
                EnvelopeValue::Placeholder { name, optional } => self.value(name, *optional),
            };
            Some((name.to_string(), value?))
        };
        Value::Object(declared.iter().filter_map(member).collect())
    }

    fn value(&self, placeholder: &str, optional: bool) -> Option<Value> {
        Some(match placeholder {
            "code" => Value::text(&self.entry.name),
            "status" => Value::integer(self.entry.status.into()),
            "title" => Value::text(&self.entry.title),
            "request_id" => Value::text(self.asked.request_id),
            "path" => Value::text(self.asked.path),
            "time" => Value::Text(timestamp(self.asked.now / 1000) + "Z"),
            "faults" if optional && self.faults.is_empty() => return None,
            "faults" => Value::List(self.faults.iter().map(|fault| self.fault(fault)).collect()),
            _ => Value::text(self.text),
        })
    }

    fn fault(&self, (sentence, coded): &Fault) -> Value {
        let mut parts = coded.split(';');
        let [place, code] = [parts.next(), parts.next()].map(Option::unwrap_or_default);
        let member = |(name, value): &(Word, EnvelopeValue)| {
            let value = match (value, value.placeholder().map(|word| word.as_str())) {
                (EnvelopeValue::Literal(json), _) => literal(json),
                (_, Some("place")) => Value::text(place),
                (_, Some("code")) => Value::text(code),
                _ => Value::text(sentence),
            };
            (name.to_string(), value)
        };
        Value::Object(self.model.fault.iter().map(member).collect())
    }
}

fn literal(json: &str) -> Value {
    crate::value::parse(json.as_bytes()).unwrap_or(Value::Null)
}
