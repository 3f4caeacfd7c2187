//! Races: simultaneous requests get no more than the contract allows to the same requests one after the other.

use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::contract::Transitions;
use crate::stage::Stage;
use crate::suite::leave_out;
use codegen::model::ErrorEntry;
use codegen::step::Step;
use std::sync::Barrier;
use std::thread;

/// Simultaneous callers. With their earlier requests they stay below the limit of a minute.
const CALLERS: usize = 8;

/// Rounds of a race without limits. A rare lost race shows in one of them.
const ROUNDS: usize = 30;

impl Attempt {
    /// If several callers request the last resource of a quota at once, one of them gets it.
    #[track_caller]
    pub(crate) fn gives_the_last_of_a_quota_once(self) {
        if self.operation.makes_one_for_each_parent() {
            return leave_out("a rule rejects the same request of one caller");
        }
        for _ in 0..self.rounds() {
            let stage = self.stage(false);
            self.fill_quota_but(1, &stage);
            let attempts: Vec<Self> = (0..CALLERS).map(|index| self.varied(100 + index)).collect();
            let answers = at_once(&attempts, &stage);
            self.expect_one_success(&answers);
            let values = self.values(Step::Quota, &stage.arranged);
            for answer in answers.iter().filter(|answer| !answer.is_success()) {
                answer.expect_error(self.operation.contract.error(Step::Quota), &values);
            }
            self.rejected_at(Step::Quota, &stage);
        }
    }

    /// An operation that cannot be repeated succeeds once if several callers send it at once; a repeatable one succeeds at
    /// least once. All others are rejected by a guard, a quota, the state machine or one of its rules.
    #[track_caller]
    pub(crate) fn succeeds_once_however_often_at_once(self) {
        let rules = self.operation.declared.rules.iter();
        let rules: &Vec<&str> = &rules.map(|rule| rule.as_str()).collect();
        let stage = self.stage(false);
        self.accepted_on(&stage.caller, &stage.arranged);
        let again = self.send(&stage.caller, &stage.arranged);
        let is_once = !again.is_success();
        let error_response = is_once.then(|| self.expect_rejection(&again, rules));
        for _ in 0..self.rounds() {
            let stage = self.stage(false);
            let attempt = self.clone().with_other_texts();
            let answers = at_once(&vec![attempt.clone(); CALLERS], &stage);
            if is_once {
                self.expect_one_success(&answers);
            } else if !answers.iter().any(Answer::is_success) {
                answers[0].fail("a success for one of those who ask at once", "all are rejected");
            }
            for answer in answers.iter().filter(|answer| !answer.is_success()) {
                self.expect_rejection(answer, rules);
            }
            if let Some(error) = error_response {
                attempt.send(&stage.caller, &stage.arranged).expect_error(error, &[]);
            }
        }
    }

    /// Callers move one resource to different states at once. The successful transitions can have happened one after
    /// the other, and the others were rejected for a state that forbids them.
    #[track_caller]
    pub(crate) fn moves_one_after_the_other(self) {
        let moves = self.moves();
        for _ in 0..self.rounds() {
            let stage = self.stage(false);
            let to: Vec<&str> = moves.words.iter().map(String::as_str).cycle().take(CALLERS).collect();
            let attempts: Vec<Self> = to.iter().map(|to| self.clone().moving_to(to)).collect();
            let answers = at_once(&attempts, &stage);
            let mut moved = Vec::new();
            for (answer, to) in answers.iter().zip(to) {
                if answer.is_success() {
                    moved.push(to);
                } else {
                    self.expect_in_the_way(answer, moves, to, &stage);
                }
            }
            if !moves.can_follow(&moved) {
                let order = format!("{moved:?} one after the other from {}", moves.states.initial);
                answers[0].fail(&order, "no order of them is allowed");
            }
        }
    }

    #[track_caller]
    fn expect_in_the_way(&self, answer: &Answer, moves: &Transitions, to: &str, stage: &Stage) {
        let values = self.values(Step::Transition, &stage.arranged);
        let values = [values, vec![("to", to.to_owned())]].concat();
        let open = answer.expect_error(self.operation.contract.error(Step::Transition), &values);
        if let Some((_, from)) = open
            .iter()
            .find(|(name, from)| name == "from" && moves.may_become(from, to))
        {
            answer.fail("a state that stands in the way", &format!("{to} may follow {from}"));
        }
    }

    pub(super) fn rounds(&self) -> usize {
        let cost = self.operation.quota.map_or(1, |quota| quota.max / 8 + 1);
        let cost = usize::try_from(cost).unwrap_or(ROUNDS);
        if self.world.is_limited() {
            1
        } else {
            (ROUNDS / cost).max(1)
        }
    }

    #[track_caller]
    fn expect_one_success(&self, answers: &[Answer]) {
        let successes: Vec<&Answer> = answers.iter().filter(|answer| answer.is_success()).collect();
        for answer in &successes {
            self.expect_declared(answer);
        }
        if successes.len() != 1 {
            let answer = successes.get(1).copied().unwrap_or(&answers[0]);
            let count = successes.len();
            answer.fail(
                &format!("one success among {CALLERS} who ask at once"),
                &format!("{count} succeed; this is one of the {CALLERS} requests"),
            );
        }
    }

    /// The error of the answer: one that can reject an otherwise valid request.
    #[track_caller]
    pub(super) fn expect_rejection(&self, answer: &Answer, rules: &[&str]) -> &'static ErrorEntry {
        let can_reject = |error: &&ErrorEntry| match error.step {
            Step::Exists | Step::Quota | Step::Transition => true,
            Step::Rule => rules.contains(&error.name.as_str()),
            Step::Route
            | Step::Method
            | Step::CredentialLimit
            | Step::Available
            | Step::Credential
            | Step::Suspended
            | Step::Limit
            | Step::ResponseBytes
            | Step::InFlight
            | Step::Busy
            | Step::MediaType
            | Step::BodySize
            | Step::BodyTime
            | Step::Decode
            | Step::KeyReused
            | Step::KeyInProgress
            | Step::KeySecret
            | Step::Plan
            | Step::Owner
            | Step::Write
            | Step::Outcome
            | Step::Internal => false,
        };
        let mut errors = self.operation.contract.model.errors.iter().filter(can_reject);
        let Some(error) = errors.find(|error| answer.is_error(error)) else {
            answer.fail(
                &format!("a success, or a refusal by a guard, a quota, a state or one of {rules:?}"),
                "it is neither",
            );
        };
        answer.expect_error(error, &[]);
        error
    }
}

/// The answers to requests that are sent together.
#[track_caller]
pub(super) fn at_once(attempts: &[Attempt], stage: &Stage) -> Vec<Answer> {
    let barrier = &Barrier::new(attempts.len());
    let calls = thread::scope(|scope| {
        let call = |attempt: &Attempt| {
            let (world, request) = (attempt.world, attempt.request(&stage.caller, &stage.arranged));
            scope.spawn(move || {
                barrier.wait();
                let response = world.call(&request);
                (request, response)
            })
        };
        let calls: Vec<_> = attempts.iter().map(call).collect();
        calls
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .collect::<Vec<_>>()
    });
    let received = attempts.iter().zip(calls).map(|(attempt, call)| match call {
        Ok((request, response)) => attempt.received(request, response),
        Err(panic) => std::panic::resume_unwind(panic),
    });
    received.collect()
}
