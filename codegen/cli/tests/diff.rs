//! `codegen diff`: its output and exit status.

use super::{BASE, BROKEN, check, command, feed, read_a_line, run, run_with, text};
use std::fs;
use std::process::Output;

/// The edits of the base.
const EDITS: [(&str, &str); 2] = [("rate: 60/min", "rate: 30/min"), ("rate: 10/min", "rate: 5/min")];
/// Further edits for the outputs: every severity, in a list, in a block, of one contract and of both.
const MORE: [(&str, &str); 5] = [
    ("[title asc, id desc]", "[id asc]"),
    ("[child, adult]", "[child, adult, elder]"),
    ("born: date?", "born_on: date?"),
    (
        "      delete_loan:\n        DELETE: /loans/:id\n        path: { id: Loan.id }\n        guards: [exists Loan, owner Loan]\n        success: {}\n",
        "",
    ),
    (
        "      create_book:\n",
        "      count_books:\n        GET: /books/count\n        success: { data: { books: count } }\n      create_book:\n",
    ),
];
const READS: &str = "limit-lowered@limits.reads.rate: all readers were told";
const WRITES: &str = "limit-lowered@limits.writes.rate: nobody writes so often";
const API: &str = "../../api.yaml";
const LOCKERS: &str = "../../tests/lockers/api.yaml";

#[test]
fn changes_are_rendered_in_three_formats() {
    for (format, file) in [("text", "diff.txt"), ("markdown", "diff.md"), ("json", "diff.json")] {
        let output = with(&[&EDITS[..], &MORE].concat(), &["--format", format, "--allow", READS]);
        assert_eq!(output.status.code(), Some(1), "{format}");
        assert_eq!(text(&output.stderr), "");
        check(file, &text(&output.stdout));
    }
}

#[test]
fn nothing_has_changed_between_a_contract_and_itself() {
    for (format, end) in [
        ("text", ": no change\n"),
        ("markdown", ": no change.\n"),
        ("json", "[]\n}\n"),
    ] {
        let output = run(&["diff", BASE, BASE, "--format", format]);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).ends_with(end), "{}", text(&output.stdout));
    }
}

#[test]
fn a_change_that_breaks_nothing_is_well() {
    let output = with(&[("rate: 10/min", "rate: 20/min")], &[]);
    assert_eq!(output.status.code(), Some(0));
    let line = format!("{BASE} → <stdin>: 1 compatible change\n");
    assert!(text(&output.stdout).contains(&line), "{}", text(&output.stdout));
}

#[test]
fn what_breaks_is_well_once_all_of_it_is_allowed() {
    assert_eq!(changed(&["--allow", READS]).status.code(), Some(1));
    let output = changed(&["--allow", READS, "--allow", WRITES]);
    assert_eq!(output.status.code(), Some(0));
    let out = text(&output.stdout);
    assert!(out.contains(": 2 breaking changes (allowed)\n"), "{out}");
    assert!(out.contains("note: allowed: nobody writes so often\n"), "{out}");
}

#[test]
fn allowances_stand_in_a_file_too() {
    let (_folder, file) = file(&format!("# Agreed.\n\n{READS}\n  {WRITES}\n"));
    let output = changed(&["--allow-file", &file]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[test]
fn an_allowance_that_allows_nothing_is_rejected() {
    let form = "an allowance is `RULE@PATH: REASON`";
    for (allowance, reason) in [
        ("limit-lowered", form.to_owned()),
        (
            "limit-lowered@limits.reads.rate",
            format!("the reason is missing: {form}"),
        ),
        (
            "limit-lowered@limits.reads.rate: ",
            format!("the reason is missing: {form}"),
        ),
        (
            "limit_lowerd@limits.reads.rate: why",
            "there is no rule `limit_lowerd`, did you mean `limit-lowered`?".to_owned(),
        ),
        (
            "limit-raised@limits.writes.rate: why",
            "a change of the rule `limit-raised` is compatible and needs no allowance".to_owned(),
        ),
        (
            "unknown-type@limits.writes.rate: why",
            "`unknown-type` is a rule of errors and not of changes: correct the contract".to_owned(),
        ),
        (
            "limit-lowered@limits.read.rate: why",
            "there is no change `limit-lowered` at `limits.read.rate`: did you mean `limits.reads.rate`?".to_owned(),
        ),
        (
            "limit-lowered@types: why",
            "there is no change `limit-lowered` at `types`: remove it".to_owned(),
        ),
        (
            "limit-lowered@limits.reads.rate: again",
            format!("--allow '{READS}' already allows this change: remove one of the two"),
        ),
    ] {
        let output = changed(&["--allow", READS, "--allow", WRITES, "--allow", allowance]);
        assert_eq!(output.status.code(), Some(2), "{allowance}");
        assert_eq!(
            text(&output.stderr),
            format!("error: --allow '{allowance}': {reason}\n")
        );
    }
}

#[test]
fn every_error_in_a_file_of_allowances_is_reported_with_its_line() {
    let (_folder, file) = file("# Agreed.\nnonsense\n\nlimit-raised@limits.writes.rate: why\n\u{1b}[31m\n");
    let output = changed(&["--allow-file", &file]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr).lines().collect::<Vec<_>>(),
        [
            format!("error: {file}:2: an allowance is `RULE@PATH: REASON`"),
            format!("error: {file}:4: a change of the rule `limit-raised` is compatible and needs no allowance"),
            format!("error: {file}:5: an allowance is `RULE@PATH: REASON`"),
        ]
    );
    let output = changed(&["--allow-file", "nowhere"]);
    assert_eq!(text(&output.stderr), "error: cannot read nowhere: file not found\n");
}

#[test]
fn the_errors_of_both_contracts_are_reported() {
    let output = run(&["diff", BROKEN, BROKEN]);
    assert_eq!(output.status.code(), Some(1));
    let mistakes = text(&run(&["check", BROKEN]).stdout).matches("error[").count();
    assert_eq!(text(&output.stderr).matches("error[").count(), 2 * mistakes);
    assert_eq!(text(&output.stdout), "");
    assert_eq!(run(&["diff", BROKEN, "../nowhere.yaml"]).status.code(), Some(2));
}

#[test]
fn standard_input_is_one_of_the_two() {
    let base = fs::read(BASE).expect("the base is there");
    for arguments in [["diff", "-", BASE], ["diff", BASE, "-"]] {
        assert_eq!(run_with(&arguments, &base).status.code(), Some(0));
    }
    let output = run(&["diff", "-", "-"]);
    assert_eq!(output.status.code(), Some(2));
    let message = "error: only one of the two contracts can be `-` (standard input): name a file for the other\n";
    assert_eq!(text(&output.stderr), message);
}

#[test]
fn two_services_are_compared_whatever_they_have_in_common() {
    for (old, new) in [(API, LOCKERS), (LOCKERS, API)] {
        let object = json(&run(&["diff", old, new, "--format", "json"]));
        let changes = object["changes"].as_array().expect("a list");
        let page = text(&run(&["diff", old, new, "--format", "markdown"]).stdout);
        let drawn = text(&run(&["diff", old, new]).stdout);
        for change in changes {
            let rule = change["rule"].as_str().expect("a name");
            assert!(
                drawn.contains(&format!("[{rule}]: ")) && page.contains(&format!("\n  `{rule}` at `")),
                "{rule}"
            );
        }
        assert_eq!(page.matches("\n- **").count(), changes.len());
        assert_eq!(drawn.lines().filter(|line| line.contains("]: ")).count(), changes.len());
    }
}

#[test]
fn what_a_contract_says_reaches_no_terminal_and_no_page_unescaped() {
    let hostile = [
        ("title: Library", "title: \"<img src=x>\\e[31m`[a](b)\\u202e\""),
        ("rate: 60/min", "rate: 30/min"),
        (
            "show your {header}",
            "<b>\\e]0;x\\a\\u009b31m` [a](b) `` <img src=x> {header}\\n\\n# a",
        ),
    ];
    let reason = "limit-lowered@limits.reads.rate: <b>\u{1b}]0;x\u{7}\u{9b}31m`";
    for format in ["text", "markdown", "json"] {
        let arguments = ["diff", BASE, "-", "--format", format, "--allow", reason];
        let output = on_terminal(&arguments, &edited(&hostile));
        assert!(
            output.contains("error-text-changed") && output.contains("31m"),
            "{output}"
        );
        for hidden in ["\u{1b}]", "\u{1b}[31", "\u{7}", "\u{9b}", "\u{202e}", "\n# a"] {
            assert!(!output.contains(hidden), "{format}: {output:?}");
        }
    }
}

#[test]
fn a_page_shows_what_a_contract_says_as_it_is() {
    let hostile = [
        ("title: Library", "title: <img src=x>[a](b)"),
        ("rate: 60/min", "rate: 30/min"),
        ("show your {header}", "` <img src=x> [a](b) ` {header}"),
    ];
    let reason = "limit-lowered@limits.reads.rate: <b>`";
    let output = with(&hostile, &["--format", "markdown", "--allow", reason]);
    let page = text(&output.stdout);
    assert!(
        page.starts_with("# \\<img src=x\\>\\[a\\](b): what changes\n"),
        "{page}"
    );
    assert!(page.contains("**Allowed:** \\<b\\>\\`.  \n"), "{page}");
    let message = page
        .lines()
        .find(|line| line.starts_with("- **The text of `stranger` is "));
    assert!(
        message.is_some_and(|line| line.contains(" \\<img src=x\\> \\[a\\](b) ")),
        "{page}"
    );
}

#[test]
fn contracts_are_compared_however_they_are_written() {
    let lines = edited(&EDITS);
    for contract in [
        one_line(&lines),
        lines.replace('\n', "\r\n"),
        format!("\u{feff}{lines}"),
    ] {
        for format in ["text", "markdown", "json"] {
            let output = run_with(&["diff", BASE, "-", "--format", format], contract.as_bytes());
            assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
            let out = text(&output.stdout);
            assert!(out.contains("30/min") && !out.contains('\r'), "{out}");
            assert!(out.lines().all(|line| line.chars().count() < 500), "{out}");
        }
    }
}

#[test]
fn a_reader_that_stops_early_is_no_failure() {
    for format in ["text", "markdown", "json"] {
        let output = read_a_line(&["diff", API, LOCKERS, "--format", format]);
        assert_ne!(output.status.code(), Some(2));
        assert_eq!(text(&output.stderr), "");
    }
}

/// Compares the base with the base after [`EDITS`].
#[track_caller]
fn changed(arguments: &[&str]) -> Output {
    with(&EDITS, arguments)
}

/// Compares the base with the base after some edits.
#[track_caller]
fn with(edits: &[(&str, &str)], arguments: &[&str]) -> Output {
    let arguments = [&["diff", BASE, "-"], arguments].concat();
    run_with(&arguments, edited(edits).as_bytes())
}

#[track_caller]
fn edited(edits: &[(&str, &str)]) -> String {
    let base = fs::read_to_string(BASE).expect("the base is there");
    edits.iter().fold(base, |contract, (old, new)| {
        assert_eq!(contract.matches(old).count(), 1, "{old}");
        contract.replace(old, new)
    })
}

/// The same contract as JSON in one line, which is valid YAML.
fn one_line(contract: &str) -> String {
    let value: serde_yaml::Value = serde_yaml::from_str(contract).expect("it is YAML");
    serde_json::to_string(&value).expect("it is JSON")
}

/// The output on a terminal that shows colours.
fn on_terminal(arguments: &[&str], input: &str) -> String {
    let mut command = command(arguments);
    command.env("CLICOLOR_FORCE", "1");
    text(&feed(command, input.as_bytes()).stdout)
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// A file with this text. It exists as long as the returned folder.
fn file(content: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("allowed");
    fs::write(&file, content).expect("a file");
    let name = file.to_string_lossy().into_owned();
    (folder, name)
}
