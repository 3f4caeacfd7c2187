//! Mutation tests of the generated suite: services with one defect each, tried with the tests of the operation.

use crate::world::{self, Market};
use conformance::{KnownSurvivor, KnownSurvivors, MutationTests};
use contract::Clock;

/// Mutants without a defect, with the reason.
const EQUIVALENTS: &[KnownSurvivor] = &[
    KnownSurvivor {
        words: &["list_bounties / default changed / query: is_remote: is false"],
        because: "a flag of 0 or false restricts nothing, as no flag does (decision `remote`)",
    },
    KnownSurvivor {
        words: &["list_humans / default changed / query: is_available: is false"],
        because: "a flag of 0 or false restricts nothing, as no flag does (decision `available`)",
    },
];

/// Mutants with a defect that the suite cannot detect yet, with the reason.
const UNDETECTED: &[KnownSurvivor] = &[
    KnownSurvivor {
        words: &["list_conversations / order reversed / last_message_at: sorts the other way"],
        because: "points in time are whole seconds, and rows that are made within one are alike in it: no test sleeps",
    },
    KnownSurvivor {
        words: &["create_application / precedence / key_reused: ", " answers before it"],
        because: "the request that the tests send with a used key is for another bounty, which no rule rejects",
    },
    KnownSurvivor {
        words: &["worker::update_me / precedence / ", ": quota answers before it"],
        because: "no test fills a quota of 64 MiB of text, or of new names of skills, and then sends a wrong request",
    },
    KnownSurvivor {
        words: &["agent::update_bounty / precedence / ", ": quota answers before it"],
        because: "the test that fills the quota of 1,000 open bounties needs all of them, and planting the defect takes one",
    },
    KnownSurvivor {
        words: &["agent::create_review / precedence / ", ": quota answers before it"],
        because: "no test fills a quota of 64 MiB of text and then sends a wrong request",
    },
    KnownSurvivor {
        words: &[
            "worker::create_application / precedence / ",
            ": quota answers before it",
        ],
        because: "no test fills a quota of 64 MiB of text and then sends a wrong request",
    },
    KnownSurvivor {
        words: &["::create_message / precedence / ", ": quota answers before it"],
        because: "no test fills a quota of 64 MiB of text and then sends a wrong request",
    },
    KnownSurvivor {
        words: &["agent::create_review / precedence / key_reused: ", " answers before it"],
        because: "the request that the tests send with a used key is for another application, which no rule rejects",
    },
    KnownSurvivor {
        words: &["operator::list_humans / default changed / query: suspended: is false"],
        because: "no test lists a suspended worker without asking for one",
    },
    KnownSurvivor {
        words: &["operator::list_accounts / filter ignored / query: suspended: "],
        because: "no fixed test filters accounts by it: random histories do",
    },
    KnownSurvivor {
        words: &["operator::list_humans / filter ignored / query: has_token: "],
        because: "no fixed test has a worker with a token beside one without: random histories do",
    },
    KnownSurvivor {
        words: &["worker::create_application / ", "withdrawn: "],
        because: "no response names a withdrawal, so no fixed test makes one: random histories do",
    },
    KnownSurvivor {
        words: &["join::create_session / ", " / success: "],
        because: "the contract does not say which codes are right, so no fixed test has one: the scenarios do",
    },
    KnownSurvivor {
        words: &["operator::get_status / ", "data.minutes[]"],
        because: "the server of these tests notes no minutes: nothing before its handlers runs",
    },
    KnownSurvivor {
        words: &["operator::get_status / ", "data.failures[]"],
        because: "no request of the tests makes the server fail",
    },
    KnownSurvivor {
        words: &[" / limit / ", "counts what is rejected before it"],
        because: "the tests send what is rejected before a limit while much of the limit is left",
    },
    KnownSurvivor {
        words: &["::create_file / ", "too_large"],
        because: "a file of 25 MiB is sent once, in a test of its own",
    },
    KnownSurvivor {
        words: &["::create_file / ", "quota"],
        because: "no test sends 100 MiB of files",
    },
    KnownSurvivor {
        words: &["::list_files / "],
        because: "a message names files in a list of ids, which no guard looks up, so that the tests name none",
    },
];

const KNOWN: KnownSurvivors = KnownSurvivors {
    equivalent: EQUIVALENTS,
    undetected: UNDETECTED,
};

fn tests() -> MutationTests {
    MutationTests {
        suite: world::suite(),
        world: || Box::leak(Box::new(world::world_of(Market::open(Clock::system())))),
    }
}

#[test]
#[ignore = "runs the whole suite a second time"]
fn the_suite_passes_where_nothing_is_wrong() {
    assert_eq!(tests().failing_without_mutant(), [""; 0]);
}

#[test]
#[ignore = "tries every mutant, which takes some minutes"]
fn mutants() {
    tests().expect_all_killed(KNOWN);
}

#[test]
fn a_sample_of_mutants_is_noticed() {
    tests().expect_sample_killed(KNOWN);
}
