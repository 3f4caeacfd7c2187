//! Missing answers in the matrix of a suite.

use crate::language::CONTRACTS;
use codegen::emit::{TestOptions, complete_tests, matrix};

const OPTIONS: TestOptions<'_> = TestOptions {
    file: "api.yaml",
    library: "conformance",
    world: "crate::world::world",
};

#[test]
fn of_all_that_requests_can_bring_about_nothing_is_missing() {
    for (name, source) in CONTRACTS {
        let model = codegen::compile(source).unwrap_or_else(|diagnostics| panic!("{name}: {diagnostics:#?}"));
        for gap in matrix(&model, "api.yaml").gaps() {
            assert!(gap.starts_with("no generated test can show "), "{name}: {gap}");
        }
    }
}

#[test]
fn a_suite_with_a_gap_is_not_written() {
    let source = include_str!("../../tests/lockers/api.yaml");
    let model = codegen::compile(source).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}"));
    assert_eq!(matrix(&model, "api.yaml").gaps(), Vec::<String>::new());
    assert!(complete_tests(&model, OPTIONS).is_ok());
    let mut bare = model.clone();
    for error in &mut bare.errors {
        error.untestable = None;
    }
    let gaps = complete_tests(&bare, OPTIONS).expect_err("five rows are shown by nothing");
    let names: Vec<&str> = gaps.iter().filter_map(|gap| gap.split('`').nth(1)).collect();
    assert_eq!(
        names,
        [
            "errors.crowded",
            "errors.overloaded",
            "errors.too_slow",
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
    operation.owned.push("Reservation".to_owned());
    let place = operation.at.line;
    let gaps = matrix(&model, "api.yaml").gaps();
    let line = model.error("foreign").at.line;
    let message = format!(
        "no generated test shows that `courier::delete_terminal` (api.yaml:{place}:7) answers `errors.foreign` \
         (api.yaml:{line}:3)\n  help: this needs a change of `codegen::emit::tests`, which generates the tests"
    );
    assert_eq!(gaps, [message]);
}
