//! Missing answers in the matrix of a suite.

use crate::language::CONTRACTS;
use codegen::Model;
use codegen::model::{Guard, GuardKind};
use conformance::Suite;

fn gaps(model: Model) -> Vec<String> {
    Suite::new(model, "api.yaml").matrix().gaps()
}

#[test]
fn of_all_that_requests_can_bring_about_nothing_is_missing() {
    for (name, source) in CONTRACTS {
        let model = codegen::compile(source).unwrap_or_else(|diagnostics| panic!("{name}: {diagnostics:#?}"));
        for gap in gaps(model) {
            assert!(gap.starts_with("no generated test can show "), "{name}: {gap}");
        }
    }
}

#[test]
fn an_error_without_a_request_or_a_named_test_is_a_gap() {
    let source = include_str!("../../tests/lockers/api.yaml");
    let model = codegen::compile(source).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}"));
    assert_eq!(gaps(model.clone()), Vec::<String>::new());
    let mut bare = model;
    for error in &mut bare.errors {
        error.untestable = None;
    }
    let gaps = gaps(bare);
    let names: Vec<&str> = gaps.iter().filter_map(|gap| gap.split('`').nth(1)).collect();
    assert_eq!(
        names,
        [
            "errors.crowded",
            "errors.overloaded",
            "errors.too_slow",
            "errors.unanswered",
            "errors.read_only",
            "errors.broken"
        ]
    );
}

/// The guard of the owner occurs twice, for private and for public resources, because different callers may see the resource.
#[test]
fn an_answer_without_a_generated_test_is_reported_with_its_positions() {
    let source = include_str!("../../tests/lockers/api.yaml");
    let mut model = codegen::compile(source).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}"));
    let mut surfaces = model.surfaces.iter_mut();
    let operations = &mut surfaces
        .find(|one| one.name == "courier")
        .expect("it is there")
        .operations;
    let operation = operations.iter_mut().find(|one| one.name == "delete_terminal");
    let operation = operation.expect("it is there");
    operation.guards.push(Guard {
        kind: GuardKind::Owner("Reservation".to_owned()),
        at: operation.at,
    });
    let place = operation.at.line;
    let line = model.error("foreign").at.line;
    let message = format!(
        "no generated test shows that `courier::delete_terminal` (api.yaml:{place}:7) answers `errors.foreign` \
         (api.yaml:{line}:3)\n  help: this needs a change of `conformance::suite`, which makes the tests"
    );
    assert_eq!(gaps(model), [message]);
}
