//! Contracts with very many errors, and very long ones: which errors are shown, and that it is fast.

use codegen::{MAX_BYTES, compile, diagnostic};

const CONTRACT: &str = include_str!("ui/base.yaml");

#[test]
fn of_very_many_errors_the_first_are_displayed_and_the_others_counted() {
    let values: Vec<String> = (0..5000).map(|number| format!("ill name {number}")).collect();
    let contract = CONTRACT.replace("\nenums:\n", &format!("\nenums:\n  Ill: [{}]\n", values.join(", ")));
    let diagnostics = compile(&contract).expect_err("names are ill");
    let drawn = diagnostic::render(&diagnostics, "api.yaml", &contract);
    assert_eq!(drawn.len(), 101);
    let more = format!(
        "error: {} more errors not shown: fix these first\n",
        diagnostics.len() - 100
    );
    assert_eq!(drawn[100], more);
}

#[test]
fn a_line_that_is_too_long_to_display_is_named_by_its_position() {
    let contract = format!("{{ x: {} }}", "a".repeat(200_000));
    let diagnostics = compile(&contract).expect_err("this is no contract");
    let unknown = diagnostics
        .iter()
        .find(|diagnostic| diagnostic.rule.name() == "unknown-key")
        .expect("`x` is unknown");
    let drawn = unknown.render("api.yaml", &contract);
    assert!(drawn.contains("--> api.yaml:1:3\n") && drawn.len() < 1000, "{drawn}");
}

#[test]
fn what_is_longer_than_any_contract_is_not_read() {
    let contract = CONTRACT.to_owned() + &"#".repeat(MAX_BYTES);
    let diagnostics = compile(&contract).expect_err("it is too long");
    assert_eq!(diagnostics.len(), 1);
    assert!(
        diagnostics[0]
            .message
            .starts_with("a contract has at most 1048576 bytes")
    );
}
