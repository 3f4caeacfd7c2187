//! Reads the expected compiler errors from the comments of a case.

use super::build::CompileError;
use std::fmt;

/// An expected error.
#[derive(Debug, PartialEq)]
pub(crate) struct Expected {
    pub(crate) line: usize,
    code: String,
    text: String,
}

impl Expected {
    pub(crate) fn is(&self, error: &CompileError) -> bool {
        self.line == error.line && self.code == error.code && error.text.contains(&self.text)
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.code, self.text)
    }
}

/// All expected errors in the comments of a source.
#[track_caller]
pub(crate) fn expected(source: &str) -> Vec<Expected> {
    let mut all: Vec<Expected> = Vec::new();
    for (place, line) in source.lines().enumerate() {
        let Some((_, comment)) = line.split_once("//~") else {
            continue;
        };
        let line = match comment.chars().next() {
            Some('|') => all.last().expect("an error is expected before it").line,
            _ => place + 1 - comment.chars().take_while(|&up| up == '^').count(),
        };
        let (code, text) = comment
            .trim_start_matches(['^', '|'])
            .split_once(':')
            .unwrap_or_else(|| panic!("write `//~ CODE: text`, not `//~{comment}`"));
        all.push(Expected {
            line,
            code: code.trim().to_owned(),
            text: with_places(text.trim()),
        });
    }
    all
}

/// The text with the positions of the operations that it names.
#[track_caller]
fn with_places(text: &str) -> String {
    let Some((before, rest)) = text.split_once("{at ") else {
        return text.to_owned();
    };
    let (named, after) = rest.split_once('}').expect("it ends with }");
    let (surface, operation) = named.split_once('.').expect("a surface and an operation");
    let place = place(surface, operation).unwrap_or_else(|| panic!("there is no operation {named}"));
    format!("{before}{place}{after}")
}

/// The position of an operation in the contract.
fn place(surface: &str, operation: &str) -> Option<String> {
    let contract = include_str!("../../api.yaml");
    let mut lines = contract.lines().zip(1..).skip_while(|(line, _)| *line != "surfaces:");
    lines.find(|(line, _)| *line == format!("  {surface}:"))?;
    let mut own = lines
        .skip(1)
        .take_while(|(line, _)| !line.starts_with("  ") || line.starts_with("   ") || line.starts_with("  #"));
    let (_, line) = own.find(|(line, _)| *line == format!("      {operation}:"))?;
    Some(format!("tests/lockers/api.yaml:{line}:7"))
}

#[test]
fn comments_say_code_line_and_text() {
    let expect = |line, code: &str, text: &str| Expected {
        line,
        code: code.to_owned(),
        text: text.to_owned(),
    };
    let source = "fn a() {} //~ E1: one: two\n//~| E2: three\n\n\n//~^^ E3: four\n";
    let all = [
        expect(1, "E1", "one: two"),
        expect(1, "E2", "three"),
        expect(3, "E3", "four"),
    ];
    assert_eq!(expected(source), all);
}

#[test]
fn an_operation_is_found_on_its_own_surface() {
    let line = |operation: &str| place("courier", operation).or_else(|| place("recipient", operation));
    assert!(place("courier", "list_parcels") < place("recipient", "list_parcels"));
    assert_eq!(place("courier", "list_defects"), None, "it is the depot's");
    assert_eq!(line("no_such_operation"), None);
}
