//! Idempotency keys: a request with a key is done once, however often and in whatever notation it is sent.

use super::races::at_once;
use super::rejected::settled;
use crate::answer::Answer;
use crate::attempt::Attempt;
use crate::stage::Stage;
use crate::suite::leave_out;
use crate::types::Type;
use crate::value::list;
use codegen::model::ErrorEntry;
use codegen::step::Step;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::thread;
use std::time::Duration;

/// The simultaneous requests of a race.
const CALLERS: usize = 8;

/// A key that no other test and no earlier run sent.
pub(crate) fn new_key() -> String {
    format!("key-{:016x}", RandomState::new().build_hasher().finish())
}

/// Texts that are no idempotency keys.
pub(crate) fn invalid_keys() -> impl Iterator<Item = String> {
    let short = ["", "\"\"", "two words", "\"two words\"", "\"open", "\"a\" b"];
    short.map(str::to_owned).into_iter().chain(["k".repeat(256)])
}

impl Attempt {
    /// The same request with the same key changes nothing. It gets the same body again, or, if that had a secret, the
    /// error that says so.
    #[track_caller]
    pub fn is_done_once_for_a_key(self) {
        if let Some(first) = settled(|pause| self.changed_when_repeated(pause)) {
            first.fail(
                "nothing changed by repetitions",
                "something reads differently after them",
            );
        }
    }

    /// Sends the request, and after this time repeats it. Returns the first answer if something reads differently then.
    #[track_caller]
    fn changed_when_repeated(&self, pause: Duration) -> Option<Answer> {
        let (stage, key) = (self.stage(false), new_key());
        let first = self.clone().keyed(&key).accepted_on(&stage.caller, &stage.arranged);
        self.expect_first(&first);
        thread::sleep(pause);
        let before = self.readable_state(&stage);
        for notation in [key.clone(), format!("\"{key}\""), key] {
            let again = self.clone().keyed(&notation);
            match self.operation.declared.replays() {
                true => {
                    let answer = again.send(&stage.caller, &stage.arranged);
                    self.expect_replay(&answer, &first);
                }
                false => again.rejected_for_its_secret(&stage, &first),
            }
        }
        (before != self.readable_state(&stage)).then_some(first)
    }

    /// White space and the order of members are no part of a request.
    #[track_caller]
    pub fn is_the_same_in_any_order(self) {
        let (stage, key) = (self.stage(false), new_key());
        let keyed = self.clone().keyed(&key);
        let first = keyed.accepted_on(&stage.caller, &stage.arranged);
        let mut request = keyed.request(&stage.caller, &stage.arranged);
        let body = request.body.as_deref().map(serde_json::from_slice::<serde_json::Value>);
        let Some(Ok(serde_json::Value::Object(members))) = body else {
            return leave_out("the body has no members");
        };
        let members = members
            .iter()
            .rev()
            .map(|(name, value)| format!("\n  {name:?} : {value:#}"));
        let members = members.collect::<Vec<_>>().join(",");
        request.body = Some(format!("{{{members}\n}}").into_bytes());
        let response = self.world.call(&request);
        let answer = self.received(&stage.caller, request, response);
        self.expect_replay(&answer, &first);
    }

    /// Another request with the same key is rejected.
    #[track_caller]
    pub fn is_no_other_request(self) {
        let (stage, key) = (self.stage(false), new_key());
        let others = [self.request_with_other_content(), self.request_for_another_path()];
        let others: Vec<Self> = others.into_iter().flatten().collect();
        assert!(!others.is_empty(), "{} has one request", self.operation.name);
        let first = self.clone().keyed(&key).accepted_on(&stage.caller, &stage.arranged);
        self.expect_first(&first);
        for other in others {
            other.keyed(&key).rejected_at(Step::KeyReused, &stage);
        }
    }

    /// The repetition of a request whose answer had a secret is rejected.
    #[track_caller]
    pub fn shows_its_secret_once(self) {
        let (stage, key) = (self.stage(false), new_key());
        let keyed = self.keyed(&key);
        let first = keyed.accepted_on(&stage.caller, &stage.arranged);
        keyed.rejected_for_its_secret(&stage, &first);
    }

    /// Keys of different callers are independent.
    #[track_caller]
    pub fn shares_no_key_with_others(self) {
        let key = new_key();
        let keyed = self.clone().keyed(&key);
        let answers = [0, 1].map(|_| {
            let stage = self.stage(false);
            keyed.accepted_on(&stage.caller, &stage.arranged)
        });
        answers.iter().for_each(|answer| self.expect_first(answer));
    }

    /// These are no keys.
    #[track_caller]
    pub fn rejects_invalid_keys(self) {
        let header = &self.keys_of_contract().header.text;
        for key in invalid_keys() {
            self.clone().keyed(&key).invalid(&[header]);
        }
        self.keyed("one").keyed("two").invalid(&[header]);
    }

    /// A request that was rejected is not done yet: the key can be used again.
    #[track_caller]
    pub fn keeps_no_rejection(self, rejected: &'static [&'static ErrorEntry]) {
        let (stage, key) = (self.stage(false), new_key());
        for error in rejected {
            let mut spoilt = crate::precedence::SpoiltRequest::new(&self.clone().keyed(&key), None);
            spoilt.stage = std::sync::Arc::clone(&stage);
            spoilt.spoil(error.step, &error.name);
            let answer = spoilt.attempt.send(&stage.caller, &stage.arranged);
            answer.expect_error(error, &[]);
        }
        let first = self.clone().keyed(&key).accepted_on(&stage.caller, &stage.arranged);
        self.expect_first(&first);
    }

    /// Of several at once, one is done. The others get its answer, or the error for a key that is in progress.
    #[track_caller]
    pub fn is_done_once_at_once_for_a_key(self) {
        for _ in 0..self.rounds() {
            let (stage, key) = (self.stage(false), new_key());
            let answers = at_once(&vec![self.clone().keyed(&key); CALLERS], &stage);
            let (firsts, others): (Vec<&Answer>, Vec<&Answer>) = answers
                .iter()
                .partition(|answer| answer.is_success() && !self.is_replay(answer));
            let [first] = firsts.as_slice() else {
                let wanted = format!("one of {CALLERS} simultaneous requests with one key is done");
                answers[0].fail(&wanted, &format!("{} are", firsts.len()));
            };
            for other in others {
                if other.is_success() {
                    self.expect_replay(other, first);
                } else {
                    let contract = self.operation.contract;
                    let steps = [Step::KeyInProgress, Step::KeySecret];
                    let mut errors = steps.iter().filter_map(|step| contract.model.error_at(*step));
                    if !errors.any(|error| other.is_error(error)) {
                        other.fail("the first answer, or an error for the key", "it is neither");
                    }
                }
            }
        }
    }

    /// A request of the same operation that differs in its content; in its path if it has no other content.
    pub(crate) fn other_request(&self) -> Option<Self> {
        self.request_with_other_content()
            .or_else(|| self.request_for_another_path())
    }

    fn request_with_other_content(&self) -> Option<Self> {
        const OTHER: usize = 77;
        if let Some((_, text)) = self.operation.file_sample() {
            return Some(self.clone().bytes(format!("{text} {OTHER}").as_bytes()));
        }
        let varied = self.varied(OTHER);
        let is_varied = self
            .operation
            .members()
            .iter()
            .any(|one| varied.sent(one.name) != self.sent(one.name));
        if is_varied {
            return Some(varied);
        }
        let mut lists = self
            .operation
            .members()
            .iter()
            .filter(|one| self.sent(one.name).is_some());
        let of_list = lists.find(|one| matches!(one.of, Type::List { .. }))?;
        Some(self.clone().with(of_list.name, list(of_list.of, 2)))
    }

    fn request_for_another_path(&self) -> Option<Self> {
        let named = self.operation.exists.iter().find(|exists| exists.is_in_path())?;
        Some(self.clone().absent(&named.resource.name, (1_i64 << 53) - 2))
    }

    fn keys_of_contract(&self) -> &'static codegen::model::Idempotency {
        let keys = self.operation.contract.model.idempotency.as_ref();
        keys.expect("only operations that take keys are asked about them")
    }

    fn is_replay(&self, answer: &Answer) -> bool {
        answer.response.header(&self.keys_of_contract().replayed) == Some("true")
    }

    #[track_caller]
    fn expect_first(&self, answer: &Answer) {
        self.expect_declared(answer);
        if self.is_replay(answer) {
            answer.fail(
                "the answer to a first request",
                "it says that it is that of an earlier one",
            );
        }
    }

    #[track_caller]
    fn expect_replay(&self, answer: &Answer, first: &Answer) {
        self.expect_declared(answer);
        if answer.response.body != first.response.body {
            let first = String::from_utf8_lossy(&first.response.body).into_owned();
            answer.fail(&format!("the body of the first answer: {first}"), "it is another one");
        }
        if !self.is_replay(answer) {
            let header = &self.keys_of_contract().replayed;
            answer.fail(&format!("the header {header}: true"), "it has none");
        }
    }

    #[track_caller]
    fn rejected_for_its_secret(&self, stage: &Stage, first: &Answer) {
        let error = self.operation.contract.error(Step::KeySecret);
        let mut values = self.values(Step::KeySecret, &stage.arranged);
        let made = self.operation.declared.made_id();
        values.extend(made.map(|(id, _)| ("id", first.data()[id.name.as_str()].to_string())));
        self.rejected_by(error, stage, &values);
    }
}
