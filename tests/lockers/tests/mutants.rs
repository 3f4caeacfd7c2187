//! Mutants of the lockers' contract, each served by the interpreter.

use crate::histories::MODEL;
use crate::world::roots;
use test_support::mutants::{MutantRun, Survivor};

/// Mutants that nothing notices, with the reason.
const KNOWN: &[Survivor] = &[];

fn mutants() -> MutantRun {
    MutantRun {
        model: &MODEL,
        roots: roots(),
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
