//! A suite that does not cover every answer is an error: the build that asks for its tests fails and lists what is
//! missing.

use crate::outside::{self, CLONE};
use std::fs;
use std::process::Command;

const MANIFEST: &str = r#"[package]
name = "incomplete"
edition = "2024"

[build-dependencies]
codegen = { path = "../CLONE/codegen", package = "hitode-codegen" }
"#;

const BUILD: &str = r#"
fn main() {
    let options = codegen::emit::TestOptions {
        file: "api.yaml",
        library: "conformance",
        world: "crate::world::world",
    };
    codegen::cargo::generate("api.yaml".as_ref(), "api.yaml", "conformance.rs", |model| {
        codegen::emit::complete_tests(model, options)
    });
}
"#;

#[test]
fn an_error_without_a_request_or_a_named_test_fails_the_build() {
    let folder = outside::package("incomplete");
    let write = |path: &str, text: &str| fs::write(folder.join(path), text).expect("the folder can be written");
    fs::create_dir(folder.join("src")).expect("the folder can be written");
    write("Cargo.toml", &MANIFEST.replace("CLONE", CLONE));
    write("build.rs", BUILD);
    write("src/lib.rs", "");
    let contract = include_str!("../api.yaml");
    write("api.yaml", &without_reason(contract, "read_only"));
    let checked = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--target-dir"])
        .arg(outside::target())
        .current_dir(&folder)
        .output()
        .expect("cargo starts");
    assert!(!checked.status.success());
    let output = String::from_utf8_lossy(&checked.stderr);
    let errors = output
        .lines()
        .filter_map(|line| line.strip_prefix("error: incomplete@0.0.0: "));
    let row = contract.lines().position(|line| line.contains("read_only:"));
    let first = contract.lines().position(|line| line.contains(" announce_parcel:"));
    let [row, first] = [row, first].map(|line| line.expect("it is there") + 1);
    let errors: Vec<&str> = errors.filter(|line| !line.is_empty()).collect();
    let [gap, help] = errors.as_slice() else {
        panic!("{output}")
    };
    let (begins, ends) = gap.split_once(" and ").expect("more than one operation writes");
    let place = format!("`errors.read_only` (api.yaml:{row}:3)");
    let operation = format!("`courier::announce_parcel` (api.yaml:{first}:7)");
    assert_eq!(begins, format!("no generated test can show {place}: {operation}"));
    assert!(
        ends.ends_with(" other operations can answer it, but no request can cause it"),
        "{ends}"
    );
    let todo =
        "  help: write a test that injects the cause, and name it there: `untestable: { reason: \"…\", test: NAME }`";
    assert_eq!(*help, todo);
}

/// The contract without the reason of an error that no request causes.
fn without_reason(contract: &str, row: &str) -> String {
    let lines = contract.lines().map(|line| match line.split_once(", untestable: {") {
        Some((before, behind)) if line.trim_start().starts_with(row) => {
            let (_, behind) = behind.split_once('}').expect("it ends in its line");
            format!("{before}{behind}\n")
        }
        _ => format!("{line}\n"),
    });
    lines.collect()
}
