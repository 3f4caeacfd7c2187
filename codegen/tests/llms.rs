//! The text for agents of every contract: it is complete, its examples are valid, and it fits a prompt.

use crate::language::{CONTRACTS, MODELS, models, understood};
use crate::openapi::{openapi_json, operations};
use boon::{Compiler, Schemas};
use codegen::Model;
use codegen::documents::llms::text;
use codegen::documents::openapi::Version;
use serde_json::{Value, json};
use std::sync::LazyLock;

const URL: &str = "https://localhost/openapi.json";

/// The longest allowed line, for example an example of a large body.
const LONGEST_LINE: usize = 1_500;

/// The name of a contract, its model, a surface, and the text of that.
type Entry = (&'static str, &'static Model, Option<String>, String);

/// Every text.
static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let texts = models().flat_map(|(name, model)| {
        let surfaces: Vec<String> = model.surfaces.iter().map(|surface| surface.name.clone()).collect();
        let texts = surfaces.into_iter().map(Some).chain([None]).map(move |surface| {
            let text = text(model, surface.as_deref()).expect("there is such a surface");
            (name, model, surface, text)
        });
        texts.collect::<Vec<_>>()
    });
    texts.collect()
});

fn all() -> &'static [Entry] {
    &ALL
}

/// The section of each operation: its id in OpenAPI, and its lines.
fn sections<'t>(model: &Model, surface: Option<&str>, text: &'t str) -> Vec<(String, Vec<&'t str>)> {
    let (_, text) = text.split_once("\n## Operations\n").expect("there are operations");
    let text = text.split("\n## ").next().unwrap_or_default();
    let is_alone = model.surfaces.len() == 1;
    let sections = text.split("\n### ").skip(1).map(|section| {
        let mut lines = section.lines();
        let name = lines.next().expect("a heading");
        let id = match surface.or(is_alone.then(|| model.surfaces[0].name.as_str())) {
            Some(surface) => format!("{surface}_{name}"),
            None => name.replacen('.', "_", 1),
        };
        (id, lines.filter(|line| !line.is_empty()).collect())
    });
    sections.collect()
}

/// The texts between backticks.
fn quoted(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).collect()
}

/// The schemas of a document, which validate values.
struct Judge {
    document: Value,
    compiler: Compiler,
    schemas: Schemas,
}

impl Judge {
    fn from_document(document: Value) -> Self {
        let mut compiler = Compiler::new();
        compiler.enable_format_assertions();
        Self {
            document,
            compiler,
            schemas: Schemas::new(),
        }
    }

    /// Validates a value with a schema of the document.
    #[track_caller]
    fn check(&mut self, schema: &Value, value: &Value) {
        let url = format!("{URL}?{}", self.schemas.size());
        let components = &self.document["components"];
        let mut whole = schema.clone();
        whole["components"] = components.clone();
        self.compiler.add_resource(&url, whole).expect("it has this address");
        let schema = self.compiler.compile(&url, &mut self.schemas).expect("it is a schema");
        let judged = self.schemas.validate(value, schema);
        judged.unwrap_or_else(|error| panic!("{value}\n{error:#}"));
    }
}

#[test]
fn it_is_markdown_as_llms_txt_has_it() {
    for (name, _, surface, text) in all() {
        let mut lines = text.lines();
        let first = [(); 3].map(|()| lines.next().unwrap_or_default());
        assert!(
            first[0].starts_with("# ") && first[1].is_empty() && first[2].starts_with("> "),
            "{name} {surface:?}"
        );
        assert!(!text.contains("\n\n\n") && text.ends_with('\n'), "{name} {surface:?}");
        let long = text.lines().find(|line| line.len() > LONGEST_LINE);
        assert_eq!(long, None, "{name} {surface:?}");
    }
}

#[test]
fn every_operation_and_every_error_is_there() {
    for (name, model, surface, text) in all() {
        let document = openapi_json(model, Version::V3_1, surface.as_deref());
        let documented: Vec<String> = sections(model, surface.as_deref(), text)
            .into_iter()
            .map(|(id, _)| id)
            .collect();
        let declared = model
            .surfaces
            .iter()
            .filter(|one| surface.as_ref().is_none_or(|name| one.name == *name));
        let declared = declared.flat_map(|surface| {
            let operations = surface.operations.iter();
            operations.map(|operation| format!("{}_{}", surface.name, operation.name))
        });
        assert_eq!(documented, declared.collect::<Vec<_>>(), "{name} {surface:?}");
        let (_, errors) = text.split_once("\n## Errors\n").expect("there are errors");
        for error in document["x-errors"].as_array().expect("a list") {
            let (status, text) = (&error["status"], error["text"].as_str().expect("a text"));
            let is_it = |line: &str| line.starts_with(&format!("- {status} ")) && line.contains(text);
            assert!(errors.lines().any(is_it), "{name} {surface:?}: {status} {text}");
        }
    }
}

#[test]
fn every_example_is_what_the_contract_says() {
    for (name, model, surface, text) in all() {
        let document = openapi_json(model, Version::V3_1, surface.as_deref());
        let mut judge = Judge::from_document(document.clone());
        for (id, lines) in sections(model, surface.as_deref(), text) {
            let mut found = operations(&document).into_iter();
            let found = found.find(|(_, operation)| operation["operationId"] == id.as_str());
            let (path, operation) = found.unwrap_or_else(|| panic!("{name}: there is no {id}"));
            let example = lines
                .iter()
                .find(|line| line.starts_with("- Example: ") || line.starts_with("- Response: "));
            let example = example.unwrap_or_else(|| panic!("{name}: {id} has no example"));
            let (asked, answered) = example.split_once('→').unwrap_or(("", example));
            let (bodies, requests): (Vec<&str>, Vec<&str>) =
                quoted(asked).into_iter().partition(|text| text.starts_with('{'));
            for request in requests {
                check_request(&mut judge, request, path, operation);
            }
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            // A body that another endpoint takes, too, is shown there.
            let is_shown = schema.is_null() || lines.iter().any(|line| line.starts_with("- Body as for "));
            assert_eq!(is_shown, bodies.is_empty(), "{name} {id}");
            for body in bodies {
                judge.check(schema, &serde_json::from_str(body).expect("it is JSON"));
            }
            check_answer(&mut judge, model, answered, operation);
        }
    }
}

fn check_request(judge: &mut Judge, request: &str, path: &str, operation: &Value) {
    let (_, address) = request.split_once(' ').expect("a method and an address");
    let (asked, query) = address.split_once('?').unwrap_or((address, ""));
    let parts: Vec<(&str, &str)> = asked.split('/').zip(path.split('/')).collect();
    assert_eq!(parts.len(), path.split('/').count(), "{request}");
    let of_path = parts
        .into_iter()
        .filter_map(|(value, name)| match name.strip_prefix('{') {
            Some(name) => Some((name.trim_end_matches('}'), value)),
            None => {
                assert_eq!(value, name, "{request}");
                None
            }
        });
    let of_query = query.split('&').filter_map(|pair| pair.split_once('='));
    for (name, value) in of_path.chain(of_query) {
        let parameters = operation["parameters"].as_array().expect("a list");
        let parameter = parameters.iter().find(|one| one["name"] == name);
        let parameter = parameter.unwrap_or_else(|| panic!("{request}: {name} is not known"));
        let value = decoded(value);
        let value = serde_json::from_str(&value).unwrap_or(json!(value));
        judge.check(&parameter["schema"], &value);
    }
}

fn check_answer(judge: &mut Judge, model: &Model, answered: &str, operation: &Value) {
    let success = |line: &str| line.split_whitespace().find_map(|word| word.parse::<u16>().ok());
    let status = success(answered).expect("a status").to_string();
    let content = &operation["responses"][status]["content"];
    if answered.contains("the content of") {
        let types = content.as_object().expect("media types");
        return assert!(
            !types.is_empty() && !types.contains_key("application/json"),
            "{answered}"
        );
    }
    if answered.ends_with(" without a body") {
        return assert!(content.is_null(), "{answered}");
    }
    let schema = content["application/json"]["schema"].clone();
    assert!(schema.is_object(), "{answered}");
    let is_data = |value: &codegen::model::EnvelopeValue| matches!(value, codegen::model::EnvelopeValue::Placeholder { name, .. } if name == "data");
    let mut members = model.success.iter();
    let member = members.find(|(_, value)| is_data(value)).map(|(name, _)| name.as_str());
    let data = quoted(answered).into_iter().find(|text| text.starts_with(['{', '[']));
    let schema = match answered.contains(" with the body ") {
        true => &schema,
        false => &schema["properties"][member.unwrap_or_default()],
    };
    match data {
        Some(data) => judge.check(schema, &serde_json::from_str(data).expect("it is JSON")),
        None => assert!(schema.is_null() || schema["type"] == "null", "{answered}"),
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits: Vec<u8> = rest.by_ref().take(2).collect();
            let digits = String::from_utf8(digits).expect("two digits");
            bytes.push(u8::from_str_radix(&digits, 16).expect("two digits"));
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).expect("it is text")
}

#[test]
fn a_text_of_several_lines_stands_on_one() {
    let (former, lines) = ("\n  doc: A marketplace", "\n  doc: |\n    # First\n\n    A marketplace");
    let contract = CONTRACTS[0].1.replacen(former, lines, 1);
    let text = text(&understood(&contract), None).expect("it is there");
    assert!(text.contains("\n> # First A marketplace where"), "{text}");
}

#[test]
fn it_fits_a_prompt() {
    let model = &MODELS[0];
    let kilobytes = |surface| text(model, surface).expect("it is there").len().div_ceil(1024);
    assert!(kilobytes(Some("agent")) <= 41, "{}", kilobytes(Some("agent")));
    assert!(kilobytes(None) <= 78, "{}", kilobytes(None));
}

#[test]
fn a_surface_that_there_is_not_has_no_text() {
    assert_eq!(text(&MODELS[1], Some("nobody")), None);
}

/// The start of a key, and values that go together.
#[test]
fn examples_of_answers_fit_what_the_contract_says_of_them() {
    let text = text(&MODELS[0], None).expect("all surfaces");
    for (expected, contradiction) in [
        (r#""key_prefix":"htd_xxxx...""#, r#""key_prefix":"Key prefix""#),
        (
            r#""status":"active","last_result":"delivered""#,
            r#""status":"unverified","last_result""#,
        ),
    ] {
        assert!(text.contains(expected) && !text.contains(contradiction), "{expected}");
    }
}

#[test]
fn a_text_without_a_credential_asks_for_none() {
    let is_needed = |text: &str| text.contains("Each request needs a credential in the header");
    let texts = all();
    assert!(texts.iter().any(|(.., text)| !is_needed(text)), "none is without");
    for (name, _, surface, text) in texts {
        let is_asked_for = text.contains("an HTTP client and a credential.");
        assert_eq!(is_asked_for, is_needed(text), "{name} {surface:?}");
    }
}
