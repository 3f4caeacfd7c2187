//! The generated suite against the mock of the contract, as far as the contract declares what operations do.

use crate::world::{Depot, suite};
use codegen::Model;
use conformance::World;

/// Tests of other operations that need one that is not declared.
const LEFT_OUT: [&str; 1] = ["::shows_all_that_can_be_written"];

/// Whether the contract declares all that an operation does, and when each of its rules rejects a request.
fn is_declared(model: &Model, test: &str) -> bool {
    let mut operations = model.operations();
    let operation = operations.find(|(surface, operation)| {
        let name = format!("{}::{}::", surface.name, operation.name);
        test.starts_with(&name)
    });
    operation.is_none_or(|(_, operation)| {
        let mut rules = operation.rules.iter();
        operation.undeclared.is_none() && rules.all(|rule| model.error(rule).when.is_some())
    })
}

#[test]
fn the_mock_passes_the_suite() {
    let model = codegen::compile(include_str!("../api.yaml")).expect("the build understood it, too");
    let world: &'static dyn World = Box::leak(Box::new(Depot::mocked()));
    let is_tried = |name: &str| is_declared(&model, name) && !LEFT_OUT.iter().any(|end| name.ends_with(end));
    let tests = suite().tests().filter(|(name, _)| is_tried(name));
    let failed = tests.filter_map(|(name, test)| Some(format!("{name}: {}", test.run(world).failure()?)));
    assert_eq!(failed.collect::<Vec<_>>(), [""; 0]);
}
