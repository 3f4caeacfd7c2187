//! Mutants of Hitode's contract, and of that of a service without handlers. Each is served by the interpreter.

use crate::histories::MODEL;
use crate::world::roots;
use conformance::Contract;
use test_support::mutants::{MutantRun, Survivor};

/// Mutants that nothing notices, with the reason.
const KNOWN: &[Survivor] = &[
    Survivor {
        words: &["list_reviews / default changed / limit"],
        because: "a worker has 20 reviews only after as many completed bounties",
    },
    Survivor {
        words: &["agent::list_reviews / order"],
        because: "a worker rarely has two reviews; the operator's list shows the same rows in the same order, and is noticed",
    },
    Survivor {
        words: &["list_deliveries / default changed / limit"],
        because: "an application has at most 20 deliveries, which are one page",
    },
    Survivor {
        words: &["worker::list_votes / default changed / limit"],
        because: "20 votes of a worker need as many open bounties of others",
    },
    Survivor {
        words: &["agent::create_review / quota dropped / account_text"],
        because: "an application has one review, so no series of reviews fills a quota",
    },
    Survivor {
        words: &["worker::create_delivery / quota dropped / worker_text"],
        because: "an application has 20 deliveries, which are shorter than the quota",
    },
    Survivor {
        words: &["::list_files / "],
        because: "which files a conversation has is not declared, so the interpreter lists none",
    },
    Survivor {
        words: &["all / other status / move"],
        because: "both decisions may follow each other, so no state rejects one",
    },
    Survivor {
        words: &["all / errors swapped / key_secret and plan"],
        because: "an account must lose its plan after it has made an API key with an idempotency key",
    },
    Survivor {
        words: &["all / quota shifted / account_files"],
        because: "files of 100 MiB would have to be sent",
    },
    Survivor {
        words: &["all / quota shifted / worker_files"],
        because: "files of 100 MiB would have to be sent",
    },
    Survivor {
        words: &["worker::list_categories / other comparison / skill"],
        because: "the rows do not show the skills that they are counted by",
    },
];

fn mutants() -> MutantRun {
    MutantRun {
        model: &MODEL,
        roots: roots("hto_of_the_operator_of_this_test".to_owned()),
        known: KNOWN,
    }
}

#[test]
#[ignore = "it takes an hour"]
fn every_mutant_is_noticed() {
    mutants().expect_noticed(1);
}

#[test]
fn a_sample_of_mutants_is_noticed() {
    mutants().expect_noticed(400);
}

/// The ids of its resources are numbers, UUIDs of version 4, and UUIDs of version 7.
fn mutants_of_jobs() -> MutantRun {
    let contract = Contract::from_source(include_str!("durability/services/work.yaml"), "work.yaml");
    MutantRun {
        model: contract.model,
        roots: vec![("desk".to_owned(), "desk_0123456789abcdefghijklmnopqrstuv".to_owned())],
        known: &[],
    }
}

#[test]
#[ignore = "it takes half an hour"]
fn every_mutant_of_a_service_without_handlers_is_noticed() {
    mutants_of_jobs().expect_noticed(1);
}

#[test]
fn a_sample_of_mutants_of_a_service_without_handlers_is_noticed() {
    mutants_of_jobs().expect_noticed(100);
}
