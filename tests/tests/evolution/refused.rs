//! Edits of which no server is made, and what the build says instead.

use super::editions::{Edition, MISTAKEN, UNHANDLED};
use std::collections::BTreeSet;

/// The mistakes that the contract's build script names: each message and the place below it.
fn mistakes(edition: &Edition) -> Vec<String> {
    let said = edition.failure();
    let lines: Vec<_> = said
        .lines()
        .filter_map(|line| Some(line.strip_prefix("error: hitode-contract@")?.split_once(": ")?.1))
        .collect();
    let places = lines
        .windows(2)
        .filter_map(|pair| Some((pair[0], pair[1].trim().strip_prefix("--> ")?)));
    places.map(|(message, place)| format!("{message} at {place}")).collect()
}

#[test]
fn every_missing_handler_is_named_at_once_with_method_path_and_line() {
    let said = UNHANDLED.failure();
    let missing: BTreeSet<_> = said.lines().filter(|line| line.contains("no handler for")).collect();
    let named = |endpoint: &str, operation: &str| {
        let place = UNHANDLED.place_of(&format!("{operation}:\n"));
        format!("error[E0277]: no handler for {endpoint} ({operation}, {place})")
    };
    let expected = [
        named("DELETE /bounties/:id", "withdraw_bounty"),
        named("GET /humans/count", "count_humans"),
    ];
    assert_eq!(missing, expected.iter().map(String::as_str).collect());
}

#[test]
fn a_refusal_that_its_endpoint_does_not_declare_does_not_compile() {
    let said = UNHANDLED.failure();
    let errors: Vec<_> = said.split("error[E0599]: ").skip(1).collect();
    let [error] = errors[..] else { panic!("{said}") };
    let error: String = error.lines().take(2).collect();
    for part in [
        "`AlreadyApplied`",
        "worker::create_application::Error",
        "server/src/handlers/applications.rs",
    ] {
        assert!(error.contains(part), "{part} is missing: {error}");
    }
}

#[test]
fn a_handler_for_the_owner_alone_does_not_compile_without_the_guard() {
    let said = UNHANDLED.failure();
    let errors: Vec<_> = said.split("error[E0308]: ").skip(1).collect();
    let [error] = errors[..] else { panic!("{said}") };
    for part in [
        "expected `Owned<Bounty>`, found `Found<Bounty>`",
        "server/src/handlers/bounties.rs",
    ] {
        assert!(error.contains(part), "{part} is missing: {error}");
    }
}

#[test]
fn every_mistake_is_named_at_once_with_its_place() {
    let expected = [
        ("status-not-listed]: 402 is not in `api.statuses`", "402,"),
        ("unknown-type]: there is no type `dat`", "dat?\n"),
        ("unknown-field]: `Message` has no field `contents`", "contents,"),
        ("unknown-enum-value]: `Plan` has no value `golden`", "golden]"),
    ];
    let expected = expected.map(|(message, part)| format!("error[{message} at {}", MISTAKEN.place_of(part)));
    assert_eq!(mistakes(&MISTAKEN), expected);
}

#[test]
fn a_mistake_is_shown_with_its_line_and_what_would_be_right() {
    let said = MISTAKEN.failure();
    for part in [
        "     deadline: dat?\n",
        "= help: did you mean `date`?\n",
        "= help: did you mean `content`?\n",
    ] {
        assert!(said.contains(part), "{part:?} is missing: {said}");
    }
}
