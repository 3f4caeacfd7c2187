//! The whole message of a failing test of the suite.

use crate::world::{suite, world};
use conformance::Attempt;
use std::panic::catch_unwind;

#[test]
fn a_failing_test_names_the_rule_and_its_line_the_request_the_answer_and_what_was_wanted() {
    let contract = suite().contract;
    let operation = suite().operation("pulse::ping").expect("it is there");
    let failed = catch_unwind(|| {
        // The request is valid.
        let attempt = Attempt::new(world(), operation);
        attempt
            .trying("the query: its parameters, and no others", operation.at)
            .invalid(&[]);
    });
    let message = failed.expect_err("the lockers accept it");
    let message: &String = message.downcast_ref().expect("a message");
    let is_known = |line: &&str| !line.contains(" lockers-request: ") && !line.contains(" link: ");
    let known: Vec<&str> = message.lines().filter(is_known).collect();
    let position = contract.at(contract.model.error("malformed").at);
    let place = operation.at;
    let wanted = format!(
        r#"GET /pulse/ping does not keep to the contract.
    operation: pulse::ping ({place})
    rule:      the query: its parameters, and no others ({place})
    request:   curl -i -X GET "$BASE"'/pulse/ping'
    came:      200
               x-content-type-options: nosniff
    wanted:    422, the row malformed of the error table ({position}): {{faults}}
    but:       the status is 200"#
    );
    assert_eq!(known.join("\n"), wanted);
    assert!(place.starts_with("tests/lockers/api.yaml:"), "{place}");
}
