//! The tests of the contract as one program: the suite that is generated from `api.yaml`, and handwritten tests that
//! need a scenario, the sources or an edited contract.

mod documents;
mod evolution;
#[warn(clippy::pedantic)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/conformance.rs"));
}
mod mutants;
mod network;
mod scenarios;
mod sources;
mod world;
