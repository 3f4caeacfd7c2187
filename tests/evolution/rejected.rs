//! Edits that make the build fail, and its messages. (`tests/lockers/tests/fail` shows the messages for handlers that do not
//! fit a contract.)

use super::editions::{Edition, MISTAKEN};

/// The errors that the contract's build script reports: each message and the position below it.
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
fn every_mistake_is_named_at_once_with_its_place() {
    let expected = [
        ("status-not-listed]: 402 is not in `api.statuses`", "402,"),
        ("unknown-type]: there is no type `dat`", "dat? --"),
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
        "     deadline: dat? -- ",
        "= help: did you mean `date`?\n",
        "= help: did you mean `content`?\n",
    ] {
        assert!(said.contains(part), "{part:?} is missing: {said}");
    }
}
