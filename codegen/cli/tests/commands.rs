//! Runs the real command and checks its output and exit status.
//!
//! Longer outputs are files in `expected/`. `REWRITE=1 cargo test -p hitode-codegen-cli` rewrites them: read the
//! difference before you commit it.

mod conform;
mod diff;
mod matrix;
mod mock;
mod new;
mod published;
mod specification;

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const BASE: &str = "../tests/ui/base.yaml";
const BROKEN: &str = "tests/broken.yaml";

#[test]
fn a_contract_without_errors_is_summarized_in_a_line() {
    let output = run(&["check", mock::LIBRARY]);
    assert_eq!(output.status.code(), Some(0));
    let (library, contents) = (
        mock::LIBRARY,
        "2 surfaces, 13 operations, 4 resources, 17 error responses",
    );
    assert_eq!(text(&output.stdout), format!("{library}: {contents}; valid\n"));
}

#[test]
fn a_contract_with_warnings_is_valid() {
    let output = run(&["check", BASE]);
    assert_eq!(output.status.code(), Some(0));
    let text = text(&output.stdout);
    assert!(
        text.starts_with("warning[idle-parameter]: nothing states what `is_lent` does"),
        "{text}"
    );
    let line = "2 surfaces, 11 operations, 4 resources, 18 error responses; valid, 1 warning\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn all_errors_are_reported_and_explain_is_mentioned_once() {
    let output = run(&["check", BROKEN]);
    assert_eq!(output.status.code(), Some(1));
    check("check.txt", &text(&output.stdout));
}

#[test]
fn of_several_contracts_each_is_checked_and_the_worst_counts() {
    let output = run(&["check", BASE, BROKEN, "../nowhere.yaml", BASE]);
    assert_eq!(output.status.code(), Some(2));
    let out = text(&output.stdout);
    assert_eq!(out.matches("; valid").count(), 2);
    assert_eq!(out.matches("codegen explain").count(), 1);
    assert_eq!(
        text(&output.stderr),
        "error: cannot read ../nowhere.yaml: file not found\n"
    );
}

#[test]
fn standard_input_is_a_contract_too() {
    let source = fs::read(BASE).expect("the base is there");
    let output = run_with(&["check", "-"], &source);
    assert!(text(&output.stdout).contains("\n<stdin>: 2 surfaces, "));
}

#[test]
fn what_is_no_contract_is_rejected_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let garbage = folder.path().join("garbage");
    fs::write(&garbage, b"api: \xff\xfe\x00").expect("a file");
    let garbage = garbage.to_string_lossy();
    for (file, reason) in [
        ("..", "it is a directory: name a file, such as ../api.yaml"),
        (&garbage, "byte 6 is not valid UTF-8"),
        (
            "/dev/zero",
            "it has more than 1048576 bytes, the maximum for a contract",
        ),
    ] {
        for command in ["check", "expand", "list", "llms", "openapi"] {
            let output = run(&[command, file]);
            assert_eq!(output.status.code(), Some(2), "{command} {file}");
            assert_eq!(text(&output.stderr), format!("error: cannot read {file}: {reason}\n"));
            assert_eq!(text(&output.stdout), "");
        }
    }
}

#[test]
fn what_is_text_and_no_contract_is_reported() {
    let nested = "[".repeat(10_000);
    for source in [
        "",
        "\n",
        "hello",
        "[]",
        "{",
        "api: &a 1",
        "\u{1b}[31m",
        "---\n---\n",
        &nested,
    ] {
        let output = run_with(&["check", "-"], source.as_bytes());
        assert_eq!(output.status.code(), Some(1), "{source:.20}");
        let out = text(&output.stdout);
        assert!(out.starts_with("error[") && out.contains("\n<stdin>: "), "{out}");
        assert!(!out.contains('\u{1b}'), "{out}");
    }
}

#[test]
fn expand_prints_what_a_build_makes() {
    let output = run(&["expand", BASE]);
    let source = fs::read_to_string(BASE).expect("the base is there");
    let options = codegen::Options {
        file: BASE,
        support: "codegen_support",
    };
    assert_eq!(
        text(&output.stdout),
        codegen::generate(&source, options).expect("no mistake")
    );
}

#[test]
fn expand_writes_a_file_only_when_there_is_something_to_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("api.rs");
    let path = file.to_string_lossy();
    let output = run(&["expand", BROKEN, "--output", &path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("error[") && output.stdout.is_empty());
    assert!(!file.exists());
    assert_eq!(run(&["expand", BASE, "-o", &path]).status.code(), Some(0));
    assert_eq!(fs::read(&file).expect("written"), run(&["expand", BASE]).stdout);
}

#[test]
fn operations_are_listed_one_a_line_and_as_json() {
    check("list.txt", &text(&run(&["list", BASE]).stdout));
    check("list.json", &text(&run(&["list", BASE, "--json"]).stdout));
}

#[test]
fn the_list_shows_which_guards_are_optional_and_what_is_counted() {
    const WORK: &str = "../../tests/durability/services/work.yaml";
    let table = text(&run(&["list", WORK]).stdout);
    let row = |name: &str| {
        let mut lines = table.lines().map(str::trim_start);
        lines.find(|line| line.starts_with(name)).expect("it is listed")
    };
    assert!(row("count_places").contains("list_jobs by place"));
    assert!(row("create_thread").contains("plan full, owner Claim if given, quota threads 40"));

    let listing: Value = serde_json::from_slice(&run(&["list", WORK, "--json"]).stdout).expect("JSON");
    let operation = |name: &str| {
        let mut operations = listing["operations"].as_array().expect("a list").iter();
        operations.find(|one| one["name"] == name).expect("it is listed")
    };
    let counts = json!({ "list": "list_jobs", "by": "place", "max": 3 });
    assert_eq!(operation("count_places")["counts"], counts);
    let exists = json!([{ "resource": "Claim", "in": null, "optional": true }]);
    assert_eq!(operation("create_thread")["exists"], exists);
}

#[test]
fn a_document_is_of_all_surfaces_or_of_one_in_either_version() {
    let document = |arguments: &[&str]| -> serde_json::Value {
        let output = run(&[&["openapi", BASE], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("it is JSON")
    };
    let tags = |document: &serde_json::Value| document["tags"].as_array().map(Vec::len);
    let whole = document(&[]);
    assert_eq!((&whole["openapi"], tags(&whole)), (&"3.1.0".into(), Some(2)));
    let part = document(&["--version", "3.0", "--surface", "desk"]);
    assert_eq!(part["openapi"], "3.0.3");
    assert_eq!(part["paths"].as_object().map(serde_json::Map::len), Some(3));
}

#[test]
fn a_text_for_agents_is_of_all_surfaces_or_of_one() {
    let printed = |arguments: &[&str]| text(&run(&[&["llms", BASE], arguments].concat()).stdout);
    let (whole, part) = (printed(&[]), printed(&["--surface", "desk"]));
    assert!(whole.starts_with("# Library\n") && part.starts_with("# Library: desk\n"));
    let paths = |text: &str| text.matches("\n`").count();
    assert_eq!((paths(&whole), paths(&part)), (11, 3));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("llms.txt");
    assert_eq!(printed(&["--output", &file.to_string_lossy()]), "");
    assert_eq!(fs::read_to_string(&file).expect("written"), whole);
}

#[test]
fn a_surface_that_there_is_not_is_guessed() {
    for (asked, reason) in [
        ("desks", "there is no surface `desks`, did you mean `desk`?"),
        ("agent", "there is no surface `agent`: known surfaces are reading, desk"),
    ] {
        for command in ["llms", "openapi"] {
            let output = run(&[command, BASE, "--surface", asked]);
            assert_eq!(output.status.code(), Some(2), "{command}");
            assert_eq!(text(&output.stderr), format!("error: {reason}\n"));
        }
    }
}

#[test]
fn a_rule_is_explained() {
    check("explain.txt", &text(&run(&["explain", "unknown-type"]).stdout));
}

#[test]
fn all_rules_are_listed_by_theme() {
    let output = text(&run(&["explain"]).stdout);
    let mut lines = output.lines();
    for rule in codegen::rules::all() {
        let severity = match rule.rule.severity().label() {
            "error" => "",
            label => label,
        };
        let line = format!("{} {severity} {}", rule.name, rule.summary);
        let is_it = |other: &str| other.split_whitespace().eq(line.split_whitespace());
        assert!(lines.any(is_it), "{}", rule.name);
    }
}

#[test]
fn a_misspelled_rule_is_guessed() {
    let output = run(&["explain", "unknow-type"]);
    assert_eq!(output.status.code(), Some(2));
    let message =
        "error: there is no rule `unknow-type`, did you mean `unknown-type`? `codegen explain` lists all rules\n";
    assert_eq!(text(&output.stderr), message);
}

/// Editors read the schema from the repository, so it is kept beside the compiler.
#[test]
fn the_schema_that_is_kept_is_the_one_that_is_written() {
    let output = run(&["schema"]);
    assert_eq!(output.status.code(), Some(0));
    check("../../../schema.json", &text(&output.stdout));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("schema.json");
    let path = file.to_string_lossy();
    assert_eq!(run(&["schema", "--output", &path]).stdout, b"");
    assert_eq!(fs::read(&file).expect("written"), output.stdout);
}

#[test]
fn a_reader_that_stops_early_is_no_failure() {
    let output = read_a_line(&["expand", BASE]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn colours_are_for_those_who_see_them() {
    let coloured = |force: &str, no_color: &str| {
        let mut command = command(&["check", BROKEN]);
        let output = command.env("CLICOLOR_FORCE", force).env("NO_COLOR", no_color).output();
        output.expect("it runs").stdout.contains(&0x1b)
    };
    assert!(coloured("1", ""));
    assert!(!coloured("", ""));
    assert!(!coloured("", "1"));
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_codegen"));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().expect("it runs")
}

fn run_with(arguments: &[&str], input: &[u8]) -> Output {
    feed(command(arguments), input)
}

fn feed(mut command: Command, input: &[u8]) -> Output {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A command that fails early may not read its input.
    let result = stdin.write_all(input);
    assert!(result.is_ok() || result.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe));
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// Runs the command and stops reading after the first line.
fn read_a_line(arguments: &[&str]) -> Output {
    let mut child = command(arguments).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut first = String::new();
    let mut reader = BufReader::with_capacity(16, child.stdout.take().expect("piped"));
    reader.read_line(&mut first).expect("a line");
    drop(reader);
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// Compares an output with the expected file.
#[track_caller]
fn check(name: &str, output: &str) {
    let file: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected").join(name);
    if std::env::var_os("REWRITE").is_some() {
        fs::write(&file, output).expect("the folder is there");
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(output, expected, "other than in {}", file.display());
}
