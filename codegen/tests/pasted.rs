//! The proposed entry for a missing error can be pasted unchanged.

use codegen::Diagnostic;

const CONTRACT: &str = include_str!("../../tests/lockers/api.yaml");

/// The errors of a contract, without those about the list of statuses, which a new error may change.
fn mistakes(text: &str) -> Vec<Diagnostic> {
    let diagnostics = codegen::compile(text).err().unwrap_or_default();
    let is_of_list = |diagnostic: &Diagnostic| ["status-not-listed", "unused-status"].contains(&diagnostic.rule.name());
    diagnostics
        .into_iter()
        .filter(|diagnostic| !is_of_list(diagnostic))
        .collect()
}

/// The text between the last two backticks around an error entry.
fn proposed(diagnostic: &Diagnostic) -> &str {
    let (_, error) = diagnostic
        .help
        .as_deref()
        .and_then(|help| help.split_once(", such as `"))
        .expect("a row");
    error.strip_suffix('`').expect("the row ends the help")
}

#[test]
fn a_proposed_error_is_accepted_where_one_is_missing() {
    let errors = CONTRACT
        .lines()
        .filter(|line| line.starts_with("  ") && line.contains(", at: "));
    let is_needed = |error: &&str| !error.contains("at: rule") && !error.contains("at: busy");
    let errors = errors.filter(|error| error.contains(", text: \"")).filter(is_needed);
    let mut pasted = 0;
    for error in errors {
        let diagnostics = mistakes(&CONTRACT.replace(&format!("{error}\n"), ""));
        let missing = diagnostics
            .iter()
            .find(|diagnostic| diagnostic.rule.name() == "missing-error-row");
        let proposed_error =
            proposed(missing.unwrap_or_else(|| panic!("nothing is missing without {error}: {diagnostics:#?}")));
        let left = mistakes(&CONTRACT.replace(error, &format!("  {proposed_error}")));
        assert!(left.is_empty(), "{proposed_error}: {left:#?}");
        pasted += 1;
    }
    assert_eq!(
        pasted, 22,
        "a row for each step but `rule` and `busy`, which a contract may do without"
    );
}
