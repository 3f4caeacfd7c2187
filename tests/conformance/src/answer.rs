//! Compares an answer with the contract: status, headers, envelope.

use crate::contract::{Operation, meaning};
use crate::failure::{generalized, is};
use crate::json;
use crate::level::Level;
use crate::shape;
use crate::suite::{TestedRule, skip_test};
use crate::template::{fill_template, match_template};
use crate::types::Type;
use crate::world::{Request, Response};
use codegen::fault_codes;
use codegen::model::{EnvelopeValue, ErrorEntry, SuccessBody};
use serde_json::{Map, Value};

/// An answer, with everything that the message of a failing test needs.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) operation: &'static Operation,
    pub(crate) tried: Option<TestedRule>,
    pub(crate) request: Request,
    pub(crate) response: Response,
    /// How strictly it is compared.
    pub(crate) level: Level,
    /// The reason why it may be no success, although the request is valid.
    pub(crate) excuse: Option<String>,
}

impl Operation {
    /// Whether the status, the code and the text of an answer are those of this error. Below the level of texts any text is.
    pub(crate) fn is_error(&self, error: &ErrorEntry, response: &Response, level: Level) -> bool {
        let body = json::parse(&response.body).unwrap_or_default();
        let text = self.contract.error_member("text").and_then(|name| body[name].as_str());
        let is_its = |text: &str| match_template(&error.text, &[], text).is_some();
        let code = self.contract.error_member("code");
        let is_code = code.is_none_or(|name| body[name] == error.name.as_str());
        let mut headers = self.contract.model.error_headers.iter();
        let is_named = headers.all(|(name, template)| {
            let named = template.filled(|_| Some(error.name.clone()));
            response.header(name) == Some(named.to_string().as_str())
        });
        response.status == error.status && is_code && is_named && (level < Level::Texts || text.is_some_and(is_its))
    }
}

impl Answer {
    /// The body.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        json::parse(&self.response.body).unwrap_or_else(|error| {
            let cause = "the body is no JSON".to_owned();
            self.fail_by(Level::Shape, cause, "a body of JSON", &error)
        })
    }

    /// The `data`: the member of the envelope, under the contract's name for it, or the body.
    #[track_caller]
    pub(crate) fn data(&self) -> Value {
        match self.operation.declared.success_body() {
            SuccessBody::Nothing => Value::Null,
            _ => self.operation.data_in(&self.json()).clone(),
        }
    }

    /// Whether it has the status of the declared success.
    pub(crate) fn is_success(&self) -> bool {
        self.response.status == self.operation.declared.status
    }

    /// Whether its status and text are those of this error.
    pub(crate) fn is_error(&self, error: &ErrorEntry) -> bool {
        self.operation.is_error(error, &self.response, self.level)
    }

    /// Checks that it is this error of the error table. Placeholders without a value may have any value; their values
    /// are returned.
    #[track_caller]
    pub(crate) fn expect_error(&self, error: &ErrorEntry, values: &[(&str, String)]) -> Vec<(String, String)> {
        let text = fill_template(&error.text, values);
        let at = self.operation.contract.at(error.at);
        let wanted = format!(
            "{}, the row {} of the error table ({at}): {text}",
            error.status, error.name
        );
        if self.response.status != error.status {
            self.fail_status(&format!("{} {}", error.status, error.name), &wanted);
        }
        self.expect_common_headers(&wanted);
        let (model, operation) = (self.operation.contract.model, self.operation);
        if model.forbids_caches_of(error, operation.surface, operation.declared) {
            self.expect_no_store(&wanted);
        }
        let mut open = Vec::new();
        // The transport may remove the body of an answer to HEAD.
        if self.request.method != "HEAD" || !self.response.body.is_empty() {
            open = self.expect_error_envelope(error, values, &wanted);
        }
        for (name, template) in &self.operation.contract.model.headers_of_error(error) {
            let known: Vec<_> = values
                .iter()
                .cloned()
                .chain(open.iter().map(|(n, v)| (n.as_str(), v.clone())))
                .collect();
            let value = self.response.header(name);
            let found = value.and_then(|value| match_template(template, &known, value));
            match found.filter(|found| {
                found
                    .iter()
                    .all(|(name, value)| name != "fault_codes" || are_codes(value))
            }) {
                Some(found) => open.extend(found),
                None => {
                    let not = format!(", not `{}`", fill_template(template, &known));
                    self.fail_part(&format!("header {name}"), value, &wanted, &not)
                }
            }
        }
        open
    }

    #[track_caller]
    fn expect_error_envelope(
        &self,
        error: &ErrorEntry,
        values: &[(&str, String)],
        wanted: &str,
    ) -> Vec<(String, String)> {
        let object = self.object(wanted);
        let mut open = Vec::new();
        let mut known = Vec::new();
        for (name, part) in &self.operation.contract.model.error {
            known.push(name.as_str());
            let value = object.get(name.as_str());
            let right = match (part, meaning(part)) {
                (EnvelopeValue::Literal(literal), _) => value == serde_json::from_str(literal).ok().as_ref(),
                (_, "code") => value == Some(&error.name.as_str().into()),
                (_, "status") => value == Some(&error.status.into()),
                (_, "request_id") => value.is_some_and(Value::is_string),
                _ => {
                    let text = value.and_then(Value::as_str);
                    let found = text.and_then(|text| match_template(&error.text, values, text));
                    if self.level < Level::Texts {
                        text.is_some()
                    } else {
                        open = found.clone().unwrap_or_default();
                        found.is_some()
                    }
                }
            };
            if !right {
                self.fail_part(&format!("member `{name}` of errors"), value, wanted, "");
            }
        }
        self.expect_no_other(&object, &known, wanted);
        open
    }

    /// Checks that it is the success that the contract declares; `siblings` has the known values.
    #[track_caller]
    pub(crate) fn expect_success(&self, siblings: &[(&str, Option<i64>)]) {
        let (operation, declared) = (self.operation, self.operation.declared);
        let wanted = format!("{}, as declared at {}", declared.status, operation.at);
        if self.response.status != declared.status {
            if let Some(excuse) = &self.excuse {
                skip_test(excuse.clone());
            }
            self.fail_status(&format!("{}", declared.status), &wanted);
        }
        self.expect_declared_headers(&wanted);
        match declared.success_body() {
            SuccessBody::File => return self.expect_file(&wanted),
            SuccessBody::Nothing => return self.expect_no_body(&wanted),
            SuccessBody::Envelope | SuccessBody::Data => {}
        }
        self.expect_common_headers(&wanted);
        self.expect_no_store(&wanted);
        if declared.success_body() == SuccessBody::Data {
            return self.expect_data(
                Some(&self.json()),
                operation.data,
                false,
                operation.data_name(),
                &wanted,
            );
        }
        let object = self.object(&wanted);
        let mut known = Vec::new();
        for (name, part) in &operation.contract.model.success {
            let value = object.get(name.as_str());
            let optional = matches!(part, EnvelopeValue::Placeholder { optional: true, .. });
            match (part, meaning(part)) {
                (EnvelopeValue::Literal(literal), _) => {
                    known.push(name.as_str());
                    if value != serde_json::from_str(literal).ok().as_ref() {
                        self.fail_part(&format!("member `{name}`"), value, &wanted, &format!(", not {literal}"));
                    }
                }
                (_, "siblings") => {
                    known.extend(siblings.iter().map(|(name, _)| *name));
                    self.expect_siblings(&object, siblings, &wanted);
                }
                (_, "data") => {
                    known.push(name.as_str());
                    self.expect_data(value, operation.data, optional, name, &wanted);
                }
                _ => {
                    known.push(name.as_str());
                    let declared = declared.message.as_deref().or((!optional).then_some(""));
                    if value.map(Value::as_str) != declared.map(Some) {
                        let declared = declared.map_or("left out".to_owned(), |text| Value::from(text).to_string());
                        self.fail_part(
                            &format!("member `{name}`"),
                            value,
                            &wanted,
                            &format!(", not {declared}"),
                        );
                    }
                }
            }
        }
        self.expect_no_other(&object, &known, &wanted);
    }

    /// Checks a response without a body. 204 has no `Content-Length` either (RFC 9110 §8.6).
    #[track_caller]
    fn expect_no_body(&self, wanted: &str) {
        self.expect_named_headers(wanted);
        self.expect_no_store(wanted);
        if !self.response.body.is_empty() {
            self.fail_by(Level::Shape, "it has a body".to_owned(), wanted, "it has a body");
        }
        let has = |name: &&str| {
            self.response
                .headers
                .iter()
                .any(|(known, _)| known.eq_ignore_ascii_case(name))
        };
        let of_bodies = ["content-type", "transfer-encoding"];
        let of_length = (self.response.status == 204).then_some("content-length");
        if let Some(name) = of_bodies.into_iter().chain(of_length).find(has) {
            let why = format!("it has no body, but the header {name}");
            self.fail_by(Level::Shape, why.clone(), wanted, &why);
        }
    }

    #[track_caller]
    fn expect_data(&self, value: Option<&Value>, of: Option<&Type>, optional: bool, name: &str, wanted: &str) {
        match (value, of) {
            (Some(value), Some(of)) => {
                let violations =
                    shape::violations(value, of, name, &self.operation.contract.model.credentials, self.level);
                if !violations.is_empty() {
                    self.fail_by(
                        Level::Shape,
                        generalized(&violations[0]),
                        wanted,
                        &violations.join("; "),
                    );
                }
            }
            (None, None) if optional => {}
            (Some(Value::Null), None) if !optional => {}
            (value, Some(_)) => self.fail_part(&format!("member `{name}`"), value, wanted, ""),
            (value, None) => self.fail(
                wanted,
                &format!("the member `{name}` {}: there is nothing to show", is(value)),
            ),
        }
    }

    #[track_caller]
    fn expect_siblings(&self, object: &Map<String, Value>, siblings: &[(&str, Option<i64>)], wanted: &str) {
        for (name, declared) in siblings {
            let value = object.get(*name);
            if self.operation.declared.feed.is_some() {
                let is_right = match *name {
                    "cursor" => value
                        .and_then(Value::as_str)
                        .is_some_and(|cursor| cursor.parse::<u64>().is_ok()),
                    _ => value.is_some_and(Value::is_boolean),
                };
                if !is_right {
                    self.fail_part(&format!("member `{name}`"), value, wanted, "");
                }
                continue;
            }
            let number = value.and_then(Value::as_i64);
            if number.is_none_or(|number| number < 0 || declared.is_some_and(|declared| declared != number)) {
                let declared = declared.map_or("a number of at least 0".to_owned(), |number| number.to_string());
                self.fail_part(&format!("member `{name}`"), value, wanted, &format!(", not {declared}"));
            }
        }
    }

    #[track_caller]
    fn expect_common_headers(&self, wanted: &str) {
        self.expect_named_headers(wanted);
        let declared = self.response.header("content-type");
        let is_json = declared.is_some_and(|declared| match self.level {
            Level::Texts => declared == "application/json",
            Level::Shape | Level::Values => is_media_type_json(declared),
        });
        if !is_json {
            self.fail_part("header Content-Type", declared, wanted, ", not `application/json`");
        }
    }

    /// Checks the headers that the contract gives every answer.
    #[track_caller]
    pub(crate) fn expect_named_headers(&self, wanted: &str) {
        for (name, template) in &self.operation.contract.model.headers {
            let value = self.response.header(name);
            if !value.is_some_and(|value| !value.is_empty() && match_template(template, &[], value).is_some()) {
                self.fail_part(&format!("header {name}"), value, wanted, &format!(", not `{template}`"));
            }
        }
    }

    /// Caches do not keep what callers get.
    #[track_caller]
    pub(crate) fn expect_no_store(&self, wanted: &str) {
        let Operation {
            contract,
            surface,
            declared,
            ..
        } = self.operation;
        if contract.model.forbids_caches(surface, declared) && self.response.header("cache-control") != Some("no-store")
        {
            self.fail(wanted, "the header Cache-Control is not `no-store`");
        }
    }

    #[track_caller]
    fn object(&self, wanted: &str) -> Map<String, Value> {
        match self.json() {
            Value::Object(object) => object,
            _ => self.fail(wanted, "the body is no object"),
        }
    }

    #[track_caller]
    fn expect_no_other(&self, object: &Map<String, Value>, known: &[&str], wanted: &str) {
        if let Some(name) = object.keys().find(|name| !known.contains(&name.as_str())) {
            let why = format!("the member `{name}` is not declared");
            self.fail_by(Level::Shape, why.clone(), wanted, &why);
        }
    }
}

/// Whether a media type is JSON, with any parameters.
fn is_media_type_json(declared: &str) -> bool {
    let media_type = declared.split(';').next().unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case("application/json")
}

/// Whether a list of validation errors for programs has errors, all with codes that are known.
fn are_codes(list: &str) -> bool {
    let is_known = |fault: &str| {
        let code = fault.split(';').nth(1);
        code.is_some_and(|code| fault_codes::ALL.iter().any(|known| known.name == code))
    };
    list.split(", ").all(is_known)
}
