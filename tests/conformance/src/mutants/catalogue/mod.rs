//! The catalogue of mutants, derived from the contract: one module for each side of an operation.

mod answers;
mod bodies;
mod contents;
mod effects;
mod envelopes;
mod errors;
mod guards;
mod headers;
mod held;
mod limits;
mod lists;
mod parameters;
mod precedence;
mod quotas;
mod secrets;
mod values;

use crate::contract::{Contract, Operation};
use crate::mutants::layer::{Call, Shadows, Wrong};
use crate::mutants::{Mutant, TestScope};
use crate::suite::{Covers, OperationTests, Test};
use crate::world::Response;
use codegen::model::ErrorEntry;
use codegen::step::Step;

/// The mutants of all these operations.
pub(super) fn mutants(contract: &'static Contract, operations: &[OperationTests]) -> Vec<Mutant> {
    let mut all = Vec::new();
    for tests in operations {
        let mut of = Catalogue {
            contract,
            operation: tests.operation,
            tests: tests.tests,
            mutants: &mut all,
        };
        answers::add(&mut of);
        envelopes::add(&mut of);
        headers::add(&mut of);
        contents::add(&mut of);
        errors::add(&mut of);
        guards::add(&mut of);
        held::add(&mut of);
        precedence::add(&mut of);
        bodies::add(&mut of);
        parameters::add(&mut of);
        lists::add(&mut of);
        limits::add(&mut of);
        quotas::add(&mut of);
        effects::add(&mut of);
        secrets::add(&mut of);
    }
    all
}

/// The mutants of one operation, under construction.
struct Catalogue<'c> {
    contract: &'static Contract,
    operation: &'static Operation,
    tests: &'static [Test],
    mutants: &'c mut Vec<Mutant>,
}

impl Catalogue<'_> {
    /// Adds a mutant that changes answers to requests of the operation.
    fn add(
        &mut self,
        kind: &'static str,
        place: impl Into<String>,
        sentence: impl Into<String>,
        wrong: impl Fn(&Call<'_>) -> Response + Send + Sync + 'static,
    ) -> &mut Mutant {
        self.add_anywhere(kind, place, sentence, move |call| {
            if call.is_ours() { wrong(call) } else { call.pass() }
        })
    }

    /// Adds a mutant that may change answers to any request.
    fn add_anywhere(
        &mut self,
        kind: &'static str,
        place: impl Into<String>,
        sentence: impl Into<String>,
        wrong: impl Fn(&Call<'_>) -> Response + Send + Sync + 'static,
    ) -> &mut Mutant {
        self.mutants.push(Mutant {
            kind,
            operation: self.operation,
            place: place.into(),
            sentence: sentence.into(),
            tests: TestScope::Operation,
            shadows: Shadows::None,
            wrong: Wrong::from(Box::new(wrong) as Box<_>),
        });
        self.mutants.last_mut().expect("it was just pushed")
    }

    /// The same, tried with the tests of limits too.
    fn add_limit(
        &mut self,
        kind: &'static str,
        place: impl Into<String>,
        sentence: impl Into<String>,
        wrong: impl Fn(&Call<'_>) -> Response + Send + Sync + 'static,
    ) {
        self.add_anywhere(kind, place, sentence, wrong).tests = TestScope::Limits;
    }

    /// Whether the operation is the first one of its surface that matches.
    fn is_first(&self, is_such: impl Fn(&Operation) -> bool) -> bool {
        let is_here = |one: &Operation| std::ptr::eq(one.surface, self.operation.surface);
        let mut all = self.contract.operations().iter();
        all.find(|one| is_here(one) && is_such(one))
            .is_some_and(|first| std::ptr::eq(*first, self.operation))
    }

    /// Whether any test covers this error.
    fn is_covered(&self, error: &str) -> bool {
        let shows = |test: &Test| matches!(test.covers, Covers::Errors(errors) if errors.contains(&error));
        self.tests.iter().any(shows)
    }

    /// The errors that reject requests of the operation, in order of precedence.
    fn errors(&self) -> Vec<&'static ErrorEntry> {
        let operation = self.operation;
        let model = self.contract.model;
        let can = |error: &ErrorEntry| match error.step {
            Step::Route | Step::Method => true,
            Step::Transition | Step::Rule => self.is_covered(&error.name),
            Step::CredentialLimit
            | Step::Available
            | Step::ResponseBytes
            | Step::InFlight
            | Step::Busy
            | Step::BodyTime
            | Step::KeyInProgress
            | Step::Write
            | Step::Outcome
            | Step::Internal => false,
            _ => model.can_respond(operation.surface, operation.declared, error),
        };
        model.errors.iter().filter(|error| can(error)).collect()
    }
}

/// Whether this step can reject the request: for routes and methods, one to a nearby path.
fn concerns(call: &Call<'_>, step: Step) -> bool {
    match step {
        Step::Route | Step::Method => call.is_near() && !call.is_ours(),
        _ => call.is_ours(),
    }
}
