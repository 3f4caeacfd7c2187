//! The limit on failed credentials: from one address there may be so many, whatever they are for.

use super::window::{Timed, around_the_end, timed, window};
use crate::attempt::{Attempt, Presented};
use crate::contract::{Contract, Counts, Limit, Operation, Step};
use crate::world::{Front, Need, World, is_left_out};
use std::net::{IpAddr, Ipv4Addr};

/// The limit on failed credentials, which counts for an address over all operations.
pub struct LimitTrial {
    world: &'static dyn World,
    attempts: Vec<Attempt>,
    limit: &'static Limit,
    front: Box<dyn Front>,
}

impl LimitTrial {
    /// Tries the contract's limit on failed credentials with all of these operations.
    pub fn of_failed_credentials(
        world: &'static dyn World,
        contract: &'static Contract,
        operations: &[&'static Operation],
    ) -> Self {
        let limit = contract
            .limits
            .iter()
            .find(|limit| limit.counts == Counts::FailedCredentials);
        let guarded = operations.iter().filter(|operation| operation.credential.is_some());
        Self {
            world,
            attempts: guarded
                .map(|operation| Attempt::new(world, contract, operation))
                .collect(),
            limit: limit.expect("the contract limits failed credentials"),
            front: world.front(),
        }
    }

    /// The same, to try this rule of the contract, which stands at this place.
    #[must_use]
    pub fn trying(mut self, rule: &'static str, at: &'static str) -> Self {
        let attempts = self.attempts.into_iter();
        self.attempts = attempts.map(|attempt| attempt.trying(rule, at)).collect();
        self
    }

    /// The last one of a window is a refused credential, the one behind it is guessing, until the window ends; and all
    /// the while the right credential from the same address, and a wrong one from another, are treated as ever.
    #[track_caller]
    pub fn is_limited_exactly(self) {
        if [Need::Address, Need::Window(window(self.limit))]
            .into_iter()
            .any(|need| is_left_out(self.world, need))
        {
            return;
        }
        self.front.begin(window(self.limit));
        let kinds: [fn(&mut Attempt); 3] = [
            |attempt| attempt.presented = Presented::Not,
            |attempt| attempt.presented = Presented::Twice,
            |attempt| attempt.presented = Presented::As(|secret| format!("{secret}x")),
        ];
        for number in 0..self.limit.max as usize {
            self.expect(kinds[number % kinds.len()], number, 1, Step::Credential);
        }
        for kind in kinds {
            self.expect(kind, 0, 1, Step::CredentialLimit);
        }
        self.expect(kinds[0], 0, 2, Step::Credential);
        self.expect_right_credential_served();
        around_the_end(self.world, &*self.front, self.limit, || {
            self.expect(kinds[0], 0, 1, Step::CredentialLimit);
        });
        self.expect(kinds[0], 0, 1, Step::Credential);
    }

    #[track_caller]
    fn expect(&self, spoil: fn(&mut Attempt), number: usize, host: u8, step: Step) {
        let mut attempt = self.attempts[number % self.attempts.len()].clone();
        spoil(&mut attempt);
        let header = attempt.operation.credential.map_or("", |kind| kind.header).to_owned();
        let timed = self.call(&attempt, host);
        timed.expect_row(step, self.limit, &[("header", header)]);
    }

    #[track_caller]
    fn expect_right_credential_served(&self) {
        for attempt in &self.attempts {
            let attempt = attempt.clone().parameter("no_such_parameter", "1");
            let Timed { answer, .. } = self.call(&attempt, 1);
            answer.expect_row(attempt.contract.row(Step::Decode), &[]);
        }
    }

    fn call(&self, attempt: &Attempt, host: u8) -> Timed {
        let stage = attempt.stage(true);
        let mut request = attempt.request(&stage.caller, &stage.arranged);
        request.peer = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, host)));
        timed(attempt, &*self.front, request)
    }
}
