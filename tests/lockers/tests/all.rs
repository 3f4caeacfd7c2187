//! The tests of the lockers as one program: the suite that is generated from their contract, and handwritten tests that need a
//! scenario, a surrounding app, an observer, or the contract itself. And the tutorial that leads to such a service.

#[warn(clippy::pedantic)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/conformance.rs"));
}
mod at_once;
mod documents;
mod fail;
mod failure_message;
mod incomplete;
mod injected;
mod language;
mod mounted;
mod mutants;
mod observed;
mod outside;
mod scenarios;
mod served;
mod tutorial;
mod world;
