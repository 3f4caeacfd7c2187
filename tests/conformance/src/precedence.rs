//! Precedence: with two errors in one request, the upper entry of the error table answers.

use crate::attempt::{Attempt, Presented};
use crate::invariants::new_key;
use crate::limits::{GUESSER, LimitTrial, Trial};
use crate::stage::Stage;
use crate::suite::leave_out;
use crate::world::{Access, LimitedService, Need, is_left_out};
use codegen::model::ErrorEntry;
use codegen::step::Step;
use std::net::IpAddr;
use std::rc::Rc;
use std::sync::Arc;

/// An undeclared query parameter.
const UNKNOWN: &str = "no_such_parameter";

/// An unknown id: the largest possible one.
const UNKNOWN_ID: i64 = (1 << 53) - 1;

impl Attempt {
    /// `first` rejects, together with any other error. Each of the others comes with it in a request of its own; one that the
    /// world cannot cause is left out.
    #[track_caller]
    pub fn precedes(self, first: &'static ErrorEntry, others: &[&'static ErrorEntry]) {
        let need = |error: &ErrorEntry| (error.step == Step::Limit).then_some(Need::Limits);
        let lacking = |error: &ErrorEntry| self.world.unsupported(need(error)?);
        if let Some(reason) = lacking(first) {
            return leave_out(&reason);
        }
        let tried: Vec<_> = others.iter().filter(|other| lacking(other).is_none()).collect();
        if let ([], Some(reason)) = (tried.as_slice(), others.iter().find_map(|other| lacking(other))) {
            return leave_out(&reason);
        }
        for other in tried {
            let mut spoilt = SpoiltRequest::new(&self, None);
            for error in in_order(first, other) {
                spoilt.spoil(error.step, &error.name);
            }
            spoilt.rejected(first, other);
        }
    }

    /// Once an address has failed too often, its next failure is answered as guessing, together with any error `below`;
    /// an error `above` is answered first. Each of these errors comes in a request of its own.
    #[track_caller]
    pub fn guessing_precedes(self, above: &[&'static ErrorEntry], below: &[&'static ErrorEntry]) {
        if is_left_out(self.world, Need::Address) {
            return;
        }
        let trial = LimitTrial::with(&self);
        let spoilt = |errors: &[&'static ErrorEntry]| -> Vec<_> {
            let spoilt = errors.iter().map(|error| {
                let mut spoilt = SpoiltRequest::new(&self, Some(trial.limited_service()));
                spoilt.spoil(error.step, &error.name);
                spoilt.attempt.presented = Presented::Twice;
                (*error, spoilt)
            });
            spoilt.collect()
        };
        // Steps that need requests of their own come before the window of the limit.
        let (above, below) = (spoilt(above), spoilt(below));
        trial.use_up();
        let guessing = self.operation.contract.error(Step::CredentialLimit);
        for (error, spoilt) in above {
            spoilt.rejected(error, guessing);
        }
        for (error, spoilt) in below {
            spoilt.rejected(guessing, error);
        }
    }
}

/// The order in which two errors are arranged: the later one first, since the earlier one would reject its preparation. A step
/// that needs accepted requests comes before all others.
fn in_order<'e>(first: &'e ErrorEntry, other: &'e ErrorEntry) -> [&'e ErrorEntry; 2] {
    let rank = |error: &ErrorEntry| match error.step {
        Step::KeyReused | Step::KeySecret => 0,
        Step::Quota => 1,
        Step::Transition => 2,
        _ => 3,
    };
    if rank(first) < rank(other) {
        [first, other]
    } else {
        [other, first]
    }
}

/// A request with errors in it.
pub(crate) struct SpoiltRequest {
    pub(crate) attempt: Attempt,
    pub(crate) stage: Arc<Stage>,
    /// Where the request is sent, if not to the world: from the failing address.
    limited_service: Option<Rc<dyn LimitedService>>,
    peer: Option<IpAddr>,
}

impl SpoiltRequest {
    pub(crate) fn new(attempt: &Attempt, limited_service: Option<Rc<dyn LimitedService>>) -> Self {
        Self {
            attempt: attempt.clone().with_other_texts(),
            stage: attempt.stage(false),
            peer: limited_service.as_ref().map(|_| GUESSER),
            limited_service,
        }
    }

    #[track_caller]
    pub(crate) fn spoil(&mut self, step: Step, error: &str) {
        let operation = self.attempt.operation;
        match step {
            Step::Route => self.attempt.suffix = "/",
            Step::Method => {
                let other = operation.other_method();
                self.attempt.method = other.expect("only a path without some method is asked for it");
            }
            Step::Credential => self.attempt.presented = Presented::Twice,
            Step::Suspended => self.attempt.suspend(&self.stage.caller),
            Step::Limit => self.exhaust_limit(),
            Step::MediaType => self.attempt.content_types = vec!["application/octet-stream"],
            Step::BodySize => self.attempt = self.attempt.clone().padded_to(operation.max_bytes() + 1),
            Step::Decode => self.attempt = self.attempt.clone().parameter(UNKNOWN, "1"),
            Step::Plan => self.lessen_plan(),
            Step::Exists => {
                let about = operation.exists.last().expect("the operation names something");
                self.attempt = self.attempt.clone().absent(&about.resource.name, UNKNOWN_ID);
            }
            Step::Owner => {
                let caller = self.attempt.fresh_caller();
                self.stage = Arc::new(Stage {
                    caller,
                    ..(*self.stage).clone()
                });
            }
            // The request with the key has made one.
            Step::Quota if self.attempt.has_key() => self.attempt.fill_quota_but(1, &self.stage),
            Step::Quota => self.attempt.fill_quota(&self.stage),
            Step::Transition => self.ask_for_rejected_move(),
            Step::Rule => {
                let mut stage = (*self.stage).clone();
                self.attempt = self.attempt.clone().breaking(error, &mut stage);
                self.stage = Arc::new(stage);
            }
            Step::KeyReused | Step::KeySecret => self.use_key(step),
            Step::CredentialLimit
            | Step::Available
            | Step::ResponseBytes
            | Step::InFlight
            | Step::Busy
            | Step::BodyTime
            | Step::KeyInProgress
            | Step::Write
            | Step::Outcome
            | Step::Internal => panic!("no request can bring about {step:?}"),
        }
    }

    fn exhaust_limit(&mut self) {
        let limited_service = self
            .limited_service
            .take()
            .unwrap_or_else(|| self.attempt.world.limited_service().into());
        let stage = &self.stage;
        let trial = Trial::with_service(limited_service, &self.attempt, &stage.caller, &stage.arranged).from(self.peer);
        trial.exhaust();
        self.limited_service = Some(trial.into_service());
    }

    /// Sends the same request first, or another one, with the same key.
    #[track_caller]
    fn use_key(&mut self, step: Step) {
        let key = new_key();
        let before = self.attempt.clone();
        if step == Step::KeyReused {
            let other = self.attempt.other_request();
            self.attempt = other.expect("only operations with different requests are asked for another one");
        }
        self.attempt = self.attempt.clone().keyed(&key);
        let before = before.keyed(&key);
        before.expect_declared(&before.send(&self.stage.caller, &self.stage.arranged));
    }

    fn lessen_plan(&mut self) {
        let operation = self.attempt.operation;
        let plans = operation
            .credential
            .map_or(&[][..], |kind| operation.contract.plans(kind));
        let mut others = plans.iter().filter(|plan| Some(plan.as_str()) != operation.plan);
        let lesser = others.next().expect("there is another plan");
        self.attempt.world.set_access(&self.stage.caller, Access::Plan(lesser));
    }

    #[track_caller]
    fn ask_for_rejected_move(&mut self) {
        let rejected = self.attempt.moves().rejected();
        let rejected = rejected.expect("only operations with a move that is rejected are asked for it");
        self.attempt.move_on(&self.stage, &rejected.by_way_of);
        self.attempt = self.attempt.clone().moving_to(rejected.to);
    }

    #[track_caller]
    fn rejected(self, error: &'static ErrorEntry, other: &ErrorEntry) {
        let Self {
            attempt,
            stage,
            limited_service,
            peer,
        } = self;
        let mut request = attempt.request(&stage.caller, &stage.arranged);
        request.peer = peer;
        let response = match &limited_service {
            Some(limited_service) => limited_service.call(&request),
            None => attempt.world.call(&request),
        };
        let answer = attempt.received(&stage.caller, request, response);
        if answer.response.status != error.status {
            answer.fail(
                &format!("{} {}", error.status, error.name),
                &format!("{} comes before {}", error.name, other.name),
            );
        }
        let open = answer.expect_error(error, &attempt.values(error.step, &stage.arranged));
        let faults = open.iter().find(|(name, _)| name == "faults");
        if faults.is_some_and(|(_, faults)| !faults.contains(UNKNOWN)) {
            answer.fail(&format!("the fault that was made, `{UNKNOWN}`"), "it is not named");
        }
    }
}
