//! Every test of the contract in one program: the suite that is generated from `api.yaml`, and by hand what needs a
//! scenario, a look at the sources or an edited contract.

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
