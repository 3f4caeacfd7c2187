//! Tests the list checks with a correct service, and with one for each kind of defect.

mod service;

use self::service::{Cups, Defect};
use crate::attempt::Attempt;
use crate::suite::Suite;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

/// The checks that a service with this defect fails, by name, and the message of the first one.
fn failing(defect: Defect) -> (Vec<&'static str>, String) {
    type Trial = (&'static str, fn(Attempt));
    const TRIALS: [Trial; 11] = [
        ("all", Attempt::lists_all),
        ("caller", |attempt| attempt.lists_filtered(&["$caller"])),
        ("colour", |attempt| attempt.lists_filtered(&["colour"])),
        ("least", |attempt| attempt.lists_filtered(&["least"])),
        ("colour and least", |attempt| {
            attempt.lists_filtered(&["colour", "least"])
        }),
        ("order", Attempt::lists_in_order),
        ("written", Attempt::lists_what_was_written),
        ("default size", Attempt::pages_of_default_size),
        ("each size", Attempt::pages_of_each_size),
        ("past the end", Attempt::pages_past_the_end),
        ("together", Attempt::pages_together_are_the_whole),
    ];
    let world: &'static Cups = Box::leak(Box::new(Cups::with(defect)));
    static SUITE: LazyLock<&Suite> = LazyLock::new(|| Suite::from_source(include_str!("tests/cups.yaml"), "cups.yaml"));
    let operation = SUITE.operation("cups::list").expect("it is there");
    let mut message = String::new();
    let failed = TRIALS.into_iter().filter(|(_, trial)| {
        let attempt = Attempt::new(world, operation);
        let Err(panic) = catch_unwind(AssertUnwindSafe(|| trial(attempt))) else {
            return false;
        };
        if message.is_empty() {
            message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        }
        true
    });
    let names = failed.map(|(name, _)| name).collect();
    (names, message)
}

#[test]
fn a_correct_list_passes_every_trial() {
    let (failed, message) = failing(Defect::None);
    assert!(failed.is_empty(), "{failed:?}\n{message}");
}

#[test]
fn each_defect_fails_its_trial() {
    let seen_by = [
        (Defect::OrderReversed, "order"),
        (Defect::TiesReversed, "order"),
        (Defect::OtherOwnersCups, "caller"),
        (Defect::ColourIgnored, "colour"),
        (Defect::ColourIgnored, "colour and least"),
        (Defect::LeastIgnored, "least"),
        (Defect::LeastIgnored, "colour and least"),
        (Defect::LeastExclusive, "least"),
        (Defect::TotalTooHigh, "all"),
        (Defect::TotalOfThePage, "together"),
        (Defect::OffsetByOne, "together"),
        (Defect::LastRowMissing, "all"),
        (Defect::DefaultSizeByOne, "default size"),
        (Defect::SizeByOne, "each size"),
        (Defect::OtherName, "written"),
        (Defect::ACupForgotten, "all"),
    ];
    for (defect, trial) in seen_by {
        let (failed, message) = failing(defect);
        assert!(failed.contains(&trial), "{defect:?} is seen by {failed:?}\n{message}");
    }
}

#[test]
fn a_failing_trial_names_item_rule_and_request() {
    let (_, message) = failing(Defect::OtherOwnersCups);
    for part in [
        "cups.yaml:",
        "should not be by `$caller = owner_id`",
        "curl -i -X GET",
        "\"owner_id\":",
    ] {
        assert!(message.contains(part), "no `{part}` in\n{message}");
    }
}
