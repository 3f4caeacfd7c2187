//! A request from its head to its response.

use crate::caller::digests;
use crate::checks::{may_be_absent, order};
use crate::choices::Choices;
use crate::envelope::{Rejection, invalid, reject};
use crate::exchange::{Asked, Begun, BodyError, Exchange, Response};
use crate::first_caller::is_created;
use crate::keys;
use crate::limits::{InFlight, network};
use crate::mock::{Mock, Options, State};
use crate::outcome::Answered;
use crate::route::{Routed, did_you_mean, route};
use crate::store::{Store, numbers_of};
use crate::validation_errors::Faults;
use bytes::Bytes;
use codegen::Model;
use codegen::model::Effect;
use codegen::step::Step;
use http::request::Parts;
use parking_lot::Mutex;
use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

impl Mock {
    /// The mock of a contract.
    pub fn new(model: &'static Model, options: Options) -> Self {
        let digests = digests(model);
        let fields = digests
            .iter()
            .map(|digest| (digest.table.clone(), digest.field.clone()));
        let numbers = model
            .objects
            .iter()
            .map(|object| (numbers_of(&object.name), "key".to_owned()));
        let answers = [(keys::TABLE.to_owned(), keys::KEY.to_owned())];
        let mut store = Store::new(model, fields.chain(numbers).chain(answers));
        let mut journal = options.journal;
        if let Some(journal) = &mut journal {
            journal.fill(&mut store);
        }
        let mut mock = Self {
            model,
            rate_limits: options.rate_limits,
            seed: 0,
            order: order(model).into(),
            digests: digests.into(),
            roots: options.credentials,
            in_flight: InFlight::default(),
            documents: Arc::default(),
            requests: Arc::default(),
            windows: Arc::default(),
            changed: Arc::default(),
            state: Arc::new(Mutex::new(State {
                store,
                journal,
                files: HashMap::new(),
                depth: Cell::new(0),
                viewer: None,
                choices: Choices::default(),
                objections: Vec::new(),
                followed: HashMap::new(),
            })),
        };
        mock.seed = options.seed.unwrap_or_else(|| {
            let random = RandomState::new().hash_one(model.name.as_str());
            let kept = mock.setting("seed", || random.to_string());
            kept.parse().unwrap_or(random)
        });
        let credentials = model.credentials.iter();
        for credential in credentials.filter(|one| one.caller.is_none() || !is_created(model, &one.name)) {
            let name = &credential.name;
            let given = mock.roots.iter().find(|(known, _)| known == name);
            let secret = given.map(|(_, secret)| secret.clone()).unwrap_or_else(|| {
                let secret = mock.mint(&mut mock.state(), name, None);
                let secret = mock.setting(&format!("secret of {name}"), || secret);
                mock.roots.push((name.clone(), secret.clone()));
                secret
            });
            mock.admit(credential, &secret);
        }
        mock
    }

    /// Answers a request. `now` is in milliseconds since 1970.
    pub fn handle(&self, parts: &Parts, body: Bytes, address: Option<IpAddr>, now: u64) -> Response {
        match self.begin(parts, address, now) {
            Begun::Answered(response) => response,
            Begun::NeedsBody(exchange) => {
                let is_large = body.len() as u64 > exchange.max_bytes();
                self.finish(
                    *exchange,
                    if is_large { Err(BodyError::TooLarge) } else { Ok(body) },
                    now,
                )
            }
        }
    }

    /// Checks the head of a request, and answers it if that needs no body.
    pub fn begin(&self, parts: &Parts, address: Option<IpAddr>, now: u64) -> Begun {
        let request_id = self.request_id(now);
        let path = parts.uri.path();
        let asked = Asked {
            request_id: &request_id,
            path,
            now,
        };
        match route(self.model, parts.method.as_str(), path) {
            Routed::To(surface, operation, segments) => {
                let parts = parts.clone();
                let exchange = Exchange::new(surface, operation, parts, segments, address.map(network), request_id);
                self.proceed(exchange, &Bytes::new(), now)
            }
            Routed::OtherMethod(allow) => {
                let rejection = reject(self.model, Step::Method, &[("allow", &allow)]);
                Begun::Answered(self.rejected(rejection, &asked, &[]))
            }
            Routed::Unknown => Begun::Answered(self.documents.response(self.model, parts).unwrap_or_else(|| {
                let hint = did_you_mean(self.model, path);
                let rejection = reject(self.model, Step::Route, &[("did_you_mean", &hint)]);
                self.rejected(rejection, &asked, &[])
            })),
        }
    }

    /// Answers a request whose body has arrived, or has not.
    pub fn finish(&self, mut exchange: Exchange, body: Result<Bytes, BodyError>, now: u64) -> Response {
        exchange.has_body = true;
        let max_bytes = exchange.max_bytes().to_string();
        let max_seconds = self.model.max_seconds(exchange.operation).to_string();
        let rejection = match body {
            Ok(body) => {
                if let Err(rejection) = self.check_media_type(&mut exchange, &body) {
                    return self.rejected(rejection, &exchange.asked(now), &exchange.headers);
                }
                let is_absent = body.is_empty() && may_be_absent(self.model, exchange.operation);
                let body = if is_absent { Bytes::from_static(b"{}") } else { body };
                match self.proceed(exchange, &body, now) {
                    Begun::Answered(response) => return response,
                    Begun::NeedsBody(exchange) => {
                        let internal = reject(self.model, Step::Internal, &[]);
                        return self.rejected(internal, &exchange.asked(now), &exchange.headers);
                    }
                }
            }
            Err(BodyError::TooLarge) => reject(self.model, Step::BodySize, &[("max_bytes", &max_bytes)]),
            Err(BodyError::TooSlow) => reject(self.model, Step::BodyTime, &[("max_seconds", &max_seconds)]),
            Err(BodyError::Broken) => invalid(self.model, Faults::one("the body broke off", ";broken")),
        };
        let response = self.rejected(rejection, &exchange.asked(now), &exchange.headers);
        self.count_bytes(exchange.sent_to, &response, now);
        response
    }

    /// The response to a request whose `Host` is not as HTTP demands.
    pub fn malformed(&self, error: &str, path: &str, now: u64) -> Response {
        let rejection = invalid(self.model, Faults::one(error, ";host"));
        let asked = Asked {
            request_id: &self.request_id(now),
            path,
            now,
        };
        self.rejected(rejection, &asked, &[])
    }

    fn proceed(&self, mut exchange: Exchange, body: &Bytes, now: u64) -> Begun {
        let mut state = self.state();
        state.depth.set(0);
        state.viewer = None;
        let steps = AssertUnwindSafe(|| self.steps(&mut state, &mut exchange, body, now));
        let done = catch_unwind(steps).unwrap_or_else(|_| Err(reject(self.model, Step::Internal, &[])));
        let mut response = match done {
            Ok(None) => {
                drop(state);
                return Begun::NeedsBody(Box::new(exchange));
            }
            Ok(Some(response)) => response,
            Err(rejection) => {
                state.store.take_back();
                self.rejected(rejection, &exchange.asked(now), &exchange.headers)
            }
        };
        self.count_bytes(exchange.sent_to, &response, now);
        if let Some(permit) = exchange.permit {
            response.extensions_mut().insert(permit);
        }
        Begun::Answered(response)
    }

    /// The checks that are left, then the operation; `None` where the body is needed.
    fn steps(
        &self,
        state: &mut State,
        exchange: &mut Exchange,
        body: &Bytes,
        now: u64,
    ) -> Result<Option<Response>, Rejection> {
        while let Some(check) = self.order.get(exchange.at) {
            if check.step == Step::BodySize && !exchange.has_body {
                return Ok(None);
            }
            exchange.at += 1;
            self.check(state, exchange, check, body, now)?;
            if let Some(body) = exchange.replayed.take() {
                return Ok(Some(self.replay(exchange, body)));
            }
        }
        self.check_cursor(state, exchange)?;
        if exchange.operation.dry_run.is_none() {
            Self::count_uses(state, exchange);
        }
        let answered = self.run(state, exchange, now / 1000);
        let data = answered.data.clone();
        let response = self.success(state, exchange, answered, now);
        if !state.choices.has_effect() {
            state.store.take_back();
            return Ok(Some(response));
        }
        self.keep_answer(state, exchange, data.as_ref(), &response, now / 1000);
        let is_write = exchange.operation.method != "GET";
        if self.keep(state, is_write).is_err() && is_write {
            let step = if self.model.error_at(Step::Write).is_some() {
                Step::Write
            } else {
                Step::Internal
            };
            return Err(reject(self.model, step, &[]));
        }
        let State { files, store, .. } = &mut *state;
        if is_write
            && exchange
                .operation
                .effects
                .iter()
                .any(|effect| matches!(effect, Effect::End { .. }))
        {
            files.retain(|(resource, id), _| store.get(resource, *id).is_some());
        }
        Ok(Some(response))
    }

    fn success(&self, state: &State, exchange: &mut Exchange, data: Answered, now: u64) -> Response {
        let waits = self.waits(state, exchange, now / 1000);
        let mut response = self.succeeded(exchange, data);
        if let Some(resource) = &exchange.operation.content_of {
            self.send_file(state, exchange, resource, &mut response);
        }
        if let Some(waits) = waits {
            response.extensions_mut().insert(waits);
        }
        response
    }

    /// Answers a request that waits for an event once more, without counting it.
    pub(crate) fn look_again(&self, parts: &Parts, address: Option<IpAddr>, now: u64) -> Option<Response> {
        let Routed::To(surface, operation, segments) = route(self.model, parts.method.as_str(), parts.uri.path())
        else {
            return None;
        };
        let (parts, id) = (parts.clone(), self.request_id(now));
        let mut exchange = Exchange::new(surface, operation, parts, segments, address.map(network), id);
        let mut state = self.state();
        state.depth.set(0);
        state.viewer = None;
        let is_counted = |step| {
            matches!(
                step,
                Step::Limit | Step::CredentialLimit | Step::ResponseBytes | Step::InFlight
            )
        };
        let looked = (|| {
            for check in self.order.iter().filter(|check| !is_counted(check.step)) {
                self.check(&mut state, &mut exchange, check, &Bytes::new(), now)?;
            }
            let data = self.run(&mut state, &exchange, now / 1000);
            Ok(self.success(&state, &mut exchange, data, now))
        })();
        Some(looked.unwrap_or_else(|rejection| self.rejected(rejection, &exchange.asked(now), &[])))
    }
}
