//! Mutants of the lockers' contract, each served by the interpreter.

use crate::histories::MODEL;
use crate::world::roots;
use test_support::mutants::{MutantRun, Survivor};

/// Mutants that nothing notices, with the reason.
const KNOWN: &[Survivor] = &[
    Survivor {
        words: &["transition refused / ParcelStatus"],
        because: "parcels move by operations whose effects are not declared",
    },
    Survivor {
        words: &["courier::store_parcel / rule dropped / finished"],
        because: "a parcel is finished by operations whose effects are not declared",
    },
    Survivor {
        words: &["all / others are counted / Compartment."],
        because: "no operation shows these counts",
    },
    Survivor {
        words: &["all / id shown instead / Parcel.label"],
        because: "a parcel is stored by an operation whose effects are not declared, so its label is null",
    },
    Survivor {
        words: &["recipient::open_compartment / effects in spite of a rejection"],
        because: "its effects are not declared",
    },
    Survivor {
        words: &["all / errors swapped / shown_before and higher_plan"],
        because: "both need an answer with a secret on a plan that the caller has lost",
    },
];

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
