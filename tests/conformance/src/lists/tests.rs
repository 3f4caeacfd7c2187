//! Tests the list checks with a correct service, and with one for each kind of defect.

mod contract;
mod service;

use self::contract::{CONTRACT, list};
use self::service::{Cups, Mistake};
use crate::attempt::Attempt;
use crate::contract::Operation;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The checks that a service with this defect fails, by name, and the message of the first one.
fn failing(mistake: Mistake) -> (Vec<&'static str>, String) {
    type Trial = (&'static str, fn(Attempt));
    const TRIALS: [Trial; 11] = [
        ("all", Attempt::lists_all),
        ("caller", |attempt| attempt.lists_filtered(&["caller"])),
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
    let world: &'static Cups = Box::leak(Box::new(Cups::with(mistake)));
    static SERVICES: AtomicUsize = AtomicUsize::new(0);
    let name = format!("{mistake:?}-{}", SERVICES.fetch_add(1, Ordering::Relaxed));
    let operation: &'static Operation = Box::leak(Box::new(list(name.leak())));
    let mut said = String::new();
    let failed = TRIALS.into_iter().filter(|(_, trial)| {
        let attempt = Attempt::new(world, &CONTRACT, operation);
        let Err(panic) = catch_unwind(AssertUnwindSafe(|| trial(attempt))) else {
            return false;
        };
        if said.is_empty() {
            said = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        }
        true
    });
    let names = failed.map(|(name, _)| name).collect();
    (names, said)
}

#[test]
fn a_list_that_is_right_passes_every_trial() {
    let (failed, said) = failing(Mistake::None);
    assert!(failed.is_empty(), "{failed:?}\n{said}");
}

#[test]
fn each_mistake_is_seen_by_the_trial_that_is_made_for_it() {
    let seen_by = [
        (Mistake::OrderReversed, "order"),
        (Mistake::TiesReversed, "order"),
        (Mistake::StrangersCups, "caller"),
        (Mistake::ColourIgnored, "colour"),
        (Mistake::ColourIgnored, "colour and least"),
        (Mistake::LeastIgnored, "least"),
        (Mistake::LeastIgnored, "colour and least"),
        (Mistake::LeastExclusive, "least"),
        (Mistake::TotalTooHigh, "all"),
        (Mistake::TotalOfThePage, "together"),
        (Mistake::OffsetByOne, "together"),
        (Mistake::LastRowMissing, "all"),
        (Mistake::DefaultSizeByOne, "default size"),
        (Mistake::SizeByOne, "each size"),
        (Mistake::OtherName, "written"),
        (Mistake::ACupForgotten, "all"),
    ];
    for (mistake, trial) in seen_by {
        let (failed, said) = failing(mistake);
        assert!(failed.contains(&trial), "{mistake:?} is seen by {failed:?}\n{said}");
    }
}

#[test]
fn a_failing_trial_tells_row_rule_and_request() {
    let (_, said) = failing(Mistake::StrangersCups);
    for part in [
        "cups.yaml:2",
        "should not be by `caller`",
        "curl -i -X GET",
        "\"owner_id\":",
    ] {
        assert!(said.contains(part), "no `{part}` in\n{said}");
    }
}
