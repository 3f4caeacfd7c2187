//! Builds one package of all cases with one run of `cargo check`, and returns the compiler's errors for each case.

use crate::outside::{self, CLONE};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// An error of the compiler.
#[derive(Debug)]
pub(crate) struct CompileError {
    /// The line of the case.
    pub(crate) line: usize,
    pub(crate) code: String,
    /// The message, its labels and its notes, a line each.
    pub(crate) text: String,
}

impl fmt::Display for CompileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.code, self.text.replace('\n', "; "))
    }
}

/// The library of the package: the contract without a handler.
const LOCKERS: &str = "mod generated {
    include!(env!(\"CONTRACT\"));
}
pub use codegen_support as support;
pub use generated::*;
";

/// The errors of each case. The cases are programs of one package.
#[track_caller]
pub(crate) fn check(cases: &BTreeMap<String, PathBuf>) -> BTreeMap<String, Vec<CompileError>> {
    let folder = outside::package("cases");
    for (file, text) in [("Cargo.toml", &*manifest(cases)), ("lockers.rs", LOCKERS)] {
        fs::write(folder.join(file), text).expect("the folder can be written");
    }
    let checked = Command::new(env!("CARGO"))
        .args("check --bins --offline --keep-going --message-format json --target-dir".split(' '))
        .arg(outside::target())
        .current_dir(&folder)
        .env("CONTRACT", concat!(env!("OUT_DIR"), "/contract.rs"))
        .output()
        .expect("cargo starts");
    let lines = checked
        .stdout
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    let messages: Vec<Value> = lines
        .map(|line| serde_json::from_slice(line).expect("cargo writes JSON"))
        .collect();
    let of_cases = messages
        .iter()
        .filter(|message| message["reason"] == "compiler-message");
    let mut errors = BTreeMap::<String, Vec<CompileError>>::new();
    for message in of_cases {
        let target = message["target"]["name"].as_str().expect("a name");
        errors
            .entry(target.to_owned())
            .or_default()
            .extend(error(&message["message"]));
    }
    let whys = String::from_utf8_lossy(&checked.stderr);
    let is_done = messages.iter().any(|message| message["reason"] == "build-finished");
    assert!(is_done && cases.keys().any(|case| errors.contains_key(case)), "{whys}");
    errors
}

/// The compiler's message, if it is an error with a position: the last one counts the others, and has none.
fn error(message: &Value) -> Option<CompileError> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let spans = message["spans"].as_array().expect("a list");
    let primary = spans.iter().find(|span| span["is_primary"] == true)?;
    let labels = spans.iter().filter_map(|span| text(&span["label"]));
    let notes = message["children"].as_array().expect("a list");
    let notes = notes.iter().filter_map(|note| text(&note["message"]));
    let texts: Vec<String> = text(&message["message"])
        .into_iter()
        .chain(labels)
        .chain(notes)
        .collect();
    (message["level"] == "error").then(|| CompileError {
        line: primary["line_start"].as_u64().map_or(0, |line| line as usize),
        code: text(&message["code"]["code"]).unwrap_or_default(),
        text: texts.join("\n"),
    })
}

fn manifest(cases: &BTreeMap<String, PathBuf>) -> String {
    let mut manifest = "[package]\nname = \"cases\"\nedition = \"2024\"\n\n".to_owned();
    manifest += "[lib]\nname = \"lockers\"\npath = \"lockers.rs\"\n\n[dependencies]\n";
    writeln!(
        manifest,
        "codegen-support = {{ path = \"{CLONE}/codegen/support\", package = \"hitode-codegen-support\" }}"
    )
    .expect("memory");
    for (name, path) in cases {
        write!(manifest, "\n[[bin]]\nname = {name:?}\npath = {path:?}\n").expect("memory");
    }
    manifest
}
