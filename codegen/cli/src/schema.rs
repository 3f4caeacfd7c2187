//! `codegen schema`: the language of contracts as a JSON Schema (draft-07), so that editors complete, explain and
//! underline. It accepts everything that the compiler accepts; it does not resolve names.
//!
//! Generated from [`codegen::syntax`]. Beside the keywords of the draft it has those of editors:
//! `markdownDescription`, `patternErrorMessage`, `errorMessage`, `markdownEnumDescriptions`, `defaultSnippets`.
//! Keywords beside a `$ref` are for readers only.

mod body;
mod forms;
mod scalars;

use crate::output::Output;
use codegen::json;
use codegen::syntax::{self, FILE, Key, Presence, Section};
use serde::Serialize;
use std::path::Path;

/// Writes the schema to `output`, or else to standard output.
pub(crate) fn run(output: Option<&Path>) -> Output {
    Output::into_file(text(), output)
}

fn text() -> String {
    let definitions = syntax::sections().into_iter().filter(|section| *section != FILE);
    let whole = Schema {
        dialect: Some("http://json-schema.org/draft-07/schema#"),
        comment: Some("Written by `codegen schema`: edit codegen/src/syntax instead."),
        title: Some("A contract: api.yaml"),
        definitions: Named(
            definitions
                .map(|section| (name(section), Member::Is(Box::new(schema_of(section)))))
                .collect(),
        ),
        ..schema_of(FILE)
    };
    json::pretty(&whole)
}

/// The name of a section in the definitions.
fn name(section: &Section) -> String {
    match section.what.split_once(' ') {
        Some((_, noun)) => noun.replace(' ', "_"),
        None => section.path.replace(".NAME", ""),
    }
}

fn schema_of(section: &'static Section) -> Schema {
    let required = section.keys.iter().filter(|key| key.presence == Presence::Required);
    let properties = section.keys.iter();
    Schema {
        description: Some(section.doc.to_owned()),
        of: Some("object"),
        properties: Named(properties.map(|key| (key.name.to_owned(), property(key))).collect()),
        required: required.map(|key| key.name).collect(),
        additional_properties: Some(Member::Never(false)),
        any_of: choices(section),
        ..Schema::default()
    }
}

/// Exactly one of several keys, in a form that lets editors name the missing key or the extra one.
fn choices(section: &'static Section) -> Vec<Schema> {
    let names: Vec<&str> = section.choice().collect();
    let message = format!("{} has one of {}", section.what, names.join(", "));
    let one = |name: &&'static str| Schema {
        required: vec![name],
        properties: Named(
            names
                .iter()
                .filter(|other| *other != name)
                .map(|other| ((*other).to_owned(), Member::Never(false)))
                .collect(),
        ),
        error_message: Some(message.clone()),
        ..Schema::default()
    };
    section.choice().map(|name| one(&name)).collect()
}

fn property(key: &'static Key) -> Member {
    Member::Is(Box::new(Schema {
        description: Some(key.doc.to_owned()),
        markdown_description: Some(explained(key)),
        ..forms::schema(&key.form)
    }))
}

/// The description of a key in an editor.
fn explained(key: &Key) -> String {
    let mut text = key.doc.to_owned();
    match key.presence {
        Presence::Required => text.push_str("\n\nRequired."),
        Presence::Choice => {}
        Presence::Optional(absent) => text.push_str(&format!("\n\nOptional. If absent: {absent}.")),
    }
    if !key.effect.is_empty() {
        text.push_str(&format!("\n\nEffect: {}", key.effect));
    }
    text.push_str(&format!("\n\n```yaml\n{}: {}\n```", key.name, key.example()));
    text
}

/// A schema. Empty keywords are left out.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Schema {
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    dialect: Option<&'static str>,
    #[serde(rename = "$comment", skip_serializing_if = "Option::is_none")]
    comment: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'static str>,
    #[serde(rename = "$ref", skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown_description: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    of: Option<&'static str>,
    #[serde(rename = "enum", skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    markdown_enum_descriptions: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern_error_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Box<Schema>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_items: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_items: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique_items: Option<bool>,
    #[serde(skip_serializing_if = "Named::is_empty")]
    properties: Named,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    required: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    property_names: Option<Box<Schema>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_properties: Option<Member>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_properties: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_properties: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    any_of: Vec<Schema>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_message: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    examples: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    default_snippets: Vec<Snippet>,
    #[serde(skip_serializing_if = "Named::is_empty")]
    definitions: Named,
}

/// Schemas by name, in order.
#[derive(Default)]
struct Named(Vec<(String, Member)>);

impl Named {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Named {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, schema)| (name, schema)))
    }
}

/// The schema of a member, or `false` for a forbidden one.
#[derive(Serialize)]
#[serde(untagged)]
enum Member {
    Never(bool),
    Is(Box<Schema>),
}

/// A snippet that an editor offers.
#[derive(Serialize)]
struct Snippet {
    label: &'static str,
    description: String,
    body: body::Body,
}
