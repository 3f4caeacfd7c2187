//! Tests of idempotency keys.

use crate::contract::Operation;
use crate::suite::leak_all;
use crate::suite::trials::rule::Rule;
use crate::suite::trials::{Trials, calls};
use codegen::step::Step;

pub(super) fn add(operation: &'static Operation, trials: &mut Trials) {
    let model = operation.contract.model;
    let (Some(keys), Some(_)) = (&model.idempotency, operation.declared.keep_seconds) else {
        return;
    };
    let rule = |words: &str| Rule::new(words, keys.at);
    let once = rule("a request with a key is done once");
    if operation.declared.replays() {
        trials.accepts("key_sent_again", &once, calls!(.is_done_once_for_a_key()));
        let same = rule("white space and the order of members are no part of a request");
        trials.accepts(
            "key_with_the_members_in_another_order",
            &same,
            calls!(.is_the_same_in_any_order()),
        );
    } else {
        trials.rejects(
            "key_sent_again",
            Step::KeySecret,
            &once,
            calls!(.is_done_once_for_a_key()),
        );
        let secret = rule("a secret is not stored");
        trials.rejects(
            "key_of_a_secret",
            Step::KeySecret,
            &secret,
            calls!(.shows_its_secret_once()),
        );
    }
    let other = rule("a key belongs to one request");
    trials.rejects(
        "key_of_another_request",
        Step::KeyReused,
        &other,
        calls!(.is_no_other_request()),
    );
    let form = rule("a key is 1 to 255 visible ASCII characters, bare or in double quotes, and sent once");
    trials.invalid("invalid_keys", &form, calls!(.rejects_invalid_keys()));
    if operation.credential.is_some_and(|kind| kind.caller.is_some()) {
        let callers = rule("the keys of different callers are independent");
        trials.accepts("key_of_another_caller", &callers, calls!(.shares_no_key_with_others()));
    }
    let is_cured = |step| matches!(step, Step::Decode | Step::Exists);
    let errors = model.errors_of(operation.surface, operation.declared).into_iter();
    let rejected = leak_all(errors.filter(|error| is_cured(error.step)));
    let successes = rule("only successes are stored");
    trials.accepts(
        "key_after_a_rejection",
        &successes,
        calls!(.keeps_no_rejection(rejected)),
    );
    let at_once = rule("several at once with one key are done once");
    trials.accepts("same_key_at_once", &at_once, calls!(.is_done_once_at_once_for_a_key()));
}
