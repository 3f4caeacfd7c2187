//! Every code span of the documents is closed, and holds what it should.

use crate::language::models;
use crate::openapi::openapi_json;
use codegen::documents::files;
use codegen::documents::llms::text;
use codegen::documents::openapi::Version;
use serde_json::Value;

/// Why the code spans of a line of Markdown are broken, if they are: one is not closed, or holds backticks without a
/// space at both ends, as in "``a` and `b``".
fn fault(line: &str) -> Option<String> {
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let opened = &rest[start..];
        let fence: String = opened.chars().take_while(|letter| *letter == '`').collect();
        let inside = &opened[fence.len()..];
        let runs = inside.match_indices(&fence);
        let is_whole = |at: usize| !inside[..at].ends_with('`') && !inside[at + fence.len()..].starts_with('`');
        let Some(end) = runs.map(|(at, _)| at).find(|at| is_whole(*at)) else {
            return Some(format!("not closed: {opened}"));
        };
        let code = &inside[..end];
        let is_padded = code.starts_with(' ') && code.ends_with(' ');
        if code.trim().is_empty() || (code.contains('`') && !is_padded) {
            return Some(format!("backticks within {fence}{code}{fence}"));
        }
        rest = &inside[end + fence.len()..];
    }
    None
}

/// The descriptions and titles of an OpenAPI document.
fn descriptions<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if name == "description" || name == "summary" => found.push(text),
                    value => descriptions(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| descriptions(item, found)),
        _ => {}
    }
}

/// The text of a page outside of its elements for code, quotes, scripts and styles.
fn prose(page: &str) -> String {
    let mut text = page.to_owned();
    for element in ["script", "style", "code", "pre", "q", "textarea"] {
        while let Some(start) = text
            .find(&format!("<{element}>"))
            .or_else(|| text.find(&format!("<{element} ")))
        {
            let end = text[start..].find(&format!("</{element}>")).expect("it is closed");
            text.replace_range(start..start + end + element.len() + 3, "");
        }
    }
    text
}

#[test]
fn every_code_span_is_closed() {
    for (name, model) in models() {
        let llms = text(model, None).expect("all surfaces");
        let document = openapi_json(model, Version::V3_1, None);
        let mut texts = Vec::new();
        descriptions(&document, &mut texts);
        let lines = llms.lines().chain(texts.into_iter().flat_map(str::lines));
        let faults: Vec<String> = lines.filter_map(fault).collect();
        assert!(faults.is_empty(), "{name}: {faults:#?}");
        let files = files(model);
        let page = files.iter().find(|file| file.path == "/docs").expect("there is a page");
        let page = String::from_utf8(page.bytes.to_vec()).expect("it is text");
        assert!(
            !page.contains("<code></code>") && !page.contains("<code> "),
            "{name}: code without content"
        );
        let prose = prose(&page);
        let stray: Vec<&str> = prose.split('<').filter(|text| text.contains('`')).collect();
        assert!(stray.is_empty(), "{name}: {stray:#?}");
    }
}

#[test]
fn a_broken_code_span_is_found() {
    for whole in ["a `b` and `c`", "`` `a` is b ``", "none"] {
        assert_eq!(fault(whole), None, "{whole}");
    }
    for broken in ["``a` for `b`` is", "``a` is b`", "`a", "`` is"] {
        assert!(fault(broken).is_some(), "{broken}");
    }
}
