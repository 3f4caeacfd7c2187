//! Completions and help.

use super::Call;
use test_support::process::shell;

#[test]
fn bash_completes_commands_and_flags() {
    let program = env!("CARGO_BIN_EXE_hitode");
    let completed = |words: &str, last: usize, current: &str, before: &str| {
        let script = format!(
            "source <('{program}' completions bash); COMP_WORDS=({words}); COMP_CWORD={last}; \
             _hitode hitode '{current}' '{before}'; echo \"${{COMPREPLY[*]}}\""
        );
        shell(&format!("bash -c {}", quoted(&script))).trim().to_owned()
    };
    assert_eq!(completed("hitode acc", 1, "acc", "hitode"), "account");
    assert_eq!(completed("hitode account cr", 2, "cr", "account"), "create");
    assert_eq!(completed("hitode account create --pl", 3, "--pl", "create"), "--plan");
    assert_eq!(
        completed("hitode account create --plan ver", 4, "ver", "--plan"),
        "verified"
    );
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[test]
fn there_are_completions_for_the_shells_in_use() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = Call::from_line("completions").arg(shell).run().well().out;
        assert!(script.contains("hitode") && script.contains("import"), "{shell}");
    }
}

#[test]
fn the_help_of_the_import_shows_a_line_that_can_be_imported() {
    let help = Call::from_line("import --help").run().well().out;
    let line = help
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("{\"name\""))
        .expect("a line");
    let data = test_support::process::directory();
    let service = super::server(data.path());
    let entered = Call::from_line("import - --json")
        .at(&service)
        .run_on(line)
        .well()
        .json();
    assert_eq!(entered["entered"][0]["id"], 1);
}

#[test]
fn what_is_mistyped_is_answered_with_the_nearest_and_2() {
    for (line, nearest) in [
        ("imprt people.jsonl", "import"),
        ("account craete --name A --plan free", "create"),
        ("account list --jsno", "--json"),
        ("account create --name A --plan verifid", "verified"),
    ] {
        let rejected = Call::from_line(line).run();
        assert_eq!((rejected.code, rejected.out.as_str()), (Some(2), ""), "{line}");
        assert!(
            rejected.err.contains(&format!("'{nearest}'")),
            "{line}: {}",
            rejected.err
        );
    }
}
