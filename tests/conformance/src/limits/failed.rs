//! The limit on failed credentials: an address may fail this often, for all operations together.

use super::window::{Timed, around_the_end, timed, window};
use crate::attempt::{Attempt, Presented};
use crate::contract::Operation;
use crate::world::{LimitedService, Need, World, is_left_out};
use codegen::model::Limit;
use codegen::step::Step;
use std::net::{IpAddr, Ipv4Addr};
use std::rc::Rc;

/// The failing address.
pub(crate) const GUESSER: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

/// Another one.
const OTHER_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2));

/// The limit on failed credentials, which counts an address over all operations.
pub(crate) struct LimitTrial {
    world: &'static dyn World,
    attempts: Vec<Attempt>,
    limit: &'static Limit,
    limited_service: Rc<dyn LimitedService>,
}

/// The kinds of failure.
const KINDS: [fn(&mut Attempt); 3] = [
    |attempt| attempt.presented = Presented::Not,
    |attempt| attempt.presented = Presented::Twice,
    |attempt| attempt.presented = Presented::As(|secret| format!("{secret}x")),
];

impl LimitTrial {
    /// Tries the contract's limit on failed credentials with all of these operations.
    pub(crate) fn of_failed_credentials(world: &'static dyn World, operations: &[&'static Operation]) -> Self {
        let guarded = operations.iter().filter(|operation| operation.credential.is_some());
        let attempts = guarded.map(|operation| Attempt::new(world, operation));
        Self::new(world, attempts.collect())
    }

    fn new(world: &'static dyn World, attempts: Vec<Attempt>) -> Self {
        let limit = attempts
            .iter()
            .find_map(|attempt| attempt.operation.contract.failed_credentials());
        Self {
            world,
            attempts,
            limit: limit.expect("the contract limits failed credentials"),
            limited_service: world.limited_service().into(),
        }
    }

    /// The limit, tried with one operation.
    pub(crate) fn with(attempt: &Attempt) -> Self {
        Self::new(attempt.world, vec![attempt.clone()])
    }

    /// The same, to try this rule of the contract at this position.
    #[must_use]
    pub(crate) fn trying(mut self, rule: &'static str, at: &'static str) -> Self {
        let attempts = self.attempts.into_iter();
        self.attempts = attempts.map(|attempt| attempt.trying(rule, at)).collect();
        self
    }

    /// The last failure of a window is answered as a rejected credential, the next one as guessing, until the window
    /// ends. Meanwhile the right credential from this address, and a wrong one from another, are answered as usual.
    #[track_caller]
    pub(crate) fn counts_exactly(self) {
        if [Need::Address, Need::Window(window(self.limit))]
            .into_iter()
            .any(|need| is_left_out(self.world, need))
        {
            return;
        }
        self.use_up();
        self.expect_only_guessing_rejected();
        around_the_end(self.world, &*self.limited_service, self.limit.window_seconds, || {
            self.expect(KINDS[0], 0, GUESSER, Step::CredentialLimit);
        });
        self.expect(KINDS[0], 0, GUESSER, Step::Credential);
    }

    /// Sends as many failed credentials as a window allows.
    #[track_caller]
    pub(crate) fn use_up(&self) {
        self.limited_service.begin(window(self.limit));
        for number in 0..self.limit.max as usize {
            self.expect(KINDS[number % KINDS.len()], number, GUESSER, Step::Credential);
        }
    }

    #[track_caller]
    fn expect_only_guessing_rejected(&self) {
        for kind in KINDS {
            self.expect(kind, 0, GUESSER, Step::CredentialLimit);
        }
        self.expect(KINDS[0], 0, OTHER_ADDRESS, Step::Credential);
        self.expect_right_credential_served();
    }

    #[track_caller]
    fn expect(&self, spoil: fn(&mut Attempt), number: usize, from: IpAddr, step: Step) {
        let mut attempt = self.attempts[number % self.attempts.len()].clone();
        spoil(&mut attempt);
        let header = attempt.operation.credential.map_or("", |kind| &kind.header).to_owned();
        let timed = self.call(&attempt, from);
        timed.expect_error(step, self.limit.window_seconds, &[("header", header)]);
    }

    #[track_caller]
    fn expect_right_credential_served(&self) {
        for attempt in &self.attempts {
            let attempt = attempt.clone().parameter("no_such_parameter", "1");
            let Timed { answer, .. } = self.call(&attempt, GUESSER);
            answer.expect_error(attempt.operation.contract.error(Step::Decode), &[]);
        }
    }

    fn call(&self, attempt: &Attempt, from: IpAddr) -> Timed {
        let stage = attempt.stage(true);
        let mut request = attempt.request(&stage.caller, &stage.arranged);
        request.peer = Some(from);
        timed(attempt, &*self.limited_service, request)
    }
}

impl Attempt {
    /// As many failed credentials as the limit allows are rejected as such, and the next ones as guessing.
    #[track_caller]
    pub(crate) fn rejects_guessing(self) {
        if is_left_out(self.world, Need::Address) {
            return;
        }
        let trial = LimitTrial::with(&self);
        trial.use_up();
        trial.expect_only_guessing_rejected();
    }
}
