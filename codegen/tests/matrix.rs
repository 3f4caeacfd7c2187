//! Responses that no probe covers.

use crate::language::{CONTRACTS, understood};
use codegen::Model;
use conformance::{Contract, Matrix};

fn gaps(model: Model) -> Vec<String> {
    Matrix::new(Contract::new(model, "api.yaml")).gaps()
}

#[test]
fn of_all_that_requests_can_bring_about_nothing_is_missing() {
    for (name, source) in CONTRACTS {
        let model = understood(source);
        for gap in gaps(model) {
            assert!(gap.starts_with("no probe can show "), "{name}: {gap}");
        }
    }
}

#[test]
fn an_error_without_a_request_or_a_named_test_is_a_gap() {
    let source = include_str!("../../tests/lockers/api.yaml");
    let model = understood(source);
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
