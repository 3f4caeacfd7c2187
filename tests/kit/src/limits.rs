//! Rate limits: exactly as many as declared in a window, told in the declared headers, counted for each caller or for each
//! address.

use crate::answer::Answer;
use crate::attempt::{Attempt, Presented};
use crate::contract::{Contract, Counts, Limit, Operation, Step};
use crate::world::{Arranged, Caller, Front, World};
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

/// An operation behind a front whose limits are on, as one caller sees it.
pub(crate) struct Trial<'a> {
    attempt: Attempt,
    caller: &'a Caller,
    arranged: &'a Arranged,
    limit: &'static Limit,
    front: Box<dyn Front>,
}

impl<'a> Trial<'a> {
    pub(crate) fn new(attempt: &Attempt, caller: &'a Caller, arranged: &'a Arranged) -> Self {
        let limit = attempt
            .operation
            .limit
            .expect("only operations with a limit are tried for it");
        let attempt = Attempt::new(attempt.world, attempt.contract, attempt.operation);
        // What is counted may be refused later on, which spares the world a write.
        let cheap = attempt.contract.precedes(Step::Limit, Step::Decode);
        let attempt = if cheap {
            attempt.parameter("no_such_parameter", "1")
        } else {
            attempt
        };
        let front = attempt.world.front();
        Self {
            attempt,
            caller,
            arranged,
            limit,
            front,
        }
    }

    pub(crate) fn into_front(self) -> Box<dyn Front> {
        self.front
    }

    #[track_caller]
    fn call(&self) -> Answer {
        call(&self.attempt, &*self.front, self.caller, self.arranged)
    }

    /// Sends as many requests as a window has, and expects each to count down.
    #[track_caller]
    pub(crate) fn use_up(&self) {
        for used in 1..=self.limit.max {
            let answer = self.call();
            self.expect_let_through(&answer);
            self.expect_headers(&answer, self.limit.max - used);
        }
    }

    #[track_caller]
    fn expect_let_through(&self, answer: &Answer) {
        if answer.response.status == answer.contract.row(Step::Limit).status {
            answer.fail(
                &format!("to be let through, {} ({})", self.limit.name, self.limit.at),
                "it is refused",
            );
        }
    }

    #[track_caller]
    fn expect_refused(&self) {
        let answer = self.call();
        let (seconds, _) = self.window_end();
        answer.expect_row(answer.contract.row(Step::Limit), &[("seconds", seconds.to_string())]);
        self.expect_headers(&answer, 0);
    }

    #[track_caller]
    fn expect_headers(&self, answer: &Answer, remaining: u32) {
        let (seconds, reset_unix) = self.window_end();
        let values = [
            ("limit", self.limit.name.to_owned()),
            ("max", self.limit.max.to_string()),
            ("window_seconds", self.limit.window_seconds.to_string()),
            ("remaining", remaining.to_string()),
            ("seconds", seconds.to_string()),
            ("reset_unix", reset_unix.to_string()),
        ];
        for (name, template) in answer.contract.limit_headers {
            let wanted = crate::template::filled(template, &values);
            let came = answer.response.header(name);
            if came != Some(&wanted) {
                answer.fail(&format!("{name}: {wanted}"), &format!("it is {came:?}"));
            }
        }
    }

    /// The end of the present window: in how many seconds, and at which Unix second.
    fn window_end(&self) -> (u64, u64) {
        window_end(self.front.unix_millis(), self.limit)
    }
}

fn window_end(now: u64, limit: &Limit) -> (u64, u64) {
    let length = u64::from(limit.window_seconds) * 1000;
    let end = (now / length + 1) * length;
    ((end - now).div_ceil(1000), end / 1000)
}

#[track_caller]
fn call(attempt: &Attempt, front: &dyn Front, caller: &Caller, arranged: &Arranged) -> Answer {
    let request = attempt.request(caller, arranged);
    let response = front.call(&request);
    Answer {
        contract: attempt.contract,
        operation: attempt.operation,
        request,
        response,
    }
}

impl Attempt {
    /// The operation is counted by its limit.
    #[track_caller]
    pub fn is_counted(self) {
        let stage = self.stage(true);
        let trial = Trial::new(&self, &stage.caller, &stage.arranged);
        for used in 1..=trial.limit.max.min(2) {
            trial.expect_headers(&trial.call(), trial.limit.max - used);
        }
    }

    /// The last request of a window is let through, the first one beyond it is refused until the window ends.
    #[track_caller]
    pub fn is_limited_exactly(self) {
        let stage = self.stage(true);
        let trial = Trial::new(&self, &stage.caller, &stage.arranged);
        trial.use_up();
        trial.expect_refused();
        let (seconds, _) = trial.window_end();
        trial.front.advance(Duration::from_secs(seconds - 1));
        trial.expect_refused();
        trial.front.advance(Duration::from_secs(1));
        trial.use_up();
        trial.expect_refused();
    }

    /// The count is the caller's own.
    #[track_caller]
    pub fn is_counted_for_each_caller(self) {
        let stage = self.stage(true);
        let trial = Trial::new(&self, &stage.caller, &stage.arranged);
        trial.use_up();
        let other = self.fresh_caller();
        let answer = call(&trial.attempt, &*trial.front, &other, &stage.arranged);
        trial.expect_let_through(&answer);
        trial.expect_headers(&answer, trial.limit.max - 1);
    }

    /// The count is the address's own.
    #[track_caller]
    pub fn is_counted_for_each_address(self) {
        let stage = self.stage(true);
        let trial = Trial::new(&self, &stage.caller, &stage.arranged);
        trial.use_up();
        let mut request = trial.attempt.request(&stage.caller, &stage.arranged);
        request.peer = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)));
        let answer = Answer {
            contract: self.contract,
            operation: self.operation,
            response: trial.front.call(&request),
            request,
        };
        trial.expect_let_through(&answer);
        trial.expect_headers(&answer, trial.limit.max - 1);
    }

    /// What is refused before the limit is asked does not count, and tells nothing of it.
    #[track_caller]
    pub fn is_not_counted_when_refused_before(self) {
        let stage = self.stage(true);
        let trial = Trial::new(&self, &stage.caller, &stage.arranged);
        let mut early = self.clone();
        early.presented = Presented::Not;
        let asks = self.operation.credential.is_some();
        let mut elsewhere = self;
        elsewhere.method = ["PUT", "GET", "DELETE"]
            .into_iter()
            .find(|one| !elsewhere.operation.allow.contains(one))
            .expect("one is free");
        for spoilt in std::iter::once(elsewhere).chain(asks.then_some(early)) {
            let answer = call(&spoilt, &*trial.front, &stage.caller, &stage.arranged);
            answer.expect_no_limit_headers();
        }
        trial.expect_headers(&trial.call(), trial.limit.max - 1);
    }

    /// The other operation's limit is counted apart, for the same caller.
    #[track_caller]
    pub fn is_counted_apart_from(self, other: &'static Operation) {
        let stage = self.stage(true);
        let trial = Trial::new(&self, &stage.caller, &stage.arranged);
        trial.use_up();
        let other = Self::new(self.world, self.contract, other);
        let arranged = other.arrange_for(&stage.caller);
        let apart = Trial {
            front: trial.into_front(),
            ..Trial::new(&other, &stage.caller, &arranged)
        };
        let answer = apart.call();
        apart.expect_let_through(&answer);
        apart.expect_headers(&answer, apart.limit.max - 1);
    }

    /// No limit counts the operation.
    #[track_caller]
    pub fn is_not_limited(self) {
        let stage = self.stage(true);
        let most = self.contract.limits.iter().map(|limit| limit.max).max().unwrap_or(0);
        let front = self.world.front();
        let attempt = self.parameter("no_such_parameter", "1");
        for _ in 0..=most {
            let answer = call(&attempt, &*front, &stage.caller, &stage.arranged);
            answer.expect_row(answer.contract.row(Step::Decode), &[]);
            answer.expect_no_limit_headers();
        }
    }
}

/// The limit on failed credentials, which counts for an address over all operations.
pub struct LimitTrial {
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
            attempts: guarded
                .map(|operation| Attempt::new(world, contract, operation))
                .collect(),
            limit: limit.expect("the contract limits failed credentials"),
            front: world.front(),
        }
    }

    /// The last one of a window is a refused credential, the one behind it is guessing, until the window ends; and all
    /// the while the right credential from the same address, and a wrong one from another, are treated as ever.
    #[track_caller]
    pub fn is_limited_exactly(self) {
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
        let (seconds, _) = window_end(self.front.unix_millis(), self.limit);
        self.front.advance(Duration::from_secs(seconds - 1));
        self.expect(kinds[0], 0, 1, Step::CredentialLimit);
        self.front.advance(Duration::from_secs(1));
        self.expect(kinds[0], 0, 1, Step::Credential);
    }

    #[track_caller]
    fn expect(&self, spoil: fn(&mut Attempt), number: usize, host: u8, step: Step) {
        let mut attempt = self.attempts[number % self.attempts.len()].clone();
        spoil(&mut attempt);
        let answer = self.call(&attempt, host);
        let (seconds, _) = window_end(self.front.unix_millis(), self.limit);
        let header = attempt.operation.credential.map_or("", |kind| kind.header).to_owned();
        answer.expect_row(
            attempt.contract.row(step),
            &[("seconds", seconds.to_string()), ("header", header)],
        );
    }

    #[track_caller]
    fn expect_right_credential_served(&self) {
        for attempt in &self.attempts {
            let answer = self.call(&attempt.clone().parameter("no_such_parameter", "1"), 1);
            answer.expect_row(attempt.contract.row(Step::Decode), &[]);
        }
    }

    fn call(&self, attempt: &Attempt, host: u8) -> Answer {
        let stage = attempt.stage(true);
        let mut request = attempt.request(&stage.caller, &stage.arranged);
        request.peer = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, host)));
        let response = self.front.call(&request);
        Answer {
            contract: attempt.contract,
            operation: attempt.operation,
            request,
            response,
        }
    }
}
