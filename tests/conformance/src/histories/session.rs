//! One history: each call is sent to the server under test, then to the model, which follows what the server chose.

use super::answers::{follow, in_order, is_counted, own_rule};
use super::call::Call;
use super::compare::{Answers, Comparer, status_cause};
use super::elsewhere::{self, is_from_elsewhere};
use super::envelope;
use super::found::{Found, Verdict, differ};
use super::known::{Knowledge, Known};
use super::learn::Success;
use super::secrets;
use super::subject::Subject;
use super::tools;
use crate::exchange::{Request, Response};
use codegen::Model;
use codegen::model::{Condition, ErrorEntry, RecordId};
use codegen::step::Step;
use mock::{Choices, Mock, Options};
use serde_json::Value;
use std::ops::Range;
use std::time::Instant;

/// A history in progress.
pub(super) struct Session<'s> {
    pub(super) subject: &'s Subject<'s>,
    pub(super) known: Knowledge<'static>,
    mock: Mock,
    comparer: Comparer<'static>,
    /// The mock whose limits count, while a limit is tried of a server in real time.
    trial: Option<Mock>,
}

/// A call that was sent.
#[derive(Clone)]
pub(super) struct Sent {
    pub(super) call: Call<'static>,
    pub(super) request: Request,
    pub(super) response: Response,
    /// The records that it has made, by resource.
    pub(super) made: Vec<(&'static str, Vec<RecordId>)>,
    /// The indexes of the credentials that it has made.
    pub(super) credentials: Range<usize>,
}

impl Sent {
    /// A call that has made nothing.
    pub(super) fn new(call: &Call<'static>, request: Request, response: Response) -> Self {
        Self {
            call: call.clone(),
            request,
            response,
            made: Vec::new(),
            credentials: 0..0,
        }
    }
}

/// What came of a call.
pub(super) enum Compared {
    /// Both answer alike, with this error.
    Alike(Sent, Option<&'static ErrorEntry>),
    /// Whether the server is right is not declared.
    Undecided(Sent, Option<&'static ErrorEntry>),
    /// They differ.
    Differs(Sent, Box<Found>),
}

impl<'s> Session<'s> {
    pub(super) fn new(subject: &'s Subject<'s>) -> Self {
        subject.forget();
        let is_exact = !subject.is_real();
        let options = Options {
            rate_limits: subject.options.is_limited && is_exact,
            seed: Some(subject.options.seed),
            credentials: subject.roots.clone(),
            ..Options::default()
        };
        let mock = Mock::new(subject.model, options);
        for (resource, last) in subject.highest.borrow().iter() {
            mock.reserve_ids(resource, *last);
        }
        let roots = subject.roots.iter().map(|(kind, secret)| Known::root(kind, secret));
        let mut known = Knowledge::new(roots.collect(), subject.new_mark());
        known.is_first = subject.is_first();
        for record in elsewhere::read(subject) {
            record.enter(subject.model, &mock, &mut known);
        }
        Self {
            subject,
            known,
            mock,
            comparer: Comparer::new(subject),
            trial: None,
        }
    }

    /// A window of limits has begun, in which no limit has counted what follows. In real time only that is counted exactly.
    pub(super) fn begin_trial(&mut self) {
        if self.subject.is_real() {
            self.trial = Some(self.mock.limited());
            self.comparer.has_limit_headers = true;
        }
    }

    /// What follows is counted by limits, and may be rejected by them.
    pub(super) fn end_trial(&mut self) {
        self.trial = None;
        self.comparer.has_limit_headers = !self.subject.is_real();
    }

    /// Whether limits count each call.
    pub(super) fn is_trial(&self) -> bool {
        self.trial.is_some()
    }

    /// Whether the data of successes are compared.
    pub(super) fn skip_data(&mut self, is_skipped: bool) {
        self.comparer.skips_data = is_skipped;
    }

    /// Whether limits may reject what the mock lets through.
    fn is_uncounted(&self) -> bool {
        self.subject.is_real() && self.subject.options.is_limited && self.trial.is_none()
    }

    /// Whether a call reads a list that all callers share.
    pub(super) fn is_shared(&self, call: &Call) -> bool {
        self.comparer.is_shared(call)
    }

    fn model(&self) -> &'static Model {
        self.subject.model
    }

    /// Sends a call, and compares the answers.
    pub(super) fn step(&mut self, call: &Call<'static>) -> Compared {
        self.subject.wait(call);
        let request = call.request(self.model(), &self.known);
        let as_tool = self.as_tool(call, &request);
        let no_tool = call.tool.is_some() && as_tool.is_none();
        let as_request = no_tool.then(|| Call {
            tool: None,
            ..call.clone()
        });
        let call = as_request.as_ref().unwrap_or(call);
        let mut sent = Sent::new(call, request.clone(), Response::none());
        let before = self.known.credentials.len();
        let began = Instant::now();
        let sending = self.subject.send(as_tool.as_ref().unwrap_or(&request), call.copies);
        self.subject.took(call, began.elapsed());
        self.comparer.slack = self.subject.slack();
        let read = |answers: Vec<Response>| match call.tool {
            Some(era) => {
                sent.response = answers.first().cloned().unwrap_or_else(Response::none);
                answers
                    .iter()
                    .map(|one| self.result(call, &request, era, one))
                    .collect()
            }
            None => Ok(answers),
        };
        let answers = match sending.and_then(read) {
            Ok(answers) => in_order(self.model(), call, answers),
            Err(found) => return Compared::Differs(sent, of_tool(call, found)),
        };
        let (mut last, mut is_undecided) = (None, false);
        for response in answers {
            sent.response = response.clone();
            match self.one(call, &request, &response) {
                Ok((error, is_decided)) => {
                    last = error;
                    is_undecided |= !is_decided;
                    if response.status < 400 && !self.is_replay(&response) {
                        sent.made.extend(self.learn(call, &response));
                    }
                }
                Err(found) => return Compared::Differs(sent, of_tool(call, found)),
            }
        }
        sent.credentials = before..self.known.credentials.len();
        match is_undecided {
            true => Compared::Undecided(sent, last),
            false => Compared::Alike(sent, last),
        }
    }

    /// The request that calls the tool in place of this call, if one can, and the server offers it.
    fn as_tool(&self, call: &Call<'static>, request: &Request) -> Option<Request> {
        let ((surface, _), era) = (call.operation?, call.tool?);
        let sent = tools::request(self.model(), call, request, era)?;
        let is_offered = self.subject.eras(surface, &self.known).contains(&era);
        (is_offered && tools::is_shown_whole(&self.preview(call))).then_some(sent)
    }

    /// The response for which the result of a tool stands.
    fn result(
        &self,
        call: &Call<'static>,
        request: &Request,
        era: tools::Era,
        result: &Response,
    ) -> Result<Response, Box<Found>> {
        secrets::none_shown(self.model(), call, request, result)?;
        tools::response((self.model(), self.subject.options.level), call, era, result)
    }

    /// Whether a tool says what this call says, and its answer can be compared.
    pub(super) fn can_be_tool(&self, call: &Call<'static>) -> bool {
        self.as_tool(call, &call.request(self.model(), &self.known)).is_some()
    }

    /// Compares the answer to a request that was sent while others were, or that the server understands in another way.
    pub(super) fn observe(&mut self, call: &Call<'static>, request: &Request, response: &Response) -> Verdict {
        self.one(call, request, response)?;
        if response.status < 400 {
            self.learn(call, response);
        }
        Ok(())
    }

    /// Compares one answer; returns the error, and whether the contract decides what the answer must be.
    fn one(
        &mut self,
        call: &Call<'static>,
        request: &Request,
        response: &Response,
    ) -> Result<(Option<&'static ErrorEntry>, bool), Box<Found>> {
        let (model, is_real) = (self.model(), self.subject.is_real());
        let came = envelope::error(model, call.operation, response);
        secrets::none_shown(model, call, request, response)?;
        if self.is_uncounted() && came.is_some_and(|error| error.step == Step::ResponseBytes) {
            return Ok((came, false));
        }
        if is_real && self.subject.options.is_limited && response.status == 429 {
            let needs_none = call.operation.is_some_and(|(surface, _)| surface.credential.is_none());
            let is_living = |index: usize| !self.known.credentials[index].has_ended;
            let is_valid = needs_none || call.other_secret.is_none() && call.credential.is_some_and(is_living);
            // Earlier guesses of this address count, too.
            if !is_valid && (self.is_uncounted() || !self.subject.has_addresses()) {
                self.rest(call, response);
                return Ok((model.error_at(Step::CredentialLimit), false));
            }
            if self.is_uncounted() {
                self.rest(call, response);
                self.subject.rejected(call, &self.known)?;
                return Ok((model.error_at(Step::Limit), false));
            }
        }
        let is_own = |error: &ErrorEntry| error.step == Step::Rule && error.when.is_none();
        if came.is_some_and(|error| is_own(error) && !self.is_rejected_before(call, error)) {
            self.note_use(call);
            return Ok((came, false));
        }
        if came.is_some_and(|error| self.may_be_taken(call, error) || self.may_be_full(call, error)) {
            self.note_use(call);
            return Ok((came, false));
        }
        if self.is_known_and_harmless(call, response) {
            return Ok((came, false));
        }
        let body = envelope::body(response);
        let choices = match response.status < 400 {
            true => self.success(call, envelope::data(model, call, &body)).choices(),
            false => Choices::default(),
        };
        // An answer with the words of another error is none of such a rule.
        let may_be_own = came.is_none_or(|error| error.step == Step::Decode || is_own(error));
        if let Some(rule) = own_rule(model, call, response.status).filter(|_| may_be_own)
            && self.forecast(call).0 < 400
        {
            self.note_use(call);
            return Ok((Some(rule), false));
        }
        let (answer, objections) = self.follow(request, choices);
        let wanted = envelope::error(model, call.operation, &answer);
        if let (Some(objection), true) = (objections.first(), answer.status == response.status) {
            let place = super::found::outcome_place(call.operation, None);
            let verdict: Verdict = differ(objection.clone(), String::from_utf8_lossy(&response.body), objection);
            return super::found::Placed::at(verdict, place.0, || place.1).map(|()| (None, true));
        }
        let unpaged = || {
            let choices = Choices {
                is_unpaged: true,
                ..Choices::default()
            };
            let (answer, _) = follow(&self.mock, self.subject.now(), request, choices);
            envelope::data(model, call, &envelope::body(&answer)).clone()
        };
        self.comparer.compare(Answers {
            call,
            known: &self.known,
            model: &answer,
            subject: response,
            unpaged: &unpaged,
        })?;
        if let (Some((_, operation)), true) = (call.operation, response.status < 400 && call.method != "HEAD") {
            let level = self.subject.options.level;
            let place = super::found::outcome_place(call.operation, None);
            let verdict = self.subject.shape(operation, envelope::data(model, call, &body), level);
            super::found::Placed::at(verdict, place.0, || place.1)?;
        }
        if is_real && self.subject.options.is_limited && is_counted(model, wanted) {
            self.subject.passed(call, &self.known)?;
        }
        Ok((wanted, true))
    }

    /// Whether another error must reject a call before this one. A handler has quotas, states and rules in an order of its own.
    fn is_rejected_before(&self, call: &Call<'static>, error: &ErrorEntry) -> bool {
        let place = |name: &str| self.model().errors.iter().position(|known| known.name == name);
        let is_of_handler = |step| matches!(step, Step::Quota | Step::Transition | Step::Rule);
        let first = self.forecast(call).1.filter(|first| !is_of_handler(first.step));
        first.is_some_and(|first| place(&first.name) < place(&error.name))
    }

    /// Whether a response is that of an earlier request.
    fn is_replay(&self, response: &Response) -> bool {
        let keys = self.model().idempotency.as_ref();
        keys.is_some_and(|keys| response.header(&keys.replayed).is_some())
    }

    /// Whether a record of others may have a text of the call that no two may have.
    fn may_be_taken(&self, call: &Call<'static>, error: &ErrorEntry) -> bool {
        let Some(Condition::Taken { resource, field }) = &error.when else {
            return false;
        };
        let is_marked = texts_of(&call.json, field)
            .iter()
            .all(|text| text.contains(&self.known.mark));
        !self.known.has_all(resource) && !is_marked && self.forecast(call).0 < 400
    }

    /// Whether records of earlier runs may have reached the quota of a record that no operation makes.
    fn may_be_full(&self, call: &Call<'static>, error: &ErrorEntry) -> bool {
        let quotas = call.operation.into_iter().flat_map(|(_, operation)| &operation.quotas);
        let mut quotas = quotas.map(|name| self.model().quota(name));
        let is_old = |quota: &codegen::model::Quota| is_from_elsewhere(self.model(), &quota.per);
        error.step == Step::Quota && quotas.all(is_old) && self.forecast(call).0 < 400
    }

    /// Whether a status is known to be wrong, and the server has changed nothing that the model does not know.
    fn is_known_and_harmless(&self, call: &Call<'static>, response: &Response) -> bool {
        let causes = &self.subject.causes;
        if !causes.has_any(&call.name()) || (response.status < 400 && !call.is_read()) {
            return false;
        }
        let wanted = self.forecast(call);
        wanted.0 != response.status && causes.is_known(&call.name(), &status_cause(response.status, wanted))
    }

    fn follow(&self, request: &Request, choices: Choices) -> (Response, Vec<String>) {
        follow(
            self.trial.as_ref().unwrap_or(&self.mock),
            self.subject.now(),
            request,
            choices,
        )
    }

    /// What the model would answer: its status and the error.
    pub(super) fn forecast(&self, call: &Call<'static>) -> (u16, Option<&'static ErrorEntry>) {
        let answer = self.preview(call);
        (answer.status, envelope::error(self.model(), call.operation, &answer))
    }

    /// What the model would answer.
    pub(super) fn preview(&self, call: &Call<'static>) -> Response {
        let choices = Choices {
            is_forecast: true,
            ..Choices::default()
        };
        self.follow(&call.request(self.model(), &self.known), choices).0
    }

    fn success<'c>(&self, call: &'c Call<'static>, data: &'c Value) -> Success<'static, 'c> {
        Success {
            model: self.subject.model,
            call,
            data,
        }
    }

    fn learn(&mut self, call: &Call<'static>, response: &Response) -> Vec<(&'static str, Vec<RecordId>)> {
        let Some((_, operation)) = call.operation else {
            return Vec::new();
        };
        let body = envelope::body(response);
        let data = envelope::data(self.model(), call, &body).clone();
        let success = self.success(call, &data);
        success.learn(&mut self.known);
        if let Some(index) = call.credential {
            self.known.credentials[index].uses += 1;
        }
        let made = success.made(operation);
        let mut highest = self.subject.highest.borrow_mut();
        for (resource, ids) in &made {
            let highest = highest.entry((*resource).to_owned()).or_default();
            *highest = ids.iter().filter_map(|id| id.number()).fold(*highest, i64::max);
        }
        self.known.others = self.comparer.foreign.clone();
        made
    }

    /// A limit has rejected the caller: it rests.
    fn rest(&mut self, call: &Call, response: &Response) {
        let seconds = response.header("retry-after").and_then(|text| text.parse().ok());
        let seconds: u64 = seconds.unwrap_or(5).min(60);
        if let Some(index) = call.credential {
            self.known.credentials[index].rests_until = self.subject.now() + seconds * 1000;
        }
    }

    /// The subject has rejected a call by a rule that is its own. The model cannot know that; but it notes the use of the
    /// credential, and counts the call, as the subject has done.
    fn note_use(&self, call: &Call<'static>) {
        let Some((surface, operation)) = call.operation else {
            return;
        };
        let mut reads = surface
            .operations
            .iter()
            .filter(|one| one.method == "GET" && one.path.is_empty());
        let has_body = self.model().body(operation).is_some();
        let any = reads.clone().next().filter(|_| !has_body);
        let alike = match reads.find(|one| one.limit == operation.limit).or(any) {
            Some(read) => Call {
                operation: Some((surface, read)),
                method: read.method.text.clone(),
                credential: call.credential,
                ..Call::default()
            },
            // A body that is no JSON is rejected after all that counts.
            None => Call {
                raw: Some(b"{".to_vec()),
                key: None,
                ..call.clone()
            },
        };
        self.follow(&alike.request(self.model(), &self.known), Choices::default());
    }
}

/// A difference of a call, which says so if the call was one of a tool.
fn of_tool(call: &Call, mut found: Box<Found>) -> Box<Found> {
    if call.tool.is_some() {
        found.cause = format!("as a tool: {}", found.cause);
    }
    found
}

/// The texts of the members of this name.
fn texts_of<'v>(json: &'v Value, name: &str) -> Vec<&'v str> {
    match json {
        Value::Array(items) => items.iter().flat_map(|item| texts_of(item, name)).collect(),
        Value::Object(members) => {
            let own = members.get(name).and_then(Value::as_str);
            let within = members.values().flat_map(|member| texts_of(member, name));
            own.into_iter().chain(within).collect()
        }
        _ => Vec::new(),
    }
}
