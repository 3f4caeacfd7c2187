//! Every response: the envelope of its body, and its headers.

use crate::exchange::{Exchange, Response};
use crate::headers;
use crate::mock::Mock;
use crate::outcome::Answered;
use crate::validation_errors::Faults;
use crate::value::Value;
use bytes::Bytes;
use codegen::Model;
use codegen::model::{EnvelopeValue, ErrorEntry, Operation, Piece, SuccessBody, Template};
use codegen::step::Step;
use http::{HeaderName, HeaderValue, StatusCode, header};

/// An error with the values of its placeholders.
#[derive(Debug)]
pub(crate) struct Rejection {
    pub(crate) entry: &'static ErrorEntry,
    pub(crate) values: Vec<(String, String)>,
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
    }
}

/// The error of an invalid request.
pub(crate) fn invalid(model: &'static Model, faults: &Faults) -> Rejection {
    let values = [("faults", faults.text.as_str()), ("fault_codes", &faults.codes)];
    reject(model, Step::Decode, &values)
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
    pub(crate) fn rejected(&self, rejection: Rejection, request_id: &str, headers: &[(String, String)]) -> Response {
        let Rejection { entry, values } = rejection;
        let text = filled(&entry.text, &values);
        let members = self.model.error.iter().map(|(name, value)| {
            let value = match value {
                EnvelopeValue::Literal(json) => literal(json),
                EnvelopeValue::Placeholder { name, .. } => match name.as_str() {
                    "code" => Value::text(&entry.name),
                    "status" => Value::integer(entry.status.into()),
                    "request_id" => Value::text(request_id),
                    _ => Value::text(&text),
                },
            };
            (name.to_string(), value)
        });
        let body = Value::Object(members.collect());
        let mut headers = headers.to_vec();
        let code = [("code".to_owned(), entry.name.clone())];
        let of_all = self.model.error_headers.iter();
        headers.extend(of_all.map(|(name, template)| (name.clone(), filled(template, &code))));
        let own = entry.headers.iter();
        headers.extend(own.map(|(name, template)| (name.clone(), filled(template, &values))));
        let mut response = self.response(entry.status, &body, request_id, &headers);
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
        if !response.body().is_empty() {
            let json = HeaderValue::from_static("application/json");
            response.headers_mut().insert(header::CONTENT_TYPE, json);
        }
        response
    }
}

fn literal(json: &str) -> Value {
    crate::value::parse(json.as_bytes()).unwrap_or(Value::Null)
}
