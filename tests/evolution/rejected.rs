//! Edits that make the build fail, and its messages. (`tests/lockers/tests/fail` shows the messages for handlers that do not
//! fit a contract.)

use super::editions::{Edition, MISTAKEN};

/// The errors that the contract's build script reports: each message and the position below it.
fn mistakes(edition: &Edition) -> Vec<String> {
    let message = edition.failure();
    let lines: Vec<_> = message
        .lines()
        .filter_map(|line| Some(line.strip_prefix("error: hitode-contract@")?.split_once(": ")?.1))
        .collect();
    let places = lines
        .windows(2)
        .filter_map(|pair| Some((pair[0], pair[1].trim().strip_prefix("--> ")?)));
    places.map(|(message, place)| format!("{message} at {place}")).collect()
}

#[test]
fn all_errors_are_reported_at_once_with_their_positions_and_corrections() {
    let expected = [
        ("status-not-listed]: 402 is not in `api.statuses`", "402,"),
        ("unknown-type]: there is no type `dat`", "dat? --"),
        ("unknown-field]: `Message` has no field `contents`", "contents,"),
        ("unknown-enum-value]: `Plan` has no value `golden`", "golden]"),
    ];
    let expected = expected.map(|(message, part)| format!("error[{message} at {}", MISTAKEN.place_of(part)));
    assert_eq!(mistakes(&MISTAKEN), expected);
    for part in [
        "     deadline: dat? -- ",
        "= help: did you mean `date`?\n",
        "= help: did you mean `content`?\n",
    ] {
        assert!(
            MISTAKEN.failure().contains(part),
            "{part:?} is missing: {}",
            MISTAKEN.failure()
        );
    }
}
