//! Makes the tests of an operation, and collects them: what each of them tries, and which answer it covers.

mod bodies;
mod guards;
mod holds;
pub(crate) mod limits;
mod lists;
mod misspelt;
mod precedence;
mod queries;
mod readers;
mod rule;
mod values;

use self::rule::Rule;
use super::{Covers, Description, Test};
use crate::attempt::Attempt;
use crate::contract::Operation;
use crate::world::World;
use codegen::model::{self, Counts, Model, Surface};
use codegen::names::snake;
use codegen::step::Step;

/// What a test does with a valid attempt.
pub(crate) type Calls = Box<dyn Fn(Attempt) + Send + Sync>;

/// Calls on an attempt: `calls!(.without(place).invalid(&[member]))`.
macro_rules! calls {
    ($($calls:tt)*) => {{
        let calls: $crate::suite::trials::Calls = Box::new(move |attempt| {
            let _ = attempt $($calls)*;
        });
        calls
    }};
}
pub(crate) use calls;

/// A text that lives as long as the process.
pub(crate) fn leak(text: impl Into<String>) -> &'static str {
    Box::leak(text.into().into_boxed_str())
}

/// A list that lives as long as the process.
pub(crate) fn leak_all<T>(items: impl IntoIterator<Item = T>) -> &'static [T] {
    Box::leak(items.into_iter().collect())
}

/// A list of texts that lives as long as the process.
pub(crate) fn words(words: &'static [String]) -> &'static [&'static str] {
    leak_all(words.iter().map(String::as_str))
}

/// The tests of one module. A name that is taken gets a number.
pub(crate) struct Trials {
    description: &'static Description,
    /// The operation under test.
    operation: &'static Operation,
    /// The names as they were given.
    given: Vec<String>,
    tests: Vec<Test>,
}

impl Trials {
    pub(crate) fn new(description: &'static Description, operation: &'static Operation) -> Self {
        Self {
            description,
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

    /// The same for an error by its name: a step may have several.
    pub(crate) fn rejects_by(&mut self, name: &str, error: &'static str, rule: &Rule, calls: Calls) {
        self.attempt(name, Covers::Errors(leak_all([error])), rule, calls);
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
        let contract = self.description.contract;
        self.add(name, covers, rule, move |world, rule, at| {
            calls(Attempt::new(world, contract, operation).trying(rule, at));
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
        let (rule, at) = (leak(&rule.words), self.description.at(rule.at));
        self.tests.push(Test {
            name: leak(name),
            covers,
            rule,
            at,
            run: Box::new(move |world| run(world, rule, at)),
        });
    }

    /// Error responses at these steps, if the error table has errors for them.
    pub(crate) fn at_steps(&self, steps: &[Step]) -> Covers {
        let errors = steps.iter().filter_map(|step| self.model().error_at(*step));
        Covers::Errors(leak_all(errors.map(|error| error.name.as_str())))
    }

    pub(crate) fn model(&self) -> &'static Model {
        self.description.model
    }

    /// The tests, in the order in which they were added: most direct first.
    pub(crate) fn all(self) -> &'static [Test] {
        leak_all(self.tests)
    }
}

/// An operation with the facts that its tests need.
pub(crate) struct Subject {
    pub(crate) description: &'static Description,
    pub(crate) model: &'static Model,
    pub(crate) surface: &'static Surface,
    pub(crate) operation: &'static model::Operation,
}

impl Subject {
    pub(crate) fn new(
        description: &'static Description,
        surface: &'static Surface,
        operation: &'static model::Operation,
    ) -> Self {
        Self {
            description,
            model: description.model,
            surface,
            operation,
        }
    }

    /// The operation as the library reads it.
    pub(crate) fn described(&self) -> &'static Operation {
        self.description.operation(self.operation)
    }

    /// The limit on failed credentials, if the operation needs a credential.
    pub(crate) fn failed_credentials(&self) -> Option<&'static model::Limit> {
        self.surface.credential.as_ref()?;
        let mut limits = self.model.limits.iter();
        limits.find(|limit| limit.counts == Counts::FailedCredentials)
    }

    /// All tests of the operation.
    pub(crate) fn tests(&self) -> &'static [Test] {
        let mut trials = Trials::new(self.description, self.described());
        let add = [
            guards::common,
            queries::add,
            lists::add,
            readers::add,
            bodies::add,
            guards::declared,
            limits::of_operation,
            precedence::add,
            holds::add,
        ];
        for add in add {
            add(self, &mut trials);
        }
        trials.all()
    }
}
