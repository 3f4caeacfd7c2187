//! An error of form is reported once: nothing is reported that only follows from it.

use codegen::Diagnostic;
use codegen::yaml::{Node, Value, parse};

const CONTRACT: &str = include_str!("ui/base.yaml");
/// Rules of form. All other rules are of meaning.
const FORM: [&str; 10] = [
    "bad-constraint",
    "bad-filter",
    "bad-guard",
    "bad-rate",
    "bad-type",
    "duplicate-item",
    "duplicate-key",
    "missing-key",
    "unknown-key",
    "wrong-form",
];
/// Values that no reader accepts.
const NONSENSE: [&str; 2] = ["[{ zz: 1 }]", "'?'"];

#[test]
fn an_error_of_form_causes_no_diagnostic_about_meaning() {
    let mut diagnostics = Vec::new();
    let tree = parse(CONTRACT, &mut diagnostics).expect("the base is YAML");
    let mut broken = Vec::new();
    break_below(&tree, &mut broken);
    assert!(broken.len() > 900, "{}", broken.len());
    let found: Vec<String> = broken.iter().filter_map(|contract| follow_ups(contract)).collect();
    let some = found[..found.len().min(10)].join("\n");
    assert!(found.is_empty(), "{} of {}:\n{some}", found.len(), broken.len());
}

/// The contract with each key misspelled, and with each value replaced.
fn break_below(node: &Node, broken: &mut Vec<String>) {
    let mut replace = |node: &Node| {
        let at = node.at;
        let is_on_a_line = at.start < at.end && !CONTRACT[at.start..at.end].contains('\n');
        for nonsense in NONSENSE.iter().filter(|_| is_on_a_line) {
            broken.push([&CONTRACT[..at.start], nonsense, &CONTRACT[at.end..]].concat());
        }
    };
    match &node.form {
        Value::Map(entries) => {
            entries.iter().for_each(|(_, value)| replace(value));
            for (key, value) in entries {
                let end = key.at.end;
                broken.push([&CONTRACT[..end], "zz", &CONTRACT[end..]].concat());
                break_below(value, broken);
            }
        }
        Value::List(items) => {
            items.iter().for_each(&mut replace);
            items.iter().for_each(|item| break_below(item, broken));
        }
        _ => {}
    }
}

/// The diagnostics of meaning beside those of form, if there are both.
fn follow_ups(contract: &str) -> Option<String> {
    let diagnostics = codegen::compile(contract).err()?;
    let (form, meaning): (Vec<Diagnostic>, Vec<Diagnostic>) = diagnostics
        .into_iter()
        .partition(|diagnostic| FORM.contains(&diagnostic.rule.name()));
    let all = [form.as_slice(), &meaning].concat();
    (!form.is_empty() && !meaning.is_empty())
        .then(|| codegen::diagnostic::render(&all, "api.yaml", contract).join("\n") + "-----\n")
}
