//! The bound on the bytes of responses to a caller: a request is rejected once the responses before it have reached it.

use super::call;
use super::window::around_the_end;
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::suite::leave_out;
use crate::world::{Caller, LimitedService, Need, RequestedResources, is_left_out};
use codegen::model::ResponseBytes;
use codegen::step::Step;
use std::time::Duration;

/// How many bytes a response has at least that names [`FAULTS`] unknown parameters.
const SHORTEST: u32 = 1800;
const FAULTS: usize = 20;
/// Requests that are sent after the maximum was reached. Limits may count them.
const LATER: u32 = 5;

/// The bound on responses of an operation; `None` if there is none, or if invalid requests, as many as limits allow, do not
/// reach it.
pub(crate) fn reachable_response_bytes(operation: &Operation) -> Option<ResponseBytes> {
    let model = operation.contract.model;
    let bytes = model.response_bytes(operation.surface)?;
    let place = |step| model.errors.iter().position(|error| error.step == step);
    let is_reached = bytes.max / most(operation) <= SHORTEST && place(Step::ResponseBytes) < place(Step::Decode);
    is_reached.then_some(bytes)
}

/// How many requests limits allow.
fn most(operation: &Operation) -> u32 {
    const ANY: u32 = 1000;
    operation
        .limit
        .map_or(ANY, |limit| limit.max)
        .saturating_sub(LATER)
        .max(1)
}

/// Whether a world can create another credential of a caller.
pub(crate) fn has_other_credentials(operation: &Operation) -> bool {
    let model = operation.contract.model;
    let has_others = operation.credential.is_some_and(|one| model.has_other_credentials(one));
    has_others && operation.limit.is_some_and(|limit| limit.owner_max.is_some())
}

struct Trial<'t> {
    attempt: Attempt,
    bytes: ResponseBytes,
    limited_service: &'t dyn LimitedService,
    arranged: &'t RequestedResources,
}

impl Trial<'_> {
    /// The length of the response; `None` if it is the error of this bound.
    #[track_caller]
    fn length(&self, caller: &Caller) -> Option<usize> {
        let answer = call(&self.attempt, self.limited_service, caller, self.arranged).answer;
        let is_rejected = answer.response.status == answer.operation.contract.error(Step::ResponseBytes).status;
        (!is_rejected).then_some(answer.response.body.len())
    }

    #[track_caller]
    fn expect_let_through(&self, caller: &Caller, sent: usize) -> usize {
        let max = self.bytes.max;
        self.length(caller).unwrap_or_else(|| {
            panic!("it is rejected after responses of {sent} bytes, though api.response_bytes allows {max}")
        })
    }

    #[track_caller]
    fn expect_rejected(&self, caller: &Caller) {
        let timed = call(&self.attempt, self.limited_service, caller, self.arranged);
        let max = [("max", self.bytes.max.to_string())];
        timed.expect_error(Step::ResponseBytes, self.bytes.window_seconds, &max);
    }
}

impl Attempt {
    /// Requests of a caller are let through until it was sent the maximum, and then rejected until the window ends, with
    /// all of its credentials. Another caller is let through.
    #[track_caller]
    pub(crate) fn rejects_after_response_bytes(self, bytes: ResponseBytes) {
        let window = Duration::from_secs(bytes.window_seconds.into());
        if is_left_out(self.world, Need::Window(window)) {
            return;
        }
        let stage = self.uncounted_stage();
        let limited_service = self.world.limited_service();
        let names = (0..FAULTS).map(|index| format!("{}{index:02}", "é".repeat(38)));
        let trial = Trial {
            attempt: names.fold(self.anew(self.operation), |attempt, name| attempt.parameter(&name, "1")),
            bytes,
            limited_service: &*limited_service,
            arranged: &stage.arranged,
        };
        limited_service.begin(window);
        let mut sent = 0;
        for _ in 0..most(self.operation) {
            if sent >= bytes.max as usize {
                break;
            }
            // In real time, what was sent to the caller before counts as well.
            match trial.length(&stage.caller) {
                None if self.world.is_limited() => sent = usize::MAX,
                Some(length) => sent += length,
                None => _ = trial.expect_let_through(&stage.caller, sent),
            }
        }
        if sent < bytes.max as usize {
            return leave_out("as many requests as the limits allow have too short responses");
        }
        trial.expect_rejected(&stage.caller);
        trial.expect_let_through(&self.fresh_caller(), 0);
        let around = |caller: &Caller| {
            around_the_end(self.world, &*limited_service, bytes.window_seconds, || {
                trial.expect_rejected(caller);
            });
            trial.expect_let_through(caller, 0);
        };
        match has_other_credentials(self.operation) && !self.world.is_limited() {
            true => around(&self.world.another(&stage.caller)),
            false => around(&stage.caller),
        }
    }
}
