//! Rate limits: exactly the declared number of requests in a window, reported in the declared headers, counted for each caller
//! or for each address. The bytes of responses are counted, too.

mod failed;
mod headers;
mod owner;
mod response_bytes;
mod window;

pub(crate) use self::failed::LimitTrial;
pub(crate) use self::response_bytes::reachable_response_bytes;

use self::window::{End, Timed, around_the_end, timed, window};
use crate::answer::Answer;
use crate::attempt::{Attempt, Presented};
use crate::contract::Operation;
use crate::template::fill_template;
use crate::world::{Caller, LimitedService, Need, RequestedResources, is_left_out};
use codegen::model::Limit;
use codegen::step::Step;
use std::net::{IpAddr, Ipv4Addr};
use std::rc::Rc;

/// An operation of a service with limits, as one caller sees it.
pub(crate) struct Trial<'a> {
    attempt: Attempt,
    caller: &'a Caller,
    arranged: &'a RequestedResources,
    limit: &'static Limit,
    limited_service: Rc<dyn LimitedService>,
    peer: Option<IpAddr>,
}

impl<'a> Trial<'a> {
    pub(crate) fn new(attempt: &Attempt, caller: &'a Caller, arranged: &'a RequestedResources) -> Self {
        Self::with_service(attempt.world.limited_service().into(), attempt, caller, arranged)
    }

    /// The same with this service.
    pub(crate) fn with_service(
        limited_service: Rc<dyn LimitedService>,
        attempt: &Attempt,
        caller: &'a Caller,
        arranged: &'a RequestedResources,
    ) -> Self {
        let limit = attempt
            .operation
            .limit
            .expect("only operations with a limit are tried for it");
        let attempt = attempt.anew(attempt.operation);
        // A counted request may be rejected later, which saves the world a write.
        let contract = attempt.operation.contract;
        let attempt = if contract.counts(contract.error(Step::Decode)) {
            attempt.parameter("no_such_parameter", "1")
        } else {
            attempt
        };
        limited_service.begin(window(limit));
        Self {
            attempt,
            caller,
            arranged,
            limit,
            limited_service,
            peer: None,
        }
    }

    pub(crate) fn into_service(self) -> Rc<dyn LimitedService> {
        self.limited_service
    }

    #[track_caller]
    fn call(&self) -> Timed {
        let mut request = self.attempt.request(self.caller, self.arranged);
        request.peer = self.peer;
        timed(&self.attempt, &*self.limited_service, request)
    }

    /// Sends as many requests as a window allows, and expects each to count down.
    #[track_caller]
    pub(crate) fn use_up(&self) {
        for used in 1..=self.limit.max {
            let timed = self.call();
            self.expect_let_through(&timed.answer);
            self.expect_headers(&timed, self.limit.max - used);
        }
    }

    /// The position of the limit.
    fn at(&self) -> String {
        self.attempt.operation.contract.at(self.limit.at)
    }

    #[track_caller]
    fn expect_let_through(&self, answer: &Answer) {
        if answer.response.status == answer.operation.contract.error(Step::Limit).status {
            answer.fail(
                &format!("to be let through by limits.{} ({})", self.limit.name, self.at()),
                &format!(
                    "it is rejected, though fewer than {} requests of its sender were counted",
                    self.limit.max
                ),
            );
        }
    }

    #[track_caller]
    fn expect_rejected(&self) {
        let timed = self.call();
        timed.expect_error(Step::Limit, self.limit.window_seconds, &[]);
        self.expect_headers(&timed, 0);
    }

    #[track_caller]
    fn expect_headers(&self, timed: &Timed, remaining: u32) {
        expect_one_of(
            &timed.answer,
            timed
                .ends(self.limit.window_seconds)
                .map(|end| self.headers(remaining, end))
                .collect(),
        );
    }

    fn headers(&self, remaining: u32, end: End) -> Vec<(&'static str, String)> {
        self.headers_of(&self.limit.name, self.limit.max, remaining, end)
    }

    fn headers_of(&self, name: &str, max: u32, remaining: u32, end: End) -> Vec<(&'static str, String)> {
        let values = [
            ("limit", name.to_owned()),
            ("max", max.to_string()),
            ("window_seconds", self.limit.window_seconds.to_string()),
            ("remaining", remaining.to_string()),
            ("seconds", end.seconds.to_string()),
            ("reset_unix", end.unix.to_string()),
        ];
        let templates = self.attempt.operation.contract.model.limit_headers.iter();
        templates
            .map(|(name, template)| (name.as_str(), fill_template(template, &values)))
            .collect()
    }
}

/// Checks that all headers match one of these variants.
#[track_caller]
fn expect_one_of(answer: &Answer, wanted: Vec<Vec<(&str, String)>>) {
    let came = |name: &str| answer.response.header(name);
    let is_match = |headers: &Vec<(&str, String)>| headers.iter().all(|(name, value)| came(name) == Some(value));
    if wanted.iter().any(is_match) {
        return;
    }
    for (name, value) in &wanted[0] {
        if came(name) != Some(value) {
            answer.fail(
                &format!("{name}: {value}"),
                &format!("it is {}", came(name).unwrap_or("missing")),
            );
        }
    }
}

fn call(
    attempt: &Attempt,
    limited_service: &dyn LimitedService,
    caller: &Caller,
    arranged: &RequestedResources,
) -> Timed {
    let request = attempt.request(caller, arranged);
    timed(attempt, limited_service, request)
}

impl Attempt {
    /// The limit counts the operation: it accepts as many requests as it allows, and then rejects.
    #[track_caller]
    pub(crate) fn rejects_more_than_limit(self) {
        let stage = self.uncounted_stage();
        let trial = Trial::new(&self, &stage.caller, &stage.arranged);
        trial.use_up();
        trial.expect_rejected();
    }

    /// The last request of a window is accepted, the next one is rejected until the window ends.
    #[track_caller]
    pub(crate) fn counts_exactly(self) {
        let limit = self
            .operation
            .limit
            .expect("only operations with a limit are tried for it");
        if is_left_out(self.world, Need::Window(window(limit))) {
            return;
        }
        let stage = self.uncounted_stage();
        let trial = Trial::new(&self, &stage.caller, &stage.arranged);
        trial.use_up();
        trial.expect_rejected();
        around_the_end(self.world, &*trial.limited_service, trial.limit.window_seconds, || {
            trial.expect_rejected()
        });
        trial.use_up();
        trial.expect_rejected();
    }

    /// Each caller has its own count.
    #[track_caller]
    pub(crate) fn counts_each_caller(self) {
        let stage = self.uncounted_stage();
        let trial = Trial::new(&self, &stage.caller, &stage.arranged);
        trial.use_up();
        let other = self.fresh_caller();
        let timed = call(&trial.attempt, &*trial.limited_service, &other, &stage.arranged);
        trial.expect_let_through(&timed.answer);
        trial.expect_headers(&timed, trial.limit.max - 1);
    }

    /// Each address has its own count.
    #[track_caller]
    pub(crate) fn counts_each_address(self) {
        if is_left_out(self.world, Need::Address) {
            return;
        }
        let stage = self.uncounted_stage();
        let trial = Trial::new(&self, &stage.caller, &stage.arranged);
        trial.use_up();
        let mut request = trial.attempt.request(&stage.caller, &stage.arranged);
        request.peer = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)));
        let timed = timed(&trial.attempt, &*trial.limited_service, request);
        trial.expect_let_through(&timed.answer);
        trial.expect_headers(&timed, trial.limit.max - 1);
    }

    /// A request that is rejected before the limit is not counted, and its answer does not report the limit.
    #[track_caller]
    pub(crate) fn counts_nothing_rejected_before(self) {
        let stage = self.uncounted_stage();
        let trial = Trial::new(&self, &stage.caller, &stage.arranged);
        let mut early = self.clone();
        early.presented = Presented::Not;
        let asks = self.operation.credential.is_some();
        let elsewhere = self.operation.other_method().map(|method| {
            let mut elsewhere = self;
            elsewhere.method = method;
            elsewhere
        });
        for spoilt in elsewhere.into_iter().chain(asks.then_some(early)) {
            let Timed { answer, .. } = call(&spoilt, &*trial.limited_service, &stage.caller, &stage.arranged);
            answer.expect_no_limit_headers();
        }
        trial.expect_headers(&trial.call(), trial.limit.max - 1);
    }

    /// The other operation's limit is counted separately for the same caller.
    #[track_caller]
    pub(crate) fn counts_apart_from(self, other: &'static Operation) {
        let stage = self.uncounted_stage();
        let trial = Trial::new(&self, &stage.caller, &stage.arranged);
        trial.use_up();
        let other = self.anew(other);
        let arranged = other.stage(true).arranged.clone();
        let apart = Trial {
            limited_service: trial.into_service(),
            ..Trial::new(&other, &stage.caller, &arranged)
        };
        let timed = apart.call();
        apart.expect_let_through(&timed.answer);
        apart.expect_headers(&timed, apart.limit.max - 1);
    }

    /// No limit counts the operation.
    #[track_caller]
    pub(crate) fn has_no_limit(self) {
        let stage = self.stage(true);
        let most = self
            .operation
            .contract
            .model
            .limits
            .iter()
            .map(|limit| limit.max)
            .max()
            .unwrap_or(0);
        let limited_service = self.world.limited_service();
        let attempt = self.parameter("no_such_parameter", "1");
        for _ in 0..=most {
            let Timed { answer, .. } = call(&attempt, &*limited_service, &stage.caller, &stage.arranged);
            answer.expect_error(answer.operation.contract.error(Step::Decode), &[]);
            answer.expect_no_limit_headers();
        }
    }
}
