//! The checks of a request, in the order of the errors.

use crate::caller;
use crate::content::declared_type;
use crate::decode;
use crate::envelope::{Rejection, filled, invalid, no_store, reject};
use crate::exchange::{Exchange, Response};
use crate::limits::{Counted, LimitDecision};
use crate::mock::{Check, Mock, State};
use crate::value::Value;
use bytes::Bytes;
use codegen::Model;
use codegen::model::{Body, Counts, Credential, Limit, Operation, Per, RecordId};
use codegen::step::Step;
use http::{HeaderMap, HeaderName, header};

/// The checks in order. A body is read in one, for both of its errors. Ownership comes after existence even without an
/// error of its own: a private record does not exist for others.
pub(crate) fn order(model: &'static Model) -> Vec<Check> {
    let mut order: Vec<Check> = Vec::new();
    for entry in &model.errors {
        let step = if entry.step == Step::BodyTime {
            Step::BodySize
        } else {
            entry.step
        };
        let rule = (step == Step::Rule).then_some(entry);
        if rule.is_some() || order.iter().all(|known| known.step != step) {
            order.push(Check { step, rule });
        }
    }
    let exists = order.iter().position(|check| check.step == Step::Exists);
    if let Some(exists) = exists.filter(|_| order.iter().all(|check| check.step != Step::Owner)) {
        order.insert(
            exists + 1,
            Check {
                step: Step::Owner,
                rule: None,
            },
        );
    }
    order
}

impl Mock {
    pub(crate) fn check(
        &self,
        state: &mut State,
        exchange: &mut Exchange,
        check: &Check,
        body: &Bytes,
        now: u64,
    ) -> Result<(), Rejection> {
        match check.step {
            Step::Credential => self.authenticate(state, exchange, now),
            Step::Suspended => self.check_suspension(state, exchange),
            Step::Limit if state.choices.has_effect() => self.count(exchange, now),
            Step::ResponseBytes if state.choices.has_effect() => self.check_response_bytes(exchange, now),
            Step::InFlight => self.begin_one(exchange),
            Step::MediaType if exchange.operation.takes_body() => self.check_media_type(exchange, body),
            Step::BodySize => self.authenticate_again(state, exchange),
            Step::Decode => {
                let query = exchange.parts.uri.query();
                let key = self.sent_key(exchange.operation, &exchange.parts.headers);
                exchange.key = key.as_ref().ok().cloned().flatten();
                let (operation, segments) = (exchange.operation, &exchange.segments);
                let decoded = decode::input(self.model, operation, segments, query, (key.err(), body));
                exchange.input = decoded.map_err(|faults| invalid(self.model, faults))?;
                self.take_file(exchange, body)
            }
            Step::KeyReused => self.check_key(state, exchange, body, now / 1000),
            Step::Plan => self.check_plan(state, exchange),
            Step::Exists => self.look_up(state, exchange),
            Step::Owner => self.check_owners(state, exchange),
            Step::Quota => self.check_quotas(state, exchange, body, now / 1000),
            Step::Transition => self.check_transition(state, exchange),
            Step::Rule => check
                .rule
                .map_or(Ok(()), |entry| self.check_rule(state, exchange, entry)),
            _ => Ok(()),
        }
    }

    fn authenticate(&self, state: &mut State, exchange: &mut Exchange, now: u64) -> Result<(), Rejection> {
        let Some(credential) = self.model.credential_of(exchange.surface) else {
            return Ok(());
        };
        let Some(caller) = self.caller(state, credential, &exchange.parts.headers) else {
            return Err(self.reject_credential(state, credential, exchange, now));
        };
        self.note_use(state, &caller, now / 1000);
        if state.choices.has_effect() {
            // It stays noted if the request is rejected. If it cannot be written, it is noted again.
            let _ = self.keep(state, false);
        }
        if self.model.forbids_caches(exchange.surface, exchange.operation) {
            exchange.headers.push(no_store());
        }
        if let Some(realm) = self.realm_of_caller(state, credential, &caller) {
            let headers = realm.headers.iter();
            let headers = headers.map(|(name, value)| (name.clone(), filled(value, &[])));
            exchange.headers.extend(headers);
        }
        exchange.caller = Some(caller);
        Ok(())
    }

    fn reject_credential(&self, state: &State, credential: &Credential, exchange: &Exchange, now: u64) -> Rejection {
        let mut limits = self.model.limits.iter();
        let failed = limits.find(|limit| limit.counts == Counts::FailedCredentials);
        if let (Some(limit), Some(address), true) =
            (failed, exchange.address, self.rate_limits && state.choices.has_effect())
        {
            let decision = self.windows().count(limit, Counted::Address(address), None, now);
            if !decision.is_allowed {
                let seconds = decision.seconds.to_string();
                return reject(self.model, Step::CredentialLimit, &[("seconds", &seconds)]);
            }
        }
        let problem = caller::problem(credential, &exchange.parts.headers);
        reject(
            self.model,
            Step::Credential,
            &[("header", &credential.header), ("problem", problem)],
        )
    }

    /// A body that may be absent is declared if it is there.
    pub(crate) fn check_media_type(&self, exchange: &mut Exchange, body: &Bytes) -> Result<(), Rejection> {
        let headers = &exchange.parts.headers;
        let length = headers
            .get(header::CONTENT_LENGTH)
            .map_or(&b"0"[..], |length| length.as_bytes());
        let is_there = !body.is_empty() || length != b"0" || headers.contains_key(header::TRANSFER_ENCODING);
        if !is_there && may_be_absent(self.model, exchange.operation) {
            return Ok(());
        }
        let is_encoded = has_other_coding(headers, header::CONTENT_ENCODING, "identity");
        let is_right = match &exchange.operation.file {
            Some(file) => declared_type(headers, &file.types).is_some(),
            None => is_json(headers),
        };
        if !is_encoded && is_right {
            return Ok(());
        }
        if is_encoded {
            let accepted = ("accept-encoding".to_owned(), "identity".to_owned());
            exchange.headers.push(accepted);
        }
        let types = self.model.media_types(exchange.operation);
        Err(reject(self.model, Step::MediaType, &[("types", &types)]))
    }

    /// The body took its time, and the credential may have ended meanwhile.
    fn authenticate_again(&self, state: &State, exchange: &mut Exchange) -> Result<(), Rejection> {
        let is_checked = |step| {
            let place = |step| self.order.iter().position(|check| check.step == step);
            place(step) < place(Step::BodySize)
        };
        let credential = self.model.credential_of(exchange.surface);
        let is_needed = exchange.operation.takes_body() && is_checked(Step::Credential);
        let Some(credential) = credential.filter(|_| is_needed) else {
            return Ok(());
        };
        let caller = self.caller(state, credential, &exchange.parts.headers);
        let values = [("header", credential.header.as_str()), ("problem", "not accepted")];
        let ended = || reject(self.model, Step::Credential, &values);
        exchange.caller = Some(caller.ok_or_else(ended)?);
        match is_checked(Step::Suspended) {
            true => self.check_suspension(state, exchange),
            false => Ok(()),
        }
    }

    fn check_suspension(&self, state: &State, exchange: &Exchange) -> Result<(), Rejection> {
        let credential = self.model.credential_of(exchange.surface);
        let declared = credential.and_then(|credential| credential.caller.as_ref());
        let Some(field) = declared.and_then(|caller| caller.suspended.as_ref()) else {
            return Ok(());
        };
        match self.of_caller(state, exchange, field) {
            Some(Value::Bool(true)) => Err(reject(self.model, Step::Suspended, &[])),
            _ => Ok(()),
        }
    }

    fn count(&self, exchange: &mut Exchange, now: u64) -> Result<(), Rejection> {
        let limit = exchange.operation.limit.as_ref().map(|name| self.model.limit(name));
        let Some(limit) = limit.filter(|_| self.rate_limits) else {
            return Ok(());
        };
        let credential = self.model.credential_of(exchange.surface);
        let (of, owner) = match (&limit.counts, &exchange.caller) {
            (Counts::Methods { per: Per::Address, .. }, _) => match exchange.address {
                Some(address) => (Counted::Address(address), None),
                None => return Ok(()),
            },
            (_, caller) => {
                let name = credential.map(|credential| &credential.name);
                let index = self.model.credentials.iter().position(|one| Some(&one.name) == name);
                let number = caller.as_ref().map_or(RecordId::Number(0), |caller| caller.limited_by);
                let shares = credential.is_some_and(|credential| self.model.has_other_credentials(credential));
                let record = caller
                    .as_ref()
                    .and_then(|caller| caller.record.clone())
                    .filter(|_| shares);
                let owner = record.map(|(resource, id)| Counted::Owner(resource, id));
                (Counted::Caller(index.unwrap_or(usize::MAX), number), owner)
            }
        };
        let decision = self.windows().count(limit, of, owner, now);
        exchange.headers.extend(self.limit_headers(limit, &decision));
        let seconds = decision.seconds.to_string();
        match decision.is_allowed {
            true => Ok(()),
            false => Err(reject(self.model, Step::Limit, &[("seconds", &seconds)])),
        }
    }

    fn limit_headers(&self, limit: &Limit, decision: &LimitDecision) -> Vec<(String, String)> {
        let (name, max) = match limit.owner_max.filter(|_| decision.is_owners) {
            Some(max) => (limit.owner_name(), max),
            None => (limit.name.clone(), limit.max),
        };
        let values = [
            ("limit", name),
            ("max", max.to_string()),
            ("window_seconds", limit.window_seconds.to_string()),
            ("remaining", decision.remaining.to_string()),
            ("seconds", decision.seconds.to_string()),
            ("reset_unix", decision.reset_unix.to_string()),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value));
        let headers = self.model.limit_headers.iter();
        headers
            .map(|(name, template)| (name.clone(), filled(template, &values)))
            .collect()
    }

    fn check_response_bytes(&self, exchange: &mut Exchange, now: u64) -> Result<(), Rejection> {
        let bytes = self.model.response_bytes.filter(|_| self.rate_limits);
        let caller = exchange.caller.as_ref().and_then(|caller| caller.record.clone());
        let (Some(bytes), Some((resource, id))) = (bytes, caller) else {
            return Ok(());
        };
        let to = Counted::Owner(resource, id);
        if let Some(seconds) = self.windows().seconds_to_wait(bytes, &to, now) {
            let values = [("max", &*bytes.max.to_string()), ("seconds", &*seconds.to_string())];
            return Err(reject(self.model, Step::ResponseBytes, &values));
        }
        exchange.sent_to = Some(to);
        Ok(())
    }

    /// Counts the bytes of the response.
    pub(crate) fn count_bytes(&self, to: Option<Counted>, response: &Response, now: u64) {
        if let (Some(bytes), Some(to)) = (self.model.response_bytes, to) {
            self.windows().add_bytes(bytes, to, response.body().len(), now);
        }
    }

    fn begin_one(&self, exchange: &mut Exchange) -> Result<(), Rejection> {
        let (surface, operation) = (exchange.surface, exchange.operation);
        let max = self.model.at_once(surface, operation).filter(|_| self.rate_limits);
        let caller = exchange.caller.as_ref().and_then(|caller| caller.record.clone());
        let (Some(max), Some((resource, id))) = (max, caller) else {
            return Ok(());
        };
        let waits = operation.waits_at_once.is_some();
        let group = if waits {
            surface.full_name(operation)
        } else {
            String::new()
        };
        let too_many = || reject(self.model, Step::InFlight, &[("max", &max.to_string())]);
        let permit = self.in_flight.begin((group, resource, id), max);
        exchange.permit = Some(permit.ok_or_else(too_many)?);
        Ok(())
    }

    fn check_plan(&self, state: &State, exchange: &Exchange) -> Result<(), Rejection> {
        let credential = self.model.credential_of(exchange.surface);
        let declared = credential.and_then(|credential| credential.caller.as_ref());
        let plans = declared.and_then(|caller| caller.plan.as_ref());
        let (Some(plan), Some((field, _))) = (exchange.operation.plan(), plans) else {
            return Ok(());
        };
        match self.of_caller(state, exchange, field) {
            Some(Value::Text(of_caller)) if of_caller == plan => Ok(()),
            _ => Err(reject(self.model, Step::Plan, &[("plan", plan)])),
        }
    }

    /// A field of the caller's record.
    fn of_caller(&self, state: &State, exchange: &Exchange, field: &str) -> Option<Value> {
        let (resource, id) = exchange.caller.as_ref()?.record.as_ref()?;
        Some(self.field(state, resource, *id, field))
    }
}

/// Whether a request to this operation may have no body.
pub(crate) fn may_be_absent(model: &Model, operation: &Operation) -> bool {
    model.body(operation).is_some_and(Body::may_be_absent)
}

/// Whether a header names a coding that is not this one.
pub(crate) fn has_other_coding(headers: &HeaderMap, name: HeaderName, known: &str) -> bool {
    let lines = headers.get_all(name).iter();
    let lines = lines.map(|line| String::from_utf8_lossy(line.as_bytes()));
    lines.into_iter().any(|line| {
        let mut codings = line.split(',').map(str::trim).filter(|coding| !coding.is_empty());
        !codings.all(|coding| coding.eq_ignore_ascii_case(known))
    })
}

/// Whether a body is declared as JSON in UTF-8, once.
fn is_json(headers: &HeaderMap) -> bool {
    declared_type(headers, &["application/json"]).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn only_json_in_utf_8_is_json() {
        let check = |values: &[&'static str], expected: bool| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(header::CONTENT_TYPE, HeaderValue::from_static(value));
            }
            assert_eq!(is_json(&headers), expected, "{values:?}");
        };
        for right in [
            "application/json",
            "Application/JSON; charset=\"UTF-8\"",
            "application/json;profile=x;",
        ] {
            check(&[right], true);
        }
        for wrong in ["", "text/json", "application/json; charset=latin1", "application/jsonp"] {
            check(&[wrong], false);
        }
        check(&[], false);
        check(&["application/json", "application/json"], false);
    }
}
