//! Makes the tests of an operation, and collects them: what each of them tries, and which answer it covers.

mod contents;
mod guards;
pub(crate) mod limits;
mod races;
mod rule;

use self::rule::Rule;
use super::{Covers, Test, TestedRule, leak, leak_all};
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::world::World;
use codegen::model::Limit;
use codegen::names::snake;
use codegen::step::Step;

/// What a test does with a valid attempt.
pub(crate) type Calls = Box<dyn Fn(Attempt) + Send + Sync>;

/// Calls on an attempt: `calls!(.rejects_guessing())`.
macro_rules! calls {
    ($($calls:tt)*) => {{
        let calls: $crate::suite::trials::Calls = Box::new(move |attempt| {
            let _ = attempt $($calls)*;
        });
        calls
    }};
}
pub(crate) use calls;

/// The tests of one module. A name that is taken gets a number.
pub(crate) struct Trials {
    /// The operation under test.
    operation: &'static Operation,
    /// The names as they were given.
    given: Vec<String>,
    tests: Vec<Test>,
}

impl Trials {
    pub(crate) fn new(operation: &'static Operation) -> Self {
        Self {
            operation,
            given: Vec::new(),
            tests: Vec::new(),
        }
    }

    /// Adds a test: an attempt with these calls, which the rule accepts.
    pub(crate) fn accepts(&mut self, name: &str, rule: &Rule, calls: Calls) {
        self.attempt(name, Covers::Success, rule, calls);
    }

    /// Adds a test: an attempt with these calls, which breaks the rule and is rejected at this step.
    pub(crate) fn rejects(&mut self, name: &str, step: Step, rule: &Rule, calls: Calls) {
        let covers = self.at_steps(&[step]);
        self.attempt(name, covers, rule, calls);
    }

    /// The same at the step that decodes a request.
    pub(crate) fn invalid(&mut self, name: &str, rule: &Rule, calls: Calls) {
        self.rejects(name, Step::Decode, rule, calls);
    }

    /// Adds a test: an attempt with these calls.
    pub(crate) fn attempt(&mut self, name: &str, covers: Covers, rule: &Rule, calls: Calls) {
        self.attempt_of(self.operation, name, covers, rule, calls);
    }

    /// The same for another operation.
    pub(crate) fn attempt_of(
        &mut self,
        operation: &'static Operation,
        name: &str,
        covers: Covers,
        rule: &Rule,
        calls: Calls,
    ) {
        self.add(name, covers, rule, move |world, rule, at| {
            calls(Attempt::new(world, operation).trying(rule, at));
        });
    }

    /// Adds a test that does this, in a world and for a rule and its position.
    pub(crate) fn add(
        &mut self,
        name: &str,
        covers: Covers,
        rule: &Rule,
        run: impl Fn(&'static dyn World, &'static str, &'static str) + Send + Sync + 'static,
    ) {
        let given = snake(name);
        let again = self.given.iter().filter(|known| **known == given).count();
        let name = match again {
            0 => given.clone(),
            _ => format!("{given}_{}", again + 1),
        };
        self.given.push(given);
        let (rule, at) = (leak(&rule.words), leak(self.operation.contract.at(rule.at)));
        self.tests.push(Test {
            name: leak(name),
            covers,
            tested: TestedRule { rule, at },
            run: Box::new(move |world| run(world, rule, at)),
        });
    }

    /// Error responses at these steps, if the error table has errors for them.
    pub(crate) fn at_steps(&self, steps: &[Step]) -> Covers {
        let model = self.operation.contract.model;
        let errors = steps.iter().filter_map(|step| model.error_at(*step));
        Covers::Errors(leak_all(errors.map(|error| error.name.as_str())))
    }

    /// The tests, in the order in which they were added: most direct first.
    pub(crate) fn all(self) -> &'static [Test] {
        leak_all(self.tests)
    }
}

/// The limit on failed credentials, if the operation needs a credential.
fn failed_credentials(operation: &Operation) -> Option<&'static Limit> {
    operation.credential?;
    operation.contract.failed_credentials()
}

/// All tests of an operation.
pub(crate) fn of_operation(operation: &'static Operation) -> &'static [Test] {
    let mut trials = Trials::new(operation);
    let add = [guards::add, contents::add, limits::of_operation, races::add];
    for add in add {
        add(operation, &mut trials);
    }
    trials.all()
}
